"""The tools of a match that is over, each in both themes on phone and desk: axe-core is content with all of them."""

import pytest
from playwright.sync_api import expect

from tests.service.conftest import NewMatch
from tests.web.checks import check_axe
from tests.web.conftest import DESK, PHONE, NewContext
from tests.web.games.test_cite_lumiere import WHOLE, record
from tests.web.tables import open_match

TOOLS = ("result", "moves", "notes", "points", "history", "share")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("device", "scheme"),
    [
        ("phone", "light"),
        ("desk", "dark"),
        pytest.param("phone", "dark", marks=pytest.mark.soak),
        pytest.param("desk", "light", marks=pytest.mark.soak),
    ],
)
def test_every_tool_is_accessible(new_match: NewMatch, new_context: NewContext, device: str, scheme: str) -> None:
    match = new_match()
    record(match, *WHOLE)
    match.annotate(3, glyph="!?", text="Bold.")
    page = new_context.tab({"phone": PHONE, "desk": DESK}[device], color_scheme=scheme)
    for tool in TOOLS:
        open_match(page, match, f"?tool={tool}")
        expect(page.locator("#rail")).to_have_attribute("data-tool", tool)
        expect(page.locator(f"#tool .tool-{tool} > *").first).to_be_attached()
        check_axe(page)
