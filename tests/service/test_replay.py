"""Stepping through a match: frames at every ply and version, pictures, explained scores, and what may be cached."""

from collections import Counter
from typing import Any
from xml.etree import ElementTree

import pytest

from scripts.other_rules import other_rules_version
from tests.domain.games.cite_lumiere.positions import GAME, OTHERS, written
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
from tests.service.workers import seen_by, two_workers

FRAME = {"ply", "seq", "recorded_at", "seat", "move", "ruling", "text", "state"}
FOREVER = "private, max-age=31536000, immutable"
SVG = "{http://www.w3.org/2000/svg}"


def corrected(match: Match) -> Match:
    """A match with six moves, the third replaced and the last two undone."""
    match.record(*OPENING)
    ok(match.correct(3, "replace", move=written("take X5")), 201)
    match.undo(4)
    return match


@pytest.fixture(scope="module")
def opened_of_module(match_of_module: tuple[Service, Match]) -> tuple[Service, Match]:
    """One that the tests of this module share which write nothing."""
    service, match = match_of_module
    return service, corrected(match)


@pytest.fixture
def opened(request: pytest.FixtureRequest, match: Match) -> Match:
    """A corrected match."""
    if request.node.get_closest_marker("unchanging") is None:
        return corrected(match)
    shared: Match = request.getfixturevalue("opened_of_module")[1]
    return shared


@pytest.fixture
def finished(match: Match) -> Match:
    """A match that has ended."""
    ok(match.post("/moves", {"moves": finished_match()}), 201)
    return match


# Frames


@pytest.mark.unchanging
def test_a_replay_is_the_match_and_its_frames(opened: Match) -> None:
    replay = ok(opened.get("/replay"))
    assert set(replay) == {"match", "frames"}
    assert replay["match"] == opened.document()
    frames = replay["frames"]
    assert all(set(frame) == {*FRAME, "annotations"} for frame in frames)
    assert [frame["ply"] for frame in frames] == [0, 1, 2, 3, 4]
    assert [frame["seq"] for frame in frames] == [1, 2, 3, 8, 5]
    assert [frame["seat"] for frame in frames] == [None, "orange", "blue", "orange", "blue"]
    assert frames[0]["move"] is None
    assert frames[3]["move"] == written("take X5")
    assert [frame["state"]["ply"] for frame in frames] == [0, 1, 2, 3, 4]
    assert frames[-1]["state"] == ok(opened.get("/state"))["state"]
    assert all(frame["text"] for frame in frames)
    assert len({frame["text"] for frame in frames}) == 5


@pytest.mark.unchanging
def test_each_frame_is_to_be_had_alone(opened: Match) -> None:
    for frame in opened.frames():
        assert ok(opened.get(f"/replay/{frame['ply']}")) == frame


def test_the_states_are_those_of_the_rules(finished: Match) -> None:
    state = GAME.rules.start(GAME.setup.parse(SETUP), ("orange", "blue"), GAME.editions.default)
    frames = finished.frames("?fields=state,text")
    assert frames[0]["state"] == GAME.view.dump(state)
    for made, frame in zip(finished_match(), frames[1:], strict=True):
        move = GAME.move.parse(made["move"])
        assert frame["text"] == GAME.telling.describe(state, made["seat"], move)
        state = GAME.rules.apply(state, made["seat"], move)
        assert frame["state"] == GAME.view.dump(state)


def test_every_version_can_be_replayed_as_it_was(match: Match) -> None:
    before = {1: match.frames("?version=1")}
    match.record(*OPENING)
    before[7] = match.frames("?version=7")
    ok(match.correct(3, "replace", move=written("take X5")), 201)
    before[8] = match.frames("?version=8")
    ok(match.post("/corrections", {"ply": 0, "setup": {**SETUP, "postcards": sorted(OTHERS)}}), 201)
    before[9] = match.frames("?version=9")
    match.undo(0)
    assert [len(before[version]) for version in (1, 7, 8, 9)] == [1, 7, 7, 7]
    assert [frame["seq"] for frame in before[9]] == [9, 2, 3, 8, 5, 6, 7]
    assert before[7][3]["move"] == written("take U6")
    for version, frames in before.items():
        assert match.frames(f"?version={version}") == frames
        for frame in frames:
            assert ok(match.get(f"/replay/{frame['ply']}?version={version}")) == frame


