"""Tic-tac-toe, the smallest whole game: what `scripts.new_game` copies, and what the history is tried on besides."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from domain.editions import amended, built_in
from domain.game import Feature, Frame, Game, JsonObject, Result, ScoreItem, Seat, Step
from tests.domain.example_game import description, features, moves, rules, scoring, state, wire
from tests.domain.example_game.edition import Edition, load_edition
from tests.domain.example_game.moves import Mark
from tests.domain.example_game.refusals import REFUSALS
from tests.domain.example_game.state import Setup, State
from tests.domain.example_game.texts import LANGUAGES


class ExampleGame(Game[Edition, Setup, State, Mark]):
    """Implements the contract of `domain.game` with the modules of this package."""

    id = "example-game"
    title = "Tic-tac-toe"
    seats = moves.SEATS
    min_players = 2
    max_players = 2
    rules_version = 1
    languages = tuple(LANGUAGES)
    editions = built_in(__file__, load_edition)
    default_edition = "standard"
    variants = ("standard",)
    tie_breaks = ()
    spaces = frozenset(moves.SPACES)
    feature_kinds = features.FEATURE_KINDS
    refusals = REFUSALS

    def load_edition(self, json: object) -> Edition:
        return load_edition(json)

    def amend_edition(self, base: Edition, edition: str, title: str, changes: object) -> Edition:
        return load_edition(amended(base.document, edition, title, changes))

    def parse_setup(self, json: object) -> Setup:
        return state.parse_setup(json)

    def dump_setup(self, setup: Setup) -> JsonObject:
        return state.dump_setup(setup)

    def parse(self, json: object) -> Mark:
        return moves.parse(json)

    def dump_move(self, move: Mark) -> JsonObject:
        return moves.dump_move(move)

    def start(self, setup: Setup, seats: Sequence[Seat], edition: Edition) -> State:
        return state.start(setup, seats, edition)

    def check(self, state: State, seat: Seat, move: Mark) -> None:
        rules.check(state, seat, move)

    def apply(self, state: State, seat: Seat, move: Mark) -> State:
        return rules.apply(state, seat, move)

    def legal(self, state: State) -> Iterator[Mark]:
        return rules.legal(state)

    def random_move(self, state: State, random: Random) -> Mark | None:
        return rules.random_move(state, random)

    def score(self, state: State) -> Mapping[Seat, scoring.SeatScore]:
        return scoring.score(state)

    def explain(self, state: State, language: str = "en") -> Mapping[Seat, tuple[ScoreItem, ...]]:
        return scoring.explain(state, language)

    def result(self, state: State) -> Result | None:
        return scoring.result(state)

    def describe(self, state: State, seat: Seat, move: Mark, language: str = "en") -> str:
        return description.describe(state, seat, move, language)

    def dump(self, state: State) -> JsonObject:
        return wire.dump(state)

    def variant(self, setup: Setup) -> str:
        return self.variants[0]

    def features(self, line: Sequence[Frame]) -> Mapping[str, Mapping[Seat, Feature]]:
        return features.features(line)

    def definitions(self, language: str = "en") -> Mapping[str, str]:
        return features.definitions(language)

    def standings(self, line: Sequence[Frame]) -> Iterator[Mapping[Seat, int]]:
        return features.standings(line)

    def opening(self, line: Sequence[Frame], depth: int) -> tuple[Step, ...]:
        return features.opening(line, depth)

    def schemas(self) -> Mapping[str, JsonObject]:
        return wire.schemas()
