"""Plays of BoardGameGeek: XML that people save in a browser, read with the expat of the standard library."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import IO, Any, Final
from xml.parsers import expat

from service.exchange.plays import Play, PlayedBy, Unread, game_named, points_of
from service.exchange.results import MatchResult
from service.http.fields import MAX_TEXT

SYSTEM: Final = "bgg"
BLOCK: Final = 2**16
MAX_DEPTH: Final = 16
MAX_ATTRIBUTES: Final = 40
MAX_PLAYERS: Final = 100
MAX_COPIES: Final = 20
"""A play may stand for several; more of them are taken for a mistake."""
COLUMNS: Final = (
    *("play_id", "date", "quantity", "length", "incomplete", "nowinstats", "location", "objectid", "name", "comments"),
    *("player", "username", "startposition", "color", "score", "new", "rating", "win"),
)
"""Of our table of plays, in the words of the XML; one row for each player."""


class NotXml(ValueError):
    """A file that is not XML, or has what a list of plays never has."""


def read(file: IO[bytes], bgg_ids: Mapping[int, str]) -> Iterator[Play | Unread]:
    """The plays of a file in order; raise `NotXml`.

    A document type, entities and processing instructions are refused before anything is expanded, so a small file
    stays small. One play is in memory.
    """
    reader = _Reader(bgg_ids)
    while block := file.read(BLOCK):
        yield from reader.feed(block, is_last=False)
    yield from reader.feed(b"", is_last=True)


class _Reader:
    """Makes plays of the parts of XML."""

    def __init__(self, bgg_ids: Mapping[int, str]) -> None:
        self._bgg_ids = bgg_ids
        self._depth = 0
        self._is_plays = False
        self._play: dict[str, str] | None = None
        self._item: dict[str, str] = {}
        self._players: list[dict[str, str]] = []
        self._comments: list[str] = []
        self._in_comments = False
        self._size = 0
        self._made: list[Play | Unread] = []
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartDoctypeDeclHandler = self._refuse
        self._parser.EntityDeclHandler = self._refuse
        self._parser.ProcessingInstructionHandler = self._refuse
        self._parser.ExternalEntityRefHandler = self._refuse
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text

    def feed(self, block: bytes, *, is_last: bool) -> list[Play | Unread]:
        """The plays that end in a block."""
        try:
            self._parser.Parse(block, is_last)
        except expat.ExpatError as error:
            raise NotXml(f"it is not XML: {error}") from None
        if is_last and not self._is_plays:
            raise NotXml("it has no plays")
        made, self._made = self._made, []
        return made

    def _refuse(self, *_: Any) -> int:
        raise NotXml("it has a document type, entities or instructions, which lists of plays never have")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH or len(attributes) > MAX_ATTRIBUTES:
            raise NotXml("it is nested too deep")
        if name == "plays":
            self._is_plays = True
        elif name == "play":
            self._play, self._item, self._players, self._comments, self._size = attributes, {}, [], [], 0
        elif name == "item" and self._play is not None:
            self._item = attributes
        elif name == "player" and self._play is not None:
            self._players.append(attributes)
            if len(self._players) > MAX_PLAYERS:
                raise NotXml(f"a play has more than {MAX_PLAYERS} players")
        self._in_comments = name == "comments"

    def _end(self, name: str) -> None:
        self._depth -= 1
        self._in_comments = False
        if name == "play" and self._play is not None:
            self._made += self._plays(self._play)
            self._play = None

    def _text(self, text: str) -> None:
        if self._in_comments and self._size < MAX_TEXT:
            self._comments.append(text[: MAX_TEXT - self._size])
            self._size += len(text)

    def _plays(self, play: Mapping[str, str]) -> Iterator[Play | Unread]:
        line = self._parser.CurrentLineNumber
        play_id = play.get("id", "")
        if not play_id.isdecimal() or len(play_id) > 20:
            yield Unread(f"line {line}", "it has no id", line)
            return
        object_id = self._item.get("objectid", "")
        bgg_id = int(object_id) if object_id.isdecimal() and len(object_id) < 12 else 0
        game = game_named(self._item.get("name"), bgg_id, self._bgg_ids)
        if game is None:
            yield Unread(play_id, "it is of another game", line, is_other_game=True)
            return
        reason = self._reason_against(play)
        if reason is not None:
            yield Unread(play_id, reason, line)
            return
        players = [
            PlayedBy(
                player.get("name") or player.get("username") or "",
                points_of(player.get("score")),
                player.get("win") == "1",
                player.get("startposition") == "1",
            )
            for player in self._players
        ]
        played_at = _day(play)
        venue = play.get("location") or None
        comments = "".join(self._comments).strip()
        for copy in range(int(play.get("quantity", "1"))):
            external_id = play_id if copy == 0 else f"{play_id}/{copy + 1}"
            yield Play(SYSTEM, external_id, game, played_at, players, venue, comments, line)

    def _reason_against(self, play: Mapping[str, str]) -> str | None:
        if play.get("incomplete") == "1":
            return "it was not finished"
        if play.get("nowinstats") == "1":
            return "it is left out of statistics there"
        quantity = play.get("quantity", "1")
        if not quantity.isdecimal() or not 1 <= int(quantity[:9]) <= MAX_COPIES:
            return f"it stands for {quantity[:9]} plays"
        if not self._players:
            return "nobody played"
        try:
            _day(play)
        except ValueError:
            return "its date cannot be read"
        return None


def _day(play: Mapping[str, str]) -> datetime:
    """The day of a play, at midnight; raise ValueError."""
    return datetime.strptime(play.get("date", ""), "%Y-%m-%d")


def table(matches: Iterable[MatchResult]) -> Iterator[bytes]:
    """Finished matches as CSV in the words of BoardGameGeek's plays, one row for each player."""
    yield _row(COLUMNS)
    for match in matches:
        about = (
            *(match.match_id, match.ended_at.date().isoformat(), 1, match.minutes or 0, 0, 0, match.venue or ""),
            *(match.bgg_id or "", match.game_name, match.comments),
        )
        for position, player in enumerate(match.players, start=1):
            yield _row(
                (
                    *(*about, player.name, "", position if match.seats_known else "", player.role),
                    *(player.points, 0, "", int(player.winner)),
                )
            )


def _row(values: Iterable[object]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerow([_harmless(value) for value in values])
    return text.getvalue().encode()


_FORMULA: Final = frozenset("=+-@＝＋－＠")  # noqa: RUF001 -- Excel takes those of full width for the same


def _harmless(value: object) -> object:
    """A text that programs for tables take for none of their formulas."""
    return f"'{value}" if isinstance(value, str) and value.lstrip()[:1] in _FORMULA else value
