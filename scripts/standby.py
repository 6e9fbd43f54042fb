"""Standbys of an embedded PostgreSQL, which follow it by streaming replication."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from psycopg.conninfo import conninfo_to_dict, make_conninfo

from service.server.postgres import Server
from service.server.postgres.cluster import USER
from service.server.postgres.processes import output, without_root
from service.server.postgres.server import PORT


class Standby(Server):
    """A server whose data was copied from another one, and goes on being copied."""

    def _create_database(self) -> None:
        self._connected().close()  # roles and database come from the leader


@contextmanager
def standbys(server: Server, folder: Path, number: int) -> Iterator[list[Standby]]:
    """So many standbys of a running server, in folders of their own."""
    with ExitStack() as stack:
        folders = [folder.absolute() / f"standby-{index}" for index in range(number)]
        yield [stack.enter_context(_standby(server, own)) for own in folders]


@contextmanager
def _standby(server: Server, folder: Path) -> Iterator[Standby]:
    folder.mkdir()
    host = conninfo_to_dict(server.dsn())["host"]
    guard = without_root()
    copy = [f"{server.binaries.folder}/pg_basebackup", "-h", str(host), "-p", str(PORT), "-U", USER]
    output([*guard, *copy, "-D", str(folder / "cluster"), "-R", "-X", "stream", "-c", "fast"], folder)
    with Standby(folder, server.binaries, fsync=server.fsync) as standby:
        yield standby


def any_of(servers: list[Standby], database: str, user: str = USER) -> str:
    """How to connect to any of some servers."""
    parameters = [conninfo_to_dict(server.dsn(database, user)) for server in servers]
    joined: Final = {name: ",".join(str(given[name]) for given in parameters) for name in ("host", "port")}
    return make_conninfo("", dbname=database, user=user, **joined)
