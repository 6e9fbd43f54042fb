"""Every figure, under filters one by one and together, against a slow computation over the plain logs."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

import pytest
from scipy import stats

from domain.catalogue import GAMES
from tests.service.harness import UNKNOWN_ID, Service, ok, problem
from tests.service.stats import slow
from tests.service.stats.conftest import CAST
from tests.service.stats.slow import Known, Sat

WARSAW = ZoneInfo("Europe/Warsaw")
PLAYER, OTHER = str(CAST.ids[3]), str(CAST.ids[7])


@dataclass(frozen=True)
class Filter:
    """Members of a query string, and what they mean."""

    name: str
    query: Sequence[tuple[str, str]]
    condition: Callable[[Known], bool]


def played_between(match: Known, since: datetime | None, until: datetime | None) -> bool:
    return (since is None or match.played_at >= since) and (until is None or match.played_at < until)


def dated(name: str, query: Sequence[tuple[str, str]], since: datetime | None, until: datetime | None) -> Filter:
    return Filter(name, query, lambda match: played_between(match, since, until))


FILTERS = (
    Filter("nothing", (), lambda match: True),
    dated(
        "a year in Warsaw",
        (("from", "2022-01-01"), ("to", "2022-12-31"), ("tz", "Europe/Warsaw")),
        datetime(2022, 1, 1, tzinfo=WARSAW),
        datetime(2023, 1, 1, tzinfo=WARSAW),
    ),
    dated(
        "some days",
        (("from", "2021-03-05T12:00:00Z"), ("to", "2021-03-25T12:00:00Z")),
        datetime(2021, 3, 5, 12, tzinfo=ZoneInfo("UTC")),
        datetime(2021, 3, 25, 12, tzinfo=ZoneInfo("UTC")),
    ),
    dated("since a day", (("from", "2023-05-17"),), datetime(2023, 5, 17, tzinfo=ZoneInfo("UTC")), None),
    dated("whole months", (("to", "2023-04-30"),), None, datetime(2023, 5, 1, tzinfo=ZoneInfo("UTC"))),
    Filter("a tag", (("tag", "league"),), lambda match: "league" in match.tags),
    Filter("a venue", (("venue", "at home"),), lambda match: match.venue == "at home"),
    Filter("a player", (("player", PLAYER),), lambda match: PLAYER in match.people.values()),
    Filter(
        "two players and a venue since a day",
        (("player", PLAYER), ("player", OTHER), ("venue", "club night"), ("from", "2022-02-02")),
        lambda match: (
            {PLAYER, OTHER} <= set(match.people.values())
            and match.venue == "club night"
            and match.played_at >= datetime(2022, 2, 2, tzinfo=ZoneInfo("UTC"))
        ),
    ),
    Filter(
        "two players",
        (("player", PLAYER), ("player", OTHER)),
        lambda match: {PLAYER, OTHER} <= set(match.people.values()),
    ),
    Filter("an edition that nobody has", (("edition", "elsewhere"),), lambda match: False),
    Filter("the population of the public", (("population", "public"),), lambda match: True),
)
GAME = "cite-lumiere"
HOW_MATCHES_END = ("plies", "points", "winning_points", "margin", "lead_changes", "draws")


@pytest.fixture(scope="module")
def known(corpus_dsn: str, corpus: Service) -> list[Known]:
    return [match for match in slow.read(corpus_dsn) if match.game == GAME]


@pytest.fixture(scope="module")
def seats(corpus_dsn: str, corpus: Service) -> list[Sat]:
    return slow.read_seats(corpus_dsn)


def ask(corpus: Service, path: str, *query: tuple[str, str], **members: str) -> Any:
    return ok(corpus.get(f"/stats/{path}?{urlencode([*query, *members.items()])}"))


@pytest.fixture(params=FILTERS, ids=[one.name for one in FILTERS])
def filtered(request: pytest.FixtureRequest) -> Filter:
    given: Filter = request.param
    return given


def test_the_table_of_players(corpus: Service, known: Sequence[Known], filtered: Filter) -> None:
    matches = slow.chosen(known, filtered.condition)
    answer = ask(corpus, "players", *filtered.query, game=GAME, limit="200")
    expected = slow.totals(matches, GAME)
    assert answer["population"]["included"] == len(matches)
    assert answer["population"]["excluded"] == {}
    assert {row["player"]["id"] for row in answer["items"]} == set(expected)
    for row in answer["items"]:
        player = row["player"]["id"]
        assert {name: row[name] for name in expected[player]} == pytest.approx(expected[player])
        assert row["win_rate"]["n"] == row["matches"]
        assert row["form"] == slow.outcomes(matches, player)[: -10 - 1 : -1]
    assert [row["matches"] for row in answer["items"]] == sorted(
        (row["matches"] for row in answer["items"]), reverse=True
    )


def test_one_player(corpus: Service, known: Sequence[Known], filtered: Filter) -> None:
    matches = [match for match in slow.chosen(known, filtered.condition) if match.seat_of(PLAYER)]
    answer = ask(corpus, f"players/{PLAYER}", *filtered.query, game=GAME)
    assert answer["matches"] == len(matches)
    outcomes = slow.outcomes(matches, PLAYER)
    assert answer["streaks"]["longest_winning"] == slow.longest(outcomes, "won")
    assert answer["streaks"]["longest_losing"] == slow.longest(outcomes, "lost")
    if outcomes:
        length = next((n for n, one in enumerate(reversed(outcomes)) if one != outcomes[-1]), len(outcomes))
        assert answer["streaks"]["current"] == {"outcome": outcomes[-1], "length": length}
    seats = {match.match_id: match.seat_of(PLAYER) or "" for match in matches}
    assert answer["points"]["histogram"] == slow.histogram(match.points[seats[match.match_id]] for match in matches)
    totals = slow.totals(matches, GAME).get(PLAYER)
    if totals is not None:
        assert answer["points"]["mean"] == pytest.approx(totals["mean_points"])
        assert answer["margin"]["mean"] == pytest.approx(totals["mean_margin"])
        assert answer["expected_wins"] == pytest.approx(totals["expected_wins"])
    assert {part["seat"] for part in answer["by_seat"]} == set(seats.values())
    for part in answer["by_seat"]:
        sat = [match for match in matches if seats[match.match_id] == part["seat"]]
        assert (part["matches"], part["wins"]) == (len(sat), float(sum(match.share(part["seat"]) for match in sat)))
    for part in answer["by_mover"]:
        moved = [m for m in matches if (m.first == seats[m.match_id]) is (part["mover"] == "first")]
        assert part["matches"] == len(moved)
        assert part["wins"] == float(sum(match.share(seats[match.match_id]) for match in moved))
    met = Counter(player for match in matches for player in match.people.values() if player != PLAYER)
    assert {row["player"]["id"]: row["matches"] for row in answer["opponents"]} == dict(met)
    for row in answer["opponents"]:
        other = row["player"]["id"]
        both = [match for match in matches if match.seat_of(other)]
        ahead = sum(
            (one := match.places[seats[match.match_id]]) < (two := match.places[match.seat_of(other) or ""])
            or Fraction(one == two, 2)
            for match in both
        )
        assert row["ahead"]["rate"] == pytest.approx(float(ahead / len(both)))


def test_one_player_over_both_games(corpus: Service) -> None:
    query = (("from", "2023-07-01"), ("to", "2023-11-30"))
    answer = ask(corpus, f"players/{PLAYER}", *query)
    latest = answer["latest"]
    outcomes = [match["outcome"] for match in latest[::-1]]
    assert len(latest) == answer["matches"] <= 20
    assert {match["game"] for match in latest} == {"cite-lumiere", "paris"}
    assert (answer["form"], answer["points"], answer["features"]) == (outcomes[: -10 - 1 : -1], None, None)
    assert answer["streaks"]["longest_winning"] == slow.longest(outcomes, "won")
    assert answer["streaks"]["longest_losing"] == slow.longest(outcomes, "lost")
    assert answer["streaks"]["current"]["outcome"] == outcomes[-1]
    for part in answer["by_game"]:
        points = [match["points"] for match in latest if match["game"] == part["game"]]
        assert (part["matches"], part["points"]["n"]) == (len(points), len(points))
        assert part["points"]["mean"] == pytest.approx(sum(points) / len(points))
    assert all(part["points"] is None for name in ("seat", "mover", "players") for part in answer[f"by_{name}"])
    for part in answer["by_players"]:
        assert part["matches"] == sum(match["players"] == part["players"] for match in latest)
    games = [ask(corpus, f"players/{PLAYER}", *query, game=game) for game in ("cite-lumiere", "paris")]
    met = [Counter({row["player"]["id"]: row["matches"] for row in one["opponents"]}) for one in (answer, *games)]
    assert met[0] == met[1] + met[2]


@pytest.mark.parametrize("query", [(), (("from", "2022-02-02"), ("venue", "at home")), (("player", OTHER),)])
def test_the_features_of_a_player(corpus: Service, known: Sequence[Known], query: Sequence[tuple[str, str]]) -> None:
    conditions: Mapping[str, Callable[[Known], bool]] = {
        "from": lambda match: match.played_at >= datetime(2022, 2, 2, tzinfo=ZoneInfo("UTC")),
        "venue": lambda match: match.venue == "at home",
        "player": lambda match: match.seat_of(OTHER) is not None,
    }
    mine = slow.chosen(known, lambda match: match.seat_of(PLAYER) is not None, *(conditions[name] for name, _ in query))
    answer = ask(corpus, f"players/{PLAYER}", *query, game=GAME)
    assert answer["features"]
    for row in answer["features"]:
        available = [match for match in mine if slow.holders(match, row["feature"]) is not None]
        had = [match for match in available if match.seat_of(PLAYER) in (slow.holders(match, row["feature"]) or ())]
        not_had = [match for match in available if match not in had]
        assert (row["frequency"]["n"], row["with"]["n"], row["without"]["n"]) == (
            len(available),
            len(had),
            len(not_had),
        )
        beyond = []
        for said, by_chance, some in (
            (row["with"], row["with_expected"], had),
            (row["without"], row["without_expected"], not_had),
        ):
            if some:
                wins = sum(match.share(match.seat_of(PLAYER) or "") for match in some) / len(some)
                expected = sum(Fraction(1, len(match.people)) for match in some) / len(some)
                assert (said["rate"], by_chance) == pytest.approx((float(wins), float(expected)))
                beyond.append(wins - expected)
        if len(beyond) == 2:
            assert row["difference"]["difference"] == pytest.approx(float(beyond[0] - beyond[1]))
        assert row["part_of_score"] is (row["feature"] in GAMES[GAME].statistics.PART_OF_SCORE)


@pytest.mark.parametrize("venue", [None, "at home"])
def test_the_features_of_a_player_in_matches_of_two_to_four(
    corpus: Service, seats: Sequence[Sat], venue: str | None
) -> None:
    mine = [seat for seat in seats if (seat.player, seat.game) == (PLAYER, "paris") and venue in {None, seat.venue}]
    answer = ask(corpus, f"players/{PLAYER}", *([] if venue is None else [("venue", venue)]), game="paris")
    names = list(GAMES["paris"].statistics.FEATURE_KINDS)
    assert {one.players for one in mine} == {2, 3, 4}
    for row in answer["features"]:
        number = names.index(row["feature"])
        had = [one for one in mine if number in one.features]
        not_had = [one for one in mine if number in one.available and number not in one.features]
        assert (row["with"]["n"], row["without"]["n"]) == (len(had), len(not_had))
        if had and not_had:
            expected = slow.beyond_chance(had) - slow.beyond_chance(not_had)
            assert row["difference"]["difference"] == pytest.approx(float(expected))
            assert row["with_expected"] == pytest.approx(sum(1 / one.players for one in had) / len(had))
            assert row["without_expected"] == pytest.approx(sum(1 / one.players for one in not_had) / len(not_had))


@pytest.mark.parametrize("part", ["game", "seat", "players"])
def test_parts_of_a_players_matches_beside_all_others(corpus: Service, seats: Sequence[Sat], part: str) -> None:
    mine = [seat for seat in seats if seat.player == PLAYER]
    rows = ask(corpus, f"players/{PLAYER}")[f"by_{part}"]
    assert {row[part] for row in rows} == {getattr(one, part) for one in mine}
    for row in rows:
        inside = [one for one in mine if getattr(one, part) == row[part]]
        outside = [one for one in mine if getattr(one, part) != row[part]]
        assert row["difference"]["n"] == min(len(inside), len(outside))
        expected = slow.beyond_chance(inside) - slow.beyond_chance(outside)
        assert row["difference"]["difference"] == pytest.approx(float(expected))


def test_two_players_against_each_other(corpus: Service, known: Sequence[Known], filtered: Filter) -> None:
    both = [m for m in slow.chosen(known, filtered.condition) if m.seat_of(PLAYER) and m.seat_of(OTHER)]
    answer = ask(corpus, "head-to-head", *filtered.query, a=PLAYER, b=OTHER, game=GAME)
    assert answer["matches"] == len(both)
    if both:
        seats = [(match.seat_of(PLAYER) or "", match.seat_of(OTHER) or "") for match in both]
        pairs = list(zip(both, seats, strict=True))
        ahead = sum(match.places[a] < match.places[b] for match, (a, b) in pairs)
        assert answer["a_ahead"]["rate"] == pytest.approx(ahead / len(both))
        assert answer["a_wins"]["rate"] == pytest.approx(
            float(sum(match.share(a) for match, (a, _) in pairs) / len(both))
        )
        assert answer["expected_rate"] == 0.5
        points = [match.points[a] - match.points[b] for match, (a, b) in pairs]
        assert answer["score_difference"]["mean"] == pytest.approx(sum(points) / len(both))
        firsts = Counter("a" if match.first == a else "b" for match, (a, _) in pairs)
        assert {part["first"]: part["matches"] for part in answer["by_mover"]} == dict(firsts)


@pytest.mark.parametrize("game", list(GAMES))
def test_seats_of_a_game_are_compared_with_the_other_seats(corpus: Service, seats: Sequence[Sat], game: str) -> None:
    played = [seat for seat in seats if (seat.game, seat.variant) == (game, "standard")]
    rows = [
        (part["players"], row)
        for part in ask(corpus, f"games/{game}", population="public")["by_players"]
        for row in part["seats"]
    ]
    compared = 1 if game == GAME else sum(row["win_rate"]["n"] >= 20 for _, row in rows)
    for players, row in rows:
        sat = [one for one in played if (one.players, one.seat) == (players, row["seat"])]
        won = sum(one.wins for one in sat)
        others = [(1 - one.wins) / (players - 1) for one in sat]
        assert row["difference"]["n"] == len(sat)
        assert row["difference"]["difference"] == pytest.approx(float((won - sum(others)) / len(sat)))
        if len(sat) >= 20:
            ends = stats.binomtest(int(won), len(sat)).proportion_ci(1 - 0.05 / compared, method="exact")
            expected = [(end * players - 1) / (players - 1) for end in (ends.low, ends.high)]
            assert row["difference"]["interval"] == pytest.approx(expected, abs=0.02)


def test_wins_of_two_players_stand_beside_what_chance_gives(corpus: Service, seats: Sequence[Sat]) -> None:
    others = {seat.match_id for seat in seats if seat.player == OTHER}
    numbers = Counter(seat.players for seat in seats if seat.player == PLAYER and seat.match_id in others)
    answer = ask(corpus, "head-to-head", a=PLAYER, b=OTHER)
    expected = sum(number / players for players, number in numbers.items()) / numbers.total()
    assert answer["expected_rate"] == pytest.approx(expected)
    assert {part["players"]: part["expected_rate"] for part in answer["by_players"]} == {
        players: pytest.approx(1 / players) for players in numbers
    }


def test_the_game(corpus: Service, known: Sequence[Known], filtered: Filter) -> None:
    matches = slow.chosen(known, filtered.condition)
    answer = ask(corpus, f"games/{GAME}", *filtered.query)
    assert answer["points"]["histogram"] == slow.histogram(p for match in matches for p in match.points.values())
    assert answer["winning_points"]["histogram"] == slow.histogram(max(match.points.values()) for match in matches)
    assert answer["plies"]["histogram"] == slow.histogram(match.timeline.ply for match in matches)
    assert answer["lead_changes"]["histogram"] == slow.histogram(match.lead_changes for match in matches)
    margins = [max(match.points.values()) - min(match.points.values()) for match in matches]
    assert answer["margin"]["histogram"] == slow.histogram(margins)
    drawn = sum(list(match.places.values()).count(1) > 1 for match in matches)
    if matches:
        assert answer["draws"]["rate"] == pytest.approx(drawn / len(matches))
        (part,) = answer["by_players"]
        assert (part["players"], part["matches"], part["expected_rate"]) == (2, len(matches), 0.5)
        first = sum(match.share(match.first) for match in matches) / len(matches)
        assert part["first_mover"]["win_rate"]["rate"] == pytest.approx(float(first))
        leads = [2 * match.points[match.first] - sum(match.points.values()) for match in matches]
        assert part["first_mover"]["points_ahead"]["mean"] == pytest.approx(sum(leads) / len(matches))
        assert {name: part[name] for name in HOW_MATCHES_END} == {name: answer[name] for name in HOW_MATCHES_END}
        if len(matches) >= 20:
            means = [sum(match.points.values()) / 2 for match in matches]
            interval = stats.t.interval(0.95, len(means) - 1, sum(means) / len(means), stats.sem(means))
            assert answer["points"]["interval"] == pytest.approx(interval)
        for row in part["seats"]:
            wins = sum(match.share(row["seat"]) for match in matches) / len(matches)
            assert row["win_rate"]["rate"] == pytest.approx(float(wins))


def test_a_game_of_two_to_four_is_told_by_number_of_players(corpus: Service, seats: Sequence[Sat]) -> None:
    answer = ask(corpus, "games/paris", population="public")
    played = [seat for seat in seats if seat.game == "paris" and seat.variant == "standard"]
    assert [part["players"] for part in answer["by_players"]] == [2, 3, 4]
    for part in answer["by_players"]:
        some = [one for one in played if one.players == part["players"]]
        assert part["points"]["histogram"] == slow.histogram(one.points for one in some)
        assert part["matches"] == part["draws"]["n"] == len({one.match_id for one in some})
    for part, counted in [(part, {part["players"]}) for part in answer["by_players"]] + [(answer, {2, 3, 4})]:
        matches: dict[str, list[int]] = {}
        for one in played:
            if one.players in counted:
                matches.setdefault(one.match_id, []).append(one.points)
        number, sitting = len(matches), sum(map(len, matches.values()))
        mean = sum(map(sum, matches.values())) / sitting
        squares = sum((sum(points) - len(points) * mean) ** 2 for points in matches.values())
        half = stats.t.ppf(0.975, number - 1) * (squares * number / (number - 1)) ** 0.5 / sitting
        low, high = part["points"]["interval"]
        assert part["points"]["mean"] == pytest.approx(mean)
        # Of three and more, how much seats of one match differ is estimated from who began.
        assert (high - low) / 2 == pytest.approx(half, rel=1e-6 if counted == {2} else 0.25)


def test_features(corpus: Service, known: Sequence[Known], filtered: Filter) -> None:
    matches = slow.chosen(known, filtered.condition)
    answer = ask(corpus, f"games/{GAME}/features", *filtered.query)
    found = {name: slow.feature(matches, name) for name in GAMES[GAME].statistics.FEATURE_KINDS}
    assert [row["feature"] for row in answer["items"]] == [name for name, one in found.items() if one["available"]]
    for row in answer["items"]:
        expected = found[row["feature"]]
        assert row["frequency"]["n"] == expected["available"]
        assert row["frequency"]["rate"] == pytest.approx(expected["had"] / expected["available"])
        assert row["difference"]["n"] == expected["n"]
        assert row["difference"]["difference"] == pytest.approx(expected["difference"])
        assert row["varies"] is (expected["n"] > 0)
        assert row["part_of_score"] is (row["feature"] in GAMES[GAME].statistics.PART_OF_SCORE)
        if expected["n"]:
            assert row["with"]["rate"] - row["without"]["rate"] == pytest.approx(expected["difference"])


def counted_steps(matches: Sequence[Known], path: Sequence[Any]) -> Counter[Any]:
    """How often each step follows on a path."""
    steps: Counter[Any] = Counter()
    for match in matches:
        opening = match.timeline.game.statistics.opening(match.timeline.frames(), 6)
        if opening[: len(path)] == tuple(path) and len(opening) > len(path):
            steps[opening[len(path)]] += 1
    return steps


def test_openings(corpus: Service, known: Sequence[Known], filtered: Filter) -> None:
    matches = slow.chosen(known, filtered.condition)
    answer = ask(corpus, f"games/{GAME}/openings", *filtered.query, depth="6", limit="200")
    assert answer["n"] == len(matches)
    compare_node(matches, answer, [])


def compare_node(matches: Sequence[Known], node: Mapping[str, Any], path: list[Any]) -> None:
    game = GAMES[GAME]
    if len(path) == 6:
        assert node["children"] is None
        return
    steps = {step: number for step, number in counted_steps(matches, path).items() if number >= 5}
    children = {(child["mover"], str(child["move"])): child for child in node["children"]}
    assert {key: child["n"] for key, child in children.items()} == {
        (step.mover, str(game.move.dump(step.move))): number for step, number in steps.items()
    }
    assert node["pooled"] == node["n"] - sum(steps.values())
    for step in steps:
        child = children[step.mover, str(game.move.dump(step.move))]
        through = [
            m for m in matches if game.statistics.opening(m.timeline.frames(), 6)[: len(path) + 1] == (*path, step)
        ]
        movers = [
            match.first if step.mover == 1 else next(s for s in match.people if s != match.first) for match in through
        ]
        wins = sum(match.share(seat) for match, seat in zip(through, movers, strict=True))
        assert child["win_rate"]["rate"] == pytest.approx(float(wins / len(through)))
        compare_node(matches, child, [*path, step])


def test_openings_come_page_by_page(corpus: Service) -> None:
    whole = ask(corpus, f"games/{GAME}/openings", depth="2", limit="200")
    assert len(whole["children"]) > 4
    assert whole["next"] is None
    children: list[Any] = []
    cursor: dict[str, str] = {}
    while True:
        response = corpus.get(f"/stats/games/{GAME}/openings?{urlencode({'depth': 2, 'limit': 2, **cursor})}")
        page = ok(response)
        assert (page["n"], page["pooled"]) == (whole["n"], whole["pooled"])
        children += page["children"]
        if page["next"] is None:
            break
        cursor = {"cursor": page["next"]}
        assert f"cursor={page['next']}" in response.headers["Link"]
    assert [child["node"] for child in children] == [child["node"] for child in whole["children"]]
    for short, full in zip(children, whole["children"], strict=True):
        assert short["children"] == full["children"][:2]
        assert short["pooled"] == short["n"] - sum(child["n"] for child in short["children"])


def test_the_tree_can_be_asked_for_piece_by_piece(corpus: Service) -> None:
    whole = ask(corpus, f"games/{GAME}/openings", depth="2")
    top = whole["children"][0]
    below = ask(corpus, f"games/{GAME}/openings", depth="1", under=top["node"])
    assert (below["n"], below["depth"], below["node"]) == (top["n"], 1, top["node"])
    assert [child["node"] for child in below["children"]] == [child["node"] for child in top["children"]]
    for unknown in ("0" * 15 + "1", "f" * 16):
        nothing = ask(corpus, f"games/{GAME}/openings", under=unknown)
        assert (nothing["n"], nothing["children"], nothing["pooled"]) == (0, [], 0)


@pytest.mark.parametrize("size", [2, 3, 4])
def test_all_players_that_are_named_must_have_sat_there(corpus: Service, size: int) -> None:
    def count(*query: tuple[str, str]) -> int:
        tables = (
            {seat["player_id"] for seat in match["players"]}
            for match in corpus.all_items(f"/matches?limit=200&{urlencode([('game', 'paris'), *query])}")
        )
        return sum(named <= table for table in tables)

    matches = corpus.all_items("/matches?game=paris&limit=200")
    named = next({seat["player_id"] for seat in match["players"]} for match in matches if len(match["players"]) == size)
    players = [("game", "paris"), *(("player", player) for player in sorted(named))]
    for others in ([], [("venue", "at home")], [("from", "2022-02-02"), ("tag", "league")], players[1:]):
        answer = ask(corpus, "players", *players, *others)
        assert answer["population"]["included"] == count(*others)
        assert {row["matches"] for row in answer["items"] if row["player"]["id"] in named} <= {count(*others)}
    assert count() > 0
    assert ask(corpus, f"players/{min(named)}", *players)["matches"] == count()
    assert len(corpus.all_items(f"/matches?limit=200&{urlencode(players)}")) == count()
    assert ask(corpus, "players", *players, ("player", UNKNOWN_ID))["population"]["included"] == 0


def test_players_of_the_other_game_and_of_both(corpus: Service) -> None:
    every, one, other = (
        {row["player"]["id"]: row for row in ask(corpus, "players", *query, limit="200")["items"]}
        for query in ((), (("game", GAME),), (("game", "paris"),))
    )
    assert every.keys() == one.keys() | other.keys()
    for player, row in every.items():
        assert row["matches"] == sum(rows[player]["matches"] for rows in (one, other) if player in rows)
        assert row["wins"] == pytest.approx(sum(rows[player]["wins"] for rows in (one, other) if player in rows))
        assert row["mean_points"] is None


@pytest.mark.parametrize("sort", ["name", "win_rate", "wins_above_expectation"])
def test_players_come_in_the_order_that_is_asked_for_page_by_page(corpus: Service, sort: str) -> None:
    keys: dict[str, Callable[[Any], Any]] = {
        "name": lambda row: row["player"]["name"].casefold(),
        "win_rate": lambda row: -row["win_rate"]["interval"][0],
        "wins_above_expectation": lambda row: -row["wins_above_expectation"],
    }
    items = corpus.all_items(f"/stats/players?game={GAME}&sort={sort}&limit=5")
    assert len(items) == len(CAST.ids)
    assert [keys[sort](row) for row in items] == sorted(map(keys[sort], items))


def test_variants_are_kept_apart_and_players_counted_over_all(corpus: Service) -> None:
    by_variant = {
        variant: ask(corpus, "games/paris", variant=variant)["population"]["included"]
        for variant in GAMES["paris"].statistics.VARIANTS
    }
    plain = ask(corpus, "games/paris")
    assert plain["filters"]["variant"] == "standard"
    assert plain["population"]["included"] == by_variant["standard"] > 0
    assert sum(by_variant.values()) == ask(corpus, "players", game="paris")["population"]["included"]
    assert sum(map(bool, by_variant.values())) > 1


@pytest.mark.parametrize(
    ("path", "pointer"),
    [
        ("players?game=chess", "/game"),
        ("players?variant=blitz", "/variant"),
        ("players?player=Ana", "/player/0"),
        ("players?sort=luck", "/sort"),
        ("players?population=private", "/population"),
        ("players?mine=yes", "/mine"),
        ("players?tz=Mars", "/tz"),
        ("games/paris?game=cite-lumiere", "/game"),
        ("games/paris/openings?depth=7", "/depth"),
        ("games/paris/openings?under=root", "/under"),
        (f"head-to-head?a={PLAYER}", "/b"),
        (f"head-to-head?a={PLAYER}&b={PLAYER}", "/b"),
    ],
)
def test_what_nobody_can_ask_is_refused(corpus: Service, path: str, pointer: str) -> None:
    refusal = problem(corpus.get(f"/stats/{path}"), 422, "malformed")
    assert [error["pointer"] for error in refusal["errors"]] == [pointer]


def test_what_is_not_there_is_not_found(corpus: Service) -> None:
    problem(corpus.get("/stats/games/chess"), 404, "not-found")
    problem(corpus.get("/stats/players/019a93c8-0000-7000-8000-000000000000"), 404, "not-found")
    assert ask(corpus, "players", player="019a93c8-0000-7000-8000-000000000000")["items"] == []


@pytest.mark.parametrize("period", [("0001-01-01", "0001-01-02"), ("9999-12-31", "9999-12-31T23:59:59Z")])
def test_the_ends_of_time_can_be_asked_for(corpus: Service, period: tuple[str, str]) -> None:
    since, until = period
    for path in ("players", f"games/{GAME}", f"games/{GAME}/openings", "ratings"):
        answer = ok(corpus.get(f"/stats/{path}?{urlencode({'from': since, 'to': until, 'tz': 'Asia/Tokyo'})}"))
        assert answer["population"]["included"] == 0
