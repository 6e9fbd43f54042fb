"""The contract that every game keeps, and the words that all games share.

A game is a set of pure functions over immutable editions, set-ups, states and moves. Nothing here
knows a rule of any game.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

Seat: TypeAlias = str
JsonObject: TypeAlias = dict[str, Any]


class Kind(StrEnum):
    """How a refused move is wrong, which decides whether a table ruling can record it."""

    PHYSICAL = "physical"
    """It cannot happen on a table: no such piece, the space is taken, the tile already used."""
    RULE = "rule"
    """It can be done by mistake: wrong turn, wrong colour, too poor."""


@dataclass(frozen=True, slots=True)
class FieldError:
    """What is wrong with one member of a JSON document, by its JSON pointer."""

    pointer: str
    detail: str


def escape(member: str) -> str:
    """A member's name as a part of a JSON pointer (RFC 6901); what has no UTF-8 form becomes a question mark."""
    return member.encode(errors="replace").decode().replace("~", "~0").replace("/", "~1")


class Malformed(Exception):
    """Input that can be refused without looking at a match."""

    def __init__(self, errors: Sequence[FieldError]) -> None:
        super().__init__("; ".join(f"{error.pointer or '/'}: {error.detail}" for error in errors))
        self.errors = tuple(errors)


class IllegalMove(Exception):
    """A well-formed move that the rules refuse in this state."""

    def __init__(self, code: str, rule: str, kind: Kind, sentence: Callable[[str], str]) -> None:
        super().__init__(code)
        self.code = code
        self.rule = rule
        self.kind = kind
        self._sentence = sentence

    def __str__(self) -> str:
        return self.tell()

    def tell(self, language: str = "en") -> str:
        """Why the move is refused, in one sentence of a language that the game speaks."""
        return self._sentence(language)


@dataclass(frozen=True, slots=True)
class Refusal:
    """One reason for which a game refuses moves: its kind and the section of the rules it guards."""

    kind: Kind
    rule: str


@dataclass(frozen=True, slots=True)
class Ranked:
    """The place of one seat in a result; equal places are shared."""

    seat: Seat
    place: int
    points: int


@dataclass(frozen=True, slots=True)
class Result:
    """How a match that is over ended."""

    winners: tuple[Seat, ...]
    ranking: tuple[Ranked, ...]
    decided_by: str


def dump_result(result: Result | None) -> JsonObject | None:
    """A result as JSON, which all games tell alike; None as long as there is none."""
    if result is None:
        return None
    return {
        "winners": list(result.winners),
        "ranking": [{"seat": rank.seat, "place": rank.place, "points": rank.points} for rank in result.ranking],
        "decided_by": result.decided_by,
    }


@dataclass(frozen=True, slots=True)
class ScoreItem:
    """One reason for points: what gives them, where it lies and a sentence that says so.

    `sources` are the spaces whose lamps give the points, or the keys where a game has keys.
    """

    category: str
    points: int
    pieces: tuple[str, ...]
    cells: tuple[str, ...]
    sources: tuple[str, ...]
    sentence: str


