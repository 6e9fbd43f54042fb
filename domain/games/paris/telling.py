"""The sentences of Paris: one for a move, and one for each reason for points."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from domain.game import NO_GAIN, Gain, GainItem, ScoreItem, Seat
from domain.games.paris import moves, parts
from domain.games.paris.edition import PerPair, PerUnusedTile
from domain.games.paris.moves import Move
from domain.games.paris.reasons import stored_refusal
from domain.games.paris.revealing import space_of
from domain.games.paris.rules import apply
from domain.games.paris.scoring import SeatScore, differences, score
from domain.games.paris.state import Award, Side, State
from domain.games.paris.texts import LANGUAGES, phrase, sentence
from domain.sentences import Count, signed

__all__ = ["LANGUAGES", "describe", "explain", "gains", "stored_refusal"]

# Moves


def describe(state: State, seat: Seat, move: Move, language: str = "en") -> str:
    me, outcome = state.table.seats.index(seat), apply(state, seat, move)
    before, after = state.sides[me], outcome.sides[me]
    if isinstance(move, moves.MoveKey):
        spent = [now - was for was, now in zip(state.board.market, outcome.board.market, strict=True)]
        key, values = _move_key(move, before, after, spent, language)
    else:
        key, values = _told(state, move, before, after)
    return sentence("moves", key, language, seat=seat, **values)


Told: TypeAlias = tuple[str, dict[str, object]]
"""The key of a sentence, and what it names."""


def _told(state: State, move: Move, before: Side, after: Side) -> Told:
    paid, got = _francs(before.francs - after.francs), _francs(after.francs - before.francs)
    match move:
        case moves.Reveal():
            return _reveal(state, move)
        case moves.PlaceKey(at):
            return "place_arc" if at == parts.ARC else "place_bank", {"place": parts.PLACES[at], "francs": got}
        case moves.TakeEndTile(tile):
            return "take_end_tile", {"tile": parts.TILE_NAMES[tile]}
        case moves.Advance(to):
            key = "advance_paid" if paid.number else "advance"
            return key, {"space": to, "tile": state.table.number_on[to], "francs": paid}
        case moves.ScoreTile(tile, district):
            return "score_tile", {"tile": parts.SCORING_TILES[tile], "district": parts.DISTRICTS[district]}
        case moves.Buy(kind):
            return "buy", {"tokens": Count(1, parts.KINDS[kind]), "francs": paid}
        case moves.Sell(kind, None):
            return "sell", {"tokens": Count(1, parts.KINDS[kind]), "francs": got}
        case moves.Sell(kind, int(tile)):
            return "sell_tile", {"tile": parts.TILE_NAMES[tile], "tokens": Count(1, parts.KINDS[kind]), "francs": got}
        case moves.Activate():
            return _activate(state, move, before, after)
    return "end_turn", {}


def _activate(state: State, move: moves.Activate, before: Side, after: Side) -> Told:
    points = _gained(before, after)
    match move:
        case moves.TakeTile(tile, take):
            return "activate_take", {"tile": tile, "take": take}
        case moves.StepBack(tile, to):
            return "activate_to", {"tile": tile, "space": to, "take": state.table.number_on[to]}
        case moves.GivePairs(tile, pairs):
            given = _counted((2 * count for count in pairs), range(len(parts.KINDS)))
            return "activate_pairs", {"tile": tile, "tokens": given, "gains": points}
    if after.keys > before.keys:
        return "activate_key", {"tile": move.tile, "francs": _francs(before.francs - after.francs)}
    gains = [count for count in (_francs(after.francs - before.francs), points) if count.number > 0]
    return "activate_for" if gains else "activate", {"tile": move.tile, "gains": gains}


def _reveal(state: State, move: moves.Reveal) -> Told:
    key = {moves.Reveal: "reveal", moves.RevealIn: "reveal_in", moves.Discard: "reveal_discard"}[type(move)]
    tile, space = parts.SPACES[move.tile], parts.SPACES[space_of(move)]
    return key, {"type": state.edition.types[move.tile], "tile": tile, "stack": move.stack + 1, "space": space}


def _move_key(move: moves.MoveKey, before: Side, after: Side, spent: Iterable[int], language: str) -> Told:
    add, more = partial(phrase, "moves", language=language), ""
    if move.placing is not None:
        landmark, district = move.placing
        more += add("placing", landmark=parts.PLACES[landmark], district=parts.DISTRICTS[district])
    if move.using is not None:
        more += add("using", tile=move.using)
    if move.spend:
        more += add("spend", tiles=[add("as", tile=parts.TILE_NAMES[t], kind=parts.KINDS[k]) for t, k in move.spend])
    if any(move.prestige):
        more += add("prestige", tokens=_counted(move.prestige, parts.PRESTIGE), points=_gained(before, after))
    source, target = parts.PLACES[move.source], parts.PLACES[move.target]
    price = [_francs(before.francs - after.francs), *_counted(spent, parts.RESOURCES)]
    return "move_key", {"source": source, "target": target, "price": price, "more": more}


def _francs(number: int) -> Count:
    return Count(number, "franc")


def _gained(before: Side, after: Side) -> Count:
    return Count(after.points - before.points, "point")


def _counted(counts: Iterable[int], kinds: range) -> list[Count]:
    """Tokens of some kinds that are there."""
    return [Count(count, parts.KINDS[kind]) for kind, count in enumerate(counts) if kind in kinds and count > 0]


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
        values = {"place": place, "district": parts.DISTRICTS[district], "value": value}
        item = _item("district", "district", language, Award(points, None, owned), **values)
        yield replace(item, part=parts.DISTRICTS[district])


def _category(state: State, award: Award) -> tuple[str, str]:
    """What kind of thing gave points, and the sentence for it."""
    if award.tile is None:
        category = "building" if award.places[0] < parts.FIRST_LANDMARK else "landmark"
        return category, category
    if award.tile >= parts.FIRST_END_TILE:
        return "end_tile", "end_tile"
    if award.places:
        return "bonus", "bonus_owned"
    return "bonus", _SENTENCES.get(type(state.edition.effects[award.tile]), "bonus")


_SENTENCES = {PerUnusedTile: "bonus_unused", PerPair: "bonus_pairs"}


def _item(category: str, key: str, language: str, award: Award, **values: object) -> ScoreItem:
    sources = tuple(parts.PLACES[place] for place in award.places)
    places = tuple(dict.fromkeys(sources))
    pieces = places if award.tile is None else (parts.TILE_NAMES[award.tile],)
    points = Count(award.points, "point")
    named = {"tile": pieces[0], "place": pieces[0], "places": [*sources], "properties": [*sources], "points": points}
    text = sentence("score", key, language, **{**named, **values})
    return ScoreItem(category, award.points, pieces, places, sources, text)


# What a move would give


def gains(state: State, listed: Iterable[Move], language: str = "en") -> Iterator[Gain]:
    for move in listed:
        # A building that is revealed and the end of a turn count for nobody.
        yield NO_GAIN if isinstance(move, moves.Reveal | moves.EndTurn) else _gain(state, move, language)


def _gain(state: State, move: Move, language: str) -> Gain:
    outcome = apply(state, state.table.seats[state.mover], move)
    items = tuple(
        GainItem(category, points, _gained_in(district, category, points, language))
        for district, category, points in differences(state, outcome, state.mover)
    )
    return Gain(sum(item.points for item in items), items) if items else NO_GAIN


def _gained_in(district: int | None, category: str, points: int, language: str) -> str:
    where = {} if district is None else {"district": parts.DISTRICTS[district]}
    return phrase("gains", category, language, points=signed(points), **where)
