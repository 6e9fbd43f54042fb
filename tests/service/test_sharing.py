"""Components of the API document for what stands in several places."""

from typing import Any

import pytest

from service.openapi.sharing import (
    MAX_REFUSAL,
    as_maps,
    name_objects,
    ref,
    share_known,
    share_parameters,
    share_parts,
    share_titled,
    typed,
    without_long_refusals,
)

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
    assert components == {"Limit": limit}
    assert paths["a"]["get"]["parameters"] == [ref("Limit", "parameters")]
    assert paths["c"]["get"]["parameters"] == [other]


def test_parameters_of_one_name_in_path_and_query_are_told_apart() -> None:
    path, query = ({"name": "ply", "in": place, "schema": {"type": "integer"}} for place in ("path", "query"))
    _, components = share_parameters({name: {"get": {"parameters": [path, query]}} for name in "ab"})
    assert components == {"Ply": path, "QueryPly": query}


def test_a_part_with_a_title_is_a_component_wherever_it_stands() -> None:
    cell = {"title": "Cell", "description": "A square.", **CELLS}
    move = {"type": "object", "properties": {"at": CELLS, "to": {**CELLS, "description": "Where to."}, "from": cell}}
    shared = share_titled({"GameMove": move}, "Game")
    assert shared["GameCell"] == {"description": "A square.", **CELLS}
    assert shared["GameMove"]["properties"] == {
        "at": ref("GameCell"),
        "to": {**ref("GameCell"), "description": "Where to."},
        "from": ref("GameCell"),
    }


def test_a_title_has_one_shape() -> None:
    parts = {name: {"title": "Part", "type": name} for name in ("string", "integer")}
    with pytest.raises(ValueError, match="GamePart"):
        share_titled({"GameMove": {"properties": parts}}, "Game")


def test_an_object_of_many_members_that_are_alike_becomes_a_map() -> None:
    names = ["1", "2", "3", "4"]
    members = {"type": "object", "properties": dict.fromkeys(names, CELLS), "additionalProperties": False}
    mapped = {"type": "object", "propertyNames": {"enum": names}, "additionalProperties": CELLS}
    assert as_maps({**members, "required": []}) == mapped
    assert as_maps({**members, "required": names}) == {**mapped, "minProperties": 4}
    assert as_maps({**members, "required": ["1"]}) == {**members, "required": ["1"]}


def test_names_by_patterns_allow_what_the_patterns_do() -> None:
    whole = {
        "type": "object",
        "patternProperties": {"^a": CELLS, "^b": {"type": "null"}},
        "additionalProperties": False,
    }
    assert as_maps(whole)["additionalProperties"] == {"anyOf": [CELLS, {"type": "null"}]}


def test_a_long_refusal_is_left_out() -> None:
    short, long = ({"not": {"enum": ["x" * size]}} for size in (10, MAX_REFUSAL))
    assert without_long_refusals({"anyOf": [short, long]}) == {"anyOf": [short, {}]}
