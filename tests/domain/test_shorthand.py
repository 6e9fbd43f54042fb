"""Short forms of JSON objects: what has a form is written in it and read again, everything else is JSON."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.shorthand import (
    EITHER,
    NUMBER,
    Form,
    Key,
    Shorthand,
    ShorthandError,
    Word,
    mapping,
    numbered,
    prefixed,
    record,
    several,
)

SHORTHAND = Shorthand(
    Form("turn", Word("by", prefixed("r", NUMBER))),
    Form("go", "home", constants={"type": "go", "home": True}),
    Form("go", Word("to")),
    Form("lay", Word("cells", several(EITHER)), size=Key(NUMBER, "length")),
    Form("pay", Word("costs", mapping(NUMBER))),
    Form("sort", Word("order", numbered(NUMBER))),
    Form("pair", Word("pair", record(a=EITHER, b=EITHER))),
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"type": "turn", "by": 90}, "turn r90"),
        ({"type": "go", "to": "a1"}, "go a1"),
        ({"type": "go", "home": True}, "go home"),
        ({"type": "lay", "cells": ["a", 1, "b2"], "length": -3}, "lay a,1,b2 size=-3"),
        ({"type": "lay", "cells": ["a"]}, "lay a"),
        ({"type": "pay", "costs": {"wood": 1, "gold": 2}}, "pay wood:1,gold:2"),
        ({"type": "sort", "order": {"1": 5, "2": 4}}, "sort 5,4"),
        ({"type": "pair", "pair": {"a": 1, "b": "x:y"}}, "pair 1:x:y"),
    ],
)
def test_what_has_a_form_is_written_in_it(value: Any, text: str) -> None:
    assert SHORTHAND.write(value) == text
    assert SHORTHAND.read(text) == value
    assert SHORTHAND.read(text.replace(" ", "   ") + " ") == value


@pytest.mark.parametrize(
    "value",
    [
        {"type": "turn", "by": "90"},
        {"type": "turn", "by": True},
        {"type": "go", "to": "a 1"},
        {"type": "go", "to": "7"},
        {"type": "go", "to": None},
        {"type": "go", "to": "a1", "more": 1},
        {"type": "lay", "cells": []},
        {"type": "lay", "cells": "a"},
        {"type": "pay", "costs": {"a:b": 1}},
        {"type": "pay", "costs": []},
        {"type": "sort", "order": {"2": 1}},
        {"type": "sort", "order": [1]},
        {"type": "pair", "pair": {"a": 1}},
        {"type": "pair", "pair": 1},
        {},
    ],
)
def test_what_has_no_form_is_written_as_json(value: Any) -> None:
    assert SHORTHAND.write(value).startswith("{")
    assert SHORTHAND.read(SHORTHAND.write(value)) == value


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        ("", 0),
        ("fly", 0),
        ("go", 0),
        ("go a b", 5),
        ("turn 90", 5),
        ("turn rx", 5),
        ("lay a size=x", 6),
        ("lay a length=1", 6),
        ("pair 1", 5),
        ("[]", 0),
        ("{", 1),
        ("{}}", 2),
        ('{"a":Infinity}', 0),
    ],
)
def test_what_is_wrong_is_named_by_its_offset(text: str, offset: int) -> None:
    with pytest.raises(ShorthandError) as caught:
        SHORTHAND.read(text)
    assert caught.value.offset == offset


def test_the_word_of_a_member_is_found() -> None:
    assert SHORTHAND.locate("lay a  size=1", "/length") == 7
    assert SHORTHAND.locate("lay a  size=1", "/cells/0") == 4
    assert SHORTHAND.locate("lay a  size=1", "") == 0
    assert SHORTHAND.locate("{}", "/cells") == 0


def test_a_long_word_is_cut_short() -> None:
    with pytest.raises(ShorthandError) as caught:
        SHORTHAND.read("x" * 1000)
    assert len(str(caught.value)) < 100


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        value = SHORTHAND.read(text)
    except ShorthandError:
        return
    assert SHORTHAND.read(SHORTHAND.write(value)) == value
