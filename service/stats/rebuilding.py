"""Making all that statistics know anew from the log, while the service may run."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final
from uuid import UUID

from domain.match import LogBroken, MoveUnplayable
from service.context import Services
from service.db import facts, matches, ratings
from service.db.facts import MatchFacts
from service.db.pool import Connection, Database, lift_limits
from service.errors import UnknownGame
from service.stats.facts import facts_of, keep_variant
from service.stats.ratings import settle

AT_A_TIME: Final = 2
"""Matches that are written in one transaction; others that finish wait for the writing, not for the reading of logs."""
CORRECTED_AT_A_TIME: Final = 1000
"""Sums that are corrected in one transaction, which takes some 0.1 s."""
MAX_PASSES: Final = 5


def rebuild(services: Services) -> Iterator[tuple[UUID, str | None]]:
    """Write the facts of every match anew where they are not right, then correct sums, and compute all ratings.

    Yields for each match why it cannot be read, if so.
    """
    with services.database.snapshot() as connection:
        rows = matches.all_rows().rows(connection)
        while some := [row["match_id"] for row in islice(rows, AT_A_TIME)]:
            with services.database.transaction() as writing:
                # All rows first, and the sums after them: every write to a match locks in this order.
                locked = [matches.lock(writing, match_id) for match_id in some]
                read = [(row["match_id"], _read(services, writing, row)) for row in locked if row is not None]
                known = [(match_id, result) for match_id, result in read if isinstance(result, MatchFacts)]
                for match_id, result in [pair for pair in known if not facts.is_kept(writing, *pair)]:
                    facts.replace(writing, match_id, result)
            yield from ((match_id, result if isinstance(result, str) else None) for match_id, result in read)
    _correct_sums(services.database)
    with services.database.transaction() as connection:
        ratings.begin_anew(connection)
    settle(services.database)


def _read(services: Services, connection: Connection, row: Mapping[str, Any]) -> MatchFacts | str:
    """The facts of a locked match by its log, or why it cannot be read."""
    match_id = row["match_id"]
    try:
        game = services.game(row["game"])
        editions = services.editions(connection, game)
        loaded = services.timelines.load(connection, game, editions, match_id, row["version"])
    except (LogBroken, MoveUnplayable, UnknownGame) as broken:
        return str(broken)
    timeline = loaded.timeline.at(row["version"])
    keep_variant(connection, match_id, timeline)
    return facts_of(timeline)


def _correct_sums(database: Database) -> None:
    """Correct sums in portions until none is wrong; one pass does it unless tags come to have sums meanwhile."""
    for _ in range(MAX_PASSES):
        is_right = True
        with database.snapshot() as reading:
            lift_limits(reading)
            for corrections in facts.wrong_sums(reading, CORRECTED_AT_A_TIME):
                is_right = False
                with database.transaction() as connection:
                    facts.correct_sums(connection, corrections)
        if is_right:
            return
