"""What the events of a match amount to: a line of frames, and the fold that draws it.

Folding never judges: events hold what was decided when they were recorded, so an old log can be read for ever. Whether
its moves still fit the rules, when those were changed, is for `history.refold` to say.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from domain.events import Event, EventKind, LogBroken, Written
from domain.game import AnyGame, IllegalMove, JsonObject, Malformed, Mode, Result, Seat
from domain.results import ResultOnly, parse_setup

PlayerId: TypeAlias = str

UNFIT = (AttributeError, LookupError, TypeError, ValueError, IllegalMove)
"""What a game raises where a recorded move makes no sense in the state before it, since the rules were changed."""


class HistoryError(Exception):
    """An act that the present timeline does not allow; nothing is changed."""


class OutOfRange(HistoryError):
    """A ply or version that the match does not have."""

    def __init__(self, number: int, first: int, last: int) -> None:
        super().__init__(f"{number} is not between {first} and {last}")
        self.number = number
        self.first = first
        self.last = last


class Action(StrEnum):
    """What a correction does at its ply. An insertion puts a move before it."""

    REPLACE = "replace"
    INSERT = "insert"
    REMOVE = "remove"


class Status(StrEnum):
    """Where a match stands."""

    IN_PROGRESS = "in_progress"
    FINISHED = "finished"
    ABANDONED = "abandoned"


class Entry(NamedTuple):
    """A move as it is entered. `ruling` is the digest of a table ruling's reason.

    Without a seat it is the move of whoever is to move, or in a replacement of the seat that is replaced.
    """

    seat: Seat | None
    move: Any
    ruling: str | None = None


class Player(NamedTuple):
    """Who sits where."""

    seat: Seat
    player_id: PlayerId


class Frame(NamedTuple):
    """One effective ply and the state after it, linked to the one before. Ply 0 is the set-up.

    It equals itself alone.
    """

    ply: int
    seat: Seat | None
    move: Any
    ruling: str | None
    seq: int | None
    """The event that recorded it; None in a what-if line."""
    replaced: tuple[int, ...]
    """The events of the moves that it replaced, the first one first."""
    state: Any
    before: "Frame | None"

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __hash__(self) -> int:
        return object.__hash__(self)

    def __repr__(self) -> str:
        return f"Frame(ply={self.ply}, seq={self.seq}, seat={self.seat!r}, move={self.move!r})"


class Timeline(NamedTuple):
    """A match after `version` events: its people, its set-up and its line of frames. It equals itself alone."""

    game: AnyGame
    edition: Any
    version: int
    players: tuple[Player, ...]
    setup: Any
    head: Frame
    abandoned: bool
    earlier: "Timeline | None"
    """The timeline one event before."""

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __hash__(self) -> int:
        return object.__hash__(self)

    def __repr__(self) -> str:
        return f"Timeline(version={self.version}, ply={self.ply}, status={self.status})"

    @property
    def ply(self) -> int:
        """The number of effective moves."""
        return self.head.ply

    @property
    def to_move(self) -> Seat | None:
        """Who is to move, or None when the match is over."""
        return None if self.is_result_only else self.game.to_move(self.head.state)

    @property
    def status(self) -> Status:
        """Where the match stands."""
        if self.abandoned:
            return Status.ABANDONED
        return Status.FINISHED if self.to_move is None else Status.IN_PROGRESS

    @property
    def result(self) -> Result | None:
        """The result of a finished match."""
        return self.setup.result() if self.is_result_only else self.game.result(self.head.state)

    @property
    def is_result_only(self) -> bool:
        """Whether only the result is known, so that the state of ply 0 is None and there are no moves."""
        return isinstance(self.setup, ResultOnly)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats in the order of the players."""
        return _seats(self.players)

    def frames(self) -> tuple[Frame, ...]:
        """The line from ply 0 on."""
        line = []
        frame: Frame | None = self.head
        while frame is not None:
            line.append(frame)
            frame = frame.before
        return tuple(reversed(line))

    def frame(self, ply: int) -> Frame:
        """The frame of a ply; raise `OutOfRange`."""
        if not 0 <= ply <= self.ply:
            raise OutOfRange(ply, 0, self.ply)
        frame = self.head
        while frame.ply > ply:
            assert frame.before is not None
            frame = frame.before
        return frame

    def at(self, version: int) -> "Timeline":
        """The timeline as it was after that many events; raise `OutOfRange`."""
        if not 1 <= version <= self.version:
            raise OutOfRange(version, 1, self.version)
        timeline = self
        while timeline.version > version:
            assert timeline.earlier is not None
            timeline = timeline.earlier
        return timeline

    def first_difference(self, other: "Timeline") -> int:
        """The first ply whose frame another timeline of the match does not have; behind the shorter if none differs."""
        shared = min(self.ply, other.ply)
        one: Frame | None = self.frame(shared)
        two: Frame | None = other.frame(shared)
        while one is not two:
            assert one is not None and two is not None
            one, two = one.before, two.before
        return 0 if one is None else one.ply + 1


