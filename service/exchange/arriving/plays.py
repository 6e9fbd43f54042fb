"""Results that other programs keep: stored as matches without moves, and changed here when they are changed there."""

from dataclasses import replace
from datetime import UTC, datetime, time
from typing import Any, Final

from domain import match as history
from domain.catalogue import GAMES
from domain.game import AnyGame, JsonObject
from domain.match import Player, Timeline
from service.auth.authentication import current_principal
from service.db import exchange, matches
from service.db.exchange import Known
from service.db.matches import MatchDetails
from service.exchange.arriving.batch import Batch
from service.exchange.arriving.comparing import record, take_same
from service.exchange.arriving.details import new_details, storable
from service.exchange.arriving.existing import rights_here
from service.exchange.arriving.new_matches import add_recorded_now, add_source
from service.exchange.arriving.notes import add_annotation, new_note
from service.exchange.arriving.report import Outcome, Refused, Revisions, Taken, twice
from service.exchange.plays import Play
from service.http.fields import MAX_NAME, MAX_TEXT
from service.identity import as_text, new_id, now
from service.matches import commands
from service.matches.commands import Act
from service.names import has_ink
from service.permissions import Right
from service.stats.facts import keep_facts

NOON: Final = time(12)
"""The time of matches of which only the day is known."""
DATE_ONLY: Final = frozenset({"bgg"})


def take_play(batch: Batch, play: Play) -> Outcome:
    """Take a play over; raise `Refused`."""
    known = batch.existing.by_source.get((play.system, play.external_id))
    if known is not None:
        return _compare(batch, play, known)
    if batch.is_double(play.system, play.external_id):
        return twice()
    change, details = _create(batch, play)
    if batch.options.is_dry:
        return Outcome("new")
    match_id, moment = new_id(), now()
    add_recorded_now(batch, match_id, change.timeline, change.drafts, details, moment)
    if has_ink(play.comments):
        content: JsonObject = {"text": storable(play.comments)[:MAX_TEXT], "glyph": None, "marks": [], "line": []}
        add_annotation(batch.rows, match_id, new_note(1, content, as_text(moment)))
    add_source(batch, match_id, play.system, play.external_id, play.digest, 1, 0)
    return Outcome("new", match_id)


# A new match


def _create(batch: Batch, play: Play) -> tuple[history.Change, MatchDetails]:
    game = GAMES[play.game]
    details = new_details(_moment_of(batch, play), play.venue, (), batch.options.visibility)
    if len(play.players) not in game.players:
        raise Refused("wrong-players", f"{game.title} is not played by {len(play.players)}.", play.line)
    people = batch.people.seated(batch.connection, [player.name for player in play.players])
    seats = game.seats[: len(people)]
    setup = history.parse_setup(game, seats, _setup_of(game, play))
    seated = [Player(seat, str(player)) for seat, player in zip(seats, people, strict=True)]
    return history.create(game, game.editions.default, seated, setup), details


def _moment_of(batch: Batch, play: Play) -> datetime:
    moment = play.played_at
    if moment.tzinfo is not None:
        return moment
    if play.system in DATE_ONLY and moment.time() == time():
        moment = datetime.combine(moment.date(), NOON)
    try:
        return moment.replace(tzinfo=batch.options.zone).astimezone(UTC)
    except (ValueError, OverflowError):
        raise Refused("wrong-date", "Its date cannot be.", play.line) from None


def _setup_of(game: AnyGame, play: Play) -> dict[str, Any]:
    """The set-up of a result of which nobody knows who sat where; raise `Refused`."""
    points: dict[str, int] = {}
    for seat, player in zip(game.seats, play.players, strict=False):
        if player.points is None:
            raise Refused("no-points", f"The points of {player.name[:MAX_NAME]} are not known.", play.line)
        points[seat] = player.points
    setup: dict[str, Any] = {"result_only": True, "seats_unknown": True, "points": points}
    most = max(points.values())
    leaders = [seat for seat, own in points.items() if own == most]
    winners = [seat for seat, player in zip(game.seats, play.players, strict=False) if player.winner]
    if winners and not set(winners) <= set(leaders):
        raise Refused("wrong-winner", "Its winner does not have the most points.", play.line)
    if len(leaders) > 1 and len(winners) == 1:
        setup["tie"] = {"winner": winners[0], "decided_by": game.tie_breaks[0]}
    return setup


# A match that is here


def _compare(batch: Batch, play: Play, known: Known) -> Outcome:
    if known.digest == play.digest:
        return take_same(batch, known)
    is_changed_here = (known.version, known.revision) != (known.imported_version, known.imported_revision)
    if is_changed_here or Right.EDIT not in rights_here(known):
        return Outcome("forked", known.match_id, "It was changed there, and here too since it was imported.")
    change, details = _create(batch, play)
    if batch.options.is_dry:
        return Outcome("changed", known.match_id, version_before=known.version)
    return _update(batch, play, known, change.timeline, details)


def _update(batch: Batch, play: Play, known: Known, wanted: Timeline, details: MatchDetails) -> Outcome:
    """Let a match be what its source says by now."""
    connection, match_id = batch.connection, known.match_id
    row = matches.lock(connection, match_id)
    if row is None or row["version"] != known.version or row["game"] != wanted.game.id:
        raise Refused("stale", "It is another game by now.", play.line)
    timeline = commands.load_locked(connection, row).timeline
    if timeline.seats != wanted.seats:
        raise Refused("wrong-players", "It has another number of players by now.", play.line)
    if timeline.players != wanted.players and Right.MANAGE not in rights_here(known):
        raise Refused("not-allowed", "Other people played it by now, and only who manages it may say so.")
    timeline = _correct(batch, known, timeline, wanted)
    before = MatchDetails.of(row)
    after = replace(before, played_at=details.played_at, venue=details.venue)
    revision, changed = row["revision"], None
    if after != before:
        revision += 1
        changed = Revisions(before=row["revision"], revision=revision)
        matches.change_details(connection, match_id, revision, after, current_principal().actor)
        keep_facts(connection, match_id, timeline)
    exchange.note_source(connection, match_id, play.system, play.external_id, play.digest, timeline.version, revision)
    taken: Taken = {"notes": [], "details": changed}
    return Outcome("changed", match_id, version_before=known.version, version=timeline.version, taken=taken)


def _correct(batch: Batch, known: Known, present: Timeline, wanted: Timeline) -> Timeline:
    """Correct the players and the set-up of a match with its result, and return what it is then."""
    acts: list[Act[history.Change]] = []
    if present.players != wanted.players:
        batch.people.add_pending(batch.connection)
        acts.append(lambda timeline: history.assign_players(timeline, list(wanted.players)))
    if present.setup != wanted.setup:
        acts.append(lambda timeline: history.correct_setup(timeline, wanted.setup))
    return record(batch, known, acts) if acts else present
