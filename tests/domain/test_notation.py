"""The match text: what is written is read and played again, and what is wrong is named with its line and column."""

import doctest
import time
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from domain import moments, shorthand
from domain.catalogue import GAMES
from domain.match import Player, Status, create, fold, notation, parse_setup, read_unplayed, reason_digest
from domain.match.events import lifted
from domain.match.notation import (
    MAX_LINE,
    MAX_LINES,
    EditionNamed,
    MatchInfo,
    MatchText,
    Note,
    Played,
    Remarks,
    ResultNamed,
    StateFacts,
    TextError,
    content_digest,
    edition_named,
    lines_of,
    play,
    read_matches,
    read_text,
    reading,
    transcribe,
    transcribe_unplayed,
    write_match,
    write_matches,
)
from domain.match.notation.records import MAX_CACHED
from domain.moments import trimmed, utc
from tests.domain.logs import editions_of
from tests.domain.texts import (
    EXAMPLE,
    GAME_IDS,
    MATCHES,
    REASON,
    SALT,
    changed_texts,
    corrected_log,
    match_texts,
    variations,
)

PARIS: Any = GAMES["paris"]
IDS = ["one", "two", "three", "four"]
RELAXED = settings(deadline=None, max_examples=12, suppress_health_check=list(HealthCheck))
SOAK = settings(RELAXED, max_examples=1500)


def test_the_examples_are_true() -> None:
    assert doctest.testmod(notation, optionflags=doctest.ELLIPSIS) == (0, 9)
    assert doctest.testmod(shorthand) == (0, 4)
    assert doctest.testmod(moments) == (0, 3)


# What comes back


def lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def bare(match: MatchText) -> MatchText:
    """A match without the numbers of its lines, and with one kind of line break."""

    def note(note: Note) -> Note:
        return note._replace(text=lines(note.text), variations=tuple(v._replace(line=0) for v in note.variations))

    def bare_remarks(remarks: Remarks) -> Remarks:
        ruling = remarks.ruling
        return remarks._replace(
            ruling=ruling and ruling._replace(reason=lines(ruling.reason), line=0),
            checkpoints=tuple(checkpoint._replace(line=0) for checkpoint in remarks.checkpoints),
            notes=tuple(map(note, remarks.notes)),
        )

    info = match.info
    return replace(
        match,
        game=GAMES[match.game.id],
        remarks={ply: bare_remarks(remarks) for ply, remarks in match.remarks.items()},
        info=info._replace(venue=info.venue and lines(info.venue), tags=tuple(map(lines, info.tags))),
        lines=None,
        move_lines=(),
    )


def require_round_trip(match: MatchText) -> None:
    text = write_match(match)
    [again] = read_text(text, GAMES)
    assert isinstance(again, MatchText), again
    assert bare(again) == bare(match)
    assert write_match(again) == text
    editions = editions_of(match.game)
    played = play(again, editions, IDS[: len(again.seats)], lambda: SALT)
    assert not played.warnings
    assert [frame.move for frame in played.timeline.frames()[1:]] == [entry.move for entry in match.moves]
    assert played.timeline.abandoned == match.is_abandoned
    assert len(played.recorded_at) == len(played.drafts)
    assert {reason.reason for reason in played.reasons} <= {lines(REASON)}
    for note in played.notes:
        assert note.note in again.remarks[note.ply].notes
    assert write_match(transcript(again, played)) == text


def transcript(match: MatchText, played: Played) -> MatchText:
    """A match that was played, told as text again."""
    return transcribe(
        played.timeline,
        {player: name for player, (_, name) in zip(IDS, match.seats, strict=False)},
        match.info,
        reasons={reason.seq: reason.reason for reason in played.reasons},
        notes={ply: [note.note for note in played.notes if note.ply == ply] for ply in match.remarks},
        recorded_at={seq: at for seq, at in enumerate(played.recorded_at, start=1) if at is not None},
        checkpoints=bool(match.remarks_at(0).checkpoints),
    )


@pytest.mark.uncounted
@RELAXED
@given(match_texts())
def test_what_is_written_is_read_and_played_again(match: MatchText) -> None:
    require_round_trip(match)


@pytest.mark.soak
@SOAK
@given(match_texts(matches=400))
def test_thousands_of_texts_come_back(match: MatchText) -> None:
    require_round_trip(match)


