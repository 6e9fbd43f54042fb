"""Match documents: judged by their logs, and stored with all that they have."""

from collections.abc import Collection, Mapping
from datetime import datetime
from uuid import UUID

from domain.forms import Malformed
from domain.match import EventKind, LogBroken, MoveUnplayable, Status, Timeline
from domain.match import document as documents
from domain.match.document import Checked, Details, MatchDocument
from service.auth.authentication import current_principal
from service.db import entered as entered_times
from service.db import events as event_log
from service.db import matches
from service.db.exchange import Known
from service.db.pool import Connection
from service.exchange.arriving.batch import Batch
from service.exchange.arriving.comparing import compare
from service.exchange.arriving.details import details_row, match_details, require_details
from service.exchange.arriving.editions import ReadableEditions, keep_edition
from service.exchange.arriving.existing import actors_outside_log, others_here, rights_here
from service.exchange.arriving.merging import Merged, Merger
from service.exchange.arriving.new_matches import add_match, add_source, require_size
from service.exchange.arriving.notes import add_annotation, require_notes, room_of_new_match
from service.exchange.arriving.people import UNCLEAR
from service.exchange.arriving.report import Outcome, Refused, twice
from service.identity import as_text, now
from service.matches.rules_change import head_of
from service.names import has_ink
from service.permissions import Right, Visibility
from service.stats.facts import keep_facts, keep_variant
from service.timelines import Recorded


def take_document(batch: Batch, document: MatchDocument) -> Outcome:
    """Take a document over; raise `Refused`."""
    known = batch.existing.by_id.get(UUID(document.id))
    if known is not None and not known.reads:
        raise Refused("taken", "Its id is taken.")
    if known is not None:
        return compare(batch, known, ComparedDocument(batch, document, known))
    if batch.is_double("id", document.id):
        return twice()
    checked = _check(batch.connection, document)
    require_size(checked.timeline)
    _require_storable(batch, document)
    _require_own_actors(batch.connection, {event.actor for event in document.events} | actors_outside_log(document))
    _, full = room_of_new_match().fill(document.annotations)
    if full:
        raise Refused("too-many-annotations", f"It has too many notes: {full}")
    unknown = _unknown_people(batch, document, checked.timeline)
    batch.people.bring(batch.connection, unknown)
    if batch.options.is_dry:
        return Outcome("new")
    _add_people(batch, unknown)
    _keep_editions(batch.connection, document, checked)
    return _add(batch, document, checked.timeline)


class ComparedDocument:
    """A document of a match that is here."""

    unit = "events"

    def __init__(self, batch: Batch, document: MatchDocument, known: Known) -> None:
        self._batch = batch
        self._document = document
        self._known = known
        shared = min(len(document.events), known.version)
        self.is_forked = batch.existing.hashes.get((known.match_id, shared)) != document.events[shared - 1].hash
        self.surplus = len(document.events) - known.version

    def extend(self) -> int:
        """Append the events that the document has more."""
        batch, document = self._batch, self._document
        timeline = _check(batch.connection, document).timeline
        added = document.events[self._known.version :]
        require_size(timeline)
        _require_own_actors(batch.connection, {event.actor for event in added})
        seats_others = any(event.kind == EventKind.PLAYERS_ASSIGNED for event in added)
        if seats_others and Right.MANAGE not in rights_here(self._known):
            raise Refused("not-allowed", "It seats other people, which only who manages the match may do here.")
        unknown = _unknown_people(batch, document, timeline)
        if not batch.options.is_dry:
            _add_people(batch, unknown)
            self._append(timeline)
        return timeline.version

    def _append(self, timeline: Timeline) -> None:
        connection, match_id, version = self._batch.connection, self._known.match_id, self._known.version
        row = matches.lock(connection, match_id)
        if row is None or row["version"] != version:
            raise Refused("stale", "It was changed here meanwhile.")
        added = self._document.events[version:]
        reasons = [event_log.Reason(*reason) for reason in self._document.reasons if reason.seq > version]
        event_log.append_locked(connection, match_id, head_of(timeline), added, reasons)
        times = {seq: datetime.fromisoformat(at) for seq, at in self._document.entered if seq > version}
        if times:
            entered_times.keep(connection, match_id, times)
        keep_variant(connection, match_id, timeline)
        if row["status"] == "finished" or timeline.status is Status.FINISHED:
            keep_facts(connection, match_id, timeline)
        self._batch.written.append((match_id, Recorded(timeline, added[-1].hash)))

    def require_content(self) -> None:
        """Require that its notes and details can be stored."""
        require_notes(self._document)
        require_details(self._document.details)

    def merge(self, merger: Merger) -> Merged:
        """Take over later details and notes."""
        return merger.take_document(self._document)


