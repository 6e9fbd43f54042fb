from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import pytest

from service.http.shapes import Component, Keywords, Page, Partial
from service.openapi.shapes import Shapes, component_of


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Dated(TypedDict):
    """Something with a date."""

    on: Annotated[str, Keywords(format="date")]
    """When it
    was."""


class Tree(Dated):
    """A tree of
    colours.
    """

    colour: Colour | None
    branches: "list[Tree]"
    leaf: NotRequired[int]


PLANTED = Tree
_With = TypedDict("_With", {"with": Annotated[float, Keywords(description="Of those who have it.")]})


class Held(_With):
    """What is had."""

    kinds: Mapping[str, Literal["a", "b"]]
    whatever: Any
    form: Literal["held"]
    move: Annotated[dict[str, Any], Component("Move")] | None


DATED = {"type": "string", "format": "date", "description": "When it was."}


def schema_of(shape: Any) -> Mapping[str, Any]:
    shapes = Shapes()
    shapes.refer(shape)
    return shapes.schemas[component_of(shape)]


def test_a_schema_follows_from_members_docstrings_and_bases() -> None:
    assert schema_of(Tree) == {
        "type": "object",
        "description": "A tree of colours.",
        "properties": {
            "on": DATED,
            "colour": {"type": ["string", "null"], "enum": ["red", "blue", None]},
            "branches": {"type": "array", "items": {"$ref": "#/components/schemas/Tree"}},
            "leaf": {"type": "integer"},
        },
        "required": ["on", "colour", "branches"],
        "additionalProperties": False,
    }


def test_members_may_be_maps_constants_references_and_names_that_are_keywords() -> None:
    assert schema_of(Held)["properties"] == {
        "with": {"type": "number", "description": "Of those who have it."},
        "kinds": {"type": "object", "additionalProperties": {"type": "string", "enum": ["a", "b"]}},
        "whatever": {},
        "form": {"const": "held"},
        "move": {"oneOf": [{"$ref": "#/components/schemas/Move"}, {"type": "null"}]},
    }


def test_a_page_is_named_after_its_items_and_brings_their_schema() -> None:
    shapes = Shapes()
    assert shapes.refer(Page[Dated]) == {"$ref": "#/components/schemas/DatedPage"}
    assert shapes.schemas["DatedPage"]["properties"]["items"] == {
        "type": "array",
        "items": {"$ref": "#/components/schemas/Dated"},
    }
    assert shapes.schemas["Dated"]["properties"] == {"on": DATED}


def test_a_partial_shape_requires_nothing() -> None:
    shapes = Shapes()
    part = Annotated[Dated, Partial("DatedPart", "Some of it.")]
    assert shapes.schema(Sequence[part]) == {"type": "array", "items": {"$ref": "#/components/schemas/DatedPart"}}
    assert shapes.schemas["DatedPart"] == {
        "type": "object",
        "description": "Some of it.",
        "properties": {"on": DATED},
        "additionalProperties": False,
    }


def test_one_of_several_shapes_has_a_name_of_its_own() -> None:
    shapes = Shapes()
    assert shapes.refer(Annotated[Dated | Held, Component("Either")]) == {"$ref": "#/components/schemas/Either"}
    assert shapes.schemas["Either"] == {
        "oneOf": [{"$ref": "#/components/schemas/Dated"}, {"$ref": "#/components/schemas/Held"}]
    }


def test_two_shapes_of_one_name_are_refused() -> None:
    class Tree(TypedDict):
        """Another tree."""

    shapes = Shapes()
    shapes.refer(PLANTED)
    with pytest.raises(ValueError, match="Tree would be two shapes"):
        shapes.refer(Tree)


def test_a_type_without_a_schema_is_refused() -> None:
    with pytest.raises(TypeError, match="has no JSON Schema"):
        Shapes().schema(bytes)
