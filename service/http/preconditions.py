"""Preconditions: the ETag of a match, and `If-Match`."""

import re
from collections.abc import Mapping
from enum import Enum
from typing import Any, NamedTuple

from service.http.errors import Problem
from service.http.request import current_request


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
    header = current_request().environ.get("HTTP_IF_MATCH")
    if header is None or header.strip() == "*":
        return None
    # Tags of frames and states have a digest after the version.
    match = re.fullmatch(r'"([0-9]{1,9})(?:\.([0-9]{1,9}))?(?:-[0-9a-z-]{1,60})?"', header.strip())
    if match is None:
        raise Problem("bad-request", 'If-Match must be one ETag such as "12".')
    return Precondition(int(match[1]), int(match[2] or 0))


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
