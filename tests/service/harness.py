"""Helpers of the tests of the service: requests, matches in words, problems, and that nothing changed."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from random import Random
from typing import Any
from uuid import UUID

import orjson
from flask import Flask
from werkzeug.test import TestResponse

from tests.domain.games.cite_lumiere.positions import FIRST_GAME, GAME, PAVEMENT, SEATS, choose, written

API = "/api/v1"
NDJSON = {"Accept": "application/x-ndjson"}
UNKNOWN_ID = "019a93c8-0000-7000-8000-000000000000"

SETUP = {"first": "orange", "postcards": list(FIRST_GAME)}
OPENING = (
    *("orange pave O1 a1 0", "blue take L4", "orange take U6"),
    *("blue pave B1 c1 0", "orange pave O2 e1 0", "blue take I3"),
)
"""Six legal moves."""
TO_BUILDING = (
    *("orange take V3", "blue take O4", "orange take I3", "blue take L4"),
    *(
        f"{seat} pave {tile}"
        for pair in zip(PAVEMENT[:8], PAVEMENT[8:], strict=True)
        for seat, tile in zip(SEATS, pair, strict=True)
    ),
)
"""Twenty legal moves, after which all is paved and orange begins to build."""


class Service:
    """A client of the application."""

    def __init__(self, app: Flask) -> None:
        self.client = app.test_client()

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> TestResponse:
        return self.send("GET", path, headers=headers)

    def post(self, path: str, json: Any = None, headers: Mapping[str, str] | None = None) -> TestResponse:
        return self.send("POST", path, json, headers)

    def put(self, path: str, json: Any, headers: Mapping[str, str] | None = None) -> TestResponse:
        return self.send("PUT", path, json, headers)

    def patch(self, path: str, json: Any, headers: Mapping[str, str] | None = None) -> TestResponse:
        return self.send("PATCH", path, json, headers)

    def delete(self, path: str) -> TestResponse:
        return self.send("DELETE", path)

    def send(self, method: str, path: str, json: Any = None, headers: Mapping[str, str] | None = None) -> TestResponse:
        body = None if json is None else orjson.dumps(json)
        return self.raw(method, path, body, None if json is None else "application/json", headers)

    def raw(
        self,
        method: str,
        path: str,
        body: bytes | None,
        content_type: str | None = "application/json",
        headers: Mapping[str, str] | None = None,
    ) -> TestResponse:
        """Send bytes as they are."""
        return self.client.open(
            API + path, method=method, data=body, content_type=content_type, headers=dict(headers or {})
        )

    def all_items(self, path: str) -> list[Any]:
        """The items of all pages of a list."""
        page = ok(self.get(path))
        items: list[Any] = page["items"]
        cursors: list[str] = []
        while page["next"] is not None:
            assert page["next"] not in cursors, "the list goes round in circles"
            cursors.append(page["next"])
            page = ok(self.get(f"{path}{'&' if '?' in path else '?'}cursor={page['next']}"))
            items += page["items"]
        return items


class Match:
    """One match of the service."""

    def __init__(self, service: Service, match_id: str) -> None:
        self.service = service
        self.id = match_id
        self.path = f"/matches/{match_id}"

    def get(self, path: str = "", headers: Mapping[str, str] | None = None) -> TestResponse:
        return self.service.get(self.path + path, headers)

    def post(self, path: str, json: Any = None, headers: Mapping[str, str] | None = None) -> TestResponse:
        return self.service.post(self.path + path, json, headers)

    def document(self) -> Any:
        return ok(self.get())

    def record(self, *lines: str) -> Any:
        """Record moves in words, in one batch."""
        return ok(self.post("/moves", {"moves": entries(lines)}), 201)

    def undo(self, to_ply: int) -> Any:
        return ok(self.post("/undo", {"to_ply": to_ply}), 201)

    def correct(self, ply: int, action: str, **members: Any) -> TestResponse:
        return self.post("/corrections", {"ply": ply, "action": action, **members})

    def events(self) -> Any:
        return self.service.all_items(f"{self.path}/events?limit=200")

    def frames(self, query: str = "") -> Any:
        return ok(self.get(f"/replay{query}"))["frames"]

    def moves(self) -> list[Any]:
        """The recorded moves with their seats."""
        frames = self.frames("?fields=seat,move")
        return [{"seat": frame["seat"], "move": frame["move"]} for frame in frames[1:]]

    def annotate(self, ply: int, **content: Any) -> Any:
        return ok(self.post("/annotations", {"ply": ply, **content}), 201)


def entry(line: str) -> dict[str, Any]:
    """A move in words as it is posted."""
    seat, _, rest = line.partition(" ")
    return {"seat": seat, "move": written(rest)}


def entries(lines: Sequence[str]) -> list[dict[str, Any]]:
    """Moves in words as they are posted."""
    return [entry(line) for line in lines]


def ok(response: TestResponse, status: int = 200) -> Any:
    """The JSON of an answer that must have a status."""
    assert response.status_code == status, response.text
    assert response.content_type == "application/json"
    return response.json


def problem(response: TestResponse, status: int, slug: str) -> Any:
    """The problem document of an answer, whole and of a certain type."""
    assert response.status_code == status, response.text
    assert response.content_type == "application/problem+json"
    document = orjson.loads(response.data)
    assert document["type"] == f"/problems/{slug}", document
    assert document["status"] == status
    assert document["title"]
    assert document["detail"].endswith(".")
    return document


def pointers(document: Mapping[str, Any]) -> list[str]:
    """The pointers of the errors of a problem."""
    assert all(error["detail"] for error in document["errors"])
    return [error["pointer"] for error in document["errors"]]


def lines(response: TestResponse) -> list[Any]:
    """The objects of a stream, one on each line."""
    assert response.status_code == 200
    assert response.content_type == "application/x-ndjson"
    assert response.data == b"" or response.data.endswith(b"\n")
    return [orjson.loads(line) for line in response.data.splitlines()]


@contextmanager
def nothing_changes(match: Match) -> Iterator[None]:
    """Fail if the log, the match or its frames are other than before."""
    before = (match.events(), match.document(), match.frames())
    yield
    assert (match.events(), match.document(), match.frames()) == before


OLD_RESULT = {"winners": ["blue"], "ranking": [{"seat": "blue", "place": 1, "points": 1}], "decided_by": "points"}


def bring_into_conflict(app: Flask, match_id: str) -> None:
    """Make a match in progress one that was over by the rules by which it was recorded."""
    with app.extensions["carnet"].database.statements() as connection:
        connection.execute(
            "UPDATE matches SET rules_version = 0, result = %s WHERE match_id = %s",
            (orjson.dumps(OLD_RESULT).decode(), match_id),
        )


def is_new_id(text: str) -> bool:
    """Tell if a text is a UUIDv7 in its one spelling."""
    return UUID(text).version == 7 and str(UUID(text)) == text


@cache
def finished_match(seed: int = 1) -> tuple[dict[str, Any], ...]:
    """The moves of a legal match in which all is chance, with the first game's cards and orange first."""
    chance = Random(seed)
    state = GAME.rules.start(GAME.setup.parse(SETUP), SEATS, GAME.editions.default)
    made = []
    while state.to_move is not None:
        move = choose(chance, list(GAME.rules.legal_moves(state)))
        made.append({"seat": state.to_move, "move": GAME.move.dump(move)})
        state = GAME.rules.apply(state, state.to_move, move)
    return tuple(made)
