"""What the service is asked: random matches, and the requests that create, record and replay them."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import cycle, islice, repeat
from random import Random
from uuid import UUID

from bench.load import Client, get, post
from bench.parts import TASKS
from domain import match as history
from domain.catalogue import GAMES
from domain.match import Draft, Entry, Event, Player, Timeline
from scripts.random_play import play
from service.identity import as_text, new_id, now

CLIENTS = 8
PEOPLE = ("Ada", "Ben")
GAME = "cite-lumiere"
API = "/api/v1"


@dataclass(frozen=True, slots=True)
class Options:
    """How much of the service is measured."""

    rounds: int
    seconds: float
    seed: int
    tasks: Sequence[str] = TASKS


@dataclass(frozen=True, slots=True)
class Template:
    """A random match: what creates it and records its moves, over HTTP and in the store."""

    created: bytes
    moves: tuple[bytes, ...]
    drafts: tuple[Draft, ...]
    """All events, that of creation first."""
    timelines: tuple[Timeline, ...]
    """The timeline after each of them."""

    def until(self, events: int) -> "Template":
        """The same match after so many events."""
        return Template(self.created, self.moves[: events - 1], self.drafts[:events], self.timelines[:events])


@cache
def templates(count: int, seed: int, people: tuple[UUID, ...], least: int = 1) -> tuple[Template, ...]:
    """Random matches of at least so many events, up to the last move but one, so that none has a result yet."""
    random = Random(seed)
    drawn = (_template(random, people) for _ in repeat(None))
    return tuple(islice((template for template in drawn if len(template.drafts) >= least), count))


def _template(random: Random, people: Sequence[UUID]) -> Template:
    game = GAMES[GAME]
    match = play(game, random)
    players = [Player(seat, str(person)) for seat, person in zip(match.seats, people, strict=True)]
    edition = game.editions.default
    changes = [history.create(game, edition, players, game.setup.parse(match.setup))]
    moves = []
    for seat, move in match.plies[:-1]:
        changes.append(history.record(changes[-1].timeline, [Entry(seat, move)]))
        moves.append(json.dumps({"seat": seat, "move": game.move.dump(move)}).encode())
    seated = [{"seat": seat, "player_id": player} for seat, player in players]
    created = json.dumps({"game": GAME, "players": seated, "setup": match.setup}).encode()
    drafts = tuple(change.drafts[0] for change in changes)
    return Template(created, tuple(moves), drafts, tuple(change.timeline for change in changes))


def sealed(template: Template, match_id: UUID) -> list[Event]:
    """The log of a match that goes like a template."""
    events: list[Event] = []
    named, recorded_at, prev_hash = str(match_id), as_text(now()), None
    for seq, draft in enumerate(template.drafts, start=1):
        event = history.seal(draft, match_id=named, seq=seq, actor=None, recorded_at=recorded_at, prev_hash=prev_hash)
        events.append(event)
        prev_hash = event.hash
    return events


@dataclass(frozen=True, slots=True)
class Recording:
    """The requests that record the moves of some matches, each made for the version that the one before left."""

    matches: Sequence[tuple[str, Sequence[bytes]]]
    """The address of each match, and its moves."""

    def __iter__(self) -> Iterator[bytes]:
        for address, moves in self.matches:
            for version, move in enumerate(moves, start=1):
                yield post(f"{address}/moves", move, f'If-Match: "{version}"\r\n')


@dataclass(frozen=True, slots=True)
class Inserting:
    """The requests that insert the rows of such matches, each time for another match, without end."""

    logs: Sequence[Sequence[bytes]]

    def __iter__(self) -> Iterator[bytes]:
        for log in cycle(self.logs):
            match_id = str(new_id()).encode()
            for row in log:
                yield post("/rows", row.replace(_ANY_MATCH, match_id))


@dataclass(frozen=True, slots=True)
class Repeating:
    """Requests to read, again and again."""

    requests: Sequence[bytes]

    def __iter__(self) -> Iterator[bytes]:
        return cycle(self.requests)


def create(client: Client, template: Template) -> str:
    """Begin a match, and answer with its address."""
    answer = client.require(post(f"{API}/matches", template.created), 201)
    return f"{API}/matches/{json.loads(answer.body)['id']}"


def frames(address: str, template: Template) -> list[bytes]:
    """The requests for every frame of a match as it stands after its last event."""
    version = len(template.drafts)
    return [get(f"{address}/replay/{ply}?version={version}&lang=en") for ply in range(version)]


def static(size: int) -> bytes:
    """The request for a static answer of so many bytes."""
    return get(f"/answers/{size}")


def log(template: Template) -> list[bytes]:
    """The rows that recording a match adds to the log, in JSON."""
    events = sealed(template, UUID(_ANY_MATCH.decode()))[1:]
    return [json.dumps({**event._asdict(), "payload": event.text}).encode() for event in events]


_ANY_MATCH = b"00000000-0000-7000-8000-000000000000"
