"""Ratings: they find the order of strengths, and end where a fresh computation would whatever changes."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from math import sqrt
from random import Random
from typing import Any

import psycopg
import pytest
from scipy import stats

from service.db import ratings
from service.db.pool import Connection, Database, DatabaseAway
from service.server.rating import rating
from service.stats.plackett_luce import Strength
from service.stats.rating_points import is_provisional, points_of
from service.stats.ratings import settle
from tests.service.harness import Match, Service, ok
from tests.service.stats import slow
from tests.service.stats.conftest import CAST
from tests.service.stats.test_plackett_luce import rated_by_package
from tests.service.workers import wait_until

SEATS = ("red", "blue", "green", "yellow")


def standing(dsn: str) -> list[Any]:
    """All ratings and their history, row by row."""
    with psycopg.connect(dsn) as connection:
        return [
            connection.execute("SELECT * FROM ratings ORDER BY population, scope, player_id").fetchall(),
            connection.execute("SELECT * FROM rating_history ORDER BY population, scope, player_id, month").fetchall(),
            connection.execute("SELECT * FROM rating_forecasts ORDER BY 1, 2, 3, 4, 5").fetchall(),
            connection.execute("SELECT population, scope FROM rating_runs ORDER BY population, scope").fetchall(),
        ]


@pytest.fixture
def require_fresh(database: Database, dsn: str) -> Callable[[], None]:
    """Brings ratings up to date and fails unless computing them anew gives the same to the last bit."""

    def require() -> None:
        settle(database)
        before = standing(dsn)
        with database.transaction() as connection:
            ratings.begin_anew(connection)
        assert settle(database)
        assert standing(dsn) == before

    return require


def played(service: Service, date: str, names: str, **members: Any) -> Match:
    """A match of Paris of which the result is known: its players from the first to the last."""
    people = [{"seat": seat, "name": name} for seat, name in zip(SEATS, names.split(), strict=False)]
    points = {one["seat"]: 100 - index for index, one in enumerate(people)}
    setup = {"result_only": True, "points": points}
    body = {"game": "paris", "players": people, "setup": setup, "played_at": f"{date}T10:00:00Z", **members}
    return Match(service, ok(service.post("/matches", body), 201)["id"])


def listed(service: Service, query: str = "?game=paris") -> Any:
    return ok(service.get(f"/stats/ratings{query}"))


@pytest.fixture
def season(service: Service, database: Database) -> list[Match]:
    """Matches of a year in which some of four players took part."""
    random = Random(4)
    matches = []
    for month in range(1, 10):
        names = random.sample(["Ana", "Jan", "Eva", "Rui"], random.randint(2, 4))
        matches.append(played(service, f"2026-0{month}-1{month % 3}", " ".join(names)))
    settle(database)
    return matches


def rated_slowly(
    matches: Iterable[tuple[datetime, Mapping[str, int]]], befores: list[Sequence[Strength]] | None = None
) -> dict[str, Strength]:
    """The strengths now by the package on our scale, after matches with the place of each player, in their order.

    The strengths before each match are added to `befores`.
    """
    known: dict[str, tuple[float, float, datetime]] = {}

    def present(player: str, now: datetime) -> Strength:
        mu, sigma, last = known.get(player, (25.0, 25 / 3, now))
        missed = max(0, 12 * (now.year - last.year) + now.month - last.month - 1)
        return mu, min(sqrt(sigma**2 + 0.9**2 * missed), 25 / 3) if missed else sigma

    for played_at, places in matches:
        before = [present(player, played_at) for player in places]
        if befores is not None:
            befores.append(before)
        after = rated_by_package(before, list(places.values()))
        known |= {player: (*strength, played_at) for player, strength in zip(places, after, strict=True)}
    return {player: present(player, datetime.now(UTC)) for player in known}


def test_ratings_are_those_of_openskill_on_one_scale_in_the_order_of_playing(
    service: Service, season: list[Match]
) -> None:
    documents = [match.document() for match in season]
    known = rated_slowly(
        (
            datetime.fromisoformat(document["played_at"]),
            {one["name"]: place for place, one in enumerate(document["players"], 1)},
        )
        for document in documents
    )
    rows = listed(service)["items"]
    for row in rows:
        assert (row["rating"], row["sigma"]) == pytest.approx(known.pop(row["player"]["name"]), rel=1e-12)
    assert not known
    assert [row["interval"][0] for row in rows] == sorted((row["interval"][0] for row in rows), reverse=True)
    assert [row["place"] for row in rows] == [1, 2, 3, 4]


def test_who_has_not_played_for_long_is_rated_with_less_certainty(service: Service, database: Database) -> None:
    for day in range(1, 25):
        played(service, f"2024-01-{day:02}", "Ana Jan" if day % 2 else "Jan Ana")
        played(service, f"2026-10-{day:02}", "Eva Rui" if day % 2 else "Rui Eva")
    settle(database)
    rows = {row["player"]["name"]: row for row in listed(service)["items"]}
    assert rows["Ana"]["rating"] == rows["Eva"]["rating"]
    assert rows["Ana"]["sigma"] > rows["Eva"]["sigma"]
    assert rows["Ana"]["place"] > rows["Eva"]["place"]
    assert (rows["Ana"]["provisional"], rows["Eva"]["provisional"]) == (True, False)
    history = ok(service.get(f"/stats/players/{rows['Ana']['player']['id']}/ratings?game=paris"))
    assert history["present"] == {name: rows["Ana"][name] for name in history["present"]}
    assert history["items"][-1]["sigma"] == rows["Eva"]["sigma"]
    stranger = played(service, "2026-11-02", "Ida Uwe").document()["players"][0]["player_id"]
    assert ok(service.get(f"/stats/players/{stranger}/ratings?game=paris"))["present"] is None


def test_absence_counts_whatever_the_order_of_entry(service: Service, require_fresh: Callable[[], None]) -> None:
    played(service, "2023-05-03", "Ana Jan")
    played(service, "2026-02-01", "Ana Eva")
    require_fresh()
    played(service, "2024-07-01", "Jan Ana")
    require_fresh()
    played(service, "0001-01-01", "Eva Jan")
    require_fresh()
    played(service, "2026-03-01", "Ana Jan")
    require_fresh()


def test_a_history_ends_with_the_present_rating(service: Service, season: list[Match]) -> None:
    for row in listed(service)["items"]:
        history = ok(service.get(f"/stats/players/{row['player']['id']}/ratings?game=paris"))
        assert len(history["items"]) == row["matches"]
        assert history["items"][-1]["rating"] == row["rating"]
        assert [item["played_at"] for item in history["items"]] == sorted(
            item["played_at"] for item in history["items"]
        )
        some = ok(service.get(f"/stats/players/{row['player']['id']}/ratings?game=paris&from=2026-05-01"))
        assert some["items"] == [item for item in history["items"] if item["played_at"] >= "2026-05-01"]


def test_ratings_are_told_in_points_too(service: Service, season: list[Match]) -> None:
    rows = listed(service)["items"]
    path = f"/stats/players/{rows[0]['player']['id']}/ratings?game=paris"
    for row in (*rows, *ok(service.get(path))["items"]):
        assert row["points"] == points_of(row["rating"], row["sigma"])
        assert row["provisional"] is is_provisional(row["sigma"])
    assert [row["points"]["low"] for row in rows] == sorted((row["points"]["low"] for row in rows), reverse=True)
    table = service.get("/stats/ratings?game=paris", {"Accept": "text/csv"}).text
    header, *lines = table.splitlines()
    assert header.endswith("points.rating,points.plus_minus,points.low,points.high,provisional")
    assert [line.rpartition(",")[2] for line in lines] == ["true" if row["provisional"] else "false" for row in rows]


def test_a_history_tells_when_matches_were_played_to_the_microsecond(service: Service, database: Database) -> None:
    dates = ["1999-12-31T23:59:59.999999Z", "2000-01-01T00:00:00.000000Z", "2026-03-01T00:00:00.000001Z"]
    matches = [played(service, "2026-01-01", "Ana Jan", played_at=date) for date in dates]
    settle(database)
    ana = matches[0].document()["players"][0]["player_id"]
    items = ok(service.get(f"/stats/players/{ana}/ratings?game=paris"))["items"]
    assert [(item["match_id"], item["played_at"]) for item in items] == [
        (match.id, date) for match, date in zip(matches, dates, strict=True)
    ]


def test_late_corrected_withdrawn_and_redated_matches_end_where_a_fresh_computation_would(
    service: Service, season: list[Match], require_fresh: Callable[[], None]
) -> None:
    require_fresh()
    late = played(service, "2026-02-20", "Rui Ana Eva")
    answer = listed(service)
    assert answer["pending"] == 1
    require_fresh()
    assert listed(service)["pending"] == 0
    setup = {"result_only": True, "points": {"red": 1, "blue": 2, "green": 2}}
    ok(late.post("/corrections", {"ply": 0, "setup": setup}), 201)
    require_fresh()
    ok(season[3].post("/withdraw"))
    require_fresh()
    ok(service.patch(season[5].path, {"played_at": "2025-12-24T18:00:00Z"}))
    require_fresh()
    ok(service.patch(season[1].path, {"visibility": "club"}))
    require_fresh()
    ok(service.patch(season[1].path, {"visibility": "public"}))
    require_fresh()


def test_merging_and_taking_it_back_end_where_a_fresh_computation_would(
    service: Service, season: list[Match], require_fresh: Callable[[], None]
) -> None:
    other = played(service, "2026-03-03", "Anna Jan").document()["players"][0]["player_id"]
    rows = {row["player"]["name"]: row["player"]["id"] for row in listed(service)["items"]}
    ok(service.post(f"/players/{other}/merge", {"into": rows["Ana"]}))
    require_fresh()
    assert {row["player"]["name"] for row in listed(service)["items"]} == {"Ana", "Jan", "Eva", "Rui"}
    ok(service.delete(f"/players/{other}/merge"))
    require_fresh()
    assert "Anna" in {row["player"]["name"] for row in listed(service)["items"]}


def test_ratings_of_one_game_and_over_all_are_apart(service: Service, season: list[Match], database: Database) -> None:
    people = [{"seat": "orange", "name": "Ana"}, {"seat": "blue", "name": "Ida"}]
    setup = {"result_only": True, "points": {"orange": 4, "blue": 7}}
    ok(service.post("/matches", {"game": "cite-lumiere", "players": people, "setup": setup}), 201)
    settle(database)
    names = {
        query: {row["player"]["name"] for row in listed(service, query)["items"]}
        for query in ("", "?game=paris", "?game=cite-lumiere")
    }
    assert names == {
        "": {"Ana", "Jan", "Eva", "Rui", "Ida"},
        "?game=paris": {"Ana", "Jan", "Eva", "Rui"},
        "?game=cite-lumiere": {"Ana", "Ida"},
    }


def test_filters_choose_whose_ratings_are_listed(service: Service, database: Database) -> None:
    played(service, "2026-01-01", "Ana Jan", tags=["league"])
    played(service, "2026-02-01", "Eva Jan", venue="café")
    settle(database)
    for query, names in (
        ("&tag=league", {"Ana", "Jan"}),
        ("&venue=caf%C3%A9", {"Eva", "Jan"}),
        ("&from=2026-01-15", {"Eva", "Jan"}),
        ("&edition=rulebook-2020", {"Ana", "Eva", "Jan"}),
        ("&edition=elsewhere", set()),
    ):
        rows = listed(service, f"?game=paris{query}")["items"]
        assert {row["player"]["name"] for row in rows} == names, query
        assert [row["place"] for row in rows] == list(range(1, len(rows) + 1))


def test_nothing_is_known_before_ratings_were_computed(service: Service) -> None:
    played(service, "2026-01-01", "Ana Jan")
    answer = listed(service)
    assert (answer["items"], answer["as_of"], answer["pending"]) == ([], None, 1)


def test_only_one_recomputes_at_a_time(service: Service, database: Database) -> None:
    played(service, "2026-01-01", "Ana Jan")
    with database.transaction() as connection:
        connection.execute("SELECT pg_advisory_xact_lock(hashtext('carnet ratings'))")
        with ThreadPoolExecutor() as pool:
            assert pool.submit(settle, database).result() is False
    assert settle(database) is True
    assert settle(database) is False


def test_a_match_that_ends_while_marks_are_taken_is_rated(
    service: Service, database: Database, require_fresh: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    played(service, "2026-01-01", "Ana Jan")
    take_marks = ratings.take_marks

    def take_late(connection: Connection) -> dict[str, Any]:
        played(service, "2026-01-02", "Jan Ana")
        return dict(take_marks(connection))

    with monkeypatch.context() as patched:
        patched.setattr(ratings, "take_marks", take_late)
        settle(database)
    require_fresh()


def test_marks_stay_when_somebody_holds_what_they_are_about(
    service: Service, database: Database, dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    played(service, "2026-01-01", "Ana Jan")
    monkeypatch.setattr("service.stats.ratings.MAX_WAIT_FOR_LOCKS", "50ms")
    with psycopg.connect(dsn) as holder:
        holder.execute("LOCK TABLE seat_facts")
        with pytest.raises(DatabaseAway):
            settle(database)
    assert settle(database) is True
    assert listed(service)["pending"] == 0


@pytest.fixture
def rater(database: Database) -> Iterator[None]:
    thread = rating(database, seconds_between=0.01)
    thread.start()
    yield
    thread.stop()


@pytest.mark.usefixtures("rater")
def test_a_thread_brings_ratings_up_to_date(service: Service) -> None:
    played(service, "2026-01-01", "Ana Jan")
    wait_until(lambda: listed(service)["items"] != [] and listed(service)["pending"] == 0)


def test_the_order_of_strengths_is_found(corpus: Service) -> None:
    # Of paris most matches are copies with players drawn anew, whose strengths have no part in how they ended.
    rated = ok(corpus.get("/stats/ratings?game=cite-lumiere&limit=200"))["items"]
    found = {row["player"]["id"]: row["rating"] for row in rated}
    strengths = dict(zip(map(str, CAST.ids), CAST.strengths, strict=True))
    correlation = stats.spearmanr([strengths[player] for player in found], list(found.values())).statistic
    assert correlation > 0.8
    best, worst = max(found, key=lambda player: found[player]), min(found, key=lambda player: found[player])
    assert strengths[best] > 0.5 > strengths[worst]


def test_ratings_of_a_corpus_are_those_of_its_logs(corpus: Service, corpus_dsn: str) -> None:
    matches = [match for match in slow.read(corpus_dsn) if match.game == "cite-lumiere"]
    rated = rated_slowly(
        (match.played_at, {player: match.places[seat] for seat, player in match.people.items()}) for match in matches
    )
    rows = ok(corpus.get("/stats/ratings?game=cite-lumiere&limit=200"))["items"]
    assert {row["player"]["id"]: row["matches"] for row in rows} == Counter(
        player for match in matches for player in match.people.values()
    )
    for row in rows:
        assert (row["rating"], row["sigma"]) == pytest.approx(rated[row["player"]["id"]], rel=1e-12)


def test_ratings_of_a_population_rest_on_its_matches_alone(service: Service, database: Database) -> None:
    played(service, "2026-01-01", "Ana Jan", visibility="public")
    played(service, "2026-02-01", "Jan Ana", visibility="club")
    played(service, "2026-03-01", "Jan Ana", visibility="private")
    settle(database)
    matches = {
        population: {
            row["player"]["name"]: row["matches"] for row in listed(service, f"?population={population}")["items"]
        }
        for population in ("public", "club")
    }
    assert matches == {"public": {"Ana": 1, "Jan": 1}, "club": {"Ana": 2, "Jan": 2}}


def test_histories_are_read_of_those_alone_who_played_since(service: Service, database: Database, dsn: str) -> None:
    played(service, "2026-01-10", "Ana Jan")
    played(service, "2026-02-10", "Eva Rui")
    settle(database)
    with psycopg.connect(dsn) as connection:
        connection.execute("UPDATE rating_history SET matches = 99 WHERE month = '2026-01-01'")
    played(service, "2026-02-11", "Ana Eva")
    settle(database)
    rows = {row["player"]["name"]: row["matches"] for row in listed(service)["items"]}
    assert rows == {"Ana": 2, "Jan": 1, "Eva": 2, "Rui": 1}
