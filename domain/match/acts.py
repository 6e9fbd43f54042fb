"""The history of a match: recording, undo, correction and what-if lines, on top of events and timelines.

Each act judges against the present timeline and answers with the events to append and the timeline after them;
nothing is ever changed in place.
"""

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from domain.forms import FieldError, Malformed
from domain.game import AnyGame
from domain.match import errors, events
from domain.match.errors import Verdict, require_between
from domain.match.events import Action, Draft, Entry, LaterEvent, Player
from domain.match.judging import OnConflict, judge, judge_later, require_fit, with_seat
from domain.match.result_only import ResultOnly
from domain.match.timeline import Frame, Status, Timeline, begin, made, set_up_again, turn


@dataclass(frozen=True, slots=True)
class Change:
    """The events that an act appends to the log, and the timeline after it."""

    drafts: tuple[Draft, ...]
    timeline: Timeline


@dataclass(frozen=True, slots=True)
class Correction(Change):
    """A change of earlier plies, with a verdict for each later one and the number of those cut off."""

    verdicts: tuple[Verdict, ...]
    dropped: int


def cut(timeline: Timeline, to_ply: int) -> Change:
    """Take back the last plies of a match even if it was abandoned, which it then stays unless it ends there."""
    if not timeline.abandoned:
        return undo(timeline, to_ply)
    changes = [reopen(timeline)]
    changes.append(undo(changes[-1].timeline, to_ply))
    if changes[-1].timeline.status is Status.IN_PROGRESS:
        changes.append(abandon(changes[-1].timeline))
    return Change(tuple(draft for change in changes for draft in change.drafts), changes[-1].timeline)


def create(game: AnyGame, edition: Any, players: Sequence[Player], setup: Any) -> Change:
    """Begin a match; raise `Malformed` if these people or seats cannot play it."""
    _require_players(game, players)
    event = events.MatchCreated(tuple(players), edition, setup, game.rules_version)
    return Change((events.draft_of(game, event),), begin(game, event))


def record(timeline: Timeline, entries: Sequence[Entry], kept_rulings: Container[int] = ()) -> Change:
    """Add moves, all or none; raise `MoveRefused`, `RulingNotNeeded` or `MatchAbandoned`.

    `kept_rulings` are the indexes of those whose ruling stays even if it is not needed, as it does when an earlier move
    is corrected.
    """
    _require_open(timeline)
    _require_moves(timeline)
    if not entries:
        raise errors.NoChange
    drafts = []
    game, head, seats = timeline.game, timeline.head, timeline.seats
    for index, entry in enumerate(entries):
        seated = with_seat(entry, head.state.to_move, seats)
        seq, keeps = timeline.version + 1 + index, index in kept_rulings
        head = judge(game, head, seated, seq, index=index, keeps_ruling=keeps)
        drafts.append(events.draft_of(game, events.MoveMade(seated)))
    return Change(tuple(drafts), made(timeline, head))


def undo(timeline: Timeline, to_ply: int) -> Change:
    _require_open(timeline)
    if to_ply == timeline.ply:
        raise errors.NoChange
    return _decide(timeline, events.MovesUndone(to_ply), timeline.frame(to_ply))


def replace(timeline: Timeline, ply: int, entry: Entry, on_conflict: OnConflict = OnConflict.REFUSE) -> Correction:
    """Put another move in the place of one and keep the rest.

    Raise `CorrectionConflict` if a later move no longer fits, unless the rest is to be cut there.
    """
    _require_correctable(timeline, ply, timeline.ply)
    old = timeline.frame(ply)
    assert old.before is not None and old.seq is not None
    entry = with_seat(entry, old.seat, timeline.seats)
    frame = judge(timeline.game, old.before, entry, timeline.version + 1, (*old.replaced, old.seq))
    if (old.seat, old.move, old.ruling is None) == (entry.seat, entry.move, entry.ruling is None):
        raise errors.NoChange
    return _corrected(timeline, ply, Action.REPLACE, entry, frame, on_conflict)


def insert(timeline: Timeline, ply: int, entry: Entry, on_conflict: OnConflict = OnConflict.REFUSE) -> Correction:
    """Put a move before that of a ply, or after the last one, and keep the rest; raise as `replace` does."""
    _require_correctable(timeline, ply, timeline.ply + 1)
    before = timeline.frame(ply - 1)
    entry = with_seat(entry, before.state.to_move, timeline.seats)
    frame = judge(timeline.game, before, entry, timeline.version + 1)
    return _corrected(timeline, ply, Action.INSERT, entry, frame, on_conflict)


def remove(timeline: Timeline, ply: int, on_conflict: OnConflict = OnConflict.REFUSE) -> Correction:
    """Take out the move of a ply and keep the rest; raise as `replace` does."""
    _require_correctable(timeline, ply, timeline.ply)
    return _corrected(timeline, ply, Action.REMOVE, None, timeline.frame(ply - 1), on_conflict)


def _require_correctable(timeline: Timeline, ply: int, last: int) -> None:
    _require_open(timeline)
    _require_moves(timeline)
    require_between(ply, 1, last)


