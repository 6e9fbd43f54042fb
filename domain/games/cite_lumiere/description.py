"""One sentence for a move of La Cité de la Lumière."""

from domain.game import Seat
from domain.games.cite_lumiere.board import NAMES, names
from domain.games.cite_lumiere.moves import RIGHTS, Build, Move, Pass, Pave, Postcard, Take
from domain.games.cite_lumiere.placing import rights_used
from domain.games.cite_lumiere.postcards import joined
from domain.games.cite_lumiere.state import BUILDING_RIGHTS, CARD_BIT, CHARTIER, SEAT_INDEX, State, words
from domain.games.cite_lumiere.texts import sentence


def describe(state: State, seat: Seat, move: Move, language: str = "en") -> str:
    """One sentence for a move that is made in this state."""
    match move:
        case Pave(tile, at, rotation):
            key = "pave_turned" if rotation else "pave"
            return sentence("moves", key, language, seat=seat, tile=tile, space=NAMES[at], rotation=rotation)
        case Take(building):
            return sentence("moves", "take", language, seat=seat, building=building)
        case Pass():
            return sentence("moves", "pass", language, seat=seat)
        case Build(building, cells):
            rights = _rights(state, seat, cells, BUILDING_RIGHTS)
            key = "build_with_rights" if rights else "build"
            return sentence("moves", key, language, seat=seat, building=building, spaces=names(cells), rights=rights)
    if move.cells or move.card in RIGHTS:
        return _describe_effect(state, seat, move, language)
    return sentence("moves", "declined", language, seat=seat, card=move.card)


def _describe_effect(state: State, seat: Seat, move: Postcard, language: str) -> str:
    spaces = names(move.cells)
    widening = {"jardin_des_plantes": BUILDING_RIGHTS, "levitation": BUILDING_RIGHTS, "fontaine_des_mers": CHARTIER}
    rights = _rights(state, seat, move.cells, widening.get(move.card, 0))
    return sentence(
        "moves",
        f"{move.card}_with_rights" if rights else move.card,
        language,
        seat=seat,
        spaces=spaces,
        space="".join(spaces[:1]),
        facing=move.facing,
        give=move.give,
        take=move.take,
        building=joined(state, SEAT_INDEX[seat], move) if move.card == "bouquinistes" else None,
        rights=rights,
    )


def _rights(state: State, seat: Seat, cells: int, usable: int) -> list[str]:
    """The armed cards whose right a placement uses."""
    me = SEAT_INDEX[seat]
    return words(rights_used(state.ground, me, cells) & state.sides[me].armed & usable, CARD_BIT)
