"""Several phones at one match, and phones without network: nothing is lost, nothing is recorded twice."""

import re
from json import loads
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from tests.service.conftest import NewMatch
from tests.service.harness import Match
from tests.web.checks import check_axe, eventually
from tests.web.conftest import PHONE, NewContext
from tests.web.tables import choose, expect_taken, hold, let_through, notifier, open_match, take, taken, wait_until_live

pytestmark = pytest.mark.usefixtures("network_may_go")


IS_SEEN = """
(button) => {
    const { left, top, right, bottom } = button.getBoundingClientRect();
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return top >= 0 && bottom <= innerHeight && right <= innerWidth && button.contains(hit);
}
"""
SEEN_BY_ANOTHER = """
new Promise((resolve) => {
    const opening = indexedDB.open("carnet");
    opening.onsuccess = () => {
        const transaction = opening.result.transaction("matches", "readwrite");
        const matches = transaction.objectStore("matches");
        matches.openCursor().onsuccess = ({ target: { result: cursor } }) =>
            cursor?.update({ ...cursor.value, account: "another" });
        transaction.oncomplete = resolve;
    };
})
"""


def check_form_in_reach(page: Page) -> None:
    """However much there is to be said, what is to be done next can be seen and confirmed."""
    sheet, form, last = (page.locator(name).bounding_box() for name in (".sheet", "#form", "#deeds"))
    assert sheet is not None
    assert form is not None
    assert last is not None
    assert form["height"] >= 64
    assert form["y"] + form["height"] <= last["y"]
    assert last["y"] + last["height"] <= sheet["y"] + sheet["height"] <= 844
    middle = page.locator("#confirm").bounding_box()
    assert middle is not None
    on_top = page.evaluate("({ x, y }) => document.elementFromPoint(x + 9, y + 9).id", middle)
    assert on_top == "confirm"


def one_move_waits(new_match: NewMatch, new_context: NewContext) -> tuple[Match, Page]:
    """A match without moves, and a phone without network on which one has been entered."""
    match = new_match()
    page = new_context.tab(PHONE)
    open_match(page, match)
    wait_until_live(page)
    page.context.set_offline(True)
    take(page, "L4")
    expect(notifier(page)).to_contain_text("1 move waits.")
    return match, page


def test_without_network_moves_wait_and_are_sent_in_order(new_match: NewMatch, new_context: NewContext) -> None:
    match, page = one_move_waits(new_match, new_context)
    take(page, "V3")
    expect(notifier(page)).to_contain_text("2 moves wait.")
    expect(notifier(page)).to_contain_text("No network.")
    take(page, "I3")
    expect(notifier(page)).to_contain_text("3 moves wait.")
    page.locator("#undo").tap()
    expect(notifier(page)).to_contain_text("2 moves wait.")
    notifier(page).get_by_text("2 moves wait.").tap()
    expect(notifier(page).get_by_role("listitem")).to_have_text(["Ana: Take L4", "Jan: Take V3"])
    check_axe(page)
    assert taken(match) == []
    page.context.set_offline(False)
    expect_taken(match, page, ("orange", "L4"), ("blue", "V3"))


def test_moves_that_wait_are_saved_to_a_file(new_match: NewMatch, new_context: NewContext) -> None:
    _, page = one_move_waits(new_match, new_context)
    notifier(page).get_by_text("1 move waits.").tap()
    with page.expect_download() as download:
        notifier(page).get_by_role("button", name="Save to a file").tap()
    saved = loads(download.value.path().read_text())
    assert (saved["seat"], saved["move"]["building"]) == ("orange", "L4")
    assert saved["entered_at"]


def test_the_device_is_asked_once_to_keep_what_waits(new_match: NewMatch, new_context: NewContext) -> None:
    context = new_context(PHONE)
    context.add_init_script(
        "window.asked = 0; if (navigator.storage) navigator.storage.persist = async () => (asked += 1) > 0"
    )
    page = context.new_page()
    open_match(page, new_match())
    wait_until_live(page)
    take(page, "L4")
    expect(page.locator("#turn")).to_contain_text("Jan")
    assert page.evaluate("asked") == 0
    context.set_offline(True)
    for number, building in enumerate(("V3", "I3"), start=1):
        take(page, building)
        expect(notifier(page)).to_contain_text(f"{number} move")
    assert page.evaluate("asked") == 1


