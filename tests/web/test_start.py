"""The start page: what is going on, what was played, and the search."""

from typing import Any

from playwright.sync_api import Page, expect

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
    expect(phone.get_by_text("Search")).to_be_hidden()
    check_axe(phone)


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
    expect(before.locator(".won")).to_contain_text("Jan")
    expect(before.locator(".won")).to_contain_text("10")
    check_axe(phone)


def test_more_matches_are_a_tap_away(service: Service, phone: Page) -> None:
    note_results(service, 25)
    phone.goto("/")
    rows = phone.locator(".row")
    expect(rows).to_have_count(20)
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
    desk.get_by_text("Search").click()
    desk.get_by_label("Tag").fill("league")
    desk.get_by_label("From").fill("2026-01-02")
    desk.get_by_label("To", exact=True).fill("2026-01-04")
    desk.get_by_role("button", name="Show", exact=True).click()
    expect(rows).to_have_count(3)
    assert desk.url.endswith("/?tag=league&from=2026-01-02&to=2026-01-04")
    check_axe(desk)

    desk.get_by_role("link", name="Clear").click()
    expect(rows).to_have_count(9)
    desk.get_by_text("Search").click()
    desk.get_by_label("Player").select_option(label="Ida")
    desk.get_by_role("button", name="Show", exact=True).click()
    expect(rows).to_have_count(1)
    expect(desk.get_by_label("Player").locator("option:checked")).to_have_text("Ida")

    desk.goto("/?venue=Library&status=abandoned")
    expect(desk.get_by_text("No match fits these filters.")).to_be_visible()


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
