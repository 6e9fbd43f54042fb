"""Ids and the current time: the only module of the service that uses a clock or randomness."""

import random
import secrets
import time
from datetime import UTC, datetime, tzinfo
from uuid import UUID


def new_id() -> UUID:
    """A UUIDv7 that sorts by its creation time, also within a millisecond: the next 12 bits are a fraction of one."""
    milliseconds, nanoseconds = divmod(time.time_ns(), 1_000_000)
    fraction = (nanoseconds << 12) // 1_000_000
    return UUID(int=milliseconds << 80 | 7 << 76 | fraction << 64 | 2 << 62 | secrets.randbits(62))


def new_label() -> str:
    """A random label that tells requests apart; it need not be unguessable."""
    return f"{random.getrandbits(128):032x}"


def new_salt() -> str:
    """A salt, so that the reason of a table ruling cannot be guessed from its digest."""
    return secrets.token_hex(16)


def now() -> datetime:
    """The current time in UTC."""
    return datetime.now(UTC)


def in_zone(moment: datetime, zone: tzinfo) -> datetime:
    """A moment as a clock in a time zone shows it; in UTC where that would be before the first year."""
    try:
        return moment.astimezone(zone)
    except OverflowError:
        return moment.astimezone(UTC)


def as_text(moment: datetime) -> str:
    """A time in the form of the API and the log: UTC, six decimals, Z."""
    return f"{moment.astimezone(UTC).isoformat(timespec='microseconds')[:-6]}Z"


def text_of(value: UUID | datetime | None) -> str | None:
    """An id or a time as text, if there is one."""
    return as_text(value) if isinstance(value, datetime) else None if value is None else str(value)


def is_id(text: str) -> bool:
    """Whether a text is an id in its canonical spelling."""
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False
