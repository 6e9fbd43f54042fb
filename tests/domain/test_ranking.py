"""Results by merits that are compared one after the other."""

import pytest

from domain.game import Ranked
from domain.ranking import ranked


@pytest.mark.parametrize(
    ("merits", "places", "decided_by"),
    [
        ({"a": (9, 1), "b": (8, 5)}, {"a": 1, "b": 2}, "points"),
        ({"a": (9, 1), "b": (9, 4)}, {"b": 1, "a": 2}, "francs"),
        ({"a": (9, 4), "b": (7, 0), "c": (9, 4), "d": (7, 0)}, {"a": 1, "c": 1, "b": 3, "d": 3}, "shared"),
    ],
)
def test_seats_are_ranked_by_points_then_by_what_breaks_ties(
    merits: dict[str, tuple[int, ...]], places: dict[str, int], decided_by: str
) -> None:
    result = ranked(merits, ["francs"])
    assert result.ranking == tuple(Ranked(seat, place, merits[seat][0]) for seat, place in places.items())
    assert result.winners == tuple(seat for seat, place in places.items() if place == 1)
    assert result.decided_by == decided_by
