"""Which matches count in which figures: editions, table rulings, results without moves and numbers of players."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from random import Random
from statistics import median
from typing import Any
from urllib.parse import urlencode

import psycopg
import pytest

from domain.catalogue import GAMES
from scripts.random_play import draw_setup
from service.db.pool import Database
from service.stats import rebuilding
from service.stats.ratings import settle
from tests.service.applications import application_on
from tests.service.conftest import CONFIG
from tests.service.harness import Match, Service, ok, problem
from tests.service.stats import slow
from tests.service.stats.slow import Known
from tests.service.stats.test_changes import contents
from tests.service.tampering import as_service

NAMES = ("Ana", "Jan", "Eva", "Petr", "Rui", "Zofia")
CORRECTED = {"cite-lumiere": {"flip_buildings": True}, "paris": {"banks": {"belleville": 3}}}
OTHER = {"cite-lumiere": {"action_tokens": 3}, "paris": {"start_francs": 5}}
QUESTIONS = 60
RESULTS = 40


def random_line(game: Any, seats: Sequence[str], setup: Any, edition: Any, random: Random, *, ruled: bool) -> list[Any]:
    """The moves of a match to its end; the first one may be made out of turn."""
    state = game.rules.start(game.setup.parse(setup), seats, edition)
    line: list[Any] = []
    while (seat := state.to_move) is not None:
        moves = list(game.rules.legal_moves(state))
        if ruled and not line:
            seat = next(other for other in seats if other != seat)
            moves = [move for move in moves if game.move.dump(move)["type"] in {"take", "reveal"}]
        move = random.choice(moves)
        reason = {"ruling": {"reason": "As it was played."}} if ruled and not line else {}
        state = game.rules.apply(state, seat, move)
        line.append({"seat": seat, "move": game.move.dump(move), **reason})
    return line


def make_editions(service: Service) -> dict[tuple[str, str], str]:
    """The ids of the editions by game and kind."""
    editions = {(game_id, "shipped"): game.editions.default.id for game_id, game in GAMES.items()}
    for kind, changes in (("corrected", CORRECTED), ("other", OTHER)):
        for game_id, game in GAMES.items():
            body = {"title": kind, "based_on": game.editions.default.id, "changes": changes[game_id]}
            editions[game_id, kind] = ok(service.post(f"/games/{game_id}/editions", body), 201)["id"]
    return editions


def add_match(service: Service, random: Random, game_id: str, edition: str, **members: Any) -> Match:
    """A match with random people, date, tags and venue."""
    game = GAMES[game_id]
    seats = random.sample(game.seats, random.randint(game.players[0], game.players[-1]))
    people = [{"seat": seat, "name": name} for seat, name in zip(seats, random.sample(NAMES, len(seats)), strict=True)]
    setup = draw_setup(game_id, seats, random)
    if members.pop("is_result_only", False):
        points = random.sample(range(20, 90), len(seats))
        setup = {"result_only": True, "points": dict(zip(seats, points, strict=True))}
    body = {
        "game": game_id,
        "edition": edition,
        "players": people,
        "setup": setup,
        "visibility": "public",
        "played_at": f"2025-{random.randint(1, 6):02}-{random.randint(1, 28):02}T10:00:00Z",
        "tags": random.sample(["league", "cup"], random.randint(0, 2)),
        "venue": random.choice([None, "café"]),
    }
    return Match(service, ok(service.post("/matches", body), 201)["id"])


def play_out(service: Service, match: Match, random: Random, *, ruled: bool) -> None:
    document = match.document()
    game = GAMES[document["game"]]
    seats = [seat["seat"] for seat in document["players"]]
    told = ok(service.get(f"/matches/{match.id}/edition"))
    edition = game.editions.load({name: member for name, member in told.items() if name not in {"id", "digest"}})
    line = random_line(game, seats, document["setup"], edition, random, ruled=ruled)
    for first in range(0, len(line), 200):
        ok(match.post("/moves", {"moves": line[first : first + 200]}), 201)


@pytest.fixture(scope="module")
def service(module_dsn: str) -> Iterator[Service]:
    """Matches of all categories: some played with and without rulings, and results; settings for rulings differ."""
    database = Database(as_service(module_dsn))
    database.open()
    app = application_on(database, CONFIG)
    service, random = Service(app), Random(15)
    editions = make_editions(service)
    settings = ["results", "include", "exclude"]
    for ((game_id, _), edition), ruled in product(editions.items(), (False, True)):
        match = add_match(service, random, game_id, editions[game_id, "shipped"] if ruled else edition)
        play_out(service, match, random, ruled=ruled)
        if ruled:
            ok(service.patch(match.path, {"rulings_in_statistics": settings.pop(0)}))
            settings = settings or ["results", "include", "exclude"]
    for number in range(RESULTS):
        (game_id, _), edition = list(editions.items())[number % len(editions)]
        add_match(service, random, game_id, edition, is_result_only=True)
    settle(database)
    yield service
    app.extensions["carnet"].close()
    database.close()


@pytest.fixture(scope="module")
def known(module_dsn: str, service: Service) -> list[Known]:
    return slow.read(module_dsn)


def counts(match: Known, question: Mapping[str, Any], *, in_play: bool) -> bool:
    """Whether a match counts, by the words of the documents."""
    if "edition" not in question and match.replaced_sources and (in_play or match.replaced_sources != {"assumed"}):
        return False
    if not match.has_ruling:
        return True
    if "rulings" in question:
        return bool(question["rulings"] == "include")
    return match.rulings_in_statistics == "include" or (match.rulings_in_statistics == "results" and not in_play)


def fits(match: Known, question: Mapping[str, Any]) -> bool:
    numbers = question.get("player_count", [])
    return (
        question.get("game", match.game) == match.game
        and question.get("edition", match.edition) == match.edition
        and (not numbers or len(match.people) in numbers)
        and question.get("recorded", "result" if match.is_result_only else "moves")
        == ("result" if match.is_result_only else "moves")
        and set(question.get("tag", [])) <= match.tags
        and question.get("venue", match.venue) == match.venue
        and set(question.get("player", [])) <= set(match.people.values())
        and question.get("from", "2025-01-01") <= match.played_at.date().isoformat() < question.get("to", "2026-01-01")
    )


def questions(known: Sequence[Known]) -> Iterator[dict[str, Any]]:
    """Random combinations of all filters."""
    random = Random(7)
    editions = sorted({match.edition for match in known})
    people = sorted({player for match in known for player in match.people.values()})
    choices: Mapping[str, Callable[[], Any]] = {
        "edition": lambda: random.choice(editions),
        "player_count": lambda: random.sample([2, 3, 4], random.randint(1, 2)),
        "recorded": lambda: random.choice(["moves", "result"]),
        "rulings": lambda: random.choice(["include", "exclude"]),
        "tag": lambda: ["league"],
        "venue": lambda: "café",
        "player": lambda: random.sample(people, random.randint(1, 2)),
        "from": lambda: f"2025-0{random.randint(1, 3)}-1{random.randint(0, 9)}",
        "to": lambda: f"2025-0{random.randint(4, 6)}-1{random.randint(0, 9)}",
    }
    for _ in range(QUESTIONS):
        names = random.sample(list(choices), random.choice((0, 1, 1, 2, 2, 3)))
        yield {name: choices[name]() for name in names}


def ask(service: Service, path: str, question: Mapping[str, Any]) -> Any:
    return ok(service.get(f"/stats/{path}?{urlencode(question, doseq=True)}"))


def selected(known: Sequence[Known], question: Mapping[str, Any], *, in_play: bool) -> list[Known]:
    return [match for match in known if fits(match, question) and counts(match, question, in_play=in_play)]


def test_tables_of_players_count_by_category_under_all_filters(service: Service, known: Sequence[Known]) -> None:
    for question in questions(known):
        for game_id in GAMES:
            filters = {**question, "game": game_id}
            outcomes, play = (selected(known, filters, in_play=in_play) for in_play in (False, True))
            answer = ask(service, "players", {**filters, "limit": 200})
            population = answer["population"]
            assert population["included"] == len(outcomes), filters
            assert sum(population["outcome_only"].values()) == len(outcomes) - len(play), filters
            assert sum(population["excluded"].values()) == sum(fits(match, filters) for match in known) - len(outcomes)
            won, scored = slow.totals(outcomes, game_id), slow.totals(play, game_id)
            rows = {row["player"]["id"]: row for row in answer["items"]}
            assert rows.keys() == won.keys(), filters
            for player, row in rows.items():
                for name in ("matches", "wins", "expected_wins", "wins_above_expectation"):
                    assert row[name] == pytest.approx(won[player][name]), (filters, name)
                for name in ("mean_points", "median_points", "mean_margin"):
                    expected = scored[player][name] if player in scored else None
                    assert row[name] == (None if expected is None else pytest.approx(expected)), (filters, name)
                assert row["form"] == slow.outcomes(outcomes, player)[: -10 - 1 : -1], filters


def test_games_count_by_category_under_all_filters(service: Service, known: Sequence[Known]) -> None:
    for question in questions(known):
        filters = {**question, "game": "cite-lumiere"}
        outcomes, play = (selected(known, filters, in_play=in_play) for in_play in (False, True))
        answer = ask(service, "games/cite-lumiere", question)
        assert answer["points"]["histogram"] == slow.histogram(p for match in play for p in match.points.values()), (
            filters
        )
        recorded = [match for match in play if not match.is_result_only]
        assert answer["plies"]["histogram"] == slow.histogram(match.timeline.ply for match in recorded), filters
        assert answer["lead_changes"]["histogram"] == slow.histogram(match.lead_changes for match in recorded), filters
        assert answer["draws"]["n"] == len(outcomes), filters
        begun = [match for match in outcomes if not match.is_result_only]
        for part in answer["by_players"]:
            assert part["matches"] == len(outcomes)
            assert part["first_mover"]["win_rate"]["n"] == len(begun), filters
            assert part["first_mover"]["points_ahead"]["n"] == len(recorded), filters
            if begun:
                first = sum((match.share(match.first) for match in begun), Fraction()) / len(begun)
                assert part["first_mover"]["win_rate"]["rate"] == pytest.approx(float(first))
        items = {row["feature"]: row for row in ask(service, "games/cite-lumiere/features", question)["items"]}
        found = {name: slow.feature(recorded, name) for name in GAMES["cite-lumiere"].statistics.FEATURE_KINDS}
        assert items.keys() == {name for name, one in found.items() if one["available"]}, filters
        for name, row in items.items():
            assert (row["frequency"]["n"], row["difference"]["n"]) == (found[name]["available"], found[name]["n"]), (
                filters
            )
            assert row["difference"]["difference"] == (
                None if found[name]["difference"] is None else pytest.approx(found[name]["difference"])
            )
        assert ask(service, "games/cite-lumiere/openings", question)["n"] == len(recorded), filters


def test_players_count_by_category_under_all_filters(service: Service, known: Sequence[Known]) -> None:
    one, other = (player for player, _ in Counter(p for m in known for p in m.people.values()).most_common(2))
    for question in questions(known):
        filters = {**question, "game": "paris"}
        outcomes, play = (
            [match for match in selected(known, filters, in_play=in_play) if match.seat_of(one)]
            for in_play in (False, True)
        )
        answer = ask(service, f"players/{one}", filters)
        assert answer["matches"] == len(outcomes), filters
        scores = [match.points[match.seat_of(one) or ""] for match in play]
        assert answer["points"]["histogram"] == slow.histogram(scores), filters
        if scores:
            assert answer["points"]["quantiles"]["0.5"] == median(scores), filters
        assert answer["streaks"]["longest_winning"] == slow.longest(slow.outcomes(outcomes, one), "won"), filters
        assert sum(part["points"]["n"] for part in answer["by_players"]) == len(play), filters
        met = Counter(player for match in outcomes for player in match.people.values() if player != one)
        assert {row["player"]["id"]: row["matches"] for row in answer["opponents"]} == dict(met), filters
        recorded = [match for match in play if not match.is_result_only]
        for row in answer["features"]:
            assert row["frequency"]["n"] == sum(slow.holders(match, row["feature"]) is not None for match in recorded)
        both = [match for match in outcomes if match.seat_of(other)]
        met_in_play = [match for match in play if match.seat_of(other)]
        answer = ask(service, "head-to-head", {**filters, "a": one, "b": other})
        assert answer["matches"] == len(both), filters
        assert answer["score_difference"]["n"] == len(met_in_play), filters


def test_ratings_rest_on_all_outcomes_that_count(service: Service, known: Sequence[Known]) -> None:
    for game_id in GAMES:
        outcomes = selected(known, {"game": game_id}, in_play=False)
        played = Counter(player for match in outcomes for player in match.people.values())
        rows = ask(service, "ratings", {"game": game_id, "limit": 200})["items"]
        assert {row["player"]["id"]: row["matches"] for row in rows} == dict(played)
        listed = ask(service, "ratings", {"game": game_id, "player_count": [4], "recorded": "result", "limit": 200})
        wanted = [m for m in outcomes if m.is_result_only and len(m.people) == 4]
        assert {row["player"]["id"] for row in listed["items"]} == {p for m in wanted for p in m.people.values()}


def test_every_category_is_known_as_a_rebuild_would_know_it(service: Service, module_dsn: str) -> None:
    with psycopg.connect(module_dsn) as connection:
        found = {number for (number,) in connection.execute("SELECT DISTINCT category FROM match_facts")}
    assert {number % 2 for number in found} == {0, 1}
    assert {number // 2 % 3 for number in found} == {0, 1, 2}
    assert {number // 6 for number in found} == {0, 1, 2, 3}
    before = contents(module_dsn)
    assert all(why is None for _, why in rebuilding.rebuild(service.client.application.extensions["carnet"]))
    assert contents(module_dsn) == before


def test_filters_are_answered_and_their_values_checked(service: Service) -> None:
    query = {"player_count": [4, 2, 4], "recorded": "moves", "rulings": "include"}
    filters = ask(service, "players", query)["filters"]
    assert {name: filters[name] for name in query} == {**query, "player_count": [2, 4]}
    for members, pointer in (
        ("player_count=1", "/player_count/0"),
        ("player_count=5", "/player_count/0"),
        ("&".join(["player_count=2"] * 9), "/player_count"),
        ("recorded=all", "/recorded"),
        ("rulings=some", "/rulings"),
    ):
        for path in ("players", "ratings", "games/paris", "games/paris/features", "games/paris/openings"):
            refusal = problem(service.get(f"/stats/{path}?{members}"), 422, "malformed")
            assert [error["pointer"] for error in refusal["errors"]] == [pointer]
