"""Brings the notes and details that a file has besides to a match that is here, and takes them back."""

from collections.abc import Collection, Mapping, Sequence, Set
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

import orjson

from domain.match import Timeline, notation
from domain.match.document import Annotation, Details, MatchDocument, Wording
from domain.match.notation import MatchText
from domain.moments import utc
from service.auth.authentication import current_principal
from service.db import annotations as notes
from service.db import exchange, matches
from service.db.annotations import Written
from service.db.exchange import Known, Rows
from service.db.matches import MatchDetails
from service.db.pool import Connection
from service.exchange.arriving.batch import Batch
from service.exchange.arriving.details import (
    DETAILS,
    details_row,
    match_details,
    note_visibility,
    right_to_change,
    values_of,
)
from service.exchange.arriving.existing import actors_outside_log, others_here, rights_here
from service.exchange.arriving.notes import (
    Room,
    add_annotation,
    content_of,
    new_note,
    room_left,
    wording_rows,
)
from service.exchange.arriving.report import Taken
from service.permissions import Right

RevisionT = TypeVar("RevisionT", Details, Wording)


class Merged(NamedTuple):
    """The outcome of comparing a match of a file with the one here."""

    taken: Taken
    sentences: Sequence[str]
    """Sentences that say what was taken over, and what differs."""

    @property
    def is_change(self) -> bool:
        return bool(self.taken["notes"] or self.taken["details"])


