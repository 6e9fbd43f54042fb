"""Compares a match of a file with the one that is here: the same, longer, or forked."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from domain import match as history
from domain.match import HistoryError, Timeline
from service.auth.authentication import current_principal
from service.db import exchange, matches
from service.db.exchange import Known
from service.db.matches import MatchDetails
from service.db.touches import touch
from service.exchange.arriving.batch import Batch
from service.exchange.arriving.existing import rights_here
from service.exchange.arriving.merging import Merged, Merger
from service.exchange.arriving.report import Outcome, Refused, twice
from service.http.errors import Problem
from service.matches import commands
from service.matches.commands import Act, Ruling
from service.permissions import Right
from service.stats.facts import keep_facts
from service.timelines import Recorded


class Compared(Protocol):
    """A match of a file beside the one that is here."""

    is_forked: bool
    """Whether they differ as far as both go."""
    surplus: int
    """What it has more than the one here; less than 0 if that has more."""
    unit: str
    """What is counted."""

    def require_content(self) -> None:
        """Require that its notes and details can be stored; raise `Refused`."""

    def extend(self) -> int:
        """Record what it has more, unless the run is dry, and return the version after it; raise `Refused`."""

    def merge(self, merger: Merger) -> Merged:
        """Take over its notes and details."""


def compare(batch: Batch, known: Known, compared: Compared) -> Outcome:
    """Judge a match of a file by the one that is here, and take over what it has besides; raise `Refused`."""
    if compared.is_forked:
        return Outcome("forked", known.match_id, "It was recorded differently here.")
    if known.match_id in batch.merged:
        return twice(known.match_id)
    is_longer = compared.surplus > 0
    if is_longer and not batch.options.extends:
        return Outcome("longer", known.match_id, f"It has {compared.surplus} {compared.unit} more than here.")
    if is_longer and Right.RECORD not in rights_here(known):
        raise Refused("not-allowed", "It goes on, and only its people may record that here.")
    compared.require_content()
    if is_longer:
        version = compared.extend()
        outcome = Outcome("longer", known.match_id, version_before=known.version, version=version)
    else:
        outcome = take_same(batch, known, "It has gone on here since." if compared.surplus else None)
    return _merge(batch, known, compared, outcome)


def record(
    batch: Batch,
    known: Known,
    acts: Sequence[Act[history.Change]],
    rulings: Mapping[str, Ruling] | None = None,
) -> Timeline:
    """Record one or more acts in the log of a match that is here, all or none; raise `Refused`."""
    written: list[Recorded] = []
    try:
        with batch.connection.transaction():
            for act in acts:
                version = written[-1].timeline.version if written else known.version
                written.append(commands.write(batch.connection, known.match_id, version, act, rulings).recorded)
    except HistoryError as error:
        raise Refused("move-refused", str(error)) from None
    except Problem as problem:
        raise Refused(problem.slug, problem.detail) from None
    batch.written.append((known.match_id, written[-1]))
    return written[-1].timeline


def take_same(batch: Batch, known: Known, detail: str | None = None) -> Outcome:
    """The outcome for a match that is here as it is; one that an undone import has hidden is shown again."""
    if not known.withdrawn:
        return Outcome("same", known.match_id, detail)
    if not known.owns or not exchange.is_undone(batch.connection, known.match_id):
        return Outcome("same", known.match_id, "It was withdrawn here.")
    if not batch.options.is_dry:
        row = matches.lock(batch.connection, known.match_id)
        assert row is not None
        details = replace(MatchDetails.of(row), withdrawn=False)
        revision, actor = row["revision"] + 1, current_principal().actor
        matches.change_details(batch.connection, known.match_id, revision, details, actor)
        keep_facts(batch.connection, known.match_id, commands.load_locked(batch.connection, row).timeline)
        exchange.note_revision(batch.connection, known.match_id, revision)
    return Outcome("new", known.match_id, "It is shown again, after an import was undone.")


def _merge(batch: Batch, known: Known, compared: Compared, outcome: Outcome) -> Outcome:
    """Take over what a match of a file has besides, and say so."""
    merged = compared.merge(Merger(batch, known))
    batch.merged.add(known.match_id)
    sentences = [*([] if outcome.detail is None else [outcome.detail]), *merged.sentences]
    outcome = outcome._replace(detail=" ".join(sentences) or None)
    if not merged.is_change:
        return outcome
    if not batch.options.is_dry:
        touch(batch.connection, [known.match_id])
        if merged.taken["details"] is not None:
            _renew_facts(batch, known)
    outcome = outcome._replace(taken=merged.taken)
    if outcome.outcome == "same":
        return outcome._replace(outcome="changed", version_before=known.version, version=known.version)
    return outcome


def _renew_facts(batch: Batch, known: Known) -> None:
    row = matches.lock(batch.connection, known.match_id)
    assert row is not None
    keep_facts(batch.connection, known.match_id, commands.load_locked(batch.connection, row).timeline)
