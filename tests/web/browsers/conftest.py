"""The browsers of the journeys, each behind a gate that can be shut."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass

import pytest

from tests.web.browsers.driving import Browser, chromium, firefox, webkit
from tests.web.browsers.gate import Gate, gate_before

BROWSERS: dict[str, Callable[..., AbstractContextManager[Browser]]] = {
    "chromium": chromium,
    "firefox": firefox,
    "webkit": webkit,
}


@dataclass(frozen=True, slots=True)
class Traveller:
    """Somebody with a browser, whose network comes and goes."""

    browser: Browser
    gate: Gate


@pytest.fixture(scope="session")
def gate(stand: tuple[object, str]) -> Iterator[Gate]:
    """What leads to the service."""
    with gate_before(stand[1]) as gate:
        yield gate


@pytest.fixture(scope="module", params=BROWSERS)
def opened_browser(request: pytest.FixtureRequest, gate: Gate) -> Iterator[Browser]:
    """Each of the browsers, for all journeys."""
    more = [request.getfixturevalue("browser")] if request.param == "chromium" else []
    with BROWSERS[request.param](gate.address, *more) as browser:
        yield browser


@pytest.fixture
def traveller(opened_browser: Browser, gate: Gate, site: str) -> Iterator[Traveller]:
    """A browser at the service of the test."""
    yield Traveller(opened_browser, gate)
    gate.open()
    opened_browser.go("about:blank")
