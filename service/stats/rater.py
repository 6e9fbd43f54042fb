"""The thread that brings ratings up to date, in one worker of all at a time."""

import logging
from threading import Event, Thread

from service.db import ratings
from service.db.pool import Database, DatabaseAway
from service.stats.ratings import settle

log = logging.getLogger("carnet.ratings")

LOOK_EVERY = 1.0


class Rater:
    """Looks now and then whether ratings are out of date, and recomputes them unless another worker does."""

    def __init__(self, database: Database, look_every: float = LOOK_EVERY) -> None:
        self._database = database
        self._look_every = look_every
        self._ended = Event()
        self._thread = Thread(target=self._run, name="carnet ratings", daemon=True)

    def start(self) -> None:
        """Begin; after the fork."""
        self._thread.start()

    def close(self) -> None:
        """End, when what is being computed is done."""
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ended.wait(self._look_every):
            try:
                with self._database.statements() as connection:
                    is_needed = ratings.has_marks(connection)
                if is_needed:
                    settle(self._database)
            except DatabaseAway as error:
                log.warning("ratings wait for the database: %s", error)