def _check(connection: Connection, document: MatchDocument) -> Checked:
    try:
        return documents.check(document, ReadableEditions(connection, document.game))
    except LogBroken as broken:
        raise Refused("broken-log", f"Event {broken.seq}: {broken.detail}.") from None
    except Malformed as error:
        raise Refused("malformed", f"{error.errors[0].pointer}: {error.errors[0].detail}.") from None
    except MoveUnplayable as error:
        raise Refused("broken-log", str(error)) from None


def _require_storable(batch: Batch, document: MatchDocument) -> None:
    """Refuse what the database would not keep."""
    ids = {UUID(annotation.id) for annotation in document.annotations}
    if not ids.isdisjoint(batch.existing.annotation_ids) or ids & batch.rows.annotation_ids:
        raise Refused("taken", "One of its annotations has the id of another one that is here.")
    if len(set(document.sources)) < len(document.sources):
        raise Refused("malformed", "One of its sources is there twice.")
    require_notes(document)


def _require_own_actors(connection: Connection, actors: Collection[str | None]) -> None:
    """Refuse what would be said to be done by accounts of this installation: nobody acts for another one."""
    if others_here(connection, actors):
        detail = "It names other accounts of this installation as those who recorded it."
        raise Refused("not-allowed", f"{detail} Its text can be imported.")


# People


def _unknown_people(batch: Batch, document: MatchDocument, timeline: Timeline) -> dict[UUID, str | None]:
    """The people of a document who are not here; raise `Refused` for those whom the importer does not know."""
    here = batch.existing.people
    seated_ever = documents.seated_in(document)
    people = {UUID(person.id): person.name for person in document.people if person.id in seated_ever}
    if not all(here[player_id][1] for player_id in people.keys() & here.keys()):
        raise Refused("unknown-player", "One of its players is somebody here whom you do not know.")
    unknown = {player_id: name for player_id, name in people.items() if player_id not in here}
    if not all(name is None or has_ink(name) for name in unknown.values()):
        raise Refused(UNCLEAR, "One of its players has no visible name.")
    survivors = {player_id: survivor for player_id, (survivor, _) in here.items()}
    survivors |= {
        player_id: batch.people.mapped(name) or player_id for player_id, name in unknown.items() if name is not None
    }
    seated = [UUID(player) for _, player in timeline.players]
    if len({survivors.get(player, player) for player in seated}) < len(seated):
        raise Refused(UNCLEAR, "Two of its players are the same person.")
    return unknown


def _add_people(batch: Batch, unknown: Mapping[UUID, str | None]) -> None:
    batch.people.add_known(batch.connection, unknown)
    for player_id, name in unknown.items():
        survivor = None if name is None else batch.people.mapped(name)
        batch.existing.people[player_id] = (survivor or player_id, True)


# A new match


def _keep_editions(connection: Connection, document: MatchDocument, checked: Checked) -> None:
    for edition in checked.editions.values():
        base = str(edition.document.get("based_on", document.game.editions.default.id))
        keep_edition(connection, document.game, edition, base)


def _add(batch: Batch, document: MatchDocument, timeline: Timeline) -> Outcome:
    match_id, details = UUID(document.id), _details_here(document, batch.options.visibility)
    require_details(details)
    last = details[-1]
    add_match(batch, match_id, timeline, document.events, document.created_at, match_details(last), last.revision)
    of = batch.rows.of
    of["match_details"] += [details_row(match_id, revision) for revision in details]
    of["ruling_reasons"] += [(match_id, *reason) for reason in document.reasons]
    of["entered_times"] += [(match_id, *entered) for entered in document.entered]
    for annotation in document.annotations:
        add_annotation(batch.rows, match_id, annotation)
    for source in document.sources:
        add_source(batch, match_id, source.source, source.id, "", timeline.version, last.revision)
    return Outcome("new", match_id)


def _details_here(document: MatchDocument, wanted: Visibility | None) -> list[Details]:
    """The details of a document, the last ones with the visibility that is wanted here."""
    details, last = list(document.details), document.details[-1]
    if wanted is not None and wanted != last.visibility:
        actor, moment = current_principal().actor, as_text(now())
        details.append(
            last._replace(revision=last.revision + 1, visibility=str(wanted), actor=actor, changed_at=moment)
        )
    return details
