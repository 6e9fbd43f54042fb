"""One method for each route of the API."""

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from datetime import date
from types import TracebackType
from typing import Any, Literal, Self, TypeAlias, Unpack, cast

from requests.adapters import BaseAdapter

from .connection import Connection
from .documents import (
    Account,
    Anchor,
    AnchorProof,
    Annotation,
    AuditEntry,
    ChangedMatches,
    Checked,
    Comparison,
    Correction,
    Details,
    EditionSummary,
    Entry,
    Event,
    Frame,
    FramePart,
    Game,
    GameDetails,
    HiddenAnnotations,
    Import,
    ImportItem,
    Invitation,
    KnownName,
    LegalMoves,
    Mark,
    Match,
    MatchLink,
    MatchResult,
    MatchSummary,
    MatchTimes,
    Me,
    Move,
    NewlyMadeInvitation,
    NewlyMadeMatchLink,
    NewlyMadeSignInLink,
    NewlyMadeToken,
    Player,
    PlayerChange,
    Position,
    Role,
    Scope,
    Score,
    Seated,
    Session,
    SignInLink,
    Token,
    Undoing,
    Verification,
    Visibility,
    Wording,
)
from .options import (
    Change,
    CorrectionOptions,
    GameStatisticsFilters,
    MatchFilters,
    Moment,
    NewDetails,
    StatisticsFilters,
    StatisticsOrder,
)

FileForm: TypeAlias = Literal["json", "text", "bgsplay", "csv"]
MatchFileForm: TypeAlias = Literal["json", "text", "bgsplay", "csv", "html"]


