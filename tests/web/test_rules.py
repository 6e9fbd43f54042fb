"""The written rules as pages."""

import pytest
from playwright.sync_api import Page, expect

from domain.catalogue import GAMES
from tests.web.conftest import DESK, PHONE, NewContext


@pytest.mark.parametrize("game", GAMES)
def test_an_address_leads_to_a_section_of_the_rules(phone: Page, game: str) -> None:
    phone.goto(f"/games/{game}/rules#4.1")
    expect(phone.locator("h3:target")).to_be_in_viewport()
    expect(phone.locator("h3:target a")).to_have_text("4.1")
    phone.locator("article").get_by_role("link", name="6.2").first.tap()
    expect(phone.locator("h3:target a")).to_have_text("6.2")


@pytest.mark.parametrize(
    ("locale", "contents"),
    [("pl", "Spis treści"), ("cs", "Obsah"), pytest.param("pt", "Índice", marks=pytest.mark.soak)],
)
def test_the_frame_of_the_rules_is_read_in_every_language(new_context: NewContext, locale: str, contents: str) -> None:
    page = new_context.tab(DESK if locale == "pl" else PHONE, locale=locale)
    page.goto("/games/cite-lumiere/rules")
    expect(page.locator("summary")).to_have_text(contents)
    expect(page.locator("article")).to_have_attribute("lang", "en")