class Merger:
    """Takes over what a file has besides of one match, as far as the rights of the importer on it go."""

    def __init__(self, batch: Batch, known: Known) -> None:
        self._connection = batch.connection
        self._is_dry = batch.options.is_dry
        self._rows = Rows() if self._is_dry else batch.rows
        self._match_id = known.match_id
        self._present = batch.existing.present[known.match_id]
        self._rights = rights_here(known)
        self._taken: Taken = {"notes": [], "details": None}
        self._sentences: list[str] = []
        self._room: Room | None = None

    def take_document(self, document: MatchDocument) -> Merged:
        """Take over later details, notes that are new and later wordings; rows are written with the others."""
        others = others_here(self._connection, actors_outside_log(document))
        self._take_details(document.details, others)
        self._take_annotations(document, others)
        return self._merged()

    def take_text(self, timeline: Timeline, text: MatchText, recorded_at: str) -> Merged:
        """Take over notes that are new. Details are compared alone: a text does not say which are later."""
        self._take_notes(timeline, text, recorded_at)
        last, info = self._present.details[-1], text.info
        if (
            (info.played_at is not None and info.played_at != utc(last.played_at))
            or (info.venue is not None and info.venue != last.venue)
            or (info.tags and set(info.tags) != set(last.tags))
        ):
            self._sentences.append("Its date, venue or tags are other ones here.")
        return self._merged()

    def _take_notes(self, timeline: Timeline, text: MatchText, recorded_at: str) -> None:
        frames = timeline.frames()
        places = {seq: frame.ply for frame in frames for seq in (*frame.replaced, frame.seq)}
        known = {
            (places[annotation.seq], spelling)
            for annotation in self._present.annotations.values()
            if annotation.seq in places
            for spelling in _comparable(annotation.wordings[-1].content, self._present.names[annotation.id])
        }
        added = []
        for frame in frames:
            for note in text.remarks_at(frame.ply).notes:
                content = content_of(timeline.game, note)
                comparable = _comparable({**content, "text": note.text}, note.author)
                if not known.isdisjoint((frame.ply, spelling) for spelling in comparable):
                    continue
                assert frame.seq is not None
                added.append(new_note(frame.seq, content, recorded_at))
        if added and Right.ANNOTATE not in self._rights:
            self._sentences.append(f"{_left_out(len(added))}, since you may not write notes on it.")
            added = []
        self._add(added)

    def _merged(self) -> Merged:
        number = len(self._taken["notes"])
        parts = [f"{number} {'note' if number == 1 else 'notes'}"] if number else []
        parts += ["details"] if self._taken["details"] else []
        if parts:
            self._sentences.insert(0, f"Taken over: {' and '.join(parts)}.")
        return Merged(self._taken, self._sentences)

    # Details

    def _take_details(self, there: Sequence[Details], others: Set[str | None]) -> None:
        last, added = self._present.details[-1], _later(there, self._present.details)
        if added == [] or values_of(there[-1]) == values_of(last):
            return
        if added is None:
            self._sentences.append("Its details were changed differently here.")
            return
        needed = right_to_change(name for name in DETAILS if getattr(added[-1], name) != getattr(last, name))
        if needed not in self._rights or others & {revision.actor for revision in added}:
            self._sentences.append("Its details are other ones there, and you may not change them.")
            return
        row = matches.lock(self._connection, self._match_id)
        if row is None or row["revision"] != last.revision:
            self._sentences.append("Its details were changed here meanwhile.")
            return
        if not self._is_dry:
            matches.set_details(self._connection, self._match_id, added[-1].revision, match_details(added[-1]))
            note_visibility(self._connection, self._match_id, last.visibility, added[-1].visibility)
        self._rows.of["match_details"] += [details_row(self._match_id, revision) for revision in added]
        self._taken["details"] = {"before": last.revision, "revision": added[-1].revision}

    # Notes

    def _take_annotations(self, document: MatchDocument, others: Set[str | None]) -> None:
        added: list[Annotation] = []
        differing = refused = 0
        for annotation in document.annotations:
            here, final = self._present.annotations.get(annotation.id), annotation.wordings[-1]
            if here is None:
                writers = {annotation.author, *(wording.actor for wording in annotation.wordings)}
                if Right.ANNOTATE in self._rights and not others & writers:
                    added.append(annotation)
                else:
                    refused += 1
                continue
            last, later = here.wordings[-1], _later(annotation.wordings, here.wordings)
            if later == [] or (final.content, final.deleted) == (last.content, last.deleted):
                continue
            if later is None:
                differing += 1
            elif self._may_reword(here) and not others & {wording.actor for wording in later}:
                self._reword(here, later)
            else:
                refused += 1
        ids = {UUID(annotation.id) for annotation in added}
        if ids & self._rows.annotation_ids or exchange.annotations_here(self._connection, ids):
            self._sentences.append(f"{_left_out(len(added))}, since their ids are taken.")
            added = []
        self._add(added)
        if differing:
            verb = "says" if differing == 1 else "say"
            self._sentences.append(f"{differing} of its notes {verb} something else here.")
        if refused:
            self._sentences.append(f"{_left_out(refused)}, since you may not write them here.")

    def _may_reword(self, annotation: Annotation) -> bool:
        principal = current_principal()
        is_own = annotation.author is not None and annotation.author == principal.actor
        return (
            principal.is_local
            or is_own
            or (Right.MANAGE in self._rights and not others_here(self._connection, {annotation.author}))
        )

    def _reword(self, annotation: Annotation, later: Sequence[Wording]) -> None:
        annotation_id, last = UUID(annotation.id), annotation.wordings[-1]
        if Right.MANAGE not in self._rights:  # it is they who hide notes and show them again
            later = [wording._replace(hidden=last.hidden) for wording in later]
        final = later[-1]
        size = notes.size(final.content) * (not final.deleted) - notes.size(last.content) * (not last.deleted)
        if full := self._find_room().take((not final.deleted) - (not last.deleted), size):
            self._sentences.append(f"{_left_out(1)}: {full}")
            return
        row = notes.find(self._connection, annotation_id, locked=True)
        if row is None or row["revision"] != last.revision:
            self._sentences.append("One of its notes was changed here meanwhile.")
            return
        if not self._is_dry:
            exchange.reword(
                self._connection,
                self._match_id,
                annotation_id,
                final.revision,
                orjson.dumps(final.content).decode(),
                final.changed_at,
                deleted=final.deleted,
                hidden=final.hidden,
            )
        self._rows.of["annotation_changes"] += list(wording_rows(self._match_id, annotation_id, later))
        self._taken["notes"].append({"id": annotation.id, "before": last.revision, "revision": final.revision})

    def _add(self, added: Sequence[Annotation]) -> None:
        if not added:
            return
        fitting, full = self._find_room().fill(added)
        for annotation in fitting:
            add_annotation(self._rows, self._match_id, annotation)
            revision = annotation.wordings[-1].revision
            self._taken["notes"].append({"id": annotation.id, "before": None, "revision": revision})
        if full:
            self._sentences.append(f"{_left_out(len(added) - len(fitting))}: {full}")

    def _find_room(self) -> Room:
        """The room that is left for notes on the match.

        Who is none of its people may bring no more than one author may write, whoever the authors are elsewhere.
        """
        if self._room is None:
            by_author = None if Right.EDIT in self._rights else self._written_by_authors_elsewhere()
            self._room = room_left(notes.written(self._connection, self._match_id, None)["all"], by_author)
        return self._room

    def _written_by_authors_elsewhere(self) -> Written:
        shown = [annotation for annotation in self._present.annotations.values() if not annotation.wordings[-1].deleted]
        others = others_here(self._connection, {annotation.author for annotation in shown})
        sizes = [notes.size(annotation.wordings[-1].content) for annotation in shown if annotation.author not in others]
        return Written(len(sizes), sum(sizes))


