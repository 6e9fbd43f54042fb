"""Where each point of Paris comes from, in sentences."""

from collections.abc import Iterator

from domain.game import ScoreItem, Seat
from domain.games.paris.board import (
    DISTRICTS,
    END_TILE_INDEX,
    FIRST_LANDMARK,
    PLACE_INDEX,
    PLACES,
    TILE_NAMES,
)
from domain.games.paris.edition import Edition
from domain.games.paris.effects import PerPair, PerUnusedTile
from domain.games.paris.scoring import points_of_francs, scored_districts, standings
from domain.games.paris.state import Award, State
from domain.games.paris.texts import sentence
from domain.sentences import Count


def explain(state: State, language: str = "en") -> dict[Seat, tuple[ScoreItem, ...]]:
    """Where each point of `score` comes from: what was given in order, then what the end would give."""
    return {seat: tuple(_items(state, me, language)) for me, seat in enumerate(state.table.seats)}


def _items(state: State, me: int, language: str) -> Iterator[ScoreItem]:
    side = state.sides[me]
    for award in side.awards:
        yield _award_item(state.edition, award, language)
    for tile, points in points_of_francs(state, side).items():
        name = TILE_NAMES[tile]
        text = sentence(
            "score",
            "francs_tile",
            language,
            tile=name,
            francs=Count(side.francs, "franc"),
            points=Count(points, "point"),
        )
        yield ScoreItem("francs_tile", points, (name,), (), (), text)
    for district in scored_districts(state):
        yield from _district_item(state, me, district, language)


def _award_item(edition: Edition, award: Award, language: str) -> ScoreItem:
    category, key = _category(edition, award)
    places = tuple(PLACES[place] for place in award.places)
    text = sentence(
        "score",
        key,
        language,
        tile=award.origin,
        place=award.origin,
        places=list(places),
        points=Count(award.points, "point"),
    )
    return ScoreItem(category, award.points, (award.origin,), tuple(dict.fromkeys(places)), places, text)


def _category(edition: Edition, award: Award) -> tuple[str, str]:
    """What kind of thing gave points, and the sentence for it."""
    if award.origin in PLACE_INDEX:
        category = "building" if PLACE_INDEX[award.origin] < FIRST_LANDMARK else "landmark"
        return category, category
    if award.origin in END_TILE_INDEX:
        return "end_tile", "end_tile"
    if award.places:
        return "bonus", "bonus_owned"
    return "bonus", _SENTENCES.get(type(edition.effects[int(award.origin)]), "bonus")


_SENTENCES = {PerUnusedTile: "bonus_unused", PerPair: "bonus_pairs"}


def _district_item(state: State, me: int, district: int, language: str) -> Iterator[ScoreItem]:
    standing = standings(state, district).get(me)
    if standing is None:
        return
    places = state.board.properties(district)
    owned = [PLACES[place] for place in places for owner in state.board.keys[place] if owner == me]
    text = sentence(
        "score",
        "district",
        language,
        place=standing.place,
        district=DISTRICTS[district],
        value=standing.value,
        properties=owned,
        points=Count(standing.points, "point"),
    )
    pieces = tuple(dict.fromkeys(owned))
    yield ScoreItem("district", standing.points, pieces, pieces, tuple(owned), text)
