"""The JSON of moves, set-ups and states of Paris."""

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from domain.game import JsonObject
from domain.games.paris.parts import DISTRICTS, END_TILES, PLACES, SPACES
from domain.games.paris.state import Phase
from scripts.random_play import draw_setup
from tests.domain.documents import ANYTHING, accepts, mutated, pointers
from tests.domain.games.paris import conceivable
from tests.domain.games.paris.positions import (
    GAME,
    advanced,
    begin,
    code,
    drawn,
    having,
    legal,
    play,
    ruled,
    with_market,
    with_scoring,
)

SCHEMAS = {name: Draft202012Validator(schema) for name, schema in GAME.schemas.items()}

REVEAL = {"type": "reveal", "stack": 1, "tile": "montmartre-5"}
MOVE_KEY = {"type": "move_key", "from": "arc", "to": "montmartre-5"}
LANDMARK = {"tile": 15, "district": "belleville"}
SPEND = {"tile": 10, "as": "wood"}
ADVANCE = {"type": "advance", "to": 18}
SCORE_TILE = {"type": "score_tile", "tile": "20-10-5", "district": "belleville"}
BUY, SELL = {"type": "trade", "buy": "wood"}, {"type": "trade", "sell": "gilt"}
ACTIVATE = {"type": "activate", "tile": 18}
PAIRS = {"type": "activate", "tile": 23, "pairs": {"bronze": 1}}

MOVES: tuple[JsonObject, ...] = (
    REVEAL,
    {**REVEAL, "district": "belleville"},
    {**REVEAL, "discard": True},
    {"type": "place_key", "at": "bank:montmartre"},
    {"type": "place_key", "at": "arc"},
    MOVE_KEY,
    {"type": "move_key", "from": "landmark-9", "to": "landmark-16"},
    {
        "type": "move_key",
        "from": "bank:belleville",
        "to": "landmark-15",
        "landmark": LANDMARK,
        "spend": [{"tile": 8, "as": "gilt"}, {"tile": 10, "as": "wood"}, {"tile": "e10", "as": "gold"}],
        "prestige": {"bronze": 1, "gilt": 2},
        "using": 16,
    },
    {**MOVE_KEY, "spend": [{"tile": 21, "as": "wood"}, {"tile": 21, "as": "wood"}], "using": 9},
    {"type": "take_end_tile", "tile": "e07"},
    ADVANCE,
    SCORE_TILE,
    BUY,
    SELL,
    {"type": "trade", "sell": "wood", "tile": 10},
    {"type": "trade", "sell": "bronze", "tile": "e11"},
    *({"type": "activate", "tile": tile} for tile in range(1, 31) if tile not in (17, 23, 24, 25)),
    {"type": "activate", "tile": 17, "take": 21},
    {"type": "activate", "tile": 25, "to": 11},
    PAIRS,
    {"type": "activate", "tile": 24, "pairs": {"wood": 3, "marble": 1, "gold": 2}},
    {"type": "end_turn"},
)


# Moves


@pytest.mark.parametrize("json_move", MOVES, ids=json.dumps)
def test_every_form_of_a_move_comes_back_as_it_went(json_move: JsonObject) -> None:
    assert GAME.move.dump(GAME.move.parse(json_move)) == json_move
    SCHEMAS["move"].validate(json_move)


