"""The services of one process: database, caches of timelines and frames, games and their editions."""

from dataclasses import dataclass, field
from threading import Event
from typing import TYPE_CHECKING, Final, Self, cast
from uuid import UUID

from flask import current_app

from domain.catalogue import GAMES
from domain.game import AnyGame, Edition, EditionLookup
from service.cache import Cache
from service.caches import Frames, Previews, SmallBoards, Verdicts
from service.config import Config
from service.db import editions
from service.db.notifications import Notifier, SpendingExchange
from service.db.pool import Connection, Database
from service.errors import UnknownEdition, UnknownGame
from service.identity import is_id
from service.live.subscribers import Streams
from service.timelines import BYTES_PER_EDITION, Recorded, Timelines

if TYPE_CHECKING:
    from flask import Flask
    from werkzeug.local import LocalProxy

MAX_BYTES_OF_EDITIONS: Final = 16 * 2**20


@dataclass(frozen=True, slots=True)
class Services:
    """The services of one process."""

    config: Config
    database: Database
    notifier: Notifier
    streams: Streams
    spending: SpendingExchange
    timelines: Timelines = field(default_factory=Timelines)
    frames: Frames = field(default_factory=Frames)
    small_boards: SmallBoards = field(default_factory=SmallBoards)
    previews: Previews = field(default_factory=Previews)
    verdicts: Verdicts = field(default_factory=Verdicts)
    is_draining: Event = field(default_factory=Event)
    """Set while the process waits for proxies to find another one, before it stops."""
    custom_editions: Cache[tuple[str, str], Edition] = field(
        default_factory=lambda: Cache(MAX_BYTES_OF_EDITIONS, lambda _: BYTES_PER_EDITION)
    )

    @classmethod
    def on(cls, config: Config, database: Database) -> Self:
        """The services of a process on a database."""
        leader = database.leader
        services = cls(config, database, Notifier(leader), Streams(leader), SpendingExchange(leader))
        leader.when_found(services.forget)
        return services

    def publish(self, match_id: UUID, recorded: Recorded) -> None:
        """Publish a committed change to all readers of a match."""
        self.timelines.keep(match_id, recorded)
        self.notifier.notify(match_id)

    def forget(self) -> None:
        """Empty the caches of what was recorded in matches."""
        for cache in (self.timelines, self.frames, self.small_boards, self.verdicts):
            cache.clear()

    def close(self) -> None:
        """End all streams and threads; the database is closed by its opener."""
        self.streams.close()
        self.spending.close()
        self.notifier.close()

    def game(self, game_id: str) -> AnyGame:
        """A game of the catalogue; raise `UnknownGame`."""
        if game_id not in GAMES:
            raise UnknownGame
        return GAMES[game_id]

    def edition(self, connection: Connection, game: AnyGame, edition_id: str) -> Edition:
        """A built-in edition or one of a user; raise `UnknownEdition`."""
        if edition_id in game.editions:
            return cast(Edition, game.editions[edition_id])
        key = (game.id, edition_id)
        edition = self.custom_editions.find(key)
        if edition is None:
            document = editions.find(connection, game.id, UUID(edition_id)) if is_id(edition_id) else None
            if document is None:
                raise UnknownEdition(game.title)
            edition = game.editions.load(document)
            self.custom_editions.keep(key, edition)
        return edition

    def editions(self, connection: Connection, game: AnyGame) -> EditionLookup:
        """The editions of a game for folding a log."""
        return StoredEditions(self, connection, game)


@dataclass(frozen=True, slots=True)
class StoredEditions:
    """The editions of a game for folding one log: built-in ones and those of users."""

    services: Services
    connection: Connection
    game: AnyGame
    found: dict[str, Edition] = field(default_factory=dict)
    """Kept besides the cache of the process, which a log with many editions could evict again and again."""

    def __getitem__(self, edition_id: str, /) -> Edition:
        if edition_id not in self.found:
            self.found[edition_id] = self.services.edition(self.connection, self.game, edition_id)
        return self.found[edition_id]


_APPLICATION: Final = cast("LocalProxy[Flask]", current_app)


def services() -> Services:
    """The services of the current application."""
    return cast(Services, _APPLICATION._get_current_object().extensions["carnet"])
