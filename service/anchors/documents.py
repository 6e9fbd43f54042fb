"""What anchors and their proofs look like in JSON."""

from typing import Any

import orjson

from service.anchors.merkle import hash_leaf
from service.store.anchors import Anchor, Head

FORMAT = "carnet-anchor-1"


def canonical_bytes(document: Any) -> bytes:
    """The form of RFC 8785 of what stands in anchors: names and texts are plain ASCII, and numbers are integers."""
    return orjson.dumps(document, option=orjson.OPT_SORT_KEYS)


def head_document(head: Head) -> dict[str, Any]:
    """A head as it stands in a file of heads and in a proof."""
    return {"match_id": str(head.match_id), "version": head.version, "hash": head.hash}


def leaf_of(head: Head) -> bytes:
    """The leaf of a head in the Merkle tree of an anchor."""
    return hash_leaf(canonical_bytes(head_document(head)))


def anchor_document(anchor: Anchor) -> dict[str, Any]:
    """An anchor as it is published and kept in files."""
    return {"anchor": orjson.loads(anchor.document), "signature": anchor.signature}