def test_tiles_that_are_spent_may_come_in_any_order_and_are_written_in_ascending_order() -> None:
    spend = [{"tile": "e08", "as": "wood"}, {"tile": 21, "as": "gold"}, {"tile": 2, "as": "wood"}]
    expected = [spend[2], spend[1], spend[0]]
    assert GAME.move.dump(GAME.move.parse({**MOVE_KEY, "spend": spend}))["spend"] == expected
    assert GAME.move.parse({**MOVE_KEY, "spend": spend}) == GAME.move.parse({**MOVE_KEY, "spend": expected})


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ({"type": "reveal"}, ["/stack", "/tile"]),
        ({**REVEAL, "stack": "1"}, ["/stack"]),
        ({**REVEAL, "stack": 1.0}, ["/stack"]),
        ({**REVEAL, "stack": True}, ["/stack"]),
        ({**REVEAL, "stack": 4}, ["/stack"]),
        ({**REVEAL, "stack": 0, "tile": "montmartre-6"}, ["/stack", "/tile"]),
        ({**REVEAL, "tile": 5}, ["/tile"]),
        ({**REVEAL, "district": None}, ["/district"]),
        ({**REVEAL, "district": "paris"}, ["/district"]),
        ({**REVEAL, "discard": False}, ["/discard"]),
        ({**REVEAL, "discard": None}, ["/discard", "/discard"]),
        ({**REVEAL, "discard": 1}, ["/discard", "/discard"]),
        ({**REVEAL, "district": "belleville", "discard": True}, ["/discard"]),
        ({**REVEAL, "district": "belleville", "discard": False}, ["/discard"]),
        ({"type": "place_key"}, ["/at"]),
        ({"type": "place_key", "at": "belleville"}, ["/at"]),
        ({"type": "place_key", "at": "bank:arc"}, ["/at"]),
        ({"type": "place_key", "at": "landmark-17"}, ["/at"]),
        ({"type": "place_key", "at": None}, ["/at"]),
        ({"type": "place_key", "at": "arc", "to": "arc"}, ["/to"]),
        ({"type": "move_key"}, ["/from", "/to"]),
        ({**MOVE_KEY, "to": "arc"}, ["/to"]),
        ({**MOVE_KEY, "from": None}, ["/from"]),
        ({**MOVE_KEY, "to": "montmartre-6"}, ["/to"]),
        ({**MOVE_KEY, "to": "landmark-8"}, ["/to"]),
        ({**MOVE_KEY, "from": "moon", "to": "moon"}, ["/from", "/to"]),
        ({**MOVE_KEY, "landmark": None}, ["/landmark"]),
        ({**MOVE_KEY, "landmark": 15}, ["/landmark"]),
        ({**MOVE_KEY, "landmark": {}}, ["/landmark/tile", "/landmark/district"]),
        ({**MOVE_KEY, "landmark": {"tile": 15}}, ["/landmark/district"]),
        ({**MOVE_KEY, "landmark": {"district": "belleville"}}, ["/landmark/tile"]),
        ({**MOVE_KEY, "landmark": {"tile": 17, "district": "belleville"}}, ["/landmark/tile"]),
        ({**MOVE_KEY, "landmark": {"tile": "15", "district": "belleville"}}, ["/landmark/tile"]),
        ({**MOVE_KEY, "landmark": {"tile": 15.0, "district": "belleville"}}, ["/landmark/tile"]),
        ({**MOVE_KEY, "landmark": {"tile": 15, "district": "belleville", "space": 1}}, ["/landmark/space"]),
        ({**MOVE_KEY, "landmark": {"tile": 15, "district": None}}, ["/landmark/district"]),
        ({**MOVE_KEY, "spend": None}, ["/spend"]),
        ({**MOVE_KEY, "spend": []}, ["/spend"]),
        ({**MOVE_KEY, "spend": {}}, ["/spend"]),
        ({**MOVE_KEY, "spend": [7]}, ["/spend/0"]),
        ({**MOVE_KEY, "spend": [{"tile": 10}]}, ["/spend/0/as"]),
        ({**MOVE_KEY, "spend": [{"as": "wood"}]}, ["/spend/0/tile"]),
        ({**MOVE_KEY, "spend": [{"tile": 10, "as": "stone"}]}, ["/spend/0/as"]),
        ({**MOVE_KEY, "spend": [{"tile": 31, "as": "wood"}]}, ["/spend/0/tile"]),
        ({**MOVE_KEY, "spend": [{"tile": "10", "as": "wood"}]}, ["/spend/0/tile"]),
        ({**MOVE_KEY, "spend": [{"tile": "e13", "as": "wood"}]}, ["/spend/0/tile"]),
        ({**MOVE_KEY, "spend": [{"tile": True, "as": "wood"}]}, ["/spend/0/tile"]),
        ({**MOVE_KEY, "spend": [{"tile": None, "as": "wood"}]}, ["/spend/0/tile"]),
        ({**MOVE_KEY, "spend": [{"tile": 10, "as": "wood", "count": 2}]}, ["/spend/0/count"]),
        ({**MOVE_KEY, "spend": [SPEND, {"tile": 0, "as": None}]}, ["/spend/1/tile", "/spend/1/as"]),
        ({**MOVE_KEY, "spend": [SPEND] * 85}, ["/spend"]),
        ({**MOVE_KEY, "prestige": None}, ["/prestige"]),
        ({**MOVE_KEY, "prestige": {}}, ["/prestige"]),
        ({**MOVE_KEY, "prestige": []}, ["/prestige"]),
        ({**MOVE_KEY, "prestige": {"gilt": 0}}, ["/prestige/gilt"]),
        ({**MOVE_KEY, "prestige": {"gilt": 7}}, ["/prestige/gilt"]),
        ({**MOVE_KEY, "prestige": {"gilt": "1"}}, ["/prestige/gilt"]),
        ({**MOVE_KEY, "prestige": {"gilt": 1.0}}, ["/prestige/gilt"]),
        ({**MOVE_KEY, "prestige": {"gilt": True}}, ["/prestige/gilt"]),
        ({**MOVE_KEY, "prestige": {"gilt": None}}, ["/prestige/gilt"]),
        ({**MOVE_KEY, "prestige": {"gold": 1}}, ["/prestige/gold"]),
        ({**MOVE_KEY, "using": None}, ["/using"]),
        ({**MOVE_KEY, "using": 10}, ["/using"]),
        ({**MOVE_KEY, "using": "9"}, ["/using"]),
        ({**MOVE_KEY, "using": 9.0}, ["/using"]),
        ({**MOVE_KEY, "using": True}, ["/using"]),
        ({"type": "take_end_tile"}, ["/tile"]),
        ({"type": "take_end_tile", "tile": "e13"}, ["/tile"]),
        ({"type": "take_end_tile", "tile": 7}, ["/tile"]),
        ({"type": "take_end_tile", "tile": "E07"}, ["/tile"]),
        ({"type": "advance"}, ["/to"]),
        ({**ADVANCE, "to": 0}, ["/to"]),
        ({**ADVANCE, "to": 31}, ["/to"]),
        ({**ADVANCE, "to": "18"}, ["/to"]),
        ({**ADVANCE, "to": 18.0}, ["/to"]),
        ({**ADVANCE, "to": True}, ["/to"]),
        ({**ADVANCE, "tile": 18}, ["/tile"]),
        ({"type": "score_tile"}, ["/tile", "/district"]),
        ({"type": "score_tile", "tile": "20-10-5"}, ["/district"]),
        ({"type": "score_tile", "district": "belleville"}, ["/tile"]),
        ({**SCORE_TILE, "tile": "20-10"}, ["/tile"]),
        ({**SCORE_TILE, "tile": 20, "district": "arc"}, ["/tile", "/district"]),
        ({"type": "trade"}, ["/buy"]),
        ({"type": "trade", "buy": "gilt"}, ["/buy"]),
        ({"type": "trade", "buy": "wood", "sell": "gold"}, ["/buy"]),
        ({"type": "trade", "buy": "wood", "tile": 10}, ["/tile"]),
        ({"type": "trade", "sell": "stone"}, ["/sell"]),
        ({"type": "trade", "sell": "wood", "tile": None}, ["/tile"]),
        ({"type": "trade", "sell": "wood", "tile": 31}, ["/tile"]),
        ({"type": "trade", "sell": "wood", "tile": "10"}, ["/tile"]),
        ({"type": "trade", "sell": "wood", "count": 2}, ["/count"]),
        ({"type": "trade", "buy": None}, ["/buy"]),
        ({"type": "trade", "sell": None}, ["/sell"]),
        ({"type": "activate"}, ["/tile"]),
        ({"type": "activate", "tile": 0}, ["/tile"]),
        ({"type": "activate", "tile": "e01"}, ["/tile"]),
        ({"type": "activate", "tile": 18.0}, ["/tile"]),
        ({"type": "activate", "tile": True}, ["/tile"]),
        ({"type": "activate", "tile": 18, "take": 21}, ["/take"]),
        ({"type": "activate", "tile": 17}, ["/take"]),
        ({"type": "activate", "tile": 17, "take": 31}, ["/take"]),
        ({"type": "activate", "tile": 17, "to": 3}, ["/take", "/to"]),
        ({"type": "activate", "tile": 17, "take": None}, ["/take"]),
        ({"type": "activate", "tile": 25}, ["/to"]),
        ({"type": "activate", "tile": 25, "to": 0}, ["/to"]),
        ({"type": "activate", "tile": 25, "take": 3}, ["/to", "/take"]),
        ({"type": "activate", "tile": 25, "to": 3, "take": 3}, ["/take"]),
        ({"type": "activate", "tile": 23}, ["/pairs"]),
        ({"type": "activate", "tile": 23, "pairs": {}}, ["/pairs"]),
        ({"type": "activate", "tile": 23, "pairs": {"wood": 1}}, ["/pairs/wood"]),
        ({"type": "activate", "tile": 24, "pairs": {"bronze": 1}}, ["/pairs/bronze"]),
        ({"type": "activate", "tile": 23, "pairs": {"bronze": 4}}, ["/pairs/bronze"]),
        ({"type": "activate", "tile": 23, "pairs": {"bronze": 0}}, ["/pairs/bronze"]),
        ({"type": "activate", "tile": 23, "pairs": None}, ["/pairs"]),
        ({"type": "activate", "tile": 18, "pairs": {"bronze": 1}}, ["/pairs"]),
        ({"type": "end_turn", "seat": "red"}, ["/seat"]),
        ({"type": "end_turn", "a/b~c": 1}, ["/a~1b~0c"]),
        ({"type": "end_turn", "\ud800": 1}, ["/?"]),
    ],
    ids=repr,
)
def test_a_malformed_move_is_refused_where_it_is_wrong(document: object, expected: list[str]) -> None:
    assert pointers(GAME.move.parse, document) == expected


