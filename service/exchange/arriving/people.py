"""Who is meant by the names in a file."""

from collections.abc import Mapping, Sequence
from typing import Final, TypedDict
from uuid import UUID

from service.auth.authentication import current_principal, viewer
from service.db import exchange, players
from service.db.pool import Connection
from service.exchange.arriving.report import Refused
from service.http.fields import MAX_NAME
from service.http.shapes import Id
from service.identity import new_id
from service.names import fold_name, has_ink, tidy_name

MAX_LISTED: Final = 500
"""Names of a file that are listed."""
UNCLEAR: Final = "unclear-player"
"""The code for a name that may be that of several players, or none at all."""


class FilePerson(TypedDict):
    """A name in a file, and who is meant by it."""

    name: str
    """The name in the file."""
    status: str
    """`mapped` by hand before, `known`, `new`, or `ambiguous`: then somebody has to say who is meant."""
    player_id: Id | None
    """Null for who would be added, and for an ambiguous name."""
    candidates: list[Id]
    """Players of that name who might be meant."""


def owner_of_names() -> UUID:
    """Whose memory of names counts."""
    return current_principal().account_id or exchange.NOBODY


class People:
    """Looks names up once for each file, and adds those whom nobody knows, but not for matches that are refused."""

    def __init__(self, connection: Connection, system: str, *, is_dry: bool) -> None:
        self._system = system
        self._is_dry = is_dry
        self._mapped = {
            row["name"]: row["player_id"]
            for row in exchange.names(connection, owner_of_names())
            if row["system"] == system
        }
        self._found: dict[str, UUID] = {}
        self._pending: dict[UUID, str | None] = {}
        """The players who are to be added for the present match."""
        self.renew()
        self.listed: dict[str, FilePerson] = {}

    def seated(self, connection: Connection, names: Sequence[str | None]) -> list[UUID]:
        """The players of the seats of a match; raise `Refused`."""
        people = [self._add(None) if name is None else self._player(connection, name) for name in names]
        if len(set(people)) < len(people):
            raise Refused(UNCLEAR, "Two of its players are the same person.")
        return people

    def mapped(self, name: str) -> UUID | None:
        """The player whom the account has chosen for a name."""
        return self._mapped.get(fold_name(name))

    def bring(self, connection: Connection, ids: Mapping[UUID, str | None]) -> None:
        """Tell of players who are not known here by their ids; others of their names may be them."""
        for name in ids.values():
            if name is None or fold_name(name) in self.listed:
                continue
            mapped = self.mapped(name)
            if mapped is not None:
                self._list(name, "mapped", mapped)
            else:
                self._list(name, "new", None, players.named(connection, name, viewer()))

    def renew(self) -> None:
        """Begin another transaction, before which others may have added players without names."""
        self._last_anonymous: int | None = None

    def forget(self) -> None:
        """Forget whom a transaction that failed has added."""
        self._found.clear()
        self._pending.clear()

    def add_pending(self, connection: Connection) -> None:
        """Add the players of a match that is taken over."""
        principal = current_principal()
        for player_id, name in self._pending.items():
            if name is None:
                self._insert_anonymous(connection, player_id)
            else:
                players.lock_names(connection, [name])
                players.insert(connection, player_id, name, principal.account_id, principal.actor)
        self._pending.clear()

    def drop_pending(self) -> None:
        """Forget the new players of a match that is refused."""
        for player_id, name in self._pending.items():
            if name is not None and self._found.get(fold_name(name)) == player_id:
                del self._found[fold_name(name)]
        self._pending.clear()

    def add_known(self, connection: Connection, ids: Mapping[UUID, str | None]) -> None:
        """Add players of other installations by their ids; one who was mapped by hand is merged into that player."""
        principal = current_principal()
        for player_id, name in ids.items():
            if name is None:
                self._insert_anonymous(connection, player_id)
                continue
            players.insert(connection, player_id, name, principal.account_id, principal.actor)
            into = self.mapped(name)
            if into is not None and into != player_id:
                players.merge(connection, player_id, into, principal.actor)

    def _player(self, connection: Connection, name: str) -> UUID:
        if not has_ink(name) or "\0" in name:
            raise Refused(UNCLEAR, "One of its players has no name.")
        name = tidy_name(name)[:MAX_NAME]
        key = fold_name(name)
        if key in self._found:
            return self._found[key]
        if key in self._mapped:
            return self._keep(key, name, "mapped", self._mapped[key])
        known = players.named(connection, name, viewer())
        if len(known) > 1:
            self._list(name, "ambiguous", None, known)
            raise Refused(UNCLEAR, f"Several players are called {name}; say once who is meant.")
        if known:
            return self._keep(key, name, "known", known[0])
        self._list(name, "new", None)
        self._found[key] = self._add(name)
        return self._found[key]

    def _add(self, name: str | None) -> UUID:
        """A new player, who is added with the match."""
        added = new_id()
        if not self._is_dry:
            self._pending[added] = name
        return added

    def _insert_anonymous(self, connection: Connection, player_id: UUID) -> None:
        """Add a player whose name is not known."""
        number = 1 + (exchange.last_anonymous(connection) if self._last_anonymous is None else self._last_anonymous)
        self._last_anonymous = number
        principal = current_principal()
        players.insert(connection, player_id, f"Player {number}", principal.account_id, principal.actor)
        exchange.make_anonymous(connection, player_id, number)

    def _keep(self, key: str, name: str, status: str, player_id: UUID) -> UUID:
        self._list(name, status, player_id)
        self._found[key] = player_id
        return player_id

    def _list(self, name: str, status: str, player_id: UUID | None, candidates: Sequence[UUID] = ()) -> None:
        if len(self.listed) < MAX_LISTED:
            self.listed[fold_name(name)] = {
                "name": name,
                "status": status,
                "player_id": None if player_id is None else str(player_id),
                "candidates": [str(candidate) for candidate in candidates],
            }
