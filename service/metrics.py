"""What is measured: Prometheus metrics of one process, or of several that write into one folder.

Without an address to serve them at nothing is measured: that would take as long as some responses do.
"""

import os
from typing import Any, Final, TypeVar, cast

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, values

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