def require_same_unplayed(game_id: str, seed: int) -> None:
    """Require that the text of a log is the same if its moves are not played but for what only states tell."""
    log, editions = corrected_log(game_id, seed), editions_of(GAMES[game_id])
    reasons = {event.seq: REASON for event in log.events}
    names = dict.fromkeys((player for _, player in log.timeline.players), "Ana")
    match, facts = read_unplayed(GAMES[game_id], editions, map(lifted, log.events)), StateFacts.of(log.timeline)
    text = write_match(transcribe_unplayed(match, facts, names, reasons=reasons))
    assert text == write_match(transcribe(log.timeline, names, reasons=reasons))
    timeline = fold(GAMES[game_id], editions, log.events)
    assert text == write_match(transcribe(timeline, names, reasons=reasons))


@pytest.mark.uncounted
@RELAXED
@given(GAME_IDS, st.integers(0, MATCHES - 1))
def test_a_text_is_the_same_if_its_match_was_not_played(game_id: str, seed: int) -> None:
    require_same_unplayed(game_id, seed)


@pytest.mark.soak
@SOAK
@given(GAME_IDS, st.integers(0, 399))
def test_thousands_of_texts_are_the_same_if_their_matches_were_not_played(game_id: str, seed: int) -> None:
    require_same_unplayed(game_id, seed)


@RELAXED
@given(changed_texts(), st.integers(1, 50))
def test_it_does_not_matter_in_what_blocks_a_text_comes(text: str, size: int) -> None:
    raw = (text + "\n" + EXAMPLE).encode()
    blocks = [raw[start : start + size] for start in range(0, len(raw), size)]
    assert list(map(seen, read_matches(blocks, GAMES))) == list(map(seen, read_matches([raw], GAMES)))


def seen(read: MatchText | TextError) -> object:
    if isinstance(read, TextError):
        return (read.code, read.line, read.column, read.starts)
    return write_match(read), read.lines


def the_example() -> MatchText:
    [match] = read_text(EXAMPLE, GAMES)
    assert isinstance(match, MatchText)
    return match


def test_every_kind_of_line_is_read() -> None:
    match = the_example()
    assert match.info == MatchInfo("a-1", "2026-11-18T19:30:00Z", "club night\nupstairs", ("league",))
    assert [tuple(seat) for seat in match.seats] == [("red", "Ana"), ("blue", None)]
    assert (match.extras, match.remarks[2].extras) == (("x-clock 20",), ("x-eval 3",))
    first, second = match.remarks[2].notes
    assert (first.author, first.glyph, first.text, first.marks) == (
        "Ana",
        "?!",
        "First.\n\nThird.",
        (("arc", "highlight"),),
    )
    assert [(variation.depth, variation.ply) for variation in first.variations] == [(1, 3), (2, 3)]
    assert second == Note(glyph="!!")
    assert match.remarks[2].recorded_at == "2026-11-18T19:31:00Z"
    assert match.remarks[2].checkpoints[0].points == {"red": 0, "blue": 0}
    ruling = match.remarks[4].ruling
    assert ruling is not None and (ruling.code, ruling.reason) == ("not_your_turn", "It was late.\nAnd dark.")
    assert match.result == ResultNamed({"red": 0, "blue": 0}, "shared")
    assert match.is_abandoned
    assert write_match(match).splitlines()[2].startswith("edition rulebook-2020")


def test_files_of_windows_are_read() -> None:
    assert read_text("\ufeff" + EXAMPLE.replace("\n", "\r\n"), GAMES) == read_text(EXAMPLE, GAMES)


def test_what_is_not_known_in_a_header_is_left_out_with_a_warning() -> None:
    text = EXAMPLE.replace("tag league", "weather fine\n+ and warm\ntag league")
    [match] = read_text(text, GAMES)
    assert isinstance(match, MatchText)
    assert [(warning.code, warning.line) for warning in match.warnings] == [("unknown-word", 9)]
    assert write_match(match) == write_match(the_example())
    [match] = read_text(text.replace("weather fine", "\n".join(f"w{n} x" for n in range(30))), GAMES)
    assert isinstance(match, MatchText) and len(match.warnings) == 20


