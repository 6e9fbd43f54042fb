"""Files that are imported: kept outside of memory, told apart by how they begin, and read part by part."""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import islice
from typing import IO, Any, Final, TypeAlias

import orjson

from domain.catalogue import GAMES
from domain.forms import FieldError
from domain.match import document as documents
from domain.match import notation
from domain.match.document import DocumentError, MatchDocument
from domain.match.notation import MatchText, TextError
from service.exchange import bgg, bgstats
from service.exchange.bgg import NotXml
from service.exchange.plays import Play, Unread
from service.exchange.scanning import NotJson
from service.http.errors import malformed

IN_MEMORY: Final = 2**20
"""Bytes of a file that are kept in memory; what is larger lies on disk."""
BLOCK: Final = 2**16
HEAD: Final = 2**12
MAX_MATCHES: Final = bgstats.MAX_PLAYS
"""Matches of a file and errors in it, each of which is reported and kept: as many as there is room for in 50 MB."""
AT_A_TIME: Final = 400
"""Matches of one transaction."""
EVENTS_AT_A_TIME: Final = 100_000
"""46 MB of memory, and 375 usual matches of Paris. By half of them the database takes 1.65 ms a match instead of 1.35:
the sums to which they are added are nearly as many."""

FORMATS: Final = ("text", "json", "bgstats", "bgg")
SYSTEMS: Final[Mapping[str, str]] = {"text": "carnet", "json": "carnet", "bgstats": "bgstats", "bgg": "bgg"}
"""By format where its names are from."""

Source: TypeAlias = MatchText | TextError | MatchDocument | DocumentError | Play | Unread
"""A match of a file, or what is wrong with it."""


class Upload:
    """A file that was sent, with its digest."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.file: IO[bytes] = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 -- closed by `close`
        digest = sha256()
        while block := stream.read(BLOCK):
            digest.update(block)
            self.file.write(block)
        self.digest = digest.hexdigest()
        self.file.seek(0)

    def __enter__(self) -> "Upload":
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()


def require_content(file: IO[bytes]) -> None:
    """Refuse an empty file; raise `Problem`."""
    if not file.read(1):
        raise malformed([FieldError("", "is empty")])
    file.seek(0)


def format_of(file: IO[bytes]) -> str:
    """The format of a file by how it begins; raise `Problem`."""
    head = file.read(HEAD).removeprefix(b"\xef\xbb\xbf").lstrip()
    file.seek(0)
    if head.startswith((b"carnet ", b"x-")):
        return "text"
    if head.startswith(b"<"):
        return "bgg"
    if head.startswith(b"{"):
        return "json" if b'"carnet-match"' in head or _has_match(file) else "bgstats"
    detail = "is no match text, no match documents, no export of Board Game Stats and no plays of BoardGameGeek"
    raise malformed([FieldError("", detail)])


def _has_match(file: IO[bytes]) -> bool:
    """Whether the first line has a document of a match, whose format may stand behind much else."""
    last = b""
    while block := file.read(BLOCK):
        end = block.find(b"\n")
        if b'"format":"carnet-match"' in last + (block if end < 0 else block[:end]):
            file.seek(0)
            return True
        if end >= 0:
            break
        last = block[-32:]
    file.seek(0)
    return False


def sources(file: IO[bytes], file_format: str, bgg_ids: Mapping[int, str]) -> Iterator[Source]:
    """The matches of a file in order, one at a time in memory; raise `Problem` where it cannot be read on.

    That is also behind the last of as many as a file may have.
    """
    blocks = iter(lambda: file.read(BLOCK), b"")
    read: Mapping[str, Callable[[], Iterator[Any]]] = {
        "text": lambda: notation.read_matches(blocks, GAMES),
        "json": lambda: documents.read_documents(blocks, GAMES, orjson.loads),
        "bgstats": lambda: bgstats.read(file, bgg_ids),
        "bgg": lambda: bgg.read(file, bgg_ids),
    }
    try:
        for number, source in enumerate(read[file_format]()):
            if number == MAX_MATCHES:
                raise malformed([FieldError("", f"has more than {MAX_MATCHES:,} matches")])
            yield source
    except (NotJson, NotXml) as error:
        raise malformed([FieldError("", f"cannot be read: {error}")]) from None


def in_batches(found: Iterator[Source], after: int) -> Iterator[Sequence[Source]]:
    """Sources in numbers that one transaction takes over, without those that were taken over before."""
    batch: list[Source] = []
    size = 0
    for source in islice(found, after, None):
        batch.append(source)
        size += _size(source)
        if len(batch) >= AT_A_TIME or size >= EVENTS_AT_A_TIME:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _size(source: Source) -> int:
    match source:
        case MatchDocument():
            return len(source.events)
        case MatchText():
            return len(source.moves) + 1
    return 1
