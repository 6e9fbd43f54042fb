"""Routes: taking files over, undoing that, and who is meant by the names in them."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from itertools import islice
from tempfile import SpooledTemporaryFile
from time import monotonic
from typing import Annotated, Any, Final, NamedTuple, NotRequired, TypedDict
from uuid import UUID

import orjson
from flask import Response
from marshmallow import Schema, fields, validate

from domain import match as history
from domain.forms import FieldError
from domain.game import JsonObject
from domain.match import HistoryError
from service.auth.authentication import current_principal, viewer
from service.context import services
from service.db import exchange, matches, players
from service.db.matches import MatchDetails
from service.db.pool import Connection
from service.exchange import files
from service.exchange.arriving.arrivals import Arrivals
from service.exchange.arriving.batch import Options
from service.exchange.arriving.existing import rights_here
from service.exchange.arriving.merging import put_back
from service.exchange.arriving.people import FilePerson, owner_of_names
from service.exchange.arriving.report import OUTCOMES, ImportItem, Taken
from service.exchange.files import FORMATS, SYSTEMS, Upload
from service.exchange.plays import bgg_ids
from service.http.errors import Problem, document_of, malformed, not_found
from service.http.fields import Id, Name, Paging, QueryInteger, Zone
from service.http.idempotency import Fresh, IdempotentWrite
from service.http.pagination import (
    answer_items,
    answer_list,
    answer_page,
    read_cursor,
    read_position,
    write_position,
)
from service.http.request import MAX_UPLOAD, current_request
from service.http.responses import NDJSON, answer, lines, wants_lines
from service.http.routing import Blueprint
from service.http.shapes import Component, Count, Page, Time
from service.http.shapes import Id as IdShape
from service.identity import as_text, new_id, now
from service.matches.commands import load_locked, write
from service.names import fold_name
from service.permissions import Right, Visibility
from service.stats.facts import keep_facts

MAX_LISTED: Final = 200
"""Matches of a file that one JSON document tells of; as lines all of them are told."""
MAX_WAIT: Final = 10.0
"""Seconds in all for which an import waits for the reader of its lines, besides what the system buffers."""
MAX_KEPT_IN_MEMORY: Final = 1 << 20
"""Bytes of lines that wait for their reader in memory; more are in a file."""
MAX_UNDONE_AT_ONCE: Final = 50
MAX_NAMES: Final = 10_000
"""Names of one account, all of which each of its imports reads."""

blueprint = Blueprint("imports", __name__, url_prefix="/api/v1", description="Matches that come from elsewhere.")


class ImportQuery(Schema):
    """How a file is taken over."""

    dry_run = fields.String(validate=validate.OneOf(["1"]))
    extend = fields.String(validate=validate.OneOf(["1"]))
    format_ = fields.String(data_key="format", validate=validate.OneOf(FORMATS))
    visibility = fields.Enum(Visibility, by_value=True)
    tz = Zone()
    bgg_id = QueryInteger()


class FileName(Schema):
    """Who is meant by a name in files of a kind; without a player it is forgotten."""

    system = fields.String(
        required=True,
        validate=validate.OneOf(sorted(set(SYSTEMS.values()))),
        metadata={"description": "The kind of files."},
    )
    name = Name(required=True)
    player_id = Id(allow_none=True, load_default=None)


class FileNames(Schema):
    """Who is meant by names in files."""

    names = fields.List(fields.Nested(FileName), required=True, validate=validate.Length(1, 200))


class KnownName(TypedDict):
    """A name in files of a kind, and who is meant by it."""

    system: str
    """The kind of files: `carnet`, `bgstats` or `bgg`."""
    name: str
    """The name in small letters."""
    player_id: IdShape
    player: str
    """What the player is called here."""


class Import(TypedDict):
    """What became of a file."""

    id: IdShape | None
    """Null for a dry run."""
    format: str
    """`text`, `json`, `bgstats` or `bgg`."""
    dry_run: bool
    """Whether nothing was stored."""
    complete: bool
    """Whether the whole file was read."""
    counts: Mapping[str, int]
    """The number of its matches by their outcomes."""
    started_at: Time
    """When the file began to be read."""
    finished_at: Time | None
    """When all of it was."""
    undone_at: Time | None
    """When the import was undone."""
    people: NotRequired[list[FilePerson]]
    """The names in the file, and who is meant by them."""
    items: NotRequired[list[ImportItem]]
    """What became of its first 200 matches."""


class ImportLine(TypedDict):
    """A line of what became of a file: a match, or at the end all of it, or why it was not read to its end."""

    item: NotRequired[ImportItem]
    summary: NotRequired[Import]
    problem: NotRequired[Annotated[JsonObject, Component("Problem")]]
    """What was told before it is kept; sent again with its key the request goes on there."""


class Undoing(TypedDict):
    """What was taken back of an import."""

    withdrawn: Count
    """Matches that are hidden now."""
    restored: Count
    """Matches that are as they were before."""
    kept: Count
    """Matches that were changed since and stay as they are."""


class _Course(NamedTuple):
    """An import that is under way."""

    import_id: UUID | None
    file_format: str
    started_at: datetime
    has_begun: bool = False
    """Whether earlier requests with the same key have done some of it."""
    finished_at: datetime | None = None


@blueprint.post(
    "/matches/import",
    Right.RECORD,
    upload=("application/octet-stream", "text/plain", "application/json", NDJSON, "application/xml"),
    max_body=MAX_UPLOAD,
    query=ImportQuery,
    answer=Import,
    lines=ImportLine,
    idempotent=True,
)
def import_matches(query: dict[str, Any], idempotently: IdempotentWrite) -> Response:
    """Take the matches of a file over.

    The file has at most 50 MB and 200,000 matches: match texts, match documents (one a line, each of at most 16 MB and
    a million values), an export of Board Game Stats, or plays of BoardGameGeek as XML. Each match is judged by itself
    and reported. A match that is here already is left as it is, unless it is only longer in the file and `extend` is 1.
    A result that was changed in its program since it was imported is changed here too, unless it was changed here as
    well. `dry_run` says what would come of it. Times without a zone are those of `tz`.

    New matches belong to who imports them, who gets no other right by that; who recorded a document stays as it says,
    but it must not name other accounts of this installation. Notes and details that a document has besides of a match
    that is here are taken over as far as one may change them there, and whatever differs is told. Up to 400 matches
    are kept at a time: a request that broke off goes on where it stopped if it is sent again with its key. As lines the
    report comes while the file is read; where that cannot be read on the last line has the `problem`.
    """
    options = Options(
        is_dry="dry_run" in query,
        extends="extend" in query,
        visibility=query.get("visibility"),
        zone=query.get("tz", services().config.timezone),
    )
    upload = Upload(current_request().stream)
    try:
        files.require_content(upload.file)
        file_format = query.get("format_") or files.format_of(upload.file)
        key = None if options.is_dry else _read_key(idempotently, upload, query)
    except BaseException:
        upload.file.close()
        raise
    made = _import(upload, file_format, key, options, bgg_ids(query.get("bgg_id")), idempotently)
    if wants_lines():
        return lines(lambda: _without_waiting(_to_the_end(made)))
    items: list[ImportItem] = []
    summary: Import | None = None
    for line in made:
        if "item" in line and len(items) < MAX_LISTED:
            items.append(line["item"])
        summary = line.get("summary", summary)
    assert summary is not None
    return answer({**summary, "items": items})


class _Key(NamedTuple):
    """The idempotency key of an import."""

    name: str
    request_digest: str
    """A digest of the file and of how it is to be taken over. Until 2026-11 it was that of the file alone."""


def _read_key(idempotently: IdempotentWrite, upload: Upload, query: Mapping[str, Any]) -> _Key | None:
    name = idempotently.read_name()
    if name is None:
        return None
    asked = (f"{member}={value}" for member, value in sorted(query.items()))
    return _Key(name, sha256("\n".join((upload.digest, *asked)).encode()).hexdigest())


def _to_the_end(made: Iterator[ImportLine]) -> Iterator[ImportLine]:
    """The lines of an import; an error behind the first of them becomes the last one."""
    has_begun = False
    try:
        for line in made:
            yield line
            has_begun = True
    except Exception as error:
        if not has_begun:
            raise
        yield {"problem": document_of(error)}


def _without_waiting(made: Iterator[ImportLine]) -> Iterator[ImportLine]:
    """The lines of an import, which holds a connection; if their reader is slow, those that are left come after it."""
    waited = 0.0
    with SpooledTemporaryFile(MAX_KEPT_IN_MEMORY) as left:
        for line in made:
            if waited >= MAX_WAIT:
                left.write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
                continue
            since = monotonic()
            yield line
            waited += monotonic() - since
        left.seek(0)
        yield from map(orjson.loads, left)


def _import(
    upload: Upload,
    file_format: str,
    key: _Key | None,
    options: Options,
    bgg_ids: Mapping[str, int],
    idempotently: IdempotentWrite,
) -> Iterator[ImportLine]:
    """Take a file over, with a line for each of its matches and one for all."""
    games = {bgg_id: game for game, bgg_id in bgg_ids.items()}
    owner = str(owner_of_names())
    with upload, services().database.statements() as connection:
        if not exchange.try_begin(connection, owner):
            detail = "Another import of yours is under way; wait until it has ended."
            raise Problem("too-many-requests", detail, {"Retry-After": "10"})
        try:
            course = _begin(connection, upload, file_format, key, options)
            idempotently.is_replayed = course.finished_at is not None
            import_id = course.import_id or new_id()
            arrivals = Arrivals(connection, import_id, SYSTEMS[file_format], options)
            for item in exchange.all_items(connection, import_id) if course.has_begun else ():
                arrivals.pass_over(item.outcome)
                yield {"item": orjson.loads(item.report)}
            if course.finished_at is None:
                found = files.sources(upload.file, file_format, games)
                for batch in files.in_batches(found, arrivals.number):
                    for item_report in arrivals.take(batch):
                        yield {"item": item_report}
                if course.import_id is not None:
                    exchange.note_counts(connection, course.import_id, arrivals.counts, is_finished=True)
            yield {"summary": _summary(course, arrivals, options)}
        finally:
            exchange.end(connection, owner)


def _begin(connection: Connection, upload: Upload, file_format: str, key: _Key | None, options: Options) -> _Course:
    moment = now()
    if options.is_dry:
        return _Course(None, file_format, moment)
    account_id = current_principal().account_id
    row = None if key is None else exchange.find_by_key(connection, account_id, key.name)
    if key is None or row is None:
        import_id = new_id()
        digest, name = (upload.digest, None) if key is None else (key.request_digest, key.name)
        exchange.begin(connection, import_id, account_id, file_format, digest, name)
        return _Course(import_id, file_format, moment)
    if row["digest"] not in {key.request_digest, upload.digest}:
        raise Problem("key-reused", "This Idempotency-Key was used for another request before.")
    return _Course(row["import_id"], row["format"], row["started_at"], True, row["finished_at"])


def _summary(course: _Course, arrivals: Arrivals, options: Options) -> Import:
    return {
        "id": None if course.import_id is None else str(course.import_id),
        "format": course.file_format,
        "dry_run": options.is_dry,
        "complete": True,
        "counts": arrivals.counts,
        "started_at": as_text(course.started_at),
        "finished_at": as_text(course.finished_at or now()),
        "undone_at": None,
        "people": list(arrivals.people.listed.values()),
    }


@blueprint.get("/imports", Right.RECORD, query=Paging, answer=Page[Import], lines=Import)
def list_imports(query: dict[str, Any]) -> Response:
    """One's own imports, the newest first.

    Each tells how many matches of its file became what.
    """
    after = read_cursor(query.get("cursor"), as_time=True)
    listing = exchange.listing(current_principal().account_id, after)
    return answer_list(listing, query["limit"], _import_document, lambda row: (row["started_at"], row["import_id"]))


@blueprint.get("/imports/<uuid:import_id>", Right.RECORD, answer=Import)
def get_import(import_id: UUID) -> Response:
    """An import.

    It tells what became of the first 200 matches of its file; `items` are all of them.
    """
    with services().database.transaction() as connection:
        row = _require_import(connection, import_id)
        found = exchange.items(connection, import_id, 0, MAX_LISTED)
    return answer({**_import_document(row), "items": [orjson.loads(item.report) for item in found]})


@blueprint.get("/imports/<uuid:import_id>/items", Right.RECORD, query=Paging, answer=Page[ImportItem])
def list_import_items(query: dict[str, Any], import_id: UUID) -> Response:
    """What became of the matches of a file, in its order.

    As far as the file was read.
    """
    first, limit = read_position(query.get("cursor")), query["limit"]
    with services().database.transaction() as connection:
        _require_import(connection, import_id)
        found = () if wants_lines() else exchange.items(connection, import_id, first, limit + 1)
    if wants_lines():
        told = exchange.stream_items(services().database, import_id)
        return lines(lambda: (orjson.loads(item.report) for item in told))
    items = [orjson.loads(item.report) for item in found]
    return answer_page(items, limit, lambda: write_position(first + limit))


@blueprint.post(
    "/imports/<uuid:import_id>/undo", Right.RECORD, answer=Undoing, idempotent=True, problems=("already-so",)
)
def undo_import(import_id: UUID, idempotently: IdempotentWrite) -> Response:
    """Take a whole import back.

    Its new matches are withdrawn, which can be taken back for each of them; matches that it has prolonged or changed
    are as before, and notes that it brought to them are deleted. What was changed since stays as it is, with all moves
    of a match that has gone on, and so does what one may no longer change.
    """
    touched: list[UUID] = []

    def act(connection: Connection) -> Fresh[None]:
        counts = {"withdrawn": 0, "restored": 0, "kept": 0}
        with connection.transaction():
            row = _require_import(connection, import_id)
            if row["undone_at"] is not None:
                raise Problem("already-so", "This import was undone before.")
        items = (item for item in exchange.all_items(connection, import_id) if item.match_id is not None)
        while part := list(islice(items, MAX_UNDONE_AT_ONCE)):
            with connection.transaction():
                for item in part:
                    counts[_undo(connection, item)] += 1
            touched.extend(item.match_id for item in part if item.match_id is not None)
        exchange.note_undone(connection, import_id)  # at last, so that what was broken off can be sent again
        return Fresh(None, counts)

    outcome = idempotently(act, in_transaction=False)
    for match_id in touched:
        services().notifier.notify(match_id)
    return answer(outcome.stored)


def _undo(connection: Connection, item: exchange.Item) -> str:
    """Undo what an import did to one match; return what became of that."""
    assert item.match_id is not None
    row = matches.lock(connection, item.match_id)
    known = exchange.by_id(connection, [item.match_id], viewer()).get(item.match_id)
    if row is None or row["withdrawn"] or known is None:
        return "kept"
    rights = rights_here(known) if known.reads else frozenset()
    if item.outcome != "new":
        return "restored" if _undo_changes(connection, item, row, rights) else "kept"
    if Right.MANAGE not in rights:
        return "kept"
    timeline = load_locked(connection, row).timeline
    withdrawn = replace(MatchDetails.of(row), withdrawn=True)
    matches.change_details(connection, item.match_id, row["revision"] + 1, withdrawn, current_principal().actor)
    keep_facts(connection, item.match_id, timeline)
    return "withdrawn"


def _undo_changes(
    connection: Connection, item: exchange.Item, row: Mapping[str, Any], rights: Collection[Right]
) -> bool:
    """Undo what an import did to a locked match that was here, as far as one may and nothing was recorded since."""
    assert item.match_id is not None
    report, before = orjson.loads(item.report), item.version_before
    taken: Taken | None = report.get("taken")
    is_restored = taken is not None and put_back(connection, row, taken, rights)
    if taken is not None and taken["details"] is not None:
        keep_facts(connection, item.match_id, load_locked(connection, row).timeline)
    if before in {None, row["version"]} or row["version"] != report.get("version") or Right.RECORD not in rights:
        return is_restored
    try:
        write(connection, item.match_id, None, lambda present: history.restore(present, before))
    except (HistoryError, Problem):
        return is_restored
    return True


@blueprint.get("/imports/names", Right.RECORD, query=Paging, answer=Page[KnownName], lines=KnownName)
def list_file_names(query: dict[str, Any]) -> Response:
    """Who is meant by names in files.

    One has said it before; other names are looked up as for a new match.
    """
    with services().database.transaction() as connection:
        rows = exchange.names(connection, owner_of_names())
    found = [{**row, "player_id": str(row["player_id"])} for row in rows]
    return answer_items(found, query)


@blueprint.put("/imports/names", Right.RECORD, body=FileNames, status=204)
def map_file_names(body: dict[str, Any]) -> None:
    """Say who is meant by names in files.

    It is remembered for all later files of the kind, of at most 10,000 names. A name without a player is forgotten.
    """
    with services().database.transaction() as connection:
        for index, entry in enumerate(body["names"]):
            if entry["player_id"] is not None:
                row = players.find_known(connection, entry["player_id"], viewer())
                if row is None:
                    raise malformed([FieldError(f"/names/{index}/player_id", "is nobody whom you know")])
            name = fold_name(entry["name"])
            exchange.keep_name(connection, owner_of_names(), entry["system"], name, entry["player_id"])
        if exchange.count_names(connection, owner_of_names()) > MAX_NAMES:
            raise malformed([FieldError("/names", f"are too many: an account has at most {MAX_NAMES:,}")])


def _require_import(connection: Connection, import_id: UUID) -> Mapping[str, Any]:
    row = exchange.find(connection, current_principal().account_id, import_id)
    if row is None:
        raise not_found("import")
    return row


def _import_document(row: Mapping[str, Any]) -> Import:
    return {
        "id": str(row["import_id"]),
        "format": row["format"],
        "dry_run": False,
        "complete": row["finished_at"] is not None,
        "counts": {outcome: row["counts"].get(outcome, 0) for outcome in OUTCOMES},
        "started_at": as_text(row["started_at"]),
        "finished_at": None if row["finished_at"] is None else as_text(row["finished_at"]),
        "undone_at": None if row["undone_at"] is None else as_text(row["undone_at"]),
    }
