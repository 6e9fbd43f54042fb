"""Routes: record, check and list moves, and change what was recorded."""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, TypeAlias, TypedDict
from uuid import UUID

from flask import Response

from domain import match as history
from domain.forms import FieldError, Malformed
from domain.game import JsonObject
from domain.match import Action, Entry, Frame, HistoryError, OutOfRange, Timeline
from service.auth.authentication import require
from service.context import services
from service.db.pool import Connection
from service.http.errors import Problem, malformed, of_history
from service.http.idempotency import Fresh, IdempotentWrite, Replayed
from service.http.locale import request_language
from service.http.preconditions import IfMatch, require_version
from service.http.request import SMALL_BODY
from service.http.responses import answer, answer_digested
from service.http.routing import Blueprint
from service.http.shapes import Component, Move, Ply, Seat, State
from service.matches import schemas
from service.matches.commands import Ruling, load, new_ruling, require_room, write
from service.matches.documents import (
    Correction,
    FrameDocument,
    Gain,
    Position,
    Reached,
    frame_document,
    gains_after,
    legal_moves,
    legal_moves_after,
    reached_document,
    state_document,
)
from service.matches.outcomes import keep_outcome, read_outcome
from service.matches.queries import (
    act_idempotently,
    present,
    recorded_of,
    require_match,
    timeline_at,
)
from service.matches.reprinting import change_edition, keep_amended, require_edition_right
from service.matches.rules_change import is_settled, require_settling, require_whole
from service.matches.times import read_times
from service.permissions import Right
from service.timelines import Recorded


class LegalJudgement(TypedDict):
    """The moves would be recorded."""

    legal: Literal[True]
    text: str | None
    state: State | None
    legal_moves: NotRequired[list[Move]]
    """Moves as they can be posted."""
    points: NotRequired[list[Gain]]
    """The gain of each of the legal moves for the seat that makes it, in their order."""


class IllegalJudgement(TypedDict):
    """The moves would not be recorded."""

    legal: Literal[False]
    problem: Annotated[JsonObject, Component("MoveProblem")]


Judgement: TypeAlias = Annotated[LegalJudgement | IllegalJudgement, Component("Judgement")]


class LegalMoves(TypedDict):
    """What the seat to move may do; each of them is accepted if posted."""

    ply: Ply
    to_move: Seat | None
    moves: list[Move]
    """Moves as they can be posted."""
    points: NotRequired[list[Gain]]
    """What each of the moves would give the seat that makes it, in the order of `moves`."""


blueprint = Blueprint("moves", __name__, url_prefix="/api/v1/matches/<uuid:match_id>", description="Moves of a match.")


@blueprint.post(
    "/moves",
    Right.RECORD,
    body=schemas.NewMoves,
    query=schemas.MovesQuery,
    answer=Position,
    status=201,
    if_match=IfMatch.VERSION,
    idempotent=True,
    problems=(
        "illegal-move",
        "malformed-move",
        "match-abandoned",
        "match-full",
        "match-result-only",
        "match-too-long",
        "rules-conflict",
        "ruling-not-needed",
    ),
)
def record_moves(
    body: dict[str, Any], query: dict[str, Any], match_id: UUID, expected: int | None, idempotently: IdempotentWrite
) -> Response:
    """Record one move, or several of which all or none are recorded.

    Answers with the state after the last one. A move that the rules refuse leaves the log as it was; beside a
    `ruling` it is recorded if it can happen on a table. A device that sends moves later than they were entered says
    when that was in `entered_at`: in order, not before the match, and not after now.
    """
    entered = _entered(body)
    rulings = _rulings(entered)
    times = read_times([move.body for move in entered], in_batch="moves" in body)

    def act(connection: Connection) -> Fresh[Recorded]:
        recorded = write(
            connection, match_id, expected, lambda timeline: _record(timeline, entered), rulings, times
        ).recorded
        return Fresh(recorded, {"version": recorded.timeline.version})

    try:
        outcome = idempotently(act, in_transaction=False)
    except HistoryError as error:
        raise of_history(error, in_batch="moves" in body) from None
    if isinstance(outcome, Replayed):
        return _answer_position(timeline_at(match_id, outcome.stored["version"]), query)
    services().publish(match_id, outcome.value)
    return _answer_position(outcome.value.timeline, query)