class Client:
    """A connection to one service, for one thread.

    `token` is the bearer token, `timeout` the seconds to wait for a sign of the service, and `attempts` how often a
    repeatable request is sent at most.
    """

    def __init__(
        self,
        base_url: str,
        token: str | None = None,
        *,
        timeout: float = 30,
        attempts: int = 5,
        adapter: BaseAdapter | None = None,
    ) -> None:
        """`adapter` sends the requests in place of the network."""
        self._service = Connection(base_url, token, timeout, attempts, adapter)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    @property
    def base_url(self) -> str:
        """The base URL of the service."""
        return self._service.base_url

    def close(self) -> None:
        """Close the session."""
        self._service.close()

    def is_ready(self) -> bool:
        """Whether the service and its database are ready; raise `Unreachable` if the service is not reachable."""
        return self._service.is_ready()

    # Games and editions

    def games(self) -> list[Game]:
        """All games."""
        return cast(list[Game], list(self._service.pages("/games", {})))

    def game(self, game: str, *, lang: str | None = None) -> GameDetails:
        """One game with the JSON Schemas of its set-up, moves and state, and definitions in a language."""
        return cast(GameDetails, self._service.get(f"/games/{game}", {"lang": lang}))

    def editions(self, game: str) -> list[EditionSummary]:
        """The editions of a game that the principal may read."""
        return cast(list[EditionSummary], list(self._service.pages(f"/games/{game}/editions", {})))

    def edition(self, game: str, edition: str) -> dict[str, Any]:
        """An edition, each value with its source."""
        return self._service.get(f"/games/{game}/editions/{edition}")

    def match_edition(self, match_id: str, *, version: int | None = None) -> dict[str, Any]:
        """The edition of a match, now or at a version."""
        return self._service.get(_of(match_id, "edition"), {"version": version})

    def create_edition(self, game: str, title: str, based_on: str, changes: Mapping[str, Any]) -> dict[str, Any]:
        """Make an edition that differs from another by a merge patch."""
        return self._service.post(f"/games/{game}/editions", {"title": title, "based_on": based_on, "changes": changes})

    # Matches

    def create_match(
        self,
        game: str,
        players: Sequence[Seated],
        setup: Mapping[str, Any],
        *,
        edition: str | None = None,
        **details: Unpack[NewDetails],
    ) -> Match:
        """Begin a match; an unknown name adds a player."""
        filled = {
            **details,
            "played_at": _text(details.get("played_at")),
            "tags": list(details.get("tags", ())) or None,
        }
        body = {"game": game, "players": list(players), "setup": setup, **_given({"edition": edition, **filled})}
        return cast(Match, self._service.post("/matches", body))

    def matches(self, *, page: int | None = None, **filters: Unpack[MatchFilters]) -> Iterator[MatchSummary]:
        """All matches that fit the filters, newest first, fetched in pages of `page`."""
        return cast(Iterator[MatchSummary], self._service.pages("/matches", {**_filters(filters), "limit": page}))

    def change_visibilities(self, to: Visibility, **filters: Unpack[MatchFilters]) -> ChangedMatches:
        """Change the visibility of at most 100 matches that fit and that you manage; repeat while some are left."""
        return cast(
            ChangedMatches,
            self._service.change("PATCH", "/matches", {"visibility": to}, query=_filters(filters)),
        )

    def match(self, match_id: str) -> Match:
        """A match with its set-up."""
        return cast(Match, self._service.get(_of(match_id)))

    def change_match(self, match_id: str, changes: Mapping[str, Any], *, if_match: int | str | None = None) -> Match:
        """Change `played_at`, `venue`, `tags`, `visibility` or `rulings_in_statistics` by a merge patch.

        None takes a value away.

        `if_match` is the version, or once anything beside the log was changed version and revision, such as `"12.3"`.
        """
        return cast(Match, self._service.change("PATCH", _of(match_id), changes, if_match))

    def details(self, match_id: str) -> list[Details]:
        """All versions of the details of a match, oldest first."""
        return cast(list[Details], list(self._service.pages(_of(match_id, "details"), {})))

    def assign_players(self, match_id: str, players: Sequence[Seated], *, if_match: int | None = None) -> Match:
        """Change who plays in which seat."""
        return cast(Match, self._service.change("PUT", _of(match_id, "players"), {"players": list(players)}, if_match))

    def withdraw(self, match_id: str, *, if_match: int | str | None = None) -> Match:
        """Hide a match that was entered by mistake."""
        return cast(Match, self._service.post(_of(match_id, "withdraw"), None, if_match))

    def take_back_withdrawal(self, match_id: str, *, if_match: int | str | None = None) -> Match:
        """Show a hidden match again."""
        return cast(Match, self._service.change("DELETE", _of(match_id, "withdraw"), None, if_match))

    def abandon(self, match_id: str, *, if_match: int | None = None) -> Match:
        """End a match that will not be finished."""
        return cast(Match, self._service.post(_of(match_id, "abandon"), None, if_match))

    def reopen(self, match_id: str, *, if_match: int | None = None) -> Match:
        """Reopen an abandoned match."""
        return cast(Match, self._service.post(_of(match_id, "reopen"), None, if_match))

    def accept_rules(self, match_id: str, *, if_match: int | None = None) -> Match:
        """Accept a match that is in conflict with the current rules as these have it."""
        return cast(Match, self._service.post(_of(match_id, "rules-conflict/accept"), None, if_match))

    def events(self, match_id: str) -> Iterator[Event]:
        """The events of the log in order, as they arrive."""
        return cast(Iterator[Event], self._service.lines(_of(match_id, "events")))

    def log(self, match_id: str, *, lang: str | None = None) -> Iterator[dict[str, Any]]:
        """The log of a match as sentences."""
        return self._service.pages(_of(match_id, "log"), {"lang": lang})

    def follow(self, match_id: str, *, since: int | None = None) -> Generator[Change, None, None]:
        """Follow a match from now on, or from after a version, without end.

        A lost connection is opened again. What was missed then comes as one `changed`; `details` and
        `annotations` are always sent, because they may have changed meanwhile.
        """
        return cast(Generator[Change, None, None], self._service.follow(_of(match_id, "stream"), since))

    def verify(self, match_id: str) -> Verification:
        """Verify the hash chain and the edition."""
        return cast(Verification, self._service.get(_of(match_id, "verify")))

    def anchors(self) -> Iterator[Anchor]:
        """Signed digests over all logs, the newest first."""
        return cast(Iterator[Anchor], self._service.pages("/anchors", {}))

    def anchor_proof(self, match_id: str, number: int) -> AnchorProof:
        """The proof that an anchor covers a match."""
        return cast(AnchorProof, self._service.get(_of(match_id, f"anchors/{number}")))

    def times(self, match_id: str) -> MatchTimes:
        """When the moves were entered, and how long each seat thought, as far as that is known."""
        return cast(MatchTimes, self._service.get(_of(match_id, "times")))

    def result(self, match_id: str) -> MatchResult:
        """How a finished match ended: ranking, points by kind, turning point, what was new, ratings and duration."""
        return cast(MatchResult, self._service.get(_of(match_id, "result")))

    def check_paper(self, match_id: str, notes: Sequence[Mapping[str, Any]]) -> Comparison:
        """Compare points on paper with the moves; a note has `points` by seat, perhaps `ply` and `category`."""
        return cast(Comparison, self._service.post(_of(match_id, "paper/check"), {"notes": list(notes)}))

    # Files

    def export_match(self, match_id: str, form: MatchFileForm = "json", *, times: bool = False) -> bytes:
        """A match as a file: its document, its text, its result for other programs, or a replay for browsers."""
        query = {"format": form, **({"times": "1"} if times else {})}
        return b"".join(self._service.blocks(_of(match_id, "export"), query)[1])

    def export(
        self, form: FileForm = "json", *, changed_since: str | None = None, **filters: Unpack[MatchFilters]
    ) -> tuple[str, Iterator[bytes]]:
        """Matches as one file in parts, and the cursor with which the next export tells what has changed since."""
        wanted = {name: value for name, value in _filters(filters).items() if name != "mine"}
        headers, parts = self._service.blocks("/export", {**wanted, "format": form, "since": changed_since})
        return headers.get("Carnet-Cursor", ""), parts

    def play_link(self, match_id: str) -> str:
        """The address that adds a finished match to Board Game Stats."""
        return str(self._service.get(_of(match_id, "export/play-link")).get("url"))

    def import_file(
        self,
        file: bytes,
        *,
        dry_run: bool = False,
        extend: bool = False,
        visibility: Visibility | None = None,
        tz: str | None = None,
    ) -> Import:
        """Take the matches of a file over; one that broke off goes on if it is sent again."""
        flags = {"dry_run": "1" if dry_run else None, "extend": "1" if extend else None}
        query = _given({**flags, "visibility": visibility, "tz": tz})
        return cast(Import, self._service.upload("/matches/import", file, query))

    def imports(self) -> list[Import]:
        """Your imports, the newest first."""
        return cast(list[Import], list(self._service.pages("/imports", {})))

    def import_report(self, import_id: str) -> Import:
        """What became of the matches of a file."""
        return cast(Import, self._service.get(f"/imports/{import_id}"))

    def import_items(self, import_id: str) -> Iterator[ImportItem]:
        """What became of each match of a file."""
        return cast(Iterator[ImportItem], self._service.pages(f"/imports/{import_id}/items", {}))

    def undo_import(self, import_id: str) -> Undoing:
        """Take a whole import back."""
        return cast(Undoing, self._service.post(f"/imports/{import_id}/undo", None))

    def file_names(self) -> list[KnownName]:
        """Who is meant by names in files, as you have said it before."""
        return cast(list[KnownName], list(self._service.pages("/imports/names", {})))

    def map_file_name(self, system: str, name: str, player_id: str | None) -> None:
        """Say who is meant by a name in files of a kind; None forgets it."""
        body = {"names": [{"system": system, "name": name, "player_id": player_id}]}
        self._service.replace("/imports/names", body)

    # Moves

    def record(
        self,
        match_id: str,
        seat: str,
        move: Move,
        *,
        reason: str | None = None,
        entered_at: Moment | None = None,
        if_match: int | None = None,
        legal_moves: bool = False,
    ) -> Position:
        """Record one move; with a reason as a table ruling. `legal_moves` asks for what may follow."""
        entry = _entry(seat, move, reason)
        if entered_at is not None:
            entry["entered_at"] = str(_text(entered_at))
        return self._record(match_id, entry, if_match, legal_moves=legal_moves)

    def record_all(
        self, match_id: str, moves: Iterable[Entry], *, if_match: int | None = None, legal_moves: bool = False
    ) -> Position:
        """Record several moves, all or none."""
        return self._record(match_id, {"moves": list(moves)}, if_match, legal_moves=legal_moves)

    def check(
        self, match_id: str, moves: Iterable[Entry], *, legal_moves: bool = False, points: bool = False
    ) -> Checked:
        """Check whether moves would be recorded, and why not; stores nothing.

        `legal_moves` asks for what may follow, `points` also for what each of that would give.
        """
        query = {"include": "points"} if points else _including(legal_moves)
        answer = self._service.post(_of(match_id, "moves/check"), {"moves": list(moves)}, query=query)
        return cast(Checked, answer)

    def legal_moves(self, match_id: str, *, ply: int | None = None, points: bool = False) -> LegalMoves:
        """The legal moves of the seat to move, by default after the last ply. `points` asks what each would give."""
        query = {"ply": ply, "include": "points" if points else None}
        return cast(LegalMoves, self._service.get(_of(match_id, "legal-moves"), query))

    def undo(self, match_id: str, to_ply: int, *, if_match: int | None = None) -> Position:
        """Take back the last moves."""
        return cast(Position, self._service.post(_of(match_id, "undo"), {"to_ply": to_ply}, if_match))

    def restore(self, match_id: str, version: int, *, if_match: int | None = None) -> Position:
        """Bring back the moves and the set-up of an earlier version."""
        return cast(Position, self._service.post(_of(match_id, "restore"), {"version": version}, if_match))

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
        """Change the set-up and keep the moves, like `correct`."""
        return self._correct(match_id, {"ply": 0, "setup": setup}, **options)

    def change_edition(self, match_id: str, edition: str, **options: Unpack[CorrectionOptions]) -> Correction:
        """Go on with another edition of the game and keep the moves, like `correct`."""
        return self._correct(match_id, {"ply": 0, "edition": edition}, **options)

    def correct_edition(
        self,
        match_id: str,
        changes: Mapping[str, Any],
        *,
        title: str | None = None,
        **options: Unpack[CorrectionOptions],
    ) -> Correction:
        """Correct printed values for this match alone by a merge patch and keep the moves, like `correct`."""
        body = {"ply": 0, "edition_changes": changes, **_given({"edition_title": title})}
        return self._correct(match_id, body, **options)

    # Replay

    def state(self, match_id: str, *, lang: str | None = None) -> Frame:
        """The frame after the last move."""
        return cast(Frame, self._service.get(_of(match_id, "state"), {"lang": lang}))

    def replay(
        self,
        match_id: str,
        *,
        first: int | None = None,
        last: int | None = None,
        version: int | None = None,
        lang: str | None = None,
        fields: Sequence[str] = (),
    ) -> Iterator[FramePart]:
        """The frames from ply `first` to ply `last` as they arrive; `fields` selects members."""
        query = {"from": first, "to": last, "version": version, "lang": lang, "fields": ",".join(fields) or None}
        return cast(Iterator[FramePart], self._service.lines(_of(match_id, "replay"), query))

    def frame(self, match_id: str, ply: int, *, version: int | None = None, lang: str | None = None) -> Frame:
        """One frame."""
        return cast(Frame, self._service.get(_of(match_id, f"replay/{ply}"), {"version": version, "lang": lang}))

    def board_svg(self, match_id: str, ply: int, *, version: int | None = None, lang: str | None = None) -> str:
        """The board as SVG, with the last move marked."""
        query = {"version": version, "lang": lang}
        return self._service.get_text(_of(match_id, f"replay/{ply}/board.svg"), "image/svg+xml", query)

    def score(self, match_id: str, ply: int, *, version: int | None = None, lang: str | None = None) -> Score:
        """The score, with the reason of each point."""
        return cast(Score, self._service.get(_of(match_id, f"replay/{ply}/score"), {"version": version, "lang": lang}))

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
        """Add a note to the move of a ply; `line` is a what-if line."""
        body = {"ply": ply, "text": text, "glyph": glyph, "marks": list(marks), "line": list(line)}
        return cast(Annotation, self._service.post(_of(match_id, "annotations"), body))

    def annotations(self, match_id: str) -> list[Annotation]:
        """The annotations of a match, including those whose move has left the timeline."""
        return cast(list[Annotation], list(self._service.pages(_of(match_id, "annotations"), {})))

    def annotation(self, annotation_id: str) -> Annotation:
        """One annotation."""
        return cast(Annotation, self._service.get(f"/annotations/{annotation_id}"))

    def change_annotation(self, annotation_id: str, changes: Mapping[str, Any]) -> Annotation:
        """Change `text`, `glyph`, `marks` or `line`; earlier wordings are kept."""
        return cast(Annotation, self._service.change("PATCH", f"/annotations/{annotation_id}", changes))

    def delete_annotation(self, annotation_id: str) -> None:
        """Delete an annotation; its history is kept."""
        self._service.delete(f"/annotations/{annotation_id}")

    def restore_annotation(self, annotation_id: str) -> Annotation:
        """Restore a deleted annotation of your own."""
        return cast(Annotation, self._service.post(f"/annotations/{annotation_id}/restore", None))

    def hide_annotation(self, annotation_id: str) -> Annotation:
        """Hide an annotation; only its author and managers of the match see it then."""
        return cast(Annotation, self._service.post(f"/annotations/{annotation_id}/hide", None))

    def hide_annotations(self, match_id: str, author: str | None) -> HiddenAnnotations:
        """Hide all annotations of an author in a match."""
        return cast(HiddenAnnotations, self._service.post(_of(match_id, "annotations/hide"), {"author": author}))

    def show_annotation(self, annotation_id: str) -> Annotation:
        """Show a hidden annotation again."""
        return cast(Annotation, self._service.change("DELETE", f"/annotations/{annotation_id}/hide", None))

    def annotation_history(self, annotation_id: str) -> list[Wording]:
        """All versions of an annotation."""
        return cast(list[Wording], list(self._service.pages(f"/annotations/{annotation_id}/history", {})))

    # Players

    def players(self, *, name: str | None = None, page: int | None = None) -> Iterator[Player]:
        """All players whose name begins like this, by name, fetched in pages."""
        return cast(Iterator[Player], self._service.pages("/players", {"name": name, "limit": page}))

    def player(self, player_id: str) -> Player:
        """A player; a merged id returns the survivor."""
        return cast(Player, self._service.get(f"/players/{player_id}"))

    def rename_player(self, player_id: str, name: str) -> Player:
        """Rename a player in all matches."""
        return cast(Player, self._service.change("PATCH", f"/players/{player_id}", {"name": name}))

    def merge_player(self, player_id: str, into: str) -> Player:
        """Merge two entries of one person; returns the survivor."""
        return cast(Player, self._service.post(f"/players/{player_id}/merge", {"into": into}))

    def unmerge_player(self, player_id: str) -> Player:
        """Undo a merge."""
        return cast(Player, self._service.change("DELETE", f"/players/{player_id}/merge", None))

    def player_history(self, player_id: str) -> list[PlayerChange]:
        """All names and merges of an entry."""
        return cast(list[PlayerChange], list(self._service.pages(f"/players/{player_id}/history", {})))

    def anonymise_player(self, player_id: str) -> Player:
        """Remove the names of a player for good."""
        return cast(Player, self._service.post(f"/players/{player_id}/anonymise", None))

    # Statistics

    def player_statistics(
        self,
        *,
        sort: StatisticsOrder | None = None,
        page: int | None = None,
        **filters: Unpack[StatisticsFilters],
    ) -> Iterator[dict[str, Any]]:
        """All players with their matches, wins and wins above expectation, fetched in pages."""
        query = {**_filters(filters), "sort": sort, "limit": page}
        return self._service.pages("/stats/players", query)

    def statistics_of_player(self, player_id: str, **filters: Unpack[StatisticsFilters]) -> dict[str, Any]:
        """The statistics of a player."""
        return self._service.get(f"/stats/players/{player_id}", _filters(filters))

    def rating_history(self, player_id: str, **filters: Unpack[StatisticsFilters]) -> dict[str, Any]:
        """The rating of a player after each match."""
        return self._service.get(f"/stats/players/{player_id}/ratings", _filters(filters))

    def head_to_head(self, a: str, b: str, **filters: Unpack[StatisticsFilters]) -> dict[str, Any]:
        """Two players in the matches that both played."""
        return self._service.get("/stats/head-to-head", {**_filters(filters), "a": a, "b": b})

    def statistics_of_game(self, game: str, **filters: Unpack[GameStatisticsFilters]) -> dict[str, Any]:
        """Length, points, lead changes, draws and advantages."""
        return self._service.get(f"/stats/games/{game}", _filters(filters))

    def conventions(self, *, lang: str | None = None) -> dict[str, str]:
        """What the terms of statistics mean, in one sentence each."""
        return {
            item["term"]: item["about"] for item in self._service.get("/stats/conventions", {"lang": lang})["items"]
        }

    def features(self, game: str, **filters: Unpack[GameStatisticsFilters]) -> dict[str, Any]:
        """What goes with winning."""
        return self._service.get(f"/stats/games/{game}/features", _filters(filters))

    def openings(
        self,
        game: str,
        *,
        under: str | None = None,
        depth: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        **filters: Unpack[GameStatisticsFilters],
    ) -> dict[str, Any]:
        """The tree of first moves below a node; `next` of an answer is the `cursor` of the next page of it."""
        query = {**_filters(filters), "under": under, "depth": depth, "limit": limit, "cursor": cursor}
        return self._service.get(f"/stats/games/{game}/openings", query)

    def ratings(self, *, page: int | None = None, **filters: Unpack[StatisticsFilters]) -> Iterator[dict[str, Any]]:
        """All players by their rating, fetched in pages."""
        return self._service.pages("/stats/ratings", {**_filters(filters), "limit": page})

    def rating_calibration(self, *, game: str | None = None, population: str | None = None) -> dict[str, Any]:
        """What ratings predicted of matches, and how these ended."""
        return self._service.get("/stats/ratings/calibration", {"game": game, "population": population})

    # Who may do what

    def me(self) -> Me:
        """The principal and their rights."""
        return cast(Me, self._service.get("/me"))

    def tokens(self) -> list[Token]:
        """Your tokens."""
        return cast(list[Token], list(self._service.pages("/tokens", {})))

    def create_token(self, label: str, scopes: Sequence[Scope], *, expires_at: Moment | None = None) -> NewlyMadeToken:
        """Make a token, which can do no more than the one that makes it."""
        body = {"label": label, "scopes": list(scopes), **_given({"expires_at": _text(expires_at)})}
        return cast(NewlyMadeToken, self._service.post("/tokens", body))

    def revoke_token(self, token_id: str) -> None:
        """Revoke a token."""
        self._service.delete(f"/tokens/{token_id}")

    def sessions(self) -> list[Session]:
        """The sessions of your account in browsers."""
        return cast(list[Session], list(self._service.pages("/sessions", {})))

    def end_session(self, session_id: str) -> None:
        """Sign out in one browser."""
        self._service.delete(f"/sessions/{session_id}")

    def end_sessions(self) -> None:
        """Sign out in all browsers; tokens stay."""
        self._service.delete("/sessions")

    def end_sessions_of_account(self, account_id: str) -> None:
        """Sign an account out in all browsers."""
        self._service.delete(f"/accounts/{account_id}/sessions")

    def accounts(self) -> list[Account]:
        """All accounts for an owner, for others their own and those of people they met."""
        return cast(list[Account], list(self._service.pages("/accounts", {})))

    def audit(self, *, account: str | None = None, act: str | None = None) -> Iterator[AuditEntry]:
        """The audit trail of sign-ins and changes of rights, newest first."""
        return cast(Iterator[AuditEntry], self._service.pages("/audit", {"account": account, "act": act}))

    def change_account(self, account_id: str, changes: Mapping[str, Any]) -> Account:
        """Change `name`, `role` or `player_id` by a merge patch; None unlinks the player."""
        return cast(Account, self._service.change("PATCH", f"/accounts/{account_id}", changes))

    def close_account(self, account_id: str) -> None:
        """Close an account, with its sessions and tokens."""
        self._service.delete(f"/accounts/{account_id}")

    def create_sign_in_link(self, account_id: str) -> NewlyMadeSignInLink:
        """Make a one-time link to sign in on another device."""
        return cast(NewlyMadeSignInLink, self._service.post(f"/accounts/{account_id}/sign-in-links", None))

    def sign_in_links(self, account_id: str) -> list[SignInLink]:
        """The unopened sign-in links of an account."""
        return cast(list[SignInLink], list(self._service.pages(f"/accounts/{account_id}/sign-in-links", {})))

    def revoke_sign_in_link(self, account_id: str, link_id: str) -> None:
        """Revoke a sign-in link."""
        self._service.delete(f"/accounts/{account_id}/sign-in-links/{link_id}")

    def invitations(self) -> list[Invitation]:
        """The open invitations."""
        return cast(list[Invitation], list(self._service.pages("/invitations", {})))

    def invite(self, name: str, *, role: Role = "member", player_id: str | None = None) -> NewlyMadeInvitation:
        """Make an invitation, perhaps for an existing player."""
        body = {"name": name, "role": role, **_given({"player_id": player_id})}
        return cast(NewlyMadeInvitation, self._service.post("/invitations", body))

    def revoke_invitation(self, invitation_id: str) -> None:
        """Revoke an invitation."""
        self._service.delete(f"/invitations/{invitation_id}")

    def rights(self, match_id: str) -> list[Scope]:
        """Your rights on a match."""
        return cast(list[Scope], self._service.get(_of(match_id, "rights")).get("rights"))

    def links(self, match_id: str) -> list[MatchLink]:
        """The links of a match."""
        return cast(list[MatchLink], list(self._service.pages(_of(match_id, "links"), {})))

    def create_link(
        self, match_id: str, allows: Literal["read", "record"], *, label: str | None = None
    ) -> NewlyMadeMatchLink:
        """Make a link by which people without an account read an unlisted match, or record a match."""
        body = {"allows": allows, **_given({"label": label})}
        return cast(NewlyMadeMatchLink, self._service.post(_of(match_id, "links"), body))

    def revoke_link(self, match_id: str, link_id: str) -> None:
        """Revoke the link of a match."""
        self._service.delete(_of(match_id, f"links/{link_id}"))

    def _record(self, match_id: str, body: Mapping[str, Any], if_match: int | None, *, legal_moves: bool) -> Position:
        return cast(Position, self._service.post(_of(match_id, "moves"), body, if_match, _including(legal_moves)))

    def _correct(self, match_id: str, body: dict[str, Any], **options: Unpack[CorrectionOptions]) -> Correction:
        body |= {
            "on_conflict": "truncate" if options.get("truncate") else "refuse",
            "dry_run": options.get("dry_run", False),
        }
        return cast(Correction, self._service.post(_of(match_id, "corrections"), body, options.get("if_match")))


def _of(match_id: str, part: str | None = None) -> str:
    return f"/matches/{match_id}" if part is None else f"/matches/{match_id}/{part}"


def _entry(seat: str, move: Move, reason: str | None) -> Entry:
    return (
        {"seat": seat, "move": move} if reason is None else {"seat": seat, "move": move, "ruling": {"reason": reason}}
    )


def _including(legal_moves: bool) -> dict[str, str]:
    return {"include": "legal_moves"} if legal_moves else {}


def _filters(filters: MatchFilters | GameStatisticsFilters) -> dict[str, Any]:
    """Filters with the names that they have in the query string."""
    names = {"since": "from", "until": "to"}
    query = {
        names.get(name, name): _text(value) if name in names else value
        for name, value in cast(dict[str, Any], filters).items()
    }
    return {**query, "mine": "1" if query.get("mine") else None}


def _text(moment: Moment | None) -> str | None:
    return moment.isoformat() if isinstance(moment, date) else moment


def _given(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
