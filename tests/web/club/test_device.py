"""What stays on a device of which somebody has signed out, lost the account, or which another person uses."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Error, Page, expect

from tests.service.auth.people import Person, invited
from tests.service.harness import Match, ok
from tests.web.checks import eventually, wait_until_shown
from tests.web.club.signing_in import signed_in
from tests.web.conftest import PHONE, NewContext, Watched
from tests.web.tables import expect_taken, notifier, open_match, take, taken, wait_until_live

pytestmark = pytest.mark.usefixtures("network_may_go")

STORED = """async () => {
    const { promise, resolve } = Promise.withResolvers();
    const opening = indexedDB.open("carnet");
    opening.onsuccess = () => {
        const all = opening.result.transaction("matches").objectStore("matches").getAllKeys();
        all.onsuccess = () => resolve(all.result);
    };
    const pages = [];
    for (const name of await caches.keys())
        for (const { url } of await (await caches.open(name)).keys())
            if (/^\\/matches\\/[0-9a-f-]{36}/.test(new URL(url).pathname)) pages.push(new URL(url).pathname);
    return { matches: await promise, pages };
}"""
"""The matches and the pages of matches that are stored on the device."""


def private_match(person: Person) -> Match:
    """A match that its owner alone may read."""
    return Match(person, person.begin("Xaver", "Yvonne", visibility="private")["id"])


def read_and_kept(page: Page, match: Match) -> None:
    """Open the page of a match, until the device has stored it."""
    page.goto(match.path)
    expect(page.locator("#notices[data-kept=true]")).to_be_attached()
    expect_stored(page, {"matches": [match.id], "pages": [match.path]})


def expect_stored(page: Page, expected: dict[str, list[str]]) -> None:
    """Wait until this is stored on the device; pages store and delete on the side."""

    def check() -> None:
        assert page.evaluate(STORED) == expected

    eventually(page, check)


def expect_nothing_of(page: Page, match: Match) -> None:
    """Fail if anything of a match is still on the device, be it online or without network."""
    expect_stored(page, {"matches": [], "pages": []})
    assert status_of_frame(page, match) == 404
    with without_network(page.context):
        with suppress(Error):
            page.goto(match.path)
        wait_until_shown(page)
        expect(page.get_by_text("Xaver")).to_have_count(0)


def status_of_frame(page: Page, match: Match) -> Any:
    """What the browser makes of the address of a frame of a version."""
    path = f"/api/v1{match.path}/replay/0?version=1&lang=en"
    return page.evaluate("async (path) => (await fetch(path)).status", path)


@contextmanager
def without_network(context: BrowserContext) -> Iterator[None]:
    context.set_offline(True)
    yield
    context.set_offline(False)


def test_what_was_read_does_not_stay_on_a_device_after_signing_out(
    new_context: NewContext, site: str, olga: Person, watched: Watched
) -> None:
    watched.expect("status of 404")
    match = private_match(olga)
    page = signed_in(new_context(PHONE).new_page(), site, olga)
    read_and_kept(page, match)
    assert status_of_frame(page, match) == 200
    other_tab = page.context.new_page()
    open_match(other_tab, match)
    page.goto("/account")
    wait_until_shown(page)
    page.get_by_role("button", name="Sign out").tap()
    expect(page.get_by_role("heading", name="The games you play")).to_be_visible()
    expect(other_tab.get_by_text("Xaver")).to_have_count(0)
    page.go_back()
    page.go_back()
    expect(page.get_by_text("Xaver")).to_have_count(0)
    page.goto("/")
    expect_nothing_of(page, match)


@pytest.mark.parametrize("visited", ["/", "the match"])
def test_the_next_visit_after_an_account_was_closed_deletes_what_it_has_read(
    new_context: NewContext, site: str, olga: Person, watched: Watched, visited: str
) -> None:
    watched.expect("status of 404")
    fritz = invited(olga, "Fritz")
    match = private_match(fritz)
    page = signed_in(new_context(PHONE).new_page(), site, fritz)
    read_and_kept(page, match)
    assert status_of_frame(page, match) == 200
    assert olga.delete(f"/accounts/{fritz.account['id']}").status_code == 204
    page.goto(match.path if visited == "the match" else visited)
    expect(page.get_by_text("Xaver")).to_have_count(0)
    expect_nothing_of(page, match)


def test_a_match_is_forgotten_once_it_may_no_longer_be_read(
    new_context: NewContext, site: str, olga: Person, watched: Watched
) -> None:
    watched.expect("status of 404")
    match = Match(olga, olga.begin("Xaver", "Yvonne", visibility="club")["id"])
    page = signed_in(new_context(PHONE).new_page(), site, invited(olga, "Fritz"))
    read_and_kept(page, match)
    wait_until_live(page)
    ok(olga.patch(match.path, {"visibility": "private"}))
    expect(notifier(page)).to_contain_text("You may no longer view this match.")
    page.goto("/")
    expect_nothing_of(page, match)


def test_who_signs_in_on_the_device_of_another_sees_nothing_of_theirs(
    new_context: NewContext, site: str, olga: Person, watched: Watched
) -> None:
    watched.expect("status of 404")
    match = private_match(olga)
    page = signed_in(new_context(PHONE).new_page(), site, olga)
    read_and_kept(page, match)
    invitation = ok(olga.post("/invitations", {"name": "Una"}), 201)
    page.goto(f"/sign-in/{invitation['secret']}")
    page.get_by_role("button", name="Join").tap()
    expect(page.get_by_text("You are signed in as Una.")).to_be_visible()
    expect_nothing_of(page, match)


def test_moves_that_wait_are_kept_for_who_entered_them_and_shown_to_nobody_else(
    new_context: NewContext, site: str, olga: Person
) -> None:
    seats = olga.begin("Olga", "Una", visibility="club")
    una = invited(olga, "Una", player_id=seats["players"][1]["player_id"])
    match = Match(olga, seats["id"])
    context = new_context(PHONE)
    page = signed_in(context.new_page(), site, olga)
    open_match(page, match)
    wait_until_live(page)
    with without_network(context):
        take(page, "L4")
        expect(notifier(page)).to_contain_text("1 move waits.")
        # A page that is closed may run for a moment longer than the network is away.
        page.evaluate("() => void (window.fetch = () => Promise.reject(new TypeError('closed')))")
        page.close()
    other = signed_in(context.new_page(), site, una)
    open_match(other, match)
    wait_until_live(other)
    expect(notifier(other)).to_be_empty()
    assert taken(match) == []
    other.close()
    again = signed_in(context.new_page(), site, olga)
    open_match(again, match)
    expect_taken(match, again, ("orange", "L4"))
