"""The one byte form of a JSON value (RFC 8785) and its SHA-256, for hash chains and editions."""

from functools import lru_cache
from hashlib import sha256
from json.encoder import encode_basestring

MAX_EXACT_INTEGER = 2**53 - 1
MAX_KEPT = 1000
"""Characters of the names of an object whose order is kept: others come from strangers and may take megabytes."""


def canonical(value: object) -> str:
    """Write a JSON value in the form of RFC 8785; raise ValueError for what we never store there.

    Floats are refused: nothing we hash is a fraction, and their one text is the hard part of the RFC.
    """
    if isinstance(value, str):
        if not value.isascii():
            value.encode()  # which raises for a lone surrogate: that has no UTF-8 form
        return encode_basestring(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        if abs(value) > MAX_EXACT_INTEGER:
            raise ValueError(f"{value} is beyond the integers that JSON keeps exactly")
        return str(value)
    if isinstance(value, list | tuple):
        return f"[{','.join(map(canonical, value))}]"
    if isinstance(value, dict):
        try:
            members = _known_order(tuple(value))
        except _Unusual as unusual:
            members = unusual.members
        return f"{{{','.join([head + canonical(value[name]) for name, head in members])}}}"
    raise ValueError(f"{type(value).__name__} has no canonical form here")


def digest(value: object) -> str:
    """The hex SHA-256 of a value's canonical form."""
    return sha256(canonical(value).encode()).hexdigest()


class _Unusual(Exception):
    """An object with longer names than are kept."""

    def __init__(self, members: tuple[tuple[str, str], ...]) -> None:
        super().__init__()
        self.members = members


# 35 µs of 100 per state of La Cité (one pass over 40 random matches, 2026-11).
@lru_cache(maxsize=2**10)
def _known_order(names: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """The names of an object in their order, each with what its member begins with: few objects differ in that.

    Raise `_Unusual`, which is not cached, for names that are too long to be kept.
    """
    members = tuple((name, f"{encode_basestring(name)}:") for name in sorted(names, key=_utf16))
    if sum(map(len, names)) > MAX_KEPT:
        raise _Unusual(members)
    return members


def _utf16(name: object) -> bytes:
    if not isinstance(name, str):
        raise ValueError("members of a JSON object are named by strings")
    return name.encode("utf-16-be")
