"""What holds in every match: conservation, agreement of listing and checking, symmetry, whatever the edition says."""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from domain.game import JsonObject, Kind, Refusal, Seat
from domain.games.paris.edition import Edition
from domain.games.paris.moves import EndTurn, Move, MoveKey
from domain.games.paris.parts import (
    DISTRICTS,
    END_TILES,
    KINDS,
    LANDMARKS,
    PLACES,
    PROPERTIES,
    SCORING_TILES,
    SPACES,
    TYPES,
    VALUES,
)
from domain.games.paris.state import State
from tests.domain.cases import enter
from tests.domain.games.paris import conceivable
from tests.domain.games.paris.conceivable import PRESTIGE_KINDS, RESOURCE_KINDS
from tests.domain.games.paris.matches import MAX_PLIES, Match, drawn, somewhere
from tests.domain.games.paris.positions import EDITION, GAME, SEATS, edition_with

pytestmark = pytest.mark.uncounted

PHASES = ("main", "last_round", "final_turns", "over")
PROPERTY_NAMES = PLACES[: PROPERTIES.stop]
BOUND_TO_NUMBERS = (9, 16, 17, 23, 24, 25)
TURN_OVER = dict.fromkeys(("revealed", "acted", "may_advance", "may_score_tile"), False) | {"advance_fee": 0}

seeds = st.integers(0, 2**32 - 1)
fractions = st.floats(0, 1, exclude_max=True)
few = settings(max_examples=6, deadline=None)
some = settings(max_examples=12, deadline=None)


# Conservation


@given(seeds)
@some
def test_every_match_ends_and_each_move_is_one_ply(seed: int) -> None:
    states = Match(seed).states
    assert [state.ply for state in states] == list(range(len(states)))
    assert [GAME.rules.result(state) is None for state in states] == [state.to_move is not None for state in states]
    last = GAME.view.dump(states[-1])
    assert (last["to_move"], last["turn"], last["end_tiles"]) == (None, TURN_OVER, [])
    phases = [PHASES.index(state.phase) for state in states]
    assert phases == sorted(phases) and phases[-1] == PHASES.index("over")


@given(seeds)
@some
def test_all_seats_have_the_same_number_of_turns_and_act_once_in_each(seed: int) -> None:
    match = Match(seed)
    turns = Counter(seat for seat, move in match.plies if move == EndTurn())
    assert len(set(turns.values())) == 1 and set(turns) == set(match.seats)
    acted = revealed = 0
    for before, seat, move, _ in match.played:
        json = GAME.move.dump(move)
        acted += json["type"] in ("place_key", "move_key", "take_end_tile")
        revealed += json["type"] == "reveal"
        assert acted <= 1 and revealed <= 1 and seat == before.to_move
        if json["type"] == "end_turn":
            assert revealed == any(before.board.stacks) or before.turn.revealed
            acted = revealed = 0


def require_conserved(state: State, edition: Edition = EDITION) -> None:
    """Assert that every part of the box is in one place, and in none more often than the rules allow."""
    dumped = GAME.view.dump(state)
    require_keys(dumped, edition)
    require_tokens(dumped)
    require_tiles(dumped, edition, state.table.free_placement)


def keys_by_place(dumped: JsonObject) -> dict[str, list[Seat]]:
    """The keys of a dumped state."""
    return {
        "arc": dumped["arc"],
        **{f"bank:{district}": keys for district, keys in dumped["banks"].items()},
        **{space: building["keys"] for space, building in dumped["buildings"].items()},
        **{f"landmark-{value}": landmark["keys"] for value, landmark in dumped["landmarks"]["placed"].items()},
    }


def require_keys(dumped: JsonObject, edition: Edition) -> None:
    places = keys_by_place(dumped)
    lying = Counter(seat for keys in places.values() for seat in keys)
    players = len(dumped["seats"])
    for seat, side in dumped["seats"].items():
        assert side["keys"] + side["reserve"] + lying[seat] == edition.keys_in_hand[players] + edition.keys_in_reserve
        assert side["keys"] >= 0 and 0 <= side["reserve"] <= edition.keys_in_reserve
    for place, keys in places.items():
        assert place in PROPERTY_NAMES or len(keys) == len(set(keys))
    crowded = sum(max(0, len(places.get(place, ())) - 1) for place in PROPERTY_NAMES)
    assert crowded <= sum(number in (9, 16) for side in dumped["seats"].values() for number in side["used_bonus"])


def require_tokens(dumped: JsonObject) -> None:
    held = Counter(dumped["tokens"].values())
    for side in dumped["seats"].values():
        held.update(side["resources"] | side["prestige"])
        assert min(side["francs"], *side["resources"].values(), *side["prestige"].values()) >= 0
    held.update(dumped["market"])
    assert min(dumped["market"].values()) >= 0
    for kind in KINDS:
        assert held[kind] == 6 or (kind in ("bronze", "silver", "gilt") and held[kind] < 6)


