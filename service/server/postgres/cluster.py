"""A cluster: the data of a PostgreSQL, made once, and the roles and the database in it."""

import shutil
import tempfile
from pathlib import Path

import psycopg

from service.server.postgres.binaries import Binaries
from service.server.postgres.processes import ServerUnavailable, output, sync

BUILTIN_LOCALES_SINCE = 17
DATABASE = "carnet"
USER = "carnet"
"""The superuser, who makes roles and the database, and takes backups."""
OWNER = "carnet_owner"
"""The owner of all tables."""
SERVICE = "carnet_service"
"""The role of the service, which reads and writes rows."""

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


def has_cluster(folder: Path) -> bool:
    """Whether a folder has a cluster."""
    try:
        return (folder / "cluster" / "PG_VERSION").is_file()
    except OSError as error:
        raise ServerUnavailable(f"{folder} cannot be used: {error.strerror}.") from error


def check_cluster(folder: Path, binaries: Binaries, guard: list[str], *, fsync: bool) -> None:
    """See that the cluster of a folder goes with the programs; make one if there is none."""
    for unfinished in folder.glob("cluster.new-*"):
        shutil.rmtree(unfinished, ignore_errors=True)
    cluster = folder / "cluster"
    try:
        major = (cluster / "PG_VERSION").read_text("ascii").strip()
    except FileNotFoundError:
        _initialise(cluster, binaries, guard, fsync=fsync)
        return
    if major != str(binaries.major):
        raise ServerUnavailable(
            f"The data in {cluster} is of PostgreSQL {major}, and {binaries.folder} is "
            f"{binaries.major}: set PG_BIN to the programs of {major}, or move the data with pg_dump."
        )


def _initialise(cluster: Path, binaries: Binaries, guard: list[str], *, fsync: bool) -> None:
    """Make a cluster in a temporary folder and rename it when it is complete."""
    folder = cluster.parent
    aside = Path(tempfile.mkdtemp(prefix="cluster.new-", dir=folder))
    builtin = binaries.major >= BUILTIN_LOCALES_SINCE
    locale = ["--locale-provider=builtin", "--locale=C.UTF-8"] if builtin else ["--no-locale"]
    options = ["--encoding=UTF8", *locale, f"--username={USER}", "--auth=trust", "-k", "--no-instructions"]
    if not fsync:
        options.append("--no-sync")
    try:
        output([*guard, f"{binaries.folder}/initdb", *options, "-D", str(aside)], folder)
        aside.rename(cluster)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    if fsync:
        sync(folder)


def create_database(connection: psycopg.Connection) -> None:
    """Create roles and database where they are missing; a database of the superuser gets its owner."""
    for role in (OWNER, SERVICE):
        if connection.execute("SELECT FROM pg_roles WHERE rolname = %s", [role]).rowcount == 0:
            connection.execute(f"CREATE ROLE {role} LOGIN")
    if connection.execute("SELECT FROM pg_database WHERE datname = %s", [DATABASE]).rowcount == 0:
        connection.execute(f"CREATE DATABASE {DATABASE} OWNER {OWNER}")
    connection.execute(f"ALTER DATABASE {DATABASE} OWNER TO {OWNER}")


def hand_over(connection: psycopg.Connection) -> None:
    """Give all tables and functions of the database to their owner, also those that a superuser restored."""
    connection.execute(_HAND_OVER)
