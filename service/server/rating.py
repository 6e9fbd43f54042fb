"""The thread that brings ratings up to date, in one worker of all at a time."""

from service.db import ratings
from service.db.pool import Database, DatabaseAway
from service.server.background import Periodic
from service.stats.ratings import settle

LOOK_EVERY = 1.0


def rating(database: Database, seconds_between: float = LOOK_EVERY) -> Periodic:
    """The thread that looks whether ratings are out of date, and recomputes them unless another worker does."""

    def settle_marked() -> None:
        with database.statements() as connection:
            is_needed = ratings.has_marks(connection)
        if is_needed:
            settle(database)

    return Periodic("carnet ratings", seconds_between, settle_marked, expected=(DatabaseAway,))
