"""Which features are part of the score: whatever ever gives points."""

import pytest

from domain.catalogue import GAMES
from tests.domain.lines import random_line

MATCHES = 30


@pytest.mark.uncounted
@pytest.mark.parametrize("game_id", list(GAMES))
def test_what_gives_points_is_part_of_the_score(game_id: str) -> None:
    game = GAMES[game_id]
    assert set(game.statistics.FEATURE_KINDS) >= game.statistics.PART_OF_SCORE
    giving = set()
    for seed in range(MATCHES):
        found = game.statistics.features(random_line(game, seed))
        giving |= {name for name, seats in found.items() if any(feature.points for feature in seats.values())}
    assert giving <= game.statistics.PART_OF_SCORE
    assert len(giving) > len(game.statistics.PART_OF_SCORE) / 2


def test_points_themselves_are_part_of_the_score() -> None:
    assert {"lit", "group", "unbuilt"} <= GAMES["cite-lumiere"].statistics.PART_OF_SCORE
    assert {"lamps", "built_spaces", "free_spaces"}.isdisjoint(GAMES["cite-lumiere"].statistics.PART_OF_SCORE)
    assert {"francs", "keys"}.isdisjoint(GAMES["paris"].statistics.PART_OF_SCORE)
