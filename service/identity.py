"""New ids and the present time: the only places where the service asks a clock or for randomness."""

import random
import secrets
import time
from datetime import UTC, datetime
from uuid import UUID


def new_id() -> UUID:
    """A UUIDv7: sorted by the millisecond of its making."""
    milliseconds = time.time_ns() // 1_000_000
    random = secrets.randbits(74)
    high, low = random >> 62, random & (1 << 62) - 1
    return UUID(int=milliseconds << 80 | 7 << 76 | high << 64 | 2 << 62 | low)


def new_label() -> str:
    """What tells one request from all others; nobody need be kept from guessing it."""
    return f"{random.getrandbits(128):032x}"


def new_salt() -> str:
    """What keeps the reason of a table ruling from being guessed from its digest."""
    return secrets.token_hex(16)


def now() -> datetime:
    """The present time in UTC."""
    return datetime.now(UTC)


def as_text(moment: datetime) -> str:
    """A time as it goes over the wire and into the log: UTC, six decimals, Z."""
    return f"{moment.astimezone(UTC).isoformat(timespec='microseconds')[:-6]}Z"
