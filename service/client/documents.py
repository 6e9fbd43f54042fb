"""Types of requests and responses."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

Moment: TypeAlias = str | date | datetime
"""A time as a text in the form of RFC 3339 or as an aware `datetime`; in filters also a plain date."""
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
    """Id and title of an edition, and whether it is your own."""

    id: str
    title: str
    based_on: str | None
    own: bool
    created_at: str | None


class Seated(TypedDict):
    """The player of a seat in a request: either `name` or `player_id`."""

    seat: str
    name: NotRequired[str]
    player_id: NotRequired[str]


class Seat(TypedDict):
    """The player of a seat."""

    seat: str
    player_id: str
    name: str


class Ranked(TypedDict):
    """The place of a seat."""

    seat: str
    place: int
    points: int


class Result(TypedDict):
    """The result of a match."""

    winners: list[str]
    ranking: list[Ranked]
    decided_by: str


class RulesConflict(TypedDict):
    """A conflict with the current rules: a move no longer fits, or the result is different."""

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
    """Details of a new match."""

    played_at: Moment | None
    venue: str | None
    tags: Sequence[str]
    visibility: Visibility


class Details(TypedDict):
    """One version of the details of a match."""

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
    """The reason of a table ruling."""

    reason: str


class Entry(TypedDict):
    """A move with its seat, in a request."""

    seat: str
    move: Move
    ruling: NotRequired[Ruling]


class Position(TypedDict):
    """The state of a match after a write."""

    version: int
    ply: int
    to_move: str | None
    status: Status
    result: Result | None
    state: State | None
    """None if only the result is known."""
    legal_moves: NotRequired[list[dict[str, Any]]]


class Verdict(TypedDict):
    """Whether a later move still fits after a correction; `problem` says why not."""

    old_ply: int
    ply: int
    status: Literal["ok", "refused", "not_reached"]
    problem: NotRequired[dict[str, Any]]


class Correction(Position):
    """The state of a match after a correction, with the verdicts on later moves."""

    verdicts: list[Verdict]
    dropped: int


class Checked(TypedDict):
    """Whether moves would be recorded: the state after them, or the problem."""

    legal: bool
    state: NotRequired[State]
    problem: NotRequired[dict[str, Any]]
    legal_moves: NotRequired[list[dict[str, Any]]]


class LegalMoves(TypedDict):
    """The legal moves of the seat to move."""

    ply: int
    to_move: str | None
    moves: list[dict[str, Any]]


class Event(TypedDict):
    """An event of the log of a match."""

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
    """An event that fails verification."""

    seq: int
    detail: str


class Verification(TypedDict):
    """The outcome of verifying the log of a match, its edition, its reasons and its last position."""

    valid: bool
    events: int
    first_broken: int | None
    detail: str | None
    findings: list[Fault]


class Statement(TypedDict):
    """The content of an anchor: the root of the tree over the last events of all logs."""

    format: str
    number: int
    made_at: str
    root: str
    previous: str | None
    key: str


class Anchor(TypedDict):
    """A statement with the signature of its canonical form."""

    anchor: Statement
    signature: str


class Head(TypedDict):
    """The last event of a log when it was anchored."""

    match_id: str
    version: int
    hash: str


class AnchorProof(TypedDict):
    """An anchor, and the inclusion proof of a match (RFC 9162)."""

    anchor: Statement
    signature: str
    head: Head
    leaf_index: int
    tree_size: int
    path: list[str]


class Mark(TypedDict):
    """A marked space."""

    cell: str
    kind: str


class Annotation(TypedDict):
    """A note on a recorded move, with the present place of the move."""

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
    """How many matches were changed, and how many more are left for another request."""

    changed: int
    left: int


class HiddenAnnotations(TypedDict):
    """How many annotations were hidden."""

    hidden: int


class Wording(TypedDict):
    """One version of an annotation."""

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
    recorded_at: str
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
    """The score, with the reason of each point."""

    ply: int
    seats: dict[str, SeatScore]


class Player(TypedDict):
    """A person."""

    id: str
    name: str
    revision: int
    created_at: str


class PlayerChange(TypedDict):
    """A former name or merge of an entry."""

    revision: int
    name: str
    merged_into: str | None
    actor: str | None
    changed_at: str


class Account(TypedDict):
    """An account."""

    id: str
    name: str
    role: Role
    player_id: str | None
    created_at: str


class AuditEntry(TypedDict):
    """An entry of the audit trail; `account_id` is the actor, null for the machine or nobody."""

    id: str
    act: str
    happened_at: str
    account_id: str | None
    secret_id: str | None
    subject_id: str | None
    match_id: str | None
    details: dict[str, Any]


class Me(TypedDict):
    """The principal; `sign_in` is false where sign-in is switched off."""

    account: Account | None
    scopes: list[Scope]
    sign_in: bool
    csrf_token: str | None


class Token(TypedDict):
    """A token; `secret` is present once, when it is made."""

    id: str
    label: str
    scopes: list[Scope]
    used_at: str | None
    parent_id: str | None
    created_at: str
    expires_at: str | None
    secret: NotRequired[str]


class Session(TypedDict):
    """A session in a browser; `current` is true for the one of the request."""

    id: str
    label: str | None
    current: bool
    used_at: str | None
    created_at: str
    expires_at: str


class SignInLink(TypedDict):
    """A one-time link to sign in; `secret` and `url` are present once, when it is made."""

    id: str
    created_by: str | None
    created_at: str
    expires_at: str
    secret: NotRequired[str]
    url: NotRequired[str]


class Invitation(TypedDict):
    """An invitation; `secret` and `url` are present once, when it is made."""

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
    """A link for people without an account; `secret` is present once, when it is made."""

    id: str
    allows: Literal["read", "record"]
    label: str | None
    created_by: str | None
    created_at: str
    expires_at: str | None
    secret: NotRequired[str]


class MatchFilters(TypedDict, total=False):
    """Filters of lists of matches; all of several players or tags must match, and `until` is exclusive."""

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
    """Filters of the statistics of a game; all of several players or tags must match, and `until` is exclusive."""

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
    """Filters of statistics, over all games or one."""

    game: str


StatisticsOrder: TypeAlias = Literal["matches", "name", "win_rate", "wins_above_expectation"]


class CorrectionOptions(TypedDict, total=False):
    """Options of a correction: whether later moves may be cut off, and whether it is only a preview."""

    truncate: bool
    dry_run: bool
    if_match: int | None