def test_moves_that_wait_are_sent_when_the_page_is_opened_again(new_match: NewMatch, new_context: NewContext) -> None:
    match, page = one_move_waits(new_match, new_context)
    page.close()
    page.context.set_offline(False)
    again = page.context.new_page()
    open_match(again, match)
    expect_taken(match, again, ("orange", "L4"))


def test_a_move_whose_answer_was_lost_is_recorded_once(new_match: NewMatch, new_context: NewContext) -> None:
    match = new_match()
    page = new_context.tab(PHONE)
    open_match(page, match)
    lost: list[str] = []

    def lose_the_answer(route: Route) -> None:
        if lost:
            route.continue_()
            return
        lost.append("answer")
        route.fetch()
        route.abort()

    page.route("**/moves*", lose_the_answer)
    take(page, "L4")
    expect_taken(match, page, ("orange", "L4"))


def lose_answers(page: Page, extra: bytes = b"") -> None:
    """Let the first move reach the service and lose its answer; let nothing arrive after it, nor be told of it."""
    sent: list[str] = []

    def lose(route: Route) -> None:
        if not sent:
            sent.append(route.request.url)
            route.fetch(post_data=(route.request.post_data_buffer or b"") + extra)
        route.abort()

    page.route("**/api/v1/matches/*/moves*", lose)
    page.route("**/stream*", lambda route: route.abort())


def test_a_move_whose_answer_was_lost_stands_once_after_a_reload(new_match: NewMatch, new_context: NewContext) -> None:
    match = new_match()
    page = new_context.tab(PHONE)
    lose_answers(page)
    open_match(page, match)
    take(page, "L4")
    expect(notifier(page)).to_contain_text("1 move waits.")
    take(page, "V3")
    expect(notifier(page)).to_contain_text("2 moves wait.")
    page.unroute_all()
    page.reload()
    expect_taken(match, page, ("orange", "L4"), ("blue", "V3"))


def test_a_move_whose_key_is_known_with_another_request_is_looked_up_in_the_log(
    new_match: NewMatch, new_context: NewContext
) -> None:
    match = new_match()
    page = new_context.tab(PHONE)
    lose_answers(page, extra=b" ")  # to the service another body, though it means the same
    open_match(page, match)
    take(page, "L4")
    expect(notifier(page)).to_contain_text("1 move waits.")
    take(page, "V3")
    expect(notifier(page)).to_contain_text("2 moves wait.")
    page.unroute_all()
    page.reload()
    expect_taken(match, page, ("orange", "L4"), ("blue", "V3"))


def test_a_move_whose_key_was_taken_by_another_move_is_sent_under_a_new_one(
    new_match: NewMatch, new_context: NewContext
) -> None:
    match, page = one_move_waits(new_match, new_context)
    refused: list[str] = []

    def refuse_the_first(route: Route) -> None:
        if refused:
            route.continue_()
            return
        refused.append(route.request.headers["idempotency-key"])
        route.fulfill(status=422, json={"type": "/problems/key-reused", "status": 422, "detail": "Reused."})

    page.route("**/moves*", refuse_the_first)
    page.context.set_offline(False)
    expect_taken(match, page, ("orange", "L4"))


def test_nothing_is_chosen_while_a_move_is_on_its_way(new_match: NewMatch, new_context: NewContext) -> None:
    match = new_match()
    page = new_context.tab(PHONE)
    open_match(page, match)
    wait_until_live(page)
    held = hold(page, "**/moves*", times=1)
    with page.expect_request("**/moves*"):
        take(page, "L4")
    next_one = page.locator('[data-choice="take-V3"]')
    seen = next_one.bounding_box()
    assert seen is not None
    page.touchscreen.tap(seen["x"] + 9, seen["y"] + 9)
    expect(next_one).to_have_attribute("aria-pressed", "false")
    let_through(page, held)
    take(page, "V3")
    expect_taken(match, page, ("orange", "L4"), ("blue", "V3"))


