"""Beginning a match: players and seats, who begins, the set-up, the details; rematches and old results."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from domain.catalogue import GAMES
from tests.service.harness import Service, ok
from tests.web.checks import check_axe, wait_until_shown
from tests.web.tables import hold

CITE, PARIS = "Paris: La Cité de la Lumière", "Paris"
MATCH = re.compile(r"/matches/[0-9a-f-]{36}$")


def note_result(service: Service, points: dict[str, int], names: dict[str, str], **members: Any) -> Any:
    """Note down a match of which only the result is known."""
    players = [{"seat": seat, "name": name} for seat, name in names.items()]
    setup = {"result_only": True, "points": points}
    return ok(service.post("/matches", {"game": "cite-lumiere", "players": players, "setup": setup, **members}), 201)


def open_form(page: Page, address: str = "/matches/new", game: str = CITE) -> None:
    page.goto(address)
    wait_until_shown(page)
    page.get_by_role("radio", name=game, exact=True).check()
    if "result_only" not in address:
        expect(page.locator("#setup > *").first).to_be_visible()


def begin(page: Page) -> str:
    """Begin the match; its id."""
    page.get_by_role("button", name="Begin").click()
    page.wait_for_url(MATCH, wait_until="commit")
    return page.url.rpartition("/")[2]


def newest(service: Service) -> Any:
    """The one match that was begun, with its set-up."""
    [row] = [match for match in service.all_items("/matches") if match["status"] == "in_progress"]
    return ok(service.get(f"/matches/{row['id']}"))


def test_two_new_people_begin_a_match(phone: Page, service: Service) -> None:
    open_form(phone)
    phone.get_by_role("textbox", name="Player 1", exact=True).fill("Ana")
    phone.get_by_role("textbox", name="Player 2", exact=True).fill("Jan")
    phone.get_by_label("Colour of player 1").select_option("blue")
    phone.get_by_role("radio", name="Jan").check()
    phone.get_by_text("Date, venue, tags and more").click()
    phone.get_by_label("Venue").fill("Club night")
    phone.get_by_label("Tags", exact=True).fill("league, friendly,league")
    check_axe(phone)
    match_id = begin(phone)
    match = newest(service)
    assert match["id"] == match_id
    assert [(player["seat"], player["name"]) for player in match["players"]] == [("orange", "Jan"), ("blue", "Ana")]
    assert (match["setup"]["first"], len(match["setup"]["postcards"])) == ("orange", 8)
    assert (match["venue"], match["tags"]) == ("Club night", ["league", "friendly"])


def test_those_who_played_last_are_a_tap_away_and_the_loser_is_to_begin(phone: Page, service: Service) -> None:
    note_result(service, {"orange": 1, "blue": 2}, {"orange": "Ida", "blue": "Eva"}, played_at="2026-01-01T12:00:00Z")
    note_result(service, {"orange": 30, "blue": 20}, {"orange": "Ana", "blue": "Jan"}, played_at="2026-02-01T12:00:00Z")
    open_form(phone)
    known = phone.get_by_role("group", name="Known players").get_by_role("button")
    assert set(known.all_inner_texts()[:2]) == {"Ana", "Jan"}
    phone.get_by_role("button", name="Jan", exact=True).click()
    phone.get_by_role("button", name="Ana", exact=True).click()
    expect(phone.get_by_text("Jan lost the last match and may begin.")).to_be_visible()
    begin(phone)
    match = newest(service)
    assert [player["name"] for player in match["players"]] == ["Jan", "Ana"]
    assert match["setup"]["first"] == match["players"][0]["seat"]
    assert len(service.all_items("/players")) == 4


def test_what_is_typed_narrows_the_suggestions(phone: Page, service: Service) -> None:
    note_result(service, {"orange": 1, "blue": 2}, {"orange": "Ida", "blue": "Eva"})
    open_form(phone)
    phone.get_by_role("textbox", name="Player 1", exact=True).type("e")
    expect(phone.get_by_role("group", name="Known players").get_by_role("button")).to_have_text(["Eva"])


def test_of_several_players_of_one_name_the_right_one_is_asked_for(phone: Page, service: Service) -> None:
    first = note_result(service, {"orange": 1, "blue": 2}, {"orange": "Ana", "blue": "Jan"})
    other = note_result(service, {"orange": 1, "blue": 2}, {"orange": "Una", "blue": "Ida"})
    una = other["players"][0]["player_id"]
    ok(service.patch(f"/players/{una}", {"name": "Ana"}))
    open_form(phone)
    phone.get_by_role("textbox", name="Player 1", exact=True).fill("Ana")
    phone.get_by_role("textbox", name="Player 2", exact=True).fill("Zoe")
    phone.get_by_role("button", name="Begin").click()
    expect(phone.get_by_role("alert")).to_have_text("Several players are called Ana. Who is it?")
    check_axe(phone)
    phone.get_by_role("button", name="played last with Ida").click()
    phone.wait_for_url(MATCH, wait_until="commit")
    assert newest(service)["players"][0]["player_id"] == una != first["players"][0]["player_id"]


def test_another_game_is_begun_in_its_own_edition_before_its_editions_are_listed(phone: Page, service: Service) -> None:
    open_form(phone)
    hold(phone, "**/games/paris/editions?*")
    phone.get_by_role("radio", name=PARIS, exact=True).check()
    phone.get_by_role("textbox", name="Player 1", exact=True).fill("Ana")
    phone.get_by_role("textbox", name="Player 2", exact=True).fill("Jan")
    begin(phone)
    assert newest(service)["edition"] == GAMES["paris"].editions.default.id


def test_two_taps_begin_one_match(phone: Page, service: Service) -> None:
    open_form(phone)
    phone.get_by_role("textbox", name="Player 1", exact=True).fill("Ana")
    phone.get_by_role("textbox", name="Player 2", exact=True).fill("Jan")
    phone.locator("#begin").dblclick()
    phone.wait_for_url(MATCH, wait_until="commit")
    assert len(service.all_items("/matches")) == 1


def test_a_lost_answer_and_another_try_begin_one_match(phone: Page, service: Service, watched: Any) -> None:
    watched.expect("net::ERR_FAILED")
    open_form(phone)
    phone.get_by_role("textbox", name="Player 1", exact=True).fill("Ana")
    phone.get_by_role("textbox", name="Player 2", exact=True).fill("Jan")

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    phone.route("**/api/v1/matches", lose, times=1)
    phone.get_by_role("button", name="Begin").click()
    expect(phone.get_by_role("alert")).to_have_text("There is no network. Try again when it is back.")
    assert begin(phone) == newest(service)["id"]


@pytest.mark.parametrize(
    ("names", "wanted"), [(["Ana", ""], "Who is player 2?"), (["Ana", "Jan"], "Choose eight postcards.")]
)
def test_what_is_missing_is_said_before_anything_is_sent(
    phone: Page, service: Service, names: list[str], wanted: str
) -> None:
    open_form(phone)
    for number, name in enumerate(names, 1):
        phone.get_by_role("textbox", name=f"Player {number}", exact=True).fill(name)
    phone.locator("#setup [aria-pressed=true]").first.click()
    phone.get_by_role("button", name="Begin").click()
    expect(phone.get_by_role("alert")).to_contain_text(wanted)
    assert service.all_items("/matches") == []


def test_an_old_result_is_kept_with_its_date(desk: Page, service: Service) -> None:
    open_form(desk, "/matches/new?result_only=1")
    desk.get_by_role("textbox", name="Player 1", exact=True).fill("Ana")
    desk.get_by_role("textbox", name="Player 2", exact=True).fill("Jan")
    desk.get_by_label("Points of player 1").fill("48")
    desk.get_by_role("button", name="Save the result").click()
    expect(desk.get_by_role("alert")).to_have_text("Enter whole numbers for all points.")
    desk.get_by_label("Points of player 2").fill("57")
    desk.get_by_label("Date", exact=True).fill("2019-12-24")
    check_axe(desk)
    desk.get_by_role("button", name="Save the result").click()
    desk.wait_for_url(MATCH, wait_until="commit")
    [match] = service.all_items("/matches")
    assert match["result"]["winners"] == ["blue"]
    assert match["played_at"].startswith("2019-12-24T")


@pytest.mark.parametrize(
    ("game", "answer", "winners", "decided_by"),
    [
        (CITE, "Jan won, by free spaces of their colour", ["blue"], "free_spaces"),
        (CITE, "It was not: they share the win", ["orange", "blue"], "shared"),
        (PARIS, "Ana won, by francs", ["red"], "francs"),
    ],
)
def test_an_old_result_with_equal_points_asks_how_the_tie_was_decided(
    desk: Page, service: Service, game: str, answer: str, winners: list[str], decided_by: str
) -> None:
    open_form(desk, "/matches/new?result_only=1", game)
    desk.get_by_role("textbox", name="Player 1", exact=True).fill("Ana")
    desk.get_by_role("textbox", name="Player 2", exact=True).fill("Jan")
    desk.get_by_label("Points of player 1").fill("57")
    desk.get_by_label("Points of player 2").fill("48")
    question = desk.get_by_label("Equal points: how was the tie decided?")
    expect(question).to_be_hidden()
    desk.get_by_label("Points of player 2").fill("57")
    question.select_option(label=answer)
    check_axe(desk)
    desk.get_by_role("button", name="Save the result").click()
    desk.wait_for_url(MATCH, wait_until="commit")
    [match] = service.all_items("/matches")
    assert (match["result"]["winners"], match["result"]["decided_by"]) == (winners, decided_by)
    result = desk.get_by_role("tabpanel", name="Result")
    expect(result.locator(".winner")).to_be_visible()
    expect(result.locator(".ranking .first")).to_have_count(len(winners))
    expect(desk.get_by_text("still tied on free spaces")).to_have_count(0)


def test_in_a_rematch_seats_change_hands_and_the_loser_begins(phone: Page, service: Service) -> None:
    points = {"orange": 30, "blue": 20}
    last = note_result(service, points, {"orange": "Ana", "blue": "Jan"}, venue="At home", tags=["league"])
    phone.goto(f"/matches/new?rematch={last['id']}")
    expect(phone.get_by_role("heading", name="Rematch")).to_be_visible()
    wait_until_shown(phone)
    begin(phone)
    match = newest(service)
    assert [(player["seat"], player["name"]) for player in match["players"]] == [("orange", "Jan"), ("blue", "Ana")]
    assert match["setup"]["first"] == "orange"
    assert (match["venue"], match["tags"]) == ("At home", ["league"])


def test_where_the_set_up_names_no_beginner_the_order_of_players_does(phone: Page, service: Service) -> None:
    open_form(phone, game=PARIS)
    phone.get_by_role("button", name="Add a player").click()
    for number, name in enumerate(("Ana", "Jan", "Ida"), 1):
        phone.get_by_role("textbox", name=f"Player {number}", exact=True).fill(name)
    phone.get_by_role("radio", name="Jan").check()
    begin(phone)
    assert [player["name"] for player in newest(service)["players"]] == ["Jan", "Ida", "Ana"]
