"""Who people are: names that are the same, several people of one name, renaming, merging and taking that back."""

from typing import Any

import pytest

from tests.service.conftest import NewMatch
from tests.service.harness import (
    SETUP,
    UNKNOWN_ID,
    Match,
    Service,
    is_new_id,
    nothing_changes,
    ok,
    pointers,
    problem,
)

PLAYER = {"id", "name", "revision", "created_at"}


def people(orange: str, blue: str) -> list[dict[str, str]]:
    return [{"seat": "orange", "name": orange}, {"seat": "blue", "name": blue}]


def ids(match: Match) -> list[str]:
    return [player["player_id"] for player in match.document()["players"]]


def names(match: Match) -> list[str]:
    return [player["name"] for player in match.document()["players"]]


def create(service: Service, orange: str, blue: str) -> Any:
    return service.post("/matches", {"game": "cite-lumiere", "players": people(orange, blue), "setup": SETUP})


@pytest.fixture
def namesakes(service: Service, new_match: NewMatch) -> list[str]:
    """Two people who are both called Ana."""
    one, other = ids(new_match(players=people("Ana", "Anna")))
    ok(service.patch(f"/players/{other}", {"name": "ana"}))
    return sorted([one, other])


# Names


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana", "ana"),
        ("Ana", "  Ana\t"),
        ("Ana Maria", "ana \u00a0\n maria"),
        ("Zo\u00eb", "Zoe\u0308"),
        ("ZO\u00cb", "zoe\u0308"),
        ("Straße", "STRASSE"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"),
        ("Łukasz", "ŁUKASZ"),
        ("🎲 Ana 🎲", "🎲  ANA 🎲"),
        ("\U0001d49c", "\U0001d49c"),
        ("Ana", "A\u200bna\ufeff"),
        ("Ana Maria", "Ana \u2060 Maria"),
        ("Ana", "\u202eAna\u202c"),
        ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0645\u06cc\u062e\u0648\u0627\u0647\u0645"),
    ],
)
def test_names_that_are_the_same_are_one_player(new_match: NewMatch, one: str, other: str) -> None:
    assert ids(new_match(players=people(one, "Jan")))[0] == ids(new_match(players=people("Jan", other)))[1]


@pytest.mark.parametrize(
    ("one", "other"), [("Ana", "Anna"), ("Zoë", "Zoe"), ("Ana Maria", "AnaMaria"), ("🎲", "🎯"), ("ﬁ", "f i")]
)
def test_names_that_differ_are_two_players(new_match: NewMatch, one: str, other: str) -> None:
    first, second = ids(new_match(players=people(one, other)))
    assert first != second


def test_a_name_is_kept_as_it_was_first_written_but_for_its_spaces(new_match: NewMatch) -> None:
    match = new_match(players=people("  Zoe\u0308   van  Dam ", "Jan"))
    assert names(match) == ["Zo\u00eb van Dam", "Jan"]
    assert names(new_match(players=people("zoë VAN dam", "Jan"))) == ["Zo\u00eb van Dam", "Jan"]


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("A\u200bn\u00ada\u200e", "Ana"),
        ("\u200dAna\u200d", "Ana"),
        ("e\u200b\u0301", "\u00e9"),
        ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"),
        ("\u845b\U000e0100", "\u845b\U000e0100"),
        ("\U0001f469\u200d\U0001f52c \u2764\ufe0f", "\U0001f469\u200d\U0001f52c \u2764\ufe0f"),
    ],
)
def test_a_name_is_kept_without_what_cannot_be_seen_but_for_what_scripts_need(
    new_match: NewMatch, written: str, kept: str
) -> None:
    assert names(new_match(players=people(written, "Jan"))) == [kept, "Jan"]


@pytest.mark.unchanging
@pytest.mark.parametrize("name", ["\u200b", " \u2060\ufeff ", "\u3164", "\u2800", "\ufe0f\u200d", "\x1b", "\U000e0041"])
def test_a_name_of_which_nothing_can_be_seen_is_refused(service: Service, match: Match, name: str) -> None:
    assert pointers(problem(create(service, name, "Jan"), 422, "malformed")) == ["/players/0/name"]
    renamed = service.patch(f"/players/{ids(match)[0]}", {"name": name})
    assert pointers(problem(renamed, 422, "malformed")) == ["/name"]
    assert pointers(problem(service.patch(match.path, {"venue": name}), 422, "malformed")) == ["/venue"]


