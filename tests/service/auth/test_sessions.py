"""The cookie of a browser: its marks, that it is new at every sign-in, and that only pages of ours write with it."""

import re
from collections.abc import Mapping
from dataclasses import replace

import pytest
from werkzeug.test import TestResponse

from service.app import create_app
from tests.service.auth.conftest import SIGN_IN
from tests.service.auth.people import Person, new_match
from tests.service.harness import ok, problem
from tests.service.workers import two_workers

COOKIE = "carnet_session"
ADDRESS = "https://carnet.example.org"


def link_of(person: Person) -> str:
    return str(ok(person.post(f"/accounts/{person.account['id']}/sign-in-links"), 201)["secret"])


def cookie_of(person: Person) -> str:
    cookie = person.client.get_cookie(COOKIE)
    assert cookie is not None
    return cookie.value


def set_cookie(response: TestResponse, name: str = COOKIE) -> Mapping[str, str]:
    """The marks of the cookie that an answer sets."""
    [header] = response.headers.getlist("Set-Cookie")
    marks = dict(part.partition("=")[::2] for part in header.split("; "))
    assert next(iter(marks)) == name
    return marks


def test_a_session_cookie_is_kept_from_scripts_and_other_sites(ana: Person) -> None:
    marks = set_cookie(Person(ana.app).post("/sign-in", {"link": link_of(ana)}))
    assert {"HttpOnly", "Path", "SameSite", "Max-Age"} <= set(marks)
    assert (marks["SameSite"], marks["Path"]) == ("Lax", "/")
    assert "Secure" not in marks


@pytest.mark.parametrize(("url", "base_url"), [(None, "https://localhost"), (ADDRESS, "http://carnet.example.org")])
def test_over_tls_a_cookie_is_of_this_host_alone(ana: Person, url: str | None, base_url: str) -> None:
    """Also where a proxy that ends TLS does not say so."""
    app = create_app(replace(SIGN_IN, host="0.0.0.0", url=url), ana.app.extensions["carnet"].database)  # noqa: S104
    client = app.test_client(use_cookies=False)
    answered = client.post("/api/v1/sign-in", json={"link": link_of(ana)}, base_url=base_url)
    marks = set_cookie(answered, "__Host-carnet_session")
    assert ("Secure" in marks, marks["Path"], "Domain" in marks) == (True, "/", False)
    value = marks["__Host-carnet_session"]
    for name, account in (("carnet_session", None), ("__Host-carnet_session", ana.account)):
        sent = {"Cookie": f"{name}={value}"}
        assert ok(client.get("/api/v1/me", headers=sent, base_url=base_url))["account"] == account
        cached = client.get("/", headers=sent, base_url=base_url).headers["Cache-Control"]
        assert cached == ("private, no-cache" if account is None else "private, no-store")
    signed_out = client.post(
        "/api/v1/sign-out",
        headers={"Cookie": f"__Host-carnet_session={value}", "X-CSRF-Token": ok(answered)["csrf_token"]},
        base_url=base_url,
    )
    assert set_cookie(signed_out, "__Host-carnet_session")["__Host-carnet_session"] == ""
    app.extensions["carnet"].close()


def test_the_page_of_a_link_shows_what_it_is_good_for_and_uses_nothing_up(ana: Person) -> None:
    secret = link_of(ana)
    browser = Person(ana.app)
    for _ in range(3):
        shown = browser.client.get(f"/sign-in/{secret}")
        assert (shown.status_code, shown.content_type) == (200, "text/html; charset=utf-8")
        assert ">Sign in</button>" in shown.text
        assert "Set-Cookie" not in shown.headers
        assert shown.headers["Referrer-Policy"] == "same-origin"
        assert shown.headers["Cache-Control"] == "no-store"
        assert "frame-ancestors 'none'" in shown.headers["Content-Security-Policy"]
        assert secret not in shown.text
        assert "style-src 'self'" in shown.headers["Content-Security-Policy"]
    style, *_ = re.findall('<link rel="stylesheet" href="([^"]+)">', browser.client.get(f"/sign-in/{secret}").text)
    assert browser.client.get(style).content_type == "text/css; charset=utf-8"
    opened = browser.client.post(f"/sign-in/{secret}")
    assert "You are signed in as Ana." in opened.text
    assert ok(browser.get("/me"))["account"] == ana.account
    assert browser.client.post(f"/sign-in/{secret}").status_code == 404


