"""Dumps of a database and their restoring, by the programs of PostgreSQL."""

import re
import subprocess
from pathlib import Path
from typing import Final

from psycopg.conninfo import conninfo_to_dict, make_conninfo

from service.server.postgres.binaries import Binaries
from service.server.postgres.processes import ServerUnavailable, environment, output

_EXTENSION: Final = re.compile(r"^\d+; \d+ \d+ (COMMENT - )?EXTENSION ")
"""An extension, or its description, in the list of what a dump has."""


def dump(dsn: str, binaries: Binaries, snapshot: str, file: Path) -> None:
    """Write all tables of a database into a file as an exported snapshot sees them; raise `ServerUnavailable`."""
    options = ["--format=custom", "--no-owner", "--no-privileges", f"--snapshot={snapshot}", f"--file={file}"]
    _run([f"{binaries.folder}/pg_dump", *options], dsn)


def restore(dsn: str, binaries: Binaries, file: Path) -> None:
    """Make all tables of a dump in an empty database, or none; raise `ServerUnavailable`.

    Extensions such as Citus are left out: only a superuser makes them, and the tables need none.
    """
    listed = output([f"{binaries.folder}/pg_restore", "--list", str(file)]).splitlines(keepends=True)
    chosen = file.with_name(f"{file.name}.list")
    chosen.write_text("".join(line for line in listed if not _EXTENSION.search(line)))
    options = ["--no-owner", "--no-privileges", "--single-transaction", "--exit-on-error", f"--use-list={chosen}"]
    _run([f"{binaries.folder}/pg_restore", *options, str(file)], dsn)


def _run(command: list[str], dsn: str) -> None:
    """Run a program on a database, with the password where other users do not see it."""
    parts = conninfo_to_dict(dsn)
    password = parts.pop("password", None)
    secret = {} if password is None else {"PGPASSWORD": str(password)}
    database = make_conninfo(**{name: value for name, value in parts.items() if value is not None})  # type: ignore[arg-type]
    done = subprocess.run(  # noqa: S603
        [command[0], f"--dbname={database}", *command[1:]],
        env={**environment(), **secret},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        said = done.stderr.strip().splitlines() or [f"it ended with {done.returncode}"]
        raise ServerUnavailable(f"{Path(command[0]).name}: {said[-1]}")
