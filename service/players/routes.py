"""People: renaming them, merging two entries of one person and taking that back."""

from collections.abc import Iterable, Mapping
from typing import Any, TypedDict
from uuid import UUID

from flask import Response
from marshmallow import Schema

from service.auth.audit import AuditAction, note
from service.auth.authentication import current_principal, refuse, viewer_of_players
from service.context import services
from service.db import accounts, facts, matches, players, statistics
from service.db.pool import Connection
from service.http import shapes
from service.http.errors import Problem, not_found
from service.http.fields import Id, Name, Paging
from service.http.idempotency import Fresh, IdempotentWrite, Replayed
from service.http.pagination import answer_items, answer_list, read_cursor
from service.http.request import SMALL_BODY
from service.http.responses import answer
from service.http.routing import Blueprint
from service.http.shapes import Page
from service.identity import as_text, text_of
from service.permissions import Right
from service.players.people import may_anonymise, may_merge, may_merge_into, may_rename, require_met

blueprint = Blueprint("players", __name__, url_prefix="/api/v1/players", description="People who play.")


class Player(TypedDict):
    """Somebody who plays."""

    id: shapes.Id
    name: str
    revision: shapes.Count
    created_at: shapes.Time


class PlayerChange(TypedDict):
    """What a player was called and merged into at one time."""

    revision: shapes.Count
    name: str
    merged_into: shapes.Id | None
    actor: shapes.Actor
    changed_at: shapes.Time


class PlayerName(Schema):
    """The new name of a player."""

    name = Name(required=True)


class PlayerMerge(Schema):
    """The player that this one really is."""

    into = Id(required=True)


class PlayerQuery(Paging):
    """Filters of players: the beginning of the name."""

    name = Name()


@blueprint.get("", Right.READ, query=PlayerQuery, answer=Page[Player])
def list_players(query: dict[str, Any]) -> Response:
    """The players whom one has added or shared a match with, by name.

    Owners of the installation see all. Those merged into others are left out.
    """
    listing = players.listing(query.get("name"), read_cursor(query.get("cursor"), as_time=False), viewer_of_players())
    return answer_list(listing, query["limit"], _document, lambda row: (row["folded"], row["player_id"]))


@blueprint.get("/<uuid:player_id>", Right.VISIT, answer=Player)
def get_player(player_id: UUID) -> Response:
    """A player.

    Besides those whom one knows, those are found who sat in a match that one finds in lists. An id that was merged
    answers with the survivor.
    """
    with services().database.reading() as connection:
        return answer(_document(require_met(connection, player_id)))


@blueprint.patch("/<uuid:player_id>", Right.RECORD, body=PlayerName, answer=Player, max_body=SMALL_BODY)
def rename_player(body: dict[str, Any], player_id: UUID) -> Response:
    """Give a player another name, in all matches.

    Earlier names are kept. A merged id renames the survivor. Those who added a player may do this as long as the player
    has no account, then only the player, and owners always.
    """
    with services().database.transaction() as connection:
        players.lock_merges(connection)  # so that nobody is seated under the old name meanwhile
        row = _require(connection, player_id)
        _require_that(may_rename(connection, row))
        renewed = matches.renew_seated(connection, row["player_id"])
        players.lock(connection, [row["player_id"]])
        players.rename(connection, row["player_id"], body["name"], current_principal().actor)
        document = _document(_require(connection, player_id))
    _tell(renewed)
    return answer(document)


@blueprint.post("/<uuid:player_id>/anonymise", Right.RECORD, answer=Player, idempotent=True, problems=("already-so",))
def anonymise_player(player_id: UUID, idempotently: IdempotentWrite) -> Response:
    """Take the names of a player away for good.

    They are shown as a player with a number, earlier names are forgotten too, and all logs still verify. Owners of the
    installation may do this to everybody, others to themselves and to whom they added and nobody else has met.
    """

    def act(connection: Connection) -> Fresh[list[UUID]]:
        players.lock_merges(connection)
        row = _require(connection, player_id)
        _require_that(may_anonymise(connection, row))
        if row["anonymous"] is not None:
            raise Problem("already-so", "This player has no name already.")
        renewed = matches.renew_seated(connection, row["player_id"])
        players.lock(connection, [row["player_id"]])
        players.anonymise(connection, row["player_id"], current_principal().actor)
        note(connection, AuditAction.PLAYER_ANONYMISED, current_principal(), row["player_id"])
        return Fresh(renewed, {"player": _document(_require(connection, player_id))})

    return _answer_renewed(idempotently(act))


