"""Problem documents (RFC 9457): all errors of the API."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any, NotRequired, TypedDict

import orjson
from flask import Flask, Request, Response, current_app, request
from werkzeug.exceptions import ClientDisconnected, HTTPException

from domain.forms import FieldError, Malformed
from domain.game import AnyGame, JsonObject, Kind, Reason, Refusal
from domain.match import (
    CorrectionConflict,
    HistoryError,
    MatchAbandoned,
    MatchFinished,
    MatchNotAbandoned,
    MatchResultOnly,
    MoveRefused,
    MoveUnplayable,
    NoChange,
    OutOfRange,
    RulingNotNeeded,
    Verdict,
    VerdictStatus,
)
from service.db.pool import DatabaseAway, ReadOnlySqlTransaction, StatementTookTooLong, TransactionTookTooLong
from service.errors import TooManyStreams, UnknownEdition, UnknownGame
from service.http.locale import request_language
from service.http.shapes import Component, Ply

TITLES = {
    "bad-request": (400, "The request cannot be read"),
    "sign-in-needed": (401, "Sign-in needed"),
    "wrong-token": (401, "The token is not valid"),
    "cross-site": (403, "Cross-site request refused"),
    "not-allowed": (403, "Not allowed"),
    "not-found": (404, "Not found"),
    "method-not-allowed": (405, "Method not allowed"),
    "not-acceptable": (406, "No acceptable media type"),
    "already-so": (409, "This is already so"),
    "ambiguous-name": (409, "Several players have this name"),
    "correction-conflict": (409, "Later moves no longer fit"),
    "last-owner": (409, "An owner is needed"),
    "match-abandoned": (409, "The match was abandoned"),
    "match-finished": (409, "The match has ended"),
    "match-full": (409, "The log of the match is full"),
    "match-not-abandoned": (409, "The match was not abandoned"),
    "match-result-only": (409, "Only the result of the match is known"),
    "rules-conflict": (409, "The match no longer fits the rules"),
    "players-met": (409, "These players met in a match"),
    "sign-in-off": (409, "Sign-in is switched off"),
    "too-many-editions": (409, "There are too many editions"),
    "too-many-annotations": (409, "The match has too many annotations"),
    "too-many-links": (409, "The match has too many links"),
    "too-many-tokens": (409, "The account has too many tokens"),
    "stale-version": (412, "The match has changed meanwhile"),
    "too-large": (413, "The request is too large"),
    "unsupported-media-type": (415, "The body must be JSON"),
    "illegal-move": (422, "The rules refuse this move"),
    "key-reused": (422, "The idempotency key was used for another request"),
    "malformed": (422, "The request is malformed"),
    "malformed-move": (422, "The move is malformed"),
    "match-too-long": (422, "The match has too many moves"),
    "no-change": (422, "Nothing would change"),
    "out-of-range": (422, "The match has no such ply or version"),
    "ruling-not-needed": (422, "The move is legal"),
    "unknown-edition": (422, "Edition not found"),
    "unknown-player": (422, "Player not found"),
    "too-many-requests": (429, "Too many requests"),
    "internal": (500, "Something went wrong on our side"),
    "database-away": (503, "The database is not responding"),
    "took-too-long": (503, "This took too long"),
    "stopping": (503, "The service is stopping"),
    "too-many-streams": (503, "Too many live streams"),
}


MAX_ERRORS = 20
"""The maximum number of listed errors; the others are counted."""
MAX_POINTER = 200


class Problem(Exception):
    """An exception that becomes a problem document."""

    def __init__(self, slug: str, detail: str, headers: Mapping[str, str] | None = None, **members: Any) -> None:
        super().__init__(detail)
        self.slug = slug
        self.status, self.title = TITLES[slug]
        self.detail = detail
        self.headers = dict(headers or {})
        self.members = members

    def document(self) -> dict[str, Any]:
        """The problem as JSON."""
        return {
            "type": f"/problems/{self.slug}",
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            **self.members,
        }

    def response(self) -> Response:
        body = orjson.dumps(self.document())
        return Response(body, self.status, self.headers, content_type="application/problem+json")


def document_of(error: Exception) -> dict[str, Any]:
    """The problem document of an error that comes when a response has begun, as its handler makes it."""
    response = current_app.make_response(current_app.handle_user_exception(error))
    document: dict[str, Any] = orjson.loads(response.get_data())
    return document


def malformed(errors: Sequence[FieldError], slug: str = "malformed", prefix: str = "") -> Problem:
    """The problem of input that is wrong without regard to a match."""
    listed = [{"pointer": _shortened(prefix + error.pointer), "detail": error.detail} for error in errors[:MAX_ERRORS]]
    first = listed[0]
    more: dict[str, Any] = {"more_errors": len(errors) - MAX_ERRORS} if len(errors) > MAX_ERRORS else {}
    return Problem(slug, f"{first['pointer'] or 'The body'}: {first['detail']}.", errors=listed, **more)


def _shortened(pointer: str) -> str:
    """Shorten a pointer with an overlong member name to the object that has the member."""
    while len(pointer) > MAX_POINTER:
        pointer = pointer.rpartition("/")[0]
    return pointer


def not_found(what: str) -> Problem:
    """The problem of an id or path that does not exist."""
    return Problem("not-found", f"{what.capitalize()} not found.")


def took_too_long() -> Problem:
    """The problem of a request whose database statement was cancelled."""
    detail = "This took too long and was cancelled; nothing was changed. Ask for less, or try again."
    return Problem("took-too-long", detail, {"Retry-After": "5"})


def stopping() -> Problem:
    """The problem of a process that is about to stop."""
    return Problem("stopping", "This process is about to stop.", {"Retry-After": "2"})


def illegal_move(refusal: Refusal, ply: int) -> Problem:
    """The problem of a recorded move that is not legal at its ply."""
    return _refused(refusal, ply=ply)


def _refused(refusal: Refusal, **place: Any) -> Problem:
    detail = refusal.tell(request_language())
    return Problem("illegal-move", detail, code=refusal.code, kind=str(refusal.kind), rule=refusal.rule, **place)


def stored_refusal(refusal: Refusal) -> dict[str, Any]:
    """The form in which a refusal is stored: its code with what its sentence names."""
    return {"code": refusal.code, "values": refusal.values}


def read_refusal(game: AnyGame, stored: Mapping[str, Any]) -> Refusal:
    """A refusal as it was stored, or one without its values if the game no longer has such a reason or sentence."""
    try:
        refusal = game.telling.stored_refusal(stored["code"], stored["values"])
        refusal.tell()
    except LookupError:
        return Refusal(stored["code"], Reason(Kind.RULE, ""), {}, lambda _: "The rules refuse this move.")
    return refusal


class VerdictDocument(TypedDict):
    """What became of a later move after a correction."""

    old_ply: Ply
    ply: Ply
    status: VerdictStatus
    """`not_reached` after a move that was refused."""
    problem: NotRequired[Annotated[JsonObject, Component("IllegalMoveProblem")]]


def verdict_document(verdict: Verdict) -> VerdictDocument:
    document: VerdictDocument = {"old_ply": verdict.old_ply, "ply": verdict.ply, "status": verdict.status}
    if verdict.refusal is not None:
        document["problem"] = illegal_move(verdict.refusal, verdict.ply).document()
    return document


def _placed(error: MoveRefused | RulingNotNeeded, *, in_batch: bool) -> dict[str, Any]:
    """Point to one of the entered moves."""
    place: dict[str, Any] = {"ply": error.ply, "seat": error.seat}
    return {**place, "index": error.index} if in_batch else place


def of_history(error: HistoryError, *, in_batch: bool = False) -> Problem:
    """The problem of an act that the current timeline does not allow."""
    match error:
        case MoveRefused(refusal=refusal):
            return _refused(refusal, **_placed(error, in_batch=in_batch))
        case RulingNotNeeded():
            detail = "The move is legal, so there is nothing to rule."
            return Problem("ruling-not-needed", detail, **_placed(error, in_batch=in_batch))
        case CorrectionConflict(first_ply=first_ply, verdicts=verdicts):
            return Problem(
                "correction-conflict",
                f"The move of ply {first_ply} no longer fits after this correction.",
                first_ply=first_ply,
                verdicts=[verdict_document(verdict) for verdict in verdicts],
            )
        case OutOfRange(number=number, first=first, last=last):
            return Problem("out-of-range", f"{number} is not between {first} and {last}.")
        case NoChange():
            return Problem("no-change", "Nothing would change.")
        case MatchAbandoned():
            return Problem("match-abandoned", "The match was abandoned; reopen it to go on.")
        case MatchFinished():
            return Problem("match-finished", "The match has ended and cannot be abandoned; undo or correct it instead.")
        case MatchResultOnly():
            return Problem("match-result-only", "A match of which only the result is known has no moves.")
        case MatchNotAbandoned():
            return Problem("match-not-abandoned", "Only an abandoned match can be reopened.")
    raise TypeError(f"{type(error).__name__} has no problem document")


_FROM_BELOW = {
    400: ("bad-request", "The request cannot be read."),
    404: ("not-found", "Not found."),
    405: ("method-not-allowed", "The method is not allowed at this address."),
    406: ("not-acceptable", "No media type in Accept is available at this address."),
    413: ("too-large", "A request to this address may have at most {most:,} bytes."),
    415: ("unsupported-media-type", "The body must be of the type application/json."),
}
"""Errors of Werkzeug and gunicorn in our words."""


MAX_READ_AWAY = 2**25
"""Bytes of a too large body that are read and discarded, so that a client that writes first can read the response."""


def _read_away(request: Request) -> None:
    left, source = MAX_READ_AWAY, request.environ["wsgi.input"]
    with suppress(OSError, ClientDisconnected):
        while left > 0 and (read := source.read(min(left, 2**16))):
            left -= len(read)


def problem_of(error: UnknownGame | UnknownEdition | TooManyStreams) -> Problem:
    """The problem of an error from below HTTP."""
    match error:
        case UnknownGame():
            return not_found("game")
        case UnknownEdition():
            return Problem("unknown-edition", str(error))
        case TooManyStreams():
            return Problem("too-many-streams", str(error), {"Retry-After": "5"})


def register(app: Flask) -> None:
    """Make the application respond to every error with a problem document."""

    @app.errorhandler(Problem)
    def _problem(problem: Problem) -> Response:
        return problem.response()

    @app.errorhandler(HistoryError)
    def _history(error: HistoryError) -> Response:
        return of_history(error).response()

    @app.errorhandler(Malformed)
    def _malformed(error: Malformed) -> Response:
        return malformed(error.errors).response()

    @app.errorhandler(UnknownGame)
    @app.errorhandler(UnknownEdition)
    @app.errorhandler(TooManyStreams)
    def _below(error: UnknownGame | UnknownEdition | TooManyStreams) -> Response:
        return problem_of(error).response()

    @app.errorhandler(DatabaseAway)
    @app.errorhandler(ReadOnlySqlTransaction)
    def _away(error: Exception) -> Response:
        app.logger.warning("the database is not responding: %s", error)
        detail = "The database is not responding; nothing was stored that was not acknowledged. Try again."
        return Problem("database-away", detail, {"Retry-After": "2"}).response()

    @app.errorhandler(StatementTookTooLong)
    @app.errorhandler(TransactionTookTooLong)
    def _slow(error: Exception) -> Response:
        app.logger.warning("%s %s was cancelled: %s", request.method, request.url_rule, error)
        return took_too_long().response()

    @app.errorhandler(HTTPException)
    def _http(error: HTTPException) -> Response:
        slug, detail = _FROM_BELOW.get(error.code or 400, _FROM_BELOW[400])
        headers = {name: value for name, value in error.get_headers() if name.lower() == "allow"}
        if slug == "too-large":
            _read_away(request)
            headers["Connection"] = "close"  # the unread part is still arriving
        return Problem(slug, detail.format(most=request.max_content_length), headers).response()

    @app.errorhandler(MoveUnplayable)
    def _unplayable(error: MoveUnplayable) -> Response:
        match_id = (request.view_args or {}).get("match_id")
        app.logger.exception("match %s cannot be played at ply %d", match_id, error.ply, exc_info=error)
        return Problem("internal", "This match cannot be shown because of a fault on our side.").response()

    @app.errorhandler(Exception)
    def _unforeseen(error: Exception) -> Response:
        app.logger.exception("%s %s failed", request.method, request.url_rule or "?", exc_info=error)
        return Problem("internal", "Something went wrong on our side; nothing was changed.").response()
