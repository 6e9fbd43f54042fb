"""The page of a match, whatever its game: what surrounds board and form."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.service.conftest import NewMatch
from tests.service.harness import OPENING, Service, ok
from tests.web.checks import check_axe, wait_until_at_rest, wait_until_shown
from tests.web.conftest import PHONE, NewContext
from tests.web.games.test_cite_lumiere import WHOLE, record
from tests.web.test_layout import paris_after

MAX_BYTES = {"": 130_000, "/120": 140_000}
"""What the page of 250 plies of Paris may weigh on its way to a phone, with headers and the API: live, and at a ply."""
MAX_SHIFT = 0.02
SHIFTS = """
window.shifted = 0;
new PerformanceObserver((list) => {
    for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) shifted += value;
}).observe({ type: "layout-shift", buffered: true });
"""


def test_a_finished_match_leads_to_its_replay_and_a_rematch(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    record(match, *WHOLE)
    phone.goto(f"/matches/{match.id}")
    expect(phone.get_by_text("Jan wins")).to_be_visible()
    wait_until_shown(phone)
    expect(phone.locator("#live")).to_be_empty()
    expect(phone.get_by_role("button", name="Replay")).to_be_visible()
    expect(phone.get_by_role("link", name="Rematch")).to_have_attribute("href", f"/matches/new?rematch={match.id}")
    expect(phone.locator("#undo")).to_be_hidden()
    phone.get_by_role("button", name="Menu").tap()
    phone.get_by_role("button", name="Undo the last move").tap()
    phone.get_by_role("dialog", name="Undo the last move").get_by_role("button", name="Undo the last move").tap()
    expect(phone.get_by_text("Jan to move")).to_be_visible()
    expect(phone.locator("#live")).to_have_text("live")


def test_a_match_of_which_only_the_result_is_known_shows_that(service: Service, phone: Page) -> None:
    players = [{"seat": "orange", "name": "Ana"}, {"seat": "blue", "name": "Jan"}]
    setup = {"result_only": True, "points": {"orange": 51, "blue": 47}}
    match = ok(service.post("/matches", {"game": "cite-lumiere", "players": players, "setup": setup}), 201)
    phone.goto(f"/matches/{match['id']}")
    expect(phone.get_by_text("Ana wins")).to_be_visible()
    expect(phone.get_by_text("Only the result of this match is known.")).to_be_visible()
    expect(phone.get_by_role("region", name="Scores")).to_contain_text("47")
    expect(phone.locator("#board")).to_be_hidden()
    expect(phone.locator("#live")).to_be_empty()
    expect(phone.locator("#undo")).to_be_hidden()
    check_axe(phone)


def test_a_match_is_broken_off_and_gone_on_with(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    phone.goto(f"/matches/{match.id}")
    phone.get_by_role("button", name="Menu").tap()
    phone.get_by_role("button", name="Abandon").tap()
    expect(phone.locator("#form").get_by_text("This match was abandoned.")).to_be_visible()
    assert match.document()["status"] == "abandoned"
    phone.get_by_role("button", name="Menu").tap()
    check_axe(phone)
    phone.locator("#acts").get_by_role("button", name="Resume").tap()
    expect(phone.get_by_text("Ana to move")).to_be_visible()
    assert match.document()["status"] == "in_progress"


@pytest.mark.parametrize(
    ("act", "back", "is_as_before"),
    [
        ("Abandon", "Resume", lambda match: match["status"] == "in_progress"),
        ("Hide match", "Show it again", lambda match: not match["withdrawn"]),
    ],
)
def test_what_one_tap_of_the_menu_does_one_tap_takes_back(
    new_match: NewMatch, phone: Page, act: str, back: str, is_as_before: Callable[[Any], bool]
) -> None:
    match = new_match()
    phone.goto(f"/matches/{match.id}")
    phone.get_by_role("button", name="Menu").tap()
    phone.get_by_role("button", name=act).tap()
    offer = phone.locator(".toast").get_by_role("button", name=back)
    expect(offer).to_be_visible()
    assert not is_as_before(match.document())
    check_axe(phone)
    with phone.expect_response(lambda response: response.request.method in {"POST", "DELETE"}):
        offer.tap()
    expect(phone.get_by_text("Ana to move")).to_be_visible()
    expect(phone.locator(".toast")).to_have_count(0)
    assert is_as_before(match.document())


def test_an_undone_move_is_named_and_brought_back_by_one_tap(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    match.record(*OPENING[:2])
    phone.goto(f"/matches/{match.id}")
    expect(phone.get_by_text("Ana to move")).to_be_visible()
    phone.locator("#undo").tap()
    expect(phone.get_by_text("Undone: Jan: Take L4")).to_be_visible()
    expect(phone.get_by_text("Jan to move")).to_be_visible()
    assert match.document()["ply"] == 1
    phone.get_by_role("button", name="Redo").tap()
    expect(phone.get_by_text("Ana to move")).to_be_visible()
    assert match.document()["ply"] == 2


def test_an_undone_move_is_not_brought_back_over_what_others_recorded_since(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    match.record(*OPENING[:2])
    phone.goto(f"/matches/{match.id}")
    phone.locator("#undo").tap()
    redo = phone.get_by_role("button", name="Redo")
    expect(redo).to_be_visible()
    match.record("blue take X5")
    expect(phone.get_by_text("Ana to move")).to_be_visible()
    redo.tap()
    expect(phone.get_by_text("The match has changed meanwhile")).to_be_visible()
    assert match.moves()[-1]["move"] == {"type": "take", "building": "X5"}


def test_undo_clears_a_choice_first_and_says_that_nothing_recorded_was_undone(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    match.record(*OPENING[:2])
    phone.goto(f"/matches/{match.id}")
    phone.locator('[data-choice="take-V3"]').tap()
    phone.locator("#undo").tap()
    expect(phone.get_by_text("Your choice was cleared. Nothing recorded was undone.")).to_be_visible()
    assert match.document()["ply"] == 2


AWAKE = """
window.locks = [];
const wakeLock = {
    request: async (kind) => {
        const lock = new EventTarget();
        lock.kind = kind;
        lock.isHeld = true;
        lock.release = async () => { lock.isHeld = false; lock.dispatchEvent(new Event("release")); };
        window.locks.push(lock);
        return lock;
    },
};
Object.defineProperty(navigator, "wakeLock", { value: wakeLock });
window.see = (state) => {
    Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
};
"""
HELD = "(kinds) => String(locks.filter((lock) => lock.isHeld).map((lock) => lock.kind)) === String(kinds)"
"""Whether locks of these kinds and no others are held."""


def test_the_screen_stays_awake_while_a_match_goes_on_and_is_seen(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    phone.add_init_script(AWAKE)
    phone.goto(f"/matches/{match.id}")
    wait_until_shown(phone)
    phone.wait_for_function(HELD, arg=["screen"])
    phone.evaluate("see('hidden')")
    phone.wait_for_function(HELD, arg=[])
    phone.evaluate("see('visible')")
    phone.wait_for_function(HELD, arg=["screen"])
    ok(match.post("/abandon"))
    expect(phone.locator("#form").get_by_text("This match was abandoned.")).to_be_visible()
    phone.wait_for_function(HELD, arg=[])


def test_a_page_without_wake_lock_works_as_before(new_match: NewMatch, phone: Page) -> None:
    phone.add_init_script("Object.defineProperty(navigator, 'wakeLock', { value: undefined });")
    phone.goto(f"/matches/{new_match().id}")
    expect(phone.get_by_text("Ana to move")).to_be_visible()


def test_a_match_entered_by_mistake_is_hidden_and_shown_again(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    phone.goto(f"/matches/{match.id}")
    phone.get_by_role("button", name="Menu").tap()
    phone.get_by_role("button", name="Hide match").tap()
    expect(phone.locator("#withdrawn")).to_be_visible()
    assert match.document()["withdrawn"] is True
    phone.get_by_role("button", name="Menu").tap()
    phone.locator("#acts").get_by_role("button", name="Show it again").tap()
    expect(phone.get_by_text("This match is hidden.").first).to_be_hidden()
    assert match.document()["withdrawn"] is False


def test_a_desk_shows_the_moves_and_how_each_came_to_stand(new_match: NewMatch, desk: Page) -> None:
    match = new_match()
    match.record(*OPENING)
    out_of_turn = {"seat": "blue", "move": {"type": "take", "building": "X5"}, "ruling": {"reason": "Jan was quicker"}}
    ok(match.post("/moves", out_of_turn), 201)
    desk.goto(f"/matches/{match.id}")
    moves = desk.get_by_role("tabpanel", name="Moves").get_by_role("listitem").filter(has=desk.get_by_role("button"))
    expect(moves).to_have_count(len(OPENING) + 2)
    expect(moves.last).to_contain_text("Jan takes building X5 from the supply.Jan was quicker")
    check_axe(desk)
    match.undo(1)
    expect(moves).to_have_count(2)


def test_it_speaks_the_language_of_its_reader(new_match: NewMatch, new_context: NewContext) -> None:
    match = new_match()
    for locale, says in {"pl-PL": "Ruch: Ana", "cs-CZ": "Na tahu: Ana", "pt-PT": "Joga: Ana"}.items():
        page = new_context.tab(PHONE, locale=locale)
        page.goto(f"/matches/{match.id}")
        expect(page.get_by_text(says)).to_be_visible()


def test_postcards_are_chosen_in_the_dark(new_match: NewMatch, new_context: NewContext) -> None:
    match = new_match()
    record(match, *WHOLE[:28])
    page = new_context.tab(PHONE, color_scheme="dark")
    page.goto(f"/matches/{match.id}")
    for card in ("levitation", "le_peintre", "metropolitain"):
        page.locator(f'[data-choice="{card}"]').tap()
        check_axe(page)
        page.locator("#undo").tap()


def note_weight(taken: dict[str, int], event: dict[str, Any]) -> None:
    """Note what an answer has weighed."""
    taken[event["requestId"]] = event["encodedDataLength"]


def test_it_is_light_enough_for_a_club_cellar(new_match: NewMatch, new_context: NewContext) -> None:
    match = paris_after(new_match, 250)
    for part, most in MAX_BYTES.items():
        page = new_context(PHONE).new_page()
        page.add_init_script(SHIFTS)
        taken: dict[str, int] = {}
        session = page.context.new_cdp_session(page)
        session.on("Network.loadingFinished", partial(note_weight, taken))
        session.send("Network.enable")
        page.goto(f"/matches/{match.id}{part}")
        wait_until_at_rest(page)
        page.wait_for_timeout(500)
        assert 50_000 < sum(taken.values()) <= most, (part, sum(taken.values()))
        assert page.evaluate("shifted") <= MAX_SHIFT
