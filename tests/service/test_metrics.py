"""Metrics: in one process, and over all workers of the real service."""

import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from time import time
from urllib.request import urlopen

import pytest
from flask import Flask
from prometheus_client import CollectorRegistry
from prometheus_client.parser import text_string_to_metric_families

from scripts.kill_rounds import children
from service.config import Place, read_config
from service.metrics import METRICS
from service.server.metrics import BuildInfo, WorkerMetrics
from service.version import version
from tests.service.following import PATIENCE, Reader, running, send
from tests.service.harness import OPENING, Match, entry, ok, problem
from tests.service.workers import seen_by, two_workers, wait_until


@pytest.fixture(autouse=True)
def _begun() -> None:
    METRICS.begin()


def measured(name: str, **labels: str) -> float:
    """The metrics of this process."""
    assert METRICS.registry is not None
    return METRICS.registry.get_sample_value(name, labels) or 0.0


@contextmanager
def grows(name: str, by: float, **labels: str) -> Iterator[None]:
    """Fail unless a number grows so much."""
    before = measured(name, **labels)
    yield
    assert measured(name, **labels) - before == by, name


MOVES = {"method": "POST", "route": "/api/v1/matches/<uuid:match_id>/moves"}


def test_requests_are_counted_by_route_and_status(match: Match) -> None:
    with (
        grows("carnet_request_seconds_count", 2, **MOVES, status="201"),
        grows("carnet_request_seconds_count", 1, **MOVES, status="422"),
        grows("carnet_appended_events_total", 2),
    ):
        for line in OPENING[:2]:
            answer = match.post("/moves", entry(line))
            ok(answer, 201)
            answer.close()
        answer = match.post("/moves", entry(OPENING[0]))
        problem(answer, 422, "illegal-move")
        answer.close()


@pytest.mark.parametrize(("method", "told"), [("BREW", "other"), ("GET", "GET")])
def test_what_clients_invent_makes_no_new_series(app: Flask, method: str, told: str) -> None:
    status = "404"
    with grows("carnet_request_seconds_count", 1, method=told, route="none", status=status):
        app.test_client().open("/x/y/z?key=1", method=method).close()


def test_folds_the_cache_and_the_pool_are_measured(dsn: str, match: Match) -> None:
    match.record(*OPENING)
    with two_workers(dsn) as (app, _):
        there = seen_by(app, match)
        with (
            grows("carnet_folded_events_total", 7),
            grows("carnet_timelines_total", 1, found="no"),
            grows("carnet_timelines_total", 1, found="yes"),
            grows("carnet_pool_wait_seconds_count", 2),
        ):
            ok(there.get("/legal-moves"))
            ok(there.get("/legal-moves"))
        assert measured("carnet_timelines_bytes") > 0
        assert measured("carnet_pool_connections") == 0
        with app.extensions["carnet"].database.transaction():
            assert measured("carnet_pool_connections") == 1


def test_who_was_faster_is_counted(dsn: str, match: Match) -> None:
    with two_workers(dsn) as (app, other):
        here, there = seen_by(app, match), seen_by(other, match)
        here.record(OPENING[0])
        there.record(OPENING[1])
        with grows("carnet_append_conflicts_total", 1):
            problem(here.post("/moves", entry("blue take X5")), 422, "illegal-move")
        with grows("carnet_append_conflicts_total", 0):
            here.record(OPENING[2])


# The real service


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_the_version_that_runs_is_told() -> None:
    [info] = BuildInfo().collect()
    assert [(sample.name, sample.labels, sample.value) for sample in info.samples] == [
        ("carnet_build_info", {"version": version()}, 1)
    ]


def test_a_process_that_has_just_begun_does_not_fail_the_others(tmp_path: Path) -> None:
    (tmp_path / "counter_1.db").touch()
    assert list(WorkerMetrics(CollectorRegistry(), str(tmp_path)).collect()) == []  # type: ignore[no-untyped-call]


