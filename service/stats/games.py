"""What statistics say of a game: length, points, advantages, features and openings."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from typing import Any, Final, TypeAlias

import orjson

from domain.catalogue import GAMES
from domain.game import FeatureKind
from service.db import statistics
from service.db.categories import Figures
from service.db.pool import Connection
from service.db.statistics import Counted, Node, Scope
from service.stats.beginning import advantages
from service.stats.codes import OUTCOMES, WHOLE, Measure, Outcome, unpack_outcome, unpack_result
from service.stats.differences import Contrast, Group
from service.stats.intervals import (
    LEVEL,
    MIN_MATCHES,
    Interval,
    Sample,
    bonferroni,
    difference,
    mean,
    rate,
    sample,
    spread,
    student,
)

MAX_BEGUN: Final = 2_000
"""The latest matches that tell whether it helps to begin: to 2 percentage points, in a bounded time."""
NOTHING: Final = difference(0, None, None)


def game(connection: Connection, scope: Scope) -> dict[str, Any]:
    """Length, points, advantage of the first player and of each seat, lead changes and draws."""
    assert scope.game is not None
    counted = statistics.counts(connection, scope, "results")
    histograms: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    by_players: dict[int, dict[int, dict[int, int]]] = defaultdict(lambda: defaultdict(lambda: defaultdict(int)))
    for row in counted:
        measure, value = unpack_result(row.code)
        if not (row.in_play or measure in OUTCOMES or measure >= Measure.SEAT_WINS):
            continue
        histograms[measure][value] += row.number
        by_players[row.players][measure][value] += row.number
    within_pairs = advantages(statistics.begun(connection, scope, MAX_BEGUN))
    seats = GAMES[scope.game].seats
    level = bonferroni(_compared_seats(by_players, seats))
    return {
        **_measures(histograms, by_players),
        "by_players": [
            {
                "players": players,
                **_measures(measured, {players: measured}),
                **_advantages(players, measured, seats, within_pairs.get(players, NOTHING), level),
            }
            for players, measured in sorted(by_players.items())
        ],
    }


Measured: TypeAlias = Mapping[int, Mapping[int, int]]
"""How often each value of each measure occurs."""


def _measures(measured: Measured, by_players: Mapping[int, Measured]) -> dict[str, Any]:
    """How matches of any numbers of players end, given those of each number too."""
    draws = measured.get(Measure.DRAW, {})
    interval = _of_mean_points(by_players)
    return {
        "plies": spread(measured.get(Measure.PLIES, {})),
        "points": {
            **spread(measured.get(Measure.POINTS, {})),
            "interval": None if interval is None else list(interval),
        },
        "winning_points": spread(measured.get(Measure.WINNING_POINTS, {})),
        "margin": spread(measured.get(Measure.MARGIN, {})),
        "lead_changes": spread(measured.get(Measure.LEAD_CHANGES, {})),
        "draws": rate(draws.get(1, 0), sum(draws.values())),
    }


def _of_mean_points(by_players: Mapping[int, Measured]) -> Interval | None:
    """The interval of the mean points of a seat. The seats of a match are not independent, so matches are counted."""
    points = {players: sample(measured.get(Measure.POINTS, {}).items()) for players, measured in by_players.items()}
    matches = sum(values.number // players for players, values in points.items())
    if matches < MIN_MATCHES:
        return None
    seats = sum(values.number for values in points.values())
    mean_points = sum(values.total for values in points.values()) / seats
    squares = 0.0
    for players, values in points.items():
        number = values.number // players
        within = _within_matches(players, values, by_players[players]) if number else 0.0
        # What a match has beyond the mean of all seats, squared and added up.
        squares += players * (values.squares - (players - 1) * within)
        squares += players * mean_points * (number * players * mean_points - 2 * values.total)
    half = student(LEVEL, matches - 1) * sqrt(max(0.0, squares) * matches / (matches - 1)) / seats
    return Interval(mean_points - half, mean_points + half)


def _within_matches(players: int, points: Sample, measured: Measured) -> float:
    """The variances of points within matches, added up.

    Of two players the margin tells the variance. Of more it is that which the lead of who began has if they are a seat
    as any other, but not more than if seats were independent, so that no interval comes out too narrow by chance.
    """
    if players == 2:
        return sample(measured[Measure.MARGIN].items()).squares / 2
    matches = points.number // players
    independent = matches * points.variance * points.number / max(1, points.number - 1)
    leads = sample(measured.get(Measure.FIRST_LEAD, {}).items())
    if not leads.number:
        return independent
    return min(independent, matches * leads.squares / leads.number / WHOLE**2 * (players - 1) / players)


def _advantages(
    players: int,
    measured: Measured,
    seats: Sequence[str],
    within_pairs: Mapping[str, Any],
    level: float,
) -> dict[str, Any]:
    """The wins of the player who begins and of each seat, beside the share that all would have by chance."""
    first = measured.get(Measure.FIRST_WINS, {})
    leads = sample(measured.get(Measure.FIRST_LEAD, {}).items())
    return {
        "matches": sum(measured.get(Measure.DRAW, {}).values()),
        "expected_rate": 1 / players,
        "first_mover": {"win_rate": _win_rate(first), "points_ahead": mean(leads, WHOLE), "within_pairs": within_pairs},
        "seats": [
            {"seat": seat, "win_rate": _win_rate(shares), "difference": _beside_others(players, shares, level)}
            for seat, shares in _seated(measured, seats).items()
        ],
    }


def _seated(measured: Measured, seats: Sequence[str]) -> dict[str, Mapping[int, int]]:
    """How often each seat that was taken had how much of a win."""
    shares = {seat: measured.get(Measure.SEAT_WINS + index, {}) for index, seat in enumerate(seats)}
    return {seat: parts for seat, parts in shares.items() if parts}


def _compared_seats(by_players: Mapping[int, Measured], seats: Sequence[str]) -> int:
    """How many seats can be told to win more or less than others; of two one does what the other does not."""
    known = [
        [seat for seat, shares in _seated(measured, seats).items() if sum(shares.values()) >= MIN_MATCHES]
        for measured in by_players.values()
    ]
    return sum(1 if len(seats) == 2 else len(some) for some in known)


def _beside_others(players: int, shares: Mapping[int, int], level: float) -> dict[str, Any]:
    """How much more of a win one seat has than the others of its matches."""
    sat = Contrast([Group(players, 1, sum(shares.values()), sum(value * number for value, number in shares.items()))])
    return difference(sat.number, sat.difference, sat.interval(level))


def _win_rate(shares: Mapping[int, int]) -> dict[str, Any]:
    return rate(sum(value * number for value, number in shares.items()) / WHOLE, sum(shares.values()))


def features(connection: Connection, scope: Scope, language: str) -> list[dict[str, Any]]:
    """Of every feature how often it is had, and how those who have it fare beside those who do not."""
    assert scope.game is not None
    definitions = GAMES[scope.game].statistics.definitions(language)
    rows = features_of(scope.game, statistics.counts(connection, scope.of(Figures.PLAY), "features"))
    return [{**row, "about": definitions[row["feature"]]} for row in rows]


def features_of(game_id: str, counts: Iterable[Counted]) -> list[dict[str, Any]]:
    """The same of outcomes that were counted."""
    occurrences: dict[int, list[tuple[Outcome, Counted]]] = defaultdict(list)
    for counted in counts:
        outcome = unpack_outcome(counted.code)
        occurrences[outcome.feature].append((outcome, counted))
    game = GAMES[game_id]
    contrasts = {
        number: _contrast(occurrences[number])
        for number in range(len(game.statistics.FEATURE_KINDS))
        if number in occurrences
    }
    level = bonferroni(sum(possible is not None and possible.number >= MIN_MATCHES for possible in contrasts.values()))
    named = list(game.statistics.FEATURE_KINDS.items())
    return [
        {
            **_feature(*named[number], occurrences[number], contrast, level),
            "part_of_score": named[number][0] in game.statistics.PART_OF_SCORE,
            "varies": contrast is not None,
        }
        for number, contrast in contrasts.items()
    ]


def _contrast(occurrences: Iterable[tuple[Outcome, Counted]]) -> Contrast | None:
    """The matches in which some seats had a feature and others had not; None if there are none."""
    numbers: Counter[tuple[int, int]] = Counter()
    wins: Counter[tuple[int, int]] = Counter()
    for outcome, counted in occurrences:
        if 0 < outcome.holders < counted.players:
            numbers[counted.players, outcome.holders] += counted.number
            wins[counted.players, outcome.holders] += counted.number * outcome.wins
    return Contrast([Group(*alike, number, wins[alike]) for alike, number in numbers.items()]) if numbers else None


def _feature(
    name: str,
    kind: FeatureKind,
    occurrences: Iterable[tuple[Outcome, Counted]],
    contrast: Contrast | None,
    level: float,
) -> dict[str, Any]:
    """One feature. Seats of one match are compared with each other: those that have it with those that have not."""
    available, had, holders, seats, total = 0, 0, 0, 0, 0
    for outcome, counted in occurrences:
        available += counted.number
        seats += counted.number * counted.players
        holders += counted.number * outcome.holders
        had += counted.number if outcome.holders else 0
        total += counted.amount
    is_deed = kind is FeatureKind.DEED
    return {
        "feature": name,
        "kind": str(kind),
        "frequency": rate(had, available),
        "seats": holders,
        **_compared(contrast, level),
        "mean_points": total / holders if is_deed and holders else None,
        "mean_amount": total / seats if not is_deed and seats else None,
    }


def _compared(contrast: Contrast | None, level: float) -> dict[str, Any]:
    if contrast is None:
        return {"with": rate(0, 0), "without": rate(0, 0), "difference": difference(0, None, None)}
    interval = contrast.interval(level) if contrast.number >= MIN_MATCHES else None
    return {
        "with": contrast.holding,
        "without": contrast.others,
        "difference": difference(contrast.number, contrast.difference, interval),
    }


def openings(
    connection: Connection, scope: Scope, under: int, depth: int, first: int, limit: int | None
) -> tuple[dict[str, Any], bool]:
    """The tree of first moves below a node, with what each mover won, and whether more moves follow on the node.

    Of the moves that follow on the node so many are shown from a position on, of those further down the most frequent.
    What few matches did is pooled.
    """
    assert scope.game is not None
    top = statistics.opening_depth(connection, scope, under) if under else 0
    above = top or 0
    down_to = above + depth
    number, nodes = 0, list[Node]()
    if top is not None:  # else nobody has opened like that, and there need not be room for its number
        number, nodes = statistics.opening_tree(connection, scope, under, above, down_to)
    children: dict[int, list[Node]] = defaultdict(list)
    for node in nodes:
        children[node.parent].append(node)
    frequent = children.get(under, [])
    end = None if limit is None else first + limit
    tree = {
        "node": None if not under else f"{under:016x}",
        "n": number,
        "depth": above,
        "children": [_child(node, number, children, down_to, limit) for node in frequent[first:end]],
        "pooled": number - sum(node.number for node in frequent),
    }
    return tree, end is not None and end < len(frequent)


def _child(
    node: Node, number: int, children: Mapping[int, Sequence[Node]], deepest: int, limit: int | None
) -> dict[str, Any]:
    """A node among so many matches, with the most frequent moves that follow on it."""
    shown = children.get(node.node, ())[:limit]
    is_last = node.depth == deepest
    return {
        "node": f"{node.node:016x}",
        **orjson.loads(node.step),
        "n": node.number,
        "frequency": rate(node.number, number),
        "win_rate": rate(node.wins / WHOLE, node.number),
        "depth": node.depth,
        "children": None if is_last else [_child(child, node.number, children, deepest, limit) for child in shown],
        "pooled": None if is_last else node.number - sum(child.number for child in shown),
    }