def test_a_match_that_says_little_has_the_present_edition_and_rules() -> None:
    [match] = read_text("carnet 1\ngame paris\nseat red\nseat blue\nsetup basic\nend", GAMES)
    assert isinstance(match, MatchText)
    assert (match.edition.id, match.rules_version, match.info) == ("rulebook-2020", 1, MatchInfo())
    assert match.line_of("edition") == match.line_of("carnet") == 1
    assert transcribe(create(PARIS, PARIS.editions.default, players(), match.setup).timeline, {}).line_of("seat") == 0


def players() -> list[Player]:
    return [Player("red", "one"), Player("blue", "two")]


# What is wrong


def changed(old: str, new: str) -> str:
    assert old in EXAMPLE
    return EXAMPLE.replace(old, new)


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("nonsense\n" + EXAMPLE, "not-a-match", 1, 1),
        (changed("carnet 1", "carnet 2"), "unknown-version", 1, 8),
        (changed("carnet 1\n", "carnet\n"), "unknown-version", 1, 8),
        (changed("game paris", "game chess"), "unknown-game", 2, 6),
        (changed("game paris\n", ""), "missing", 14, 1),
        (changed("setup basic\n", ""), "missing", 14, 1),
        (changed("edition rulebook-2020", "edition a sha256:12"), "wrong-edition", 3, 9),
        (changed("edition rulebook-2020", "edition a\nbased-on a b"), "wrong-edition", 4, 10),
        (changed("rules 1", "rules one"), "not-a-number", 4, 7),
        (changed("id a-1", "id a 1"), "wrong-id", 5, 4),
        (changed("played 2026", "played 20261"), "wrong-time", 6, 8),
        (changed("seat red Ana", "seat"), "wrong-seat", 10, 1),
        (changed("tag league", "game paris"), "twice", 9, 1),
        (changed("tag league", "printed /a {"), "not-json", 9, 12),
        (changed("tag league", "printed /a " + "[" * 5000), "not-json", 9, 12),
        (changed("tag league", "Tag league"), "unknown-line", 9, 1),
        (changed("tag league", "+upstairs"), "no-blank", 9, 2),
        (changed("venue club night", "x-venue"), "nothing-to-continue", 8, 1),
        (changed("seat blue", "seat green\nseat green"), "wrong-seat", 10, 1),
        (changed("seat blue\n", ""), "wrong-seat", 10, 1),
        (changed("setup basic", "setup advanced tokens=a:1"), "wrong-setup", 12, 7),
        (changed("setup basic", "setup advanced track=a"), "wrong-setup", 12, 16),
        (changed("setup basic", "setup"), "wrong-setup", 12, 7),
        (changed("1 red reveal", "2 red reveal"), "wrong-ply", 15, 1),
        (changed("1 red reveal", "01 red reveal"), "wrong-ply", 15, 1),
        (changed("1 red reveal", "one red reveal"), "wrong-ply", 16, 1),
        (changed("1 red reveal", "1 green reveal"), "wrong-seat", 15, 3),
        (changed("1 red reveal 2 montmartre-5", "1 red"), "missing", 15, 6),
        (changed("reveal 2 montmartre-5", "reveal two montmartre-5"), "wrong-move", 15, 14),
        (changed("reveal 2 montmartre-5", "reveal 2 mont"), "wrong-move", 15, 16),
        (changed("reveal 2 montmartre-5", '{"type":"reveal"}'), "wrong-move", 15, 7),
        (changed("reveal 2 montmartre-5", '{"type":'), "wrong-move", 15, 15),
        (changed("reveal 2 montmartre-5", '{"type":NaN}'), "wrong-move", 15, 7),
        (changed("reveal 2 montmartre-5", "{" + " " * 300 + "}"), "wrong-move", 15, 7),
        (changed("reveal 2 montmartre-5", "sell gilt tile=1 tile=2"), "wrong-move", 15, 24),
        (changed("reveal 2 montmartre-5", "sell gilt til=1"), "wrong-move", 15, 17),
        (changed("reveal 2 montmartre-5", "dance"), "wrong-move", 15, 7),
        (changed("reveal 2 montmartre-5", "advance 01"), "wrong-move", 15, 15),
        (changed("reveal 2 montmartre-5", "activate 23 pairs=wood:1,wood:1"), "wrong-move", 15, 19),
        (changed("reveal 2 montmartre-5", "move arc landmark-9 place=9"), "wrong-move", 15, 27),
        (changed("@ 2026", "@ noon 2026"), "wrong-time", 17, 3),
        (changed("@ 2026-11-18T19:31:00Z", "@ 2026-11-18T19:31:00Z\n@ 2026-11-18T19:31:00Z"), "twice", 18, 1),
        (changed("= red 0 blue 0", "="), "wrong-points", 18, 3),
        (changed("= red 0 blue 0", "=red 0 blue 0"), "no-blank", 18, 2),
        (changed("= red 0 blue 0", "= red 0 green 0"), "wrong-points", 18, 3),
        (changed("= red 0 blue 0", "= red zero"), "wrong-points", 18, 3),
        (changed("! not_your_turn", "! "), "missing", 31, 3),
        (changed("x-eval 3", "! not_your_turn a\n! not_your_turn a"), "wrong-place", 20, 1),
        (changed("1 red reveal", "! not_your_turn a\n1 red reveal"), "wrong-place", 15, 1),
        (changed("mark arc highlight", "mark there highlight"), "wrong-mark", 24, 6),
        (changed("glyph !!", "glyph !!\nglyph !!"), "wrong-glyph", 29, 7),
        (changed("glyph !!", "glyph ⩲"), "wrong-glyph", 28, 7),
        (changed("|| 3 red", "|| 9 red"), "wrong-ply", 26, 4),
        (changed("| 3 red end_turn\n", ""), "wrong-ply", 25, 4),
        (changed("| 3 red end_turn\n", "| 9 red end_turn\n"), "wrong-ply", 25, 3),
        (changed("|| 3 red", "|" * 17 + " 3 red"), "too-deep", 26, 17),
        (changed("result red 0 blue 0 shared", "result red 0"), "wrong-points", 33, 8),
        (changed("result red 0 blue 0 shared", "result red 0 blue 0\nresult red 0 blue 0"), "twice", 34, 1),
        (changed("abandoned", "abandoned by all"), "unknown-line", 34, 11),
        (changed("abandoned", "5 red end_turn"), "after-the-end", 34, 1),
        (changed("abandoned", "venue club night"), "unknown-line", 34, 1),
        (changed("\nend\n", "\n"), "no-end", 34, 1),
        (changed("abandoned", "carnet 1"), "no-end", 34, 1),
        (changed("Ana", "A\0na"), "not-a-character", 10, 11),
        (changed("Ana", "A\rna"), "not-a-character", 10, 11),
        (changed("Ana", "A\udc80na"), "not-utf-8", 10, 11),
        (changed("Ana", "A" * MAX_LINE), "line-too-long", 10, MAX_LINE + 1),
        (changed("Ana", "A" * 5 * MAX_LINE), "line-too-long", 10, MAX_LINE + 1),
        (changed("abandoned", "x-\n" * MAX_LINES), "too-long", MAX_LINES + 2, 1),
    ],
)
def test_the_first_thing_that_is_wrong_is_named(text: str, code: str, line: int, column: int) -> None:
    error = read_text(text, GAMES)[0]
    assert isinstance(error, TextError)
    assert (error.code, error.line, error.column) == (code, line, column), error
    assert str(error).endswith(".")
    assert error.starts == (0 if code == "not-a-match" else 1)


