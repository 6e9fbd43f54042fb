"""How often one asker may ask: a bucket of requests for each, which fills again as time goes by."""

from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address
from threading import Lock
from time import monotonic

MOST_BUCKETS = 10_000
"""Of more askers the one that was quiet longest is forgotten, which gives him a full bucket."""
MINUTE = 60.0
HOME_NETWORK = 64
"""Whoever has one IPv6 address has all that share so many bits with it."""


class Rates:
    """The buckets of one process, each of which holds the requests of a minute. Shared by its threads."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = monotonic) -> None:
        self._most = float(per_minute)
        self._clock = clock
        self._lock = Lock()
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, asker: str) -> float:
        """Take one request out of the bucket of an asker: 0, or the seconds until there is one again."""
        if not self._most:
            return 0.0
        now = self._clock()
        with self._lock:
            left, since = self._buckets.pop(asker, (self._most, now))
            left = min(self._most, left + (now - since) * self._most / MINUTE)
            allowed = left >= 1
            self._buckets[asker] = (left - 1 if allowed else left, now)
            if len(self._buckets) > MOST_BUCKETS:
                self._buckets.popitem(last=False)
        return 0.0 if allowed else (1 - left) * MINUTE / self._most


def asker_at(address: str | None) -> str:
    """Who asks from an address: for IPv6 all of its home network."""
    try:
        found = ip_address(address or "")
    except ValueError:
        return address or ""
    if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    if isinstance(found, IPv6Address):
        return f"{int(found) >> (128 - HOME_NETWORK):x}/{HOME_NETWORK}"
    return str(found)
