"""Types of requests and responses, written from `openapi.yaml` by `python -m scripts.client_types`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

Allows: TypeAlias = Literal["read", "record"]
"""What its holder may do."""


Move: TypeAlias = Mapping[str, Any]
"""The move of the match's game."""


Role: TypeAlias = Literal["owner", "member"]
"""Owners look after accounts and players."""


RulingsSetting: TypeAlias = Literal["results", "include", "exclude"]
"""In which figures of statistics the match counts if it has table rulings: in wins, places and ratings alone
(`results`), in all or in none.
"""


Scope: TypeAlias = Literal["read", "record", "annotate", "manage"]
"""What may be done."""


Setup: TypeAlias = dict[str, Any]
"""What is decided before the first move of the match's game."""


State: TypeAlias = dict[str, Any]
"""The whole position, with what it would score now."""


Status: TypeAlias = Literal["in_progress", "finished", "abandoned"]
"""How far the match has come."""


Visibility: TypeAlias = Literal["private", "unlisted", "club", "public"]
"""Who may read it beside its people: nobody, whoever has a link, all members, or everybody."""


class Account(TypedDict):
    """A person who may sign in."""

    id: str
    name: str
    role: Role
    player_id: str | None
    created_at: str


class Anchor(TypedDict):
    """A signed digest over the last events of all logs."""

    anchor: AnchorStatement
    signature: str
    """Of `anchor` by `key`, in Base64."""


class AnchorProof(Anchor):
    """That an anchor covers a match: `head` is the leaf, and `path` leads from it to the root."""

    head: AnchoredHead
    leaf_index: int
    """The place of the match among the leaves."""
    tree_size: int
    """How many matches the anchor covers."""
    path: list[str]
    """The digests beside the way from the leaf to the root."""


class AnchorStatement(TypedDict):
    """What is signed, in its canonical form (RFC 8785)."""

    format: Literal["carnet-anchor-1"]
    number: int
    made_at: str
    root: str
    """Of the Merkle tree (RFC 9162) over the last events of all logs."""
    previous: str | None
    """The SHA-256 of the canonical form of the anchor before; null for the first."""
    key: str
    """The public key (Ed25519), as the body of a PEM file."""


class AnchoredHead(TypedDict):
    """The last event of a log when it was anchored."""

    match_id: str
    version: int
    hash: str
    """The SHA-256 of the event in its canonical form."""


class Annotation(TypedDict):
    """A note on a recorded move, with a glyph, marked spaces and a what-if line."""

    text: str
    glyph: Literal["!", "?", "!!", "??", "!?", "?!"] | None
    marks: list[Mark]
    line: list[LineMove]
    id: str
    match_id: str
    seq: int
    ply: int | None
    """Where its move is now, null when it is detached."""
    detached: bool
    """Whether its move left the match."""
    outdated: bool
    """Whether the move was replaced since."""
    line_problem: dict[str, Any] | None
    """Why the line no longer fits."""
    author: str | None
    by: str | None
    """What members of the installation call its author."""
    hidden: bool
    """Whether only its author and who manages the match see it."""
    revision: int
    created_at: str
    changed_at: str


class AuditEntry(TypedDict):
    """Who signed in, or gave or took a right."""

    id: str
    act: str
    """What was done."""
    happened_at: str
    account_id: str | None
    """Who did it; null is the machine, or nobody."""
    secret_id: str | None
    """The token or session by which it was asked for."""
    subject_id: str | None
    """The account, link, token, session or player it is about."""
    match_id: str | None
    details: dict[str, Any]
    """Such as roles, scopes and visibilities before and after."""


class BreakdownRow(TypedDict):
    """Points of one kind, by seat."""

    category: str
    """What the points are for, in a word of the game."""
    part: str | None
    """The part of the category, such as a district."""
    points: dict[str, int]
    best: list[str]
    """The seats with most of them; none if all have the same."""


class ChangedMatches(TypedDict):
    """How many matches a request changed, and how many are left for the next one."""

    changed: int
    """How many matches have another visibility now."""
    left: int
    """For how many more the request is to be sent again."""


class Comparison(TypedDict):
    """Whether paper and moves agree."""

    agrees: bool
    """Whether no note differs."""
    first: Disagreement | None
    """The first difference, by ply and then as it was sent; one of a category comes before one of all points."""


