"""How one becomes somebody: the first owner, invitations, links to sign in with, roles, and the end of an account."""

from functools import partial

import psycopg
import pytest
from flask import Flask

from service.app import create_app
from service.auth import accounts
from service.context import Services
from service.db.pool import Database
from service.principals import Principal, Scope
from tests.service.auth.people import Person, first_owner, invited, new_match
from tests.service.conftest import CONFIG
from tests.service.exchange.files import export
from tests.service.harness import OPENING, SETUP, UNKNOWN_ID, Match, Service, ok, problem
from tests.service.workers import together, two_workers


def welcome(app: Flask) -> str | None:
    """What the service does when it is started."""
    services: Services = app.extensions["carnet"]
    with services.database.transaction() as connection:
        return accounts.welcome(connection)


def test_the_first_link_makes_the_owner_once(app: Flask) -> None:
    secret = welcome(app)
    assert secret is not None
    olga = Person(app).sign_in(secret, "Olga")
    assert (olga.account["name"], olga.account["role"]) == ("Olga", "owner")
    problem(Person(app).post("/sign-in", {"link": secret}), 404, "not-found")
    assert welcome(app) is None


@pytest.mark.parametrize("form", ["{}", "http://127.0.0.1:8000/sign-in/{}", "https://carnet.example.org/sign-in/{}/\n"])
def test_a_link_may_be_sent_as_its_secret_or_as_its_whole_address(app: Flask, form: str) -> None:
    secret = welcome(app)
    assert secret is not None
    assert Person(app).sign_in(form.format(secret), "Olga").account["name"] == "Olga"


@pytest.mark.parametrize("link", ["https://carnet.example.org/sign-in/", "/", "x" * 512])
def test_an_address_without_a_link_opens_nothing(app: Flask, link: str) -> None:
    problem(Person(app).post("/sign-in", {"link": link}), 404, "not-found")


def test_the_length_of_a_link_is_bounded(app: Flask) -> None:
    too_long = problem(Person(app).post("/sign-in", {"link": "x" * 513}), 422, "malformed")
    assert [error["pointer"] for error in too_long["errors"]] == ["/link"]


def test_the_first_owner_is_found_by_a_start_that_comes_later(app: Flask) -> None:
    before, secret = welcome(app), welcome(app)
    assert before is not None
    assert secret is not None
    problem(Person(app).post("/sign-in", {"link": before}), 404, "not-found")
    Person(app).sign_in(secret)


def test_of_two_who_open_a_link_at_once_one_gets_in(dsn: str, database: Database, app: Flask) -> None:
    for _ in range(5):
        invitation = ok(Person(app).sign_in(_owner_link(app)).post("/invitations", {"name": "Una"}), 201)
        with two_workers(dsn, is_open=False) as apps:
            people = [Person(each) for each in apps * 3]
            opened = partial(Person.post, path="/sign-in", json={"link": invitation["secret"]})
            statuses = [answer.status_code for answer in together([partial(opened, person) for person in people])]
        assert sorted(statuses) == [200, 404, 404, 404, 404, 404]
    with psycopg.connect(dsn) as connection:
        assert connection.execute("SELECT count(*) FROM accounts WHERE name = 'Una'").fetchone() == (5,)


def _owner_link(app: Flask) -> str:
    """A link for the owner, the first one or a further one."""
    secret = welcome(app)
    if secret is not None:
        return secret
    services: Services = app.extensions["carnet"]
    with services.database.transaction() as connection:
        owner = accounts.first_owner(connection)
        assert owner is not None
        return accounts.sign_in_link(connection, owner, Principal(owner, scopes=frozenset(Scope))).text


def test_what_was_recorded_without_sign_in_belongs_to_the_first_owner(app: Flask, database: Database) -> None:
    without = create_app(CONFIG, database)
    local = Service(without)
    players = [{"seat": "orange", "name": "Ana"}, {"seat": "blue", "name": "Jan"}]
    made = ok(local.post("/matches", {"game": "cite-lumiere", "players": players, "setup": SETUP}), 201)
    match = Match(local, made["id"])
    match.record(*OPENING)
    note = match.annotate(1, text="Hm.")
    assert (made["owner_id"], made["visibility"], note["author"]) == (None, "club", None)
    without.extensions["carnet"].close()

    olga = first_owner(app)
    own = Match(olga, made["id"])
    assert own.document()["owner_id"] == olga.account["id"]
    assert ok(olga.patch(own.path, {"visibility": "private"}))["visibility"] == "private"
    assert ok(olga.patch(f"/annotations/{note['id']}", {"text": "Hm?"}))["author"] == olga.account["id"]
    assert [player["name"] for player in olga.all_items("/players")] == ["Ana", "Jan"]
    assert ok(own.get("/verify"))["valid"] is True


