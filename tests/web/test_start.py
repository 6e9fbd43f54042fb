"""The start page: what is going on, what was played, and the search."""

import re
from typing import Any

import orjson
import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from service.web.texts import LANGUAGES
from tests.service.conftest import NewMatch
from tests.service.harness import OPENING, Service, ok
from tests.web.checks import check_axe, wait_until_shown
from tests.web.conftest import Watched


def note_results(service: Service, number: int, **members: Any) -> None:
    """Note down old matches, one a day from the first of January on."""
    players = [{"seat": "orange", "name": "Ana"}, {"seat": "blue", "name": "Jan"}]
    for day in range(1, number + 1):
        body = {
            "game": "cite-lumiere",
            "players": players,
            "setup": {"result_only": True, "points": {"orange": day, "blue": 10}},
            "played_at": f"2026-01-{day:02}T12:00:00Z",
            **members,
        }
        ok(service.post("/matches", body), 201)


def test_without_matches_it_says_what_this_is(phone: Page) -> None:
    phone.goto("/")
    expect(phone.get_by_text("Carnet keeps the matches you play")).to_be_visible()
    expect(phone.get_by_role("link", name="New match")).to_be_visible()
    expect(phone.get_by_text("Filters")).to_have_count(0)
    text = phone.locator("#sample-text")
    expect(text).to_contain_text("45 of 45")
    assert phone.locator("#sample-text").evaluate("(part) => part.getBoundingClientRect().bottom") < 844 - 57
    check_axe(phone)


def test_the_sample_match_is_stepped_through_and_watched(desk: Page) -> None:
    desk.goto("/")
    wait_until_shown(desk)
    text, drawn = desk.locator("#sample-text"), desk.locator("#sample-board")
    last = drawn.inner_html()
    desk.get_by_role("button", name="Previous move").click()
    expect(text).to_contain_text("44 of 45 · Zofia")
    for _ in range(20):
        desk.get_by_role("button", name="Previous move").click()
    expect(text).to_contain_text("24 of 45 · ")
    assert drawn.inner_html() != last
    for _ in range(21):
        desk.get_by_role("button", name="Next move").click()
    expect(desk.locator("#sample-score strong")).to_have_text(["48", "46"])
    desk.get_by_role("button", name="See a match").click()
    expect(text).to_have_text(re.compile("^[1-9] of 45 · "))  # it may have gone on
    desk.get_by_role("button", name="Pause").click()
    expect(desk.get_by_role("button", name="Play the match")).to_be_visible()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sample_match_is_legal_and_told_in_every_language(app: Flask, language: str) -> None:
    frames = orjson.loads(app.test_client().get(f"/sample.{language}.json").data)["frames"]
    assert [frame["text"] is None for frame in frames] == [True] + [False] * (len(frames) - 1)
    assert len({frame["board"] for frame in frames}) > len(frames) / 2
    assert app.test_client().get("/sample.xx.json").status_code == 404


def test_what_is_going_on_comes_first_and_says_whose_move_it_is(
    service: Service, new_match: NewMatch, phone: Page
) -> None:
    match = new_match(venue="Club night", tags=["league"], played_at="2025-01-01T12:00:00Z")
    match.record(*OPENING[:3])
    note_results(service, 1)
    phone.goto("/")
    wait_until_shown(phone)
    going_on, before = phone.locator("section").all()
    row = going_on.get_by_role("link")
    expect(row).to_have_attribute("href", f"/matches/{match.id}")
    for text in ("Ana (Orange)", "Jan (Blue)", "In progress · move 3", "Club night", "1 Jan 2025", "league"):
        expect(row).to_contain_text(text)
    expect(row.locator(".moves")).to_contain_text("Jan")
    expect(row.locator(".moves")).to_contain_text("to move")
    expect(row.locator(".row-board svg")).to_be_visible()
    expect(row.locator(".points")).to_have_count(2)
    expect(before.locator(".won")).to_contain_text("Jan")
    expect(before.locator(".won")).to_contain_text("10")
    check_axe(phone)


