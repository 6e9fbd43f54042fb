"""The position of a match of La Cité de la Lumière: what lies where and who holds what."""

from typing import NamedTuple, TypeAlias

from domain.game import Seat
from domain.games.cite_lumiere.edition import Edition
from domain.games.cite_lumiere.parts import ALL_BUILDINGS, BUILDING_BIT

Ground: TypeAlias = tuple[int, int, int, int]
"""The paved spaces by printed colour: orange, blue, mixed, lamp."""


class Piece(NamedTuple):
    """A piece on the board. An annex joins a building; a statue faces a side."""

    name: str
    owner: Seat
    cells: int
    joins: str | None = None
    facing: str | None = None


class Side(NamedTuple):
    """What one seat holds, each a set of bits."""

    tiles: int
    """Not yet placed."""
    reserve: int
    built: int
    """Buildings on the board, the garden among them: each bears a chimney."""
    cards: int
    """Postcards taken: each bears an action token."""
    armed: int
    """Cards of `cards` whose right is still to be used."""
    passed: bool


class State(NamedTuple):
    """The whole position after `ply` moves."""

    edition: Edition
    in_play: int
    """The eight postcards of the match."""
    ply: int
    to_move: Seat | None
    ground: Ground
    sides: tuple[Side, Side]
    pieces: tuple[Piece, ...]
    """In the order in which they were placed."""
    occupied: int
    """The spaces under pieces."""

    @property
    def phase(self) -> str:
        """paving, building or over."""
        if self.to_move is None:
            return "over"
        return "paving" if self.is_paving else "building"

    @property
    def is_paving(self) -> bool:
        """Whether a tile is still to be placed."""
        return bool(self.sides[0].tiles | self.sides[1].tiles)

    @property
    def paved(self) -> int:
        """All spaces that bear a tile."""
        orange, blue, mixed, lamps = self.ground
        return orange | blue | mixed | lamps

    @property
    def free(self) -> int:
        """All spaces that are paved and bear no piece."""
        return self.paved & ~self.occupied

    @property
    def supply(self) -> int:
        """The buildings that nobody has."""
        orange, blue = self.sides
        return ALL_BUILDINGS & ~(orange.reserve | orange.built | blue.reserve | blue.built)

    @property
    def open_cards(self) -> int:
        """The postcards that nobody has taken."""
        return self.in_play & ~(self.sides[0].cards | self.sides[1].cards)

    def tokens(self, me: int) -> int:
        """The action tokens that the seat of this index has left."""
        return self.edition.action_tokens - self.sides[me].cards.bit_count()

    def chimneys(self, me: int) -> int:
        """The chimneys that the seat of this index has left."""
        return self.edition.chimneys - self.sides[me].built.bit_count()

    def piece(self, name: str) -> Piece | None:
        """The piece of this name if it is on the board."""
        for piece in self.pieces:
            if piece.name == name:
                return piece
        return None

    def buildings(self, owner: Seat) -> dict[str, int]:
        """The spaces of each building of a seat, its annex included."""
        spaces = {
            piece.name: piece.cells for piece in self.pieces if piece.name in BUILDING_BIT and piece.owner == owner
        }
        annex = self.piece("annex")
        if annex is not None and annex.joins in spaces:
            spaces[annex.joins] |= annex.cells
        return spaces

    def building_spaces(self) -> int:
        """The spaces under buildings, garden and annex of both seats."""
        spaces = 0
        for piece in self.pieces:
            if piece.name in BUILDING_BIT or piece.name == "annex":
                spaces |= piece.cells
        return spaces
