"""What the events of a match amount to: a line of frames, and the fold that draws it.

A log is read twice: first for what its events mean for the line, in `outline`, then the line that is wanted is played
once. Folding never judges: events hold what was decided when they were recorded, so an old log can be read for ever.
Whether its moves still fit the rules, when those were changed, is for `judging.rejudge` to say.
"""

import json
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import lru_cache, partial
from itertools import chain, islice
from typing import Any, Final, NamedTuple, TypeVar

from domain.forms import FieldError, Malformed
from domain.game import AnyGame, EditionLookup, Refusal, Result, Seat
from domain.match import events
from domain.match.errors import HistoryError, MoveUnplayable, require_between
from domain.match.events import Entry, Event, EventKind, LaterEvent, LogBroken, Player, Written
from domain.match.outline import Outline, Recorded, begun, evolve, seats_of
from domain.match.result_only import ResultOnly, game_of

T = TypeVar("T")

UNFIT = (AttributeError, LookupError, TypeError, ValueError, Refusal)
"""What `apply` may raise for a move recorded under other rules."""

SETUPS_AT_HAND: Final = 256
"""Set-ups that are read once while a log is; of Paris, some take 0.2 ms."""


_MOVE_MADE: Final = str(EventKind.MOVE_MADE)


class Status(StrEnum):
    IN_PROGRESS = "in_progress"
    FINISHED = "finished"
    ABANDONED = "abandoned"


def _by_identity(kind: type[T]) -> type[T]:
    """Have tuples of a class compared by identity."""
    for name in ("__eq__", "__ne__", "__hash__"):
        setattr(kind, name, getattr(object, name))
    return kind


@_by_identity
class Frame(NamedTuple):
    """One effective ply and the state after it, linked to the one before. Ply 0 is the set-up."""

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
    is_unplayable: bool = False
    """Whether the present rules cannot play the move, so that the state is still the one before it."""

    def __repr__(self) -> str:
        return f"Frame(ply={self.ply}, seq={self.seq}, seat={self.seat!r}, move={self.move!r})"


class Past(NamedTuple):
    """What is known of the versions of a match without their frames, so that each of them can be played again."""

    runs: tuple[Outline, ...]
    """The match before each event that was something else than one more move; before such an event come moves only."""
    base: Outline
    """The match after the last one of these."""


class Unplayed(NamedTuple):
    """A match as recorded in its log, without states."""

    game: AnyGame
    outline: Outline
    rules_version: int
    """That of the game when the match began."""


def _at(runs: Sequence[Outline], version: int) -> Outline:
    """The outline of a version up to the last of the runs."""
    return runs[_run(runs, version)].until(version)


def _run(runs: Sequence[Outline], version: int) -> int:
    """Which of the runs ends at a version or after it."""
    return bisect_left(runs, version, key=lambda outline: outline.version)


