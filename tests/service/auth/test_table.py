"""Every route, asked by everybody about matches of every visibility, against a table of what each may do."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from flask import Flask
from flask.testing import FlaskClient
from werkzeug import routing
from werkzeug.test import TestResponse

from service.anchors.making import make_anchor
from service.app import create_app
from service.auth.authentication import UnguardedRoute, right_of, rights_of
from service.db.pool import Database
from service.permissions import Right
from service.server.postgres import Server
from service.web.static import files
from tests.service.auth.conftest import SIGN_IN, application
from tests.service.auth.people import Person, first_owner, invited
from tests.service.databases import copy_of
from tests.service.harness import OPENING, UNKNOWN_ID, Match, entries, ok

WITHDRAWN = "withdrawn"
VISIBILITIES = ("private", "unlisted", "club", "public", WITHDRAWN)
"""Those of matches, and a public match that was withdrawn."""

RECORDS, EDITS, ANNOTATES, MANAGES = "record", "edit", "annotate", "manage"
OF_A_MATCH: Mapping[str, frozenset[str]] = {
    name: frozenset(rights.split())
    for name, rights in {
        "match's owner": "record edit annotate manage",
        "match's owner by session": "record edit annotate manage",
        "player": "record edit annotate",
        "read token of match's owner": "",
        "record token of match's owner": "record edit",
        "annotate token of match's owner": "annotate",
        "other member": "annotate",
        "merged": "annotate",
        "reseated": "annotate",
        "demoted": "annotate",
        "installation's owner": "record edit annotate manage",
        "record token of installation's owner": "record edit",
        "link": "",
        "invitation": "record",
    }.items()
}
"""What those of whom something is known may do with a match that they may read."""
PEOPLE = frozenset(
    f"{who} match's owner".strip() for who in ("", "read token of", "record token of", "annotate token of")
) | {"match's owner by session", "player"}
"""Whose match it is: they read it whatever its visibility."""
OWNERS = frozenset({"installation's owner", "record token of installation's owner"})
OTHERS = frozenset({"other member", "merged", "reseated", "demoted"})
"""Members whose match it is not: a player of it was merged into the second, the third had a seat of it once, and the
last owned the installation."""
MEMBERS = OWNERS | OTHERS
STRANGERS = frozenset({"anonymous", "revoked link", "expired invitation", "link of another match"}) | {
    "link of a demoted owner",
    "link of a closed account",
}
WRONG = frozenset({"wrong token", "expired token", "revoked token", "token of a revoked token", "closed"})
ENOUGH_OF_WRONG = ("private", "public")
"""Matches about which wrong tokens ask: those that everybody may read and those that strangers may not."""
QUICK = [(*ENOUGH_OF_WRONG, visibility) for visibility in VISIBILITIES if visibility not in ENOUGH_OF_WRONG]
"""Matches about which a route is asked: one function decides who reads which, and every third route asks about each."""
UNPROVEN = "session without proof"
PRINCIPALS = (*OF_A_MATCH, *sorted(STRANGERS), *sorted(WRONG), UNPROVEN)


def reads(principal: str, visibility: str) -> bool:
    """Who may read a match."""
    if principal in PEOPLE or principal == "invitation":
        return True
    return {
        "private": False,
        "unlisted": principal == "link",
        "club": principal in MEMBERS,
        "public": True,
        WITHDRAWN: principal in OWNERS,
    }[visibility]


def refused(principal: str) -> int:
    """What one is told who may read something and not do it."""
    return 401 if principal in STRANGERS else 403


def of_match(right: str | None = None) -> "Rule":
    """What is done to a match takes a right on it."""

    def expected(principal: str, visibility: str) -> int:
        if not reads(principal, visibility):
            return 404
        may = right is None or right in OF_A_MATCH.get(principal, ())
        return 200 if may else refused(principal)

    return expected


def by_author(principal: str, visibility: str) -> int:
    """What its author alone does to a note."""
    expected = of_match(ANNOTATES)(principal, visibility)
    return 403 if expected == 200 and "match's owner" not in principal else expected


def of_account(scope: str | None = None) -> "Rule":
    """What is not done to a match takes an account, and a scope."""

    def expected(principal: str, _: str) -> int:
        if principal in STRANGERS | {"link", "invitation"}:
            return 401
        has_scope = scope is None or " token of " not in principal or principal.startswith(scope)
        return 200 if has_scope else 403

    return expected


def of_owner(principal: str, visibility: str) -> int:
    """What only the installation's owner does."""
    expected = of_account(MANAGES)(principal, visibility)
    return 403 if expected == 200 and principal != "installation's owner" else expected


