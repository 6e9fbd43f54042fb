"""Matches that are here already: notes and details that a file has besides, and what differs."""

from typing import Any

import orjson
import pytest

from domain.match import Draft, EventKind, seal
from service.annotations.documents import ROOM
from service.db.annotations import Written
from service.exchange import files, imports
from tests.service.conftest import NewMatch
from tests.service.exchange.files import PLAYS, export, many
from tests.service.exchange.test_importing import counts, elsewhere, exported, outcomes, taken
from tests.service.harness import NDJSON, OPENING, Match, Service, entry, lines, ok, problem

__all__ = ["elsewhere"]


@pytest.fixture
def there(match: Match, elsewhere: Service) -> Match:
    """A match that was imported elsewhere, with a note."""
    match.record(*OPENING)
    match.annotate(1, text="Early.")
    taken(elsewhere, exported(match.service, f"{match.path}/export"))
    return Match(elsewhere, match.id)


def notes(match: Match) -> list[tuple[int, str]]:
    return [(note["ply"], note["text"]) for note in match.service.all_items(f"{match.path}/annotations")]


def test_later_notes_and_details_are_taken_over_once_and_undone_as_a_whole(match: Match, there: Match) -> None:
    note = ok(match.get("/annotations"))["items"][0]
    ok(match.service.patch(f"/annotations/{note['id']}", {"text": "Too early."}))
    match.annotate(3, text="Zażółć", glyph="!")
    ok(match.service.patch(match.path, {"venue": "Café"}))
    file = exported(match.service, f"{match.path}/export")
    dry = taken(there.service, file, "?dry_run=1")
    assert notes(there) == [(1, "Early.")]
    answer = taken(there.service, file)
    for told in (dry, answer):
        assert (outcomes(told), told["items"][0]["detail"]) == (["changed"], "Taken over: 2 notes and details.")
    assert exported(there.service, f"{there.path}/export") == file
    assert outcomes(taken(there.service, file)) == ["same"]
    assert ok(there.service.post(f"/imports/{answer['id']}/undo")) == {"withdrawn": 0, "restored": 1, "kept": 0}
    assert (notes(there), there.document()["venue"]) == ([(1, "Early.")], None)
    assert ok(there.get("/verify"))["valid"]


def test_undoing_leaves_what_was_recorded_since(match: Match, elsewhere: Service) -> None:
    match.record(*OPENING[:2])
    taken(elsewhere, exported(match.service, f"{match.path}/export"))
    there = Match(elsewhere, match.id)
    match.record(*OPENING[2:4])
    longer = taken(elsewhere, exported(match.service, f"{match.path}/export"), "?extend=1")
    match.annotate(1, text="Early.")
    noted = taken(elsewhere, exported(match.service, f"{match.path}/export"))
    there.record(*OPENING[4:])
    assert [answer["items"][0]["version"] for answer in (longer, noted)] == [5, 5]
    assert ok(elsewhere.post(f"/imports/{noted['id']}/undo")) == {"withdrawn": 0, "restored": 1, "kept": 0}
    assert ok(elsewhere.post(f"/imports/{longer['id']}/undo")) == {"withdrawn": 0, "restored": 0, "kept": 1}
    assert (notes(there), len(there.moves())) == ([], len(OPENING))


