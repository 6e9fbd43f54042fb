"""Query strings are parsed from what is given alone, with the cache of `service/http/fast.py` and without it."""

from datetime import UTC, datetime
from typing import Any

import pytest

from service.http import fast
from service.http.query import Members
from service.http.request import Request
from service.stats.filters import StatisticsQuery

READERS = [Request({}), fast.Request({})]


def loaded(request: Request, *members: tuple[str, ...]) -> Any:
    """Reads without a current request, of which nothing may be seen."""
    return request.load_query(FORM, given(*members))


def given(*members: tuple[str, ...]) -> Members:
    return tuple((name, tuple(values)) for name, *values in members)


FORM = StatisticsQuery()


@pytest.mark.parametrize("request_", READERS)
def test_a_plain_date_is_read_in_the_time_zone_that_is_given(request_: Request) -> None:
    day = ("from", "2026-07-01")
    assert loaded(request_, day, ("tz", "UTC"))["since"] == datetime(2026, 7, 1, tzinfo=UTC)
    assert loaded(request_, day, ("tz", "Asia/Tokyo"))["since"] == datetime(2026, 6, 30, 15, tzinfo=UTC)


@pytest.mark.parametrize("request_", READERS)
def test_lists_belong_to_the_request_that_they_were_read_for(request_: Request) -> None:
    members = (("tag", "club", "evening"), ("tz", "UTC"))
    loaded(request_, *members)["tag"].append("changed")
    assert loaded(request_, *members)["tag"] == ["club", "evening"]
