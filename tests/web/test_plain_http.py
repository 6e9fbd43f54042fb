"""A table without HTTPS: browsers keep no page for it, so that the open one must stay open without network."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from flask import Flask
from playwright.sync_api import expect

from service.app import create_app
from service.db.pool import Database
from tests.service.conftest import CONFIG, NewMatch
from tests.web.conftest import PHONE, NewContext, Watched
from tests.web.tables import expect_taken, notifier, open_match, take, wait_until_live

NAME = "carnet.test"


@pytest.fixture
def app(database: Database) -> Iterator[Flask]:
    """The service under a name of its own."""
    app = create_app(replace(CONFIG, url=f"http://{NAME}"), database)
    yield app
    app.extensions["carnet"].close()


@pytest.mark.usefixtures("network_may_go")
def test_the_open_page_keeps_moves_and_says_that_it_must_stay_open(
    new_match: NewMatch, new_context: NewContext, site: str, watched: Watched
) -> None:
    watched.expect("Cross-Origin-Opener-Policy header has been ignored")
    match = new_match()
    context = new_context(PHONE, base_url=site.replace("127.0.0.1", NAME))
    page = context.new_page()
    open_match(page, match)
    wait_until_live(page)
    assert page.evaluate("[isSecureContext, navigator.serviceWorker]") == [False, None]
    context.set_offline(True)
    take(page, "L4")
    expect(notifier(page)).to_contain_text("1 move waits.")
    expect(notifier(page)).to_contain_text("Keep this page open until then.")
    context.set_offline(False)
    expect_taken(match, page, ("orange", "L4"))
