"""Anchors and their proofs as JSON."""

from typing import Annotated, Any, Final, Literal, TypedDict

import orjson

from service.anchors.merkle import hash_leaf
from service.db import anchors
from service.http.shapes import Count, Hash, Id, Keywords, Time, Version

FORMAT: Final = "carnet-anchor-1"


class AnchorStatement(TypedDict):
    """What is signed, in its canonical form (RFC 8785)."""

    format: Literal["carnet-anchor-1"]
    number: Annotated[int, Keywords(minimum=1)]
    made_at: Time
    root: Hash
    """Of the Merkle tree (RFC 9162) over the last events of all logs."""
    previous: Hash | None
    """The SHA-256 of the canonical form of the anchor before; null for the first."""
    key: str
    """The public key (Ed25519), as the body of a PEM file."""


class Anchor(TypedDict):
    """A signed digest over the last events of all logs."""

    anchor: AnchorStatement
    signature: str
    """Of `anchor` by `key`, in Base64."""


class AnchoredHead(TypedDict):
    """The last event of a log when it was anchored."""

    match_id: Id
    version: Version
    hash: Hash


class AnchorProof(Anchor):
    """That an anchor covers a match: `head` is the leaf, and `path` leads from it to the root."""

    head: AnchoredHead
    leaf_index: Count
    """The place of the match among the leaves."""
    tree_size: Count
    """How many matches the anchor covers."""
    path: list[Hash]
    """The digests beside the way from the leaf to the root."""


def canonical_bytes(document: Any) -> bytes:
    """The RFC 8785 form of a document of an anchor: its names and texts are plain ASCII, its numbers integers."""
    return orjson.dumps(document, option=orjson.OPT_SORT_KEYS)


def head_document(head: anchors.Head) -> AnchoredHead:
    """A head as JSON, in a file of heads or in a proof."""
    return {"match_id": str(head.match_id), "version": head.version, "hash": head.hash}


def leaf_of(head: anchors.Head) -> bytes:
    """The leaf of a head in the Merkle tree."""
    return hash_leaf(canonical_bytes(head_document(head)))


def anchor_document(anchor: anchors.Anchor) -> Anchor:
    """An anchor as JSON, as published and as kept in files."""
    return {"anchor": orjson.loads(anchor.document), "signature": anchor.signature}
