"""Sums of tags and a rebuild: what is wrong is made right while matches go on, and the rest stays as it is."""

from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from flask import Flask

from service.db import facts
from service.db.facts import MIN_MATCHES_OF_SUMMED_TAG
from service.stats import rebuilding
from tests.service.harness import Service, ok
from tests.service.stats.test_changes import contents

SUMMED_BY_TAG = ("tallies", "player_tallies", "player_points")


def add_result(service: Service, points: int, **members: Any) -> str:
    people = [{"seat": "orange", "name": "Ana"}, {"seat": "blue", "name": "Jan"}]
    setup = {"result_only": True, "points": {"orange": points, "blue": 50}}
    body = {"game": "cite-lumiere", "players": people, "setup": setup, **members}
    return str(ok(service.post("/matches", body), 201)["id"])


@pytest.fixture
def rebuild(app: Flask) -> Callable[[], None]:
    def run() -> None:
        assert all(why is None for _, why in rebuilding.rebuild(app.extensions["carnet"]))

    return run


def test_a_tag_has_sums_from_its_twentieth_match_on(service: Service, dsn: str, rebuild: Callable[[], None]) -> None:
    def sums() -> set[str]:
        with psycopg.connect(dsn) as connection:
            return {
                table
                for table in SUMMED_BY_TAG
                if connection.execute(f"SELECT 1 FROM {table} WHERE tag = 'cup'".encode()).fetchone()  # noqa: S608
            }

    def told() -> Any:
        answer = ok(service.get("/stats/players?tag=cup&game=cite-lumiere"))
        return answer["population"]["included"], [row["mean_points"] for row in answer["items"]]

    last = ""
    for number in range(1, MIN_MATCHES_OF_SUMMED_TAG + 2):
        last = add_result(service, number, tags=["cup", f"evening {number}"], visibility="public")
        assert sums() == (set(SUMMED_BY_TAG) if number >= MIN_MATCHES_OF_SUMMED_TAG else set())
        if number > MIN_MATCHES_OF_SUMMED_TAG - 2:
            assert told() == (number, [(number + 1) / 2, 50])
    before = contents(dsn)
    rebuild()
    assert contents(dsn) == before
    ok(service.patch(f"/matches/{last}", {"venue": "café"}))
    ok(service.post(f"/matches/{last}/withdraw"))
    assert (sums(), told()[0]) == (set(SUMMED_BY_TAG), MIN_MATCHES_OF_SUMMED_TAG)
    for tags, has_sums in (([], True), (["cup"], True), ([], True)):
        ok(service.patch(f"/matches/{last}", {"tags": tags}))
        assert bool(sums()) is has_sums
    other = ok(service.get("/matches?limit=1"))["items"][0]["id"]
    ok(service.patch(f"/matches/{other}", {"tags": ["league"]}))
    assert (sums(), told()[0]) == (set(), MIN_MATCHES_OF_SUMMED_TAG - 1)
    before = contents(dsn)
    rebuild()
    assert contents(dsn) == before


WRONG = (
    "UPDATE tallies SET number = number + 1",
    "DELETE FROM player_tallies WHERE month > '-infinity'",
    "INSERT INTO player_points SELECT game, player_id, edition, variant, visibility, 999, 3, tag, players, category"
    " FROM player_points LIMIT 1",
    "UPDATE tag_counts SET number = 77",
    "UPDATE match_facts SET venue = 'nowhere'",
    "UPDATE seat_facts SET points = points + 1",
)


@pytest.mark.parametrize("statement", WRONG)
def test_a_rebuild_corrects_whatever_is_wrong(
    service: Service, dsn: str, rebuild: Callable[[], None], statement: str
) -> None:
    for number in range(3):
        add_result(service, number, tags=["cup"], visibility="public")
    before = contents(dsn)
    with psycopg.connect(dsn) as connection:
        assert connection.execute(statement.encode()).rowcount
    assert contents(dsn) != before
    rebuild()
    assert contents(dsn) == before


def test_matches_end_while_sums_are_corrected(
    service: Service, dsn: str, rebuild: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    add_result(service, 1, visibility="public")
    with psycopg.connect(dsn) as connection:
        connection.execute("UPDATE tallies SET number = number + 5")
        connection.execute("DELETE FROM player_points")
    correct = facts.correct_sums
    added: list[bool] = []

    def end_a_match_first(*arguments: Any) -> None:
        if not added:
            added.append(True)  # before the sums are locked, on another connection
            add_result(service, 2, visibility="public")
        correct(*arguments)

    monkeypatch.setattr(facts, "correct_sums", end_a_match_first)
    rebuild()
    after = contents(dsn)
    assert added and ok(service.get("/stats/players"))["items"][0]["matches"] == 2
    rebuild()
    assert contents(dsn) == after


def test_a_rebuild_writes_nothing_where_nothing_is_wrong(
    service: Service, rebuild: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    add_result(service, 1)

    def refuse(*_: Any) -> None:
        raise AssertionError("nothing is to be written")

    monkeypatch.setattr(facts, "replace", refuse)
    monkeypatch.setattr(facts, "correct_sums", refuse)
    rebuild()