def to_all(_: str, __: str) -> int:
    """What is answered to everybody whose token, if they send one, is valid."""
    return 200


def knows_jan(principal: str, visibility: str) -> int:
    """Those who share a match with a player know them, and an owner knows all."""
    expected = of_account()(principal, visibility)
    return 404 if expected == 200 and principal in OTHERS else expected


def meets_jan(principal: str, visibility: str) -> int:
    """A player is found where a match of theirs is found in lists: one is public."""
    return 200


def is_jan(principal: str, visibility: str) -> int:
    """A player with an account is changed by themselves and by owners."""
    expected = of_account(RECORDS)(principal, visibility)
    if expected == 200:
        return 200 if principal in OWNERS | {"player"} else 404 if principal in OTHERS else 403
    return expected


def merges_jan(principal: str, visibility: str) -> int:
    """A player with an account is merged by owners."""
    expected = is_jan(principal, visibility)
    return 403 if principal == "player" else expected


def names_ana(principal: str, visibility: str) -> int:
    """An account is renamed by its holder and by owners; here it is that of the match's owner."""
    expected = of_account(MANAGES)(principal, visibility)
    return 403 if expected == 200 and principal in OTHERS | {"player"} else expected


def imported(principal: str, visibility: str) -> int:
    """An import is known to its account alone, and here nobody has one."""
    expected = of_account(RECORDS)(principal, visibility)
    return 404 if expected == 200 else expected


def embedded(principal: str, visibility: str) -> int:
    """Inside the pages of others a match is shown that is public, or by its link; no token and no cookie counts."""
    by_link = principal == "invitation" or (principal == "link" and visibility == "unlisted")
    return 200 if by_link or visibility == "public" else 404


Rule = Callable[[str, str], int]
FREE: Rule | None = None
"""What is answered to everybody, whatever they send."""

BEYOND: Mapping[str, Rule] = {
    # annotations
    **dict.fromkeys(("change_annotation", "delete_annotation", "restore_annotation"), by_author),
    # players
    "get_player": meets_jan,
    "get_player_history": knows_jan,
    **dict.fromkeys(("rename_player", "anonymise_player"), is_jan),
    **dict.fromkeys(("merge_player", "unmerge_player"), merges_jan),
    # statistics and pages about players
    **dict.fromkeys(("get_player_statistics", "get_rating_history", "show_player", "show_head_to_head"), meets_jan),
    # files and accounts
    **dict.fromkeys(("get_import", "list_import_items", "undo_import"), imported),
    "change_account": names_ana,
    **dict.fromkeys(("create_sign_in_link", "list_sign_in_links", "revoke_sign_in_link"), names_ana),
}
"""What depends on more than the right that a route declares."""
OF_RIGHT: Mapping[tuple[Right, bool], Rule | None] = {
    **dict.fromkeys([(Right.FREE, False), (Right.FREE, True)], FREE),
    (Right.EMBED, True): embedded,
    (Right.VISIT, False): to_all,
    (Right.READ, False): of_account(),
    (Right.RECORD, False): of_account(RECORDS),
    (Right.MANAGE, False): of_account(MANAGES),
    (Right.ADMINISTER, False): of_owner,
    (Right.READ, True): of_match(),
    (Right.RECORD, True): of_match(RECORDS),
    (Right.EDIT, True): of_match(EDITS),
    (Right.ANNOTATE, True): of_match(ANNOTATES),
    (Right.MANAGE, True): of_match(MANAGES),
}
"""What each right means outside matches and for a match."""


def is_about_match(rule: str) -> bool:
    return "<uuid:match_id>" in rule or "<uuid:annotation_id>" in rule


def rule_of(route: routing.Rule, right: Right) -> Rule | None:
    name = route.endpoint.rpartition(".")[2]
    return BEYOND.get(name) or OF_RIGHT[right, bool({"match_id", "annotation_id"} & route.arguments)]


