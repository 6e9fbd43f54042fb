"""Whether it helps to begin: right although the loser of the last match begins, and by the likelihood of all."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from math import exp, log
from random import Random
from typing import Any
from uuid import UUID

import numpy as np
import pytest

from service.db.statistics import Begun
from service.stats.beginning import advantages
from tests.service.harness import Service
from tests.service.stats.slow import Sat, read_seats
from tests.service.stats.test_figures import FILTERS, GAME, Filter, ask

Comparison = tuple[int, int, int, int]
"""The number of players, who began, who else sat there, and 2 if the first was ahead of the other."""
ROUNDS = 100
MAX_WRONG = 0.1
"""Of so many rounds with 5 % wrong ones, more are wrong but once in a hundred times."""


def advantage(comparisons: Iterable[Comparison]) -> Any:
    begun = [Begun(k, UUID(int=a), UUID(int=b), ahead, n) for (k, a, b, ahead), n in Counter(comparisons).items()]
    (found,) = advantages(begun).values()
    return found


def evening(
    random: Random, number: int, table: Sequence[int], strengths: Sequence[float], effect: float = 0
) -> Iterator[Comparison]:
    """Matches of the same people one after another, of which the loser of the last one begins."""
    first = random.choice(table)
    for _ in range(number):
        drawn = {one: strengths[one] + effect * (one == first) - log(random.expovariate(1)) for one in table}
        for other in table:
            if other != first:
                yield len(table), first, other, 2 * (drawn[first] > drawn[other])
        first = min(table, key=drawn.__getitem__)


def one_pair(random: Random, effect: float = 0) -> Iterator[Comparison]:
    """Two hundred matches of two players, of whom one wins seven of ten."""
    yield from evening(random, 200, (0, 1), (log(7 / 3), 0), effect)


def club(random: Random, players: int, spread: float, effect: float = 0) -> Iterator[Comparison]:
    """Hundred evenings of three matches among twelve people."""
    strengths = [random.gauss(0, spread) for _ in range(12)]
    for _ in range(100):
        yield from evening(random, 3, random.sample(range(12), players), strengths, effect)


def wrong_rounds(play: Callable[[Random], Iterable[Comparison]]) -> float:
    verdicts = [advantage(play(Random(seed)))["verdict"] for seed in range(ROUNDS)]
    return sum(verdict in {"higher", "lower"} for verdict in verdicts) / ROUNDS


@pytest.mark.parametrize(
    "play",
    [one_pair, *(partial(club, players=players, spread=spread) for players in (2, 3, 4) for spread in (0, 1))],
    ids=["one pair", "two equal", "two", "three equal", "three", "four equal", "four"],
)
def test_that_the_loser_begins_seldom_makes_beginning_hurt_or_help(
    play: Callable[[Random], Iterable[Comparison]],
) -> None:
    assert wrong_rounds(play) <= MAX_WRONG


def test_weaker_players_who_begin_win_less_but_beginning_does_not_hurt_them() -> None:
    """The raw rate says that it does, beyond doubt."""
    comparisons = list(one_pair(Random(0)))
    ahead = sum(ahead for _, _, _, ahead in comparisons) / 2
    assert ahead / 200 < 0.43
    found = advantage(comparisons)
    assert (found["n"], found["verdict"]) == (200, "no_clear_difference")
    assert abs(found["difference"]) < 0.05


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(("effect", "verdict"), [(1, "higher"), (-1, "lower")])
def test_an_advantage_is_found_although_weaker_players_begin(players: int, effect: float, verdict: str) -> None:
    found = advantage(club(Random(3), players, 1, effect))
    assert found["verdict"] == verdict
    true = 1 / (1 + exp(-effect)) - 0.5
    assert abs(found["difference"] - true) < 0.1


def log_likelihood(effect: float, pairs: Sequence[tuple[int, int, int, int]], spread: float) -> float:
    """Of wins and losses of one player of each pair, where they began and where not, by integration over strengths."""
    strengths = np.linspace(0, 1, 20_001)[1:-1]
    odds = np.log(strengths / (1 - strengths))
    prior = (4 * strengths * (1 - strengths)) ** (spread - 1)
    total = 0.0
    for won, lost, won_following, lost_following in pairs:
        begins, follows = 1 / (1 + np.exp(-odds - effect)), 1 / (1 + np.exp(-odds + effect))
        likely = begins**won * (1 - begins) ** lost * follows**won_following * (1 - follows) ** lost_following
        total += log(float((likely * prior).sum() / prior.sum()))
    return total


def test_the_effect_is_where_the_likelihood_leads() -> None:
    pairs = [(3, 4, 5, 2), (0, 2, 3, 3), (6, 1, 2, 4), (1, 0, 0, 1), (9, 3, 1, 2)]
    comparisons: list[Comparison] = []
    for at, (won, lost, won_following, lost_following) in enumerate(pairs):
        one, other = 2 * at, 2 * at + 1
        comparisons += [(2, one, other, 2)] * won + [(2, one, other, 0)] * lost
        comparisons += [(2, other, one, 0)] * won_following + [(2, other, one, 2)] * lost_following
    spread = max((2.0**power for power in range(-1, 11)), key=partial(log_likelihood, 0.0, pairs))
    step = 0.01
    below, middle, above = (log_likelihood(effect, pairs, spread) for effect in (-step, 0, step))
    score, information = (above - below) / (2 * step), -(above + below - 2 * middle) / step**2
    found = advantage(comparisons)
    assert found["difference"] == pytest.approx(score / information / 4, rel=1e-3)
    low, high = found["interval"]
    assert (high - low) / 2 == pytest.approx(1.959964 / 4 / information**0.5, rel=1e-3)


def test_an_advantage_is_one_half_at_most() -> None:
    found = advantage([(2, 0, 1, 2)] * 15 + [(2, 1, 0, 2)] * 15)
    assert found["difference"] <= 0.5 and found["interval"][1] == 0.5


@pytest.fixture(scope="module")
def seats(corpus_dsn: str, corpus: Service) -> list[Sat]:
    return read_seats(corpus_dsn)


@pytest.mark.parametrize("query", [one for one in FILTERS if one.name in {"nothing", "a venue", "a player"}])
def test_beginners_of_matches_that_fit_are_compared(corpus: Service, seats: Sequence[Sat], query: Filter) -> None:
    players = [value for name, value in query.query if name == "player"]
    venues = [value for name, value in query.query if name == "venue"]
    there = {seat.match_id for seat in seats if seat.player in players}
    begun = Counter(
        (seat.players, UUID(seat.player), UUID(other), ahead)
        for seat in seats
        if (seat.game, seat.mover) == (GAME, "first")
        and (not players or seat.match_id in there)
        and (not venues or seat.venue in venues)
        for other, ahead in seat.ahead.items()
    )
    expected = advantages(Begun(*key, number) for key, number in sorted(begun.items()))
    parts = ask(corpus, f"games/{GAME}", *query.query)["by_players"]
    found = {part["players"]: part["first_mover"]["within_pairs"] for part in parts}
    assert {players: (one["n"], one["verdict"]) for players, one in found.items()} == {
        players: (one["n"], one["verdict"]) for players, one in expected.items()
    }
    for players, one in found.items():
        assert one["difference"] == pytest.approx(expected[players]["difference"])
        assert one["interval"] == pytest.approx(expected[players]["interval"])