def test_seats_have_the_owner_of_their_match(app: Flask, database: Database, dsn: str) -> None:
    def owners() -> list[tuple[str | None, str | None]]:
        with psycopg.connect(dsn) as connection:
            return connection.execute(
                "SELECT m.owner_id::text, s.owner_id::text FROM matches m JOIN match_seats s USING (match_id)"
            ).fetchall()

    without = create_app(CONFIG, database)
    ok(Service(without).post("/matches", new_match(["Ana", "Jan"])), 201)
    without.extensions["carnet"].close()
    assert owners() == [(None, None)] * 2
    olga = first_owner(app)
    olga.begin()
    assert ok(olga.raw("POST", "/matches/import", export(), "application/octet-stream"))["counts"]["new"] == 4
    assert owners() == [(olga.account["id"], olga.account["id"])] * 12


def test_an_invitation_makes_a_member_who_is_a_player(olga: Person, ana: Person) -> None:
    seats = ana.begin("Ana", "Jan", visibility="private")
    jan_id = seats["players"][1]["player_id"]
    invitation = ok(olga.post("/invitations", {"name": "Jan", "player_id": jan_id}), 201)
    assert [waiting["id"] for waiting in ok(olga.get("/invitations"))["items"]] == [invitation["id"]]
    jan = Person(olga.app).sign_in(invitation["secret"])
    assert (jan.account["name"], jan.account["role"], jan.account["player_id"]) == ("Jan", "member", jan_id)
    assert ok(olga.get("/invitations"))["items"] == []
    assert ok(jan.get(f"/matches/{seats['id']}"))["visibility"] == "private"
    problem(olga.post("/invitations", {"name": "Jan", "player_id": jan_id}), 409, "already-so")
    problem(olga.post("/invitations", {"name": "Jan", "player_id": UNKNOWN_ID}), 422, "unknown-player")


def test_two_invitations_for_one_player_make_one_account(olga: Person, ana: Person) -> None:
    jan_id = ana.begin()["players"][1]["player_id"]
    body = {"name": "Jan", "player_id": jan_id}
    first, second = (ok(olga.post("/invitations", body), 201)["secret"] for _ in range(2))
    Person(olga.app).sign_in(first)
    problem(Person(olga.app).post("/sign-in", {"link": second}), 409, "already-so")


def test_a_withdrawn_or_expired_invitation_opens_nothing(olga: Person, dsn: str) -> None:
    withdrawn, expired = (ok(olga.post("/invitations", {"name": "Una"}), 201) for _ in range(2))
    assert olga.delete(f"/invitations/{withdrawn['id']}").status_code == 204
    problem(olga.delete(f"/invitations/{withdrawn['id']}"), 404, "not-found")
    expire(dsn, expired["id"])
    for invitation in (withdrawn, expired):
        problem(Person(olga.app).post("/sign-in", {"link": invitation["secret"]}), 404, "not-found")
    assert ok(olga.get("/invitations"))["items"] == []


def expire(dsn: str, secret_id: str) -> None:
    with psycopg.connect(dsn) as connection:
        connection.execute(
            "UPDATE secrets SET expires_at = now() - interval '1 second' WHERE secret_id = %s", (secret_id,)
        )


def test_a_link_signs_in_on_another_device_once(ana: Person, eva: Person) -> None:
    path = f"/accounts/{ana.account['id']}/sign-in-links"
    link = ok(ana.post(path), 201)
    assert link["url"].endswith(f"/sign-in/{link['secret']}")
    other = Person(ana.app).sign_in(link["secret"], "Somebody else")
    assert other.account == ana.account
    assert ok(ana.get("/me"))["account"] == ana.account
    problem(Person(ana.app).post("/sign-in", {"link": link["secret"]}), 404, "not-found")
    problem(eva.post(path), 403, "not-allowed")


