"""Where a building may lie, and the rights of Metropolitain and Chartier that widen it."""

from collections.abc import Iterator
from random import Random

from domain.games.cite_lumiere.board import Outline, bits, names
from domain.games.cite_lumiere.edition import Edition
from domain.games.cite_lumiere.parts import BUILDING_BIT, BUILDINGS, CHARTIER, LAMPS, METROPOLITAIN
from domain.games.cite_lumiere.reasons import refusal
from domain.games.cite_lumiere.state import Ground, Side, State

BUILDING_OF_BIT = {BUILDING_BIT[building]: building for building in BUILDINGS}


def require_free(state: State, cells: int) -> None:
    """Refuse spaces that bear a piece."""
    if taken := cells & state.occupied:
        raise refusal("space_not_free", spaces=names(taken))


def require_placement(state: State, me: int, outline: Outline, cells: int, piece: str) -> None:
    """Refuse what cannot lie there: a missing chimney, another shape, spaces that bear a piece."""
    if not state.chimneys(me):
        raise refusal("no_chimney")
    require_shape(outline, cells, piece)
    require_free(state, cells)


def require_shape(outline: Outline, cells: int, piece: str) -> None:
    """Refuse spaces that are not of a piece's shape."""
    if cells not in outline.placements:
        raise refusal("shape_mismatch", piece=piece, spaces=names(cells))


def require_colour(state: State, me: int, cells: int, rights: int) -> None:
    """Refuse lamps and spaces of the rival beyond what the rights among `rights` allow."""
    ground = state.ground
    foreign = cells & ~(ground[me] | ground[2])
    if not foreign:
        return
    lamps, rival = foreign & ground[LAMPS], foreign & ground[1 - me]
    if lamps.bit_count() > bool(rights & METROPOLITAIN):
        raise refusal("lamp_covered", spaces=names(lamps))
    if rival.bit_count() > bool(rights & CHARTIER):
        raise refusal("wrong_colour", spaces=names(rival))


def rights_used(ground: Ground, me: int, cells: int) -> int:
    """The rights that a placement on these spaces uses."""
    foreign = cells & ~(ground[me] | ground[2])
    if not foreign:
        return 0
    return (METROPOLITAIN if foreign & ground[LAMPS] else 0) | (CHARTIER if foreign & ground[1 - me] else 0)


def placements(
    outline: Outline, ground: Ground, occupied: int, me: int, rights: int, random: Random | None = None
) -> Iterator[int]:
    """Every set of spaces that a shape may cover for a seat with these rights."""
    plain = (ground[me] | ground[2]) & ~occupied
    if not rights:
        return outline.within(plain) if random is None else outline.within_at_random(plain, random)
    return _with_rights(outline, ground, occupied, me, rights, random)


def _with_rights(
    outline: Outline, ground: Ground, occupied: int, me: int, rights: int, random: Random | None = None
) -> Iterator[int]:
    lamps = ground[LAMPS] if rights & METROPOLITAIN else 0
    rival = ground[1 - me] if rights & CHARTIER else 0
    allowed = (ground[me] | ground[2] | lamps | rival) & ~occupied
    for cells in outline.within(allowed) if random is None else outline.within_at_random(allowed, random):
        if (cells & lamps).bit_count() <= 1 and (cells & rival).bit_count() <= 1:
            yield cells


def can_build(edition: Edition, ground: Ground, occupied: int, side: Side, me: int, rights: int) -> bool:
    """Whether a seat can put any building of its reserve on the board with these rights."""
    if side.built.bit_count() >= edition.chimneys:
        return False
    plain = (ground[me] | ground[2]) & ~occupied
    for bit in bits(side.reserve):
        outline = edition.outlines[BUILDING_OF_BIT[bit]]
        if outline.fits(plain):
            return True
        if rights and any(_with_rights(outline, ground, occupied, me, rights)):
            return True
    return False
