"""What others see of a match: in lists, by links, in streams, in caches, and of the people in it."""

import re
from dataclasses import replace
from typing import Any

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from service.db import matches
from service.db.annotations import Written
from service.db.leader import Leader
from service.live.subscribers import Streams
from tests.service.auth.people import Person, invited, new_match
from tests.service.following import Reader, followed
from tests.service.harness import OPENING, UNKNOWN_ID, Match, entry, finished_match, lines, ok, pointers, problem

VISIBILITIES = ("private", "unlisted", "club", "public")


@pytest.fixture
def jan(olga: Person, ana: Person) -> Person:
    """A player of a match that Ana has recorded."""
    match = ana.begin("Ana", "Jan", venue="private")
    return invited(olga, "Jan", player_id=match["players"][1]["player_id"])


def with_player(olga: Person, name: str) -> Person:
    """Somebody with an account who is a player but sat in no match of the others."""
    player = olga.begin(name, "Nobody", visibility="private")["players"][0]["player_id"]
    return invited(olga, name, player_id=player)


def links(person: Person, match: Any, allows: str = "read") -> Any:
    return ok(person.post(f"/matches/{match['id']}/links", {"allows": allows}), 201)


def seen(person: Person, query: str = "") -> set[str]:
    """The visibilities of the matches that somebody finds."""
    found = {match["visibility"] for match in person.all_items(f"/matches{query}")}
    assert found == {match["visibility"] for match in lines(person.get(f"/matches{query}", NDJSON))}
    return found


NDJSON = {"Accept": "application/x-ndjson"}


def test_lists_hold_what_one_may_find(olga: Person, ana: Person, eva: Person, anyone: Person) -> None:
    made = {each: ana.begin("Ana", "Jan", visibility=each) for each in VISIBILITIES}
    ida = invited(olga, "Ida", player_id=made["private"]["players"][1]["player_id"])
    jan_id = made["private"]["players"][1]["player_id"]
    for query in ("", "?sort=activity", f"?player={jan_id}", "?limit=1"):
        assert seen(ana, query) == set(VISIBILITIES)
        assert seen(ida, query) == set(VISIBILITIES)
        assert seen(eva, query) == seen(olga, query) == {"club", "public"}
        assert seen(anyone, query) == {"public"}
    assert seen(ana, "?mine=1") == seen(ida, "?mine=1") == set(VISIBILITIES)
    assert seen(eva, "?mine=1") == seen(olga, "?mine=1") == set()
    problem(anyone.get("/matches?mine=1"), 401, "sign-in-needed")


def test_a_match_is_seen_by_the_club_unless_one_says_otherwise(ana: Person) -> None:
    match = ana.begin()
    assert (match["visibility"], match["owner_id"]) == ("club", ana.account["id"])
    assert ana.begin(visibility="private")["visibility"] == "private"
    body = {**new_match(["Ana", "Jan"]), "visibility": "secret"}
    assert pointers(problem(ana.post("/matches", body), 422, "malformed")) == ["/visibility"]


def test_who_may_see_a_match_is_changed_by_who_it_belongs_to(ana: Person, jan: Person, eva: Person) -> None:
    match = ana.all_items("/matches")[0]
    path = f"/matches/{match['id']}"
    assert ok(jan.patch(path, {"venue": "at home"}))["venue"] == "at home"
    problem(jan.patch(path, {"visibility": "public"}), 403, "not-allowed")
    problem(jan.patch(path, {"rulings_in_statistics": "exclude"}), 403, "not-allowed")
    problem(eva.patch(path, {"venue": "at home"}), 403, "not-allowed")
    assert ok(ana.patch(path, {"visibility": "private"}))["visibility"] == "private"
    problem(eva.get(path), 404, "not-found")
    history = ok(ana.get(f"{path}/details"))["items"]
    assert [(kept["visibility"], kept["actor"]) for kept in history] == [
        ("club", ana.account["id"]),
        ("club", jan.account["id"]),
        ("private", ana.account["id"]),
    ]


def test_who_has_sat_down_or_got_up_sees_the_match_or_no_longer(ana: Person, jan: Person) -> None:
    players = ana.all_items("/matches")[0]["players"]
    match = ana.begin("Ana", "Ida", visibility="private")
    path = f"/matches/{match['id']}"
    problem(jan.get(path), 404, "not-found")
    seats = [{"seat": "orange", "name": "Ana"}, {"seat": "blue", "player_id": players[1]["player_id"]}]
    ok(ana.put(f"{path}/players", {"players": seats}))
    assert ok(jan.get(path))["id"] == match["id"]
    ok(ana.put(f"{path}/players", {"players": match_seats(match)}))
    problem(jan.get(path), 404, "not-found")


def seat_of(player: Any) -> dict[str, str]:
    return {"seat": player["seat"], "player_id": player["player_id"]}


def seat_acts(olga: Person) -> list[tuple[str, str, str]]:
    """What the audit trail says of seats: act, whose it was or is, and who did it."""
    entries = [each for act in ("seat_given", "seat_taken") for each in olga.all_items(f"/audit?act={act}")]
    return [(each["act"], each["subject_id"], each["account_id"]) for each in entries]


def match_seats(match: Any) -> list[dict[str, str]]:
    return [{"seat": seat["seat"], "player_id": seat["player_id"]} for seat in match["players"]]


