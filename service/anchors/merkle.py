"""The Merkle tree of RFC 9162 (Certificate Transparency), section 2.1, with SHA-256."""

from collections.abc import Sequence
from hashlib import sha256


def hash_leaf(entry: bytes) -> bytes:
    return sha256(b"\0" + entry).digest()


def tree_root(hashes: Sequence[bytes]) -> bytes:
    """The root over leaves, or over subtrees of equal size except for a smaller last one."""
    if not hashes:
        return sha256(b"").digest()
    if len(hashes) == 1:
        return hashes[0]
    half = _left_half(len(hashes))
    return sha256(b"\1" + tree_root(hashes[:half]) + tree_root(hashes[half:])).digest()


def inclusion_path(hashes: Sequence[bytes], index: int) -> list[bytes]:
    """The hashes beside the path from a leaf or subtree up to the root."""
    if len(hashes) == 1:
        return []
    half = _left_half(len(hashes))
    if index < half:
        return [*inclusion_path(hashes[:half], index), tree_root(hashes[half:])]
    return [*inclusion_path(hashes[half:], index - half), tree_root(hashes[:half])]


def _left_half(size: int) -> int:
    """The largest power of two below a size."""
    half: int = 1 << (size - 1).bit_length() - 1
    return half
