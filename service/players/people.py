"""Finding the players whom clients name, adding those not seen before, and who may change them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from domain.game import FieldError
from domain.history import Player
from service.access.asking import asker, viewer
from service.identity import new_id
from service.problems import Problem, malformed, not_found
from service.store import accounts, players
from service.store.access import Viewer
from service.store.database import Connection


def seated(connection: Connection, entries: Sequence[Mapping[str, Any]]) -> list[Player]:
    """Who sits where, by what was sent; raise `Problem`."""
    players.hold_merges(connection)
    players.lock_names(connection, [entry["name"] for entry in entries if "name" in entry])
    found = []
    for index, entry in enumerate(entries):
        player_id = _player(connection, entry, f"/players/{index}")
        found.append(Player(entry["seat"], str(player_id)))
    twice = [index for index, (_, player_id) in enumerate(found) if player_id in {p.player_id for p in found[:index]}]
    if twice:
        raise malformed([FieldError(f"/players/{index}", "plays twice") for index in twice])
    return found


def _player(connection: Connection, entry: Mapping[str, Any], pointer: str) -> UUID:
    if "player_id" in entry:
        row = players.find_known(connection, entry["player_id"], viewer())
        if row is None:
            raise Problem(
                "unknown-player", "There is no such player.", errors=[{"pointer": pointer, "detail": "is not known"}]
            )
        return UUID(str(row["player_id"]))
    name = entry["name"]
    known = players.named(connection, name, viewer())
    if len(known) > 1:
        raise Problem(
            "ambiguous-name",
            f"Several players are called {players.tidy_name(name)}; give the player_id of one.",
            candidates=[str(candidate) for candidate in known],
            errors=[{"pointer": f"{pointer}/name", "detail": "is borne by several players"}],
        )
    if known:
        return known[0]
    added = new_id()
    players.insert(connection, added, name, asker().account_id, asker().actor)
    return added


def seer() -> Viewer:
    """For whom players are looked up: owners look after all of them."""
    return replace(viewer(), sees_all=asker().is_owner)


def require_met(connection: Connection, player_id: UUID) -> Mapping[str, Any]:
    """A player whom the asker knows or finds in matches, or the survivor of his merge; raise `Problem`."""
    row = players.find_met(connection, player_id, seer())
    if row is None:
        raise not_found("player")
    return row


def may_change(connection: Connection, row: Mapping[str, Any], *, is_merge: bool = False) -> bool:
    """Whether the asker may change a player: an owner any, others themselves and whom they added.

    Who has an account is merged by owners alone, since he may read whatever the other played.
    """
    if asker().is_owner:
        return True
    linked = accounts.of_player(connection, row["player_id"])
    is_own = linked == [asker().account_id]
    is_added = not linked and row["anonymous"] is None and row["created_by"] == asker().account_id
    return is_added or (is_own and not is_merge)
