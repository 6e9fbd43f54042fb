"""Edition documents of any game."""

from typing import Any

import pytest

from domain.canonical import digest
from domain.editions import amended, differences, only_replaces_assumptions, read_sheet
from domain.forms import Malformed

LEAF = {"value": 7, "source": "rulebook"}
DOCUMENT = {"game": "go", "edition": "box", "title": "A box", "size": LEAF, "groups": {"deep": {"er": LEAF}}}


def wrong(document: object) -> list[str]:
    """Where a document is wrong; fail if it is not."""
    with pytest.raises(Malformed) as caught:
        read_sheet(document, "go")
    return [error.pointer for error in caught.value.errors]


def nested(depth: int) -> dict[str, Any]:
    """A document whose value lies in so many groups."""
    value: dict[str, Any] = LEAF
    for _ in range(depth):
        value = {"inner": value}
    return {**DOCUMENT, "outer": value}


def bare(document: object) -> dict[str, Any]:
    """The bare values of a document."""
    return read_sheet(document, "go")[1]


def test_a_document_is_read_into_bare_values() -> None:
    header, values = read_sheet(DOCUMENT, "go")
    assert header == {"id": "box", "title": "A box", "digest": digest(DOCUMENT), "document": DOCUMENT}
    assert values == {"size": 7, "groups": {"deep": {"er": 7}}}


def test_documents_differ_in_values_and_not_in_what_they_are_called() -> None:
    other = amended(DOCUMENT, "other", "Another", {"size": 7, "groups": {"deep": {"er": 8}}})
    assert differences(DOCUMENT, other) == [("/groups/deep/er", 7, 8)]


@pytest.mark.parametrize(
    ("changes", "is_assumed"),
    [
        ({}, True),
        ({"size": 7}, True),
        ({"groups": {"deep": {"er": 8}}}, True),
        ({"size": 8}, False),
        ({"size": 8, "groups": {"deep": {"er": 8}}}, False),
    ],
)
def test_a_document_replaces_assumptions_only_if_all_other_values_stay(changes: object, is_assumed: bool) -> None:
    base = {**DOCUMENT, "groups": {"deep": {"er": {"value": 7, "source": "assumed"}}}}
    assert only_replaces_assumptions(base, amended(base, "other", "Another", changes)) is is_assumed


@pytest.mark.parametrize("source", ["rulebook", "public source", "assumed", "user"])
def test_every_source_is_known(source: str) -> None:
    assert bare({**DOCUMENT, "size": {"value": [1], "source": source, "note": "why"}})["size"] == [1]


def test_a_document_may_have_a_note() -> None:
    assert bare({**DOCUMENT, "note": "words"}) == bare(DOCUMENT)


@pytest.mark.parametrize(
    ("changes", "pointers"),
    [
        ({"game": "chess"}, ["/game"]),
        ({"edition": ""}, ["/edition"]),
        ({"edition": "e" * 81}, ["/edition"]),
        ({"title": None}, ["/title"]),
        ({"title": "t" * 201}, ["/title"]),
        ({"note": 3}, ["/note"]),
        ({"note": "n" * 4001}, ["/note"]),
        ({"size": 7}, ["/size"]),
        ({"size": None}, ["/size"]),
        ({"size": {"value": 7}}, ["/size/source"]),
        ({"size": {"value": 7, "source": "hearsay"}}, ["/size/source"]),
        ({"size": {**LEAF, "note": ""}}, ["/size/note"]),
        ({"size": {**LEAF, "page": 3}}, ["/size/page"]),
        ({"size": {"source": "user"}}, ["/size/source"]),
        ({"groups": {"a/b": 1, "c": {"d": 2}}}, ["/groups/a~1b", "/groups/c/d"]),
    ],
    ids=repr,
)
def test_a_wrong_document_is_refused_at_its_place(changes: dict[str, object], pointers: list[str]) -> None:
    assert wrong({**DOCUMENT, **changes}) == pointers


@pytest.mark.parametrize("member", ["game", "edition", "title"])
def test_the_head_of_a_document_is_needed(member: str) -> None:
    assert wrong({name: value for name, value in DOCUMENT.items() if name != member}) == [f"/{member}"]


@pytest.mark.parametrize("document", [None, [], "go", 3, True], ids=repr)
def test_what_is_no_object_is_refused(document: object) -> None:
    assert wrong(document)[0] == ""


