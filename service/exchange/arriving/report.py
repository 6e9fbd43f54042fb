"""The report of an import: what became of each match of a file, and why one was refused."""

from typing import Final, NamedTuple, NotRequired, TypedDict
from uuid import UUID

from service.http.shapes import GameId, Id, Time

OUTCOMES: Final = ("new", "same", "longer", "changed", "forked", "refused", "skipped")


class Revisions(TypedDict):
    """The revisions before and after a change by an import."""

    before: int | None
    """The revision that held here before; null if there was none."""
    revision: int


class TakenNote(Revisions):
    """A note that an import brought to a match that was here."""

    id: Id


class Taken(TypedDict):
    """Notes and details that an import brought to a match that was here."""

    notes: list[TakenNote]
    details: Revisions | None
    """Null if they are as they were."""


class ImportItem(TypedDict):
    """What became of one match of a file."""

    number: int
    """Its place in the file, from 1."""
    line: int | None
    """Where it begins in a file of lines, or where it is wrong; the number of a play in other files."""
    outcome: str
    """`new`; `same` as a match that is there; `longer` than one, which goes on with `extend`; `changed` if it brought
    later notes, details or, from other programs, results to one; `forked` if both have gone on apart, or were changed;
    `refused`; or `skipped`, as are plays of other games."""
    match_id: Id | None
    """The match that it is or became here."""
    game: GameId | None
    players: list[str]
    """Their names in the file."""
    played_at: Time | None
    detail: str | None
    """Why it was refused, or what is to be said besides."""
    taken: NotRequired[Taken]
    """The notes and details that it brought to a match that was here."""
    version: NotRequired[int]
    """The version that it left of a match that went on or was changed."""
    code: NotRequired[str]
    """A stable word for the reason, if it has one."""
    column: NotRequired[int]
    """Where the line is wrong."""


class Outcome(NamedTuple):
    """What became of a match, with what the report says of it for that."""

    outcome: str
    match_id: UUID | None = None
    detail: str | None = None
    version_before: int | None = None
    version: int | None = None
    """The version that it left of a match that was here."""
    taken: Taken | None = None
    code: str | None = None
    """Why it was refused, and where."""
    line: int | None = None
    column: int | None = None


class Refused(Exception):
    """A match that is not taken over."""

    def __init__(self, code: str, detail: str, line: int | None = None) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.line = line
        self.column: int | None = None


def twice(match_id: UUID | None = None) -> Outcome:
    """The outcome for a match that the file had before."""
    return Outcome("same", match_id, "It is in the file twice.")
