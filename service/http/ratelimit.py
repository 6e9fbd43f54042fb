"""Rate limits: a token bucket for each client, from which requests pay for their responses."""

from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from threading import Lock
from time import monotonic

MAX_BUCKETS = 10_000
"""Beyond this the client that was idle longest is forgotten, which gives it a full bucket."""
MINUTE = 60.0
SECONDS_PER_REQUEST = 0.01
"""Processing time of a response that one request of the limit pays for; n times as long counts as n requests."""
HOME_NETWORK = 64
"""One IPv6 address means control of all addresses that share this many bits with it."""


class Rates:
    """The buckets of one process, each for the requests of a minute. Thread-safe."""

    def __init__(self, per_minute: float, clock: Callable[[], float] = monotonic) -> None:
        self._most = float(per_minute)
        self._clock = clock
        self._lock = Lock()
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, client: str) -> float:
        """Take one request from the bucket of a client; return 0, or the seconds until there is one again."""
        if not self._most:
            return 0.0
        with self._lock:
            left, now = self._fill(client)
            allowed = left >= 1
            self._keep(client, left - 1 if allowed else left, now)
        return 0.0 if allowed else (1 - left) * MINUTE / self._most

    def charge(self, client: str, seconds: float) -> None:
        """Charge the time of a response to a bucket.

        Its debt never exceeds its size, so that nobody is refused for much longer than a minute.
        """
        with self._lock:
            left, now = self._fill(client)
            self._keep(client, max(left - seconds / SECONDS_PER_REQUEST, -self._most), now)

    def _fill(self, client: str) -> tuple[float, float]:
        """The content of a client's bucket by now, and the time."""
        now = self._clock()
        left, since = self._buckets.pop(client, (self._most, now))
        return min(self._most, left + (now - since) * self._most / MINUTE), now

    def _keep(self, client: str, left: float, now: float) -> None:
        self._buckets[client] = (left, now)
        if len(self._buckets) > MAX_BUCKETS:
            self._buckets.popitem(last=False)


@lru_cache(maxsize=1024)
def network_of(address: str | None) -> str:
    """The client at an address: for IPv6 its whole home network."""
    try:
        parsed = ip_address(address or "")
    except ValueError:
        return address or ""
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    if isinstance(parsed, IPv6Address):
        return f"{int(parsed) >> (128 - HOME_NETWORK):x}/{HOME_NETWORK}"
    return str(parsed)
