"""Parsing of requests: JSON, preconditions, idempotency keys, cursors, language."""

import base64
import binascii
import re
from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from enum import Enum
from functools import lru_cache
from hashlib import sha256
from time import perf_counter
from typing import Any, NamedTuple, cast
from uuid import UUID

import orjson
from werkzeug.http import parse_options_header

from domain.forms import FieldError, escape
from service.auth.authentication import KEY, Asked, asked, asker
from service.auth.sessions import SAFE
from service.context import carnet
from service.db import idempotency
from service.db.pool import Connection
from service.http.errors import Problem, malformed

DEEPEST = 32
MAX_VALUES = 10_000
"""Of a body; a batch of 200 moves has a few thousand."""
_TEXTS = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
"""Texts in JSON; what follows a quotation mark that is never closed is one too, so that nothing is looked at twice."""
MAX_KEY = 255
LAST_POSITION = 2**31 - 1
INCLUDE = b"include=legal_moves"
LOCAL = "anyone"
"""The principal of idempotency keys while sign-in is switched off."""


def read_json(raw: bytes) -> Any:
    """Parse JSON strictly: no NaN, lone surrogates, NUL or deep nesting."""
    if sum(map(raw.count, (b",", b"{", b"["))) >= MAX_VALUES:  # which also counts those in texts
        _require_few(raw)
    try:
        value = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise Problem("bad-request", f"The body is not JSON: {error}.") from None
    # A quick check avoids looking at every value: NUL is always written like this.
    if rb"\u0000" in raw or raw.count(b"{") + raw.count(b"[") > DEEPEST:
        _require_plain(value, "", DEEPEST)
    return value


def _require_few(raw: bytes) -> None:
    """Refuse a text with too many values before it is parsed: making and freeing the objects takes long."""
    bare = _TEXTS.sub(b"0", raw)
    number = 1 + sum(map(bare.count, (b",", b"{", b"["))) - bare.count(b"{}") - bare.count(b"[]")
    if number > MAX_VALUES:
        raise malformed([FieldError("", f"has more than {MAX_VALUES} values")])


def _require_plain(value: object, pointer: str, deepest: int) -> None:
    if isinstance(value, str) and "\0" in value:
        raise malformed([FieldError(pointer, "must not hold the character NUL")])
    if isinstance(value, dict | list):
        if deepest == 0:
            raise malformed([FieldError("", f"is nested deeper than {DEEPEST} levels")])
        members = value.items() if isinstance(value, dict) else enumerate(value)
        for name, member in members:
            if isinstance(name, str) and "\0" in name:
                raise malformed([FieldError(pointer, "must not have a member with the character NUL")])
            _require_plain(member, f"{pointer}/{escape(str(name))}", deepest - 1)


def read_body(request: Asked) -> Any:
    """Parse the JSON body of a request."""
    if not _is_json(request.content_type or ""):
        raise Problem("unsupported-media-type", "The body must be of the type application/json.")
    began = perf_counter()
    body = request.get_data()
    request.receiving += perf_counter() - began
    return read_json(body)


@lru_cache(maxsize=256)
def _is_json(content_type: str) -> bool:
    """Whether a content type is JSON; the cache is small because few occur."""
    return parse_options_header(content_type)[0].lower() in {"application/json", "application/merge-patch+json"}


def query_members() -> dict[str, list[str]]:
    """The query string without the link of a match, which is read before everything else."""
    request = asked()
    is_about_match = {"match_id", "annotation_id"} & set(request.view_args or ())
    return {name: values for name, values in request.args.lists() if name != KEY or not is_about_match}


def require_nothing_unread(request: Asked, read: Collection[str]) -> None:
    """Refuse a query or a body that the route does not read: it would silently have no effect.

    The body of a GET is ignored, and so is an empty object.
    """
    if request.query_string and "query" not in read and (given := query_members()):
        raise malformed([FieldError(f"/{escape(name)}", "is not known here") for name in given])
    if "json" not in read and request.method not in SAFE:
        has_body = request.content_length or "Transfer-Encoding" in request.headers
        if has_body and read_body(request) != {}:
            raise malformed([FieldError("", "must be empty")])


class IfMatch(Enum):
    """What a write with `If-Match` compares."""

    VERSION = "version"
    """Of writes to the log."""
    DETAILS = "details"
    """Version and revision, of writes to details."""


class Precondition(NamedTuple):
    """Version and revision of the ETag in `If-Match`; the revision is 0 if it has none."""

    version: int
    revision: int


def read_precondition(compared: IfMatch) -> int | Precondition | None:
    """The version, or version and revision, in `If-Match`; raise `Problem`."""
    expected = _read_tag()
    return expected.version if expected is not None and compared is IfMatch.VERSION else expected


def _read_tag() -> Precondition | None:
    header = asked().environ.get("HTTP_IF_MATCH")
    if header is None or header.strip() == "*":
        return None
    # Tags of frames and states have a digest after the version.
    found = re.fullmatch(r'"([0-9]{1,9})(?:\.([0-9]{1,9}))?(?:-[0-9a-z-]{1,60})?"', header.strip())
    if found is None:
        raise Problem("bad-request", 'If-Match must be one ETag such as "12".')
    return Precondition(int(found[1]), int(found[2] or 0))


