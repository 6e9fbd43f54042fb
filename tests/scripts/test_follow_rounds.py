"""The real service with recorders and followers, restarted in the middle."""

import pytest

from scripts.follow_rounds import run


@pytest.mark.slow
def test_a_restart_loses_nothing_and_every_follower_comes_to_know_all() -> None:
    report = run(matches=4, followers=12, seconds=4, every=0.05)
    assert report.is_well, (report.tally, report.followed)
    assert report.tally.moves > 40
    assert report.followed.reconnects >= 12
    assert report.followed.events > report.tally.moves
    assert len(report.seconds) > 40
    assert report.memory
