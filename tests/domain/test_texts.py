"""What every game says in each of its languages."""

import json
from collections.abc import Mapping
from random import Random
from string import Formatter

import pytest

from domain.catalogue import GAMES
from domain.game import AnyGame, Kind, Reason
from domain.games import cite_lumiere, paris
from domain.plurals import PLURAL_CATEGORIES, plural_category, plural_form
from domain.sentences import Count, Sentences, Texts
from scripts.random_play import play

LANGUAGES: Mapping[str, Mapping[str, Texts]] = {
    "cite-lumiere": cite_lumiere.texts.LANGUAGES,
    "paris": paris.texts.LANGUAGES,
}

every_language = pytest.mark.parametrize(
    ("game", "language"), [(game, language) for game in GAMES.values() for language in game.telling.LANGUAGES]
)


@pytest.mark.uncounted
@every_language
def test_every_move_and_point_of_random_matches_is_told_in_whole_sentences(game: AnyGame, language: str) -> None:
    chance = Random(3)
    for seed in range(3):
        match = play(game, Random(seed))
        for state, (seat, _) in zip(match.states, match.plies, strict=False):
            moves = list(game.rules.legal_moves(state))
            for move in chance.sample(moves, min(3, len(moves))):
                require_sentence(game.telling.describe(state, seat, move, language))
        for state in match.states[::5]:
            for items in game.telling.explain(state, language).values():
                for item in items:
                    require_sentence(item.sentence)


def require_sentence(sentence: str) -> None:
    assert sentence[0].isupper() and sentence.endswith(".")
    assert not any(slip in sentence for slip in ("{", "}", "None", "  ", " .", " ,", "_", "[", "("))


def fields(text: str) -> set[str | None]:
    """What a sentence names."""
    return {field for _, field, _, _ in Formatter().parse(text) if field is not None}


@every_language
def test_every_language_has_the_same_texts_with_the_same_gaps(game: AnyGame, language: str) -> None:
    texts, english = LANGUAGES[game.id][language], LANGUAGES[game.id]["en"]
    assert set(texts) == set(english)
    for section, sentences in texts.items():
        assert set(sentences) == set(english[section])
        assert all(fields(text) == fields(english[section][key]) for key, text in sentences.items())


every_translation = pytest.mark.parametrize(
    ("game", "language"), [(game, language) for game in GAMES.values() for language in [*game.telling.LANGUAGES][1:]]
)


@every_translation
def test_no_sentence_was_left_in_english(game: AnyGame, language: str) -> None:
    texts, english = LANGUAGES[game.id][language], LANGUAGES[game.id]["en"]
    for section in ("counts", "moves", "score", "features", "refusals"):
        assert [key for key, text in texts[section].items() if text == english[section][key]] == []


def test_all_games_speak_the_same_languages() -> None:
    assert {tuple(game.telling.LANGUAGES) for game in GAMES.values()} == {("en", "pl", "cs", "pt")}


@every_language
def test_every_count_has_as_many_forms_as_the_language_asks_for(game: AnyGame, language: str) -> None:
    forms = {"en": 2, "pl": 3, "cs": 3, "pt": 2}[language]
    for text in LANGUAGES[game.id][language]["counts"].values():
        assert [fields(form) for form in text.split("|")] == [{"number"}] * forms


@every_language
def test_every_seat_and_every_refusal_has_its_words(game: AnyGame, language: str) -> None:
    texts = LANGUAGES[game.id][language]
    assert set(game.seats) <= set(texts["names"])
    assert set(texts["refusals"]) == set(game.reasons)


@every_language
def test_every_feature_is_defined_in_a_whole_sentence(game: AnyGame, language: str) -> None:
    definitions = game.statistics.definitions(language)
    assert definitions.keys() == {*game.statistics.FEATURE_KINDS, "lead_changes", "opening"}
    for text in definitions.values():
        require_sentence(text)


SENTENCES = Sentences(
    {
        "en": {
            "words": {"and": "and"},
            "counts": {"fish": "{number} fish|{number} fishes"},
            "names": {"ana": "Ana"},
            "pond": {"caught": "{who} caught {what}.", "with": "with {what}"},
        }
    }
)