def require_tiles(dumped: JsonObject, edition: Edition, free_placement: bool) -> None:
    lying = [building["tile"] for building in dumped["buildings"].values()] + dumped["discarded"]
    assert len(set(lying)) == len(lying) and set(lying) <= set(SPACES)
    aside = 0 if free_placement else edition.tiles_set_aside
    assert len(lying) + sum(dumped["stacks"]) + aside == len(SPACES)
    for space, building in dumped["buildings"].items():
        assert building["tile"].split("-")[1] == space.split("-")[1]
        assert free_placement or building["tile"] == space
        assert building["type"] == edition.document["buildings"][building["tile"]]["type"]["value"]
    landmarks = dumped["landmarks"]
    assert sorted([*landmarks["available"], *map(int, landmarks["placed"])]) == list(LANDMARKS)
    scoring = dumped["scoring_tiles"]
    assert sorted([*scoring["available"], *scoring["placed"].values()]) == sorted(SCORING_TILES)
    require_bonus_tiles(dumped, edition)


def require_bonus_tiles(dumped: JsonObject, edition: Edition) -> None:
    tiles = Counter(number for numbers in dumped["track"].values() for number in numbers)
    ends: Counter[str] = Counter(dumped["end_tiles"])
    for side in dumped["seats"].values():
        assert not set(side["bonus"]) & set(side["used_bonus"])
        assert set(side["half_used"]) <= {*map(str, side["bonus"]), *side["end_tiles"]}
        tiles.update([*side["bonus"], *side["used_bonus"]])
        ends.update(side["end_tiles"])
    copies = {int(players): leaf["value"] for players, leaf in edition.document["bonus_copies"].items()}
    twice = [number for players, numbers in copies.items() if players <= len(dumped["seats"]) for number in numbers]
    assert tiles == {number: 1 + (number in twice) for number in range(1, 31)}
    assert all(count == 1 for count in ends.values())


@given(seeds)
@some
def test_nothing_appears_or_vanishes(seed: int) -> None:
    for state in Match(seed).states:
        require_conserved(state)


@given(seeds)
@some
def test_what_is_gone_or_given_never_comes_back(seed: int) -> None:
    for before, _, _, after in Match(seed).played:
        earlier, later = GAME.view.dump(before), GAME.view.dump(after)
        assert set(later["end_tiles"]) <= set(earlier["end_tiles"]) and set(later["tokens"]) <= set(earlier["tokens"])
        assert earlier["landmarks"]["placed"].keys() <= later["landmarks"]["placed"].keys()
        assert earlier["scoring_tiles"]["placed"].items() <= later["scoring_tiles"]["placed"].items()
        for seat in earlier["seats"]:
            side, then = earlier["seats"][seat], later["seats"][seat]
            assert set(side["used_bonus"]) <= set(then["used_bonus"]) and side["points"] <= then["points"]
            assert seat == before.to_move or side == then


@given(seeds)
@some
def test_the_items_of_an_explanation_add_up_to_the_score_at_every_ply(seed: int) -> None:
    for state in Match(seed).states:
        dumped = GAME.view.dump(state)
        for seat, items in GAME.telling.explain(state).items():
            row, points = dumped["score"][seat], Counter[str]()
            for item in items:
                points[item.category] += item.points
            assert sum(item.points for item in items) == row["total"] == GAME.rules.totals(state)[seat]
            assert row["points"] == dumped["seats"][seat]["points"]
            assert points["francs_tile"] == row["francs_tile"]
            assert points["district"] == sum(row["districts"].values())
            assert set(row["districts"]) == set(dumped["scoring_tiles"]["placed"])


# Listing and checking


@given(seeds, fractions, st.booleans())
@settings(max_examples=8, deadline=None)
def test_the_listed_moves_are_all_conceivable_ones_that_are_accepted_but_for_extras(
    seed: int, fraction: float, printed: bool
) -> None:
    state = somewhere(seed, fraction, EDITION if printed else any_edition(seed), at_choice=True)
    assume(len(conceivable.spends(state)) < 200)
    listed = list(GAME.rules.legal_moves(state))
    assert len(listed) == len(set(listed))
    tried = (*conceivable.simple_moves(), *conceivable.key_moves(state))
    found = {conceivable.essence(move) for move in conceivable.accepted(state, tried)}
    assert {conceivable.essence(move) for move in listed} == found
    assert list(conceivable.accepted(state, listed)) == listed


@given(seeds, fractions)
@some
def test_the_simple_moves_are_listed_exactly_when_they_are_accepted(seed: int, fraction: float) -> None:
    state = somewhere(seed, fraction)
    listed = {move for move in GAME.rules.legal_moves(state) if not isinstance(move, MoveKey)}
    assert listed == set(conceivable.accepted(state, conceivable.simple_moves()))