def test_a_refused_waiting_move_is_ruled_and_those_after_it_follow(
    new_match: NewMatch, new_context: NewContext
) -> None:
    match, page = one_move_waits(new_match, new_context)
    page.get_by_role("button", name="Menu").tap()
    page.locator("#acts").get_by_role("button", name="Ana").tap()
    take(page, "V3")
    take(page, "I3")
    expect(notifier(page)).to_contain_text("3 moves wait.")
    page.context.set_offline(False)
    expect(notifier(page)).to_contain_text("A waiting move was refused")
    expect(notifier(page)).to_contain_text("1 move after it waits too.")
    check_axe(page)
    notifier(page).get_by_text("It happened like this at the table").tap()
    notifier(page).get_by_label("Reason").fill("Ana was quicker.")
    notifier(page).get_by_role("button", name="Record as a table ruling").tap()
    expect_taken(match, page, ("orange", "L4"), ("orange", "V3"), ("blue", "I3"))
    assert match.frames()[2]["ruling"] == {"reason": "Ana was quicker."}


def test_a_waiting_move_that_came_too_late_is_changed(new_match: NewMatch, new_context: NewContext) -> None:
    match, page = one_move_waits(new_match, new_context)
    match.record("orange take V3")
    page.context.set_offline(False)
    expect(notifier(page)).to_contain_text("The match has changed meanwhile")
    expect(notifier(page)).to_contain_text("Ana takes building V3")
    expect(notifier(page)).to_contain_text("Your move no longer fits")
    notifier(page).get_by_role("button", name="Change it").tap()
    notifier(page).get_by_role("button", name="Leave it as it is").tap()
    notifier(page).get_by_role("button", name="Change it").tap()
    expect(notifier(page)).to_contain_text("Enter the move that replaces it.")
    take(page, "I3")
    expect_taken(match, page, ("orange", "V3"), ("blue", "I3"))


SIZES = [
    (320, 568),
    (360, 640),
    (375, 667),
    (390, 844),
    (768, 1024),
    (820, 1180),
    (844, 390),
    (1280, 900),
    (1920, 1080),
]


def test_what_is_to_be_decided_of_waiting_moves_has_its_buttons_in_sight_at_every_size(
    new_match: NewMatch, new_context: NewContext
) -> None:
    match, page = one_move_waits(new_match, new_context)
    take(page, "U6")
    match.record("orange take V3")
    match.record("blue take X5")
    page.context.set_offline(False)
    expect(notifier(page)).to_contain_text("The match has changed meanwhile")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        eventually(page, lambda: check_notice_in_sight(page))


def check_notice_in_sight(page: Page) -> None:
    """All buttons of what the page has to say can be seen, and a part of the text."""
    for button in notifier(page).get_by_role("button").all():
        assert button.evaluate(IS_SEEN), (page.viewport_size, button.inner_text())
    assert notifier(page).evaluate("element => element.clientHeight") >= 96, page.viewport_size


def test_waiting_moves_are_dropped_all_at_once_and_brought_back(new_match: NewMatch, new_context: NewContext) -> None:
    match, page = one_move_waits(new_match, new_context)
    for building in ("V3", "I3"):
        take(page, building)
    match.record("orange take U6")
    page.context.set_offline(False)
    expect(notifier(page)).to_contain_text("The match has changed meanwhile")
    notifier(page).get_by_role("button", name="Drop all 3").tap()
    expect(notifier(page)).to_be_empty()
    expect(page.get_by_role("status").filter(has_text="3 moves were dropped.")).to_be_visible()
    check_axe(page)
    page.get_by_role("button", name="Restore").tap()
    expect(notifier(page)).to_contain_text("A waiting move was refused")
    expect(notifier(page)).to_contain_text("2 moves after it wait too.")
    notifier(page).get_by_role("button", name="Drop it").tap()
    expect_taken(match, page, ("orange", "U6"), ("blue", "V3"), ("orange", "I3"))


