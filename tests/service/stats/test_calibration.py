"""What ratings predicted of matches, beside how these ended."""

from collections.abc import Iterable, Sequence
from datetime import date
from itertools import islice
from math import exp, log, pi, sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any

import pytest

from service.db.ratings import Forecasts
from service.stats.calibration import MAX_A_MONTH, MonthOfForecasts, described
from service.stats.plackett_luce import BETA, UNKNOWN, Strength, rate
from service.stats.rating_points import is_provisional
from tests.service.harness import Service, ok, problem
from tests.service.stats import slow
from tests.service.stats.test_plackett_luce import TAU
from tests.service.stats.test_ratings import rated_slowly
from tests.service.stats.test_tables import table

MONTH = date(2026, 1, 1)
KNOWN = 1.0
"""The sigma of a strength that is known well."""


def predicted(matches: Iterable[tuple[list[Strength], list[int]]]) -> Any:
    """What is answered of matches of which the strengths before and the places are given."""
    rows: list[Forecasts] = []
    rest = iter(matches)
    while some := list(islice(rest, MAX_A_MONTH)):
        forecasts = MonthOfForecasts()
        for before, places in some:
            _, chances = rate(before, places)
            forecasts.add(before, chances, places)
        rows += forecasts.rows("paris", MONTH)
    return described(rows)


def test_forecasts_by_which_matches_end_are_found_right() -> None:
    random = Random(5)
    matches = []
    for _ in range(4000):
        before = [(random.uniform(15, 35), KNOWN) for _ in range(random.randint(2, 4))]
        _, chances = rate(before, [1] * len(before))
        [winner] = random.choices(range(len(before)), chances)
        matches.append((before, [1 if seat == winner else 2 for seat in range(len(before))]))
    found = predicted(matches)
    assert found["matches"] == sum(fifth["won"]["n"] for fifth in found["fifths"]) == 4000
    assert len(found["fifths"]) == 5
    for fifth in found["fifths"]:
        assert fifth["won"]["n"] == pytest.approx(800, rel=0.2)
        assert fifth["from"] <= fifth["predicted"] <= fifth["to"]
        assert fifth["won"]["rate"] == pytest.approx(fifth["predicted"], abs=0.05)
    assert found["difference"]["verdict"] == "lower"
    assert found["log_loss_of_chance"] == pytest.approx(sum(log(len(places)) for _, places in matches) / 4000)
    assert found["difference"]["difference"] == pytest.approx(found["log_loss"] - found["log_loss_of_chance"])


def test_forecasts_of_matches_that_chance_decides_are_worse_than_chance() -> None:
    random = Random(6)
    found = predicted(([(32.0, KNOWN), (20.0, KNOWN)], random.choice([[1, 2], [2, 1]])) for _ in range(200))
    assert found["log_loss"] > found["log_loss_of_chance"] == pytest.approx(log(2))
    assert found["difference"]["verdict"] == "higher"
    [fifth] = found["fifths"]
    assert fifth["predicted"] > fifth["won"]["interval"][1]


def test_a_shared_win_is_a_part_of_one_and_loses_for_each_winner() -> None:
    found = predicted([([(25.0, KNOWN), (25.0, KNOWN), (25.0, KNOWN)], [1, 1, 3])])
    assert found["log_loss"] == pytest.approx(log(3))
    assert found["fifths"][0]["won"]["rate"] == 0.5


def test_no_more_matches_of_a_month_are_predicted_than_are_of_use() -> None:
    forecasts = MonthOfForecasts()
    for _ in range(MAX_A_MONTH + 10):
        forecasts.add([(25.0, KNOWN), (25.0, KNOWN)], (0.5, 0.5), [1, 2])
    assert described(list(forecasts.rows("paris", MONTH)))["matches"] == MAX_A_MONTH


def test_matches_of_provisional_ratings_are_not_among_them() -> None:
    assert predicted([([(25.0, KNOWN), UNKNOWN], [1, 2])]) == {
        "matches": 0,
        "log_loss": None,
        "log_loss_of_chance": None,
        "difference": {"n": 0, "difference": None, "interval": None, "verdict": "too_few_to_say"},
        "fifths": [],
    }


def test_calibration_of_a_corpus_is_that_of_its_logs(corpus: Service, corpus_dsn: str) -> None:
    matches = [match for match in slow.read(corpus_dsn) if match.game == "cite-lumiere"]
    ended = [{player: match.places[seat] for seat, player in match.people.items()} for match in matches]
    befores: list[Sequence[Strength]] = []
    rated_slowly(((match.played_at, places) for match, places in zip(matches, ended, strict=True)), befores)
    losses, won = [], 0.0
    for before, places in zip(befores, ended, strict=True):
        if all(not is_provisional(sigma) for _, sigma in before):
            spread = sqrt(2 * BETA**2 + pi / 8 * sum(sigma**2 + TAU**2 for _, sigma in before))
            odds = exp((before[0][0] - before[1][0]) / spread)
            chances = [odds / (1 + odds), 1 / (1 + odds)]
            shares = [(place == 1) / list(places.values()).count(1) for place in places.values()]
            losses.append(-sum(share * log(chance) for share, chance in zip(shares, chances, strict=True)))
            won += shares[chances.index(max(chances))]
    [found] = ok(corpus.get("/stats/ratings/calibration?game=cite-lumiere"))["items"]
    assert found["matches"] == len(losses) > 100
    assert found["log_loss"] == pytest.approx(fmean(losses))
    gains = [loss - log(2) for loss in losses]
    assert found["difference"]["difference"] == pytest.approx(fmean(gains))
    half = (found["difference"]["interval"][1] - found["difference"]["interval"][0]) / 2
    assert half == pytest.approx(1.96 * stdev(gains) / sqrt(len(gains)), rel=0.02)
    assert sum(fifth["won"]["rate"] * fifth["won"]["n"] for fifth in found["fifths"]) == pytest.approx(won)


def test_calibration_is_told_for_each_game_as_json_and_as_a_table(corpus: Service) -> None:
    items = ok(corpus.get("/stats/ratings/calibration"))["items"]
    assert [item["game"] for item in items] == ["cite-lumiere", "paris"]
    [cite] = ok(corpus.get("/stats/ratings/calibration?game=cite-lumiere"))["items"]
    assert cite == items[0]
    rows = table(corpus, "ratings/calibration")
    assert [row["game"] for row in rows] == ["cite-lumiere", "paris"]
    assert float(rows[0]["fifths.1.predicted"]) == cite["fifths"][0]["predicted"]
    problem(corpus.get("/stats/ratings/calibration?tag=league"), 422, "malformed")


def test_before_any_rating_is_relied_on_the_table_has_its_columns_and_no_figures(
    service: Service, corpus: Service
) -> None:
    empty = service.get("/stats/ratings/calibration", {"Accept": "text/csv"})
    assert empty.status_code == 200
    header, *rows = empty.text.splitlines()
    assert header == corpus.get("/stats/ratings/calibration", {"Accept": "text/csv"}).text.splitlines()[0]
    assert [row.split(",")[:4] for row in rows] == [["cite-lumiere", "", "0", "0"], ["paris", "", "0", "0"]]
    described = service.get("/openapi.json").text
    assert ", ".join(f"`{column}`" for column in header.split(",")) in described
