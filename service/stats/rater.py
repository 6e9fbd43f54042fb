"""The thread that brings ratings up to date, in one worker of all at a time."""

import logging

from service.background import Periodic
from service.db import ratings
from service.db.pool import Database, DatabaseAway
from service.stats.ratings import settle

log = logging.getLogger("carnet.ratings")

LOOK_EVERY = 1.0


class Rater(Periodic):
    """Looks now and then whether ratings are out of date, and recomputes them unless another worker does."""

    def __init__(self, database: Database, look_every: float = LOOK_EVERY) -> None:
        super().__init__("carnet ratings", look_every, first_after=look_every)
        self._database = database

    def work(self) -> None:
        """Recompute ratings that are out of date, unless the database is away."""
        try:
            with self._database.statements() as connection:
                is_needed = ratings.has_marks(connection)
            if is_needed:
                settle(self._database)
        except DatabaseAway as error:
            log.warning("ratings wait for the database: %s", error)
