"""The match text as records, and its limits."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

from domain.game import AnyGame, Refusal, Seat
from domain.match.events import Entry
from domain.shorthand import NAME, NUMBER, Form, Key, Shorthand, Word, mapping, record

VERSION: Final = 1
MEDIA_TYPE: Final = "text/vnd.carnet"
MAX_LINE: Final = 8192
"""Characters of a line."""
MAX_LINES: Final = 100_000
"""Lines of a match."""
MAX_BYTES: Final = 8 * 2**20
"""Bytes of a match."""
MAX_ID: Final = 80
"""Characters of the id of a match or an edition."""
MAX_DEPTH: Final = 16
"""Variations of variations."""
MAX_WARNINGS: Final = 20
"""Lines left out that are named."""
MAX_CACHED: Final = 200
"""Characters of the moves that are kept, read and written."""
GLYPHS: Final = frozenset({"!", "?", "!!", "??", "!?", "?!"})


class TextError(Exception):
    """What is wrong with one match of a text, with its line and column, counted from 1.

    `code` is a stable word; `refusal` is that of the rules where a move is refused. `starts` is the line at which the
    match begins, 0 outside of matches.
    """

    def __init__(
        self, code: str, detail: str, line: int = 0, column: int = 1, starts: int = 0, refusal: Refusal | None = None
    ) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.line = line
        self.column = column
        self.starts = starts
        self.refusal = refusal


class Seated(NamedTuple):
    """A seat with the name of its player; None for one who is not named."""

    seat: Seat
    name: str | None


class EditionNamed(NamedTuple):
    """The edition of a match. One that is not built in can be told by what it prints otherwise than another one."""

    id: str
    digest: str | None = None
    based_on: str | None = None
    title: str | None = None
    printed: tuple[tuple[str, Any], ...] = ()
    """Pointers into the bare values of an edition document, with the values there."""


class MatchInfo(NamedTuple):
    """What a match has besides its log: its id, when and where it was played, and its tags."""

    id: str | None = None
    played_at: str | None = None
    """In the form of `domain.moments.utc`."""
    venue: str | None = None
    tags: tuple[str, ...] = ()


NO_INFO: Final = MatchInfo()


class Ruling(NamedTuple):
    """A table ruling: the code of the refusal that it overrode, and its reason."""

    code: str
    reason: str
    line: int = 0


class Checkpoint(NamedTuple):
    """The points that some seats had at a ply, to be compared."""

    points: Mapping[Seat, int]
    line: int = 0


class Variation(NamedTuple):
    """One move of a what-if line. Those of depth 1 leave the match itself, others a line of the depth above."""

    depth: int
    ply: int
    entry: Entry
    line: int = 0


def grouped(variations: Iterable[Variation]) -> Iterator[tuple[Variation, bool]]:
    """Variations, each with whether it continues the line above of its depth; else it leaves one of the depth above."""
    last: list[int] = []
    for variation in variations:
        depth, ply, *_ = variation
        continues = depth <= len(last) and last[depth - 1] == ply - 1
        last[depth - 1 :] = [ply]
        yield variation, continues


def lines_of(variations: Iterable[Variation]) -> Iterator[tuple[int, tuple[Entry, ...]]]:
    """The lines of variations, each from where it leaves the match: the ply that it follows, and all its moves.

    A line that leaves another one begins with the moves of that. Deeper lines come before those that they leave.
    """
    stack: list[list[Variation]] = []
    for variation, continues in grouped(variations):
        depth = variation.depth
        yield from _ended(stack, depth if continues else depth - 1)
        if not continues:
            stack.append([move for move in stack[-1] if move.ply < variation.ply] if stack else [])
        stack[-1].append(variation)
    yield from _ended(stack, 0)


def _ended(stack: list[list[Variation]], depth: int) -> Iterator[tuple[int, tuple[Entry, ...]]]:
    """Take the lines that are deeper than one of a depth."""
    while len(stack) > depth:
        line = stack.pop()
        yield line[0].ply - 1, tuple(move.entry for move in line)


class Note(NamedTuple):
    """A note on a ply by one author, of whom the text has the name alone."""

    author: str | None = None
    glyph: str | None = None
    text: str = ""
    marks: tuple[tuple[str, str], ...] = ()
    """Spaces, each with the kind of mark."""
    variations: tuple[Variation, ...] = ()


class Remarks(NamedTuple):
    """All that stands below the move of a ply; below the header for ply 0."""

    ruling: Ruling | None = None
    recorded_at: str | None = None
    checkpoints: tuple[Checkpoint, ...] = ()
    notes: tuple[Note, ...] = ()
    """The line of the move has the glyph of the first one."""
    extras: tuple[str, ...] = ()
    """Lines that begin with `x-`, as they are."""


NO_REMARKS: Final = Remarks()


class ResultNamed(NamedTuple):
    """The result as it was written down, to be compared."""

    points: Mapping[Seat, int]
    decided_by: str | None


@dataclass(frozen=True, slots=True)
class MatchText:
    """One match of a text."""

    game: AnyGame
    edition: EditionNamed
    rules_version: int
    seats: tuple[Seated, ...]
    setup: Any
    moves: tuple[Entry, ...]
    """From ply 1 on."""
    remarks: Mapping[int, Remarks] = field(default_factory=dict)
    """By the plies that have some, in their order."""
    info: MatchInfo = NO_INFO
    result: ResultNamed | None = None
    is_abandoned: bool = False
    extras: tuple[str, ...] = ()
    """Lines of the header that begin with `x-`, as they are."""
    lines: Mapping[str, int] | None = None
    """Where the parts of the match stand: the match itself, `edition`, `seat`, `setup`, `result`."""
    move_lines: tuple[int, ...] = ()
    """Where the moves stand."""
    warnings: tuple[TextError, ...] = ()
    """Lines that were left out."""

    def remarks_at(self, ply: int) -> Remarks:
        return self.remarks.get(ply, NO_REMARKS)

    def line_of(self, part: str) -> int:
        lines = self.lines or {}
        return lines.get(part, lines.get("carnet", 0))

    def line_of_ply(self, ply: int) -> int:
        return self.move_lines[ply - 1] if ply and self.move_lines else self.line_of("carnet")


Read: TypeAlias = "MatchText | TextError"

RESULT_ONLY: Final = "result_only"
RESULT_ONLY_SETUP: Final = Shorthand(
    Form(
        RESULT_ONLY,
        Word("points", mapping(NUMBER)),
        constants={RESULT_ONLY: True},
        tie=Key(record(winner=NAME, decided_by=NAME)),
    )
)


def setup_notation(game: AnyGame, text: str) -> Shorthand:
    """The forms of a set-up by its text: those of the game, or that of a match of which only the result is known."""
    return RESULT_ONLY_SETUP if text.startswith(RESULT_ONLY) else game.notation.SETUP