def test_an_undo_that_broke_off_is_sent_again(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = taken(service, many(3))
    undoing, calls = imports._undo, []

    def undo(*arguments: Any) -> str:
        calls.append(arguments)
        if len(calls) == 2:
            raise RuntimeError("the power fails")
        return undoing(*arguments)

    monkeypatch.setattr(imports, "MAX_UNDONE_AT_ONCE", 1)
    monkeypatch.setattr(imports, "_undo", undo)
    problem(service.post(f"/imports/{answer['id']}/undo"), 500, "internal")
    assert len(ok(service.get("/matches"))["items"]) == 2
    assert ok(service.post(f"/imports/{answer['id']}/undo")) == {"withdrawn": 2, "restored": 0, "kept": 1}
    assert ok(service.get("/matches"))["items"] == []
    problem(service.post(f"/imports/{answer['id']}/undo"), 409, "already-so")


def test_a_play_that_was_changed_is_as_before(service: Service) -> None:
    taken(service, export(PLAYS[:1]))
    [item] = (answer := taken(service, export([{**PLAYS[0], "playDate": "2023-01-02 20:30:00"}])))["items"]
    assert item["outcome"] == "changed"
    match = Match(service, item["match_id"])
    assert match.document()["played_at"].startswith("2023-01-02")
    assert ok(service.post(f"/imports/{answer['id']}/undo")) == {"withdrawn": 0, "restored": 1, "kept": 0}
    assert not match.document()["played_at"].startswith("2023-01-02")


def test_a_match_goes_on_with_its_notes(match: Match, there: Match) -> None:
    match.record("orange take O4")
    match.annotate(7, text="At last.")
    file = exported(match.service, f"{match.path}/export")
    assert taken(there.service, file, "?extend=1")["items"][0]["detail"] == "Taken over: 1 note."
    assert exported(there.service, f"{there.path}/export") == file


def test_what_was_changed_on_both_sides_is_told_and_left(match: Match, there: Match) -> None:
    note = ok(match.get("/annotations"))["items"][0]
    ok(match.service.patch(f"/annotations/{note['id']}", {"text": "Too early."}))
    ok(there.service.patch(f"/annotations/{note['id']}", {"text": "Just in time."}))
    ok(match.service.patch(match.path, {"venue": "Café"}))
    ok(there.service.patch(there.path, {"venue": "at home"}))
    before = exported(there.service, f"{there.path}/export")
    answer = taken(there.service, exported(match.service, f"{match.path}/export"))
    assert outcomes(answer) == ["same"]
    detail = "Its details were changed differently here. 1 of its notes says something else here."
    assert answer["items"][0]["detail"] == detail
    assert exported(there.service, f"{there.path}/export") == before


def test_a_match_that_is_in_the_file_twice_is_taken_over_once(match: Match, there: Match) -> None:
    match.annotate(3, text="Again?")
    file = exported(match.service, f"{match.path}/export")
    assert outcomes(taken(there.service, file + file)) == ["changed", "same"]
    assert notes(there) == [(1, "Early."), (3, "Again?")]


def test_an_annotation_that_is_there_twice_is_refused(match: Match, there: Match) -> None:
    match.annotate(3, text="Again?")
    document = orjson.loads(exported(match.service, f"{match.path}/export"))
    document["annotations"].append(document["annotations"][-1])
    [item] = taken(there.service, orjson.dumps(document))["items"]
    assert (item["outcome"], item["detail"]) == ("refused", "One of its annotations is there twice.")


@pytest.mark.parametrize("are_here", [False, True])
def test_two_matches_of_a_file_bring_no_annotations_of_one_id(
    match: Match, new_match: NewMatch, elsewhere: Service, are_here: bool
) -> None:
    pair = match, new_match()
    for one in pair:
        one.record(*OPENING)
    if are_here:
        taken(elsewhere, b"".join(exported(match.service, f"{one.path}/export") for one in pair))
    for one in pair:
        one.annotate(3, text="Again?")
    first, second = (orjson.loads(exported(match.service, f"{one.path}/export")) for one in pair)
    second["annotations"][0]["id"] = first["annotations"][0]["id"]
    items = taken(elsewhere, orjson.dumps(first) + b"\n" + orjson.dumps(second))["items"]
    assert [item["outcome"] for item in items] == (["changed", "same"] if are_here else ["new", "refused"])
    assert len(notes(Match(elsewhere, match.id))) == 1


def test_notes_of_a_text_are_added_and_its_details_compared(match: Match, there: Match) -> None:
    text = exported(match.service, f"{match.path}/export", "?format=text")
    assert taken(there.service, text)["items"][0]["detail"] is None
    more = text.replace(b"\n4 ", b"\nby Zofia\n; Why?\n4 ").replace(b"\nseat ", b"\nvenue Bar\nseat ", 1)
    answer = taken(there.service, more)
    detail = "Taken over: 1 note. Its date, venue or tags are other ones here."
    assert (outcomes(answer), answer["items"][0]["detail"]) == (["changed"], detail)
    assert notes(there) == [(1, "Early."), (3, "Zofia: Why?")]
    assert there.document()["venue"] is None
    again = exported(there.service, f"{there.path}/export", "?format=text")
    for file in (more, again):
        assert outcomes(taken(there.service, file)) == ["same"]
    assert len(notes(there)) == 2


def test_notes_for_which_there_is_no_room_are_told(
    match: Match, there: Match, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ROOM.number == 1000
    for ply in (2, 3, 4):
        match.annotate(ply, text=f"Note {ply}.")
    file = exported(match.service, f"{match.path}/export")
    text = exported(match.service, f"{match.path}/export", "?format=text").replace(match.id.encode(), b"x")
    monkeypatch.setattr("service.exchange.arriving.notes.ROOM", Written(2, 10_000))
    item = taken(there.service, file)["items"][0]
    assert (item["outcome"], len(notes(there))) == ("changed", 2)
    assert item["detail"].startswith("Taken over: 1 note. 2 notes were left out: a match has at most ")
    item = taken(service, text)["items"][0]
    assert (item["outcome"], item["detail"].split(":")[0]) == ("new", "2 of its notes were left out")
    document = orjson.loads(file)
    note = document["annotations"][0]
    monkeypatch.setattr("service.exchange.arriving.notes.ROOM", Written(2, 160))
    note["wordings"].append({**(said := note["wordings"][0]), "revision": 1})
    note["wordings"][1]["content"] = {**said["content"], "text": "Early. " * 20}
    item = taken(there.service, orjson.dumps(document))["items"][0]
    assert (item["outcome"], item["detail"].split(":")[0]) == ("same", "1 note was left out")
    document["id"] = "019a93c8-0000-7000-8000-000000000001"
    item = taken(service, renewed(document))["items"][0]
    assert (item["outcome"], item["code"]) == ("refused", "too-many-annotations")


def renewed(document: Any) -> bytes:
    """A document of another match without moves, whose notes have other ids."""
    first = document["events"][0]
    event = seal(
        Draft(EventKind.MATCH_CREATED, orjson.dumps(first["payload"], option=orjson.OPT_SORT_KEYS).decode()),
        match_id=document["id"],
        seq=1,
        actor=None,
        recorded_at=first["recorded_at"],
        prev_hash=None,
    )
    first |= {"hash": event.hash, "actor": None}
    for number, annotation in enumerate(document["annotations"]):
        annotation |= {"id": f"019a93c8-0000-7000-8000-00000000010{number}", "seq": 1}
    head = {"version": 1, "ply": 0, "status": "in_progress", "result": None}
    return orjson.dumps({**document, "events": [first], "head": head})


def test_what_the_database_would_not_keep_is_refused(match: Match, elsewhere: Service) -> None:
    match.record(*OPENING[:2])
    match.annotate(1, text="Early.", marks=[{"cell": "c1", "kind": "highlight"}])
    file = exported(match.service, f"{match.path}/export")

    def changed(change: Any) -> Any:
        document = orjson.loads(file)
        change(document)
        return taken(elsewhere, orjson.dumps(document))["items"][0]

    for change in (
        lambda document: document["annotations"].append(document["annotations"][0]),
        lambda document: document["annotations"][0]["wordings"].append(document["annotations"][0]["wordings"][0]),
        lambda document: document["annotations"][0].update(seq=9),
        lambda document: document["annotations"][0]["wordings"][0]["content"]["marks"][0].update(kind="a b"),
        lambda document: document["annotations"][0]["wordings"][0]["content"].update(line=[entry("blue take X5"), 1]),
        lambda document: document["annotations"][0]["wordings"][0]["content"].update(marks={}),
        lambda document: document["annotations"][0]["wordings"][0]["content"].update(line=""),
        lambda document: document["annotations"][0]["wordings"][0]["content"].update(text="a\0b"),
        lambda document: document["annotations"][0]["wordings"][0].update(revision=2**31 - 1),
        lambda document: document["details"][0].update(revision=2**31 - 1),
        lambda document: document["details"].append(document["details"][0]),
        lambda document: document.update(sources=[{"source": "a", "id": "1"}] * 2),
    ):
        item = changed(change)
        assert (item["outcome"], item["code"]) == ("refused", "malformed"), item
    assert counts(taken(elsewhere, file)) == {"new": 1}


# What the report tells


def test_a_file_that_cannot_be_read_on_ends_its_lines_with_the_problem(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "AT_A_TIME", 100)
    response = service.raw("POST", "/matches/import", BGG_BROKEN, "application/octet-stream", NDJSON)
    told = lines(response)
    assert [set(line) for line in told[-2:]] == [{"item"}, {"problem"}]
    assert told[-1]["problem"]["type"] == "/problems/malformed"
    kept = len(told) - 1
    assert len(service.all_items("/matches?limit=200")) == kept
    [listed] = ok(service.get("/imports"))["items"]
    assert (listed["complete"], listed["counts"]["new"]) == (False, kept)


BGG_BROKEN = (
    b"<plays>"
    + b"".join(
        b'<play id="%d" date="2024-03-02" quantity="1"><item objectid="276498"/><players>'
        b'<player name="Ana" score="%d" win="1"/><player name="Jan" score="3"/></players></play>' % (number, number)
        for number in range(101, 501)
    )
    + b"<play>" * 20
)


def test_all_of_a_report_is_told_page_by_page(service: Service) -> None:
    answer = taken(service, many(230))
    assert len(answer["items"]) == 200
    items = service.all_items(f"/imports/{answer['id']}/items?limit=90")
    assert [item["number"] for item in items] == list(range(1, 231))
    assert items[:200] == answer["items"]
    assert lines(service.get(f"/imports/{answer['id']}/items", NDJSON)) == items
    assert service.get("/imports/019a93c8-0000-7000-8000-000000000000/items").status_code == 404
