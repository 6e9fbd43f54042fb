"""What pages do when something below them fails: the first request, the storage of the device, anything unforeseen."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.service.conftest import NewMatch
from tests.web.checks import check_axe, wait_until_shown
from tests.web.conftest import DESK, PHONE, NewContext, Watched
from tests.web.tables import expect_taken, hold, let_through, notifier, open_match, take, wait_until_live

LANGUAGES = {
    "en": ("There is no network. Try again when it is back.", "Try again"),
    "pl": ("Nie ma sieci. Spróbuj, gdy wróci.", "Spróbuj ponownie"),
    "cs": ("Síť není dostupná. Zkuste to, až se vrátí.", "Zkusit znovu"),
    "pt": ("Não há rede. Tente quando ela voltar.", "Tentar outra vez"),
}
NO_STORAGE = "IDBFactory.prototype.open = () => { throw new DOMException('gone', 'InvalidStateError'); };"
KNOWN_CONNECTIONS = """
window.connections = [];
const open = IDBFactory.prototype.open;
IDBFactory.prototype.open = function (...args) {
    const request = open.apply(this, args);
    request.addEventListener("success", () => window.connections.push(request.result));
    return request;
};
"""


def let_the_service_go(context: BrowserContext) -> None:
    """Nothing that the pages ask of the API is answered."""
    context.route("**/api/**", lambda route: route.abort())


@pytest.mark.usefixtures("network_may_go")
@pytest.mark.parametrize("part", ["?tool=moves", "?tool=history", "?tool=share"])
def test_a_page_without_the_service_shows_its_first_picture_and_tools_offer_to_try_again(
    new_match: NewMatch, new_context: NewContext, part: str
) -> None:
    match = new_match()
    match.record("orange take L4")
    context = new_context(DESK)
    let_the_service_go(context)
    page = context.new_page()
    open_match(page, match, part)
    expect(page.locator("#tool").get_by_role("alert")).to_contain_text("There is no network.")
    expect(page.locator("#board svg").first).to_be_visible()
    expect(page.locator("#turn")).to_contain_text("Jan to move")
    expect(notifier(page)).to_contain_text("No network.")
    check_axe(page)
    context.unroute_all()
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#tool :is(.moves, #lines, .share)")).to_be_visible()
    expect(page.get_by_role("button", name="Try again")).to_have_count(0)


@pytest.mark.usefixtures("network_may_go")
@pytest.mark.parametrize(
    "language",
    [pytest.param(language, marks=[] if language in {"en", "pl"} else [pytest.mark.soak]) for language in LANGUAGES],
)
def test_a_page_that_cannot_begin_says_so_in_the_language_of_its_reader(new_context: NewContext, language: str) -> None:
    context = new_context(PHONE, locale=language)
    let_the_service_go(context)
    page = context.new_page()
    page.goto("/games/paris/editions/rulebook-2020")
    wait_until_shown(page)
    said, again = LANGUAGES[language]
    expect(page.get_by_role("alert")).to_contain_text(said)
    expect(page.get_by_role("button", name=again)).to_be_visible()


def test_what_nobody_foresaw_is_said(new_match: NewMatch, phone: Page, watched: Watched) -> None:
    watched.expect("nobody foresaw")
    open_match(phone, new_match())
    phone.evaluate("setTimeout(() => Promise.reject(new Error('nobody foresaw')))")
    expect(phone.get_by_text("That did not work. Try again.")).to_be_visible()
    phone.get_by_role("button", name="Close").tap()
    expect(phone.get_by_text("That did not work. Try again.")).to_have_count(0)


@pytest.mark.usefixtures("network_may_go")
def test_a_move_is_kept_although_the_storage_lost_its_connection(new_match: NewMatch, new_context: NewContext) -> None:
    match = new_match()
    context = new_context(PHONE)
    context.add_init_script(KNOWN_CONNECTIONS)
    page = context.new_page()
    open_match(page, match)
    wait_until_live(page)
    page.evaluate("connections.forEach((connection) => connection.close())")
    context.set_offline(True)
    take(page, "L4")
    expect(notifier(page)).to_contain_text("1 move waits.")
    expect(notifier(page)).not_to_contain_text("cannot store")
    page.close()
    context.set_offline(False)
    again = context.new_page()
    open_match(again, match)
    expect_taken(match, again, ("orange", "L4"))


@pytest.mark.usefixtures("network_may_go")
def test_moves_wait_in_the_page_where_nothing_can_be_stored(new_match: NewMatch, new_context: NewContext) -> None:
    match = new_match()
    context = new_context(PHONE)
    context.add_init_script(NO_STORAGE)
    page = context.new_page()
    open_match(page, match)
    wait_until_live(page)
    context.set_offline(True)
    take(page, "L4")
    expect(notifier(page)).to_contain_text("1 move waits.")
    expect(notifier(page)).to_contain_text("This device cannot store anything right now.")
    take(page, "V3")
    expect(notifier(page)).to_contain_text("2 moves wait.")
    context.set_offline(False)
    expect_taken(match, page, ("orange", "L4"), ("blue", "V3"))


def test_a_tap_before_the_script_of_a_page_has_begun_loses_nothing(phone: Page, watched: Watched) -> None:
    held = hold(phone, "**/js/new_match.js")
    phone.goto("/matches/new", wait_until="domcontentloaded")
    button = phone.get_by_role("button", name="Begin", include_hidden=True)
    place = button.bounding_box()
    assert place is not None
    phone.touchscreen.tap(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    let_through(phone, held)
    wait_until_shown(phone)
    assert phone.url.endswith("/matches/new")
    button.tap()
    expect(phone.get_by_role("alert")).to_contain_text("Who is player 1?")
