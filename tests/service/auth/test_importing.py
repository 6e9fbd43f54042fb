"""What an import may do: it gives its owner no right over matches, players, editions or notes of others."""

from typing import Any

import orjson
import pytest

from domain.canonical import canonical
from domain.match import Draft, EventKind, seal
from service.db.annotations import Written
from tests.service.auth.people import Person, invited
from tests.service.exchange.files import PLAYS, export, play
from tests.service.exchange.test_importing import outcomes
from tests.service.harness import OPENING, Match, ok, problem


def sent(person: Person, file: bytes, query: str = "") -> Any:
    return ok(person.raw("POST", f"/matches/import{query}", file, "application/octet-stream"))


def told(person: Person, file: bytes, query: str = "") -> tuple[str, str | None]:
    """What became of the one match of a file, with the code of its refusal."""
    [item] = sent(person, file, query)["items"]
    return item["outcome"], item.get("code")


def exported(person: Person, match_id: str, form: str = "json") -> bytes:
    response = person.get(f"/matches/{match_id}/export?format={form}")
    assert response.status_code == 200, response.text
    return bytes(response.data)


def other_id(file: bytes, match_id: str) -> bytes:
    """The text of another match."""
    return file.replace(match_id.encode(), b"019a93c8-0000-7000-8000-000000000001")


@pytest.fixture
def held(olga: Person, ana: Person) -> tuple[Any, Person]:
    """A private match of Ana's with some moves, and Jan, who plays in it and has an account."""
    match = ana.begin("Ana", "Jan", visibility="private")
    Match(ana, match["id"]).record(*OPENING[:3])
    return match, invited(olga, "Jan", player_id=match["players"][1]["player_id"])


def test_who_imports_a_match_owns_it_and_it_is_recorded_by_them(ana: Person, eva: Person) -> None:
    match = ana.begin("Ana", "Jan")
    Match(ana, match["id"]).record(*OPENING)
    text = other_id(exported(ana, match["id"], "text"), match["id"])
    [item] = sent(eva, text)["items"]
    copy = ok(eva.get(f"/matches/{item['match_id']}"))
    assert (copy["owner_id"], copy["visibility"]) == (eva.account["id"], "club")
    assert {event["actor"] for event in eva.all_items(f"/matches/{copy['id']}/events")} == {eva.account["id"]}
    assert not {player["player_id"] for player in copy["players"]} & {
        player["player_id"] for player in match["players"]
    }
    problem(ana.patch(f"/matches/{copy['id']}", {"venue": "here"}), 403, "not-allowed")
    assert told(eva, text) == ("same", None)


def test_nobody_imports_without_the_right_to_record(ana: Person, anyone: Person) -> None:
    problem(anyone.raw("POST", "/matches/import", b"carnet 1\n", "application/octet-stream"), 401, "sign-in-needed")
    reader = ana.with_token("read")
    problem(reader.raw("POST", "/matches/import", b"carnet 1\n", "application/octet-stream"), 403, "not-allowed")


def test_a_match_of_others_that_one_may_not_read_is_neither_shown_nor_touched(
    held: tuple[Any, Person], ana: Person, eva: Person
) -> None:
    match, _ = held
    file, text = exported(ana, match["id"]), exported(ana, match["id"], "text")
    assert told(eva, file) == ("refused", "taken")
    [item] = sent(eva, text)["items"]
    assert item["outcome"] == "new" and item["match_id"] != match["id"]
    problem(eva.get(f"/matches/{match['id']}"), 404, "not-found")
    assert exported(ana, match["id"]) == file


def test_only_its_people_let_a_match_go_on_by_a_file(ana: Person, eva: Person) -> None:
    match = Match(ana, ana.begin("Ana", "Ida")["id"])
    match.record(*OPENING)
    longer = exported(ana, match.id)
    texts = exported(ana, match.id, "text")
    match.undo(3)
    match.post("/restore", {"version": 4})
    shorter = Match(ana, ana.begin("Ana", "Ida")["id"])
    shorter.record(*OPENING[:2])
    short = exported(ana, shorter.id, "text").splitlines(keepends=True)
    more = texts.replace(match.id.encode(), shorter.id.encode())
    assert told(eva, more) == ("longer", None)
    assert told(eva, more, "?extend=1") == ("refused", "not-allowed")
    assert told(eva, longer, "?extend=1")[0] == "same"
    assert exported(ana, shorter.id, "text").splitlines(keepends=True) == short
    answer = sent(ana, more, "?extend=1")
    assert outcomes(answer) == ["longer"]
    assert shorter.document()["ply"] == len(OPENING)
    assert ok(ana.post(f"/imports/{answer['id']}/undo"))["restored"] == 1
    assert shorter.document()["ply"] == 2


def test_a_play_that_was_changed_elsewhere_is_changed_by_who_owns_it(ana: Person, eva: Person) -> None:
    file = export(PLAYS[:1])
    changed = export([play(1, [(1, "70", True), (2, "55", False)])])
    assert told(ana, file) == ("new", None)
    assert told(eva, changed) == ("forked", None)
    assert told(ana, changed) == ("changed", None)


