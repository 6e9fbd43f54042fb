"""The main pages look as they did: start, match, replay and result of both games, on phone and desk, light and dark."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.service.conftest import NewMatch
from tests.service.harness import Match, ok
from tests.web.checks import wait_until_shown
from tests.web.conftest import DESK, PHONE, NewContext
from tests.web.games.test_cite_lumiere import WHOLE, record
from tests.web.games.test_paris import NAMES, dumped, random_match
from tests.web.pictures import MAX_OTHER, check_picture, difference, grid_of
from tests.web.tables import wait_until_live

PLAYED_AT = "2026-03-07T20:00:00Z"
UNDER_WAY = 16
"""Plies after which a match is shown as it goes on."""
LOOKS: dict[str, tuple[dict[str, Any], str]] = {"desk-dark": (DESK, "dark"), "phone-light": (PHONE, "light")}
SPOILED = (
    "#board { visibility: hidden !important }",
    ".table { grid-template-columns: 1fr 480px !important }",
    ".scores { display: none !important }",
    ".tool-rail { visibility: hidden !important }",
)
"""What would be wrong with the page of a match on a desk."""
STYLE = """
(text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets = [sheet];
}
"""


@pytest.fixture
def blank(browser: Browser) -> Iterator[Page]:
    """A page that reads pictures."""
    page = browser.new_page()
    yield page
    page.close()


def opened(new_context: NewContext, device: dict[str, Any], scheme: str) -> Page:
    return new_context.tab(device, color_scheme=scheme, reduced_motion="reduce")


def show(page: Page, address: str) -> None:
    """Open a page and wait until nothing on it changes any more."""
    page.goto(address)
    wait_until_shown(page)
    page.evaluate("document.fonts.ready")
    page.wait_for_load_state("networkidle" if "/matches/" not in address else "load")


def begun_cite(new_match: NewMatch, plies: int) -> Match:
    match = new_match(played_at=PLAYED_AT, venue="Club")
    record(match, *WHOLE[:plies])
    return match


def begun_paris(new_match: NewMatch, plies: int) -> Match:
    drawn = random_match(0)
    players = [{"seat": seat, "name": NAMES[seat]} for seat in drawn.seats]
    about = {"game": "paris", "edition": "rulebook-2020", "played_at": PLAYED_AT}
    match = new_match(players=players, setup=drawn.setup, **about)
    moves = dumped(drawn)[:plies]
    for at in range(0, len(moves), 200):
        ok(match.post("/moves", {"moves": moves[at : at + 200]}), 201)
    return match


BEGUN = {"cite": begun_cite, "paris": begun_paris}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "look"),
    [
        ("cite", "desk-dark"),
        ("paris", "phone-light"),
        pytest.param("cite", "phone-light", marks=pytest.mark.soak),
        pytest.param("paris", "desk-dark", marks=pytest.mark.soak),
    ],
)
def test_matches_look_as_they_did(
    new_match: NewMatch, new_context: NewContext, blank: Page, game: str, look: str
) -> None:
    live, over = BEGUN[game](new_match, UNDER_WAY), BEGUN[game](new_match, 1000)
    page = opened(new_context, *LOOKS[look])
    show(page, live.path)
    wait_until_live(page)
    check_picture(f"{game}-live-{look}", page, blank)
    show(page, f"{over.path}/9")
    expect(page.get_by_role("slider")).to_have_value("9")
    check_picture(f"{game}-replay-{look}", page, blank)
    show(page, over.path)
    expect(page.get_by_role("slider")).to_be_visible()
    check_picture(f"{game}-result-{look}", page, blank)


@pytest.mark.slow
def test_the_start_page_looks_as_it_did(new_match: NewMatch, new_context: NewContext, blank: Page) -> None:
    pages = {name: opened(new_context, *look) for name, look in LOOKS.items()}
    for name, page in pages.items():
        show(page, "/")
        check_picture(f"start-new-{name}", page, blank)
    begun_cite(new_match, UNDER_WAY)
    begun_paris(new_match, UNDER_WAY)
    begun_cite(new_match, len(WHOLE))
    for name, page in pages.items():
        show(page, "/")
        check_picture(f"start-{name}", page, blank)


@pytest.mark.soak
@pytest.mark.slow
def test_what_is_missing_or_has_moved_is_noticed(new_match: NewMatch, new_context: NewContext, blank: Page) -> None:
    page = opened(new_context, DESK, "light")
    show(page, begun_cite(new_match, UNDER_WAY).path)
    wait_until_live(page)
    right = grid_of(page, blank)
    page.evaluate(STYLE, "* { text-rendering: geometricPrecision; letter-spacing: 0.1px }")
    assert difference(right, grid_of(page, blank)).share <= MAX_OTHER
    for style in SPOILED:
        page.reload()
        wait_until_live(page)
        page.evaluate(STYLE, style)
        assert difference(right, grid_of(page, blank)).share > MAX_OTHER, style
