"""The sentences of Paris: one for a move, and one for each reason for points."""

from collections.abc import Iterable, Iterator

from domain.game import ScoreItem, Seat
from domain.games.paris.edition import PerPair, PerUnusedTile
from domain.games.paris.moves import (
    Activate,
    Advance,
    Buy,
    Discard,
    GivePairs,
    Move,
    MoveKey,
    PlaceKey,
    Reveal,
    RevealIn,
    ScoreTile,
    Sell,
    StepBack,
    TakeEndTile,
    TakeTile,
)
from domain.games.paris.parts import (
    ARC,
    DISTRICTS,
    FIRST_END_TILE,
    FIRST_LANDMARK,
    KINDS,
    PLACES,
    PRESTIGE,
    RESOURCES,
    SCORING_TILES,
    SPACES,
    TILE_NAMES,
)
from domain.games.paris.revealing import space_of
from domain.games.paris.rules import apply
from domain.games.paris.scoring import SeatScore, score
from domain.games.paris.state import Award, Side, State
from domain.games.paris.texts import LANGUAGES, phrase, sentence
from domain.sentences import Count

__all__ = ["LANGUAGES", "describe", "explain"]

# Moves


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
        """A part of a sentence."""
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
        case Sell(kind, None):
            return words.say("sell", tokens=Count(1, KINDS[kind]), francs=got)
        case Sell(kind, int(tile)):
            return words.say("sell_tile", tile=TILE_NAMES[tile], tokens=Count(1, KINDS[kind]), francs=got)
        case Activate():
            return _activate(state, move, before, after, words)
    return words.say("end_turn")


def _activate(state: State, move: Activate, before: Side, after: Side, words: _Words) -> str:
    points = _gained(before, after)
    match move:
        case TakeTile(tile, take):
            return words.say("activate_take", tile=tile, take=take)
        case StepBack(tile, to):
            return words.say("activate_to", tile=tile, space=to, take=state.table.number_on[to])
        case GivePairs(tile, pairs):
            given = _counted((2 * count for count in pairs), range(len(KINDS)))
            return words.say("activate_pairs", tile=tile, tokens=given, gains=points)
    if after.keys > before.keys:
        return words.say("activate_key", tile=move.tile, francs=_francs(before.francs - after.francs))
    gains = [count for count in (_francs(after.francs - before.francs), points) if count.number > 0]
    return words.say("activate_for" if gains else "activate", tile=move.tile, gains=gains)


def _reveal(state: State, move: Reveal, words: _Words) -> str:
    key = {Reveal: "reveal", RevealIn: "reveal_in", Discard: "reveal_discard"}[type(move)]
    kind, space = state.edition.types[move.tile], SPACES[space_of(move)]
    return words.say(key, type=kind, tile=SPACES[move.tile], stack=move.stack + 1, space=space)


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
        tokens = _counted(move.prestige, PRESTIGE)
        more += words.add("prestige", tokens=tokens, points=_gained(before, after))
    price = [_francs(before.francs - after.francs), *_counted(spent, RESOURCES)]
    return words.say("move_key", source=PLACES[move.source], target=PLACES[move.target], price=price, more=more)


def _francs(number: int) -> Count:
    return Count(number, "franc")


def _gained(before: Side, after: Side) -> Count:
    return Count(after.points - before.points, "point")


def _counted(counts: Iterable[int], kinds: range) -> list[Count]:
    """Tokens of some kinds that are there."""
    return [Count(count, KINDS[kind]) for kind, count in enumerate(counts) if kind in kinds and count > 0]


# Points


def explain(state: State, language: str = "en") -> dict[Seat, tuple[ScoreItem, ...]]:
    """Where each point of `score` comes from: what was given in order, then what the end would give."""
    return {
        seat: tuple(_items(state, seat_score, side, language))
        for (seat, seat_score), side in zip(score(state).items(), state.sides, strict=True)
    }


def _items(state: State, seat_score: SeatScore, side: Side, language: str) -> Iterator[ScoreItem]:
    for award in seat_score.awards:
        category, key = _category(state, award)
        yield _item(category, key, language, award)
    for tile, points in seat_score.francs.items():
        yield _item("francs_tile", "francs_tile", language, Award(points, tile, ()), francs=_francs(side.francs))
    for district, (owned, value, place, points) in seat_score.districts.items():
        told = {"place": place, "district": DISTRICTS[district], "value": value}
        yield _item("district", "district", language, Award(points, None, owned), **told)


def _category(state: State, award: Award) -> tuple[str, str]:
    """What kind of thing gave points, and the sentence for it."""
    if award.tile is None:
        category = "building" if award.places[0] < FIRST_LANDMARK else "landmark"
        return category, category
    if award.tile >= FIRST_END_TILE:
        return "end_tile", "end_tile"
    if award.places:
        return "bonus", "bonus_owned"
    return "bonus", _SENTENCES.get(type(state.edition.effects[award.tile]), "bonus")


_SENTENCES = {PerUnusedTile: "bonus_unused", PerPair: "bonus_pairs"}


def _item(category: str, key: str, language: str, award: Award, **values: object) -> ScoreItem:
    sources = tuple(PLACES[place] for place in award.places)
    places = tuple(dict.fromkeys(sources))
    pieces = places if award.tile is None else (TILE_NAMES[award.tile],)
    points = Count(award.points, "point")
    named = {"tile": pieces[0], "place": pieces[0], "places": [*sources], "properties": [*sources], "points": points}
    text = sentence("score", key, language, **{**named, **values})
    return ScoreItem(category, award.points, pieces, places, sources, text)
