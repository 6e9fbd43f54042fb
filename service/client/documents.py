"""What is sent to the service and what it answers, as types."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

Moment: TypeAlias = str | date | datetime
"""A time as a text of RFC 3339 or as a `datetime` with its offset; where a list is filtered, also a plain date."""
Move: TypeAlias = Mapping[str, Any]
State: TypeAlias = dict[str, Any]
Role: TypeAlias = Literal["owner", "member"]
Scope: TypeAlias = Literal["read", "record", "annotate", "manage"]
Visibility: TypeAlias = Literal["private", "unlisted", "club", "public"]
RulingsSetting: TypeAlias = Literal["results", "include", "exclude"]
Status: TypeAlias = Literal["in_progress", "finished", "abandoned"]


class Game(TypedDict):
    """A game of the catalogue; `tie_breaks`, `schemas`, `refusals` and `definitions` come with a single one."""

    id: str
    title: str
    seats: list[str]
    min_players: int
    max_players: int
    editions: list[str]
    default_edition: str
    rules_version: int
    tie_breaks: NotRequired[list[str]]
    schemas: NotRequired[dict[str, Any]]
    refusals: NotRequired[dict[str, Any]]
    definitions: NotRequired[dict[str, str]]


class EditionSummary(TypedDict):
    """What an edition is called, and whether it is one's own."""

    id: str
    title: str
    based_on: str | None
    own: bool
    created_at: str | None


class Seated(TypedDict):
    """Who sits where, as it is sent: either `name` or `player_id`."""

    seat: str
    name: NotRequired[str]
    player_id: NotRequired[str]


class Seat(TypedDict):
    """Who sits where."""

    seat: str
    player_id: str
    name: str


class Ranked(TypedDict):
    """The place of a seat."""

    seat: str
    place: int
    points: int


class Result(TypedDict):
    """How a match ended."""

    winners: list[str]
    ranking: list[Ranked]
    decided_by: str


class RulesConflict(TypedDict):
    """How a match is another one since the rules were changed: a move no longer fits, or the result is another."""

    rules_version: int
    ply: int
    problem: dict[str, Any] | None
    result: Result | None


class Match(TypedDict):
    """A match; in lists it comes without its set-up."""

    id: str
    game: str
    edition: str
    rules_version: int
    rules_conflict: RulesConflict | None
    players: list[Seat]
    setup: NotRequired[dict[str, Any]]
    status: Status
    version: int
    revision: int
    ply: int
    to_move: str | None
    result: Result | None
    played_at: str
    venue: str | None
    tags: list[str]
    withdrawn: bool
    visibility: Visibility
    rulings_in_statistics: RulingsSetting
    owner_id: str | None
    created_at: str
    changed_at: str


class NewDetails(TypedDict, total=False):
    """What may stand beside a match when it begins."""

    played_at: Moment | None
    venue: str | None
    tags: Sequence[str]
    visibility: Visibility


class Details(TypedDict):
    """What stood beside a match after one change of it."""

    revision: int
    played_at: str
    venue: str | None
    tags: list[str]
    withdrawn: bool
    visibility: Visibility
    rulings_in_statistics: RulingsSetting
    actor: str | None
    changed_at: str


class Ruling(TypedDict):
    """Why a move against the rules stands."""

    reason: str


class Entry(TypedDict):
    """One move of a seat, as it is sent."""

    seat: str
    move: Move
    ruling: NotRequired[Ruling]


class Position(TypedDict):
    """Where a match stands after a write."""

    version: int
    ply: int
    to_move: str | None
    status: Status
    result: Result | None
    state: State | None
    """None where only the result is known."""
    legal_moves: NotRequired[list[dict[str, Any]]]


class Verdict(TypedDict):
    """Whether a later move still fits after a correction; `problem` says why not."""

    old_ply: int
    ply: int
    status: Literal["ok", "refused", "not_reached"]
    problem: NotRequired[dict[str, Any]]


class Correction(Position):
    """Where a match stands after a correction, and what became of the later moves."""

    verdicts: list[Verdict]
    dropped: int


class Checked(TypedDict):
    """Whether moves would be recorded: the state after them, or the problem."""

    legal: bool
    state: NotRequired[State]
    problem: NotRequired[dict[str, Any]]
    legal_moves: NotRequired[list[dict[str, Any]]]


class LegalMoves(TypedDict):
    """What the seat to move may do."""

    ply: int
    to_move: str | None
    moves: list[dict[str, Any]]


class Event(TypedDict):
    """One entry of the log of a match."""

    seq: int
    kind: str
    payload: dict[str, Any]
    actor: str | None
    recorded_at: str
    hash: str
    prev_hash: str | None


class Change(TypedDict):
    """Something that happened to a match.

    The data of `changed` are `version`, `ply`, `from_ply` (the first frame to fetch again), `kind` and `status`.
    """

    event: str
    data: dict[str, Any]


class Fault(TypedDict):
    """An event that is not as it was recorded."""

    seq: int
    detail: str


class Verification(TypedDict):
    """Whether the log of a match, its edition, its reasons and its last position are as they were recorded."""

    valid: bool
    events: int
    first_broken: int | None
    detail: str | None
    findings: list[Fault]


class Statement(TypedDict):
    """What an anchor states: the root of the tree over the last events of all logs."""

    format: str
    number: int
    made_at: str
    root: str
    previous: str | None
    key: str


class Anchor(TypedDict):
    """A statement, signed in its canonical form."""

    anchor: Statement
    signature: str


