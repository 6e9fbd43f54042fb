"""What statistics show of a match of tic-tac-toe."""

from collections.abc import Iterator, Mapping, Sequence

from domain.game import Feature, FeatureKind, Frame, Seat, Step
from tests.domain.example_game.scoring import totals
from tests.domain.example_game.setup import Setup
from tests.domain.example_game.texts import sentence

FEATURE_KINDS: Mapping[str, FeatureKind] = {"centre": FeatureKind.DEED}
PART_OF_SCORE: frozenset[str] = frozenset()
VARIANTS = ("standard",)
CENTRE = 4


def variant(setup: Setup) -> str:
    """The variant of a set-up."""
    return VARIANTS[0]


def definitions(language: str = "en") -> Mapping[str, str]:
    """One sentence for each feature, for changes of the lead and for openings."""
    return {name: sentence("features", name, language) for name in (*FEATURE_KINDS, "lead_changes", "opening")}


def features(line: Sequence[Frame]) -> Mapping[str, Mapping[Seat, Feature]]:
    """The features of each seat in a finished match."""
    return {"centre": {frame.seat: Feature(1) for frame in line[1:] if frame.seat and frame.move.at == CENTRE}}


def standings(line: Sequence[Frame]) -> Iterator[Mapping[Seat, int]]:
    """The totals after each ply."""
    for frame in line:
        yield totals(frame.state)


def opening(line: Sequence[Frame], depth: int) -> tuple[Step, ...]:
    """The first moves."""
    first = line[0].state.to_move
    return tuple(Step(1 if frame.seat == first else 2, frame.move) for frame in line[1 : depth + 1])