def test_groups_may_be_nested_but_not_without_end() -> None:
    assert bare(nested(2))["outer"] == {"inner": {"inner": 7}}
    (pointer,) = wrong(nested(200))
    assert pointer.startswith("/outer/inner/inner") and len(pointer) < 80


@pytest.mark.parametrize("value", [1.5, 2**60, "\ud800", {"\udc00": 1}], ids=lambda value: type(value).__name__)
def test_a_value_without_a_canonical_form_is_refused(value: object) -> None:
    assert wrong({**DOCUMENT, "size": {"value": value, "source": "user"}}) == ["/size"]


def test_a_value_nested_without_end_is_refused() -> None:
    deep: object = 7
    for _ in range(900):
        deep = [deep]
    assert wrong({**DOCUMENT, "size": {"value": deep, "source": "user"}}) == ["/size"]


# Amending


MAPPED = {
    **DOCUMENT,
    "note": "words",
    "map": {"value": {"a": 1, "b": {"c": 2, "d": 3}}, "source": "assumed", "note": "?"},
}


def patched(changes: object) -> dict[str, Any]:
    """The values of the document after changes."""
    document = amended(MAPPED, "own", "My box", changes)
    return {name: member for name, member in document.items() if name not in ("game", "edition", "title")}


def test_an_amended_document_has_a_head_of_its_own() -> None:
    document = amended(MAPPED, "own", "My box", {})
    assert (document["game"], document["edition"], document["title"]) == ("go", "own", "My box")
    assert "note" not in document
    assert bare(document) == bare(MAPPED)


def test_only_what_is_amended_gets_the_user_as_its_source() -> None:
    document = patched({"size": 9})
    assert document["size"] == {"value": 9, "source": "user"}
    assert (document["groups"], document["map"]) == (MAPPED["groups"], MAPPED["map"])


def test_a_value_in_a_group_is_amended_by_its_path() -> None:
    assert patched({"groups": {"deep": {"er": [1]}}})["groups"] == {"deep": {"er": {"value": [1], "source": "user"}}}


def test_amending_leaves_the_document_as_it_was() -> None:
    before = digest(MAPPED)
    patched({"size": 9, "groups": {"deep": {"er": 8}}, "map": {"a": None, "b": {"c": 5}}})
    assert digest(MAPPED) == before


@pytest.mark.parametrize(
    ("change", "value"),
    [
        ({}, {"a": 1, "b": {"c": 2, "d": 3}}),
        ({"a": 2}, {"a": 2, "b": {"c": 2, "d": 3}}),
        ({"a": None}, {"b": {"c": 2, "d": 3}}),
        ({"b": {"c": None}}, {"a": 1, "b": {"d": 3}}),
        ({"b": {"e": 4}}, {"a": 1, "b": {"c": 2, "d": 3, "e": 4}}),
        ({"b": 5}, {"a": 1, "b": 5}),
        ({"a": {"z": 1}}, {"a": {"z": 1}, "b": {"c": 2, "d": 3}}),
        ({"new": 1}, {"a": 1, "b": {"c": 2, "d": 3}, "new": 1}),
        ({"new": None}, {"a": 1, "b": {"c": 2, "d": 3}}),
        ([1], [1]),
        (7, 7),
    ],
    ids=repr,
)
def test_a_map_is_patched_entry_by_entry(change: object, value: object) -> None:
    assert patched({"map": change})["map"] == {"value": value, "source": "user"}


@pytest.mark.parametrize(
    ("changes", "pointers"),
    [
        (None, [""]),
        ([], [""]),
        ("size", [""]),
        ({"size": None}, ["/size"]),
        ({"map": None}, ["/map"]),
        ({"title": "x"}, ["/title"]),
        ({"note": "x"}, ["/note"]),
        ({"a/b": 1}, ["/a~1b"]),
        ({"groups": 3}, ["/groups"]),
        ({"groups": None}, ["/groups"]),
        ({"groups": {"deep": {"er": None, "est": 1}}, "wide": 2}, ["/groups/deep/er", "/groups/deep/est", "/wide"]),
    ],
    ids=repr,
)
def test_wrong_changes_are_refused_at_their_place(changes: object, pointers: list[str]) -> None:
    with pytest.raises(Malformed) as caught:
        amended(MAPPED, "own", "My box", changes)
    assert [error.pointer for error in caught.value.errors] == pointers
