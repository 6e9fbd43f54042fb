"""Guests who were given the link of a match."""

import re

import orjson
import pytest
from playwright.sync_api import expect

from tests.service.auth.people import Person
from tests.service.harness import OPENING, Match, ok
from tests.web.checks import check_axe
from tests.web.club.signing_in import signed_in
from tests.web.conftest import DESK, PHONE, NewContext
from tests.web.tables import take, taken


def test_a_guest_records_and_looks_at_a_match_in_a_language_of_their_own(new_context: NewContext, olga: Person) -> None:
    match = Match(olga, olga.begin(visibility="unlisted")["id"])
    key = ok(match.post("/links", {"allows": "record"}), 201)["secret"]
    page = new_context.tab(PHONE)
    page.goto(f"/matches/{match.id}?key={key}")
    take(page, "L4")
    expect(page.locator("#turn")).to_contain_text("Jan")
    assert taken(match) == [("orange", "L4")]
    page.locator(".menu-button").tap()
    page.get_by_role("button", name="Polski").tap()
    expect(page.locator("html")).to_have_attribute("lang", "pl")
    assert page.url.endswith(f"/matches/{match.id}?key={key}")
    page.locator(".menu-button").tap()
    page.get_by_role("link", name="Ruchy").tap()
    page.get_by_role("button", name="1 Ana: zdobywa").tap()
    expect(page.locator("#now")).to_have_text("Ana: zdobywa budynek L4 z puli.")
    page.locator(".menu-button").tap()
    page.get_by_role("button", name="Čeština").tap()
    expect(page.locator("html")).to_have_attribute("lang", "cs")
    expect(page).to_have_url(re.compile(rf"/matches/{match.id}/1\?key={key}&tool=moves$"))


def test_a_guest_saves_what_there_is_of_a_match(new_context: NewContext, olga: Person) -> None:
    match = Match(olga, olga.begin(visibility="unlisted")["id"])
    match.record(*OPENING)
    key = ok(match.post("/links", {"allows": "read"}), 201)["secret"]
    page = new_context.tab(DESK)
    page.goto(f"/matches/{match.id}?tool=share&key={key}")
    files = page.locator("a[download]")
    expect(files).to_have_count(7)
    saved = {}
    for file in files.all():
        with page.expect_download() as download:
            file.click()
        saved[download.value.suggested_filename] = download.value.path().read_text()
    assert [frame["text"] for frame in orjson.loads(saved["replay.json"])["frames"]][-1].startswith("Blue takes")
    assert [orjson.loads(line)["ply"] for line in saved["replay.ndjson"].splitlines()] == list(range(7))
    assert [orjson.loads(line) for line in saved["log.ndjson"].splitlines()] == match.events()
    assert saved["board.svg"].startswith("<svg")


@pytest.mark.parametrize("visibility", ["club", "private"])
def test_one_tap_makes_a_link_and_opens_the_match_for_it(
    new_context: NewContext, site: str, olga: Person, visibility: str
) -> None:
    match = Match(olga, olga.begin(visibility=visibility)["id"])
    page = signed_in(new_context.tab(PHONE), site, olga)
    page.goto(f"/matches/{match.id}?tool=share")
    card = page.locator('[data-allows="read"]')
    expect(card).to_contain_text("a link to read would not open it")
    card.get_by_role("button", name="Make a link and open the match for it").tap()
    address = card.get_by_label("Address")
    expect(address).to_have_value(re.compile(rf"/matches/{match.id}\?key=."))
    expect(card).not_to_contain_text("would open nothing")
    expect(card).to_contain_text("Made by Olga on")
    check_axe(page)
    assert match.document()["visibility"] == "unlisted"
    guest = new_context.tab(PHONE)
    guest.goto(address.input_value())
    expect(guest.get_by_role("heading", name="Ana – Jan")).to_be_visible()


def test_the_address_says_for_whom_it_opens(new_context: NewContext, site: str, olga: Person) -> None:
    match = Match(olga, olga.begin(visibility="club")["id"])
    page = signed_in(new_context.tab(DESK), site, olga)
    page.goto(f"/matches/{match.id}?tool=share")
    card = page.locator('[data-part="address"]')
    expect(card).to_contain_text("Opens for members who are signed in, and for nobody else.")
    page.get_by_label("Public").check()
    expect(card).to_contain_text("Opens for everybody.")
    page.get_by_label("Private").check()
    expect(card).to_contain_text("Opens for the people of this match")


def test_a_guest_is_offered_no_change_of_details(new_context: NewContext, olga: Person) -> None:
    match = Match(olga, olga.begin(visibility="unlisted")["id"])
    key = ok(match.post("/links", {"allows": "record"}), 201)["secret"]
    page = new_context.tab(DESK)
    page.goto(f"/matches/{match.id}?tool=share&key={key}")
    expect(page.get_by_role("heading", name="Address")).to_be_visible()
    expect(page.get_by_role("button", name="Save the details")).to_have_count(0)