def appended(file: bytes, kind: str, payload: Any, people: list[Any], **head: Any) -> bytes:
    """A document with one more event."""
    document = orjson.loads(file)
    last = document["events"][-1]
    event = seal(
        Draft(EventKind(kind), canonical(payload)),
        match_id=document["id"],
        seq=last["seq"] + 1,
        actor=None,
        recorded_at=last["recorded_at"],
        prev_hash=last["hash"],
    )
    members = {**event._asdict(), "payload": payload}
    document["events"].append({name: members[name] for name in last})
    document["people"] += people
    document["head"] |= {"version": event.seq, **head}
    return orjson.dumps(document)


def test_a_file_seats_nobody_whom_its_owner_could_not_seat(held: tuple[Any, Person], ana: Person, eva: Person) -> None:
    match, jan = held
    file = exported(ana, match["id"])
    eva_player = eva.begin("Eva", "Tom", visibility="private")["players"][0]["player_id"]
    seats = [{"seat": seat["seat"], "player_id": seat["player_id"]} for seat in match["players"]]
    theirs = [seats[0], {"seat": "blue", "player_id": eva_player}]
    stranger = {"id": eva_player, "name": "Eva"}
    # Who plays goes on with the match, but gives no seats; who owns it knows whom they seat.
    reseated = appended(file, "players_assigned", {"players": theirs}, [stranger])
    assert told(jan, reseated, "?extend=1") == ("refused", "not-allowed")
    assert told(ana, reseated, "?extend=1") == ("refused", "unknown-player")
    new = {"id": "019a93c8-0000-7000-8000-0000000000aa", "name": "Ola"}
    theirs[1] = {"seat": "blue", "player_id": new["id"]}
    reseated = appended(file, "players_assigned", {"players": theirs}, [new])
    assert told(jan, reseated, "?extend=1") == ("refused", "not-allowed")
    assert told(ana, reseated, "?extend=1") == ("longer", None)
    problem(jan.get(f"/matches/{match['id']}"), 404, "not-found")


def test_players_of_others_do_not_become_known_by_a_file(held: tuple[Any, Person], ana: Person, eva: Person) -> None:
    match, _ = held
    document = orjson.loads(exported(ana, match["id"]))
    document["id"] = "019a93c8-0000-7000-8000-000000000002"
    forged = resealed(document)
    assert told(eva, forged) == ("refused", "unknown-player")
    for player in match["players"]:
        problem(eva.get(f"/players/{player['player_id']}"), 404, "not-found")


def resealed(document: Any) -> bytes:
    """A document under its present id, recorded by nobody."""
    before = None
    for event in document["events"]:
        sealed = seal(
            Draft(EventKind(event["kind"]), canonical(event["payload"])),
            match_id=document["id"],
            seq=event["seq"],
            actor=None,
            recorded_at=event["recorded_at"],
            prev_hash=before,
        )
        event |= {"actor": None, "prev_hash": before, "hash": sealed.hash}
        before = sealed.hash
    for details in document["details"]:
        details["actor"] = None
    document["writers"] = []
    return orjson.dumps(document)


def test_nobody_writes_or_changes_notes_in_the_name_of_others(ana: Person, eva: Person, olga: Person) -> None:
    match = Match(ana, ana.begin("Ana", "Jan")["id"])
    match.record(*OPENING)
    note = match.annotate(1, text="Mine.")
    document = orjson.loads(exported(ana, match.id))
    [annotation] = document["annotations"]
    wording = annotation["wordings"][0]
    annotation["wordings"].append(
        {**wording, "revision": 1, "content": {**wording["content"], "text": "Not mine."}, "actor": None}
    )
    changed = orjson.dumps(document)
    [item] = sent(eva, changed)["items"]
    assert (item["outcome"], item["detail"]) == ("same", "1 note was left out, since you may not write them here.")
    added = {**annotation, "id": "019a93c8-0000-7000-8000-0000000000ff", "wordings": [wording]}
    [item] = sent(eva, orjson.dumps({**document, "annotations": [added]}))["items"]
    assert (item["outcome"], item["detail"]) == ("same", "1 note was left out, since you may not write them here.")
    own = {**added, "author": None, "wordings": [{**wording, "actor": None}]}
    assert told(eva, orjson.dumps({**document, "annotations": [own]})) == ("changed", None)
    assert [note["text"] for note in ok(ana.get(f"/annotations/{note['id']}/history"))["items"]] == ["Mine."]
    assert told(ana, changed) == ("changed", None)


def test_only_who_manages_a_match_shows_it_to_others_by_a_file(
    olga: Person, held: tuple[Any, Person], ana: Person
) -> None:
    match, jan = held
    document = orjson.loads(exported(ana, match["id"]))
    details = document["details"][-1]
    document["details"].append({**details, "revision": details["revision"] + 1, "actor": None, "visibility": "public"})
    file = orjson.dumps(document)
    [item] = sent(jan, file)["items"]
    assert (item["outcome"], item["detail"]) == (
        "same",
        "Its details are other ones there, and you may not change them.",
    )
    assert ok(ana.get(f"/matches/{match['id']}"))["visibility"] == "private"
    assert (answer := sent(ana, file))["items"][0]["outcome"] == "changed"
    assert ok(ana.get(f"/matches/{match['id']}"))["visibility"] == "public"
    assert ok(ana.post(f"/imports/{answer['id']}/undo"))["restored"] == 1
    assert ok(ana.get(f"/matches/{match['id']}"))["visibility"] == "private"
    trail = [one for one in ok(olga.get("/audit"))["items"] if one["act"] == "visibility_changed"]
    seen = [(one["match_id"], one["details"]["visibility"]) for one in trail]
    assert seen == [(match["id"], "private"), (match["id"], "public")]