def test_a_choice_that_others_make_impossible_is_dropped_with_a_word(
    new_match: NewMatch, new_context: NewContext
) -> None:
    match = new_match()
    page = new_context.tab(PHONE)
    open_match(page, match)
    wait_until_live(page)
    choose(page, "L4")
    match.record("orange take V3")
    expect(page.get_by_text("What you had chosen and not confirmed was dropped.")).to_be_visible()
    expect(page.locator("#confirm")).to_be_disabled()
    take(page, "X5")
    expect_taken(match, page, ("orange", "V3"), ("blue", "X5"))


def test_two_phones_do_not_record_one_move_twice(new_match: NewMatch, new_context: NewContext) -> None:
    match = new_match()
    one, other = (new_context.tab(PHONE) for _ in range(2))
    for page in (one, other):
        open_match(page, match)
        wait_until_live(page)
        choose(page, "L4")
    for page in (one, other):
        page.locator("#confirm").dispatch_event("click")
    for page in (one, other):
        expect(page.locator("#turn")).to_contain_text("Jan")
    assert taken(match) == [("orange", "L4")]


def test_a_stale_phone_sees_what_came_in_between_and_goes_on(new_match: NewMatch, new_context: NewContext) -> None:
    match = new_match()
    match.record("orange take X5")
    page = new_context.tab(PHONE)
    page.route("**/stream*", lambda route: route.abort())
    open_match(page, match)
    match.record("blue take V3")
    match.undo(1)
    take(page, "L4")
    expect(notifier(page)).to_contain_text("The match has changed meanwhile")
    expect(notifier(page)).to_contain_text("Jan takes building V3")
    expect(notifier(page)).to_contain_text("Your move still fits.")
    check_axe(page)
    eventually(page, lambda: check_form_in_reach(page))
    notifier(page).get_by_role("button", name="Record it now").tap()
    expect(page.locator("#turn")).to_contain_text("Ana")
    assert taken(match) == [("orange", "X5"), ("blue", "L4")]


def test_a_stale_phone_learns_that_its_move_is_there(new_match: NewMatch, new_context: NewContext) -> None:
    match = new_match()
    page = new_context.tab(PHONE)
    page.route("**/stream*", lambda route: route.abort())
    open_match(page, match)
    match.record("orange take L4")
    take(page, "L4")
    expect(notifier(page)).to_contain_text("Your move is among them")
    notifier(page).get_by_role("button", name="OK").tap()
    expect(page.locator("#turn")).to_contain_text("Jan")
    assert taken(match) == [("orange", "L4")]


def test_other_phones_follow_live(new_match: NewMatch, new_context: NewContext) -> None:
    match = new_match()
    page = new_context.tab(PHONE)
    open_match(page, match)
    wait_until_live(page)
    match.record("orange take L4")
    expect(page.locator("#turn")).to_contain_text("Jan")
    match.undo(0)
    expect(page.locator("#turn")).to_contain_text("Ana")


