"""The contract that every game keeps, and the words that all games share.

A game is a value of parts: its rules, the JSON of its moves, set-ups and states, its sentences and its statistics. Each
part is a module of pure functions over immutable values; a protocol says which functions it must have.

>>> from domain.catalogue import GAMES
>>> game = GAMES["cite-lumiere"]
>>> setup = game.setup.parse({"first": "blue", "postcards": list(game.editions.default.first_game_set)})
>>> state = game.rules.start(setup, ["orange", "blue"], game.editions.default)
>>> take = game.move.parse({"type": "take", "building": "L4"})
>>> game.telling.describe(state, "blue", take, "en")
'Blue takes building L4 from the supply.'
>>> game.rules.apply(state, "blue", take).to_move
'orange'
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from domain.editions import Edition, EditionLookup, Editions
from domain.forms import JsonObject
from domain.shorthand import Shorthand

Seat: TypeAlias = str


class Kind(StrEnum):
    """How a refused move is wrong, which decides whether a table ruling can record it."""

    PHYSICAL = "physical"
    """It cannot happen on a table: no such piece, the space is taken, the tile already used."""
    RULE = "rule"
    """It can be done by mistake: wrong turn, wrong colour, too poor."""


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason for which a game refuses moves: its kind and the section of the rules it guards."""

    kind: Kind
    rule: str


class Refusal(Exception):
    """A well-formed move that the rules refuse in this state, for one of the reasons of its game."""

    def __init__(self, code: str, reason: Reason, values: JsonObject, sentence: Callable[[str], str]) -> None:
        super().__init__(code)
        self.code = code
        self.kind = reason.kind
        self.rule = reason.rule
        self.values = values
        """What its sentence names, as JSON; with the code, `Telling.stored_refusal` makes a refusal of it again."""
        self._sentence = sentence

    def __str__(self) -> str:
        return self.tell()

    def tell(self, language: str = "en") -> str:
        """Why the move is refused, in one sentence of a language that the game speaks."""
        return self._sentence(language)


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
    part: str | None = None
    """What it is about within its category, where a category has parts, such as a district."""


class GainItem(NamedTuple):
    """One part of what a move would change in the points of its seat: a category of `ScoreItem`, in a few words."""

    category: str
    points: int
    text: str


class Gain(NamedTuple):
    """What a move would give the seat that makes it: the sum of its items, which may be negative."""

    points: int
    items: tuple[GainItem, ...]


NO_GAIN = Gain(0, ())


class FeatureKind(StrEnum):
    """What it means that a seat has a feature."""

    DEED = "deed"
    """It did or got a certain thing: its amount is not 0."""
    AMOUNT = "amount"
    """It has more of it than the seats of the match on average."""


class Feature(NamedTuple):
    """How much a seat had of what may go with winning, and the points that this gave, where they are known."""

    amount: int
    points: int | None = None


class Step(NamedTuple):
    """A move of an opening. `mover` counts the seats in turn order, from 1 for the one that began."""

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


EditionT = TypeVar("EditionT", bound=Edition)
SetupT = TypeVar("SetupT")
StateT = TypeVar("StateT", bound=State)
MoveT = TypeVar("MoveT")
EditionT_contra = TypeVar("EditionT_contra", bound=Edition, contravariant=True)
SetupT_contra = TypeVar("SetupT_contra", contravariant=True)
StateT_contra = TypeVar("StateT_contra", bound=State, contravariant=True)
MoveT_contra = TypeVar("MoveT_contra", contravariant=True)
T = TypeVar("T")


class Rules(Protocol[EditionT_contra, SetupT_contra, StateT, MoveT]):
    """What can be played. A log is replayed by `start` and `apply` alone."""

    def start(self, setup: SetupT_contra, seats: Sequence[Seat], edition: EditionT_contra) -> StateT:
        """The state at ply 0 for seats that can play; raise `Malformed` if the set-up does not go with the edition."""

    def check(self, state: StateT, seat: Seat, move: MoveT) -> None:
        """Raise `Refusal` if a seat may not make this move, for a physical reason if there is one."""

    def apply(self, state: StateT, seat: Seat, move: MoveT) -> StateT:
        """The state after a move of a seat. The move is not checked."""

    def legal_moves(self, state: StateT) -> Iterator[MoveT]:
        """The legal moves of the seat to move, in an order that depends on nothing but the state."""

    def random_move(self, state: StateT, random: Random) -> MoveT | None:
        """One of `legal_moves`, drawn without listing them; None when the match is over.

        A kind of move is drawn first, then its parts: every legal move can be drawn, but not all equally often.
        """

    def totals(self, state: StateT) -> Mapping[Seat, int]:
        """The points of each seat if the match ended now: the sum of what `Telling.explain` lists for it."""

    def result(self, state: StateT) -> Result | None:
        """The result, or None as long as a seat is to move."""


class Codec(Protocol[T]):
    """The JSON of a move or of a set-up."""

    def parse(self, json: object) -> T:
        """Read it; raise `Malformed`."""

    def dump(self, thing: T, /) -> JsonObject:
        """Its one normal form, with every default written out."""


