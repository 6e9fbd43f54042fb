"""Maintenance: purges expired credentials and idempotency keys."""

import logging
from threading import Event, Thread

from service.store import answers, secrets
from service.store.database import Database, DatabaseAway, is_alone, lift_limits

log = logging.getLogger("carnet.tidying")

HOUR = 3600.0
BATCH = 1000
"""Rows per transaction, so that none holds locks for long."""
MOST_BATCHES = 100


def tidy(database: Database, batch: int = BATCH) -> int:
    """Purge expired rows, unless another process is doing it; return their number."""
    dropped = 0
    for _ in range(MOST_BATCHES):
        with database.transaction() as connection:
            if not is_alone(connection, "carnet tidying"):
                break
            lift_limits(connection)
            gone = secrets.drop_old(connection, batch), answers.drop_old(connection, batch)
        dropped += sum(gone)
        if max(gone) < batch:
            break
    return dropped


class Tidying:
    """A thread that purges at the start of a process, and then every hour."""

    def __init__(self, database: Database, seconds_between: float = HOUR) -> None:
        self._database = database
        self._seconds_between = seconds_between
        self._is_over = Event()
        self._thread = Thread(target=self._run, name="carnet tidying", daemon=True)

    def start(self) -> None:
        """Start the thread, after the fork."""
        self._thread.start()

    def close(self) -> None:
        """Stop the thread after its current batch."""
        self._is_over.set()
        self._thread.join()

    def _run(self) -> None:
        while True:
            try:
                dropped = tidy(self._database)
                if dropped:
                    log.info("%s old secrets and answers were dropped", dropped)
            except DatabaseAway as error:
                log.warning("old secrets and answers stay for now: %s", error)
            if self._is_over.wait(self._seconds_between):
                return
