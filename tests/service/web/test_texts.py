"""The texts of the pages: every language says everything, with the same placeholders and with all forms it needs."""

import re
from pathlib import Path
from string import Formatter

import pytest

from domain.plurals import PLURAL_CATEGORIES, plural_category
from service.web.texts import LANGUAGES, Texts, areas, read

WEB = Path(__file__).parents[3] / "service" / "web"
OTHERS = [language for language in LANGUAGES if language != "en"]
USE = re.compile(r"""\btn?\(\s*["']([\w-]+\.[\w-]+)["']\s*[,)]""")
"""A text asked for by its whole key."""

NOUNS = {
    "pl": "punkt punkty punktów punktu ruch ruchy ruchów partia partie partii raz razy gracz graczy "
    "frank franki franków wygrana wygrane wygranych przegrana przegrane przegranych remis remisy remisów",
    "cs": "bod body bodů bodu tah tahy tahů partie partií hráč hráči hráčů frank franky franků "
    "procentní procentních výhra výhry výher prohra prohry proher remíza remízy remíz",
}
"""What is counted on the pages, in the forms that stand beside numbers."""

each_language = pytest.mark.parametrize("language", LANGUAGES)


def placeholders(form: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(form) if name is not None}


def texts_in(language: str) -> dict[str, str]:
    """The texts of all areas by their keys."""
    return {key: text for area in sorted(areas()) for key, text in read(area, language).items()}


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_says_everything(language: str) -> None:
    for area in areas():
        assert read(area, language).keys() == read(area, "en").keys(), area
    assert [key for key, text in texts_in(language).items() if not text.strip()] == []


@pytest.mark.parametrize("language", OTHERS)
def test_texts_have_the_same_placeholders_in_every_language(language: str) -> None:
    texts = texts_in(language)
    for key, text in texts_in("en").items():
        assert placeholders(texts[key]) == placeholders(text), key


FRACTIONS = {"stats.n_points", "stats.n_percentage_points", "stats.range_points", "stats.range_moves", "stats.times"}
"""The texts that write means and quartiles, which are not always whole."""


@each_language
def test_texts_that_count_have_all_forms_of_their_language(language: str) -> None:
    english = texts_in("en")
    for key, text in texts_in(language).items():
        forms = text.split("|")
        wanted = PLURAL_CATEGORIES[language] if key in FRACTIONS else PLURAL_CATEGORIES[language][:3]
        assert len(forms) == (len(wanted) if "|" in english[key] else 1), key
        assert all(form.strip() for form in forms), key


@each_language
def test_texts_that_count_write_every_number_that_can_occur(language: str) -> None:
    texts = Texts(language, sorted(areas()))
    for key, text in texts_in(language).items():
        if "|" not in text:
            continue
        forms = dict(zip(PLURAL_CATEGORIES[language], text.split("|"), strict=False))
        values = dict.fromkeys(placeholders(text.replace("|", "")) - {"n"}, "…")
        for number in (0, 1, 2, 5, 12, 22, 25, *([2.5] if key in FRACTIONS else [])):
            wanted = forms[plural_category(language, number)].format(n=number, **values)
            assert texts.tn(key, number, **values) == wanted, key


@pytest.mark.parametrize("language", ["pl", "cs"])
def test_a_noun_beside_a_number_is_in_a_text_that_counts(language: str) -> None:
    nouns = set(NOUNS[language].split())
    wrong = [
        (key, text)
        for key, text in texts_in(language).items()
        if "|" not in text and any(noun in nouns for noun in re.findall(r"\{(?!ply)\w+\} (\w+)", text))
    ]
    assert wrong == []


@each_language
def test_texts_are_no_markup(language: str) -> None:
    assert not [key for key, text in texts_in(language).items() if re.search(r"<|&\w+;", text)]


FAMILIAR = {
    "cs": r"\b(?:tvůj|tvé|tvého|tvou|můžeš|máš|bereš|klepni|klepej|vyber|zapiš|umísti|porovnej|zaškrtni|vezmi|vrať)\b",
    "pt": r"\b(?:teu|tua|teus|tuas|tens|podes|ficas|recuas|toca|escolhe|coloca|revela|compara|marca|anota-as)\b",
}
"""Words that address the reader familiarly, or would where they stand in these texts."""


@pytest.mark.parametrize("language", FAMILIAR)
def test_readers_are_addressed_politely_throughout(language: str) -> None:
    texts = texts_in(language)
    assert [key for key, text in texts.items() if re.search(FAMILIAR[language], text, re.IGNORECASE)] == []


def test_every_text_that_is_asked_for_is_there() -> None:
    known = {key for area in areas() for key in read(area, "en")}
    asked: dict[str, str] = {}
    for path in WEB.rglob("*"):
        if path.suffix in {".js", ".html", ".py"}:
            asked |= dict.fromkeys(USE.findall(path.read_text("utf-8")), path.name)
    assert len(asked) > 100
    assert {key: name for key, name in asked.items() if key not in known} == {}


@pytest.mark.parametrize(
    ("language", "key", "forms"),
    [
        ("pl", "n_points", {1: "1 punkt", 2: "2 punkty", 5: "5 punktów", 22: "22 punkty", 2.5: "2.5 punktu"}),
        ("cs", "n_points", {1: "1 bod", 2: "2 body", 5: "5 bodů", 22: "22 bodů", 2.5: "2.5 bodu"}),
        ("pt", "n_points", {0: "0 pontos", 1: "1 ponto", 2: "2 pontos", 2.5: "2.5 pontos"}),
        ("pl", "n_percentage_points", {72: "72 punkty procentowe", 75: "75 punktów procentowych"}),
        ("pl", "streak_won", {1: "1 wygrana", 3: "3 wygrane", 5: "5 wygranych"}),
        ("cs", "streak_won", {1: "1 výhra", 3: "3 výhry", 5: "5 výher"}),
        ("pt", "streak_won", {1: "1 vitória", 3: "3 vitórias"}),
    ],
)
def test_numbers_go_with_the_right_form(language: str, key: str, forms: dict[float, str]) -> None:
    texts = Texts(language, ["stats"])
    assert {n: texts.tn(f"stats.{key}", n) for n in forms} == forms


def test_a_number_stands_in_its_text() -> None:
    assert Texts("pl", ["sync"]).tn("sync.waiting", 22) == "22 ruchy czekają."
    assert Texts("en", ["shared"]).t("shared.rules", game="Paris") == "Rules: Paris"
