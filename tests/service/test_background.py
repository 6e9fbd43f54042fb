"""Threads that do some work again and again."""

import logging
from threading import Event
from threading import enumerate as threads
from time import monotonic

import pytest

from service.server.background import Periodic
from tests.service.workers import PATIENCE

DAY = 86_400.0


class Work:
    """Fails as often as it is told, then notes that it was done."""

    def __init__(self, *failures: Exception) -> None:
        self.runs = 0
        self.is_done = Event()
        self._failures = list(failures)

    def __call__(self) -> None:
        self.runs += 1
        if self._failures:
            raise self._failures.pop(0)
        self.is_done.set()


def test_a_run_that_fails_is_logged_and_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, logger="carnet.background")
    work = Work(OSError("no room"), ZeroDivisionError("by nothing"))
    thread = Periodic("sweeper", 0.01, work, expected=(OSError,))
    thread.start()
    assert work.is_done.wait(PATIENCE)
    thread.stop()
    expected, unforeseen = caplog.records
    assert (expected.levelname, expected.exc_info) == ("WARNING", None)
    assert expected.getMessage() == "sweeper failed and is tried again: no room"
    assert (unforeseen.levelname, unforeseen.getMessage()) == ("ERROR", "sweeper failed and is tried again")
    assert unforeseen.exc_info is not None


def test_it_is_stopped_in_the_middle_of_a_pause() -> None:
    work, ends = Work(), []
    thread = Periodic("sweeper", DAY, work, at_end=lambda: ends.append(work.runs))
    thread.start()
    assert work.is_done.wait(PATIENCE)
    assert "sweeper" in {running.name for running in threads()}
    began = monotonic()
    thread.stop()
    assert monotonic() - began < 10
    assert "sweeper" not in {running.name for running in threads()}
    assert (work.runs, ends) == (1, [1])


def test_a_run_is_finished_before_it_stops() -> None:
    is_running, may_end, ended = Event(), Event(), Event()

    def work() -> None:
        is_running.set()
        may_end.wait(PATIENCE)
        ended.set()

    thread = Periodic("sweeper", DAY, work)
    thread.start()
    assert is_running.wait(PATIENCE)
    stopping = Periodic("stopper", DAY, thread.stop)
    stopping.start()
    may_end.set()
    stopping.stop()
    assert ended.is_set()
