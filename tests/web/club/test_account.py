"""Signing in, and the page of one's account, at a service with sign-in."""

from flask import Flask
from playwright.sync_api import expect

from tests.service.auth.people import Person, invited
from tests.service.harness import ok
from tests.web.checks import check_axe, wait_until_shown
from tests.web.club.signing_in import signed_in
from tests.web.conftest import DESK, PHONE, NewContext, Watched


def test_an_owner_invites_somebody_who_joins(new_context: NewContext, site: str, olga: Person) -> None:
    desk = signed_in(new_context.tab(DESK), site, olga)
    desk.goto("/account")
    wait_until_shown(desk)
    desk.get_by_text("Invite somebody").click()
    form = desk.locator("#new-invitation")
    form.get_by_label("Name").fill("Una")
    form.get_by_role("button", name="Make the invitation").click()
    expect(desk.get_by_role("img", name="The same link as a code to scan")).to_be_visible()
    check_axe(desk)
    address = desk.locator("#invitation-link input").input_value()

    phone = new_context.tab(PHONE, color_scheme="dark")
    phone.goto(address[address.index("/sign-in/") :])
    check_axe(phone)
    expect(phone.get_by_label("Your name")).to_have_value("Una")
    phone.get_by_label("Your name").fill("Una Nova")
    phone.get_by_role("button", name="Join").click()
    expect(phone.get_by_text("You are signed in as Una Nova.")).to_be_visible()
    phone.get_by_role("link", name="Matches", exact=True).click()
    expect(phone.get_by_role("link", name="New match")).to_be_visible()

    desk.reload()
    expect(desk.locator("#account-list")).to_contain_text("Una Nova")
    expect(desk.locator("#invitation-list li")).to_have_count(0)


def test_a_link_that_was_used_says_so_in_the_language_of_the_reader(
    new_context: NewContext, app: Flask, olga: Person, watched: Watched
) -> None:
    watched.expect("status of 404")
    invitation = ok(olga.post("/invitations", {"name": "Una"}), 201)
    Person(app).sign_in(invitation["secret"])
    phone = new_context.tab(PHONE, locale="pl-PL")
    response = phone.goto(f"/sign-in/{invitation['secret']}")
    assert response is not None
    assert response.status == 404
    expect(phone.get_by_role("heading", name="Ten link nie działa")).to_be_visible()


def test_a_token_is_shown_once_and_opens_nothing_after_it_is_revoked(
    new_context: NewContext, site: str, app: Flask, olga: Person
) -> None:
    phone = signed_in(new_context.tab(PHONE), site, olga)
    phone.goto("/account")
    wait_until_shown(phone)
    phone.get_by_text("New token").click()
    phone.get_by_label("What it is for").fill("Scoreboard")
    phone.get_by_label("write notes").check()
    phone.get_by_role("button", name="Create token").click()
    secret = phone.locator("#token-secret input").input_value()
    program = Person(app, secret)
    assert ok(program.get("/me"))["scopes"] == ["annotate", "read", "record"]

    phone.reload()
    expect(phone.locator("#token-list")).to_contain_text("Scoreboard")
    expect(phone.get_by_text(secret)).to_have_count(0)
    phone.get_by_role("button", name="Revoke").click()
    phone.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(phone.locator("#token-list li")).to_have_count(0)
    assert program.get("/me").status_code == 401


def test_another_device_signs_in_and_out(new_context: NewContext, site: str, olga: Person) -> None:
    desk = signed_in(new_context.tab(DESK), site, olga)
    desk.goto("/account")
    wait_until_shown(desk)
    desk.get_by_role("button", name="Sign in on another device").click()
    address = desk.locator("#device-link input").input_value()

    phone = new_context.tab(PHONE)
    phone.goto("/account")
    wait_until_shown(phone)
    phone.get_by_label("Your link").fill(address)
    phone.get_by_role("button", name="Sign in").click()
    phone.wait_for_url("**/sign-in/*")
    phone.get_by_role("button", name="Sign in").click()
    expect(phone.get_by_text("You are signed in as Olga.")).to_be_visible()
    phone.goto("/account")
    wait_until_shown(phone)
    phone.get_by_role("button", name="Sign out").click()
    expect(phone.get_by_text("Members sign in by a link")).to_be_visible()


