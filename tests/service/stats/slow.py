"""The same figures by going through every match again and again: what was recorded, folded by the engine alone."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from json import loads
from statistics import median
from typing import Any

import psycopg
from psycopg.rows import dict_row

from domain.catalogue import GAMES
from domain.game import Feature
from domain.match import Event, Timeline, fold


@dataclass(frozen=True)
class Known:
    """A finished match as its log and its details tell of it."""

    match_id: str
    game: str
    edition: str
    played_at: datetime
    venue: str | None
    tags: frozenset[str]
    rulings_in_statistics: str
    timeline: Timeline

    @property
    def is_result_only(self) -> bool:
        """Whether no moves were recorded."""
        return self.timeline.is_result_only

    @cached_property
    def has_ruling(self) -> bool:
        """Whether a move stands by a table ruling."""
        return any(frame.ruling is not None for frame in self.timeline.frames())

    @cached_property
    def replaced_sources(self) -> frozenset[str]:
        """The sources that the shipped edition has for the values in which that of the match differs from it."""
        game, edition = self.timeline.game, self.timeline.edition
        shipped, values = (flattened(one.document) for one in (game.editions.default, edition))
        return frozenset(shipped[name]["source"] for name in shipped if shipped[name]["value"] != values[name]["value"])

    @property
    def people(self) -> Mapping[str, str]:
        """Who sat where."""
        return {seat: str(player) for seat, player in self.timeline.players}

    @property
    def points(self) -> Mapping[str, int]:
        """How many points each seat has."""
        result = self.timeline.result
        assert result is not None
        return {ranked.seat: ranked.points for ranked in result.ranking}

    @property
    def places(self) -> Mapping[str, int]:
        """The place of each seat."""
        result = self.timeline.result
        assert result is not None
        return {ranked.seat: ranked.place for ranked in result.ranking}

    def share(self, seat: str) -> Fraction:
        """The part of the win that a seat has."""
        result = self.timeline.result
        assert result is not None
        return Fraction(int(seat in result.winners), len(result.winners))

    def seat_of(self, player: str) -> str | None:
        """Where a player sat."""
        return next((seat for seat, sitting in self.people.items() if sitting == player), None)

    @cached_property
    def features(self) -> Mapping[str, Mapping[str, Feature]]:
        """What the seats did."""
        return self.timeline.game.statistics.features(self.timeline.frames())

    @cached_property
    def lead_changes(self) -> int:
        """How often the lead went over, by the totals of the wire form."""
        leaders: list[str] = []
        game = self.timeline.game
        for frame in self.timeline.frames():
            is_turn_over = frame.move is not None and game.move.dump(frame.move)["type"] == "end_turn"
            state = game.view.dump(frame.state)
            if is_turn_over or state["phase"] in {"building", "over"}:
                best, second = sorted(((score["total"], seat) for seat, score in state["score"].items()), reverse=True)[
                    :2
                ]
                leaders += [best[1]] if best[0] > second[0] else []
        return sum(one != other for one, other in pairwise(leaders))

    @property
    def first(self) -> str:
        """Who began."""
        seat: str | None = self.timeline.frame(0).state.to_move
        assert seat is not None
        return seat


def flattened(group: Any, path: str = "") -> dict[str, Any]:
    """The values of an edition with their sources, by the way to them."""
    found: dict[str, Any] = {}
    for name, member in group.items():
        if isinstance(member, dict):
            found |= {f"{path}/{name}": member} if "value" in member else flattened(member, f"{path}/{name}")
    return found


def read(dsn: str) -> list[Known]:
    """All matches that have a log, in the order of playing."""
    found = []
    with psycopg.connect(dsn, row_factory=dict_row) as connection:
        made: dict[str, dict[str, Any]] = {game_id: {} for game_id in GAMES}
        for row in connection.execute("SELECT game, edition_id::text, document FROM editions").fetchall():
            made[row["game"]][row["edition_id"]] = GAMES[row["game"]].editions.load(loads(row["document"]))
        for row in connection.execute(
            "SELECT * FROM matches WHERE version > 0 ORDER BY played_at, match_id"
        ).fetchall():
            game = GAMES[row["game"]]
            events = connection.execute("SELECT * FROM events WHERE match_id = %s ORDER BY seq", (row["match_id"],))
            log = [
                Event(
                    str(event["match_id"]),
                    event["seq"],
                    event["kind"],
                    event["payload"],
                    *(event[name] for name in ("actor", "recorded_at", "prev_hash", "hash")),
                )
                for event in events
            ]
            timeline = fold(game, {**game.editions, **made[game.id]}, log)
            about = (str(row["match_id"]), row["game"], row["edition"], row["played_at"], row["venue"])
            found.append(Known(*about, frozenset(row["tags"]), row["rulings_in_statistics"], timeline))
    return found


def totals(matches: Iterable[Known], game: str | None) -> dict[str, dict[str, Any]]:
    """The table of players."""
    rows: dict[str, dict[str, Any]] = {}
    for match in matches:
        for seat, player in match.people.items():
            row = rows.setdefault(
                player, {"matches": 0, "wins": Fraction(), "expected": Fraction(), "points": [], "margins": []}
            )
            row["matches"] += 1
            row["wins"] += match.share(seat)
            row["expected"] += Fraction(1, len(match.people))
            row["points"].append(match.points[seat])
            row["margins"].append(match.points[seat] - max(p for other, p in match.points.items() if other != seat))
    return {
        player: {
            "matches": row["matches"],
            "wins": float(row["wins"]),
            "expected_wins": float(row["expected"]),
            "wins_above_expectation": float(row["wins"] - row["expected"]),
            "mean_points": sum(row["points"]) / row["matches"] if game else None,
            "median_points": median(row["points"]) if game else None,
            "mean_margin": sum(row["margins"]) / row["matches"] if game else None,
        }
        for player, row in rows.items()
    }


def outcomes(matches: Iterable[Known], player: str) -> list[str]:
    """How a player ended in their matches, the first one first."""
    outcomes = []
    for match in matches:
        seat = match.seat_of(player)
        if seat is not None:
            outcomes.append(
                {1: "won", 0: "lost"}.get(int(match.share(seat)) if match.share(seat) in {0, 1} else -1, "shared")
            )
    return outcomes


@dataclass(frozen=True)
class Sat:
    """How a player ended in one match, as its facts tell; some of the corpus have no log."""

    match_id: str
    game: str
    players: int
    variant: str
    venue: str | None
    player: str
    seat: str
    mover: str
    wins: Fraction
    points: int
    features: bytes
    available: bytes
    ahead: Mapping[str, int]
    """By opponent: 2 where the player ended ahead, 1 where they were level."""


def read_seats(dsn: str) -> list[Sat]:
    """All seats of matches that count."""
    with psycopg.connect(dsn, row_factory=dict_row) as connection:
        rows = connection.execute(
            "SELECT s.*, m.venue FROM seat_facts s JOIN match_facts m USING (match_id)"
        ).fetchall()
    names = ("game", "players", "variant", "venue", "seat", "mover", "points", "features", "available")
    return [
        Sat(
            match_id=str(row["match_id"]),
            player=str(row["player_id"]),
            wins=Fraction(row["wins"], 60),
            ahead=dict(zip(map(str, row["opponents"]), row["ahead"], strict=True)),
            **{name: row[name] for name in names},
        )
        for row in rows
    ]


def beyond_chance(seats: Sequence[Sat]) -> Fraction:
    """The mean win less what chance gives."""
    return sum((one.wins - Fraction(1, one.players) for one in seats), Fraction()) / len(seats)


def longest(outcomes: Sequence[str], outcome: str) -> int:
    """The longest run of an outcome."""
    best = run = 0
    for one in outcomes:
        run = run + 1 if one == outcome else 0
        best = max(best, run)
    return best


def holders(match: Known, name: str) -> set[str] | None:
    """The seats that have a feature more than others on average, or at all; None where it could not be had."""
    found = match.features
    if name not in found:
        return None
    amounts = {seat: found[name][seat].amount if seat in found[name] else 0 for seat in match.people}
    if match.timeline.game.statistics.FEATURE_KINDS[name] == "deed":
        return {seat for seat, amount in amounts.items() if amount}
    return {seat for seat, amount in amounts.items() if amount > sum(amounts.values()) / len(amounts)}


def feature(matches: Iterable[Known], name: str) -> dict[str, Any]:
    """What a feature comes to: matches in which it could be had and was, and the mean difference within a match."""
    available = had = 0
    differences: list[Fraction] = []
    for match in matches:
        holding = holders(match, name)
        if holding is None:
            continue
        available += 1
        had += bool(holding)
        others = set(match.people) - holding
        if holding and others:
            one = sum((match.share(seat) for seat in holding), Fraction()) / len(holding)
            differences.append(one - sum((match.share(seat) for seat in others), Fraction()) / len(others))
    return {
        "available": available,
        "had": had,
        "n": len(differences),
        "difference": float(sum(differences, Fraction()) / len(differences)) if differences else None,
    }


def histogram(values: Iterable[int]) -> list[dict[str, int]]:
    """Bars as they are answered."""
    return [{"value": value, "n": number} for value, number in sorted(Counter(values).items())]


def chosen(matches: Sequence[Known], *conditions: Callable[[Known], bool]) -> list[Known]:
    """The matches that fit all conditions."""
    return [match for match in matches if all(condition(match) for condition in conditions)]
