"""Pages in a real Chromium, at a service on a real socket and PostgreSQL; what the console tells is a failure."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

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
PATIENCE = 20_000
"""Milliseconds for which a page may take its time on a loaded machine."""


@dataclass
class Watched:
    """What has gone wrong in the pages of a test, and which of it the test means to happen."""

    told: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)

    def expect(self, part: str) -> None:
        """Let the console tell what holds these words."""
        self.expected.append(part)

    def watch(self, context: BrowserContext) -> None:
        """Listen to all pages of a context."""
        context.on("console", self._hear)
        context.on("weberror", lambda error: self.told.append(str(error.error)))

    def _hear(self, message: ConsoleMessage) -> None:
        # What the API refuses, pages show; that the network panel notes it too is no error of theirs.
        is_refusal = message.text.startswith("Failed to load resource") and "/api/v1/" in message.location["url"]
        if message.type in {"error", "warning"} and not (is_refusal and "status of 4" in message.text):
            self.told.append(f"{message.text} ({message.location['url']})")

    @property
    def wrong(self) -> list[str]:
        """What nobody meant to happen."""
        return [told for told in self.told if not any(part in told for part in self.expected)]


class NewContext(Protocol):
    """Opens a browser of its own, with nothing in its memory, at the service."""

    def __call__(self, device: dict[str, Any], **options: Any) -> BrowserContext: ...


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The Chromium of this process."""
    executable = provide_chromium(os.environ)
    switches = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"]
    switches.append("--host-resolver-rules=MAP carnet.test 127.0.0.1")  # a name that browsers do not trust
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=switches)
        yield browser
        browser.close()


@pytest.fixture
def site(app: Flask) -> Iterator[str]:
    """The address of the service; the fixtures `service` and `new_match` prepare what is in it."""
    with served(app) as address:
        yield address
        app.extensions["carnet"].close()


@pytest.fixture
def watched() -> Iterator[Watched]:
    """What the consoles tell; at the end nothing may be wrong."""
    watched = Watched()
    yield watched
    assert watched.wrong == []


@pytest.fixture
def network_may_go(watched: Watched) -> None:
    """Lets the console tell that the network is away."""
    for said in (
        "ERR_INTERNET_DISCONNECTED",
        "ERR_FAILED",
        "ERR_NETWORK_CHANGED",
        "error occurred when fetching the script",
    ):
        watched.expect(said)


@pytest.fixture
def new_context(browser: Browser, site: str, watched: Watched) -> Iterator[NewContext]:
    """Opens browsers at the service, each of a device and in English unless another `locale` is given."""
    contexts = []

    def open_context(device: dict[str, Any], **options: Any) -> BrowserContext:
        context = browser.new_context(**{"base_url": site, "locale": "en-GB", **device, **options})
        context.set_default_timeout(PATIENCE)
        watched.watch(context)
        contexts.append(context)
        return context

    yield open_context
    for context in contexts:
        context.close()


@pytest.fixture
def phone(new_context: NewContext) -> Page:
    """A phone in one hand."""
    return new_context(PHONE).new_page()


@pytest.fixture
def desk(new_context: NewContext) -> Page:
    """A browser on a desk."""
    return new_context(DESK).new_page()
