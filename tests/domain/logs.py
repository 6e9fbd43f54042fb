"""Logs that tests write: drafts sealed one after the other, as the service would store them."""

from collections.abc import Mapping
from typing import Any

from domain.game import AnyGame, EditionLookup
from domain.match import (
    Action,
    Change,
    Correction,
    Entry,
    Event,
    OnConflict,
    Timeline,
    fold,
    insert,
    remove,
    replace,
    seal,
    verify,
)

CHANGES: Mapping[str, Any] = {
    "cite-lumiere": {"chimneys": 3},
    "paris": {"start_francs": 12, "banks": {"belleville": 1}, "buildings": {"montmartre-5": {"extra": {"wood": 1}}}},
}
"""What is printed otherwise in the corrected edition of each game, so that some moves no longer fit and others do."""


def editions_of(game: AnyGame) -> dict[str, Any]:
    """The edition that comes along and a corrected one."""
    base = game.editions.default
    return {base.id: base, "corrected": game.editions.amend(base, "corrected", "Corrected", CHANGES[game.id])}


def correct(
    timeline: Timeline,
    ply: int,
    action: Action,
    entry: Entry | None = None,
    on_conflict: OnConflict = OnConflict.REFUSE,
) -> Correction:
    """Replace, insert or remove a move, by an action that was drawn."""
    if action is Action.REMOVE:
        return remove(timeline, ply, on_conflict)
    assert entry is not None
    return (replace if action is Action.REPLACE else insert)(timeline, ply, entry, on_conflict)


class Log:
    """The events of one match and the timeline that the last act answered with."""

    def __init__(self, match_id: str = "019a93c8-0000-7000-8000-000000000001") -> None:
        self.match_id = match_id
        self.events: list[Event] = []
        self._timeline: Timeline | None = None

    @property
    def timeline(self) -> Timeline:
        assert self._timeline is not None
        return self._timeline

    def append(self, change: Change) -> None:
        for draft in change.drafts:
            seq = len(self.events) + 1
            prev_hash = self.events[-1].hash if self.events else None
            self.events.append(
                seal(
                    draft,
                    match_id=self.match_id,
                    seq=seq,
                    actor="recorder",
                    recorded_at=f"2026-11-14T19:30:{seq % 60:02}.000000Z",
                    prev_hash=prev_hash,
                )
            )
        self._timeline = change.timeline

    def require_same_fold(self, game: AnyGame, editions: EditionLookup) -> None:
        """Assert that the log verifies and folds to the timeline of the acts, frame by frame."""
        verify(self.events, editions)
        folded, acted = fold(game, editions, self.events), self.timeline
        for name in ("version", "players", "edition", "setup", "status"):
            assert getattr(folded, name) == getattr(acted, name)
        assert len(folded.frames()) == len(acted.frames())
        for one, other in zip(folded.frames(), acted.frames(), strict=True):
            for name in ("ply", "seq", "seat", "move", "ruling", "replaced", "state"):
                assert getattr(one, name) == getattr(other, name)
