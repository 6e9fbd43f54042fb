"""Moves and set-ups of La Cité de la Lumière in the match text."""

from typing import Final

from domain.shorthand import NAME, NUMBER, Form, Key, Shorthand, Word, prefixed, several

_SPACES: Final = Word("cells", several(NAME))


def _card(card: str, *words: Word, **keys: Key) -> Form:
    """A postcard whose effect names more than a space, or other things."""
    return Form("postcard", card, *words, constants={"type": "postcard", "card": card}, **keys)


MOVES: Final = Shorthand(
    Form("pave", Word("tile"), Word("at"), Word("rotation", prefixed("r", NUMBER))),
    Form("take", Word("building")),
    Form("pass"),
    Form("build", Word("building"), _SPACES),
    Form("postcard", Word("card")),
    _card("bouquinistes", Word("cell"), building=Key()),
    _card("fontaine_des_mers", _SPACES),
    _card("jardin_des_plantes", _SPACES),
    _card("le_penseur", Word("cell"), Word("facing")),
    _card("levitation", Word("give"), Word("take"), _SPACES),
    Form("postcard", Word("card"), Word("cell")),
)
"""`pave O1 a1 r90`, `build L4 a1,a2,b2`, `postcard le_penseur c3 n`; a card alone declines its effect."""

SETUP: Final = Shorthand(Form("", constants={}, first=Key(), postcards=Key(several(NAME))))
"""`first=orange postcards=chartier,lampadaire,…`."""