class Edition(Protocol):
    """The printed values of a box and the rulings that go with it."""

    @property
    def id(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def digest(self) -> str:
        """SHA-256 of the canonical form of `document`."""

    @property
    def document(self) -> Mapping[str, Any]:
        """The edition as it was read: every value with its source."""


class Editions(Protocol):
    """Finds the editions that a log names."""

    def __getitem__(self, edition_id: str, /) -> Any:
        """The edition of an id; raise LookupError if there is none."""


class FeatureKind(StrEnum):
    """How a seat is said to have a feature."""

    DEED = "deed"
    """It did or got a certain thing: its amount is not 0."""
    AMOUNT = "amount"
    """It has more of it than the seats of the match on average."""


class Feature(NamedTuple):
    """How much a seat had of what may go with winning, and the points that this gave, where that can be said."""

    amount: int
    points: int | None = None


class Step(NamedTuple):
    """A move of an opening. `mover` counts the seats in turn order, from 1 for whoever began."""

    mover: int
    move: Any


class State(Protocol):
    """The whole position after a number of moves."""

    @property
    def ply(self) -> int: ...
    @property
    def to_move(self) -> Seat | None:
        """Who is to move, or None when the match is over."""


class Frame(Protocol):
    """One ply of a line: who moved, what, and the state after it. The first one is the set-up."""

    @property
    def seat(self) -> Seat | None: ...
    @property
    def move(self) -> Any: ...
    @property
    def state(self) -> Any: ...


class SeatScore(Protocol):
    """What one seat would score now, broken down as the game does."""

    @property
    def total(self) -> int: ...


EditionT = TypeVar("EditionT", bound=Edition)
SetupT = TypeVar("SetupT")
StateT = TypeVar("StateT", bound=State)
MoveT = TypeVar("MoveT")


class Game(ABC, Generic[EditionT, SetupT, StateT, MoveT]):
    """One game: its parts, its rules and its texts. Everything a game does goes through here."""

    id: str
    title: str
    seats: tuple[Seat, ...]
    min_players: int
    max_players: int
    rules_version: int
    languages: tuple[str, ...]
    editions: Mapping[str, EditionT]
    """The editions that come along, read once at import."""
    default_edition: str
    variants: tuple[str, ...]
    """The ways to play that are not to be compared with each other, the plain one first."""
    tie_breaks: tuple[str, ...]
    """What decides between equal points, in this order, by the words of `Result.decided_by`."""
    spaces: frozenset[str]
    """All that can be pointed at on the table, by its name."""
    feature_kinds: Mapping[str, FeatureKind]
    """Everything that `features` can tell. Stored statistics count in this order, so new ones go to the end."""
    part_of_score: frozenset[str]
    """The features that are points, or give some by themselves, and so go with winning whatever else they do."""
    refusals: Mapping[str, Refusal]
    """Every code an `IllegalMove` of this game can carry."""

    @abstractmethod
    def load_edition(self, json: object) -> EditionT:
        """Validate an edition document; raise `Malformed`."""

    @abstractmethod
    def amend_edition(self, base: EditionT, edition: str, title: str, changes: object) -> EditionT:
        """An edition that differs from another in some values, by a merge patch; raise `Malformed`."""

    @abstractmethod
    def parse_setup(self, json: object) -> SetupT:
        """Read a set-up; raise `Malformed`."""

    @abstractmethod
    def dump_setup(self, setup: SetupT) -> JsonObject:
        """The set-up as JSON, with every default written out."""

    @abstractmethod
    def parse(self, json: object) -> MoveT:
        """Read a move; raise `Malformed`."""

    @abstractmethod
    def dump_move(self, move: MoveT) -> JsonObject:
        """The move as JSON, in its one normal form."""

    @abstractmethod
    def start(self, setup: SetupT, seats: Sequence[Seat], edition: EditionT) -> StateT:
        """The state at ply 0 for seats that can play; raise `Malformed` if the set-up does not go with the edition."""

    @abstractmethod
    def check(self, state: StateT, seat: Seat, move: MoveT) -> None:
        """Raise `IllegalMove` if a seat may not make this move, for a physical reason if there is one."""

    @abstractmethod
    def apply(self, state: StateT, seat: Seat, move: MoveT) -> StateT:
        """The state after a move of a seat. The move is not checked."""

    @abstractmethod
    def legal(self, state: StateT) -> Iterator[MoveT]:
        """The legal moves of the seat to move, in an order that depends on nothing but the state."""

    @abstractmethod
    def random_move(self, state: StateT, random: Random) -> MoveT | None:
        """One of the moves that `legal` lists, drawn without listing them; None when the match is over.

        A kind of move is drawn first, then its parts: every legal move can be drawn, but not all equally often.
        """

    def to_move(self, state: StateT) -> Seat | None:
        """Who is to move, or None when the match is over."""
        return state.to_move

    @abstractmethod
    def score(self, state: StateT) -> Mapping[Seat, SeatScore]:
        """What every seat would score if the match ended now."""

    @abstractmethod
    def explain(self, state: StateT, language: str = "en") -> Mapping[Seat, tuple[ScoreItem, ...]]:
        """Where each point of `score` comes from; the points of a seat's items add up to its total."""

    @abstractmethod
    def result(self, state: StateT) -> Result | None:
        """The result, or None as long as somebody is to move."""

    @abstractmethod
    def describe(self, state: StateT, seat: Seat, move: MoveT, language: str = "en") -> str:
        """One sentence for a move that is made in this state."""

    @abstractmethod
    def dump(self, state: StateT) -> JsonObject:
        """The state as JSON, with score and result."""

    @abstractmethod
    def variant(self, setup: SetupT) -> str:
        """Which of the variants a set-up is for."""

    @abstractmethod
    def features(self, line: Sequence[Frame]) -> Mapping[str, Mapping[Seat, Feature]]:
        """What the seats did in a finished match: of each feature that could be had in it, the seats that have some."""

    @abstractmethod
    def definitions(self, language: str = "en") -> Mapping[str, str]:
        """One sentence that says what each feature is, and what `lead_changes` and `opening` are in this game."""

    @abstractmethod
    def standings(self, line: Sequence[Frame]) -> Iterator[Mapping[Seat, int]]:
        """The totals of the seats whenever it makes sense to ask who leads."""

    @abstractmethod
    def opening(self, line: Sequence[Frame], depth: int) -> tuple[Step, ...]:
        """The first moves of a line that decide something, alike for lines that differ in nothing that matters."""

    @abstractmethod
    def schemas(self) -> Mapping[str, JsonObject]:
        """JSON Schemas (2020-12) named `setup`, `move` and `state`."""


AnyGame: TypeAlias = Game[Any, Any, Any, Any]
