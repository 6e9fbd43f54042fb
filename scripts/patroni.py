"""A Patroni cluster on this machine: three nodes of etcd and three of PostgreSQL, to be killed and stopped.

The settings are those of `deploy/patroni/patroni.yml`, with addresses, folders and passwords of their own.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import psycopg
import requests
import yaml

from scripts.debian import provide
from scripts.kill_rounds import PROCESSES, Failed
from scripts.ports import reserved_port
from service.server.postgres.binaries import find_binaries
from service.server.postgres.processes import running_on, without_root

ROOT = Path(__file__).parent.parent
SETTINGS: Final = ROOT / "deploy" / "patroni" / "patroni.yml"
NODES: Final = 3
COMES_UP_WITHIN: Final = 120.0
PAUSE: Final = 0.1
HOST: Final = "127.0.0.1"


class Member:
    """A process with all that it starts, which can be killed, stopped and started again."""

    def __init__(self, name: str, command: Sequence[str], log: Path, cluster: Path | None = None) -> None:
        """With `cluster` the processes of PostgreSQL that live there are part of it."""
        self.name = name
        self._cluster = cluster
        self._command = command
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None
        self._stopped: list[int] = []

    def start(self) -> None:
        """Start it, or start it again."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603 - our words
                list(self._command), stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )

    def pids(self) -> list[int]:
        """The process and its descendants, and those of PostgreSQL, which it leaves to the system."""
        assert self._process is not None
        lives = self._cluster is not None and self._cluster.is_dir()
        servers = running_on(self._cluster) if lives and self._cluster is not None else []
        return [self._process.pid, *_descendants(self._process.pid), *servers]

    def kill(self) -> None:
        """Kill all of it without warning."""
        self._signal(self.pids(), signal.SIGKILL)
        assert self._process is not None
        self._process.wait()

    def stop(self) -> None:
        """Stop all of it, so that it neither responds nor ends, as behind a network that was cut."""
        self._stopped = self.pids()
        self._signal(self._stopped, signal.SIGSTOP)

    def go_on(self) -> None:
        """Let it go on where it was stopped."""
        self._signal(reversed(self._stopped), signal.SIGCONT)
        self._stopped = []

    def end(self) -> None:
        """End it for good."""
        if self._process is None:
            return
        self.go_on()
        self._process.terminate()
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self.kill()

    def _signal(self, pids: Any, number: signal.Signals) -> None:
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, number)


def _descendants(pid: int) -> Iterator[int]:
    with suppress(OSError):
        for child in (PROCESSES / f"{pid}/task/{pid}/children").read_text().split():
            yield int(child)
            yield from _descendants(int(child))