NOTE = {"ply": 1, "text": "Hm."}
BODIES: Mapping[str, Any] = {
    "abandon": None,
    "assign_players": {"players": [{"seat": "orange", "player_id": "ana"}, {"seat": "blue", "player_id": "jan"}]},
    "change_account": {"name": "Ana"},
    "change_annotation": {"text": "Hm?"},
    "change_details": {"venue": "at home"},
    "change_visibilities": {"visibility": "public"},
    "check_moves": entries(OPENING)[2],
    "correct": {"ply": 1, "action": "remove", "dry_run": True},
    "create_annotation": NOTE,
    "create_edition": {"title": "Ours", "based_on": "devir-2019", "changes": {"chimneys": 6}},
    "create_invitation": {"name": "Ida"},
    "create_link": {"allows": "read"},
    "create_match": {
        "game": "cite-lumiere",
        "players": [{"seat": "orange", "name": "Una"}, {"seat": "blue", "name": "Ola"}],
        "setup": {"result_only": True, "points": {"orange": 48, "blue": 57}},
    },
    "create_token": {"label": "for later", "scopes": ["read"]},
    "hide_annotations": {"author": None},
    "compare_with_paper": {"notes": [{"points": {"blue": 0}}]},
    "map_file_names": {"names": [{"system": "bgg", "name": "A."}]},
    "merge_player": {"into": "ana"},
    "record_moves": entries(OPENING)[2],
    "rename_player": {"name": "Jan"},
    "restore": {"version": 1},
    "sign_in": {"link": "carnet_unknown"},
    "undo": {"to_ply": 0},
}
"""What a request sends; ids stand for those of the scene."""


@dataclass(frozen=True, slots=True)
class Request:
    """How somebody asks about the match of a visibility."""

    headers: Mapping[str, str]
    keys: Mapping[str, str]
    cookie: str | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """An installation with a match of each visibility, and everybody who may ask about them."""

    name: str
    matches: Mapping[str, str]
    ids: Mapping[str, str]
    principals: Mapping[str, Request]


def set_scene(name: str, app: Flask, dsn: str) -> Scene:
    olga = first_owner(app)
    ana, eva = invited(olga, "Ana"), invited(olga, "Eva")
    dora, cleo = (invited(olga, name, role="owner") for name in ("Dora", "Cleo"))
    rea, mia = (invited(olga, name, player_id=_entry(ana, name)) for name in ("Rea", "Mia"))
    matches = {
        visibility: str(ana.begin("Ana", "Rea", visibility="public" if visibility == WITHDRAWN else visibility)["id"])
        for visibility in VISIBILITIES
    }
    ok(ana.post(f"/matches/{matches[WITHDRAWN]}/withdraw"))
    people = {"players": [{"seat": "orange", "name": "Ana"}, {"seat": "blue", "name": "Jan"}]}
    [seated, *_] = [ok(ana.put(f"/matches/{match_id}/players", people))["players"] for match_id in matches.values()]
    seats = {seat["name"]: seat["player_id"] for seat in seated}
    jan = invited(olga, "Jan", player_id=seats["Jan"])
    ok(olga.post(f"/players/{seats['Ana']}/merge", {"into": mia.account["player_id"]}))
    for match_id in matches.values():
        Match(ana, match_id).record(*OPENING[:2])
    tokens = {scope: ana.token(scope) for scope in ("read", "record", "annotate", "manage")}
    expired, revoked = ana.token("manage", "record", "annotate"), ana.token("manage", "record", "annotate")
    ok_empty(ana.delete(f"/tokens/{revoked['id']}"))
    other = ana.begin("Ana", "Ida", visibility="unlisted")["id"]
    make_anchor(app.extensions["carnet"].database, Ed25519PrivateKey.generate())

    def links(allows: str, match_id: str | None = None, by: Person = ana) -> dict[str, Any]:
        return {
            visibility: ok(by.post(f"/matches/{match_id or each}/links", {"allows": allows}), 201)
            for visibility, each in matches.items()
            if by is ana or visibility in {"club", "public"}
        }

    principals_who_lose = {
        "demoted": bearer(dora.token("record", "annotate", "manage")["secret"]),
        "closed": bearer(cleo.token("record", "annotate", "manage")["secret"]),
        "link of a demoted owner": by_link(links("record", by=dora)),
        "link of a closed account": by_link(links("record", by=cleo)),
        "token of a revoked token": bearer(_child(ana)),
    }
    ok(olga.patch(f"/accounts/{dora.account['id']}", {"role": "member"}))
    ok_empty(olga.delete(f"/accounts/{cleo.account['id']}"))
    withdrawn, old = links("record"), links("record")
    for visibility, link in withdrawn.items():
        ok_empty(ana.delete(f"/matches/{matches[visibility]}/links/{link['id']}"))
    with psycopg.connect(dsn) as connection:
        past = "UPDATE secrets SET expires_at = now() - interval '1 second' WHERE secret_id = ANY(%s::uuid[])"
        connection.execute(past, ([expired["id"], *(link["id"] for link in old.values())],))

    cookie = ana.client.get_cookie("carnet_session")
    assert cookie is not None
    principals = {
        "match's owner": bearer(ana.token("read", "record", "annotate", "manage")["secret"]),
        "match's owner by session": Request({"X-CSRF-Token": ana.headers["X-CSRF-Token"]}, {}, cookie.value),
        "player": bearer(jan.token("record", "annotate", "manage")["secret"]),
        **{f"{scope} token of match's owner": bearer(tokens[scope]["secret"]) for scope in tokens if scope != "manage"},
        "other member": bearer(eva.token("record", "annotate", "manage")["secret"]),
        "installation's owner": bearer(olga.token("record", "annotate", "manage")["secret"]),
        "record token of installation's owner": bearer(olga.token("record")["secret"]),
        "link": by_link(links("read")),
        "invitation": by_link(links("record")),
        "anonymous": Request({}, {}),
        "revoked link": by_link(withdrawn),
        "expired invitation": by_link(old),
        "link of another match": by_link(links("record", other)),
        "wrong token": bearer("carnet_" + "A" * 43),
        "expired token": bearer(expired["secret"]),
        "revoked token": bearer(revoked["secret"]),
        UNPROVEN: Request({}, {}, cookie.value),
        "merged": bearer(mia.token("record", "annotate", "manage")["secret"]),
        "reseated": bearer(rea.token("record", "annotate", "manage")["secret"]),
        **principals_who_lose,
    }
    ids = {"ana": seats["Ana"], "jan": seats["Jan"], "account of ana": ana.account["id"]}
    return Scene(name, matches, ids, principals)


