"""Matches that are begun on a phone without network: they and their moves arrive once, whatever breaks."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from domain.catalogue import GAMES
from domain.game import AnyGame
from tests.service.conftest import NewMatch
from tests.service.harness import Match, Service, ok
from tests.web.checks import check_axe, wait_until_shown
from tests.web.conftest import DESK, PHONE, NewContext
from tests.web.tables import expect_held, expect_taken, hold, notifier, open_match, take

pytestmark = pytest.mark.usefixtures("network_may_go")

OF_MATCH = re.compile(r"/matches/[0-9a-f-]{36}$")
KEPT = """async () => {
    const isKept = async (path) => (await caches.match(path)) !== undefined;
    while (!(await isKept("/matches/new") && await isKept("/matches/kept")))
        await new Promise((resolve) => setTimeout(resolve, 50));
}"""
"""Waits until the pages that begin and show a match are stored on the device."""
BEGINNING = """
async ([game, setup, seats, edition]) => {
    const { static: files } = JSON.parse(document.getElementById("page").textContent);
    const { beginning } = await import(`${files}games/${game}/beginning.js`);
    return beginning(setup, seats, edition);
}
"""


@pytest.fixture
def prepared(new_match: NewMatch, new_context: NewContext) -> Iterator[BrowserContext]:
    """A phone that has visited the start page of a service where Ana and Jan have played, and has no network now."""
    new_match()
    context = new_context(PHONE)
    page = context.new_page()
    page.goto("/")
    expect(page.locator("main[data-kept=true]")).to_be_attached()
    page.evaluate(KEPT)
    page.close()
    context.set_offline(True)
    yield context
    context.set_offline(False)


def begin(page: Page, *names: str) -> None:
    """Begin a match of people."""
    for at, name in enumerate(names):
        page.locator(f"#person-{at}").fill(name)
    page.locator("#begin").tap()
    page.wait_for_url("**/matches/kept#*")
    wait_until_shown(page)


def add_namesakes(service: Service, name: str) -> None:
    """Add two players of a name, so that it is ambiguous."""
    players = [{"seat": "orange", "name": name}, {"seat": "blue", "name": "Somebody"}]
    setup = {"result_only": True, "points": {"orange": 1, "blue": 2}}
    body = {"game": "cite-lumiere", "players": players, "setup": setup}
    other = ok(service.post("/matches", body), 201)["players"][1]["player_id"]
    ok(service.patch(f"/players/{other}", {"name": name}))


def matches(service: Service) -> list[Any]:
    """All matches, the newest first."""
    items: list[Any] = ok(service.get("/matches"))["items"]
    return items


def test_a_match_begun_without_network_arrives_once_with_its_moves(prepared: BrowserContext, service: Service) -> None:
    page = prepared.new_page()
    page.goto("/")
    page.get_by_role("link", name="New", exact=True).tap()
    wait_until_shown(page)
    expect(page.locator("#known").get_by_role("button")).to_have_text(["Ana", "Jan"])
    for name in ("Jan", "Ana"):
        page.locator("#known").get_by_role("button", name=name).tap()
    begin(page)
    expect(page.get_by_text("Begun without network")).to_be_visible()
    check_axe(page)
    take(page, "L4")
    take(page, "V3")
    expect(notifier(page)).to_contain_text("2 moves wait.")
    page.reload()
    expect(notifier(page)).to_contain_text("2 moves wait.")
    page.goto("/")
    waiting = page.get_by_role("region", name="Not sent yet").or_(page.locator("section", has_text="Not sent yet"))
    expect(waiting.get_by_role("link")).to_contain_text("Jan")
    with page.expect_event("load"):
        waiting.get_by_role("link").tap()
    take(page, "I3")
    expect(notifier(page)).to_contain_text("3 moves wait.")
    prepared.set_offline(False)
    page.wait_for_url(OF_MATCH)
    match = Match(service, page.url.rpartition("/")[2])
    expect_taken(match, page, ("orange", "L4"), ("blue", "V3"), ("orange", "I3"))
    assert [player["name"] for player in match.document()["players"]] == ["Jan", "Ana"]
    assert len(matches(service)) == 2
    assert len(ok(service.get("/players"))["items"]) == 2


def test_a_match_that_is_sent_days_later_keeps_its_day_and_its_moves(
    prepared: BrowserContext, service: Service
) -> None:
    page = prepared.new_page()
    begun_at = datetime.now(UTC) - timedelta(days=3)
    page.clock.install(time=begun_at)
    page.goto("/matches/new")
    wait_until_shown(page)
    begin(page, "Ana", "Jan")
    take(page, "L4")
    expect(notifier(page)).to_contain_text("1 move waits.")
    prepared.set_offline(False)
    page.wait_for_url(OF_MATCH)
    match = Match(service, page.url.rpartition("/")[2])
    expect_taken(match, page, ("orange", "L4"))
    played_at = datetime.fromisoformat(match.document()["played_at"])
    assert begun_at <= played_at <= begun_at + timedelta(minutes=5)


def test_a_lost_answer_begins_no_second_match(prepared: BrowserContext, service: Service) -> None:
    page = prepared.new_page()
    page.goto("/matches/new")
    wait_until_shown(page)
    begin(page, "Ana", "Jan")
    take(page, "L4")
    expect(notifier(page)).to_contain_text("1 move waits.")
    lost: list[str] = []

    def lose(route: Route) -> None:
        if route.request.method != "POST" or lost:
            route.continue_()
            return
        lost.append(route.request.headers["idempotency-key"])
        route.fetch()
        route.abort()

    page.route("**/api/v1/matches", lose)
    prepared.set_offline(False)
    page.wait_for_url(OF_MATCH)
    assert len(lost) == 1
    expect_taken(Match(service, page.url.rpartition("/")[2]), page, ("orange", "L4"))
    assert len(matches(service)) == 2


def test_a_match_that_is_refused_is_put_right_with_its_moves(prepared: BrowserContext, service: Service) -> None:
    page = prepared.new_page()
    page.goto("/matches/new")
    wait_until_shown(page)
    begin(page, "Rui", "Ana")
    take(page, "L4")
    add_namesakes(service, "Rui")
    prepared.set_offline(False)
    expect(page.get_by_role("alert").filter(has_text="could not be begun")).to_be_visible()
    check_axe(page)
    page.get_by_role("link", name="Change it").tap()
    expect(page.locator("#person-0")).to_have_value("Rui")
    page.locator("#person-0").fill("Rui Costa")
    page.locator("#begin").tap()
    page.wait_for_url(OF_MATCH)
    match = Match(service, page.url.rpartition("/")[2])
    expect_taken(match, page, ("orange", "L4"))
    assert [player["name"] for player in match.document()["players"]] == ["Rui Costa", "Ana"]


def test_a_match_that_was_begun_by_mistake_is_dropped(prepared: BrowserContext, service: Service) -> None:
    page = prepared.new_page()
    page.goto("/matches/new?game=paris")
    wait_until_shown(page)
    begin(page, "Eva", "Ana")
    add_namesakes(service, "Eva")
    prepared.set_offline(False)
    page.locator("#begun").get_by_role("button", name="Drop it").tap()
    page.wait_for_url("**/")
    wait_until_shown(page)
    expect(page.get_by_text("Not sent yet")).to_have_count(0)
    assert len(matches(service)) == 2


def test_a_match_that_was_dropped_is_not_brought_back_by_a_late_answer(prepared: BrowserContext) -> None:
    page = prepared.new_page()
    page.goto("/matches/new")
    wait_until_shown(page)
    begin(page, "Ana", "Jan")
    asked = hold(page, "**/api/v1/matches")
    prepared.set_offline(False)
    for _ in range(2):
        page.evaluate("dispatchEvent(new Event('online'))")
    refusal: Any = {"status": 422, "json": {"type": "/problems/malformed", "status": 422, "detail": "Not now."}}
    expect_held(page, asked)
    asked.pop().fulfill(**refusal)
    drop = page.locator("#begun").get_by_role("button", name="Drop it")
    expect(drop).to_be_visible()
    assert asked == []  # one request follows the other
    page.evaluate("dispatchEvent(new Event('online'))")
    expect_held(page, asked)
    page.evaluate("navigator.serviceWorker.ready.then((registration) => registration.unregister())")
    left = hold(page, lambda url: urlsplit(url).path == "/")
    drop.tap()
    expect_held(page, left)
    asked.pop().fulfill(**refusal)
    left.pop().continue_()
    page.wait_for_url("**/")
    wait_until_shown(page)
    expect(page.get_by_text("Not sent yet")).to_have_count(0)


def test_a_turn_of_paris_is_entered_before_the_match_is_known(prepared: BrowserContext, service: Service) -> None:
    page = prepared.new_page()
    page.goto("/matches/new?game=paris")
    wait_until_shown(page)
    page.get_by_label("Free placement of buildings").check()
    begin(page, "Ana", "Jan")
    page.locator('#board [data-place="montmartre-5"]:visible').tap()
    page.locator("#confirm").tap()
    expect(notifier(page)).to_contain_text("1 move waits.")
    prepared.set_offline(False)
    page.wait_for_url(OF_MATCH)
    match = Match(service, page.url.rpartition("/")[2])
    expect(page.locator(".table")).to_have_attribute("data-ply", "1")
    (entry,) = match.moves()
    assert entry["move"] == {"type": "reveal", "stack": 1, "tile": "montmartre-5", "district": "montmartre"}


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_a_device_knows_the_position_before_the_first_move(desk: Page, site: str, game: AnyGame) -> None:
    desk.goto("/matches/new")
    wait_until_shown(desk)
    edition, random = game.editions.default, Random(7)
    for _ in range(12):
        seats = random.sample(game.seats, random.choice(game.players))
        setup = game.setup.draw(edition, seats, random)
        asked = [game.id, game.setup.dump(setup), seats, edition.document]
        assert desk.evaluate(BEGINNING, asked) == game.view.dump(game.rules.start(setup, seats, edition))


def test_a_match_whose_page_is_not_kept_opens_all_the_same(new_match: NewMatch, new_context: NewContext) -> None:
    match, context = new_match(), new_context(DESK)
    page = context.new_page()
    page.goto("/")
    expect(page.locator("main[data-kept=true]")).to_be_attached()
    page.evaluate(KEPT)
    open_match(page, match)
    expect(page.locator("#notices[data-kept=true]")).to_be_attached()
    page.evaluate(
        """async (path) => {
        for (const name of await caches.keys()) await (await caches.open(name)).delete(path, { ignoreSearch: true });
    }""",
        match.path,
    )
    context.set_offline(True)
    page.goto(match.path)
    expect(page.get_by_role("heading", name="Ana – Jan")).to_be_visible()
    page.locator('[data-choice="take-L4"]').click()
    page.locator("#confirm").click()
    expect(notifier(page)).to_contain_text("1 move waits.")
    context.set_offline(False)
    expect_taken(match, page, ("orange", "L4"))
