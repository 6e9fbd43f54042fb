"""Making all that statistics know anew from the log, while the service may run."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final
from uuid import UUID

from domain.match import LogBroken, MoveUnplayable
from service.carnet import Carnet
from service.problems import Problem
from service.stats.facts import facts_of, variant_of
from service.stats.ratings import settle
from service.store import facts, matches, ratings
from service.store.database import Connection

AT_A_TIME: Final = 20
"""Matches that are written in one transaction; meanwhile others that end wait."""


def rebuild(carnet: Carnet) -> Iterator[tuple[UUID, str | None]]:
    """Write the facts of every match anew, then all sums and ratings; tell of each match why it cannot be read, if so.

    The sums follow when the last match was told of, and are those of before until then.
    """
    with carnet.database.snapshot() as connection:
        rows = matches.all_rows().rows(connection)
        while some := [row["match_id"] for row in islice(rows, AT_A_TIME)]:
            with carnet.database.transaction() as writing:
                # All rows first, and the sums after them: whoever writes to a match locks in this order.
                locked = [matches.lock(writing, match_id) for match_id in some]
                told = [(row["match_id"], _rebuild_match(carnet, writing, row)) for row in locked if row is not None]
            yield from told
    with carnet.database.transaction() as connection:
        facts.sum_up(connection)
        ratings.begin_anew(connection)
    settle(carnet.database)


def _rebuild_match(carnet: Carnet, connection: Connection, row: Mapping[str, Any]) -> str | None:
    match_id = row["match_id"]
    try:
        game = carnet.game(row["game"])
        editions = carnet.editions(connection, game)
        loaded = carnet.timelines.load(connection, game, editions, match_id, row["version"])
    except (LogBroken, MoveUnplayable, Problem) as broken:
        return str(broken)
    timeline = loaded.timeline.at(row["version"])
    facts.note_variant(connection, match_id, variant_of(timeline))
    facts.rewrite(connection, match_id, facts_of(timeline))
    return None
