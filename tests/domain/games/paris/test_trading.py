"""Buying and selling tokens and what tiles stand for."""

import pytest

from domain.games.paris.parts import KINDS
from domain.games.paris.state import State
from tests.domain.games.paris.positions import (
    GAME,
    code,
    drawn,
    having,
    legal,
    lists,
    play,
    seat_of,
    with_market,
)

BUY = {"wood": 3, "marble": 4, "gold": 5}
SELL = {"wood": 1, "marble": 2, "gold": 3, "bronze": 1, "silver": 2, "gilt": 3}


def trades(state: State) -> list[dict[str, object]]:
    """The legal trades, without their type."""
    found = [choice for choice in legal(state) if choice["type"] == "trade"]
    return [{member: value for member, value in choice.items() if member != "type"} for choice in found]


def tokens_of(state: State) -> dict[str, int]:
    """All tokens of red."""
    return {**seat_of(state)["resources"], **seat_of(state)["prestige"]}


# Buying


@pytest.mark.parametrize(("kind", "price"), BUY.items())
def test_a_resource_of_the_supply_is_bought_for_its_price(kind: str, price: int) -> None:
    state = with_market(having(drawn(), francs=price), 1, 1, 1)
    assert lists(state, f"buy {kind}")
    after = play(state, f"buy {kind}")
    assert (seat_of(after)["francs"], tokens_of(after)[kind], sum(tokens_of(after).values())) == (0, 1, 1)
    assert GAME.view.dump(after)["market"] == {**dict.fromkeys(BUY, 1), kind: 0}
    poor = having(state, francs=price - 1)
    assert (code(poor, f"buy {kind}"), lists(poor, f"buy {kind}")) == ("cannot_pay", False)


@pytest.mark.parametrize("kind", BUY)
def test_what_does_not_lie_in_the_supply_is_not_for_sale(kind: str) -> None:
    others = {other: 0 if other == kind else 6 for other in BUY}
    state = with_market(having(drawn(), francs=9), **others)
    assert (code(state, f"buy {kind}"), lists(state, f"buy {kind}")) == ("not_for_sale", False)
    assert {trade["buy"] for trade in trades(state)} == set(BUY) - {kind}


def test_at_the_start_nothing_is_for_sale() -> None:
    assert trades(having(drawn(), francs=20)) == []


def test_one_token_is_bought_in_a_move() -> None:
    state = with_market(having(drawn(), francs=6), wood=2)
    after = play(state, "buy wood", "buy wood")
    assert (seat_of(after)["francs"], tokens_of(after)["wood"], GAME.view.dump(after)["market"]["wood"]) == (0, 2, 0)


# Selling


@pytest.mark.parametrize("kind", ["wood", "marble", "gold"])
def test_a_sold_resource_lies_in_the_supply(kind: str) -> None:
    state = having(drawn(), francs=0, stock=f"{kind}=2")
    after = play(state, f"sell {kind}")
    assert (seat_of(after)["francs"], tokens_of(after)[kind]) == (SELL[kind], 1)
    assert GAME.view.dump(after)["market"] == {**dict.fromkeys(BUY, 0), kind: 1}


@pytest.mark.parametrize("kind", ["bronze", "silver", "gilt"])
def test_sold_prestige_leaves_the_game(kind: str) -> None:
    state = having(drawn(), francs=0, stock=f"{kind}=2")
    after = play(state, f"sell {kind}")
    assert (seat_of(after)["francs"], tokens_of(after)[kind]) == (SELL[kind], 1)
    assert GAME.view.dump(after)["market"] == dict.fromkeys(BUY, 0)


@pytest.mark.parametrize("kind", SELL)
def test_a_token_that_is_not_there_is_not_sold(kind: str) -> None:
    stock = " ".join(f"{other}=1" for other in SELL if other != kind)
    state = having(drawn(), stock=stock)
    assert (code(state, f"sell {kind}"), lists(state, f"sell {kind}")) == ("nothing_to_sell", False)
    assert [trade["sell"] for trade in trades(state)] == [other for other in KINDS if other != kind]
    rival = having(drawn(), "blue", stock=f"{kind}=1")
    assert code(rival, f"sell {kind}") == "nothing_to_sell"


def test_what_one_sells_another_buys() -> None:
    state = having(having(drawn(), stock="gold=1"), "blue", francs=5)
    state = play(state, "sell gold", "key arc", "end", "buy gold")
    assert (seat_of(state, "blue")["francs"], seat_of(state, "blue")["resources"]["gold"]) == (0, 1)


# Selling what a tile stands for


@pytest.mark.parametrize(
    ("tile", "kind"),
    [("2", "wood"), ("3", "marble"), ("4", "gold"), ("10", "wood"), ("10", "gold"), ("21", "marble"), ("8", "bronze"),
     ("8", "gilt"), ("19", "silver"), ("e08", "wood"), ("e11", "gilt")],
)  # fmt: skip
def test_a_tile_sells_at_the_price_of_the_kind_and_puts_nothing_into_the_supply(tile: str, kind: str) -> None:
    state = having(drawn(), francs=0, tiles=tile)
    assert lists(state, f"sell {kind} with {tile}")
    after = play(state, f"sell {kind} with {tile}")
    assert seat_of(after)["francs"] == SELL[kind]
    assert GAME.view.dump(after)["market"] == dict.fromkeys(BUY, 0)
    assert not any(tokens_of(after).values())


def test_a_tile_is_sold_though_tokens_are_there() -> None:
    state = having(drawn(), francs=0, tiles="10", stock="gold=1")
    assert lists(state, "sell gold") and lists(state, "sell gold with 10")
    after = play(state, "sell gold with 10")
    assert (tokens_of(after)["gold"], seat_of(after)["used_bonus"]) == (1, [10])


@pytest.mark.parametrize(
    ("tiles", "line", "expected"),
    [
        ("", "sell wood with 10", "tile_not_held"),
        ("", "sell wood with e08", "tile_not_held"),
        ("10", "sell gilt with 10", "not_that_token"),
        ("8", "sell gold with 8", "not_that_token"),
        ("2", "sell gold with 2", "not_that_token"),
        ("5", "sell gold with 5", "not_that_token"),
        ("9", "sell gold with 9", "not_that_token"),
        ("e08", "sell gold with e08", "not_that_token"),
    ],
)
def test_a_tile_sells_for_what_it_stands_for_alone(tiles: str, line: str, expected: str) -> None:
    state = having(drawn(), tiles=tiles, stock="wood=1 gold=1 gilt=1")
    assert (code(state, line), lists(state, line)) == (expected, False)


def test_a_tile_is_sold_for_one_token_of_a_kind_in_a_move() -> None:
    state = having(drawn(), francs=0, tiles="21")
    after = play(state, "sell gold with 21", "sell wood with 21")
    assert (seat_of(after)["francs"], seat_of(after)["used_bonus"]) == (4, [21])
    assert code(after, "sell wood with 21") == "tile_not_held"


def test_all_trades_are_listed() -> None:
    state = with_market(having(drawn(), francs=4, tiles="8 e09", stock="wood=1 gilt=2"), wood=1, gold=1)
    assert trades(state) == [
        {"buy": "wood"},
        {"sell": "wood"},
        {"sell": "gilt"},
        {"sell": "marble", "tile": "e09"},
        {"sell": "bronze", "tile": 8},
        {"sell": "silver", "tile": 8},
        {"sell": "gilt", "tile": 8},
    ]