def test_moves_are_read_alike_however_many_are_read_at_once_or_kept() -> None:
    timeline = corrected_log("paris", 3).timeline
    names = {player: name for (_, player), name in zip(timeline.players, IDS, strict=False)}
    text = write_match(transcribe(timeline, names, MatchInfo()))
    last = text.rindex("\nend")
    texts = (text, f"{text[:last]}{' ' * MAX_CACHED}{text[last:]}", EXAMPLE)
    whole = [seen(read) for each in texts for read in read_text(each, GAMES)]
    reading._plain_entries.cache_clear()
    with patch.object(reading, "RUN", 2), patch.object(reading, "MAX_KNOWN", 1):
        assert [seen(read) for each in texts for read in read_text(each, GAMES)] == whole


def test_a_match_that_is_wrong_loses_no_other() -> None:
    wrong = changed("1 red reveal", "7 red reveal")
    read = read_text(EXAMPLE + "\n" + wrong + "\n" + EXAMPLE + "trailing\nnonsense\n", GAMES)
    assert [type(one) for one in read] == [MatchText, TextError, MatchText, TextError]
    numbers = [(one.line, one.starts) if isinstance(one, TextError) else one.line_of("carnet") for one in read]
    assert numbers == [1, (51, 37), 73, (108, 0)]
    without_end = EXAMPLE.removesuffix("end\n")
    assert [type(one) for one in read_text(without_end + EXAMPLE, GAMES)] == [TextError, MatchText]


