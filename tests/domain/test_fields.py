"""The fields of records: what they read, write and describe."""

import doctest
from dataclasses import dataclass
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from domain import fields
from domain.fields import (
    Record,
    Shown,
    ascending,
    distinct,
    every,
    maybe,
    name,
    nested,
    number,
    number_among,
    schema_of,
    show,
    word,
)
from domain.forms import Form, Malformed


@dataclass(frozen=True, slots=True, order=True)
class Point:
    column: int
    row: int = 1


@dataclass(frozen=True, slots=True)
class Drawing:
    colour: int
    size: int
    centre: Point
    points: tuple[Point, ...] = ()
    pen: str | None = None
    layers: frozenset[str] = frozenset()


POINT = Record(Point, {"column": word({"a": 0, "b": 1, "c": 2}), "row": maybe(number(range(1, 9)), 1)})
DRAWING = Record(
    Drawing,
    {
        "colour": word({"red": 7, "blue": 8}),
        "size": number(range(10, 13), 0),
        "centre": nested(POINT),
        "points": maybe(ascending(POINT, 1, 3), ()),
        "pen": maybe(name(["broad", "fine"])),
        "layers": maybe(distinct({"x": "x", "y": "y"}, 1, 2, frozenset, sorted), frozenset()),
    },
    type="drawing",
    filled=True,
)
DOCUMENT = {"type": "drawing", "colour": "blue", "size": 12, "centre": {"column": "b"}, "filled": True}


def read(document: object) -> Drawing:
    """The drawing that a document describes; raise `Malformed`."""
    form = Form(document)
    form.word("type", ["drawing"])
    form.flag("filled")
    drawing = DRAWING.read(form)
    form.finish()
    return drawing


def pointers(document: object) -> list[str]:
    """Where a document is wrong."""
    with pytest.raises(Malformed) as caught:
        read(document)
    return [error.pointer for error in caught.value.errors]


def test_the_example_holds() -> None:
    failures, tried = doctest.testmod(fields)
    assert failures == 0
    assert tried > 0


def test_a_record_is_read_and_written_by_the_same_fields() -> None:
    assert read(DOCUMENT) == Drawing(8, 2, Point(1))
    assert DRAWING.dump(read(DOCUMENT)) == DOCUMENT
    Draft202012Validator(DRAWING.schema).validate(DOCUMENT)


def test_a_list_of_records_is_kept_in_ascending_order() -> None:
    points = [{"column": "c"}, {"column": "a", "row": 2}]
    drawing = read({**DOCUMENT, "points": points})
    assert drawing.points == (Point(0, 2), Point(2))
    assert DRAWING.dump(drawing)["points"] == points[::-1]


def test_different_words_may_come_in_any_order() -> None:
    drawing = read({**DOCUMENT, "pen": "fine", "layers": ["y", "x"]})
    assert (drawing.pen, drawing.layers) == ("fine", frozenset("xy"))
    assert DRAWING.dump(drawing) == {**DOCUMENT, "pen": "fine", "layers": ["x", "y"]}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"colour": "green", "size": 13}, ["/colour", "/size"]),
        ({"centre": {"column": "d", "depth": 1}}, ["/centre/column", "/centre/depth"]),
        ({"filled": False}, ["/filled"]),
        ({"points": []}, ["/points"]),
        ({"points": [{"column": "a"}, {"row": 9}]}, ["/points/1/column", "/points/1/row"]),
        ({"pen": "blunt"}, ["/pen"]),
        ({"layers": ["x", "x"]}, ["/layers/1"]),
        ({"name": "circle"}, ["/name"]),
    ],
)
def test_all_that_is_wrong_with_a_record_is_noted_and_against_its_schema(
    changes: dict[str, Any], expected: list[str]
) -> None:
    assert pointers({**DOCUMENT, **changes}) == expected
    assert not Draft202012Validator(DRAWING.schema).is_valid({**DOCUMENT, **changes})


def test_an_integer_among_a_few_is_described_by_them() -> None:
    assert number_among([9, 16]).schema == {"type": "integer", "enum": [9, 16]}
    assert number_among([17]).schema == {"type": "integer", "const": 17}


def test_a_single_name_is_described_as_a_constant() -> None:
    assert name(["fine"]).schema == {"const": "fine"}


def test_all_of_some_members_are_read_and_no_other() -> None:
    form = Form({"a": 1, "b": 2, "c": 3})
    assert every(form, ["a", "b"], lambda form, name: form.integer(name, range(9))) == {"a": 1, "b": 2}
    assert [error.pointer for error in form.errors] == ["/c"]


def test_what_is_only_written_is_shown_beside_its_schema() -> None:
    shown: Shown[Point] = {"row": ({"type": "integer"}, lambda point: point.row)}
    assert show(shown, Point(0, 5)) == {"row": 5}
    assert schema_of(shown)["properties"] == {"row": {"type": "integer"}}
