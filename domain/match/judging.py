"""Judging moves: one that is entered now, those behind a correction, and all of a timeline by the present rules."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from domain.forms import FieldError, Malformed
from domain.game import AnyGame, Kind, Refusal, Seat
from domain.match.errors import CorrectionConflict, MoveRefused, RulingNotNeeded, Verdict, VerdictStatus
from domain.match.events import Entry
from domain.match.timeline import Frame, Past, Timeline, follow


class OnConflict(StrEnum):
    """The handling of a correction after which later moves no longer fit."""

    REFUSE = "refuse"
    TRUNCATE = "truncate"


def with_seat(entry: Entry, default: Seat | None, seats: Sequence[Seat]) -> Entry:
    """The entry with a seat of the match; where nobody is to move, any seat meets the same refusal."""
    if entry.seat in seats:
        return entry
    if entry.seat:
        raise Malformed([FieldError("/seat", f"must be one of {', '.join(seats)}")])
    return Entry(default or seats[0], entry.move, entry.ruling)


def judge(
    game: AnyGame,
    before: Frame,
    entry: Entry,
    seq: int | None,
    replaced: tuple[int, ...] = (),
    index: int = 0,
    *,
    keeps_ruling: bool = False,
) -> Frame:
    """The frame of a move that is entered now, judged in full; a ruling must be needed unless it is to be kept."""
    assert entry.seat is not None
    ply, refusal = before.ply + 1, objection(game, before, entry)
    if refusal is None:
        if entry.ruling is not None and not keeps_ruling:
            raise RulingNotNeeded(ply, entry.seat, index)
    elif not _is_recordable(refusal, entry.ruling):
        raise MoveRefused(refusal, ply, entry.seat, index)
    return follow(game, before, entry, seq, replaced)


def objection(game: AnyGame, before: Frame, entry: Entry) -> Refusal | None:
    """Why the rules refuse a move after a frame, ruling or not; None if it is legal."""
    assert entry.seat is not None
    try:
        game.rules.check(before.state, entry.seat, entry.move)
    except Refusal as refusal:
        return refusal
    return None


def _is_recordable(refusal: Refusal, ruling: str | None) -> bool:
    """True if a table ruling can record a refused move: physical reasons come before rules."""
    return ruling is not None and refusal.kind is Kind.RULE


def judge_later(game: AnyGame, before: Frame, later: Iterable[Frame]) -> tuple[tuple[Verdict, ...], Frame]:
    """A verdict for each later frame, and the last frame that fits. Marked rulings stay rulings."""
    verdicts: list[Verdict] = []
    head, fits = before, True
    for ply, frame in enumerate(later, start=before.ply + 1):
        if not fits:
            verdicts.append(Verdict(frame.ply, ply, VerdictStatus.NOT_REACHED))
            continue
        entry = Entry(frame.seat, frame.move, frame.ruling)
        refusal = objection(game, head, entry)
        if refusal is None or _is_recordable(refusal, entry.ruling):
            head = follow(game, head, entry, frame.seq, frame.replaced)
            verdicts.append(Verdict(frame.ply, ply, VerdictStatus.OK))
        else:
            verdicts.append(Verdict(frame.ply, ply, VerdictStatus.REFUSED, refusal))
            fits = False
    return tuple(verdicts), head


def require_fit(verdicts: Sequence[Verdict], on_conflict: OnConflict) -> int:
    """The number of moves to cut off; raise `CorrectionConflict` if none may be."""
    dropped = sum(verdict.status is not VerdictStatus.OK for verdict in verdicts)
    if dropped and on_conflict is OnConflict.REFUSE:
        raise CorrectionConflict(verdicts)
    return dropped


def first_refused(timeline: Timeline) -> tuple[Frame, Refusal] | None:
    """The first move of a timeline of the present rules that these refuse, ruling or not; its states are at hand."""
    for frame in timeline.frames()[1:]:
        assert frame.before is not None
        refusal = objection(timeline.game, frame.before, Entry(frame.seat, frame.move))
        if refusal is not None and not _is_recordable(refusal, frame.ruling):
            return frame, refusal
    return None


@dataclass(frozen=True, slots=True)
class Rejudged:
    """Judge a timeline by the current rules: its line up to the last move that fits, and the refusal of the next."""

    timeline: Timeline
    ply: int | None = None
    """The first ply that no longer fits, if any."""
    refusal: Refusal | None = None


def rejudge(timeline: Timeline) -> Rejudged:
    """Judge all moves of a timeline again, as if they were entered by the present rules; rulings stay rulings."""
    line = timeline.frames()
    verdicts, _ = judge_later(timeline.game, line[0], line[1:])
    for verdict in verdicts:
        if verdict.status is VerdictStatus.REFUSED:
            return Rejudged(_cut_short(timeline, line[verdict.ply - 1]), verdict.ply, verdict.refusal)
    return Rejudged(timeline)


def _cut_short(timeline: Timeline, head: Frame) -> Timeline:
    """The timeline without its last plies, though no event has taken them back."""
    outline = timeline.outline
    past = Past((*timeline.past.runs, outline), outline._replace(line=outline.line.until(head.ply)))
    return timeline._replace(head=head, past=past)