@pytest.mark.parametrize(
    "block", [b"\xff" * 1000, b"a" * 999 + b"\n", b"carnet 1\n", b"\n", b"1 red pass\n", b"|" * 1000]
)
@pytest.mark.uncounted
def test_nonsense_takes_little_time_and_memory(block: bytes) -> None:
    number = 500_000 // len(block)
    tracemalloc.start()
    for count, read in enumerate(read_matches((block for _ in range(number)), GAMES)):
        assert isinstance(read, TextError)
        assert count < number
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 500_000


def test_a_line_is_too_long_even_if_it_comes_in_pieces() -> None:
    pieces = [b"carnet 1\n", b"x" * 40_000, b"x" * 40_000, b"x" * 40_000, b"\ncarnet 1\ngame paris\n", b"y" * 40_000]
    errors = [error for error in read_matches(pieces, GAMES) if isinstance(error, TextError)]
    assert [(error.code, error.line) for error in errors] == [("line-too-long", 2), ("line-too-long", 5)]


@pytest.mark.soak
@pytest.mark.parametrize("first", [b"", EXAMPLE[: EXAMPLE.index("1 red")].encode()])
@pytest.mark.parametrize(
    "block", [b"\xff", b"carnet 1\n", b"\n", b"x-\n", b";\n", b"by\n", b"+\n", b"|", b"1 red key arc\n"]
)
def test_10_mb_of_nonsense_are_refused_in_5_seconds(first: bytes, block: bytes) -> None:
    text = first + b"venue a\n" * bool(first) + block * (10_000_000 // len(block))
    began = time.process_time()
    for _ in read_matches((text[start : start + 65536] for start in range(0, len(text), 65536)), GAMES):
        pass
    assert time.process_time() - began < 5


# Playing


def refused(text: str, editions: Any = None) -> TextError:
    """What is wrong with a text that can be read."""
    [match] = read_text(text, GAMES)
    assert isinstance(match, MatchText), match
    with pytest.raises(TextError) as caught:
        play(match, editions or match.game.editions, IDS[: len(match.seats)], lambda: SALT)
    assert caught.value.starts == 1
    return caught.value


BASED = "edition a\nbased-on rulebook-2020"
PLAYABLE = EXAMPLE.replace("result red 0 blue 0 shared\n", "").replace("4 red end_turn", "4 red reveal 1 belleville-1")
"""The example without its result; the second move of red's turn is no move of theirs."""


def test_a_text_is_played_with_all_that_belongs_to_it() -> None:
    [match] = read_text(PLAYABLE, GAMES)
    assert isinstance(match, MatchText)
    played = play(match, PARIS.editions, ["one", "two"], lambda: SALT)
    assert (played.timeline.status, played.timeline.ply, len(played.drafts)) == (Status.ABANDONED, 4, 6)
    assert played.recorded_at == (None, None, "2026-11-18T19:31:00Z", None, None, None)
    [reason] = played.reasons
    assert (reason.seq, reason.salt, reason.reason) == (5, SALT, "It was late.\nAnd dark.")
    assert played.timeline.frame(4).ruling == reason_digest(SALT, reason.reason)
    assert [(note.ply, note.seq, note.note.author) for note in played.notes] == [(2, 3, "Ana"), (2, 3, None)]
    transcript = transcribe(played.timeline, {"one": "Ana"}, reasons={5: "It was late.\nAnd dark."})
    assert "\n! not_your_turn It was late.\n+ And dark.\n" in write_match(transcript)
    [warning] = played.warnings
    assert (warning.code, warning.line) == ("variation-refused", 26)
    assert warning.refusal is not None


@pytest.mark.parametrize(
    ("old", "new", "code", "line"),
    [
        ("2 red key bank:montmartre", "2 blue end_turn", "move-refused", 16),
        ("2 red key bank:montmartre ?!", "2 red key bank:montmartre ?!\n! not_your_turn a", "ruling-not-needed", 17),
        ("! not_your_turn", "! cannot_pay", "ruling-differs", 31),
        ("! not_your_turn", "! none", "ruling-differs", 31),
        ("= red 0 blue 0", "= red 0 blue 1", "points-differ", 18),
        ("abandoned", "result red 0 blue 0", "no-result", 33),
        ("edition rulebook-2020", "edition unknown", "unknown-edition", 3),
        ("edition rulebook-2020", "edition unknown\nbased-on none", "unknown-edition", 4),
        ("edition rulebook-2020", f"{BASED}\nprinted /start_francs no", "not-json", 0),
        ("edition rulebook-2020", f'{BASED}\nprinted /start_francs "a"', "wrong-edition", 5),
        (
            "edition rulebook-2020",
            "edition a\nbased-on rulebook-2020\nprinted /a 1\nprinted /a/b 1",
            "wrong-edition",
            5,
        ),
        ("edition rulebook-2020", "edition rulebook-2020 sha256:" + "0" * 64, "edition-differs", 3),
    ],
)
def test_what_does_not_hold_is_named_with_its_line(old: str, new: str, code: str, line: int) -> None:
    assert old in PLAYABLE
    text = PLAYABLE.replace(old, new)
    if line == 0:
        assert getattr(read_text(text, GAMES)[0], "code", None) == code
        return
    error = refused(text)
    assert (error.code, error.line) == (code, line), error
    assert (error.refusal is not None) == (code in ("move-refused", "ruling-differs"))


def test_a_ruling_that_is_no_longer_needed_is_kept() -> None:
    text = "carnet 1\ngame paris\nseat red\nseat blue\nsetup basic\n1 red reveal 1 montmartre-5\n! none We did.\nend\n"
    [match] = read_text(text, GAMES)
    assert isinstance(match, MatchText)
    played = play(match, match.game.editions, IDS[:2], lambda: SALT)
    assert played.timeline.frame(1).ruling == reason_digest(SALT, "We did.")
    told = write_match(transcribe(played.timeline, {}, reasons={2: "We did."}))
    assert "\n1 red reveal 1 montmartre-5\n! none We did.\n" in told


def test_a_checkpoint_that_differs_before_a_refused_move_is_named_first() -> None:
    text = PLAYABLE.replace("= red 0 blue 0", "= red 7").replace("3 red end_turn", "3 blue end_turn")
    assert (refused(text).code, refused(text).line) == ("points-differ", 18)
    refusal = refused(PLAYABLE.replace("1 red reveal", "1 blue reveal"))
    assert (refusal.code, refusal.line) == ("move-refused", 15)


def test_rulings_of_other_rules_need_not_name_the_present_refusal() -> None:
    [match] = read_text(PLAYABLE.replace("! not_your_turn", "! other").replace("rules 1", "rules 0"), GAMES)
    assert isinstance(match, MatchText)
    assert play(match, PARIS.editions, IDS[:2], lambda: SALT).reasons


ONLY = """carnet 1
game cite-lumiere
seat orange Ana
seat blue Jan
setup result_only orange:31,blue:31 tie=blue:free_spaces

result blue 31 orange 31 free_spaces
end
"""


def test_a_match_of_which_only_the_result_is_known() -> None:
    [match] = read_text(ONLY, GAMES)
    assert isinstance(match, MatchText)
    played = play(match, match.game.editions, IDS[:2], lambda: SALT)
    assert played.timeline.result is not None and played.timeline.result.winners == ("blue",)
    text = write_match(transcribe(played.timeline, {"one": "Ana", "two": "Jan"}))
    assert "setup result_only orange:31,blue:31 tie=blue:free_spaces\n" in text
    assert "result blue 31 orange 31 free_spaces\n" in text


@pytest.mark.parametrize(
    ("old", "new", "code", "line"),
    [
        ("end", "1 orange take L4\nend", "after-the-end", 0),
        ("result blue 31 orange 31 free_spaces", "1 orange take L4", "result-only", 7),
        ("result blue 31", "result blue 30", "result-differs", 7),
        ("31 free_spaces\nend", "31 points\nend", "result-differs", 7),
        ("end", "abandoned\nend", "finished", 1),
        ("tie=blue", "tie=red", "wrong-setup", 0),
    ],
)
def test_what_is_wrong_with_a_result(old: str, new: str, code: str, line: int) -> None:
    test = ONLY.replace(old, new)
    if line == 0:
        assert getattr(read_text(test, GAMES)[0], "code", None) == code
    else:
        error = refused(test)
        assert (error.code, error.line) == (code, line)


def test_variations_of_a_result_are_refused() -> None:
    [match] = read_text(ONLY.replace("\nresult", "\n| 1 orange take L4\nresult"), GAMES)
    assert isinstance(match, MatchText)
    [warning] = play(match, match.game.editions, IDS[:2], lambda: SALT).warnings
    assert (warning.code, warning.refusal) == ("variation-refused", None)


def test_a_set_up_that_does_not_go_with_the_edition_is_refused() -> None:
    layout = parse_setup(PARIS, ["red", "blue"], advanced_setup())
    text = EXAMPLE.replace("setup basic", f"setup {notation.write_setup(PARIS, layout)}")
    assert (refused(text).code, refused(text).line) == ("wrong-setup", 12)


def advanced_setup() -> Any:
    """An advanced set-up in which a number lies on the track twice."""
    drawn = next(
        setup
        for seed in range(100)
        if (setup := PARIS.setup.dump(PARIS.setup.draw(PARIS.editions.default, ["red", "blue"], Random(seed))))[
            "advanced"
        ]
    )
    return {**drawn, "track": {**drawn["track"], "1": drawn["track"]["2"]}}


def test_one_person_cannot_play_twice() -> None:
    [match] = read_text(EXAMPLE, GAMES)
    assert isinstance(match, MatchText)
    with pytest.raises(TextError) as caught:
        play(match, PARIS.editions, ["one", "one"], lambda: SALT)
    assert (caught.value.code, caught.value.line) == ("wrong-seat", 10)


# Editions


@pytest.mark.parametrize("game_id", GAMES)
def test_an_edition_of_ones_own_travels_with_its_match(game_id: str) -> None:
    game: Any = GAMES[game_id]
    corrected = editions_of(game)["corrected"]
    seats = game.seats[:2]
    setup = game.setup.draw(game.editions.default, seats, Random(3))
    timeline = create(game, corrected, [Player(seat, seat) for seat in seats], setup).timeline
    text = write_match(transcribe(timeline, {}))
    [match] = read_text(text, GAMES)
    assert isinstance(match, MatchText)
    assert write_match(match) == text
    assert play(match, game.editions, seats, lambda: SALT).timeline.edition.document == corrected.document


def test_an_edition_that_cannot_be_told_by_differences_is_named_alone() -> None:
    document = {**editions_of(PARIS)["corrected"].document, "note": "Found in the attic."}
    edition = PARIS.editions.load(document)
    assert edition_named(PARIS, edition) == EditionNamed("corrected", edition.digest)
    removed = PARIS.editions.amend(PARIS.editions.default, "b", "B", {"buildings": {"montmartre-5": {"extra": {}}}})
    assert edition_named(PARIS, removed).printed


# Lines and digests


def test_lines_of_variations_are_whole_from_where_they_leave_the_match() -> None:
    [match] = read_text(
        EXAMPLE.replace("|| 3 red key arc", "| 4 blue key arc\n|| 4 blue end_turn\n|| 5 red end_turn\n| 3 red key arc"),
        GAMES,
    )
    assert isinstance(match, MatchText)
    steps = [
        (after, [type(entry.move).__name__ for entry in line])
        for after, line in lines_of(match.remarks[2].notes[0].variations)
    ]
    assert steps == [
        (2, ["EndTurn", "EndTurn", "EndTurn"]),
        (2, ["EndTurn", "PlaceKey"]),
        (2, ["PlaceKey"]),
    ]
    assert list(lines_of(())) == []
    [match] = read_text(EXAMPLE.replace("|| 3 red key arc", "|| 3 red key arc\n| 4 blue end_turn"), GAMES)
    assert isinstance(match, MatchText)
    steps = [
        (after, [type(entry.move).__name__ for entry in line])
        for after, line in lines_of(match.remarks[2].notes[0].variations)
    ]
    assert steps == [(2, ["PlaceKey"]), (2, ["EndTurn", "EndTurn"])]


def test_what_stands_below_the_header_and_the_moves_is_told_again() -> None:
    text = PLAYABLE.replace("x-eval 3\n", "").replace("= red 0 blue 0\n", "").replace("\n\n1", "\n\n; So be it.\n1")
    [match] = read_text(text, GAMES)
    assert isinstance(match, MatchText)
    told = transcript(match, play(match, PARIS.editions, IDS[:2], lambda: SALT))
    assert told.moves == match.moves
    assert list(told.remarks) == [0, 2, 4]
    assert bare(told).remarks == bare(match).remarks
    assert "\n\n; So be it.\n1 red reveal 2 montmartre-5\n2 red" in write_match(told)


def test_what_follows_on_a_refused_variation_is_not_judged() -> None:
    text = PLAYABLE.replace("|| 3 red key arc", "|| 3 red key arc\n|| 4 red key arc\n||| 4 red key arc")
    [match] = read_text(text, GAMES)
    assert isinstance(match, MatchText)
    assert [warning.line for warning in play(match, PARIS.editions, IDS[:2], lambda: SALT).warnings] == [26]


@pytest.mark.uncounted
@RELAXED
@given(match_texts())
def test_every_move_of_a_variation_is_in_some_line(match: MatchText) -> None:
    for ply, remarks in match.remarks.items():
        for note in remarks.notes:
            found = list(lines_of(note.variations))
            moves = [entry for _, line in found for entry in line]
            assert all(variation.entry in moves for variation in note.variations)
            assert len(found) <= len(note.variations)
            assert all(0 <= after <= ply for after, _ in found)


def test_a_match_is_known_again_by_what_was_played() -> None:
    match = the_example()
    assert content_digest(replace(match, remarks={})) == content_digest(match)
    assert content_digest(replace(match, moves=match.moves[:-1])) != content_digest(match)
    assert content_digest(replace(match, info=MatchInfo())) != content_digest(match)


def test_matches_are_written_with_an_empty_line_between_them() -> None:
    text = "".join(write_matches([the_example()] * 2))
    assert [write_match(match) for match in read_text(text, GAMES) if isinstance(match, MatchText)] == [
        write_match(the_example())
    ] * 2
    assert "end\n\ncarnet 1\n" in text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("2026-11-14T19:30:00Z", "2026-11-14T19:30:00Z"),
        ("2026-11-14t19:30:00.120000z", "2026-11-14T19:30:00.12Z"),
        ("2026-01-01T00:30:00+01:00", "2025-12-31T23:30:00Z"),
        ("2026-02-28T23:30:00-01:00", "2026-03-01T00:30:00Z"),
        ("2024-02-28T23:30:00-01:00", "2024-02-29T00:30:00Z"),
        ("2000-03-01T00:30:00+01:00", "2000-02-29T23:30:00Z"),
        ("2026-12-31T23:30:00-01:00", "2027-01-01T00:30:00Z"),
        ("9999-12-31T23:30:00-01:00", None),
        ("0001-01-01T00:30:00+01:00", None),
        ("0000-01-01T00:30:00Z", None),
        ("2100-02-29T00:30:00Z", None),
        ("2026-13-01T00:30:00Z", None),
        ("2026-11-14T24:00:00Z", None),
        ("2026-11-14T23:00:00+24:00", None),
        ("2026-11-14", None),
    ],
)
def test_times_are_brought_to_utc(text: str, told: str | None) -> None:
    if told is None:
        with pytest.raises(ValueError, match="no"):
            utc(text)
    else:
        assert utc(text) == told


