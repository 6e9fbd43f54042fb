"""The sentences of Paris: one for a move, and one for each reason for points."""

from collections.abc import Iterable, Iterator

from domain.game import ScoreItem, Seat
from domain.games.paris.edition import Edition, PerPair, PerUnusedTile
from domain.games.paris.moves import (
    Activate,
    Advance,
    Buy,
    Move,
    MoveKey,
    PlaceKey,
    Reveal,
    ScoreTile,
    Sell,
    TakeEndTile,
)
from domain.games.paris.parts import (
    ARC,
    DISTRICTS,
    END_TILE_INDEX,
    FIRST_LANDMARK,
    KINDS,
    PLACE_INDEX,
    PLACES,
    PRESTIGE,
    RESOURCES,
    SCORING_TILES,
    SPACES,
    TILE_NAMES,
)
from domain.games.paris.revealing import space_of
from domain.games.paris.rules import apply
from domain.games.paris.scoring import points_of_francs, scored_districts, standings
from domain.games.paris.state import Award, Side, State
from domain.games.paris.texts import LANGUAGES, phrase, sentence
from domain.sentences import Count

__all__ = ["LANGUAGES", "describe", "explain"]


def describe(state: State, seat: Seat, move: Move, language: str = "en") -> str:
    """One sentence for a move that is made in this state."""
    me, outcome = state.table.seats.index(seat), apply(state, seat, move)
    words, before, after = _Words(seat, language), state.sides[me], outcome.sides[me]
    if isinstance(move, MoveKey):
        spent = [now - was for was, now in zip(state.board.market, outcome.board.market, strict=True)]
        return _move_key(move, before, after, spent, words)
    return _sentence(state, move, before, after, words)


class _Words:
    """The sentences on what one seat does, in one language."""

    def __init__(self, seat: Seat, language: str) -> None:
        self.seat = seat
        self.language = language

    def say(self, key: str, **values: object) -> str:
        """A whole sentence."""
        return sentence("moves", key, self.language, seat=self.seat, **values)

    def add(self, key: str, **values: object) -> str:
        """What follows in a sentence."""
        return phrase("moves", key, self.language, **values)


def _sentence(state: State, move: Move, before: Side, after: Side, words: _Words) -> str:
    paid, got = _francs(before.francs - after.francs), _francs(after.francs - before.francs)
    match move:
        case Reveal():
            return _reveal(state, move, words)
        case PlaceKey(at):
            return words.say("place_arc" if at == ARC else "place_bank", place=PLACES[at], francs=got)
        case TakeEndTile(tile):
            return words.say("take_end_tile", tile=TILE_NAMES[tile])
        case Advance(to):
            key = "advance_paid" if paid.number else "advance"
            return words.say(key, space=to, tile=state.table.number_on[to], francs=paid)
        case ScoreTile(tile, district):
            return words.say("score_tile", tile=SCORING_TILES[tile], district=DISTRICTS[district])
        case Buy(kind):
            return words.say("buy", tokens=Count(1, KINDS[kind]), francs=paid)
        case Sell(kind, tile):
            name = None if tile is None else TILE_NAMES[tile]
            return words.say(
                "sell" if tile is None else "sell_tile", tile=name, tokens=Count(1, KINDS[kind]), francs=got
            )
        case Activate():
            return _activate(state, move, before, after, words)
    return words.say("end_turn")


def _reveal(state: State, move: Reveal, words: _Words) -> str:
    key = "reveal_discard" if move.discard else "reveal" if move.district is None else "reveal_in"
    return words.say(
        key,
        type=state.edition.types[move.tile],
        tile=SPACES[move.tile],
        stack=move.stack + 1,
        space=SPACES[space_of(move)],
    )


def _move_key(move: MoveKey, before: Side, after: Side, spent: Iterable[int], words: _Words) -> str:
    more = ""
    if move.placing is not None:
        landmark, district = move.placing
        more += words.add("placing", landmark=PLACES[landmark], district=DISTRICTS[district])
    if move.using is not None:
        more += words.add("using", tile=move.using)
    if move.spend:
        more += words.add("spend", tiles=[words.add("as", tile=TILE_NAMES[t], kind=KINDS[k]) for t, k in move.spend])
    if any(move.prestige):
        points = Count(after.points - before.points, "point")
        more += words.add("prestige", tokens=_counted(move.prestige, PRESTIGE), points=points)
    price = [_francs(before.francs - after.francs), *_counted(spent, RESOURCES)]
    return words.say("move_key", source=PLACES[move.source], target=PLACES[move.target], price=price, more=more)


def _activate(state: State, move: Activate, before: Side, after: Side, words: _Words) -> str:
    gains = [
        count
        for count in (_francs(after.francs - before.francs), Count(after.points - before.points, "point"))
        if count.number > 0
    ]
    if move.take is not None:
        return words.say("activate_take", tile=move.tile, take=move.take)
    if move.to is not None:
        return words.say("activate_to", tile=move.tile, space=move.to, take=state.table.number_on[move.to])
    if after.keys > before.keys:
        return words.say("activate_key", tile=move.tile, francs=_francs(before.francs - after.francs))
    if any(move.pairs):
        given = [2 * pairs for pairs in move.pairs]
        points = Count(after.points - before.points, "point")
        return words.say("activate_pairs", tile=move.tile, tokens=_counted(given, range(len(KINDS))), gains=points)
    return words.say("activate_for" if gains else "activate", tile=move.tile, gains=gains)


def _francs(number: int) -> Count:
    return Count(number, "franc")


def _counted(counts: Iterable[int], kinds: range) -> list[Count]:
    """Tokens of some kinds that are there."""
    return [Count(count, KINDS[kind]) for kind, count in enumerate(counts) if kind in kinds and count > 0]


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