def test_each_process_has_its_memory_time_and_files(dsn: str) -> None:
    place = free_port()
    with running(dsn, CARNET_METRICS=str(place)) as [(_, process)]:
        wait_until(lambda: len(children(process.pid)) == 2)
        with urlopen(f"http://127.0.0.1:{place}/metrics", timeout=PATIENCE) as answer:
            families = {family.name: family for family in text_string_to_metric_families(answer.read().decode())}
        found = {
            sample.name: {int(sample.labels["pid"]): sample.value for sample in family.samples}
            for name, family in families.items()
            if name.startswith("process_")
            for sample in family.samples
        }
        pids = {process.pid, *children(process.pid)}
    assert {name: set(values) for name, values in found.items()} == {
        f"process_{name}": pids
        for name in (
            *("resident_memory_bytes", "virtual_memory_bytes", "cpu_seconds_total"),
            *("start_time_seconds", "open_fds", "max_fds"),
        )
    }
    assert families["process_cpu_seconds"].type == "counter"
    for pid in pids:
        assert found["process_resident_memory_bytes"][pid] > 2**20
        assert 0 < found["process_open_fds"][pid] < found["process_max_fds"][pid]
        assert abs(found["process_start_time_seconds"][pid] - time()) < PATIENCE


def scraped(port: int) -> dict[tuple[str, str], float]:
    """The metrics of all workers, by name and status or mark."""
    with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE) as answer:
        text = answer.read().decode()
    return {
        (sample.name, sample.labels.get("status", sample.labels.get("found", ""))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.labels.get("route", MOVES["route"]) == MOVES["route"]
    }


def test_all_workers_are_told_of_together_and_the_dead_no_longer_count_as_living(dsn: str, match: Match) -> None:
    place = free_port()
    with running(dsn, CARNET_METRICS=str(place)) as [(port, process)], ExitStack() as stack:
        for line in OPENING:
            assert send(port, "POST", f"/matches/{match.id}/moves", entry(line))[0] == 201
        assert send(port, "POST", f"/matches/{match.id}/moves", entry(OPENING[0]))[0] == 422
        for _ in range(8):
            stack.enter_context(Reader(port, match.id).settle())

        def told(name: str, mark: str, number: float) -> Callable[[], bool]:
            return lambda: scraped(place).get((name, mark)) == number

        wait_until(told("carnet_request_seconds_count", "201", 6))
        wait_until(told("carnet_request_seconds_count", "422", 1))
        wait_until(told("carnet_appended_events_total", "", 6))
        wait_until(told("carnet_streams", "", 8))
        for worker in children(process.pid):
            os.kill(worker, signal.SIGKILL)
        wait_until(told("carnet_streams", "", 0))
        wait_until(told("carnet_appended_events_total", "", 6))
        assert send(port, "GET", "/metrics")[0] == 404
        process.terminate()
        assert process.wait(PATIENCE) == 0
        with pytest.raises(OSError, match="refused"):
            scraped(place)


def test_workers_do_not_keep_the_socket_at_which_metrics_are_told(dsn: str) -> None:
    place = free_port()
    with running(dsn, CARNET_METRICS=str(place)) as [(port, process)]:
        assert send(port, "GET", "/games")[0] == 200
        assert scraped(place)["carnet_build_info", ""] == 1
        workers = children(process.pid)
        assert workers
        assert listening(process.pid) & {place} == {place}
        for worker in workers:
            wait_until(lambda worker=worker: listening(worker) == {port})  # type: ignore[misc]


def listening(pid: int) -> set[int]:
    """The ports at which a process listens."""
    sockets = {}
    for line in Path("/proc/net/tcp").read_text("ascii").splitlines()[1:]:
        (
            _,
            local,
            _,
            state,
            *_,
        ) = fields = line.split()
        if state == "0A":
            sockets[f"socket:[{fields[9]}]"] = int(local.partition(":")[2], 16)
    files = Path(f"/proc/{pid}/fd").iterdir()
    return {sockets[opened] for file in files if (opened := str(file.readlink())) in sockets}


def test_nothing_is_told_unless_that_is_set_and_then_to_this_machine() -> None:
    assert read_config({}).metrics is None
    assert read_config({"CARNET_METRICS": "9100"}).metrics == Place("127.0.0.1", 9100)
    assert read_config({"CARNET_METRICS": "10.0.0.5:9100"}).metrics == Place("10.0.0.5", 9100)
    assert read_config({"CARNET_METRICS": "[::1]:9100"}).metrics == Place("::1", 9100)
