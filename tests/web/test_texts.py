"""Numbers and names in the texts of pages, as a real browser writes them."""

import re
from collections.abc import Mapping
from typing import cast

import pytest
from playwright.sync_api import expect

from domain.catalogue import GAMES
from domain.game import AnyGame
from domain.plurals import plural_form
from domain.sentences import Texts
from service.web.texts import LANGUAGES, read
from tests.service.conftest import NewMatch
from tests.service.harness import OPENING
from tests.web.checks import wait_until_shown
from tests.web.conftest import PHONE, NewContext

WRITTEN = """
async (numbers) => {
    const { src } = document.getElementById("boot");
    const [{ $js_texts: { tn } }, { $js_numbers: { percent, percents } }] = await Promise.all(
        [src, new URL("figures.js", src)].map((script) => import(script)));
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
    page = new_context.tab(PHONE, locale=locale)
    page.goto("/players")
    wait_until_shown(page)
    numbers = [*range(131), 0.5, 1.5, 2.5, 22.5]
    written = page.evaluate(WRITTEN, numbers)
    nouns = [text.split(" ", 1)[1] for text in written["points"]]
    text = read("stats", language)["stats.n_points"]
    assert nouns == [plural_form(text, language, number).split(" ", 1)[1] for number in numbers]
    assert written["points"][numbers.index(2.5)] == fraction
    assert written["shares"] == shares


def test_sentences_of_the_api_name_no_seat_where_a_page_knows_the_players(
    new_match: NewMatch, new_context: NewContext
) -> None:
    match = new_match(players=[{"seat": "orange", "name": "Zoë Blue"}, {"seat": "blue", "name": "Jan"}])
    match.record(*OPENING[:2])
    shown = {
        "en-GB": "Jan takes building L4 from the supply.",
        "pl-PL": "Jan: zdobywa budynek L4 z puli.",
        "cs-CZ": "Jan: bere si z banku budovu L4.",
        "pt-PT": "Jan tira o edifício L4 da provisão geral.",
    }
    for locale, sentence in shown.items():
        page = new_context.tab(PHONE, locale=locale)
        page.goto(f"/matches/{match.id}/2?tool=moves")
        wait_until_shown(page)
        expect(page.locator("#now")).to_have_text(sentence)
        expect(page.locator("#tool .ply-line").nth(1)).to_contain_text("Zoë Blue")


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_name_of_a_seat_is_no_other_word_of_a_game(game: AnyGame, language: str) -> None:
    texts = cast(Mapping[str, Texts], game.telling.LANGUAGES)[language]
    names = {texts["names"][seat] for seat in game.seats}
    assert names == {read("shared", language)[f"shared.seat_{seat}"] for seat in game.seats}
    others = [
        text
        for section, sentences in texts.items()
        for key, text in sentences.items()
        if not (section == "names" and key in game.seats)
    ]
    assert not [text for text in others if names & set(re.findall(r"\w+", text))]