@blueprint.post(
    "/moves/check",
    Right.READ,
    body=schemas.NewMoves,
    query=schemas.CheckQuery,
    is_body_lazy=True,
    answer=Judgement,
    problems=("out-of-range", "rules-conflict"),
)
def check_moves(body: Callable[[], dict[str, Any]], query: dict[str, Any], match_id: UUID) -> Response:
    """Say whether moves would be recorded, and why not; stores nothing.

    With `ply` they are judged as if they had followed that ply. Malformed moves are answered like illegal ones, as a
    problem inside the answer. `text` is a sentence for the last move. With `include=legal_moves` the response lists
    what could be done then, and with `include=points` also what each of that would give, for those who may record the
    match.
    """
    if query.get("include") == "points":
        require(Right.RECORD)
    timeline = _timeline_to_ask(match_id, query)
    try:
        entered = body()
        try:
            head = _tried(timeline, _entered(entered), query.get("ply"))
        except HistoryError as error:
            return _answer_illegal(of_history(error, in_batch="moves" in entered))
    except Problem as problem:
        if problem.slug not in {"malformed", "malformed-move", "match-full", "match-too-long"}:
            raise
        return _answer_illegal(problem)
    text = history.describe(timeline, head, request_language())
    document: LegalJudgement = {"legal": True, "text": text, "state": state_document(timeline, head)}
    if query.get("include"):
        document["legal_moves"] = legal_moves_after(timeline, head)
    if query.get("include") == "points":
        document["points"] = gains_after(timeline, head, request_language()) if document["legal_moves"] else []
    return answer(document)


@blueprint.get(
    "/legal-moves",
    Right.READ,
    query=schemas.LegalMovesQuery,
    answer=LegalMoves,
    etag=True,
    problems=("out-of-range", "rules-conflict"),
)
def list_legal_moves(query: dict[str, Any], match_id: UUID) -> Response:
    """What the seat to move may do.

    Each of them is accepted if posted. With `ply` it is what could have been done after that ply. With `include=points`
    the response says what each move would give the seat that makes it, for those who may record the match.
    """
    if query.get("include"):
        require(Right.RECORD)
    timeline = _timeline_to_ask(match_id, query)
    if "ply" in query and not timeline.is_result_only:
        frame = timeline.frame(query["ply"])
        to_move, moves = frame.state.to_move, legal_moves_after(timeline, frame)
    else:
        frame = timeline.head
        to_move, moves = None if timeline.abandoned else timeline.to_move, legal_moves(timeline)
    document: LegalMoves = {"ply": frame.ply, "to_move": to_move, "moves": moves}
    if query.get("include"):
        document["points"] = gains_after(timeline, frame, request_language()) if moves else []
    return answer_digested(document, timeline.version)


@blueprint.get("/state", Right.READ, query=schemas.Language, answer=FrameDocument, etag=True)
def get_state(query: dict[str, Any], match_id: UUID) -> Response:
    """The frame after the last move.

    It holds the state, the last move and a sentence for it.
    """
    with services().database.reading() as connection:
        row, timeline = present(connection, match_id)
        recorded = recorded_of(connection, match_id, [timeline.head])
    return answer_digested(frame_document(timeline, timeline.head, request_language(), recorded), row["version"])


@blueprint.post(
    "/undo",
    Right.RECORD,
    body=schemas.Undo,
    answer=Position,
    status=201,
    if_match=IfMatch.VERSION,
    idempotent=True,
    problems=("match-abandoned", "match-full", "no-change", "out-of-range", "rules-conflict"),
    max_body=SMALL_BODY,
)
def undo(body: dict[str, Any], match_id: UUID, expected: int | None, idempotently: IdempotentWrite) -> Response:
    """Take back the last moves.

    They stay in the log, and restoring an earlier version brings them back.
    """
    return _act(match_id, lambda timeline: history.undo(timeline, body["to_ply"]), expected, idempotently)


