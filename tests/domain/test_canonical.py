"""The canonical form of JSON values."""

import json
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.canonical import MAX_EXACT_INTEGER, canonical, digest
from tests.domain.memory import bytes_left_by

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-MAX_EXACT_INTEGER, MAX_EXACT_INTEGER) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=10,
)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (None, "null"),
        (True, "true"),
        (False, "false"),
        (0, "0"),
        (-7, "-7"),
        (2**53 - 1, "9007199254740991"),
        (1 - 2**53, "-9007199254740991"),
        ("", '""'),
        ("Łódź", '"Łódź"'),
        ('"\\/', '"\\"\\\\/"'),
        ("\b\f\n\r\t", '"\\b\\f\\n\\r\\t"'),
        ("\0\x1f\x7f", '"\\u0000\\u001f\x7f"'),
        ([], "[]"),
        ((1, [2]), "[1,[2]]"),
        ({}, "{}"),
        ({"b": 1, "a": [True, None]}, '{"a":[true,null],"b":1}'),
    ],
    ids=repr,
)
def test_each_kind_of_value_has_one_form(value: object, written: str) -> None:
    assert canonical(value) == written


def test_members_are_sorted_by_their_utf_16_units() -> None:
    names = ["\u20ac", "\r", "\ufb33", "1", "\U0001f600", "\x80", "\u00f6"]
    assert list(json.loads(canonical(dict.fromkeys(names, 1)))) == [
        *("\r", "1", "\x80", "\u00f6", "\u20ac", "\U0001f600", "\ufb33")
    ]


@pytest.mark.parametrize(
    "value",
    [1.0, 0.5, float("nan"), 2**53, -(2**53), "\ud800", {"\udfff": 1}, {1: 2}, {None: 1}, b"bytes", {1, 2}, object()],
    ids=lambda value: type(value).__name__,
)
def test_what_has_no_form_is_refused(value: object) -> None:
    for place in (value, [value], {"a": value}):
        with pytest.raises(ValueError, match=r"\w"):
            canonical(place)


@given(VALUES)
@settings(max_examples=150, deadline=None)
def test_what_is_written_reads_back_the_same(value: object) -> None:
    written = canonical(value)
    assert json.loads(written) == value
    assert canonical(json.loads(written)) == written


def test_the_digest_is_that_of_the_form_in_utf_8() -> None:
    assert digest({"b": "é", "a": 1}) == sha256('{"a":1,"b":"é"}'.encode()).hexdigest()


def test_the_digest_does_not_depend_on_the_order_of_members() -> None:
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1}) != digest({"a": 2, "b": 1})


def test_nothing_of_long_names_stays_in_memory() -> None:
    def write(number: int) -> None:
        name = f"{number}" + "a" * 1_000_000
        assert canonical({name: 1, "b": 2}) == f'{{"{name}":1,"b":2}}'

    assert bytes_left_by(write) < 500_000