def put_back(connection: Connection, row: Mapping[str, Any], taken: Taken, rights: Collection[Right]) -> bool:
    """Undo what an import brought to a locked match and was not changed since, as far as one may change it.

    Return whether that was anything.
    """
    is_changed = False
    match_id, actor = row["match_id"], current_principal().actor
    for brought in taken["notes"] if Right.ANNOTATE in rights else ():
        found = notes.find(connection, UUID(brought["id"]), locked=True)
        if found is None or found["match_id"] != match_id or found["revision"] != brought["revision"]:
            continue
        before = brought["before"]
        content, versions = found["content"], {}
        if before is not None:
            versions = {one["revision"]: one for one in notes.history(connection, match_id, found["annotation_id"])}
            content = versions[before]["content"]
        notes.change(connection, found, content, before is None or versions[before]["deleted"], actor)
        is_changed = True
    changed = taken["details"]
    if changed is not None and changed["revision"] == row["revision"]:
        history = {one["revision"]: one for one in matches.details_history(connection, match_id)}
        old = history[changed["before"]]
        if right_to_change(name for name in DETAILS if old[name] != row[name]) in rights:
            details = MatchDetails.of(old)
            matches.change_details(connection, match_id, row["revision"] + 1, details, actor)
            note_visibility(connection, match_id, row["visibility"], details.visibility)
            is_changed = True
    return is_changed


def _later(there: Sequence[RevisionT], here: Sequence[RevisionT]) -> list[RevisionT] | None:
    """The revisions that follow those that are here; None if both were changed apart."""
    known, last = {revision.revision: revision for revision in here}, here[-1].revision
    if any(revision != known.get(revision.revision, revision) for revision in there):
        return None
    later = [revision for revision in there if revision.revision > last]
    return None if later and there[0].revision > last else later


def _left_out(number: int) -> str:
    return "1 note was left out" if number == 1 else f"{number} notes were left out"


def _comparable(content: Mapping[str, Any], author: str | None) -> set[bytes]:
    """The content of a note, without and with the name of its author before it, as an import writes it."""
    text = notation.one_break(content["text"])
    texts = {text} if author is None else {text, f"{author}: {text}"}
    return {orjson.dumps({**content, "text": text}, option=orjson.OPT_SORT_KEYS) for text in texts}