def test_a_match_that_one_may_not_see_is_like_one_that_is_not_there(ana: Person, eva: Person) -> None:
    match = ana.begin(visibility="private")
    note = Match(ana, match["id"]).annotate(0, text="Hm.")
    for path in ("", "/events", "/replay/0", "/stream", "/annotations"):
        there = problem(eva.get(f"/matches/{match['id']}{path}"), 404, "not-found")
        assert there == problem(eva.get(f"/matches/{UNKNOWN_ID}{path}"), 404, "not-found")
    assert problem(eva.get(f"/annotations/{note['id']}"), 404, "not-found") == problem(
        eva.get(f"/annotations/{UNKNOWN_ID}"), 404, "not-found"
    )


# Links


def test_a_link_reads_an_unlisted_match_until_it_is_withdrawn(ana: Person, eva: Person) -> None:
    match = ana.begin(visibility="unlisted")
    path = f"/matches/{match['id']}"
    link = links(ana, match)
    assert len(link["secret"]) == len("carnet_") + 22, "128 random bits"
    for reader in (Person(ana.app, key=link["secret"]), eva.with_token()):
        reader.key = link["secret"]
        assert ok(reader.get(path))["id"] == match["id"]
        assert ok(reader.get(f"{path}/replay?fields=ply"))["frames"] == [{"ply": 0}]
        problem(reader.post(f"{path}/moves", entry(OPENING[0])), 403, "not-allowed")
        assert "points" not in ok(reader.get(f"{path}/legal-moves"))
        problem(reader.get(f"{path}/legal-moves?include=points"), 403, "not-allowed")
        problem(reader.post(f"{path}/moves/check?include=points", entry(OPENING[0])), 403, "not-allowed")
    [listed] = ok(ana.get(f"{path}/links"))["items"]
    assert listed == {name: value for name, value in link.items() if name != "secret"}
    assert ana.delete(f"{path}/links/{link['id']}").status_code == 204
    problem(ana.delete(f"{path}/links/{link['id']}"), 404, "not-found")
    problem(Person(ana.app, key=link["secret"]).get(path), 404, "not-found")


def test_a_link_to_read_follows_the_visibility(ana: Person) -> None:
    match = ana.begin(visibility="unlisted")
    reader = Person(ana.app, key=links(ana, match)["secret"])
    path = f"/matches/{match['id']}"
    for visibility, status in (("private", 404), ("club", 404), ("unlisted", 200), ("public", 200)):
        ok(ana.patch(path, {"visibility": visibility}))
        assert reader.get(path).status_code == status


def test_an_invited_phone_records_its_match_and_nothing_else(ana: Person) -> None:
    match, other = ana.begin(visibility="private"), ana.begin(visibility="public")
    link = links(ana, match, "record")
    phone = Person(ana.app, key=link["secret"])
    Match(phone, match["id"]).record(*OPENING)
    assert {event["actor"] for event in Match(ana, match["id"]).events()[1:]} == {link["id"]}
    assert ok(ana.get(f"/matches/{match['id']}/verify"))["valid"] is True
    problem(phone.post(f"/matches/{match['id']}/annotations", {"ply": 1, "text": "Hm."}), 403, "not-allowed")
    problem(phone.post(f"/matches/{match['id']}/links", {"allows": "record"}), 403, "not-allowed")
    problem(phone.post(f"/matches/{other['id']}/moves", entry(OPENING[0])), 401, "sign-in-needed")
    problem(phone.post("/matches", new_match(["Ana", "Jan"])), 401, "sign-in-needed")


def test_an_invited_phone_seats_only_people_of_its_match(ana: Person) -> None:
    ida = ana.begin("Ida", "Una")["players"][0]["player_id"]
    match = ana.begin("Ana", "Jan", visibility="private")
    phone = Person(ana.app, key=links(ana, match, "record")["secret"])
    path = f"/matches/{match['id']}/players"
    stranger = [{"seat": "orange", "player_id": ida}, {"seat": "blue", "name": "Jan"}]
    problem(phone.put(path, {"players": stranger}), 422, "unknown-player")
    swapped = [{"seat": "orange", "name": "Jan"}, {"seat": "blue", "name": "Ida"}]
    people = ok(phone.put(path, {"players": swapped}))["players"]
    assert people[0]["player_id"] == match["players"][1]["player_id"]
    assert people[1]["player_id"] != ida


def test_a_link_or_a_player_seats_nobody_with_an_account_and_takes_no_seat_of_one(
    olga: Person, ana: Person, jan: Person
) -> None:
    path = f"/matches/{ana.all_items('/matches')[0]['id']}"
    seats = ok(ana.get(path))["players"]
    met = ana.begin("Ida", "Jan")["players"][0]
    invited(olga, "Ida", player_id=met["player_id"])
    idas = {"seat": "orange", "player_id": met["player_id"]}
    phone = Person(ana.app, key=ok(ana.post(f"{path}/links", {"allows": "record"}), 201)["secret"])
    for person, body in (
        (jan, [idas, seat_of(seats[1])]),
        (jan, [{"seat": "orange", "name": "Ida"}, seat_of(seats[1])]),
        (jan, [seat_of(seats[0]), {"seat": "blue", "name": "Una"}]),
        (phone, [seat_of(seats[0]), {"seat": "blue", "name": "Una"}]),
        (phone, [{"seat": "orange", "name": "Jan"}, {"seat": "blue", "name": "Ana"}]),
    ):
        refused = problem(person.put(f"{path}/players", {"players": body}), 403, "not-allowed")
        assert refused["errors"], "the seats are named"
    for person in (jan, phone):
        guest = {"seat": "orange", "name": f"Guest of {person is phone}"}
        ok(person.put(f"{path}/players", {"players": [guest, seat_of(seats[1])]}))
    assert seat_acts(olga) == []
    ok(ana.put(f"{path}/players", {"players": [seat_of(seats[0]), {"seat": "blue", "name": "Una"}]}))
    assert seat_acts(olga) == [("seat_taken", jan.account["id"], ana.account["id"])]
    ok(ana.put(f"{path}/players", {"players": [seat_of(seats[0]), seat_of(seats[1])]}))
    assert seat_acts(olga)[0] == ("seat_given", jan.account["id"], ana.account["id"])