@pytest.mark.parametrize("document", [{}, {"type": None}, {"type": "End_turn"}, {"type": ["end_turn"]}, {"type": True}])
def test_an_unknown_type_of_move_is_malformed(document: object) -> None:
    assert pointers(GAME.move.parse, document) == ["/type"]


def test_all_errors_of_a_move_are_told_at_once() -> None:
    document = {**MOVE_KEY, "to": "moon", "landmark": {"tile": 8}, "spend": [{"tile": 0}], "using": 1, "why": 1}
    assert pointers(GAME.move.parse, document) == [
        *("/to", "/landmark/tile", "/landmark/district", "/spend/0/tile", "/spend/0/as", "/using", "/why")
    ]


def test_a_known_thing_in_the_wrong_place_is_illegal_and_not_malformed() -> None:
    state = play(begin(), "reveal 1 montmartre-5")
    assert code(state, "key montmartre-5") == "not_a_bank"
    assert code(play(state, "key arc", "end", "reveal 1 montmartre-8"), "move arc bank:montmartre") == "no_key_there"
    assert code(drawn("arc"), "move arc bank:montmartre") == "not_a_property"
    assert code(state, "activate 10") == "tile_not_held"
    assert code(having(state, tiles="10"), "activate 10") == "not_activated"


# Set-ups


