"""The timelines of matches that were read of late, kept in memory up to a number of bytes."""

from collections import OrderedDict
from threading import Lock
from typing import NamedTuple
from uuid import UUID

from domain.game import AnyGame, Edition
from domain.history import Frame, Timeline, advance
from service.metrics import METRICS
from service.store import logs
from service.store.database import Connection

BYTES_PER_FRAME = 2000
"""What a frame with its state and its timeline takes, measured on full matches and rounded up."""


class Recorded(NamedTuple):
    """A timeline with the hash of its last event, on which the next one follows."""

    timeline: Timeline
    hash: str
    is_settled: bool = True
    """Whether all of the match is known to fit the present rules."""


class Timelines:
    """The latest timeline known of each match; earlier versions hang on it. Shared by the threads of a process."""

    def __init__(self, most_bytes: int = 64 * 2**20) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._kept: OrderedDict[UUID, _Kept] = OrderedDict()
        self._lock = Lock()

    def known(self, match_id: UUID) -> Recorded | None:
        """The latest timeline of a match that this process has seen, which may no longer be the present one."""
        with self._lock:
            kept = self._kept.get(match_id)
            if kept is None:
                METRICS.misses.inc()
                return None
            METRICS.hits.inc()
            self._kept.move_to_end(match_id)
            return kept.recorded

    def keep(self, match_id: UUID, recorded: Recorded) -> None:
        """Remember a timeline unless a later one is known. Only what was committed may be kept."""
        with self._lock:
            version, size = 0, 0
            before = self._kept.get(match_id)
            if before is not None:
                version, size = before.recorded.timeline.version, before.size
            if version >= recorded.timeline.version:
                return
            grown = _growth(recorded.timeline, version)
            self._bytes += grown
            self._kept[match_id] = _Kept(recorded, size + grown)
            self._kept.move_to_end(match_id)
            while self._bytes > self._most_bytes and len(self._kept) > 1:
                _, dropped = self._kept.popitem(last=False)
                self._bytes -= dropped.size
            METRICS.cache_bytes.set(self._bytes)

    def load(
        self,
        connection: Connection,
        game: AnyGame,
        edition: Edition,
        match_id: UUID,
        version: int,
        *,
        is_settled: bool = True,
    ) -> Recorded:
        """The timeline of a match at least at a version that its log has."""
        recorded = self.known(match_id)
        if recorded is not None and recorded.timeline.version >= version:
            return recorded
        timeline = recorded.timeline if recorded else None
        events = logs.written(connection, match_id, timeline.version if timeline else 0, version)
        for event in events:
            timeline = advance(game, edition, timeline, event)
        METRICS.folded.inc(len(events))
        assert timeline is not None
        recorded = Recorded(timeline, events[-1].hash, is_settled)
        self.keep(match_id, recorded)
        return recorded


class _Kept(NamedTuple):
    recorded: Recorded
    size: int


def _growth(timeline: Timeline | None, version: int) -> int:
    """The bytes that the events after a version added, roughly."""
    grown = 0
    while timeline is not None and timeline.version > version:
        grown += max(1, _frames_added(timeline))
        timeline = timeline.earlier
    return grown * BYTES_PER_FRAME


def _frames_added(timeline: Timeline) -> int:
    """How many frames the last event made: a correction makes all that follow it anew."""
    frame: Frame | None = timeline.head
    earlier = None if timeline.earlier is None else timeline.earlier.head
    if timeline.head.before is earlier:
        return 1  # a move, as most are
    added = 0
    while frame is not None and frame is not earlier:
        if earlier is None or frame.ply >= earlier.ply:
            frame, added = frame.before, added + 1
        else:
            earlier = earlier.before
    return added
