"""Paris, a game of Wolfgang Kramer and Michael Kiesling for two to four."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from domain.editions import amended, built_in
from domain.game import Feature, Frame, Game, JsonObject, Result, ScoreItem, Seat, Step
from domain.games.paris import board, description, explanation, features, moves, rules, schemas, scoring, setup, wire
from domain.games.paris.edition import Edition, load_edition
from domain.games.paris.moves import Move
from domain.games.paris.refusals import REFUSALS
from domain.games.paris.scoring import SeatScore
from domain.games.paris.setup import Setup
from domain.games.paris.state import State
from domain.games.paris.texts import LANGUAGES


class Paris(Game[Edition, Setup, State, Move]):
    """The game as the contract wants it; each part lives in the module of its name."""

    id = "paris"
    title = "Paris"
    seats = board.SEATS
    min_players = board.PLAYERS[0]
    max_players = board.PLAYERS[-1]
    rules_version = 1
    languages = tuple(LANGUAGES)
    editions = built_in(__file__, load_edition)
    default_edition = "rulebook-2020"
    variants = setup.VARIANT_NAMES
    tie_breaks = scoring.TIE_BREAKS
    spaces = frozenset(board.TABLE)
    feature_kinds = features.FEATURE_KINDS
    part_of_score = features.PART_OF_SCORE
    refusals = REFUSALS

    def load_edition(self, json: object) -> Edition:
        return load_edition(json)

    def amend_edition(self, base: Edition, edition: str, title: str, changes: object) -> Edition:
        return load_edition(amended(base.document, edition, title, changes))

    def parse_setup(self, json: object) -> Setup:
        return setup.parse_setup(json)

    def dump_setup(self, setup_: Setup) -> JsonObject:
        return setup.dump_setup(setup_)

    def parse(self, json: object) -> Move:
        return moves.parse(json)

    def dump_move(self, move: Move) -> JsonObject:
        return moves.dump_move(move)

    def start(self, setup_: Setup, seats: Sequence[Seat], edition: Edition) -> State:
        return setup.start(setup_, seats, edition)

    def check(self, state: State, seat: Seat, move: Move) -> None:
        rules.check(state, seat, move)

    def apply(self, state: State, seat: Seat, move: Move) -> State:
        return rules.apply(state, seat, move)

    def legal(self, state: State) -> Iterator[Move]:
        return rules.legal(state)

    def random_move(self, state: State, random: Random) -> Move | None:
        return rules.random_move(state, random)

    def score(self, state: State) -> Mapping[Seat, SeatScore]:
        return scoring.score(state)

    def explain(self, state: State, language: str = "en") -> Mapping[Seat, tuple[ScoreItem, ...]]:
        return explanation.explain(state, language)

    def result(self, state: State) -> Result | None:
        return scoring.result(state)

    def describe(self, state: State, seat: Seat, move: Move, language: str = "en") -> str:
        return description.describe(state, seat, move, language)

    def dump(self, state: State) -> JsonObject:
        return wire.dump(state)

    def variant(self, setup_: Setup) -> str:
        return setup.variant(setup_)

    def features(self, line: Sequence[Frame]) -> Mapping[str, Mapping[Seat, Feature]]:
        return features.features(line)

    def definitions(self, language: str = "en") -> Mapping[str, str]:
        return features.definitions(language)

    def standings(self, line: Sequence[Frame]) -> Iterator[Mapping[Seat, int]]:
        return features.standings(line)

    def opening(self, line: Sequence[Frame], depth: int) -> tuple[Step, ...]:
        return features.opening(line, depth)

    def schemas(self) -> Mapping[str, JsonObject]:
        return schemas.schemas()