def test_an_owner_says_whose_an_account_is_among_the_players(olga: Person, ana: Person, eva: Person) -> None:
    match = eva.begin("Eva", "Jan", visibility="private")
    [eva_id, jan_id] = [player["player_id"] for player in match["players"]]
    own = f"/accounts/{ana.account['id']}"
    problem(ana.patch(own, {"player_id": jan_id}), 403, "not-allowed")
    assert ana.get(f"/matches/{match['id']}").status_code == 404
    assert ok(olga.patch(own, {"player_id": jan_id}))["player_id"] == jan_id
    assert ok(ana.get(f"/matches/{match['id']}"))["id"] == match["id"]
    assert ok(olga.patch(own, {"player_id": jan_id, "name": "Anna"}))["name"] == "Anna"
    problem(olga.patch(f"/accounts/{eva.account['id']}", {"player_id": jan_id}), 409, "already-so")
    problem(olga.patch(own, {"player_id": UNKNOWN_ID}), 422, "unknown-player")
    assert ok(olga.patch(own, {"player_id": None}))["player_id"] is None
    assert ok(olga.patch(f"/accounts/{eva.account['id']}", {"player_id": eva_id}))["player_id"] == eva_id
    assert ana.get(f"/matches/{match['id']}").status_code == 404


def test_an_owner_changes_roles_and_everybody_his_name(olga: Person, ana: Person, eva: Person) -> None:
    own, others = f"/accounts/{ana.account['id']}", f"/accounts/{eva.account['id']}"
    assert ok(ana.patch(own, {"name": "Ana Maria"}))["name"] == "Ana Maria"
    problem(ana.patch(own, {"role": "owner"}), 403, "not-allowed")
    problem(ana.patch(others, {"name": "Eve"}), 403, "not-allowed")
    problem(ana.get("/invitations"), 403, "not-allowed")
    assert ok(olga.patch(own, {"role": "owner"}))["role"] == "owner"
    assert ok(ana.patch(others, {"name": "Eve"}))["name"] == "Eve"
    assert [account["name"] for account in ok(olga.get("/accounts"))["items"]] == ["Olga", "Ana Maria", "Eve"]
    assert [account["name"] for account in ok(eva.get("/accounts"))["items"]] == ["Eve"]


def test_members_find_themselves_and_whom_they_met_among_the_accounts(olga: Person, ana: Person, eva: Person) -> None:
    players = ana.begin("Ana", "Jan")["players"]
    jan = invited(olga, "Jan", player_id=players[1]["player_id"])
    met, program = ["Ana", "Jan"], ana.with_token("read")
    for person, names in ((ana, met), (program, met), (jan, ["Jan"]), (eva, ["Eva"]), (olga, ["Olga", *met, "Eva"])):
        assert {account["name"] for account in ok(person.get("/accounts"))["items"]} == set(names)


def test_there_is_always_an_owner(olga: Person, ana: Person) -> None:
    own = f"/accounts/{olga.account['id']}"
    problem(olga.patch(own, {"role": "member"}), 409, "last-owner")
    problem(olga.delete(own), 409, "last-owner")
    ok(olga.patch(f"/accounts/{ana.account['id']}", {"role": "owner"}))
    assert ok(olga.patch(own, {"role": "member"}))["role"] == "member"
    problem(ana.delete(f"/accounts/{ana.account['id']}"), 409, "last-owner")


def test_of_two_owners_who_close_each_other_one_stays(olga: Person, dsn: str) -> None:
    ida = invited(olga, "Ida", role="owner")
    acts = [
        lambda: olga.delete(f"/accounts/{ida.account['id']}").status_code,
        lambda: ida.delete(f"/accounts/{olga.account['id']}").status_code,
    ]
    statuses = together(acts)
    assert statuses.count(204) == 1
    with psycopg.connect(dsn) as connection:
        row = connection.execute("SELECT count(*) FROM accounts WHERE role = 'owner' AND closed_at IS NULL").fetchone()
    assert row == (1,)


def test_all_that_opens_an_account_ends_with_it(olga: Person, ana: Person) -> None:
    program = ana.with_token()
    link = ok(ana.post(f"/accounts/{ana.account['id']}/sign-in-links"), 201)["secret"]
    match = program.begin()
    assert olga.delete(f"/accounts/{ana.account['id']}").status_code == 204
    problem(program.get("/me"), 401, "wrong-token")
    assert ok(ana.get("/me"))["account"] is None
    problem(Person(ana.app).post("/sign-in", {"link": link}), 404, "not-found")
    assert ok(olga.get(f"/matches/{match['id']}"))["owner_id"] == ana.account["id"]
    assert [account["name"] for account in ok(olga.get("/accounts"))["items"]] == ["Olga"]


@pytest.mark.parametrize("secret", ["carnet_" + "A" * 43, "x", "carnet_", "%00", "é" * 40])
def test_a_link_that_was_never_given_out_opens_nothing(anyone: Person, secret: str) -> None:
    assert anyone.post("/sign-in", {"link": secret}).status_code == 404
    assert anyone.client.get(f"/sign-in/{secret}").status_code == 404
    assert anyone.client.post(f"/sign-in/{secret}").status_code == 404
