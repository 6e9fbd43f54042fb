"""What is done to a match changes no answer to those who may not read it, to the byte, headers and caches included."""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeAlias

import pytest
from flask import Flask

from domain import match as history
from domain.catalogue import GAMES
from domain.match import Entry, Player
from service.db.pool import Database
from service.stats.facts import facts_of
from service.stats.ratings import settle
from tests.service.auth.people import Person, invited
from tests.service.harness import SETUP, UNKNOWN_ID, Match, finished_match, ok

Seen: TypeAlias = Mapping[str, tuple[int, bytes, list[tuple[str, str]]]]
"""By its address, the status, the body and the headers of an answer."""

GAME = "cite-lumiere"
PUBLIC_SEED, PRIVATE_SEED = 1, 2
CONCEALED = ("X-Request-ID", "Carnet-Cursor")
"""Headers that differ from answer to answer, whatever happens: the second one is the time of an export."""
INDEPENDENT = frozenset({"/api/v1/openapi.json", "/.well-known/security.txt", "/api/v1/sessions"})
"""What says how the service is made, at length, until when that holds, and in which minute a session was used."""
QUERIES = ("game=cite-lumiere", "game=paris&from=2026-01-01&tz=Europe/Warsaw", "tag=league", "venue=at%20home")
"""What lists of matches and statistics are asked for besides all."""


def finish(person: Person, seed: int, **members: Any) -> Match:
    """A match that was played to its end."""
    match = Match(person, person.begin("Ana", "Jan", **members)["id"])
    ok(match.post("/moves", {"moves": list(finished_match(seed))}), 201)
    return match


def nodes_of(seed: int) -> list[str]:
    """The ids of the nodes of the tree of openings that a match goes through, which anybody can compute."""
    game = GAMES[GAME]
    people = [Player("orange", "one"), Player("blue", "other")]
    begun = history.create(game, game.editions.default, people, game.setup.parse(SETUP)).timeline
    moves = [Entry(one["seat"], game.move.parse(one["move"])) for one in finished_match(seed)]
    return [f"{opened.node:016x}" for opened in facts_of(history.record(begun, moves).timeline).opening]


def addresses(app: Flask, players: list[str], nodes: list[str]) -> Iterator[tuple[str, str]]:
    """Every address that can be read without the id of a match, and how it is asked for."""
    values = {
        "game_id": GAME,
        "edition_id": GAMES[GAME].editions.default.id,
        "player_id": players[0],
        "other_id": players[1],
        "secret": "none",
        "digest": "none",
        "lang": "en",
        "name": "css/base.css",
    }
    for rule in app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or rule.arguments & {"match_id", "annotation_id"}:
            continue
        path = re.sub(r"<(?:\w+:)?(\w+)>", partial(_named, values), rule.rule)
        if path in INDEPENDENT:
            continue
        if path.endswith("/head-to-head"):
            path += f"?a={players[0]}&b={players[1]}"
        yield from ((path, accepted) for accepted in forms(path))
        for query in queries(path, players, nodes):
            yield f"{path}{'&' if '?' in path else '?'}{query}", "application/json"


def forms(path: str) -> tuple[str, ...]:
    """The media types in which an address is read."""
    if not path.startswith("/api/"):
        return ("text/html",)
    return "application/json", "text/csv" if "/stats/" in path else "application/x-ndjson"


def queries(path: str, players: list[str], nodes: list[str]) -> Iterator[str]:
    """What else an address is asked for."""
    is_list, are_statistics = path.endswith("/matches"), "/stats/" in path
    if is_list or are_statistics:
        yield from QUERIES
        yield "&".join(f"player={player}" for player in players)
    if is_list:
        yield "sort=activity"
    if are_statistics:
        yield from ("population=public", "mine=1")
    if path.endswith("/openings"):
        yield "depth=6"
        yield from (f"under={node}&depth=2" for node in nodes)


def _named(values: Mapping[str, str], part: re.Match[str]) -> str:
    return values.get(part[1], UNKNOWN_ID)


def see(app: Flask, person: Person, asked: list[tuple[str, str]]) -> Seen:
    """All answers that somebody gets."""
    seen = {}
    for path, accepted in asked:
        response = person.client.get(path, headers={**person.headers, "Accept": accepted})
        assert response.status_code < 500, path
        headers = [header for header in response.headers if header[0] not in CONCEALED]
        seen[f"{path} as {accepted}"] = (response.status_code, response.data, headers)
    return seen


def reversed_seats(match: Match) -> Iterator[dict[str, str]]:
    """The players of a match, each on the seat of the other."""
    one, other = match.document()["players"]
    yield {"seat": one["seat"], "player_id": other["player_id"]}
    yield {"seat": other["seat"], "player_id": one["player_id"]}