class Correction(TypedDict):
    """A match after a correction, with what became of its later moves."""

    version: int
    ply: int
    to_move: str | None
    """The seat to move, null if the match has ended or only its result is known."""
    status: Status
    result: Result | None
    state: State | None
    verdicts: list[Verdict]
    """One for each later move."""
    dropped: int
    """How many moves were cut off."""


class Details(TypedDict):
    """What is known of a match beside its log, as it was at one time."""

    played_at: str
    venue: str | None
    tags: list[str]
    withdrawn: bool
    visibility: Visibility
    rulings_in_statistics: RulingsSetting
    changed_at: str
    revision: int
    actor: str | None


class Disagreement(TypedDict):
    """The first difference between paper and moves."""

    ply: int
    seat: str
    category: str | None
    """Null for all points."""
    written: int
    """What the paper says."""
    computed: int
    """What the moves give."""
    agreed_at: int
    """The last ply of the paper up to which these points agree, or else 0."""
    suspects: list[Suspect]
    """Moves between the two plies that changed these points, those first that explain the difference."""


class EditionSummary(TypedDict):
    """An edition in a list, without its values."""

    id: str
    title: str
    based_on: str | None
    """The edition that it was made from, if a user made it."""
    own: bool
    """Whether it is offered to the reader for new matches."""
    created_at: str | None


class Entry(TypedDict):
    """One move of a seat."""

    seat: str
    move: Move
    ruling: NotRequired[Ruling]
    entered_at: NotRequired[str]
    """When the move was entered, if that is long before it is sent."""


class Event(TypedDict):
    """`hash` is the SHA-256 of the canonical form (RFC 8785) of all else and the id of the match."""

    seq: int
    kind: str
    """What happened."""
    payload: dict[str, Any]
    """What the event says, by its kind: ids and numbers, no names and no free text."""
    actor: str | None
    recorded_at: str
    hash: str
    """The SHA-256 of the event in its canonical form."""
    prev_hash: str | None
    """The hash of the event before, null for the first."""


class Fault(TypedDict):
    """An event that fails verification."""

    seq: int
    detail: str
    """What is wrong."""


class FilePerson(TypedDict):
    """A name in a file, and who is meant by it."""

    name: str
    """The name in the file."""
    status: str
    """`mapped` by hand before, `known`, `new`, or `ambiguous`: then somebody has to say who is meant."""
    player_id: str | None
    """Null for who would be added, and for an ambiguous name."""
    candidates: list[str]
    """Players of that name who might be meant."""


class FinalRank(TypedDict):
    """How a seat ended."""

    seat: str
    place: int
    points: int
    behind: int
    """Points less than the seat with most."""


class First(TypedDict):
    """Something that happened for the first time, as far as the reader can know."""

    kind: str
    """What was new; `highest_score` compares with all matches of the game, variant and number of players."""
    seat: str
    against: str | None
    """Who was beaten."""


class Frame(TypedDict):
    """A match after one ply: the move, a sentence for it, and the state."""

    ply: int
    seq: int
    recorded_at: str
    """When its event was recorded."""
    seat: str | None
    move: Move | None
    ruling: RecordedRuling | None
    text: str
    """One sentence for the move."""
    state: State | None
    annotations: NotRequired[list[Annotation]]


class FramePart(TypedDict):
    """A frame with all members, or those that `fields` names."""

    ply: NotRequired[int]
    seq: NotRequired[int]
    recorded_at: NotRequired[str]
    """When its event was recorded."""
    seat: NotRequired[str | None]
    move: NotRequired[Move | None]
    ruling: NotRequired[RecordedRuling | None]
    text: NotRequired[str]
    """One sentence for the move."""
    state: NotRequired[State | None]
    annotations: NotRequired[list[Annotation]]


class Gain(TypedDict):
    """What a move would give the seat that makes it."""

    points: int
    """How its total would differ."""
    items: list[GainItem]


class GainItem(TypedDict):
    """A part of what a move would change in the points of its seat."""

    category: str
    """As in the score of the game; `points` is what is given at once."""
    points: int
    text: str
    """A few words in the language of the request."""


class Game(TypedDict):
    """A game, with its seats and editions."""

    id: str
    title: str
    seats: list[str]
    min_players: int
    max_players: int
    editions: list[str]
    default_edition: str
    """The edition of matches that name none."""
    rules_version: int


class GameDetails(Game):
    """A game with the JSON Schemas of its set-up, moves and state, and with its refusals."""

    tie_breaks: list[str]
    """What decides between equal points, in this order."""
    schemas: dict[str, dict[str, Any]]
    """JSON Schemas of its set-up, moves and state."""
    definitions: dict[str, str]
    """Each feature of statistics, `lead_changes` and `opening` in one sentence."""
    refusals: dict[str, Refusal]
    """Every code that an illegal move can carry."""


