"""Sentences for moves, and the texts they are made of."""

import pytest

from domain.games.paris.parts import DISTRICTS, KINDS, PLACES, SPACES, TYPES
from domain.games.paris.state import State
from domain.games.paris.texts import LANGUAGES
from tests.domain.games.paris.positions import (
    GAME,
    advanced,
    begin,
    drawn,
    emptied,
    having,
    move,
    with_market,
)

RICH = having(
    drawn(
        "arc belleville-4 montmartre-1",
        "belleville-2",
        free="belleville-3 belleville-8 landmark-10@montmartre landmark-12@belleville",
        players=3,
    ),
    francs=50,
    stock="wood=3 marble=3 gold=3 bronze=4 silver=2",
    tiles="1 2 7 9 13 16 17 18 20 21 22 23 24 25 26 e10",
    track=12,
)
RIGHT = RICH._replace(turn=RICH.turn._replace(may_advance=True, may_score_tile=True))
FREE = begin(variant="free_placement")


@pytest.mark.parametrize(
    ("state", "line", "said"),
    [
        (begin(), "reveal 2 montmartre-5", "Red reveals the theatre Montmartre 5 from stack 2."),
        (
            FREE,
            "reveal 1 montmartre-1 chaillot",
            "Red reveals the café Montmartre 1 from stack 1 and puts it on Chaillot 1.",
        ),
        (
            FREE,
            "reveal 1 montmartre-2 away",
            "Red reveals the bakery Montmartre 2 from stack 1, which fits nowhere and is discarded.",
        ),
        (RICH, "key bank:chaillot", "Red places a key on the bank of Chaillot and receives 7 francs."),
        (RICH, "key arc", "Red places a key on the Arc de Triomphe."),
        (RICH, "move arc belleville-8", "Red moves a key from the Arc de Triomphe to Belleville 8 for 8 francs."),
        (
            RICH,
            "move arc belleville-3",
            "Red moves a key from the Arc de Triomphe to Belleville 3 for 3 francs and 1 wood.",
        ),
        (
            RICH,
            "move belleville-4 landmark-12",
            "Red moves a key from Belleville 4 to landmark 12 for 8 francs, 1 marble and 1 gold.",
        ),
        (
            RICH,
            "move arc landmark-15 place 15 saint_germain spend 21=gold e10=gold",
            "Red moves a key from the Arc de Triomphe to landmark 15 for 15 francs and 1 marble, after placing "
            "landmark 15 in Saint-Germain, with tile 21 as gold and tile e10 as gold.",
        ),
        (
            RICH,
            "move arc landmark-10 prestige bronze=2",
            "Red moves a key from the Arc de Triomphe to landmark 10 for 10 francs and 1 marble, and discards 2 bronze "
            "tokens for 6 points.",
        ),
        (
            RICH,
            "move arc belleville-2 using 16",
            "Red moves a key from the Arc de Triomphe to Belleville 2 for 2 francs, using bonus tile 16.",
        ),
        (emptied(RICH), "end_tile e07", "Red takes end tile e07."),
        (RIGHT, "advance 28", "Red advances to space 28 of the bonus track and takes tile 28."),
        (
            RIGHT._replace(turn=RIGHT.turn._replace(advance_fee=2)),
            "advance 28",
            "Red advances to space 28 of the bonus track for 2 francs and takes tile 28.",
        ),
        (
            RIGHT._replace(turn=RIGHT.turn._replace(advance_fee=1)),
            "advance 28",
            "Red advances to space 28 of the bonus track for 1 franc and takes tile 28.",
        ),
        (RIGHT, "score 20-10-5 la_villette", "Red puts the scoring tile 20-10-5 in La Villette."),
        (with_market(RICH, gold=1), "buy gold", "Red buys 1 gold for 5 francs."),
        (RICH, "sell silver", "Red sells 1 silver token for 2 francs."),
        (RICH, "sell wood with 21", "Red uses tile 21 as 1 wood and sells it for 1 franc."),
        (RICH, "activate 1", "Red uses bonus tile 1 and receives 2 francs."),
        (RICH, "activate 7", "Red uses bonus tile 7 and receives 4 points."),
        (RICH, "activate 22", "Red uses bonus tile 22 and receives 3 francs and 6 points."),
        (RICH, "activate 18", "Red uses bonus tile 18 and receives 5 points."),
        (RICH, "activate 26", "Red uses bonus tile 26."),
        (RICH, "activate 13", "Red uses bonus tile 13 and takes a key from the reserve for 3 francs."),
        (RICH, "activate 17 take 30", "Red uses bonus tile 17 and takes bonus tile 30."),
        (RICH, "activate 25 to 10", "Red uses bonus tile 25, goes back to space 10 and takes bonus tile 10."),
        (
            RICH,
            "activate 23 pairs bronze=2 silver=1",
            "Red uses bonus tile 23, gives up 4 bronze tokens and 2 silver tokens and receives 9 points.",
        ),
        (RICH, "activate 24 pairs wood=1", "Red uses bonus tile 24, gives up 2 wood and receives 3 points."),
        (RICH, "end", "Red ends the turn."),
    ],
    ids=lambda value: value if isinstance(value, str) and value[0].islower() else "",
)
def test_a_move_is_told_in_one_sentence(state: State, line: str, said: str) -> None:
    assert GAME.telling.describe(state, "red", move(line)) == said


def test_a_resource_that_is_paid_is_told_though_another_is_taken_up() -> None:
    setup = advanced({"chaillot-3": "wood", "chaillot-4": "gilt"})
    state = having(drawn("arc", free="chaillot-3"), francs=3, stock="wood=1")
    state = state._replace(table=begin(**setup).table)
    sentence = GAME.telling.describe(state, "red", move("move arc chaillot-3"))
    assert sentence == "Red moves a key from the Arc de Triomphe to Chaillot 3 for 3 francs and 1 wood."


def test_a_move_out_of_turn_and_a_price_that_was_not_paid_are_told_as_they_were() -> None:
    assert GAME.telling.describe(begin(), "blue", move("end")) == "Blue ends the turn."
    poor = having(drawn("arc", free="belleville-3"), francs=1)
    sentence = GAME.telling.describe(poor, "red", move("move arc belleville-3"))
    assert sentence == "Red moves a key from the Arc de Triomphe to Belleville 3 for 1 franc."


@pytest.mark.parametrize("language", GAME.telling.LANGUAGES)
def test_every_place_has_its_words(language: str) -> None:
    texts = LANGUAGES[language]
    assert {*PLACES, *DISTRICTS, *SPACES, *TYPES, *KINDS} <= set(texts["names"])
