"""Whatever can be tapped on the page of a match is large enough for a thumb, on a narrow phone too."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from domain.catalogue import GAMES
from scripts.random_play import play
from tests.service.conftest import NewMatch
from tests.service.harness import ok
from tests.web.conftest import PHONE, NewContext
from tests.web.tables import open_match

NARROW = {**PHONE, "viewport": {"width": 360, "height": 740}}
TOO_SMALL = """() => [...document.querySelectorAll("button, a, input, select, summary")]
    .filter((element) => element.checkVisibility() && !element.closest(".skip"))
    .map((element) => [element, element.getBoundingClientRect()])
    .filter(([, { width, height }]) => Math.min(width, height) < 44)
    .map(([element, { width, height }]) => `${element.outerHTML.slice(0, 100)} ${width} × ${height}`)"""


def small(page: Page) -> Iterator[str]:
    """What is too small on the page of a match, in every view of its board and every part of its sheet."""
    expect(page.locator(".paris-form[aria-busy]")).to_have_count(0)
    views = page.locator("#board [data-show]").all()
    parts = page.locator("#form .paris-form-acts button").all()
    for button in [None, *views, *parts]:
        if button is not None:
            button.tap()
        yield from page.evaluate(TOO_SMALL)


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_targets_are_large_enough_on_a_narrow_phone(new_match: NewMatch, new_context: NewContext, game: Any) -> None:
    whole = play(game, Random(5))
    names = zip(whole.seats, ("Ana", "Jan", "Ida", "Eva"), strict=False)
    players = [{"seat": seat, "name": name} for seat, name in names]
    match = new_match(game=game.id, edition=game.editions.default.id, players=players, setup=whole.setup)
    page = new_context.tab(NARROW, reduced_motion="reduce")
    found: list[str] = []
    moves = [{"seat": seat, "move": game.move.dump(move)} for seat, move in whole.plies]
    half = len(moves) // 2
    for first, last in ((0, 5), (5, half)):
        for at in range(first, last, 200):
            ok(match.post("/moves", {"moves": moves[at : min(last, at + 200)]}), 201)
        open_match(page, match)
        found += small(page)
    assert sorted(set(found)) == []
