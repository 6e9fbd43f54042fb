"""A client of the API for programs in Python. It needs `requests` and nothing else of Carnet.

Every POST carries an idempotency key of its own and is sent again with that key when no answer came or the service
asks to wait, so that nothing is recorded twice. Reading is repeated too; PATCH, PUT and DELETE are sent once.
"""

import json
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from types import TracebackType
from typing import Any, Literal, NotRequired, Self, TypeAlias, TypedDict, Unpack, cast
from uuid import uuid4

import requests

EVENT_STREAM = "text/event-stream"
NDJSON = "application/x-ndjson"
PROBLEM = "application/problem+json"

Moment: TypeAlias = str | date | datetime
"""A time as a text of RFC 3339 or as a `datetime` with its offset; where a list is filtered, also a plain date."""
Move: TypeAlias = Mapping[str, Any]
State: TypeAlias = dict[str, Any]
Status: TypeAlias = Literal["in_progress", "finished", "abandoned"]


class Game(TypedDict):
    """A game of the catalogue; `schemas` and `refusals` come with a single one."""

    id: str
    title: str
    seats: list[str]
    min_players: int
    max_players: int
    editions: list[str]
    default_edition: str
    rules_version: int
    schemas: NotRequired[dict[str, Any]]
    refusals: NotRequired[dict[str, Any]]


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


class Match(TypedDict):
    """A match; in lists it comes without its set-up."""

    id: str
    game: str
    edition: str
    rules_version: int
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
    visibility: str
    created_at: str
    changed_at: str


class Details(TypedDict):
    """What stood beside a match after one change of it."""

    revision: int
    played_at: str
    venue: str | None
    tags: list[str]
    withdrawn: bool
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


class Verification(TypedDict):
    """Whether the chain of hashes and the edition are whole."""

    valid: bool
    events: int
    first_broken: int | None
    detail: str | None


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
    revision: int
    created_at: str
    changed_at: str


class Wording(TypedDict):
    """What an annotation once said."""

    revision: int
    text: str
    glyph: str | None
    marks: list[Mark]
    line: list[Entry]
    deleted: bool
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


class MatchFilters(TypedDict, total=False):
    """Which matches to list; several players or tags must all be there, and `until` itself is left out."""

    game: str
    edition: str
    player: Sequence[str]
    status: Status
    tag: Sequence[str]
    venue: str
    since: Moment
    until: Moment
    sort: Literal["played_at", "activity"]


class CorrectionOptions(TypedDict, total=False):
    """How a correction goes: what becomes of later moves that no longer fit, and whether anything is stored."""

    truncate: bool
    dry_run: bool
    if_match: int | None


class ClientError(Exception):
    """Anything that kept the service from doing what was asked."""


class Unreachable(ClientError):
    """No answer came, or one that is not Carnet's. Whether the last request was carried out is not known."""


class Lost(Unreachable):
    """The connection was refused or lost, so that another attempt may do better."""


class ApiProblem(ClientError):
    """The service answered that it did not do what was asked.

    `type` is stable, `detail` is for people, and `members` holds whatever else the problem says.
    """

    def __init__(self, status: int, document: Mapping[str, Any], retry_after: float | None = None) -> None:
        self.status = status
        self.type = str(document.get("type", "about:blank"))
        self.title = str(document.get("title", f"Status {status}"))
        self.detail = str(document.get("detail", self.title))
        self.members = {name: value for name, value in document.items() if name not in _COMMON}
        self.retry_after = retry_after
        """The seconds to wait before another attempt, if the service names them."""
        super().__init__(self.detail)


_COMMON = frozenset({"type", "title", "status", "detail"})


