"""What somebody made for others or for programs lasts no longer than the right, account or token that it came from."""

from typing import Any

import psycopg
import pytest

from tests.service.auth.people import Person, invited
from tests.service.auth.test_accounts import expire
from tests.service.harness import OPENING, UNKNOWN_ID, entry, ok, problem


@pytest.fixture
def ida(olga: Person) -> Person:
    """A second owner of the installation."""
    return invited(olga, "Ida", role="owner")


def opens(app: Any, secret: str) -> int:
    """The status of opening a link."""
    return Person(app).post("/sign-in", {"link": secret}).status_code


def sign_in_link(person: Person, account: Person) -> Any:
    return ok(person.post(f"/accounts/{account.account['id']}/sign-in-links"), 201)


def end_role(olga: Person, ida: Person, how: str) -> None:
    """Let Ida be an owner no longer."""
    path = f"/accounts/{ida.account['id']}"
    if how == "demoted":
        ok(olga.patch(path, {"role": "member"}))
    else:
        assert olga.delete(path).status_code == 204


@pytest.mark.parametrize("how", ["demoted", "closed"])
def test_what_an_owner_made_for_others_ends_with_their_role(olga: Person, ana: Person, ida: Person, how: str) -> None:
    invitation = ok(ida.post("/invitations", {"name": "Backdoor", "role": "owner"}), 201)
    link = sign_in_link(ida, olga)
    opened = Person(olga.app).sign_in(sign_in_link(ida, olga)["secret"])
    match = ana.begin()
    phone = Person(olga.app, key=ok(ida.post(f"/matches/{match['id']}/links", {"allows": "record"}), 201)["secret"])
    assert ok(phone.get(f"/matches/{match['id']}"))["id"] == match["id"]
    assert [each["created_by"] for each in ok(ana.get(f"/matches/{match['id']}/links"))["items"]] == [ida.account["id"]]
    assert [each["created_by"] for each in ok(olga.get("/invitations"))["items"]] == [ida.account["id"]]

    end_role(olga, ida, how)
    assert opens(olga.app, invitation["secret"]) == opens(olga.app, link["secret"]) == 404
    assert ok(opened.get("/me"))["account"] is None
    problem(phone.post(f"/matches/{match['id']}/moves", entry(OPENING[0])), 404, "not-found")
    for path in ("/invitations", f"/accounts/{olga.account['id']}/sign-in-links", f"/matches/{match['id']}/links"):
        assert ok(olga.get(path))["items"] == []
    if how == "demoted":  # and nothing of it comes back
        ok(olga.patch(f"/accounts/{ida.account['id']}", {"role": "owner"}))
        assert opens(olga.app, invitation["secret"]) == 404
        problem(phone.get(f"/matches/{match['id']}"), 404, "not-found")


def test_what_was_made_meanwhile_by_a_demoted_owner_opens_nothing(olga: Person, ida: Person, dsn: str) -> None:
    """As if the invitation had been made while the role was being taken."""
    invitation = ok(ida.post("/invitations", {"name": "Backdoor", "role": "owner"}), 201)
    link = sign_in_link(ida, olga)
    with psycopg.connect(dsn) as connection:
        connection.execute("UPDATE accounts SET role = 'member' WHERE account_id = %s", (ida.account["id"],))
    for made in (invitation, link):
        assert Person(olga.app).client.get(f"/sign-in/{made['secret']}").status_code == 404
        assert opens(olga.app, made["secret"]) == 404
    assert ok(olga.get("/invitations"))["items"] == []


def test_a_demoted_owner_keeps_the_links_of_their_own_matches(olga: Person, ida: Person) -> None:
    match = ida.begin()
    phone = Person(olga.app, key=ok(ida.post(f"/matches/{match['id']}/links", {"allows": "record"}), 201)["secret"])
    own = sign_in_link(ida, ida)
    end_role(olga, ida, "demoted")
    assert ok(phone.post(f"/matches/{match['id']}/moves", entry(OPENING[0])), 201)["ply"] == 1
    assert opens(olga.app, own["secret"]) == 200


def test_a_link_ends_when_its_maker_may_no_longer_read_the_match(ana: Person, ida: Person) -> None:
    match = ana.begin()
    path = f"/matches/{match['id']}"
    by_ida = Person(ana.app, key=ok(ida.post(f"{path}/links", {"allows": "record"}), 201)["secret"])
    by_ana = Person(ana.app, key=ok(ana.post(f"{path}/links", {"allows": "record"}), 201)["secret"])
    ok(ana.patch(path, {"visibility": "private"}))
    problem(by_ida.get(path), 404, "not-found")
    assert ok(by_ana.get(path))["id"] == match["id"]
    assert [each["created_by"] for each in ok(ana.get(f"{path}/links"))["items"]] == [ana.account["id"]]


