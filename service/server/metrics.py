"""The server of Prometheus metrics: all workers write into one folder, and the arbiter serves the sum."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import cast
from wsgiref.simple_server import WSGIServer

from prometheus_client import CollectorRegistry, ProcessCollector, start_http_server
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from service.metrics import METRICS
from service.version import version


class BuildInfo(Collector):
    """The running version, as a label of a constant that one process exports for all."""

    def collect(self) -> Iterator[Metric]:
        """Yield the only sample."""
        info = GaugeMetricFamily("carnet_build_info", "The version of Carnet that runs; always 1.", labels=["version"])
        info.add_metric([version()], 1)
        yield info


class ProcessMetrics(Collector):
    """The standard `process_…` metrics of the arbiter and its workers, each under its process id.

    Apart, since only so `process_open_fds` can be compared with `process_max_fds`; queries can sum them.
    """

    def __init__(self, workers: Callable[[], Iterable[int]]) -> None:
        self._workers = workers

    def collect(self) -> Iterable[Metric]:
        """Return a metric of each kind with a sample for each process."""
        metrics: dict[str, Metric] = {}
        for pid in (os.getpid(), *self._workers()):
            own = ProcessCollector(pid=lambda pid=pid: pid, registry=None)  # type: ignore[misc]
            for metric in own.collect():
                of_all = metrics.setdefault(metric.name, Metric(metric.name, metric.documentation, metric.type))
                of_all.samples += [sample._replace(labels={"pid": str(pid)}) for sample in metric.samples]
        return metrics.values()


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

    def __init__(self, host: str, port: int, workers: Callable[[], Iterable[int]]) -> None:
        """With `workers` it finds the ids of their processes."""
        self._folder = tempfile.mkdtemp(prefix="carnet-metrics-")
        METRICS.share(self._folder)
        registry = CollectorRegistry()
        WorkerMetrics(registry, self._folder)  # type: ignore[no-untyped-call]
        registry.register(BuildInfo())
        registry.register(ProcessMetrics(workers))
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
