"""The main journeys in every engine: recording, a network that goes, replay, correction."""

import pytest

from tests.service.conftest import NewMatch
from tests.service.harness import OPENING, Match
from tests.web.browsers.conftest import Traveller
from tests.web.browsers.driving import Browser, wait_until
from tests.web.tables import taken

pytestmark = [pytest.mark.soak, pytest.mark.slow]


def take(browser: Browser, building: str) -> None:
    """Take a building from the supply."""
    browser.click(f'[data-choice="take-{building}"]')
    browser.click("#confirm:not(:disabled)")


def await_ply(browser: Browser, ply: int) -> None:
    """Wait until the page shows so many recorded moves."""
    browser.await_true("return document.querySelector('.table').dataset.ply === arguments[0]", str(ply))


def await_taken(match: Match, *moves: tuple[str, str]) -> None:
    """Wait until these are the moves of the match."""
    wait_until(lambda: taken(match) == list(moves), f"{moves}")


def test_a_match_is_recorded_by_taps(traveller: Traveller, new_match: NewMatch) -> None:
    match, browser = new_match(), traveller.browser
    browser.open(match.path)
    browser.await_text("#turn", "Ana")
    browser.click('[data-choice="O1"]')
    browser.click('.cite-key[data-cell="a1"]')
    browser.click("#confirm:not(:disabled)")
    await_ply(browser, 1)
    take(browser, "L4")
    await_ply(browser, 2)
    browser.click("#undo")
    await_ply(browser, 1)
    take(browser, "V3")
    await_ply(browser, 2)
    assert [entry["move"]["type"] for entry in match.moves()] == ["pave", "take"]
    assert taken(match) == [("blue", "V3")]


def test_moves_wait_for_the_network_and_are_recorded_once(traveller: Traveller, new_match: NewMatch) -> None:
    match, browser = new_match(), traveller.browser
    browser.open(match.path)
    browser.await_text("#live", "live")
    traveller.gate.shut()
    take(browser, "L4")
    browser.await_text("#notices", "1 move waits.")
    take(browser, "V3")
    browser.await_text("#notices", "2 moves wait.")
    assert taken(match) == []
    traveller.gate.open()
    await_taken(match, ("orange", "L4"), ("blue", "V3"))
    browser.await_text("#notices", "")
    await_ply(browser, 2)


def test_moves_that_wait_outlive_the_page(traveller: Traveller, new_match: NewMatch) -> None:
    match, browser = new_match(), traveller.browser
    browser.open(match.path)
    browser.await_text("#live", "live")
    traveller.gate.shut()
    take(browser, "L4")
    browser.await_text("#notices", "1 move waits.")
    browser.go("about:blank")
    traveller.gate.open()
    browser.open(match.path)
    await_taken(match, ("orange", "L4"))
    browser.await_text("#notices", "")


def test_others_are_followed_live(traveller: Traveller, new_match: NewMatch) -> None:
    match, browser = new_match(), traveller.browser
    browser.open(match.path)
    browser.await_text("#live", "live")
    match.record("orange take L4")
    browser.await_text("#turn", "Jan")


def test_a_match_is_stepped_through(traveller: Traveller, new_match: NewMatch) -> None:
    match, browser = new_match(), traveller.browser
    match.record(*OPENING)
    browser.open(f"{match.path}/2")
    browser.await_text("#now", "Jan takes building L4")
    slider = "return document.querySelector('#player input[type=range]')?.value"
    wait_until(lambda: browser.run(slider) == "2", "ply 2")
    browser.click("#player .forth")
    browser.await_text("#now", "Ana takes building U6")
    browser.await_true("return location.pathname.endsWith('/3')")
    browser.click("#to-live")
    browser.await_text("#turn", "Ana")
    browser.await_true("return !/[/][0-9]+$/.test(location.pathname)")


def test_a_move_is_corrected(traveller: Traveller, new_match: NewMatch) -> None:
    match, browser = new_match(), traveller.browser
    match.record(*OPENING)
    browser.open(f"{match.path}?tool=history")
    browser.click('.action > .entry-line[aria-expanded="false"]')
    browser.click("#entry-3 .entry-line")
    browser.click('//*[@id="entry-3"]//button[text()="Replace"]')
    browser.click('#form [data-choice="take-V3"]')
    browser.click("#confirm:not(:disabled)")
    browser.await_text("#editor", "All 4 later moves still fit.")
    browser.click("#editor .confirm")
    browser.await_text("#said", "Corrected.")
    assert taken(match) == [("blue", "V3"), ("orange", "U6"), ("blue", "I3")]
