"""What the engine of La Cité de la Lumière takes; paving and building are listed in different ways."""

from bench import own_games
from bench.timing import Task
from domain.games.cite_lumiere import CITE_LUMIERE


def tasks(count: int, seed: int) -> dict[str, Task]:
    """The tasks over so many random matches, by what they do."""
    groups = {"paving": lambda state: state.is_paving, "building": lambda state: not state.is_paving}
    return own_games.tasks(CITE_LUMIERE, groups, count, seed)
