"""The result of a match: ranking, breakdown, turning point, what was new, ratings and duration."""

from random import Random
from typing import Any

import pytest

from domain.catalogue import GAMES
from scripts.random_play import play
from service.db.pool import Database
from service.matches.results import _best
from service.stats.ratings import settle
from tests.service.conftest import NewMatch
from tests.service.harness import OPENING, Match, Service, finished_match, ok


def result_of(match: Match, query: str = "") -> Any:
    return ok(match.get(f"/result{query}"))


def note(service: Service, orange: str, blue: str, points: tuple[int, int], day: int) -> Match:
    """A result of two people that was noted down."""
    body = {
        "game": "cite-lumiere",
        "players": [{"seat": "orange", "name": orange}, {"seat": "blue", "name": blue}],
        "setup": {"result_only": True, "points": dict(zip(("orange", "blue"), points, strict=True))},
        "played_at": f"2026-01-{day:02}T12:00:00Z",
    }
    return Match(service, ok(service.post("/matches", body), 201)["id"])


def kinds(match: Match) -> set[tuple[str, str, str | None]]:
    return {(first["kind"], first["seat"], first["against"]) for first in result_of(match)["firsts"]}


def test_of_a_match_in_progress_there_is_no_result(new_match: NewMatch) -> None:
    match = new_match()
    match.record(*OPENING)
    found = result_of(match)
    assert (found["ranking"], found["turning_point"], found["margin"]) == ([], None, None)


def test_a_finished_match_is_told_in_full(new_match: NewMatch) -> None:
    match = new_match()
    ok(match.post("/moves", {"moves": list(finished_match())}), 201)
    found = result_of(match)
    final = ok(match.get("/state"))["state"]["score"]
    first, second = found["ranking"]
    assert (first["place"], first["behind"], second["behind"]) == (1, 0, found["margin"])
    assert found["margin"] == first["points"] - second["points"]
    for seat, score in final.items():
        assert sum(row["points"][seat] for row in found["breakdown"]) == score["total"]
        for row in found["breakdown"]:
            assert row["points"][seat] == score[row["category"]]
    for row in found["breakdown"]:
        most = max(row["points"].values())
        best = [seat for seat, points in row["points"].items() if points == most]
        assert row["best"] == (best if len(best) == 1 else [])
    turn = found["turning_point"]
    frames = match.frames("?fields=ply,seat")
    assert turn["seat"] == frames[turn["ply"]]["seat"]
    assert found["seconds"] is None  # all moves came at once


@pytest.mark.parametrize(
    ("points", "best"),
    [
        ({"red": 3, "blue": 1, "green": 2}, ["red"]),
        ({"red": 3, "blue": 3, "green": 2}, ["red", "blue"]),
        ({"red": 3, "blue": 3, "green": 3}, []),
        ({"red": -1, "blue": 0}, ["blue"]),
    ],
)
def test_nobody_is_best_where_all_have_the_same(points: dict[str, int], best: list[str]) -> None:
    assert _best(points) == best


def test_districts_of_paris_are_rows_of_their_own(service: Service) -> None:
    game = GAMES["paris"]
    match = play(game, Random(3))
    people = [{"seat": seat, "name": f"Player {seat}"} for seat in match.seats]
    begun = Match(
        service, ok(service.post("/matches", {"game": "paris", "players": people, "setup": match.setup}), 201)["id"]
    )
    moves = [{"seat": seat, "move": game.move.dump(move)} for seat, move in match.plies]
    for at in range(0, len(moves), 200):
        ok(begun.post("/moves", {"moves": moves[at : at + 200]}), 201)
    score = ok(begun.get("/state"))["state"]["score"]
    rows = result_of(begun)["breakdown"]
    districts = {row["part"]: row["points"] for row in rows if row["category"] == "district"}
    for seat, parts in score.items():
        assert sum(row["points"][seat] for row in rows) == parts["total"]
        for district, points in parts["districts"].items():
            assert districts.get(district, {seat: 0})[seat] == points


def test_what_happens_for_the_first_time_is_told(service: Service) -> None:
    first = note(service, "Zofia", "Inês", (40, 50), 1)
    assert kinds(first) == {("first_win", "blue", None), ("first_match", "orange", None)}
    second = note(service, "Zofia", "Jan", (45, 30), 2)
    assert kinds(second) == {("first_win", "orange", None), ("first_match", "blue", None)}
    third = note(service, "Zofia", "Inês", (48, 20), 3)
    assert kinds(third) == {("first_win_against", "orange", "blue"), ("personal_best", "orange", None)}
    fourth = note(service, "Zofia", "Inês", (60, 59), 4)
    assert kinds(fourth) == {("highest_score", "orange", None), ("personal_best", "blue", None)}
    assert kinds(note(service, "Zofia", "Inês", (10, 9), 5)) == set()
    assert "highest_score" not in {kind for kind, _, _ in kinds(note(service, "Jan", "Ana", (60, 1), 6))}
    assert kinds(fourth) == {("personal_best", "orange", None), ("personal_best", "blue", None)}


def test_ratings_before_and_after_follow_when_they_are_computed(service: Service, database: Database) -> None:
    one, other = note(service, "Zofia", "Inês", (40, 50), 1), note(service, "Zofia", "Inês", (60, 50), 2)
    assert result_of(other)["ratings"] == []
    settle(database)
    before, after = ({change["seat"]: change for change in result_of(match)["ratings"]} for match in (one, other))
    assert before["orange"]["before"] == pytest.approx(1500)
    assert before["orange"]["after"] == after["orange"]["before"]
    assert after["orange"]["after"] > after["orange"]["before"]


def test_a_match_that_was_recorded_at_the_table_has_a_duration(new_match: NewMatch) -> None:
    match = new_match()
    for move in finished_match():
        ok(match.post("/moves", move), 201)
    seconds = result_of(match)["seconds"]
    assert seconds is not None
    assert 0 <= seconds < 60


def test_a_shared_win_has_no_margin(service: Service) -> None:
    body = {
        "game": "cite-lumiere",
        "players": [{"seat": "orange", "name": "Ana"}, {"seat": "blue", "name": "Jan"}],
        "setup": {"result_only": True, "points": {"orange": 40, "blue": 40}},
    }
    found = result_of(Match(service, ok(service.post("/matches", body), 201)["id"]))
    assert found["margin"] is None
    assert [rank["place"] for rank in found["ranking"]] == [1, 1]
