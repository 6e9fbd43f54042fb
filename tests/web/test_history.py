"""Putting right what was recorded: moves, the set-up and who sat where, each after a look at what it means."""

import re

from flask import Flask
from playwright.sync_api import Locator, Page, expect

from service.matches.integrity import rejudge_all
from tests.service.conftest import NewMatch
from tests.service.harness import OPENING, bring_into_conflict, entries, ok
from tests.web.checks import check_axe
from tests.web.tables import open_match, taken

PLAYED = entries(OPENING)


def row(page: Page, ply: int) -> Locator:
    """The row of history that recorded the move of a ply, in a match without corrections."""
    return page.locator(f"#entry-{ply + 1}")


def open_actions(page: Page) -> None:
    """Open the rows of what several lines were recorded by together."""
    expect(page.locator("#lines > li")).not_to_have_count(0)
    for action in page.locator(".action > .entry-line").all():
        if action.get_attribute("aria-expanded") == "false":
            action.tap()


def edit(page: Page, ply: int, action: str = "Replace") -> Locator:
    """Open an earlier move."""
    open_actions(page)
    row(page, ply).locator(".entry-line").tap()
    row(page, ply).get_by_role("button", name=action).tap()
    return page.locator("#editor")


def enter(page: Page, choice: str) -> None:
    """Enter a move with the form of the game, and ask what it means."""
    page.locator(f'#form [data-choice="{choice}"]').tap()
    page.get_by_role("button", name="Preview changes").tap()


