"""The columns of statistics as CSV, which do not depend on the data."""

from collections.abc import Mapping
from typing import Final

from service.stats.calibration import FIFTHS

FIGURES: Final = ("figure", "value")
"""Of answers that are no list: a row for each figure, by the names on the way to it."""


def _player(*names: str) -> tuple[str, ...]:
    return ("player.id", "player.name", *names)


def _interval(name: str) -> tuple[str, str]:
    return f"{name}.low", f"{name}.high"


def _measured(name: str, value: str) -> tuple[str, ...]:
    """A figure with the number of matches that it rests on and its interval."""
    return f"{name}.n", f"{name}.{value}", *_interval(f"{name}.interval")


def _fifth(name: str) -> tuple[str, ...]:
    return f"{name}.from", f"{name}.to", f"{name}.predicted", *_measured(f"{name}.won", "rate")


_RATING: Final = (
    "rating",
    "sigma",
    *_interval("interval"),
    "points.rating",
    "points.plus_minus",
    *_interval("points"),
    "provisional",
)

TABLES: Final[Mapping[str, tuple[str, ...]]] = {
    "PlayerStatisticsPage": _player(
        "matches",
        "wins",
        *_measured("win_rate", "rate"),
        "expected_wins",
        "wins_above_expectation",
        "mean_points",
        "median_points",
        "mean_margin",
        "form",
    ),
    "FeatureStatistics": (
        "feature",
        "kind",
        *_measured("frequency", "rate"),
        "seats",
        *_measured("with", "rate"),
        *_measured("without", "rate"),
        *_measured("difference", "difference"),
        "difference.verdict",
        "mean_points",
        "mean_amount",
        "part_of_score",
        "varies",
        "about",
    ),
    "OpeningStatistics": (
        "node",
        "parent",
        "depth",
        "mover",
        "move",
        "n",
        *_measured("frequency", "rate"),
        *_measured("win_rate", "rate"),
        "pooled",
    ),
    "RatingPage": ("place", *_player("matches", *_RATING)),
    "RatingCalibration": (
        "game",
        "as_of",
        "pending",
        "matches",
        "log_loss",
        "log_loss_of_chance",
        *_measured("difference", "difference"),
        "difference.verdict",
        *(column for fifth in range(1, FIFTHS + 1) for column in _fifth(f"fifths.{fifth}")),
    ),
    "RatingHistory": ("match_id", "played_at", *_RATING),
}
"""By the component of the answer; what does not have a table here has `FIGURES`."""
