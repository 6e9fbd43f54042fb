"""Checking all matches, one after the other."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from enum import Enum
from typing import Any
from uuid import UUID

from domain import history
from domain.history import Event, LogBroken
from service.carnet import Carnet
from service.matches.refolding import find_conflict, head_of, is_settled
from service.problems import Problem
from service.stats.facts import keep_facts
from service.store import logs, matches
from service.store.database import Connection


class Outcome(Enum):
    """What a refolding comes to."""

    SAME = "same"
    """It fitted the present rules before."""
    ADVANCED = "advanced"
    """It is the same by the present rules as by those before."""
    CONFLICT = "conflict"
    """It is another one by the present rules."""


@dataclass(frozen=True, slots=True)
class Refolded:
    """What a refolding says of a match, with the conflict or the broken event if there is one."""

    match_id: UUID
    outcome: Outcome | None
    said: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check says of a match."""

    match_id: UUID
    broken: LogBroken | None


def count(carnet: Carnet) -> int:
    """How many matches there are."""
    with carnet.database.transaction() as connection:
        return matches.count(connection)


def verify(carnet: Carnet) -> Iterator[Finding]:
    """Check the hash chain and the edition of every match, as they are at one moment."""
    with carnet.database.snapshot() as connection:
        for row in matches.all_rows().rows(connection):
            try:
                verify_match(carnet, connection, row)
            except LogBroken as broken:
                yield Finding(row["match_id"], broken)
            else:
                yield Finding(row["match_id"], None)


def verify_match(carnet: Carnet, connection: Connection, row: Any) -> None:
    """Check the hash chain and the edition of a match; raise `LogBroken` at the first event that is wrong."""
    try:
        edition = carnet.edition(connection, carnet.game(row["game"]), row["edition"])
    except Problem as problem:
        raise LogBroken(1, problem.detail) from None
    with closing(logs.stream(connection, row["match_id"])) as events:
        history.verify(_whole(events, row["version"]), edition.digest)


def _whole(events: Iterator[Event], version: int) -> Iterator[Event]:
    """The events of a log up to the last one; raise `LogBroken` where that is missing."""
    seq = 0
    for event in events:
        seq = event.seq
        yield event
    if seq < version:
        raise LogBroken(seq + 1, "it is missing")


def refold(carnet: Carnet) -> Iterator[Refolded]:
    """Judge all moves of every match by the present rules, and note in its row what comes of it."""
    with carnet.database.snapshot() as connection:
        for row in matches.all_rows().rows(connection):
            with carnet.database.transaction() as writing:
                refolded = _refold_match(carnet, writing, row["match_id"])
            if refolded.outcome in {Outcome.ADVANCED, Outcome.CONFLICT}:
                carnet.notices.tell(refolded.match_id)
            yield refolded


def _refold_match(carnet: Carnet, connection: Connection, match_id: UUID) -> Refolded:
    row = matches.lock(connection, match_id)
    assert row is not None
    try:
        game = carnet.game(row["game"])
        edition = carnet.edition(connection, game, row["edition"])
        timeline = carnet.timelines.load(connection, game, edition, match_id, row["version"]).timeline.at(
            row["version"]
        )
    except (LogBroken, Problem) as broken:
        return Refolded(match_id, None, str(broken))
    conflict = find_conflict(row, timeline)
    if conflict is not None:
        matches.mark_conflict(connection, match_id, conflict.document)
        keep_facts(connection, match_id, timeline)
        ply, problem = conflict.document["ply"], conflict.document["problem"]
        said = f"the move of ply {ply} no longer fits: {problem['detail']}" if problem else "its result is another one"
        return Refolded(match_id, Outcome.CONFLICT, said)
    if is_settled(row, game):
        return Refolded(match_id, Outcome.SAME)
    matches.advance_rules(connection, match_id, game.rules_version, head_of(timeline).to_move)
    keep_facts(connection, match_id, timeline)
    return Refolded(match_id, Outcome.ADVANCED)
