"""The errors of acts on a match and of folding a log."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from domain.game import Refusal, Seat


class HistoryError(Exception):
    """An act that the present timeline does not allow; nothing is changed."""


class OutOfRange(HistoryError):
    """A ply or version that the match does not have."""

    def __init__(self, number: int, first: int, last: int) -> None:
        super().__init__(f"{number} is not between {first} and {last}")
        self.number = number
        self.first = first
        self.last = last


def require_between(number: int, first: int, last: int) -> None:
    """Raise `OutOfRange` unless a number is a ply or version that there is."""
    if not first <= number <= last:
        raise OutOfRange(number, first, last)


class NoChange(HistoryError):
    """An act after which everything would be as before."""


class MatchAbandoned(HistoryError):
    """An act on the moves of an abandoned match."""


class MatchFinished(HistoryError):
    """Abandoning a match that has ended."""


class MatchResultOnly(HistoryError):
    """Moves for a match of which only the result is known, or moves for a result where there are moves."""


class MatchNotAbandoned(HistoryError):
    """Reopening a match that was not abandoned."""


class MoveRefused(HistoryError):
    """An entered move that the rules refuse; `index` is its place among those entered together."""

    def __init__(self, refusal: Refusal, ply: int, seat: Seat, index: int) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal
        self.ply = ply
        self.seat = seat
        self.index = index


class RulingNotNeeded(HistoryError):
    """A table ruling beside a move that the rules allow."""

    def __init__(self, ply: int, seat: Seat, index: int) -> None:
        super().__init__(f"The move of {seat} is legal, so there is nothing to rule.")
        self.ply = ply
        self.seat = seat
        self.index = index


class VerdictStatus(StrEnum):
    """The outcome for a later move after a correction."""

    OK = "ok"
    REFUSED = "refused"
    NOT_REACHED = "not_reached"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on one later move of a correction: its ply before and after, and the refusal if there is one."""

    old_ply: int
    ply: int
    status: VerdictStatus
    refusal: Refusal | None = None


class CorrectionConflict(HistoryError):
    """A correction after which a later move no longer fits."""

    def __init__(self, verdicts: Sequence[Verdict]) -> None:
        first = next(verdict for verdict in verdicts if verdict.status is VerdictStatus.REFUSED)
        super().__init__(f"The move of ply {first.old_ply} no longer fits: {first.refusal}")
        self.first_ply = first.old_ply
        self.verdicts = tuple(verdicts)


class MoveUnplayable(Exception):
    """A recorded move that its game fails to play although the log was begun under the present rules: a bug."""

    def __init__(self, ply: int, seq: int) -> None:
        super().__init__(f"The move of ply {ply}, recorded by event {seq}, cannot be played.")
        self.ply = ply
        self.seq = seq
