"""What statistics say of their own terms and of features, in every language."""

from pathlib import Path

import pytest

from domain.catalogue import GAMES
from service.http.locale import LANGUAGES
from service.stats.conventions import CONVENTIONS
from tests.service.harness import Service, ok


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_term_has_one_sentence_in_every_language(language: str) -> None:
    texts, english = CONVENTIONS[language], CONVENTIONS["en"]
    assert list(texts) == list(english)
    for term, text in texts.items():
        assert text[0].isupper() and text.endswith("."), term
        assert language == "en" or text != english[term]


def test_the_documents_say_the_same() -> None:
    text = (Path(__file__).parents[3] / "docs" / "statistics.md").read_text()
    for term, said in CONVENTIONS["en"].items():
        assert f"| `{term}` | {said} |" in text


def test_terms_and_features_are_defined_in_the_language_of_the_reader(corpus: Service) -> None:
    items = ok(corpus.get("/stats/conventions?lang=pl"))["items"]
    assert {item["term"]: item["about"] for item in items} == CONVENTIONS["pl"]
    answer = corpus.get("/stats/conventions", {"Accept-Language": "cs"})
    assert {item["term"]: item["about"] for item in ok(answer)["items"]} == CONVENTIONS["cs"]
    for game_id, game in GAMES.items():
        assert ok(corpus.get(f"/games/{game_id}?lang=pt"))["definitions"] == game.statistics.definitions("pt")
        definitions = game.statistics.definitions("pl")
        for row in ok(corpus.get(f"/stats/games/{game_id}/features?lang=pl"))["items"]:
            assert row["about"] == definitions[row["feature"]]


def test_the_features_of_a_player_are_defined_too(corpus: Service) -> None:
    player = ok(corpus.get("/stats/players?limit=1"))["items"][0]["player"]["id"]
    for row in ok(corpus.get(f"/stats/players/{player}?game=paris&lang=cs"))["features"]:
        assert row["about"] == GAMES["paris"].statistics.definitions("cs")[row["feature"]]
