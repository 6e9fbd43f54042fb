"""Many pages of matches in one browser, whose connections to a host are few, and pages that nobody sees."""

from time import monotonic

from playwright.sync_api import BrowserContext, Page, Request, expect

from tests.service.conftest import NewMatch
from tests.web.checks import wait_until_shown
from tests.web.conftest import DESK, NewContext
from tests.web.tables import open_match, wait_until_live

HIDING = """
let state = "visible";
Object.defineProperty(document, "visibilityState", { get: () => state });
globalThis.see = (seen) => {
    state = seen;
    document.dispatchEvent(new Event("visibilitychange"));
};
"""
RESTS = """() =>
    performance.now() - Math.max(...performance.getEntriesByType("resource").map((entry) => entry.responseEnd)) > 500
"""
"""Whether half a second has passed since the last answer to a page."""


TURN = 4.5
"""Seconds: less than after which one of too many streams gives way to another one."""


def browser_that_hides(new_context: NewContext) -> BrowserContext:
    context = new_context(DESK)
    context.add_init_script(HIDING)
    return context


def see(page: Page, state: str) -> None:
    """Show or hide a page, as another tab or window before it does."""
    page.evaluate("(state) => see(state)", state)


def expect_free(context: BrowserContext) -> None:
    """Another page opens before a stream could have given its connection to it, in the best of three tries."""
    taken = []
    for _ in range(3):
        page = context.new_page()
        before = monotonic()
        page.goto("/players")
        wait_until_shown(page)
        taken.append(monotonic() - before)
        if taken[-1] < TURN:
            return
        page.close()
    assert min(taken) < TURN


def test_eight_visible_pages_of_matches_leave_connections_to_others(
    new_match: NewMatch, new_context: NewContext
) -> None:
    match = new_match()
    context = new_context(DESK)
    context.new_page().goto("/players")
    pages = [context.new_page() for _ in range(8)]
    for number, page in enumerate(pages):
        page.goto(f"/matches/{match.id}{'/0' if number % 3 == 0 else ''}")
        wait_until_shown(page)
    expect_free(context)


def test_visible_pages_beyond_the_streams_of_a_browser_take_turns(new_match: NewMatch, new_context: NewContext) -> None:
    match = new_match()
    context = new_context(DESK)
    pages = [context.new_page() for _ in range(4)]
    for page in pages:
        open_match(page, match)
    match.record("orange take L4")
    for page in pages:
        expect(page.locator(".table")).to_have_attribute("data-ply", "1")


def test_all_pages_of_a_match_share_one_stream(new_match: NewMatch, new_context: NewContext) -> None:
    match = new_match()
    context = new_context(DESK)
    streams: list[str] = []
    context.on("request", lambda request: streams.append(request.url) if request.url.endswith("/stream") else None)
    pages = [context.new_page() for _ in range(3)]
    for page in pages:
        open_match(page, match)
        wait_until_live(page)
    assert len(streams) == 1
    pages[0].close()
    match.record("orange take L4")
    for page in pages[1:]:
        expect(page.locator(".table")).to_have_attribute("data-ply", "1")
    assert len(streams) == 2


def test_hidden_pages_hold_no_stream_and_fetch_what_they_missed(new_match: NewMatch, new_context: NewContext) -> None:
    match = new_match()
    match.record("orange take X5")
    context = browser_that_hides(new_context)
    recording, replay = context.new_page(), context.new_page()
    open_match(recording, match)
    wait_until_live(recording)
    open_match(replay, match, "/1")
    wait_until_live(replay)
    for page in (recording, replay):
        page.wait_for_function(RESTS)  # each looks once whether it has missed anything
    asked: list[str] = []

    def note(request: Request) -> None:
        if "/api/" in request.url:
            asked.append(request.url)

    for page in (recording, replay):
        see(page, "hidden")
        page.on("request", note)
    match.record("blue take V3")
    match.record("orange take L4")
    recording.wait_for_timeout(300)
    assert asked == []
    for page in (recording, replay):
        see(page, "visible")
    expect(recording.locator(".table")).to_have_attribute("data-ply", "3")
    wait_until_live(recording)
    expect(replay.locator("#tool .moves > li:not(.phase)")).to_have_count(4)
    match.undo(2)
    expect(recording.locator(".table")).to_have_attribute("data-ply", "2")
    expect(replay.locator("#tool .moves > li:not(.phase)")).to_have_count(3)


def test_a_hidden_page_sends_its_waiting_moves_when_the_network_is_back(
    new_match: NewMatch, new_context: NewContext, network_may_go: None
) -> None:
    match = new_match()
    context = browser_that_hides(new_context)
    page = context.new_page()
    open_match(page, match)
    wait_until_live(page)
    context.set_offline(True)
    page.locator('[data-choice="take-L4"]').click()
    page.locator("#confirm").click()
    expect(page.get_by_text("1 move waits.")).to_be_visible()
    see(page, "hidden")
    context.set_offline(False)
    expect(page.get_by_text("1 move waits.")).to_have_count(0)
    assert [made["seat"] for made in match.moves()] == ["orange"]