class HiddenAnnotations(TypedDict):
    """How many annotations a request hid."""

    hidden: int
    """How many annotations were hidden."""


class IllegalJudgement(TypedDict):
    """The moves would not be recorded."""

    legal: Literal[False]
    """Whether the moves would be recorded."""
    problem: dict[str, Any]


class Import(TypedDict):
    """What became of a file."""

    id: str | None
    """Null for a dry run."""
    format: str
    """`text`, `json`, `bgstats` or `bgg`."""
    dry_run: bool
    """Whether nothing was stored."""
    complete: bool
    """Whether the whole file was read."""
    counts: dict[str, int]
    """The number of its matches by their outcomes."""
    started_at: str
    """When the file began to be read."""
    finished_at: str | None
    """When all of it was."""
    undone_at: str | None
    """When the import was undone."""
    people: NotRequired[list[FilePerson]]
    """The names in the file, and who is meant by them."""
    items: NotRequired[list[ImportItem]]
    """What became of its first 200 matches."""


class ImportItem(TypedDict):
    """What became of one match of a file."""

    number: int
    """Its place in the file, from 1."""
    line: int | None
    """Where it begins in a file of lines, or where it is wrong; the number of a play in other files."""
    outcome: str
    """`new`; `same` as a match that is there; `longer` than one, which goes on with `extend`; `changed` if it
    brought later notes, details or, from other programs, results to one; `forked` if both have gone on apart, or
    were changed; `refused`; or `skipped`, as are plays of other games.
    """
    match_id: str | None
    """The match that it is or became here."""
    game: str | None
    players: list[str]
    """Their names in the file."""
    played_at: str | None
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


class Invitation(TypedDict):
    """A link that makes an account, which was not opened yet."""

    created_at: str
    expires_at: str | None
    created_by: str | None
    """The account that made it, null for the service itself."""
    id: str
    name: str
    role: Role
    player_id: str | None


class KnownName(TypedDict):
    """A name in files of a kind, and who is meant by it."""

    system: str
    """The kind of files: `carnet`, `bgstats` or `bgg`."""
    name: str
    """The name in small letters."""
    player_id: str
    player: str
    """What the player is called here."""


class LegalJudgement(TypedDict):
    """The moves would be recorded."""

    legal: Literal[True]
    """Whether the moves would be recorded."""
    text: str | None
    state: State | None
    legal_moves: NotRequired[list[Move]]
    points: NotRequired[list[Gain]]
    """The gain of each of the legal moves for the seat that makes it, in their order."""


class LegalMoves(TypedDict):
    """What the seat to move may do; each of them is accepted if posted."""

    ply: int
    to_move: str | None
    """The seat to move, null if the match has ended or only its result is known."""
    moves: list[Move]
    points: NotRequired[list[Gain]]
    """What each of the moves would give the seat that makes it, in the order of `moves`."""


class LineMove(TypedDict):
    """One move of a what-if line."""

    seat: str
    move: Move


class LongestMove(TypedDict):
    """The move over which a seat thought longest."""

    ply: int
    seconds: float
    """How long it took."""


class Mark(TypedDict):
    """A marked space."""

    cell: str
    """A space of the game."""
    kind: str
    """How the space is marked."""


class Match(TypedDict):
    """A match with its set-up."""

    played_at: str
    venue: str | None
    tags: list[str]
    withdrawn: bool
    visibility: Visibility
    rulings_in_statistics: RulingsSetting
    changed_at: str
    id: str
    game: str
    edition: str
    rules_version: int
    rules_conflict: RulesConflict | None
    players: list[MatchPlayer]
    seats_known: bool
    """False if nobody knows who sat where, so that the seats are only labels."""
    status: Status
    version: int
    revision: int
    """How often details outside the log were changed."""
    ply: int
    to_move: str | None
    """The seat to move, null if the match has ended or only its result is known."""
    result: Result | None
    owner_id: str | None
    """The account that the match belongs to."""
    created_at: str
    setup: Setup


class MatchLink(TypedDict):
    """A link by which people without an account read or record a match."""

    created_at: str
    expires_at: str | None
    created_by: str | None
    """The account that made it, null for the service itself."""
    id: str
    allows: Allows
    label: str | None
    """A name to tell it from others."""


