"""What is counted and measured, for Prometheus: all workers write into one folder, and the arbiter tells the sum.

As long as nobody is told, nothing is measured: it would take as long as some answers do.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from threading import Thread
from typing import Any, Final, TypeVar, cast
from wsgiref.simple_server import WSGIServer

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server, values
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from service.version import version

METHODS = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})
"""What clients invent besides is counted as one."""
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
FOLDER = "PROMETHEUS_MULTIPROC_DIR"


M = TypeVar("M")


class Unmeasured:
    """Stands where something is measured as long as nobody is told."""

    def inc(self, amount: float = 1) -> None:
        """Count nothing."""

    dec = set = observe = inc

    def labels(self, *_values: str) -> "Unmeasured":
        """Itself, whatever it is told apart by."""
        return self


UNMEASURED: Final = Unmeasured()


class Metrics:
    """Everything that is measured: nothing until it is begun in one process alone or shared by several."""

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
        """Count a request that was answered, and how long that took."""
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
        asked = measure(Counter, "carnet_timelines", "Timelines asked for, by whether they were in memory.", ("found",))
        self.hits, self.misses = asked.labels("yes"), asked.labels("no")
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
    """The version that runs, as a label of a constant: one process tells it for all."""

    def collect(self) -> Iterator[Metric]:
        """The one sample."""
        info = GaugeMetricFamily("carnet_build_info", "The version of Carnet that runs; always 1.", labels=["version"])
        info.add_metric([version()], 1)
        yield info


class Teller:
    """Tells whoever asks at an address what all processes have measured; it belongs to the arbiter."""

    def __init__(self, host: str, port: int) -> None:
        self._folder = tempfile.mkdtemp(prefix="carnet-metrics-")
        METRICS.share(self._folder)
        registry = CollectorRegistry()
        MultiProcessCollector(registry, self._folder)  # type: ignore[no-untyped-call]
        registry.register(BuildInfo())
        started: tuple[WSGIServer, Thread] = start_http_server(port, host, registry)
        self._server, self._thread = started

    def leave(self) -> None:
        """Close the socket in a process that was forked; the arbiter goes on listening."""
        self._server.socket.close()

    def forget(self, pid: int) -> None:
        """Let a process that has ended no longer count in what is now."""
        mark_process_dead(pid, self._folder)  # type: ignore[no-untyped-call]

    def close(self) -> None:
        """Tell nothing more."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        shutil.rmtree(self._folder, ignore_errors=True)