class Node:
    """One machine of the cluster: etcd, and PostgreSQL with its Patroni."""

    def __init__(self, number: int, folder: Path, ports: Mapping[str, Sequence[int]], bin_dir: Path) -> None:
        self.name = f"node{number + 1}"
        self.port = ports["postgres"][number]
        self._rest = ports["rest"][number]
        folder = folder / self.name
        folder.mkdir(mode=0o700)
        peers = ",".join(f"node{n + 1}=http://{HOST}:{port}" for n, port in enumerate(ports["peer"]))
        client, peer = (f"http://{HOST}:{ports[kind][number]}" for kind in ("client", "peer"))
        self._etcd_url = client
        self.etcd = Member(
            f"etcd of {self.name}",
            [
                provide("etcd", "etcd-server"),
                *("--name", self.name, "--data-dir", str(folder / "etcd")),
                *("--listen-client-urls", client, "--advertise-client-urls", client),
                *("--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer),
                *("--initial-cluster", peers, "--initial-cluster-state", "new"),
                # All members share two cores and a disk.
                *("--heartbeat-interval", "300", "--election-timeout", "3000", "--log-level", "error"),
            ],
            folder / "etcd.log",
        )
        settings = folder / "patroni.yml"
        settings.write_text(yaml.safe_dump(self._settings(folder, ports, bin_dir)), "utf-8")
        patroni = Path(sys.executable).parent / "patroni"
        self.patroni = Member(
            f"PostgreSQL of {self.name}",
            [*without_root(), str(patroni), str(settings)],
            folder / "patroni.log",
            folder / "data",
        )

    def _settings(self, folder: Path, ports: Mapping[str, Sequence[int]], bin_dir: Path) -> dict[str, Any]:
        settings: dict[str, Any] = yaml.safe_load(SETTINGS.read_text("utf-8"))
        settings["name"] = self.name
        settings["restapi"] = {"listen": f"{HOST}:{self._rest}", "connect_address": f"{HOST}:{self._rest}"}
        settings["etcd3"]["hosts"] = ",".join(f"{HOST}:{port}" for port in ports["client"])
        postgresql = settings["postgresql"]
        postgresql |= {
            "listen": f"{HOST}:{self.port}",
            "connect_address": f"{HOST}:{self.port}",
            "data_dir": str(folder / "data"),
            "bin_dir": str(bin_dir),
            "pgpass": str(folder / "pgpass"),
            "pg_hba": [f"host {kind} all {HOST}/32 trust" for kind in ("all", "replication")],
        }
        postgresql["parameters"] = {"unix_socket_directories": "", "shared_buffers": "64MB"}
        return settings

    @property
    def is_leader(self) -> bool:
        """Whether this node says that it is the leader."""
        return self._says("primary")

    @property
    def is_synchronous(self) -> bool:
        """Whether commits wait for this node."""
        return self._says("synchronous")

    @property
    def is_replica(self) -> bool:
        """Whether this node is a standby that accepts connections."""
        return self._says("replica")

    def status(self) -> Mapping[str, Any]:
        """What Patroni tells of this node; nothing if it does not respond."""
        try:
            status: dict[str, Any] = requests.get(f"http://{HOST}:{self._rest}/patroni", timeout=2).json()
        except requests.RequestException:
            return {}
        return status

    def _says(self, role: str) -> bool:
        try:
            return requests.get(f"http://{HOST}:{self._rest}/{role}", timeout=2).ok
        except requests.RequestException:
            return False

    def wait_for_etcd(self, latest: float) -> None:
        """Wait until the member of etcd follows the others again."""
        while not self._etcd_is_healthy():
            if time.monotonic() > latest:
                raise Failed(f"The {self.etcd.name} does not come back")
            time.sleep(PAUSE)

    def _etcd_is_healthy(self) -> bool:
        try:
            return bool(requests.get(f"{self._etcd_url}/health", timeout=2).json()["health"] == "true")
        except requests.RequestException:
            return False

    def log(self) -> str:
        """The end of what Patroni logged; before it what came of rewinding, and why PostgreSQL ended."""
        text = self.patroni._log.read_text("utf-8", "replace")
        lines = text.splitlines()
        rewinds = [line for line in lines if "rewind" in line]
        reasons = [line for line in lines if "FATAL" in line or "PANIC" in line or "HINT" in line]
        return "\n".join([*rewinds[-5:], *reasons[-5:], text[-2000:]])


class Cluster:
    """Three nodes with one database."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stack = ExitStack()
        self.nodes: list[Node] = []

    def __enter__(self) -> Self:
        kinds = ("client", "peer", "rest", "postgres")
        ports = {kind: [self._stack.enter_context(reserved_port()) for _ in range(NODES)] for kind in kinds}
        bin_dir = find_binaries(os.environ).folder
        self.nodes = [Node(number, self._folder, ports, bin_dir) for number in range(NODES)]
        for node in self.nodes:
            node.etcd.start()
        for node in self.nodes:
            node.patroni.start()
        try:
            self.wait()
            with psycopg.connect(self.dsn("postgres"), autocommit=True) as connection:
                connection.execute("CREATE DATABASE carnet")
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """End all processes."""
        for member in (*(node.patroni for node in self.nodes), *(node.etcd for node in self.nodes)):
            member.end()
        self._stack.close()

    def dsn(self, database: str = "carnet", **options: str) -> str:
        """How to connect to the nodes."""
        hosts, ports = ",".join([HOST] * NODES), ",".join(str(node.port) for node in self.nodes)
        names = {"host": hosts, "port": ports, "user": "postgres", "dbname": database, **options}
        if database == "postgres":
            names["target_session_attrs"] = "read-write"
        return psycopg.conninfo.make_conninfo("", **names)

    def leader(self) -> Node | None:
        """The node that accepts writes."""
        return next((node for node in self.nodes if node.is_leader), None)

    def wait(self) -> None:
        """Wait until there is a leader, and all others follow it, one of them synchronously."""
        latest = time.monotonic() + COMES_UP_WITHIN
        while not self._is_whole():
            if time.monotonic() > latest:
                logs = "\n".join(f"{node.name}: {node.log()}" for node in self.nodes)
                raise Failed(f"The cluster does not come up: {logs}")
            time.sleep(PAUSE)

    def _is_whole(self) -> bool:
        leader = self.leader()
        others = [node for node in self.nodes if node is not leader]
        return (
            leader is not None
            and all(node.is_replica for node in others)
            and any(node.is_synchronous for node in others)
            and all(_follows(node.status(), leader.status()) for node in others)
        )


def _follows(status: Mapping[str, Any], leader: Mapping[str, Any]) -> bool:
    """Whether a standby receives what the leader writes: a former leader is a standby before it is rewound, too."""
    return (
        status.get("replication_state") == "streaming"
        and status.get("timeline") is not None
        and status.get("timeline") == leader.get("timeline")
    )