@given(seeds)
@few
def test_at_every_ply_all_listed_moves_are_accepted_and_the_turn_ends_only_when_that_is_listed(seed: int) -> None:
    for state in Match(seed).states[:-1]:
        listed = list(GAME.rules.legal_moves(state))
        assert list(conceivable.accepted(state, listed)) == listed != []
        assert (EndTurn() in listed) == bool(list(conceivable.accepted(state, [EndTurn()])))


@given(seeds)
@some
def test_a_legal_move_has_the_same_effect_whenever_it_is_made(seed: int) -> None:
    for before, seat, move, after in Match(seed).played:
        again = GAME.rules.apply(before, seat, move)
        assert again == after and hash(again) == hash(after)


@given(seeds, fractions)
@some
def test_a_move_changes_no_state_but_makes_a_new_one(seed: int, fraction: float) -> None:
    state = somewhere(seed, fraction)
    seat = state.to_move
    assert seat is not None
    before, number, listed = repr(state), hash(state), list(GAME.rules.legal_moves(state))
    for move in listed:
        after = GAME.rules.apply(state, seat, move)
        assert after != state and after.ply == state.ply + 1
        GAME.view.dump(after)
    assert (repr(state), hash(state)) == (before, number)
    assert list(GAME.rules.legal_moves(state)) == listed


@given(seeds, fractions)
@some
def test_what_the_rules_alone_refuse_can_be_recorded_as_a_ruling(seed: int, fraction: float) -> None:
    state = somewhere(seed, fraction)
    chance = Random(seed)
    key_moves = [move for _, move in zip(range(30_000), conceivable.key_moves(state), strict=False)]
    for move in (*chance.sample(conceivable.simple_moves(), 150), *chance.sample(key_moves, 150)):
        for seat in state.table.seats:
            try:
                GAME.rules.check(state, seat, move)
            except Refusal as refused:
                known = GAME.reasons[refused.code]
                assert (refused.kind, refused.rule) == (known.kind, known.rule)
                if refused.kind is Kind.RULE:
                    ruled = enter(GAME, state, seat, move, ruled=True)
                    assert ruled.ply == state.ply + 1
                    require_conserved(ruled)