@lru_cache(maxsize=2**10)
def _seats(players: tuple[Player, ...]) -> tuple[Seat, ...]:
    return tuple(seat for seat, _ in players)


def fold(game: AnyGame, edition: Any, events: Iterable[Event]) -> Timeline:
    """The timeline of a log; raise `LogBroken` where it cannot be read."""
    timeline: Timeline | None = None
    for event in events:
        timeline = advance(game, edition, timeline, event)
    if timeline is None:
        raise LogBroken(1, "the log is empty")
    return timeline


def advance(game: AnyGame, edition: Any, timeline: Timeline | None, event: Event | Written) -> Timeline:
    """The timeline after one more event, which must be the next one."""
    seq = 1 if timeline is None else timeline.version + 1
    try:
        if timeline is None:
            return _created(game, edition, event.payload)
        if event.kind == EventKind.MOVE_MADE:
            return _make_move(timeline, _written_entry(game, event.text))
        return _STEPS[event.kind](timeline, event.payload)
    except (AttributeError, LookupError, TypeError, ValueError, Malformed, IllegalMove, HistoryError) as error:
        raise LogBroken(seq, f"it cannot be read ({error})") from error


def _created(game: AnyGame, edition: Any, payload: JsonObject) -> Timeline:
    if (payload["game"], payload["edition"]) != (game.id, edition.id):
        raise ValueError("it is of another game or edition")
    players = _read_players(payload)
    setup = parse_setup(game, [player.seat for player in players], payload["setup"])
    return Timeline(game, edition, 1, players, setup, set_up(game, edition, players, setup), False, None)


def set_up(game: AnyGame, edition: Any, players: Iterable[Player], setup: Any) -> Frame:
    """The frame of ply 0 as the first event sets it up."""
    return Frame(0, None, None, None, 1, (), _start(game, edition, [seat for seat, _ in players], setup), None)


def set_up_again(timeline: Timeline, setup: Any) -> Frame:
    """The frame of ply 0 as the next event corrects it."""
    old = timeline.frame(0)
    assert old.seq is not None
    state = _start(timeline.game, timeline.edition, timeline.seats, setup)
    return Frame(0, None, None, None, timeline.version + 1, (*old.replaced, old.seq), state, None)


def _start(game: AnyGame, edition: Any, seats: Sequence[Seat], setup: Any) -> Any:
    return None if isinstance(setup, ResultOnly) else game.start(setup, seats, edition)


def _read_players(payload: JsonObject) -> tuple[Player, ...]:
    return tuple(Player(player["seat"], player["player_id"]) for player in payload["players"])


def step(
    timeline: Timeline,
    head: Frame,
    *,
    players: tuple[Player, ...] | None = None,
    setup: Any = None,
    abandoned: bool = False,
) -> Timeline:
    """The timeline one event later, with what that event changes."""
    return Timeline(
        timeline.game,
        timeline.edition,
        timeline.version + 1,
        timeline.players if players is None else players,
        timeline.setup if setup is None else setup,
        head,
        abandoned,
        timeline,
    )


def follow(game: AnyGame, before: Frame, entry: Entry, mode: Mode, seq: int | None, replaced: tuple[int, ...]) -> Frame:
    """The frame of a move that is made after another frame; raise `IllegalMove` as `Game.apply` does."""
    assert entry.seat is not None
    state = game.apply(before.state, entry.seat, entry.move, mode)
    return Frame(before.ply + 1, entry.seat, entry.move, entry.ruling, seq, replaced, state, before)


def _trust(game: AnyGame, before: Frame, entry: Entry, seq: int, replaced: tuple[int, ...]) -> Frame:
    """The frame of a move as it was recorded, without judging it.

    If the rules have changed since so that it cannot be made at all, the state stays as it was: the line must go on,
    for later events count its plies.
    """
    try:
        return follow(game, before, entry, Mode.TRUSTED, seq, replaced)
    except UNFIT:
        return Frame(before.ply + 1, entry.seat, entry.move, entry.ruling, seq, replaced, before.state, before)


