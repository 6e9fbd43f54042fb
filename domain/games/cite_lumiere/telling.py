"""What La Cité de la Lumière says: a sentence for each move and for each reason for points."""

from collections.abc import Iterator, Sequence
from functools import partial

from domain.game import ScoreItem, Seat
from domain.games.cite_lumiere import parts
from domain.games.cite_lumiere.board import NAMES, Spaces, names
from domain.games.cite_lumiere.moves import AddAnnex, Build, Levitate, Move, Pass, Pave, Place, PlaceStatue, Take
from domain.games.cite_lumiere.parts import words
from domain.games.cite_lumiere.placing import rights_used
from domain.games.cite_lumiere.postcards import annexed
from domain.games.cite_lumiere.reasons import stored_refusal
from domain.games.cite_lumiere.scoring import SeatScore, score
from domain.games.cite_lumiere.state import State
from domain.games.cite_lumiere.texts import LANGUAGES, sentence
from domain.sentences import Count

__all__ = ["LANGUAGES", "describe", "explain", "stored_refusal"]


def describe(state: State, seat: Seat, move: Move, language: str = "en") -> str:
    match move:
        case Pave(tile, at, rotation):
            key = "pave_turned" if rotation else "pave"
            return sentence("moves", key, language, seat=seat, tile=tile, space=NAMES[at], rotation=rotation)
        case Take(building):
            return sentence("moves", "take", language, seat=seat, building=building)
        case Pass():
            return sentence("moves", "pass", language, seat=seat)
        case Build(building, cells):
            return _placement("build", state, seat, cells, parts.BUILDING_RIGHTS, language, building=building)
        case Levitate(card, give, take, cells):
            return _placement(card, state, seat, cells, parts.RIGHTS_FOR[card], language, give=give, take=take)
        case PlaceStatue(card, cells, facing):
            return _placement(card, state, seat, cells, 0, language, facing=facing)
        case AddAnnex(card, cells):
            joined = annexed(state, parts.SEAT_INDEX[seat], move)
            return _placement(card, state, seat, cells, 0, language, building=joined)
        case Place(card, cells):
            return _placement(card, state, seat, cells, parts.RIGHTS_FOR.get(card, 0), language)
    key = move.card if move.card in parts.RIGHTS else "declined"
    return sentence("moves", key, language, seat=seat, card=move.card)


def _placement(
    key: str, state: State, seat: Seat, cells: Spaces, usable: int, language: str, **values: str | None
) -> str:
    """A sentence that names the spaces, and the armed cards whose rights are used."""
    me, spaces = parts.SEAT_INDEX[seat], names(cells)
    rights = words(rights_used(state.ground, me, cells) & state.sides[me].armed & usable, parts.CARD_BIT)
    if rights:
        key = f"{key}_with_rights"
    return sentence("moves", key, language, seat=seat, spaces=spaces, space=spaces[0], rights=rights, **values)


def explain(state: State, language: str = "en") -> dict[Seat, tuple[ScoreItem, ...]]:
    return {seat: tuple(_items(state, seat, mine, language)) for seat, mine in score(state).items()}


def _items(state: State, seat: Seat, mine: SeatScore, language: str) -> Iterator[ScoreItem]:
    item = partial(_item, language)
    for one in mine.buildings:
        size, lamps = Count(one.size, "space"), names(one.lamps)
        values = {"building": one.piece, "size": size, "lamps": lamps}
        yield item("lit", one.points, "lit" if lamps else "dark", [one.piece], one.cells, one.lamps, **values)
    if mine.largest_group:
        pieces = [one.piece for one in mine.largest_group]
        cells = sum(one.cells for one in mine.largest_group)
        yield item("group", mine.group, "group", pieces, cells, buildings=pieces)
    if mine.reserve:
        unbuilt = words(state.sides[parts.SEAT_INDEX[seat]].reserve, parts.BUILDING_BIT)
        yield item("unbuilt", mine.unbuilt, "spared" if mine.spared else "unbuilt", unbuilt, buildings=unbuilt)
    for card, piece, points, sources in mine.cards:
        key = card if sources else f"{card}_nothing"
        yield item("postcards", points, key, [piece.name], piece.cells, sources, spaces=names(sources))


def _item(
    language: str,
    category: str,
    points: int,
    key: str,
    pieces: Sequence[str],
    cells: Spaces = 0,
    sources: Spaces = 0,
    **values: object,
) -> ScoreItem:
    text = sentence("score", key, language, points=Count(abs(points), "point"), **values)
    return ScoreItem(category, points, tuple(pieces), tuple(names(cells)), tuple(names(sources)), text)
