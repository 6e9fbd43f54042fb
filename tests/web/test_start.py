"""The start page."""

from playwright.sync_api import Page, expect

from tests.service.conftest import NewMatch


def test_without_matches_it_says_what_this_is(phone: Page) -> None:
    phone.goto("/")
    expect(phone.get_by_text("No match yet.")).to_be_visible()


def test_it_leads_to_a_match(new_match: NewMatch, desk: Page) -> None:
    match = new_match()
    desk.goto("/")
    expect(desk.get_by_role("link", name=match.id)).to_be_visible()
