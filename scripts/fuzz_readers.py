"""Fuzz the readers of all files that are imported with atheris: only documented errors may come, within a time limit.

`make fuzz` runs it for ten minutes in all. What fails is written to a file `crash-…` in the present folder.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from random import Random
from time import process_time
from typing import IO, Any

from domain.catalogue import GAMES
from domain.forms import Malformed
from domain.match import Draft, Entry, Event, LogBroken, Player, Timeline, create, record, seal
from domain.match.document import (
    Annotation,
    Details,
    DocumentError,
    MatchDocument,
    Person,
    Source,
    Wording,
    check,
    head_of,
    read_documents,
    write,
)
from domain.match.notation import MatchText, TextError, play, read_matches, transcribe, write_match
from scripts.arguments import positive
from scripts.random_play import play as play_at_random
from service.exchange import bgg, bgstats
from service.exchange.bgg import NotXml
from service.exchange.plays import BGG_IDS, Play, Unread
from service.exchange.results import MatchResult, Played
from service.exchange.scanning import NotJson

MAX_INPUT = 20_000
"""Bytes of one input."""
SECONDS_PER_BYTE = 1e-3
LEAST_SECONDS = 2.0
MATCH, AT = "019a93c8-0000-7000-8000-000000000001", "2026-11-14T19:30:00.000000Z"


GAMES_THERE = {bgg_id: game for game, bgg_id in BGG_IDS.items()}


class TooSlow(Exception):
    """An input that takes more than linear time."""


def read_as_text(data: bytes) -> None:
    """Read and play the matches of a text; what is read is written and read again alike."""
    for match in read_matches([data[:100], data[100:]], GAMES):
        if not isinstance(match, MatchText):
            continue
        text = write_match(match)
        [again] = read_matches([text.encode()], GAMES)
        if not isinstance(again, MatchText) or write_match(again) != text:
            raise AssertionError(f"what was written is read otherwise: {text!r}")
        try:
            play(match, match.game.editions, [str(index) for index in range(len(match.seats))], lambda: "salt")
        except TextError:
            continue


def read_as_document(data: bytes) -> None:
    """Read and check the documents of a file; what is read is written and read again alike."""
    for document in read_documents([data], GAMES):
        if isinstance(document, DocumentError):
            continue
        [again] = read_documents([write(document).encode()], GAMES)
        if again != document:
            raise AssertionError("what was written is read otherwise")
        try:
            check(document, document.game.editions)
        except (LogBroken, Malformed):
            continue


def read_as_bgstats(data: bytes) -> None:
    """Read the plays of an export of Board Game Stats."""
    _read_plays(bgstats.read, data, NotJson)


def read_as_bgg(data: bytes) -> None:
    """Read the plays of BoardGameGeek's XML."""
    _read_plays(bgg.read, data, NotXml)


def _read_plays(
    read: Callable[[IO[bytes], Mapping[int, str]], Iterator[Play | Unread]], data: bytes, refusal: type[Exception]
) -> None:
    try:
        for play in read(BytesIO(data), GAMES_THERE):
            assert not isinstance(play, Play) or len(play.digest) == 64
    except refusal:
        return


_READ = {"text": read_as_text, "document": read_as_document, "bgstats": read_as_bgstats, "bgg": read_as_bgg}
READERS = tuple(_READ)


def timed(name: str, data: bytes) -> None:
    """Read an input; raise `TooSlow`."""
    began = process_time()
    _READ[name](data)
    if process_time() - began > LEAST_SECONDS + SECONDS_PER_BYTE * len(data):
        raise TooSlow(f"{len(data)} bytes took {process_time() - began:.1f} s")


