"""Matches that go like one that was played, with other ids, players and details, as rows for bulk loading."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

import orjson

from domain.canonical import canonical
from domain.game import dump_result
from domain.match import Draft, Status, Timeline, seal
from scripts.loading import Rows
from service.db import facts
from service.db.facts import MatchFacts
from service.identity import as_text
from service.stats.facts import facts_of, variant_of


class Details(NamedTuple):
    """Of one match what its log does not tell."""

    match_id: UUID
    played_at: datetime
    venue: str | None
    tags: Sequence[str]
    visibility: str = "public"
    owner_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class Template:
    """The course of a match, without ids, people and times, which differ in others that go alike."""

    game: str
    edition: str
    rules_version: int
    variant: str
    status: str
    to_move: str | None
    ply: int
    result: str | None
    seats: tuple[tuple[str, str], ...]
    """Each seat with the player that it has in the drafts."""
    best: tuple[int, ...]
    """The positions of the seats, the winner's first."""
    drafts: tuple[Draft, ...]
    known: MatchFacts | None
    """Of a finished match."""

    @classmethod
    def of(cls, timeline: Timeline, drafts: Sequence[Draft]) -> "Template":
        """A template of a match, with the drafts of its log."""
        known = facts_of(timeline) if timeline.status is Status.FINISHED else None
        result = None if known is None else orjson.dumps(dump_result(timeline.result)).decode()
        places = [0 for _ in timeline.players] if known is None else [seat.place for seat in known.seats]
        return cls(
            timeline.game.id,
            timeline.edition.id,
            timeline.game.rules_version,
            variant_of(timeline),
            timeline.status,
            timeline.to_move,
            timeline.ply,
            result,
            tuple(timeline.players),
            tuple(sorted(range(len(places)), key=places.__getitem__)),
            tuple(drafts),
            known,
        )

    def add(
        self,
        rows: Rows,
        details: Details,
        players: Sequence[UUID],
        seconds_a_move: float = 0.0,
        *,
        has_log: bool = True,
    ) -> None:
        """Add the rows of a match that goes like this, with players in the order of the seats."""
        match_id, played_at, venue, tags, visibility, owner_id = details
        ended_at = played_at + timedelta(seconds=seconds_a_move * (len(self.drafts) - 1))
        if has_log:
            self._add_log(rows, match_id, played_at, players, seconds_a_move)
        kept = (played_at, venue, list(tags), False, visibility)
        rows.of["matches"].append(
            (
                *(match_id, self.game, self.edition, played_at, ended_at, self.rules_version),
                *(len(self.drafts) if has_log else 0, self.ply, self.status, self.to_move, self.result, 0, *kept),
                *(None if self.status == Status.IN_PROGRESS else ended_at, self.variant, owner_id),
            )
        )
        rows.of["match_details"].append((match_id, 0, *kept, played_at))
        known = self.known
        for position, ((seat, _), player) in enumerate(zip(self.seats, players, strict=True)):
            ended = (None, None) if known is None else (known.seats[position].place, known.seats[position].points)
            rows.of["match_seats"].append((match_id, position, seat, player, *ended, owner_id))
        if known is not None:
            self._add_facts(rows, details, players, known)

    def _add_log(
        self, rows: Rows, match_id: UUID, began: datetime, players: Sequence[UUID], seconds_a_move: float
    ) -> None:
        begun = self.drafts[0]
        seated = [
            {"seat": seat, "player_id": str(player)} for (seat, _), player in zip(self.seats, players, strict=True)
        ]
        first = Draft(begun.kind, canonical({**begun.payload, "players": seated}))
        name, prev_hash, events = str(match_id), None, rows.of["events"]
        for seq, draft in enumerate((first, *self.drafts[1:]), start=1):
            recorded_at = as_text(began + timedelta(seconds=seconds_a_move * (seq - 1)))
            event = seal(draft, match_id=name, seq=seq, actor=None, recorded_at=recorded_at, prev_hash=prev_hash)
            events.append((match_id, seq, event.kind, event.text, None, recorded_at, prev_hash, event.hash))
            prev_hash = event.hash

    def _add_facts(self, rows: Rows, details: Details, players: Sequence[UUID], known: MatchFacts) -> None:
        match_id, played_at, venue, tags, visibility, _ = details
        about = (self.game, self.edition, known.variant, known.players, known.category, visibility, played_at)
        rows.of["match_facts"].append(
            (
                *(match_id, *about, venue, list(tags), known.left_out),
                *(list(known.results), list(known.features), list(known.amounts)),
                [opened.node for opened in known.opening],
                [opened.wins for opened in known.opening],
            )
        )
        rows.nodes.update((self.game, node.node, node.parent, node.depth, node.step) for node in known.opening)
        for position, (seat, player) in enumerate(zip(known.seats, players, strict=True)):
            _, ahead = facts.met_by(position, known.seats)
            rows.of["seat_facts"].append(
                (
                    *(match_id, position, player, *about, list(tags), seat.seat, seat.mover),
                    *(seat.place, seat.points, seat.margin, seat.wins, bytes(seat.features), bytes(seat.available)),
                    *([*players[:position], *players[position + 1 :]], ahead),
                )
            )
