"""What statistics say of players: the table of all, one of them, and two against each other."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from operator import attrgetter
from typing import Any, Final, TypeAlias
from uuid import UUID

from domain.catalogue import GAMES
from domain.game import FeatureKind
from service.identity import as_text
from service.stats.codes import WHOLE
from service.stats.intervals import between, bonferroni, difference, mean, quantile, rate, sample, spread, wilson
from service.store import statistics
from service.store.database import Connection
from service.store.statistics import Played, Scope, Totals

FORM: Final = 10
"""The latest matches that tell in what form a player is."""
MOST_LISTED: Final = 20
FEWEST_MEETINGS: Final = 5
"""Matches below which nobody is a nemesis."""


def table(connection: Connection, scope: Scope, sort: str, first: int, limit: int) -> list[dict[str, Any]]:
    """A page of the players in an order, and the one behind it if there is one."""
    rows = sorted(statistics.player_totals(connection, scope, FORM), key=_ORDERS[sort])[first : first + limit + 1]
    if scope.is_summed:
        rows = _completed(connection, scope, rows)
    return [_totals(row, has_points=scope.game is not None) for row in rows]


def _completed(connection: Connection, scope: Scope, rows: Sequence[Totals]) -> list[Totals]:
    """The totals of a few players with what would cost too much to find out of all."""
    ids = [row.player_id for row in rows]
    scores = {} if scope.game is None else statistics.player_points(connection, scope, ids)
    latest = statistics.latest_wins(connection, scope, ids, FORM)
    return [
        replace(row, median=quantile(scores.get(row.player_id, {}), 0.5), latest=latest[row.player_id]) for row in rows
    ]


_ORDERS: Final[Mapping[str, Callable[[Totals], Any]]] = {
    "matches": lambda row: (-row.number, str(row.player_id)),
    "name": lambda row: (row.name.casefold(), str(row.player_id)),
    "win_rate": lambda row: (-wilson(row.wins / WHOLE, row.number).low, str(row.player_id)),
    "wins_above_expectation": lambda row: (row.expected - row.wins, str(row.player_id)),
}
SORTS: Final = tuple(_ORDERS)


def _totals(row: Totals, *, has_points: bool) -> dict[str, Any]:
    return {
        "player": {"id": str(row.player_id), "name": row.name},
        "matches": row.number,
        "wins": row.wins / WHOLE,
        "win_rate": rate(row.wins / WHOLE, row.number),
        "expected_wins": row.expected / WHOLE,
        "wins_above_expectation": (row.wins - row.expected) / WHOLE,
        "mean_points": row.points / row.number if has_points else None,
        "median_points": row.median if has_points else None,
        "mean_margin": row.margin / row.number if has_points else None,
        "form": [_outcome(wins) for wins in row.latest or ()],
    }


def player(connection: Connection, scope: Scope, ids: Sequence[UUID]) -> dict[str, Any]:
    """All that is known of how one player plays."""
    matches = statistics.played(connection, scope, ids)
    met = statistics.opponents(connection, scope, ids)
    return {
        **_summary(Counter(map(attrgetter(*_END), matches))),
        "points": None if scope.game is None else spread(_histogram(match.points for match in matches)),
        "margin": None if scope.game is None else mean(sample((match.margin, 1) for match in matches)),
        "form": [_outcome(match.wins) for match in matches[: -FORM - 1 : -1]],
        "streaks": _streaks(matches),
        **{f"by_{name}": _split(matches, name) for name in ("game", "seat", "mover", "players")},
        "opponents": [_opponent(row) for row in sorted(met, key=lambda row: -row["number"])[:MOST_LISTED]],
        **_extremes(met),
        "features": None if scope.game is None else _features(connection, scope, ids, matches),
        "latest": [_match(row) for row in statistics.latest(connection, scope, ids, MOST_LISTED)],
    }


Ends: TypeAlias = Counter[tuple[int, int, int]]
"""How often a match of so many players ended with such parts of a win and such points: seldom in a new way."""
_END: Final = ("players", "wins", "points")


def _summary(ends: Ends) -> dict[str, Any]:
    number = ends.total()
    wins = sum(wins * times for (_, wins, _), times in ends.items()) / WHOLE
    expected = sum(WHOLE // players * times for (players, _, _), times in ends.items()) / WHOLE
    return {
        "matches": number,
        "wins": wins,
        "win_rate": rate(wins, number),
        "expected_wins": expected,
        "wins_above_expectation": wins - expected,
    }


def _split(matches: Sequence[Played], name: str) -> list[dict[str, Any]]:
    """The same figures for each part of the matches."""
    parts: dict[Any, Ends] = defaultdict(Counter)
    for (part, *end), times in Counter(map(attrgetter(name, *_END), matches)).items():
        parts[part][tuple(end)] = times
    return [
        {name: part, **_summary(ends), "points": mean(sample((end[-1], times) for end, times in ends.items()))}
        for part, ends in sorted(parts.items())
    ]


def _streaks(matches: Sequence[Played]) -> dict[str, Any]:
    """The present streak and the longest ones; a shared win ends streaks of both kinds."""
    runs = [(outcome, len(list(run))) for outcome, run in groupby(_outcome(match.wins) for match in matches)]
    longest = {
        f"longest_{name}": max((length for outcome, length in runs if outcome == kind), default=0)
        for name, kind in (("winning", "won"), ("losing", "lost"))
    }
    current = {"outcome": runs[-1][0], "length": runs[-1][1]} if runs else None
    return {"current": current, **longest}


def _outcome(wins: int) -> str:
    return "won" if wins == WHOLE else "shared" if wins else "lost"


def _opponent(row: Mapping[str, Any]) -> dict[str, Any]:
    """How a player fared against another; half of a match in which they were level."""
    ahead = row["ahead"] + row["level"] / 2
    return {"player": _named(row), "matches": row["number"], "ahead": rate(ahead, row["number"])}


def _extremes(met: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Against whom a player fares worst, and best, by the end of the interval that speaks against it."""
    known = [_opponent(row) for row in met if row["number"] >= FEWEST_MEETINGS]
    worst = min(known, key=lambda one: one["ahead"]["interval"][1], default=None)
    best = max(known, key=lambda one: one["ahead"]["interval"][0], default=None)
    return {
        "nemesis": worst if worst is not None and worst["ahead"]["rate"] < 0.5 else None,
        "favourite_opponent": best if best is not None and best["ahead"]["rate"] > 0.5 else None,
    }


