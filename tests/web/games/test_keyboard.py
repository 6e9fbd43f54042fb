"""Matches of every game recorded with the keyboard alone."""

import sys
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.domain.games.cite_lumiere.positions import move
from tests.service.conftest import NewMatch
from tests.service.harness import Match
from tests.web.games import paris_tapping, tapping
from tests.web.games.test_cite_lumiere import WHOLE, record, recorded
from tests.web.games.test_paris import dumped, prepare, random_match
from tests.web.keyboard import Keyboard

__all__ = ["prepare"]

ARROWS = ("ArrowLeft", "ArrowRight"), ("ArrowUp", "ArrowDown")


class TableOfCite(tapping.Table):
    """La Cité de la Lumière: the spaces of the board are one stop of Tab, and arrows lead over them."""

    def __init__(self, page: Page, match: Match) -> None:
        super().__init__(page, match.id)
        self.keyboard = Keyboard(page)

    def tap(self, locator: Locator) -> None:
        self.keyboard.enter(locator)
        self.taps += 1

    def tap_space(self, cell: str) -> None:
        current = self.page.locator('.cite-key[tabindex="0"]')
        self.keyboard.reach(current)
        here = current.get_attribute("data-cell") or ""
        for (less, more), at in zip(ARROWS, (0, 1), strict=True):
            steps = ord(cell[at]) - ord(here[at])
            self.keyboard.press(more if steps > 0 else less, abs(steps))
        expect(self.page.locator(f'.cite-key[data-cell="{cell}"]')).to_be_focused()
        self.keyboard.press("Enter")
        self.taps += 1


class TableOfParis(paris_tapping.Table):
    """Paris: everything on the table is a stop of Tab."""

    def __init__(self, page: Page, match: Match) -> None:
        super().__init__(page, match)
        self.keyboard = Keyboard(page)

    def tap(self, thing: Locator) -> None:
        self.keyboard.enter(thing)
        self.taps += 1

    def show(self, view: str) -> None:
        if self.board.locator(f'[data-show="{view}"]').is_visible():
            super().show(view)


def test_the_end_of_cite_lumiere_is_recorded_with_the_keys_alone(new_match: NewMatch, desk: Page) -> None:
    match = new_match()
    record(match, *WHOLE[:-4])
    table = TableOfCite(desk, match)
    for line in WHOLE[-4:]:
        table.play(line)
    assert recorded(match)[-4:] == [move(line) for line in WHOLE[-4:]]
    expect(desk.get_by_text("Jan wins")).to_be_visible()


def test_the_beginning_of_paris_is_recorded_with_the_keys_alone(desk: Page, prepare: Callable[..., Match]) -> None:
    drawn = random_match(0)
    table = TableOfParis(desk, prepare(drawn, 0))
    moves = dumped(drawn)[:4]
    assert moves[0]["seat"] != moves[-1]["seat"]  # a whole turn, and the beginning of the next one
    for entry in moves:
        table.record(entry["move"])
    assert table.match.moves() == moves


@pytest.mark.soak
@pytest.mark.slow
def test_a_whole_match_of_cite_lumiere_takes_few_strokes(
    new_match: NewMatch, desk: Page, capsys: pytest.CaptureFixture[str]
) -> None:
    match = new_match()
    table = TableOfCite(desk, match)
    for line in WHOLE:
        table.play(line)
    assert recorded(match) == [move(line) for line in WHOLE]
    tell(capsys, table.keyboard, len(WHOLE))


@pytest.mark.soak
@pytest.mark.slow
def test_a_whole_match_of_paris_takes_few_strokes(
    desk: Page, prepare: Callable[..., Match], capsys: pytest.CaptureFixture[str]
) -> None:
    drawn = random_match(0)
    table = TableOfParis(desk, prepare(drawn, 0))
    for entry in dumped(drawn):
        table.record(entry["move"])
    assert table.match.document()["status"] == "finished"
    tell(capsys, table.keyboard, len(drawn.plies))


def tell(capsys: pytest.CaptureFixture[str], keyboard: Keyboard, plies: int) -> None:
    """Print how many strokes a move took."""
    with capsys.disabled():
        sys.stdout.write(f"\n{keyboard.strokes} strokes for {plies} moves: {keyboard.strokes / plies:.1f} a move\n")
