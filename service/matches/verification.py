"""Verification of all matches in several processes, each with a connection that sees the same snapshot."""

import multiprocessing
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from typing import Final, TypeAlias
from uuid import UUID

from domain.match import LogBroken
from service.config import Config
from service.context import Services
from service.db import anchors, matches
from service.db.pool import Database, export_snapshot
from service.matches.integrity import AT_A_TIME, GONE, Finding, verify, verify_rows

WAITING: Final = 3
"""Such portions of each process that are not collected yet."""

_Found: TypeAlias = list[tuple[UUID, list[tuple[int, str]]]]
"""Matches with the numbers of their wrong events and what is wrong."""


def verify_all(services: Services, jobs: int) -> Iterator[Finding]:
    """Verify every match in one snapshot, by so many processes."""
    if jobs == 1:
        yield from verify(services)
        return
    with services.database.snapshot() as connection:
        given = (services.config, services.database.leader.dsn, export_snapshot(connection))
        # Spawned, not forked, so that none inherits connections and threads of this process.
        spawning = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(jobs, spawning, initializer=_begin, initargs=given) as pool:
            ids = (row["match_id"] for row in matches.all_ids().rows(connection))
            for found in _collected(pool, ids, WAITING * jobs):
                yield from (Finding(match_id, [LogBroken(*fault) for fault in faults]) for match_id, faults in found)
        for match_id in anchors.missing_matches(connection):
            yield Finding(match_id, [LogBroken(1, GONE)])


def _collected(pool: ProcessPoolExecutor, ids: Iterable[UUID], most: int) -> Iterator[_Found]:
    """The findings of one portion of matches after the other; at most so many portions are handed out at once."""
    rest, pending = iter(ids), deque[Future[_Found]]()
    while some := list(islice(rest, AT_A_TIME)):
        pending.append(pool.submit(_verify, some))
        if len(pending) > most:
            yield pending.popleft().result()
    while pending:
        yield pending.popleft().result()


class _Verifier:
    """Services of a process that verifies matches, on the snapshot of the first one."""

    def __init__(self, config: Config, dsn: str, snapshot: str) -> None:
        self._snapshot = snapshot
        self._database = Database(dsn, size=1, has_limits=False)
        self._database.open()
        self._services = Services.on(config, self._database)

    def verify(self, match_ids: Sequence[UUID]) -> _Found:
        with self._database.snapshot(self._snapshot) as connection:
            found = verify_rows(self._services, connection, matches.bare_rows(connection, match_ids))
            return [(one.match_id, [(fault.seq, fault.detail) for fault in one.faults]) for one in found]


_verifiers: Final[list[_Verifier]] = []
"""That of this process."""


def _begin(config: Config, dsn: str, snapshot: str) -> None:
    _verifiers.append(_Verifier(config, dsn, snapshot))


def _verify(match_ids: Sequence[UUID]) -> _Found:
    return _verifiers[0].verify(match_ids)