@pytest.mark.unchanging
def test_each_frame_says_when_its_event_was_recorded(opened: Match) -> None:
    recorded = {event["seq"]: event["recorded_at"] for event in opened.events()}
    frames = opened.frames("?fields=seq,recorded_at")
    assert [frame["recorded_at"] for frame in frames] == [recorded[frame["seq"]] for frame in frames]
    assert frames[3]["recorded_at"] > frames[4]["recorded_at"]  # it was corrected
    assert ok(opened.get("/state"))["recorded_at"] == frames[4]["recorded_at"]
    for path in ("/replay/3", "/replay/3?version=8&lang=en"):
        assert ok(opened.get(path))["recorded_at"] == frames[3]["recorded_at"]


@pytest.mark.unchanging
def test_a_replay_that_is_known_is_not_sent_again(opened: Match) -> None:
    for query in ("", "?fields=ply,text", "?lang=pl", "?version=7&lang=en", "?from=2&to=3"):
        first = opened.get(f"/replay{query}")
        known = opened.get(f"/replay{query}", {"If-None-Match": first.headers["ETag"]})
        assert (known.status_code, known.data, known.headers["ETag"]) == (304, b"", first.headers["ETag"])


def test_the_tag_of_a_replay_changes_with_language_fields_and_annotations(opened: Match) -> None:
    queries = ("", "?lang=pl", "?fields=ply,text", "?fields=ply,annotations", "?from=1", "?version=7")
    before = {query: opened.get(f"/replay{query}").headers["ETag"] for query in queries}
    assert len({*before.values(), opened.get("/replay", {"Accept-Language": "cs"}).headers["ETag"]}) == len(queries) + 1
    opened.annotate(3, text="Hm.")
    after = {query: opened.get(f"/replay{query}").headers["ETag"] for query in queries}
    unlike = {query for query in queries if before[query] != after[query]}
    assert unlike == {"", "?lang=pl", "?fields=ply,annotations", "?from=1"}
    assert opened.get("/replay", {"If-None-Match": before[""]}).status_code == 200


@pytest.mark.unchanging
def test_what_a_match_does_not_have_is_not_found(opened: Match) -> None:
    for path in (
        *("/replay/5", "/replay/0?version=0", "/replay/0?version=10", "/replay/5?version=9", "/replay?version=10"),
        *("/replay/5/board.svg", "/replay/0/board.svg?version=10", "/replay/5/score", "/replay/0/score?version=10"),
    ):
        response = opened.get(path)
        if "version=0" in path:
            problem(response, 422, "malformed")
        else:
            problem(response, 404, "not-found")
    ok(opened.get("/replay/6?version=8"))


@pytest.mark.unchanging
@pytest.mark.parametrize(
    ("query", "plies"),
    [
        ("from=1&to=3", [1, 2, 3]),
        ("from=3", [3, 4]),
        ("to=0", [0]),
        ("from=4&to=4", [4]),
        ("from=5", []),
        ("from=3&to=2", []),
        ("from=0&to=999999999", [0, 1, 2, 3, 4]),
        ("from=5&version=8", [5, 6]),
    ],
)
def test_from_and_to_bound_the_frames(opened: Match, query: str, plies: list[int]) -> None:
    assert [frame["ply"] for frame in opened.frames(f"?{query}")] == plies
    assert [frame["ply"] for frame in lines(opened.get(f"/replay?{query}", NDJSON))] == plies


@pytest.mark.unchanging
@pytest.mark.parametrize("fields", ["ply", "ply,text", "state", "seq,seat,move,ruling", "annotations,ply"])
def test_fields_say_what_of_a_frame_is_wanted(opened: Match, fields: str) -> None:
    whole = opened.frames()
    for frames in (opened.frames(f"?fields={fields}"), lines(opened.get(f"/replay?fields={fields}", NDJSON))):
        assert [set(frame) for frame in frames] == [set(fields.split(","))] * 5
        assert frames == [{name: frame[name] for name in fields.split(",")} for frame in whole]