def test_a_name_has_at_most_80_characters(new_match: NewMatch) -> None:
    assert names(new_match(players=people("é" * 80, "🎲" * 80))) == ["é" * 80, "🎲" * 80]


@pytest.mark.unchanging
@pytest.mark.parametrize(("one", "other"), [("Ana", "ANA "), ("Zoë", "Zoe\u0308")])
def test_nobody_plays_twice_in_a_match(service: Service, one: str, other: str) -> None:
    assert pointers(problem(create(service, one, other), 422, "malformed")) == ["/players/1"]
    assert service.all_items("/players") == []


def test_nobody_plays_twice_by_his_id(service: Service, match: Match) -> None:
    ana = ids(match)[0]
    for other in ({"player_id": ana}, {"name": "ana"}):
        seats = [{"seat": "orange", "player_id": ana}, {"seat": "blue", **other}]
        refused = service.post("/matches", {"game": "cite-lumiere", "players": seats, "setup": SETUP})
        assert pointers(problem(refused, 422, "malformed")) == ["/players/1"]


def test_a_player_may_be_named_by_his_id(match: Match, new_match: NewMatch) -> None:
    ana, jan = ids(match)
    again = new_match(players=[{"seat": "orange", "player_id": jan}, {"seat": "blue", "player_id": ana}])
    assert ids(again) == [jan, ana]
    assert names(again) == ["Jan", "Ana"]


def test_a_player_who_is_not_there_is_refused(service: Service, match: Match) -> None:
    seats = [{"seat": "orange", "name": "Somebody new"}, {"seat": "blue", "player_id": UNKNOWN_ID}]
    refused = service.post("/matches", {"game": "cite-lumiere", "players": seats, "setup": SETUP})
    assert pointers(problem(refused, 422, "unknown-player"))[0].startswith("/players/1")
    with nothing_changes(match):
        problem(service.put(f"{match.path}/players", {"players": seats}), 422, "unknown-player")
    assert len(service.all_items("/players")) == 2


def test_several_players_of_a_name_are_named_as_candidates(
    service: Service, namesakes: list[str], new_match: NewMatch
) -> None:
    known = service.all_items("/players")
    refused = problem(create(service, "ANA", "Somebody new"), 409, "ambiguous-name")
    assert sorted(refused["candidates"]) == namesakes
    assert pointers(refused) == ["/players/0/name"]
    assert service.all_items("/players") == known
    match = new_match(players=[{"seat": "orange", "player_id": namesakes[1]}, {"seat": "blue", "name": "Jan"}])
    with nothing_changes(match):
        problem(service.put(f"{match.path}/players", {"players": people("Jan", "Ana")}), 409, "ambiguous-name")


# Reading and renaming


def test_a_player_is_read_by_id(service: Service, match: Match) -> None:
    player_id = ids(match)[0]
    player = ok(service.get(f"/players/{player_id}"))
    assert set(player) == PLAYER
    assert (player["id"], player["name"]) == (player_id, "Ana")
    assert is_new_id(player["id"])
    assert service.all_items("/players")[0] == player


def test_the_list_finds_names_by_how_they_begin(service: Service, new_match: NewMatch) -> None:
    new_match(players=people("Ana", "Zoë"))
    new_match(players=people("Anna Maria", "J%n"))
    for query, found in (
        ("AN", ["Ana", "Anna Maria"]),
        ("anna%20%20m", ["Anna Maria"]),
        ("zoe%CC%88", ["Zoë"]),
        ("j%25", ["J%n"]),
        ("%25", []),
        ("maria", []),
    ):
        assert [player["name"] for player in service.all_items(f"/players?name={query}")] == found


