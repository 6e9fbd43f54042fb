"""What statistics say of a game: length, points, advantages, features and openings."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import orjson

from domain.catalogue import GAMES
from domain.game import FeatureKind
from service.stats.codes import WHOLE, Measure, Outcome, unpack_outcome, unpack_result
from service.stats.intervals import (
    Sample,
    bonferroni,
    difference,
    mean,
    mean_rate,
    of_difference,
    rate,
    sample,
    spread,
)
from service.store import statistics
from service.store.database import Connection
from service.store.statistics import Counted, Node, Scope


def game(connection: Connection, scope: Scope) -> dict[str, Any]:
    """Length, points, advantage of whoever begins and of each seat, lead changes and draws."""
    assert scope.game is not None
    counted = statistics.counts(connection, scope, "results")
    histograms: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    by_players: dict[int, dict[int, dict[int, int]]] = defaultdict(lambda: defaultdict(lambda: defaultdict(int)))
    for one in counted:
        measure, value = unpack_result(one.code)
        histograms[measure][value] += one.number
        by_players[one.players][measure][value] += one.number
    draws = histograms[Measure.DRAW]
    return {
        "plies": spread(histograms[Measure.PLIES]),
        "points": spread(histograms[Measure.POINTS]),
        "winning_points": spread(histograms[Measure.WINNING_POINTS]),
        "margin": spread(histograms[Measure.MARGIN]),
        "lead_changes": spread(histograms[Measure.LEAD_CHANGES]),
        "draws": rate(draws.get(1, 0), sum(draws.values())),
        "by_players": [
            {"players": players, **_advantages(players, measured, GAMES[scope.game].seats)}
            for players, measured in sorted(by_players.items())
        ],
    }


def _advantages(players: int, measured: Mapping[int, Mapping[int, int]], seats: Sequence[str]) -> dict[str, Any]:
    """How whoever begins fares, and each seat, beside the share of wins that all would have by chance."""
    first = measured.get(Measure.FIRST_WINS, {})
    leads = [(value / WHOLE, number) for value, number in measured.get(Measure.FIRST_LEAD, {}).items()]
    return {
        "matches": sum(measured.get(Measure.DRAW, {}).values()),
        "expected_rate": 1 / players,
        "first_mover": {"win_rate": _win_rate(first), "points_ahead": mean(sample(leads))},
        "seats": [
            {"seat": seat, "win_rate": _win_rate(measured[Measure.SEAT_WINS + index])}
            for index, seat in enumerate(seats)
            if Measure.SEAT_WINS + index in measured
        ],
    }


def _win_rate(shares: Mapping[int, int]) -> dict[str, Any]:
    return rate(sum(value * number for value, number in shares.items()) / WHOLE, sum(shares.values()))


def features(connection: Connection, scope: Scope) -> list[dict[str, Any]]:
    """Of every feature how often it is had, and how those who have it fare beside those who do not."""
    assert scope.game is not None
    found: dict[int, list[tuple[Outcome, Counted]]] = defaultdict(list)
    for counted in statistics.counts(connection, scope, "features"):
        outcome = unpack_outcome(counted.code)
        found[outcome.feature].append((outcome, counted))
    level = bonferroni(len(found))
    kinds = GAMES[scope.game].feature_kinds
    return [
        _feature(name, kind, found[number], level)
        for number, (name, kind) in enumerate(kinds.items())
        if number in found
    ]


def _feature(name: str, kind: FeatureKind, found: Iterable[tuple[Outcome, Counted]], level: float) -> dict[str, Any]:
    """One feature. Seats of one match are compared with each other: with whoever of them has not what others have."""
    available, had, holders, seats, total = 0, 0, 0, 0, 0
    with_it: list[tuple[float, int]] = []
    without: list[tuple[float, int]] = []
    differences: list[tuple[float, int]] = []
    for outcome, counted in found:
        available += counted.number
        seats += counted.number * counted.players
        holders += counted.number * outcome.holders
        had += counted.number if outcome.holders else 0
        total += counted.amount
        if 0 < outcome.holders < counted.players:
            one = outcome.wins / WHOLE / outcome.holders
            other = (1 - outcome.wins / WHOLE) / (counted.players - outcome.holders)
            with_it.append((one, counted.number))
            without.append((other, counted.number))
            differences.append((one - other, counted.number))
    is_deed = kind is FeatureKind.DEED
    return {
        "feature": name,
        "kind": str(kind),
        "frequency": rate(had, available),
        "seats": holders,
        "with": mean_rate(sample(with_it)),
        "without": mean_rate(sample(without)),
        "difference": _difference(sample(differences), level),
        "mean_points": total / holders if is_deed and holders else None,
        "mean_amount": total / seats if not is_deed and seats else None,
    }


def _difference(differences: Sample, level: float) -> dict[str, Any]:
    if not differences.number:
        return difference(0, None, None)
    return difference(differences.number, differences.mean, of_difference(differences, level))


def openings(connection: Connection, scope: Scope, under: int, depth: int) -> dict[str, Any]:
    """The tree of first moves below a node, with what each mover won; what few matches did is pooled."""
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
    return {
        "node": None if not under else f"{under:016x}",
        "n": number,
        "depth": above,
        **_children(under, number, children, above, down_to),
    }


def _children(
    parent: int, number: int, children: Mapping[int, Sequence[Node]], depth: int, deepest: int
) -> dict[str, Any]:
    if depth == deepest:
        return {"children": None, "pooled": None}
    shown = children.get(parent, ())
    return {
        "children": [
            {
                "node": f"{node.node:016x}",
                **orjson.loads(node.step),
                "n": node.number,
                "frequency": rate(node.number, number),
                "win_rate": rate(node.wins / WHOLE, node.number),
                "depth": node.depth,
                **_children(node.node, node.number, children, node.depth, deepest),
            }
            for node in shown
        ],
        "pooled": number - sum(node.number for node in shown),
    }
