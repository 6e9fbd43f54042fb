"""How often one may ask: a bucket for each asker, which fills again."""

from dataclasses import replace

import pytest

from service import rates
from service.app import create_app
from service.rates import Rates, asker_at
from service.store.database import Database
from tests.service.conftest import CONFIG
from tests.service.harness import problem


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def taken(rates: Rates, asker: str, times: int) -> int:
    """How many of so many requests are let through."""
    return sum(rates.take(asker) == 0 for _ in range(times))


def test_a_bucket_holds_the_requests_of_a_minute_and_fills_again() -> None:
    clock = Clock()
    rates = Rates(60, clock)
    assert taken(rates, "ana", 100) == 60
    clock.now += 10
    assert taken(rates, "ana", 100) == 10
    clock.now += 3600
    assert taken(rates, "ana", 100) == 60


def test_who_is_held_up_is_told_how_long_and_that_is_true() -> None:
    clock = Clock()
    rates = Rates(30, clock)
    assert taken(rates, "ana", 30) == 30
    seconds = rates.take("ana")
    assert seconds == pytest.approx(2)
    clock.now += seconds - 0.01
    assert rates.take("ana") > 0
    clock.now += 0.02
    assert rates.take("ana") == 0


def test_one_asker_does_not_hold_up_another() -> None:
    rates = Rates(3, Clock())
    assert taken(rates, "ana", 9) == 3
    assert taken(rates, "jan", 9) == 3


def test_no_limit_is_none() -> None:
    assert taken(Rates(0, Clock()), "ana", 9999) == 9999


def test_askers_without_end_take_no_memory_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "MOST_BUCKETS", 3)
    buckets = Rates(1, Clock())
    assert [taken(buckets, asker, 2) for asker in "abc"] == [1, 1, 1]
    assert taken(buckets, "c", 1) == 0
    assert taken(buckets, "d", 1) == 1
    assert taken(buckets, "c", 1) == 0
    assert len(buckets._buckets) == 3


def test_a_home_network_is_one_asker() -> None:
    assert asker_at("2001:db8:1:2::1") == asker_at("2001:db8:1:2:ffff:ffff:ffff:ffff")
    assert asker_at("2001:db8:1:2::1") != asker_at("2001:db8:1:3::1")
    assert asker_at("::ffff:192.0.2.1") == asker_at("192.0.2.1") != asker_at("192.0.2.2")
    assert asker_at(None) == asker_at("")


def test_who_asks_too_often_is_told_so(database: Database) -> None:
    client = create_app(replace(CONFIG, rate=2), database).test_client()
    assert [client.get("/healthz").status_code for _ in range(2)] == [200, 200]
    answer = client.get("/api/v1/matches")
    problem(answer, 429, "too-many-requests")
    assert 1 <= int(answer.headers["Retry-After"]) <= 30
    assert answer.headers["X-Frame-Options"] == "DENY"
    other = client.get("/healthz", environ_overrides={"REMOTE_ADDR": "192.0.2.7"})
    assert other.status_code == 200


def test_behind_a_proxy_the_asker_is_whom_the_proxy_saw(database: Database) -> None:
    client = create_app(replace(CONFIG, rate=1, proxies=1), database).test_client()

    def ask(said: str) -> int:
        return client.get("/healthz", headers={"X-Forwarded-For": said}).status_code

    assert [ask("192.0.2.1"), ask("192.0.2.1")] == [200, 429]
    assert ask("192.0.2.2") == 200
    assert ask("198.51.100.9, 192.0.2.1") == 429


def test_without_a_proxy_nobody_can_claim_to_be_another(database: Database) -> None:
    client = create_app(replace(CONFIG, rate=1), database).test_client()
    asked = [client.get("/healthz", headers={"X-Forwarded-For": f"192.0.2.{n}"}).status_code for n in range(3)]
    assert asked == [200, 429, 429]