@pytest.fixture
def frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stops the clock that statistics show; that of ratings goes on."""
    monkeypatch.setattr("service.db.statistics.now", lambda _: iter([datetime(2026, 11, 19, tzinfo=UTC)]))


@pytest.mark.slow
@pytest.mark.usefixtures("frozen")
@pytest.mark.parametrize("turns", [2, pytest.param(1, marks=pytest.mark.soak)])
def test_nothing_done_to_a_hidden_match_changes_what_others_are_answered(
    app: Flask, database: Database, olga: Person, ana: Person, anyone: Person, turns: int
) -> None:
    public, *_ = [finish(ana, PUBLIC_SEED, visibility="public", tags=["league"]) for _ in range(5)]
    for _ in range(4):  # with the hidden one they are as many as make an opening frequent
        finish(ana, PRIVATE_SEED, visibility="public")
    setup = {"result_only": True, "points": {"orange": 48, "blue": 57}}
    club = ana.begin("Ana", "Ida", setup=setup, visibility="club", venue="at home")
    ida = invited(olga, "Ida", player_id=club["players"][1]["player_id"])
    settle(database)
    players = [seated["player_id"] for seated in public.document()["players"]]
    asked = list(addresses(app, players, [*nodes_of(PUBLIC_SEED), *nodes_of(PRIVATE_SEED)]))
    others = {"a stranger": anyone, "another member": ida}
    before = {who: see(app, person, asked) for who, person in others.items()}
    # What is made of the same rows as JSON is compared when all is rated. Of the others each person asks for one half
    # after one act and for the other half after the next: what an act leaves is mostly still there. The soak asks for
    # all of them after each act.
    brief = [(path, accepted) for path, accepted in asked if accepted in {"application/json", "text/html"}]

    match = Match(ana, ana.begin("Ana", "Jan", visibility="private", tags=["league"], venue="at home")["id"])
    moves = list(finished_match(PRIVATE_SEED))
    acts: Mapping[str, Callable[[], Any]] = {
        "begun": lambda: None,
        "annotated": lambda: match.annotate(0, text="Hm."),
        "finished": lambda: ok(match.post("/moves", {"moves": moves}), 201),
        "rated": lambda: settle(database),
        "corrected": lambda: match.undo(len(moves) - 1),
        "restored": lambda: ok(match.post("/restore", {"version": len(moves) + 1}), 201),
        "shown by link": lambda: ok(ana.patch(match.path, {"visibility": "unlisted"})),
        "dated anew": lambda: ok(ana.patch(match.path, {"played_at": "2020-02-02T10:00:00Z", "tags": ["cup"]})),
        "seated anew": lambda: ok(ana.put(f"{match.path}/players", {"players": list(reversed_seats(match))})),
        "withdrawn": lambda: ok(match.post("/withdraw")),
        "rated again": lambda: settle(database),
    }
    for number, (act, do) in enumerate(acts.items()):
        do()
        for turn, (who, person) in enumerate(others.items(), number):
            seen = see(app, person, asked if act.startswith("rated") else brief[turn % turns :: turns])
            changed = [address for address in seen if seen[address] != before[who][address]]
            assert changed == [], f"that it was {act} is seen by {who}"


def test_an_opening_of_hidden_matches_alone_is_like_one_that_nobody_played(ana: Person, anyone: Person) -> None:
    for _ in range(5):
        finish(ana, PRIVATE_SEED, visibility="private")
    *_, deepest = nodes_of(PRIVATE_SEED)
    played, unplayed = (
        ok(anyone.get(f"/stats/games/{GAME}/openings?under={node}"))["depth"] for node in (deepest, "0" * 15 + "1")
    )
    assert played == unplayed == 0
    own = ok(ana.get(f"/stats/games/{GAME}/openings?under={deepest}&mine=1"))
    assert (own["depth"], own["n"]) == (6, 5)


def test_ratings_of_the_public_tell_nothing_of_what_the_club_plays(
    database: Database, ana: Person, anyone: Person
) -> None:
    setup = {"result_only": True, "points": {"orange": 48, "blue": 57}}
    ana.begin("Ana", "Jan", setup=setup, visibility="public")
    settle(database)
    known = ok(anyone.get("/stats/ratings"))
    ana.begin("Ana", "Jan", setup=setup, visibility="club")
    waiting, public = ok(ana.get("/stats/ratings")), ok(anyone.get("/stats/ratings"))
    assert (waiting["pending"], public["pending"]) == (1, 0)
    settle(database)
    rated, public = ok(ana.get("/stats/ratings")), ok(anyone.get("/stats/ratings"))
    assert (rated["pending"], rated["items"][0]["matches"]) == (0, 2)
    assert rated["as_of"] > known["as_of"] == public["as_of"]
    assert public["items"] == known["items"]