def test_a_link_neither_reopens_nor_abandons_nor_changes_details(ana: Person) -> None:
    match = ana.begin(visibility="private")
    path = f"/matches/{match['id']}"
    phone = Person(ana.app, key=links(ana, match, "record")["secret"])
    for body in ({"venue": "x"}, {"tags": ["x"]}, {"visibility": "public"}):
        problem(phone.patch(path, body), 403, "not-allowed")
    problem(phone.post(f"{path}/abandon"), 403, "not-allowed")
    ok(ana.post(f"{path}/abandon"))
    problem(phone.post(f"{path}/reopen"), 403, "not-allowed")


def test_a_link_that_undoes_the_end_of_a_match_ends_a_day_after_it_all_the_same(ana: Person, dsn: str) -> None:
    match = Match(ana, ana.begin()["id"])
    phone = Person(ana.app, key=links(ana, {"id": match.id}, "record")["secret"])
    moves = list(finished_match())
    ok(phone.post(f"{match.path}/moves", {"moves": moves}), 201)
    assert match.document()["status"] == "finished"
    ok(phone.post(f"{match.path}/undo", {"to_ply": len(moves) - 1}), 201)
    with psycopg.connect(dsn) as connection:
        connection.execute("UPDATE matches SET over_since = over_since - interval '1 day'")
    problem(phone.post(f"{match.path}/moves", moves[-1]), 404, "not-found")
    ok(ana.patch(match.path, {"venue": "at home"}))
    ok(ana.post(f"{match.path}/undo", {"to_ply": len(moves) - 2}), 201)
    problem(phone.post(f"{match.path}/moves", moves[-2]), 404, "not-found")


@pytest.mark.parametrize("ending", ["abandon", "withdraw"])
def test_an_invitation_lasts_until_a_day_after_the_end_or_the_withdrawal(ana: Person, dsn: str, ending: str) -> None:
    match = ana.begin()
    path = f"/matches/{match['id']}"
    phone = Person(ana.app, key=links(ana, match, "record")["secret"])
    ok(ana.post(f"{path}/{ending}"))
    assert ok(phone.get(path))["id"] == match["id"]
    with psycopg.connect(dsn) as connection:
        connection.execute("UPDATE matches SET over_since = over_since - interval '1 day'")
    problem(phone.get(path), 404, "not-found")
    ok(ana.patch(path, {"venue": "at home"}))
    problem(phone.get(path), 404, "not-found")
    ok(ana.post(f"{path}/reopen") if ending == "abandon" else ana.delete(f"{path}/withdraw"))
    assert ok(phone.get(path))["id"] == match["id"]


def test_one_is_told_what_one_may_do(ana: Person, eva: Person, anyone: Person) -> None:
    match = ana.begin(visibility="public")
    phone = Person(ana.app, key=links(ana, match, "record")["secret"])
    asked = {
        ana: ["read", "record", "annotate", "manage"],
        ana.with_token("record"): ["read", "record"],
        eva: ["read", "annotate"],
        phone: ["read", "record"],
        anyone: ["read"],
    }
    for person, rights in asked.items():
        assert ok(person.get(f"/matches/{match['id']}/rights")) == {"rights": rights}


# What was taken back


def test_a_withdrawn_match_is_there_for_its_people_and_owners_of_the_installation_alone(
    olga: Person, ana: Person, jan: Person, eva: Person, anyone: Person
) -> None:
    match = Match(ana, ana.all_items("/matches")[0]["id"])
    match.record(*OPENING[:2])
    ok(ana.patch(match.path, {"visibility": "public"}))
    note = match.annotate(1, text="Hm.")
    player = ana.begin("Ana", "Una", visibility="public")
    una = player["players"][1]["player_id"]
    for path in (match.path, f"/matches/{player['id']}"):
        ok(ana.post(f"{path}/withdraw"))
    pages = ("", "/embed")
    paths = ("", "/replay", "/replay/1", "/replay/1/board.svg", "/annotations", "/events", "/details")
    for person, status in ((ana, 200), (jan, 200), (olga, 200), (eva, 404), (anyone, 404)):
        assert {person.get(match.path + path).status_code for path in paths} == {status}
        assert person.get(f"/annotations/{note['id']}").status_code == status
        assert {person.client.get(f"{page}{match.path}").status_code for page in pages} <= {status, 404}
    assert anyone.client.get(f"/embed{match.path}").status_code == 404
    assert anyone.get(f"/players/{una}").status_code == 404
    assert match.get("/replay/1/board.svg?version=3&lang=en").headers["Cache-Control"].startswith("private")
    ok(olga.send("DELETE", f"{match.path}/withdraw"))
    assert ok(anyone.get(match.path))["withdrawn"] is False


