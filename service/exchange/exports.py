"""Routes: matches in the forms in which they leave."""

import base64
import binascii
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from functools import partial
from hashlib import blake2b
from itertools import chain, islice
from typing import Any, Final, TypeAlias, TypedDict, TypeVar
from uuid import UUID

from flask import Response, request, stream_with_context
from marshmallow import Schema, fields, validate

from domain.forms import FieldError
from service.auth.authentication import current_principal, viewer
from service.context import services
from service.db import leaving
from service.db.pool import Connection
from service.exchange import bgg, bgstats, replay_file
from service.exchange.leaving import document_lines, in_parts, results, texts, tombstones
from service.exchange.plays import bgg_ids
from service.http.errors import malformed
from service.http.fields import QueryInteger, QueryLanguage, QueryText
from service.http.responses import CSV, HTML, NDJSON, REVALIDATED, answer
from service.http.routing import Blueprint
from service.identity import as_text, now
from service.matches.queries import present, require_match
from service.matches.routes import match_filters
from service.matches.schemas import Selection
from service.permissions import Right

SOURCE: Final = "Carnet"
CURSOR: Final = "Carnet-Cursor"
TEXT_TYPE: Final = "text/plain; charset=utf-8"
ENDINGS: Final[Mapping[str, tuple[str, str]]] = {
    "text": ("carnet", TEXT_TYPE),
    "json": ("ndjson", NDJSON),
    "bgsplay": ("bgsplay", "application/json"),
    "csv": ("csv", f"{CSV}; charset=utf-8; header=present"),
}
"""The endings and media types of files by their format."""
ONE_MATCH: Final[Mapping[str, tuple[str, str]]] = {**ENDINGS, "html": ("html", f"{HTML}; charset=utf-8")}
"""Of one match alone there is a replay, too."""
FILE_TYPES: Final = ("application/json", "text/plain", CSV)

_Rows: TypeAlias = Sequence[Mapping[str, Any]]
_OpenConnection: TypeAlias = Callable[[], AbstractContextManager[Connection]]
_Made = TypeVar("_Made")

blueprint = Blueprint("exports", __name__, url_prefix="/api/v1", description="Matches that leave.")


class OneExportQuery(Schema):
    """The form in which a match leaves."""

    format_ = fields.String(data_key="format", load_default="json", validate=validate.OneOf(list(ONE_MATCH)))
    times = fields.String(validate=validate.OneOf(["1"]))
    bgg_id = QueryInteger()
    lang = QueryLanguage()


class PlayLinkQuery(Schema):
    """The number of the game in other programs."""

    bgg_id = QueryInteger()


class ExportQuery(Selection):
    """The form in which matches leave, and which of them."""

    format_ = fields.String(data_key="format", load_default="json", validate=validate.OneOf(list(ENDINGS)))
    times = fields.String(validate=validate.OneOf(["1"]))
    bgg_id = QueryInteger()
    changed_since = QueryText(data_key="since")


class PlayLink(TypedDict):
    """An address that adds a finished match to the plays of another program."""

    url: str
    """The address."""


@blueprint.get(
    "/matches/<uuid:match_id>/export",
    Right.READ,
    query=OneExportQuery,
    media_type="application/json",
    forms=(*FILE_TYPES[1:], HTML),
    etag=True,
)
def export_match(query: dict[str, Any], match_id: UUID) -> Response:
    """One match as a file.

    `text` is what was played, for people and programs; `json` the whole log with its hashes, as an import takes it back
    byte for byte; `bgsplay` and `csv` the result for other programs; `html` a replay that opens in a browser without a
    network, in all languages. `times=1` adds to a text when moves were entered.
    Those who do not manage the match get neither earlier details nor earlier or hidden wordings of notes.
    """
    with services().database.snapshot() as connection:
        if query["format_"] == "html":
            return _export_replay(connection, match_id)
        version = require_match(connection, match_id)["version"]
        rows = leaving.rows(connection, [match_id], viewer(), is_owner=current_principal().is_owner)
        if query["format_"] in {"bgsplay", "csv"}:
            _require_result(rows, "/format", "is of results, and the match has not ended")
        body = b"".join(_written([rows], lambda: nullcontext(connection), query))
    name = f"{match_id}.{'json' if query['format_'] == 'json' else ENDINGS[query['format_']][0]}"
    media_type = "application/json" if query["format_"] == "json" else ENDINGS[query["format_"]][1]
    return _file(body, name, media_type, version)


