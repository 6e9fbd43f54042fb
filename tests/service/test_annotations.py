"""Notes on recorded moves: what they may say, and where they go when the timeline changes."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from domain.match import Entry, Frame, Timeline, what_if
from service.caches import Verdicts
from service.db.annotations import Written
from tests.domain.games.cite_lumiere.positions import OTHERS, written
from tests.service.conftest import NewMatch
from tests.service.harness import (
    NDJSON,
    OPENING,
    SETUP,
    UNKNOWN_ID,
    Match,
    entries,
    entry,
    lines,
    nothing_changes,
    ok,
    pointers,
    problem,
)

MEMBERS = {
    *("id", "match_id", "seq", "ply", "detached", "outdated", "text", "glyph", "marks", "line", "line_problem"),
    *("author", "by", "hidden", "revision", "created_at", "changed_at"),
}
LINE = entries(["orange take X5", "blue pave B1 c1 0", "orange take T5"])
"""A line after ply 2."""


def listed(match: Match) -> list[Any]:
    items: list[Any] = ok(match.get("/annotations"))["items"]
    return items


def place(match: Match) -> tuple[int, int | None, bool, bool]:
    """Where the only annotation of a match stands."""
    (note,) = listed(match)
    assert ok(match.service.get(f"/annotations/{note['id']}")) == note
    return note["seq"], note["ply"], note["detached"], note["outdated"]


# What they say


def test_an_annotation_belongs_to_the_event_of_its_move(opened: Match) -> None:
    content = {"text": "Why not X5?", "glyph": "?!", "marks": [{"cell": "c3", "kind": "highlight"}], "line": LINE}
    response = opened.post("/annotations", {"ply": 2, **content})
    note = ok(response, 201)
    assert set(note) == MEMBERS
    assert response.headers["Location"] == f"/api/v1/annotations/{note['id']}"
    assert (note["match_id"], note["seq"], note["ply"]) == (opened.id, 3, 2)
    assert {name: note[name] for name in content} == content
    assert (note["detached"], note["outdated"], note["line_problem"]) == (False, False, None)
    assert ok(opened.service.client.get(response.headers["Location"])) == note
    assert listed(opened) == [note]


def test_what_is_left_out_is_empty(opened: Match) -> None:
    note = opened.annotate(0)
    assert (note["seq"], note["ply"]) == (1, 0)
    assert (note["text"], note["glyph"], note["marks"], note["line"]) == ("", None, [], [])


@pytest.mark.parametrize("glyph", ["!", "?", "!!", "??", "!?", "?!", None])
def test_glyphs(opened: Match, glyph: str | None) -> None:
    assert opened.annotate(1, glyph=glyph)["glyph"] == glyph


def test_an_annotation_is_not_of_the_log(opened: Match) -> None:
    events, tag = opened.events(), opened.get().headers["ETag"]
    opened.annotate(3, text="Hm.")
    assert opened.events() == events
    assert opened.get().headers["ETag"] == tag


def test_annotations_are_listed_in_the_order_of_their_making(opened: Match, new_match: NewMatch) -> None:
    made = [opened.annotate(ply, text=text) for ply, text in ((3, "a"), (1, "b"), (3, "c"))]
    assert listed(opened) == made
    assert listed(new_match()) == []
    assert [len(frame["annotations"]) for frame in opened.frames()] == [0, 1, 0, 2, 0, 0, 0]


def test_annotating_is_possible_whatever_the_status(opened: Match) -> None:
    ok(opened.post("/abandon"))
    assert opened.annotate(6, text="We gave up here.")["ply"] == 6


@pytest.mark.unchanging
@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"ply": ...}, "/ply"),
        ({"ply": "2"}, "/ply"),
        ({"ply": 2.0}, "/ply"),
        ({"text": None}, "/text"),
        ({"text": "x" * 4001}, "/text"),
        ({"glyph": "!!!"}, "/glyph"),
        ({"glyph": ""}, "/glyph"),
        ({"marks": {}}, "/marks"),
        ({"marks": [{"cell": "c3"}]}, "/marks/0/kind"),
        ({"marks": [{"kind": "highlight"}]}, "/marks/0/cell"),
        ({"marks": [{"cell": "c3", "kind": "highlight", "colour": "red"}]}, "/marks/0/colour"),
        ({"line": {}}, "/line"),
        ({"line": [{"seat": "orange"}]}, "/line/0/move"),
        ({"line": [LINE[0], {"move": written("pass")}]}, "/line/1/seat"),
        ({"line": [{**LINE[0], "ruling": {"reason": "so"}}]}, "/line/0/ruling"),
        ({"line": [LINE[0]] * 101}, "/line"),
        ({"author": "Ana"}, "/author"),
        ({"seq": 3}, "/seq"),
    ],
)
def test_the_form_of_an_annotation_is_strict(opened: Match, changes: dict[str, Any], pointer: str) -> None:
    body = {name: value for name, value in ({"ply": 2, "text": "Hm."} | changes).items() if value is not ...}
    assert pointer in pointers(problem(opened.post("/annotations", body), 422, "malformed"))
    assert listed(opened) == []


@pytest.mark.parametrize("cell", ["i1", "a9", "A1", "a1 ", "landmark-9", "__proto__"])
def test_a_mark_is_of_a_space_of_the_game(opened: Match, cell: str) -> None:
    marks = [{"cell": "h8", "kind": "highlight"}, {"cell": cell, "kind": "highlight"}]
    refused = opened.post("/annotations", {"ply": 2, "marks": marks})
    assert pointers(problem(refused, 422, "malformed")) == ["/marks/1/cell"]
    note = opened.annotate(2, marks=marks[:1])
    refused = opened.service.patch(f"/annotations/{note['id']}", {"marks": marks})
    assert pointers(problem(refused, 422, "malformed")) == ["/marks/1/cell"]
    assert listed(opened) == [note]


@pytest.mark.unchanging
@pytest.mark.parametrize("ply", [-1, 7, 2**60])
def test_an_annotation_is_of_a_ply_that_the_match_has(opened: Match, ply: int) -> None:
    problem(opened.post("/annotations", {"ply": ply, "text": "Hm."}), 422, "out-of-range")


# Lines


def test_a_line_is_checked_by_the_rules(opened: Match) -> None:
    bad = [*LINE[:2], entry("orange take X5")]
    with nothing_changes(opened):
        refused = problem(opened.post("/annotations", {"ply": 2, "line": bad}), 422, "illegal-move")
    assert (refused["code"], refused["kind"]) == ("not_in_supply", "physical")
    assert (refused["index"], refused["ply"], refused["seat"]) == (2, 5, "orange")
    refused = problem(opened.post("/annotations", {"ply": 1, "line": LINE}), 422, "illegal-move")
    assert (refused["code"], refused["index"]) == ("not_your_turn", 0)
    assert listed(opened) == []


def test_a_malformed_move_in_a_line_is_pointed_at(opened: Match) -> None:
    line = [LINE[0], {"seat": "blue", "move": {"type": "take", "building": "Z9"}}]
    refused = problem(opened.post("/annotations", {"ply": 2, "line": line}), 422, "malformed-move")
    assert pointers(refused) == ["/line/1/move/building"]
    line = [{"seat": "green", "move": written("pass")}]
    refused = problem(opened.post("/annotations", {"ply": 2, "line": line}), 422, "malformed-move")
    assert pointers(refused) == ["/line/0/seat"]


def test_a_line_may_go_on_behind_the_last_move(opened: Match) -> None:
    assert opened.annotate(6, line=entries(["orange take X5", "blue take T5"]))["line_problem"] is None


# Changing and deleting


def test_an_annotation_is_changed_member_by_member_and_keeps_its_wordings(opened: Match) -> None:
    note = opened.annotate(2, text="Hm.", glyph="?", line=LINE)
    path = f"/annotations/{note['id']}"
    changed = ok(opened.service.patch(path, {"text": "Oh.", "glyph": None}))
    assert set(changed) == MEMBERS
    assert (changed["text"], changed["glyph"], changed["line"]) == ("Oh.", None, LINE)
    assert (changed["revision"], changed["created_at"]) == (1, note["created_at"])
    assert ok(opened.service.patch(path, {"text": "Oh."}))["revision"] == 1
    assert ok(opened.service.patch(path, {"line": []}))["line"] == []
    items = ok(opened.service.get(f"{path}/history"))["items"]
    assert [(item["revision"], item["text"], item["glyph"], item["line"]) for item in items] == [
        (0, "Hm.", "?", LINE),
        (1, "Oh.", None, LINE),
        (2, "Oh.", None, []),
    ]
    members = {"text", "glyph", "marks", "line", "revision", "deleted", "hidden", "actor", "changed_at"}
    assert all(set(item) == members for item in items)
    assert opened.service.all_items(f"{path}/history?limit=2") == items
    assert lines(opened.service.get(f"{path}/history", NDJSON)) == items


@pytest.mark.parametrize(
    ("body", "slug", "pointer"),
    [
        ({"ply": 3}, "malformed", "/ply"),
        ({"text": None}, "malformed", "/text"),
        ({"glyph": "x"}, "malformed", "/glyph"),
        ({"line": [{"seat": "orange", "move": {}}]}, "malformed-move", "/line/0/move/type"),
    ],
)
def test_the_form_of_a_change_is_strict(opened: Match, body: Any, slug: str, pointer: str) -> None:
    note = opened.annotate(2, text="Hm.", line=LINE)
    refused = problem(opened.service.patch(f"/annotations/{note['id']}", body), 422, slug)
    assert pointers(refused) == [pointer]
    assert listed(opened) == [note]


def test_a_changed_line_is_checked_too(opened: Match) -> None:
    note = opened.annotate(2, line=LINE)
    body = {"line": entries(["blue take X5"])}
    problem(opened.service.patch(f"/annotations/{note['id']}", body), 422, "illegal-move")
    assert listed(opened) == [note]


def test_a_deleted_annotation_is_gone_but_for_its_history(opened: Match) -> None:
    note, other = opened.annotate(2, text="Hm."), opened.annotate(2, text="Ha.")
    path = f"/annotations/{note['id']}"
    response = opened.service.delete(path)
    assert (response.status_code, response.data) == (204, b"")
    assert listed(opened) == [other]
    assert opened.frames()[2]["annotations"] == [other]
    problem(opened.service.get(path), 404, "not-found")
    problem(opened.service.patch(path, {"text": "Oh."}), 404, "not-found")
    problem(opened.service.delete(path), 404, "not-found")
    items = ok(opened.service.get(f"{path}/history"))["items"]
    assert [(item["text"], item["deleted"]) for item in items] == [("Hm.", False), ("Hm.", True)]


# When the timeline changes


def test_undo_detaches_and_restoring_brings_back(opened: Match) -> None:
    opened.annotate(4, text="Hm.", line=entries(["orange take X5"]))
    assert place(opened) == (5, 4, False, False)
    opened.undo(3)
    assert place(opened) == (5, None, True, False)
    (note,) = listed(opened)
    assert note["line_problem"] is None
    assert all(frame["annotations"] == [] for frame in opened.frames())
    ok(opened.post("/restore", {"version": 7}), 201)
    assert place(opened) == (5, 4, False, False)


def test_the_same_move_recorded_anew_is_another_move(opened: Match) -> None:
    opened.annotate(6, text="Hm.")
    opened.undo(5)
    opened.record(OPENING[5])
    assert place(opened) == (7, None, True, False)


def test_a_deleted_annotation_is_brought_back_as_it_was(opened: Match) -> None:
    note = opened.annotate(2, text="Hm.", glyph="?!", line=LINE)
    path = f"/annotations/{note['id']}"
    opened.service.delete(path)
    restored = ok(opened.service.post(f"{path}/restore"))
    same = MEMBERS - {"revision", "changed_at"}
    assert {name: restored[name] for name in same} == {name: note[name] for name in same}
    assert restored["revision"] == 2
    assert listed(opened) == [restored]
    assert ok(opened.service.post(f"{path}/restore")) == restored
    items = ok(opened.service.get(f"{path}/history"))["items"]
    assert [item["deleted"] for item in items] == [False, True, False]
    problem(opened.service.post(f"/annotations/{UNKNOWN_ID}/restore"), 404, "not-found")


def test_a_detached_annotation_can_be_reworded_and_deleted(opened: Match) -> None:
    note = opened.annotate(6, text="Hm.")
    opened.undo(5)
    changed = ok(opened.service.patch(f"/annotations/{note['id']}", {"text": "Oh."}))
    assert (changed["text"], changed["ply"]) == ("Oh.", None)
    assert opened.service.delete(f"/annotations/{note['id']}").status_code == 204


def test_after_a_replacement_it_follows_and_is_outdated(opened: Match) -> None:
    opened.annotate(3, text="Hm.")
    ok(opened.correct(3, "replace", move=written("take X5")), 201)
    assert place(opened) == (4, 3, False, True)
    ok(opened.correct(3, "replace", move=written("take T5")), 201)
    assert place(opened) == (4, 3, False, True)
    ok(opened.post("/restore", {"version": 7}), 201)
    assert place(opened) == (4, 3, False, False)


def test_an_annotation_of_a_replacement_leaves_with_it(opened: Match) -> None:
    ok(opened.correct(3, "replace", move=written("take X5")), 201)
    opened.annotate(3, text="Hm.")
    assert place(opened) == (8, 3, False, False)
    ok(opened.post("/restore", {"version": 7}), 201)
    assert place(opened) == (8, None, True, False)


def test_insertions_and_removals_move_the_ply_along(opened: Match) -> None:
    opened.annotate(3, text="Hm.")
    ok(opened.correct(1, "insert", seat="blue", move=written("take V3"), ruling={"reason": "so"}), 201)
    assert place(opened) == (4, 4, False, False)
    ok(opened.correct(1, "remove"), 201)
    assert place(opened) == (4, 3, False, False)
    ok(opened.correct(3, "remove", on_conflict="truncate"), 201)
    assert place(opened) == (4, None, True, False)


def test_an_annotation_of_the_set_up_follows_its_correction(opened: Match) -> None:
    opened.annotate(0, text="Odd cards.")
    ok(opened.post("/corrections", {"ply": 0, "setup": {**SETUP, "postcards": list(OTHERS)}}), 201)
    assert place(opened) == (1, 0, False, True)


def test_the_line_is_checked_again_after_a_correction(opened: Match) -> None:
    opened.annotate(2, text="Hm.", line=LINE)
    ok(opened.correct(2, "replace", move=written("take X5")), 201)
    (note,) = listed(opened)
    assert (note["line"], note["outdated"]) == (LINE, True)
    why = note["line_problem"]
    assert (why["type"], why["code"], why["index"]) == ("/problems/illegal-move", "not_in_supply", 0)
    ok(opened.correct(2, "replace", move=written("take V3")), 201)
    assert listed(opened)[0]["line_problem"] is None


# What they cost


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The plies from which lines are judged from now on."""
    plies: list[int] = []

    def judge(timeline: Timeline, ply: int, entries: Sequence[Entry]) -> tuple[Frame, ...]:
        plies.append(ply)
        return what_if(timeline, ply, entries)

    monkeypatch.setattr("service.annotations.documents.what_if", judge)
    return plies


