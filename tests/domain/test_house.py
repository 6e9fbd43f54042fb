"""All games are built alike: who knows the modules of one game finds what they seek in the others."""

from pathlib import Path

import pytest

GAMES = Path(__file__).parents[2] / "domain" / "games"

COMMON = frozenset(
    "edition setup moves notation state rules scoring telling view reasons __init__ texts editions".split()
)
"""What every game has: its modules, `texts` by language and the documents in `editions`."""
OPTIONAL = frozenset({"parts", "statistics"})
"""The names of pieces and what statistics count, where there is something to name and to count."""
OWN = {
    "cite_lumiere": {
        "board": "sets of spaces: neighbours, regions, outlines of shapes",
        "placing": "where buildings may lie, which rights widen",
        "postcards": "the effects of the postcards",
    },
    "paris": {
        "keys": "placing and moving keys",
        "bonus": "the track of bonus tiles and their effects",
        "revealing": "drawing building tiles",
        "trading": "buying and selling tokens",
    },
}
"""What only one game has, and why."""


def entries(folder: Path) -> set[str]:
    """The modules and folders in a folder."""
    return {entry.stem for entry in folder.iterdir() if entry.name != "__pycache__"}


@pytest.mark.parametrize("game", sorted(entries(GAMES) - {"__init__"}))
def test_a_game_has_the_modules_that_all_have_and_those_that_it_explains(game: str) -> None:
    assert entries(GAMES / game) - OPTIONAL == COMMON | set(OWN.get(game, ()))


@pytest.mark.parametrize("game", OWN)
def test_both_games_name_their_pieces_and_have_statistics(game: str) -> None:
    assert entries(GAMES / game) >= OPTIONAL
