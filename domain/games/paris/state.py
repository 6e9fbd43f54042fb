"""The position of a match of Paris: what lies where, who holds what, and how far the turn has come."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from domain.game import Seat
from domain.games.paris import parts
from domain.games.paris.edition import Edition
from domain.games.paris.parts import District, Place, SeatIndex, Space, Tile, Tokens

T = TypeVar("T")

NOTHING: Final = -1
"""Where a number of a tile or district would stand and there is none."""

Keys: TypeAlias = tuple[SeatIndex, ...]
"""The seats that have a key at a place, in order of arrival."""


class Phase(StrEnum):
    MAIN = "main"
    LAST_ROUND = "last_round"
    """The round in which the last end tile was taken."""
    FINAL_TURNS = "final_turns"
    OVER = "over"


OVER: Final = Phase.OVER
FINAL_TURNS: Final = Phase.FINAL_TURNS
"""Looking a member up in its enum takes 95 ns, a tenth of a check (CPython 3.11)."""


@dataclass(frozen=True, slots=True)
class Table:
    """What stays the same all through a match."""

    edition: Edition
    seats: tuple[Seat, ...]
    """In turn order; elsewhere a seat is its index here."""
    free_placement: bool
    token_on: tuple[int, ...]
    """The kind of token that each building space began with."""
    number_on: tuple[int, ...]
    """The number of the bonus tiles on each space of the track."""


class Turn(NamedTuple):
    """What was done in the present turn and what may still be done."""

    revealed: bool = False
    acted: bool = False
    may_advance: bool = False
    advance_fee: int = 0
    may_score_tile: bool = False


FRESH_TURN: Final = Turn()


class Award(NamedTuple):
    """Points that a seat was given."""

    points: int
    tile: Tile | None
    """The tile that gave them, if it was not a place."""
    places: tuple[Place, ...]
    """The place that gave them, or the places whose keys the tile counted, once for each key."""


class Side(NamedTuple):
    """What one seat holds, by default before its first move."""

    francs: int
    keys: int
    """In the hand."""
    reserve: int
    tokens: Tokens = parts.NO_TOKENS
    held: int = 0
    """The bonus tiles and end tiles to be used, as bits."""
    used: int = 0
    half: int = 0
    """The tiles of `held` of whose two tokens one was used."""
    track: int = 0
    """The space of the pawn, 0 before the first."""
    awards: tuple[Award, ...] = ()

    @property
    def points(self) -> int:
        return sum([award.points for award in self.awards])

    @property
    def had(self) -> int:
        """The numbers of which this seat takes no other bonus tile."""
        return (self.held | self.used) & parts.ALL_NUMBERS

    def awarded(self, points: int, tile: Tile | None, places: tuple[Place, ...] = ()) -> "Side":
        """The side with more points, if there are any."""
        return self._replace(awards=(*self.awards, Award(points, tile, places))) if points else self

    def left_of(self, price: int) -> int:
        """The francs after paying. A seat that cannot pay everything, after a table ruling, pays what it has."""
        return max(0, self.francs - price)

    def without(self, tile: Tile) -> "Side":
        """The side after the use of a tile that it holds, or of the last token of such a tile."""
        bit = 1 << tile
        return self._replace(held=self.held & ~bit, used=self.used | bit, half=self.half & ~bit)


class Board(NamedTuple):
    """What lies open to all, by default before the first move. Numbers of several things are sets of bits."""

    stacks: tuple[int, int, int]
    second_bonus: int
    """The numbers of which two tiles are left on the track."""
    bonus: int = parts.ALL_NUMBERS
    """The numbers of which a tile is left on the track."""
    drawn: int = 0
    """The building tiles that were drawn."""
    discarded: int = 0
    buildings: tuple[Space, ...] = (NOTHING,) * len(parts.SPACES)
    """The building tile on each space, or NOTHING."""
    tokens: int = (1 << len(parts.SPACES)) - 1
    """The spaces beside which their token still lies."""
    keys: tuple[Keys, ...] = ((),) * len(parts.PLACES)
    """By place."""
    landmarks: tuple[District, ...] = (NOTHING,) * len(parts.LANDMARKS)
    """The district of each landmark, or NOTHING."""
    crowded: int = 0
    """The districts that have had four keys."""
    scoring: tuple[int, ...] = (NOTHING,) * len(parts.DISTRICTS)
    """The scoring tile of each district, or NOTHING."""
    end_tiles: int = parts.ALL_END_TILES
    market: tuple[int, int, int] = (0, 0, 0)

    def landmarks_in(self, district: District) -> list[Place]:
        """The landmarks of a district as places, in ascending order; those of NOTHING are not placed yet."""
        return [parts.FIRST_LANDMARK + index for index, place in enumerate(self.landmarks) if place == district]

    def properties(self, district: District) -> list[Place]:
        """The buildings and landmarks that stand in a district, in ascending order of value."""
        return [space for space in spaces(district) if self.buildings[space] != NOTHING] + self.landmarks_in(district)

    def district(self, place: Place) -> District:
        """The district of a place, NOTHING for the Arc and for a landmark that is not placed."""
        if place < parts.FIRST_LANDMARK:
            return place // len(parts.VALUES)
        if place < parts.FIRST_BANK:
            return self.landmarks[place - parts.FIRST_LANDMARK]
        return place - parts.FIRST_BANK if place < parts.ARC else NOTHING

    def without_bonus(self, number: int) -> "Board":
        """The board after the top bonus tile of a number was taken."""
        bit = 1 << number
        if self.second_bonus & bit:
            return self._replace(second_bonus=self.second_bonus ^ bit)
        return self._replace(bonus=self.bonus ^ bit)


class State(NamedTuple):
    """The whole position after `ply` moves."""

    table: Table
    ply: int
    phase: Phase
    mover: SeatIndex
    """The index of the seat whose turn it is; it means nothing when the match is over."""
    turn: Turn
    board: Board
    sides: tuple[Side, ...]

    @property
    def edition(self) -> Edition:
        return self.table.edition

    @property
    def to_move(self) -> Seat | None:
        return None if self.phase is OVER else self.table.seats[self.mover]

    @property
    def side(self) -> Side:
        return self.sides[self.mover]

    @property
    def players(self) -> int:
        return len(self.table.seats)

    @property
    def must_reveal(self) -> bool:
        return not self.turn.revealed and any(self.board.stacks)

    def then(self, side: Side, board: Board | None = None, turn: Turn | None = None) -> "State":
        """The state one move later, in the same turn, with what the move changed."""
        me = self.mover
        return State(
            self.table,
            self.ply + 1,
            self.phase,
            me,
            self.turn if turn is None else turn,
            self.board if board is None else board,
            (*self.sides[:me], side, *self.sides[me + 1 :]),
        )


def refuse_nothing(state: State, move: Any) -> None:
    """The check of what is allowed whenever it is possible."""


@dataclass(frozen=True, slots=True)
class Handler:
    """What one type of move needs and does in the turn of the seat to move."""

    possible: Callable[[State, Any], None]
    """Refuses for physical reasons."""
    outcome: Callable[[State, Any], State]
    allowed: Callable[[State, Any], None] = refuse_nothing
    """Refuses for the other reasons."""


Handlers: TypeAlias = Mapping[type, Handler]


def spaces(district: District) -> range:
    return range(district * len(parts.VALUES), (district + 1) * len(parts.VALUES))


def changed(entries: tuple[T, ...], index: int, entry: T) -> tuple[T, ...]:
    after = list(entries)
    after[index] = entry
    return tuple(after)
