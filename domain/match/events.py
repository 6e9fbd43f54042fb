"""The events of a match as types with their JSON, and its log: a chain of hashes, and the check of that chain."""

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from hashlib import sha256
from json.encoder import encode_basestring
from typing import Any, ClassVar, Final, NamedTuple, Self, TypeAlias, get_args

from domain.canonical import canonical
from domain.game import AnyGame, EditionLookup, JsonObject, Seat
from domain.match.result_only import dump_setup, parse_setup

PlayerId: TypeAlias = str

EVENT_FORMAT: Final = 1
"""The format of payloads that this version writes. It is no part of an event's hash."""


class EventKind(StrEnum):
    MATCH_CREATED = "match_created"
    MOVE_MADE = "move_made"
    MOVES_UNDONE = "moves_undone"
    MOVE_CORRECTED = "move_corrected"
    SETUP_CORRECTED = "setup_corrected"
    EDITION_CHANGED = "edition_changed"
    PLAYERS_ASSIGNED = "players_assigned"
    TIMELINE_RESTORED = "timeline_restored"
    MATCH_ABANDONED = "match_abandoned"
    MATCH_REOPENED = "match_reopened"


class Action(StrEnum):
    """The kinds of correction at a ply. An insertion puts a move before it."""

    REPLACE = "replace"
    INSERT = "insert"
    REMOVE = "remove"


class Entry(NamedTuple):
    """A move as it is entered. `ruling` is the digest of a table ruling's reason.

    Without a seat it is the move of the seat to move, or in a replacement of the seat that is replaced.
    """

    seat: Seat | None
    move: Any
    ruling: str | None = None

    def payload(self, game: AnyGame) -> JsonObject:
        ruling = None if self.ruling is None else {"reason": self.ruling}
        return {"seat": self.seat, "move": game.move.dump(self.move), "ruling": ruling}

    @classmethod
    def read(cls, payload: JsonObject, game: AnyGame) -> Self:
        ruling = payload["ruling"]
        return cls(payload["seat"], game.move.parse(payload["move"]), None if ruling is None else ruling["reason"])


class Player(NamedTuple):
    seat: Seat
    player_id: PlayerId


class Reading(NamedTuple):
    """The context for reading a payload: the game, its editions, and the players at that point of the log."""

    game: AnyGame
    editions: EditionLookup
    players: tuple[Player, ...] = ()

    def edition(self, payload: JsonObject) -> Any:
        """The edition that a payload names; raise ValueError if it is missing."""
        try:
            return self.editions[payload["edition"]]
        except LookupError:
            raise ValueError("its edition is missing") from None

    def entry(self, payload: JsonObject) -> Entry:
        return with_player(Entry.read(payload, self.game), [player.seat for player in self.players])

    def setup(self, payload: JsonObject) -> Any:
        return parse_setup(self.game, [player.seat for player in self.players], payload["setup"])


def with_player(entry: Entry, seats: Collection[Seat]) -> Entry:
    """A move of one of the seats that have players; raise ValueError for others."""
    if entry.seat not in seats:
        raise ValueError("it names a seat that nobody has")
    return entry


def _read_players(payload: JsonObject) -> tuple[Player, ...]:
    return tuple(Player(player["seat"], player["player_id"]) for player in payload["players"])


_DUMPED: Mapping[str, Callable[[Any, AnyGame], JsonObject]] = {
    "edition": lambda edition, _: {"edition": edition.id, "edition_digest": edition.digest},
    "entry": lambda entry, game: {} if entry is None else entry.payload(game),
    "players": lambda players, _: {"players": [player._asdict() for player in players]},
    "setup": lambda setup, game: {"setup": dump_setup(game, setup)},
}
"""The fields of events that a payload has in another form, or in several members."""

_READ: Mapping[str, Callable[[JsonObject, Reading], Any]] = {
    "action": lambda payload, _: Action(payload["action"]),
    "edition": lambda payload, reading: reading.edition(payload),
    "entry": lambda payload, reading: None if payload["action"] == Action.REMOVE else reading.entry(payload),
    "players": lambda payload, _: _read_players(payload),
    "rules_version": lambda payload, _: payload.get("rules_version", 0),
    "setup": lambda payload, reading: reading.setup(payload),
}


class _Payload:
    """An event. Its payload has its fields, as `_DUMPED` and `_READ` say or else as they are."""

    __slots__ = ()
    __match_args__: ClassVar[tuple[str, ...]]
    kind: ClassVar[EventKind]

    def payload(self, game: AnyGame) -> JsonObject:
        payload: JsonObject = {}
        for name in self.__match_args__:
            value = getattr(self, name)
            payload |= _DUMPED[name](value, game) if name in _DUMPED else {name: value}
        return payload

    @classmethod
    def read(cls, payload: JsonObject, reading: Reading) -> Self:
        return cls(*[_READ[name](payload, reading) if name in _READ else payload[name] for name in cls.__match_args__])