@blueprint.post(
    "/restore",
    Right.RECORD,
    body=schemas.Restoration,
    answer=Position,
    status=201,
    if_match=IfMatch.VERSION,
    idempotent=True,
    problems=("correction-conflict", "match-abandoned", "match-full", "no-change", "out-of-range", "rules-conflict"),
    max_body=SMALL_BODY,
)
def restore(body: dict[str, Any], match_id: UUID, expected: int | None, idempotently: IdempotentWrite) -> Response:
    """Bring back the moves, the set-up and the edition of an earlier version.

    Nothing recorded since is lost: this is the redo of an undo, and the undo of a correction.
    """
    return _act(match_id, lambda timeline: history.restore(timeline, body["version"]), expected, idempotently)


@blueprint.post(
    "/corrections",
    Right.RECORD,
    body=schemas.NewCorrection,
    answer=Correction,
    status=201,
    if_match=IfMatch.VERSION,
    idempotent=True,
    dry_run=True,
    problems=(
        "correction-conflict",
        "illegal-move",
        "malformed-move",
        "match-abandoned",
        "match-full",
        "match-result-only",
        "match-too-long",
        "no-change",
        "out-of-range",
        "rules-conflict",
        "ruling-not-needed",
        "too-many-editions",
        "unknown-edition",
    ),
)
def correct(body: dict[str, Any], match_id: UUID, expected: int | None, idempotently: IdempotentWrite) -> Response:
    """Change an earlier move, the set-up or the edition, and keep the rest.

    A move is replaced, inserted or removed. Every later move gets a verdict. If one no longer fits, the correction is
    refused, or with `on_conflict` set to `truncate` the rest is cut there.

    With `ply` 0 there is exactly one of `setup`, `edition` and `edition_changes`. `edition_changes` is a merge patch on
    the bare values of the present edition. It makes an edition for this match, which counts as any other that the
    account has made; so a link is not enough for it.
    """
    entered = _with_ruling("", body)
    if body["dry_run"]:
        idempotently.read_key()  # nothing is stored under the key, but a malformed one is refused as usual
        with services().database.transaction() as connection:
            row = require_match(connection, match_id)
            timeline = load(connection, row).timeline.at(row["version"])
            require_edition_right(connection, body)
            require_version(expected, row)
            correction = _correct(connection, timeline, body, entered)
        require_room(correction.timeline)
        if not is_settled(row, timeline.game):
            require_settling(row, timeline, correction.timeline)
        return answer(_correction_document(correction.timeline, keep_outcome(correction)))
    makes_edition = "edition_changes" in body

    def act(connection: Connection) -> Fresh[Recorded]:
        require_edition_right(connection, body)
        correction, recorded = write(
            connection,
            match_id,
            expected,
            lambda timeline: _correct(connection, timeline, body, entered),
            _rulings([entered]),
        )
        if makes_edition:
            keep_amended(connection, recorded.timeline)
        return Fresh(recorded, {"version": recorded.timeline.version, **keep_outcome(correction)})

    outcome = idempotently(act, in_transaction=makes_edition)
    if isinstance(outcome, Fresh):
        services().publish(match_id, outcome.value)
    timeline = timeline_at(match_id, outcome.stored["version"])
    document = _correction_document(timeline, outcome.stored)
    return answer(document, {"ETag": f'"{timeline.version}"'})


def _act(
    match_id: UUID, act: Callable[[Timeline], history.Change], expected: int | None, idempotently: IdempotentWrite
) -> Response:
    return _answer_position(timeline_at(match_id, act_idempotently(match_id, act, expected, idempotently)), {})


def _answer_illegal(problem: Problem) -> Response:
    document: IllegalJudgement = {"legal": False, "problem": problem.document()}
    return answer(document)


