"""The start page."""

from playwright.sync_api import Page, expect

from tests.service.conftest import NewMatch
from tests.web.checks import check_axe


def test_without_matches_it_says_what_this_is(phone: Page) -> None:
    phone.goto("/")
    expect(phone.get_by_text("Carnet keeps the matches you play")).to_be_visible()
    expect(phone.get_by_role("link", name="New match")).to_be_visible()
    check_axe(phone)


def test_it_leads_to_a_match(new_match: NewMatch, desk: Page) -> None:
    match = new_match()
    desk.goto("/")
    expect(desk.get_by_role("link", name="Ana (Orange)")).to_have_attribute("href", f"/matches/{match.id}")
