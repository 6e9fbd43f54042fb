"""Calibration of ratings: their predictions compared with the results of matches.

Each match is predicted from the ratings before it, and counts if none of them was provisional. What is kept is summed
by month, number of players and the favourite's chance in percent, so that an answer costs little however many matches
there are.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date
from math import fsum, log
from operator import attrgetter
from typing import Annotated, Final, TypedDict

from service.db.ratings import Forecasts
from service.http.shapes import Count, GameId, Keywords, Share, Time
from service.stats import intervals
from service.stats.intervals import Difference, Rate, Sample
from service.stats.plackett_luce import Strength
from service.stats.rating_points import WIDEST_SIGMA

_PARTS: Final = 10**6
"""Samples are of whole numbers, so losses are counted in millionths."""


FIFTHS: Final = 5
MAX_A_MONTH: Final = 200
"""Matches of a game and month that are predicted, the first ones played. More would tell hardly more, and predicting
all of a hundred thousand made rating them a quarter slower."""

_Ends = TypedDict(
    "_Ends",
    {
        "from": Annotated[Share, Keywords(description="The least chance of a favourite, to a percent.")],
        "to": Annotated[Share, Keywords(description="The largest.")],
    },
)


class Fifth(_Ends):
    """Matches in which the favourite had about the same chance."""

    predicted: Share
    """The mean chance of the favourites."""
    won: Rate
    """How often the favourites won."""


class Predictions(TypedDict):
    """What ratings predicted."""

    matches: Annotated[
        Count,
        Keywords(description=f"Those in which nobody's rating was provisional, at most {MAX_A_MONTH} a month."),
    ]
    log_loss: float | None
    """The mean of -ln of the chance that ratings had given the winner."""
    log_loss_of_chance: float | None
    """The same if all players of a match had the same chance: ln 2 for two."""
    difference: Difference
    """Of the two in each match; `lower` says that ratings predict better than chance."""
    fifths: Annotated[
        list[Fifth],
        Keywords(
            maxItems=FIFTHS,
            description="The matches by the chance of the favourite, in parts of about the same number.",
        ),
    ]


class GameCalibration(Predictions):
    """What ratings predicted of the matches of a game, and how these ended."""

    game: GameId
    as_of: Time | None
    """When the ratings were computed."""
    pending: Count
    """How many changes of matches they do not know of yet."""


class MonthOfForecasts:
    """Predictions for the matches of one month, by number of players and the favourite's chance."""

    def __init__(self) -> None:
        self._matches = 0
        self._sums: defaultdict[tuple[int, int], list[float]] = defaultdict(lambda: [0, 0.0, 0.0, 0.0, 0.0])

    def add(self, before: Sequence[Strength], chances: Sequence[float], places: Sequence[int]) -> None:
        """Add a match with the chance that each player had to win it, unless a rating was provisional."""
        if self._matches == MAX_A_MONTH:
            return
        for _, sigma in before:
            if sigma > WIDEST_SIGMA:
                return
        self._matches += 1
        favourite = max(chances)
        winners = places.count(1)
        if winners == 1:
            loss = -log(chances[places.index(1)])
        else:
            loss = -sum(log(chance) for chance, place in zip(chances, places, strict=True) if place == 1) / winners
        sums = self._sums[len(places), int(100 * favourite)]
        sums[0] += 1
        sums[1] += favourite
        if places[chances.index(favourite)] == 1:
            sums[2] += 1 / winners
        sums[3] += loss
        sums[4] += loss * loss

    def rows(self, scope: str, month: date) -> Iterator[Forecasts]:
        """The sums as they are kept."""
        for (players, percent), (matches, *sums) in sorted(self._sums.items()):
            yield Forecasts(scope, month, players, percent, int(matches), *sums)


def described(rows: Sequence[Forecasts]) -> Predictions:
    """Forecasts in the order of the favourite's chance as they are answered."""
    matches = sum(row.matches for row in rows)
    if not matches:
        nothing = intervals.difference(0, None, None)
        return {"matches": 0, "log_loss": None, "log_loss_of_chance": None, "difference": nothing, "fifths": []}
    loss = fsum(row.loss for row in rows)
    by_chance = fsum(row.matches * log(row.players) for row in rows)
    squares = fsum(map(_squared_gains, rows))
    gains = intervals.of_mean(Sample(matches, round(_PARTS * (loss - by_chance)), round(_PARTS**2 * squares)))
    interval = None if gains is None else intervals.Interval(gains.low / _PARTS, gains.high / _PARTS)
    return {
        "matches": matches,
        "log_loss": loss / matches,
        "log_loss_of_chance": by_chance / matches,
        "difference": intervals.difference(matches, (loss - by_chance) / matches, interval),
        "fifths": [_fifth(some) for some in _fifths(rows, matches)],
    }


def _squared_gains(row: Forecasts) -> float:
    """The squares of how much the loss of each match differs from that of equal chances, added up."""
    by_chance = log(row.players)
    return row.squares - 2 * by_chance * row.loss + row.matches * by_chance**2


def _fifths(rows: Sequence[Forecasts], matches: int) -> list[list[Forecasts]]:
    """Parts with about a fifth of the matches each, fewer where the chance was the same in many."""
    fifths: list[list[Forecasts]] = [[] for _ in range(FIFTHS)]
    passed = 0
    for row in sorted(rows, key=attrgetter("percent")):
        middle = passed + row.matches / 2
        fifths[int(FIFTHS * middle / matches)].append(row)
        passed += row.matches
    return [fifth for fifth in fifths if fifth]


def _fifth(rows: Sequence[Forecasts]) -> Fifth:
    matches = sum(row.matches for row in rows)
    return {
        "from": rows[0].percent / 100,
        "to": min(1.0, (rows[-1].percent + 1) / 100),
        "predicted": fsum(row.predicted for row in rows) / matches,
        "won": intervals.rate(fsum(row.won for row in rows), matches),
    }
