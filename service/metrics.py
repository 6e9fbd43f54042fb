"""What is counted and measured, for Prometheus: all workers write into one folder, and the arbiter tells the sum."""

import os
import shutil
import tempfile
from threading import Thread
from wsgiref.simple_server import WSGIServer

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server, values
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

METHODS = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})
"""What clients invent besides is counted as one."""
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
FOLDER = "PROMETHEUS_MULTIPROC_DIR"


class Metrics:
    """Everything that is measured; in one process alone until it is shared."""

    def __init__(self) -> None:
        self._make()

    def share(self, folder: str) -> None:
        """Measure together with all processes that are forked from now on."""
        os.environ[FOLDER] = folder
        values.ValueClass = values.MultiProcessValue()  # type: ignore[no-untyped-call]
        self._make()

    def observe_request(self, method: str, route: str | None, status: int, seconds: float) -> None:
        """Count a request that was answered, and how long that took."""
        key = (method if method in METHODS else "other", route, status)
        observed = self._requests.get(key)
        if observed is None:
            observed = self._requests[key] = self.requests.labels(key[0], route or "none", str(status))
        observed.observe(seconds)

    def _make(self) -> None:
        registry = CollectorRegistry()
        self.registry = registry
        self.requests = Histogram(
            "carnet_request_seconds",
            "Requests by method, route and status, and how long their answers took; streams are left out.",
            ("method", "route", "status"),
            buckets=SECONDS,
            registry=registry,
        )
        self._requests: dict[tuple[str, str | None, int], Histogram] = {}
        self.folded = Counter("carnet_folded_events", "Events that were read from logs and folded.", registry=registry)
        asked = Counter(
            "carnet_timelines", "Timelines asked for, by whether they were in memory.", ("found",), registry=registry
        )
        self.hits, self.misses = asked.labels("yes"), asked.labels("no")
        self.cache_bytes = Gauge(
            "carnet_timelines_bytes",
            "What the timelines in memory take, roughly.",
            multiprocess_mode="livesum",
            registry=registry,
        )
        self.pool_waits = Histogram(
            "carnet_pool_wait_seconds",
            "How long requests waited for a connection to the database.",
            buckets=SECONDS,
            registry=registry,
        )
        self.pool_used = Gauge(
            "carnet_pool_connections",
            "Connections to the database in use.",
            multiprocess_mode="livesum",
            registry=registry,
        )
        self.appended = Counter("carnet_appended_events", "Events that were added to logs.", registry=registry)
        self.conflicts = Counter(
            "carnet_append_conflicts", "Writes that were judged again because somebody was faster.", registry=registry
        )
        self.streams = Gauge(
            "carnet_streams", "Readers who wait for changes.", multiprocess_mode="livesum", registry=registry
        )


METRICS = Metrics()


class Teller:
    """Tells whoever asks at an address what all processes have measured; it belongs to the arbiter."""

    def __init__(self, host: str, port: int) -> None:
        self._folder = tempfile.mkdtemp(prefix="carnet-metrics-")
        METRICS.share(self._folder)
        registry = CollectorRegistry()
        MultiProcessCollector(registry, self._folder)  # type: ignore[no-untyped-call]
        started: tuple[WSGIServer, Thread] = start_http_server(port, host, registry)
        self._server, self._thread = started

    def forget(self, pid: int) -> None:
        """Let a process that has ended no longer count in what is now."""
        mark_process_dead(pid, self._folder)  # type: ignore[no-untyped-call]

    def close(self) -> None:
        """Tell nothing more."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        shutil.rmtree(self._folder, ignore_errors=True)
