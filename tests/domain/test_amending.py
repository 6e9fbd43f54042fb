"""Editions of one's own box: a merge patch on bare values, refused field by field."""

from typing import Any

import pytest

from domain.catalogue import GAMES
from domain.editions import amended
from domain.forms import Malformed

GAME = GAMES["cite-lumiere"]
BASE = GAME.editions["devir-2019"]


def test_changed_values_have_the_source_user_and_all_others_stay() -> None:
    edition = GAME.editions.amend(BASE, "mine", "My box", {"fountain_cells": 3, "faces": {"2": "ssrs"}})
    assert (edition.id, edition.title) == ("mine", "My box")
    assert edition.document["fountain_cells"] == {"value": 3, "source": "user"}
    assert edition.document["faces"]["2"] == {"value": "ssrs", "source": "user"}
    assert edition.document["faces"]["1"] == BASE.document["faces"]["1"]
    assert edition.digest != BASE.digest
    assert BASE.document["fountain_cells"]["value"] == 2


def test_the_number_of_a_box_at_boardgamegeek_is_kept_until_it_is_taken_out() -> None:
    numbered = GAME.editions.amend(BASE, "mine", "My box", {"bgg_id": 12_345, "fountain_cells": 3})
    assert numbered.document["bgg_id"] == 12_345
    again = GAME.editions.amend(numbered, "other", "My box", {"fountain_cells": 2})
    assert again.document["bgg_id"] == 12_345
    assert "bgg_id" not in GAME.editions.amend(again, "none", "My box", {"bgg_id": None}).document


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ([], ""),
        ({"fountains": 2}, "/fountains"),
        ({"faces": "ssrs"}, "/faces"),
        ({"faces": {"9": "ssrs"}}, "/faces/9"),
        ({"fountain_cells": None}, "/fountain_cells"),
        ({"fountain_cells": 9}, "/fountain_cells"),
        ({"fountain_cells": {"value": 3}}, "/fountain_cells"),
        ({"title": "Another"}, "/title"),
        ({"bgg_id": 0}, "/bgg_id"),
        ({"bgg_id": "1"}, "/bgg_id"),
        ({"buildings": {"L4": ["##"]}}, "/buildings/L4"),
    ],
)
def test_a_change_that_makes_no_sense_is_named(changes: Any, pointer: str) -> None:
    with pytest.raises(Malformed) as caught:
        GAME.editions.amend(BASE, "mine", "My box", changes)
    assert [error.pointer for error in caught.value.errors] == [pointer]


def test_null_removes_entries_of_maps_alone_and_maps_are_merged() -> None:
    document = {
        "game": "any",
        "edition": "printed",
        "title": "Printed",
        "note": "of the old one",
        "tile": {"value": {"type": "cafe", "extra": {"wood": 1, "gold": 2}}, "source": "assumed", "note": "guessed"},
    }
    changes = {"tile": {"extra": {"wood": None, "marble": 3}}}
    assert amended(document, "mine", "Mine", changes) == {
        "game": "any",
        "edition": "mine",
        "title": "Mine",
        "tile": {"value": {"type": "cafe", "extra": {"gold": 2, "marble": 3}}, "source": "user"},
    }
    replaced = amended(document, "mine", "Mine", {"tile": {"type": None, "extra": 7}})
    assert replaced["tile"]["value"] == {"extra": 7}
