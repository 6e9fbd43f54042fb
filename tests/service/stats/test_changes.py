"""Whatever is done to matches, statistics know the same as if they were made anew, and tell what does not count."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import psycopg
import pytest
from flask import Flask

from domain.catalogue import GAMES
from scripts.random_play import play
from service.db.statistics import filters
from service.matches.integrity import rejudge_all
from service.stats import rebuilding
from tests.service.conftest import NewMatch
from tests.service.harness import SETUP, Match, Service, bring_into_conflict, ok

TABLES: Mapping[str, str] = {
    "match_facts": "match_id",
    "seat_facts": "match_id, position",
    "tallies": "game, family, edition, variant, players, category, visibility, tag, month, code",
    "player_tallies": "game, player_id, edition, variant, players, category, visibility, tag, month",
    "player_points": "game, player_id, edition, variant, players, category, visibility, tag, points",
    "player_features": "game, player_id, edition, variant, players, category, visibility, code",
    "opening_nodes": "game, node",
    "tag_counts": "tag",
    "opening_tallies": "game, node, edition, variant, players, category, visibility, tag, month",
}


def contents(dsn: str) -> dict[str, list[Any]]:
    """All that statistics know, row by row, and the variants of matches."""
    with psycopg.connect(dsn) as connection:
        found = {
            table: connection.execute(f"SELECT t::text FROM {table} t ORDER BY {key}".encode()).fetchall()  # noqa: S608
            for table, key in TABLES.items()
        }
        variants = connection.execute("SELECT match_id, variant FROM matches ORDER BY match_id").fetchall()
    return {**found, "variants": variants}


@pytest.fixture
def require_same(app: Flask, dsn: str) -> Callable[[], None]:
    """Fails unless making everything anew changes nothing."""

    def require() -> None:
        before = contents(dsn)
        assert all(why is None for _, why in rebuilding.rebuild(app.extensions["carnet"]))
        assert contents(dsn) == before

    return require


def finish(service: Service, game_id: str, seed: int, **members: Any) -> Match:
    """A random match that was played to its end."""
    game, match = begin(service, game_id, seed, **members)
    played = play(game, Random(seed))
    moves = [{"seat": seat, "move": game.move.dump(move)} for seat, move in played.plies]
    for first in range(0, len(moves), 200):
        ok(match.post("/moves", {"moves": moves[first : first + 200]}), 201)
    return match


def begin(service: Service, game_id: str, seed: int, **members: Any) -> tuple[Any, Match]:
    game = GAMES[game_id]
    drawn = play(game, Random(seed))
    names = Random(seed).sample(["Ana", "Jan", "Eva", "Petr", "Rui"], len(drawn.seats))
    people = [{"seat": seat, "name": name} for seat, name in zip(drawn.seats, names, strict=True)]
    body = {"game": game_id, "players": people, "setup": drawn.setup, "visibility": "public"}
    body["played_at"] = f"2026-0{1 + seed % 9}-11T10:00:00Z"
    return game, Match(service, ok(service.post("/matches", {**body, **members}), 201)["id"])


def population(service: Service, query: str = "") -> Any:
    return ok(service.get(f"/stats/players{query}"))["population"]


@pytest.fixture
def result_only(service: Service) -> Match:
    """A match of which only the result is known."""
    people = [{"seat": "orange", "name": "Ana"}, {"seat": "blue", "name": "Jan"}]
    setup = {"result_only": True, "points": {"orange": 48, "blue": 48}}
    body = {"game": "cite-lumiere", "players": people, "setup": setup, "played_at": "2019-05-04T15:00:00Z"}
    return Match(service, ok(service.post("/matches", body), 201)["id"])


def test_a_decided_tie_counts_for_its_winner(
    service: Service, result_only: Match, require_same: Callable[[], None]
) -> None:
    players = result_only.document()["players"]

    def wins() -> list[float]:
        return [ok(service.get(f"/stats/players/{player['player_id']}"))["wins"] for player in players]

    assert wins() == [0.5, 0.5]
    tie = {"winner": "blue", "decided_by": "free_spaces"}
    setup = {"result_only": True, "points": {"orange": 48, "blue": 48}, "tie": tie}
    ok(result_only.post("/corrections", {"ply": 0, "setup": setup}), 201)
    assert wins() == [0, 1]
    result = result_only.document()["result"]
    assert [(one["seat"], one["place"]) for one in result["ranking"]] == [("blue", 1), ("orange", 2)]
    require_same()


@pytest.mark.slow
def test_an_opening_is_kept_as_long_as_five_matches_have_it(
    service: Service, require_same: Callable[[], None], dsn: str
) -> None:
    def nodes(table: str) -> set[int]:
        with psycopg.connect(dsn) as connection:
            return {node for (node,) in connection.execute(f"SELECT node FROM {table}".encode())}  # noqa: S608

    matches = [finish(service, "cite-lumiere", 1) for _ in range(4)]
    assert (nodes("opening_nodes"), nodes("opening_tallies")) == (set(), {0})
    matches.append(finish(service, "cite-lumiere", 1))
    kept = nodes("opening_nodes")
    assert len(kept) > 3
    assert nodes("opening_tallies") == {0} | kept
    require_same()
    matches[0].undo(matches[0].document()["ply"] - 3)
    assert (nodes("opening_nodes"), nodes("opening_tallies")) == (set(), {0})
    require_same()
    finish(service, "cite-lumiere", 1)
    assert nodes("opening_tallies") == {0} | kept
    require_same()


@pytest.mark.slow
@pytest.mark.parametrize("game_id", list(GAMES))
def test_undo_correction_restore_and_details_leave_what_a_rebuild_would(
    service: Service, require_same: Callable[[], None], game_id: str
) -> None:
    matches = [finish(service, game_id, seed) for seed in range(4)]
    require_same()
    first, second, third, fourth = matches
    whole = first.document()
    first.undo(whole["ply"] - 3)
    assert population(service) == {"name": "club", "included": 3, "outcome_only": {}, "excluded": {"in_progress": 1}}
    require_same()
    ok(first.post("/restore", {"version": whole["version"]}), 201)
    assert population(service)["included"] == 4
    require_same()
    ok(second.correct(second.document()["ply"], "remove"), 201)
    ok(second.post("/abandon"))
    assert population(service)["excluded"] == {"abandoned": 1}
    ok(second.post("/reopen"))
    ok(service.patch(third.path, {"played_at": "2020-02-02T10:00:00Z", "tags": ["league"], "venue": "café"}))
    assert population(service, "?tag=league&venue=caf%C3%A9&to=2020-02-02")["included"] == 1
    nothing = ok(service.get("/stats/players?tag="))
    assert (nothing["items"], nothing["population"]["included"]) == ([], 0)
    ok(service.patch(third.path, {"visibility": "club"}))
    assert population(service, "?population=public")["included"] == 2
    ok(service.patch(fourth.path, {"visibility": "private"}))
    assert population(service)["included"] == 2
    require_same()
    ok(fourth.post("/withdraw"))
    ok(service.patch(fourth.path, {"visibility": "public"}))
    assert population(service)["excluded"] == {"in_progress": 1, "withdrawn": 1}
    require_same()
    ok(service.delete(f"{fourth.path}/withdraw"))
    people = fourth.document()["players"]
    swapped = [people[1]["player_id"], people[0]["player_id"], *(person["player_id"] for person in people[2:])]
    seats = [{"seat": one["seat"], "player_id": player} for one, player in zip(people, swapped, strict=True)]
    ok(service.put(f"{fourth.path}/players", {"players": seats}))
    require_same()


def test_a_match_under_way_writes_nothing(service: Service, match: Match, dsn: str) -> None:
    match.record("orange take L4")
    match.undo(0)
    found = contents(dsn)
    assert [variant for _, variant in found.pop("variants")] == ["standard"]
    assert not any(found.values())
    assert population(service, "?variant=standard")["excluded"] == {"in_progress": 1}
    assert population(service, "?variant=advanced")["excluded"] == {}


def test_a_corrected_set_up_is_another_variant_at_once(service: Service) -> None:
    people = [{"seat": "red", "name": "Ana"}, {"seat": "blue", "name": "Jan"}]
    body = {"game": "paris", "players": people, "setup": {"advanced": False, "variant": None}}
    match = Match(service, ok(service.post("/matches", body), 201)["id"])
    ok(match.post("/corrections", {"ply": 0, "setup": {"advanced": False, "variant": "free_placement"}}), 201)
    assert population(service, "?variant=free_placement")["excluded"] == {"in_progress": 1}


def test_a_result_counts_in_results_and_not_in_features(
    service: Service, result_only: Match, require_same: Callable[[], None]
) -> None:
    answer = ok(service.get("/stats/games/cite-lumiere"))
    assert (answer["population"]["included"], answer["draws"]["rate"]) == (1, 1)
    assert answer["points"]["histogram"] == [{"value": 48, "n": 2}]
    assert answer["plies"]["n"] == answer["by_players"][0]["first_mover"]["win_rate"]["n"] == 0
    assert ok(service.get("/stats/games/cite-lumiere/features"))["items"] == []
    assert ok(service.get("/stats/games/cite-lumiere/openings"))["n"] == 0
    ana = result_only.document()["players"][0]["player_id"]
    one = ok(service.get(f"/stats/players/{ana}"))
    assert (one["wins"], one["form"], one["by_mover"][0]["mover"]) == (0.5, ["shared"], "unknown")
    require_same()


@pytest.mark.slow
def test_a_ruling_keeps_a_match_out_of_points_until_it_is_undone(
    service: Service, require_same: Callable[[], None]
) -> None:
    match = finish(service, "cite-lumiere", 3)
    whole = match.document()
    match.undo(2)
    legal = ok(match.get("/legal-moves"))
    seat = next(player["seat"] for player in whole["players"] if player["seat"] != legal["to_move"])
    taken = next(move for move in legal["moves"] if move["type"] == "take")
    done = ok(match.post("/moves", {"seat": seat, "move": taken, "ruling": {"reason": "Twice in a row."}}), 201)
    while done["status"] != "finished":
        legal = ok(match.get("/legal-moves"))
        done = ok(match.post("/moves", {"seat": legal["to_move"], "move": legal["moves"][0]}), 201)
    assert population(service) == {"name": "club", "included": 1, "outcome_only": {"ruling": 1}, "excluded": {}}
    assert population(service, "?rulings=exclude") == {
        "name": "club",
        "included": 0,
        "outcome_only": {},
        "excluded": {"ruling": 1},
    }
    require_same()
    ok(match.post("/restore", {"version": whole["version"]}), 201)
    assert population(service) == {"name": "club", "included": 1, "outcome_only": {}, "excluded": {}}


@pytest.mark.slow
def test_another_box_counts_only_where_it_is_asked_for_and_a_withdrawn_match_is_told_as_that_first(
    service: Service, require_same: Callable[[], None]
) -> None:
    body = {"title": "Ours", "based_on": "devir-2019", "changes": {"first_game_set": [*reversed(SETUP["postcards"])]}}
    edition = ok(service.post("/games/cite-lumiere/editions", body), 201)["id"]
    match = finish(service, "cite-lumiere", 5, edition=edition)
    assert population(service)["excluded"] == {"custom_edition": 1}
    assert population(service, f"?edition={edition}")["included"] == 1
    assert ok(service.get(f"/stats/games/cite-lumiere/features?edition={edition}"))["items"]
    ok(match.post("/withdraw"))
    assert population(service)["excluded"] == {"withdrawn": 1}
    require_same()


def test_a_match_whose_edition_is_corrected_counts_in_wins_as_long_as_only_assumed_values_differ(
    service: Service, result_only: Match, require_same: Callable[[], None]
) -> None:
    ok(result_only.post("/corrections", {"ply": 0, "edition_changes": {"flip_buildings": True}}), 201)
    corrected = result_only.document()["edition"]
    one = {"name": "club", "included": 1, "outcome_only": {}, "excluded": {}}
    assert population(service) == {**one, "outcome_only": {"corrected_edition": 1}}
    game = ok(service.get("/stats/games/cite-lumiere"))
    assert (game["draws"]["n"], game["points"]["n"]) == (1, 0)
    game = ok(service.get(f"/stats/games/cite-lumiere?edition={corrected}"))
    assert (game["draws"]["n"], game["points"]["n"]) == (1, 2)
    assert game["population"] == one
    require_same()
    ok(result_only.post("/corrections", {"ply": 0, "edition_changes": {"action_tokens": 3}}), 201)
    assert population(service) == {**one, "included": 0, "excluded": {"custom_edition": 1}}


def test_unfinished_matches_are_counted_up_to_a_bound(
    service: Service, new_match: NewMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        new_match()
    assert population(service)["excluded"] == {"in_progress": 3}
    assert population(service, "?player_count=2")["excluded"] == {"in_progress": 3}
    assert population(service, "?player_count=3")["excluded"] == {}
    assert population(service, "?recorded=result")["excluded"] == {}
    monkeypatch.setattr(filters, "MAX_UNFINISHED", 2)
    assert population(service)["excluded"] == {"in_progress": 2}


def test_a_conflict_with_the_rules_excludes(app: Flask, service: Service, result_only: Match) -> None:
    bring_into_conflict(app, result_only.id)
    assert [str(one.outcome) for one in rejudge_all(app.extensions["carnet"])] == ["RulesOutcome.CONFLICT"]
    assert population(service)["excluded"] == {"rules_conflict": 1}
    ok(result_only.post("/rules-conflict/accept"))
    assert population(service) == {"name": "club", "included": 1, "outcome_only": {}, "excluded": {}}


def test_merged_players_are_one_and_two_again_when_that_is_taken_back(service: Service, result_only: Match) -> None:
    setup = {"result_only": True, "points": {"orange": 10, "blue": 20}}
    people = [{"seat": "orange", "name": "Anna"}, {"seat": "blue", "name": "Eva"}]
    body = {"game": "cite-lumiere", "players": people, "setup": setup}
    other = ok(service.post("/matches", body), 201)["players"][0]["player_id"]
    ana = result_only.document()["players"][0]["player_id"]
    ok(service.post(f"/players/{other}/merge", {"into": ana}))
    rows = {row["player"]["name"]: row for row in ok(service.get("/stats/players?game=cite-lumiere"))["items"]}
    assert {name: row["matches"] for name, row in rows.items()} == {"Ana": 2, "Jan": 1, "Eva": 1}
    assert (rows["Ana"]["median_points"], rows["Ana"]["form"]) == (29, ["lost", "shared"])
    one = ok(service.get(f"/stats/players/{other}?game=cite-lumiere"))
    assert (one["matches"], one["form"], one["points"]["mean"]) == (2, ["lost", "shared"], 29)
    assert {row["player"]["name"]: row["ahead"]["rate"] for row in one["opponents"]} == {"Jan": 0.5, "Eva": 0}
    eva = next(row["player"]["id"] for row in one["opponents"] if row["player"]["name"] == "Eva")
    (met,) = ok(service.get(f"/stats/players/{eva}"))["opponents"]
    assert (met["player"]["name"], met["ahead"]["rate"]) == ("Ana", 1)
    assert population(service, f"?player={other}")["included"] == 2
    ok(service.delete(f"/players/{other}/merge"))
    rows = {row["player"]["name"]: row for row in ok(service.get("/stats/players"))["items"]}
    assert {name: row["matches"] for name, row in rows.items()} == {"Ana": 1, "Anna": 1, "Jan": 1, "Eva": 1}


def test_what_cannot_be_read_is_told_and_the_rest_is_rebuilt(
    app: Flask, dsn: str, service: Service, result_only: Match
) -> None:
    setup = {**SETUP}
    people = [{"seat": "orange", "name": "Eva"}, {"seat": "blue", "name": "Rui"}]
    broken = ok(service.post("/matches", {"game": "cite-lumiere", "players": people, "setup": setup}), 201)["id"]
    with psycopg.connect(dsn) as connection:
        connection.execute("ALTER TABLE events DISABLE TRIGGER events_are_kept")
        connection.execute("UPDATE events SET payload = '{}' WHERE match_id = %s", (broken,))
    app.extensions["carnet"].timelines._kept.clear()
    reasons = {str(match_id): why for match_id, why in rebuilding.rebuild(app.extensions["carnet"])}
    assert reasons[result_only.id] is None
    assert "event 1" in str(reasons[broken])
    assert population(service)["included"] == 1