@_by_identity
class Timeline(NamedTuple):
    """A match after `version` events: its people, its set-up and its line of frames."""

    game: AnyGame
    edition: Any
    version: int
    players: tuple[Player, ...]
    setup: Any
    head: Frame
    abandoned: bool
    past: Past
    rules_version: int
    """That of the game when the match began."""

    def __repr__(self) -> str:
        return f"Timeline(version={self.version}, ply={self.ply}, status={self.status})"

    @property
    def ply(self) -> int:
        return self.head.ply

    @property
    def to_move(self) -> Seat | None:
        to_move: Seat | None = self.head.state.to_move
        return to_move

    @property
    def status(self) -> Status:
        if self.abandoned:
            return Status.ABANDONED
        return Status.FINISHED if self.to_move is None else Status.IN_PROGRESS

    @property
    def result(self) -> Result | None:
        return self.game.rules.result(self.head.state)

    @property
    def is_of_present_rules(self) -> bool:
        """Whether the match was begun under the present rules, so that every recorded move can be played."""
        return self.rules_version == self.game.rules_version

    @property
    def is_result_only(self) -> bool:
        """Whether only the result is known, so that there are no moves."""
        return isinstance(self.setup, ResultOnly)

    @property
    def seats_known(self) -> bool:
        """Whether it is known who sat where; it is not where people only remember their points."""
        return not (isinstance(self.setup, ResultOnly) and self.setup.seats_unknown)

    @property
    def seats(self) -> tuple[Seat, ...]:
        return seats_of(self.players)

    def frames(self) -> tuple[Frame, ...]:
        line = []
        frame: Frame | None = self.head
        while frame is not None:
            line.append(frame)
            frame = frame.before
        return tuple(reversed(line))

    def frame(self, ply: int) -> Frame:
        """The frame of a ply; raise `OutOfRange`."""
        require_between(ply, 0, self.ply)
        frame = self.head
        while frame.ply > ply:
            assert frame.before is not None
            frame = frame.before
        return frame

    @property
    def editions(self) -> tuple[Any, ...]:
        """The editions of all versions of the match, the present one among them."""
        return tuple(dict.fromkeys(outline.edition for outline in (*self.past.runs, self.past.base)))

    @property
    def outline(self) -> Outline:
        """People, edition, set-up and line without the states."""
        base, frame = self.past.base, self.head
        moves = []
        for _ in range(self.version - base.version):
            assert frame.seq is not None and frame.before is not None
            moves.append(Recorded(Entry(frame.seat, frame.move, frame.ruling), frame.seq))
            frame = frame.before
        return base.made(moves[::-1])

    @property
    def unplayed(self) -> Unplayed:
        """The match without its states."""
        return Unplayed(self.game, self.outline, self.rules_version)

    def outline_at(self, version: int) -> Outline:
        """People, edition, set-up and line as they were after that many events; raise `OutOfRange`."""
        require_between(version, 1, self.version)
        if version < self.past.base.version:
            return _at(self.past.runs, int(version))
        return self.outline.until(int(version))

    def at(self, version: int) -> "Timeline":
        """The timeline as it was after that many events; raise `OutOfRange`.

        If only moves came since, it is at hand; else its line is played again from where it parts from this one.
        """
        require_between(version, 1, self.version)
        if version == self.version:
            return self
        if version >= self.past.base.version:
            head = self.frame(self.ply - (self.version - int(version)))
            return self._replace(version=head.ply - self.ply + self.version, head=head)
        outline = self.outline_at(version)
        earlier = self.past.runs[: _run(self.past.runs, outline.version)]
        return _play(outline, Past((*earlier, outline), outline), self)

    def changed_since(self, version: int) -> int:
        """The first ply that is not as it was after that many events; behind the shorter line if none is."""
        if version >= self.past.base.version:
            return self.outline_at(version).line.ply + 1
        before, outline = self.outline_at(version), self.outline
        return 0 if before.start.seq != outline.start.seq else outline.line.shared(before.line) + 1


def fold(game: AnyGame, editions: EditionLookup, log: Iterable[Event | Written]) -> Timeline:
    """The timeline of a log; raise `LogBroken` where it cannot be read."""
    rest = _lifted(log, 1)
    created = _read_created(game, editions, rest)
    try:
        timeline = begin(game, created)
    except _UNREADABLE as error:
        raise _broken(1, error) from error
    return _resume(timeline, editions, rest)


def read_unplayed(game: AnyGame, editions: EditionLookup, log: Iterable[tuple[str, str]]) -> Unplayed:
    """The match of a log, read without playing its moves; raise `LogBroken` where it cannot be read.

    The log is the kinds and payloads of its events, in the present format.
    """
    rest = iter(log)
    created = _read_created(game, editions, rest)
    reader = _LogReader(game_of(game, created.setup), editions, begun(created))
    outline, _ = reader.read(rest)
    return Unplayed(game, outline, created.rules_version)


def _read_created(game: AnyGame, editions: EditionLookup, log: Iterator[tuple[str, str]]) -> events.MatchCreated:
    first = next(log, None)
    if first is None:
        raise LogBroken(1, "the log is empty")
    try:
        return events.read_created(json.loads(first[1]), events.Reading(game, editions))
    except _UNREADABLE as error:
        raise _broken(1, error) from error


def resume(timeline: Timeline, editions: EditionLookup, log: Iterable[Event | Written]) -> Timeline:
    """The timeline after more events, which must be the next ones: no move is played more than twice."""
    return _resume(timeline, editions, _lifted(log, timeline.version + 1))


def _resume(timeline: Timeline, editions: EditionLookup, log: Iterator[tuple[str, str]]) -> Timeline:
    version, head, seats = timeline.version, timeline.head, timeline.seats
    for kind, text in log:
        if kind != _MOVE_MADE or timeline.abandoned:
            timeline = timeline._replace(version=version, head=head)
            reader = _LogReader(timeline.game, editions, timeline.outline, timeline.past.runs)
            outline, past = reader.read(chain([(kind, text)], log))
            return _play(outline, past, timeline)
        version += 1
        head = _recorded_move(timeline, seats, head, text, version)
    return timeline._replace(version=version, head=head)


def _lifted(log: Iterable[Event | Written], first: int) -> Iterator[tuple[str, str]]:
    """The kinds and payloads of events in the present format."""
    for seq, event in enumerate(log, start=first):
        try:
            yield events.lifted(event)
        except _UNREADABLE as error:
            raise _broken(seq, error) from error


