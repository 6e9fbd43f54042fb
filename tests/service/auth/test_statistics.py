"""Statistics tell everybody of public matches, members of those of the club besides, and each of their own."""

from typing import Any

from service.db.pool import Database
from service.stats.ratings import settle
from tests.service.auth.people import Person
from tests.service.harness import ok, problem

RESULT = {"result_only": True, "points": {"orange": 48, "blue": 57}}


def included(person: Person, query: str = "") -> Any:
    answer = ok(person.get(f"/stats/players{query}"))
    names = {row["player"]["name"] for row in answer["items"]}
    return answer["population"]["name"], answer["population"]["included"], names


def test_each_population_has_its_matches_and_names_and_no_others(ana: Person, eva: Person, anyone: Person) -> None:
    for visibility in ("public", "club", "unlisted", "private"):
        ana.begin("Ana", f"Jan of {visibility}", setup=RESULT, visibility=visibility)
    public, club = {"Ana", "Jan of public"}, {"Ana", "Jan of public", "Jan of club"}
    assert included(anyone) == ("public", 1, public)
    assert included(eva) == ("club", 2, club)
    assert included(eva, "?population=public") == ("public", 1, public)
    assert included(ana) == ("club", 2, club)
    assert included(ana, "?mine=1") == ("mine", 4, club | {"Jan of unlisted", "Jan of private"})
    assert included(eva, "?mine=1") == ("mine", 0, set())


def test_guests_have_neither_a_club_nor_matches_of_their_own(anyone: Person) -> None:
    problem(anyone.get("/stats/players?population=club"), 401, "sign-in-needed")
    problem(anyone.get("/stats/games/paris?mine=1"), 401, "sign-in-needed")


def test_a_player_whom_one_does_not_meet_is_not_there(ana: Person, eva: Person, anyone: Person) -> None:
    seated = ana.begin("Ana", "Jan", setup=RESULT, visibility="private")["players"]
    one, other = (seat["player_id"] for seat in seated)
    for path in (f"players/{one}", f"players/{one}/ratings", f"head-to-head?a={one}&b={other}"):
        ok(ana.get(f"/stats/{path}"))
        for stranger in (eva, anyone):
            problem(stranger.get(f"/stats/{path}"), 404, "not-found")


def test_what_is_excluded_is_told_of_matches_that_one_may_see(ana: Person, anyone: Person) -> None:
    for visibility in ("public", "club", "private"):
        ana.begin("Ana", "Jan", visibility=visibility)
    assert ok(anyone.get("/stats/players"))["population"]["excluded"] == {"in_progress": 1}
    assert ok(ana.get("/stats/players"))["population"]["excluded"] == {"in_progress": 2}
    assert ok(ana.get("/stats/players?mine=1"))["population"]["excluded"] == {"in_progress": 3}


def test_calibration_rests_on_the_matches_of_the_readers_population_alone(
    database: Database, ana: Person, anyone: Person
) -> None:
    for index in range(60):
        points = {"orange": 48 + index % 2 * 20, "blue": 57}
        setup = {"result_only": True, "points": points}
        ana.begin("Ana", "Jan", setup=setup, visibility=("public", "club", "private")[index // 30 or index % 3])
    settle(database)
    path = "/stats/ratings/calibration?game=cite-lumiere"
    public, club = (ok(person.get(path))["items"][0]["matches"] for person in (anyone, ana))
    assert 0 == public < club
    assert ok(ana.get(f"{path}&population=public"))["items"][0]["matches"] == 0
    problem(anyone.get("/stats/ratings/calibration?population=club"), 401, "sign-in-needed")