def test_a_player_is_renamed_in_all_matches(service: Service, match: Match, new_match: NewMatch) -> None:
    other, ana = new_match(), ids(match)[0]
    with_log = match.events()
    renamed = ok(service.patch(f"/players/{ana}", {"name": " Anaïs   B. "}))
    assert set(renamed) == PLAYER
    assert (renamed["name"], renamed["revision"]) == ("Anaïs B.", 1)
    assert names(match) == names(other) == ["Anaïs B.", "Jan"]
    assert ids(new_match(players=people("ANAÏS b.", "Jan")))[0] == ana
    assert ids(new_match(players=people("Ana", "Jan")))[0] != ana
    assert match.events() == with_log
    items = ok(service.get(f"/players/{ana}/history"))["items"]
    assert [(item["revision"], item["name"], item["merged_into"]) for item in items] == [
        (0, "Ana", None),
        (1, "Anaïs B.", None),
    ]


@pytest.mark.unchanging
@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/name"),
        ({"name": ""}, "/name"),
        ({"name": " "}, "/name"),
        ({"name": "x" * 81}, "/name"),
        ({"name": None}, "/name"),
        ({"name": ["Ana"]}, "/name"),
        ({"name": "Zoë", "id": UNKNOWN_ID}, "/id"),
    ],
)
def test_the_form_of_renaming_is_strict(service: Service, match: Match, body: Any, pointer: str) -> None:
    with nothing_changes(match):
        refused = problem(service.patch(f"/players/{ids(match)[0]}", body), 422, "malformed")
        assert set(pointers(refused)) == {pointer}


# Merging


@pytest.fixture
def four(new_match: NewMatch) -> list[str]:
    """Four people, of whom the first met the second, and the third the fourth."""
    return [*ids(new_match(players=people("A", "B"))), *ids(new_match(players=people("C", "D")))]


def merge(service: Service, one: str, into: str) -> Any:
    return ok(service.post(f"/players/{one}/merge", {"into": into}))


def test_after_a_merge_the_old_id_answers_with_the_survivor(service: Service, four: list[str]) -> None:
    a, _, c, _ = four
    events = [Match(service, item["id"]).events() for item in service.all_items("/matches")]
    survivor = merge(service, a, c)
    assert set(survivor) == PLAYER
    assert (survivor["id"], survivor["name"]) == (c, "C")
    assert ok(service.get(f"/players/{a}")) == ok(service.get(f"/players/{c}"))
    assert [player["name"] for player in service.all_items("/players")] == ["B", "C", "D"]
    matches = service.all_items("/matches")
    assert [[p["name"] for p in item["players"]] for item in matches] == [["C", "D"], ["C", "B"]]
    assert matches[1]["players"][0]["player_id"] == c
    for player in (a, c):
        assert len(service.all_items(f"/matches?player={player}")) == 2
    assert [Match(service, item["id"]).events() for item in matches] == events


def test_a_merged_name_is_free_and_an_old_id_sits_down_as_the_survivor(
    service: Service, four: list[str], new_match: NewMatch
) -> None:
    a, _, c, _ = four
    merge(service, a, c)
    assert ids(new_match(players=people("A", "E")))[0] not in four
    match = new_match(players=[{"seat": "orange", "player_id": a}, {"seat": "blue", "name": "B"}])
    assert ids(match)[0] == c
    assert match.events()[0]["payload"]["players"][0]["player_id"] == c


def test_a_merge_can_be_taken_back(service: Service, four: list[str]) -> None:
    a, _, c, _ = four
    merge(service, a, c)
    back = ok(service.delete(f"/players/{a}/merge"))
    assert (back["id"], back["name"]) == (a, "A")
    assert [player["name"] for player in service.all_items("/players")] == ["A", "B", "C", "D"]
    assert len(service.all_items(f"/matches?player={a}")) == len(service.all_items(f"/matches?player={c}")) == 1
    history = ok(service.get(f"/players/{a}/history"))["items"]
    assert [item["merged_into"] for item in history] == [None, c, None]
    problem(service.delete(f"/players/{a}/merge"), 409, "already-so")