def bearer(secret: str) -> Request:
    return Request({"Authorization": f"Bearer {secret}"}, {})


def by_link(made: Mapping[str, Any]) -> Request:
    return Request({}, {visibility: link["secret"] for visibility, link in made.items()})


def _entry(person: Person, name: str) -> str:
    """A player who sat in a private match of somebody's."""
    return str(person.begin(name, "Nobody", visibility="private")["players"][0]["player_id"])


def _child(person: Person) -> str:
    """The secret of a token that was made by another one, which was revoked then."""
    parent = person.token("record", "annotate", "manage")
    child: str = Person(person.app, parent["secret"]).token("record", "annotate", "manage")["secret"]
    ok_empty(person.delete(f"/tokens/{parent['id']}"))
    return child


def ok_empty(response: TestResponse) -> None:
    assert response.status_code == 204, response.text


@pytest.fixture(scope="session")
def scene(server: Server, run_sql: Callable[[str], None], template: str) -> Scene:
    """The scene that all tests begin with."""
    name = "carnet_access"
    run_sql(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
    with application(server.dsn(name)) as app:
        return set_scene(name, app, server.dsn(name))


@contextmanager
def copied(scene: Scene, server: Server, run_sql: Callable[[str], None]) -> Iterator[Flask]:
    """The application on a copy of the scene."""
    with copy_of(scene.name, server, run_sql) as name, application(server.dsn(name)) as app:
        yield app


@pytest.fixture(scope="module")
def stage_of_readers(server: Server, run_sql: Callable[[str], None], scene: Scene) -> Iterator[Flask]:
    """The stage of all routes that are read, which take nothing away from one another."""
    with copied(scene, server, run_sql) as app:
        yield app


@pytest.fixture
def stage(
    request: pytest.FixtureRequest, server: Server, run_sql: Callable[[str], None], scene: Scene, method: str
) -> Iterator[Flask]:
    """The application on a copy of the scene, which routes that change something have for themselves."""
    if method == "GET":
        yield request.getfixturevalue("stage_of_readers")
        return
    with copied(scene, server, run_sql) as app:
        yield app


def routes(app: Flask) -> Iterator[tuple[str, str, str]]:
    """The name, method and address of every route of the application."""
    for rule in app.url_map.iter_rules():
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            yield rule.endpoint.rpartition(".")[2], method, rule.rule


_APP = create_app(SIGN_IN, Database(""))
ROUTES = sorted(routes(_APP))
RULES: Mapping[str, Rule | None] = {
    rule.endpoint.rpartition(".")[2]: rule_of(rule, right_of(_APP, rule)) for rule in _APP.url_map.iter_rules()
}


def test_what_goes_beyond_a_declared_right_is_about_routes_that_there_are() -> None:
    assert BEYOND.keys() <= RULES.keys()


def test_an_application_with_a_route_that_asks_for_nothing_does_not_start(database: Database) -> None:
    app = create_app(SIGN_IN, database)
    app.add_url_rule("/secrets", "secrets", lambda: "all of them")
    with pytest.raises(UnguardedRoute, match="secrets"):
        rights_of(app)


def expected(name: str, method: str, principal: str, visibility: str) -> int:
    rule = RULES[name]
    if rule is FREE:
        return 200
    if rule is embedded:
        return embedded(principal, visibility)
    if principal in WRONG:
        return 401
    if principal == UNPROVEN and method != "GET":
        return 403
    assert rule is not None
    return rule("match's owner" if principal == UNPROVEN else principal, visibility)


@dataclass(frozen=True, slots=True)
class Maker:
    """Makes what a request may take away."""

    app: Flask
    scene: Scene

    def person(self, principal: str) -> Person:
        person = Person(self.app)
        person.headers.update(self.scene.principals[principal].headers)
        return person

    def address(self, rule: str, principal: str, visibility: str) -> str:
        """The address of a route with ids of what is there."""
        values: dict[str, Callable[[], Any]] = {
            "<uuid:match_id>": lambda: self.scene.matches[visibility],
            "<uuid:annotation_id>": lambda: self._make(f"/matches/{self.scene.matches[visibility]}/annotations", NOTE),
            "<uuid:link_id>": lambda: self._make(
                f"/matches/{self.scene.matches[visibility]}/links", {"allows": "read"}
            ),
            "<uuid:player_id>": lambda: self.scene.ids["jan"],
            "<uuid:other_id>": lambda: self.scene.ids["ana"],
            "<uuid:account_id>": self._account,
            "<uuid:token_id>": lambda: self._token(principal),
            "<uuid:session_id>": lambda: self._session(principal),
            "<uuid:invitation_id>": lambda: self._make("/invitations", {"name": "Una"}, "installation's owner"),
            "<uuid:import_id>": lambda: UNKNOWN_ID,
            "<int:ply>": lambda: 1,
            "<slug>": lambda: "not-found",
            "<int:number>": lambda: 1,
            "<game_id>": lambda: "cite-lumiere",
            "<edition_id>": lambda: "devir-2019",
            "<secret>": lambda: "carnet_unknown",
            "<digest>": lambda: files().digest,
            "<path:name>": lambda: "css/base.css",
            "<lang>": lambda: "en",
        }
        for name, value in values.items():
            if name in rule:
                rule = rule.replace(name, str(value()))
        assert "<" not in rule, f"what stands for the ids of {rule}?"
        return rule

    def restore(self, visibility: str) -> None:
        """Let a match be withdrawn, or not, as it was in the scene."""
        path = f"/matches/{self.scene.matches[visibility]}/withdraw"
        ok(self.person("match's owner").send("POST" if visibility == WITHDRAWN else "DELETE", path))

    def restore_sessions(self) -> None:
        """Let all sessions be those of the scene."""
        with self.app.extensions["carnet"].database.statements() as connection:
            connection.execute("UPDATE secrets SET ended_at = NULL WHERE kind = 'session'")

    def _make(self, path: str, body: Any, principal: str = "match's owner") -> str:
        return str(ok(self.person(principal).post(path, body), 201)["id"])

    def _account(self) -> str:
        return self.scene.ids["account of ana"]

    def _token(self, principal: str) -> str:
        """A token of the principal's own; others' tokens are not there for them."""
        holder = self._holder(principal)
        if holder is None:
            return UNKNOWN_ID
        left = [token["id"] for token in self.person(holder).all_items("/tokens") if token["label"] == "to revoke"]
        return str(left[0] if left else self._make("/tokens", {"label": "to revoke", "scopes": ["read"]}, holder))

    def _session(self, principal: str) -> str:
        """A further session of the principal's own."""
        holder = self._holder(principal)
        if holder is None:
            return UNKNOWN_ID
        person = self.person(holder)
        account_id = ok(person.get("/me"))["account"]["id"]
        browser = Person(self.app).sign_in(ok(person.post(f"/accounts/{account_id}/sign-in-links"), 201)["secret"])
        return str(next(session["id"] for session in browser.all_items("/sessions") if session["current"]))

    def _holder(self, principal: str) -> str | None:
        """Whose account it is by which somebody asks, with all scopes."""
        if principal in OWNERS:
            return "installation's owner"
        holder = "match's owner" if "match's owner" in principal or principal not in OF_A_MATCH else principal
        return None if holder in {"link", "invitation"} else holder


@pytest.mark.slow
@pytest.mark.parametrize(("name", "method", "rule"), ROUTES, ids=[name for name, _, _ in ROUTES])
def test_what_everybody_may_do(stage: Flask, scene: Scene, name: str, method: str, rule: str) -> None:
    asked = QUICK[ROUTES.index((name, method, rule)) % len(QUICK)] if is_about_match(rule) else VISIBILITIES[:1]
    assert not wrong_answers(Maker(stage, scene), asked, name, method, rule)


@pytest.mark.soak
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "method", "rule"),
    [route for route in ROUTES if is_about_match(route[2])],
    ids=[name for name, _, rule in ROUTES if is_about_match(rule)],
)
def test_what_everybody_may_do_with_matches_of_every_visibility(
    stage: Flask, scene: Scene, name: str, method: str, rule: str
) -> None:
    assert not wrong_answers(Maker(stage, scene), VISIBILITIES, name, method, rule)