class Head(TypedDict):
    """The last event of a log when it was anchored."""

    match_id: str
    version: int
    hash: str


class AnchorProof(TypedDict):
    """An anchor, and the way from the head of a match to its root (RFC 9162)."""

    anchor: Statement
    signature: str
    head: Head
    leaf_index: int
    tree_size: int
    path: list[str]


class Mark(TypedDict):
    """A space that an annotation points out."""

    cell: str
    kind: str


class Annotation(TypedDict):
    """A note on a recorded move, and where that move stands now."""

    id: str
    match_id: str
    seq: int
    ply: int | None
    detached: bool
    outdated: bool
    text: str
    glyph: str | None
    marks: list[Mark]
    line: list[Entry]
    line_problem: dict[str, Any] | None
    author: str | None
    by: str | None
    hidden: bool
    revision: int
    created_at: str
    changed_at: str


class ChangedMatches(TypedDict):
    """How many matches have another visibility now, and for how many more it is to be asked for again."""

    changed: int
    left: int


class HiddenAnnotations(TypedDict):
    """How many annotations were hidden at once."""

    hidden: int


class Wording(TypedDict):
    """What an annotation once said."""

    revision: int
    text: str
    glyph: str | None
    marks: list[Mark]
    line: list[Entry]
    deleted: bool
    hidden: bool
    actor: str | None
    changed_at: str


class Frame(TypedDict):
    """One ply. `fields` may leave members out, and a frame of a fixed version has no annotations."""

    ply: int
    seq: int
    seat: str | None
    move: dict[str, Any] | None
    ruling: Ruling | None
    text: str
    state: NotRequired[State | None]
    annotations: NotRequired[list[Annotation]]


class ScoreItem(TypedDict):
    """One reason for points."""

    category: str
    points: int
    pieces: list[str]
    cells: list[str]
    sources: list[str]
    text: str


class SeatScore(TypedDict):
    """All reasons for the points of a seat."""

    total: int
    items: list[ScoreItem]


class Score(TypedDict):
    """Where each point comes from."""

    ply: int
    seats: dict[str, SeatScore]


class Player(TypedDict):
    """A person."""

    id: str
    name: str
    revision: int
    created_at: str


class PlayerChange(TypedDict):
    """What an entry of a person was once called and merged into."""

    revision: int
    name: str
    merged_into: str | None
    actor: str | None
    changed_at: str


class Account(TypedDict):
    """Somebody who may sign in."""

    id: str
    name: str
    role: Role
    player_id: str | None
    created_at: str


class AuditEntry(TypedDict):
    """An act of the audit trail; `account_id` is who did it, and null the machine or nobody."""

    id: str
    act: str
    happened_at: str
    account_id: str | None
    secret_id: str | None
    subject_id: str | None
    match_id: str | None
    details: dict[str, Any]


class Me(TypedDict):
    """Who asks; `sign_in` is false where everybody may do everything."""

    account: Account | None
    scopes: list[Scope]
    sign_in: bool
    csrf_token: str | None


class Token(TypedDict):
    """What a program asks with; `secret` comes once, when it is made."""

    id: str
    label: str
    scopes: list[Scope]
    used_at: str | None
    parent_id: str | None
    created_at: str
    expires_at: str | None
    secret: NotRequired[str]


class Session(TypedDict):
    """A browser in which one is signed in; `current` is true of the one that asks."""

    id: str
    label: str | None
    current: bool
    used_at: str | None
    created_at: str
    expires_at: str


class SignInLink(TypedDict):
    """What signs its opener in, once; `secret` and `url` come once, when it is made."""

    id: str
    created_by: str | None
    created_at: str
    expires_at: str
    secret: NotRequired[str]
    url: NotRequired[str]


class Invitation(TypedDict):
    """What makes its opener somebody of the installation; `secret` and `url` come once, when it is made."""

    id: str
    name: str
    role: Role
    player_id: str | None
    created_by: str | None
    created_at: str
    expires_at: str | None
    secret: NotRequired[str]
    url: NotRequired[str]


class MatchLink(TypedDict):
    """What opens one match to people without an account; `secret` comes once, when it is made."""

    id: str
    allows: Literal["read", "record"]
    label: str | None
    created_by: str | None
    created_at: str
    expires_at: str | None
    secret: NotRequired[str]


class MatchFilters(TypedDict, total=False):
    """Which matches to list; several players or tags must all be there, and `until` itself is left out."""

    game: str
    edition: str
    player: Sequence[str]
    status: Status
    tag: Sequence[str]
    venue: str
    visibility: Visibility
    since: Moment
    until: Moment
    sort: Literal["played_at", "activity"]


class GameStatisticsFilters(TypedDict, total=False):
    """Which matches of a game to count; several players or tags must all be there, `until` itself is left out."""

    edition: str
    variant: str
    player: Sequence[str]
    tag: Sequence[str]
    venue: str
    player_count: Sequence[int]
    recorded: Literal["moves", "result"]
    rulings: Literal["include", "exclude"]
    since: Moment
    until: Moment
    tz: str
    population: Literal["public", "club"]
    mine: bool


class StatisticsFilters(GameStatisticsFilters, total=False):
    """Which matches to count, of all games or of one."""

    game: str


StatisticsOrder: TypeAlias = Literal["matches", "name", "win_rate", "wins_above_expectation"]


class CorrectionOptions(TypedDict, total=False):
    """How a correction goes: what becomes of later moves that no longer fit, and whether anything is stored."""

    truncate: bool
    dry_run: bool
    if_match: int | None