def _features(
    connection: Connection, scope: Scope, ids: Sequence[UUID], matches: Sequence[Played]
) -> list[dict[str, Any]]:
    """How often a player had each feature, and how he fared with it and without it."""
    assert scope.game is not None
    available = statistics.available_features(connection, scope, ids)
    kinds = GAMES[scope.game].feature_kinds
    level = bonferroni(len(available))
    held: dict[int, list[int]] = {}
    for match in matches:
        for feature in match.features:
            held.setdefault(feature, []).append(match.wins)
    listed = []
    for number, (name, kind) in enumerate(kinds.items()):
        if number not in available:
            continue
        possible, possible_wins = available[number]
        wins = held.get(number, [])
        with_it = (sum(wins) / WHOLE, len(wins))
        without = ((possible_wins - sum(wins)) / WHOLE, possible - len(wins))
        listed.append(_feature(name, kind, possible, with_it, without, level))
    return listed


def _feature(
    name: str, kind: FeatureKind, possible: int, one: tuple[float, int], other: tuple[float, int], level: float
) -> dict[str, Any]:
    fewer = min(one[1], other[1])
    value = one[0] / one[1] - other[0] / other[1] if fewer else None
    return {
        "feature": name,
        "kind": str(kind),
        "frequency": rate(one[1], possible),
        "with": rate(*one),
        "without": rate(*other),
        "difference": difference(fewer, value, between(one, other, level) if fewer else None),
    }


def head_to_head(connection: Connection, scope: Scope, ids: Sequence[UUID], others: Sequence[UUID]) -> dict[str, Any]:
    """How two players fared in the matches in which both sat."""
    rows = statistics.meetings(connection, scope, ids, others)
    return {
        **_meeting(rows),
        "score_difference": None if scope.game is None else _score_difference(rows),
        "by_game": _crosstable(rows, "game", lambda row: row["game"]),
        "by_mover": _crosstable(rows, "first", _first_of_both),
        "by_players": _crosstable(rows, "players", lambda row: row["players"]),
        "latest": [_meeting_document(row) for row in rows[: -MOST_LISTED - 1 : -1]],
    }


def _score_difference(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return mean(sample((row["a_points"] - row["b_points"], 1) for row in rows))


def _first_of_both(row: Mapping[str, Any]) -> str:
    return "a" if row["a_mover"] == "first" else "b" if row["b_mover"] == "first" else "neither"


def _meeting(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    ahead = sum(row["a_place"] < row["b_place"] for row in rows)
    level = sum(row["a_place"] == row["b_place"] for row in rows)
    return {
        "matches": len(rows),
        "a_ahead": rate(ahead, len(rows)),
        "level": rate(level, len(rows)),
        "b_ahead": rate(len(rows) - ahead - level, len(rows)),
        "a_wins": rate(sum(row["a_wins"] for row in rows) / WHOLE, len(rows)),
        "b_wins": rate(sum(row["b_wins"] for row in rows) / WHOLE, len(rows)),
    }


def _crosstable(
    rows: Sequence[Mapping[str, Any]], name: str, key: Callable[[Mapping[str, Any]], Any]
) -> list[dict[str, Any]]:
    parts: dict[Any, list[Mapping[str, Any]]] = {}
    for row in rows:
        parts.setdefault(key(row), []).append(row)
    return [
        {name: part, **_meeting(found), "score_difference": _score_difference(found)}
        for part, found in sorted(parts.items())
    ]


def _meeting_document(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "match_id": str(row["match_id"]),
        "game": row["game"],
        "played_at": as_text(row["played_at"]),
        "a": {"seat": row["a_seat"], "place": row["a_place"], "points": row["a_points"]},
        "b": {"seat": row["b_seat"], "place": row["b_place"], "points": row["b_points"]},
    }


def _match(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "match_id": str(row["match_id"]),
        "game": row["game"],
        "played_at": as_text(row["played_at"]),
        "players": row["players"],
        "seat": row["seat"],
        "place": row["place"],
        "points": row["points"],
        "outcome": _outcome(row["wins"]),
    }


def _histogram(values: Iterable[int]) -> dict[int, int]:
    histogram: dict[int, int] = {}
    for value in values:
        histogram[value] = histogram.get(value, 0) + 1
    return histogram


def _named(row: Mapping[str, Any]) -> dict[str, str]:
    return {"id": str(row["player_id"]), "name": row["name"]}
