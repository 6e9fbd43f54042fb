"""A tour of the API that records requests, answers and problem documents as examples for its document."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from random import Random
from typing import Any
from unittest.mock import patch
from uuid import UUID

import orjson
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from flask import Flask

from domain.catalogue import GAMES
from scripts.other_rules import other_rules_version
from scripts.random_play import RandomMatch, play
from service.anchors.making import make_anchor
from service.annotations.documents import ROOM
from service.app import create_app
from service.auth import accounts
from service.auth.tokens import too_many_links, too_many_tokens
from service.config import read_config
from service.db.leader import Leader
from service.db.pool import Database
from service.errors import TooManyStreams
from service.games.editions import MAX_EDITIONS
from service.http.errors import Problem, problem_of, stopping, took_too_long
from service.live.subscribers import Streams
from service.matches.commands import MAX_EVENTS
from service.matches.integrity import rejudge_all
from service.matches.schemas import MAX_PLIES

API = "/api/v1"
GAME = GAMES["cite-lumiere"]
SETUP: Mapping[str, Any] = {
    "first": "orange",
    "postcards": [
        *("bouquinistes", "chartier", "jardin_des_plantes", "lampadaire"),
        *("le_peintre", "levitation", "metropolitain", "sacre_coeur"),
    ],
}
ANA_AND_JAN = [{"seat": "orange", "name": "Ana"}, {"seat": "blue", "name": "Jan"}]
PAVED = {"seat": "orange", "move": {"type": "pave", "tile": "O1", "at": "a1", "rotation": 90}}
OPENING = [
    {"seat": "blue", "move": {"type": "take", "building": "L4"}},
    {"seat": "orange", "move": {"type": "take", "building": "U6"}},
    {"seat": "blue", "move": {"type": "pave", "tile": "B1", "at": "c1", "rotation": 0}},
]
FEW = 6
"""So many legal moves make a list that can be read."""
MAX_ENTRIES = 2
"""Objects that a list or a map of an example shows; the schema says the rest."""
MAX_ENTRY = 200
"""Characters of an entry from which one of them is enough."""
MAX_MEMBERS: Mapping[type, int] = {dict: 4, str: 8}
"""Members of one type that an object has at most; with more it is a map."""
WHOLE = frozenset({"state", "schemas"})
UNKNOWN = "019a93c8-0000-7000-8000-000000000000"


class Tour:
    """Asks an application and keeps what is to be shown."""

    def __init__(self, app: Flask) -> None:
        self._client = app.test_client()
        self._addresses = app.url_map.bind("")
        self.operations: dict[str, dict[str, dict[str, Any]]] = defaultdict(dict)
        self.problems: dict[str, Any] = {}

    def ask(
        self,
        method: str,
        path: str,
        body: Any = None,
        show: str | None = None,
        headers: Mapping[str, str] | None = None,
        media_type: str = "application/json",
        leave_out: Collection[str] = (),
    ) -> Any:
        """Send a request and give the JSON of the answer; show both under a sentence, without some of its schemas."""
        raw = body if isinstance(body, bytes) or body is None else orjson.dumps(body)
        response = self._client.open(
            path, method=method, data=raw, content_type=media_type if raw else None, headers=dict(headers or {})
        )
        answer: Any = orjson.loads(response.data) if response.data else None
        if response.status_code >= 400:
            self.problems[answer["type"].rpartition("/")[2]] = answer
        elif show is not None:
            shown = answer
            if leave_out:
                shown = {**answer, "schemas": answer["schemas"] | {name: {} for name in leave_out}}
            self._keep(method, path, show, body, str(response.status_code), shown)
        return answer

    def _keep(self, method: str, path: str, show: str, body: Any, status: str, answer: Any) -> None:
        endpoint, _ = self._addresses.match(path.partition("?")[0], method)
        kept = self.operations[endpoint.rpartition(".")[2]]
        name = "_".join(re.findall(r"[a-z]+", show.lower()))
        if body is not None:
            kept.setdefault("requests", {})[name] = {"summary": show, "value": body}
        if answer is not None:
            shown = {"summary": show, "value": shortened(answer)}
            kept.setdefault("responses", {}).setdefault(status, {})[name] = shown


def shortened(answer: Any) -> Any:
    """An answer with rounded figures whose lists and maps end after one or two objects; a state is as the game says."""
    if isinstance(answer, dict):
        members = list(answer.items())
        is_map = any(
            len(members) > most and all(type(member) is kind for _, member in members)
            for kind, most in MAX_MEMBERS.items()
        )
        shown = members[:MAX_ENTRIES] if is_map else members
        return {name: member if name in WHOLE else shortened(member) for name, member in shown}
    if isinstance(answer, list):
        entries = [shortened(entry) for entry in answer]
        if not entries or not all(isinstance(entry, dict) for entry in entries):
            return entries
        return entries[: 1 if len(orjson.dumps(entries[0])) > MAX_ENTRY else MAX_ENTRIES]
    return round(answer, 3) if isinstance(answer, float) else answer


def record(app: Flask) -> dict[str, Any]:
    """All examples, from an application on an empty database."""
    tour = Tour(app)
    _look_at_games(tour)
    match_id = _play(tour)
    _change(tour, match_id)
    _annotate(tour, match_id)
    _look_back(tour, match_id)
    _anchor(tour, app, match_id)
    _name_people(tour)
    _count(tour)
    _go_wrong(tour, match_id)
    _change_the_rules(tour, app)
    _sign_in(tour, app, match_id)
    away = Tour(create_app(read_config({"CARNET_OPEN": "1"}), Database("")))
    away.ask("GET", f"{API}/games")
    held_up = Tour(create_app(replace(read_config({}), rate=1), Database("")))
    for _ in range(2):
        held_up.ask("GET", "/healthz")
    tour.problems |= away.problems | held_up.problems
    full = f"A match has at most {MAX_EVENTS:,} events. It can be read, but nothing more is recorded in its log."
    tour.problems["match-full"] = Problem("match-full", full).document()
    crowded = f"A match has at most {ROOM.number:,} annotations and {ROOM.bytes:,} bytes in them."
    tour.problems["too-many-annotations"] = Problem("too-many-annotations", crowded).document()
    boxes = f"You have {MAX_EDITIONS} editions already, which is the maximum."
    tour.problems["too-many-editions"] = Problem("too-many-editions", boxes).document()
    tour.problems["match-too-long"] = Problem("match-too-long", f"A match has at most {MAX_PLIES} moves.").document()
    for problem in (stopping(), took_too_long(), too_many_tokens(), too_many_links()):
        tour.problems[problem.slug] = problem.document()
    try:
        Streams(Leader(""), most=0).enter(UUID(UNKNOWN), None)
    except TooManyStreams as error:
        problem = problem_of(error)
        tour.problems[problem.slug] = problem.document()
    return {"operations": tour.operations, "problems": dict(sorted(tour.problems.items()))}


def _sign_in(tour: Tour, app: Flask, match_id: str) -> None:
    """What takes an account, from an application with sign-in on the same database."""
    tour.ask("POST", f"{API}/tokens", {"label": "phone", "scopes": ["record"]})
    database = app.extensions["carnet"].database
    with database.transaction() as connection:
        secret = accounts.welcome(connection)
    signed = Tour(create_app(read_config({}), database))
    signed.operations, signed.problems = tour.operations, tour.problems
    signed.ask("GET", f"{API}/tokens")
    signed.ask("GET", f"{API}/tokens", headers={"Authorization": "Bearer carnet_unknown"})
    olga = signed.ask("POST", f"{API}/sign-in", {"link": secret, "name": "Olga"}, "The first owner")
    signed.ask("POST", f"{API}/sign-out")
    proof = {"X-CSRF-Token": olga["csrf_token"]}
    signed.ask("GET", f"{API}/me", show="By session")
    token = {"label": "phone", "scopes": ["record", "annotate", "manage"], "expires_at": "2030-01-01T00:00:00Z"}
    made = signed.ask("POST", f"{API}/tokens", token, "A token for a program", proof)
    signed.ask("GET", f"{API}/tokens", show="One token")
    by_token = {"Authorization": f"Bearer {made['secret']}"}
    own = f"{API}/accounts/{olga['account']['id']}"
    signed.ask("PATCH", own, {"name": "Olga Maria"}, "Another name", by_token)
    signed.ask("PATCH", own, {"role": "member"}, headers=by_token)
    signed.ask("GET", f"{API}/accounts", show="One account", headers=by_token)
    signed.ask("POST", f"{own}/sign-in-links", show="For another device", headers=by_token)
    signed.ask("GET", f"{API}/sessions", show="One session", headers=by_token)
    signed.ask("GET", f"{own}/sign-in-links", show="One that waits", headers=by_token)
    signed.ask("POST", f"{API}/invitations", {"name": "Zofia"}, "A member", by_token)
    signed.ask("GET", f"{API}/invitations", show="One invitation", headers=by_token)
    signed.ask("GET", f"{API}/audit?act=invitation_made", show="An invitation that was made", headers=by_token)
    match = f"{API}/matches/{match_id}"
    link = signed.ask("POST", f"{match}/links", {"allows": "record", "label": "second phone"}, "To record", by_token)
    signed.ask("GET", f"{match}/links", show="One link", headers=by_token)
    signed.ask("GET", f"{match}/rights", show="All rights", headers=by_token)
    reader = signed.ask("POST", f"{API}/tokens", {"label": "scoreboard", "scopes": ["read"]}, headers=by_token)
    by_reader = {"Authorization": f"Bearer {reader['secret']}"}
    signed.ask("DELETE", f"{match}/links/{link['id']}", headers=by_reader)
    note = signed.ask("POST", f"{match}/annotations", {"ply": 1, "text": "Hm."}, headers=by_token)
    author = {"author": note["author"]}
    signed.ask("POST", f"{match}/annotations/hide", author, show="All of one author", headers=by_token)
    signed.ask("DELETE", f"{API}/annotations/{note['id']}/hide", headers=by_token)
    signed.ask("POST", f"{API}/annotations/{note['id']}/hide", show="Hidden", headers=by_token)
    signed.ask("DELETE", f"{API}/annotations/{note['id']}/hide", show="Shown again", headers=by_token)
    signed.ask("DELETE", f"{API}/annotations/{note['id']}", headers=by_token)
    signed.ask("POST", f"{API}/annotations/{note['id']}/restore", show="Brought back", headers=by_token)
    player = signed.ask("GET", match, headers=by_token)["players"][0]["player_id"]
    signed.ask("POST", f"{API}/players/{player}/anonymise", show="Without a name", headers=by_token)


def normal(examples: Mapping[str, Any]) -> str:
    """Examples without what is new in every run, as ids, times, digests and cursors, or in another version."""
    text = orjson.dumps(examples, option=orjson.OPT_SORT_KEYS).decode()
    text = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", "time", text)
    text = re.sub(r'"version":"[^"]+"', '"version":"of the service"', text)
    text = re.sub(r'"migration":"\d+"', '"migration":"newest"', text)
    text = re.sub(r"\b[0-9a-f]{64}\b", "digest", text)
    text = re.sub(r"carnet_[A-Za-z0-9_-]{22,}", "secret", text)
    text = re.sub(r'"csrf_token":"[^"]+"', '"csrf_token":"proof"', text)
    text = re.sub(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", "id", text)
    text = re.sub(r'"signature":"[^"]+"', '"signature":"signature"', text)
    return re.sub(r'"next":"[^"]+"', '"next":"cursor"', text)


def _look_at_games(tour: Tour) -> None:
    tour.ask("GET", API, show="Where to begin")
    tour.ask("GET", "/healthz", show="Well")
    tour.ask("GET", "/readyz", show="Ready")
    tour.ask("GET", "/problems", show="All types of problems")
    tour.ask("GET", "/problems/stale-version", show="A type of problem")
    tour.ask("GET", f"{API}/games", show="All games")
    shown = "Without the schemas of moves and states"
    tour.ask("GET", f"{API}/games/{GAME.id}", show=shown, leave_out=("move", "state"))
    tour.ask("GET", f"{API}/games/{GAME.id}/editions", show="Those that there are")
    tour.ask("GET", f"{API}/games/{GAME.id}/editions/{GAME.editions.default.id}", show="The edition that comes along")
    changed = {"title": "Our box", "based_on": GAME.editions.default.id, "changes": {"chimneys": 6}}
    tour.ask("POST", f"{API}/games/{GAME.id}/editions", changed, "A box with fewer chimneys")


def _play(tour: Tour) -> str:
    notes = {"result_only": True, "points": {"orange": 48, "blue": 57}}
    old = {"game": GAME.id, "players": ANA_AND_JAN, "setup": notes, "played_at": "2019-05-04T15:00:00+02:00"}
    old_id = tour.ask("POST", f"{API}/matches", old, "Only the result is known")["id"]
    noted = {**notes, "points": {"orange": 50, "blue": 57}}
    tour.ask("POST", f"{API}/matches/{old_id}/corrections", {"ply": 0, "setup": noted}, "Other points")
    tour.ask("GET", f"{API}/matches/{old_id}/replay/0", show="The set-up of a match of which only the result is known")
    new = {"game": GAME.id, "edition": GAME.editions.default.id, "players": ANA_AND_JAN, "setup": SETUP}
    details = {"played_at": "2026-11-14T19:30:00Z", "venue": "club night", "tags": ["league"]}
    match_id = str(tour.ask("POST", f"{API}/matches", {**new, **details}, "A match to play")["id"])
    match = f"{API}/matches/{match_id}"
    tour.ask("POST", f"{match}/moves/check", PAVED, "A legal move")
    tour.ask("POST", f"{match}/moves", PAVED, "One move", {"If-Match": '"1"', "Idempotency-Key": "first"})
    tour.ask("POST", f"{match}/moves/check", PAVED, "An illegal move")
    tour.ask("POST", f"{match}/moves", {"moves": OPENING}, "Several moves")
    out_of_turn = {"seat": "blue", "move": {"type": "take", "building": "S4"}}
    ruling = {"ruling": {"reason": "Jan moved twice, and nobody noticed."}}
    tour.ask("POST", f"{match}/moves", {**out_of_turn, **ruling}, "A move against the rules that stands")
    return match_id


def _change(tour: Tour, match_id: str) -> None:
    match = f"{API}/matches/{match_id}"
    replaced = {"ply": 3, "action": "replace", "move": {"type": "take", "building": "V3"}}
    tour.ask("POST", f"{match}/corrections", {**replaced, "dry_run": True}, "What another move would mean")
    tour.ask("POST", f"{match}/corrections", replaced, "Another move at ply three")
    again = {"ply": 3, "action": "replace", "move": {"type": "take", "building": "L4"}}
    tour.ask("POST", f"{match}/corrections", again)
    misfit = {"ply": 3, "action": "replace", "move": {"type": "take", "building": "S4"}}
    tour.ask("POST", f"{match}/corrections", misfit)
    tour.ask(
        "POST", f"{match}/corrections", {**misfit, "on_conflict": "truncate"}, "The rest cut where it no longer fits"
    )
    printed = {"ply": 0, "edition_changes": {"chimneys": 6}, "dry_run": True}
    tour.ask("POST", f"{match}/corrections", printed, "What another printed value would mean")
    tour.ask("POST", f"{match}/undo", {"to_ply": 3}, "Back to ply three")
    tour.ask("POST", f"{match}/undo", {"to_ply": 3})
    tour.ask("POST", f"{match}/undo", {"to_ply": 30})
    tour.ask("POST", f"{match}/restore", {"version": 6}, "All moves again")
    tour.ask("PATCH", match, {"venue": "at home", "tags": []}, "Another venue, no tags")
    tour.ask(
        "PATCH", "/api/v1/matches?visibility=public&tag=practice", {"visibility": "club"}, "Public matches of a tag"
    )
    tour.ask("GET", f"{match}/details", show="Two versions of the details")
    tour.ask("POST", f"{match}/reopen")
    tour.ask("POST", f"{match}/abandon", show="Abandoned")
    tour.ask("POST", f"{match}/undo", {"to_ply": 3})
    tour.ask("POST", f"{match}/reopen", show="Going on")
    swapped = [{"seat": "orange", "name": "Jan"}, {"seat": "blue", "name": "Ana"}]
    tour.ask("PUT", f"{match}/players", {"players": swapped}, "Seats swapped")
    tour.ask("POST", f"{match}/withdraw", show="Hidden")
    tour.ask("DELETE", f"{match}/withdraw", show="Shown again")


def _annotate(tour: Tour, match_id: str) -> None:
    notes = f"{API}/matches/{match_id}/annotations"
    line = [{"seat": "orange", "move": {"type": "take", "building": "W5"}}]
    said = {"ply": 4, "text": "This leaves the corner to orange.", "glyph": "?!", "line": line}
    marks = [{"cell": "c1", "kind": "highlight"}]
    made = tour.ask("POST", notes, {**said, "marks": marks}, "A doubtful move")
    note = f"{API}/annotations/{made['id']}"
    tour.ask("GET", notes, show="One annotation")
    tour.ask("GET", note, show="A doubtful move")
    tour.ask("PATCH", note, {"glyph": "?"}, "Another glyph")
    tour.ask("DELETE", note)
    tour.ask("GET", f"{note}/history", show="All wordings")


def _look_back(tour: Tour, match_id: str) -> None:
    match = f"{API}/matches/{match_id}"
    tour.ask("GET", match, show="A match under way")
    tour.ask("GET", f"{match}/edition", show="The box that it is played with")
    tour.ask("GET", f"{API}/matches?limit=1&mine=1", show="The first page")
    tour.ask("GET", f"{match}/state", show="After the last move")
    tour.ask("GET", f"{match}/verify", show="All is well")
    tour.ask("GET", f"{match}/times", show="How long moves took")
    _exchange(tour, match)
    tour.ask("GET", f"{match}/replay?fields=ply,seat,move,ruling,text", show="Frames without states")
    tour.ask("GET", f"{match}/replay/2", show="Ply two")
    played, first = _with_few_moves_left()
    seated = [{"seat": seat, "name": name} for seat, name in zip(played.seats, ("Ana", "Jan"), strict=True)]
    people = {"players": seated, "setup": played.setup}
    ending = f"{API}/matches/{tour.ask('POST', f'{API}/matches', {'game': GAME.id, **people})['id']}"
    tour.ask("GET", f"{ending}/events", show="One event")
    tour.ask("GET", f"{match}/log?limit=3", show="How it began")
    moves = [{"seat": seat, "move": GAME.move.dump(move)} for seat, move in played.plies]
    tour.ask("POST", f"{ending}/moves", {"moves": moves[:first]})
    tour.ask("GET", f"{ending}/legal-moves", show="Few moves left")
    tour.ask("POST", f"{ending}/moves", {"moves": moves[first:]})
    tour.ask("GET", f"{ending}/replay/{len(moves)}/score", show="The final score")
    noted = {"notes": [{"ply": 0, "points": {"orange": 0}}, {"points": {"orange": 200, "blue": 41}}]}
    tour.ask("POST", f"{ending}/paper/check", noted, "A wrong sum on paper")
    tour.ask("GET", f"{ending}/result", show="How it ended")
    tour.ask("POST", f"{ending}/abandon")
    tour.ask("GET", f"{match}/replay/99")


def _exchange(tour: Tour, match: str) -> None:
    document = tour.ask("GET", f"{match}/export")
    sent = orjson.dumps(document)
    imported = tour.ask("POST", f"{API}/matches/import", sent, media_type="application/octet-stream")
    tour.ask("GET", f"{API}/imports", show="One import")
    tour.ask("GET", f"{API}/imports/{imported['id']}", show="A file with a match that is there")
    tour.ask("GET", f"{API}/imports/{imported['id']}/items", show="Its one match")
    people = tour.ask("GET", match)["players"]
    names = [{"system": "bgstats", "name": "Ana N.", "player_id": people[0]["player_id"]}]
    tour.ask("PUT", f"{API}/imports/names", {"names": names}, "Who is meant by a name")
    tour.ask("GET", f"{API}/imports/names", show="One name")
    old = next(one for one in tour.ask("GET", f"{API}/matches")["items"] if one["status"] == "finished")
    tour.ask("GET", f"{API}/matches/{old['id']}/export/play-link", show="A link for Board Game Stats")
    for example in tour.operations["get_play_link"]["responses"]["200"].values():
        example["value"]["url"] = example["value"]["url"].partition("%")[0]  # what follows has ids
    tour.ask("POST", f"{API}/imports/{imported['id']}/undo", show="Nothing had to be undone")


def _with_few_moves_left() -> tuple[RandomMatch[Any, Any], int]:
    """A random match, and the first ply behind which there are few moves but some."""
    matches = (play(GAME, Random(seed)) for seed in count())
    plies = ((match, ply, state) for match in matches for ply, state in enumerate(match.states))
    return next((match, ply) for match, ply, state in plies if 0 < len(list(GAME.rules.legal_moves(state))) <= FEW)


def _anchor(tour: Tour, app: Flask, match_id: str) -> None:
    made = make_anchor(app.extensions["carnet"].database, Ed25519PrivateKey.from_private_bytes(bytes(32)))
    tour.ask("GET", f"{API}/anchors", show="One anchor")
    tour.ask("GET", f"{API}/matches/{match_id}/anchors/{made.number}", show="A match in it")


def _name_people(tour: Tour) -> None:
    tour.ask("GET", f"{API}/players?limit=1", show="The first page")
    players = tour.ask("GET", f"{API}/players")["items"]
    ana = next(player["id"] for player in players if player["name"] == "Ana")
    jan = next(player["id"] for player in players if player["name"] == "Jan")
    tour.ask("GET", f"{API}/players/{ana}", show="A player")
    tour.ask("PATCH", f"{API}/players/{ana}", {"name": "Ana Maria"}, "Another name")
    new = {"game": GAME.id, "setup": SETUP}
    seats = [{"seat": "orange", "name": "Any"}, {"seat": "blue", "name": "Jan"}]
    made = tour.ask("POST", f"{API}/matches", {**new, "players": seats})
    typo = made["players"][0]["player_id"]
    tour.ask("POST", f"{API}/players/{typo}/merge", {"into": ana}, "Two entries of one person")
    tour.ask("DELETE", f"{API}/players/{typo}/merge", show="Two people again")
    tour.ask("DELETE", f"{API}/players/{typo}/merge")
    tour.ask("GET", f"{API}/players/{typo}/history", show="Merged and taken apart")
    tour.ask("POST", f"{API}/players/{ana}/merge", {"into": jan})
    tour.ask("PATCH", f"{API}/players/{typo}", {"name": "Jan"})
    tour.ask("POST", f"{API}/matches", {**new, "players": ANA_AND_JAN})
    unknown = [{"seat": "orange", "player_id": UNKNOWN}, {"seat": "blue", "name": "Eva"}]
    tour.ask("POST", f"{API}/matches", {**new, "players": unknown})


def _change_the_rules(tour: Tour, app: Flask) -> None:
    people = [{"seat": "orange", "name": "Ida"}, {"seat": "blue", "name": "Ola"}]
    made = tour.ask("POST", f"{API}/matches", {"game": GAME.id, "players": people, "setup": SETUP})
    match = f"{API}/matches/{made['id']}"
    tour.ask("POST", f"{match}/moves", {"moves": [PAVED, *OPENING]})
    with judging(lambda seat, move: seat == "orange" and move["type"] == "take"):
        list(rejudge_all(app.extensions["carnet"]))
        tour.ask("GET", match, show="A match that the rules no longer take")
        tour.ask("GET", f"{match}/legal-moves")
        tour.ask("POST", f"{match}/rules-conflict/accept", show="Cut where a move no longer fits")


@contextmanager
def judging(refused: Callable[[str, Mapping[str, Any]], bool], *, physical: bool = False) -> Iterator[None]:
    """Other rules of the game, which refuse some moves that it takes."""
    check = GAME.rules.check

    def judge(state: Any, seat: str, move: Any) -> None:
        if refused(seat, GAME.move.dump(move)):
            code, values = ("match_over", {}) if physical else ("not_your_turn", {"seat": seat, "turn": "blue"})
            raise GAME.telling.stored_refusal(code, values)
        check(state, seat, move)

    with other_rules_version(GAME), patch.object(GAME.rules, "check", judge):
        yield


def _count(tour: Tour) -> None:
    """Statistics of the one match of which the result is known."""
    stats = f"{API}/stats"
    counted = [row["player"] for row in tour.ask("GET", f"{stats}/players", show="Two players")["items"]]
    # Equal figures are listed by id, which is drawn.
    ana, jan = (player["id"] for player in sorted(counted, key=lambda player: str(player["name"])))
    tour.ask("GET", f"{stats}/players/{ana}?game={GAME.id}&recorded=result", show="One player in one game")
    tour.ask("GET", f"{stats}/players/{ana}/ratings", show="Before ratings were computed")
    tour.ask("GET", f"{stats}/head-to-head?a={ana}&b={jan}&recorded=result", show="Two who met once")
    tour.ask("GET", f"{stats}/games/{GAME.id}?recorded=result", show="A game of one match")
    tour.ask("GET", f"{stats}/head-to-head?a={ana}&b={jan}&game=paris", show="Two who have not met")
    tour.ask("GET", f"{stats}/games/paris", show="A game that nobody has played")
    tour.ask("GET", f"{stats}/games/{GAME.id}/features", show="Nothing to tell yet")
    tour.ask("GET", f"{stats}/games/{GAME.id}/openings", show="No node yet")
    tour.ask("GET", f"{stats}/ratings", show="Nobody yet")
    tour.ask("GET", f"{stats}/conventions", show="What the terms mean")
    tour.ask("GET", f"{stats}/ratings/calibration?game={GAME.id}", show="Nothing predicted yet")


def _go_wrong(tour: Tour, match_id: str) -> None:
    moves = f"{API}/matches/{match_id}/moves"
    turned = {"type": "pave", "tile": "O2", "at": "e1", "rotation": "90"}
    legal = {"type": "pave", "tile": "O2", "at": "e1", "rotation": 90}
    tour.ask("POST", moves, {"seat": "orange", "move": turned})
    tour.ask("POST", moves, {"seat": "orange", "move": {"type": "take", "building": "L4"}})
    tour.ask("POST", moves, {"seat": "orange", "move": legal, "ruling": {"reason": "For fun."}})
    tour.ask("POST", moves, {"seat": "orange", "move": legal}, headers={"If-Match": '"3"'})
    tour.ask("POST", moves, {"seat": "orange", "move": legal}, headers={"Idempotency-Key": "first"})
    tour.ask("POST", moves, b'{"seat": "orange", ')
    tour.ask("POST", moves, b" " * (2**20 + 1))
    tour.ask("POST", moves, {"seat": 1})
    results = tour.ask("GET", f"{API}/matches?sort=played_at")["items"]
    oldest = f"{API}/matches/{results[-1]['id']}"
    tour.ask("POST", f"{oldest}/moves", PAVED)
    tour.ask("GET", f"{API}/matches/{UNKNOWN}")
    tour.ask("GET", f"{API}/matches?limit=0")
    unknown_edition = {"game": GAME.id, "edition": "devir-1819", "players": ANA_AND_JAN, "setup": SETUP}
    tour.ask("POST", f"{API}/matches", unknown_edition)
    tour.ask("POST", moves, b"seat=orange", media_type="application/x-www-form-urlencoded")
