"""Comparison of logs with an anchor or a file of heads that was kept outside."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import UUID

import orjson

from service.anchors.documents import FORMAT, canonical_bytes
from service.anchors.signing import is_signed
from service.config import ConfigError
from service.db import anchors
from service.db.anchors import CHUNK, Deviation, Head
from service.db.pool import Database


@dataclass(frozen=True, slots=True)
class Anchored:
    """The content of an anchor file."""

    number: int
    root: str
    key: str


def read_anchor(path: Path) -> Anchored:
    """Read an anchor file and check its signature; raise `ConfigError`."""
    try:
        document = orjson.loads(path.read_bytes())
        stated, signature = document["anchor"], document["signature"]
        if stated["format"] != FORMAT:
            raise ConfigError(f"{path} is an anchor of another format, {stated['format']}.")
        anchor = Anchored(stated["number"], stated["root"], stated["key"])
        if not isinstance(anchor.number, int):
            raise TypeError
        is_whole = is_signed(anchor.key, canonical_bytes(stated), signature)
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}.") from error
    except (orjson.JSONDecodeError, KeyError, TypeError) as error:
        raise ConfigError(f"{path} is no anchor as `carnet anchor` writes it.") from error
    if not is_whole:
        raise ConfigError(f"{path} was changed: its signature does not fit.")
    return anchor


def read_heads_file(path: Path) -> Iterator[Head]:
    """Read the heads from a file, one per line; raise `ConfigError`."""
    number = 0
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):  # noqa: B007 -- named by the refusal
                yield _head(orjson.loads(line))
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError) as error:
        raise ConfigError(f"Line {number} of {path} is no head as `carnet anchor --heads` writes it.") from error


def _head(document: Any) -> Head:
    version, digest = document["version"], document["hash"]
    if not (isinstance(version, int) and 0 < version < 2**31 and isinstance(digest, str)):
        raise TypeError
    return Head(UUID(str(document["match_id"])), version, digest)


def compare(database: Database, heads: Iterable[Head]) -> Iterator[Deviation]:
    """The heads that no log has any more, each page looked up in a transaction of its own."""
    remaining = iter(heads)
    while page := list(islice(remaining, CHUNK)):
        with database.statements() as connection:
            deviations = anchors.deviations(connection, page)
        yield from deviations
