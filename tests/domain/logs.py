"""Logs that tests write: drafts sealed one after the other, as the service would store them."""

from typing import Any

from domain.game import AnyGame
from domain.history import Change, Event, Timeline, fold, seal, verify


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

    def require_same_fold(self, game: AnyGame, edition: Any) -> None:
        """Assert that the log verifies and folds to the timeline of the acts, frame by frame."""
        verify(self.events, edition.digest)
        folded, acted = fold(game, edition, self.events), self.timeline
        assert (folded.version, folded.players, folded.setup, folded.status) == (
            acted.version,
            acted.players,
            acted.setup,
            acted.status,
        )
        assert len(folded.frames()) == len(acted.frames())
        for one, other in zip(folded.frames(), acted.frames(), strict=True):
            for name in ("ply", "seq", "seat", "move", "ruling", "replaced", "state"):
                assert getattr(one, name) == getattr(other, name)
