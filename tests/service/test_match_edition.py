"""Correcting the printed values that a match is played with: by an event, with a verdict for each recorded move."""

from collections.abc import Iterator
from random import Random
from typing import Any

import psycopg
import pytest

from scripts.random_play import draw_setup
from service.db.pool import Database
from tests.service.applications import application_on
from tests.service.conftest import CONFIG
from tests.service.harness import (
    OPENING,
    Match,
    Service,
    entries,
    finished_match,
    nothing_changes,
    ok,
    pointers,
    problem,
)

EDITION = "devir-2019"
SIX_CHIMNEYS = {"ply": 0, "edition_changes": {"chimneys": 6}}


@pytest.fixture
def another(database: Database) -> Iterator[Service]:
    """Another process of the service, which has nothing in memory."""
    app = application_on(database, CONFIG)
    yield Service(app)
    app.extensions["carnet"].close()


def chimneys(match: Match, query: str = "") -> list[int]:
    """The chimneys that blue has left at the last ply, and those of the printed edition of the match."""
    return [match.frames(query)[-1]["state"]["seats"]["blue"]["chimneys"], edition(match)["chimneys"]["value"]]


def edition(match: Match) -> Any:
    return ok(match.get("/edition"))


def test_a_corrected_value_makes_an_edition_for_the_match_and_keeps_its_moves(opened: Match) -> None:
    correction = ok(opened.post("/corrections", {**SIX_CHIMNEYS, "edition_title": "Ours"}), 201)
    assert [verdict["status"] for verdict in correction["verdicts"]] == ["ok"] * 6
    assert (correction["version"], correction["ply"], correction["dropped"]) == (8, 6, 0)
    assert correction["state"]["seats"]["blue"]["chimneys"] == 6
    document, amended = opened.document(), edition(opened)
    assert document["edition"] == amended["id"] != EDITION
    assert (amended["title"], amended["chimneys"]) == ("Ours", {"value": 6, "source": "user"})
    assert opened.moves() == entries(OPENING)
    last = opened.events()[-1]
    assert (last["kind"], last["payload"]) == (
        "edition_changed",
        {"edition": amended["id"], "edition_digest": amended["digest"], "dropped": 0},
    )
    assert ok(opened.get("/verify"))["valid"]
    assert ok(opened.service.get(f"/games/cite-lumiere/editions/{amended['id']}"))["title"] == "Ours"


def test_a_version_is_replayed_with_the_edition_that_it_had(opened: Match) -> None:
    ok(opened.post("/corrections", SIX_CHIMNEYS), 201)
    assert [chimneys(opened), chimneys(opened, "?version=7")] == [[6, 6], [7, 6]]
    printed = ok(opened.service.get(f"/games/cite-lumiere/editions/{EDITION}"))
    assert ok(opened.get("/edition?version=7")) == printed != edition(opened) == ok(opened.get("/edition?version=8"))
    assert edition(opened)["title"] == printed["title"]
    problem(opened.get("/edition?version=9"), 422, "out-of-range")


def test_restoring_brings_the_edition_back_and_forth(opened: Match, another: Service) -> None:
    ok(opened.post("/corrections", SIX_CHIMNEYS), 201)
    amended = opened.document()["edition"]
    ok(opened.post("/restore", {"version": 7}), 201)
    assert (opened.document()["edition"], chimneys(opened)) == (EDITION, [7, 7])
    ok(opened.post("/restore", {"version": 8}), 201)
    assert (opened.document()["edition"], chimneys(opened)) == (amended, [6, 6])
    again = Match(another, opened.id)
    assert chimneys(again) == [6, 6] and ok(again.get("/verify"))["valid"]
    assert chimneys(again, "?version=9")[0] == 7


def test_a_match_goes_on_with_an_edition_that_there_is(opened: Match) -> None:
    body = {"title": "Ours", "based_on": EDITION, "changes": {"chimneys": 5}}
    made = ok(opened.service.post("/games/cite-lumiere/editions", body), 201)
    ok(opened.post("/corrections", {"ply": 0, "edition": made["id"]}), 201)
    assert (opened.document()["edition"], chimneys(opened)) == (made["id"], [5, 5])
    listed = opened.service.all_items(f"/matches?edition={made['id']}")
    assert [match["id"] for match in listed] == [opened.id]


def test_moves_that_do_not_fit_the_corrected_values_are_a_conflict_or_cut(match: Match) -> None:
    ok(match.post("/moves", {"moves": list(finished_match())}), 201)
    one_chimney = {"ply": 0, "edition_changes": {"chimneys": 1}}
    with nothing_changes(match):
        conflict = problem(match.post("/corrections", one_chimney), 409, "correction-conflict")
    before = match.document()["ply"]
    cut = ok(match.post("/corrections", {**one_chimney, "on_conflict": "truncate"}), 201)
    assert (cut["ply"], cut["ply"] + cut["dropped"]) == (conflict["first_ply"] - 1, before)
    assert match.document()["status"] == "in_progress"
    assert ok(match.get("/verify"))["valid"]


def test_statistics_follow_the_edition_of_a_finished_match(match: Match) -> None:
    ok(match.post("/moves", {"moves": list(finished_match())}), 201)

    def population() -> Any:
        return ok(match.service.get("/stats/games/cite-lumiere"))["population"]

    assert (population()["included"], population()["excluded"]) == (1, {})
    ok(match.post("/corrections", {"ply": 0, "edition_changes": {"action_tokens": 3}, "on_conflict": "truncate"}), 201)
    ok(match.post("/restore", {"version": match.document()["version"] - 1}), 201)
    assert population()["included"] == 1
    changes = {"ply": 0, "edition_changes": {"grand_lamp_spaces": [[0, -2], [0, 2]]}}
    assert ok(match.post("/corrections", changes), 201)["status"] == "finished"
    assert (population()["included"], population()["excluded"]) == (1, {})
    assert population()["outcome_only"] == {"corrected_edition": 1}