def test_a_replaced_move_is_confirmed_after_a_verdict_for_each_later_one(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    match.record(*OPENING)
    open_match(phone, match, "?tool=history")
    editor = edit(phone, 2)
    check_axe(phone)
    enter(phone, "take-U6")
    expect(editor).to_contain_text("4 later moves would be lost.")
    expect(editor.locator(".verdict.refused")).to_contain_text("3. Ana takes building U6")
    expect(editor.locator(".verdict.not_reached")).to_have_count(3)
    check_axe(phone)
    editor.get_by_role("button", name="Back").tap()
    enter(phone, "take-V3")
    expect(editor).to_contain_text("All 4 later moves still fit.")
    editor.get_by_role("button", name="Confirm").tap()
    expect(phone.locator("#said")).to_contain_text("Corrected.")
    expect(phone.locator("#entry-8")).to_contain_text("Move 2 was replaced")
    expect(phone.locator("#entry-8")).to_contain_text("takes building V3")
    assert taken(match) == [("blue", "V3"), ("orange", "U6"), ("blue", "I3")]
    phone.locator(".toast").get_by_role("button", name="Undo").tap()
    expect(phone.locator("#entry-9")).to_contain_text("Restored as it was after entry 7")
    assert match.moves() == PLAYED


def test_what_no_longer_fits_is_cut_if_that_is_wanted(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    match.record(*OPENING)
    open_match(phone, match, "/repair?ply=3")
    phone.get_by_role("button", name="Remove").tap()
    phone.locator("#editor").get_by_role("button", name="Confirm and cut 3 moves").tap()
    expect(phone.locator("#entry-8")).to_contain_text("Move 3 was taken out")
    assert match.moves() == PLAYED[:2]


def test_a_move_against_the_rules_is_put_in_as_a_ruling_with_its_reason(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    match.record(*OPENING[:2])
    open_match(phone, match, "?tool=history")
    editor = edit(phone, 2, "Insert before")
    phone.locator("#entering").get_by_role("button", name="Ana").tap()
    enter(phone, "take-V3")
    phone.get_by_text("It happened like this at the table").tap()
    phone.get_by_label("Reason").fill("Jan was in the kitchen.")
    phone.get_by_role("button", name="Record as a table ruling").tap()
    expect(editor).to_contain_text("The later move still fits.")
    editor.get_by_role("button", name="Confirm").tap()
    expect(phone.locator("#entry-4")).to_contain_text("Jan was in the kitchen.")
    phone.get_by_role("button", name="Rulings").tap()
    expect(phone.locator("#lines > li")).to_have_count(1)
    assert taken(match) == [("orange", "V3"), ("blue", "L4")]


def test_the_set_up_is_put_right(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    match.record(*OPENING)
    open_match(phone, match, "?tool=history")
    phone.get_by_role("button", name="Set-up").tap()
    editor = phone.locator("#editor")
    editor.locator('[data-choice="levitation"]').tap()
    editor.get_by_role("button", name="Preview changes").tap()
    expect(editor.get_by_role("alert")).to_contain_text("Something is still missing")
    editor.locator('[data-choice="moulin_rouge"]').tap()
    check_axe(phone)
    editor.get_by_role("button", name="Preview changes").tap()
    expect(editor).to_contain_text("All 6 later moves still fit.")
    editor.get_by_role("button", name="Confirm").tap()
    expect(phone.locator("#said")).to_contain_text("Corrected.")
    cards = match.document()["setup"]["postcards"]
    assert ("moulin_rouge" in cards, "levitation" in cards, match.document()["ply"]) == (True, False, 6)


def test_the_points_of_an_old_note_are_put_right(new_match: NewMatch, phone: Page) -> None:
    match = new_match(setup={"result_only": True, "points": {"orange": 41, "blue": 57}})
    open_match(phone, match, "?tool=history")
    phone.get_by_role("button", name="Set-up").tap()
    editor = phone.locator("#editor")
    editor.get_by_label("Points of Orange").fill("61")
    editor.get_by_role("button", name="Preview changes").tap()
    editor.get_by_role("button", name="Confirm").tap()
    expect(phone.locator("#said")).to_contain_text("Corrected.")
    assert match.document()["result"]["winners"] == ["orange"]


def test_how_the_tie_of_an_old_note_was_decided_is_put_right(new_match: NewMatch, phone: Page) -> None:
    tie = {"winner": "orange", "decided_by": "free_spaces"}
    match = new_match(setup={"result_only": True, "points": {"orange": 57, "blue": 57}, "tie": tie})
    open_match(phone, match, "?tool=history")
    phone.get_by_role("button", name="Set-up").tap()
    editor = phone.locator("#editor")
    question = editor.get_by_label("Equal points: how was the tie decided?")
    expect(question.locator("option:checked")).to_have_text("Ana won, by free spaces of their colour")
    question.select_option(label="Jan won, by free spaces of their colour")
    editor.get_by_role("button", name="Preview changes").tap()
    editor.get_by_role("button", name="Confirm").tap()
    expect(phone.locator("#said")).to_contain_text("Corrected.")
    assert match.document()["setup"]["tie"] == {"winner": "blue", "decided_by": "free_spaces"}
    assert match.document()["result"]["winners"] == ["blue"]


def test_who_sat_where_is_put_right(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    open_match(phone, match, "?tool=history")
    phone.get_by_role("button", name="Who sat where").tap()
    editor = phone.locator("#editor")
    expect(editor.get_by_label("Orange")).to_have_value("Ana")
    check_axe(phone)
    editor.get_by_role("button", name="Swap seats").tap()
    editor.get_by_role("button", name="Confirm").tap()
    expect(phone.locator("#said")).to_contain_text("Corrected.")
    assert [player["name"] for player in match.document()["players"]] == ["Jan", "Ana"]
    phone.get_by_role("button", name="Who sat where").tap()
    editor.get_by_label("Blue").fill("Eva")
    editor.get_by_role("button", name="Confirm").tap()
    expect(phone.locator("#entry-3")).to_contain_text("Eva")
    assert [player["name"] for player in match.document()["players"]] == ["Jan", "Eva"]


def test_a_repair_in_a_match_that_has_changed_meanwhile_is_looked_at_again(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    match.record(*OPENING)
    phone.route("**/stream*", lambda route: route.fulfill(status=204))
    open_match(phone, match, "?tool=history")
    editor = edit(phone, 6)
    enter(phone, "take-V3")
    expect(editor).to_contain_text("No later move depends on it.")
    match.undo(5)
    editor.get_by_role("button", name="Confirm").tap()
    expect(phone.locator("#said")).to_contain_text("The match has changed meanwhile.")
    expect(phone.locator("#entry-8")).to_contain_text("Taken back, down to move 5")
    assert match.moves() == PLAYED[:5]


def test_a_match_that_the_rules_no_longer_take_is_accepted_as_it_is_now(
    app: Flask, new_match: NewMatch, phone: Page
) -> None:
    match = new_match()
    match.record(*OPENING)
    bring_into_conflict(app, match.id)
    list(rejudge_all(app.extensions["carnet"]))
    open_match(phone, match, "?tool=history")
    expect(phone.locator("#why")).to_contain_text("The rules have changed")
    check_axe(phone)
    phone.get_by_role("button", name="Accept the match as the current rules have it").tap()
    asked = phone.get_by_role("dialog", name="Accept")
    expect(asked).to_contain_text("The match then ends before move 6, and 1 move no longer counts.")
    asked.get_by_role("button", name="Accept").tap()
    expect(phone.locator("#why")).to_be_hidden()
    assert match.document()["rules_conflict"] is None


def looked_at(page: Page, seq: int) -> Locator:
    """A row of history that is shown on the board."""
    open_actions(page)
    entry = page.locator(f"#entry-{seq}")
    entry.locator(".entry-line").tap()
    expect(entry.locator(".entry-line")).to_have_attribute("aria-current", "true")
    return entry


def test_any_earlier_state_is_looked_at_and_brought_back_and_nothing_is_lost(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    match.record(*OPENING)
    match.undo(4)
    open_match(phone, match, "?tool=history")
    expect(phone.locator("#entry-8")).to_contain_text("Taken back, down to move 4")
    expect(phone.locator("#entry-8 .gone")).to_contain_text(["Removed", "5.Ana paves"])
    then = looked_at(phone, 7)
    expect(phone.locator("#now")).to_have_text("Jan takes building I3 from the supply.")
    check_axe(phone)
    then.get_by_role("button", name="Go back to here").tap()
    expect(phone.locator("#entry-9")).to_contain_text("Restored as it was after entry 7")
    assert match.moves() == PLAYED
    looked_at(phone, 8).get_by_role("button", name="Go back to here").tap()
    expect(phone.locator("#entry-10")).to_contain_text("Restored as it was after entry 8")
    assert match.moves() == PLAYED[:4]
    looked_at(phone, 8).get_by_role("button", name="Redo").tap()
    expect(phone.locator("#entry-11")).to_contain_text("Restored as it was after entry 7")
    assert match.moves() == PLAYED
    # Six moves were recorded together, and stand in one row.
    expect(phone.locator("#lines > li")).to_have_count(6)
    expect(phone.locator(".action .told-head").first).to_have_text("6 moves were recorded together")
    phone.get_by_role("button", name="Undone").tap()
    expect(phone.locator("#lines > li")).to_have_count(4)


def test_the_log_tells_what_others_record_and_why_a_ruling_stands(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    open_match(phone, match, "?tool=history")
    expect(phone.locator("#entry-1")).to_contain_text("Orange: Ana")
    ruled = {**entries(["blue take L4"])[0], "ruling": {"reason": "It was late."}}
    ok(match.post("/moves", ruled), 201)
    expect(phone.locator("#entry-2")).to_contain_text("Table ruling: It was late.")


def test_a_second_screen_shows_the_match_live(new_match: NewMatch, desk: Page) -> None:
    match = new_match()
    open_match(desk, match, "/scoreboard")
    expect(desk).to_have_url(re.compile(r"\?view=screen$"))
    expect(desk.locator("#live")).to_have_text("live")
    expect(desk.locator(".score.turn-of")).to_contain_text("Ana")
    match.record(*OPENING[:2])
    expect(desk.locator("#now")).to_have_text("Jan takes building L4 from the supply.")
    expect(desk.locator(".score.blue .total")).to_have_text("\u22123")
    expect(desk.locator("#confirm")).to_be_hidden()
    check_axe(desk)