_UNREADABLE = (AttributeError, LookupError, TypeError, ValueError, Malformed, Refusal, HistoryError)


def _broken(seq: int, error: Exception) -> LogBroken:
    return LogBroken(seq, f"it cannot be read ({error})")


def begin(game: AnyGame, event: events.MatchCreated) -> Timeline:
    """The timeline of a match as its first event sets it up; raise `Malformed` if these seats cannot play it."""
    game, outline = game_of(game, event.setup), begun(event)
    start = _set_up(game, outline)
    past = Past((), outline)
    return Timeline(game, event.edition, 1, event.players, event.setup, start, False, past, event.rules_version)


def _recorded_move(timeline: Timeline, seats: Collection[Seat], before: Frame, text: str, seq: int) -> Frame:
    """The frame of a move that is read from the log."""
    try:
        entry = events.with_player(_read_move(timeline.game, text), seats)
    except _UNREADABLE as error:
        raise _broken(seq, error) from error
    return _replay(timeline, before, entry, seq, ())


def made(timeline: Timeline, head: Frame) -> Timeline:
    """The timeline after moves, the last of which led to a frame; each of them is an event."""
    return timeline._replace(version=timeline.version + head.ply - timeline.ply, head=head)


def turn(timeline: Timeline, event: LaterEvent, head: Frame) -> Timeline:
    """The timeline after an event that is something else than one more move, with the frame to which it leads."""
    before = timeline.outline
    outline = evolve(before, event, timeline.outline_at)
    return _joined(timeline, outline, Past((*timeline.past.runs, before), outline), head)


def _joined(timeline: Timeline, outline: Outline, past: Past, head: Frame) -> Timeline:
    """The timeline of another outline of the same match."""
    version, players, edition, setup, _, _, _, abandoned = outline
    game, rules_version = timeline.game, timeline.rules_version
    return Timeline(game, edition, version, players, setup, head, abandoned, past, rules_version)


def _play(outline: Outline, past: Past, known: Timeline) -> Timeline:
    """The timeline of an outline: frames of a known timeline as far as they are of the same events, then new ones."""
    shared = _frames_shared(outline, known.outline)
    frame = known.frame(shared - 1) if shared else _set_up(known.game, outline)
    for move in islice(outline.line.moves(), frame.ply, None):
        assert move.entry is not None
        frame = _replay(known, frame, move.entry, move.seq, move.replaced)
    return _joined(known, outline, past, frame)


def _frames_shared(outline: Outline, other: Outline) -> int:
    """How many frames two lines begin with that are of the same events, those of ply 0 included."""
    return 1 + outline.line.shared(other.line) if outline.start.seq == other.start.seq else 0


class Playback:
    """Plays lines of a match one after the other, each from where it parts from the one before.

    Its frames do not say what their moves replaced.
    """

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._outline = timeline.outline
        self._runs = (*timeline.past.runs, self._outline)
        self._frames = list(timeline.frames())

    def outline_at(self, version: int) -> Outline:
        """People, edition, set-up and line as they were after that many events, of which the match has as many."""
        return _at(self._runs, version)

    def effort(self, outline: Outline, ply: int) -> int:
        """How many moves must be played for the frame of a ply."""
        return max(0, ply + 1 - self._known(outline))

    def play(self, outline: Outline, ply: int) -> Frame:
        known = self._known(outline)
        if ply >= known:
            del self._frames[known:]
            self._outline = outline
            if not self._frames:
                self._frames.append(_set_up(self._timeline.game, outline))
            for move in islice(outline.line.moves(), len(self._frames) - 1, ply):
                assert move.entry is not None
                self._frames.append(_replay(self._timeline, self._frames[-1], move.entry, move.seq, ()))
        return self._frames[ply]

    def status(self, outline: Outline) -> Status:
        head = self.play(outline, outline.line.ply)
        return _joined(self._timeline, outline, Past((), outline), head).status

    def _known(self, outline: Outline) -> int:
        return min(_frames_shared(outline, self._outline), len(self._frames))