def test_sessions_are_ended_where_one_sees_them(new_context: NewContext, site: str, app: Flask, olga: Person) -> None:
    desk = signed_in(new_context.tab(DESK), site, olga)
    others = [Person(app).sign_in(sign_in_link(olga)) for _ in range(3)]
    waiting = sign_in_link(olga)
    desk.goto("/account")
    wait_until_shown(desk)
    sessions = desk.locator("#session-list li")
    expect(sessions).to_have_count(4)
    expect(sessions.filter(has_text="this browser").get_by_role("button")).to_have_count(0)
    check_axe(desk)
    desk.locator("#link-list").get_by_role("button", name="Withdraw").click()
    desk.get_by_role("dialog").get_by_role("button", name="Withdraw").click()
    expect(desk.get_by_role("heading", name="Links to sign in that nobody has opened yet")).to_be_hidden()
    assert Person(app).post("/sign-in", {"link": waiting}).status_code == 404
    sessions.last.get_by_role("button", name="End").click()
    desk.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    expect(sessions).to_have_count(4)
    sessions.last.get_by_role("button", name="End").click()
    check_axe(desk)
    desk.get_by_role("dialog").get_by_role("button", name="End").click()
    expect(sessions).to_have_count(3)
    assert ok(others[2].get("/me"))["account"] is None
    desk.get_by_role("button", name="End all other sessions").click()
    desk.get_by_role("dialog").get_by_role("button", name="End all other sessions").press("Enter")
    expect(sessions).to_have_count(1)
    assert ok(others[0].get("/me"))["account"] is None
    desk.get_by_role("button", name="End all sessions").click()
    desk.get_by_role("dialog").get_by_role("button", name="End all sessions").click()
    desk.wait_for_url(f"{site}/")
    assert ok(olga.get("/me"))["account"] is None


def sign_in_link(person: Person) -> str:
    return str(ok(person.post(f"/accounts/{person.account['id']}/sign-in-links"), 201)["secret"])


def test_who_is_not_signed_in_is_led_to_where_one_does(new_context: NewContext, olga: Person, watched: Watched) -> None:
    watched.expect("status of 401")
    phone = new_context.tab(PHONE, locale="cs-CZ")
    phone.goto("/matches/new")
    expect(phone.get_by_role("heading", name="Nejdřív se přihlaste")).to_be_visible()
    phone.get_by_role("link", name="Přihlášení").click()
    expect(phone.get_by_label("Váš odkaz")).to_be_visible()
    phone.goto("/")
    expect(phone.get_by_role("link", name="Nová partie")).to_have_count(0)


def test_a_member_sees_his_own_account_alone(new_context: NewContext, site: str, olga: Person) -> None:
    phone = signed_in(new_context.tab(PHONE), site, invited(olga, "Eva"))
    phone.goto("/account")
    wait_until_shown(phone)
    expect(phone.get_by_text("You are a member.")).to_be_visible()
    phone.get_by_label("Name").fill("Eva K.")
    with phone.expect_response(lambda response: response.request.method == "PATCH"):
        phone.get_by_role("button", name="Save").click()
    phone.reload()
    expect(phone.get_by_label("Name")).to_have_value("Eva K.")
    expect(phone.get_by_role("heading", name="People")).to_have_count(0)
    expect(phone.get_by_role("heading", name="Make a player anonymous")).to_have_count(0)


def test_the_last_owner_cannot_become_a_member(new_context: NewContext, site: str, olga: Person) -> None:
    desk = signed_in(new_context.tab(DESK), site, olga)
    desk.goto("/account")
    wait_until_shown(desk)
    desk.get_by_label("Role of Olga").select_option("member")
    expect(desk.get_by_role("alert")).to_have_text("Make somebody else an owner first.")
    expect(desk.get_by_label("Role of Olga")).to_have_value("owner")


def test_an_owner_says_whose_an_account_is(new_context: NewContext, site: str, olga: Person) -> None:
    olga.begin("Olga", "Jan")
    desk = signed_in(new_context.tab(DESK), site, olga)
    desk.goto("/account")
    wait_until_shown(desk)
    with desk.expect_response(lambda response: response.request.method == "PATCH"):
        desk.get_by_label("Player of Olga").select_option(label="Olga")
    expect(desk.get_by_label("Player of Olga").locator("option:checked")).to_have_text("Olga")
    desk.reload()
    expect(desk.get_by_label("Player of Olga").locator("option:checked")).to_have_text("Olga")
    assert ok(olga.get("/me"))["account"]["player_id"] is not None


def test_a_player_is_made_anonymous_after_a_second_question(new_context: NewContext, site: str, olga: Person) -> None:
    olga.begin("Ana", "Jan")
    desk = signed_in(new_context.tab(DESK), site, olga)
    desk.goto("/account")
    wait_until_shown(desk)
    desk.locator("#anonymise select").select_option(label="Jan")
    desk.get_by_role("button", name="Remove the name").click()
    expect(desk.get_by_text("The name Jan will be gone for good.")).to_be_visible()
    assert {player["name"] for player in olga.all_items("/players")} == {"Ana", "Jan"}
    desk.get_by_role("button", name="Yes, remove it").click()
    expect(desk.get_by_text("Done: this is Player 1 from now on.")).to_be_visible()
    assert {player["name"] for player in olga.all_items("/players")} == {"Ana", "Player 1"}