def test_verify_names_the_event_whose_edition_is_another(opened: Match, another: Service, dsn: str) -> None:
    ok(opened.post("/corrections", SIX_CHIMNEYS), 201)
    with psycopg.connect(dsn) as connection:
        connection.execute("UPDATE editions SET document = replace(document, '\"Paris', '\"Pariz')")
    broken = ok(another.get(f"{opened.path}/verify"))
    assert not broken["valid"] and broken["first_broken"] == 8


def test_the_log_says_which_printed_values_were_corrected(opened: Match) -> None:
    ok(opened.post("/corrections", SIX_CHIMNEYS), 201)
    ok(opened.post("/restore", {"version": 7}), 201)
    changed, restored = ok(opened.get("/log?after=7"))["items"]
    assert (changed["kind"], changed["printed_count"]) == ("edition_changed", 1)
    assert changed["printed"] == [{"pointer": "/chimneys", "before": 7, "after": 6}]
    assert restored["printed"] == [{"pointer": "/chimneys", "before": 6, "after": 7}]
    assert (changed["came_count"], changed["gone_count"]) == (0, 0)
    assert ok(opened.get("/log?after=6"))["items"][0]["printed"] is None


def test_a_dry_run_stores_neither_event_nor_edition(opened: Match) -> None:
    editions = ok(opened.service.get("/games/cite-lumiere/editions"))
    with nothing_changes(opened):
        preview = ok(opened.post("/corrections", {**SIX_CHIMNEYS, "dry_run": True}))
    assert (preview["version"], preview["state"]["seats"]["blue"]["chimneys"]) == (8, 6)
    assert ok(opened.service.get("/games/cite-lumiere/editions")) == editions


def test_a_refused_correction_makes_no_edition(opened: Match) -> None:
    editions = ok(opened.service.get("/games/cite-lumiere/editions"))
    with nothing_changes(opened):
        problem(opened.post("/corrections", SIX_CHIMNEYS, {"If-Match": '"6"'}), 412, "stale-version")
    assert ok(opened.service.get("/games/cite-lumiere/editions")) == editions


def test_a_correction_of_the_edition_is_made_once_for_each_key(opened: Match) -> None:
    headers = {"Idempotency-Key": "once"}
    first = opened.post("/corrections", SIX_CHIMNEYS, headers)
    again = opened.post("/corrections", SIX_CHIMNEYS, headers)
    assert (ok(first, 201), again.headers["Idempotent-Replayed"]) == (ok(again, 201), "true")
    assert opened.document()["version"] == 8


@pytest.mark.unchanging
@pytest.mark.parametrize(
    ("members", "named"),
    [
        ({"edition": EDITION, "setup": {}}, ["/edition"]),
        ({"edition": EDITION, "edition_changes": {}}, ["/edition_changes"]),
        ({"edition": EDITION, "edition_title": "Ours"}, ["/edition_title"]),
        ({"edition_changes": {}, "action": "remove"}, ["/action"]),
        ({"edition": 7}, ["/edition"]),
        ({"edition_changes": {"chimneys": 99}}, ["/edition_changes/chimneys"]),
        ({"edition_changes": {"roofs": 6}}, ["/edition_changes/roofs"]),
        ({"edition_changes": []}, ["/edition_changes"]),
    ],
)
def test_a_malformed_correction_of_the_edition_is_refused(
    opened: Match, members: dict[str, Any], named: list[str]
) -> None:
    with nothing_changes(opened):
        refused = problem(opened.post("/corrections", {"ply": 0, **members}), 422, "malformed")
    assert pointers(refused) == named


@pytest.mark.unchanging
def test_the_edition_is_corrected_at_ply_0_alone(opened: Match) -> None:
    with nothing_changes(opened):
        problem(opened.post("/corrections", {**SIX_CHIMNEYS, "ply": 1}), 422, "malformed")


def test_the_same_edition_or_values_are_no_change(opened: Match) -> None:
    with nothing_changes(opened):
        problem(opened.post("/corrections", {"ply": 0, "edition": EDITION}), 422, "no-change")
        problem(opened.post("/corrections", {"ply": 0, "edition_changes": {"chimneys": 7}}), 422, "no-change")


def test_an_edition_that_there_is_not_is_refused(opened: Match) -> None:
    with nothing_changes(opened):
        problem(opened.post("/corrections", {"ply": 0, "edition": "devir-1819"}), 422, "unknown-edition")


def test_an_abandoned_match_keeps_its_edition(opened: Match) -> None:
    ok(opened.post("/abandon"), 200)
    with nothing_changes(opened):
        problem(opened.post("/corrections", SIX_CHIMNEYS), 409, "match-abandoned")


def test_an_edition_that_does_not_go_with_the_set_up_is_refused(service: Service) -> None:
    seats, random = ["red", "blue"], Random(1)
    setup = next(setup for setup in (draw_setup("paris", seats, random) for _ in range(50)) if setup["advanced"])
    body = {
        "game": "paris",
        "players": [{"seat": "red", "name": "Ana"}, {"seat": "blue", "name": "Jan"}],
        "setup": setup,
    }
    match = Match(service, ok(service.post("/matches", body), 201)["id"])
    changes = {"zones": {"A": [1, 1], "B": [2, 2], "C": [3, 30]}}
    with nothing_changes(match):
        refused = problem(match.post("/corrections", {"ply": 0, "edition_changes": changes}), 422, "malformed")
    assert pointers(refused) == ["/edition_changes"]
