"""The result of a match as people tell it: who won by how much, with what, when it was decided, and what was new."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, TypedDict
from uuid import UUID

from flask import Response

from domain.match import Status, Timeline, turning_point
from service.auth.authentication import current_principal, viewer
from service.context import services
from service.db import entered, firsts
from service.db.pool import Connection
from service.db.principals import ALL_VISIBILITIES, POPULATION_VISIBILITIES
from service.http import shapes
from service.http.responses import answer_digested
from service.http.routing import Blueprint
from service.http.shapes import Keywords, Ply
from service.matches.queries import present
from service.matches.times import thought
from service.permissions import Right, population_for
from service.stats.ratings import around_match

Row = Mapping[str, Any]
FirstKind = Literal["first_match", "first_win", "first_win_against", "personal_best", "highest_score"]


class FinalRank(TypedDict):
    """How a seat ended."""

    seat: shapes.Seat
    place: Annotated[int, Keywords(minimum=1)]
    points: int
    behind: shapes.Count
    """Points less than the seat with most."""


class BreakdownRow(TypedDict):
    """Points of one kind, by seat."""

    category: str
    """What the points are for, in a word of the game."""
    part: str | None
    """The part of the category, such as a district."""
    points: dict[str, int]
    best: list[shapes.Seat]
    """The seats with most of them; none if all have the same."""


class Turn(TypedDict):
    """The move by which the lead of the winner grew most."""

    ply: Ply
    seat: shapes.Seat
    swing: int
    """By how many points the lead grew."""


class First(TypedDict):
    """Something that happened for the first time, as far as the reader can know."""

    kind: FirstKind
    """What was new; `highest_score` compares with all matches of the game, variant and number of players."""
    seat: shapes.Seat
    against: shapes.Seat | None
    """Who was beaten."""


class RatingChange(TypedDict):
    """The rating points of a player before and after."""

    seat: shapes.Seat
    before: float
    after: float


class MatchResult(TypedDict):
    """The result of a finished match; of others all is empty or null."""

    ranking: list[FinalRank]
    margin: int | None
    """The lead of the winner; null for a shared win."""
    breakdown: list[BreakdownRow]
    turning_point: Turn | None
    firsts: list[First]
    ratings: list[RatingChange]
    seconds: Annotated[float | None, Keywords(description="How long it took, null where that is not known.")]


blueprint = Blueprint(
    "results", __name__, url_prefix="/api/v1/matches/<uuid:match_id>", description="Results of finished matches."
)


@blueprint.get("/result", Right.READ, answer=MatchResult, etag=True)
def get_result(match_id: UUID) -> Response:
    """How a match ended: ranking, breakdown, turning point and what was new.

    `firsts` rests on the matches that the reader finds in lists, `ratings` on the population of their statistics; they
    follow some seconds after the end.
    """
    with services().database.reading() as connection:
        row, timeline = present(connection, match_id)
        is_over = row["status"] == Status.FINISHED and timeline.result is not None
        document = _document(connection, row, timeline) if is_over else _unfinished(row)
    return answer_digested(document, row["version"])


def _unfinished(row: Row) -> MatchResult:
    return {
        "ranking": [],
        "margin": None,
        "breakdown": [],
        "turning_point": None,
        "firsts": [],
        "ratings": [],
        "seconds": None,
    }


def _document(connection: Connection, row: Row, timeline: Timeline) -> MatchResult:
    ranking = _ranking(row)
    points = sorted((ranked["points"] for ranked in ranking), reverse=True)
    return {
        "ranking": ranking,
        "margin": points[0] - points[1] if len(row["result"]["winners"]) == 1 else None,
        "breakdown": [] if timeline.is_result_only else breakdown_of(timeline),
        "turning_point": turning_point_of(timeline),
        "firsts": list(_firsts(connection, row)),
        "ratings": list(_ratings(connection, row)),
        "seconds": None if timeline.is_result_only else _duration(connection, row, timeline),
    }


def _ranking(row: Row) -> list[FinalRank]:
    ranking = sorted(row["result"]["ranking"], key=lambda ranked: ranked["place"])
    most = max(ranked["points"] for ranked in ranking)
    return [
        {"seat": seat["seat"], "place": seat["place"], "points": seat["points"], "behind": most - seat["points"]}
        for seat in ranking
    ]


def breakdown_of(timeline: Timeline) -> list[BreakdownRow]:
    """The explained points of each seat, added up by category and part; rows in which nobody has any are left out."""
    explained = timeline.game.telling.explain(timeline.head.state)
    sums: dict[tuple[str, str | None], dict[str, int]] = {}
    for seat, items in explained.items():
        for item in items:
            row = sums.setdefault((item.category, item.part), dict.fromkeys(timeline.seats, 0))
            row[seat] += item.points
    categories = list(dict.fromkeys(category for category, _ in sums))
    rows = sorted(sums.items(), key=lambda row: (categories.index(row[0][0]), row[0][1] or ""))
    return [
        {"category": category, "part": part, "points": points, "best": _best(points)}
        for (category, part), points in rows
        if any(points.values())
    ]


def _best(points: Mapping[str, int]) -> list[str]:
    most = max(points.values())
    best = [seat for seat, value in points.items() if value == most]
    return best if len(best) < len(points) else []


def turning_point_of(timeline: Timeline) -> Turn | None:
    turn = turning_point(timeline)
    if turn is None:
        return None
    return {"ply": turn.ply, "seat": turn.seat, "swing": turn.swing}


def _firsts(connection: Connection, row: Row) -> Iterator[First]:
    """The rarest first, and of one player no more than is worth telling: who wins for the first time beats nobody."""
    match_id, who = row["match_id"], viewer()
    points = {ranked["seat"]: ranked["points"] for ranked in row["result"]["ranking"]}
    seats = firsts.of_seats(connection, match_id, who)
    if not seats:
        return
    visible = ALL_VISIBILITIES if who.sees_all else POPULATION_VISIBILITIES[population_for(current_principal())]
    highest = firsts.highest(connection, match_id, visible)
    record = {seat for seat, value in points.items() if highest is not None and value > highest}
    record = {seat for seat in record if points[seat] == max(points.values())}
    for seat in sorted(record):
        yield {"kind": "highest_score", "seat": seat, "against": None}
    won = {ranked["seat"] for ranked in row["result"]["ranking"] if ranked["seat"] in row["result"]["winners"]}
    new_winners = {seat["seat"] for seat in seats if seat["seat"] in won and not seat["had_won"]}
    for seat in seats:
        name = seat["seat"]
        if name in new_winners:
            yield {"kind": "first_win", "seat": name, "against": None}
        elif not seat["had_played"]:
            yield {"kind": "first_match", "seat": name, "against": None}
        elif seat["best"] is not None and points[name] > seat["best"] and name not in record:
            yield {"kind": "personal_best", "seat": name, "against": None}
    for pair in firsts.meetings(connection, match_id, who):
        if not pair["had_won"] and pair["seat"] not in new_winners:
            yield {"kind": "first_win_against", "seat": pair["seat"], "against": pair["against"]}


def _ratings(connection: Connection, row: Row) -> Iterator[RatingChange]:
    population = str(population_for(current_principal()))
    for player in row["players"]:
        around = around_match(connection, population, row["game"], UUID(player["player_id"]), row["match_id"])
        if around is not None:
            yield {"seat": player["seat"], "before": around[0]["rating"], "after": around[1]["rating"]}


def _duration(connection: Connection, row: Row, timeline: Timeline) -> float | None:
    """From the first to the last move, if both were entered while the match was played."""
    stamps = entered.stamps(connection, row["match_id"], row["version"])
    taken = thought(timeline.frames(), stamps, row["played_at"])
    if not taken or taken[0].at is None or taken[-1].at is None or taken[-1].at <= taken[0].at:
        return None
    return round((taken[-1].at - taken[0].at).total_seconds(), 1)
