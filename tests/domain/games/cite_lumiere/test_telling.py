"""Sentences for moves, and the texts they are made of."""

import pytest

from domain.games.cite_lumiere.parts import CARDS
from domain.games.cite_lumiere.texts import LANGUAGES
from tests.domain.games.cite_lumiere.positions import GAME, HALVES, OTHERS, begin, drawn, move

RIGHTS = ("orange metropolitain", "orange chartier")
CARDS_IN_PLAY = (
    "levitation",
    "jardin_des_plantes",
    "fontaine_des_mers",
    "metropolitain",
    "chartier",
    *OTHERS[2:4],
    "bouquinistes",
)


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("pave O1 a1 0", ("Orange", "a1", "O1")),
        ("pave O1 c5 270", ("Orange", "c5", "O1", "270")),
        ("take L4", ("Orange", "L4", "supply")),
        ("pass", ("Orange passes",)),
    ],
)
def test_a_move_of_the_first_phase_is_told(line: str, named: tuple[str, ...]) -> None:
    sentence = GAME.telling.describe(begin(), "orange", move(line))
    assert all(word in sentence for word in named) and sentence.endswith(".")
    assert ("turned" in sentence) == ("270" in line)


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("build I3 a5 b5 c5", ("I3", "a5, b5 and c5")),
        ("build I3 c1 d1 e1", ("I3", "c1, d1 and e1", "Chartier")),
        ("build I3 a4 b4 c4", ("I3", "a4, b4 and c4", "Metropolitain")),
        ("levitation I3 O4 c1 d1 c2 d2", ("Levitation", "I3", "O4", "c1, c2, d1 and d2")),
        ("levitation I3 O4 d2 e2 d3 e3", ("Levitation", "Chartier")),
        ("jardin_des_plantes a1 a2", ("Jardin des Plantes", "garden", "a1 and a2")),
        ("jardin_des_plantes c4 d4", ("Jardin des Plantes", "c4 and d4", "Metropolitain")),
        ("fontaine_des_mers a1 a2", ("Fontaine des Mers", "a1 and a2")),
        ("fontaine_des_mers d1 e1", ("Fontaine des Mers", "d1 and e1", "Chartier")),
        ("le_penseur b2 n", ("Le Penseur", "b2", "north")),
        ("la_grande_lumiere c4", ("La Grande Lumière", "c4")),
        ("bouquinistes b7", ("Bouquinistes", "b7", "V3")),
        ("bouquinistes b7 V3", ("Bouquinistes", "b7", "V3")),
        ("levitation", ("Levitation", "unused")),
        ("bouquinistes", ("Bouquinistes", "unused")),
    ],
)
def test_a_move_of_the_second_phase_is_told_with_the_rights_it_uses(line: str, named: tuple[str, ...]) -> None:
    state = drawn(HALVES, *RIGHTS, "orange build V3 a7 a8 b8", orange="I3 V3", blue="X5", cards=CARDS_IN_PLAY)
    sentence = GAME.telling.describe(state, "orange", move(line))
    assert all(word in sentence for word in ("Orange", *named)) and "{" not in sentence
    for right in ("Chartier", "Metropolitain"):
        assert (right in sentence) == (right in named)


@pytest.mark.parametrize("card", ["metropolitain", "chartier", "sacre_coeur"])
def test_taking_a_right_is_not_told_as_declining(card: str) -> None:
    sentence = GAME.telling.describe(drawn(HALVES), "blue", move(card))
    assert sentence.startswith("Blue takes") and "unused" not in sentence


@pytest.mark.parametrize("line", ["lampadaire b2", "le_peintre b2", "moulin_rouge b2"])
def test_a_piece_on_one_space_is_told_with_it(line: str) -> None:
    sentence = GAME.telling.describe(drawn(HALVES), "orange", move(line))
    assert "b2" in sentence and "unused" not in sentence


@pytest.mark.parametrize("language", GAME.telling.LANGUAGES)
def test_every_card_has_its_words(language: str) -> None:
    texts = LANGUAGES[language]
    assert {*CARDS, "paving", "building", "garden", *"nesw"} <= set(texts["names"]) and set(CARDS) <= set(
        texts["moves"]
    )
