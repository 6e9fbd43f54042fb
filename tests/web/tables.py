"""Acts of people at the table with the page of a match, in the words of the tests."""

from collections.abc import Callable
from time import monotonic

from playwright.sync_api import Locator, Page, Route, expect

from tests.service.harness import Match
from tests.web.checks import PATIENCE, wait_until_shown


def open_match(page: Page, match: Match, part: str = "") -> None:
    """Open a page of a match and wait until it follows what happens."""
    page.goto(f"/matches/{match.id}{part}")
    wait_until_shown(page)


def wait_until_live(page: Page) -> None:
    """Wait until the page is told what others record."""
    expect(page.locator("#live")).to_have_text("live")


def hold(page: Page, address: str | Callable[[str], bool], times: int | None = None) -> list[Route]:
    """Hold back what the page asks of an address, always or the next few times, to let it through later."""
    held: list[Route] = []

    def keep(route: Route) -> None:
        held.append(route)

    page.route(address, keep, times=times)
    return held


def let_through(page: Page, held: list[Route]) -> None:
    """Let through what is held back, once something is."""
    expect_held(page, held)
    for route in held:
        route.continue_()


def expect_held(page: Page, held: list[Route]) -> None:
    """Wait until something is held back."""
    latest = monotonic() + PATIENCE / 1000
    while not held:
        assert monotonic() < latest, "nothing was held back"
        page.wait_for_timeout(20)


def choose(page: Page, building: str) -> None:
    """Choose a building to take."""
    page.locator(f'[data-choice="take-{building}"]').tap()


def take(page: Page, building: str) -> None:
    """Take a building from the supply."""
    choose(page, building)
    page.locator("#confirm").tap()


def notifier(page: Page) -> Locator:
    """The words of the page on the network and on moves that are not recorded yet."""
    return page.get_by_role("region", name="Not recorded yet")


def taken(match: Match) -> list[tuple[str, str]]:
    """Who has taken which buildings, in the order of the moves."""
    return [(made["seat"], made["move"]["building"]) for made in match.moves() if made["move"]["type"] == "take"]


def expect_taken(match: Match, page: Page, *moves: tuple[str, str]) -> None:
    """These are the moves of the match; the page knows all of them as recorded and has nothing more to say."""
    expect(page.locator(".table")).to_have_attribute("data-ply", str(len(moves)))
    expect(notifier(page)).to_be_empty()
    assert taken(match) == list(moves)
