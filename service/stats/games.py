"""What statistics say of a game: length, points, advantages, features and openings."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from typing import Annotated, Final, TypeAlias, TypedDict

import orjson

from domain.catalogue import GAMES
from domain.game import FeatureKind
from service.db import statistics
from service.db.categories import Figures
from service.db.pool import Connection
from service.db.statistics import Counted, FactFilters, Node
from service.http.shapes import Count, GameId, Keywords, Move, Seat, Share
from service.stats.beginning import advantages
from service.stats.codes import OUTCOMES, WHOLE, FeatureOutcome, Measure, unpack_outcome, unpack_result
from service.stats.conventions import About, KindOfFeature, PartOfScore
from service.stats.differences import Contrast, Group
from service.stats.filters import Envelope
from service.stats.intervals import (
    LEVEL,
    MIN_MATCHES,
    Difference,
    Interval,
    Mean,
    Rate,
    Sample,
    Spread,
    bonferroni,
    difference,
    mean,
    rate,
    sample,
    spread,
    student,
)

NodeId: TypeAlias = Annotated[str, Keywords(pattern="^[0-9a-f]{16}$", description="Names the node in `under`.")]


class Endings(TypedDict):
    """How matches end."""

    plies: Spread
    points: Spread
    """Of every seat; the interval of the mean counts matches, not seats."""
    winning_points: Spread
    margin: Spread
    """Of the best seat over the second one."""
    lead_changes: Spread
    draws: Rate


class FirstMover(TypedDict):
    """What it means to begin."""

    win_rate: Rate
    """As it was. The loser of the last match begins, so weaker players do."""
    points_ahead: Mean
    """The same in points."""
    within_pairs: Difference
    """Whether it helps to begin: by how much more often than in one half of matches who begins finishes before an
    equal, by what the same two players do whoever begins. Of the latest 2,000 matches."""


class SeatFigures(TypedDict):
    """How a seat fares."""

    seat: Seat
    win_rate: Rate
    difference: Difference
    """Of the win rate from that of the other seats; told together are seats and numbers of players."""


class Advantages(TypedDict):
    """How who begins and each seat fare."""

    matches: Count
    expected_rate: Share
    """The win rate of anybody by chance."""
    first_mover: FirstMover
    seats: list[SeatFigures]


class GameAmongPlayers(Endings, Advantages):
    """The figures of matches of one number of players."""

    players: Count


class GameFigures(Endings):
    """Length, points, advantage of the first player and of each seat, lead changes and draws."""

    by_players: list[GameAmongPlayers]


class GameStatistics(Envelope, GameFigures):
    """The figures of one game by numbers of players."""

    game: GameId


_With = TypedDict(
    "_With", {"with": Annotated[Rate, Keywords(description="Where not all have it, the win rate of those who do.")]}
)


class FeatureCounts(_With):
    """How often seats have a feature, and how they fare with it and without it."""

    feature: str
    """The name of the feature."""
    kind: KindOfFeature
    frequency: Rate
    """In how many of the matches in which it can be had it is."""
    seats: Count
    """How many seats had it."""
    without: Rate
    """In the same matches, that of those who do not."""
    difference: Difference
    mean_points: float | None
    """What it gives who has it."""
    mean_amount: float | None
    """How much of it a seat has."""
    part_of_score: PartOfScore
    varies: bool
    """Whether in any match some seats have it and others do not."""


class FeatureFigures(FeatureCounts):
    """How often seats have a feature, and how they fare with it and without it."""

    about: About


class FeatureStatistics(Envelope):
    """The figures of all features of a game."""

    items: list[FeatureFigures]


class OpeningNode(TypedDict):
    """A node in the tree of first moves: how often it was reached, and how it ended."""

    node: NodeId
    mover: Count
    """1 for whoever began, then in turn order."""
    move: Move
    n: Count
    """On how many it rests."""
    frequency: Rate
    """Among the matches of the node above."""
    win_rate: Rate
    """Of the mover."""
    depth: Count
    """How many moves the answer goes down from the node."""
    children: "list[OpeningNode] | None"
    """Null where the answer ends."""
    pooled: Count | None
    """The matches of this node that none of the children tells of."""


class OpeningTree(TypedDict):
    """The tree of first moves from one node on."""

    node: NodeId | None
    n: Count
    """On how many it rests."""
    depth: Count
    """How many moves the answer goes down from the node."""
    children: list[OpeningNode]
    pooled: Count
    """The matches whose next move fewer than five matches share."""


class OpeningStatistics(Envelope, OpeningTree):
    """The tree of first moves of a game from one node on."""

    game: GameId
    next: str | None


MAX_BEGUN: Final = 2_000
"""The latest matches that tell whether it helps to begin: to 2 percentage points, in a bounded time."""
NOTHING: Final = difference(0, None, None)


def game(connection: Connection, filters: FactFilters) -> GameFigures:
    """Length, points, advantage of the first player and of each seat, lead changes and draws."""
    assert filters.game is not None
    counted = statistics.counts(connection, filters, "results")
    histograms: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    by_players: dict[int, dict[int, dict[int, int]]] = defaultdict(lambda: defaultdict(lambda: defaultdict(int)))
    for row in counted:
        measure, value = unpack_result(row.code)
        if not (row.in_play or measure in OUTCOMES or measure >= Measure.SEAT_WINS):
            continue
        histograms[measure][value] += row.number
        by_players[row.players][measure][value] += row.number
    within_pairs = advantages(statistics.begun(connection, filters, MAX_BEGUN))
    seats = GAMES[filters.game].seats
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


def _measures(measured: Measured, by_players: Mapping[int, Measured]) -> Endings:
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
    within_pairs: Difference,
    level: float,
) -> Advantages:
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


def _beside_others(players: int, shares: Mapping[int, int], level: float) -> Difference:
    """How much more of a win one seat has than the others of its matches."""
    sat = Contrast([Group(players, 1, sum(shares.values()), sum(value * number for value, number in shares.items()))])
    return difference(sat.number, sat.difference, sat.interval(level))


def _win_rate(shares: Mapping[int, int]) -> Rate:
    return rate(sum(value * number for value, number in shares.items()) / WHOLE, sum(shares.values()))


def features(connection: Connection, filters: FactFilters, language: str) -> list[FeatureFigures]:
    """Of every feature how often it is had, and how those who have it fare beside those who do not."""
    assert filters.game is not None
    definitions = GAMES[filters.game].statistics.definitions(language)
    rows = features_of(filters.game, statistics.counts(connection, filters.of(Figures.PLAY), "features"))
    return [{**row, "about": definitions[row["feature"]]} for row in rows]


def features_of(game_id: str, counts: Iterable[Counted]) -> list[FeatureCounts]:
    """The same of outcomes that were counted."""
    occurrences: dict[int, list[tuple[FeatureOutcome, Counted]]] = defaultdict(list)
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
        _feature(
            *named[number],
            named[number][0] in game.statistics.PART_OF_SCORE,
            occurrences[number],
            contrast,
            level,
        )
        for number, contrast in contrasts.items()
    ]


def _contrast(occurrences: Iterable[tuple[FeatureOutcome, Counted]]) -> Contrast | None:
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
    part_of_score: bool,
    occurrences: Iterable[tuple[FeatureOutcome, Counted]],
    contrast: Contrast | None,
    level: float,
) -> FeatureCounts:
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
        "kind": kind,
        "frequency": rate(had, available),
        "seats": holders,
        "with": rate(0, 0) if contrast is None else contrast.holding,
        "without": rate(0, 0) if contrast is None else contrast.others,
        "difference": NOTHING if contrast is None else _difference(contrast, level),
        "mean_points": total / holders if is_deed and holders else None,
        "mean_amount": total / seats if not is_deed and seats else None,
        "part_of_score": part_of_score,
        "varies": contrast is not None,
    }


def _difference(contrast: Contrast, level: float) -> Difference:
    interval = contrast.interval(level) if contrast.number >= MIN_MATCHES else None
    return difference(contrast.number, contrast.difference, interval)


def openings(
    connection: Connection, filters: FactFilters, under: int, depth: int, first: int, limit: int | None
) -> tuple[OpeningTree, bool]:
    """The tree of first moves below a node, with what each mover won, and whether more moves follow on the node.

    Of the moves that follow on the node so many are shown from a position on, of those further down the most frequent.
    What few matches did is pooled.
    """
    assert filters.game is not None
    top = statistics.opening_depth(connection, filters, under) if under else 0
    above = top or 0
    down_to = above + depth
    number, nodes = 0, list[Node]()
    if top is not None:  # else nobody has opened like that, and there need not be room for its number
        number, nodes = statistics.opening_tree(connection, filters, under, above, down_to)
    children: dict[int, list[Node]] = defaultdict(list)
    for node in nodes:
        children[node.parent].append(node)
    frequent = children.get(under, [])
    end = None if limit is None else first + limit
    tree: OpeningTree = {
        "node": None if not under else f"{under:016x}",
        "n": number,
        "depth": above,
        "children": [_child(node, number, children, down_to, limit) for node in frequent[first:end]],
        "pooled": number - sum(node.number for node in frequent),
    }
    return tree, end is not None and end < len(frequent)


def _child(
    node: Node, number: int, children: Mapping[int, Sequence[Node]], deepest: int, limit: int | None
) -> OpeningNode:
    """A node among so many matches, with the most frequent moves that follow on it."""
    shown = children.get(node.node, ())[:limit]
    is_last, step = node.depth == deepest, orjson.loads(node.step)
    return {
        "node": f"{node.node:016x}",
        "mover": step["mover"],
        "move": step["move"],
        "n": node.number,
        "frequency": rate(node.number, number),
        "win_rate": rate(node.wins / WHOLE, node.number),
        "depth": node.depth,
        "children": None if is_last else [_child(child, node.number, children, deepest, limit) for child in shown],
        "pooled": None if is_last else node.number - sum(child.number for child in shown),
    }