def test_only_the_lines_that_are_shown_are_judged_and_once_for_a_version(opened: Match, judged: list[int]) -> None:
    notes = [opened.annotate(2, line=LINE[:length]) for length in (1, 2, 3)]
    notes.append(opened.annotate(6, line=entries(["orange take V3"])))
    services = opened.service.client.application.extensions["carnet"]
    opened.service.client.application.extensions["carnet"] = replace(services, verdicts=Verdicts())

    def judges(path: str) -> list[int]:
        judged.clear()
        assert opened.get(path).status_code == 200
        return list(judged)

    assert judges("/replay?fields=ply,text") == []
    assert judges("/replay/3") == []
    assert judges("/annotations?limit=1") == [2]
    assert judges("/replay/6") == [6]
    assert judges("/replay?to=2") == [2, 2]
    assert judges("/replay") == judges("/annotations") == []
    assert judges("/replay/2?lang=pl") == [2, 2, 2]
    assert judges("/replay/2?version=7&lang=en") == []
    ok(opened.service.patch(f"/annotations/{notes[0]['id']}", {"line": LINE[:2]}))
    assert judges("/annotations") == []
    opened.record("orange take V3")
    assert judges("/annotations") == [2, 2, 2, 6]


def test_annotations_come_in_pages_and_as_a_stream(opened: Match) -> None:
    made = [opened.annotate(ply % 7, line=[]) for ply in range(7)]
    assert opened.service.all_items(f"{opened.path}/annotations?limit=3") == made
    assert lines(opened.get("/annotations", NDJSON)) == made


