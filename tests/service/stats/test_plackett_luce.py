"""The model of Plackett and Luce beside another implementation of it, for any ranking of two to four players."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openskill.models import PlackettLuce

from service.stats.plackett_luce import UNKNOWN, Strength, rate

STRENGTHS = st.tuples(st.floats(-20, 70), st.floats(0.3, 12))
ENDED = st.lists(st.tuples(STRENGTHS, st.integers(1, 4)), min_size=2, max_size=4)


@settings(deadline=None)  # the first example waits for imports
@given(ENDED)
def test_a_match_moves_strengths_as_openskill_moves_them(ended: list[tuple[Strength, int]]) -> None:
    strengths, places = [strength for strength, _ in ended], [place for _, place in ended]
    model = PlackettLuce()
    teams = [[model.rating(mu=mu, sigma=sigma)] for mu, sigma in strengths]
    expected = [(one.mu, one.sigma) for (one,) in model.rate(teams, ranks=list(map(float, places)))]
    for found, wanted in zip(rate(strengths, places), expected, strict=True):
        assert found == pytest.approx(wanted, rel=1e-9)


def test_a_win_raises_and_a_loss_lowers_and_both_make_surer() -> None:
    (winner, sigma), (loser, other_sigma) = rate([UNKNOWN, UNKNOWN], [1, 2])
    assert winner > UNKNOWN[0] > loser
    assert sigma == other_sigma < UNKNOWN[1]


def test_a_shared_place_draws_strengths_together() -> None:
    strong, weak = (30.0, 4.0), (20.0, 4.0)
    (one, _), (other, _) = rate([strong, weak], [1, 1])
    assert strong[0] > one > other > weak[0]