class MatchPlayer(TypedDict):
    """Who sits at a seat."""

    seat: str
    player_id: str
    name: str


class MatchResult(TypedDict):
    """The result of a finished match; of others all is empty or null."""

    ranking: list[FinalRank]
    margin: int | None
    """The lead of the winner; null for a shared win."""
    breakdown: list[BreakdownRow]
    turning_point: Turn | None
    firsts: list[First]
    ratings: list[RatingChange]
    seconds: float | None
    """How long it took, null where that is not known."""


class MatchSummary(TypedDict):
    """A match in a list, without its set-up."""

    played_at: str
    venue: str | None
    tags: list[str]
    withdrawn: bool
    visibility: Visibility
    rulings_in_statistics: RulingsSetting
    changed_at: str
    id: str
    game: str
    edition: str
    rules_version: int
    rules_conflict: RulesConflict | None
    players: list[MatchPlayer]
    seats_known: bool
    """False if nobody knows who sat where, so that the seats are only labels."""
    status: Status
    version: int
    revision: int
    """How often details outside the log were changed."""
    ply: int
    to_move: str | None
    """The seat to move, null if the match has ended or only its result is known."""
    result: Result | None
    owner_id: str | None
    """The account that the match belongs to."""
    created_at: str
    board: NotRequired[str | None]
    """The last position as a small SVG without ids."""
    score: NotRequired[dict[str, int] | None]
    """The points of each seat in the last position."""


class MatchTimes(TypedDict):
    """When the moves of a match were entered, and how long each seat thought."""

    version: int
    seats: list[SeatTime]
    plies: list[PlyTime]


class Me(TypedDict):
    """The principal of the request and their rights."""

    account: Account | None
    """Null for who is not signed in."""
    scopes: list[Scope]
    sign_in: bool
    """False if everybody may do everything."""
    csrf_token: str | None
    """To be sent as `X-CSRF-Token` with every change that a session asks for."""


class NewlyMadeInvitation(Invitation):
    """An invitation with its secret, which is shown this once."""

    secret: str
    url: str
    """The page at which the link is opened."""


class NewlyMadeMatchLink(MatchLink):
    """The link of a match with its secret, which is shown this once."""

    secret: str


class Player(TypedDict):
    """Somebody who plays."""

    id: str
    name: str
    revision: int
    created_at: str


class PlayerById(TypedDict):
    """A player by id."""

    seat: str
    player_id: str


class PlayerByName(TypedDict):
    """A player by name, who is added if unknown."""

    seat: str
    name: str


class PlayerChange(TypedDict):
    """What a player was called and merged into at one time."""

    revision: int
    name: str
    merged_into: str | None
    """The player who they turned out to be."""
    actor: str | None
    changed_at: str


class PlyTime(TypedDict):
    """When a move was entered, and how long it took; null where that is not known."""

    ply: int
    seat: str
    at: str | None
    """When the move was entered, null where that is not known."""
    seconds: float | None
    """How long it took since the move before."""


class Position(TypedDict):
    """Where a match stands after a write."""

    version: int
    ply: int
    to_move: str | None
    """The seat to move, null if the match has ended or only its result is known."""
    status: Status
    result: Result | None
    state: State | None
    legal_moves: NotRequired[list[Move]]


class Ranked(TypedDict):
    """The place and the points of a seat."""

    seat: str
    place: int
    points: int


class RatingChange(TypedDict):
    """The rating points of a player before and after."""

    seat: str
    before: float
    after: float


class RecordedRuling(TypedDict):
    """A table ruling with its reason, null if the text is missing."""

    reason: str | None
    """Why it was played so."""


class Refusal(TypedDict):
    """A reason for which the rules refuse a move: its kind, and the section of the rules."""

    kind: str
    """A table ruling can record a move that breaks only rules of kind `rule`."""
    rule: str
    """The section of the written rules."""


class Result(TypedDict):
    """How a match ended."""

    winners: list[str]
    ranking: list[Ranked]
    decided_by: str
    """`points`, one of the `tie_breaks` of the game, or `shared`."""


class Revisions(TypedDict):
    """The revisions before and after a change by an import."""

    before: int | None
    """The revision that held here before; null if there was none."""
    revision: int
    """How often it was changed."""


class RulesConflict(TypedDict):
    """How the match is another one since the rules were changed, until accepted or corrected.

    In lists the reason is told in English.
    """

    rules_version: int
    ply: int
    """The first ply that no longer fits, or the last one if all fit."""
    problem: dict[str, Any] | None
    result: Result | None
    """The result by these rules, if all moves fit."""


