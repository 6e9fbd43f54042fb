"""Rate limits: a token bucket for each client, from which requests pay for their responses."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from ipaddress import IPv6Address, ip_address
from math import ceil
from threading import Lock
from time import monotonic

from service.cache import Cache
from service.config import Config
from service.context import services
from service.db.notifications import Spending
from service.http.errors import Problem
from service.http.request import Request

MAX_BUCKETS = 10_000
"""Beyond this the client that was idle longest is forgotten, which gives it a full bucket."""
MINUTE = 60.0
SECONDS_PER_REQUEST = 0.01
"""Processing time of a response that one request of the limit pays for; n times as long counts as n requests."""
STRANGERS_SHARE = 0.5
"""The share of the rate limit for an address without an account."""
TOLD_SHARE = 0.01
"""The share of a bucket that other processes are told of, no less at once, so that idle clients cost nothing."""
HOME_NETWORK = 64
"""One IPv6 address means control of all addresses that share this many bits with it."""


class TokenBuckets:
    """The buckets of one process, each for the requests of a minute. Thread-safe."""

    def __init__(self, per_minute: float, clock: Callable[[], float] = monotonic) -> None:
        self._most = float(per_minute)
        self._clock = clock
        self._lock = Lock()
        self._buckets: Cache[str, _Bucket] = Cache(MAX_BUCKETS)
        self._untold: dict[str, float] = {}

    def take(self, client: str) -> float:
        """Take one request from the bucket of a client; return 0, or the seconds until there is one again."""
        if not self._most:
            return 0.0
        with self._lock:
            bucket = self._filled(client)
            if bucket.left < 1:
                return (1 - bucket.left) * MINUTE / self._most
            bucket.left -= 1
            self._untold[client] = self._untold.get(client, 0.0) + 1
        return 0.0

    def headers(self, client: str) -> Mapping[str, str]:
        """How many requests a client has left, and the seconds until the bucket is full again."""
        with self._lock:
            left = self._filled(client).left
        until_full = ceil((self._most - left) * MINUTE / self._most)
        return {
            "RateLimit": f'"minute";r={max(0, int(left))};t={until_full}',
            "RateLimit-Policy": f'"minute";q={int(self._most)};w={int(MINUTE)}',
        }

    def charge(self, client: str, seconds: float) -> None:
        """Charge the time of a response to a bucket.

        Its debt never exceeds its size, so that nobody is refused for much longer than a minute.
        """
        spent = seconds / SECONDS_PER_REQUEST
        with self._lock:
            self._spend(client, spent)
            self._untold[client] = self._untold.get(client, 0.0) + spent

    def collect(self) -> list[tuple[str, float]]:
        """What clients spent here since they were last collected, if it is worth telling."""
        with self._lock:
            worth = [(client, spent) for client, spent in self._untold.items() if spent >= TOLD_SHARE * self._most]
            for client, _ in worth:
                del self._untold[client]
            if len(self._untold) > MAX_BUCKETS:
                self._untold.clear()
        return worth

    def spend_elsewhere(self, client: str, spent: float) -> None:
        """Take what a client spent in another process out of its bucket here."""
        with self._lock:
            self._spend(client, spent)

    def _spend(self, client: str, spent: float) -> None:
        bucket = self._filled(client)
        bucket.left = max(bucket.left - spent, -self._most)

    def _filled(self, client: str) -> "_Bucket":
        """A client's bucket, with what has run into it by now."""
        now = self._clock()
        bucket = self._buckets.find(client)
        if bucket is None:
            bucket = _Bucket(self._most, now)
            self._buckets.keep(client, bucket)
        bucket.left = min(self._most, bucket.left + (now - bucket.at) * self._most / MINUTE)
        bucket.at = now
        return bucket


@dataclass(slots=True)
class _Bucket:
    """The requests that are left in a bucket, and the time of that."""

    left: float
    at: float


class RateLimit:
    """The rate limit of all processes on one database: by account, and by address for clients without one.

    A link of a match may be in many hands, and a client may have many links, so their holders are limited by address.
    Each process counts for itself and tells the others every second; a client may therefore take as much as it can
    within a second from each of them.
    """

    def __init__(self, config: Config) -> None:
        self._applies = bool(config.rate)
        self._by_account = TokenBuckets(config.rate)
        self._by_address = TokenBuckets(config.rate if config.is_open else ceil(config.rate * STRANGERS_SHARE))
        self._buckets = {"account": self._by_account, "address": self._by_address}

    def enforce(self, request: Request) -> None:
        """Count a request against the limit of its client, which also pays for the response; raise `Problem`."""
        if not self._applies:
            return
        account_id = None if request.principal is None else request.principal.account_id
        rates = self._by_address if account_id is None else self._by_account
        client = network_of(request.remote_addr) if account_id is None else str(account_id)
        seconds = rates.take(client)
        request.limits = rates.headers(client)
        if seconds:
            detail = "Too many requests, or too expensive ones; wait a moment."
            raise Problem("too-many-requests", detail, {"Retry-After": str(ceil(seconds))})
        request.charge = partial(rates.charge, client)
        services().spending.serve(self._collect, self._spend_elsewhere)

    def _collect(self) -> list[Spending]:
        """What all clients spent here, by kind of bucket."""
        return [
            Spending(kind, client, spent) for kind, rates in self._buckets.items() for client, spent in rates.collect()
        ]

    def _spend_elsewhere(self, spending: Spending) -> None:
        if spending.kind in self._buckets:
            self._buckets[spending.kind].spend_elsewhere(spending.client, spending.spent)


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