def describe(game: AnyGame, frame: Frame, language: str) -> str | None:
    """One sentence for the move of a frame; None if the present rules cannot make sense of it."""
    assert frame.before is not None and frame.seat is not None
    try:
        return game.describe(frame.before.state, frame.seat, frame.move, language)
    except UNFIT:
        return None


def _relink(game: AnyGame, before: Frame, later: Iterable[Frame]) -> Frame:
    """The later frames of a line put behind another frame, without judging them."""
    for frame in later:
        assert frame.seq is not None
        before = _trust(game, before, Entry(frame.seat, frame.move, frame.ruling), frame.seq, frame.replaced)
    return before


def _make_move(timeline: Timeline, entry: Entry) -> Timeline:
    _require_seat(timeline, entry)
    return step(timeline, _trust(timeline.game, timeline.head, entry, timeline.version + 1, ()))


@lru_cache(maxsize=2**13)
def _written_entry(game: AnyGame, text: str) -> Entry:
    """A move by its text: different matches have many in common, so most need not be read again."""
    return _read_entry(game, json.loads(text))


def _read_entry(game: AnyGame, payload: JsonObject) -> Entry:
    ruling = payload["ruling"]
    return Entry(payload["seat"], game.parse(payload["move"]), None if ruling is None else ruling["reason"])


def _require_seat(timeline: Timeline, entry: Entry) -> None:
    if entry.seat not in dict(timeline.players):
        raise ValueError("it names a seat that nobody has")


def _moves_undone(timeline: Timeline, payload: JsonObject) -> Timeline:
    return step(timeline, timeline.frame(payload["to_ply"]))


def _move_corrected(timeline: Timeline, payload: JsonObject) -> Timeline:
    action, ply = Action(payload["action"]), payload["ply"]
    before, replaced, later = split(timeline, ply, action)
    kept = _kept(later, payload["dropped"])
    if action is not Action.REMOVE:
        entry = _read_entry(timeline.game, payload)
        _require_seat(timeline, entry)
        before = _trust(timeline.game, before, entry, timeline.version + 1, replaced)
    return step(timeline, _relink(timeline.game, before, kept))


def _setup_corrected(timeline: Timeline, payload: JsonObject) -> Timeline:
    setup = parse_setup(timeline.game, timeline.seats, payload["setup"])
    start = set_up_again(timeline, setup)
    kept = _kept(timeline.frames()[1:], payload["dropped"])
    return step(timeline, _relink(timeline.game, start, kept), setup=setup)


def _kept(later: Sequence[Frame], dropped: int) -> Sequence[Frame]:
    if not 0 <= dropped <= len(later):
        raise OutOfRange(dropped, 0, len(later))
    return later[: len(later) - dropped]


def _players_assigned(timeline: Timeline, payload: JsonObject) -> Timeline:
    return step(timeline, timeline.head, players=_read_players(payload), abandoned=timeline.abandoned)


def _timeline_restored(timeline: Timeline, payload: JsonObject) -> Timeline:
    restored = timeline.at(payload["version"])
    return step(timeline, restored.head, setup=restored.setup)


def _match_abandoned(timeline: Timeline, payload: JsonObject) -> Timeline:
    return step(timeline, timeline.head, abandoned=True)


def _match_reopened(timeline: Timeline, payload: JsonObject) -> Timeline:
    return step(timeline, timeline.head)


_STEPS: dict[str, Callable[[Timeline, JsonObject], Timeline]] = {
    EventKind.MOVES_UNDONE: _moves_undone,
    EventKind.MOVE_CORRECTED: _move_corrected,
    EventKind.SETUP_CORRECTED: _setup_corrected,
    EventKind.PLAYERS_ASSIGNED: _players_assigned,
    EventKind.TIMELINE_RESTORED: _timeline_restored,
    EventKind.MATCH_ABANDONED: _match_abandoned,
    EventKind.MATCH_REOPENED: _match_reopened,
}


def split(timeline: Timeline, ply: int, action: Action) -> tuple[Frame, tuple[int, ...], tuple[Frame, ...]]:
    """The frame before a correction, the events of the move it replaces, and the frames that follow."""
    last = timeline.ply + 1 if action is Action.INSERT else timeline.ply
    if not 1 <= ply <= last:
        raise OutOfRange(ply, 1, last)
    line = timeline.frames()
    if action is Action.INSERT:
        return line[ply - 1], (), line[ply:]
    old = line[ply]
    assert old.seq is not None
    return line[ply - 1], (*old.replaced, old.seq), line[ply + 1 :]
