"""Making an anchor: store the heads of all logs page by page, build the tree, sign its root."""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import islice
from typing import BinaryIO

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from service.anchors import merkle
from service.anchors.documents import FORMAT, canonical_bytes, head_document, leaf_of
from service.anchors.signing import public_text, sign
from service.config import ConfigError
from service.db import anchors
from service.db.anchors import CHUNK, NIL, Anchor, Head
from service.db.pool import Database
from service.identity import as_text, now


def make_anchor(database: Database, key: Ed25519PrivateKey, heads_file: BinaryIO | None = None) -> Anchor:
    """Anchor all logs, and write the heads to a file, one per line.

    Each page of matches is read in a transaction of its own: a match that changes meanwhile is anchored at the version
    it had when its page was read, and one that begins meanwhile may be left to the next anchor.
    """
    with database.statements() as holder, anchors.sole_anchoring(holder) as is_sole:
        if not is_sole:
            raise ConfigError("Another anchor is being made; try again when that is done.")
        number = anchors.next_number(holder)
        match_id = NIL
        while following := anchors.keep_heads(holder, number, match_id, CHUNK):
            match_id = following
        starts, roots, size = [], [], 0
        for chunk in _chunks(read_heads(database, number)):
            if heads_file is not None:
                heads_file.writelines(canonical_bytes(head_document(head)) + b"\n" for head in chunk)
            starts.append(chunk[0].match_id)
            roots.append(merkle.tree_root([leaf_of(head) for head in chunk]))
            size += len(chunk)
        before = anchors.page(holder, None, 1)
        document = canonical_bytes(
            {
                "format": FORMAT,
                "key": public_text(key),
                "made_at": as_text(now()),
                "number": number,
                "previous": sha256(before[0].document.encode()).hexdigest() if before else None,
                "root": merkle.tree_root(roots).hex(),
            }
        )
        anchor = Anchor(number, document.decode(), sign(key, document), size, starts, roots)
        anchors.insert(holder, anchor)
    return anchor


def read_heads(database: Database, number: int) -> Iterator[Head]:
    """The stored heads of an anchor, in order, without a transaction while they are used."""
    match_id = NIL
    while True:
        with database.statements() as connection:
            page = anchors.heads(connection, number, match_id, CHUNK)
        if not page:
            return
        yield from page
        match_id = page[-1].match_id


def root_over(heads: Iterable[Head]) -> str:
    """The root of the tree over heads, with few of them in memory at once."""
    return merkle.tree_root([merkle.tree_root([leaf_of(head) for head in chunk]) for chunk in _chunks(heads)]).hex()


def _chunks(heads: Iterable[Head]) -> Iterator[list[Head]]:
    remaining = iter(heads)
    while chunk := list(islice(remaining, CHUNK)):
        yield chunk
