"""The embedded PostgreSQL: one server per folder and owner, reached only by a unix socket.

It ends with its owner, however that ends; what a killed owner left behind is cleaned up at the next start.
"""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Self

import psycopg
from psycopg.conninfo import make_conninfo

from service.db.roles import Logins
from service.server.postgres.binaries import Binaries
from service.server.postgres.cluster import DATABASE, OWNER, SERVICE, USER, check_cluster, create_database, hand_over
from service.server.postgres.processes import (
    PAUSE,
    FolderLocked,
    ServerUnavailable,
    end,
    end_left_over,
    ending_with_owner,
    environment,
    exists,
    lock,
    without_root,
    works,
)

MEMORY_LIMIT = Path("/sys/fs/cgroup/memory.max")
"""The memory limit of a container, if there is one."""
PORT = 5432
"""Only a part of the socket's name: nothing listens on it."""
MAX_SOCKET_FOLDER = 80
"""In bytes. Systems allow little more than 100 for the whole path of a socket."""
STARTS_WITHIN = 300.0
"""Seconds; after a crash a server replays its log before it accepts connections."""


class Server:
    """A PostgreSQL with its data, socket and log in one folder.

    A fork of the owner may connect, but does not own the server: there `stop` does nothing.
    """

    def __init__(self, folder: Path, binaries: Binaries, *, fsync: bool = True) -> None:
        self.folder = folder.absolute()
        self.binaries = binaries
        self.fsync = fsync
        self._cluster = self.folder / "cluster"
        self._log = self.folder / "server.log"
        self._lock: int | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._sockets: Path | None = None
        os.register_at_fork(after_in_child=self._unlock)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    @property
    def pid(self) -> int:
        """The process of the server."""
        return self._started().pid

    def dsn(self, database: str = DATABASE, user: str = USER) -> str:
        """The libpq connection string."""
        self._started()
        return make_conninfo(host=str(self._sockets), port=PORT, user=user, dbname=database)

    def logins(self, database: str = DATABASE) -> Logins:
        """The connections of the service and of the owner of the tables."""
        return Logins(self.dsn(database, SERVICE), self.dsn(database, OWNER))

    def start(self) -> None:
        """Start the server, or start it again if it has died; return when it accepts connections.

        Call it from a thread that lives as long as the server should: the system ends the server with that thread.
        """
        if self._lock is not None and self._process is not None and self._process.poll() is None:
            return
        try:
            guard = self._take_folder()
            self._stop_left_over()
            check_cluster(self.folder, self.binaries, guard, fsync=self.fsync)
            self._launch(guard)
            self._create_database()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Stop the server and release the folder."""
        if self._lock is None:
            return
        try:
            if self._process is not None:
                end(self._process)
        finally:
            self._process = None
            self._remove_sockets()
            self._unlock()

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            raise ServerUnavailable(f"The PostgreSQL of {self.folder} is not running.")
        return self._process

    def _take_folder(self) -> list[str]:
        """Lock the folder; return the prefix of every command in it."""
        guard = without_root()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if guard and not works([*guard, "test", "-w", str(self.folder)]):
                raise ServerUnavailable(
                    f"PostgreSQL takes no rights of root, and without them {self.folder} is closed: "
                    "run as the user whose folder it is."
                )
            if self._lock is None:
                self._lock = lock(self.folder / "lock")
        except OSError as error:
            raise ServerUnavailable(f"{self.folder} cannot be used: {error.strerror} ({error.filename}).") from error
        return [*guard, *ending_with_owner()]

    def _unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _stop_left_over(self) -> None:
        """Stop what an earlier owner left running, and remove the file that would prevent a new server."""
        pid_file = self._cluster / "postmaster.pid"
        try:
            written = pid_file.read_text("ascii", "replace").partition("\n")[0].strip()
        except FileNotFoundError:
            return
        pid = int(written) if written.isdecimal() else None
        if not end_left_over(self._cluster, pid):
            raise ServerUnavailable(f"A PostgreSQL left over in {self.folder} does not end: stop process {written}.")
        # The pid of a dead process is left to PostgreSQL, which then also checks for shared memory in use.
        if pid is None or exists(pid):
            pid_file.unlink(missing_ok=True)

    def _launch(self, guard: list[str]) -> None:
        self._sockets = self._make_sockets()
        settings = {
            "listen_addresses": "",
            "port": PORT,
            "unix_socket_directories": self._sockets,
            "unix_socket_permissions": "0700",
            "logging_collector": "off",
            "log_checkpoints": "off",
            "shared_buffers": f"{megabytes_for_pages()}MB",
            "fsync": "on" if self.fsync else "off",
            "full_page_writes": "on" if self.fsync else "off",
            "synchronous_commit": "on" if self.fsync else "off",
        }
        command = [*guard, f"{self.binaries.folder}/postgres", "-D", str(self._cluster)]
        for name, value in settings.items():
            command += ["-c", f"{name}={value}"]
        with suppress(FileNotFoundError):
            self._log.replace(self._log.with_suffix(".log.1"))
        with os.fdopen(os.open(self._log, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as log:
            # In a session of its own a server does not get the Ctrl-C that makes its owner finish and stop it.
            self._process = subprocess.Popen(  # noqa: S603
                command,
                cwd=self.folder,
                env=environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def _create_database(self) -> None:
        """Wait until the server responds; create roles and database at the first start."""
        with self._connected() as connection:
            create_database(connection)
        with psycopg.connect(self.dsn(), autocommit=True) as connection:
            hand_over(connection)

    def _connected(self) -> psycopg.Connection:
        latest = time.monotonic() + STARTS_WITHIN
        while True:
            try:
                return psycopg.connect(self.dsn("postgres"), autocommit=True, connect_timeout=5)
            except psycopg.OperationalError as error:
                if self._started().poll() is not None:
                    raise ServerUnavailable(f"PostgreSQL did not start: {self._last_words()}") from None
                if time.monotonic() > latest:
                    raise ServerUnavailable(f"PostgreSQL lets nobody in: {error}; see {self._log}.") from error
            time.sleep(PAUSE)

    def _last_words(self) -> str:
        lines = self._log.read_text("utf-8", "replace").splitlines() or ["it said nothing"]
        fatal = [line.partition("FATAL:")[2].strip() for line in lines if "FATAL:" in line]
        return f"{(fatal or lines)[-1]} (all of it is in {self._log})"

    def _make_sockets(self) -> Path:
        """A folder that only this user can enter, with a path short enough for sockets.

        A server that is restarted keeps its folder, since clients know it.
        """
        usual = self._sockets or self.folder / "socket"
        if len(os.fsencode(usual)) > MAX_SOCKET_FOLDER or "," in str(usual):
            return Path(tempfile.mkdtemp(prefix="carnet-"))
        # The lock file of a socket can prevent a start by mistake, like postmaster.pid.
        shutil.rmtree(usual, ignore_errors=True)
        usual.mkdir(mode=0o700)
        return usual

    def _remove_sockets(self) -> None:
        if self._sockets is not None:
            shutil.rmtree(self._sockets, ignore_errors=True)
            self._sockets = None


@contextmanager
def reached(folder: Path, binaries: Binaries) -> Iterator[Logins]:
    """Connect to the server of a folder: to that of another process, otherwise to one that is started meanwhile."""
    server = Server(folder, binaries)
    try:
        server.start()
    except FolderLocked:
        yield _running_logins(folder)
        return
    try:
        yield server.logins()
    finally:
        server.stop()


def _running_logins(folder: Path) -> Logins:
    """The connections to a running server, from what it has written about itself."""
    try:
        written = (folder / "cluster" / "postmaster.pid").read_text("utf-8").splitlines()
        dsn = make_conninfo(host=written[4], port=written[3], dbname=DATABASE)
        return Logins(make_conninfo(dsn, user=SERVICE), make_conninfo(dsn, user=OWNER))
    except (OSError, IndexError):
        raise ServerUnavailable(f"The PostgreSQL of {folder} is about to start or to end; try again.") from None


def megabytes_for_pages() -> int:
    """An eighth of the memory, within limits: statistics then need not read the same pages from the system again."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    with suppress(OSError, ValueError):  # the file may be missing, and may say `max`
        memory = min(memory, int(MEMORY_LIMIT.read_text("ascii")))
    return min(max(128, memory // 2**23), 1024)
