"""Documents for the readers of games: any JSON, valid documents changed here and there, and what a reader says."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import strategies as st

from domain.forms import Malformed
from domain.game import JsonObject

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@st.composite
def mutated(
    draw: st.DrawFn, documents: tuple[object, ...], members: tuple[str, ...], values: st.SearchStrategy[Any]
) -> Any:
    """A valid document in which some members were changed, added or left out, at any depth."""
    document = deepcopy(draw(st.sampled_from(documents)))
    for _ in range(draw(st.integers(1, 3))):
        place = document
        while isinstance(place, dict | list) and place:
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            key = draw(st.sampled_from(keys))
            deeper = isinstance(place[key], dict | list) and bool(place[key])
            if deeper and draw(st.booleans()):
                place = place[key]
                continue
            act = draw(st.sampled_from(("change", "remove", "add")))
            if act == "change":
                place[key] = deepcopy(draw(values))
            elif act == "remove":
                del place[key]
            elif isinstance(place, dict):
                place[draw(st.sampled_from(members) | st.text(max_size=3))] = deepcopy(draw(values))
            else:
                place.append(deepcopy(draw(values)))
            break
    return document


def accepts(read: Callable[[object], object], document: object) -> bool:
    """Whether a reader takes a document; raise whatever it raises but `Malformed`."""
    try:
        read(document)
    except Malformed as refused:
        assert refused.errors
        return False
    return True


def pointers(read: Callable[[object], object], document: object) -> list[str]:
    """Where a document is malformed; fail if it is not."""
    with pytest.raises(Malformed) as caught:
        read(document)
    assert all(error.detail and (not error.pointer or error.pointer[0] == "/") for error in caught.value.errors)
    return [error.pointer for error in caught.value.errors]


def with_values(document: Mapping[str, Any], changes: Mapping[str, object]) -> JsonObject:
    """The document of an edition with other values, each by the path of its leaf."""
    changed: JsonObject = deepcopy(dict(document))
    for path, value in changes.items():
        leaf = changed
        for name in path.split("/"):
            leaf = leaf[name]
        leaf["value"] = value
    return changed
