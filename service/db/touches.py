"""When anything of matches was changed outside their logs, so that exports since a moment find it."""

from collections.abc import Collection
from uuid import UUID

from service.db.pool import Connection


def touch(connection: Connection, match_ids: Collection[UUID]) -> None:
    """Note that details, names or annotations of some matches have changed."""
    connection.execute(
        """
        INSERT INTO match_touches (match_id, touched_at) SELECT match_id, now() FROM unnest(%s::uuid[]) AS match_id
        ORDER BY match_id ON CONFLICT (match_id) DO UPDATE SET touched_at = excluded.touched_at
        """,
        (list(match_ids),),
    )
