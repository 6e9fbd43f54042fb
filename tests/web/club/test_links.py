"""Guests who were given the link of a match."""

from playwright.sync_api import expect

from tests.service.access.people import Person
from tests.service.harness import Match, ok
from tests.web.conftest import PHONE, NewContext
from tests.web.tables import take, taken


def test_a_guest_records_and_looks_at_a_match_in_a_language_of_his_own(new_context: NewContext, olga: Person) -> None:
    match = Match(olga, olga.begin(visibility="unlisted")["id"])
    key = ok(match.post("/links", {"allows": "record"}), 201)["secret"]
    page = new_context(PHONE).new_page()
    page.goto(f"/matches/{match.id}?key={key}")
    take(page, "L4")
    expect(page.locator("#turn")).to_contain_text("Jan")
    assert taken(match) == [("orange", "L4")]
    page.locator(".menu-button").tap()
    page.get_by_role("button", name="Polski").tap()
    expect(page.locator("html")).to_have_attribute("lang", "pl")
    assert page.url.endswith(f"/matches/{match.id}?key={key}")
    page.locator(".menu-button").tap()
    page.get_by_role("link", name="Odtwarzanie").tap()
    expect(page.locator("#now")).to_have_text("Pomarańczowy: zdobywa budynek L4 z puli.")
    page.locator(".menu-button").tap()
    page.get_by_role("button", name="Čeština").tap()
    expect(page.locator("html")).to_have_attribute("lang", "cs")
    assert page.url.endswith(f"/matches/{match.id}/replay/1?key={key}")
