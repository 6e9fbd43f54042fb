"""What moved moves before the eyes, and what gave points lights up at the end; without motion nothing does."""

import re
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from domain.catalogue import GAMES
from domain.game import AnyGame
from scripts.random_play import play
from tests.service.conftest import NewMatch
from tests.service.harness import ok
from tests.web.conftest import DESK, PHONE, NewContext
from tests.web.games.test_cite_lumiere import WHOLE, record
from tests.web.tables import open_match, wait_until_live

STEPS = """async ({ id, edition, steps }) => {
    const { static: files } = JSON.parse(document.getElementById("page").textContent);
    const { game } = await import(`${files}games/${id}/index.js`);
    const host = document.createElement("div");
    document.body.prepend(host);
    const board = game.createBoard(host, { edition });
    const moved = [];
    for (const { before, after, lastMove } of steps) {
        board.draw(before, {});
        for (const motion of host.getAnimations({ subtree: true })) motion.cancel();
        board.draw(after, { lastMove });
        const motions = host.getAnimations({ subtree: true }).filter((motion) => !(motion instanceof CSSAnimation));
        moved.push([lastMove.move.type, motions.map((motion) => motion.effect.getTiming().duration)]);
    }
    const lit = [];
    const seen = new MutationObserver(() => lit.push(host.querySelectorAll(".cite-source").length));
    seen.observe(host, { subtree: true, childList: true });
    const items = [{ points: 8, cells: ["a1"], sources: ["b1", "b2"] }, { points: 3, cells: ["c1"], sources: ["c2"] }];
    await board.celebrate(items);
    seen.disconnect();
    return { moved, lit, left: host.querySelectorAll(".cite-source").length };
}"""


def steps(game: AnyGame) -> list[dict[str, Any]]:
    """The last two moves of each kind in a random match, with the positions before and after them."""
    drawn = play(game, Random(3), listed=False)
    found: dict[str, list[dict[str, Any]]] = {}
    for (before, after), (seat, move) in zip(pairwise(drawn.states), drawn.plies, strict=True):
        json = game.move.dump(move)
        step = {
            "before": game.view.dump(before),
            "after": game.view.dump(after),
            "lastMove": {"ply": after.ply, "seat": seat, "move": json},
        }
        found[json["type"]] = [*found.get(json["type"], [])[-1:], step]
    return [step for kind in found.values() for step in kind]


def watch(page: Page, game: AnyGame) -> Any:
    page.goto(f"/games/{game.id}")
    edition = game.editions.default.document
    return page.evaluate(STEPS, {"id": game.id, "edition": edition, "steps": steps(game)})


LAID = {"pave", "build", "reveal", "place_key", "move_key", "advance"}


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_what_moved_moves_briefly_and_lamps_light_up_in_order(game: AnyGame, new_context: NewContext) -> None:
    seen = watch(new_context.tab(DESK, reduced_motion="no-preference"), game)
    moved = [(kind, durations) for kind, durations in seen["moved"] if kind in LAID]
    assert len({kind for kind, _ in moved}) > 1
    assert all(durations == [180] for _, durations in moved), moved
    if game.id == "cite-lumiere":
        assert seen["lit"][:2] == [1, 3]
        assert seen["left"] == 0


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_nothing_moves_where_motion_is_reduced(game: AnyGame, new_context: NewContext) -> None:
    seen = watch(new_context.tab(DESK, reduced_motion="reduce"), game)
    assert all(durations == [] for _, durations in seen["moved"])
    assert seen["lit"] == []


COUNT_LAMPS = """() => {
    const board = document.getElementById("board");
    const lit = [];
    new MutationObserver(() => {
        const count = board.querySelectorAll(".cite-source").length;
        if (lit.at(-1) !== count) lit.push(count);
        board.dataset.lit = lit.join(" ");
    }).observe(board, { subtree: true, childList: true });
}"""


def test_lamps_light_up_once_when_a_match_ends_before_the_eyes(new_match: NewMatch, new_context: NewContext) -> None:
    match = new_match()
    record(match, *WHOLE[:-1])
    moving = new_context.tab(PHONE, reduced_motion="no-preference")
    still = new_context.tab(PHONE, reduced_motion="reduce")
    for page in (moving, still):
        open_match(page, match)
        wait_until_live(page)
        page.evaluate(COUNT_LAMPS)
    ok(match.post("/moves", {"seat": "blue", "move": {"type": "pass"}}), 201)
    for page in (moving, still):
        expect(page.get_by_text("Jan wins").first).to_be_visible()
    board = moving.locator("#board")
    expect(board).to_have_attribute("data-lit", re.compile(r"[1-9].* 0$"))
    lit = [int(count) for count in str(board.get_attribute("data-lit")).removeprefix("0 ").split()[:-1]]
    seats = ok(match.get(f"/replay/{len(WHOLE)}/score"))["seats"].values()
    items = [item for seat in seats for item in seat["items"] if item["points"] > 0 and item["sources"]]
    assert lit == sorted(lit)
    assert lit[-1] == sum(len(item["sources"]) for item in items) > 1
    expect(still.locator("#board")).to_have_attribute("data-lit", "0")
