"""What statistics say of players: the table of all, one of them, and two against each other."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, groupby
from typing import Any, Final
from uuid import UUID

from domain.catalogue import GAMES
from domain.game import FeatureKind
from service.identity import as_text
from service.stats.codes import WHOLE
from service.stats.intervals import between, bonferroni, difference, mean, quantile, rate, sample, spread, wilson
from service.store import statistics
from service.store.database import Connection
from service.store.statistics import Alike, Met, Scope, Totals

FORM: Final = 10
"""The latest matches that tell in what form a player is."""
PAGE: Final = 200
"""Players of whom one statement finds out what the sums do not tell, so that it ends in time."""
MOST_LISTED: Final = 20
FEWEST_MEETINGS: Final = 5
"""Matches below which nobody is a nemesis."""


def table(connection: Connection, scope: Scope, sort: str, first: int, end: int | None) -> list[dict[str, Any]]:
    """The players in an order, from one position up to another or to the last one."""
    rows = sorted(statistics.player_totals(connection, scope, FORM), key=_ORDERS[sort])[first:end]
    if scope.is_summed:
        pages = (rows[start : start + PAGE] for start in range(0, len(rows), PAGE))
        rows = [row for page in pages for row in _completed(connection, scope, page)]
    return [_totals(row, has_points=scope.game is not None) for row in rows]


def _completed(connection: Connection, scope: Scope, rows: Sequence[Totals]) -> list[Totals]:
    """The totals of a few players with what would cost too much to find out of all."""
    ids = [row.player_id for row in rows]
    scores = {} if scope.game is None else statistics.player_points(connection, scope, ids)
    latest = statistics.latest_wins(connection, scope, ids, FORM)
    return [
        row._replace(median=quantile(scores.get(row.player_id, {}), 0.5), latest=latest[row.player_id]) for row in rows
    ]


_ORDERS: Final[Mapping[str, Callable[[Totals], Any]]] = {
    "matches": lambda row: (-row.number, row.player_id),
    "name": lambda row: (row.name.casefold(), row.player_id),
    "win_rate": lambda row: (-wilson(row.wins / WHOLE, row.number).low, row.player_id),
    "wins_above_expectation": lambda row: (row.expected - row.wins, row.player_id),
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
        "mean_points": row.points / row.scored if has_points and row.scored else None,
        "median_points": row.median if has_points else None,
        "mean_margin": row.margin / row.scored if has_points and row.scored else None,
        "form": [_outcome(wins) for wins in row.latest or ()],
    }


def player(connection: Connection, scope: Scope, ids: Sequence[UUID], language: str) -> dict[str, Any]:
    """All that is known of how one player plays."""
    parts = statistics.played(connection, scope, ids)
    in_play = [part for part in parts if part.in_play]
    met = statistics.opponents(connection, scope, ids)
    outcomes = _outcomes(parts)
    return {
        **_summary(parts),
        "points": None if scope.game is None else spread(_points(parts)),
        "margin": None if scope.game is None else mean(sample(_histogram(part.margins for part in in_play).items())),
        "form": outcomes[: -FORM - 1 : -1],
        "streaks": _streaks(outcomes),
        **{f"by_{name}": _split(parts, name) for name in ("game", "seat", "mover", "players")},
        "opponents": [_opponent(one) for one in sorted(met, key=lambda one: -one.number)[:MOST_LISTED]],
        **_extremes(met),
        "features": None if scope.game is None else _features(scope.game, in_play, language),
        "latest": [_match(row) for row in statistics.latest(connection, scope, ids, MOST_LISTED)],
    }


def _summary(parts: Sequence[Alike]) -> dict[str, Any]:
    number = sum(len(part.points) for part in parts)
    wins = sum(part.wins * len(part.points) for part in parts) / WHOLE
    expected = sum(WHOLE // part.players * len(part.points) for part in parts) / WHOLE
    return {
        "matches": number,
        "wins": wins,
        "win_rate": rate(wins, number),
        "expected_wins": expected,
        "wins_above_expectation": wins - expected,
    }


def _split(parts: Sequence[Alike], name: str) -> list[dict[str, Any]]:
    """The same figures for each part of the matches."""
    found: dict[Any, list[Alike]] = defaultdict(list)
    for part in parts:
        found[getattr(part, name)].append(part)
    return [
        {name: value, **_summary(some), "points": mean(sample(_points(some).items()))}
        for value, some in sorted(found.items())
    ]


def _points(parts: Iterable[Alike]) -> Counter[int]:
    return _histogram(part.points for part in parts if part.in_play)


def _outcomes(parts: Sequence[Alike]) -> list[str]:
    """How the matches ended, the first one first."""
    outcomes = [""] * sum(len(part.order) for part in parts)
    for part in parts:
        outcome = _outcome(part.wins)
        for number in part.order:
            outcomes[number - 1] = outcome
    return outcomes


def _streaks(outcomes: Sequence[str]) -> dict[str, Any]:
    """The present streak and the longest ones; a shared win ends streaks of both kinds."""
    runs = [(outcome, len(list(run))) for outcome, run in groupby(outcomes)]
    longest = {
        f"longest_{name}": max((length for outcome, length in runs if outcome == kind), default=0)
        for name, kind in (("winning", "won"), ("losing", "lost"))
    }
    current = {"outcome": runs[-1][0], "length": runs[-1][1]} if runs else None
    return {"current": current, **longest}


def _outcome(wins: int) -> str:
    return "won" if wins == WHOLE else "shared" if wins else "lost"


def _opponent(one: Met) -> dict[str, Any]:
    """How a player fared against another; half of a match in which they were level."""
    return {
        "player": {"id": one.player_id, "name": one.name},
        "matches": one.number,
        "ahead": rate(one.ahead / 2, one.number),
    }


def _extremes(met: Iterable[Met]) -> dict[str, Any]:
    """Against whom a player fares worst, and best, by the end of the interval that speaks against it."""
    known = [(one, wilson(one.ahead / 2, one.number)) for one in met if one.number >= FEWEST_MEETINGS]
    worst = min(known, key=lambda pair: pair[1].high, default=None)
    best = max(known, key=lambda pair: pair[1].low, default=None)
    return {
        "nemesis": _opponent(worst[0]) if worst is not None and worst[0].ahead < worst[0].number else None,
        "favourite_opponent": _opponent(best[0]) if best is not None and best[0].ahead > best[0].number else None,
    }


def _features(game_id: str, parts: Sequence[Alike], language: str) -> list[dict[str, Any]]:
    """How often a player had each feature, and how he fared with it and without it."""
    kinds, definitions = GAMES[game_id].feature_kinds, GAMES[game_id].definitions(language)
    had = _occurrences(((part.wins, part.features) for part in parts), len(kinds))
    could = _occurrences(((part.wins, part.available) for part in parts), len(kinds))
    level = bonferroni(sum(possible > 0 for possible, _ in could))
    listed = []
    for (name, kind), (number, wins), (possible, possible_wins) in zip(kinds.items(), had, could, strict=True):
        if possible:
            without = ((possible_wins - wins) / WHOLE, possible - number)
            one = _feature(name, kind, possible, (wins / WHOLE, number), without, level)
            listed.append({**one, "about": definitions[name]})
    return listed


def _occurrences(parts: Iterable[tuple[int, bytes]], kinds: int) -> list[tuple[int, int]]:
    """How often each of so many features occurs, and the parts of wins that go with it."""
    of_wins: dict[int, list[bytes]] = defaultdict(list)
    for wins, features in parts:
        of_wins[wins].append(features)
    joined = {wins: b"".join(some) for wins, some in of_wins.items()}
    # To search bytes for one after another is several times as fast as to count them all in a dictionary.
    found = [[(wins, some.count(feature)) for wins, some in joined.items()] for feature in range(kinds)]
    return [(sum(number for _, number in one), sum(wins * number for wins, number in one)) for one in found]


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
    return mean(sample((row["a_points"] - row["b_points"], 1) for row in rows if row["in_play"]))


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


def _histogram(some: Iterable[Iterable[int]]) -> Counter[int]:
    """How often each number occurs in some lists."""
    return Counter(chain.from_iterable(some))