def etag(row: Mapping[str, Any]) -> str:
    """The ETag of a match: its version, and its revision once details or names have changed."""
    return f'"{row["version"]}.{row["revision"]}"' if row["revision"] else f'"{row["version"]}"'


def require_version(expected: int | None, row: Mapping[str, Any]) -> None:
    """Require the version of the match that a write to the log was made for."""
    if expected is not None and expected != row["version"]:
        raise _stale(f"The match is at version {row['version']}, not {expected}. Read it again.", row)


def require_tag(expected: Precondition | None, row: Mapping[str, Any]) -> None:
    """Require the version and revision of the match that a write to details was made for."""
    if expected is None or expected == (row["version"], row["revision"]):
        return
    named = etag(expected._asdict())
    raise _stale(f"The match is at {etag(row)}, not {named}: its log or what stands beside it has changed.", row)


def _stale(detail: str, row: Mapping[str, Any]) -> Problem:
    return Problem("stale-version", detail, {"ETag": etag(row)}, version=row["version"])


class Once:
    """Runs the write of a POST once per idempotency key. Views of routes that declare `idempotent` get one."""

    def __init__(self) -> None:
        self.is_replayed = False
        """Whether an earlier request stored what the response is made from."""

    def __call__(
        self, act: Callable[[Connection], Mapping[str, Any]], *, in_transaction: bool = True
    ) -> Mapping[str, Any]:
        """Run the write in a transaction; return what the response is made from.

        An act with its own transactions needs none unless there is a key to store with it.
        """
        key = self.read_key()
        if key is None:
            database = carnet().database
            with database.transaction() if in_transaction else database.statements() as connection:
                return act(connection)
        with carnet().database.transaction() as connection:
            idempotency.lock(connection, key)
            kept = idempotency.find(connection, key)
            if kept is not None:
                if kept["request_digest"] not in {key.request_digest, *key.former_digests}:
                    raise Problem("key-reused", "This Idempotency-Key was used for another request before.")
                self.is_replayed = True
                return cast(Mapping[str, Any], kept["answer"])
            answer = act(connection)
            idempotency.keep(connection, key, answer)
            return answer

    def read_key(self) -> idempotency.Key | None:
        """The idempotency key of the request with a digest of it; raise `Problem` for one that is malformed."""
        return _read_key(asked())


def _read_key(request: Asked) -> idempotency.Key | None:
    header = request.environ.get("HTTP_IDEMPOTENCY_KEY")
    if header is None:
        return None
    if not 0 < len(header) <= MAX_KEY or not header.isascii() or not header.isprintable():
        raise Problem("bad-request", f"Idempotency-Key must be 1 to {MAX_KEY} printable characters.")
    body = request.get_data()
    # The query only shapes the response (`include`, `lang`) or names the link of a match, so it does not count.
    digest, *former = (sha256(query + b"\n" + body).hexdigest() for query in (b"", *_queries(request.query_string)))
    return idempotency.Key(asker().actor or LOCAL, request.method, request.path, header, digest, frozenset(former))


def _queries(query: bytes) -> tuple[bytes, ...]:
    """The query strings with which the first request may have been sent.

    Until 2026-11 digests counted the query. Pages sent `include=legal_moves` or not, depending on what they knew. Keys
    are kept for 30 days; after that nothing needs this.
    """
    bare = b"&".join(member for member in query.split(b"&") if member != INCLUDE)
    return (query, bare, b"&".join(filter(None, (INCLUDE, bare))))


def write_cursor(moment: datetime | str, last_id: UUID) -> str:
    """Encode the end of a page of a list."""
    return _seal_cursor([moment if isinstance(moment, str) else moment.isoformat(), str(last_id)])


def read_cursor(cursor: str | None, *, as_time: bool) -> tuple[Any, UUID] | None:
    """Decode the beginning of a page of a list."""
    if cursor is None:
        return None
    try:
        said, last_id = _open_cursor(cursor)
        if not isinstance(said, str):
            raise TypeError
        return datetime.fromisoformat(said) if as_time else said, UUID(last_id)
    except (ValueError, TypeError, AttributeError):
        raise _not_a_cursor() from None


def write_position(position: int) -> str:
    """Encode the beginning of the next page in an append-only list."""
    return _seal_cursor(position)


def read_position(cursor: str | None) -> int:
    """Decode the number of entries before a page."""
    position = 0 if cursor is None else _open_cursor(cursor)
    if type(position) is not int or not 0 <= position <= LAST_POSITION:
        raise _not_a_cursor()
    return position


def _seal_cursor(said: object) -> str:
    return base64.urlsafe_b64encode(orjson.dumps(said)).decode().rstrip("=")


def _open_cursor(cursor: str) -> Any:
    try:
        return read_json(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (binascii.Error, ValueError, Problem):
        raise _not_a_cursor() from None


def _not_a_cursor() -> Problem:
    return malformed([FieldError("/cursor", "is not a cursor of this list")])