class Ruling(TypedDict):
    """The reason of a table ruling."""

    reason: str
    """Why it was played so."""


class Score(TypedDict):
    """Where each point of each seat comes from."""

    ply: int
    seats: dict[str, SeatScore]


class ScoreItem(TypedDict):
    """Points of a seat, with the pieces, spaces and sources that give them."""

    category: str
    """What the points are for, in a word of the game."""
    points: int
    pieces: list[str]
    """The pieces that give them."""
    cells: list[str]
    """The spaces that give them."""
    sources: list[str]
    """The spaces of the lamps, or the keys, that give the points."""
    text: str


class SeatScore(TypedDict):
    """Where the points of a seat come from."""

    total: int
    items: list[ScoreItem]


class SeatTime(TypedDict):
    """How long a seat thought over those of its moves of which that is known."""

    seat: str
    moves: int
    """How many moves of the seat stand."""
    timed: int
    """Of how many moves it is known how long they took."""
    seconds: float | None
    """How long these took together."""
    longest: LongestMove | None


class Session(TypedDict):
    """A browser in which somebody is signed in."""

    created_at: str
    expires_at: str | None
    used_at: str | None
    id: str
    label: str | None
    """The family of the browser, such as `Firefox · Android`."""
    current: bool
    """Whether it is the session that asks."""


class SignInLink(TypedDict):
    """A link to sign in on another device, which was not opened yet."""

    created_at: str
    expires_at: str | None
    created_by: str | None
    """The account that made it, null for the service itself."""
    id: str


class NewlyMadeSignInLink(SignInLink):
    """A link to sign in with its secret, which is shown this once."""

    secret: str
    url: str
    """The page at which the link is opened."""


class Suspect(TypedDict):
    """A move since the last agreement that changed these points."""

    ply: int
    seat: str
    """Who made it."""
    change: int
    """By how much it changed them."""
    explains: bool
    """Whether the paper would be right if it had not changed them, or had changed them twice."""


class Taken(TypedDict):
    """Notes and details that an import brought to a match that was here."""

    notes: list[TakenNote]
    details: Revisions | None
    """Null if they are as they were."""


class TakenNote(TypedDict):
    """A note that an import brought to a match that was here."""

    before: int | None
    """The revision that held here before; null if there was none."""
    revision: int
    """How often it was changed."""
    id: str


class Token(TypedDict):
    """The token of a program, without its secret."""

    created_at: str
    expires_at: str | None
    used_at: str | None
    id: str
    label: str
    """A name to tell it from others."""
    scopes: list[Scope]
    parent_id: str | None
    """The token that it was made with, and with which it ends."""


class NewlyMadeToken(Token):
    """A token with its secret, which is shown this once."""

    secret: str


class Turn(TypedDict):
    """The move by which the lead of the winner grew most."""

    ply: int
    seat: str
    swing: int
    """By how many points the lead grew."""


class Undoing(TypedDict):
    """What was taken back of an import."""

    withdrawn: int
    """Matches that are hidden now."""
    restored: int
    """Matches that are as they were before."""
    kept: int
    """Matches that were changed since and stay as they are."""


class Verdict(TypedDict):
    """What became of a later move after a correction."""

    old_ply: int
    ply: int
    status: Literal["ok", "refused", "not_reached"]
    """`not_reached` after a move that was refused."""
    problem: NotRequired[dict[str, Any]]


class Verification(TypedDict):
    """Whether the log of a match is whole."""

    valid: bool
    """Whether nothing is wrong."""
    events: int
    """How many events were looked at."""
    first_broken: int | None
    """The place of the event in the log."""
    detail: str | None
    """What is wrong with the first broken event."""
    findings: list[Fault]


class Wording(TypedDict):
    """What an annotation said at one time."""

    text: str
    glyph: Literal["!", "?", "!!", "??", "!?", "?!"] | None
    marks: list[Mark]
    line: list[LineMove]
    revision: int
    deleted: bool
    """Whether it was deleted then."""
    hidden: bool
    """Whether only its author and who manages the match see it."""
    actor: str | None
    changed_at: str


Checked: TypeAlias = LegalJudgement | IllegalJudgement
"""Whether moves would be recorded; if so the state after them, else the problem."""


Seated: TypeAlias = PlayerByName | PlayerById
"""The player of a seat: by id, or by a name that is looked up or added."""
