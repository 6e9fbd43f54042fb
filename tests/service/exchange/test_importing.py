"""Importing files, twice, and undoing that."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import orjson
import psycopg
import pytest
from flask import Flask
from werkzeug.test import TestResponse

from service.db import exchange
from service.db.pool import Connection, Database
from service.exchange import files, imports
from service.exchange.arriving import arrivals
from service.server.postgres import Server
from service.stats import rebuilding
from tests.service.applications import application_on
from tests.service.conftest import CONFIG, NewMatch, service_on_one_of
from tests.service.databases import Databases
from tests.service.exchange.files import BGG, BOMB, OUTCOMES, PLAYS, export, many, play
from tests.service.harness import (
    NDJSON,
    OPENING,
    SETUP,
    Match,
    Service,
    entry,
    finished_match,
    lines,
    ok,
    pointers,
    problem,
)
from tests.service.stats.test_changes import contents


def send(service: Service, file: bytes, query: str = "", headers: dict[str, str] | None = None) -> TestResponse:
    return service.raw("POST", f"/matches/import{query}", file, "application/octet-stream", headers)


def counts(answer: Any) -> dict[str, int]:
    return {outcome: number for outcome, number in answer["counts"].items() if number}


def outcomes(answer: Any) -> list[str]:
    return [item["outcome"] for item in answer["items"]]


def taken(service: Service, file: bytes, query: str = "") -> Any:
    return ok(send(service, file, query))


def timed(lines: Sequence[str], at: datetime) -> list[dict[str, Any]]:
    """Moves that were entered ten seconds after each other."""
    times = ((at + timedelta(seconds=10 * number)).isoformat() for number in range(len(lines)))
    return [{**entry(line), "entered_at": time} for line, time in zip(lines, times, strict=True)]


@pytest.fixture
def rich(match: Match) -> Match:
    """A match with corrections, a ruling, notes, details and moves that were entered before they were recorded."""
    at = datetime.now(UTC) - timedelta(minutes=5)
    ok(match.post("/moves", {"moves": timed(OPENING, at)}), 201)
    ok(match.post("/moves", {**entry("blue take O4"), "ruling": {"reason": "We played in turns."}}), 201)
    ok(match.correct(2, "replace", move=entry("blue take S4")["move"]), 201)
    match.undo(5)
    ok(match.post("/restore", {"version": 8}), 201)
    note = match.annotate(3, text="Better turned.\nMuch.", glyph="?!", marks=[{"cell": "c1", "kind": "highlight"}])
    ok(match.service.patch(f"/annotations/{note['id']}", {"text": "Better turned: see a1."}))
    match.annotate(1, text="Zażółć 漢字", line=[entry("blue take X5")])
    match.service.delete(f"/annotations/{match.annotate(1, text='gone')['id']}")
    ok(match.service.patch(match.path, {"venue": "Café", "tags": ["league", "évening"]}))
    return match


@pytest.fixture
def elsewhere(databases: Databases, server: Server) -> Iterator[Service]:
    """Another installation."""
    with service_on_one_of(databases, server) as service:
        yield service


def exported(service: Service, path: str = "/export", query: str = "") -> bytes:
    response = service.get(f"{path}{query}")
    assert response.status_code == 200, response.text
    return bytes(response.data)


# Documents and texts


def test_a_document_comes_back_byte_for_byte(rich: Match, elsewhere: Service) -> None:
    service = rich.service
    ended = Match(service, ok(service.post("/matches", new_body("Ana", "Zofia")), 201)["id"])
    ok(ended.post("/moves", {"moves": finished_match()}), 201)
    first = exported(service)
    answer = taken(elsewhere, first)
    assert counts(answer) == {"new": 2}
    assert exported(elsewhere) == first
    assert counts(taken(elsewhere, first)) == {"same": 2}
    for match in (rich, ended):
        assert ok(elsewhere.get(f"{match.path}/verify"))["valid"], match.path
        assert ok(elsewhere.get(f"{match.path}/times")) == ok(match.get("/times"))
        assert ok(elsewhere.get(match.path))["result"] == match.document()["result"]
    assert exported(elsewhere, query="?format=text") == exported(service, query="?format=text")


def new_body(*names: str) -> dict[str, Any]:
    people = [{"seat": seat, "name": name} for seat, name in zip(("orange", "blue"), names, strict=True)]
    return {"game": "cite-lumiere", "players": people, "setup": SETUP, "tags": ["league"]}


def test_a_text_comes_back_as_it_was_played(rich: Match, service: Service) -> None:
    text = exported(service, f"{rich.path}/export", "?format=text")
    assert text.startswith(b"carnet 1\ngame cite-lumiere\n")
    answer = taken(service, text)
    assert (outcomes(answer), answer["items"][0]["match_id"]) == (["same"], rich.id)
    other = b"\n".join(line for line in text.split(b"\n") if not line.startswith(b"id "))
    answer = taken(service, other)
    assert outcomes(answer) == ["new"]
    copy = Match(service, answer["items"][0]["match_id"])
    assert copy.moves() == rich.moves()
    assert outcomes(taken(service, other)) == ["same"]
    told = exported(service, f"{copy.path}/export", "?format=text")
    assert told.replace(copy.id.encode(), rich.id.encode()) == text


def test_what_goes_on_in_the_file_goes_on_here_if_that_is_wanted(match: Match, elsewhere: Service) -> None:
    match.record(*OPENING[:3])
    taken(elsewhere, exported(match.service, f"{match.path}/export"))
    ok(match.post("/moves", {"moves": timed(OPENING[3:], datetime.now(UTC) - timedelta(minutes=1))}), 201)
    longer = exported(match.service, f"{match.path}/export")
    assert outcomes(taken(elsewhere, longer)) == ["longer"]
    assert ok(elsewhere.get(match.path))["version"] == 4
    answer = taken(elsewhere, longer, "?extend=1")
    assert outcomes(answer) == ["longer"]
    assert ok(elsewhere.get(match.path))["version"] == 7
    assert exported(elsewhere, f"{match.path}/export") == longer
    ok(elsewhere.post(f"/imports/{answer['id']}/undo"))
    assert ok(elsewhere.get(match.path))["ply"] == 3
    assert outcomes(taken(elsewhere, longer)) == ["same"]


@pytest.mark.parametrize("form", ["json", "text"])
def test_a_match_that_cannot_go_on_here_loses_no_other(
    match: Match, elsewhere: Service, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    match.record(*OPENING[:2])
    taken(elsewhere, exported(match.service))
    match.record(*OPENING[2:])
    ok(match.service.post("/matches", new_body("Ana", "Zofia")), 201)
    monkeypatch.setattr("service.matches.commands.MAX_EVENTS", 4)
    answer = taken(elsewhere, exported(match.service, query=f"?format={form}"), "?extend=1")
    by_match = {item["match_id"]: (item["outcome"], item.get("code")) for item in answer["items"]}
    assert by_match[None] == ("refused", "match-full")
    assert counts(answer) == {"refused": 1, "new": 1}
    assert len(Match(elsewhere, match.id).moves()) == 2


@pytest.mark.parametrize("form", ["json", "text"])
def test_a_match_whose_notes_are_refused_does_not_go_on(match: Match, elsewhere: Service, form: str) -> None:
    match.record(*OPENING[:2])
    taken(elsewhere, exported(match.service))
    match.record(*OPENING[2:])
    match.annotate(1, text="Early.")
    longer = exported(match.service, query=f"?format={form}").replace(b"Early.", b"Early. " * 2000)
    assert outcomes(taken(elsewhere, longer, "?extend=1")) == ["refused"]
    assert len(Match(elsewhere, match.id).moves()) == 2
    assert ok(elsewhere.get(f"{match.path}/verify"))["valid"]


def test_what_was_recorded_differently_is_told_and_left(match: Match, elsewhere: Service) -> None:
    taken(elsewhere, exported(match.service, f"{match.path}/export"))
    match.record("orange take L4")
    ok(elsewhere.post(f"{match.path}/moves", entry("orange take U6")), 201)
    for form in ("json", "text"):
        file = exported(match.service, f"{match.path}/export", f"?format={form}")
        assert outcomes(taken(elsewhere, file, "?extend=1")) == ["forked"]
    assert Match(elsewhere, match.id).moves() == [entry("orange take U6")]


def test_one_bad_match_loses_no_other(match: Match, service: Service) -> None:
    match.record(*OPENING)
    text = exported(service, f"{match.path}/export", "?format=text").replace(match.id.encode(), b"")
    text = text.replace(b"\nid \n", b"\n")
    bad = text.replace(b"blue take L4", b"blue take Q9")
    answer = taken(service, bad + text + b"carnet 1\nnonsense\n\n")
    assert outcomes(answer) == ["refused", "new", "refused"]
    assert answer["items"][0]["line"] == text.split(b"\n").index(b"2 blue take L4") + 1


@pytest.mark.parametrize("query", ["", "?format=text", "?format=json&dry_run=1", "?format=bgg"])
def test_an_empty_file_is_refused(service: Service, query: str) -> None:
    assert pointers(problem(send(service, b"", query), 422, "malformed")) == [""]
    assert ok(service.get("/imports"))["items"] == []


def test_a_document_that_was_tampered_with_is_refused(match: Match, elsewhere: Service) -> None:
    match.record(*OPENING)
    document = orjson.loads(exported(match.service, f"{match.path}/export"))
    document["events"][2]["payload"]["move"]["building"] = "X5"
    answer = taken(elsewhere, orjson.dumps(document))
    assert (outcomes(answer), answer["items"][0]["code"]) == (["refused"], "broken-log")


def test_a_dry_run_writes_nothing_and_tells_the_same(match: Match, elsewhere: Service) -> None:
    match.record(*OPENING)
    file = exported(match.service, f"{match.path}/export") + exported(match.service, f"{match.path}/export")
    before = ok(elsewhere.get("/matches"))["items"]
    dry = taken(elsewhere, file, "?dry_run=1")
    assert (dry["id"], outcomes(dry)) == (None, ["new", "same"])
    assert ok(elsewhere.get("/matches"))["items"] == before
    assert outcomes(taken(elsewhere, file)) == ["new", "same"]


def test_an_import_has_more_time_than_other_requests(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    limited, limits = ("statement_timeout", "idle_in_transaction_session_timeout"), list[Any]()
    note_counts = exchange.note_counts

    def noted(connection: Connection, *arguments: Any, **options: Any) -> None:
        shown = (connection.execute(f"SHOW {name}".encode()).fetchone() for name in limited)
        limits.append([row and next(iter(row.values())) for row in shown])
        note_counts(connection, *arguments, **options)

    monkeypatch.setattr(exchange, "note_counts", noted)
    taken(service, export())
    assert limits == [["1min", "1min"], ["5s", "10s"]]


def test_a_match_that_is_refused_adds_no_players(service: Service) -> None:
    refused = play(90, [(1, "3", True), (2, "9", False)])
    answer = taken(service, export([refused]))
    assert (outcomes(answer), answer["items"][0]["code"]) == (["refused"], "wrong-winner")
    assert ok(service.get("/players"))["items"] == []
    answer = taken(service, export([refused, play(91, [(1, "9", True), (2, "3", False)])]))
    assert outcomes(answer) == ["refused", "new"]
    assert len(ok(service.get("/players"))["items"]) == 2


def test_an_import_is_undone_as_a_whole(service: Service) -> None:
    answer = taken(service, export())
    assert len(ok(service.get("/matches"))["items"]) == 4
    kept = answer["items"][0]["match_id"]
    assert ok(service.post(f"/imports/{answer['id']}/undo")) == {"withdrawn": 4, "restored": 0, "kept": 0}
    assert ok(service.get("/matches"))["items"] == []
    problem(service.post(f"/imports/{answer['id']}/undo"), 409, "already-so")
    assert ok(service.get(f"/imports/{answer['id']}"))["undone_at"]
    again = taken(service, export())
    assert (outcomes(again)[0], again["items"][0]["match_id"]) == ("new", kept)
    assert len(ok(service.get("/matches"))["items"]) == 4


def test_a_request_that_broke_off_goes_on_where_it_stopped(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    file, key = many(120), {"Idempotency-Key": "evening"}
    taking = arrivals.Arrivals.take
    calls: list[int] = []

    def take(self: Any, batch: Any) -> Any:
        calls.append(len(batch))
        if len(calls) == 2:
            raise RuntimeError("the power fails")
        return taking(self, batch)

    monkeypatch.setattr(arrivals.Arrivals, "take", take)
    monkeypatch.setattr(files, "AT_A_TIME", 50)
    problem(send(service, file, headers=key), 500, "internal")
    assert ok(service.get("/imports"))["items"][0]["complete"] is False
    whole = ok(send(service, file, headers=key))
    assert counts(whole) == {"new": 120}
    assert calls == [50, 50, 50, 20]
    again = send(service, file, headers=key)
    assert (again.headers["Idempotent-Replayed"], counts(ok(again))) == ("true", {"new": 120})
    problem(send(service, export(), headers=key), 422, "key-reused")
    problem(send(service, file, "?extend=1", headers=key), 422, "key-reused")
    assert len(service.all_items("/matches?limit=200")) == 120


def test_a_file_has_a_limited_number_of_matches(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_MATCHES", 60)
    monkeypatch.setattr(files, "AT_A_TIME", 20)
    assert counts(taken(service, many(60))) == {"new": 60}
    refused = b"carnet 1\n" * 61
    assert pointers(problem(send(service, refused), 422, "malformed")) == [""]
    *told, last = lines(send(service, refused, headers=NDJSON))
    assert last["problem"]["errors"] == [{"pointer": "", "detail": "has more than 60 matches"}]
    assert [line["item"]["outcome"] for line in told] == ["refused"] * 60


def test_the_report_comes_in_lines(service: Service) -> None:
    told = lines(send(service, export(), headers=NDJSON))
    assert [line["item"]["outcome"] for line in told[:-1]] == OUTCOMES
    summary = told[-1]["summary"]
    assert summary["counts"]["new"] == 4
    items = lines(service.get(f"/imports/{summary['id']}/items", headers=NDJSON))
    assert items == [line["item"] for line in told[:-1]]


# Other programs


@pytest.mark.parametrize("is_old", [False, True])
def test_plays_of_board_game_stats_become_results_once(service: Service, is_old: bool) -> None:
    answer = taken(service, export(is_old=is_old), "?tz=Europe/Warsaw")
    assert outcomes(answer) == OUTCOMES
    first = ok(service.get(f"/matches/{answer['items'][0]['match_id']}"))
    assert (first["venue"], first["played_at"]) == ("Café", "2024-03-02T20:40:10.000000Z")
    assert first["setup"]["points"] == {"orange": 61, "blue": 55}
    assert (first["seats_known"], [one["name"] for one in first["players"]]) == (False, ["Ana", "Jan"])
    notes = ok(service.get(f"/matches/{first['id']}/annotations"))["items"]
    assert [note["text"] for note in notes] == ["A close one, até ao fim."]
    tie = ok(service.get(f"/matches/{answer['items'][2]['match_id']}"))
    assert tie["result"]["winners"] == ["blue"]
    again = taken(service, export(is_old=is_old), "?tz=Europe/Warsaw")
    assert outcomes(again) == [{"new": "same"}.get(outcome, outcome) for outcome in OUTCOMES]
    assert len(ok(service.get("/matches"))["items"]) == 4


def test_a_thousand_plays_are_imported_twice(service: Service) -> None:
    file = many(1000)
    assert counts(taken(service, file)) == {"new": 1000}
    assert counts(taken(service, file)) == {"same": 1000}
    assert ok(service.get("/stats/games/cite-lumiere"))["population"]["included"] == 1000


def test_a_play_that_was_changed_there_is_changed_here_unless_it_was_changed_here_too(service: Service) -> None:
    answer = taken(service, export(PLAYS[:2]))
    one, two = (Match(service, item["match_id"]) for item in answer["items"])
    ok(service.patch(two.path, {"venue": "at home"}))
    changed = [play(number, [(1, "70", True), (2, "55", False)]) for number in (1, 2)]
    answer = taken(service, export(changed))
    assert outcomes(answer) == ["changed", "forked"]
    assert one.document()["setup"]["points"] == {"orange": 70, "blue": 55}
    assert two.document()["setup"]["points"] == {"orange": 54, "blue": 7}
    assert outcomes(taken(service, export(changed))) == ["same", "forked"]
    assert ok(one.get("/verify"))["valid"]


def test_plays_of_boardgamegeek_become_results(service: Service) -> None:
    answer = taken(service, BGG)
    assert outcomes(answer) == ["new", "new", "new", "refused", "skipped"]
    assert outcomes(taken(service, BGG))[:3] == ["same"] * 3
    first = Match(service, answer["items"][0]["match_id"])
    assert first.document()["played_at"] == "2024-03-02T12:00:00.000000Z"
    assert ok(first.get("/annotations"))["items"][0]["text"] == "Rain & tea"


@pytest.mark.parametrize("file", [BOMB, b"<a>", b"<plays><play></plays>", b"{", b"", b"\0\1", b'{"plays":[', b"hello"])
def test_a_file_that_cannot_be_read_is_refused(service: Service, file: bytes) -> None:
    assert pointers(problem(send(service, file), 422, "malformed")) == [""]
    assert ok(service.get("/matches"))["items"] == []


def test_sums_of_statistics_are_as_if_matches_were_recorded_one_by_one(service: Service, dsn: str) -> None:
    taken(service, many(60))
    before = contents(dsn)
    list(rebuilding.rebuild(service.client.application.extensions["carnet"]))
    assert contents(dsn) == before


# People


def test_a_name_is_mapped_to_a_person_once(service: Service, new_match: NewMatch) -> None:
    jan = new_match().document()["players"][1]["player_id"]
    dry = taken(service, export(), "?dry_run=1")
    assert {person["name"]: person["status"] for person in dry["people"]} == {
        "Ana": "known",
        "Jan": "known",
        "Zofia Wójcik": "new",
    }
    names = {"names": [{"system": "bgstats", "name": "Zofia  Wójcik", "player_id": jan}]}
    assert service.put("/imports/names", names).status_code == 204
    answer = taken(service, export())
    assert next(one for one in answer["people"] if one["name"] == "Zofia Wójcik")["player_id"] == jan
    last = ok(service.get(f"/matches/{answer['items'][6]['match_id']}"))
    assert [player["name"] for player in last["players"]] == ["Ana", "Jan"]
    assert [row["name"] for row in ok(service.get("/imports/names"))["items"]] == ["zofia wójcik"]
    assert service.put("/imports/names", {"names": [{"system": "bgstats", "name": "Zofia Wójcik"}]}).status_code == 204
    assert ok(service.get("/imports/names"))["items"] == []


def test_an_account_maps_only_so_many_names(
    service: Service, new_match: NewMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert imports.MAX_NAMES == 10_000
    monkeypatch.setattr(imports, "MAX_NAMES", 3)
    jan = new_match().document()["players"][1]["player_id"]
    names = [{"system": "bgstats", "name": f"Jan {number}", "player_id": jan} for number in range(5)]
    assert service.put("/imports/names", {"names": names[:3]}).status_code == 204
    assert pointers(problem(service.put("/imports/names", {"names": names[2:]}), 422, "malformed")) == ["/names"]
    assert len(ok(service.get("/imports/names"))["items"]) == 3
    assert service.put("/imports/names", {"names": [{**names[0], "player_id": None}, names[4]]}).status_code == 204


def test_people_of_documents_are_told_and_can_be_mapped(match: Match, elsewhere: Service) -> None:
    file = exported(match.service, f"{match.path}/export").replace(b'"Jan"', b'"Jana B."')
    own = ok(elsewhere.post("/matches", new_body("Jana B.", "Olga")), 201)["players"][0]["player_id"]
    [told] = [one for one in taken(elsewhere, file, "?dry_run=1")["people"] if one["name"] == "Jana B."]
    assert (told["status"], told["candidates"]) == ("new", [own])
    names = {"names": [{"system": "carnet", "name": "Jana B.", "player_id": own}]}
    assert elsewhere.put("/imports/names", names).status_code == 204
    taken(elsewhere, file)
    assert ok(elsewhere.get(match.path))["players"][1]["player_id"] == own
    assert ok(elsewhere.get(f"{match.path}/verify"))["valid"]


def test_nobody_is_added_who_has_never_played_or_has_no_visible_name(match: Match, elsewhere: Service) -> None:
    document = orjson.loads(exported(match.service, f"{match.path}/export"))
    first = document["people"][0]
    item = taken(elsewhere, orjson.dumps({**document, "people": [{**first, "name": "\u200b"}, document["people"][1]]}))
    assert (outcomes(item), item["items"][0]["code"]) == (["refused"], "unclear-player")
    document["people"] += [{"id": f"019a93c8-0000-7000-8000-0000000000{n}", "name": f"Nobody {n}"} for n in (10, 11)]
    assert outcomes(taken(elsewhere, orjson.dumps(document))) == ["new"]
    assert "Nobody 10" not in {one["name"] for one in elsewhere.all_items("/players?limit=200")}


# Leaving


def test_a_change_cursor_gives_what_changed_and_what_is_gone(service: Service, new_match: NewMatch, dsn: str) -> None:
    one, two, three = new_match(), new_match(), new_match()
    age(dsn)
    response = service.get("/export")
    assert ids(response.data) == Counter([one.id, two.id, three.id])
    cursor = response.headers["Carnet-Cursor"]
    assert ids(exported(service, query=f"?since={cursor}")) == Counter()
    one.annotate(0, text="a note")
    ok(two.post("/withdraw"))
    told = [orjson.loads(line) for line in exported(service, query=f"?since={cursor}").splitlines()]
    assert [(line["format"], line["id"]) for line in told] == [
        ("carnet-match", one.id),
        ("carnet-tombstone", two.id),
    ]
    assert pointers(problem(service.get("/export?since=x"), 422, "malformed")) == ["/since"]


def age(dsn: str) -> None:
    """Let all that was recorded be from an hour ago."""
    with psycopg.connect(dsn) as connection:
        connection.execute("UPDATE matches SET changed_at = changed_at - interval '1 hour'")
        connection.execute("UPDATE match_touches SET touched_at = touched_at - interval '1 hour'")


def ids(file: bytes) -> Counter[str]:
    return Counter(orjson.loads(line)["id"] for line in file.splitlines())


def test_exports_take_the_filters_of_lists(service: Service, new_match: NewMatch) -> None:
    new_match(tags=["league"])
    new_match()
    assert exported(service, query="?format=text&tag=league").count(b"carnet 1\n") == 1


def test_the_result_of_the_first_year_leaves_with_all_others(database: Database) -> None:
    service = Service(application_on(database, replace(CONFIG, timezone=ZoneInfo("America/New_York"))))
    setup = {"result_only": True, "seats_unknown": True, "points": {"orange": 5, "blue": 4}}
    body = {**new_body("Ewa", "Piotr"), "setup": setup, "played_at": "0001-01-01T00:00:00Z"}
    match = ok(service.post("/matches", body), 201)
    assert exported(service, query="?format=csv").count(b"0001-01-01") == 2
    assert len(orjson.loads(exported(service, query="?format=bgsplay"))["plays"]) == 1
    assert service.client.get(f"/matches/{match['id']}").status_code == 200
    service.client.application.extensions["carnet"].close()


@pytest.mark.parametrize("form", ["json", "text"])
def test_no_transaction_waits_for_the_reader_of_an_export(app: Flask, new_match: NewMatch, dsn: str, form: str) -> None:
    for _ in range(3):
        new_match()
    response = app.test_client().get(f"/api/v1/export?format={form}")
    parts = response.iter_encoded()
    next(parts)
    with psycopg.connect(dsn) as connection:
        row = connection.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in%'"
        ).fetchone()
    assert row == (0,)
    assert len(list(parts)) == 2


def test_results_leave_for_other_programs_and_come_back_as_plays(service: Service, elsewhere: Service) -> None:
    match = Match(service, ok(service.post("/matches", new_body("Ewa", "Piotr")), 201)["id"])
    problem(match.get("/export?format=bgsplay"), 422, "malformed")
    ok(match.post("/moves", {"moves": finished_match()}), 201)
    file = exported(service, f"{match.path}/export", "?format=bgsplay")
    assert orjson.loads(file)["games"][0]["bggId"] == 276498
    answer = taken(elsewhere, file)
    assert (outcomes(answer), answer["items"][0]["detail"]) == (["new"], None)
    assert outcomes(taken(elsewhere, exported(service, query="?format=bgsplay"))) in (["same"], ["changed"])
    table = exported(service, query="?format=csv").decode().splitlines()
    assert table[0].startswith("play_id,date,quantity,length,incomplete,nowinstats,location,objectid,name,comments")
    assert len(table) == 3
    url = ok(match.get("/export/play-link"))["url"]
    assert url.startswith("https://app.bgstatsapp.com/createPlay.html?data=%7B%22sourceName%22%3A%22Carnet%22")
    assert len(url) < 2953
    changes = {"title": "Another box", "based_on": "devir-2019", "changes": {"bgg_id": 12_345}}
    edition = ok(service.post("/games/cite-lumiere/editions", changes), 201)
    assert edition["bgg_id"] == 12_345
    ok(match.post("/corrections", {"ply": 0, "edition": edition["id"]}), 201)
    assert "%22bggId%22%3A12345" in ok(match.get("/export/play-link"))["url"]
    other = Match(service, ok(service.post("/matches", new_body("Ana", "Zofia")), 201)["id"])
    ok(other.post("/moves", {"moves": finished_match()}), 201)
    file = orjson.loads(exported(service, query="?format=bgsplay"))
    games = {game["id"]: game["bggId"] for game in file["games"]}
    assert sorted(games[play["gameRefId"]] for play in file["plays"]) == [12_345, 276_498]
    assert len({game["uuid"] for game in file["games"]}) == 2