def test_earlier_details_and_deleted_notes_are_for_those_who_may_change_the_match(
    ana: Person, jan: Person, eva: Person, anyone: Person
) -> None:
    match = Match(ana, ana.begin("Ana", "Jan", visibility="private", venue="at Jan's")["id"])
    ok(ana.patch(match.path, {"visibility": "public", "venue": "club"}))
    note, other = (Match(person, match.id).annotate(0, text="Hm.") for person in (eva, ana))
    for each, author in ((note, eva), (other, ana)):
        assert author.delete(f"/annotations/{each['id']}").status_code == 204
    for person, venues in ((ana, ["at Jan's", "club"]), (jan, ["at Jan's", "club"]), (anyone, ["club"])):
        assert [kept["venue"] for kept in ok(person.get(f"{match.path}/details"))["items"]] == venues
    for person, statuses in ((ana, [200, 200]), (eva, [200, 404]), (jan, [404, 404]), (anyone, [404, 404])):
        assert [person.get(f"/annotations/{each['id']}/history").status_code for each in (note, other)] == statuses


# Streams and caches


def test_a_follower_who_loses_the_right_is_told_and_let_go(ana: Person) -> None:
    match = ana.begin(visibility="unlisted")
    link = links(ana, match)
    with followed(ana.app) as port, Reader(port, f"{match['id']}", query=f"?key={link['secret']}") as reader:
        reader.settle()
        Match(ana, match["id"]).record(OPENING[0])
        assert reader.event().name == "changed"
        assert ana.delete(f"/matches/{match['id']}/links/{link['id']}").status_code == 204
        assert reader.event().name == "gone"
        assert reader.block() == []


def test_a_follower_is_told_when_a_match_becomes_private(ana: Person) -> None:
    match = ana.begin(visibility="public")
    with followed(ana.app) as port, Reader(port, match["id"]) as reader:
        reader.settle()
        ok(ana.patch(f"/matches/{match['id']}", {"visibility": "club"}))
        assert reader.event().name == "gone"
        assert reader.block() == []


