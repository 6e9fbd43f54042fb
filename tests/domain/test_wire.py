"""The JSON of every game: what random matches give fits the schemas and comes back, and no JSON breaks a reader."""

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from domain.catalogue import GAMES
from domain.game import AnyGame
from scripts.random_play import play
from tests.domain.documents import ANYTHING, accepts, mutated, pointers

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))


def validators(game: AnyGame) -> dict[str, Draft202012Validator]:
    return {name: Draft202012Validator(schema) for name, schema in game.schemas.items()}


@every_game
def test_schemas_are_valid_and_closed(game: AnyGame) -> None:
    assert set(game.schemas) == {"setup", "move", "state"}
    for schema in game.schemas.values():
        Draft202012Validator.check_schema(schema)
        stack: list[Any] = [schema]
        while stack:
            node = stack.pop()
            if isinstance(node, dict):
                assert node.get("type") != "object" or node["additionalProperties"] is False
                stack += node.values()
            elif isinstance(node, list):
                stack += node


@pytest.mark.uncounted
@every_game
def test_every_state_and_set_up_of_random_matches_fits_its_schema(game: AnyGame) -> None:
    schemas = validators(game)
    for seed in range(6):
        match = play(game, Random(seed))
        setup = game.setup.parse(match.setup)
        schemas["setup"].validate(match.setup)
        schemas["setup"].validate(game.setup.dump(setup))
        assert game.setup.parse(game.setup.dump(setup)) == setup
        for state in (*match.states[::9], match.states[-1]):
            dumped = game.view.dump(state)
            schemas["state"].validate(dumped)
            assert json.loads(json.dumps(dumped)) == dumped
            assert (dumped["game"], dumped["ply"], dumped["to_move"]) == (game.id, state.ply, state.to_move)


@pytest.mark.uncounted
@every_game
def test_every_listed_move_fits_the_schema_and_comes_back(game: AnyGame) -> None:
    chance, schema = Random(7), validators(game)["move"]
    for seed in range(3):
        for state in play(game, Random(seed)).states:
            moves = list(game.rules.legal_moves(state))
            for move in moves:
                assert game.move.parse(game.move.dump(move)) == move
            for move in chance.sample(moves, min(2, len(moves))):
                schema.validate(game.move.dump(move))


@every_game
def test_a_document_that_is_changed_changes_no_other(game: AnyGame) -> None:
    match = play(game, Random(1))
    setup = game.setup.parse(match.setup)

    def dumped() -> list[Any]:
        return [
            game.setup.dump(setup),
            *map(game.view.dump, match.states[-3:]),
            *(game.move.dump(move) for _, move in match.plies[-3:]),
        ]

    shared = dumped()
    before = json.dumps(shared)
    assert json.dumps(dumped()) == before
    for document in shared:
        empty(document)
    assert json.dumps(dumped()) == before


def empty(document: Any) -> None:
    """Take everything out of a document and all its parts."""
    parts = [*(document.values() if isinstance(document, dict) else document)]
    document.clear()
    for part in parts:
        if isinstance(part, dict | list):
            empty(part)


@every_game
@pytest.mark.parametrize("document", [None, True, [], "pass", 7, 7.5], ids=repr)
def test_what_is_no_object_is_malformed(game: AnyGame, document: object) -> None:
    for read in (game.move.parse, game.setup.parse, game.editions.load):
        assert pointers(read, document)[0] == ""


@every_game
@given(ANYTHING)
@settings(max_examples=100, deadline=None)
def test_no_json_breaks_the_readers_of_moves_and_editions(game: AnyGame, document: object) -> None:
    for read in (game.move.parse, game.editions.load):
        assert not accepts(read, document)


@every_game
@given(ANYTHING | st.dictionaries(st.sampled_from(("advanced", "variant", "first", "tokens")), ANYTHING))
@settings(max_examples=100, deadline=None)
def test_no_json_breaks_the_reader_of_set_ups(game: AnyGame, document: object) -> None:
    if accepts(game.setup.parse, document):
        setup = game.setup.parse(document)
        assert game.setup.parse(game.setup.dump(setup)) == setup


@every_game
@given(st.data())
@settings(max_examples=60, deadline=None)
def test_no_changes_break_the_amending_of_an_edition(game: AnyGame, data: st.DataObject) -> None:
    edition = game.editions.default
    members = st.sampled_from(list(edition.document))
    changes = data.draw(ANYTHING | st.dictionaries(members, ANYTHING, max_size=3))
    accepts(lambda document: game.editions.amend(edition, "own", "House rules", document), changes)


@every_game
@given(st.data())
@settings(max_examples=60, deadline=None)
def test_no_changed_edition_breaks_the_reader(game: AnyGame, data: st.DataObject) -> None:
    document = dict(game.editions.default.document)
    values = ANYTHING | st.sampled_from((3, "user", {"value": 3, "source": "user"}, {"value": {"wood": 1}}, [1, 10]))
    changed = data.draw(mutated((document,), ("value", "source", "note", "9", "game"), values))
    if accepts(game.editions.load, changed):
        assert game.editions.load(changed).document == changed
