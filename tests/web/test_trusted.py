"""A phone in the network that was told to trust the authority of this installation, in a real Chromium."""

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, BrowserType, Page, expect

from scripts.chromium import provide_chromium
from scripts.debian import provide
from tests.service.following import running
from tests.web.checks import PATIENCE, axe_findings
from tests.web.conftest import PHONE

SWITCHES = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"]


@pytest.fixture
def addresses(dsn: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str, Path]]:
    """The first address that a start prints, that of the page of trust, and the folder of the service."""
    folder = tmp_path_factory.mktemp("carnet")
    network = {"CARNET_OPEN": "0", "CARNET_HOST": "0.0.0.0"}
    with running(dsn, 1, **network, CARNET_TLS="self", CARNET_DATA=str(folder)) as [(port, process)]:
        assert process.stdout is not None
        found = re.search(r"http://(\S+)/trust", process.stdout.readline())
        assert found is not None
        assert found[1].endswith(f":{port}")
        yield f"https://{found[1]}", f"http://{found[1]}/trust", folder


@contextmanager
def phone_with(home: Path, chromium: BrowserType, executable: Path) -> Iterator[BrowserContext]:
    """A phone whose settings are in a folder."""
    environment: dict[str, Any] = {**os.environ, "HOME": str(home)}
    context = chromium.launch_persistent_context(
        str(home / "profile"),
        executable_path=executable,
        args=SWITCHES,
        env=environment,
        locale="en-GB",
        timeout=2 * PATIENCE,
        **PHONE,
    )
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


def trust(home: Path, certificate: bytes) -> None:
    """Do what the page of trust says, in the store that Chromium reads on Linux."""
    certutil = provide("certutil", "libnss3-tools")
    (home / "carnet.crt").write_bytes(certificate)
    store = home / ".pki" / "nssdb"
    store.mkdir(parents=True)
    for arguments in (["-N", "--empty-password"], ["-A", "-n", "Carnet", "-t", "C,,", "-i", str(home / "carnet.crt")]):
        subprocess.run([certutil, "-d", f"sql:{store}", *arguments], check=True)  # noqa: S603


def installability(page: Page) -> Any:
    """Why Chromium would not install a page; a headless shell never says any."""
    return page.context.new_cdp_session(page).send("Page.getInstallabilityErrors")["installabilityErrors"]


def try_phone(addresses: tuple[str, str, Path], home: Path, chromium: BrowserType, executable: Path) -> None:
    """Walk the way of a phone from the code on the terminal to the page that works without a network."""
    address, help_address, folder = addresses
    with phone_with(home, chromium, executable) as phone:
        page = phone.pages[0]
        page.goto(help_address)
        assert axe_findings(page) == []
        shown = page.locator("dd").inner_text().replace("\n", "").replace(" ", "")
        assert re.fullmatch("([0-9A-F]{2}:){31}[0-9A-F]{2}", shown)
        overflow = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert overflow <= 0
        with page.expect_download() as download:
            page.get_by_role("link", name="Download for Android").click()
        certificate = download.value.path().read_bytes()
        with pytest.raises(Exception, match="ERR_CERT_AUTHORITY_INVALID"):
            page.goto(address)
    trust(home, certificate)
    with phone_with(home, chromium, executable) as phone:
        page = phone.pages[0]
        page.goto(help_address)
        page.get_by_role("link", name="Open Carnet").click()
        page.wait_for_url(f"{address}/")
        response = page.goto(address.replace("https:", "http:"))
        assert response is not None
        assert page.url == f"{address}/"
        assert page.evaluate("isSecureContext")
        page.evaluate("navigator.serviceWorker.ready")
        session = phone.new_cdp_session(page)
        manifest = session.send("Page.getAppManifest")
        assert manifest["errors"] == []
        assert manifest["url"].startswith(f"{address}/static/")
        assert installability(page) == []
        link = (folder / "owner-link").read_text().strip()
        assert link.startswith(f"{address}/sign-in/")
        page.goto(link)
        page.get_by_label("Your name").fill("Olga")
        page.get_by_role("button", name="Join").click()
        expect(page.get_by_role("heading", name="You are signed in")).to_be_visible()
        [cookie] = [cookie for cookie in phone.cookies() if "session" in str(cookie.get("name"))]
        assert (cookie.get("name"), cookie.get("secure")) == ("__Host-carnet_session", True)
        page.goto(address)
        expect(page.get_by_role("link", name="Trust this Carnet on another phone")).to_be_attached()
        page.wait_for_function("navigator.serviceWorker.controller !== null")
        page.reload()
        phone.set_offline(True)
        page.goto(address)
        expect(page.locator("html")).to_have_attribute("data-kept", "")
        phone.set_offline(False)


@pytest.mark.slow
def test_a_phone_that_trusts_the_authority_opens_pages_and_keeps_them(
    addresses: tuple[str, str, Path], tmp_path: Path, browser: Browser
) -> None:
    try_phone(addresses, tmp_path, browser.browser_type, provide_chromium(os.environ))


@pytest.mark.soak
def test_a_whole_chromium_would_install_the_page(
    addresses: tuple[str, str, Path], tmp_path: Path, browser: Browser
) -> None:
    try_phone(addresses, tmp_path, browser.browser_type, Path(provide("chromium", "chromium")))
