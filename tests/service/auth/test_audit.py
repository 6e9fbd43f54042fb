"""The audit trail: every sign-in and every change of rights is in it, told by ids, and nothing leaves it."""

from typing import Any

import orjson
import psycopg
import pytest
from click.testing import CliRunner
from flask import Flask

from service.auth import accounts
from service.auth.audit import AuditAction
from service.cli import main
from tests.service.auth.people import Person, first_owner, invited
from tests.service.harness import ok, problem
from tests.service.tampering import as_service


def acts(olga: Person, query: str = "") -> list[Any]:
    """The entries of the trail, the first one first."""
    return olga.all_items(f"/audit?limit=200{query}")[::-1]


def newest(olga: Person) -> Any:
    return ok(olga.get("/audit?limit=1"))["items"][0]


def test_every_kind_of_act_is_told(olga: Person, ana: Person) -> None:
    match = ana.begin("Ana", "Jan")
    token = ana.token("read")
    assert ana.delete(f"/tokens/{token['id']}").status_code == 204
    assert ok(ana.patch(f"/matches/{match['id']}", {"visibility": "unlisted"}))["visibility"] == "unlisted"
    ok(ana.post(f"/matches/{match['id']}/annotations", {"ply": 0}), 201)
    hiding = {"author": ana.account["id"]}
    assert ok(ana.post(f"/matches/{match['id']}/annotations/hide", hiding)) == {"hidden": 1}
    link = ok(ana.post(f"/matches/{match['id']}/links", {"allows": "read"}), 201)
    assert ana.delete(f"/matches/{match['id']}/links/{link['id']}").status_code == 204
    una = ana.begin("Una", "Jan")["players"][0]["player_id"]
    ok(olga.post(f"/players/{una}/merge", {"into": match["players"][0]["player_id"]}))
    ok(olga.delete(f"/players/{una}/merge"))
    ok(ana.post(f"/players/{match['players'][1]['player_id']}/anonymise"))
    way_in = ok(ana.post(f"/accounts/{ana.account['id']}/sign-in-links"), 201)["secret"]
    [_, session] = ok(Person(ana.app).sign_in(way_in).get("/sessions"))["items"]
    for path in (f"/sessions/{session['id']}", "/sessions?others=1"):
        assert ana.delete(path).status_code == 204
    other_way_in = ok(ana.post(f"/accounts/{ana.account['id']}/sign-in-links"), 201)["id"]
    assert ana.delete(f"/accounts/{ana.account['id']}/sign-in-links/{other_way_in}").status_code == 204
    problem(Person(ana.app).post("/sign-in", {"link": way_in}), 404, "not-found")
    ok(olga.patch(f"/accounts/{ana.account['id']}", {"role": "owner"}))
    ok(olga.patch(f"/accounts/{olga.account['id']}", {"player_id": match["players"][1]["player_id"]}))
    seats = [{"seat": player["seat"], "player_id": player["player_id"]} for player in match["players"]]
    for players in ([seats[0], {"seat": "blue", "name": "Eva"}], seats):
        ok(ana.put(f"/matches/{match['id']}/players", {"players": players}))
    invitation = ok(olga.post("/invitations", {"name": "Una"}), 201)
    assert olga.delete(f"/invitations/{invitation['id']}").status_code == 204
    assert ana.post("/sign-out").status_code == 204
    assert olga.delete(f"/accounts/{ana.account['id']}").status_code == 204

    entries = acts(olga)
    assert {entry["act"] for entry in entries} == set(AuditAction) - {AuditAction.MATCHES_ADOPTED}
    by_act = {entry["act"]: entry for entry in entries}
    ana_id, olga_id = ana.account["id"], olga.account["id"]
    expected: dict[str, tuple[str | None, str | None, dict[str, Any]]] = {
        "token_made": (ana_id, token["id"], {"scopes": ["read"]}),
        "token_revoked": (ana_id, token["id"], {}),
        "visibility_changed": (ana_id, None, {"before": "club", "visibility": "unlisted"}),
        "annotations_hidden": (ana_id, None, {**hiding, "number": 1}),
        "link_made": (ana_id, link["id"], {"allows": "read"}),
        "link_revoked": (ana_id, link["id"], {}),
        "player_anonymised": (ana_id, match["players"][1]["player_id"], {}),
        "players_merged": (olga_id, una, {"into": match["players"][0]["player_id"]}),
        "players_unmerged": (olga_id, una, {"from": match["players"][0]["player_id"]}),
        "sign_in_link_made": (ana_id, ana_id, {}),
        "sign_in_link_revoked": (ana_id, ana_id, {}),
        "role_changed": (olga_id, ana_id, {"before": "member", "role": "owner"}),
        "player_changed": (olga_id, olga_id, {"before": None, "player_id": match["players"][1]["player_id"]}),
        "seat_taken": (ana_id, olga_id, {}),
        "seat_given": (ana_id, olga_id, {}),
        "invitation_made": (olga_id, invitation["id"], {"role": "member"}),
        "invitation_revoked": (olga_id, invitation["id"], {}),
        "account_closed": (olga_id, ana_id, {}),
        "session_ended": (ana_id, session["id"], {}),
        "sessions_ended": (ana_id, ana_id, {"sessions": 0}),
    }
    for act, (by, subject, details) in expected.items():
        entry = by_act[act]
        assert (entry["account_id"], entry["subject_id"], entry["details"]) == (by, subject, details), act
        assert entry["secret_id"] is not None
        is_of_match = act.startswith(("annotations", "link_", "visibility", "seat"))
        assert entry["match_id"] == (match["id"] if is_of_match else None), act
    assert by_act["signed_out"]["account_id"] == ana_id
    signed_in = [entry for entry in entries if entry["act"] == "signed_in" and entry["account_id"] == ana_id]
    assert len(signed_in) == 2
    assert by_act["sign_in_refused"]["subject_id"] == signed_in[1]["subject_id"]