class _LogReader:
    """A log from one version on, as it is read for what its events mean."""

    def __init__(self, game: AnyGame, editions: EditionLookup, base: Outline, runs: Sequence[Outline] = ()) -> None:
        self._game = game
        self._editions = editions
        self._base = base
        self._runs = runs
        self._read_set_up = lru_cache(maxsize=SETUPS_AT_HAND)(self._parse)

    def read(self, log: Iterable[tuple[str, str]]) -> tuple[Outline, Past]:
        """The outline after the last of more events, and those before."""
        game, base, runs = self._game, self._base, list(self._runs)
        moves: list[Recorded] = []
        seq, seats = base.version, seats_of(base.players)
        try:
            for kind, text in log:
                seq += 1
                if kind == _MOVE_MADE and not base.abandoned:
                    moves.append(Recorded(events.with_player(_read_move(game, text), seats), seq))
                else:
                    outline = base.made(moves)
                    runs.append(outline)
                    base, moves = evolve(outline, self._read(outline, kind, text), partial(_at, runs)), []
                    seats = seats_of(base.players)
        except _UNREADABLE as error:
            raise _broken(seq, error) from error
        return base.made(moves), Past(tuple(runs), base)

    def _read(self, outline: Outline, kind: str, text: str) -> LaterEvent:
        if kind == EventKind.SETUP_CORRECTED:
            return self._read_set_up(kind, text, outline.players, outline.edition)
        if kind == EventKind.EDITION_CHANGED:
            return self._read_set_up(kind, text, outline.players, outline.setup)
        return events.read_later(kind, json.loads(text), events.Reading(self._game, self._editions, outline.players))

    def _parse(self, kind: str, text: str, players: tuple[Player, ...], kept: Any) -> LaterEvent:
        """A set-up that goes with the edition that is kept, or the other way round."""
        event = events.read_later(kind, json.loads(text), events.Reading(self._game, self._editions, players))
        if isinstance(event, events.SetupCorrected):
            _start(self._game, kept, seats_of(players), event.setup)
        if isinstance(event, events.EditionChanged):
            _start(self._game, event.edition, seats_of(players), kept)
        return event


def _set_up(game: AnyGame, outline: Outline) -> Frame:
    state = _start(game, outline.edition, outline.seats, outline.setup)
    return Frame(0, None, None, None, outline.start.seq, outline.start.replaced, state, None)


def set_up_again(timeline: Timeline, edition: Any, setup: Any) -> Frame:
    """The frame of ply 0 as the next event changes it; raise `Malformed` if the edition does not go with the set-up."""
    return _set_up(timeline.game, timeline.outline.set_up(edition, setup, dropped=0))


def _start(game: AnyGame, edition: Any, seats: Sequence[Seat], setup: Any) -> Any:
    """The state at ply 0; raise ValueError or `Malformed` for seats or a set-up with which no match can begin.

    Acts refuse such seats earlier, and say what is wrong with them.
    """
    if len(seats) not in game.players or len(set(seats)) < len(seats) or not set(seats) <= set(game.seats):
        raise ValueError("these seats cannot play")
    try:
        return game.rules.start(setup, seats, edition)
    except Malformed as error:
        raise Malformed([FieldError(f"/setup{field.pointer}", field.detail) for field in error.errors]) from None


def follow(game: AnyGame, before: Frame, entry: Entry, seq: int | None, replaced: tuple[int, ...]) -> Frame:
    """The frame of a move that is made after another frame, which is not checked."""
    assert entry.seat is not None
    state = game.rules.apply(before.state, entry.seat, entry.move)
    return Frame(before.ply + 1, entry.seat, entry.move, entry.ruling, seq, replaced, state, before)


def _replay(timeline: Timeline, before: Frame, entry: Entry, seq: int, replaced: tuple[int, ...]) -> Frame:
    """The frame of a move as it was recorded, without judging it; raise `MoveUnplayable`.

    A move recorded under other rules may be impossible under the present ones. The line goes on nevertheless, for
    later events count its plies.
    """
    try:
        return follow(timeline.game, before, entry, seq, replaced)
    except Exception as error:
        ply = before.ply + 1
        if timeline.is_of_present_rules or not isinstance(error, UNFIT):
            raise MoveUnplayable(ply, seq) from error
        seat, move, ruling = entry
        return Frame(ply, seat, move, ruling, seq, replaced, before.state, before, is_unplayable=True)


def describe(timeline: Timeline, frame: Frame, language: str) -> str | None:
    """One sentence for the move of a frame; None if it was recorded under other rules and makes no sense by these."""
    assert frame.before is not None and frame.seat is not None
    if frame.is_unplayable:
        return None
    try:
        return timeline.game.telling.describe(frame.before.state, frame.seat, frame.move, language)
    except UNFIT:
        if timeline.is_of_present_rules:
            raise
        return None


# 2.5 of 12 µs per event of Paris and 0.7 of 11 of La Cité (one pass over random logs, 2026-11).
@lru_cache(maxsize=2**13)
def _read_move(game: AnyGame, text: str) -> Entry:
    """A move by its text: different matches have many in common, so most need not be read again."""
    return Entry.read(json.loads(text), game)