def test_merges_chain_and_come_apart_where_they_were_joined(service: Service, new_match: NewMatch) -> None:
    a = ids(new_match(players=people("A", "Y")))[0]
    b = ids(new_match(players=people("B", "Y")))[0]
    c = ids(new_match(players=people("C", "Y")))[0]
    merge(service, a, b)
    assert merge(service, b, c)["id"] == c
    for player in (a, b, c):
        assert ok(service.get(f"/players/{player}"))["id"] == c
    assert len(service.all_items(f"/matches?player={a}")) == 3
    assert ok(service.delete(f"/players/{b}/merge"))["id"] == b
    assert [ok(service.get(f"/players/{player}"))["id"] for player in (a, b, c)] == [b, b, c]
    assert len(service.all_items(f"/matches?player={a}")) == 2
    ok(service.delete(f"/players/{a}/merge"))
    assert [ok(service.get(f"/players/{player}"))["id"] for player in (a, b, c)] == [a, b, c]


def test_merging_a_merged_player_merges_his_survivor(service: Service, new_match: NewMatch) -> None:
    a, b, c = (ids(new_match(players=people(name, "Y")))[0] for name in "ABC")
    merge(service, a, b)
    assert merge(service, a, c)["id"] == c
    assert [ok(service.get(f"/players/{player}"))["id"] for player in (a, b, c)] == [c, c, c]


def test_those_who_met_are_not_one(service: Service, four: list[str]) -> None:
    a, b, c, d = four
    problem(service.post(f"/players/{a}/merge", {"into": b}), 409, "players-met")
    problem(service.post(f"/players/{b}/merge", {"into": a}), 409, "players-met")
    merge(service, a, c)
    merge(service, b, d)
    problem(service.post(f"/players/{c}/merge", {"into": d}), 409, "players-met")
    problem(service.post(f"/players/{a}/merge", {"into": b}), 409, "players-met")


def test_a_merge_with_oneself_is_refused(service: Service, four: list[str]) -> None:
    a, _, c, _ = four
    problem(service.post(f"/players/{a}/merge", {"into": a}), 409, "already-so")
    merge(service, a, c)
    problem(service.post(f"/players/{a}/merge", {"into": c}), 409, "already-so")
    problem(service.post(f"/players/{c}/merge", {"into": a}), 409, "already-so")


def test_a_merged_player_cannot_be_seated_beside_his_survivor(service: Service, four: list[str]) -> None:
    a, _, c, _ = four
    merge(service, a, c)
    seats = [{"seat": "orange", "player_id": a}, {"seat": "blue", "name": "C"}]
    refused = service.post("/matches", {"game": "cite-lumiere", "players": seats, "setup": SETUP})
    assert pointers(problem(refused, 422, "malformed")) == ["/players/1"]


def test_renaming_by_an_old_id_renames_the_survivor(service: Service, four: list[str]) -> None:
    a, _, c, _ = four
    merge(service, a, c)
    assert ok(service.patch(f"/players/{a}", {"name": "Zoë"}))["id"] == c
    ok(service.delete(f"/players/{a}/merge"))
    assert [ok(service.get(f"/players/{player}"))["name"] for player in (a, c)] == ["A", "Zoë"]


@pytest.mark.parametrize(
    ("body", "pointer"),
    [({}, "/into"), ({"into": "C"}, "/into"), ({"into": None}, "/into"), ({"into": UNKNOWN_ID, "x": 1}, "/x")],
)
def test_the_form_of_a_merge_is_strict(service: Service, four: list[str], body: Any, pointer: str) -> None:
    refused = problem(service.post(f"/players/{four[0]}/merge", body), 422, "malformed")
    assert pointers(refused) == [pointer]


def test_a_merge_is_between_players_who_are_there(service: Service, four: list[str]) -> None:
    problem(service.post(f"/players/{four[0]}/merge", {"into": UNKNOWN_ID}), 422, "unknown-player")
    problem(service.post(f"/players/{UNKNOWN_ID}/merge", {"into": four[0]}), 404, "not-found")
    problem(service.delete(f"/players/{UNKNOWN_ID}/merge"), 404, "not-found")
    problem(service.patch(f"/players/{UNKNOWN_ID}", {"name": "Zoë"}), 404, "not-found")
