"""Writes the match text in its canonical form."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from hashlib import sha256
from typing import Any

from domain.canonical import canonical
from domain.forms import JsonObject
from domain.game import AnyGame, Seat
from domain.match.notation.records import RESULT_ONLY, RESULT_ONLY_SETUP, VERSION, MatchText, Note, Remarks
from domain.match.result_only import dump_setup


def write_matches(matches: Iterable[MatchText]) -> Iterator[str]:
    """The text of many matches, match by match, with an empty line between them."""
    for index, match in enumerate(matches):
        yield f"\n{write_match(match)}" if index else write_match(match)


def write_match(match: MatchText) -> str:
    """The canonical text of a match: what `read_matches` reads of it is written in the same way again."""
    game, remarks = match.game, match.remarks
    lines = [*_header_lines(match), ""]
    if 0 in remarks:
        _write_remarks(lines, game, remarks[0], has_move=False)
    for ply, (seat, move, _) in enumerate(match.moves, start=1):
        lines.append(f"{ply} {seat} {_write_move(game, move)}")
        if ply in remarks:
            _write_remarks(lines, game, remarks[ply], has_move=True)
    if match.result is not None:
        tie = [] if match.result.decided_by is None else [match.result.decided_by]
        lines.append(" ".join(["result", _points_text(match.result.points), *tie]))
    if match.is_abandoned:
        lines.append("abandoned")
    lines.append("end\n")
    return "\n".join(lines)


def _header_lines(match: MatchText) -> Iterator[str]:
    edition = match.edition
    yield f"carnet {VERSION}"
    yield f"game {match.game.id}"
    yield f"edition {edition.id}" + (f" sha256:{edition.digest}" if edition.digest else "")
    if edition.based_on is not None:
        yield f"based-on {edition.based_on}"
    if edition.title is not None:
        yield from _text("title", edition.title)
    for pointer, value in edition.printed:
        yield f"printed {pointer} {canonical(value)}"
    yield f"rules {match.rules_version}"
    if match.info.id is not None:
        yield f"id {match.info.id}"
    if match.info.played_at is not None:
        yield f"played {match.info.played_at}"
    if match.info.venue is not None:
        yield from _text("venue", match.info.venue)
    for tag in match.info.tags:
        yield from _text("tag", tag)
    for seat, name in match.seats:
        yield f"seat {seat}" if name is None else f"seat {seat} {_one_line(name)}"
    yield f"setup {write_setup(match.game, match.setup)}"
    yield from match.extras


def write_setup(game: AnyGame, setup: Any) -> str:
    """A set-up in the words of its game."""
    json_form = dump_setup(game, setup)
    return (RESULT_ONLY_SETUP if RESULT_ONLY in json_form else game.notation.SETUP).write(json_form)


def _write_remarks(lines: list[str], game: AnyGame, remarks: Remarks, *, has_move: bool) -> None:
    """Write what stands below the move of a ply, and the glyph behind the move."""
    ruling, recorded_at, checkpoints, notes, extras = remarks
    if has_move and notes and notes[0].glyph:
        lines[-1] += f" {notes[0].glyph}"
    if ruling is not None:
        lines.extend(_text(f"! {ruling.code}", ruling.reason))
    if recorded_at is not None:
        lines.append(f"@ {recorded_at}")
    lines += [f"= {_points_text(checkpoint.points)}" for checkpoint in checkpoints]
    lines += extras
    for index, note in enumerate(notes):
        has_glyph = index == 0 and has_move
        author, glyph, text, marks, variations = note
        is_seen = bool(text or marks or variations or (glyph and (not has_glyph or len(notes) == 1)))
        if author is not None:
            lines.append(f"by {_one_line(author)}")
        elif index or not is_seen:
            lines.append("by")
        _write_note(lines, game, note, has_glyph=has_glyph)


def _write_note(lines: list[str], game: AnyGame, note: Note, *, has_glyph: bool) -> None:
    """Write a note, of which the line of the move may have the glyph."""
    _, glyph, text, marks, variations = note
    if glyph is not None and not has_glyph:
        lines.append(f"glyph {glyph}")
    if text:
        lines.extend(f"; {line}" if line else ";" for line in _lines_of(text))
    lines.extend(f"mark {space} {kind}" for space, kind in marks)
    for depth, ply, entry, _ in variations:
        lines.append(f"{'|' * depth} {ply} {entry.seat} {_write_move(game, entry.move)}")


def _text(head: str, text: str) -> Iterator[str]:
    """A free text behind its head, with further lines below."""
    first, *more = _lines_of(text)
    yield f"{head} {first}" if first else head
    for line in more:
        yield f"+ {line}" if line else "+"


def one_break(text: str) -> str:
    """A text with the one kind of line break that the match text has."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _lines_of(text: str) -> list[str]:
    return one_break(text).split("\n")


def _one_line(text: str) -> str:
    return " ".join(_lines_of(text))


def _points_text(points: Mapping[Seat, int]) -> str:
    return " ".join([f"{seat} {number}" for seat, number in points.items()])


# 1 of 4 µs per ply (2026-11).
@lru_cache(maxsize=2**14)
def _write_move(game: AnyGame, move: Any) -> str:
    return game.notation.MOVES.write(game.move.dump(move))


def content_digest(match: MatchText) -> str:
    """A digest of what was played and when: game, edition, set-up, line, result and day.

    It finds a match again that has no id, whatever was noted beside its moves.
    """
    content: JsonObject = {
        "game": match.game.id,
        "edition": match.edition.id,
        "setup": write_setup(match.game, match.setup),
        "seats": [list(seated) for seated in match.seats],
        "line": [[entry.seat, _write_move(match.game, entry.move)] for entry in match.moves],
        "day": None if match.info.played_at is None else match.info.played_at[:10],
    }
    return sha256(canonical(content).encode()).hexdigest()