def test_links_to_sign_in_are_listed_and_withdrawn(olga: Person, ana: Person, eva: Person) -> None:
    link = sign_in_link(olga, ana)
    path = f"/accounts/{ana.account['id']}/sign-in-links"
    [listed] = ok(ana.get(path))["items"]
    assert listed == {name: value for name, value in link.items() if name not in {"secret", "url"}}
    assert listed["created_by"] == olga.account["id"]
    problem(eva.get(path), 403, "not-allowed")
    problem(eva.delete(f"{path}/{link['id']}"), 403, "not-allowed")
    problem(ana.delete(f"{path}/{UNKNOWN_ID}"), 404, "not-found")
    assert ana.delete(f"{path}/{link['id']}").status_code == 204
    assert opens(ana.app, link["secret"]) == 404
    assert ok(ana.get(path))["items"] == []


def test_a_session_by_the_link_of_a_token_has_no_more_scopes_than_the_token(ana: Person) -> None:
    manager = ana.with_token("manage")
    browser = Person(ana.app).sign_in(sign_in_link(manager, ana)["secret"])
    assert ok(browser.get("/me"))["scopes"] == ["manage", "read"]
    problem(browser.post("/tokens", {"label": "more", "scopes": ["record"]}), 422, "malformed")


@pytest.mark.parametrize("how", ["revoked", "expired"])
def test_what_a_token_made_ends_with_it(olga: Person, dsn: str, how: str) -> None:
    match = olga.begin()
    made = olga.token("record", "annotate", "manage")
    program = Person(olga.app, made["secret"])
    program.account = olga.account
    child = program.with_token("read", "manage")
    grandchild = child.with_token("read")
    browser = Person(olga.app).sign_in(sign_in_link(child, olga)["secret"])
    by_browser = browser.with_token("read")
    waiting = [sign_in_link(program, olga), ok(program.post("/invitations", {"name": "Una"}), 201)]
    phone = Person(olga.app, key=ok(program.post(f"/matches/{match['id']}/links", {"allows": "record"}), 201)["secret"])
    for each in (child, grandchild, browser, by_browser):
        assert ok(each.get("/me"))["account"] == olga.account
    assert ok(phone.get(f"/matches/{match['id']}/rights"))["rights"] == ["read", "record"]
    assert {token["parent_id"] for token in ok(olga.get("/tokens"))["items"]} >= {None, made["id"]}

    if how == "revoked":
        assert olga.delete(f"/tokens/{made['id']}").status_code == 204
    else:
        expire(dsn, made["id"])
    for each in (child, grandchild, by_browser):
        problem(each.get("/me"), 401, "wrong-token")
    assert ok(browser.get("/me"))["account"] is None
    assert [opens(olga.app, link["secret"]) for link in waiting] == [404, 404]
    problem(phone.get(f"/matches/{match['id']}"), 404, "not-found")
    assert ok(olga.get("/tokens"))["items"] == []


def test_a_token_by_a_token_lasts_no_longer(ana: Person) -> None:
    soon = "2099-01-01T00:00:00.000000Z"
    program = Person(ana.app, ana.token("manage", expires_at=soon)["secret"])
    assert program.token("read")["expires_at"] == soon
    assert program.token("read", expires_at="2100-01-01T00:00:00Z")["expires_at"] == soon
    assert program.token("read", expires_at="2098-01-01T00:00:00Z")["expires_at"] < soon


def test_an_invitation_takes_all_scopes_and_a_link_to_record_the_right_to(olga: Person) -> None:
    manager = olga.with_token("manage")
    problem(manager.post("/invitations", {"name": "Una"}), 403, "not-allowed")
    match = olga.begin()
    problem(manager.post(f"/matches/{match['id']}/links", {"allows": "record"}), 403, "not-allowed")
    assert ok(manager.post(f"/matches/{match['id']}/links", {"allows": "read"}), 201)["allows"] == "read"


def test_sign_out_of_a_session_leaves_the_tokens_that_were_made_in_it(ana: Person) -> None:
    program = ana.with_token("read")
    assert ana.post("/sign-out").status_code == 204
    assert ok(program.get("/me"))["scopes"] == ["read"]
