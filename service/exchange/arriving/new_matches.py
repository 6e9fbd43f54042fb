"""The rows of matches that are new."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import orjson

from domain.match import Draft, Event, Status, Timeline, seal
from service.auth.authentication import current_principal
from service.db.matches import MatchDetails
from service.exchange.arriving.batch import Batch
from service.exchange.arriving.details import first_details_row
from service.exchange.arriving.report import Refused
from service.identity import as_text, now
from service.matches import commands
from service.matches.rules_change import head_of
from service.matches.schemas import MAX_PLIES
from service.metrics import METRICS
from service.stats.facts import facts_of, variant_of


def require_size(timeline: Timeline) -> None:
    """Refuse a match that is longer than those that are recorded here."""
    if timeline.ply > MAX_PLIES:
        raise Refused("match-too-long", f"A match has at most {MAX_PLIES} moves.")
    if timeline.version > commands.MAX_EVENTS:
        raise Refused("match-full", f"A match has at most {commands.MAX_EVENTS:,} events.")


def add_match(
    batch: Batch,
    match_id: UUID,
    timeline: Timeline,
    events: Sequence[Event],
    created_at: str,
    details: MatchDetails,
    revision: int,
) -> None:
    """Add a match with its log, and with the details and their revision that hold by now."""
    head, moment = head_of(timeline), now()
    is_over = timeline.status is not Status.IN_PROGRESS or details.withdrawn
    result = None if head.result is None else orjson.dumps(head.result).decode()
    owner_id = current_principal().account_id
    of = batch.rows.of
    of["matches"].append(
        (
            *(match_id, timeline.game.id, timeline.edition.id, created_at, moment, timeline.rules_version),
            *(timeline.version, timeline.ply, head.status, head.to_move, result, revision, details.played_at),
            *(details.venue, list(details.tags), details.withdrawn, str(details.visibility)),
            *(details.rulings_in_statistics, owner_id, moment if is_over else None),
            *(variant_of(timeline), timeline.seats_known),
        )
    )
    of["match_seats"] += [
        (match_id, position, seat.seat, UUID(seat.player_id), seat.place, seat.points, owner_id)
        for position, seat in enumerate(head.seats)
    ]
    of["events"] += [
        (match_id, event.seq, str(event.kind), event.text, event.actor, event.recorded_at, event.prev_hash, event.hash)
        for event in events
    ]
    METRICS.appended.inc(len(events))
    if timeline.status is Status.FINISHED:
        batch.facts[match_id] = facts_of(timeline)


def add_recorded_now(
    batch: Batch, match_id: UUID, timeline: Timeline, drafts: Sequence[Draft], details: MatchDetails, moment: datetime
) -> None:
    """Add a match as the importer would have recorded it at a moment."""
    actor, recorded_at = current_principal().actor, as_text(moment)
    events: list[Event] = []
    for seq, draft in enumerate(drafts, start=1):
        before = events[-1].hash if events else None
        events.append(
            seal(draft, match_id=str(match_id), seq=seq, actor=actor, recorded_at=recorded_at, prev_hash=before)
        )
    add_match(batch, match_id, timeline, events, recorded_at, details, 0)
    batch.rows.of["match_details"].append(first_details_row(match_id, details, recorded_at))


def add_source(
    batch: Batch, match_id: UUID, system: str, external_id: str, digest: str, version: int, revision: int
) -> None:
    """Add the identity of a match elsewhere, with what it said there and how the match stands here by that."""
    row = (match_id, system, external_id, digest, version, revision, batch.import_id)
    batch.rows.of["match_sources"].append(row)
