"""Matches themselves: creating, listing, details, people, abandoning, and the log."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, Final, TypedDict
from uuid import UUID

from flask import Response

from domain import match as history
from domain.catalogue import GAMES
from domain.forms import FieldError, Malformed
from domain.game import AnyGame
from domain.match import Change, Timeline
from service.auth.audit import AuditAction, note
from service.auth.authentication import current_principal, has, refuse, require, viewer
from service.context import services
from service.db import events as event_log
from service.db import matches
from service.db.matches import ListFilters, MatchDetails
from service.db.pool import Connection
from service.games.editions import Edition, edition_document, readable_edition
from service.http import shapes
from service.http.errors import malformed, not_found
from service.http.fields import Paging
from service.http.idempotency import Fresh, IdempotentWrite
from service.http.locale import request_language
from service.http.pagination import answer_items, answer_list, answer_page, read_cursor, read_position, write_position
from service.http.preconditions import IfMatch, Precondition, etag, require_tag
from service.http.request import SMALL_BODY
from service.http.responses import answer, answer_tagged, lines, wants_lines
from service.http.routing import Blueprint
from service.http.shapes import Page
from service.identity import new_id, now
from service.matches import commands, schemas
from service.matches.boards import BoardReader
from service.matches.commands import begin, load, lock, write
from service.matches.documents import (
    DetailsDocument,
    EventDocument,
    Match,
    MatchSummary,
    details_document,
    event_document,
    match_document,
    match_members,
)
from service.matches.integrity import MAX_FINDINGS, Verification, verify_match
from service.matches.queries import (
    answer_match,
    answer_stored,
    keep_match,
    present,
    require_match,
    to_keep,
)
from service.permissions import Right, Visibility
from service.players.people import reseated, seated
from service.stats.facts import keep_facts
from service.timelines import Recorded

MAX_AT_ONCE: Final = 100
"""Matches whose visibility one request changes; the aggregates of statistics follow each of them."""


class ChangedMatches(TypedDict):
    """How many matches a request changed, and how many are left for the next one."""

    changed: shapes.Count
    """How many matches have another visibility now."""
    left: shapes.Count
    """For how many more the request is to be sent again."""


blueprint = Blueprint("matches", __name__, url_prefix="/api/v1/matches", description="Matches and their logs.")


@blueprint.post(
    "",
    Right.RECORD,
    body=schemas.NewMatch,
    answer=Match,
    status=201,
    location="/api/v1/matches/{id}",
    etag=True,
    idempotent=True,
    problems=("ambiguous-name", "unknown-edition", "unknown-player"),
)
def create_match(body: dict[str, Any], idempotently: IdempotentWrite) -> Response:
    """Begin a match.

    A name that no player bears adds a player. Every player has a seat, unless `setup` says that `seats_unknown`.
    """
    if body["game"] not in GAMES:
        raise malformed([FieldError("/game", f"must be one of {', '.join(GAMES)}")])
    game = services().game(body["game"])
    entries = _with_seats(game, body)
    details = _details(body, MatchDetails(now(), None, (), withdrawn=False, visibility=Visibility.CLUB))

    def act(connection: Connection) -> Fresh[tuple[UUID, Recorded]]:
        edition = readable_edition(connection, game, body.get("edition", game.editions.default.id))
        try:
            setup = history.parse_setup(game, [player["seat"] for player in entries], body["setup"])
        except Malformed as error:
            raise malformed(error.errors, prefix="/setup") from None
        people = seated(connection, entries)
        change = history.create(game, edition, people, setup)
        match_id = new_id()
        seats = [(seat, UUID(player)) for seat, player in change.timeline.players]
        owner_id = current_principal().account_id
        matches.insert(connection, match_id, game.id, edition.id, game.rules_version, seats, details, owner_id)
        recorded = begin(connection, match_id, change)
        return Fresh((match_id, recorded), keep_match(connection, match_id, change.timeline))

    outcome = idempotently(act)
    if isinstance(outcome, Fresh):
        services().timelines.keep(*outcome.value)
    return answer_stored(outcome.stored)


@blueprint.get("", Right.VISIT, query=schemas.MatchQuery, answer=Page[MatchSummary])
def list_matches(query: dict[str, Any]) -> Response:
    """Matches, newest first.

    Repeated `tag` and `player` mean that all of them must be there; a plain date in `to` is the last day that
    is wanted, a time the first that no longer is. `mine=1` leaves those that belong to the caller or that they played.
    `include=board` adds a small picture of the last position and the points that it gives each seat; both are null
    where too many moves would have to be read for one list.
    """
    if "mine" in query and current_principal().account_id is None and not current_principal().is_local:
        refuse()
    column = {"played_at": "played_at", "activity": "changed_at"}[query["sort"]]
    after = read_cursor(query.get("cursor"), as_time=True)
    listing = matches.listing(match_filters(query), query["sort"], after, viewer(), only_mine="mine" in query)
    document = BoardReader().document if "include" in query else match_members
    return answer_list(listing, query["limit"], document, lambda row: (row[column], row["match_id"]))


@blueprint.patch(
    "", Right.MANAGE, body=schemas.Exposure, query=schemas.Selection, answer=ChangedMatches, max_body=SMALL_BODY
)
def change_visibilities(body: dict[str, Any], query: dict[str, Any]) -> Response:
    """Change who sees many matches at once.

    Of the matches that the query selects, withdrawn ones too, those change that the caller manages and that have
    another visibility: at most 100 for each request. `left` says for how many it is to be sent again. Each change is
    kept in the details of its match and in the audit trail.
    """
    visibility: Visibility = body["visibility"]
    database = services().database
    with database.transaction() as connection:
        chosen, number = matches.managed(connection, match_filters(query), visibility, viewer(), MAX_AT_ONCE)
    for match_id in chosen:  # each in a transaction of its own, so that no other writer waits for all
        with database.transaction() as connection:
            _keep_changed(connection, match_id, None, lambda details: replace(details, visibility=visibility))
        services().notifier.notify(match_id)
    document: ChangedMatches = {"changed": len(chosen), "left": number - len(chosen)}
    return answer(document)


@blueprint.get("/<uuid:match_id>", Right.READ, answer=Match, etag=True)
def get_match(match_id: UUID) -> Response:
    """A match with its set-up.

    Where it stands, who plays and its details.
    """
    with services().database.reading() as connection:
        row, timeline = present(connection, match_id)
    document, tag = match_document(row, timeline), etag(row)
    if row["rules_conflict"] is not None:  # which is in the language of the request
        tag = f'{tag[:-1]}-{request_language()}"'
    return answer_tagged(document, tag)


@blueprint.get(
    "/<uuid:match_id>/edition", Right.READ, query=schemas.VersionQuery, answer=Edition, problems=("out-of-range",)
)
def get_match_edition(query: dict[str, Any], match_id: UUID) -> Response:
    """The edition that a match is played with now, or was at a version.

    It changes with events `edition_changed`, and when an earlier version is restored. All who may read the match may
    read its edition.
    """
    with services().database.reading() as connection:
        row = require_match(connection, match_id)
        if "version" in query:
            edition = load(connection, row).timeline.outline_at(query["version"]).edition
        else:
            edition = services().edition(connection, services().game(row["game"]), row["edition"])
    return answer(edition_document(edition))


@blueprint.patch("/<uuid:match_id>", Right.EDIT, body=schemas.NewDetails, answer=Match, if_match=IfMatch.DETAILS)
def change_details(body: dict[str, Any], match_id: UUID, expected: Precondition | None) -> Response:
    """Change date, venue, tags, visibility or where rulings count; never the log.

    A JSON Merge Patch; every earlier version of the details is kept. Who the match belongs to decides on `visibility`
    and `rulings_in_statistics`. A match with table rulings counts in `results` alone (wins, places and ratings), unless
    it is to `include` or `exclude` in all figures. A link changes no details.
    """
    if {"visibility", "rulings_in_statistics"} & body.keys():
        require(Right.MANAGE)
    return _change_details(match_id, expected, lambda details: _details(body, details))


@blueprint.post("/<uuid:match_id>/withdraw", Right.MANAGE, answer=Match, if_match=IfMatch.DETAILS, idempotent=True)
def withdraw(match_id: UUID, expected: Precondition | None, idempotently: IdempotentWrite) -> Response:
    """Hide a match that was entered by mistake.

    It no longer shows up in lists, and all of it is kept for its owner and players, and for owners of the installation.
    For others it is not there.
    """

    def act(connection: Connection) -> Fresh[None]:
        return Fresh(None, _keep_changed(connection, match_id, expected, _withdrawn))

    outcome = idempotently(act)
    services().notifier.notify(match_id)
    return answer_stored(outcome.stored)


@blueprint.delete("/<uuid:match_id>/withdraw", Right.MANAGE, answer=Match, if_match=IfMatch.DETAILS)
def take_back_withdrawal(match_id: UUID, expected: Precondition | None) -> Response:
    """Show a hidden match again.

    It is as it was before it was withdrawn.
    """
    return _change_details(match_id, expected, lambda details: replace(details, withdrawn=False))


@blueprint.get("/<uuid:match_id>/details", Right.READ, query=Paging, answer=Page[DetailsDocument])
def get_details_history(query: dict[str, Any], match_id: UUID) -> Response:
    """All details that the match ever had.

    The first entry is from the creation of the match. Earlier details, which may be from when fewer people saw the
    match, are for who records or manages it; others read the present ones alone.
    """
    first, limit = read_position(query.get("cursor")), query["limit"]
    is_stream = wants_lines()
    with services().database.reading() as connection:
        row = require_match(connection, match_id)
        if not has(Right.RECORD) and not has(Right.MANAGE):
            return answer_items([details_document(matches.details_at(connection, match_id, row["revision"]))], query)
        rows = matches.details_history(connection, match_id, *((0, None) if is_stream else (first, limit + 1)))
    if is_stream:
        return lines(lambda: map(details_document, rows))
    return answer_page([details_document(row) for row in rows], limit, lambda: write_position(first + limit))


@blueprint.put(
    "/<uuid:match_id>/players",
    Right.RECORD,
    body=schemas.NewPlayers,
    answer=Match,
    if_match=IfMatch.VERSION,
    problems=("ambiguous-name", "match-full", "no-change", "rules-conflict", "unknown-player"),
)
def assign_players(body: dict[str, Any], match_id: UUID, expected: int | None) -> Response:
    """Change who sat where.

    The log keeps who sat there before. Only who manages the match gives seats to players with an account, or takes them
    away; others name people for the other seats. A player with an account who is seated here may read and record the
    match, also if an entry that was merged into theirs sat there before.
    """
    with services().database.transaction() as connection:
        require_match(connection, match_id)
        people = seated(connection, body["players"])
        lock(connection, match_id)
        people = reseated(connection, match_id, people)
        written = write(connection, match_id, expected, lambda timeline: history.assign_players(timeline, people))
    services().publish(match_id, written.recorded)
    return answer_match(match_id)


@blueprint.post(
    "/<uuid:match_id>/abandon",
    Right.EDIT,
    answer=Match,
    if_match=IfMatch.VERSION,
    idempotent=True,
    problems=("match-abandoned", "match-finished", "match-full", "rules-conflict"),
)
def abandon(match_id: UUID, expected: int | None, idempotently: IdempotentWrite) -> Response:
    """End a match that will not be finished.

    It can be reopened; until then no moves are recorded. A link cannot do this.
    """
    return _act(match_id, history.abandon, expected, idempotently)


@blueprint.post(
    "/<uuid:match_id>/reopen",
    Right.EDIT,
    answer=Match,
    if_match=IfMatch.VERSION,
    idempotent=True,
    problems=("match-full", "match-not-abandoned", "rules-conflict"),
)
def reopen(match_id: UUID, expected: int | None, idempotently: IdempotentWrite) -> Response:
    """Go on with an abandoned match.

    A finished match changes by undo or correction instead. A link cannot do this.
    """
    return _act(match_id, history.reopen, expected, idempotently)


@blueprint.post(
    "/<uuid:match_id>/rules-conflict/accept",
    Right.MANAGE,
    answer=Match,
    if_match=IfMatch.VERSION,
    idempotent=True,
    problems=("already-so", "match-full"),
)
def accept_rules(match_id: UUID, expected: int | None, idempotently: IdempotentWrite) -> Response:
    """Let a match be what the present rules make of it.

    After a change of the rules a match whose result is another one gets that, and one in which a move no longer fits is
    cut there. To keep its moves, correct the one that no longer fits instead.
    """
    return _write_once(match_id, lambda connection: commands.accept_rules(connection, match_id, expected), idempotently)


@blueprint.get("/<uuid:match_id>/events", Right.READ, query=Paging, answer=Page[EventDocument])
def list_events(query: dict[str, Any], match_id: UUID) -> Response:
    """Everything that was ever recorded, in order.

    Corrected and undone moves included. Each event holds the hash of the one before it.
    """
    database = services().database
    with database.reading() as connection:
        version = require_match(connection, match_id)["version"]
        if not wants_lines():
            first, limit = read_position(query.get("cursor")), query["limit"]
            events = event_log.read(connection, match_id, first, min(first + limit + 1, version))
            page = [event_document(event) for event in events]
            return answer_page(page, limit, lambda: write_position(first + limit))
    pages = event_log.pages(database, match_id, 0, version)
    return lines(lambda: map(event_document, chain.from_iterable(pages)))


@blueprint.get("/<uuid:match_id>/verify", Right.READ, answer=Verification)
def verify(match_id: UUID) -> Response:
    """Check the hash chain, the edition, the reasons of rulings and the last position.

    Reads the whole log. `findings` are the events that are wrong: of the chain the first alone, since all that follows
    it is of no value. `first_broken` and `detail` repeat the first of them.
    """
    with services().database.snapshot() as connection:
        row = require_match(connection, match_id)
        faults = verify_match(services(), connection, row)
    document: Verification = {
        "valid": not faults,
        "events": row["version"],
        "first_broken": faults[0].seq if faults else None,
        "detail": faults[0].detail if faults else None,
        "findings": [{"seq": fault.seq, "detail": fault.detail} for fault in faults[:MAX_FINDINGS]],
    }
    return answer(document)


def _with_seats(game: AnyGame, body: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """The players of a new match; where nobody knows who sat where, those without a seat get one in order."""
    players: Sequence[Mapping[str, Any]] = body["players"]
    missing = [index for index, player in enumerate(players) if "seat" not in player]
    if not missing:
        return players
    if body["setup"].get("seats_unknown") is not True or len(missing) < len(players) or len(players) > len(game.seats):
        raise malformed([FieldError(f"/players/{index}/seat", "is missing") for index in missing])
    return [{**player, "seat": seat} for seat, player in zip(game.seats, players, strict=False)]


def match_filters(query: Mapping[str, Any]) -> ListFilters:
    """The filters of a query of lists."""
    return ListFilters(
        game=query.get("game"),
        edition=query.get("edition"),
        status=query.get("status"),
        venue=query.get("venue"),
        tags=tuple(query.get("tag", ())),
        players=tuple(query.get("player", ())),
        since=query.get("since"),
        until=query.get("until"),
        visibility=query.get("visibility"),
    )


def _details(body: Mapping[str, Any], before: MatchDetails) -> MatchDetails:
    details = replace(
        before,
        played_at=body.get("played_at", before.played_at),
        venue=body.get("venue", before.venue),
        tags=tuple(dict.fromkeys(body.get("tags", before.tags) or ())),
        visibility=body.get("visibility", before.visibility),
        rulings_in_statistics=body.get("rulings_in_statistics", before.rulings_in_statistics),
    )
    if details.played_at > now() + schemas.MAX_AHEAD:
        raise malformed([FieldError("/played_at", "lies more than a day ahead")])
    return details


def _withdrawn(details: MatchDetails) -> MatchDetails:
    return replace(details, withdrawn=True)


def _change_details(
    match_id: UUID, expected: Precondition | None, change: Callable[[MatchDetails], MatchDetails]
) -> Response:
    with services().database.transaction() as connection:
        stored = _keep_changed(connection, match_id, expected, change)
    services().notifier.notify(match_id)
    return answer_stored(stored)


def _keep_changed(
    connection: Connection,
    match_id: UUID,
    expected: Precondition | None,
    change: Callable[[MatchDetails], MatchDetails],
) -> Mapping[str, Any]:
    row = matches.lock(connection, match_id)
    if row is None:
        raise not_found("match")
    require_tag(expected, row)
    before = MatchDetails.of(row)
    after = change(before)
    if after != before:
        matches.change_details(connection, match_id, row["revision"] + 1, after, current_principal().actor)
        keep_facts(connection, match_id, commands.load_locked(connection, row).timeline)
    if after.visibility != before.visibility:
        seen = {"before": before.visibility, "visibility": after.visibility}
        note(connection, AuditAction.VISIBILITY_CHANGED, current_principal(), match_id=match_id, details=seen)
    return to_keep(*present(connection, match_id))


def _act(
    match_id: UUID, act: Callable[[Timeline], Change], expected: int | None, idempotently: IdempotentWrite
) -> Response:
    return _write_once(match_id, lambda connection: write(connection, match_id, expected, act).recorded, idempotently)


def _write_once(match_id: UUID, write_act: Callable[[Connection], Recorded], idempotently: IdempotentWrite) -> Response:

    def act(connection: Connection) -> Fresh[Recorded]:
        recorded = write_act(connection)
        return Fresh(recorded, keep_match(connection, match_id, recorded.timeline))

    outcome = idempotently(act)
    if isinstance(outcome, Fresh):
        services().publish(match_id, outcome.value)
    return answer_stored(outcome.stored)
