"""The texts of the pages: every language says everything, with the same placeholders and with all forms it needs."""

import re
from pathlib import Path
from string import Formatter

import pytest

from service.web.texts import FORMS, LANGUAGES, Texts, areas, form_for, read

WEB = Path(__file__).parents[3] / "service" / "web"
OTHERS = [language for language in LANGUAGES if language != "en"]
USE = re.compile(r"""\btn?\(\s*["']([\w-]+\.[\w-]+)["']\s*[,)]""")
"""A text asked for by its whole key."""

each_area = pytest.mark.parametrize("area", sorted(areas()))


def placeholders(form: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(form) if name is not None}


@each_area
@pytest.mark.parametrize("language", OTHERS)
def test_every_language_says_everything(area: str, language: str) -> None:
    assert read(area, language).keys() == read(area, "en").keys()
    assert all(text.strip() for text in read(area, language).values())


@each_area
def test_texts_have_the_same_placeholders_in_every_language(area: str) -> None:
    for key, text in read(area, "en").items():
        wanted = placeholders(text)
        for language in OTHERS:
            assert placeholders(read(area, language)[key]) == wanted, (key, language)


@each_area
@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_that_count_have_all_forms_of_their_language(area: str, language: str) -> None:
    english = read(area, "en")
    for key, text in read(area, language).items():
        forms = text.split("|")
        assert len(forms) == (FORMS[language] if "|" in english[key] else 1), key
        assert all(form.strip() for form in forms), key


@each_area
@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_no_markup(area: str, language: str) -> None:
    assert not [key for key, text in read(area, language).items() if re.search(r"<|&\w+;", text)]


def test_every_text_that_is_asked_for_is_there() -> None:
    known = {key for area in areas() for key in read(area, "en")}
    asked: dict[str, str] = {}
    for path in WEB.rglob("*"):
        if path.suffix in {".js", ".html", ".py"}:
            asked |= dict.fromkeys(USE.findall(path.read_text("utf-8")), path.name)
    assert len(asked) > 100
    assert {key: name for key, name in asked.items() if key not in known} == {}


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("en", {0: 1, 1: 0, 2: 1, 21: 1}),
        ("pl", {0: 2, 1: 0, 2: 1, 4: 1, 5: 2, 12: 2, 14: 2, 21: 2, 22: 1, 112: 2, 122: 1}),
        ("cs", {0: 2, 1: 0, 2: 1, 4: 1, 5: 2, 22: 2}),
        ("pt", {0: 1, 1: 0, 2: 1, 21: 1}),
    ],
)
def test_numbers_go_with_the_right_form(language: str, forms: dict[int, int]) -> None:
    assert {n: form_for(language, n) for n in forms} == forms


def test_a_number_stands_in_its_text() -> None:
    assert Texts("pl", ["matches"]).tn("matches.in_progress", 22) == "W toku, 22 ruchy"
    assert Texts("en", ["shared"]).t("shared.rules", game="Paris") == "Rules: Paris"
