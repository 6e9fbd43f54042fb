"""Browsers as the journeys drive them: Chromium by Playwright, WebKit by its WebDriver, Firefox by Marionette.

WebKit's driver and Firefox itself take the same commands, those of WebDriver; only their way differs. So neither a
library nor geckodriver, which Debian does not have, is needed.
"""

import json
import os
import socket
import subprocess
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import requests
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Page

from scripts.debian import install, provide
from scripts.ports import reserved_port

T = TypeVar("T")

PATIENCE = 30.0
"""Seconds for which a browser may take its time on a loaded machine."""
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""The member that names an element on the wire."""
READY = """
const [element] = arguments;
element.scrollIntoView({ block: "nearest", inline: "nearest" });
return !element.disabled;
"""
"""Whether an element can be clicked, once it is in sight."""
WIDTH, HEIGHT = 420, 980
PREFERENCES: Mapping[str, Any] = {
    "intl.accept_languages": "en-GB, en",
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "network.http.speculative-parallel-limit": 0,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
    "services.settings.server": "data:,",
}
"""Firefox asks nobody but our service."""
MINI_BROWSERS = ("webkit2gtk-4.1/MiniBrowser", "webkitgtk-6.0/MiniBrowser", "webkit2gtk-4.0/MiniBrowser")


class Failed(Exception):
    """A browser has refused a command."""


class Browser(ABC):
    """A browser with one page, at one site."""

    def __init__(self, site: str) -> None:
        self.site = site

    @abstractmethod
    def go(self, url: str) -> None:
        """Open an address."""

    @abstractmethod
    def reload(self) -> None:
        """Load the page again."""

    @abstractmethod
    def click(self, selector: str) -> None:
        """Click the first element of a selector, or of an XPath, once it can be."""

    @abstractmethod
    def run(self, script: str, *arguments: Any) -> Any:
        """What the body of a function answers in the page."""

    def open(self, path: str) -> None:
        """Open a page of the site, and wait until it has shown what it is for."""
        self.go(f"{self.site}{path}")
        self.await_shown()

    def await_shown(self) -> None:
        """Wait until the page has shown what it is for."""
        self.await_true("return document.querySelector('main') && !document.querySelector('main[aria-busy]')")

    def text(self, selector: str) -> str:
        """The text of the first element of a selector, empty if there is none."""
        text: str = self.run("return document.querySelector(arguments[0])?.innerText ?? ''", selector)
        return text

    def await_text(self, selector: str, text: str) -> None:
        """Wait until an element shows a text among others; an empty one stands for nothing at all."""
        holds = "const said = document.querySelector(arguments[0])?.innerText ?? '';"
        try:
            self.await_true(holds + "return arguments[1] ? said.includes(arguments[1]) : !said.trim()", selector, text)
        except AssertionError:
            raise AssertionError(f"{selector} says {self.text(selector)!r}, not {text!r}") from None

    def await_true(self, script: str, *arguments: Any) -> None:
        """Wait until a function in the page answers with something true."""
        wait_until(lambda: self.run(script, *arguments), script)


def wait_until(answer: Callable[[], T], what: str) -> T:
    """Wait for something; pages between two addresses cannot be asked."""
    end, why = time.monotonic() + PATIENCE, ""
    while True:
        try:
            if found := answer():
                return found
        except Failed as failed:
            why = str(failed)
        assert time.monotonic() < end, f"in vain: {what} {why}"
        time.sleep(0.05)


class PlaywrightBrowser(Browser):
    """Chromium."""

    def __init__(self, site: str, page: Page) -> None:
        super().__init__(site)
        self._page = page

    def go(self, url: str) -> None:
        self._page.goto(url)

    def reload(self) -> None:
        self._page.reload()

    def click(self, selector: str) -> None:
        self._page.locator(selector).first.click()

    def run(self, script: str, *arguments: Any) -> Any:
        return self._page.evaluate(f"(given) => (function () {{ {script} }}).apply(null, given)", list(arguments))


class WebDriverBrowser(Browser):
    """A browser that takes the commands of WebDriver."""

    def __init__(self, site: str, ask: Callable[[str, Mapping[str, Any]], Any]) -> None:
        super().__init__(site)
        self._ask = ask

    def go(self, url: str) -> None:
        self._ask("Navigate", {"url": url})

    def reload(self) -> None:
        self._ask("Refresh", {})

    def click(self, selector: str) -> None:
        wait_until(lambda: self._clicked(selector), f"a click on {selector}")

    def _clicked(self, selector: str) -> bool:
        how = "xpath" if selector.startswith("//") else "css selector"
        found = self._ask("FindElement", {"using": how, "value": selector})
        if is_ready := self.run(READY, found):
            self._ask("ElementClick", {"id": found[ELEMENT]})
        return bool(is_ready)

    def run(self, script: str, *arguments: Any) -> Any:
        return self._ask("ExecuteScript", {"script": script, "args": list(arguments)})


@contextmanager
def chromium(site: str, browser: Chromium) -> Iterator[Browser]:
    """Chromium, with nothing in its memory."""
    context = browser.new_context(locale="en-GB", viewport={"width": WIDTH, "height": HEIGHT})
    yield PlaywrightBrowser(site, context.new_page())
    context.close()


# WebKit


class WebKitDriver:
    """Sends commands to the driver of WebKit, over HTTP."""

    PATHS: Mapping[str, str] = {
        "Navigate": "/url",
        "Refresh": "/refresh",
        "FindElement": "/element",
        "ElementClick": "/element/{id}/click",
        "ExecuteScript": "/execute/sync",
        "SetWindowRect": "/window/rect",
    }

    def __init__(self, address: str, browser: str) -> None:
        options = {"binary": browser, "args": ["--automation"]}
        wanted = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        self._session = f"{address}/session"
        begun = wait_until(lambda: self._send("", {"capabilities": wanted}), "a session of WebKit")
        self._session += f"/{begun['sessionId']}"

    def ask(self, command: str, parameters: Mapping[str, Any]) -> Any:
        """Do a command; raise `Failed`."""
        return self._send(self.PATHS[command].format_map(parameters), parameters)

    def end(self) -> None:
        """Close the browser."""
        requests.delete(self._session, timeout=PATIENCE)

    def _send(self, path: str, parameters: Mapping[str, Any]) -> Any:
        try:
            answer = requests.post(self._session + path, json=parameters, timeout=PATIENCE)
        except requests.ConnectionError as error:
            raise Failed(str(error)) from error
        value = answer.json()["value"]
        if not answer.ok:
            raise Failed(f"{value['error']}: {value['message']}")
        return value


@contextmanager
def webkit(site: str) -> Iterator[Browser]:
    """WebKit in the small browser that comes with it, on a screen that nobody sees."""
    driver = provide("WebKitWebDriver", "webkit2gtk-driver")
    with reserved_port() as port, hidden_screen() as display:
        environ = {
            **os.environ,
            "DISPLAY": display,
            "LANG": "C.UTF-8",
            "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",  # its sandbox does not start as root
            "WEBKIT_DISABLE_COMPOSITING_MODE": "1",
        }
        command = [driver, f"--port={port}", "--host=127.0.0.1"]
        with running(command, environ), _webkit_at(f"http://127.0.0.1:{port}") as session:
            browser = WebDriverBrowser(site, session.ask)
            session.ask("SetWindowRect", {"x": 0, "y": 0, "width": WIDTH, "height": HEIGHT})
            yield browser


@contextmanager
def _webkit_at(address: str) -> Iterator[WebKitDriver]:
    session = WebKitDriver(address, mini_browser())
    yield session
    session.end()


def mini_browser() -> str:
    """The browser that comes with WebKit, which Debian keeps beside its library."""
    for _ in range(2):
        for name in MINI_BROWSERS:
            for path in Path("/usr/lib").glob(f"*/{name}"):
                return str(path)
        install("libwebkit2gtk-4.1-0")
    raise Failed("There is no MiniBrowser; install it (Debian: apt install libwebkit2gtk-4.1-0).")


@contextmanager
def hidden_screen() -> Iterator[str]:
    """A screen in memory; answers with its name."""
    readable, writable = os.pipe()
    command = [provide("Xvfb", "xvfb"), "-displayfd", str(writable), "-nolisten", "tcp", "-screen", "0", "1280x1024x24"]
    with (
        os.fdopen(readable) as told,
        subprocess.Popen(command, pass_fds=[writable], stderr=subprocess.DEVNULL) as screen,  # noqa: S603 - our words
    ):
        os.close(writable)
        try:
            yield f":{told.readline().strip()}"
        finally:
            screen.terminate()


# Firefox


class Marionette:
    """Sends commands to Firefox itself, over a socket: each message is a JSON array behind its length."""

    def __init__(self, port: int) -> None:
        self._line = wait_until(lambda: _connected(port), "Firefox")
        self._stream = self._line.makefile("rb")
        self._number = 0
        self._read()
        self.ask("NewSession", {"capabilities": {"alwaysMatch": {"acceptInsecureCerts": False}}})

    def ask(self, command: str, parameters: Mapping[str, Any]) -> Any:
        """Do a command; raise `Failed`."""
        self._number += 1
        message = json.dumps([0, self._number, f"WebDriver:{command}", dict(parameters)]).encode()
        self._line.sendall(f"{len(message)}:".encode() + message)
        _, _, error, result = self._read()
        if error is not None:
            raise Failed(f"{error['error']}: {error['message']}")
        return result.get("value") if isinstance(result, dict) else result

    def end(self) -> None:
        """Close the line."""
        self._stream.close()
        self._line.close()

    def _read(self) -> Any:
        length = b""
        while (digit := self._stream.read(1)) != b":":
            length += digit
        return json.loads(self._stream.read(int(length)))


def _connected(port: int) -> socket.socket:
    try:
        return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    except OSError as error:
        raise Failed(str(error)) from error


@contextmanager
def firefox(site: str) -> Iterator[Browser]:
    """Firefox without windows, with nothing in its memory."""
    program = provide("firefox-esr", "firefox-esr")
    with (
        tempfile.TemporaryDirectory(prefix="carnet-firefox-", ignore_cleanup_errors=True) as profile,
        reserved_port() as port,
    ):
        preferences = {**PREFERENCES, "marionette.port": port}
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in preferences.items()]
        Path(profile, "user.js").write_text("\n".join(lines), "utf-8")
        environ = {**os.environ, "HOME": profile, "MOZ_HEADLESS_WIDTH": str(WIDTH), "MOZ_HEADLESS_HEIGHT": str(HEIGHT)}
        command = [program, "--headless", "--marionette", "--no-remote", "--profile", profile]
        with running(command, environ):
            line = Marionette(port)
            yield WebDriverBrowser(site, line.ask)
            line.end()


@contextmanager
def running(command: list[str], environ: Mapping[str, str]) -> Iterator[None]:
    """A program that runs meanwhile."""
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, env=dict(environ), stdout=quiet, stderr=quiet) as program:  # noqa: S603 - our words
        try:
            yield
        finally:
            program.terminate()
