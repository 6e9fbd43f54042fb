"""What statistics keep of a finished match, taken from its timeline, and when that is to be taken anew."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import pairwise
from typing import Final
from uuid import UUID

import orjson

from domain.game import AnyGame, FeatureKind, Result, Seat
from domain.match import Frame, Status, Timeline, only_replaces_assumptions
from service.db import facts
from service.db.categories import Category, EditionKind, Rulings
from service.db.facts import UNKNOWN_SEAT, MatchFacts, Opened, SeatFacts
from service.db.pool import Connection
from service.stats.codes import WHOLE, FeatureOutcome, Measure, pack_outcome, pack_result

MAX_OPENING_DEPTH: Final = 6
ROOT: Final = 0
"""The node before the first move."""


def keep_facts(connection: Connection, match_id: UUID, timeline: Timeline) -> None:
    """Keep what statistics need of a match whose row, log or details were changed, in the same transaction."""
    facts.replace(connection, match_id, facts_of(timeline))


def keep_variant(connection: Connection, match_id: UUID, timeline: Timeline) -> None:
    """Note the variant of a match, by which those that are not finished are found too, and if its seats are known."""
    facts.note_variant(connection, match_id, variant_of(timeline), seats_known=timeline.seats_known)


def variant_of(timeline: Timeline) -> str:
    """The variant of a match; where only the result is known it is taken for the plain one."""
    return timeline.game.statistics.variant(timeline.setup)


def facts_of(timeline: Timeline) -> MatchFacts:
    """All that is kept of a match; if it is no longer finished by the present rules, that it does not count."""
    game, players, result = timeline.game, len(timeline.players), timeline.result
    if result is None or timeline.status is not Status.FINISHED:
        return MatchFacts(variant_of(timeline), players, 0, False, "rules_conflict", (), (), (), (), ())
    wins, line = _shares(result), timeline.frames()
    had = _features(timeline, line, wins)
    return MatchFacts(
        variant=variant_of(timeline),
        players=players,
        category=Category(_edition_kind(timeline), Rulings.NONE, timeline.is_result_only).number,
        has_ruling=any(frame.ruling is not None for frame in line),
        left_out=None,
        results=_results(timeline, line, result, wins),
        features=[pack_outcome(outcome) for outcome, _, _ in had.values()],
        amounts=[amount for _, amount, _ in had.values()],
        opening=_opening(timeline, line, wins),
        seats=_seats(timeline, result, wins, {name: holders for name, (_, _, holders) in had.items()}, game),
    )


def _edition_kind(timeline: Timeline) -> EditionKind:
    edition, shipped = timeline.edition, timeline.game.editions
    if edition.id in shipped:
        return EditionKind.SHIPPED
    is_corrected = any(only_replaces_assumptions(base.document, edition.document) for base in shipped.values())
    return EditionKind.CORRECTED if is_corrected else EditionKind.OTHER


def _shares(result: Result) -> Mapping[Seat, int]:
    """The parts of a win of every seat."""
    share = WHOLE // len(result.winners)
    return {ranked.seat: share if ranked.seat in result.winners else 0 for ranked in result.ranking}


def first_seat(timeline: Timeline) -> Seat | None:
    """Who began, where that is known."""
    seat: Seat | None = timeline.frame(0).state.to_move
    return seat


def count_lead_changes(standings: Sequence[Mapping[Seat, int]]) -> int:
    """How often another seat took the lead; as long as it is shared nobody new has it."""
    leaders = []
    for totals in standings:
        best = max(totals.values())
        leading = [seat for seat, total in totals.items() if total == best]
        if len(leading) == 1:
            leaders += leading
    return sum(before != after for before, after in pairwise(leaders))


def _results(timeline: Timeline, line: Sequence[Frame], result: Result, wins: Mapping[Seat, int]) -> list[int]:
    points = {ranked.seat: ranked.points for ranked in result.ranking}
    best, second = sorted(points.values(), reverse=True)[:2]
    measured: list[tuple[int, int]] = [(Measure.POINTS, value) for value in points.values()]
    measured += [
        (Measure.WINNING_POINTS, max(points[seat] for seat in result.winners)),
        (Measure.MARGIN, best - second),
        (Measure.DRAW, len(result.winners) > 1),
    ]
    if timeline.seats_known:
        measured += [(Measure.SEAT_WINS + timeline.game.seats.index(seat), share) for seat, share in wins.items()]
    first = first_seat(timeline)
    if first is not None:
        others = sum(points.values()) - points[first]
        measured += [
            (Measure.PLIES, timeline.ply),
            (Measure.FIRST_WINS, wins[first]),
            (Measure.FIRST_LEAD, round(WHOLE * points[first] - WHOLE * others / (len(points) - 1))),
        ]
        if standings := list(timeline.game.statistics.standings(line)):
            measured.append((Measure.LEAD_CHANGES, count_lead_changes(standings)))
    return sorted(pack_result(measure, value) for measure, value in measured)


def _features(
    timeline: Timeline, line: Sequence[Frame], wins: Mapping[Seat, int]
) -> dict[str, tuple[FeatureOutcome, int, frozenset[Seat]]]:
    """Of each feature that could be had: what it came to, its points or amounts added up, and who had it."""
    game = timeline.game
    features = game.statistics.features(line)
    outcomes = {}
    seats = len(timeline.seats)
    for number, (name, kind) in enumerate(game.statistics.FEATURE_KINDS.items()):
        had = features.get(name)
        if had is None:
            continue
        if kind is FeatureKind.DEED:
            holders = frozenset([seat for seat, feature in had.items() if feature.amount])
            total = sum([feature.points or 0 for feature in had.values()])
        else:
            total = sum(feature.amount for feature in had.values())
            holders = frozenset(seat for seat, feature in had.items() if feature.amount * seats > total)
        outcome = FeatureOutcome(number, len(holders), sum(wins[seat] for seat in holders))
        outcomes[name] = (outcome, total, holders)
    return outcomes


def _opening(timeline: Timeline, line: Sequence[Frame], wins: Mapping[Seat, int]) -> list[Opened]:
    """The nodes that a match goes through in the tree of openings, with what each mover won."""
    game, first = timeline.game, first_seat(timeline)
    if first is None:
        return []
    begins = timeline.seats.index(first)
    path: list[object] = []
    nodes: list[Opened] = []
    for step in game.statistics.opening(line, MAX_OPENING_DEPTH):
        path.append({"mover": step.mover, "move": game.move.dump(step.move)})
        seat = timeline.seats[(begins + step.mover - 1) % len(timeline.seats)]
        node = int.from_bytes(sha256(orjson.dumps(path, option=orjson.OPT_SORT_KEYS)).digest()[:8]) >> 1
        parent = nodes[-1].node if nodes else ROOT
        nodes.append(Opened(node, parent, len(path), orjson.dumps(path[-1]).decode(), wins[seat]))
    return nodes


def _seats(
    timeline: Timeline,
    result: Result,
    wins: Mapping[Seat, int],
    had: Mapping[str, frozenset[Seat]],
    game: AnyGame,
) -> list[SeatFacts]:
    first = first_seat(timeline)
    ranked = {entry.seat: entry for entry in result.ranking}
    numbers = {name: number for number, name in enumerate(game.statistics.FEATURE_KINDS)}
    available = sorted(numbers[name] for name in had)
    return [
        SeatFacts(
            seat=seat if timeline.seats_known else UNKNOWN_SEAT,
            player_id=player,
            mover="unknown" if first is None else "first" if seat == first else "later",
            place=ranked[seat].place,
            points=ranked[seat].points,
            margin=ranked[seat].points - max(other.points for other in result.ranking if other.seat != seat),
            wins=wins[seat],
            features=[numbers[name] for name, holders in had.items() if seat in holders],
            available=available,
        )
        for seat, player in timeline.players
    ]
