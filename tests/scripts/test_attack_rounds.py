"""The real service under one attack, with recorders and readers who must not notice."""

import pytest

from scripts.attack_rounds import Options, described, run, table


@pytest.mark.soak
@pytest.mark.slow
def test_members_who_make_editions_cost_nobody_a_move() -> None:
    report = run(Options(seconds=2, only=frozenset({10}), matches=0))
    (editions,) = report.rounds
    assert report.tally.is_well, report.tally
    assert report.tally.moves > 5
    assert not (editions.killed or editions.moves.failures or editions.reads.failures)
    assert editions.attackers["201"]
    assert editions.moves.answers["201"] > report.tally.moves
    assert editions.reads.answers["200"]
    assert editions.workers and editions.database
    assert "editions" in "\n".join([*described(editions), *table(report.rounds)])
