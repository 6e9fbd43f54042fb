"""What statistics say of players: the table of all, one of them, and two against each other."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, groupby
from operator import itemgetter
from typing import Annotated, Any, Final, Literal, TypeAlias, TypedDict, cast
from uuid import UUID

from domain.catalogue import GAMES
from service.db import statistics
from service.db.facts import UNKNOWN_SEAT
from service.db.pool import Connection
from service.db.statistics import PLAYER_ORDERS, Alike, FactFilters, Met, Page, Totals
from service.http.shapes import Count, GameId, Id, Keywords, Seat, Share, Time
from service.identity import as_text
from service.stats.codes import WHOLE
from service.stats.conventions import About, KindOfFeature, PartOfScore
from service.stats.filters import Envelope
from service.stats.intervals import (
    LEVEL,
    MIN_MATCHES,
    Difference,
    Mean,
    Rate,
    Spread,
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

Outcome: TypeAlias = Literal["won", "shared", "lost"]
StandingOut: TypeAlias = Annotated[
    Difference,
    Keywords(description="By how much more the win rate is above chance than in all other matches of the player."),
]
PointsOfOneGame: TypeAlias = Annotated[Mean | None, Keywords(description="Null unless one game is asked for.")]


class NamedPlayer(TypedDict):
    """A player by id and name."""

    id: Id
    name: str


class Summary(TypedDict):
    """How some matches of a player ended."""

    matches: Count
    wins: float
    """A shared win is a part of one."""
    win_rate: Rate
    expected_wins: float
    """What chance alone would give: one by the number of players a match."""
    wins_above_expectation: float
    """Wins less those that chance alone would give."""


class PlayerTotals(Summary):
    """A player in a list of figures."""

    player: NamedPlayer
    mean_points: float | None
    median_points: float | None
    mean_margin: float | None
    """Points beyond the best of the others."""
    form: list[Outcome]
    """The latest matches, the last one first."""


class PlayerStatisticsPage(Envelope):
    """A page of a list of `PlayerStatistics`."""

    items: list[PlayerTotals]
    next: str | None


class Opponent(TypedDict):
    """Matches with another player, and how often one finished ahead of them."""

    player: NamedPlayer
    matches: Count
    ahead: Rate


class CurrentStreak(TypedDict):
    """The latest matches that ended alike."""

    outcome: Outcome
    """A shared win is `shared`."""
    length: Count


class Streaks(TypedDict):
    """Matches in a row that ended alike."""

    current: CurrentStreak | None
    longest_winning: Count
    longest_losing: Count


class InGame(Summary):
    """The player in one game."""

    game: GameId
    points: Mean
    difference: StandingOut


class AtSeat(Summary):
    """The player at one seat."""

    seat: Seat
    points: PointsOfOneGame
    difference: StandingOut


class AsMover(Summary):
    """The player by whether they began."""

    mover: Literal["first", "later", "unknown"]
    """Whether the player began."""
    points: PointsOfOneGame


class AmongPlayers(Summary):
    """The player by the number of players."""

    players: Count
    points: PointsOfOneGame
    difference: StandingOut


_With = TypedDict("_With", {"with": Rate})


class PlayerFeature(_With):
    """How often the player has a feature, and how they fare with it and without it."""

    feature: str
    """The name of the feature."""
    about: About
    kind: KindOfFeature
    frequency: Rate
    without: Rate
    with_expected: Share | None
    """The win rate by chance with it."""
    without_expected: Share | None
    """The same without it."""
    difference: Difference
    """By how much more the win rate with it is above chance than without."""
    part_of_score: PartOfScore


class PlayedMatch(TypedDict):
    """A match of the player."""

    match_id: Id
    game: GameId
    played_at: Time
    players: Count
    seat: Seat | None
    """Null where nobody knows who sat where."""
    place: Count
    points: int
    outcome: Outcome
    """A shared win is `shared`."""


class PlayerFigures(Summary):
    """All that is known of how one player plays."""

    points: Spread | None
    margin: Mean | None
    form: list[Outcome]
    """How the latest matches ended, the last one first."""
    streaks: Streaks
    by_game: list[InGame]
    by_seat: list[AtSeat]
    by_mover: list[AsMover]
    by_players: list[AmongPlayers]
    opponents: list[Opponent]
    nemesis: Opponent | None
    """Met five times at least, and surely finished behind of more often than ahead: the interval, at 95 % for all
    opponents together, is below one half."""
    favourite_opponent: Opponent | None
    """The same, but surely finished ahead of more often."""
    features: list[PlayerFeature] | None
    latest: list[PlayedMatch]


class PlayerStatistics(Envelope, PlayerFigures):
    """The figures of one player."""

    player: NamedPlayer


class FinalStanding(TypedDict):
    """How a seat ended."""

    seat: Seat | None
    """Null where nobody knows who sat where."""
    place: Count
    points: int


class Meetings(TypedDict):
    """How two players fared against each other."""

    matches: Count
    a_ahead: Rate
    level: Rate
    b_ahead: Rate
    a_wins: Rate
    b_wins: Rate
    expected_rate: Share | None
    """The win rate of anybody in these matches by chance."""


class PartOfMeetings(Meetings):
    """The two in some of their matches."""

    score_difference: Mean


class MeetingsInGame(PartOfMeetings):
    """The two in one game."""

    game: GameId


class MeetingsByMover(PartOfMeetings):
    """The two by who began."""

    first: Literal["a", "b", "neither", "unknown"]
    """Who began: unknown where only the result was recorded."""


class MeetingsAmongPlayers(PartOfMeetings):
    """The two by the number of players."""

    players: Count


class Meeting(TypedDict):
    """A match of the two."""

    match_id: Id
    game: GameId
    played_at: Time
    a: FinalStanding
    b: FinalStanding


class PairFigures(Meetings):
    """How two players fared in the matches in which both sat."""

    score_difference: Mean | None
    """Points of a less those of b, where one game is asked for."""
    by_game: list[MeetingsInGame]
    by_mover: list[MeetingsByMover]
    by_players: list[MeetingsAmongPlayers]
    latest: list[Meeting]


class HeadToHead(Envelope, PairFigures):
    """The figures of two players in the matches in which both sat."""

    a: NamedPlayer
    b: NamedPlayer


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


def table(connection: Connection, filters: FactFilters, sort: str, first: int, end: int | None) -> list[PlayerTotals]:
    """The players in an order, from one position up to another or to the last one."""
    page = Page(sort, first, None if end is None else end - first, deviations(LEVEL))
    rows = statistics.player_totals(connection, filters, FORM, page)
    if filters.is_summed:
        parts = (rows[start : start + PAGE] for start in range(0, len(rows), PAGE))
        rows = [row for part in parts for row in _completed(connection, filters, part)]
    return [_totals(row, has_points=filters.game is not None) for row in rows]


def _completed(connection: Connection, filters: FactFilters, rows: Sequence[Totals]) -> list[Totals]:
    """The totals of a few players with what would cost too much to find out of all."""
    ids = [row.player_id for row in rows]
    scores = {} if filters.game is None else statistics.player_points(connection, filters, ids)
    latest = statistics.latest_wins(connection, filters, ids, FORM)
    return [
        row._replace(median=quantile(scores.get(row.player_id, {}), 0.5), latest=latest[row.player_id]) for row in rows
    ]


SORTS: Final = tuple(PLAYER_ORDERS)


def _totals(row: Totals, *, has_points: bool) -> PlayerTotals:
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


def player(connection: Connection, filters: FactFilters, ids: Sequence[UUID], language: str) -> PlayerFigures:
    """All that is known of how one player plays."""
    played, opponents = statistics.played(connection, filters, ids), statistics.opponents(connection, filters, ids)
    latest = statistics.latest(connection, filters, ids, MAX_LISTED)
    parts, met = list(played), list(opponents)
    in_play = [part for part in parts if part.in_play]
    outcomes = _outcomes(parts)
    nemesis, favourite = _extremes(met)
    return {
        **_summary(record_of(parts)),
        "points": None if filters.game is None else spread(_points(parts)),
        "margin": None if filters.game is None else mean(sample(_histogram(part.margins for part in in_play).items())),
        "form": outcomes[: -FORM - 1 : -1],
        "streaks": _streaks(outcomes),
        "by_game": cast(list[InGame], _split(parts, "game", has_points=True)),
        "by_seat": cast(list[AtSeat], _split(parts, "seat", has_points=filters.game is not None)),
        "by_mover": cast(list[AsMover], _split(parts, "mover", has_points=filters.game is not None)),
        "by_players": cast(list[AmongPlayers], _split(parts, "players", has_points=filters.game is not None)),
        "opponents": [
            _opponent(opponent) for opponent in sorted(met, key=lambda opponent: -opponent.number)[:MAX_LISTED]
        ],
        "nemesis": nemesis,
        "favourite_opponent": favourite,
        "features": None if filters.game is None else _features(filters.game, in_play, language),
        "latest": [_match(row) for row in latest],
    }


def _summary(some: Record) -> Summary:
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
        if part.seat != UNKNOWN_SEAT or name != "seat":
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


def _differences(split: Mapping[Any, Record]) -> dict[Any, Difference]:
    """For each part by how much more its win rate is above chance than that of all others."""
    everything = total(split.values())
    others = {value: everything.less(some) for value, some in split.items()}
    compared = sum(min(some.number, others[value].number) >= MIN_MATCHES for value, some in split.items())
    level = bonferroni(1 if len(split) == 2 else compared)  # of two parts one differs as the other does
    return {value: beyond_chance(some, others[value], level) for value, some in split.items()}


def _points(parts: Iterable[Alike]) -> Counter[int]:
    return _histogram(part.points for part in parts if part.in_play)


def _outcomes(parts: Sequence[Alike]) -> list[Outcome]:
    """How the matches ended, the first one first."""
    outcomes: list[Outcome] = ["lost"] * sum(len(part.order) for part in parts)
    for part in parts:
        outcome = _outcome(part.wins)
        for number in part.order:
            outcomes[number - 1] = outcome
    return outcomes


def _streaks(outcomes: Sequence[Outcome]) -> Streaks:
    """The present streak and the longest ones; a shared win ends streaks of both kinds."""
    runs = [(outcome, len(list(run))) for outcome, run in groupby(outcomes)]
    return {
        "current": {"outcome": runs[-1][0], "length": runs[-1][1]} if runs else None,
        "longest_winning": max((length for outcome, length in runs if outcome == "won"), default=0),
        "longest_losing": max((length for outcome, length in runs if outcome == "lost"), default=0),
    }


def _outcome(wins: int) -> Outcome:
    return "won" if wins == WHOLE else "shared" if wins else "lost"


def _opponent(met: Met) -> Opponent:
    """How a player fared against another; half of a match in which they were level."""
    return {
        "player": {"id": met.player_id, "name": met.name},
        "matches": met.number,
        "ahead": rate(met.ahead / 2, met.number),
    }


def _extremes(met: Iterable[Met]) -> tuple[Opponent | None, Opponent | None]:
    """The opponents against whom a player surely fares worst and best, by intervals that hold for all together."""
    often = [opponent for opponent in met if opponent.number >= MIN_MEETINGS]
    level = bonferroni(len(often))
    known = [(opponent, wilson(opponent.ahead / 2, opponent.number, level)) for opponent in often]
    worse = [(opponent, interval.high) for opponent, interval in known if interval.high < HALF]
    better = [(opponent, interval.low) for opponent, interval in known if interval.low > HALF]
    worst = min(worse, key=itemgetter(1), default=None)
    best = max(better, key=itemgetter(1), default=None)
    return None if worst is None else _opponent(worst[0]), None if best is None else _opponent(best[0])


def _features(game_id: str, parts: Sequence[Alike], language: str) -> list[PlayerFeature]:
    """How often a player had each feature, and how they fared with it and without it."""
    game = GAMES[game_id]
    kinds, definitions = game.statistics.FEATURE_KINDS, game.statistics.definitions(language)
    had = _occurrences(((part.wins, part.players, part.features) for part in parts), len(kinds))
    could = _occurrences(((part.wins, part.players, part.available) for part in parts), len(kinds))
    fewer = (min(record.number, possible.less(record).number) for record, possible in zip(had, could, strict=True))
    level = bonferroni(sum(number >= MIN_MATCHES for number in fewer))
    return [
        {
            "feature": name,
            "kind": kind,
            "frequency": rate(record.number, possible.number),
            "with": record.rate,
            "without": (other := possible.less(record)).rate,
            "with_expected": record.expected_rate,
            "without_expected": other.expected_rate,
            "difference": beyond_chance(record, other, level),
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


def head_to_head(
    connection: Connection, filters: FactFilters, ids: Sequence[UUID], others: Sequence[UUID]
) -> PairFigures:
    """How two players fared in the matches in which both sat."""
    rows = statistics.meetings(connection, filters, ids, others)
    return {
        **_meeting(rows),
        "score_difference": None if filters.game is None else _score_difference(rows),
        "by_game": cast(list[MeetingsInGame], _crosstable(rows, "game", lambda row: row["game"])),
        "by_mover": cast(list[MeetingsByMover], _crosstable(rows, "first", _first_of_both)),
        "by_players": cast(list[MeetingsAmongPlayers], _crosstable(rows, "players", lambda row: row["players"])),
        "latest": [_meeting_document(row) for row in rows[: -MAX_LISTED - 1 : -1]],
    }


def _score_difference(rows: Sequence[Mapping[str, Any]]) -> Mean:
    return mean(sample((row["a_points"] - row["b_points"], 1) for row in rows if row["in_play"]))


def _first_of_both(row: Mapping[str, Any]) -> str:
    if row["a_mover"] == "unknown":
        return "unknown"
    return "a" if row["a_mover"] == "first" else "b" if row["b_mover"] == "first" else "neither"


def _meeting(rows: Sequence[Mapping[str, Any]]) -> Meetings:
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


def _meeting_document(row: Mapping[str, Any]) -> Meeting:
    return {
        "match_id": str(row["match_id"]),
        "game": row["game"],
        "played_at": as_text(row["played_at"]),
        "a": {"seat": _known(row["a_seat"]), "place": row["a_place"], "points": row["a_points"]},
        "b": {"seat": _known(row["b_seat"]), "place": row["b_place"], "points": row["b_points"]},
    }


def _match(row: Mapping[str, Any]) -> PlayedMatch:
    return {
        "match_id": str(row["match_id"]),
        "game": row["game"],
        "played_at": as_text(row["played_at"]),
        "players": row["players"],
        "seat": _known(row["seat"]),
        "place": row["place"],
        "points": row["points"],
        "outcome": _outcome(row["wins"]),
    }


def _known(seat: str) -> str | None:
    return None if seat == UNKNOWN_SEAT else seat


def _histogram(some: Iterable[Iterable[int]]) -> Counter[int]:
    """How often each number occurs in some lists."""
    return Counter(chain.from_iterable(some))
