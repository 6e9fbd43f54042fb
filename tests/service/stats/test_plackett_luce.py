"""The model of Plackett and Luce beside another implementation of it, for any ranking of two to four players."""

from collections.abc import Sequence
from math import pi, sqrt
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openskill.models import PlackettLuce

from service.stats.plackett_luce import BETA, UNKNOWN, Strength, after_absence, rate

STRENGTHS = st.tuples(st.floats(-20, 70), st.floats(0.3, 12))
ENDED = st.lists(st.tuples(STRENGTHS, st.integers(1, 4)), min_size=2, max_size=4)
TAU = 25 / 150


def rated_by_package(strengths: Sequence[Strength], places: Sequence[int]) -> list[Strength]:
    """The strengths after a match as the package has them on our scale, which is not its own.

    The scale of a match divides differences of strengths, changes and uncertainties. So strengths are stretched before
    by how much the package's scale is wider than ours, and changes afterwards.
    """
    variances = [sigma**2 + TAU**2 for _, sigma in strengths]
    scale = sqrt(2 * BETA**2 + pi / 4 * sum(variances) / len(variances))
    stretch = sqrt(sum(variances) + len(variances) * BETA**2) / scale

    def gamma(_scale: float, _players: int, _mu: float, sigma_squared: float, *_others: Any) -> float:
        return sqrt(sigma_squared) / scale * stretch**2

    model = PlackettLuce(tau=TAU, gamma=gamma)
    teams = [[model.rating(mu=mu * stretch, sigma=sigma)] for mu, sigma in strengths]
    after = model.rate(teams, ranks=list(map(float, places)))
    return [
        (mu + (one.mu - mu * stretch) * stretch, one.sigma) for (mu, _), (one,) in zip(strengths, after, strict=True)
    ]


@settings(deadline=None)  # the first example waits for imports
@given(ENDED)
def test_a_match_moves_strengths_as_openskill_moves_them_on_the_same_scale(ended: list[tuple[Strength, int]]) -> None:
    strengths, places = [strength for strength, _ in ended], [1 + place for _, place in ended]
    after, _ = rate(strengths, places)
    for found, wanted in zip(after, rated_by_package(strengths, places), strict=True):
        assert found == pytest.approx(wanted, rel=1e-9)


def test_two_players_of_known_strength_are_moved_as_openskill_moves_them_by_default() -> None:
    strengths = [(31.0, 0.01), (24.0, 0.02)]
    model = PlackettLuce(tau=TAU)
    after = model.rate([[model.rating(mu=mu, sigma=sigma)] for mu, sigma in strengths], ranks=[2.0, 1.0])
    found, _ = rate(strengths, [2, 1])
    for (mu, _), (before, _), (one,) in zip(found, strengths, after, strict=True):
        assert mu - before == pytest.approx(one.mu - before, rel=1e-3)


@given(ENDED)
def test_chances_are_those_by_which_winning_moves_a_strength(ended: list[tuple[Strength, int]]) -> None:
    strengths = [strength for strength, _ in ended]
    after, chances = rate(strengths, [1, *(2 for _ in strengths[1:])])
    assert sum(chances) == pytest.approx(1)
    variances = [sigma**2 + TAU**2 for _, sigma in strengths]
    spread = sqrt(2 * BETA**2 + pi / 4 * sum(variances) / len(variances))
    assert after[0][0] - strengths[0][0] == pytest.approx((1 - chances[0]) * variances[0] / spread, abs=1e-9)


def test_the_chance_between_two_players_does_not_depend_on_who_else_plays() -> None:
    one, other, third = (27.0, 2.0), (24.0, 2.0), (22.0, 2.0)
    _, (a, b) = rate([one, other], [1, 2])
    _, (c, d, _) = rate([one, other, third], [1, 2, 3])
    assert a / b == pytest.approx(c / d)


def test_a_win_raises_and_a_loss_lowers_and_both_make_surer() -> None:
    ((winner, sigma), (loser, other_sigma)), _ = rate([UNKNOWN, UNKNOWN], [1, 2])
    assert winner > UNKNOWN[0] > loser
    assert sigma == other_sigma < UNKNOWN[1]


def test_a_shared_place_draws_strengths_together() -> None:
    strong, weak = (30.0, 4.0), (20.0, 4.0)
    ((one, _), (other, _)), _ = rate([strong, weak], [1, 1])
    assert strong[0] > one > other > weak[0]


def test_absence_makes_a_strength_less_certain_up_to_unknown_and_leaves_it_where_it_was() -> None:
    known = (30.0, 2.0)
    assert after_absence(known, 0) == known
    for months in range(1, 200):
        mu, sigma = after_absence(known, months)
        assert (mu, sigma) == (30.0, min(sqrt(4 + 0.81 * months), UNKNOWN[1]))
    assert after_absence((30.0, 9.0), 5) == (30.0, 9.0)
