"""The match document: one match with its whole log, as JSON that comes back byte for byte.

`read` makes a record of JSON and knows nothing of positions, `check` verifies and folds the log, `write` gives the
canonical form. Many matches are one document a line (NDJSON). `docs/notation.md` describes the members.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from operator import itemgetter
from typing import Any, Final, NamedTuple, TypeAlias

from domain.canonical import canonical
from domain.forms import FieldError, Form, JsonObject, Malformed
from domain.game import AnyGame, EditionLookup, dump_result
from domain.match import events
from domain.match.errors import MoveUnplayable
from domain.match.events import EVENT_FORMAT, Event, EventKind, LogBroken
from domain.match.judging import first_refused
from domain.match.timeline import Playback, Timeline, fold
from domain.moments import is_recorded

FORMAT: Final = "carnet-match"
VERSION: Final = 1
MEDIA_TYPE: Final = "application/vnd.carnet+json"
MAX_BYTES: Final = 16_000_000
"""Bytes of a document on its line: 20,000 moves with times and 1,000 notes take 12 million."""
MAX_VALUES: Final = 1_000_000
"""Values of a document, of which 20,000 moves have 350,000. Without a limit nonsense took 44 bytes of memory a byte."""
LEAST_BYTES: Final = 20
"""Bytes that the format alone takes."""
MAX_EVENTS: Final = 100_000
MAX_ENTRIES: Final = 100_000
"""Annotations, wordings, people and so on of a match."""
MAX_REVISION: Final = 100_000_000
"""Of details and wordings, so that there is room for later ones in 32 bits and in the nine digits of a tag."""
MAX_TEXT: Final = 4000
MAX_NAME: Final = 80
MAX_PLAYED: Final = 50_000
"""Moves of earlier versions that are played again to see that they can be."""

_ID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_HASH: Final = re.compile(r"[0-9a-f]{64}")


class Person(NamedTuple):
    """A player or a writer, with the name that they have now; None for one who is anonymous."""

    id: str
    name: str | None


class Source(NamedTuple):
    """The identity of a match elsewhere, such as in the program from which it was imported."""

    source: str
    id: str


class Entered(NamedTuple):
    """When the move of an event was entered, where that was earlier than when it was recorded."""

    seq: int
    at: str


class Reason(NamedTuple):
    """The reason of the ruling of an event, with the salt of its digest."""

    seq: int
    salt: str
    reason: str


class Details(NamedTuple):
    """The details of a match as one revision left them."""

    revision: int
    played_at: str
    venue: str | None
    tags: tuple[str, ...]
    withdrawn: bool
    visibility: str
    rulings_in_statistics: str
    actor: str | None
    changed_at: str


class Wording(NamedTuple):
    """What an annotation said at one revision."""

    revision: int
    content: JsonObject
    """`text`, `glyph`, `marks` and `line`, as in the API."""
    deleted: bool
    hidden: bool
    actor: str | None
    changed_at: str


class Annotation(NamedTuple):
    """A note on the move of an event, with all its wordings; the last one holds."""

    id: str
    seq: int
    author: str | None
    created_at: str
    wordings: tuple[Wording, ...]


@dataclass(frozen=True, slots=True)
class MatchDocument:
    """One match with everything that is known of it."""

    id: str
    game: AnyGame
    created_at: str
    owner: str | None
    events: tuple[Event, ...]
    head: JsonObject
    """What the log comes to, as `head_of` says it."""
    details: tuple[Details, ...]
    """All revisions; the last one holds."""
    people: tuple[Person, ...]
    """Those who play or have played in it."""
    writers: tuple[Person, ...] = ()
    """Those who recorded it, changed its details or wrote annotations."""
    editions: tuple[JsonObject, ...] = ()
    """The documents of editions of the log that are not built in."""
    reasons: tuple[Reason, ...] = ()
    annotations: tuple[Annotation, ...] = ()
    sources: tuple[Source, ...] = ()
    entered: tuple[Entered, ...] = ()
    """By event; most matches have none."""


class DocumentError(Exception):
    """What is wrong with one document of a file: its line, counted from 1, and all members that are wrong.

    `seq` is the event with which the log goes wrong, if the document is well-formed.
    """

    def __init__(self, line: int, errors: Sequence[FieldError], seq: int | None = None) -> None:
        super().__init__("; ".join(f"{error.pointer or '/'}: {error.detail}" for error in errors))
        self.line = line
        self.errors = tuple(errors)
        self.seq = seq


Read: TypeAlias = "MatchDocument | DocumentError"


def head_of(timeline: Timeline) -> JsonObject:
    """What a log comes to: its version, the number of plies, the status and the result."""
    return {
        "version": timeline.version,
        "ply": timeline.ply,
        "status": str(timeline.status),
        "result": dump_result(timeline.result),
    }


# Checking


class Checked(NamedTuple):
    """A document whose log was verified and folded."""

    timeline: Timeline
    editions: Mapping[str, Any]
    """The editions that came with the document, by their ids."""


def check(document: MatchDocument, editions: EditionLookup) -> Checked:
    """Verify the chain of a document, fold its log and compare what comes of it; raise `LogBroken` or `Malformed`.

    `editions` are those that are known; others are taken from the document. A log that was begun under the present
    rules must have moves that these allow.
    """
    brought = _load_editions(document)
    known = _Editions(editions, brought)
    events.verify(document.events, known)
    _verify_reasons(document)
    try:
        timeline = fold(document.game, known, document.events)
        _require_playable(timeline)
    except MoveUnplayable as error:
        raise LogBroken(error.seq, "its move cannot be played") from None
    if (head := head_of(timeline)) != document.head:
        different = ", ".join(name for name in head if document.head.get(name) != head[name]) or "another member"
        raise LogBroken(timeline.version, f"the document says otherwise how the match stands after it: {different}")
    _require_people(document)
    _require_entered(document)
    return Checked(timeline, brought)


class _Editions:
    """Editions that are known, and behind them others."""

    def __init__(self, known: EditionLookup, others: Mapping[str, Any]) -> None:
        self._known = known
        self._others = others

    def __getitem__(self, edition_id: str) -> Any:
        try:
            return self._known[edition_id]
        except LookupError:
            return self._others[edition_id]


def _load_editions(document: MatchDocument) -> dict[str, Any]:
    loaded: dict[str, Any] = {}
    for index, edition in enumerate(document.editions):
        try:
            made = document.game.editions.load(edition)
        except Malformed as error:
            prefix = f"/editions/{index}"
            raise Malformed([FieldError(prefix + wrong.pointer, wrong.detail) for wrong in error.errors]) from None
        loaded[made.id] = made
    return loaded


_RULING: Final = '"ruling":{'
"""Occurs in the canonical form of every payload with a ruling."""


def _verify_reasons(document: MatchDocument) -> None:
    """Compare the reasons of rulings with the digests in the log."""
    digests = {}
    for event in document.events:
        ruling = event.payload.get("ruling") if _RULING in event.text else None
        if isinstance(ruling, dict):
            digests[event.seq] = ruling.get("reason")
    reasons = {reason.seq: reason for reason in document.reasons}
    for seq in sorted(digests.keys() | reasons.keys()):
        if seq not in reasons:
            raise LogBroken(seq, "the reason of its ruling is missing")
        if seq not in digests:
            raise LogBroken(seq, "there is a reason, but no ruling")
        if events.reason_digest(reasons[seq].salt, reasons[seq].reason) != digests[seq]:
            raise LogBroken(seq, "the reason of its ruling is not the one that was recorded")


def _require_playable(timeline: Timeline) -> None:
    """Require that the rules allow the moves of the match, and can play those of its earlier versions."""
    if not timeline.is_of_present_rules:
        return
    refused = first_refused(timeline)
    if refused is not None:
        frame, refusal = refused
        assert frame.seq is not None
        raise LogBroken(frame.seq, f"the rules refuse its move: {refusal}")
    if not timeline.past.runs:
        return
    playback, left = Playback(timeline), MAX_PLAYED
    for outline in reversed(timeline.past.runs):
        left -= playback.effort(outline, outline.line.ply)
        if left < 0:
            return
        playback.play(outline, outline.line.ply)


_SEATING: Final = frozenset(map(str, (EventKind.MATCH_CREATED, EventKind.PLAYERS_ASSIGNED)))


def _require_people(document: MatchDocument) -> None:
    missing = seated_in(document) - {person.id for person in document.people}
    if missing:
        raise Malformed([FieldError("/people", f"must have {min(missing)}, who plays")])


def seated_in(document: MatchDocument) -> set[str]:
    """The ids of all who play or have played in a match."""
    return {
        player["player_id"]
        for event in document.events
        if event.kind in _SEATING
        for player in event.payload["players"]
    }


def _require_entered(document: MatchDocument) -> None:
    seqs = [entered.seq for entered in document.entered]
    if seqs != sorted(set(seqs)) or (seqs and seqs[-1] > len(document.events)):
        raise Malformed([FieldError("/entered", "must name events of the log, each once and in order")])


# Reading


_TOO_SHORT: Final = (FieldError("", "is no match document"),)


def read_documents(
    blocks: Iterable[bytes], games: Mapping[str, AnyGame], loads: Callable[[bytes], Any] = json.loads
) -> Iterator[Read]:
    """The documents of a file in blocks of any size, one a line; errors in place of wrong ones.

    At most one document is in memory. `loads` reads JSON and raises ValueError.
    """
    for number, line in _lines(blocks):
        if len(line) < LEAST_BYTES:  # so that millions of lines of a few bytes take little time
            if line.strip():
                yield DocumentError(number, _TOO_SHORT)
        elif line.strip():
            try:
                yield read_line(line, games, loads)
            except Malformed as error:
                yield DocumentError(number, error.errors)


def read_line(line: bytes, games: Mapping[str, AnyGame], loads: Callable[[bytes], Any] = json.loads) -> MatchDocument:
    """The document of a line; raise `Malformed`."""
    if len(line) > MAX_BYTES:
        raise Malformed([FieldError("", f"must have at most {MAX_BYTES:,} bytes")])
    if len(line) > MAX_VALUES and sum(map(line.count, (b",", b"{", b"["))) > MAX_VALUES:  # also those in texts
        raise Malformed([FieldError("", f"must have at most {MAX_VALUES:,} values")])
    try:
        return read(loads(line), games)
    except RecursionError:
        raise Malformed([FieldError("", "is nested too deep")]) from None
    except ValueError as error:
        raise Malformed([FieldError("", f"is not JSON: {error}"[:200])]) from None


def _lines(blocks: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """Lines, counted from 1; of one that is too long only so much that it shows."""
    number, parts, size = 1, list[bytes](), 0
    for block in blocks:
        pieces = block.split(b"\n")
        for index, piece in enumerate(pieces, start=1):
            if size <= MAX_BYTES:
                parts.append(piece)
                size += len(piece)
            if index < len(pieces):
                yield number, b"".join(parts)
                number, parts, size = number + 1, [], 0
    if parts:
        yield number, b"".join(parts)


def read(json_form: object, games: Mapping[str, AnyGame]) -> MatchDocument:
    """Read a document; raise `Malformed`. Whether its log is whole is for `check` to say."""
    form = Form(json_form)
    form.word("format", [FORMAT])
    form.integer("version", [VERSION])
    form.require()
    game = form.choice("game", games)
    match_id = _id(form, "id")
    document = MatchDocument(
        match_id,
        game,
        _moment(form, "created_at"),
        _maybe(form, "owner", _id),
        _read_events(form, match_id),
        _object(form, "head"),
        _list(form, "details", _read_details),
        _list(form, "people", _read_person),
        _list(form, "writers", _read_person),
        tuple(_objects(form, "editions")),
        _list(form, "reasons", _read_reason),
        _list(form, "annotations", _read_annotation),
        _list(form, "sources", _read_source),
        _list(form, "entered", _read_entered) if form.has("entered") else (),
    )
    if not document.details:
        form.note("details", "must have one revision at least")
    form.finish()
    return document


def _read_events(form: Form, match_id: str) -> tuple[Event, ...]:
    entries = tuple(form.list("events", 1, MAX_EVENTS))
    events = _well_formed([entry.json for entry in entries], match_id)
    return tuple(_read_event(entry.form(), match_id) for entry in entries) if events is None else events


_EVENT_MEMBERS: Final = ("seq", "kind", "payload", "actor", "recorded_at", "prev_hash", "hash", "v")
_members_of: Final = itemgetter(*_EVENT_MEMBERS)
_VERSIONS: Final = frozenset(range(1, EVENT_FORMAT + 1))


def _well_formed(entries: Sequence[Any], match_id: str) -> tuple[Event, ...] | None:
    """The events of a log in which none is wrong, otherwise None.

    Each member is looked at in all of them at once: 3 µs of 5 an event (logs of Paris, 2026-11).
    """
    try:
        seqs, kinds, payloads, actors, times, befores, hashes, versions = zip(*map(_members_of, entries), strict=True)
        is_right = (
            {*map(len, entries)} == {len(_EVENT_MEMBERS)}
            and {*map(type, seqs + versions)} == {int}
            and {*versions} <= _VERSIONS
            and {*kinds} <= _KINDS
            and {*map(type, payloads)} == {dict}
            and all(actor is None or _fits(_ID, actor) for actor in {*actors})
            and all(map(is_recorded, {*times}))
            and _are_hashes(hashes)
            and (befores == (None, *hashes[:-1]) or all(before is None or _fits(_HASH, before) for before in befores))
        )
        texts = map(_text_of, payloads)
        columns = (seqs, kinds, texts, actors, times, befores, hashes, versions)
        return tuple(map(Event, repeat(match_id), *columns)) if is_right else None
    except (LookupError, TypeError, ValueError):
        return None


def _are_hashes(texts: Sequence[str]) -> bool:
    """Whether all are SHA-256 digests in lower case; raise ValueError or TypeError for what is not hexadecimal."""
    joined = "".join(texts)
    return {*map(len, texts)} == {64} and bytes.fromhex(joined).hex() == joined


def _text_of(payload: JsonObject) -> str:
    """The canonical form of a payload; of one that was read before it is at hand. 3 of 4 µs an event."""
    literal = repr(payload)
    text = _TEXTS.get(literal)
    if text is None:
        text = canonical(payload)
        if len(literal) <= MAX_KEPT:
            if len(_TEXTS) >= MAX_TEXTS:
                _TEXTS.clear()
            _TEXTS[literal] = text
    return text


_TEXTS: Final[dict[str, str]] = {}
MAX_TEXTS: Final = 2**13
MAX_KEPT: Final = 1000
"""Payloads of which the canonical form is kept, and how long they are at most."""
_KINDS: Final = frozenset(map(str, EventKind))


def _read_event(form: Form, match_id: str) -> Event:
    version = form.integer("v", range(1, EVENT_FORMAT + 1))
    seq, kind = form.integer("seq", range(1, MAX_EVENTS + 1)), form.word("kind", list(EventKind))
    text = canonical(_object(form, "payload"))
    actor, at = _maybe(form, "actor", _id), _moment(form, "recorded_at")
    before, own = _maybe(form, "prev_hash", _hash), _hash(form, "hash")
    form.close()
    return Event(match_id, seq, kind, text, actor, at, before, own, version)


def _read_details(form: Form) -> Details:
    return Details(
        form.integer("revision", range(MAX_REVISION + 1)),
        _moment(form, "played_at"),
        _maybe(form, "venue", _name),
        tuple(_texts(form, "tags")),
        form.boolean("withdrawn"),
        form.text("visibility", MAX_NAME),
        form.text("rulings_in_statistics", MAX_NAME),
        _maybe(form, "actor", _id),
        _moment(form, "changed_at"),
    )


def _read_person(form: Form) -> Person:
    return Person(_id(form, "id"), _maybe(form, "name", _name))


def _read_reason(form: Form) -> Reason:
    seq = form.integer("seq", range(1, MAX_EVENTS + 1))
    return Reason(seq, form.text("salt", MAX_NAME), _text(form, "reason"))


def _read_source(form: Form) -> Source:
    return Source(form.text("source", MAX_NAME), form.text("id", MAX_NAME))


def _read_entered(form: Form) -> Entered:
    return Entered(form.integer("seq", range(1, MAX_EVENTS + 1)), _moment(form, "at"))


def _read_annotation(form: Form) -> Annotation:
    annotation = Annotation(
        _id(form, "id"),
        form.integer("seq", range(1, MAX_EVENTS + 1)),
        _maybe(form, "author", _id),
        _moment(form, "created_at"),
        _list(form, "wordings", _read_wording),
    )
    if not annotation.wordings:
        form.note("wordings", "must have one revision at least")
    return annotation


def _read_wording(form: Form) -> Wording:
    return Wording(
        form.integer("revision", range(MAX_REVISION + 1)),
        _object(form, "content"),
        form.boolean("deleted"),
        form.boolean("hidden"),
        _maybe(form, "actor", _id),
        _moment(form, "changed_at"),
    )


def _list(form: Form, member: str, read_entry: Callable[[Form], Any]) -> tuple[Any, ...]:
    found = []
    for entry in form.list(member, 0, MAX_ENTRIES):
        entry_form = entry.form()
        found.append(read_entry(entry_form))
        entry_form.close()
    return tuple(found)


def _objects(form: Form, member: str) -> Iterator[JsonObject]:
    for entry in form.list(member, 0, MAX_ENTRIES):
        if not isinstance(entry.json, dict):
            entry.note("must be an object")
        elif complaint := _complaint(entry.json):
            entry.note(complaint)
        else:
            yield entry.json


def _texts(form: Form, member: str) -> Iterator[str]:
    for entry in form.list(member, 0, MAX_ENTRIES):
        if isinstance(entry.json, str) and _is_clean(entry.json) and 0 < len(entry.json) <= MAX_NAME:
            yield entry.json
        else:
            entry.note(f"must be a text of 1 to {MAX_NAME} characters")


def _object(form: Form, member: str) -> JsonObject:
    value = form.anything(member)
    if isinstance(value, dict) and not (complaint := _complaint(value)):
        return value
    if form.has(member):
        form.note(member, complaint if isinstance(value, dict) else "must be an object")
    return {}


def _complaint(value: object) -> str:
    """Why a value cannot be written again; nothing if it can."""
    try:
        canonical(value)
    except ValueError as error:
        return str(error)
    return ""


def _maybe(form: Form, member: str, read_member: Callable[[Form, str], str]) -> str | None:
    """A text, or null."""
    if form.has(member) and form.anything(member) is None:
        return None
    return read_member(form, member)


def _id(form: Form, member: str) -> str:
    return _matching(form, member, lambda value: _fits(_ID, value), "must be a UUID in small letters")


def _hash(form: Form, member: str) -> str:
    return _matching(form, member, lambda value: _fits(_HASH, value), "must be a SHA-256 in small letters")


def _moment(form: Form, member: str) -> str:
    return _matching(form, member, is_recorded, "must be a time such as 2026-11-14T19:30:00.000000Z")


def _name(form: Form, member: str) -> str:
    return form.text(member, MAX_NAME)


def _text(form: Form, member: str) -> str:
    """A text that may be empty."""
    detail = f"must be a text of at most {MAX_TEXT} characters"
    return _matching(form, member, lambda value: _is_clean(value) and len(value) <= MAX_TEXT, detail)


def _matching(form: Form, member: str, is_right: Callable[[str], bool], detail: str) -> str:
    value = form.anything(member)
    if isinstance(value, str) and is_right(value):
        return value
    if form.has(member):
        form.note(member, detail)
    return ""


def _fits(pattern: re.Pattern[str], value: object) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def _is_clean(text: str) -> bool:
    """Whether a text can be stored: it has no NUL and no half of a pair of surrogates."""
    return "\0" not in text and (text.isascii() or not any("\ud800" <= sign <= "\udfff" for sign in text))


# Writing


def write(document: MatchDocument) -> str:
    """The canonical form of a document: one line, and the same one for the same match.

    The payloads of events are canonical already and are not read again for it.
    """
    members: dict[str, str] = {
        "annotations": canonical([_annotation(annotation) for annotation in document.annotations]),
        "created_at": canonical(document.created_at),
        "details": canonical([details._asdict() for details in document.details]),
        "editions": canonical(list(document.editions)),
        **({"entered": canonical([entered._asdict() for entered in document.entered])} if document.entered else {}),
        "events": f"[{','.join(map(_event, document.events))}]",
        "format": canonical(FORMAT),
        "game": canonical(document.game.id),
        "head": canonical(document.head),
        "id": canonical(document.id),
        "owner": canonical(document.owner),
        "people": canonical([person._asdict() for person in document.people]),
        "reasons": canonical([reason._asdict() for reason in document.reasons]),
        "sources": canonical([source._asdict() for source in document.sources]),
        "version": canonical(VERSION),
        "writers": canonical([person._asdict() for person in document.writers]),
    }
    return f"{{{','.join(f'{canonical(name)}:{text}' for name, text in members.items())}}}"


def _annotation(annotation: Annotation) -> JsonObject:
    return {**annotation._asdict(), "wordings": [wording._asdict() for wording in annotation.wordings]}


def _event(event: Event) -> str:
    _, seq, kind, payload, actor, recorded_at, before, own, version = event
    prev_hash = "null" if before is None else f'"{before}"'
    return (
        f'{{"actor":{canonical(actor)},"hash":"{own}","kind":"{kind}","payload":{payload},'
        f'"prev_hash":{prev_hash},"recorded_at":"{recorded_at}","seq":{seq},"v":{version}}}'
    )
