"""Frames of versions from memory: as they were made, without the database, and within a number of bytes."""

import gc
import tracemalloc
from collections.abc import Iterator
from uuid import UUID, uuid4

import pytest
from flask import Flask

from domain.game import JsonObject
from service.caches import BYTES_BESIDE, CachedFrame, Frames
from service.db.pool import Database
from service.replay import routes as replay
from tests.service.harness import OPENING, Match, entry, ok, problem
from tests.service.workers import seen_by, two_workers

VERSION, LANGUAGE = 7, "en"
TAG = '"7-1-en"'


def kept_of(frames: Frames, plies: int) -> list[bool]:
    """Which plies are still kept; to look for them by `find` would be a use."""
    return [any(ply == key[2] for key in frames._kept) for ply in range(plies)]


def test_the_least_recently_used_goes_first() -> None:
    match_id = uuid4()
    frames = Frames(most_bytes=3 * (BYTES_BESIDE + 10))
    for ply in range(3):
        frames.keep((match_id, VERSION, ply, LANGUAGE), CachedFrame(b"0123456789", TAG))
    assert frames.find((match_id, VERSION, 0, LANGUAGE)) == CachedFrame(b"0123456789", TAG)
    frames.keep((match_id, VERSION, 3, LANGUAGE), CachedFrame(b"0123456789", TAG))
    assert kept_of(frames, 4) == [True, False, True, True]
    frames.keep((match_id, VERSION, 3, LANGUAGE), CachedFrame(b"0123456789", TAG))
    assert kept_of(frames, 4) == [True, False, True, True]
    assert frames.find((match_id, VERSION, 1, LANGUAGE)) is None


def test_a_frame_is_found_under_all_of_its_key_alone() -> None:
    frames, match_id = Frames(), uuid4()
    frames.keep((match_id, VERSION, 1, LANGUAGE), CachedFrame(b"one", TAG))
    for key in (
        (uuid4(), VERSION, 1, LANGUAGE),
        (match_id, 8, 1, LANGUAGE),
        (match_id, VERSION, 2, LANGUAGE),
        (match_id, VERSION, 1, "pl"),
    ):
        assert frames.find(key) is None


def test_a_frame_larger_than_all_the_room_is_not_kept() -> None:
    frames, match_id = Frames(most_bytes=BYTES_BESIDE), uuid4()
    frames.keep((match_id, VERSION, 1, LANGUAGE), CachedFrame(b"x", TAG))
    assert frames.find((match_id, VERSION, 1, LANGUAGE)) is None
    frames.keep((match_id, VERSION, 2, LANGUAGE), CachedFrame(b"", TAG))
    assert frames.find((match_id, VERSION, 2, LANGUAGE)) == CachedFrame(b"", TAG)


@pytest.mark.parametrize("size", [0, 100, 2000])
def test_frames_take_no_more_memory_than_they_may(size: int) -> None:
    most_bytes = 2**20
    gc.collect()
    tracemalloc.start()
    try:
        began, _ = tracemalloc.get_traced_memory()
        frames = Frames(most_bytes)
        for ply in range(5000):
            frames.keep((uuid4(), 300 + ply, 300 + ply, LANGUAGE), CachedFrame(bytes(size), f'"{ply}-1-en"'))
        gc.collect()
        taken = tracemalloc.get_traced_memory()[0] - began
    finally:
        tracemalloc.stop()
    assert len(frames._kept) > 1
    assert most_bytes / 4 < taken < most_bytes


@pytest.fixture
def away(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on every use of the database is an error."""

    def refuse(*_: object) -> None:
        raise AssertionError("this needs no database")

    for name in ("transaction", "statements", "snapshot"):
        monkeypatch.setattr(Database, name, refuse)


@pytest.fixture
def opened(match: Match) -> Match:
    """A match with six moves, the third replaced."""
    match.record(*OPENING)
    ok(match.correct(3, "replace", move=entry("orange take X5")["move"]), 201)
    return match


@pytest.fixture
def made(opened: Match) -> dict[str, JsonObject]:
    """Frames of two versions by address, as they are answered when they are made."""
    paths = [f"/replay/{ply}?version={version}&lang=en" for version in (7, 8) for ply in range(7)]
    return {path: ok(opened.get(path)) for path in paths}


def test_a_frame_from_memory_is_the_one_that_was_made(
    opened: Match, made: dict[str, JsonObject], away: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(replay, "frame_document")
    for path, frame in made.items():
        response = opened.get(path)
        assert ok(response) == frame
        again = opened.get(path, {"If-None-Match": response.headers["ETag"]})
        assert (again.status_code, again.data) == (304, b"")
    assert made["/replay/3?version=7&lang=en"] != made["/replay/3?version=8&lang=en"]


def test_scores_and_pictures_of_a_version_that_was_seen_need_no_database(opened: Match, away: None) -> None:
    for path in ("/replay/2/score", "/replay/2/board.svg"):
        assert opened.get(f"{path}?version=4").status_code == 200
    problem(opened.get("/replay/4?version=4"), 404, "not-found")


def test_a_frame_keeps_the_reason_of_its_ruling(match: Match) -> None:
    ok(match.post("/moves", {**entry("orange pass"), "ruling": {"reason": "tired"}}), 201)
    for _ in range(2):
        assert ok(match.get("/replay/1?version=2&lang=en"))["ruling"] == {"reason": "tired"}


def test_frames_of_a_withdrawn_match_are_there_like_the_match(opened: Match, made: dict[str, JsonObject]) -> None:
    ok(opened.post("/withdraw"))
    assert opened.document()["withdrawn"]
    for path, frame in made.items():
        assert ok(opened.get(path)) == frame


@pytest.fixture
def workers(dsn: str) -> Iterator[tuple[Flask, Flask]]:
    with two_workers(dsn) as workers:
        yield workers


def test_a_version_that_another_worker_wrote_is_found(workers: tuple[Flask, Flask], match: Match) -> None:
    here, there = (seen_by(worker, match) for worker in workers)
    here.record(*OPENING)
    there.get("/replay/6?version=7")
    here.record("orange take V3")
    known = workers[1].extensions["carnet"].timelines.known(UUID(match.id))
    assert known.timeline.version == 7
    assert ok(there.get("/replay/7?version=8&lang=en")) == ok(here.get("/replay/7?version=8&lang=en"))
    problem(there.get("/replay/7?version=9&lang=en"), 404, "not-found")
