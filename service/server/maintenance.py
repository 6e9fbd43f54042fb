"""Maintenance: purges expired credentials and idempotency keys."""

import logging

from service.db import credentials, idempotency
from service.db.pool import Database, DatabaseAway, lift_limits, try_lock
from service.server.background import Periodic

log = logging.getLogger("carnet.maintenance")

HOUR = 3600.0
BATCH = 1000
"""Rows per transaction, so that none holds locks for long."""
MAX_BATCHES = 100


def purge_expired(database: Database, batch: int = BATCH) -> int:
    """Purge expired rows, unless another process is doing it; return their number."""
    purged = 0
    for _ in range(MAX_BATCHES):
        with database.transaction() as connection:
            if not try_lock(connection, "carnet maintenance"):
                break
            lift_limits(connection)
            batches = credentials.drop_old(connection, batch), idempotency.drop_old(connection, batch)
        purged += sum(batches)
        if max(batches) < batch:
            break
    return purged


def maintenance(database: Database, seconds_between: float = HOUR) -> Periodic:
    """The thread that purges at the start of a process, and then every hour."""

    def purge() -> None:
        purged = purge_expired(database)
        if purged:
            log.info("%s expired credentials and idempotency keys were purged", purged)

    return Periodic("carnet maintenance", seconds_between, purge, expected=(DatabaseAway,))