def test_the_page_of_an_invitation_asks_for_a_name(olga: Person) -> None:
    invitation = ok(olga.post("/invitations", {"name": "<Una> & co"}), 201)
    browser = Person(olga.app)
    page = f"/sign-in/{invitation['secret']}"
    assert 'value="&lt;Una&gt; &amp; co"' in browser.client.get(page).text
    assert "as Una &amp; Ida." in browser.client.post(page, data={"name": "  Una &  Ida "}).text
    assert ok(browser.get("/me"))["account"]["name"] == "Una & Ida"


def test_a_session_from_before_sign_in_is_never_kept(ana: Person, eva: Person) -> None:
    """Planting one's own cookie in a browser does not make one the account that signs in there."""
    planted = cookie_of(eva)
    victim = Person(ana.app)
    victim.client.set_cookie(COOKIE, planted)
    victim.sign_in(link_of(ana))
    assert cookie_of(victim) != planted
    assert ok(victim.get("/me"))["account"] == ana.account
    assert ok(eva.get("/me"))["account"] is None


@pytest.mark.parametrize("cookie", ["", ".", "x", "carnet_x.y", "{0}x", "x{0}", ".{0}", "x.{0}"])
def test_a_cookie_with_another_secret_is_nobodys(ana: Person, cookie: str) -> None:
    browser = Person(ana.app)
    browser.client.set_cookie(COOKIE, cookie.format(cookie_of(ana)))
    assert ok(browser.get("/me")) == {"account": None, "scopes": [], "sign_in": True, "csrf_token": None}


def test_a_cookie_with_the_signature_of_an_earlier_version_opens_its_session(ana: Person) -> None:
    secret = cookie_of(ana)
    browser = Person(ana.app)
    browser.client.set_cookie(COOKIE, f"{secret}.3ZxfJxGY4C0_2TSjli4pDXCg1PYlL7ObdTOE4RMnHTU")
    me = ok(browser.get("/me"))
    assert (me["account"], me["csrf_token"]) == (ana.account, ana.headers["X-CSRF-Token"])
    assert browser.post("/sign-out", None, {"X-CSRF-Token": me["csrf_token"]}).status_code == 204
    assert ok(ana.get("/me"))["account"] is None


def test_a_session_ends_at_sign_out(ana: Person) -> None:
    kept = cookie_of(ana)
    response = ana.post("/sign-out")
    assert response.status_code == 204
    assert set_cookie(response)[COOKIE] == ""
    browser = Person(ana.app)
    browser.client.set_cookie(COOKIE, kept)
    assert ok(browser.get("/me"))["account"] is None


def browser(person: Person, user_agent: str = "") -> Person:
    """Another browser in which somebody is signed in."""
    client = Person(person.app)
    client.headers["User-Agent"] = user_agent
    return client.sign_in(link_of(person))


@pytest.mark.parametrize(
    ("user_agent", "label"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox · Linux"),
        (
            "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36",
            "Chrome · Android",
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Safari/604.1",
            "Safari · iPhone",
        ),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0", "Edge · Windows"),
        ("curl/8.5.0", None),
        ("", None),
        ("<b>Me</b>" * 1000, None),
    ],
)
def test_a_session_is_known_by_the_family_of_its_browser(ana: Person, user_agent: str, label: str | None) -> None:
    one = browser(ana, user_agent)
    [first, second] = ok(one.get("/sessions"))["items"]
    assert (first["current"], second["current"], second["label"]) == (False, True, label)
    assert [each["current"] for each in ok(ana.get("/sessions"))["items"]] == [True, False]
    assert [each["current"] for each in ok(ana.with_token("manage").get("/sessions"))["items"]] == [False, False]


def test_sessions_are_ended_one_by_one_or_all_others_or_all(olga: Person, ana: Person, eva: Person) -> None:
    one, two, three = (browser(ana) for _ in range(3))

    def open_ones() -> list[bool]:
        return [ok(person.get("/me"))["account"] is not None for person in (ana, one, two, three)]

    ids = [session["id"] for session in ok(ana.get("/sessions"))["items"]]
    problem(eva.delete(f"/sessions/{ids[1]}"), 404, "not-found")
    ended = ana.delete(f"/sessions/{ids[1]}")
    assert (ended.status_code, "Set-Cookie" in ended.headers) == (204, False)
    problem(ana.delete(f"/sessions/{ids[1]}"), 404, "not-found")
    assert open_ones() == [True, False, True, True]
    own = two.delete(f"/sessions/{ids[2]}")
    assert set_cookie(own)[COOKIE] == ""
    assert open_ones() == [True, False, False, True]
    assert ana.delete("/sessions?others=1").status_code == 204
    assert open_ones() == [True, False, False, False]
    problem(ana.delete("/sessions?others=0"), 422, "malformed")
    again, program = browser(ana), ana.with_token("manage")
    assert set_cookie(again.delete("/sessions"))[COOKIE] == ""
    assert open_ones() == [False] * 4
    assert ok(program.get("/sessions"))["items"] == [], "tokens stay"
    assert ok(eva.get("/me"))["account"] == eva.account
    assert olga.delete(f"/accounts/{eva.account['id']}/sessions").status_code == 204
    assert ok(eva.get("/me"))["account"] is None