def test_more_matches_are_a_tap_away(service: Service, phone: Page) -> None:
    note_results(service, 25)
    phone.goto("/")
    rows = phone.locator(".row")
    expect(rows).to_have_count(20)
    assert all(height < 70 for height in rows.evaluate_all("(rows) => rows.map((row) => row.offsetHeight)"))
    phone.get_by_role("button", name="Show more").press("Enter")
    expect(rows).to_have_count(25)
    expect(phone.get_by_role("button", name="Show more")).to_have_count(0)
    expect(rows.nth(20).get_by_role("link")).to_be_focused()


def test_a_search_stands_in_the_address_and_can_be_cleared(service: Service, desk: Page) -> None:
    note_results(service, 6, tags=["league"])
    note_results(service, 2, venue="Library")
    ida = {"players": [{"seat": "orange", "name": "Ida"}, {"seat": "blue", "name": "Jan"}]}
    note_results(service, 1, **ida)
    desk.goto("/")
    wait_until_shown(desk)
    rows = desk.locator(".row")
    desk.get_by_text("Filters").click()
    desk.get_by_label("Tag").fill("league")
    desk.get_by_label("From").fill("2026-01-02")
    desk.get_by_label("To", exact=True).fill("2026-01-04")
    desk.get_by_role("button", name="Show", exact=True).click()
    expect(rows).to_have_count(3)
    assert desk.url.endswith("/?tag=league&from=2026-01-02&to=2026-01-04")
    check_axe(desk)

    desk.get_by_role("link", name="Clear").click()
    expect(rows).to_have_count(9)
    desk.get_by_text("Filters").click()
    desk.locator("select[name=player]").select_option(label="Ida")
    desk.get_by_role("button", name="Show", exact=True).click()
    expect(rows).to_have_count(1)
    expect(desk.locator("select[name=player]").locator("option:checked")).to_have_text("Ida")

    desk.goto("/?venue=Library&status=abandoned")
    expect(desk.get_by_text("No match fits these filters.")).to_be_visible()


def test_a_player_is_found_by_typing(service: Service, desk: Page) -> None:
    note_results(service, 1)
    note_results(service, 1, players=[{"seat": "orange", "name": "Ida"}, {"seat": "blue", "name": "Jan"}])
    desk.goto("/")
    wait_until_shown(desk)
    field, found = desk.get_by_label("Find a player"), desk.locator("#found")
    field.type("xy")
    expect(found).to_contain_text("Nobody here")
    field.fill("id")
    expect(found.get_by_role("link")).to_have_text(["Ida"])
    field.fill("jan")
    expect(found.get_by_role("link")).to_have_text(["Jan"])
    field.fill("ida")
    field.press("Enter")  # the list still has who was found before
    expect(desk.locator(".row")).to_have_count(1)
    expect(desk.locator(".row")).to_contain_text("Ida")


def test_a_filter_that_is_none_is_explained_and_not_hidden(desk: Page, watched: Watched) -> None:
    watched.expect("does not conform to the required format")
    desk.goto("/?from=yesterday")
    expect(desk.get_by_role("alert")).to_contain_text("/from")
    expect(desk.get_by_label("From")).to_be_visible()


def test_what_players_are_called_is_never_read_as_markup(service: Service, phone: Page) -> None:
    name = "<img src=x onerror=alert(1)>"
    players = [{"seat": "orange", "name": name}, {"seat": "blue", "name": "Jan"}]
    note_results(service, 1, players=players)
    phone.goto("/")
    expect(phone.locator(".row")).to_contain_text(name)
    assert phone.locator(".row img").count() == 0


def test_it_is_light(service: Service, phone: Page) -> None:
    note_results(service, 20)
    phone.goto("/")
    wait_until_shown(phone)
    sizes = phone.evaluate("performance.getEntries().map((entry) => entry.encodedBodySize ?? 0)")
    assert sum(sizes) < 60_000
