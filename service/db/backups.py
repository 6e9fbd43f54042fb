"""What a backup says of a database, so that a restored one can be compared with it."""

from typing import Any, NamedTuple

from service.db.pool import Connection


class Contents(NamedTuple):
    """The size of a database, and a digest over the last events of all logs."""

    matches: int
    events: int
    annotations: int
    players: int
    accounts: int
    heads: str


def contents(connection: Connection) -> Contents:
    """What the database has in the transaction of a connection."""
    row = connection.execute(
        """
        SELECT (SELECT count(*) FROM matches) AS matches, (SELECT count(*) FROM events) AS events,
            (SELECT count(*) FROM annotation_changes) AS annotations, (SELECT count(*) FROM players) AS players,
            (SELECT count(*) FROM accounts) AS accounts, (
                SELECT encode(sha256(convert_to(coalesce(
                    string_agg(match_id || ' ' || seq || ' ' || hash, chr(10) ORDER BY match_id), ''
                ), 'UTF8')), 'hex')
                FROM matches JOIN events USING (match_id) WHERE seq = version
            ) AS heads
        """
    ).fetchone()
    assert row is not None
    return Contents(**row)


def versions(connection: Connection) -> dict[str, Any]:
    """The migration of the database and the version of its server."""
    row = connection.execute(
        "SELECT version_num AS migration, current_setting('server_version') AS postgresql FROM alembic_version"
    ).fetchone()
    assert row is not None
    return dict(row)
