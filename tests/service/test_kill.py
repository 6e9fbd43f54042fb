"""The real service under load, killed without warning: every acknowledged move is there once, no batch in part."""

import pytest

from scripts.kill_rounds import run


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_or_doubled_whatever_is_killed() -> None:
    tally = run(1, clients=8, seconds=3)
    assert tally.is_well, tally
    assert tally.matches >= 8
    assert tally.sent_again > 0
