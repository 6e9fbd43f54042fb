"""Points on paper against those of the moves, and how long everybody thought, in the tools of a match."""

from datetime import UTC, datetime, timedelta

from playwright.sync_api import Page, expect

from tests.service.conftest import NewMatch
from tests.service.harness import Match, entry, finished_match, ok
from tests.web.checks import check_axe, wait_until_shown
from tests.web.tables import open_match


def totals(match: Match, ply: int) -> dict[str, int]:
    return {seat: score["total"] for seat, score in match.frames()[ply]["state"]["score"].items()}


def test_the_first_difference_leads_to_the_move_that_explains_it(new_match: NewMatch, desk: Page) -> None:
    match = new_match()
    ok(match.post("/moves", {"moves": list(finished_match())}), 201)
    last = match.document()["ply"]
    middle = last // 2
    open_match(desk, match, "?tool=points")
    desk.locator(".tool").get_by_role("button", name="Compare with paper").click()
    check_axe(desk)
    tool = desk.locator(".tool-paper")
    tool.get_by_role("button", name="Compare").click()
    expect(tool.get_by_role("status")).to_have_text("Type at least one number.")
    tool.get_by_label("After move").fill(str(middle))
    for seat, points in totals(match, middle).items():
        tool.get_by_label(f"Total, {'Ana' if seat == 'orange' else 'Jan'}").fill(str(points))
    tool.get_by_role("button", name="Add another move").click()
    tool.get_by_label("After move").fill(str(last))
    tool.get_by_label("Total, Ana").fill(str(totals(match, last)["orange"]))
    tool.get_by_role("button", name="Compare").click()
    expect(tool.get_by_role("status")).to_have_text("Paper and moves agree.")
    before, changes = middle, []
    for ply in range(middle + 1, last + 1):
        change = totals(match, ply)["orange"] - totals(match, ply - 1)["orange"]
        changes += [(ply, change)] if change else []
    ply, change = changes[0]
    tool.get_by_label("Total, Ana").fill(str(totals(match, last)["orange"] - change))
    tool.get_by_role("button", name="Compare").click()
    expect(tool.get_by_role("status")).to_contain_text(f"After move {last} Ana has")
    expect(tool.get_by_role("status")).to_contain_text(f"Up to move {before} they agree.")
    suspect = tool.locator(".suspects li", has_text="would explain").first
    expect(suspect).to_contain_text(str(abs(change)))
    check_axe(desk)
    suspect.get_by_role("button", name="Correct move").click()
    expect(desk.locator(".tool-history [aria-current=true]")).to_have_count(1)
    expect(desk.locator("#now")).to_be_visible()


def test_points_of_one_kind_can_be_compared(new_match: NewMatch, desk: Page) -> None:
    match = new_match()
    ok(match.post("/moves", {"moves": list(finished_match())}), 201)
    last = match.document()["ply"]
    explained = ok(match.get(f"/replay/{last}/score"))["seats"]
    open_match(desk, match, "?tool=paper")
    desk.get_by_text("By category", exact=True).click()
    sums = {
        seat: sum(item["points"] for item in explained[seat]["items"] if item["category"] == "lit")
        for seat in explained
    }
    desk.get_by_label("Lit buildings, Ana").fill(str(sums["orange"]))
    desk.get_by_label("Lit buildings, Jan").fill(str(sums["blue"] + 3))
    desk.get_by_label("After move").fill(str(last))
    desk.locator(".tool-paper").get_by_role("button", name="Compare").click()
    said = f"After move {last} Jan has {sums['blue'] + 3} on paper and {sums['blue']} by the moves: Lit buildings."
    expect(desk.get_by_role("status").filter(has_text="on paper")).to_contain_text(said)


def test_thinking_times_are_told_where_they_are_known(new_match: NewMatch, desk: Page) -> None:
    now = datetime.now(UTC)
    match = new_match()
    lines = ["orange pave O1 a1 0", "blue take L4", "orange take U6", "blue pave B1 c1 0"]
    times = [now + timedelta(seconds=second - 300) for second in (0, 20, 95, 100)]
    moves = [{**entry(line), "entered_at": time.isoformat()} for line, time in zip(lines, times, strict=True)]
    ok(match.post("/moves", {"moves": moves}), 201)
    open_match(desk, match, "?tool=points")
    desk.get_by_text("Thinking time").click()
    seats = desk.locator(".think-times li")
    expect(seats.nth(0)).to_contain_text("1 of 2 moves")
    expect(seats.nth(0).locator("b")).to_have_text("1 min 15 s")
    expect(seats.nth(1).locator("b")).to_have_text("25 s")
    check_axe(desk)
    seats.nth(1).get_by_role("button", name="longest: move 2, 20 s").click()
    wait_until_shown(desk)
    expect(desk.locator("#now")).to_contain_text("L4")
