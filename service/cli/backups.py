"""`carnet backup` and `restore`: all of a database in one file, with what tells whether it is whole."""

import os
import shutil
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import file_digest
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import click
import orjson

from service.cli.database import SOMETHING_WRONG, ending_with_a_sentence, reach, require_up_to_date
from service.config import Config, ConfigError, read_config
from service.db import backups
from service.db.checks import connected, present_migration
from service.db.migrations import known_migrations
from service.db.pool import Database, export_snapshot
from service.db.roles import Logins, prepare
from service.identity import as_text, now
from service.server.postgres import Server, dumping, find_binaries, has_cluster
from service.version import version

FORMAT: Final = "carnet-backup"
FORMAT_VERSION: Final = 1
DUMP: Final = "database.dump"
MANIFEST: Final = "manifest.json"
_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("file", type=_FILE)
def backup(file: Path) -> None:
    """Write everything into FILE; the service may run meanwhile.

    FILE is a tar archive with a dump of the database and a manifest: checksum, versions, how much there is, and a
    digest over the last events of all logs. It has private matches too, and only you can read it.
    An existing file is replaced when the new one is whole.
    """
    with ending_with_a_sentence():
        config = read_config(os.environ)
        if config.database_url is None and not has_cluster(config.data / "postgres"):
            raise ConfigError(f"There is no Carnet in {config.data}.")
        with reach(config) as logins, tempfile.TemporaryDirectory(dir=file.absolute().parent) as folder:
            require_up_to_date(logins.service)
            manifest = _dump(logins.owner, Path(folder) / DUMP)
            whole = Path(folder) / "backup"
            _pack(whole, Path(folder) / DUMP, manifest)
            whole.replace(file)
    click.echo(f"{file} has {_told(manifest)}.")


def _dump(dsn: str, target: Path) -> dict[str, Any]:
    """Dump a database, and say what is in it as the same snapshot has it."""
    with _opened(dsn) as database, database.snapshot() as connection:
        manifest = {
            "format": FORMAT,
            "version": FORMAT_VERSION,
            "carnet": version(),
            "made_at": as_text(now()),
            **backups.versions(connection),
            "contents": backups.contents(connection)._asdict(),
        }
        dumping.dump(dsn, find_binaries(os.environ), export_snapshot(connection), target)
    return {**manifest, "sha256": _digest(target), "bytes": target.stat().st_size}


@contextmanager
def _opened(dsn: str) -> Iterator[Database]:
    database = Database(dsn, size=1, has_limits=False)
    database.open()
    try:
        yield database
    finally:
        database.close()


def _pack(target: Path, dump: Path, manifest: dict[str, Any]) -> None:
    """Write the archive; it is on the disk when this returns."""
    written = orjson.dumps(manifest, option=orjson.OPT_INDENT_2)
    with os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        with tarfile.open(fileobj=file, mode="w") as archive:
            entry = tarfile.TarInfo(MANIFEST)
            entry.size, entry.mode = len(written), 0o600
            archive.addfile(entry, BytesIO(written))
            archive.add(dump, DUMP)
        file.flush()
        os.fsync(file.fileno())


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def restore(file: Path) -> None:
    """Restore the backup in FILE into an empty place, and compare what came of it.

    The place is the folder in CARNET_DATA, which must not have a database yet, or the empty database of DATABASE_URL.
    Ends with 1 if what was restored is not what the backup says; run `carnet verify` afterwards.
    """
    with ending_with_a_sentence(), tempfile.TemporaryDirectory() as folder:
        config = read_config(os.environ)
        manifest, dump = _unpack(file, Path(folder))
        if manifest["migration"] not in known_migrations():
            raise ConfigError(f"The backup is of Carnet {manifest['carnet']}, which this version cannot read.")
        with _empty_place(config) as logins:
            with connected(logins.owner, "DATABASE_URL") as connection:
                if present_migration(connection) is not None:
                    raise ConfigError("There is a Carnet in this database already.")
            dumping.restore(logins.owner, find_binaries(os.environ), dump)
            with _opened(logins.owner) as database, database.snapshot() as restored:
                found = backups.contents(restored)._asdict()
            prepare(logins)
    if found != manifest["contents"]:
        different = ", ".join(name for name, value in found.items() if manifest["contents"].get(name) != value)
        click.echo(f"What was restored is not what the backup says: {different}.", err=True)
        sys.exit(SOMETHING_WRONG)
    click.echo(f"Restored {_told(manifest)}, of {manifest['made_at'][:19].replace('T', ' ')}.")


@contextmanager
def _empty_place(config: Config) -> Iterator[Logins]:
    """The logins of a database that is made for the purpose, or of the one that the settings name."""
    if config.database_url is not None:
        with reach(config) as logins:
            yield logins
        return
    place = config.data / "postgres"
    if has_cluster(place):
        raise ConfigError(f"There is a Carnet in {config.data} already.")
    try:
        with Server(place, find_binaries(os.environ)) as server:
            yield server.logins()
    except BaseException:
        shutil.rmtree(place, ignore_errors=True)
        raise


def _unpack(file: Path, folder: Path) -> tuple[dict[str, Any], Path]:
    """The manifest of a backup, and its dump in a folder; raise `ConfigError` if it is not whole."""
    broken = ConfigError(f"{file} is not a whole backup of Carnet.")
    try:
        with tarfile.open(file) as archive:
            for name in (MANIFEST, DUMP):
                content = archive.extractfile(name)
                if content is None:
                    raise broken
                # Its bytes alone: `extract` takes links and modes too, but for a filter, which Python 3.11.2 has not.
                with content, (folder / name).open("wb") as target:
                    shutil.copyfileobj(content, target)
        manifest = orjson.loads((folder / MANIFEST).read_bytes())
        is_known = manifest["format"] == FORMAT and manifest["version"] == FORMAT_VERSION
        if not is_known or manifest["sha256"] != _digest(folder / DUMP):
            raise broken
        required = manifest["contents"], manifest["migration"], manifest["carnet"], manifest["made_at"]
    except (tarfile.TarError, KeyError, TypeError, orjson.JSONDecodeError):
        raise broken from None
    assert required
    return manifest, folder / DUMP


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _told(manifest: dict[str, Any]) -> str:
    contents = manifest["contents"]
    return f"{contents['matches']} matches with {contents['events']} events"