def test_a_note_that_was_hidden_is_not_shown_again_by_a_file(ana: Person, eva: Person) -> None:
    match = Match(ana, ana.begin("Ana", "Jan")["id"])
    match.record(*OPENING)
    note = Match(eva, match.id).annotate(3, text="Rude.")
    document = orjson.loads(exported(eva, match.id))
    ok(ana.post(f"/annotations/{note['id']}/hide"))
    [annotation] = document["annotations"]
    wording = annotation["wordings"][0]
    later = {**wording, "revision": 2, "content": {**wording["content"], "text": "Ruder."}}
    annotation["wordings"].append(later)
    assert told(eva, orjson.dumps(document)) == ("changed", None)
    shown = ok(ana.get(f"/annotations/{note['id']}"))
    assert (shown["text"], shown["hidden"]) == ("Ruder.", True)


def test_who_only_reads_a_match_brings_no_more_notes_than_one_author_may_write(
    ana: Person, eva: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = Match(ana, ana.begin("Ana", "Jan")["id"])
    match.record(*OPENING)
    match.annotate(3, text="Mine.")
    monkeypatch.setattr("service.exchange.arriving.notes.ROOM_OF_AUTHOR", Written(2, 10_000))
    document = orjson.loads(exported(ana, match.id))
    [annotation] = document["annotations"]
    wording = {**annotation["wordings"][0], "actor": None}
    ids = [f"019a93c8-0000-7000-8000-00000000000{number}" for number in range(3)]
    document["annotations"] = [{**annotation, "id": one, "author": one, "wordings": [wording]} for one in ids]
    file = orjson.dumps(document)
    assert sent(eva, file)["items"][0]["detail"].startswith("Taken over: 2 notes. 1 note was left out: ")
    assert told(eva, file) == ("same", None)
    assert told(ana, file) == ("changed", None)


def test_what_one_may_no_longer_read_is_not_undone(ana: Person, eva: Person) -> None:
    match = Match(ana, ana.begin("Ana", "Ida")["id"])
    match.record(*OPENING)
    text = exported(eva, match.id, "text").replace(b"\n4 ", b"\n; Why?\n4 ")
    answer = sent(eva, text)
    assert outcomes(answer) == ["changed"]
    ok(ana.patch(match.path, {"visibility": "private"}))
    assert ok(eva.post(f"/imports/{answer['id']}/undo")) == {"withdrawn": 0, "restored": 0, "kept": 1}
    assert [note["text"] for note in ok(match.get("/annotations"))["items"]] == ["Why?"]


def test_an_edition_of_others_is_not_read_by_a_file_that_names_it(ana: Person, eva: Person) -> None:
    body = {"based_on": "devir-2019", "title": "Mine", "changes": {"chimneys": 9}}
    edition = ok(ana.post("/games/cite-lumiere/editions", body), 201)
    match = ana.begin("Ana", "Jan", edition=edition["id"], visibility="private")
    text = other_id(exported(ana, match["id"], "text"), match["id"])
    bare = b"\n".join(line for line in text.split(b"\n") if not line.startswith((b"based-on", b"title", b"printed")))
    assert told(eva, bare) == ("refused", "unknown-edition")
    assert told(ana, bare, "?visibility=private") == ("new", None)
    forged = text.replace(f" sha256:{edition['digest']}".encode(), b"").replace(b"chimneys 9", b"chimneys 8")
    forged = forged.replace(b"000001\n", b"000003\n")
    assert b"chimneys 8" in forged
    assert told(eva, forged) == ("refused", "edition-differs")
    problem(eva.get(f"/games/cite-lumiere/editions/{edition['id']}"), 404, "not-found")


def test_reports_names_and_undoing_are_ones_own(ana: Person, eva: Person) -> None:
    match = ana.begin("Ana", "Jan")
    answer = sent(ana, other_id(exported(ana, match["id"], "text"), match["id"]))
    assert outcomes(answer) == ["new"]
    for path in ("", "/items"):
        problem(eva.get(f"/imports/{answer['id']}{path}"), 404, "not-found")
    problem(eva.post(f"/imports/{answer['id']}/undo"), 404, "not-found")
    assert ok(eva.get("/imports"))["items"] == []
    jan = match["players"][1]["player_id"]
    names = {"names": [{"system": "carnet", "name": "Jan", "player_id": jan}]}
    problem(eva.put("/imports/names", names), 422, "malformed")
    assert ok(ana.post(f"/imports/{answer['id']}/undo"))["withdrawn"] == 1
