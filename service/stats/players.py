"""What statistics say of players: the table of all, one of them, and two against each other."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, groupby
from operator import itemgetter
from typing import Any, Final
from uuid import UUID

from domain.catalogue import GAMES
from domain.game import FeatureKind
from service.db import statistics
from service.db.pool import Connection
from service.db.statistics import PLAYER_ORDERS, Alike, Met, Page, Scope, Totals
from service.identity import as_text
from service.stats.codes import WHOLE
from service.stats.intervals import (
    LEVEL,
    MIN_MATCHES,
    bonferroni,
    deviations,
    mean,
    quantile,
    rate,
    sample,
    spread,
    wilson,
)
from service.stats.records import Record, beyond_chance, record_of, total

FORM: Final = 10
"""The latest matches that tell in what form a player is."""
PAGE: Final = 200
"""Players of whom one statement finds out what the sums do not tell, so that it ends in time."""
MAX_LISTED: Final = 20
HALF: Final = 0.5
"""How often somebody is ahead of an equal opponent."""
MIN_MEETINGS: Final = 5
"""Matches below which nobody is a nemesis."""
_COMPARED: Final = ("game", "seat", "players")
"""What the matches of a player are compared by. Beginning is not: where the loser begins, it goes with who is met."""


def table(connection: Connection, scope: Scope, sort: str, first: int, end: int | None) -> list[dict[str, Any]]:
    """The players in an order, from one position up to another or to the last one."""
    page = Page(sort, first, None if end is None else end - first, deviations(LEVEL))
    rows = statistics.player_totals(connection, scope, FORM, page)
    if scope.is_summed:
        parts = (rows[start : start + PAGE] for start in range(0, len(rows), PAGE))
        rows = [row for part in parts for row in _completed(connection, scope, part)]
    return [_totals(row, has_points=scope.game is not None) for row in rows]


def _completed(connection: Connection, scope: Scope, rows: Sequence[Totals]) -> list[Totals]:
    """The totals of a few players with what would cost too much to find out of all."""
    ids = [row.player_id for row in rows]
    scores = {} if scope.game is None else statistics.player_points(connection, scope, ids)
    latest = statistics.latest_wins(connection, scope, ids, FORM)
    return [
        row._replace(median=quantile(scores.get(row.player_id, {}), 0.5), latest=latest[row.player_id]) for row in rows
    ]


SORTS: Final = tuple(PLAYER_ORDERS)


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
        **_summary(record_of(parts)),
        "points": None if scope.game is None else spread(_points(parts)),
        "margin": None if scope.game is None else mean(sample(_histogram(part.margins for part in in_play).items())),
        "form": outcomes[: -FORM - 1 : -1],
        "streaks": _streaks(outcomes),
        **{
            f"by_{name}": _split(parts, name, has_points=name == "game" or scope.game is not None)
            for name in ("game", "seat", "mover", "players")
        },
        "opponents": [
            _opponent(opponent) for opponent in sorted(met, key=lambda opponent: -opponent.number)[:MAX_LISTED]
        ],
        **_extremes(met),
        "features": None if scope.game is None else _features(scope.game, in_play, language),
        "latest": [_match(row) for row in statistics.latest(connection, scope, ids, MAX_LISTED)],
    }


def _summary(some: Record) -> dict[str, Any]:
    return {
        "matches": some.number,
        "wins": some.wins / WHOLE,
        "win_rate": some.rate,
        "expected_wins": some.expected / WHOLE,
        "wins_above_expectation": (some.wins - some.expected) / WHOLE,
    }


def _split(parts: Sequence[Alike], name: str, *, has_points: bool) -> list[dict[str, Any]]:
    """The same figures for each part of the matches."""
    groups: dict[Any, list[Alike]] = defaultdict(list)
    for part in parts:
        groups[getattr(part, name)].append(part)
    split = {value: record_of(some) for value, some in sorted(groups.items())}
    differences = _differences(split) if name in _COMPARED else {}
    return [
        {
            name: value,
            **_summary(some),
            "points": mean(sample(_points(groups[value]).items())) if has_points else None,
            **({"difference": differences[value]} if differences else {}),
        }
        for value, some in split.items()
    ]


def _differences(split: Mapping[Any, Record]) -> dict[Any, dict[str, Any]]:
    """For each part by how much more its win rate is above chance than that of all others."""
    everything = total(split.values())
    others = {value: everything.less(some) for value, some in split.items()}
    compared = sum(min(some.number, others[value].number) >= MIN_MATCHES for value, some in split.items())
    level = bonferroni(1 if len(split) == 2 else compared)  # of two parts one differs as the other does
    return {value: beyond_chance(some, others[value], level) for value, some in split.items()}


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


def _opponent(met: Met) -> dict[str, Any]:
    """How a player fared against another; half of a match in which they were level."""
    return {
        "player": {"id": met.player_id, "name": met.name},
        "matches": met.number,
        "ahead": rate(met.ahead / 2, met.number),
    }


def _extremes(met: Iterable[Met]) -> dict[str, Any]:
    """The opponents against whom a player surely fares worst and best, by intervals that hold for all together."""
    often = [opponent for opponent in met if opponent.number >= MIN_MEETINGS]
    level = bonferroni(len(often))
    known = [(opponent, wilson(opponent.ahead / 2, opponent.number, level)) for opponent in often]
    worse = [(opponent, interval.high) for opponent, interval in known if interval.high < HALF]
    better = [(opponent, interval.low) for opponent, interval in known if interval.low > HALF]
    worst = min(worse, key=itemgetter(1), default=None)
    best = max(better, key=itemgetter(1), default=None)
    return {
        "nemesis": None if worst is None else _opponent(worst[0]),
        "favourite_opponent": None if best is None else _opponent(best[0]),
    }


def _features(game_id: str, parts: Sequence[Alike], language: str) -> list[dict[str, Any]]:
    """How often a player had each feature, and how they fared with it and without it."""
    game = GAMES[game_id]
    kinds, definitions = game.statistics.FEATURE_KINDS, game.statistics.definitions(language)
    had = _occurrences(((part.wins, part.players, part.features) for part in parts), len(kinds))
    could = _occurrences(((part.wins, part.players, part.available) for part in parts), len(kinds))
    fewer = (min(record.number, possible.less(record).number) for record, possible in zip(had, could, strict=True))
    level = bonferroni(sum(number >= MIN_MATCHES for number in fewer))
    return [
        {
            **_feature(name, kind, record, possible.less(record), level),
            "part_of_score": name in game.statistics.PART_OF_SCORE,
            "about": definitions[name],
        }
        for (name, kind), record, possible in zip(kinds.items(), had, could, strict=True)
        if possible.number
    ]


def _occurrences(parts: Iterable[tuple[int, int, bytes]], kinds: int) -> list[Record]:
    """The matches in which each of so many features occurs."""
    alike: dict[tuple[int, int], list[bytes]] = defaultdict(list)
    for wins, players, features in parts:
        alike[wins, players].append(features)
    joined = [(wins, WHOLE // players, b"".join(some)) for (wins, players), some in alike.items()]
    # To search bytes for one after another is several times as fast as to count them all in a dictionary.
    occurrences = [
        [(wins, by_chance, some.count(feature)) for wins, by_chance, some in joined] for feature in range(kinds)
    ]
    return [
        Record(
            sum(number for _, _, number in occurrence),
            sum(wins * number for wins, _, number in occurrence),
            sum(by_chance * number for _, by_chance, number in occurrence),
        )
        for occurrence in occurrences
    ]


def _feature(name: str, kind: FeatureKind, record: Record, other: Record, level: float) -> dict[str, Any]:
    return {
        "feature": name,
        "kind": str(kind),
        "frequency": rate(record.number, record.number + other.number),
        "with": record.rate,
        "without": other.rate,
        "with_expected": record.expected_rate,
        "without_expected": other.expected_rate,
        "difference": beyond_chance(record, other, level),
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
        "latest": [_meeting_document(row) for row in rows[: -MAX_LISTED - 1 : -1]],
    }


def _score_difference(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return mean(sample((row["a_points"] - row["b_points"], 1) for row in rows if row["in_play"]))


def _first_of_both(row: Mapping[str, Any]) -> str:
    if row["a_mover"] == "unknown":
        return "unknown"
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
        "expected_rate": sum(WHOLE // row["players"] for row in rows) / WHOLE / len(rows) if rows else None,
    }


def _crosstable(
    rows: Sequence[Mapping[str, Any]], name: str, key: Callable[[Mapping[str, Any]], Any]
) -> list[dict[str, Any]]:
    parts: dict[Any, list[Mapping[str, Any]]] = {}
    for row in rows:
        parts.setdefault(key(row), []).append(row)
    return [
        {name: part, **_meeting(groups), "score_difference": _score_difference(groups)}
        for part, groups in sorted(parts.items())
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