def wrong_answers(maker: Maker, visibilities: Sequence[str], name: str, method: str, rule: str) -> list[str]:
    """What somebody is answered about one of these matches and should not be."""
    wrong = []
    for visibility in visibilities:
        for principal in PRINCIPALS if visibility in ENOUGH_OF_WRONG else sorted({*PRINCIPALS} - WRONG):
            wanted = expected(name, method, principal, visibility)
            response = ask(maker, principal, visibility, name, method, rule)
            if name in {"withdraw", "take_back_withdrawal"} and response.status_code == 200:
                maker.restore(visibility)
            if name in {"sign_out", "end_sessions", "end_sessions_of_account"} and response.status_code == 204:
                maker.restore_sessions()
            if not fits(response, wanted, rule):
                wrong.append(
                    f"{principal}, {visibility}: {response.status_code} and not {wanted}; {response.text[:200]}"
                )
    return wrong


def ask(maker: Maker, principal: str, visibility: str, name: str, method: str, rule: str) -> TestResponse:
    asked = maker.scene.principals[principal]
    address = maker.address(rule, principal, visibility)
    key = asked.keys.get(visibility)
    headers = dict(asked.headers)
    if name == "close_account" and expected(name, method, principal, visibility) == 200:
        address = address.replace(maker.scene.ids["account of ana"], _somebody(maker))
    client = stage_client(maker.app, asked.cookie)
    body = BODIES.get(name)
    return client.open(
        address + ("" if key is None else f"?key={key}"),
        method=method,
        json=None if body is None else with_ids(body, maker.scene.ids),
        headers=headers,
        buffered=True,
    )


def _somebody(maker: Maker) -> str:
    """A new account, to be closed."""
    invitation = ok(maker.person("installation's owner").post("/invitations", {"name": "Una"}), 201)
    return str(Person(maker.app).sign_in(invitation["secret"]).account["id"])


def stage_client(app: Flask, cookie: str | None) -> FlaskClient:
    client = app.test_client()
    if cookie is not None:
        client.set_cookie("carnet_session", cookie)
    return client


def with_ids(body: Any, ids: Mapping[str, str]) -> Any:
    if isinstance(body, dict):
        return {
            name: ids.get(value, value) if name in {"player_id", "into"} else with_ids(value, ids)
            for name, value in body.items()
        }
    return [with_ids(value, ids) for value in body] if isinstance(body, list) else body


def fits(response: TestResponse, wanted: int, rule: str) -> bool:
    """Whether an answer is a refusal of a kind, or none: conflicts are, since the principal was let in."""
    if wanted == 200:
        is_unknown_link = response.status_code == 404 and "link" in response.text.lower()
        return response.status_code in {200, 201, 204, 301, 303, 400, 409, 422} or is_unknown_link
    if wanted == 401 and "WWW-Authenticate" not in response.headers:
        return False
    return response.status_code == wanted