@blueprint.post(
    "/<uuid:player_id>/merge",
    Right.RECORD,
    body=PlayerMerge,
    answer=Player,
    idempotent=True,
    problems=("already-so", "players-met", "unknown-player"),
    max_body=SMALL_BODY,
)
def merge_player(body: dict[str, Any], player_id: UUID, idempotently: IdempotentWrite) -> Response:
    """Let two entries be one person.

    Answers with the survivor, as the old id does from then on. Two who met in a match cannot be merged, and a player
    with an account stays the survivor. Statistics and names follow a merge; who may read or record a match does not.
    Owners of the installation merge all players; others merge players whom they added and nobody else has met, into
    each other or into themselves.
    """

    def act(connection: Connection) -> Fresh[list[UUID]]:
        players.lock_merges(connection)
        player = _require(connection, player_id)
        _require_that(may_merge(connection, player))
        other = players.find_known(connection, body["into"], viewer_of_players())
        if other is None:
            raise Problem("unknown-player", "The player to merge into was not found.")
        _require_that(may_merge_into(connection, other))
        if player["player_id"] == other["player_id"]:
            raise Problem("already-so", "These entries are merged already.")
        if accounts.of_player(connection, player["player_id"]):
            raise Problem("already-so", "This player has an account already; merge the other player into them instead.")
        if players.have_met(connection, player["player_id"], other["player_id"]):
            raise Problem("players-met", "These two met in a match, so they are not player person.")
        ids = statistics.ids_of(connection, [player["player_id"]])[0]
        renewed = matches.renew_seated(connection, player["player_id"])
        players.lock(connection, [player["player_id"], other["player_id"]])
        players.merge(connection, player["player_id"], other["player_id"], current_principal().actor)
        facts.mark_players(connection, ids)
        note(
            connection,
            AuditAction.PLAYERS_MERGED,
            current_principal(),
            player["player_id"],
            details={"into": str(other["player_id"])},
        )
        return Fresh(renewed, {"player": _document(_require(connection, other["player_id"]))})

    return _answer_renewed(idempotently(act))


@blueprint.delete("/<uuid:player_id>/merge", Right.RECORD, answer=Player, problems=("already-so",))
def unmerge_player(player_id: UUID) -> Response:
    """Take a merge back.

    Each entry has its own matches again. Owners of the installation do this, and who added both.
    """
    with services().database.transaction() as connection:
        players.lock_merges(connection)
        survivor = _require(connection, player_id)
        row = players.lock(connection, [player_id])[player_id]
        is_added = (
            row["created_by"] == current_principal().account_id and accounts.holder(connection, player_id) is None
        )
        _require_that(current_principal().is_owner or (is_added and may_rename(connection, survivor)))
        if row["merged_into"] is None:
            raise Problem("already-so", "This player was not merged into another.")
        renewed = matches.renew_seated(connection, player_id)
        players.merge(connection, player_id, None, current_principal().actor)
        facts.mark_players(connection, statistics.ids_of(connection, [player_id])[0])
        note(
            connection,
            AuditAction.PLAYERS_UNMERGED,
            current_principal(),
            player_id,
            details={"from": str(row["merged_into"])},
        )
        document = _document(_require(connection, player_id))
    _tell(renewed)
    return answer(document)


@blueprint.get("/<uuid:player_id>/history", Right.READ, query=Paging, answer=Page[PlayerChange])
def get_player_history(query: dict[str, Any], player_id: UUID) -> Response:
    """All that this entry was called and merged into.

    The first entry is from its making.
    """
    with services().database.reading() as connection:
        _require(connection, player_id)
        rows = players.history(connection, player_id)
    return answer_items([_change_document(row) for row in rows], query)


def _require(connection: Connection, player_id: UUID) -> Mapping[str, Any]:
    row = players.find_known(connection, player_id, viewer_of_players())
    if row is None:
        raise not_found("player")
    return row


def _require_that(is_allowed: bool) -> None:
    """Refuse a change by a principal who may only look at a player; raise `Problem`."""
    if not is_allowed:
        refuse()


def _answer_renewed(outcome: Fresh[list[UUID]] | Replayed) -> Response:
    """Respond with a stored player; notify the readers of matches that a fresh write has renewed."""
    if isinstance(outcome, Fresh):
        _tell(outcome.value)
    return answer(outcome.stored["player"])


def _tell(renewed: Iterable[UUID]) -> None:
    """Notify the readers of a match of the new name."""
    for match_id in renewed:
        services().notifier.notify(match_id)


def _change_document(row: Mapping[str, Any]) -> PlayerChange:
    return {
        "revision": row["revision"],
        "name": row["name"],
        "merged_into": text_of(row["merged_into"]),
        "actor": row["actor"],
        "changed_at": as_text(row["changed_at"]),
    }


def _document(row: Mapping[str, Any]) -> Player:
    return {
        "id": str(row["player_id"]),
        "name": row["name"],
        "revision": row["revision"],
        "created_at": as_text(row["created_at"]),
    }