@blueprint.get("/matches/<uuid:match_id>/export/play-link", Right.READ, query=PlayLinkQuery, answer=PlayLink, etag=True)
def get_play_link(query: dict[str, Any], match_id: UUID) -> Response:
    """The address that adds a finished match to Board Game Stats.

    That program knows matches and people again, and may post the play to BoardGameGeek by itself.
    """
    with services().database.snapshot() as connection:
        require_match(connection, match_id)
        rows = leaving.rows(connection, [match_id], viewer(), is_owner=current_principal().is_owner)
        _require_result(rows, "/match_id", "is a match that has not ended")
        [result] = results(connection, rows, _address(), bgg_ids(query.get("bgg_id")))
    return answer({"url": bgstats.create_play(result, SOURCE, result.comments)})


@blueprint.get("/export", Right.VISIT, query=ExportQuery, media_type=NDJSON, forms=FILE_TYPES)
def export_matches(query: dict[str, Any]) -> Response:
    """All matches that one finds in lists, or those that fit the filters, as one file.

    It is streamed, the oldest match first. `Carnet-Cursor` is what the next export takes as `since`: then only matches
    come that were changed since, and in `json` a line of the format `carnet-tombstone` for each that was withdrawn or
    hidden. A match may come twice.
    """
    since = _read_cursor(query.get("changed_since"))
    if since is not None and query["format_"] not in {"json", "text"}:
        raise malformed([FieldError("/since", "goes with json and text alone")])
    filters, reader, is_owner = match_filters(query), viewer(), current_principal().is_owner
    database = services().database
    with database.statements() as connection:
        moment = leaving.moment(connection)
    found = leaving.listing(filters, reader, since, is_owner=is_owner)
    parts = in_parts(found.stream(database, lambda row: (None, row["match_id"])))

    def made() -> Iterator[bytes]:
        yield from _written(parts, database.snapshot, query)
        if since is not None and query["format_"] == "json":
            yield from tombstones(leaving.gone(reader, since).stream(database, lambda row: (None, row["match_id"])))

    rest = made()
    first = list(islice(rest, 1))
    ending, media_type = ENDINGS[query["format_"]]
    response = Response(stream_with_context(chain(first, rest)), content_type=media_type)
    response.headers["Content-Disposition"] = f'attachment; filename="matches.{ending}"'
    response.headers["Cache-Control"] = REVALIDATED
    response.headers[CURSOR] = _write_cursor(moment)
    return response


def _written(parts: Iterable[_Rows], open_connection: _OpenConnection, query: Mapping[str, Any]) -> Iterator[bytes]:
    """Matches in a form, some at a time."""
    match query["format_"]:
        case "json":
            yield from _made(parts, open_connection, document_lines)
        case "text":
            yield from _made(parts, open_connection, partial(texts, with_times="times" in query))
        case other:
            write_all = bgg.table if other == "csv" else lambda played: bgstats.play_file(played, now())
            address, ids = _address(), bgg_ids(query.get("bgg_id"))
            yield from write_all(
                _made(parts, open_connection, lambda opened, rows: results(opened, rows, address, ids))
            )


def _made(
    parts: Iterable[_Rows], open_connection: _OpenConnection, make: Callable[[Connection, _Rows], Iterable[_Made]]
) -> Iterator[_Made]:
    """All that is made of the rows of matches, of each part at once: no connection waits for a client to read."""
    for rows in parts:
        with open_connection() as connection:
            made = list(make(connection, rows))
        yield from made


def _export_replay(connection: Connection, match_id: UUID) -> Response:
    row, timeline = present(connection, match_id)
    if timeline.is_result_only:
        raise malformed([FieldError("/format", "is of moves, and only the result of the match is known")])
    body = replay_file.render(replay_file.read_replay(connection, match_id, row, timeline)).encode()
    ending, media_type = ONE_MATCH["html"]
    return _file(body, f"{match_id}.{ending}", media_type, row["version"])


def _require_result(rows: Sequence[Mapping[str, Any]], pointer: str, detail: str) -> None:
    if any(row["status"] != "finished" for row in rows):
        raise malformed([FieldError(pointer, detail)])


def _file(body: bytes, name: str, media_type: str, version: int) -> Response:
    tag = f'"{version}-{blake2b(body, digest_size=9).hexdigest()}"'
    headers = {"ETag": tag, "Cache-Control": REVALIDATED}
    if request.if_none_match.contains_weak(tag.strip('"')):
        return Response(status=304, headers=headers)
    headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return Response(body, headers=headers, content_type=media_type)


def _address() -> str:
    return (services().config.url or request.host_url).rstrip("/")


def _write_cursor(moment: datetime) -> str:
    return base64.urlsafe_b64encode(as_text(moment).encode()).decode().rstrip("=")


def _read_cursor(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode())
        return moment.astimezone(UTC)
    except (binascii.Error, UnicodeDecodeError, ValueError, OverflowError):
        raise malformed([FieldError("/since", "is no cursor of an export")]) from None