def seeds(name: str) -> Iterator[bytes]:
    """Inputs that are right, from which others are made: the first moves of a match of every game, or its result."""
    if name in _OF_RESULTS:
        yield b"".join(_OF_RESULTS[name]([RESULT, RESULT]))
        return
    for number, game in enumerate(GAMES.values()):
        drawn: Any = play_at_random(game, Random(number), listed=False)
        people = [Player(seat, f"019a93c8-0000-7000-8000-00000000000{index}") for index, seat in enumerate(drawn.seats)]
        created = create(game, game.editions.default, people, game.setup.parse(drawn.setup))
        recorded = record(created.timeline, [Entry(seat, move) for seat, move in drawn.plies[:12]])
        drafts = (*created.drafts, *recorded.drafts)
        is_text = name == "text"
        told = (
            write_match(transcribe(recorded.timeline, {})) if is_text else write(_document(recorded.timeline, drafts))
        )
        yield told.encode()
    if name == "text":
        yield b"by Ana\nglyph !?\n; a\nmark a1 b\n| 1 red end_turn\n! not_your_turn a\n+ b\n= red 1\n"
        yield b"@ 2026-11-18T19:30:00Z\nx-a b\nresult red 1 blue 2 shared\nabandoned\nend\n"


RESULT = MatchResult(
    MATCH,
    "cite-lumiere",
    "Paris: La Cité de la Lumière",
    BGG_IDS["cite-lumiere"],
    datetime(2026, 11, 14, 19, 30, tzinfo=UTC),
    45,
    "Café",
    "",
    "https://example.org/",
    [Played("1", "Ana", 61, 1, True, True, "orange"), Played("2", "Jan", 55, 2, False, False, "blue")],
)


def _bgg_xml(results: Iterable[MatchResult]) -> Iterator[bytes]:
    """Plays as BoardGameGeek has them."""
    yield b'<?xml version="1.0"?><plays total="2" page="1">'
    for number, result in enumerate(results, start=101):
        yield f'<play id="{number}" date="2024-03-02" quantity="2" incomplete="0" nowinstats="0" location="a">'.encode()
        yield f'<item name="{result.game_name}" objectid="{result.bgg_id}"/><comments>a &amp; b</comments>'.encode()
        for player in result.players:
            yield f'<player name="{player.name}" score="{player.points}" win="{int(player.winner)}"/>'.encode()
        yield b"</play>"
    yield b"</plays>"


_OF_RESULTS: Mapping[str, Callable[[Iterable[MatchResult]], Iterator[bytes]]] = {
    "bgstats": lambda results: bgstats.play_file(results, RESULT.ended_at),
    "bgg": _bgg_xml,
}


def _document(timeline: Timeline, drafts: Sequence[Draft]) -> MatchDocument:
    log: list[Event] = []
    for seq, draft in enumerate(drafts, start=1):
        before = log[-1].hash if log else None
        log.append(seal(draft, match_id=MATCH, seq=seq, actor=None, recorded_at=AT, prev_hash=before))
    details = Details(0, AT, None, ("league",), False, "club", "results", None, AT)
    wording = Wording(0, {"text": "a", "glyph": None, "marks": [], "line": []}, False, False, None, AT)
    return MatchDocument(
        MATCH,
        timeline.game,
        AT,
        None,
        tuple(log),
        head_of(timeline),
        (details,),
        tuple(Person(player, "Ana") for _, player in timeline.players),
        annotations=(Annotation(MATCH, 2, None, AT, (wording,)),),
        sources=(Source("bgstats", "1"),),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Fuzz a reader; atheris ends the process, with an error if one was found."""
    parser = argparse.ArgumentParser(prog="python -m scripts.fuzz_readers", description=__doc__)
    parser.add_argument("--seconds", type=positive, default=150, help="how long (default %(default)s)")
    parser.add_argument("--reader", choices=READERS, default="text", help="of what (default %(default)s)")
    parser.add_argument("--corpus", type=Path, help="a folder in which inputs are kept (default: none is kept)")
    options = parser.parse_args(arguments)
    try:
        import atheris  # noqa: PLC0415 -- everything else here is tested without it
    except ImportError:
        print("atheris is not installed; make fuzz installs it.", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        corpus = options.corpus or Path(folder)
        corpus.mkdir(parents=True, exist_ok=True)
        for number, seed in enumerate(seeds(options.reader)):
            (corpus / f"seed-{number}").write_bytes(seed)
        limits = [f"-max_total_time={options.seconds}", f"-max_len={MAX_INPUT}", "-timeout=30"]
        atheris.instrument_all()
        atheris.Setup([sys.argv[0], *limits, str(corpus)], lambda data: timed(options.reader, data))
        atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())