def test_a_browser_clears_what_it_cached_when_a_session_begins_or_ends_and_keeps_moves_that_wait(
    olga: Person, ana: Person
) -> None:
    """What pages keep, moves that wait among it, is "storage", and is not cleared behind their back."""
    begun = Person(ana.app).post("/sign-in", {"link": link_of(ana)})
    by_form = Person(ana.app).client.post(f"/sign-in/{link_of(ana)}")
    signed_out = browser(ana).post("/sign-out")
    for answered in (begun, by_form, signed_out):
        assert answered.headers["Clear-Site-Data"] == '"cache"'
    assert olga.delete(f"/accounts/{ana.account['id']}").status_code == 204
    opened = ana.client.get("/account", headers={"Sec-Fetch-Mode": "navigate"})
    assert (opened.headers["Clear-Site-Data"], set_cookie(opened)[COOKIE]) == ('"cache"', "")
    assert "Clear-Site-Data" not in ana.client.get("/account").headers


def test_a_request_under_way_does_not_take_the_cookie_of_a_new_session(ana: Person) -> None:
    """A stream or a fetch with the cookie from before is answered after sign-in."""
    old = cookie_of(ana)
    ana.sign_in(link_of(ana))
    late = Person(ana.app)
    late.client.set_cookie(COOKIE, old)
    assert "Set-Cookie" not in late.get("/me", {"Sec-Fetch-Mode": "cors"}).headers


def test_a_page_writes_only_with_the_proof_that_it_was_made_for_the_session(ana: Person, eva: Person) -> None:
    body = new_match(["Ana", "Jan"])
    proof = ana.headers.pop("X-CSRF-Token")
    for wrong in ({}, {"X-CSRF-Token": ""}, {"X-CSRF-Token": "x"}, {"X-CSRF-Token": eva.headers["X-CSRF-Token"]}):
        problem(ana.post("/matches", body, wrong), 403, "cross-site")
    problem(ana.post("/sign-out"), 403, "cross-site")
    assert ok(ana.get("/matches"))["items"] == []
    assert ok(ana.get("/me"))["csrf_token"] == proof
    assert ana.post("/matches", body, {"X-CSRF-Token": proof}).status_code == 201


def test_who_writes_with_the_cookie_of_an_ended_session_is_asked_to_sign_in(ana: Person) -> None:
    """There is no session for which the page could have been made."""
    ended = cookie_of(ana)
    ana.post("/sign-out")
    browser = Person(ana.app)
    browser.client.set_cookie(COOKIE, ended)
    problem(browser.post("/matches", new_match(["Ana", "Jan"])), 401, "sign-in-needed")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://elsewhere.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost.elsewhere.example"},
        {"Origin": "http://localhost:8001"},
        {"Origin": "http://[::1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "http://localhost", "Sec-Fetch-Site": "cross-site"},
        {"Origin": "null", "Sec-Fetch-Site": "cross-site"},
    ],
)
def test_a_page_of_elsewhere_writes_nothing(ana: Person, headers: Mapping[str, str]) -> None:
    problem(ana.post("/matches", new_match(["Ana", "Jan"]), headers), 403, "cross-site")
    problem(Person(ana.app).post("/sign-in", {"link": "x"}, headers), 403, "cross-site")
    assert ana.client.post(f"/sign-in/{link_of(ana)}", headers=headers).status_code == 403
    assert ana.get("/matches", headers).status_code == 200
    assert ana.with_token().post("/matches", new_match(["Ana", "Jan"]), headers).status_code == 201


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://localhost"},
        {"Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "none"},
        {},
        {"Origin": "null", "Sec-Fetch-Site": "same-origin"},
    ],
)
def test_a_page_of_ours_writes(ana: Person, headers: Mapping[str, str]) -> None:
    assert ana.post("/matches", new_match(["Ana", "Jan"]), headers).status_code == 201


def test_two_processes_know_a_session_by_the_same_proof(ana: Person, dsn: str) -> None:
    with two_workers(dsn, is_open=False) as apps:
        for app in apps:
            browser = Person(app)
            browser.client.set_cookie(COOKIE, cookie_of(ana))
            assert ok(browser.get("/me"))["csrf_token"] == ana.headers["X-CSRF-Token"]