def test_neither_names_nor_secrets_nor_addresses_are_in_it(olga: Person, dsn: str) -> None:
    una = invited(olga, "Una")
    secrets = [una.token("read")["secret"], ok(olga.post("/invitations", {"name": "Zoe"}), 201)["secret"]]
    problem(Person(olga.app).post("/sign-in", {"link": "carnet_guess"}), 404, "not-found")
    with psycopg.connect(dsn) as connection:
        stored = str(connection.execute("SELECT * FROM audit_entries").fetchall())
    for secret in (*secrets, "Una", "Zoe", "carnet_", "127.0.0.1"):
        assert secret not in stored


def test_what_is_refused_is_told_at_most_once_a_minute(olga: Person) -> None:
    used = ok(olga.post(f"/accounts/{olga.account['id']}/sign-in-links"), 201)["secret"]
    Person(olga.app).sign_in(used)
    for secret in ("carnet_guess", "carnet_other", used, used):
        problem(Person(olga.app).post("/sign-in", {"link": secret}), 404, "not-found")
        assert Person(olga.app).client.post(f"/sign-in/{secret}").status_code == 404
    refused = acts(olga, "&act=sign_in_refused")
    assert [entry["subject_id"] is None for entry in refused] == [True, False]


def test_what_is_undone_leaves_no_entry(olga: Person) -> None:
    before = newest(olga)
    problem(olga.delete(f"/accounts/{olga.account['id']}"), 409, "last-owner")
    problem(olga.patch(f"/accounts/{olga.account['id']}", {"role": "member"}), 409, "last-owner")
    ok(olga.patch(f"/accounts/{olga.account['id']}", {"name": "Olga Maria", "role": "owner"}))
    assert newest(olga) == before


def test_it_is_asked_for_by_account_and_by_act(olga: Person, ana: Person, eva: Person) -> None:
    ana.token("read")
    eva.token("read")
    about_ana = acts(olga, f"&account={ana.account['id']}")
    assert {entry["act"] for entry in about_ana} == {"joined", "signed_in", "token_made"}
    made = acts(olga, "&act=token_made")
    assert [entry["account_id"] for entry in made] == [ana.account["id"], eva.account["id"]]
    assert acts(olga, f"&act=token_made&account={eva.account['id']}") == made[1:]
    paged = olga.all_items("/audit?limit=2")
    assert paged == acts(olga)[::-1]
    assert [entry["happened_at"] for entry in paged] == sorted((e["happened_at"] for e in paged), reverse=True)
    problem(olga.get("/audit?act=everything"), 422, "malformed")
    problem(ana.get("/audit"), 403, "not-allowed")


def test_what_the_first_owner_takes_over_is_told(app: Flask, dsn: str) -> None:
    olga = first_owner(app)
    olga.begin()
    with psycopg.connect(dsn) as connection:
        connection.execute("UPDATE matches SET owner_id = NULL")
    assert (
        CliRunner()
        .invoke(main, ["token", "create", "--scopes", "read"], env={"DATABASE_URL": as_service(dsn)})
        .exit_code
        == 0
    )
    assert newest(olga)["act"] == "token_made"
    assert newest(olga)["account_id"] is None
    with app.extensions["carnet"].database.transaction() as connection:
        assert accounts.welcome(connection) is None
    entry = newest(olga)
    assert (entry["act"], entry["subject_id"], entry["details"]) == (
        "matches_adopted",
        olga.account["id"],
        {"matches": 1},
    )


def test_it_is_told_on_the_command_line(olga: Person, ana: Person, dsn: str) -> None:
    result = CliRunner().invoke(main, ["audit", "--account", ana.account["id"]], env={"DATABASE_URL": as_service(dsn)})
    assert result.exit_code == 0
    assert [orjson.loads(line) for line in result.stdout.splitlines()] == acts(olga, f"&account={ana.account['id']}")[
        ::-1
    ]
    last = CliRunner().invoke(main, ["audit", "--limit", "1", "--act", "joined"], env={"DATABASE_URL": as_service(dsn)})
    assert [orjson.loads(line)["subject_id"] for line in last.stdout.splitlines()] == [ana.account["id"]]


def test_on_a_terminal_it_is_told_with_names(olga: Person, ana: Person, dsn: str) -> None:
    ok(olga.post("/tokens", {"label": "score\x1b[2Jboard", "scopes": ["read", "record"]}), 201)
    una, jan = (olga.begin(name, "Eva")["players"][0] for name in ("Una", "Jan"))
    ok(olga.post(f"/players/{una['player_id']}/merge", {"into": jan["player_id"]}))
    result = CliRunner().invoke(main, ["audit", "--plain"], env={"DATABASE_URL": as_service(dsn)})
    assert (result.exit_code, result.stderr) == (0, "")
    lines = [line.split(maxsplit=2)[2] for line in result.stdout.splitlines()]
    merged, made, *_ = [" ".join(line.split()) for line in lines]
    assert merged == "players_merged Olga Una into=Jan"
    assert made == "token_made Olga score?[2Jboard scopes=read,record"


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit_entries SET act = 'signed_out'",
        "DELETE FROM audit_entries",
        "TRUNCATE audit_entries",
        "TRUNCATE accounts CASCADE",
    ],
)
def test_nothing_in_it_is_changed_or_taken_away(olga: Person, dsn: str, statement: str) -> None:
    before = acts(olga)
    with (
        psycopg.connect(dsn) as connection,
        pytest.raises(psycopg.errors.RaiseException, match="never changed or deleted"),
    ):
        connection.execute(statement.encode())
    assert acts(olga) == before
