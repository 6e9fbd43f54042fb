"""Where a building may lie, and the rights of Metropolitain and Chartier that widen it."""

from collections.abc import Iterator
from random import Random

from domain.chance import bits
from domain.games.cite_lumiere import parts
from domain.games.cite_lumiere.board import Outline, Spaces, names
from domain.games.cite_lumiere.parts import SeatIndex
from domain.games.cite_lumiere.reasons import refusal
from domain.games.cite_lumiere.state import Ground, Side, State


def require_free(state: State, cells: Spaces) -> None:
    if taken := cells & state.occupied:
        raise refusal("space_not_free", spaces=names(taken))


def require_placement(state: State, me: SeatIndex, cells: Spaces, piece: str) -> None:
    """Refuse a building without a chimney left for it, another shape than that of the piece, and spaces not free."""
    if piece in parts.BUILDING_BIT and not state.chimneys(me):
        raise refusal("no_chimney")
    if cells not in state.edition.outlines[piece].placements:
        raise refusal("shape_mismatch", piece=piece, spaces=names(cells))
    require_free(state, cells)


def require_colour(state: State, me: SeatIndex, cells: Spaces, usable: int = parts.BUILDING_RIGHTS) -> None:
    """Refuse lamps and spaces of the rival beyond what the armed rights among the usable ones allow."""
    ground = state.ground
    foreign = cells & ~(ground[me] | ground[parts.MIXED])
    if not foreign:
        return
    rights = state.sides[me].armed & usable
    lamps, rival = foreign & ground[parts.LAMPS], foreign & ground[1 - me]
    if lamps.bit_count() > bool(rights & parts.METROPOLITAIN):
        raise refusal("lamp_covered", spaces=names(lamps))
    if rival.bit_count() > bool(rights & parts.CHARTIER):
        raise refusal("wrong_colour", spaces=names(rival))


def rights_used(ground: Ground, me: SeatIndex, cells: Spaces) -> int:
    foreign = cells & ~(ground[me] | ground[parts.MIXED])
    if not foreign:
        return 0
    metropolitain = parts.METROPOLITAIN if foreign & ground[parts.LAMPS] else 0
    return metropolitain | (parts.CHARTIER if foreign & ground[1 - me] else 0)


def placements(
    outline: Outline, ground: Ground, occupied: Spaces, me: SeatIndex, rights: int, random: Random | None = None
) -> Iterator[Spaces]:
    """Every set of spaces that a shape may cover for a seat with these rights."""
    plain = ground[me] | ground[parts.MIXED]
    if not rights:
        return outline.within(plain & ~occupied, random)
    lamps = ground[parts.LAMPS] if rights & parts.METROPOLITAIN else 0
    rival = ground[1 - me] if rights & parts.CHARTIER else 0
    return (
        cells
        for cells in outline.within((plain | lamps | rival) & ~occupied, random)
        if (cells & lamps).bit_count() <= 1 and (cells & rival).bit_count() <= 1
    )


def can_build(state: State, occupied: Spaces, side: Side, me: SeatIndex, rights: int) -> bool:
    """Whether a seat can put any building of its reserve on the board with these rights."""
    edition, ground = state.edition, state.ground
    if side.built.bit_count() >= edition.chimneys:
        return False
    plain = (ground[me] | ground[parts.MIXED]) & ~occupied
    for index in bits(side.reserve):
        outline = edition.outlines[parts.BUILDINGS[index]]
        if outline.fits(plain) or (rights and any(placements(outline, ground, occupied, me, rights))):
            return True
    return False