@given(st.datetimes())
@example(datetime(2026, 11, 14, 20, 30))
@example(datetime(2026, 11, 14, 20, 30, 10, 500))
def test_times_of_a_log_are_trimmed_as_they_are_read(moment: datetime) -> None:
    recorded = f"{moment.isoformat(timespec='microseconds')}Z"
    assert moments.is_recorded(recorded)
    assert trimmed(recorded) == utc(recorded)


def test_variations_for_tests_are_legal() -> None:
    timeline = create(PARIS, PARIS.editions.default, players(), parse_setup(PARIS, ["red", "blue"], {})).timeline

    def drawn() -> Iterator[Note]:
        for seed in range(20):
            yield Note(variations=tuple(variations(timeline, 0, 5, Random(seed))))

    match = transcribe(timeline, {}, notes={0: list(drawn())})
    assert max(variation.depth for note in match.remarks[0].notes for variation in note.variations) > 1
    assert not play(match, PARIS.editions, ["one", "two"], lambda: SALT).warnings


def test_a_note_by_nobody_who_is_known_needs_no_line_of_its_own() -> None:
    match = the_example()
    remarks = {4: match.remarks[4]._replace(notes=(Note(None, "!", "Late."),))}
    noted = replace(match, remarks=remarks)
    assert "\n4 red end_turn !\n! not_your_turn It was late.\n+ And dark.\n; Late.\n" in write_match(noted)
