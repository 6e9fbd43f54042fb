"""Proofs that a match is covered by an anchor, which reveal only hashes of other matches."""

from bisect import bisect_right
from uuid import UUID

from service.anchors.documents import AnchorProof, anchor_document, head_document, leaf_of
from service.anchors.merkle import inclusion_path
from service.db import anchors
from service.db.anchors import CHUNK
from service.db.pool import Connection


def proof(connection: Connection, match_id: UUID, number: int) -> AnchorProof | None:
    """An anchor with the head of a match and its inclusion proof; None if it is not covered."""
    anchor = anchors.find(connection, number)
    chunk = -1 if anchor is None else bisect_right(anchor.chunk_starts, match_id) - 1
    if anchor is None or chunk < 0:
        return None
    before = UUID(int=anchor.chunk_starts[chunk].int - 1)
    size = min(CHUNK, anchor.size - chunk * CHUNK)
    heads = anchors.heads(connection, number, before, size)
    index = next((index for index, head in enumerate(heads) if head.match_id == match_id), None)
    if index is None:
        return None
    path = inclusion_path([leaf_of(head) for head in heads], index) + inclusion_path(anchor.chunk_roots, chunk)
    return {
        **anchor_document(anchor),
        "head": head_document(heads[index]),
        "leaf_index": chunk * CHUNK + index,
        "tree_size": anchor.size,
        "path": [digest.hex() for digest in path],
    }
