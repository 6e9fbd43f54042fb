"""What the engine of Paris takes; before the reveal of a turn many tiles are listed, after it what can be done."""

from bench import own_games
from bench.timing import Task
from domain.games.paris import PARIS


def tasks(count: int, seed: int) -> dict[str, Task]:
    """The tasks over so many random matches, by what they do."""
    groups = {"reveal due": lambda state: state.must_reveal, "otherwise": lambda state: not state.must_reveal}
    return own_games.tasks(PARIS, groups, count, seed)
