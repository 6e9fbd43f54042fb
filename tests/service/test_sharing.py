"""Components of the API document for what stands in several places."""

from typing import Any

from service.openapi.sharing import name_objects, ref, share_known, share_parameters, share_parts, typed

CELLS = {"type": "string", "enum": [f"{column}{row}" for column in "abcdefgh" for row in range(1, 9)]}


def test_a_part_in_several_places_becomes_a_component_named_after_its_member() -> None:
    move = {"type": "object", "properties": {"at": CELLS, "cell": CELLS, "cells": {"type": "array", "items": CELLS}}}
    shared = share_parts({"GameMove": move}, "Game")
    assert shared["GameCell"] == CELLS
    assert (
        shared["GameMove"]["properties"]["at"] == shared["GameMove"]["properties"]["cells"]["items"] == ref("GameCell")
    )


def test_the_values_of_a_map_are_named_after_it() -> None:
    state = {"type": "object", "properties": {"tiles": {"type": "object", "properties": {"1": CELLS, "2": CELLS}}}}
    assert share_parts({"GameState": state}, "Game")["GameTile"] == CELLS


def test_a_known_schema_is_referenced_and_examples_are_left_alone() -> None:
    known = {"Cell": {**CELLS, "description": "A square."}}
    document: Any = {"items": CELLS, "example": CELLS}
    assert share_known(document, known) == {"items": ref("Cell"), "example": CELLS}


def test_an_object_within_another_becomes_a_component_of_its_own() -> None:
    inner = {"type": "object", "properties": {"name": {"type": "string"}}}
    nullable = {**inner, "type": ["object", "null"]}
    named = name_objects({"Match": {"type": "object", "properties": {"owner": inner, "guest": nullable}}})
    assert named["MatchOwner"] == named["MatchGuest"] == inner
    assert named["Match"]["properties"] == {
        "owner": ref("MatchOwner"),
        "guest": {"oneOf": [ref("MatchGuest"), {"type": "null"}]},
    }


def test_forms_are_named_by_their_type_or_title() -> None:
    forms = [
        {"type": "object", "properties": {"type": {"const": "take"}}},
        {"type": "object", "properties": {"type": {"const": "take"}, "tile": {}}},
        {"type": "object", "title": "Other", "properties": {}},
    ]
    assert list(name_objects({"Move": {"oneOf": forms}})) == ["MoveTake", "MoveTake2", "Other", "Move"]


def test_words_are_said_to_be_text() -> None:
    assert typed({"enum": ["a", "b"]}) == {"type": "string", "enum": ["a", "b"]}
    assert typed({"const": 1}) == {"type": "integer", "const": 1}
    assert typed({"enum": [None, "a"]}) == {"type": ["string", "null"], "enum": [None, "a"]}
    assert typed({"const": True}) == {"type": "boolean", "not": {"const": False}}


def test_a_parameter_of_several_operations_becomes_a_component() -> None:
    limit = {"name": "limit", "in": "query", "schema": {"type": "integer"}}
    other = {"name": "limit", "in": "query", "schema": {"type": "string"}}
    given = {"a": limit, "b": limit, "c": other}
    paths, components = share_parameters({path: {"get": {"parameters": [each]}} for path, each in given.items()})
    assert components == {"QueryLimit": limit}
    assert paths["a"]["get"]["parameters"] == [ref("QueryLimit", "parameters")]
    assert paths["c"]["get"]["parameters"] == [other]