@dataclass(frozen=True, slots=True)
class MatchCreated(_Payload):
    kind = EventKind.MATCH_CREATED
    players: tuple[Player, ...]
    edition: Any
    setup: Any
    rules_version: int
    """That of the game when the match began; 0 in a log that does not say."""

    def payload(self, game: AnyGame) -> JsonObject:
        return {"game": game.id, **_Payload.payload(self, game)}


@dataclass(frozen=True, slots=True)
class MoveMade(_Payload):
    kind = EventKind.MOVE_MADE
    entry: Entry

    @classmethod
    def read(cls, payload: JsonObject, reading: Reading) -> Self:
        return cls(reading.entry(payload))


@dataclass(frozen=True, slots=True)
class MovesUndone(_Payload):
    kind = EventKind.MOVES_UNDONE
    to_ply: int


@dataclass(frozen=True, slots=True)
class MoveCorrected(_Payload):
    """A move was replaced, inserted or removed; then the last moves were dropped."""

    kind = EventKind.MOVE_CORRECTED
    ply: int
    action: Action
    entry: Entry | None
    """None for a removal."""
    dropped: int


@dataclass(frozen=True, slots=True)
class SetupCorrected(_Payload):
    """The set-up was changed; then the last moves were dropped."""

    kind = EventKind.SETUP_CORRECTED
    setup: Any
    dropped: int


@dataclass(frozen=True, slots=True)
class EditionChanged(_Payload):
    """The edition was changed; then the last moves were dropped."""

    kind = EventKind.EDITION_CHANGED
    edition: Any
    dropped: int


@dataclass(frozen=True, slots=True)
class PlayersAssigned(_Payload):
    kind = EventKind.PLAYERS_ASSIGNED
    players: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class TimelineRestored(_Payload):
    kind = EventKind.TIMELINE_RESTORED
    version: int


@dataclass(frozen=True, slots=True)
class Abandoned(_Payload):
    kind = EventKind.MATCH_ABANDONED


@dataclass(frozen=True, slots=True)
class Reopened(_Payload):
    kind = EventKind.MATCH_REOPENED


LaterEvent: TypeAlias = (
    MoveMade
    | MovesUndone
    | MoveCorrected
    | SetupCorrected
    | EditionChanged
    | PlayersAssigned
    | TimelineRestored
    | Abandoned
    | Reopened
)
"""Every event but the first."""

_LATER: Mapping[str, type[LaterEvent]] = {later.kind: later for later in get_args(LaterEvent)}


def read_created(payload: JsonObject, reading: Reading) -> MatchCreated:
    if payload["game"] != reading.game.id:
        raise ValueError("it is of another game")
    return MatchCreated.read(payload, reading._replace(players=_read_players(payload)))


def read_later(kind: str, payload: JsonObject, reading: Reading) -> LaterEvent:
    """An event by its kind and payload; raise what reading JSON of another shape raises."""
    return _LATER[kind].read(payload, reading)


class Draft(NamedTuple):
    """An event before it has a place in a log."""

    kind: EventKind
    text: str
    """The payload in its canonical form."""

    @property
    def payload(self) -> JsonObject:
        return _read(self.text)


def draft_of(game: AnyGame, event: MatchCreated | LaterEvent) -> Draft:
    if isinstance(event, MoveMade) and event.entry.ruling is None:
        return _draft_of_move(game, event.entry)
    return Draft(event.kind, canonical(event.payload(game)))


# 5 of 15 µs per recorded move of Paris (matches recorded whole, 2026-11): most moves occur in many matches.
@lru_cache(maxsize=2**13)
def _draft_of_move(game: AnyGame, entry: Entry) -> Draft:
    return Draft(EventKind.MOVE_MADE, canonical(MoveMade(entry).payload(game)))


class Event(NamedTuple):
    """One entry of a log. `hash` covers everything else, `prev_hash` is the hash of the entry before."""

    match_id: str
    seq: int
    kind: str
    text: str
    """The payload as it was hashed."""
    actor: str | None
    recorded_at: str
    prev_hash: str | None
    hash: str
    v: int = EVENT_FORMAT
    """The format of the payload."""

    @property
    def payload(self) -> JsonObject:
        """The payload as JSON; raise ValueError if it is not JSON."""
        return _read(self.text)


class Written(NamedTuple):
    """The parts of a stored event that folding needs: its kind and its payload as text."""

    kind: str
    text: str
    hash: str = ""
    """Empty where nobody compares it."""
    v: int = EVENT_FORMAT


Lift: TypeAlias = Callable[[str, JsonObject], tuple[str, JsonObject]]
"""Makes kind and payload of the next format of those of one format."""

LIFTS: dict[int, Lift] = {}
"""What lifts the payloads of each format but the present one to the next."""