class Setups(Codec[T], Protocol[EditionT_contra, T]):
    """The JSON of a set-up, and drawing one."""

    def draw(self, edition: EditionT_contra, seats: Sequence[Seat], random: Random) -> T:
        """A set-up for these seats, drawn at random; all variants can be drawn."""


class Notation(Protocol):
    """The words of moves and set-ups in the match text."""

    @property
    def MOVES(self) -> Shorthand: ...  # noqa: N802
    @property
    def SETUP(self) -> Shorthand: ...  # noqa: N802


class View(Protocol[StateT_contra]):
    """The JSON of a state."""

    def dump(self, state: StateT_contra) -> JsonObject:
        """The state with score and result."""


class Telling(Protocol[StateT_contra, MoveT_contra]):
    """What a game says in each of its languages."""

    @property
    def LANGUAGES(self) -> Collection[str]: ...  # noqa: N802

    def describe(self, state: StateT_contra, seat: Seat, move: MoveT_contra, language: str = "en") -> str:
        """One sentence for a move that is made in this state."""

    def explain(self, state: StateT_contra, language: str = "en") -> Mapping[Seat, tuple[ScoreItem, ...]]:
        """Where each point comes from."""

    def gains(self, state: StateT_contra, moves: Iterable[MoveT_contra], language: str = "en") -> Iterator[Gain]:
        """What each of these legal moves would give the seat to move: how its total would differ after the move."""

    def stored_refusal(self, code: str, values: JsonObject) -> Refusal:
        """A refusal of its code and values; raise `KeyError` if the game has no such reason."""


class Statistics(Protocol[SetupT_contra]):
    """What statistics count in the matches of a game."""

    @property
    def VARIANTS(self) -> Sequence[str]:  # noqa: N802
        """The ways to play that are not to be compared with each other, the plain one first."""

    @property
    def FEATURE_KINDS(self) -> Mapping[str, FeatureKind]:  # noqa: N802
        """Everything that `features` can tell. Stored statistics count in this order, so new ones go to the end."""

    @property
    def PART_OF_SCORE(self) -> frozenset[str]:  # noqa: N802
        """The features that are points, or give some by themselves, and so go with winning whatever else they do."""

    def variant(self, setup: SetupT_contra) -> str:
        """Which of the variants a set-up is for."""

    def features(self, line: Sequence[Frame]) -> Mapping[str, Mapping[Seat, Feature]]:
        """The features of each seat in a finished match. Features that no seat could have had are left out."""

    def definitions(self, language: str = "en") -> Mapping[str, str]:
        """One sentence that says what each feature is, and what `lead_changes` and `opening` are in this game."""

    def standings(self, line: Sequence[Frame]) -> Iterator[Mapping[Seat, int]]:
        """Running totals, one entry for each point of the match at which the lead is compared."""

    def opening(self, line: Sequence[Frame], depth: int) -> tuple[Step, ...]:
        """The first moves that decide something, normalised so that equivalent lines have the same opening."""


@dataclass(frozen=True, slots=True)
class NoStatistics:
    """The statistics of a game that has none of its own: its results are counted, but no features and openings."""

    VARIANTS: Sequence[str] = ("standard",)
    FEATURE_KINDS: ClassVar[Mapping[str, FeatureKind]] = {}
    PART_OF_SCORE: ClassVar[frozenset[str]] = frozenset()

    def variant(self, setup: object) -> str:
        return self.VARIANTS[0]

    def features(self, line: Sequence[Frame]) -> Mapping[str, Mapping[Seat, Feature]]:
        return {}

    def definitions(self, language: str = "en") -> Mapping[str, str]:
        return {}

    def standings(self, line: Sequence[Frame]) -> Iterator[Mapping[Seat, int]]:
        return iter(())

    def opening(self, line: Sequence[Frame], depth: int) -> tuple[Step, ...]:
        return ()


NO_STATISTICS = NoStatistics()


@dataclass(frozen=True, slots=True, eq=False)
class Game(Generic[EditionT, SetupT, StateT, MoveT]):
    """A game. Compared by identity."""

    id: str
    title: str
    seats: tuple[Seat, ...]
    players: range
    """How many can play."""
    rules_version: int
    tie_breaks: tuple[str, ...]
    """What decides between equal points, in this order, by the words of `Result.decided_by`."""
    spaces: frozenset[str]
    """All that can be pointed at on the table, by its name."""
    reasons: Mapping[str, Reason]
    """Every code a `Refusal` of this game can carry."""
    editions: Editions[EditionT]
    setup: Setups[EditionT, SetupT]
    move: Codec[MoveT]
    notation: Notation
    view: View[StateT]
    rules: Rules[EditionT, SetupT, StateT, MoveT]
    telling: Telling[StateT, MoveT]
    schemas: Mapping[str, JsonObject]
    """The JSON Schemas (2020-12) of all JSON of the game: `setup`, `move` and `state`."""
    statistics: Statistics[SetupT] = NO_STATISTICS


AnyGame: TypeAlias = Game[Any, Any, Any, Any]
