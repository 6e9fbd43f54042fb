"""Anchors and their proofs as JSON."""

from typing import Any

import orjson

from service.anchors.merkle import hash_leaf
from service.db.anchors import Anchor, Head

FORMAT = "carnet-anchor-1"


def canonical_bytes(document: Any) -> bytes:
    """The RFC 8785 form of a document of an anchor: its names and texts are plain ASCII, its numbers integers."""
    return orjson.dumps(document, option=orjson.OPT_SORT_KEYS)


def head_document(head: Head) -> dict[str, Any]:
    """A head as JSON, in a file of heads or in a proof."""
    return {"match_id": str(head.match_id), "version": head.version, "hash": head.hash}


def leaf_of(head: Head) -> bytes:
    """The leaf of a head in the Merkle tree."""
    return hash_leaf(canonical_bytes(head_document(head)))


def anchor_document(anchor: Anchor) -> dict[str, Any]:
    """An anchor as JSON, as published and as kept in files."""
    return {"anchor": orjson.loads(anchor.document), "signature": anchor.signature}
