"""Whole matches by taps while every third answer to a move is lost on its way."""

from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import TYPE_CHECKING

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from tests.domain.games.cite_lumiere.positions import move
from tests.service.conftest import NewMatch
from tests.service.harness import Match
from tests.service.serving import lost, served
from tests.web.conftest import Watched
from tests.web.games.paris_tapping import Table as ParisTable
from tests.web.games.tapping import Table
from tests.web.games.test_cite_lumiere import WHOLE, recorded
from tests.web.games.test_paris import dumped, prepare, random_match

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

__all__ = ["prepare"]

LOSS = 1 / 3
MAX_IN_A_ROW = 3
"""So many answers are lost one after the other at most; pages wait longer each time."""


class LossyProxy:
    """Carries out every request and drops the connection instead of answering some of those that record moves."""

    def __init__(self, app: "WSGIApplication", random: Random) -> None:
        self.losses = 0
        self._in_a_row = 0
        self._app = app
        self._random = random

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        is_move = environ["REQUEST_METHOD"] == "POST" and environ["PATH_INFO"].endswith("/moves")
        if is_move and self._in_a_row < MAX_IN_A_ROW and self._random.random() < LOSS:
            self.losses += 1
            self._in_a_row += 1
            return lost(self._app, environ, start_response)
        if is_move:
            self._in_a_row = 0
        return self._app(environ, start_response)


@pytest.fixture
def proxy(app: Flask) -> LossyProxy:
    """What stands between the pages and the service."""
    return LossyProxy(app, Random(5))


@pytest.fixture
def site(app: Flask, proxy: LossyProxy, watched: Watched) -> Iterator[str]:
    """The address of the service behind the proxy."""
    watched.expect("net::ERR_")
    with served(proxy) as address:
        yield address
        app.extensions["carnet"].close()


@pytest.mark.soak
def test_la_cite_is_recorded_once_move_by_move_although_answers_are_lost(
    new_match: NewMatch, phone: Page, proxy: LossyProxy
) -> None:
    match = new_match()
    table = Table(phone, match.id)
    for line in WHOLE:
        table.play(line)
    assert recorded(match) == [move(line) for line in WHOLE]
    assert proxy.losses >= len(WHOLE) / 5


@pytest.mark.soak
def test_paris_is_recorded_once_move_by_move_although_answers_are_lost(
    phone: Page, prepare: Callable[..., Match], proxy: LossyProxy
) -> None:
    drawn = random_match(0)
    table = ParisTable(phone, prepare(drawn, 0))
    for ply, entry in enumerate(dumped(drawn), 1):
        table.record(entry["move"])
        expect(phone.locator(".table")).to_have_attribute("data-ply", str(ply))  # the board shows what waits too
    assert [entry["move"] for entry in table.match.moves()] == [entry["move"] for entry in dumped(drawn)]
    assert proxy.losses >= len(drawn.plies) / 5