def lifted(event: Event | Written) -> tuple[str, str]:
    """Kind and payload of an event in the present format; raise `ValueError` for a format of a later version.

    The log keeps what was recorded, and its hashes are of that: only what is read of it is lifted.
    """
    if event.v == EVENT_FORMAT:
        return event.kind, event.text
    kind, payload = event.kind, _read(event.text)
    for version in range(event.v, EVENT_FORMAT):
        kind, payload = LIFTS[version](kind, payload)
    if event.v > EVENT_FORMAT:
        raise ValueError(f"its format {event.v} is of a later version of Carnet")
    return kind, canonical(payload)


def _read(text: str) -> JsonObject:
    payload: JsonObject = json.loads(text)
    return payload


class LogBroken(Exception):
    """A log that is not what was recorded, from its event `seq` on."""

    def __init__(self, seq: int, detail: str) -> None:
        super().__init__(f"event {seq}: {detail}")
        self.seq = seq
        self.detail = detail


def seal(draft: Draft, *, match_id: str, seq: int, actor: str | None, recorded_at: str, prev_hash: str | None) -> Event:
    """Give a draft its place in a log. `recorded_at` has six decimals and ends in Z."""
    members = (match_id, seq, str(draft.kind), draft.text, actor, recorded_at, prev_hash)
    return Event(*members, _digest(*members))


def _digest(
    match_id: str, seq: int, kind: str, text: str, actor: str | None, recorded_at: str, prev_hash: str | None
) -> str:
    """The hex SHA-256 of the canonical form of an event without its hash.

    The form is written out, for its members are the same every time and need neither be collected nor sorted.
    """
    form = (
        f'{{"actor":{_string(actor)},"kind":{_string(kind)},"match_id":{_string(match_id)},"payload":{text},'
        f'"prev_hash":{_string(prev_hash)},"recorded_at":{_string(recorded_at)},"seq":{seq}}}'
    )
    return sha256(form.encode()).hexdigest()


def _string(text: str | None) -> str:
    """The canonical form of a string that is encoded afterwards, or null."""
    return "null" if text is None else encode_basestring(text)


def verify(events: Iterable[Event], editions: EditionLookup | None = None) -> None:
    """Check the hash chain, and editions by their digests if they are given; raise `LogBroken` at the first fault."""
    before: Event | None = None
    for seq, event in enumerate(events, start=1):
        _verify_event(event, seq, before)
        if editions is not None and event.kind in (EventKind.MATCH_CREATED, EventKind.EDITION_CHANGED):
            _verify_edition(event, editions)
        before = event
    if before is None:
        raise LogBroken(1, "the log is empty")


def _verify_edition(event: Event, editions: EditionLookup) -> None:
    try:
        digest = editions[event.payload["edition"]].digest
    except (LookupError, TypeError):
        raise LogBroken(event.seq, "its edition is missing") from None
    if digest != event.payload.get("edition_digest"):
        raise LogBroken(event.seq, "its edition is not the one that was recorded")


def _verify_event(event: Event, seq: int, before: Event | None) -> None:
    if event.seq != seq:
        raise LogBroken(seq, f"its number is {event.seq}")
    if before is None and event.kind != EventKind.MATCH_CREATED:
        raise LogBroken(seq, f"a log begins with {EventKind.MATCH_CREATED}")
    if before is not None and event.match_id != before.match_id:
        raise LogBroken(seq, "it belongs to another match")
    if event.prev_hash != (before.hash if before else None):
        raise LogBroken(seq, "it does not follow the event before it")
    try:
        is_canonical = _is_known_canonical if len(event.text) <= MAX_KEPT else _is_canonical
        is_whole = is_canonical(event.text) and _digest(*event[:7]) == event.hash
    except json.JSONDecodeError as error:
        raise LogBroken(seq, f"its payload is not JSON ({error})") from None
    except RecursionError:
        raise LogBroken(seq, "its payload is nested too deep") from None
    except ValueError as error:
        raise LogBroken(seq, str(error)) from None
    if not is_whole:
        raise LogBroken(seq, "its hash does not fit its content")


def _is_canonical(text: str) -> bool:
    """Whether a payload is in its canonical form; raise ValueError if it has none."""
    return canonical(_read(text)) == text


MAX_KEPT: Final = 1000
"""Characters of a payload of which it is kept whether it is canonical: one of a stranger may have megabytes."""
# 3.5 of 6 µs per event of both games: most moves occur in many matches (one pass over 60 random logs, 2026-11).
_is_known_canonical = lru_cache(maxsize=2**13)(_is_canonical)


def reason_digest(salt: str, reason: str) -> str:
    """The digest of a ruling's reason for the log; the text is stored outside."""
    return sha256(f"{salt}\n{reason}".encode()).hexdigest()