@pytest.mark.unchanging
@pytest.mark.parametrize(
    ("query", "pointer"),
    [
        ("fields=ply,colour", "/fields"),
        ("fields=", "/fields"),
        ("fields=ply,,text", "/fields"),
        ("from=-1", "/from"),
        ("to=x", "/to"),
        ("version=x", "/version"),
        ("lang=xx", "/lang"),
        ("lang=", "/lang"),
        ("lang=EN", "/lang"),
    ],
)
def test_a_query_that_makes_no_sense_is_refused(opened: Match, query: str, pointer: str) -> None:
    assert pointers(problem(opened.get(f"/replay?{query}"), 422, "malformed")) == [pointer]


def test_a_replay_streams_one_frame_a_line(finished: Match) -> None:
    finished.annotate(2, text="Hm.")
    assert lines(finished.get("/replay", NDJSON)) == finished.frames()


@pytest.mark.unchanging
def test_english_is_spoken_where_nothing_else_is_understood(opened: Match) -> None:
    text = opened.frames("?lang=en")[1]["text"]
    for accept in ("xx", "*", "en-GB, en;q=0.5", "x" * 500):
        assert ok(opened.get("/replay/1", {"Accept-Language": accept}))["text"] == text


# Caching


PATHS = ("/replay/3", "/replay/3/board.svg", "/replay/3/score")


@pytest.mark.unchanging
@pytest.mark.parametrize("path", PATHS)
def test_a_frame_is_kept_for_ever_only_with_version_and_language(opened: Match, path: str) -> None:
    response = opened.get(f"{path}?version=8&lang=en")
    assert (response.status_code, response.headers["Cache-Control"]) == (200, FOREVER)
    for query in ("", "?version=8", "?lang=en"):
        assert opened.get(path + query).headers["Cache-Control"] == "private, no-cache", query


@pytest.mark.parametrize("path", PATHS)
def test_a_frame_with_version_never_changes(opened: Match, path: str) -> None:
    address = f"{path}?version=8&lang=en"
    first = opened.get(address)
    opened.annotate(3, text="Hm.")
    opened.undo(0)
    ok(opened.post("/corrections", {"ply": 0, "setup": {**SETUP, "first": "blue"}}), 201)
    ok(opened.service.patch(opened.path, {"venue": "café"}))
    again = opened.get(address)
    assert (again.data, again.headers["ETag"]) == (first.data, first.headers["ETag"])
    known = opened.get(address, {"If-None-Match": first.headers["ETag"]})
    assert (known.status_code, known.data) == (304, b"")
    assert (known.headers["ETag"], known.headers["Cache-Control"]) == (first.headers["ETag"], FOREVER)


@pytest.mark.parametrize("path", PATHS)
def test_the_tag_of_a_frame_tells_the_version_of_the_rules(opened: Match, dsn: str, path: str) -> None:
    address = f"{path}?version=8&lang=en"
    old = opened.get(address).headers["ETag"]
    assert opened.get(f"{path}?version=7&lang=en").headers["ETag"] != old
    with other_rules_version(GAME), two_workers(dsn) as (started_anew, _):
        response = seen_by(started_anew, opened).get(address, {"If-None-Match": old})
    assert response.status_code == 200
    assert response.headers["ETag"] != old


def test_frames_carry_annotations_only_without_version(opened: Match) -> None:
    note = opened.annotate(3, text="Hm.")
    assert ok(opened.get("/replay/3"))["annotations"] == [note]
    assert [frame["annotations"] for frame in opened.frames()] == [[], [], [], [note], []]
    assert set(ok(opened.get("/replay/3?version=9"))) == FRAME
    assert all(set(frame) == FRAME for frame in opened.frames("?version=9&lang=en"))
    assert all(set(frame) == FRAME for frame in lines(opened.get("/replay?version=9&lang=en", NDJSON)))