def _corrected(
    timeline: Timeline, ply: int, action: Action, entry: Entry | None, before: Frame, on_conflict: OnConflict
) -> Correction:
    """A correction after which the later moves follow on a frame."""
    later = timeline.frames()[ply if action is Action.INSERT else ply + 1 :]
    return _refit(timeline, partial(events.MoveCorrected, ply, action, entry), before, later, on_conflict)


def _refit(
    timeline: Timeline,
    event: Callable[[int], LaterEvent],
    before: Frame,
    later: Sequence[Frame],
    on_conflict: OnConflict,
) -> Correction:
    """Judge later moves again behind another frame; the event is made of the number of those dropped."""
    verdicts, head = judge_later(timeline.game, before, later)
    dropped = require_fit(verdicts, on_conflict)
    change = _decide(timeline, event(dropped), head)
    return Correction(change.drafts, change.timeline, verdicts, dropped)


def correct_setup(timeline: Timeline, setup: Any, on_conflict: OnConflict = OnConflict.REFUSE) -> Correction:
    """Change the set-up and keep the moves; raise as `replace` does."""
    _require_open(timeline)
    if isinstance(setup, ResultOnly) is not timeline.is_result_only:
        raise errors.MatchResultOnly
    if setup == timeline.setup:
        raise errors.NoChange
    start = set_up_again(timeline, timeline.edition, setup)
    return _refit(timeline, partial(events.SetupCorrected, setup), start, timeline.frames()[1:], on_conflict)


def change_edition(timeline: Timeline, edition: Any, on_conflict: OnConflict = OnConflict.REFUSE) -> Correction:
    """Play the match with another edition of its game, and keep set-up and moves; raise as `replace` does.

    Raise `Malformed` if the set-up does not go with the edition.
    """
    _require_open(timeline)
    if edition.id == timeline.edition.id:
        raise errors.NoChange
    start = set_up_again(timeline, edition, timeline.setup)
    return _refit(timeline, partial(events.EditionChanged, edition), start, timeline.frames()[1:], on_conflict)


def restore(timeline: Timeline, version: int) -> Change:
    """Bring back moves, set-up and edition as they were after that many events. People stay as they are now.

    Raise `CorrectionConflict` if a move was recorded by other rules and no longer fits.
    """
    _require_open(timeline)
    restored = timeline.at(version)
    if restored.head is timeline.head:
        raise errors.NoChange
    line = restored.frames()
    verdicts, _ = judge_later(timeline.game, line[0], line[1:])
    require_fit(verdicts, OnConflict.REFUSE)
    return _decide(timeline, events.TimelineRestored(version), restored.head)


def assign_players(timeline: Timeline, players: Sequence[Player]) -> Change:
    """Change who sits on the seats of the match; raise `Malformed` for other seats or one person twice."""
    if sorted(seat for seat, _ in players) != sorted(timeline.seats):
        raise Malformed([FieldError("/players", f"must be one player each for {', '.join(timeline.seats)}")])
    _require_players(timeline.game, players)
    by_seat = dict(players)
    assigned = tuple(Player(seat, by_seat[seat]) for seat in timeline.seats)
    if assigned == timeline.players:
        raise errors.NoChange
    return _decide(timeline, events.PlayersAssigned(assigned), timeline.head)


def abandon(timeline: Timeline) -> Change:
    _require_open(timeline)
    if timeline.status is Status.FINISHED:
        raise errors.MatchFinished
    return _decide(timeline, events.Abandoned(), timeline.head)


def reopen(timeline: Timeline) -> Change:
    if not timeline.abandoned:
        raise errors.MatchNotAbandoned
    return _decide(timeline, events.Reopened(), timeline.head)


def what_if(timeline: Timeline, ply: int, entries: Sequence[Entry]) -> tuple[Frame, ...]:
    """The frames of other moves from a ply on; nothing of them enters the log. Raise `MoveRefused`."""
    frame = timeline.frame(ply)
    if entries:
        _require_moves(timeline)
    line = []
    for index, entry in enumerate(entries):
        seated = with_seat(entry, frame.state.to_move, timeline.seats)
        frame = judge(timeline.game, frame, seated, None, index=index)
        line.append(frame)
    return tuple(line)


def _decide(timeline: Timeline, event: LaterEvent, head: Frame) -> Change:
    return Change((events.draft_of(timeline.game, event),), turn(timeline, event, head))


def _require_open(timeline: Timeline) -> None:
    if timeline.abandoned:
        raise errors.MatchAbandoned


def _require_moves(timeline: Timeline) -> None:
    if timeline.is_result_only:
        raise errors.MatchResultOnly


def _require_players(game: AnyGame, players: Sequence[Player]) -> None:
    wrong = []
    if len(players) not in game.players:
        wrong.append(FieldError("/players", f"must be {game.players[0]} to {game.players[-1]} players"))
    seats, people = [player.seat for player in players], [player.player_id for player in players]
    for index, (seat, player_id) in enumerate(players):
        if seat not in game.seats:
            wrong.append(FieldError(f"/players/{index}/seat", f"must be one of {', '.join(game.seats)}"))
        if seat in seats[:index]:
            wrong.append(FieldError(f"/players/{index}/seat", "is taken twice"))
        if player_id in people[:index]:
            wrong.append(FieldError(f"/players/{index}/player_id", "plays twice"))
    if wrong:
        raise Malformed(wrong)