@given(seeds)
@few
def test_a_match_with_rulings_goes_on_to_its_end(seed: int) -> None:
    chance, match = Random(seed), Match(seed)
    state = match.states[len(match.states) // 2]
    for _ in range(MAX_PLIES):
        if state.to_move is None:
            break
        seat, move = state.to_move, drawn(chance, list(GAME.rules.legal_moves(state)), 5)
        if chance.random() < 0.1:
            seat, move = ruled(state, chance) or (seat, move)
        state = enter(GAME, state, seat, move, ruled=True)
        require_conserved(state)
        for owner, items in GAME.telling.explain(state).items():
            assert sum(item.points for item in items) == GAME.rules.totals(state)[owner]
    assert GAME.rules.result(state) is not None


def ruled(state: State, chance: Random) -> tuple[Seat, Move] | None:
    """A move that breaks nothing but rules, of anybody, if one was found among some."""
    elsewhere = [MoveKey(source, target) for source in range(51) for target in range(44) if source != target]
    for move in (*chance.sample(elsewhere, 200), *chance.sample(conceivable.simple_moves(), 100)):
        seat = chance.choice(state.table.seats)
        try:
            GAME.rules.check(state, seat, move)
        except Refusal as refused:
            if refused.kind is Kind.RULE:
                return seat, move
    return None


# Symmetry


def renamed(json: Any, names: dict[Seat, Seat]) -> Any:
    """JSON in which seats have other names."""
    if isinstance(json, dict):
        return {names.get(name, name): renamed(member, names) for name, member in json.items()}
    if isinstance(json, list):
        return [renamed(member, names) for member in json]
    return names.get(json, json) if isinstance(json, str) else json


@given(seeds, st.permutations(SEATS))
@few
def test_renaming_the_colours_changes_nothing_but_names(seed: int, others: list[Seat]) -> None:
    match, names = Match(seed), dict(zip(SEATS, others, strict=True))
    twin = GAME.rules.start(match.setup, [names[seat] for seat in match.seats], EDITION)
    for before, seat, move, after in match.played:
        assert list(GAME.rules.legal_moves(twin)) == list(GAME.rules.legal_moves(before))
        twin = enter(GAME, twin, names[seat], move)
        assert GAME.view.dump(twin) == renamed(GAME.view.dump(after), names)


# Editions


def any_edition(seed: int) -> Edition:
    """The printed edition with other values all over."""
    return edition_with(any_values(Random(seed)))


def any_values(chance: Random) -> dict[str, object]:
    """Other printed values, by their place in the sheet."""
    reserve = chance.randint(0, 5)
    shuffled = chance.sample(range(1, 31), 12)
    return {
        **{name: chance.randint(0, 9) for name in ("start_francs", "advance_fee_on_3", "points_on_8")},
        "keys_in_reserve": reserve,
        **{f"keys_in_hand/{players}": chance.randint(0, 12 - reserve) for players in (2, 3, 4)},
        "tiles_set_aside": chance.randint(0, 35),
        **{f"banks/{district}": chance.randint(0, 9) for district in DISTRICTS},
        **{f"buildings/{space}/type": chance.choice(TYPES) for space in SPACES},
        **{f"buildings/{space}/extra": some_tokens(chance, RESOURCE_KINDS) for space in SPACES},
        **{f"landmarks/{value}/extra": some_tokens(chance, RESOURCE_KINDS) for value in LANDMARKS},
        **{f"landmarks/{value}/prestige": some_tokens(chance, PRESTIGE_KINDS) for value in LANDMARKS},
        **{f"bonus/{number}": any_effect(chance) for number in range(1, 31) if number not in BOUND_TO_NUMBERS},
        "bonus/23": {"per_prestige_pair": by_number(chance, 2, 4)},
        "bonus/24": {"per_resource_pair": by_number(chance, 2, 4)},
        "bonus/25": {"rule": "step_back", "most": chance.randint(1, 29)},
        "bonus_copies/3": shuffled[:5],
        "bonus_copies/4": shuffled[5:],
        **{f"end_tiles/{tile}": chance.choice((gain(chance), stands_for(chance))) for tile in END_TILES},
        **{f"scoring_tiles/{tile}": [chance.randint(0, 20) for _ in range(3)] for tile in SCORING_TILES},
        **dict(zip((f"space_tokens/{value}" for value in VALUES), chance.sample(KINDS, 6), strict=True)),
        **{f"prices/buy/{kind}": chance.randint(0, 9) for kind in RESOURCE_KINDS},
        **{f"prices/sell/{kind}": chance.randint(0, 9) for kind in KINDS},
    }


def some_tokens(chance: Random, kinds: Sequence[str]) -> JsonObject:
    return dict(Counter(chance.choices(kinds, k=chance.randint(0, 3))))


def by_number(chance: Random, first: int, last: int) -> JsonObject:
    return {str(number): chance.randint(0, 9) for number in range(first, last + 1)}


def gain(chance: Random) -> JsonObject:
    return {member: chance.randint(0, 9) for member in chance.choice((["francs"], ["points"], ["francs", "points"]))}


def stands_for(chance: Random) -> JsonObject:
    return {"stands_for": [chance.choice((*KINDS, "resource", "prestige"))] * chance.randint(1, 2)}


def any_effect(chance: Random) -> JsonObject:
    """What any bonus tile may do but those that are bound to their numbers."""
    effects: tuple[JsonObject, ...] = (
        gain(chance),
        stands_for(chance),
        {"per_building": {"value": chance.choice(VALUES), "points": chance.randint(0, 9)}},
        {"per_landmark": chance.randint(0, 9)},
        {"per_unused_bonus": by_number(chance, 2, 4)},
        {"kinds": by_number(chance, 4, 7)},
        {"per_franc_at_end": chance.randint(0, 3)},
        {"key_price": chance.randint(0, 9)},
    )
    return chance.choice(effects)


@given(seeds)
@some
def test_the_laws_hold_whatever_an_edition_says(seed: int) -> None:
    edition = any_edition(seed)
    for before, seat, move, after in Match(seed, edition).played:
        assert GAME.rules.apply(before, seat, move) == after
        require_conserved(after, edition)
        for owner, items in GAME.telling.explain(after).items():
            assert sum(item.points for item in items) == GAME.rules.totals(after)[owner]


EVERYTHING = {
    *(f"activate {tile}" for tile in range(1, 31) if tile not in (2, 3, 4, 8, 9, 10, 16, 19, 21, 27)),
    *("using 9", "using 16", "landmark", "spend", "prestige", "sell a tile", "discard", "district", "score_tile"),
}


def told(move: JsonObject) -> Iterator[str]:
    """What a move has of everything."""
    yield f"activate {move['tile']}" if move["type"] == "activate" else str(move["type"])
    yield f"using {move.get('using')}"
    yield "sell a tile" if {"sell", "tile"} <= set(move) else ""
    yield from {"landmark", "spend", "prestige", "discard", "district"} & set(move)


def test_random_matches_reach_everything() -> None:
    missing = set(EVERYTHING)
    for seed in range(200):
        missing -= {word for _, move in Match(seed).plies for word in told(GAME.move.dump(move))}
        if not missing:
            break
    assert missing == set()