def test_a_set_up_comes_back_with_its_defaults_written_out() -> None:
    plain: JsonObject = {"advanced": False, "variant": None}
    short: tuple[JsonObject, ...] = ({}, {"advanced": False}, {"variant": None}, plain)
    for json_setup in short:
        assert GAME.setup.dump(GAME.setup.parse(json_setup)) == plain
        SCHEMAS["setup"].validate(json_setup)
    free = {"advanced": False, "variant": "free_placement"}
    whole = advanced({"montmartre-1": "wood"}, {1: 2, 2: 1}, variant="free_placement")
    for json_setup in (free, whole):
        assert GAME.setup.dump(GAME.setup.parse(json_setup)) == json_setup
        SCHEMAS["setup"].validate(json_setup)
    assert GAME.setup.dump(GAME.setup.parse(advanced()))["variant"] is None


TOKENS, TRACK = advanced()["tokens"], advanced()["track"]


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ({"advanced": None}, ["/advanced"]),
        ({"advanced": "no"}, ["/advanced"]),
        ({"advanced": 1}, ["/advanced"]),
        ({"variant": "free"}, ["/variant"]),
        ({"variant": True}, ["/variant"]),
        ({"variant": []}, ["/variant"]),
        ({"first": "red"}, ["/first"]),
        ({"tokens": {}}, ["/tokens"]),
        ({"advanced": False, "track": {}}, ["/track"]),
        ({"advanced": True}, ["/tokens", "/track"]),
        (advanced(advanced=False), ["/tokens", "/track"]),
        (advanced() | {"tokens": None}, ["/tokens"]),
        (advanced({"montmartre-8": "wood"}), ["/tokens/montmartre-8"]),
        (advanced({"montmartre-1": "gold"}), ["/tokens/montmartre-1"]),
        (advanced({"montmartre-1": "stone"}), ["/tokens/montmartre-1"]),
        (advanced({"arc": "wood"}), ["/tokens/arc"]),
        (advanced() | {"tokens": {**TOKENS} | {"chaillot-5": None}}, ["/tokens/chaillot-5"]),
        (advanced() | {"tokens": {space: TOKENS[space] for space in SPACES[1:]}}, ["/tokens/belleville-1"]),
        (advanced() | {"track": {**TRACK, "3": "3"}}, ["/track/3"]),
        (advanced() | {"track": {**TRACK, "3": 3.0}}, ["/track/3"]),
        (advanced(track={3: 31}), ["/track/3"]),
        (advanced(track={31: 3}), ["/track/31"]),
        (advanced() | {"track": list(range(1, 31))}, ["/track"]),
    ],
)
def test_a_malformed_set_up_is_refused_where_it_is_wrong(document: object, expected: list[str]) -> None:
    assert pointers(GAME.setup.parse, document) == expected