@pytest.mark.parametrize(
    ("who", "what", "said"),
    [
        ("ana", Count(1, "fish"), "Ana caught 1 fish."),
        ("ana", Count(0, "fish"), "Ana caught 0 fishes."),
        ("the cat", 7, "The cat caught 7."),
        (["ana"], ["a boot", Count(2, "fish")], "Ana caught a boot and 2 fishes."),
        (["jan", "ana", "eva"], "nothing", "Jan, Ana and eva caught nothing."),
    ],
)
def test_a_sentence_writes_out_numbers_names_and_lists_and_begins_with_a_capital(
    who: object, what: object, said: str
) -> None:
    assert SENTENCES.sentence("pond", "caught", "en", who=who, what=what) == said


CATEGORIES: Mapping[str, Mapping[float, str]] = {
    "en": {0: "other", 1: "one", 2: "other", 5: "other", 12: "other", 22: "other", 25: "other", 2.5: "other"},
    "pl": {0: "many", 1: "one", 2: "few", 5: "many", 12: "many", 22: "few", 25: "many", 2.5: "other"},
    "cs": {0: "other", 1: "one", 2: "few", 5: "other", 12: "other", 22: "other", 25: "other", 2.5: "many"},
    "pt": {0: "other", 1: "one", 2: "other", 5: "other", 12: "other", 22: "other", 25: "other", 2.5: "other"},
}
"""What CLDR has for numbers; Portuguese is that of Portugal."""


@pytest.mark.parametrize("language", CATEGORIES)
def test_numbers_have_the_plural_categories_of_cldr(language: str) -> None:
    assert {number: plural_category(language, number) for number in CATEGORIES[language]} == CATEGORIES[language]
    assert plural_category(language, -1) == "one"
    assert plural_category(language, 1.5) == plural_category(language, 2.5)


@pytest.mark.parametrize("language", CATEGORIES)
def test_texts_may_leave_out_the_form_of_fractions(language: str) -> None:
    forms = list(PLURAL_CATEGORIES[language])
    assert plural_form("|".join(forms), language, 2.5) == plural_category(language, 2.5)
    if len(forms) == 4:
        assert plural_form("|".join(forms[:3]), language, 2.5) == forms[2]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("pl", {0: "pól", 1: "pole", 2: "pola", 4: "pola", 5: "pól", 12: "pól", 21: "pól", 22: "pola", 112: "pól"}),
        ("cs", {0: "políček", 1: "políčko", 2: "políčka", 4: "políčka", 5: "políček", 22: "políček"}),
        ("pt", {0: "espaços", 1: "espaço", 2: "espaços", 21: "espaços"}),
    ],
)
def test_a_number_takes_the_form_of_its_language(language: str, said: Mapping[int, str]) -> None:
    spoken = Sentences({language: {**LANGUAGES["cite-lumiere"][language], "board": {"has": "{size}"}}})
    for number, noun in said.items():
        assert spoken.phrase("board", "has", language, size=Count(number, "space")) == f"{number} {noun}"


def test_a_phrase_is_put_in_as_it_stands() -> None:
    assert SENTENCES.phrase("pond", "with", "en", what=[Count(1, "fish"), "ana"]) == "with 1 fish and Ana"


def test_a_refusal_is_told_again_of_its_code_and_values() -> None:
    texts: Texts = {
        "refusals": {"full": "{spaces} are full: {count} in {phase} {number}."},
        "words": {"and": "and"},
        "names": {"pave": "paving"},
        "counts": {"tile": "{number} tile|{number} tiles"},
    }
    sentences, reasons = Sentences({"en": texts}), {"full": Reason(Kind.RULE, "4.1")}
    named = {"spaces": ["a1", "b2"], "count": Count(2, "tile"), "phase": "pave", "number": 1}
    refusal = sentences.refusal(reasons, "full", **named)
    assert refusal.values == {**named, "count": {"number": 2, "noun": "tile"}}
    again = sentences.stored_refusal(reasons, refusal.code, json.loads(json.dumps(refusal.values)))
    assert str(again) == str(refusal) == "A1 and b2 are full: 2 tiles in paving 1."
    assert (again.code, again.kind, again.rule) == ("full", Kind.RULE, "4.1")
