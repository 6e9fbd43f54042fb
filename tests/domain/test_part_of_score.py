"""Which features are part of the score: whatever ever gives points."""

import pytest

from domain.catalogue import GAMES
from tests.domain.lines import random_line

MATCHES = 30


@pytest.mark.parametrize("game_id", list(GAMES))
def test_what_gives_points_is_part_of_the_score(game_id: str) -> None:
    game = GAMES[game_id]
    assert game.part_of_score <= set(game.feature_kinds)
    giving = set()
    for seed in range(MATCHES):
        found = game.features(random_line(game, seed))
        giving |= {name for name, seats in found.items() if any(feature.points for feature in seats.values())}
    assert giving <= game.part_of_score
    assert len(giving) > len(game.part_of_score) / 2


def test_points_themselves_are_part_of_the_score() -> None:
    assert {"lit", "group", "unbuilt"} <= GAMES["cite-lumiere"].part_of_score
    assert {"lamps", "built_spaces", "free_spaces"}.isdisjoint(GAMES["cite-lumiere"].part_of_score)
    assert {"francs", "keys"}.isdisjoint(GAMES["paris"].part_of_score)
