"""Stopping the real service: what is under way is finished, nothing acknowledged is lost, readers come back."""

import http.client
import re
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import psycopg
import pytest

from tests.service.conftest import NewMatch
from tests.service.following import PATIENCE, Reader, running, send
from tests.service.harness import OPENING, Match, entry, finished_match, ok
from tests.service.test_worker import connected
from tests.service.workers import number_waiting, wait_until

BOUND = 15
"""Seconds: more than a stop takes with everybody in the way, less than gunicorn would wait."""


def recorded(port: int, match: Match) -> int:
    """Record the moves of a whole match until the service no longer answers; how many were acknowledged."""
    for done, move in enumerate(finished_match()):
        try:
            status, _ = send(port, "POST", f"/matches/{match.id}/moves", move)
        except (OSError, http.client.HTTPException):
            return done
        assert status == 201
    return len(finished_match())


@pytest.mark.parametrize("ending", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.soak)])
def test_no_acknowledged_move_is_lost_and_none_is_refused(
    dsn: str, new_match: NewMatch, ending: signal.Signals
) -> None:
    matches = [new_match() for _ in range(6)]
    with running(dsn) as [(port, process)], ThreadPoolExecutor(len(matches)) as threads:
        recording = [threads.submit(recorded, port, match) for match in matches]
        wait_until(lambda: all(match.document()["ply"] > 2 for match in matches))
        process.send_signal(ending)
        assert process.wait(BOUND) == 0
        acknowledged = [done.result(PATIENCE) for done in recording]
    for match, plies in zip(matches, acknowledged, strict=True):
        # The last request may have been carried out though its answer no longer came.
        assert match.document()["ply"] in {plies, plies + 1}
        assert match.moves()[:plies] == list(finished_match())[:plies]
        assert ok(match.get("/verify"))["valid"]


def test_a_request_under_way_is_finished(dsn: str, match: Match) -> None:
    with running(dsn) as [(port, process)], ThreadPoolExecutor(1) as threads:
        with psycopg.connect(dsn) as blocking:
            blocking.execute("SELECT FROM matches WHERE match_id = %s FOR UPDATE", (match.id,))
            posted = threads.submit(send, port, "POST", f"/matches/{match.id}/moves", entry(OPENING[0]))
            wait_until(lambda: number_waiting(dsn) == 1)
            process.terminate()
            with pytest.raises(TimeoutError):
                posted.result(1)
        status, answer = posted.result(PATIENCE)
        assert (status, answer["ply"]) == (201, 1)
        assert process.wait(BOUND) == 0
    assert match.document()["ply"] == 1


def test_readers_are_told_to_come_back_and_not_all_at_once(dsn: str, match: Match) -> None:
    with running(dsn) as [(port, process)], ExitStack() as stack:
        readers = [stack.enter_context(Reader(port, match.id).settle()) for _ in range(20)]
        process.terminate()
        told = []
        for reader in readers:
            [line] = next(block for block in iter(reader.block, []) if block != [":"])
            told.append(int(re.fullmatch(r"retry: (\d+)", line)[1]))  # type: ignore[index]
            assert reader.block() == []
        assert process.wait(BOUND) == 0
    assert 1000 <= min(told) <= max(told) < 3000
    assert len(set(told)) >= 10


def test_who_never_ends_his_request_does_not_keep_the_service(dsn: str, match: Match) -> None:
    begun = f"POST /api/v1/matches/{match.id}/moves HTTP/1.1\r\nHost: localhost\r\n".encode()
    body = begun + b'Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{"seat"'
    with running(dsn) as [(port, process)], ExitStack() as stack:
        for part in (begun, body, b"", begun, body, b""):
            stack.enter_context(connected(port, part))
        assert send(port, "GET", "/games")[0] == 200
        time.sleep(0.5)
        process.terminate()
        assert process.wait(BOUND) == 0
