"""A cache of timelines, limited in bytes."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import Final, NamedTuple
from uuid import UUID

from domain.game import AnyGame, EditionLookup
from domain.match import Timeline, fold, resume
from service.cache import Cache
from service.db import events as event_log
from service.db.pool import Connection
from service.metrics import METRICS

BYTES_PER_EVENT: Final = 2000
"""The maximum memory of an event, measured on full matches and rounded up: a frame with its state if its move stands,
and what the outlines of earlier versions have of it (1.3 kB) if it does not."""
BYTES_PER_EDITION: Final = 450_000
"""The memory of an edition with its tables, measured and rounded up: 0.42 MB of one game, 0.1 MB of the other."""
MAX_WAIT: Final = 10.0
"""Seconds for which a thread waits for another one that folds the same match, which takes less than one."""


class Recorded(NamedTuple):
    """A timeline with the hash of its last event."""

    timeline: Timeline
    hash: str
    is_settled: bool = True
    """Whether all of the match is known to fit the current rules."""


class Timelines(Cache[UUID, Recorded]):
    """The latest known timeline of each match. One thread at a time folds a match."""

    def __init__(self, most_bytes: int = 64 * 2**20) -> None:
        super().__init__(most_bytes, _size)
        self._editions: Counter[int] = Counter()
        """How many cached matches have an edition of a user, now or before, by the identity of the edition."""
        self._folding: dict[UUID, _Folding] = {}
        self._folding_lock = Lock()

    def known(self, match_id: UUID) -> Recorded | None:
        """The latest timeline of a match that this process has seen, which may be outdated."""
        recorded = self.find(match_id)
        (METRICS.misses if recorded is None else METRICS.hits).inc()
        return recorded

    def keep(self, match_id: UUID, recorded: Recorded) -> int:
        """Cache a timeline unless a later one is known, or it is too long. It must be committed."""
        used = super().keep(match_id, recorded)
        METRICS.cache_bytes.set(used)
        return used

    def _supersedes(self, recorded: Recorded, before: Recorded) -> bool:
        return recorded.timeline.version > before.timeline.version

    def _added(self, recorded: Recorded) -> int:
        return _size(recorded) + self._count_editions(recorded.timeline, 1)

    def _dropped(self, recorded: Recorded) -> int:
        return _size(recorded) + self._count_editions(recorded.timeline, -1)

    def _count_editions(self, timeline: Timeline, matches: int) -> int:
        """Count the editions of a match that is cached or dropped; return the bytes of those that no other match has.

        Built-in ones are in memory anyway.
        """
        own = 0
        for edition in timeline.editions:
            if edition.id in timeline.game.editions:
                continue
            before = self._editions[id(edition)]
            after = self._editions[id(edition)] = before + matches
            if not after:
                del self._editions[id(edition)]
            if not before or not after:
                own += BYTES_PER_EDITION
        return own

    def load(
        self,
        connection: Connection,
        game: AnyGame,
        editions: EditionLookup,
        match_id: UUID,
        version: int,
        *,
        is_settled: bool = True,
    ) -> Recorded:
        """Return a timeline of a match that is at least at an existing version."""
        recorded = self.known(match_id)
        if recorded is not None and recorded.timeline.version >= version:
            return recorded
        with self._alone(match_id):
            recorded = self.find(match_id)
            if recorded is not None and recorded.timeline.version >= version:
                return recorded
            recorded = _up_to_date(connection, game, editions, match_id, version, recorded, is_settled)
            self.keep(match_id, recorded)
        return recorded

    def load_locked(
        self,
        connection: Connection,
        game: AnyGame,
        editions: EditionLookup,
        match_id: UUID,
        version: int,
        *,
        is_settled: bool = True,
    ) -> Recorded:
        """Return the timeline of a match at its version, which nobody else can change meanwhile.

        What is cached may have events that a replica showed and no server has any more after a failover; then it goes.
        """
        known = self.known(match_id)
        with self._alone(match_id):
            if known is not None and known.timeline.version > version:
                known = None
            recorded = _up_to_date(connection, game, editions, match_id, version, known, is_settled)
            if recorded is not known:
                with self._lock:
                    self._drop(match_id)
                self.keep(match_id, recorded)
        return recorded

    @contextmanager
    def _alone(self, match_id: UUID) -> Iterator[None]:
        """Let one thread at a time fold a match; after a timeout the others fold it too.

        The one that folds waits for nothing that those that wait may hold: it has its connection, and only reads.
        """
        with self._folding_lock:
            folding = self._folding.setdefault(match_id, _Folding())
            folding.threads += 1
        is_alone = folding.lock.acquire(timeout=MAX_WAIT)
        try:
            yield
        finally:
            if is_alone:
                folding.lock.release()
            with self._folding_lock:
                folding.threads -= 1
                if not folding.threads:
                    del self._folding[match_id]


def _up_to_date(
    connection: Connection,
    game: AnyGame,
    editions: EditionLookup,
    match_id: UUID,
    version: int,
    known: Recorded | None,
    is_settled: bool,
) -> Recorded:
    """Fold what is new since a known version, or everything if its last event is not the one that is stored."""
    if known is not None:
        last, *events = event_log.written(connection, match_id, known.timeline.version - 1, version)
        if last.hash == known.hash and not events:
            return known
        if last.hash == known.hash:
            METRICS.folded.inc(len(events))
            return Recorded(resume(known.timeline, editions, events), events[-1].hash, is_settled)
    events = event_log.written(connection, match_id, 0, version)
    METRICS.folded.inc(len(events))
    return Recorded(fold(game, editions, events), events[-1].hash, is_settled)


@dataclass(slots=True)
class _Folding:
    """The threads that fold a match or wait for it."""

    lock: Lock = field(default_factory=Lock)
    threads: int = 0


def _size(recorded: Recorded) -> int:
    return recorded.timeline.version * BYTES_PER_EVENT