# States


def test_the_state_before_the_first_move_is_written_in_full() -> None:
    by_value = dict(zip("123458", ("bronze", "silver", "gilt", "wood", "marble", "gold"), strict=True))
    seat = {
        "francs": 3,
        "keys": 10,
        "reserve": 2,
        "resources": {"wood": 0, "marble": 0, "gold": 0},
        "prestige": {"bronze": 0, "silver": 0, "gilt": 0},
        "bonus": [],
        "used_bonus": [],
        "end_tiles": [],
        "half_used": {},
        "track": 0,
        "points": 0,
    }
    score = {"points": 0, "francs_tile": 0, "districts": {}, "total": 0}
    assert GAME.view.dump(begin(("green", "red"))) == {
        "game": "paris",
        "ply": 0,
        "phase": "main",
        "to_move": "green",
        "turn": {"revealed": False, "acted": False, "may_advance": False, "advance_fee": 0, "may_score_tile": False},
        "stacks": [11, 11, 11],
        "buildings": {},
        "discarded": [],
        "tokens": {f"{district}-{value}": kind for district in DISTRICTS for value, kind in by_value.items()},
        "banks": {district: [] for district in DISTRICTS},
        "arc": [],
        "landmarks": {"available": [9, 10, 11, 12, 13, 14, 15, 16], "placed": {}},
        "track": {str(number): [number] for number in range(1, 31)},
        "scoring_tiles": {
            "available": ["10-5-2", "12-6-3", "14-7-3", "16-8-4", "18-9-4", "20-10-5"],
            "placed": {},
        },
        "end_tiles": list(END_TILES),
        "market": {"wood": 0, "marble": 0, "gold": 0},
        "seats": {"green": seat, "red": seat},
        "score": {"green": score, "red": score},
        "result": None,
    }


