"""Those who may look at a match and not record it: guests with a link to read, and members at the matches of others."""

import pytest
from playwright.sync_api import Page, expect

from tests.service.auth.people import Person
from tests.service.harness import OPENING, Match, ok
from tests.web.checks import check_axe, wait_until_shown
from tests.web.conftest import PHONE, NewContext
from tests.web.tables import take, wait_until_live

PARIS = {
    "game": "paris",
    "edition": "rulebook-2020",
    "players": [{"seat": "red", "name": "Ana"}, {"seat": "blue", "name": "Jan"}],
    "setup": {},
}
REVEAL = {"seat": "red", "move": {"type": "reveal", "stack": 1, "tile": "montmartre-5"}}


def watch(
    new_context: NewContext, match: Match, part: str = "", locale: str = "en-GB", tool: str | None = None
) -> Page:
    """A phone on which a guest has opened a match by a link to read."""
    key = ok(match.post("/links", {"allows": "read"}), 201)["secret"]
    page = new_context.tab(PHONE, locale=locale)
    page.goto(f"/matches/{match.id}{part}?key={key}{f'&tool={tool}' if tool else ''}")
    wait_until_shown(page)
    return page


def expect_nothing_to_do(page: Page) -> None:
    """Nothing is offered that would be refused."""
    for name in ("#undo", "#confirm", "#turning"):
        expect(page.locator(name)).to_be_hidden()
    expect(page.locator("#form button")).to_have_count(0)
    expect(page.locator("#hand button")).to_have_count(0)
    page.get_by_role("button", name="Menu").tap()
    expect(page.locator("#acts button")).to_have_count(0)
    expect(page.get_by_role("button", name="Set-up")).to_have_count(0)
    page.keyboard.press("Escape")


def test_a_guest_with_a_link_to_read_watches_and_follows(new_context: NewContext, olga: Person) -> None:
    match = Match(olga, olga.begin(visibility="unlisted")["id"])
    match.record(*OPENING[:2])
    page = watch(new_context, match)
    expect(page.get_by_text("You are watching.")).to_be_visible()
    expect(page.locator("#turn")).to_contain_text("to move")
    expect_nothing_to_do(page)
    check_axe(page)
    wait_until_live(page)
    match.record(OPENING[2])
    expect(page.locator("#now")).to_contain_text("Ana takes building U6")
    expect_nothing_to_do(page)


def test_a_finished_match_offers_watchers_its_replay_alone(new_context: NewContext, olga: Person) -> None:
    match = Match(olga, olga.begin(visibility="unlisted")["id"])
    ok(match.post("/abandon"))
    page = watch(new_context, match)
    expect(page.locator("#form button")).to_have_text(["Replay"])
    page.get_by_role("button", name="Menu").tap()
    expect(page.locator("#acts button")).to_have_count(0)


def test_hands_stay_closed_for_watchers_as_long_as_a_match_goes_on(new_context: NewContext, olga: Person) -> None:
    match = Match(olga, ok(olga.post("/matches", {**PARIS, "visibility": "unlisted"}), 201)["id"])
    ok(match.post("/moves", REVEAL), 201)
    page = watch(new_context, match)
    expect_nothing_to_do(page)
    replay = watch(new_context, match, "/1", tool="points")
    expect(replay.locator("#tool .seat-choice")).to_be_visible()
    expect(replay.get_by_role("button", name="Hands")).to_have_count(0)
    ok(match.post("/abandon"))
    replay.reload()
    expect(replay.get_by_role("button", name="Hands")).to_be_visible()


@pytest.mark.parametrize(
    ("locale", "said", "watching"),
    [
        ("en-GB", "You may view this, but not change it.", "You are watching."),
        ("pl-PL", "Możesz to oglądać, ale nie zmieniać.", "Oglądasz tę partię."),
        pytest.param("cs-CZ", "Smíte se dívat, ale nic měnit.", "Tuto partii sledujete.", marks=pytest.mark.soak),
        pytest.param("pt-PT", "Pode ver, mas não alterar.", "Está a assistir.", marks=pytest.mark.soak),
    ],
)
def test_who_loses_the_right_to_record_is_told_in_their_language_and_watches(
    new_context: NewContext, olga: Person, locale: str, said: str, watching: str
) -> None:
    match = Match(olga, olga.begin(visibility="unlisted")["id"])
    key = ok(match.post("/links", {"allows": "record"}), 201)["secret"]
    page = new_context.tab(PHONE, locale=locale)
    refusal = {"type": "/problems/not-allowed", "status": 403, "detail": "In the language of programs."}
    page.route("**/api/v1/matches/*/moves?*", lambda route: route.fulfill(status=403, json=refusal))
    page.route("**/rights?*", lambda route: route.fulfill(json={"rights": ["read"]}))
    page.goto(f"/matches/{match.id}?key={key}")
    take(page, "L4")
    expect(page.get_by_role("alert")).to_contain_text(said)
    expect(page.get_by_text(watching)).to_be_visible()
    expect(page.locator("#confirm")).to_be_hidden()