class IllegalMove(ApiProblem):
    """The rules refuse a move: correct it, or record it with a ruling if its `kind` is `rule`."""

    @property
    def code(self) -> str:
        """The stable name of the reason."""
        return str(self.members["code"])

    @property
    def kind(self) -> str:
        """`physical` or `rule`."""
        return str(self.members["kind"])

    @property
    def rule(self) -> str:
        """The section of the written rules that the move breaks."""
        return str(self.members["rule"])

    @property
    def ply(self) -> int:
        """The ply that the move would have had."""
        return int(self.members["ply"])

    @property
    def seat(self) -> str:
        """Whose move it is."""
        return str(self.members["seat"])

    @property
    def index(self) -> int | None:
        """Which of several moves it is, from 0."""
        return cast(int | None, self.members.get("index"))


class Malformed(ApiProblem):
    """The request has not the right form: correct the program; `errors` has a JSON pointer for each mistake."""

    @property
    def errors(self) -> list[dict[str, str]]:
        """What is wrong with which member."""
        return cast(list[dict[str, str]], self.members.get("errors", []))


class NotFound(ApiProblem):
    """There is no such thing."""


class Conflict(ApiProblem):
    """It cannot be done as things stand: look at them again and decide."""


class StaleVersion(ApiProblem):
    """The match is no longer at the version of `if_match`: read it again and decide."""

    @property
    def version(self) -> int:
        """The version that the match is at."""
        return int(self.members["version"])


class Unavailable(ApiProblem):
    """The service cannot answer now: try again later."""


_BY_TYPE = {
    "/problems/illegal-move": IllegalMove,
    "/problems/malformed": Malformed,
    "/problems/malformed-move": Malformed,
}
_BY_STATUS = {
    400: Malformed,
    404: NotFound,
    409: Conflict,
    412: StaleVersion,
    413: Malformed,
    415: Malformed,
    429: Unavailable,
    502: Unavailable,
    503: Unavailable,
    504: Unavailable,
}