def test_a_state_in_the_midst_of_a_match_is_written_with_its_lists_in_order() -> None:
    state = drawn(
        red="arc bank:montmartre belleville-3 belleville-3 landmark-12@belleville",
        blue="bank:montmartre belleville-3 chaillot-8",
        free="landmark-9@chaillot chaillot-1",
        players=2,
    )
    state = having(
        state,
        "red",
        tiles="27 21 8 e11 e08",
        used="22 3",
        half="21",
        stock="gold=2 gilt=1",
        track=18,
        francs=5,
        points=12,
    )
    state = with_scoring(with_market(state, marble=1), belleville="18-9-4", chaillot="10-5-2")
    dumped = GAME.view.dump(state)
    SCHEMAS["state"].validate(dumped)
    assert dumped["buildings"] == {
        "belleville-3": {"tile": "belleville-3", "type": "residence", "keys": ["red", "red", "blue"]},
        "chaillot-1": {"tile": "chaillot-1", "type": "cafe", "keys": []},
        "chaillot-8": {"tile": "chaillot-8", "type": "theatre", "keys": ["blue"]},
    }
    assert (dumped["arc"], dumped["banks"]["montmartre"], dumped["banks"]["chaillot"]) == (["red"], ["red", "blue"], [])
    assert dumped["landmarks"] == {
        "available": [10, 11, 13, 14, 15, 16],
        "placed": {"9": {"district": "chaillot", "keys": []}, "12": {"district": "belleville", "keys": ["red"]}},
    }
    assert dumped["scoring_tiles"] == {
        "available": ["12-6-3", "14-7-3", "16-8-4", "20-10-5"],
        "placed": {"belleville": "18-9-4", "chaillot": "10-5-2"},
    }
    assert dumped["seats"]["red"] == {
        "francs": 5,
        "keys": 5,
        "reserve": 2,
        "resources": {"wood": 0, "marble": 0, "gold": 2},
        "prestige": {"bronze": 0, "silver": 0, "gilt": 1},
        "bonus": [8, 21, 27],
        "used_bonus": [3, 22],
        "end_tiles": ["e08", "e11"],
        "half_used": {"21": 1},
        "track": 18,
        "points": 12,
    }
    assert dumped["score"] == {
        "red": {"points": 12, "francs_tile": 5, "districts": {"belleville": 18, "chaillot": 0}, "total": 35},
        "blue": {"points": 0, "francs_tile": 0, "districts": {"belleville": 0, "chaillot": 10}, "total": 10},
    }
    assert dumped["market"] == {"wood": 0, "marble": 1, "gold": 0}
    assert [dumped["track"][space] for space in ("3", "21", "22", "23")] == [[], [], [], [23]]
    assert "belleville-3" not in dumped["tokens"] and dumped["tokens"]["chaillot-1"] == "bronze"


def test_the_track_shows_both_copies_and_the_numbers_that_were_laid_on_its_spaces() -> None:
    assert GAME.view.dump(begin(4))["track"]["1"] == [1, 1]
    assert GAME.view.dump(begin(3))["track"]["2"] == [2] and GAME.view.dump(begin(4))["track"]["2"] == [2, 2]
    track = GAME.view.dump(begin(3, **advanced(track={1: 2, 2: 1})))["track"]
    assert (track["1"], track["2"], track["30"]) == ([2], [1, 1], [30])


