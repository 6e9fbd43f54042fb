"""The result of a match on its page: who won by how much, with what and when, and the picture to send."""

from playwright.sync_api import Page, expect

from tests.service.conftest import NewMatch
from tests.service.harness import finished_match, ok
from tests.web.checks import check_axe, wait_until_shown
from tests.web.conftest import PHONE, NewContext


def test_the_end_is_told_with_its_turning_point_and_can_be_sent(new_match: NewMatch, desk: Page) -> None:
    match = new_match()
    ok(match.post("/moves", {"moves": list(finished_match())}), 201)
    result = ok(match.get("/result"))
    desk.goto(f"/matches/{match.id}")
    wait_until_shown(desk)
    tool = desk.locator(".tool-result")
    expect(tool.get_by_role("heading")).to_contain_text(f"wins by {result['margin']} points")
    rows = tool.locator(".ranking li")
    expect(rows.first.locator("b")).to_have_text(str(result["ranking"][0]["points"]))
    expect(tool.locator(".breakdown tbody tr")).to_have_count(len(result["breakdown"]))
    best = sum(bool(row["best"]) for row in result["breakdown"])
    expect(tool.locator(".breakdown td b")).to_have_count(best)
    expect(tool.get_by_role("link", name="Rematch")).to_be_visible()
    expect(desk.get_by_role("link", name="Rematch")).to_have_count(1)
    check_axe(desk)
    tool.get_by_text("Board Game Stats", exact=True).click()
    address = desk.request.get(f"/api/v1{match.path}/export/play-link").json()["url"]
    expect(tool.get_by_role("link", name="Add to Board Game Stats")).to_have_attribute("href", address)
    expect(tool.get_by_role("img", name="Code for Board Game Stats").locator("svg")).to_have_count(1)
    expect(tool.get_by_label("Address")).to_have_value(address)
    check_axe(desk)
    with desk.expect_download() as saved:
        tool.get_by_role("button", name="Share picture").click()
    content = saved.value.path().read_bytes()
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(content[16:20]) == 1200
    assert len(content) > 20_000
    tool.get_by_role("button", name="Turning point").click()
    expect(desk.locator(".table")).to_have_attribute("data-mode", "look")
    expect(desk.locator("#now")).to_contain_text(
        ok(match.get(f"/replay/{result['turning_point']['ply']}"))["text"][-8:]
    )


def test_on_a_phone_the_result_opens_over_the_board(new_match: NewMatch, new_context: NewContext) -> None:
    match = new_match()
    ok(match.post("/moves", {"moves": list(finished_match())}), 201)
    phone = new_context.tab(PHONE)
    phone.goto(f"/matches/{match.id}")
    wait_until_shown(phone)
    phone.get_by_role("button", name="Result").tap()
    expect(phone.locator(".tool-result").get_by_role("button", name="Turning point")).to_be_visible()
    check_axe(phone)


def test_a_public_match_tells_other_programs_who_played(new_match: NewMatch, desk: Page) -> None:
    match = new_match(visibility="public", venue="Library")
    desk.goto(f"/matches/{match.id}")
    expect(desk.locator('meta[property="og:title"]')).to_have_attribute("content", "Ana 0 – Jan 0")
    hidden = new_match()
    desk.goto(f"/matches/{hidden.id}")
    expect(desk.locator("main")).to_have_count(1)
