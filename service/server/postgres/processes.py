"""Programs and processes of the system, as running a PostgreSQL needs them."""

import fcntl
import os
import pwd
import signal
import subprocess
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

PROCESSES = Path("/proc")
ENDINGS = ((signal.SIGINT, 30.0), (signal.SIGQUIT, 10.0), (signal.SIGKILL, 10.0))
"""Signals that stop a server, and how long each may take: a fast shutdown, an immediate one, kill."""
PAUSE = 0.01


class ServerUnavailable(Exception):
    """There is no server; the message tells the user why."""


class FolderLocked(ServerUnavailable):
    """Another process owns the folder."""


def output(command: list[str], folder: Path | None = None) -> str:
    """The output of a program; raise `ServerUnavailable` with the last line of its error output if it fails."""
    try:
        ended = subprocess.run(  # noqa: S603
            command,
            cwd=folder,
            env=environment(),
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


def works(command: list[str]) -> bool:
    """Whether a program runs and does not fail."""
    try:
        output(command)
    except ServerUnavailable:
        return False
    return True


def environment() -> dict[str, str]:
    """The environment without settings for other servers."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PG")} | {"LC_ALL": "C"}


def without_root() -> list[str]:
    """A command prefix that drops root for a user who owns none of root's files."""
    if os.geteuid() != 0:
        return []
    words = ["unshare", "--user", f"--map-user={pwd.getpwnam('nobody').pw_uid}", "--"]
    if not works([*words, "true"]):
        raise ServerUnavailable(
            "PostgreSQL does not run as root, and user namespaces, which would help (unshare --user), are closed here: "
            "run as an ordinary user, or set DATABASE_URL to a server."
        )
    return words


def ending_with_owner() -> list[str]:
    """A command prefix that ends the command with its owner; without it the next start stops what still runs."""
    words = ["setpriv", "--pdeathsig", "INT", "--"]
    return words if works([*words, "true"]) else []


def lock(path: Path) -> int:
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


def end(process: subprocess.Popen[bytes]) -> None:
    """Stop a server that this process has started."""
    for ending, seconds in ENDINGS:
        process.send_signal(ending)
        with suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
            return


def _send_signal(pids: Iterable[int], number: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def exists(pid: int) -> bool:
    """Whether there is such a process, of any user."""
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


def running_on(cluster: Path) -> list[int]:
    """The processes of PostgreSQL that live in a cluster; zombies live nowhere."""
    if not PROCESSES.is_dir():
        listed = (line.split(maxsplit=1) for line in output(["ps", "-axww", "-o", "pid=,args="]).splitlines())
        return [int(pid) for pid, command in listed if f"postgres -D {cluster} -c" in command]
    here = cluster.stat()
    processes = []
    for process in PROCESSES.iterdir():
        # A process may be another user's, or end while it is looked at.
        with suppress(OSError):
            is_postgres = process.name.isdecimal() and (process / "comm").read_bytes() == b"postgres\n"
            if is_postgres and os.path.samestat(here, (process / "cwd").stat()):
                processes.append(int(process.name))
    return processes


def end_left_over(cluster: Path, postmaster: int | None) -> bool:
    """Stop whatever runs in a cluster without its owner; whether all of it has ended."""
    for ending, seconds in ENDINGS:
        running = running_on(cluster)
        if postmaster in running:
            _send_signal([postmaster], ending)
        else:
            # Processes without their postmaster take SIGINT for something else than shutdown.
            _send_signal(running, max(ending, signal.SIGQUIT))
        if _comes_true(lambda: not running_on(cluster), seconds):
            return True
    return False


def sync(folder: Path) -> None:
    """Make the names in a folder durable."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
