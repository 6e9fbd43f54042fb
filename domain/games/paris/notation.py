"""Moves and set-ups of Paris in the match text."""

from typing import Final

from domain.shorthand import EITHER, NAME, NUMBER, Form, Key, Shorthand, Word, mapping, numbered, record, several

_STACK: Final = Word("stack", NUMBER)
_TILE: Final = Word("tile", NUMBER)

MOVES: Final = Shorthand(
    Form("reveal", _STACK, Word("tile")),
    Form("reveal", _STACK, Word("tile"), "discard", constants={"type": "reveal", "discard": True}),
    Form("reveal", _STACK, Word("tile"), Word("district")),
    Form("key", Word("at"), constants={"type": "place_key"}),
    Form(
        "move",
        Word("from"),
        Word("to"),
        constants={"type": "move_key"},
        place=Key(record(tile=NUMBER, district=NAME), "landmark"),
        spend=Key(several(record(tile=EITHER, **{"as": NAME}))),
        prestige=Key(mapping(NUMBER)),
        using=Key(NUMBER),
    ),
    Form("end_tile", Word("tile"), constants={"type": "take_end_tile"}),
    Form("advance", Word("to", NUMBER)),
    Form("score", Word("tile"), Word("district"), constants={"type": "score_tile"}),
    Form("buy", Word("buy"), constants={"type": "trade"}),
    Form("sell", Word("sell"), constants={"type": "trade"}, tile=Key(EITHER)),
    Form("activate", _TILE, take=Key(NUMBER), to=Key(NUMBER), pairs=Key(mapping(NUMBER))),
    Form("end_turn"),
)
"""`reveal 2 montmartre-5`, `move arc landmark-12 place=12:chaillot spend=17:wood,e03:gold`, `sell gilt tile=10`."""

_PLAIN: Final = {"advanced": False, "variant": None}
_ADVANCED: Final = {"advanced": True, "variant": None}
_FREE: Final = {"variant": "free_placement"}
_LAYOUT: Final = {"tokens": Key(mapping(NAME)), "track": Key(numbered(NUMBER))}

SETUP: Final = Shorthand(
    Form("basic", constants=_PLAIN),
    Form("basic", "free_placement", constants={**_PLAIN, **_FREE}),
    Form("advanced", constants=_ADVANCED, **_LAYOUT),
    Form("advanced", "free_placement", constants={**_ADVANCED, **_FREE}, **_LAYOUT),
)
"""`basic`, or `advanced tokens=montmartre-1:bronze,… track=7,3,…` with the numbers in the order of the spaces."""
