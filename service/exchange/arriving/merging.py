"""Matches that are here already: takes over the notes and details that a file has besides, and tells what differs."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from datetime import datetime
from typing import Any, Final, NamedTuple, TypedDict
from uuid import UUID

import orjson

from domain.forms import Malformed
from domain.game import AnyGame
from domain.match import Timeline, notation
from domain.match.document import Annotation, Details, MatchDocument, Wording
from domain.match.notation import MatchText, Note
from domain.moments import utc
from service.annotations.documents import KIND_OF_MARK, MAX_LINE, MAX_MARKS, ROOM, ROOM_OF_AUTHOR
from service.auth import audit
from service.auth.authentication import current_principal
from service.db import annotations as notes
from service.db import exchange, leaving, matches
from service.db.exchange import Rows
from service.db.matches import MatchDetails
from service.db.pool import Connection
from service.exchange.leaving import annotations_of, details_of
from service.http.fields import MAX_TEXT
from service.http.shapes import Id
from service.identity import new_id
from service.permissions import Right

_DETAILS: Final = ("played_at", "venue", "tags", "withdrawn", "visibility", "rulings_in_statistics")
_MANAGED: Final = frozenset({"withdrawn", "visibility", "rulings_in_statistics"})
"""The details that only who manages a match may change."""


class Revisions(TypedDict):
    """The revisions before and after a change by an import."""

    before: int | None
    """The revision that held here before; null if there was none."""
    revision: int


class TakenNote(Revisions):
    """A note that an import brought to a match that was here."""

    id: Id


class Taken(TypedDict):
    """Notes and details that an import brought to a match that was here."""

    notes: list[TakenNote]
    details: Revisions | None
    """Null if they are as they were."""


class Present(NamedTuple):
    """Details and annotations of a match that is here."""

    details: Sequence[Details]
    annotations: Mapping[str, Annotation]
    """By their ids."""
    names: Mapping[str, str | None]
    """The names of their authors, by ids of annotations."""


class Room(NamedTuple):
    """The notes and bytes that may still be written, and the sentence for those that may not."""

    number: int
    bytes: int
    full: str


class Merged(NamedTuple):
    """The outcome of comparing a match of a file with the one here."""

    taken: Taken
    sentences: Sequence[str]
    """Sentences that say what was taken over, and what differs."""

    @property
    def is_change(self) -> bool:
        return bool(self.taken["notes"] or self.taken["details"])


def find_present(connection: Connection, match_ids: Collection[UUID]) -> dict[UUID, Present]:
    """Find the details and annotations of matches that are here."""
    if not match_ids:
        return {}
    ids = list(match_ids)
    details, rows = leaving.details(connection, ids), leaving.annotations(connection, ids)
    wordings = leaving.wordings(connection, list(rows)) if rows else {}
    return {
        match_id: Present(
            details_of(details[match_id]),
            {one.id: one for one in annotations_of(rows.get(match_id, ()), wordings.get(match_id, ()))},
            {str(row[0]): row[-1] for row in rows.get(match_id, ())},
        )
        for match_id in ids
        if match_id in details
    }


class Merger:
    """Takes over what a file has besides of one match, as far as the rights of the importer on it go."""

    def __init__(
        self,
        connection: Connection,
        rows: Rows,
        match_id: UUID,
        present: Present,
        rights: Collection[Right],
        *,
        is_dry: bool,
    ) -> None:
        self._connection = connection
        self._is_dry = is_dry
        self._rows = rows
        self._match_id = match_id
        self._present = present
        self._rights = rights
        self._taken: Taken = {"notes": [], "details": None}
        self._sentences: list[str] = []
        self._room: Sequence[Room] = ()

    def take_document(self, document: MatchDocument) -> Merged:
        """Take over later details, notes that are new and later wordings; rows are written with the others."""
        actors = {one.actor for one in document.details} | {note.author for note in document.annotations}
        actors |= {wording.actor for note in document.annotations for wording in note.wordings}
        others = others_here(self._connection, actors)
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
            (places[one.seq], said)
            for one in self._present.annotations.values()
            if one.seq in places
            for said in _said(one.wordings[-1].content, self._present.names[one.id])
        }
        added, actor = [], current_principal().actor
        for frame, ply in zip(frames, text.plies, strict=False):
            for note in ply.notes:
                content = content_of(timeline.game, note)
                if {(frame.ply, said) for said in _said({**content, "text": note.text}, note.author)} & known:
                    continue
                assert frame.seq is not None
                wording = Wording(0, content, False, False, actor, recorded_at)
                added.append(Annotation(str(new_id()), frame.seq, actor, recorded_at, (wording,)))
        if added and Right.ANNOTATE not in self._rights:
            self._sentences.append(f"{_left_out(len(added))}, since you may not write notes on it.")
            added = []
        self._add(in_order(added))

    def _merged(self) -> Merged:
        number = len(self._taken["notes"])
        parts = [f"{number} {'note' if number == 1 else 'notes'}"] if number else []
        parts += ["details"] if self._taken["details"] else []
        if parts:
            self._sentences.insert(0, f"Taken over: {' and '.join(parts)}.")
        return Merged(self._taken, self._sentences)

    # Details

    def _take_details(self, there: Sequence[Details], others: Set[str | None]) -> None:
        here = {one.revision: one for one in self._present.details}
        last = self._present.details[-1]
        is_shared = all(one == here[one.revision] for one in there if one.revision in here)
        added = [one for one in there if one.revision > last.revision]
        if is_shared and not added:
            return
        if _values(there[-1]) == _values(last):
            return
        if not is_shared or there[0].revision > last.revision:
            self._sentences.append("Its details were changed differently here.")
            return
        needed = _right_to_change(name for name in _DETAILS if getattr(added[-1], name) != getattr(last, name))
        if needed not in self._rights or others & {one.actor for one in added}:
            self._sentences.append("Its details are other ones there, and you may not change them.")
            return
        row = matches.lock(self._connection, self._match_id)
        if row is None or row["revision"] != last.revision:
            self._sentences.append("Its details were changed here meanwhile.")
            return
        if not self._is_dry:
            matches.set_details(self._connection, self._match_id, added[-1].revision, match_details(added[-1]))
            _note_visibility(self._connection, self._match_id, last.visibility, added[-1].visibility)
        self._rows.of["match_details"] += [details_row(self._match_id, one) for one in added]
        self._taken["details"] = {"before": last.revision, "revision": added[-1].revision}

    # Notes

    def _take_annotations(self, document: MatchDocument, others: Set[str | None]) -> None:
        added: list[Annotation] = []
        differing = refused = 0
        for one in document.annotations:
            here = self._present.annotations.get(one.id)
            if here is None:
                is_allowed = Right.ANNOTATE in self._rights and not others & {
                    one.author,
                    *(wording.actor for wording in one.wordings),
                }
                refused += not is_allowed
                added += [one] if is_allowed else []
                continue
            known = {wording.revision: wording for wording in here.wordings}
            last = here.wordings[-1]
            later = [wording for wording in one.wordings if wording.revision > last.revision]
            is_shared = all(wording == known[wording.revision] for wording in one.wordings if wording.revision in known)
            if one.wordings[-1].content == last.content and one.wordings[-1].deleted == last.deleted:
                continue
            if is_shared and not later:
                continue
            if not is_shared or one.wordings[0].revision > last.revision:
                differing += 1
            elif self._may_reword(here) and not others & {wording.actor for wording in later}:
                self._reword(here, later)
            else:
                refused += 1
        ids = {UUID(one.id) for one in added}
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
        if full := self._take_room((not final.deleted) - (not last.deleted), size):
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
        for index, annotation in enumerate(added):
            final = annotation.wordings[-1]
            if not final.deleted and (full := self._take_room(1, notes.size(final.content))):
                self._sentences.append(f"{_left_out(len(added) - index)}: {full}")
                break
            add_annotation(self._rows, self._match_id, annotation)
            self._taken["notes"].append({"id": annotation.id, "before": None, "revision": final.revision})

    def _take_room(self, number: int, size: int) -> str | None:
        """Why there is no room for so many notes and bytes more; if there is, they are counted."""
        self._room = self._room or self._find_room()
        left = [Room(room.number - number, room.bytes - size, room.full) for room in self._room]
        for room in left:
            if (number > 0 and room.number < 0) or (size > 0 and room.bytes < 0):
                return room.full
        self._room = left
        return None

    def _find_room(self) -> Sequence[Room]:
        """The room that is left for notes on the match.

        Who is none of its people may bring no more than one author may write, whoever the authors are elsewhere.
        """
        written = notes.written(self._connection, self._match_id, None)["all"]
        room = [Room(ROOM.number - written.number, ROOM.bytes - written.bytes, TOO_MANY)]
        if Right.EDIT not in self._rights:
            said = [one for one in self._present.annotations.values() if not one.wordings[-1].deleted]
            others = others_here(self._connection, {one.author for one in said})
            sizes = [notes.size(one.wordings[-1].content) for one in said if one.author not in others]
            room.append(Room(ROOM_OF_AUTHOR.number - len(sizes), ROOM_OF_AUTHOR.bytes - sum(sizes), TOO_MANY_BY_ONE))
        return room


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
        if _right_to_change(name for name in _DETAILS if old[name] != row[name]) in rights:
            details = MatchDetails.of(old)
            matches.change_details(connection, match_id, row["revision"] + 1, details, actor)
            _note_visibility(connection, match_id, row["visibility"], details.visibility)
            is_changed = True
    return is_changed


TOO_MANY: Final = f"a match has at most {ROOM.number:,} notes and {ROOM.bytes:,} bytes in them."
TOO_MANY_BY_ONE: Final = (
    f"a match has at most {ROOM_OF_AUTHOR.number:,} notes of one author and {ROOM_OF_AUTHOR.bytes:,} bytes in them."
)


def _left_out(number: int) -> str:
    return "1 note was left out" if number == 1 else f"{number} notes were left out"


def _note_visibility(connection: Connection, match_id: UUID, before: str, after: str) -> None:
    """Tell in the audit trail who sees a match from now on, if that is another visibility than before."""
    if after != before:
        seen = {"before": before, "visibility": after}
        audit.note(
            connection, audit.AuditAction.VISIBILITY_CHANGED, current_principal(), match_id=match_id, details=seen
        )


def _right_to_change(names: Iterable[str]) -> Right:
    """The right that a change of some details takes."""
    return Right.EDIT if _MANAGED.isdisjoint(names) else Right.MANAGE


def _values(details: Details) -> tuple[Any, ...]:
    return tuple(getattr(details, name) for name in _DETAILS)


def _said(content: Mapping[str, Any], author: str | None) -> set[bytes]:
    """The content of a note, without and with the name of its author before it, as an import writes it."""
    text = notation.one_break(content["text"])
    texts = {text} if author is None else {text, f"{author}: {text}"}
    return {orjson.dumps({**content, "text": text}, option=orjson.OPT_SORT_KEYS) for text in texts}


def in_order(annotations: Sequence[Annotation]) -> list[Annotation]:
    """New annotations with their ids in their order, by which they are listed: those of one moment are random."""
    ids = sorted(annotation.id for annotation in annotations)
    return [annotation._replace(id=own) for annotation, own in zip(annotations, ids, strict=True)]


def room_for(annotations: Sequence[Annotation]) -> int:
    """The number of the annotations of a new match for which there is room."""
    number = size = 0
    for index, annotation in enumerate(annotations):
        final = annotation.wordings[-1]
        if not final.deleted:
            number, size = number + 1, size + notes.size(final.content)
        if number > ROOM.number or size > ROOM.bytes:
            return index
    return len(annotations)


def others_here(connection: Connection, actors: Collection[str | None]) -> set[str | None]:
    """Those of some actors in whose name the principal may not write: other accounts of this installation."""
    principal = current_principal()
    if principal.is_owner or principal.is_local:
        return set()
    foreign = {actor for actor in actors if actor is not None and actor != principal.actor}
    return set(exchange.actors_here(connection, foreign))


def add_annotation(rows: Rows, match_id: UUID, annotation: Annotation) -> None:
    """Add the rows of an annotation with all its wordings."""
    annotation_id, final = UUID(annotation.id), annotation.wordings[-1]
    rows.annotation_ids.add(annotation_id)
    rows.of["annotations"].append(
        (
            *(match_id, annotation_id, final.revision, annotation.seq, orjson.dumps(final.content).decode()),
            *(annotation.author, annotation.created_at, final.changed_at, final.deleted, final.hidden),
        )
    )
    rows.of["annotation_changes"] += list(wording_rows(match_id, annotation_id, annotation.wordings))


def wording_rows(match_id: UUID, annotation_id: UUID, wordings: Iterable[Wording]) -> Iterator[tuple[Any, ...]]:
    for one in wordings:
        text = orjson.dumps(one.content).decode()
        yield match_id, annotation_id, one.revision, text, one.deleted, one.hidden, one.actor, one.changed_at


def details_row(match_id: UUID, one: Details) -> tuple[Any, ...]:
    return (
        *(match_id, one.revision, one.played_at, one.venue, list(one.tags), one.withdrawn, one.visibility),
        *(one.rulings_in_statistics, one.actor, one.changed_at),
    )


def match_details(details: Details) -> MatchDetails:
    return MatchDetails(
        datetime.fromisoformat(details.played_at),
        details.venue,
        details.tags,
        details.withdrawn,
        details.visibility,
        rulings_in_statistics=details.rulings_in_statistics,
    )


def content_of(game: AnyGame, note: Note) -> dict[str, Any]:
    """A note as the content of an annotation by who imports it; the name of another author stands before the text."""
    text = note.text if note.author is None else f"{note.author}: {note.text}"
    lines = [line for _, line in notation.lines_of(note.variations)]
    line = [{"seat": entry.seat, "move": game.move.dump(entry.move)} for entry in (lines[0] if lines else ())]
    marks = [{"cell": cell, "kind": kind} for cell, kind in note.marks]
    return {"text": text, "glyph": note.glyph, "marks": marks, "line": line}


def is_content(game: AnyGame, content: Mapping[str, Any]) -> bool:
    """Whether the content of an annotation is of the form that the API takes."""
    try:
        return content.keys() == {"text", "glyph", "marks", "line"} and _is_content(game, **content)
    except (AttributeError, KeyError, TypeError, Malformed):
        return False


def _is_content(game: AnyGame, text: Any, glyph: Any, marks: Any, line: Any) -> bool:
    if not isinstance(marks, list) or not isinstance(line, list):
        return False
    for move in line:
        game.move.parse(move["move"])
    return (
        isinstance(text, str)
        and len(text) <= MAX_TEXT
        and "\0" not in text
        and (glyph is None or glyph in notation.GLYPHS)
        and len(marks) <= MAX_MARKS
        and len(line) <= MAX_LINE
        and all(mark.keys() == {"cell", "kind"} and mark["cell"] in game.spaces for mark in marks)
        and all(isinstance(mark["kind"], str) and KIND_OF_MARK.fullmatch(mark["kind"]) for mark in marks)
        and all(move.keys() == {"seat", "move"} and move["seat"] in game.seats for move in line)
    )
