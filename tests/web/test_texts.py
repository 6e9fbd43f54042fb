"""Numbers in the texts of pages, as a real browser writes them."""

import pytest

from domain.plurals import plural_form
from service.web.texts import read
from tests.web.checks import wait_until_shown
from tests.web.conftest import PHONE, NewContext

WRITTEN = """
async (numbers) => {
    const script = [...document.scripts].find(({ src }) => src.endsWith(".js")).src;
    const [{ tn }, { percent, percents }] = await Promise.all(
        ["texts.js", "numbers.js"].map((name) => import(new URL(name, script))));
    const points = numbers.map((number) => tn("stats.n_points", number));
    return { points, shares: [percent(0.5), percents([0.25, 0.5])] };
}
"""


@pytest.mark.parametrize(
    ("locale", "fraction", "shares"),
    [
        ("en-GB", "2.5 points", ["50%", "25–50%"]),
        ("pl-PL", "2,5 punktu", ["50%", "25–50%"]),
        ("cs-CZ", "2,5 bodu", ["50\N{NO-BREAK SPACE}%", "25–50\N{NO-BREAK SPACE}%"]),
        ("pt-PT", "2,5 pontos", ["50%", "25–50%"]),
    ],
)
def test_pages_and_service_choose_the_same_plural_forms(
    new_context: NewContext, locale: str, fraction: str, shares: list[str]
) -> None:
    language = locale[:2]
    page = new_context(PHONE, locale=locale).new_page()
    page.goto("/players")
    wait_until_shown(page)
    numbers = [*range(131), 0.5, 1.5, 2.5, 22.5]
    written = page.evaluate(WRITTEN, numbers)
    nouns = [text.split(" ", 1)[1] for text in written["points"]]
    text = read("stats", language)["stats.n_points"]
    assert nouns == [plural_form(text, language, number).split(" ", 1)[1] for number in numbers]
    assert written["points"][numbers.index(2.5)] == fraction
    assert written["shares"] == shares
