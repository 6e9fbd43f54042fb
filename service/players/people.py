"""Players: looking up those that clients name, adding new ones, and who may change them."""

from collections.abc import Mapping, Sequence, Set
from typing import Any, NamedTuple
from uuid import UUID

from domain.forms import FieldError
from domain.match import Player
from service.auth.audit import AuditAction, note
from service.auth.authentication import current_principal, has, viewer, viewer_of_players
from service.db import accounts, matches, players
from service.db.pool import Connection
from service.http.errors import Problem, malformed, not_found
from service.identity import new_id
from service.names import tidy_name
from service.permissions import Right


def seated(connection: Connection, entries: Sequence[Mapping[str, Any]]) -> list[Player]:
    """The seats as requested, with players looked up or added; raise `Problem`."""
    players.hold_merges(connection)
    players.lock_names(connection, [entry["name"] for entry in entries if "name" in entry])
    named_players = [_player(connection, entry, f"/players/{index}") for index, entry in enumerate(entries)]
    people = [named.survivor_id for named in named_players]
    twice = [index for index, person in enumerate(people) if person in people[:index]]
    if twice:
        raise malformed([FieldError(f"/players/{index}", "plays twice") for index in twice])
    return [Player(entry["seat"], str(named.player_id)) for entry, named in zip(entries, named_players, strict=True)]


def reseated(connection: Connection, match_id: UUID, wanted: Sequence[Player]) -> list[Player]:
    """The new seats of a locked match, with rights that accounts gain or lose in the audit trail; raise `Problem`.

    Managers of the match seat the players as named. Others leave those who sit there already as the entries they are,
    whatever these were merged into, and leave the seats of players with an account alone.
    """
    before = matches.seats(connection, match_id)
    known = players.with_accounts(connection, [*before.values(), *(UUID(player_id) for _, player_id in wanted)])
    after = {seat: UUID(player_id) for seat, player_id in wanted}
    if not has(Right.MANAGE):
        sitting = {known[player_id]["survivor_id"]: player_id for player_id in before.values()}
        after = {seat: sitting.get(known[player_id]["survivor_id"], player_id) for seat, player_id in after.items()}
        _require_own_seats(before, after, {player_id for player_id, row in known.items() if row["account_id"]})
    had, have = ({known[player_id]["account_id"] for player_id in seats.values()} for seats in (before, after))
    for act, accounts_changed in ((AuditAction.SEAT_GIVEN, have - had), (AuditAction.SEAT_TAKEN, had - have)):
        for account_id in sorted(accounts_changed - {None}):
            note(connection, act, current_principal(), account_id, match_id=match_id)
    return [Player(seat, str(after[seat])) for seat, _ in wanted]


def _require_own_seats(before: Mapping[str, UUID], after: Mapping[str, UUID], with_account: Set[UUID]) -> None:
    """Refuse to change the seats of players with an account; raise `Problem`."""
    changed = [
        index
        for index, (seat, player_id) in enumerate(after.items())
        if before.get(seat) != player_id and {before.get(seat), player_id} & with_account
    ]
    if changed:
        errors = [{"pointer": f"/players/{index}", "detail": "is the seat of an account"} for index in changed]
        detail = "Only who manages the match gives seats to players with an account, or takes them away."
        raise Problem("not-allowed", detail, errors=errors)


class _Named(NamedTuple):
    """The entry that gets the seat, and the one that it was merged into, if any."""

    player_id: UUID
    survivor_id: UUID


def _player(connection: Connection, entry: Mapping[str, Any], pointer: str) -> _Named:
    if "player_id" in entry:
        row = players.find_known(connection, entry["player_id"], viewer())
        if row is None:
            raise Problem(
                "unknown-player", "Player not found.", errors=[{"pointer": pointer, "detail": "is not known"}]
            )
        survivor_id: UUID = row["player_id"]
        # An old id seats the survivor. But a seat gives rights to the account of its player, so a merge that
        # others made must not seat anybody with an account.
        is_others = accounts.holder(connection, survivor_id) not in {None, current_principal().account_id}
        return _Named(entry["player_id"] if is_others else survivor_id, survivor_id)
    name = entry["name"]
    known = players.named(connection, name, viewer())
    if len(known) > 1:
        raise Problem(
            "ambiguous-name",
            f"Several players are called {tidy_name(name)}; give the player_id of one.",
            candidates=[str(candidate) for candidate in known],
            errors=[{"pointer": f"{pointer}/name", "detail": "is borne by several players"}],
        )
    if known:
        return _Named(known[0], known[0])
    added = new_id()
    players.insert(connection, added, name, current_principal().account_id, current_principal().actor)
    return _Named(added, added)


def require_met(connection: Connection, player_id: UUID) -> Mapping[str, Any]:
    """A player whom the principal knows or finds in matches, or the survivor of their merge; raise `Problem`."""
    row = players.find_met(connection, player_id, viewer_of_players())
    if row is None:
        raise not_found("player")
    return row


def may_rename(connection: Connection, row: Mapping[str, Any]) -> bool:
    """Whether the principal may rename a player: an owner any, others themselves and whom they added."""
    return current_principal().is_owner or _is_own(connection, row) or _is_added(connection, row)


def may_anonymise(connection: Connection, row: Mapping[str, Any]) -> bool:
    """Whether the principal may make a player anonymous: an owner any, others themselves and whom nobody else knows."""
    return current_principal().is_owner or _is_own(connection, row) or _is_unknown_to_others(connection, row)


def may_merge(connection: Connection, row: Mapping[str, Any]) -> bool:
    """Whether the principal may merge a player: an owner any, others those whom they added and nobody else knows."""
    return current_principal().is_owner or _is_unknown_to_others(connection, row)


def may_merge_into(connection: Connection, row: Mapping[str, Any]) -> bool:
    """Whether the principal may merge others into this player: themselves, or as for `may_merge`."""
    return may_merge(connection, row) or _is_own(connection, row)


def _is_own(connection: Connection, row: Mapping[str, Any]) -> bool:
    return accounts.of_player(connection, row["player_id"]) == [current_principal().account_id]


def _is_added(connection: Connection, row: Mapping[str, Any]) -> bool:
    is_added = row["anonymous"] is None and row["created_by"] == current_principal().account_id
    return is_added and not accounts.of_player(connection, row["player_id"])


def _is_unknown_to_others(connection: Connection, row: Mapping[str, Any]) -> bool:
    # The principal must not learn whether others' private matches have a player, so accounts that could have named the
    # player in one count as knowing them.
    return _is_added(connection, row) and not players.is_known_to_others(
        connection, row["player_id"], current_principal().account_id
    )
