"""Measures how often the interval of a rating holds the true strength, in clubs of simulated players."""

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import log, sqrt
from random import Random
from typing import Final

from scripts.arguments import positive
from service.stats.intervals import Z
from service.stats.plackett_luce import BETA, UNKNOWN, Strength, after_absence, rate

TABLES: Final[Mapping[str, Sequence[int]]] = {"2": (2,), "4": (4,), "mixed": (2, 3, 4)}
"""The numbers of players in the matches of a club."""
AFTER: Final = (10, 30, 100, 300)
"""After how many matches of a player it is looked at."""
PLAYERS: Final = 40
SPREAD: Final = sqrt(2) * BETA
"""The share of chance in a match, for any number of players."""


def coverage(numbers: Sequence[int], clubs: int, after: Sequence[int] = AFTER, absence: int = 0) -> dict[int, float]:
    """By how many matches somebody has played, the share of players whose strength lies in the interval.

    With an absence everybody stays away for so many months before each of these matches, and strengths change
    meanwhile as the model takes them to.
    """
    held: defaultdict[int, list[bool]] = defaultdict(list)
    for club in range(clubs):
        for matches, is_held in _club(Random(f"{numbers} {club}"), numbers, after, absence):
            held[matches].append(is_held)
    return {matches: sum(held[matches]) / len(held[matches]) for matches in after}


def _club(random: Random, numbers: Sequence[int], after: Sequence[int], absence: int) -> Iterator[tuple[int, bool]]:
    """Play until everybody has played enough; whether each interval looked at holds the strength."""
    truth = [random.gauss(*UNKNOWN) for _ in range(PLAYERS)]
    rated: list[Strength] = [UNKNOWN] * PLAYERS
    played = [0] * PLAYERS
    _, drift = after_absence((0.0, 0.0), absence)
    while min(played) < max(after):
        seated = random.sample(range(PLAYERS), random.choice(numbers))
        performed = [truth[one] / SPREAD - log(-log(random.random())) for one in seated]
        places = [1 + sum(other > own for other in performed) for own in performed]
        moved, _ = rate([rated[one] for one in seated], places)
        for one, strength in zip(seated, moved, strict=True):
            rated[one] = strength
            played[one] += 1
            if played[one] in after:
                if absence:
                    truth[one] += random.gauss(0, drift)
                    rated[one] = after_absence(rated[one], absence)
                mu, sigma = rated[one]
                yield played[one], abs(mu - truth[one]) <= Z * sigma


def main() -> int:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clubs", type=positive, default=20, help="of 40 players each (default %(default)s)")
    parser.add_argument("--absence", type=int, default=0, help="months away before each look (default %(default)s)")
    arguments = parser.parse_args()
    print("players" + "".join(f"{f'after {matches}':>12}" for matches in AFTER))
    for name, numbers in TABLES.items():
        found = coverage(numbers, arguments.clubs, absence=arguments.absence)
        print(f"{name:<7}" + "".join(f"{found[matches]:>12.1%}" for matches in AFTER))
    return 0


if __name__ == "__main__":
    sys.exit(main())
