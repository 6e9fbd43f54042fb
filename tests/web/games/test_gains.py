"""What moves would give is told on the board before they are made, to those who record, unless they switch it off."""

import re

from playwright.sync_api import Page, expect

from tests.service.conftest import NewMatch
from tests.service.harness import TO_BUILDING
from tests.web.tables import open_match


def test_what_a_building_would_give_is_told_until_that_is_switched_off(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    match.record(*TO_BUILDING)
    open_match(phone, match)
    phone.locator('[data-choice^="build-"]').first.tap()
    best = phone.locator(".cite-best")
    expect(best.first).to_have_text(re.compile("^[+\N{MINUS SIGN}][0-9]+$"))
    cell = phone.evaluate(
        """async (id) => {
          const { data } = { data: await (await fetch(`/api/v1/matches/${id}/legal-moves`)).json() };
          const building = document.querySelector('[data-choice^="build-"]').dataset.choice.slice(6);
          return data.moves.find((move) => move.building === building).cells[0];
        }""",
        match.id,
    )
    phone.locator(f'[data-cell="{cell}"]').tap()
    expect(phone.locator(".cite-gain")).to_have_text(re.compile(r"unbuilt \+3"))
    phone.get_by_role("button", name="Menu").tap()
    phone.get_by_role("button", name="Show what moves give").tap()
    expect(phone.locator(".cite-gain")).to_have_count(0)
    phone.reload()
    phone.locator('[data-choice^="build-"]').first.tap()
    expect(phone.locator(".cite-place").first).to_be_attached()
    expect(best).to_have_count(0)