def test_who_may_no_longer_read_is_told(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    gone = "event: gone\ndata: {}\n\n"
    phone.route("**/stream*", lambda route: route.fulfill(body=gone, content_type="text/event-stream"))
    open_match(phone, match)
    expect(notifier(phone)).to_contain_text("You may no longer view this match.")


def test_on_the_machine_itself_the_page_opens_without_network(new_match: NewMatch, new_context: NewContext) -> None:
    match = new_match()
    match.record("orange take X5")
    context = new_context(PHONE)
    page = context.new_page()
    open_match(page, match)
    expect(page.locator("#notices[data-kept=true]")).to_be_attached()
    context.set_offline(True)
    page.reload()
    expect(page.locator("#turn")).to_contain_text("Jan")
    expect(notifier(page)).to_contain_text("Shown as this device last saw it.")
    expect(notifier(page)).to_contain_text("you may close this page meanwhile.")
    take(page, "L4")
    expect(notifier(page)).to_contain_text("1 move waits.")
    page.close()
    context.set_offline(False)
    again = context.new_page()
    open_match(again, match)
    expect_taken(match, again, ("orange", "X5"), ("blue", "L4"))


def test_the_installed_app_starts_without_network(new_match: NewMatch, new_context: NewContext) -> None:
    seen, unseen = new_match(), new_match()
    context = new_context(PHONE)
    page = context.new_page()
    page.goto("/")
    expect(page.locator("main[data-kept=true]")).to_be_attached()
    manifest = page.evaluate("fetch(document.querySelector('link[rel=manifest]').href).then((said) => said.json())")
    open_match(page, seen)
    expect(page.locator("#notices[data-kept=true]")).to_be_attached()
    page.close()
    context.set_offline(True)
    again = context.new_page()
    again.goto(manifest["start_url"])
    expect(again.get_by_role("heading", name="On this device")).to_be_visible()
    expect(again.locator(f'a[href="/matches/{seen.id}"]')).to_be_visible()
    expect(again.locator(f'a[href="/matches/{unseen.id}"]')).to_have_count(0)
    check_axe(again)
    with again.expect_event("load"):
        again.locator(f'a[href="/matches/{seen.id}"]').tap()
    take(again, "L4")
    expect(notifier(again)).to_contain_text("1 move waits.")
    again.reload()
    expect(again.locator(".cite-board-picture")).to_be_visible()
    expect(notifier(again)).to_contain_text("1 move waits.")
    context.set_offline(False)
    expect_taken(seen, again, ("orange", "L4"))


def test_without_network_nobody_sees_what_another_has_seen_on_the_device(
    new_match: NewMatch, new_context: NewContext
) -> None:
    context = new_context(PHONE)
    page = context.new_page()
    page.goto("/")
    expect(page.locator("main[data-kept=true]")).to_be_attached()
    open_match(page, new_match())
    expect(page.locator("#notices[data-kept=true]")).to_be_attached()
    context.set_offline(True)
    expect(notifier(page)).to_contain_text("No network.")
    page.evaluate(SEEN_BY_ANOTHER)
    page.goto("/")
    expect(page.get_by_text("There is no network.").first).to_be_visible()
    expect(page.locator(".row-link")).to_have_count(0)


def test_the_pages_can_be_installed(phone: Page) -> None:
    phone.goto("/")
    manifest = phone.evaluate("fetch(document.querySelector('link[rel=manifest]').href).then((said) => said.json())")
    assert (manifest["start_url"], manifest["display"]) == ("/", "standalone")
    sizes = phone.evaluate(
        """async (icons) => {
            const base = document.querySelector('link[rel=manifest]').href;
            const found = [];
            for (const { src, type } of icons) {
                const image = new Image();
                image.src = new URL(src, base);
                await image.decode();
                found.push(type === "image/png" ? image.naturalWidth : type);
            }
            return found;
        }""",
        manifest["icons"],
    )
    assert sizes == ["image/svg+xml", 192, 512, 512]


def test_a_network_that_comes_back_does_not_call_off_where_one_goes(
    new_match: NewMatch, new_context: NewContext
) -> None:
    match, phone = new_match(), new_context.tab(PHONE)
    open_match(phone, match)

    def as_kept(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, body=response.text().replace("<html ", "<html data-kept "))

    phone.route(lambda url: urlsplit(url).path == "/", as_kept)
    phone.goto("/")
    expect(phone.get_by_role("heading", name="On this device")).to_be_visible()
    phone.evaluate("addEventListener('beforeunload', () => setTimeout(() => dispatchEvent(new Event('online'))))")

    def answer_late(route: Route) -> None:
        phone.wait_for_timeout(200)
        route.continue_()

    phone.route(lambda url: urlsplit(url).path == match.path, answer_late, times=1)
    phone.locator(f'a[href="/matches/{match.id}"]').tap()
    take(phone, "L4")
    expect(phone).to_have_url(re.compile(match.path))
