"""Finding the players whom clients name among those they know, and adding those not seen before."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from domain.game import FieldError
from domain.history import Player
from service.access.asking import asker, viewer
from service.identity import new_id
from service.problems import Problem, malformed
from service.store import players
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