def test_a_follower_is_told_nothing_that_was_done_after_it_lost_its_right(
    ana: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = ana.begin(visibility="public")

    def read_too_late(*args: Any) -> Any:
        ok(ana.patch(f"/matches/{match['id']}", {"visibility": "club"}))
        return read(*args)

    read = matches.standing

    with followed(ana.app) as port, Reader(port, match["id"]) as reader:
        reader.settle()
        monkeypatch.setattr(matches, "standing", read_too_late)
        ok(ana.patch(f"/matches/{match['id']}", {"venue": "a café"}))
        assert reader.event().name == "gone"
        assert reader.block() == []


def test_a_follower_whose_token_is_revoked_is_let_go_before_long(ana: Person, dsn: str) -> None:
    match, token = ana.begin(), ana.token("read")
    streams = Streams(Leader(dsn), compare_every=0.05)
    ana.app.extensions["carnet"] = replace(ana.app.extensions["carnet"], streams=streams)
    by_token = {"Authorization": f"Bearer {token['secret']}"}
    with followed(ana.app) as port, Reader(port, match["id"], asked_with=by_token) as reader:
        reader.settle()
        assert ana.delete(f"/tokens/{token['id']}").status_code == 204
        assert reader.event().name == "gone"
        assert reader.block() == []
    streams.close()


def test_only_what_is_public_may_be_kept_for_all(ana: Person) -> None:
    for visibility in VISIBILITIES:
        match = Match(ana, ana.begin(visibility=visibility)["id"])
        for path in ("/replay/0", "/replay/0/score", "/replay/0/board.svg"):
            cached = match.get(f"{path}?version=1&lang=en").headers["Cache-Control"]
            kept = "public, max-age=31536000, s-maxage=300, immutable"
            assert cached == (kept if visibility == "public" else "private, no-cache")
        for path in ("", "/events", "/verify", "/annotations", "/links", "/details", "/replay", "/replay/0"):
            assert match.get(path).headers["Cache-Control"] == "private, no-cache"


def test_pages_with_a_session_or_of_a_hidden_match_are_kept_by_nobody(ana: Person, anyone: Person) -> None:
    hidden = Match(ana, ana.begin(visibility="unlisted")["id"])
    key = ok(hidden.post("/links", {"allows": "read"}), 201)["secret"]
    public = ana.begin(visibility="public")
    edition = "/games/cite-lumiere/editions/devir-2019"
    missing = f"/matches/{UNKNOWN_ID}"
    for person, paths, cached in (
        (ana, ("/", hidden.path, f"/matches/{public['id']}", edition, missing), "private, no-store"),
        (anyone, (f"{hidden.path}?key={key}", missing), "private, no-store"),
        (anyone, ("/", f"/matches/{public['id']}", edition), "private, no-cache"),
    ):
        for path in paths:
            page = person.client.get(path, headers={"Accept": "text/html"})
            assert page.headers["Cache-Control"] == cached, path


def test_pages_say_for_which_account_they_are(ana: Person, anyone: Person) -> None:
    path = ana.begin(visibility="private")["id"]
    for person, account in ((ana, ana.account["id"]), (anyone, "nobody")):
        page = person.client.get(f"/matches/{path}", headers={"Accept": "text/html"})
        assert page.headers["Carnet-Account"] == account
        assert f'data-account="{account}"' in page.text
        assert ("data-refused" in page.text) == (person is anyone)
    assert "Carnet-Account" not in anyone.client.get("/games/cite-lumiere/rules").headers


def test_frames_of_a_version_are_not_answered_from_memory_to_who_may_not_see_them(ana: Person, anyone: Person) -> None:
    match = Match(ana, ana.begin(visibility="private")["id"])
    for part in ("", "/score", "/board.svg"):
        path = f"/replay/0{part}?version=1&lang=en"
        known = match.get(path)
        assert known.status_code == 200
        tag = {"If-None-Match": known.headers["ETag"]}
        assert match.get(path, tag).status_code == 304
        problem(anyone.get(match.path + path, tag), 404, "not-found")


def test_vary_names_the_credentials_unless_all_readers_get_the_same(ana: Person) -> None:
    match = Match(ana, ana.begin(visibility="public")["id"])
    assert match.get().headers["Vary"] == "Authorization, Cookie, Accept-Encoding"
    assert match.get("/replay/0?version=1&lang=en").headers["Vary"] == "Accept-Encoding"


def test_of_many_matches_those_alone_change_that_one_manages(ana: Person, eva: Person, olga: Person) -> None:
    own, others = (person.begin("Kim", "Ivo", visibility="public")["id"] for person in (ana, eva))
    hidden = eva.begin("Kim", "Ivo", visibility="private")["id"]
    query = f"/matches?player={ok(ana.get(f'/matches/{own}'))['players'][0]['player_id']}"
    assert ok(ana.patch("/matches?visibility=public", {"visibility": "club"}))["left"] == 0
    assert ok(ana.get(f"/matches/{own}"))["visibility"] == "club"
    assert ok(eva.get(f"/matches/{others}"))["visibility"] == "public"
    noted = ok(olga.get("/audit?act=visibility_changed"))["items"][0]
    assert (noted["match_id"], noted["details"]) == (own, {"before": "public", "visibility": "club"})
    ok(olga.patch("/matches", {"visibility": "unlisted"}))  # an owner manages what they may see
    assert [ok(eva.get(f"/matches/{match_id}"))["visibility"] for match_id in (others, hidden)] == [
        "unlisted",
        "private",
    ]
    problem(ana.with_token("read", "record").patch(query, {"visibility": "public"}), 403, "not-allowed")


# Annotations


def test_an_annotation_is_changed_by_its_author_and_hidden_by_who_the_match_belongs_to(
    ana: Person, eva: Person, jan: Person, olga: Person
) -> None:
    match = Match(ana, ana.all_items("/matches")[0]["id"])
    note = Match(eva, match.id).annotate(0, text="Boring.")
    path = f"/annotations/{note['id']}"
    assert (note["author"], note["by"], note["hidden"]) == (eva.account["id"], "Eva", False)
    problem(ana.patch(path, {"text": "Exciting."}), 403, "not-allowed")
    problem(ana.delete(path), 403, "not-allowed")
    problem(eva.post(f"{path}/hide"), 403, "not-allowed")

    assert ok(ana.post(f"{path}/hide"))["hidden"] is True
    for person, sees in ((ana, True), (eva, True), (olga, True), (jan, False)):
        answers = {person.get(each).status_code for each in (path, f"{path}/history")}
        assert answers == {200 if sees else 404}
        assert len(ok(person.get(f"{match.path}/annotations"))["items"]) == sees
        assert len(ok(person.get(f"{match.path}/replay"))["frames"][0]["annotations"]) == sees
        assert len(ok(person.get(f"{match.path}/replay/0"))["annotations"]) == sees
    assert ok(eva.patch(path, {"text": "Quiet."}))["hidden"] is True
    assert ok(ana.delete(f"{path}/hide"))["hidden"] is False
    assert ok(jan.get(path))["text"] == "Quiet."


def test_all_annotations_of_an_author_are_hidden_at_once(ana: Person, eva: Person, jan: Person, olga: Person) -> None:
    match = Match(ana, ana.begin(visibility="club")["id"])
    other = Match(eva, ana.begin(visibility="club")["id"]).annotate(0, text="Elsewhere.")
    for _ in range(3):
        Match(eva, match.id).annotate(0, text="Boring.")
    Match(jan, match.id).annotate(0, text="Nice.")
    path, author = f"{match.path}/annotations/hide", {"author": eva.account["id"]}
    problem(eva.post(path, author), 403, "not-allowed")
    problem(ana.post(path, {}), 422, "malformed")
    assert ok(ana.post(path, author)) == {"hidden": 3}
    assert ok(ana.post(path, author)) == {"hidden": 0}
    assert [note["text"] for note in ok(jan.get(f"{match.path}/annotations"))["items"]] == ["Nice."]
    assert [note["hidden"] for note in ok(eva.get(f"{match.path}/annotations"))["items"]] == [True] * 3 + [False]
    assert ok(jan.get(f"/annotations/{other['id']}"))["hidden"] is False
    entry = ok(olga.get("/audit?limit=1"))["items"][0]
    assert (entry["act"], entry["match_id"]) == ("annotations_hidden", match.id)
    assert entry["details"] == {**author, "number": 3}


def test_an_author_has_room_of_their_own(ana: Person, eva: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.annotations.routes.ROOM_OF_AUTHOR", Written(2, 10_000))
    match = ana.begin(visibility="club")["id"]
    for _ in range(2):
        Match(eva, match).annotate(0, text="Boring.")
    refused = problem(eva.post(f"/matches/{match}/annotations", {"ply": 0}), 409, "too-many-annotations")
    assert "2 annotations of one author" in refused["detail"]
    Match(ana, match).annotate(0, text="Mine.")


def test_who_wrote_an_annotation_is_told_to_members_alone(ana: Person, eva: Person, anyone: Person) -> None:
    match = Match(ana, ana.begin(visibility="public")["id"])
    note = Match(eva, match.id).annotate(0, text="Boring.")
    ok(eva.patch(f"/accounts/{eva.account['id']}", {"name": "Eva K."}))
    for person, name in ((ana, "Eva K."), (anyone, None)):
        told = [
            ok(person.get(f"/annotations/{note['id']}")),
            *ok(person.get(f"{match.path}/annotations"))["items"],
            *ok(person.get(f"{match.path}/replay"))["frames"][0]["annotations"],
        ]
        assert [each["by"] for each in told] == [name] * 3


# Editions


def readers(edition: Any, *people: Person) -> list[bool]:
    """Who of some people reads an edition: by its address, in lists, on its page and to build on it, or not at all."""
    path, found = f"/games/cite-lumiere/editions/{edition['id']}", []
    for person in people:
        read = [
            person.get(path).status_code == 200,
            edition["id"] in {item["id"] for item in person.all_items("/games/cite-lumiere/editions?limit=1")},
            edition["id"] in {line["id"] for line in lines(person.get("/games/cite-lumiere/editions", NDJSON))},
            person.client.get(path, headers=person.headers).status_code == 200,
        ]
        assert read in ([True] * 4, [False] * 4)
        found.append(read[0])
    return found


def test_an_edition_is_read_by_its_maker_and_by_who_reads_a_match_with_it(
    ana: Person, eva: Person, jan: Person, anyone: Person
) -> None:
    body = {"title": "Grandmother's box", "based_on": "devir-2019", "changes": {}}
    edition = ok(ana.post("/games/cite-lumiere/editions", body), 201)
    people = (ana, eva, jan, anyone)
    assert readers(edition, *people) == [True, False, False, False]
    problem(eva.post("/games/cite-lumiere/editions", {**body, "based_on": edition["id"]}), 422, "unknown-edition")
    problem(eva.post("/matches", {**new_match(["Eva", "Ida"]), "edition": edition["id"]}), 422, "unknown-edition")
    match = ana.begin("Ana", "Una", visibility="private", edition=edition["id"])
    assert readers(edition, *people) == [True, False, False, False]
    assert ok(ana.get(f"/matches/{match['id']}/edition")) == edition
    problem(eva.get(f"/matches/{match['id']}/edition"), 404, "not-found")
    guest = Person(ana.app, key=links(ana, match)["secret"])
    for visibility, read in (("unlisted", [True, False, False, False]), ("club", [True, True, True, False])):
        ok(ana.patch(f"/matches/{match['id']}", {"visibility": visibility}))
        assert readers(edition, *people) == read
        by_link = guest.get(f"/matches/{match['id']}/edition")
        assert by_link.json == edition if visibility == "unlisted" else by_link.status_code == 404
    ok(ana.patch(f"/matches/{match['id']}", {"visibility": "public"}))
    assert readers(edition, *people) == [True] * 4
    assert [edition["id"] in ok(person.get("/games/cite-lumiere"))["editions"] for person in people] == [
        *(True, False, False, False)
    ]


def test_a_link_takes_a_match_to_an_edition_that_there_is_and_makes_none(ana: Person) -> None:
    match = ana.begin("Ana", "Una", visibility="unlisted")
    guest = Person(ana.app, key=links(ana, match, "record")["secret"])
    path, changes = f"/matches/{match['id']}/corrections", {"ply": 0, "edition_changes": {"chimneys": 6}}
    for body in (changes, {**changes, "dry_run": True}):
        problem(guest.post(path, body), 403, "not-allowed")
    ok(ana.post(path, changes), 201)
    ok(guest.post(path, {"ply": 0, "edition": match["edition"]}), 201)
    hidden = ok(ana.get("/games/cite-lumiere/editions"))["items"][-1]["id"]
    problem(guest.post(path, {"ply": 0, "edition": hidden}), 422, "unknown-edition")


def test_an_edition_for_a_match_counts_as_one_of_the_account(ana: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.games.editions.MAX_EDITIONS", 1)
    path = f"/matches/{ana.begin('Ana', 'Una')['id']}/corrections"
    ok(ana.post(path, {"ply": 0, "edition_changes": {"chimneys": 6}}), 201)
    for dry_run in (True, False):
        another = {"ply": 0, "edition_changes": {"chimneys": 5}, "dry_run": dry_run}
        problem(ana.post(path, another), 409, "too-many-editions")


def test_an_account_makes_so_many_editions_and_no_more(
    ana: Person, eva: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.games.editions.MAX_EDITIONS", 2)
    body = {"title": "Ours", "based_on": "devir-2019", "changes": {}}
    for game, base in (("cite-lumiere", "devir-2019"), ("paris", "rulebook-2020")):
        ok(ana.post(f"/games/{game}/editions", {**body, "based_on": base}), 201)
    assert "2 editions" in problem(ana.post("/games/cite-lumiere/editions", body), 409, "too-many-editions")["detail"]
    ok(eva.post("/games/cite-lumiere/editions", body), 201)


# People


def test_a_name_leads_only_to_people_one_knows(ana: Person, eva: Person) -> None:
    first = ana.begin("Ana", "Jan", visibility="private")["players"]
    again = ana.begin("Jan", "Ana")["players"]
    assert {seat["player_id"] for seat in first} == {seat["player_id"] for seat in again}
    elsewhere = eva.begin("Jan", "Eva")["players"]
    assert elsewhere[0]["player_id"] not in {seat["player_id"] for seat in first}
    named = [{"seat": "orange", "player_id": first[0]["player_id"]}, {"seat": "blue", "name": "Eva"}]
    problem(eva.post("/matches", {**new_match(["x", "y"]), "players": named}), 422, "unknown-player")
    assert [player["name"] for player in eva.all_items("/players")] == ["Eva", "Jan"]
    problem(eva.get(f"/players/{first[0]['player_id']}/history"), 404, "not-found")


def test_who_shares_a_match_knows_the_others(ana: Person, jan: Person) -> None:
    players = ana.all_items("/matches")[0]["players"]
    found = jan.begin("Ana", "Jan")["players"]
    assert [seat["player_id"] for seat in found] == [seat["player_id"] for seat in players]
    assert {player["name"] for player in jan.all_items("/players?name=a")} == {"Ana"}


def test_a_player_is_found_through_matches_that_one_finds(ana: Person, eva: Person, anyone: Person) -> None:
    for visibility, others in (("private", 404), ("unlisted", 404), ("club", 200), ("public", 200)):
        player = ana.begin("Ana", f"Jan of {visibility}", visibility=visibility)["players"][1]["player_id"]
        assert eva.get(f"/players/{player}").status_code == others
        assert anyone.get(f"/players/{player}").status_code == (200 if visibility == "public" else 404)
        assert ana.get(f"/players/{player}").status_code == 200


def test_nobody_reads_the_matches_of_another_by_merging_players(ana: Person, jan: Person, olga: Person) -> None:
    """A player with an account stays who they are, and what others added is for owners to merge."""
    jans = jan.account["player_id"]
    secret = jan.begin("Jan", "Una", visibility="private")
    typo = ana.begin("Jam", "Ana")["players"][0]["player_id"]
    problem(ana.post(f"/players/{jans}/merge", {"into": typo}), 403, "not-allowed")
    problem(ana.patch(f"/players/{jans}", {"name": "John"}), 403, "not-allowed")
    problem(ana.get(f"/matches/{secret['id']}"), 404, "not-found")
    problem(ana.post(f"/players/{typo}/merge", {"into": jans}), 403, "not-allowed")
    problem(olga.post(f"/players/{jans}/merge", {"into": typo}), 409, "already-so")
    assert ok(olga.post(f"/players/{typo}/merge", {"into": jans}))["id"] == jans
    for member in (ana, jan):
        problem(member.delete(f"/players/{typo}/merge"), 403, "not-allowed")
    assert ok(olga.delete(f"/players/{typo}/merge"))["id"] == typo


def test_who_merges_what_they_added_into_themselves_reads_and_records_no_more_than_before(
    olga: Person, ana: Person
) -> None:
    """The name of a guest is planted in a match of others, and merged into oneself when it was used again."""
    berta, anton = with_player(olga, "Berta"), with_player(olga, "Anton")
    bertas = berta.account["player_id"]
    seats = [{"seat": "orange", "name": "Xaver"}, {"seat": "blue", "player_id": bertas}]
    olga_body = {**new_match(["x", "y"]), "players": seats}
    planted = ok(olga.post("/matches", olga_body), 201)
    xaver = planted["players"][0]["player_id"]
    secret = berta.begin("Xaver", "Berta", visibility="private")
    path = f"/matches/{secret['id']}"
    assert secret["players"][0]["player_id"] == xaver
    problem(anton.post(f"/players/{xaver}/merge", {"into": anton.account["player_id"]}), 404, "not-found")
    ok(olga.post(f"/players/{xaver}/merge", {"into": anton.account["player_id"]}))
    for shown in (anton.get(path), anton.post(f"{path}/moves", entry(OPENING[0])), anton.patch(path, {"venue": "x"})):
        problem(shown, 404, "not-found")
    assert secret["id"] not in {match["id"] for match in anton.all_items("/matches")}
    assert ok(berta.get(path))["players"][0]["name"] == "Anton", "names follow the merge"
    again = berta.begin("x", "Berta", visibility="private", players=[{"seat": "orange", "player_id": xaver}, seats[1]])
    problem(anton.get(f"/matches/{again['id']}"), 404, "not-found")


def test_a_member_merges_and_makes_anonymous_only_players_whom_nobody_else_has_met(ana: Person, jan: Person) -> None:
    jans = jan.account["player_id"]
    own = ana.begin("Una", "Ola")["players"]
    shared = ok(
        ana.post(
            "/matches",
            {
                **new_match(["x", "y"]),
                "players": [{"seat": "orange", "name": "Ida"}, {"seat": "blue", "player_id": jans}],
            },
        ),
        201,
    )["players"]
    ida = shared[0]["player_id"]
    problem(ana.post(f"/players/{ida}/anonymise"), 403, "not-allowed")
    problem(ana.post(f"/players/{ida}/merge", {"into": own[0]["player_id"]}), 403, "not-allowed")
    problem(ana.post(f"/players/{own[0]['player_id']}/merge", {"into": ida}), 403, "not-allowed")
    typo = ana.begin("Unna", "Ola")["players"][0]["player_id"]
    assert ok(ana.post(f"/players/{typo}/merge", {"into": own[0]["player_id"]}))["name"] == "Una"
    assert ok(ana.delete(f"/players/{typo}/merge"))["name"] == "Unna"
    assert ok(ana.post(f"/players/{typo}/anonymise"))["name"] == "Player 1"


def test_who_manages_a_match_gives_a_guest_who_has_an_account_now_their_earlier_seat(
    olga: Person, ana: Person, eva: Person
) -> None:
    match = ana.begin("Ida", "Jan", visibility="private")
    guest = match["players"][0]["player_id"]
    ida = with_player(olga, "Ida")
    path = f"/matches/{match['id']}"
    ok(olga.post(f"/players/{guest}/merge", {"into": ida.account["player_id"]}))
    problem(ida.get(path), 404, "not-found")
    shown = ok(ana.get(path))["players"]
    assert shown[0]["player_id"] == ida.account["player_id"]
    ok(ana.put(f"{path}/players", {"players": match_seats({"players": shown})}))
    assert ok(ida.get(path))["id"] == match["id"]


def test_a_name_means_nobody_with_an_account_whom_one_knows_by_a_merge_alone(olga: Person, ana: Person) -> None:
    guest = ana.begin("Ana", "Xaver")["players"][1]["player_id"]
    anton = with_player(olga, "Anton")
    ok(olga.post(f"/players/{guest}/merge", {"into": anton.account["player_id"]}))
    named = ana.begin("Ana", "Anton", visibility="private")
    assert named["players"][1]["player_id"] != anton.account["player_id"]
    problem(anton.get(f"/matches/{named['id']}"), 404, "not-found")


def test_the_account_of_a_player_is_that_of_the_survivor(olga: Person, ana: Person) -> None:
    one, other = (ana.begin(name, "Ola")["players"][0]["player_id"] for name in ("Jan", "Jann"))
    waiting = ok(olga.post("/invitations", {"name": "Jan", "player_id": one}), 201)
    ok(olga.post(f"/players/{one}/merge", {"into": other}))
    problem(Person(olga.app).post("/sign-in", {"link": waiting["secret"]}), 409, "already-so")
    assert invited(olga, "Jan", player_id=one).account["player_id"] == other


def test_an_anonymous_player_has_no_name_anywhere_and_the_log_verifies(
    olga: Person, ana: Person, jan: Person, dsn: str
) -> None:
    key = {"Idempotency-Key": "once"}
    body = new_match(["Ana", "Jan"])
    made = ok(ana.post("/matches", body, key), 201)
    jans = jan.account["player_id"]
    ok(jan.patch(f"/players/{jans}", {"name": "Jan Novák"}))
    typo = ana.begin("Jan Novak", "Ana")["players"][0]["player_id"]
    ok(olga.post(f"/players/{typo}/merge", {"into": jans}))

    assert ok(jan.post(f"/players/{jans}/anonymise"))["name"] == "Player 1"
    names = {seat["name"] for match in ana.all_items("/matches") for seat in match["players"]}
    assert names == {"Ana", "Player 1"}
    assert {entry["name"] for entry in ok(jan.get(f"/players/{jans}/history"))["items"]} == {"Player 1"}
    assert ok(ana.get(f"/players/{typo}"))["name"] == "Player 1"
    again = ok(ana.post("/matches", body, key), 201)
    assert (again["id"], again["players"][1]["name"]) == (made["id"], "Player 1")
    with psycopg.connect(dsn) as connection:
        for table in ("players", "player_changes", "idempotency_keys", "matches", "match_details", "events"):
            rows = connection.execute(SQL("SELECT t::text FROM {} t").format(Identifier(table))).fetchall()
            assert rows
            assert not re.search(r"Jan\b|Nov[aá]k", str(rows)), table
    assert ok(ana.get(f"/matches/{made['id']}/verify"))["valid"] is True
    problem(jan.post(f"/players/{jans}/anonymise"), 409, "already-so")


def test_who_added_a_player_makes_him_anonymous_and_cannot_name_him_again(ana: Person) -> None:
    player = ana.begin("Ana", "Una")["players"][1]["player_id"]
    assert ok(ana.post(f"/players/{player}/anonymise"))["name"] == "Player 1"
    problem(ana.patch(f"/players/{player}", {"name": "Una"}), 403, "not-allowed")
    second = ana.begin("Ana", "Player 1")["players"][1]["player_id"]
    assert second != player
    assert ok(ana.post(f"/players/{second}/anonymise"))["name"] == "Player 2"


# Keys and actors


def test_an_idempotency_key_is_the_principals_own(ana: Person, eva: Person) -> None:
    key = {"Idempotency-Key": "first"}
    first = ana.post("/matches", new_match(["Ana", "Jan"]), key)
    others = eva.post("/matches", new_match(["Eva", "Ida"]), key)
    assert ok(others, 201)["id"] != ok(first, 201)["id"]
    by_token = ana.with_token().post("/matches", new_match(["Ana", "Jan"]), key)
    assert by_token.headers["Idempotent-Replayed"] == "true"
    assert ok(by_token, 201)["id"] == ok(first, 201)["id"]


def test_a_kept_answer_is_not_given_to_who_has_lost_the_right(ana: Person, jan: Person) -> None:
    match = ana.all_items("/matches")[0]
    path, key = f"/matches/{match['id']}", {"Idempotency-Key": "move"}
    ok(jan.post(f"{path}/moves", entry(OPENING[0]), key), 201)
    players = [{"seat": "orange", "name": "Ana"}, {"seat": "blue", "name": "Ida"}]
    ok(ana.put(f"{path}/players", {"players": players}))
    ok(ana.patch(path, {"visibility": "private"}))
    problem(jan.post(f"{path}/moves", entry(OPENING[0]), key), 404, "not-found")


def test_the_log_says_who_recorded(ana: Person, jan: Person) -> None:
    match = Match(ana, ana.all_items("/matches")[0]["id"])
    match.record(OPENING[0])
    Match(jan, match.id).record(OPENING[1])
    actors = [event["actor"] for event in match.events()]
    assert actors == [ana.account["id"], ana.account["id"], jan.account["id"]]
    assert ok(match.get("/verify"))["valid"] is True
