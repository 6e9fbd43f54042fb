"""When the rules of a game change: matches that are the same go on, the others wait for their owner."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import psycopg
import pytest
from click.testing import CliRunner, Result
from flask import Flask
from psycopg.rows import dict_row

from scripts.examples import judging
from scripts.other_rules import other_rules_version
from service.cli import main
from service.db.pool import Database
from service.server.run import warn_of_old_rules
from service.timelines import Timelines
from tests.service.conftest import NewMatch
from tests.service.following import Reader, Told, followed
from tests.service.harness import OPENING, Match, entry, finished_match, ok, problem
from tests.service.tampering import as_service
from tests.service.workers import GAME, seen_by, two_workers

PRESENT = GAME.rules_version
RESULT = GAME.rules.result


def takes(building: str) -> Callable[[str, Any], bool]:
    """Tell if a move takes a building."""
    return lambda _, move: bool(move == {"type": "take", "building": building})


@contextmanager
def swapped_results() -> Iterator[None]:
    """Other rules, by which the last is first."""
    result = GAME.rules.result

    def judge(state: Any) -> Any:
        found = result(state)
        if found is None:
            return None
        ranking = tuple(
            replace(ranked, seat=other.seat)
            for ranked, other in zip(found.ranking, reversed(found.ranking), strict=True)
        )
        return replace(found, winners=(ranking[0].seat,), ranking=ranking)

    with other_rules_version(GAME), patch.object(GAME.rules, "result", judge):
        yield


@pytest.fixture
def verify(dsn: str) -> Callable[[], Result]:
    """Judges all matches by the rules that hold."""
    return lambda: CliRunner().invoke(main, ["verify", "--rules"], env={"DATABASE_URL": as_service(dsn)})


def row_of(dsn: str, match: Match) -> Any:
    with psycopg.connect(dsn, row_factory=dict_row) as connection:
        return connection.execute("SELECT * FROM matches WHERE match_id = %s", (match.id,)).fetchone()


def places(dsn: str, match: Match) -> Any:
    with psycopg.connect(dsn) as connection:
        found = connection.execute("SELECT seat, place, points FROM match_seats WHERE match_id = %s", (match.id,))
        return sorted(found.fetchall())


def finished(new_match: NewMatch) -> Match:
    match = new_match()
    ok(match.post("/moves", {"moves": finished_match()}), 201)
    return match


def test_by_the_same_rules_nothing_changes(
    new_match: NewMatch, match: Match, dsn: str, verify: Callable[[], Result]
) -> None:
    match.record(*OPENING)
    others = [finished(new_match), new_match()]
    others[1].record(*OPENING)
    ok(others[1].post("/abandon"))
    result_only = {"result_only": True, "points": {"orange": 48, "blue": 57}}
    others.append(new_match(setup=result_only))
    before = [row_of(dsn, one) for one in (match, *others)]
    found = verify()
    assert found.exit_code == 0, found.output
    assert found.stdout.startswith("4 of 4 matches fit the present rules, 0 of them since now; 0 are in conflict")
    assert [row_of(dsn, one) for one in (match, *others)] == before


def test_matches_that_are_the_same_go_on_with_the_present_rules(
    new_match: NewMatch, match: Match, verify: Callable[[], Result]
) -> None:
    match.record(*OPENING)
    over = finished(new_match)
    before = [(one.document(), one.frames(), one.events()) for one in (match, over)]
    with judging(lambda *_: False):
        found = verify()
        assert found.exit_code == 0, found.output
        assert "2 of 2 matches fit the present rules, 2 of them since now" in found.stdout
        assert "2 of 2 matches fit the present rules, 0 of them since now" in verify().stdout
        for one, (document, frames, events) in zip((match, over), before, strict=True):
            advanced = {"rules_version": PRESENT + 1, "revision": document["revision"] + 1}
            assert one.document() == {**document, **advanced}
            assert (one.frames(), one.events()) == (frames, events)
        ok(match.post("/moves", entry("orange take V3")), 201)


@pytest.fixture
def misfit(app: Flask, match: Match, verify: Callable[[], Result]) -> Iterator[Match]:
    """A match of six plies, the third of which the rules forbid by now."""
    match.record(*OPENING)
    # Other rules come with a new process, which has nothing in memory.
    app.extensions["carnet"] = replace(app.extensions["carnet"], timelines=Timelines())
    with judging(takes("U6")):
        assert verify().exit_code == 1
        yield match


def test_a_move_that_no_longer_fits_is_told_and_the_match_plays_up_to_it(
    misfit: Match, dsn: str, verify: Callable[[], Result]
) -> None:
    document = misfit.document()
    conflict = document["rules_conflict"]
    assert (conflict["ply"], conflict["rules_version"], conflict["result"]) == (3, PRESENT + 1, None)
    assert conflict["problem"]["type"] == "/problems/illegal-move" and conflict["problem"]["ply"] == 3
    assert (document["rules_version"], document["ply"], document["version"]) == (PRESENT, 6, 7)
    assert [frame["ply"] for frame in misfit.frames()] == [0, 1, 2]
    assert [frame["ply"] for frame in ok(misfit.get("/replay?version=5"))["frames"]] == [0, 1, 2]
    assert [frame["ply"] for frame in ok(misfit.get("/replay?version=2"))["frames"]] == [0, 1]
    assert ok(misfit.get("/state"))["ply"] == 2
    problem(misfit.get("/replay/3"), 404, "not-found")
    assert misfit.get("/replay/2/board.svg").status_code == 200
    assert len(misfit.events()) == 7 and ok(misfit.get("/verify"))["valid"]
    assert ok(misfit.service.get("/matches"))["items"][0]["rules_conflict"] == conflict
    refusal = {"code": "not_your_turn", "values": {"seat": "orange", "turn": "blue"}}
    stored = {"rules_version": PRESENT + 1, "ply": 3, "result": None, "refusal": refusal}
    assert row_of(dsn, misfit)["rules_conflict"] == stored
    again = verify()
    assert again.exit_code == 1
    assert f"Match {misfit.id}: the move of ply 3 no longer fits: It is Blue's turn, not Orange's." in again.stdout
    assert misfit.document() == document


def test_why_a_move_no_longer_fits_is_told_in_the_language_that_is_asked(misfit: Match) -> None:
    tags: list[str] = []
    for language, sentence in (
        ("en", "It is Blue's turn"),
        ("pl", "Teraz gra"),
        ("cs", "Na tahu je"),
        ("pt", "É a vez"),
    ):
        headers = {"Accept-Language": language, "If-None-Match": ", ".join(tags)}
        tags += [misfit.get(path, headers).headers["ETag"] for path in ("", "/replay")]
        documents = [ok(misfit.get("", headers)), ok(misfit.get("/replay", headers))["match"]]
        documents.append(ok(misfit.service.patch(misfit.path, {"venue": language}, headers)))
        documents += ok(misfit.service.get("/matches", headers))["items"]
        assert all(each["rules_conflict"]["problem"]["detail"].startswith(sentence) for each in documents)


def test_a_conflict_is_stored_under_a_key_without_its_problem(misfit: Match, dsn: str) -> None:
    first, again = (
        misfit.service.post(f"{misfit.path}/withdraw", None, {"Idempotency-Key": "once", "Accept-Language": language})
        for language in ("en", "pl")
    )
    assert again.headers["Idempotent-Replayed"] == "true"
    conflicts = [ok(response)["rules_conflict"] for response in (first, again)]
    assert [conflict["problem"]["detail"][:6] for conflict in conflicts] == ["It is ", "Teraz "]
    with psycopg.connect(dsn) as connection:
        [(kept,)] = connection.execute("SELECT answer FROM idempotency_keys").fetchall()
    assert "refusal" in kept and "problem" not in kept


def test_a_match_in_conflict_takes_nothing_but_what_settles_it(misfit: Match, dsn: str) -> None:
    before = row_of(dsn, misfit)
    refused = [
        misfit.post("/moves", entry("orange take V3")),
        misfit.post("/moves/check", entry("orange take V3")),
        misfit.get("/legal-moves"),
        misfit.correct(6, "remove"),
        misfit.post("/undo", {"to_ply": 4}),
        misfit.post("/abandon"),
        misfit.service.put(
            f"{misfit.path}/players", {"players": [{"seat": "orange", "name": "Jan"}, {"seat": "blue", "name": "Ana"}]}
        ),
    ]
    problem(misfit.correct(1, "replace", **entry("orange pave O1 c3 0")), 409, "correction-conflict")
    for answer in refused:
        assert problem(answer, 409, "rules-conflict")["ply"] == 3
    assert row_of(dsn, misfit) == before
    ok(misfit.service.patch(misfit.path, {"venue": "club night"}))
    assert misfit.document()["rules_conflict"]


def settled(match: Match) -> Any:
    """The document of a match that is in conflict no more and can go on."""
    document = match.document()
    assert document["rules_conflict"] is None
    assert document["rules_version"] == PRESENT + 1
    assert ok(match.get("/verify"))["valid"]
    return document


def test_accepting_cuts_the_match_where_a_move_no_longer_fits(
    misfit: Match, dsn: str, verify: Callable[[], Result]
) -> None:
    accepted = misfit.post("/rules-conflict/accept", headers={"Idempotency-Key": "one"})
    again = misfit.post("/rules-conflict/accept", headers={"Idempotency-Key": "one"})
    assert ok(accepted) == ok(again)
    document = settled(misfit)
    assert (document["ply"], document["version"], document["status"]) == (2, 8, "in_progress")
    assert misfit.events()[-1]["kind"] == "moves_undone"
    misfit.record("orange take V3")
    problem(misfit.post("/rules-conflict/accept"), 409, "already-so")
    assert verify().exit_code == 0
    with two_workers(dsn) as (app, _):
        assert seen_by(app, misfit).frames() == misfit.frames()


def test_correcting_the_move_keeps_the_rest(misfit: Match) -> None:
    ok(misfit.correct(3, "replace", **entry("orange take V3")), 201)
    document = settled(misfit)
    assert (document["ply"], document["version"]) == (6, 8)
    assert misfit.frames()[3]["move"] == {"type": "take", "building": "V3"}
    misfit.record("orange take X5")


def test_a_table_ruling_keeps_the_move(misfit: Match) -> None:
    ruled = misfit.correct(3, "replace", **entry("orange take U6"), ruling={"reason": "Those were the rules."})
    ok(ruled, 201)
    assert settled(misfit)["ply"] == 6
    assert misfit.frames()[3]["ruling"] == {"reason": "Those were the rules."}


@pytest.mark.parametrize("to_ply", [0, 2])
def test_going_back_before_the_move_settles_it(misfit: Match, to_ply: int) -> None:
    misfit.undo(to_ply)
    assert settled(misfit)["ply"] == to_ply


def test_an_abandoned_match_stays_abandoned_when_it_is_cut(match: Match, verify: Callable[[], Result]) -> None:
    match.record(*OPENING)
    ok(match.post("/abandon"))
    with judging(takes("U6")):
        assert verify().exit_code == 1
        ok(match.post("/rules-conflict/accept"))
        document = settled(match)
        assert (document["status"], document["ply"]) == ("abandoned", 2)


def test_only_what_is_still_played_is_judged(match: Match, verify: Callable[[], Result]) -> None:
    match.record(*OPENING)
    match.undo(2)
    with judging(takes("U6")):
        assert verify().exit_code == 0
        assert match.document()["rules_version"] == PRESENT + 1
        assert problem(match.post("/restore", {"version": 4}), 409, "correction-conflict")["first_ply"] == 3
        assert match.document()["ply"] == 2


def test_a_ruling_stays_a_ruling_unless_the_move_became_impossible(match: Match, verify: Callable[[], Result]) -> None:
    match.record(OPENING[0])
    ruled = {**entry("orange take U6"), "ruling": {"reason": "Nobody noticed."}}
    ok(match.post("/moves", ruled), 201)
    with judging(takes("U6")):
        assert verify().exit_code == 0
    with judging(takes("U6"), physical=True):
        assert verify().exit_code == 1
        assert match.document()["rules_conflict"]["ply"] == 2


def test_a_move_that_cannot_even_be_followed_breaks_nothing(
    match: Match, dsn: str, verify: Callable[[], Result]
) -> None:
    match.record(*OPENING)
    apply = GAME.rules.apply

    def fail(state: Any, seat: str, move: Any) -> Any:
        if takes("U6")(seat, GAME.move.dump(move)):
            raise KeyError(move)
        return apply(state, seat, move)

    with patch.object(GAME.rules, "apply", fail), judging(takes("U6")), two_workers(dsn) as (app, _):
        there = seen_by(app, match)
        assert [frame["ply"] for frame in there.frames()] == [0, 1, 2]
        assert verify().exit_code == 1
        ok(there.post("/rules-conflict/accept"))
        assert settled(there)["ply"] == 2
    with patch.object(GAME.rules, "apply", fail), judging(takes("U6")), two_workers(dsn) as (app, _):
        seen_by(app, match).record("orange take V3")


def failing(is_failing: Callable[[str, Any], bool], error: Exception) -> Any:
    """A game with a fault, by which some recorded moves cannot be played."""
    apply = GAME.rules.apply

    def fail(state: Any, seat: str, move: Any) -> Any:
        if is_failing(seat, GAME.move.dump(move)):
            raise error
        return apply(state, seat, move)

    return patch.object(GAME.rules, "apply", fail)


def test_a_fault_of_a_game_is_an_error_of_that_match_alone_and_is_logged(
    match: Match, new_match: NewMatch, dsn: str, verify: Callable[[], Result], caplog: pytest.LogCaptureFixture
) -> None:
    match.record(*OPENING)
    other = new_match()
    other.record(*OPENING[:1])
    with failing(takes("U6"), TypeError("a fault")), two_workers(dsn) as (app, _):
        caplog.clear()
        problem(seen_by(app, match).get("/replay"), 500, "internal")
        assert f"match {match.id} cannot be played at ply 3" in caplog.text
        assert "a fault" in caplog.text
        assert len(seen_by(app, other).frames()) == 2
        checked = verify()
        assert checked.exit_code == 1
        assert match.id in checked.output and other.id not in checked.output
    assert len(match.frames()) == len(OPENING) + 1


def test_a_move_that_the_present_rules_cannot_play_is_shown_as_such(
    match: Match, dsn: str, verify: Callable[[], Result]
) -> None:
    match.record(*OPENING)
    match.undo(2)
    with failing(takes("U6"), KeyError("U6")), judging(takes("U6")), two_workers(dsn) as (app, _):
        there = seen_by(app, match)
        assert verify().exit_code == 0
        frame = there.frames("?version=4")[3]
        assert frame["text"].startswith("This move was recorded under earlier rules")
        picture = there.get("/replay/3/board.svg?version=4")
        assert "recorded under earlier rules" in picture.text


def test_before_it_is_verified_a_match_plays_up_to_the_misfit_and_takes_no_more(
    match: Match, new_match: NewMatch
) -> None:
    match.record(*OPENING)
    other = new_match()
    other.record(*OPENING[:2])
    with judging(takes("U6")):
        assert len(match.frames()) == 3
        problem(match.post("/moves", entry("orange take V3")), 409, "rules-conflict")
        other.record("orange take V3")
        assert settled(other)["ply"] == 3


# Another result


@pytest.fixture
def other_result(new_match: NewMatch, verify: Callable[[], Result]) -> Iterator[Match]:
    """A finished match that the other seat has won by now."""
    match = finished(new_match)
    with swapped_results():
        found = verify()
        assert (found.exit_code, f"Match {match.id}: its result is another one\n" in found.stdout) == (1, True)
        yield match


def test_another_result_waits_to_be_accepted(other_result: Match) -> None:
    document = other_result.document()
    conflict = document["rules_conflict"]
    assert (conflict["ply"], conflict["problem"]) == (document["ply"], None)
    assert conflict["result"]["winners"] != document["result"]["winners"]
    assert document["rules_version"] == PRESENT
    assert len(other_result.frames()) == document["ply"] + 1
    swapped = {"players": [{"seat": "orange", "name": "Jan"}, {"seat": "blue", "name": "Ana"}]}
    problem(other_result.service.put(f"{other_result.path}/players", swapped), 409, "rules-conflict")
    assert other_result.document() == document


def test_an_accepted_result_is_the_result(other_result: Match, dsn: str, verify: Callable[[], Result]) -> None:
    before, seats = other_result.document(), places(dsn, other_result)
    ok(other_result.post("/rules-conflict/accept"))
    document = settled(other_result)
    assert document["result"] == before["rules_conflict"]["result"]
    assert (document["version"], document["revision"]) == (before["version"], before["revision"] + 1)
    assert [place for _, place, _ in places(dsn, other_result)] == [place for _, place, _ in reversed(seats)]
    assert verify().exit_code == 0


def test_a_rules_fix_that_was_wrong_can_be_fixed(other_result: Match, verify: Callable[[], Result]) -> None:
    with patch.object(GAME.rules, "result", RESULT):
        assert verify().exit_code == 0
        settled(other_result)


# Around it


def test_readers_and_caches_learn_of_it(app: Flask, match: Match, verify: Callable[[], Result]) -> None:
    match.record(*OPENING)
    tag = match.get().headers["ETag"]
    with followed(app) as port, Reader(port, match.id).settle() as reader, judging(takes("U6")):
        verify()
        assert reader.event() == Told("details", None, {"revision": 1})
        assert match.get(headers={"If-None-Match": tag}).status_code == 200


def test_if_match_is_heeded(misfit: Match) -> None:
    problem(misfit.post("/rules-conflict/accept", headers={"If-Match": '"3"'}), 412, "stale-version")
    ok(misfit.post("/rules-conflict/accept", headers={"If-Match": '"7"'}))


def test_a_log_that_cannot_be_read_is_told(match: Match, dsn: str, verify: Callable[[], Result]) -> None:
    match.record(*OPENING)
    with psycopg.connect(dsn) as connection:
        connection.execute("ALTER TABLE events DISABLE TRIGGER USER")
        connection.execute("UPDATE events SET payload = '{}' WHERE seq = 3")
    found = verify()
    assert found.exit_code == 1
    assert found.stdout.startswith(f"Match {match.id}: event 3: ")
    assert found.stdout.endswith("1 cannot be read.\n")


def test_the_service_says_at_its_start_what_waits(
    match: Match, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    match.record(*OPENING)
    caplog.set_level(logging.WARNING)
    with database.transaction() as connection:
        warn_of_old_rules(connection)
        assert caplog.messages == []
        with judging(takes("U6")):
            warn_of_old_rules(connection)
    [said] = caplog.messages
    assert said.startswith("1 matches were recorded by other rules") and "carnet verify --rules" in said