@pytest.mark.parametrize("room", [Written(3, 10_000), Written(1000, 400)])
def test_a_match_has_room_for_so_many_annotations_and_no_more(
    opened: Match, monkeypatch: pytest.MonkeyPatch, room: Written
) -> None:
    monkeypatch.setattr("service.annotations.routes.ROOM", room)
    notes = [opened.annotate(1, text="x" * 80) for _ in range(3)]
    before = listed(opened)
    refused = problem(opened.post("/annotations", {"ply": 1, "text": "x" * 80}), 409, "too-many-annotations")
    assert f"{room.number:,} annotations" in refused["detail"]
    assert listed(opened) == before
    ok(opened.service.patch(f"/annotations/{notes[0]['id']}", {"text": "y" * 80}))
    ok(opened.service.patch(f"/annotations/{notes[0]['id']}", {"text": "short"}))
    if room.bytes == 400:
        longer = opened.service.patch(f"/annotations/{notes[1]['id']}", {"text": "x" * 300})
        problem(longer, 409, "too-many-annotations")
    assert opened.service.delete(f"/annotations/{notes[2]['id']}").status_code == 204
    opened.annotate(1, text="x" * 80)


def test_writers_at_once_do_not_write_more_than_there_is_room_for(
    opened: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.annotations.routes.ROOM", Written(3, 10_000))
    with ThreadPoolExecutor(6) as threads:
        answers = [threads.submit(opened.post, "/annotations", {"ply": 1}) for _ in range(6)]
        statuses = sorted(answer.result().status_code for answer in answers)
    assert statuses == [201] * 3 + [409] * 3