# Pictures


def test_every_ply_has_a_picture(finished: Match) -> None:
    last = len(finished_match())
    for ply in (0, 1, 17, last // 2, last):
        response = finished.get(f"/replay/{ply}/board.svg")
        assert response.status_code == 200
        assert response.content_type == "image/svg+xml; charset=utf-8"
        picture = ElementTree.fromstring(response.text)  # noqa: S314 our own text
        assert picture.tag == f"{SVG}svg"
        title = picture.find(f"{SVG}title")
        assert title is not None
        assert title.text is not None
        assert f"{ply}." in title.text
        if ply:
            assert finished.frames("?fields=text")[ply]["text"] in title.text


@pytest.mark.unchanging
def test_a_picture_shows_its_version(opened: Match) -> None:
    old, new = (opened.get(f"/replay/3/board.svg?version={version}").text for version in (7, 8))
    assert old != new


# Scores


def test_the_explanation_adds_up_at_every_ply(finished: Match) -> None:
    for frame in finished.frames()[::6] + finished.frames()[-1:]:
        explained = ok(finished.get(f"/replay/{frame['ply']}/score"))
        assert set(explained) == {"ply", "seats"}
        assert explained["ply"] == frame["ply"]
        for seat, score in frame["state"]["score"].items():
            explanation = explained["seats"][seat]
            assert set(explanation) == {"total", "items"}
            assert explanation["total"] == score["total"] == sum(item["points"] for item in explanation["items"])
            sums: Counter[str] = Counter()
            for item in explanation["items"]:
                assert set(item) == {"category", "points", "pieces", "cells", "sources", "text"}
                assert item["text"]
                sums[item["category"]] += item["points"]
            assert {name: sums[name] for name in ("lit", "group", "unbuilt", "postcards")} == {
                name: score[name] for name in ("lit", "group", "unbuilt", "postcards")
            }
            lit = {item["pieces"][0]: item for item in explanation["items"] if item["category"] == "lit"}
            assert {
                piece: (len(item["cells"]), len(item["sources"]), item["points"]) for piece, item in lit.items()
            } == {
                building["piece"]: (building["size"], building["lamps"], building["points"])
                for building in score["buildings"]
            }


def test_a_score_is_explained_by_a_sentence_with_its_spaces(finished: Match) -> None:
    seats = ok(finished.get(f"/replay/{len(finished_match())}/score?lang=en"))["seats"]
    items: list[Any] = [item for seat in seats.values() for item in seat["items"]]
    lit = [item for item in items if item["category"] == "lit" and item["points"]]
    assert lit
    for item in lit:
        assert all(cell in item["text"] for cell in item["sources"])
        assert str(item["points"]) in item["text"]


def test_a_recorded_pass_is_told_like_any_move(match: Match) -> None:
    ok(match.post("/moves", {**entry("orange pass"), "ruling": {"reason": "tired"}}), 201)
    frame = ok(match.get("/replay/1"))
    assert (frame["seat"], frame["move"], frame["ruling"]) == ("orange", {"type": "pass"}, {"reason": "tired"})
    assert frame["text"]


def test_only_the_reasons_of_the_frames_asked_for_are_read(match: Match, reasons_read: list[int]) -> None:
    reasons = [f"Ruled {number}." for number in range(4)]
    ruled = [{**entry("blue pass"), "ruling": {"reason": reason}} for reason in reasons]
    ok(match.post("/moves", {"moves": ruled}), 201)

    def read(path: str) -> list[int]:
        reasons_read.clear()
        assert match.get(path).status_code == 200
        return list(reasons_read)

    assert read("/state") == [5]
    assert read("/replay/2") == [3]
    assert read("/replay/2?version=4&lang=en") == [3]
    assert read("/replay?from=2&to=3") == [3, 4]
    assert read("/replay?fields=ply,state") == []
    assert [frame["ruling"]["reason"] for frame in match.frames("?from=1")] == reasons
