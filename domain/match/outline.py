"""The effect of events on the line of moves, without playing any: states are left to `timeline`.

An outline costs the same to change wherever in the line it is changed, and all versions of a match share what they have
in common. So a log is read in time that grows with its length, whatever was corrected in it.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, pairwise
from operator import index
from typing import Any, Final, NamedTuple, assert_type

from domain.game import Seat
from domain.match import events
from domain.match.errors import require_between
from domain.match.events import Action, Entry, LaterEvent, MatchCreated, Player

CHUNK: Final = 32
"""A line is kept in tuples of this size to twice that: near the root of the number of moves in the longest lines."""


def seats_of(players: tuple[Player, ...]) -> tuple[Seat, ...]:
    return tuple(seat for seat, _ in players)


class Recorded(NamedTuple):
    """A move of a line, or its set-up, with the event that recorded it and what it replaced."""

    entry: Entry | None
    """None for a set-up."""
    seq: int
    replaces: "Recorded | None" = None

    @property
    def replaced(self) -> tuple[int, ...]:
        """The events of all that it replaced, the first one first."""
        found = []
        before = self.replaces
        while before is not None:
            found.append(before.seq)
            before = before.replaces
        return tuple(reversed(found))


class Line(NamedTuple):
    """The moves from ply 1 on, in chunks that lines of other versions share. Never changed in place."""

    chunks: tuple[tuple[Recorded, ...], ...]
    ply: int
    """The number of moves."""

    def moves(self) -> Iterator[Recorded]:
        return chain.from_iterable(self.chunks)

    def move(self, ply: int) -> Recorded:
        number, offset = self._find(ply)
        return self.chunks[number][offset]

    def until(self, ply: int) -> "Line":
        if ply == self.ply:
            return self
        number, offset = self._find(ply + 1)
        return Line((*self.chunks[:number], *_chunked(self.chunks[number][:offset])), ply)

    def extended(self, moves: Sequence[Recorded]) -> "Line":
        return self._spliced(len(self.chunks) - 1, self.chunks[-1] + tuple(moves)) if self.chunks else _line(moves)

    def corrected(self, ply: int, removed: int, inserted: Sequence[Recorded]) -> "Line":
        """The line with so many moves from a ply on removed and others inserted there, or behind the last one."""
        if ply > self.ply:
            return self.extended(inserted)
        number, offset = self._find(ply)
        chunk = self.chunks[number]
        return self._spliced(number, (*chunk[:offset], *inserted, *chunk[offset + removed :]))

    def shared(self, other: "Line") -> int:
        """The number of moves with which both lines begin."""
        ply = number = 0
        for one, two in zip(self.chunks, other.chunks, strict=False):
            if one is not two:
                break
            number, ply = number + 1, ply + len(one)
        rest = (Line(line.chunks[number:], line.ply - ply).moves() for line in (self, other))
        for mine, theirs in zip(*rest, strict=False):
            if mine.seq != theirs.seq:
                break
            ply += 1
        return ply

    def missing(self, other: "Line") -> list[tuple[int, Recorded]]:
        """The moves that another line does not have anywhere, each with its ply."""
        known = {move.seq for chunk in other._beside(self) for move in chunk[1]}
        return [
            (ply, move)
            for first, chunk in self._beside(other)
            for ply, move in enumerate(chunk, start=first)
            if move.seq not in known
        ]

    def _beside(self, other: "Line") -> Iterator[tuple[int, tuple[Recorded, ...]]]:
        """The chunks that another line does not share, each with its first ply."""
        theirs = {chunk[0].seq: chunk for chunk in other.chunks}
        ply = 1
        for chunk in self.chunks:
            if theirs.get(chunk[0].seq) is not chunk:
                yield ply, chunk
            ply += len(chunk)

    def _find(self, ply: int) -> tuple[int, int]:
        """The chunk in which the move of a ply stands, and its place there."""
        offset, number = ply - 1, 0
        while offset >= len(self.chunks[number]):
            offset -= len(self.chunks[number])
            number += 1
        return number, offset

    def _spliced(self, number: int, chunk: tuple[Recorded, ...]) -> "Line":
        ply = self.ply - len(self.chunks[number]) + len(chunk)
        return Line((*self.chunks[:number], *_chunked(chunk), *self.chunks[number + 1 :]), ply)


def _line(moves: Sequence[Recorded]) -> Line:
    return Line(_chunked(tuple(moves)), len(moves))


def _chunked(moves: tuple[Recorded, ...]) -> tuple[tuple[Recorded, ...], ...]:
    """Moves in chunks of nearly equal length, none of them empty."""
    if len(moves) < 2 * CHUNK:
        return (moves,) if moves else ()
    number = len(moves) // CHUNK
    bounds = [len(moves) * part // number for part in range(number + 1)]
    return tuple(moves[first:last] for first, last in pairwise(bounds))


class Outline(NamedTuple):
    """A match after `version` events as its log tells it: people, edition, set-up and line, but no state."""

    version: int
    players: tuple[Player, ...]
    edition: Any
    setup: Any
    seats: tuple[Seat, ...]
    """Those for which it was set up, in order."""
    start: Recorded
    """The event that set it up: the first one, or the last that changed the set-up or the edition."""
    line: Line
    abandoned: bool = False

    @property
    def has_rulings(self) -> bool:
        """Whether a move of the line stands by a table ruling."""
        return any(entry.ruling is not None for entry, _, _ in self.line.moves() if entry is not None)

    def until(self, version: int) -> "Outline":
        """The outline at an earlier version, since which there were moves only."""
        if version == self.version:
            return self
        return self._replace(version=version, line=self.line.until(self.line.ply - (self.version - version)))

    def made(self, moves: Sequence[Recorded]) -> "Outline":
        """After moves, each of them an event."""
        if not moves:
            return self
        return self.after(self.line.extended(moves), count=len(moves))

    def corrected(self, ply: int, action: Action, entry: Entry | None, dropped: int) -> "Outline":
        """After a move was replaced, inserted or removed, and the last moves were dropped."""
        last = self.line.ply + (action is Action.INSERT)
        require_between(ply, 1, last)
        require_between(dropped, 0, last - ply)
        ply, line = index(ply), self.line.until(self.line.ply - index(dropped))
        replaces = line.move(ply) if action is Action.REPLACE else None
        inserted = [] if action is Action.REMOVE else [Recorded(entry, self.version + 1, replaces)]
        return self.after(line.corrected(ply, action is not Action.INSERT, inserted))

    def set_up(self, edition: Any, setup: Any, dropped: int) -> "Outline":
        """After the edition was changed or the set-up corrected, and the last moves were dropped."""
        require_between(dropped, 0, self.line.ply)
        start, seats = Recorded(None, self.version + 1, self.start), seats_of(self.players)
        line = self.line.until(self.line.ply - index(dropped))
        return self.after(line)._replace(edition=edition, setup=setup, seats=seats, start=start)

    def after(self, line: Line, count: int = 1) -> "Outline":
        """After events that leave this line; the match goes on."""
        version = self.version + count
        return Outline(version, self.players, self.edition, self.setup, self.seats, self.start, line)


def begun(event: MatchCreated) -> Outline:
    players = event.players
    return Outline(1, players, event.edition, event.setup, seats_of(players), Recorded(None, 1), _line(()))


def evolve(outline: Outline, event: LaterEvent, at: Callable[[int], Outline]) -> Outline:
    """The outline after one more event, whether it was just decided or is read from a log.

    `at` gives the outline of an earlier version. Raise `OutOfRange` for a ply or version that the match does not have.
    """
    match event:
        case events.MoveMade(entry):
            return outline.made([Recorded(entry, outline.version + 1)])
        case events.MovesUndone(to_ply):
            require_between(to_ply, 0, outline.line.ply)
            return outline.after(outline.line.until(int(to_ply)))
        case events.MoveCorrected(ply, action, entry, dropped):
            return outline.corrected(ply, action, entry, dropped)
        case events.SetupCorrected(setup, dropped):
            return outline.set_up(outline.edition, setup, dropped)
        case events.EditionChanged(edition, dropped):
            return outline.set_up(edition, outline.setup, dropped)
        case events.PlayersAssigned(players):
            return outline._replace(version=outline.version + 1, players=players)
        case events.TimelineRestored(version):
            require_between(version, 1, outline.version)
            return at(int(version))._replace(version=outline.version + 1, players=outline.players, abandoned=False)
        case events.Abandoned():
            return outline.after(outline.line)._replace(abandoned=True)
    assert_type(event, events.Reopened)
    return outline.after(outline.line)