def test_discarded_tiles_are_listed_in_ascending_order_and_an_over_match_has_a_result() -> None:
    state = begin(3)
    state = state._replace(phase=Phase.OVER, board=state.board._replace(discarded=1 << 6 | 1 << 2 | 1))
    dumped = GAME.view.dump(state)
    SCHEMAS["state"].validate(dumped)
    assert dumped["discarded"] == ["batignolles-1", "belleville-1", "belleville-3"]
    assert (dumped["to_move"], dumped["phase"]) == (None, "over")
    assert dumped["result"] == {
        "winners": ["red", "blue", "green"],
        "ranking": [{"seat": seat, "place": 1, "points": 0} for seat in ("red", "blue", "green")],
        "decided_by": "shared",
    }


def test_a_turn_tells_its_rights() -> None:
    state = ruled(drawn("montmartre-1", free="montmartre-3"), "move montmartre-1 montmartre-3")
    assert GAME.view.dump(state)["turn"] == {
        "revealed": True,
        "acted": True,
        "may_advance": True,
        "advance_fee": 2,
        "may_score_tile": False,
    }
    assert {choice["type"] for choice in legal(state)} >= {"end_turn"}


# Anything else


WORDS: st.SearchStrategy[Any] = st.sampled_from(
    (
        *("reveal", "place_key", "move_key", "take_end_tile", "advance", "score_tile", "trade", "activate", "end_turn"),
        *(
            "arc",
            "bank:belleville",
            "belleville-8",
            "landmark-16",
            "landmark-17",
            "belleville",
            "e01",
            "e13",
            "20-10-5",
        ),
        *("wood", "gold", "gilt", "bronze", "free_placement", "", "\0", "\ud800"),
        *(0, 1, 3, 4, 9, 16, 17, 18, 23, 24, 25, 30, 31, True, False, None),
        *([], {}, ["wood"], {"wood": 1}, {"gilt": 3}, {"bronze": 7}, LANDMARK, SPEND, [SPEND], [SPEND] * 2),
    )
)
MEMBERS = (
    *("type", "stack", "tile", "district", "discard", "at", "from", "to", "landmark", "spend", "prestige", "using"),
    *("buy", "sell", "take", "pairs", "as", "wood", "gilt", "bronze", "gold", "other", "a/b~c", "\ud800"),
)


@given(mutated(MOVES, MEMBERS, WORDS | ANYTHING))
@settings(max_examples=400, deadline=None)
def test_no_changed_move_breaks_the_reader(document: object) -> None:
    if accepts(GAME.move.parse, document):
        parsed = GAME.move.parse(document)
        assert GAME.move.parse(GAME.move.dump(parsed)) == parsed


@given(mutated(MOVES, MEMBERS, WORDS))
@settings(max_examples=400, deadline=None)
def test_the_reader_accepts_exactly_what_the_schema_of_moves_does(document: object) -> None:
    assert accepts(GAME.move.parse, document) == SCHEMAS["move"].is_valid(document)


@pytest.mark.uncounted
def test_the_schema_takes_every_conceivable_move() -> None:
    for move in Random(1).sample(conceivable.simple_moves(), 300):
        SCHEMAS["move"].validate(GAME.move.dump(move))
    for source in PLACES[::7]:
        for target in PLACES:
            document = {**MOVE_KEY, "from": source, "to": target}
            assert accepts(GAME.move.parse, document) == SCHEMAS["move"].is_valid(document) == (source != target)


SETUPS: tuple[JsonObject, ...] = (
    {},
    {"advanced": False, "variant": None},
    advanced(),
    draw_setup("paris", ("red", "blue"), Random(3)),
)


@given(mutated(SETUPS, ("advanced", "variant", "tokens", "track", "1", "31", "arc", "belleville-8"), WORDS))
@settings(max_examples=200, deadline=None)
def test_the_reader_accepts_exactly_what_the_schema_of_set_ups_does(document: object) -> None:
    assert accepts(GAME.setup.parse, document) == SCHEMAS["setup"].is_valid(document)
