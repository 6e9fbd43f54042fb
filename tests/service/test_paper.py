"""Points on paper against those of the moves."""

from typing import Any

import pytest

from tests.service.harness import Match, Service, finished_match, nothing_changes, ok, pointers, problem


@pytest.fixture
def ended(match: Match) -> Match:
    """A match that has ended."""
    ok(match.post("/moves", {"moves": finished_match()}), 201)
    return match


def compared(match: Match, *notes: dict[str, Any]) -> Any:
    with nothing_changes(match):
        return ok(match.post("/paper/check", {"notes": list(notes)}))


def totals(match: Match, ply: int) -> dict[str, int]:
    return {seat: score["total"] for seat, score in match.frames()[ply]["state"]["score"].items()}


def test_a_paper_that_is_right_agrees(ended: Match) -> None:
    last = ended.document()["ply"]
    end = {"points": totals(ended, last)}
    half = {"ply": last // 2, "points": totals(ended, last // 2)}
    assert compared(ended, end, half) == {"agrees": True, "first": None}


def test_all_that_a_score_sheet_holds_is_compared_at_once(ended: Match) -> None:
    notes = [{"ply": ply, "points": totals(ended, ply)} for ply in range(0, ended.document()["ply"], 5)] * 20
    wrong = {"points": {"orange": -99}}
    assert compared(ended, *notes[:99], wrong)["first"]["written"] == -99
    problem(ended.post("/paper/check", {"notes": [*notes[:100], wrong]}), 422, "malformed")


def test_the_first_ply_that_differs_is_named_with_the_moves_that_may_be_wrong(ended: Match) -> None:
    last = ended.document()["ply"]
    right = {"ply": last // 2, "points": totals(ended, last // 2)}
    wrong = totals(ended, last)
    plies = range(last // 2, last + 1)
    orange = [totals(ended, ply)["orange"] for ply in plies]
    changed = {ply: after - before for ply, before, after in zip(plies[1:], orange, orange[1:], strict=False)}
    ply, change = next((ply, change) for ply, change in changed.items() if change)
    wrong["orange"] -= change
    first = compared(ended, {"points": wrong}, right)["first"]
    assert (first["ply"], first["seat"], first["category"]) == (last, "orange", None)
    assert (first["written"], first["computed"]) == (wrong["orange"], wrong["orange"] + change)
    assert first["agreed_at"] == last // 2
    assert {"ply": ply, "change": change, "explains": True}.items() <= first["suspects"][0].items()
    assert {suspect["ply"] for suspect in first["suspects"]} == {ply for ply, change in changed.items() if change}


def test_a_category_that_differs_is_named_before_all_points(ended: Match) -> None:
    last = ended.document()["ply"]
    items = ok(ended.get(f"/replay/{last}/score"))["seats"]["blue"]["items"]
    category = items[0]["category"]
    points = sum(item["points"] for item in items if item["category"] == category)
    wrong = {**totals(ended, last)}
    wrong["blue"] += 3
    first = compared(ended, {"points": wrong}, {"category": category, "points": {"blue": points + 3}})["first"]
    assert (first["category"], first["written"], first["computed"]) == (category, points + 3, points)


@pytest.mark.parametrize(
    ("note", "pointer"),
    [
        ({"points": {}}, "/notes/0/points"),
        ({"points": {"red": 3}}, "/notes/0/points/red"),
        ({"points": {"blue": "3"}}, "/notes/0/points/blue/value"),
    ],
)
def test_what_is_malformed_is_pointed_at(match: Match, note: dict[str, Any], pointer: str) -> None:
    refused = match.post("/paper/check", {"notes": [note]})
    assert pointers(problem(refused, 422, "malformed")) == [pointer]


def test_plies_that_are_not_there_and_results_have_no_points(service: Service, match: Match) -> None:
    for ply in (9, -1):
        problem(match.post("/paper/check", {"notes": [{"ply": ply, "points": {"blue": 1}}]}), 422, "out-of-range")
    setup = {"result_only": True, "points": {"orange": 50, "blue": 41}}
    people = [{"seat": "orange", "name": "Ana"}, {"seat": "blue", "name": "Jan"}]
    noted = ok(service.post("/matches", {"game": "cite-lumiere", "players": people, "setup": setup}), 201)["id"]
    response = service.post(f"/matches/{noted}/paper/check", {"notes": [{"points": {"blue": 1}}]})
    problem(response, 409, "match-result-only")
