"""Looking at a match ply by ply: by keys, swipes and jumps, with notes, and with what might have been."""

import re
from typing import Any

import psycopg
import pytest
from click.testing import CliRunner
from playwright.sync_api import APIResponse, Locator, Page, Request, Route, expect

from scripts.examples import judging
from service.cli import main
from tests.service.conftest import NewMatch
from tests.service.harness import OPENING, TO_BUILDING, Match, entries, finished_match, ok
from tests.service.tampering import as_service
from tests.web.checks import check_axe, wait_until_shown
from tests.web.conftest import PHONE, NewContext
from tests.web.tables import hold, let_through, open_match, wait_until_live


def expect_ply(page: Page, ply: int) -> None:
    """Address, slider and list, if it is open, all tell which ply is shown."""
    expect(page).to_have_url(re.compile(rf"/{ply}(\?tool=\w+)?$"))
    expect(page.get_by_role("slider")).to_have_value(str(ply))
    if page.locator("#rail").get_attribute("data-tool") == "moves":
        expect(page.locator("#tool [aria-current=step] .ply")).to_have_text(str(ply) if ply else "")


def annotate(match: Match, ply: int, **content: Any) -> Any:
    return ok(match.post("/annotations", {"ply": ply, **content}), 201)


def open_tool(page: Page, name: str) -> None:
    """Open a tool from the sheet of tools, unless it is open."""
    wait_until_shown(page)
    tab = page.get_by_role("tab", name=name)
    if not tab.is_visible():
        page.locator("#open-tools").tap()
    tab.click()


def open_notes(page: Page) -> None:
    """Open the notes on the move that is shown."""
    open_tool(page, "Notes")


def swipe(page: Page, element: Locator, across: int) -> None:
    """Move a finger over an element."""
    box = element.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch = page.context.new_cdp_session(page)
    for kind, points in (
        ("touchStart", [{"x": x, "y": y}]),
        ("touchMove", [{"x": x + across, "y": y + 5}]),
        ("touchEnd", []),
    ):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def test_keys_lead_through_a_match_and_every_ply_has_an_address(new_match: NewMatch, desk: Page) -> None:
    match = new_match()
    match.record(*OPENING)
    annotate(match, 2, glyph="?!", text="Why so early?")
    open_match(desk, match, "/99")
    expect_ply(desk, 6)
    for key, ply in (("ArrowLeft", 5), ("Home", 0), ("ArrowRight", 1), ("n", 2), ("End", 6), ("Shift+N", 2)):
        desk.keyboard.press(key)
        expect_ply(desk, ply)
    expect(desk.locator("#now")).to_have_text("Jan takes building L4 from the supply.")
    expect(desk.locator("#tool .under")).to_contain_text("Why so early?")
    expect(desk.get_by_role("button", name="2 Jan takes building L4")).to_contain_text("?!")
    open_match(desk, match, "/4")
    expect_ply(desk, 4)
    desk.get_by_role("slider").focus()
    desk.keyboard.press("ArrowRight")
    expect_ply(desk, 5)


def test_a_wheel_leads_through_a_match_and_a_list_tells_the_keys(new_match: NewMatch, desk: Page) -> None:
    match = new_match()
    match.record(*OPENING)
    open_match(desk, match, "/3")
    desk.locator("#board").hover()
    desk.mouse.wheel(0, 120)
    expect_ply(desk, 4)
    desk.mouse.wheel(0, -120)
    expect_ply(desk, 3)
    back = desk.get_by_role("button", name="Back", exact=True)
    back.dispatch_event("pointerdown")
    expect_ply(desk, 0)
    desk.keyboard.press("?")
    expect(desk.get_by_role("heading", name="Keys")).to_be_visible()
    check_axe(desk)


