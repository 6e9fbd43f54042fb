"""The names and descriptions of parts of schemas stand where they belong, and nowhere else."""

from collections.abc import Iterator
from typing import Any

import pytest

from domain.catalogue import GAMES
from domain.game import AnyGame
from domain.json_schema import array, describe, integer, members, one_of

SCORE = members({"seat": one_of(["red"]), "points": integer(range(9))})
SCHEMA = members({"scores": array(SCORE), "best": {"oneOf": [{"type": "null"}, SCORE]}, "to_move": one_of(["red"])})
PARTS = {"Score": "State.best[1]", "Seat": "State.to_move"}
TEXTS = {"Score": "A score.", "Score.points": "So far.", "Seat": "A seat.", "State.to_move": "Who is next."}


def titled(schema: Any) -> Iterator[Any]:
    if isinstance(schema, dict):
        if isinstance(schema.get("title"), str):
            yield schema
        for member in schema.values():
            yield from titled(member)
    elif isinstance(schema, list):
        for member in schema:
            yield from titled(member)


def test_a_part_is_named_and_described_wherever_it_stands() -> None:
    state = describe(PARTS, TEXTS, state=SCHEMA)["state"]["properties"]
    scores, best = state["scores"]["items"], state["best"]["oneOf"][1]
    assert scores == best
    assert (scores["title"], scores["description"]) == ("Score", "A score.")
    assert scores["properties"]["points"] == {**integer(range(9)), "description": "So far."}
    assert scores["properties"]["seat"] == {**one_of(["red"]), "title": "Seat", "description": "A seat."}


def test_a_member_keeps_its_own_description_of_a_part_with_a_name() -> None:
    state = describe(PARTS, TEXTS, state=SCHEMA)["state"]["properties"]
    assert state["to_move"] == {**one_of(["red"]), "title": "Seat", "description": "Who is next."}


@pytest.mark.parametrize(
    ("parts", "texts", "unknown"),
    [
        ({}, {"State.money": "Francs."}, "State.money"),
        ({}, {"Side": "A side."}, "Side"),
        (PARTS, {"State.best[1].points": "Hidden by the name of its part."}, r"State.best\[1\].points"),
        ({"Side": "State.side"}, {}, "State.side"),
    ],
)
def test_a_description_or_a_name_of_no_part_is_an_error(
    parts: dict[str, str], texts: dict[str, str], unknown: str
) -> None:
    with pytest.raises(KeyError, match=unknown):
        describe(parts, texts, state=SCHEMA)


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_part_with_a_name_has_a_description_and_one_shape(game: AnyGame) -> None:
    shapes: dict[str, Any] = {}
    for part in titled([*game.schemas.values()]):
        assert part.get("description", "").endswith("."), part["title"]
        shape = {keyword: member for keyword, member in part.items() if keyword != "description"}
        assert shapes.setdefault(part["title"], shape) == shape, part["title"]