class Client:
    """A connection to one service, for one thread.

    `token` is the bearer token of whoever asks, `timeout` the seconds to wait for a sign of the service, and
    `attempts` how often a request that may be repeated is sent at most.
    """

    def __init__(self, base_url: str, token: str | None = None, *, timeout: float = 30, attempts: int = 5) -> None:
        self.base_url = base_url.rstrip("/")
        self._token = token
        self._timeout = timeout
        self._attempts = attempts
        self._session = requests.Session()
        self._session.auth = self._sign  # also keeps passwords of a netrc file from going out instead

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Let the connection go."""
        self._session.close()

    # The service

    def is_ready(self) -> bool:
        """Whether the service and its database answer; raise `Unreachable` if nobody does."""
        address = f"{self.base_url}/readyz"
        try:
            _json(self._repeat(lambda: self._session.get(address, timeout=self._timeout, allow_redirects=False), 1))
        except Unavailable:
            return False
        return True

    # Games and editions

    def games(self) -> list[Game]:
        """All games."""
        return cast(list[Game], self._get("/games")["items"])

    def game(self, game: str) -> Game:
        """One game with the JSON Schemas of its set-up, moves and state."""
        return cast(Game, self._get(f"/games/{game}"))

    def edition(self, game: str, edition: str) -> dict[str, Any]:
        """An edition, each value with its source."""
        return self._get(f"/games/{game}/editions/{edition}")

    def create_edition(self, game: str, title: str, based_on: str, changes: Mapping[str, Any]) -> dict[str, Any]:
        """An edition of one's own that differs from another by a merge patch."""
        return self._post(f"/games/{game}/editions", {"title": title, "based_on": based_on, "changes": changes})

    # Matches

    def create_match(
        self,
        game: str,
        players: Sequence[Seated],
        setup: Mapping[str, Any],
        *,
        edition: str | None = None,
        played_at: Moment | None = None,
        venue: str | None = None,
        tags: Sequence[str] = (),
    ) -> Match:
        """Begin a match; a name not seen before adds a player."""
        optional = {"edition": edition, "played_at": _text(played_at), "venue": venue, "tags": list(tags) or None}
        body = {"game": game, "players": list(players), "setup": setup, **_given(optional)}
        return cast(Match, self._post("/matches", body))

    def matches(self, *, page: int | None = None, **filters: Unpack[MatchFilters]) -> Iterator[Match]:
        """All matches that fit, newest first, asked for in pages of `page`."""
        names = {"since": "from", "until": "to"}
        query = {
            names.get(name, name): _text(value) if name in names else value
            for name, value in cast(dict[str, Any], filters).items()
        }
        return cast(Iterator[Match], self._pages("/matches", {**query, "limit": page}))

    def match(self, match_id: str) -> Match:
        """A match with its set-up."""
        return cast(Match, self._get(_of(match_id)))

    def change_match(self, match_id: str, changes: Mapping[str, Any], *, if_match: int | None = None) -> Match:
        """Change `played_at`, `venue` or `tags` by a merge patch; None takes a value away."""
        return cast(Match, self._change("PATCH", _of(match_id), changes, if_match))

    def details(self, match_id: str) -> list[Details]:
        """All details that a match ever had, the first ones first."""
        return cast(list[Details], self._get(_of(match_id, "details"))["items"])

    def assign_players(self, match_id: str, players: Sequence[Seated], *, if_match: int | None = None) -> Match:
        """Change who sat where."""
        return cast(Match, self._change("PUT", _of(match_id, "players"), {"players": list(players)}, if_match))

    def withdraw(self, match_id: str, *, if_match: int | None = None) -> Match:
        """Hide a match that was entered by mistake."""
        return cast(Match, self._post(_of(match_id, "withdraw"), None, if_match))

    def take_back_withdrawal(self, match_id: str, *, if_match: int | None = None) -> Match:
        """Show a hidden match again."""
        return cast(Match, self._change("DELETE", _of(match_id, "withdraw"), None, if_match))

    def abandon(self, match_id: str, *, if_match: int | None = None) -> Match:
        """End a match that will not be finished."""
        return cast(Match, self._post(_of(match_id, "abandon"), None, if_match))

    def reopen(self, match_id: str, *, if_match: int | None = None) -> Match:
        """Go on with an abandoned match."""
        return cast(Match, self._post(_of(match_id, "reopen"), None, if_match))

    def events(self, match_id: str) -> Iterator[Event]:
        """Everything that was ever recorded, in order, as it arrives."""
        return cast(Iterator[Event], self._lines(_of(match_id, "events")))

    def follow(self, match_id: str, *, since: int | None = None) -> Generator[Change, None, None]:
        """What happens to a match from now on, or from behind a version, as it happens; without end.

        A connection that breaks is taken up again. What was missed then comes as one `changed`; `details` and
        `annotations` come in any case, because whether they changed meanwhile is not known.
        """
        path = _of(match_id, "stream")
        is_again = False
        while True:
            known = {} if since is None else {"Last-Event-ID": str(since)}
            with self._send("GET", path, headers=known, accept=EVENT_STREAM, stream=True) as response:
                if is_again:
                    yield {"event": "details", "data": {}}
                    yield {"event": "annotations", "data": {}}
                for name, event_id, data in _server_sent(response):
                    since = int(event_id) if event_id else since
                    if name:
                        yield {"event": name, "data": json.loads(data or "{}")}
                    if name == "gone":
                        return
            is_again = True
            time.sleep(FIRST_WAIT)

    def verify(self, match_id: str) -> Verification:
        """Check the chain of hashes and the edition."""
        return cast(Verification, self._get(_of(match_id, "verify")))

    # Moves

    def record(
        self,
        match_id: str,
        seat: str,
        move: Move,
        *,
        reason: str | None = None,
        if_match: int | None = None,
        legal_moves: bool = False,
    ) -> Position:
        """Record one move; with a reason as a table ruling. `legal_moves` asks for what may follow."""
        return self._record(match_id, _entry(seat, move, reason), if_match, legal_moves=legal_moves)

    def record_all(
        self, match_id: str, moves: Iterable[Entry], *, if_match: int | None = None, legal_moves: bool = False
    ) -> Position:
        """Record several moves, all or none."""
        return self._record(match_id, {"moves": list(moves)}, if_match, legal_moves=legal_moves)

    def check(self, match_id: str, moves: Iterable[Entry], *, legal_moves: bool = False) -> Checked:
        """Say whether moves would be recorded, and why not; stores nothing."""
        answer = self._post(_of(match_id, "moves/check"), {"moves": list(moves)}, query=_including(legal_moves))
        return cast(Checked, answer)

    def legal_moves(self, match_id: str) -> LegalMoves:
        """What the seat to move may do."""
        return cast(LegalMoves, self._get(_of(match_id, "legal-moves")))

    def undo(self, match_id: str, to_ply: int, *, if_match: int | None = None) -> Position:
        """Take back the last moves."""
        return cast(Position, self._post(_of(match_id, "undo"), {"to_ply": to_ply}, if_match))

    def restore(self, match_id: str, version: int, *, if_match: int | None = None) -> Position:
        """Bring back the moves and the set-up of an earlier version."""
        return cast(Position, self._post(_of(match_id, "restore"), {"version": version}, if_match))

    def correct(
        self,
        match_id: str,
        ply: int,
        action: Literal["replace", "insert", "remove"],
        move: Move | None = None,
        *,
        seat: str | None = None,
        reason: str | None = None,
        **options: Unpack[CorrectionOptions],
    ) -> Correction:
        """Replace, insert or remove an earlier move and keep the rest.

        Later moves that no longer fit raise `Conflict`, or are cut off if `truncate` says so.
        """
        ruling = None if reason is None else {"reason": reason}
        body = {"ply": ply, "action": action, **_given({"move": move, "seat": seat, "ruling": ruling})}
        return self._correct(match_id, body, **options)

    def correct_setup(
        self, match_id: str, setup: Mapping[str, Any], **options: Unpack[CorrectionOptions]
    ) -> Correction:
        """Change the set-up and keep the moves, as `correct` does."""
        return self._correct(match_id, {"ply": 0, "setup": setup}, **options)

    # Replay

    def state(self, match_id: str, *, lang: str | None = None) -> Frame:
        """The frame after the last move."""
        return cast(Frame, self._get(_of(match_id, "state"), {"lang": lang}))

    def replay(
        self,
        match_id: str,
        *,
        first: int | None = None,
        last: int | None = None,
        version: int | None = None,
        lang: str | None = None,
        fields: Sequence[str] = (),
    ) -> Iterator[Frame]:
        """The frames from ply `first` to ply `last` as they arrive; `fields` names the members wanted."""
        query = {"from": first, "to": last, "version": version, "lang": lang, "fields": ",".join(fields) or None}
        return cast(Iterator[Frame], self._lines(_of(match_id, "replay"), query))

    def frame(self, match_id: str, ply: int, *, version: int | None = None, lang: str | None = None) -> Frame:
        """One frame."""
        return cast(Frame, self._get(_of(match_id, f"replay/{ply}"), {"version": version, "lang": lang}))

    def board_svg(self, match_id: str, ply: int, *, version: int | None = None, lang: str | None = None) -> str:
        """A picture of the board, the last move marked."""
        query = {"version": version, "lang": lang}
        path = _of(match_id, f"replay/{ply}/board.svg")
        return self._send("GET", path, query=query, accept="image/svg+xml").content.decode()

    def score(self, match_id: str, ply: int, *, version: int | None = None, lang: str | None = None) -> Score:
        """Where each point comes from."""
        return cast(Score, self._get(_of(match_id, f"replay/{ply}/score"), {"version": version, "lang": lang}))

    # Annotations

    def annotate(
        self,
        match_id: str,
        ply: int,
        text: str = "",
        *,
        glyph: str | None = None,
        marks: Sequence[Mark] = (),
        line: Sequence[Entry] = (),
    ) -> Annotation:
        """Add a note to the move of a ply; `line` is what might have followed it."""
        body = {"ply": ply, "text": text, "glyph": glyph, "marks": list(marks), "line": list(line)}
        return cast(Annotation, self._post(_of(match_id, "annotations"), body))

    def annotations(self, match_id: str) -> list[Annotation]:
        """The annotations of a match, those whose move has left it too."""
        return cast(list[Annotation], self._get(_of(match_id, "annotations"))["items"])

    def annotation(self, annotation_id: str) -> Annotation:
        """One annotation."""
        return cast(Annotation, self._get(f"/annotations/{annotation_id}"))

    def change_annotation(self, annotation_id: str, changes: Mapping[str, Any]) -> Annotation:
        """Change `text`, `glyph`, `marks` or `line`; earlier wordings are kept."""
        return cast(Annotation, self._change("PATCH", f"/annotations/{annotation_id}", changes))

    def delete_annotation(self, annotation_id: str) -> None:
        """Take an annotation out of the lists; its history is kept."""
        self._send("DELETE", f"/annotations/{annotation_id}")

    def annotation_history(self, annotation_id: str) -> list[Wording]:
        """All wordings that an annotation had."""
        return cast(list[Wording], self._get(f"/annotations/{annotation_id}/history")["items"])

    # Players

    def players(self, *, name: str | None = None, page: int | None = None) -> Iterator[Player]:
        """All players whose name begins so, by name, asked for in pages."""
        return cast(Iterator[Player], self._pages("/players", {"name": name, "limit": page}))

    def player(self, player_id: str) -> Player:
        """A player; an id that was merged answers with the survivor."""
        return cast(Player, self._get(f"/players/{player_id}"))

    def rename_player(self, player_id: str, name: str) -> Player:
        """Give a player another name, in all matches."""
        return cast(Player, self._change("PATCH", f"/players/{player_id}", {"name": name}))

    def merge_player(self, player_id: str, into: str) -> Player:
        """Let two entries be one person; answers with the survivor."""
        return cast(Player, self._post(f"/players/{player_id}/merge", {"into": into}))

    def unmerge_player(self, player_id: str) -> Player:
        """Take a merge back."""
        return cast(Player, self._change("DELETE", f"/players/{player_id}/merge", None))

    def player_history(self, player_id: str) -> list[PlayerChange]:
        """All that an entry was called and merged into."""
        return cast(list[PlayerChange], self._get(f"/players/{player_id}/history")["items"])

    # What all methods share

    def _record(self, match_id: str, body: Mapping[str, Any], if_match: int | None, *, legal_moves: bool) -> Position:
        return cast(Position, self._post(_of(match_id, "moves"), body, if_match, _including(legal_moves)))

    def _correct(self, match_id: str, body: dict[str, Any], **options: Unpack[CorrectionOptions]) -> Correction:
        body |= {
            "on_conflict": "truncate" if options.get("truncate") else "refuse",
            "dry_run": options.get("dry_run", False),
        }
        return cast(Correction, self._post(_of(match_id, "corrections"), body, options.get("if_match")))

    def _get(self, path: str, query: Mapping[str, Any] | None = None) -> dict[str, Any]:
        return _json(self._send("GET", path, query=query))

    def _post(
        self,
        path: str,
        body: Mapping[str, Any] | None,
        if_match: int | None = None,
        query: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        headers = {"Idempotency-Key": str(uuid4()), **_precondition(if_match)}
        return _json(self._send("POST", path, query=query, body=body, headers=headers))

    def _change(
        self, method: str, path: str, body: Mapping[str, Any] | None, if_match: int | None = None
    ) -> dict[str, Any]:
        return _json(self._send(method, path, body=body, headers=_precondition(if_match)))

    def _pages(self, path: str, query: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        cursor: str | None = None
        while True:
            found = self._get(path, {**query, "cursor": cursor})
            yield from found["items"]
            cursor = found["next"]
            if cursor is None:
                return

    def _lines(self, path: str, query: Mapping[str, Any] | None = None) -> Iterator[dict[str, Any]]:
        with self._send("GET", path, query=query, accept=NDJSON, stream=True) as response:
            try:
                for line in response.iter_lines(2**16):
                    yield json.loads(line)
            except (requests.RequestException, ValueError) as error:
                raise Unreachable(f"The answer of {self.base_url} broke off: {error}") from error

    def _send(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        accept: str = "application/json",
        stream: bool = False,
    ) -> requests.Response:
        """What the service answers; raise `ClientError`."""

        def once() -> requests.Response:
            return self._session.request(
                method,
                f"{self.base_url}/api/v1{path}",
                params=_given(query or {}),
                json=body,
                headers={"Accept": f"{accept}, {PROBLEM}", **(headers or {})},
                timeout=self._timeout,
                stream=stream,
                allow_redirects=False,
            )

        return self._repeat(once, self._attempts if method in _REPEATED else 1)

    def _repeat(self, once: Callable[[], requests.Response], attempts: int) -> requests.Response:
        """The answer to a request that is sent again where none came, or where the service asks to wait."""
        for attempt in range(1, attempts):
            wait = FIRST_WAIT * 2 ** (attempt - 1)
            try:
                return self._answer(once)
            except Lost:
                pass
            except Unavailable as problem:
                if problem.retry_after is None or problem.retry_after > LONGEST_WAIT:
                    raise
                wait = max(wait, problem.retry_after)
            time.sleep(min(wait, LONGEST_WAIT))
        return self._answer(once)

    def _answer(self, once: Callable[[], requests.Response]) -> requests.Response:
        try:
            response = once()
        except _LOST as error:
            raise Lost(f"{self.base_url} does not answer: {error}") from error
        except requests.RequestException as error:
            raise Unreachable(f"{self.base_url} cannot be asked: {error}") from error
        if 200 <= response.status_code < 300:
            return response
        with response:
            raise _problem(response)

    def _sign(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        if self._token is not None:
            request.headers["Authorization"] = f"Bearer {self._token}"
        return request


FIRST_WAIT = 0.2
LONGEST_WAIT = 10.0
"""Seconds between two attempts: doubled each time, or what the service asks for, but never longer."""

_REPEATED = frozenset({"GET", "POST"})

_LOST = (requests.ConnectionError, requests.Timeout, requests.exceptions.ChunkedEncodingError)


def _of(match_id: str, part: str | None = None) -> str:
    return f"/matches/{match_id}" if part is None else f"/matches/{match_id}/{part}"


def _entry(seat: str, move: Move, reason: str | None) -> Entry:
    return (
        {"seat": seat, "move": move} if reason is None else {"seat": seat, "move": move, "ruling": {"reason": reason}}
    )


def _including(legal_moves: bool) -> dict[str, str]:
    return {"include": "legal_moves"} if legal_moves else {}


def _precondition(version: int | None) -> dict[str, str]:
    return {} if version is None else {"If-Match": f'"{version}"'}


def _text(moment: Moment | None) -> str | None:
    return moment.isoformat() if isinstance(moment, date) else moment


def _given(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _json(response: requests.Response) -> dict[str, Any]:
    try:
        answer = response.json()
    except requests.JSONDecodeError:
        answer = None
    if not isinstance(answer, dict):
        raise Unreachable(f"What answers at {response.url} is not Carnet.")
    return answer


def _server_sent(response: requests.Response) -> Iterator[tuple[str, str, str]]:
    """Name, id and data of events, until the connection ends one way or another."""
    said: dict[str, str] = {}
    try:
        for line in response.iter_lines(chunk_size=1):
            if not line:
                yield said.get("event", ""), said.get("id", ""), said.get("data", "")
                said = {}
                continue
            name, _, value = line.decode().partition(":")
            said[name] = value.removeprefix(" ")
    except requests.RequestException:
        return


def _problem(response: requests.Response) -> ApiProblem:
    try:
        document = response.json()
    except requests.RequestException:
        document = None
    if not isinstance(document, dict):
        document = {"title": response.reason or f"Status {response.status_code}"}
    kind = _BY_TYPE.get(str(document.get("type"))) or _BY_STATUS.get(response.status_code, ApiProblem)
    return kind(response.status_code, document, _seconds(response.headers.get("Retry-After")))


def _seconds(retry_after: str | None) -> float | None:
    return float(retry_after) if retry_after is not None and retry_after.isascii() and retry_after.isdigit() else None