def test_a_finger_leads_through_a_match(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    match.record(*TO_BUILDING[:10])
    open_match(phone, match, "/5")
    swipe(phone, phone.locator("#board"), -120)
    expect_ply(phone, 6)
    swipe(phone, phone.locator("#board"), 120)
    expect_ply(phone, 5)
    curve = phone.locator(".curve")
    box = curve.bounding_box()
    assert box is not None
    curve.tap(position={"x": box["width"] - 2, "y": box["height"] / 2})
    expect_ply(phone, 10)
    open_tool(phone, "Moves")
    phone.get_by_role("button", name="3 Ana takes building").tap()
    expect_ply(phone, 3)
    check_axe(phone)
    phone.get_by_role("button", name="Ana, Orange: \N{MINUS SIGN}6. Where the points come from").tap()
    expect(phone.locator("#tool")).to_contain_text("Not built: I3 and V3, which costs 6 points.")


def test_controls_lead_through_a_match_before_its_moves_have_arrived(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    match.record(*OPENING)
    held = hold(phone, "**/replay*")
    open_match(phone, match, "/3")
    phone.get_by_role("button", name="Back", exact=True).tap()
    swipe(phone, phone.locator("#board"), 120)
    expect(phone.get_by_role("slider")).to_have_value("1")
    let_through(phone, held)
    expect_ply(phone, 1)
    expect(phone.locator("#now")).to_have_text("Ana paves the square a1 with tile O1.")


@pytest.mark.usefixtures("network_may_go")
def test_controls_lead_nowhere_if_the_moves_cannot_be_had(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    match.record(*OPENING)
    phone.route("**/api/**", lambda route: route.abort())
    open_match(phone, match, "/3")
    shown = phone.locator("#now").inner_text()
    phone.get_by_role("button", name="Back", exact=True).tap()
    expect_ply(phone, 3)
    expect(phone.locator("#now")).to_have_text(shown)


def test_one_jumps_by_phase_and_from_note_to_note(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    ok(match.post("/moves", {"moves": finished_match()}), 201)
    annotate(match, 7, text="Here.")
    building = next(frame["ply"] for frame in match.frames() if frame["state"]["phase"] == "building")
    last = match.document()["ply"]
    open_match(phone, match, "/0")
    phone.get_by_label("Jump by").select_option("Note")
    phone.get_by_role("button", name="Forward").tap()
    expect_ply(phone, 7)
    phone.get_by_label("Jump by").select_option("Phase")
    for name, ply in (("Forward", building), ("Forward", last), ("Back", building), ("Back", 0), ("Forward", building)):
        phone.get_by_role("button", name=name, exact=True).tap()
        expect_ply(phone, ply)


def test_at_the_end_of_a_match_nothing_is_left_to_try(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    ok(match.post("/moves", {"moves": finished_match()}), 201)
    open_match(phone, match, "/99")
    open_notes(phone)
    phone.get_by_role("button", name="What if").tap()
    expect(phone.locator("#line li")).to_have_count(1)
    expect(phone.locator("#form")).to_be_empty()
    expect(phone.locator("#confirm")).to_be_disabled()
    phone.locator("#leave").tap()
    expect_ply(phone, match.document()["ply"])


def test_a_match_plays_on_by_itself_to_its_end(new_match: NewMatch, desk: Page) -> None:
    match = new_match()
    match.record(*OPENING)
    open_match(desk, match, "/4")
    speed = desk.get_by_role("button", name=re.compile("^Speed"))
    speed.click()
    speed.click()
    expect(speed).to_have_text("4×")
    desk.keyboard.press("Escape")
    desk.get_by_role("button", name="Play").click()
    expect_ply(desk, 6)
    expect(desk.get_by_role("button", name="Play")).to_be_visible()


def test_a_mark_of_no_space_that_was_stored_before_marks_were_checked_is_not_drawn(
    new_match: NewMatch, phone: Page, dsn: str
) -> None:
    match = new_match()
    match.annotate(0, text="Look.", marks=[{"cell": cell, "kind": "highlight"} for cell in ("c1", "d2")])
    with psycopg.connect(dsn) as connection:
        connection.execute("UPDATE annotations SET content = replace(content, 'd2', 'z9')")
    open_match(phone, match, "/0")
    open_notes(phone)
    expect(phone.locator(".note")).to_contain_text("Look.")
    expect(phone.locator("#board [data-mark]")).to_have_count(1)


def test_a_note_is_written_with_marks_changed_and_deleted(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    match.record(*OPENING)
    open_match(phone, match, "/4")
    open_notes(phone)
    phone.get_by_role("button", name="Write a note").tap()
    phone.get_by_role("button", name="Save").tap()
    expect(phone.locator(".editor [role=alert]")).to_have_text("There is nothing in this note yet.")
    phone.get_by_label("interesting move").check()
    phone.get_by_label("Text").fill("Keeps the corner.")
    for cell in ("c1", "d2", "h8", "h8"):
        phone.locator(f'#board [data-cell="{cell}"]').tap()
    expect(phone.locator(".marked")).to_have_text("Marked: c1, d2")
    check_axe(phone)
    phone.get_by_role("button", name="Save").tap()
    note = phone.locator(".note")
    expect(note).to_contain_text("Keeps the corner.")
    expect(phone.locator("#board [data-mark]")).to_have_count(2)
    [kept] = match.frames()[4]["annotations"]
    assert (kept["glyph"], [mark["cell"] for mark in kept["marks"]]) == ("!?", ["c1", "d2"])
    note.get_by_role("button", name="Change").tap()
    phone.get_by_label("Text").fill("Keeps both corners.")
    phone.get_by_role("button", name="Save").tap()
    expect(note).to_contain_text("Keeps both corners.")
    note.get_by_role("button", name="Earlier wordings").tap()
    expect(note.locator(".wordings li")).to_have_count(2)
    expect(note.locator(".wordings")).to_contain_text("Keeps the corner.")
    check_axe(phone)
    note.get_by_role("button", name="Delete").tap()
    expect(note).to_have_count(0)
    assert match.frames()[4]["annotations"] == []
    expect(phone.get_by_text("The note was deleted.")).to_be_visible()
    phone.get_by_role("button", name="Restore").tap()
    expect(note).to_contain_text("Keeps both corners.")
    assert match.frames()[4]["annotations"][0]["text"] == "Keeps both corners."


def test_what_might_have_been_is_tried_and_kept_as_a_note(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    match.record(*OPENING)
    version = match.document()["version"]
    open_match(phone, match, "/1")
    open_notes(phone)
    phone.get_by_role("button", name="What if").tap()
    for choice in ("take-X5", "take-V3", "take-P5"):
        phone.locator(f'[data-choice="{choice}"]').tap()
        phone.locator("#confirm").tap()
        expect(phone.locator("#line")).to_contain_text(choice.removeprefix("take-"))
    phone.get_by_role("button", name="Undo").tap()
    expect(phone.locator("#line li")).to_have_count(3)
    check_axe(phone)
    phone.get_by_role("button", name="Keep as a note").tap()
    expect(phone.locator(".editor")).to_contain_text("With 2 moves of what if.")
    phone.get_by_role("button", name="Save").tap()
    phone.get_by_role("button", name="What if: 2 moves").tap()
    expect(phone.locator("#line [aria-current]")).to_have_text("Jan takes building X5 from the supply.")
    phone.locator("#line").get_by_text("Ana takes building V3").tap()
    expect(phone.locator("#scores")).to_contain_text("\N{MINUS SIGN}3")
    expect(phone.locator('[data-choice="take-V3"]')).to_have_count(0)
    phone.locator("#line").get_by_text("Jan takes building X5").tap()
    phone.locator('[data-choice="take-S4"]').tap()
    phone.locator("#confirm").tap()
    expect(phone.locator("#line [aria-current]")).to_have_text("Ana takes building S4 from the supply.")
    expect(phone.locator("#line li")).to_have_count(3)
    phone.locator("#leave").tap()
    expect_ply(phone, 1)
    [kept] = match.frames()[1]["annotations"]
    assert kept["line"] == entries(["blue take X5", "orange take V3"])
    assert match.document()["version"] == version


def test_a_move_of_what_if_that_the_rules_refuse_leads_to_the_rule(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    match.record(*TO_BUILDING)
    open_match(phone, match, "/20")
    open_notes(phone)
    phone.get_by_role("button", name="What if").tap()
    phone.locator('[data-choice="build-V3"]').tap()
    phone.locator('#board [data-cell="c2"]').tap()
    expect(phone.locator("#problem")).to_have_text(re.compile(r"\.Rule 5\.1$"))
    phone.locator("#problem a").tap()
    expect(phone).to_have_url(re.compile(r"/games/cite-lumiere/rules#5\.1$"))
    expect(phone.get_by_role("heading", name="5.1 Building")).to_be_in_viewport()


def test_a_tap_before_it_is_known_what_is_legal_is_looked_at_again(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    match.record(*TO_BUILDING)
    held = hold(phone, "**/legal-moves*")
    open_match(phone, match, "/20")
    open_notes(phone)
    phone.get_by_role("button", name="What if").tap()
    phone.locator('[data-choice="build-V3"]').tap()
    phone.locator('#board [data-cell="c2"]').tap()
    expect(phone.locator("#confirm")).to_be_enabled()
    expect(phone.locator("#problem")).to_be_empty()
    let_through(phone, held)
    expect(phone.locator("#problem")).to_have_text(re.compile(r"\.Rule 5\.1$"))


def test_markers_of_the_curve_keep_their_form_when_the_phone_is_turned(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    match.record(*OPENING)
    open_match(phone, match, "/99")
    phone.set_viewport_size({"width": 844, "height": 390})
    expect(phone.locator(".curve .cursor ellipse")).to_have_count(1)
    phone.wait_for_function(
        """() => [...document.querySelectorAll(".curve ellipse")].every((marker) => {
            const { width, height } = marker.getBoundingClientRect();
            return Math.abs(width - height) < 1;
        })"""
    )


def test_the_end_of_a_match_that_goes_on_is_followed(new_match: NewMatch, desk: Page) -> None:
    match = new_match()
    match.record(*OPENING[:2])
    open_match(desk, match, "/99")
    expect_ply(desk, 2)
    match.record(OPENING[2])
    expect_ply(desk, 3)
    desk.keyboard.press("Home")
    match.record(OPENING[3])
    expect(desk.locator("#tool .moves > li:not(.phase)")).to_have_count(5)
    expect_ply(desk, 0)


def test_what_is_recorded_before_the_page_is_told_of_anything_is_shown(new_match: NewMatch, desk: Page) -> None:
    match = new_match()
    match.record(*OPENING[:2])
    held = hold(desk, "**/stream*")
    with desk.expect_request("**/stream*"):
        open_match(desk, match, "/99")
    match.record(OPENING[2])
    expect_ply(desk, 2)
    let_through(desk, held)
    expect_ply(desk, 3)


def test_a_live_replay_fetches_only_what_is_new(new_match: NewMatch, desk: Page) -> None:
    match = new_match()
    match.record(*OPENING[:3])
    open_match(desk, match, "/99")
    wait_until_live(desk)
    shown = desk.locator("#tool .moves > li:not(.phase)")
    # With the first change it has also fetched what it may have missed before the stream was open.
    match.record(OPENING[3])
    expect(shown).to_have_count(5)
    asked: list[str] = []

    def note(request: Request) -> None:
        if "/api/" in request.url:
            asked.append(request.url.partition(match.id)[2])

    desk.on("request", note)
    match.record(OPENING[4])
    expect_ply(desk, 5)
    expect(shown).to_have_count(6)
    assert asked[-1] == "/replay?from=5"
    assert set(asked) <= {"/replay?from=4", "/replay?from=5"}
    match.undo(3)
    expect_ply(desk, 3)
    expect(shown).to_have_count(4)
    asked.clear()
    annotate(match, 2, glyph="?!")
    expect(desk.get_by_role("button", name="2 Jan takes building L4")).to_contain_text("?!")
    assert asked[0] == "/replay?fields=ply,annotations"


def test_an_older_answer_never_replaces_a_newer_one_in_a_live_replay(new_match: NewMatch, desk: Page) -> None:
    match = new_match()
    match.record(OPENING[0])
    open_match(desk, match, "/99")
    wait_until_live(desk)
    match.record(OPENING[1])
    expect(desk.locator("#tool .moves > li:not(.phase)")).to_have_count(3)
    held: list[tuple[Route, APIResponse]] = []

    def answer_late(route: Route) -> None:
        held.append((route, route.fetch()))

    desk.route("**/replay?*", answer_late, times=1)
    with desk.expect_request("**/replay?*"):
        match.record(OPENING[2])
    match.record(OPENING[3])
    while not held:
        desk.wait_for_timeout(20)
    route, answer = held[0]
    route.fulfill(response=answer)
    expect_ply(desk, 4)
    desk.wait_for_timeout(500)
    expect_ply(desk, 4)


def test_a_slider_that_moves_changes_the_address_when_it_rests(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    match.record(*OPENING)
    phone.add_init_script(
        """
        window.addresses = 0;
        history.replaceState = () => {
            window.addresses += 1;
            throw new DOMException("Attempt to use history.replaceState() more than 100 times", "SecurityError");
        };
        """
    )
    open_match(phone, match, "/99")
    phone.get_by_role("slider").evaluate(
        """(slider) => {
            for (let at = 0; at < 300; at += 1) {
                slider.value = at % 7;
                slider.dispatchEvent(new Event("input"));
            }
        }"""
    )
    expect(phone.get_by_role("slider")).to_have_value(str(299 % 7))
    phone.wait_for_timeout(600)
    assert 1 <= phone.evaluate("addresses") < 10
    expect(phone.get_by_text("That did not work.")).to_have_count(0)


def test_a_tool_stands_in_the_address_as_soon_as_it_is_opened(new_match: NewMatch, desk: Page) -> None:
    match = new_match()
    match.record(*OPENING)
    open_match(desk, match)
    query = desk.evaluate("() => { document.querySelector('[role=tab][id*=notes]').click(); return location.search; }")
    assert query == "?tool=notes"


def test_a_note_on_a_move_that_was_taken_back_is_not_lost(new_match: NewMatch, desk: Page) -> None:
    match = new_match()
    match.record(*OPENING)
    annotate(match, 6, text="Good taste.")
    ok(match.post("/undo", {"to_ply": 5}), 201)
    open_match(desk, match, "/2?tool=notes")
    desk.get_by_text("1 note on moves that were taken back").click()
    expect(desk.get_by_text("Good taste.")).to_be_visible()


def test_turns_of_several_moves_are_jumped_over_with_the_hands_of_all(new_match: NewMatch, phone: Page) -> None:
    players = [{"seat": "red", "name": "Eva"}, {"seat": "green", "name": "Ivo"}]
    match = new_match(game="paris", edition="rulebook-2020", players=players, setup={})
    reveal = {"type": "reveal", "stack": 1, "tile": "montmartre-1"}
    moves = [reveal, {"type": "place_key", "at": "arc"}, {"type": "end_turn"}]
    ok(match.post("/moves", {"moves": [{"seat": "red", "move": move} for move in moves]}), 201)
    open_match(phone, match, "/0")
    keys = [str(frame["state"]["seats"]["red"]["keys"]) for frame in match.frames()]
    held = phone.locator("#board .paris-seat").filter(has_text="Eva").locator(".paris-amount").nth(1)
    expect(held).to_contain_text(f"{keys[0]} keys")
    phone.get_by_label("Jump by").select_option("Turn")
    phone.get_by_role("button", name="Forward").tap()
    expect_ply(phone, 3)
    assert keys[3] != keys[0]
    expect(held).to_contain_text(f"{keys[3]} keys")
    open_tool(phone, "Points")
    phone.get_by_role("button", name="Hands").tap()
    expect(held).to_have_count(0)
    phone.reload()
    expect(phone.get_by_role("slider")).to_have_value("3")
    open_tool(phone, "Moves")
    # The move that only ends the turn is shown with the one before it.
    expect(phone.locator("#tool [aria-current=step] .ply")).to_have_text("2")
    expect(held).to_have_count(0)
    open_notes(phone)
    phone.get_by_role("button", name="Write a note").tap()
    phone.locator('#board [data-place="montmartre-1"]').first.tap()
    expect(phone.locator(".marked")).to_have_text("Marked: montmartre-1")


def test_a_match_that_no_longer_fits_the_rules_is_shown_as_far_as_it_does(
    new_match: NewMatch, new_context: NewContext, desk: Page, dsn: str
) -> None:
    match = new_match()
    match.record(*OPENING)
    with judging(lambda _, move: bool(move == {"type": "take", "building": "I3"})):
        CliRunner().invoke(main, ["verify", "--rules"], env={"DATABASE_URL": as_service(dsn)})
        open_match(desk, match, "/99")
        expect(desk.locator(".unplayable")).to_contain_text("move 6 no longer fits")
        expect_ply(desk, 5)
        check_axe(desk)
        polish = new_context.tab(PHONE, locale="pl-PL")
        open_match(polish, match, "?tool=history")
        expect(polish.locator("#why")).to_contain_text("Teraz gra")


def test_a_match_of_which_only_the_result_is_known_has_nothing_to_play(new_match: NewMatch, desk: Page) -> None:
    match = new_match(setup={"result_only": True, "points": {"orange": 48, "blue": 57}})
    open_match(desk, match, "/99")
    expect(desk.get_by_text("Only the result of this match is known.")).to_be_visible()
    expect(desk.locator("#scores")).to_contain_text("57")
    expect(desk.get_by_role("slider")).to_have_count(0)
    check_axe(desk)


@pytest.mark.parametrize(
    ("locale", "said", "button"),
    [
        ("pl-PL", "Ana: brukuje obszar a1 żetonem O1.", "Co by było, gdyby…"),
        ("cs-CZ", "Ana: dláždí čtverec a1 dílem O1.", "Co kdyby…"),
        pytest.param("pt-PT", "Ana cobre o quadrado a1 com a peça O1.", "E se …", marks=pytest.mark.soak),
    ],
)
def test_a_replay_is_read_in_every_language(
    new_match: NewMatch, new_context: NewContext, locale: str, said: str, button: str
) -> None:
    match = new_match()
    match.record(*OPENING)
    annotate(match, 1, glyph="!", text="x", line=entries(["blue take X5"]))
    page = new_context.tab(PHONE, locale=locale)
    open_match(page, match, "/1")
    expect(page.locator("#now")).to_have_text(said)
    page.goto(f"{page.url}?tool=notes")
    page.get_by_role("button", name=button).first.tap()
    expect(page.locator("#line li")).to_have_count(1)
