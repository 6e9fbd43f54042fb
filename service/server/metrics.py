"""Prometheus metrics: all workers write into one folder, and the arbiter serves the sum.

Without an address to serve them at nothing is measured: that would take as long as some responses do.
"""

import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any, Final, TypeVar, cast
from wsgiref.simple_server import WSGIServer

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server, values
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from service.version import version

METHODS = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})
"""Other methods, which clients invent, are counted as one."""
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
FOLDER = "PROMETHEUS_MULTIPROC_DIR"


M = TypeVar("M")


class Unmeasured:
    """A metric that measures nothing."""

    def inc(self, amount: float = 1) -> None:
        """Count nothing."""

    dec = set = observe = inc

    def labels(self, *_values: str) -> "Unmeasured":
        """Return itself, whatever the labels are."""
        return self


UNMEASURED: Final = Unmeasured()


class Metrics:
    """All metrics: nothing until they are begun, in one process or shared by several."""

    def __init__(self) -> None:
        self._make(None)

    def begin(self) -> None:
        """Measure in this process alone."""
        self._make(CollectorRegistry())

    def share(self, folder: str) -> None:
        """Measure together with all processes that are forked from now on."""
        os.environ[FOLDER] = folder
        values.ValueClass = values.MultiProcessValue()  # type: ignore[no-untyped-call]
        self._make(CollectorRegistry())

    def observe_request(self, method: str, route: str | None, status: int, seconds: float) -> None:
        """Count a request and the duration of its response."""
        if self.registry is None:
            return
        key = (method if method in METHODS else "other", route, status)
        observed = self._requests.get(key)
        if observed is None:
            observed = self._requests[key] = self.requests.labels(key[0], route or "none", str(status))
        observed.observe(seconds)

    def _make(self, registry: CollectorRegistry | None) -> None:
        self.registry = registry

        def measure(kind: type[M], name: str, about: str, labels: tuple[str, ...] = (), **options: Any) -> M:
            if registry is None:
                return cast(M, UNMEASURED)
            return kind(name, about, labels, registry=registry, **options)  # type: ignore[call-arg]

        self.requests = measure(
            Histogram,
            "carnet_request_seconds",
            "Requests by method, route and status, and how long their answers took; streams are left out.",
            ("method", "route", "status"),
            buckets=SECONDS,
        )
        self._requests: dict[tuple[str, str | None, int], Histogram] = {}
        self.folded = measure(Counter, "carnet_folded_events", "Events that were read from logs and folded.")
        timelines = measure(
            Counter, "carnet_timelines", "Timelines asked for, by whether they were in memory.", ("found",)
        )
        self.hits, self.misses = timelines.labels("yes"), timelines.labels("no")
        self.cache_bytes = measure(
            Gauge,
            "carnet_timelines_bytes",
            "What the timelines in memory take, roughly.",
            multiprocess_mode="livesum",
        )
        self.pool_waits = measure(
            Histogram,
            "carnet_pool_wait_seconds",
            "How long requests waited for a connection to the database.",
            buckets=SECONDS,
        )
        self.pool_used = measure(
            Gauge,
            "carnet_pool_connections",
            "Connections to the database in use.",
            multiprocess_mode="livesum",
        )
        self.appended = measure(Counter, "carnet_appended_events", "Events that were added to logs.")
        self.conflicts = measure(
            Counter, "carnet_append_conflicts", "Writes that were judged again because somebody was faster."
        )
        self.streams = measure(Gauge, "carnet_streams", "Readers who wait for changes.", multiprocess_mode="livesum")


METRICS = Metrics()


class BuildInfo(Collector):
    """The running version, as a label of a constant that one process exports for all."""

    def collect(self) -> Iterator[Metric]:
        """Yield the only sample."""
        info = GaugeMetricFamily("carnet_build_info", "The version of Carnet that runs; always 1.", labels=["version"])
        info.add_metric([version()], 1)
        yield info


class WorkerMetrics(MultiProcessCollector):
    """The metrics of all processes. Those of one that has just begun are empty, and gauges of one that ended go."""

    def collect(self) -> Iterable[Metric]:
        files = []
        for file in Path(self._path).glob("*.db"):
            with suppress(FileNotFoundError):
                if file.stat().st_size > 0:
                    files.append(str(file))
        return cast(Iterable[Metric], self.merge(files))  # type: ignore[no-untyped-call]


class MetricsServer:
    """The HTTP server of the arbiter that serves the metrics of all processes."""

    def __init__(self, host: str, port: int) -> None:
        self._folder = tempfile.mkdtemp(prefix="carnet-metrics-")
        METRICS.share(self._folder)
        registry = CollectorRegistry()
        WorkerMetrics(registry, self._folder)  # type: ignore[no-untyped-call]
        registry.register(BuildInfo())
        started: tuple[WSGIServer, Thread] = start_http_server(port, host, registry)
        self._server, self._thread = started

    def leave(self) -> None:
        """Close the socket in a forked process; the arbiter goes on listening."""
        self._server.socket.close()

    def forget(self, pid: int) -> None:
        """Exclude a process that has ended from the gauges."""
        mark_process_dead(pid, self._folder)  # type: ignore[no-untyped-call]

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        shutil.rmtree(self._folder, ignore_errors=True)
