"""Pages in a real Chromium, at a service on a real socket and PostgreSQL; what the console tells is a failure."""

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from scripts.chromium import provide_chromium
from tests.service.conftest import (
    app,
    database,
    databases,
    dsn,
    match,
    new_match,
    run_sql,
    server,
    service,
    soon_ended,
    template,
)
from tests.service.serving import served
from tests.web.checks import COUNT_FETCHES, PATIENCE

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

__all__ = [
    "app",
    "database",
    "databases",
    "dsn",
    "match",
    "new_match",
    "run_sql",
    "server",
    "service",
    "soon_ended",
    "template",
]

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "has_touch": True,
    "is_mobile": True,
}
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}}
BLOCKED = "Service Worker registration blocked by Playwright"


@dataclass
class Watched:
    """Errors in the pages of a test, and those that the test expects."""

    messages: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)
    _listeners: dict[BrowserContext, list[tuple[Any, Callable[..., None]]]] = field(default_factory=dict)

    def expect(self, part: str) -> None:
        """Expect messages that contain these words."""
        self.expected.append(part)

    def watch(self, context: BrowserContext) -> None:
        """Listen to all pages of a context."""
        self._listeners[context] = [
            ("console", self._hear),
            ("weberror", lambda error: self.messages.append(str(error.error))),
        ]
        for event, listener in self._listeners[context]:
            context.on(event, listener)

    def leave(self, context: BrowserContext) -> None:
        """Listen to a context no longer."""
        for event, listener in self._listeners.pop(context):
            context.remove_listener(event, listener)

    def _hear(self, message: ConsoleMessage) -> None:
        # What the API refuses, pages show; that the network panel notes it too is no error of theirs.
        is_refusal = message.text.startswith("Failed to load resource") and "/api/v1/" in message.location["url"]
        is_expected = (is_refusal and "status of 4" in message.text) or message.text == BLOCKED
        if message.type in {"error", "warning"} and not is_expected:
            self.messages.append(f"{message.text} ({message.location['url']})")

    @property
    def wrong(self) -> list[str]:
        """The messages that were not expected."""
        return [message for message in self.messages if not any(part in message for part in self.expected)]


LASTING = ("add_init_script", "add_locator_handler", "expose_binding", "expose_function", "on", "once")
"""Methods with effects on a browser that the next test would notice."""


