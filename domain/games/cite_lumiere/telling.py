"""What La Cité de la Lumière says: a sentence for each move and for each reason for points."""

from domain.game import ScoreItem, Seat
from domain.games.cite_lumiere.board import NAMES, names
from domain.games.cite_lumiere.moves import Build, Move, Pass, Pave, Postcard, Take
from domain.games.cite_lumiere.parts import (
    BUILDING_BIT,
    BUILDING_RIGHTS,
    BUILDINGS,
    CARD_BIT,
    CHARTIER,
    RIGHTS,
    SEAT_INDEX,
    words,
)
from domain.games.cite_lumiere.placing import rights_used
from domain.games.cite_lumiere.postcards import joined
from domain.games.cite_lumiere.scoring import BuildingScore, CardScore, SeatScore, score
from domain.games.cite_lumiere.state import State
from domain.games.cite_lumiere.texts import LANGUAGES, sentence
from domain.sentences import Count

__all__ = ["LANGUAGES", "describe", "explain"]


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


def explain(state: State, language: str = "en") -> dict[Seat, tuple[ScoreItem, ...]]:
    """Where each point of `score` comes from."""
    return {seat: tuple(_items(state, seat, seat_score, language)) for seat, seat_score in score(state).items()}


def _items(state: State, seat: Seat, seat_score: SeatScore, language: str) -> list[ScoreItem]:
    items = [_lit_item(building, language) for building in seat_score.buildings]
    if group := seat_score.largest_group:
        pieces = [building.piece for building in group]
        items.append(
            ScoreItem(
                "group",
                seat_score.group,
                tuple(pieces),
                tuple(names(sum(building.cells for building in group))),
                (),
                sentence("score", "group", language, buildings=pieces, points=Count(seat_score.group, "point")),
            )
        )
    if seat_score.reserve:
        unbuilt = [b for b in BUILDINGS if BUILDING_BIT[b] & state.sides[SEAT_INDEX[seat]].reserve]
        key = "spared" if seat_score.spared else "unbuilt"
        text = sentence("score", key, language, buildings=unbuilt, points=Count(-seat_score.unbuilt, "point"))
        items.append(ScoreItem("unbuilt", seat_score.unbuilt, tuple(unbuilt), (), (), text))
    items += [_card_item(card, language) for card in seat_score.cards]
    return items


def _lit_item(building: BuildingScore, language: str) -> ScoreItem:
    lamps = names(building.lamps)
    text = sentence(
        "score",
        "lit" if lamps else "dark",
        language,
        building=building.piece,
        size=Count(building.size, "space"),
        lamps=lamps,
        points=Count(building.points, "point"),
    )
    return ScoreItem("lit", building.points, (building.piece,), tuple(names(building.cells)), tuple(lamps), text)


def _card_item(card: CardScore, language: str) -> ScoreItem:
    sources = names(card.sources)
    key = card.card if sources else f"{card.card}_nothing"
    text = sentence("score", key, language, points=Count(card.points, "point"), spaces=sources)
    return ScoreItem("postcards", card.points, (card.piece.name,), tuple(names(card.piece.cells)), tuple(sources), text)