def _answer_position(timeline: Timeline, query: Mapping[str, Any]) -> Response:
    document: Reached = reached_document(timeline)
    if query.get("include"):
        with_moves: Position = {**document, "legal_moves": legal_moves(timeline)}
        document = with_moves
    return answer(document, {"ETag": f'"{timeline.version}"'})


def _timeline_to_ask(match_id: UUID, query: Mapping[str, Any]) -> Timeline:
    """The current timeline, which must fit the current rules unless an earlier ply is asked for."""
    with services().database.reading() as connection:
        row, timeline = present(connection, match_id)
    if "ply" not in query:
        require_whole(row, timeline)
    elif query["ply"] > timeline.ply:
        raise OutOfRange(query["ply"], 0, timeline.ply)
    return timeline


class _Entered(NamedTuple):
    """A move as it was entered, with its pointer in the body and its table ruling."""

    pointer: str
    body: Mapping[str, Any]
    ruling: Ruling | None


def _tried(timeline: Timeline, entered: Sequence[_Entered], ply: int | None) -> Frame:
    """The last frame of moves that are tried at the end of a timeline or after one of its plies."""
    if ply is None:
        recorded = _record(timeline, entered).timeline
        require_room(recorded)
        return recorded.head
    return history.what_if(timeline, ply, [_entry(timeline, move) for move in entered])[-1]


def _entered(body: Mapping[str, Any]) -> list[_Entered]:
    """The entered moves of a request."""
    if "moves" in body:
        return [_with_ruling(f"/moves/{index}", entered) for index, entered in enumerate(body["moves"])]
    return [_with_ruling("", body)]


def _with_ruling(pointer: str, body: Mapping[str, Any]) -> _Entered:
    return _Entered(pointer, body, new_ruling(body["ruling"]["reason"]) if "ruling" in body else None)


def _rulings(entered: Sequence[_Entered]) -> dict[str, Ruling]:
    """The table rulings of moves by digest."""
    return {move.ruling.digest: move.ruling for move in entered if move.ruling is not None}


def _record(timeline: Timeline, entered: Sequence[_Entered]) -> history.Change:
    if timeline.ply + len(entered) > schemas.MAX_PLIES:
        raise Problem("match-too-long", f"A match has at most {schemas.MAX_PLIES} moves.")
    return history.record(timeline, [_entry(timeline, move) for move in entered])


def _entry(timeline: Timeline, entered: _Entered) -> Entry:
    pointer, body, ruling = entered
    seat = body.get("seat")
    if seat is not None and seat not in timeline.seats:
        listed = ", ".join(timeline.seats)
        raise malformed([FieldError(f"{pointer}/seat", f"must be one of {listed}")], "malformed-move")
    try:
        move = timeline.game.move.parse(body["move"])
    except Malformed as error:
        raise malformed(error.errors, "malformed-move", f"{pointer}/move") from None
    return Entry(seat, move, None if ruling is None else ruling.digest)


def _correct(
    connection: Connection, timeline: Timeline, body: Mapping[str, Any], entered: _Entered
) -> history.Correction:
    if body["ply"] == 0 and "setup" in body:
        try:
            setup = history.parse_setup(timeline.game, timeline.seats, body["setup"])
        except Malformed as error:
            raise malformed(error.errors, prefix="/setup") from None
        return history.correct_setup(timeline, setup, body["on_conflict"])
    if body["ply"] == 0 and ("edition" in body or "edition_changes" in body):
        return change_edition(connection, timeline, body)
    ply, action, on_conflict = body["ply"], body["action"], body["on_conflict"]
    if action is Action.REMOVE:
        return history.remove(timeline, ply, on_conflict)
    if action is Action.REPLACE:
        return history.replace(timeline, ply, _entry(timeline, entered), on_conflict)
    if timeline.ply >= schemas.MAX_PLIES:
        raise Problem("match-too-long", f"A match has at most {schemas.MAX_PLIES} moves.")
    return history.insert(timeline, ply, _entry(timeline, entered), on_conflict)


def _correction_document(timeline: Timeline, stored: Mapping[str, Any]) -> Correction:
    return {**reached_document(timeline), **read_outcome(timeline.game, stored)}