class Tab:
    """A tab of a browser, for one test after the other.

    A page in a tab that has shown another one takes 0.2 s of CPU time, in a new browser 0.5 s.
    """

    def __init__(self, context: BrowserContext, device: dict[str, Any], site: str) -> None:
        self.page = context.new_page()
        self._context = context
        self._viewport = device["viewport"]
        self._site = site
        self._is_spoiled = False
        for owner in (context, self.page):
            for name in LASTING:
                if hasattr(owner, name):
                    setattr(owner, name, self._spoiling(getattr(owner, name)))

    def _spoiling(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            self._is_spoiled = True
            return method(*arguments, **options)

        return call

    def begin(self, watched: "Watched") -> Page:
        """Give the tab to a test."""
        watched.watch(self._context)
        self._is_spoiled = False
        return self.page

    def end(self, watched: "Watched") -> bool:
        """Take the tab back and forget what it has stored; False if it cannot be used again."""
        if self._is_spoiled or self._context.pages != [self.page]:
            self._context.close()
            return False
        watched.leave(self._context)
        self.page.unroute_all(behavior="ignoreErrors")
        self._context.unroute_all(behavior="ignoreErrors")
        self._context.set_offline(False)
        # An empty page of another site would end the process.
        self.page.goto(f"{self._site}/healthz")
        self._context.clear_cookies()
        self.page.set_viewport_size(self._viewport)
        session = self._context.new_cdp_session(self.page)
        kinds = "local_storage,indexeddb"
        session.send("Storage.clearDataForOrigin", {"origin": self._site, "storageTypes": kinds})
        session.detach()
        return True


class NewContext:
    """Opens browsers at the service: each of a device, and in English unless another `locale` is given."""

    def __init__(self, browser: Browser, site: str, watched: Watched, tabs: dict[str, list[Tab]]) -> None:
        self._browser = browser
        self._site = site
        self._watched = watched
        self._free = tabs
        self._taken: list[tuple[str, Tab]] = []
        self._contexts: list[BrowserContext] = []

    def __call__(self, device: dict[str, Any], **options: Any) -> BrowserContext:
        """Open a browser of its own, with nothing in its memory."""
        context = self._new(device, **options)
        self._watched.watch(context)
        self._contexts.append(context)
        return context

    def tab(self, device: dict[str, Any], **options: Any) -> Page:
        """A tab in which nothing is stored, perhaps that of an earlier test; no page opens there without network."""
        name = repr((self._site, device, options))
        free = self._free.setdefault(name, [])
        tab = free.pop() if free else Tab(self._new(device, service_workers="block", **options), device, self._site)
        self._taken.append((name, tab))
        return tab.begin(self._watched)

    def close(self) -> None:
        """Close all browsers, and keep the tabs that can be used again."""
        for context in self._contexts:
            context.close()
        for name, tab in self._taken:
            if tab.end(self._watched):
                self._free[name].append(tab)

    def _new(self, device: dict[str, Any], **options: Any) -> BrowserContext:
        context = self._browser.new_context(**{"base_url": self._site, "locale": "en-GB", **device, **options})
        context.set_default_timeout(PATIENCE)
        context.add_init_script(COUNT_FETCHES)
        return context


class Stand:
    """One address for the applications of all tests, one after the other."""

    def __init__(self) -> None:
        self.app: Flask | None = None

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        if self.app is None:
            start_response("503 Service Unavailable", [("Content-Length", "0"), ("Retry-After", "1")])
            return []
        return self.app(environ, start_response)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The Chromium of this process."""
    executable = provide_chromium(os.environ)
    switches = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"]
    switches.append("--host-resolver-rules=MAP carnet.test 127.0.0.1")  # a name that browsers do not trust
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=switches, timeout=2 * PATIENCE)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def stand() -> Iterator[tuple[Stand, str]]:
    """The application at the address of the service, and that address."""
    stand = Stand()
    with served(stand) as address:
        yield stand, address


@pytest.fixture(scope="session")
def tabs() -> dict[str, list[Tab]]:
    """Tabs that no test uses now, by the address of the service and the device."""
    return {}


@pytest.fixture
def site(app: Flask, stand: tuple[Stand, str]) -> Iterator[str]:
    """The address of the service; the fixtures `service` and `new_match` prepare what is in it."""
    stand[0].app = app
    yield stand[1]
    stand[0].app = None
    app.extensions["carnet"].close()


@pytest.fixture
def watched() -> Iterator[Watched]:
    """The messages of the consoles; at the end none may be unexpected."""
    watched = Watched()
    yield watched
    assert watched.wrong == []


@pytest.fixture
def network_may_go(watched: Watched) -> None:
    """Expects messages of a network that is away."""
    for message in (
        "ERR_INTERNET_DISCONNECTED",
        "ERR_FAILED",
        "ERR_NETWORK_CHANGED",
        "error occurred when fetching the script",
    ):
        watched.expect(message)


@pytest.fixture
def new_context(browser: Browser, site: str, watched: Watched, tabs: dict[str, list[Tab]]) -> Iterator[NewContext]:
    """Opens browsers at the service."""
    new_context = NewContext(browser, site, watched, tabs)
    yield new_context
    new_context.close()


@pytest.fixture
def phone(new_context: NewContext) -> Page:
    """A phone in one hand."""
    return new_context.tab(PHONE)


@pytest.fixture
def desk(new_context: NewContext) -> Page:
    """A browser on a desk."""
    return new_context.tab(DESK)
