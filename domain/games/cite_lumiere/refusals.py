"""Every reason for which a move of La Cité de la Lumière is refused: code, kind and section of the rules."""

from functools import partial

from domain.game import Kind, Refusal
from domain.games.cite_lumiere.texts import SENTENCES

REFUSALS = {
    "match_over": Refusal(Kind.PHYSICAL, "5.5"),
    "wrong_phase": Refusal(Kind.PHYSICAL, "3.2"),
    "not_your_turn": Refusal(Kind.RULE, "3.2"),
    "not_a_square": Refusal(Kind.PHYSICAL, "1.2"),
    "square_taken": Refusal(Kind.PHYSICAL, "4.1"),
    "tile_not_yours": Refusal(Kind.PHYSICAL, "4.1"),
    "tile_placed": Refusal(Kind.PHYSICAL, "4.1"),
    "not_in_supply": Refusal(Kind.PHYSICAL, "4.2"),
    "pass_with_tiles": Refusal(Kind.RULE, "4.3"),
    "not_in_reserve": Refusal(Kind.PHYSICAL, "5.1"),
    "no_chimney": Refusal(Kind.PHYSICAL, "5.1"),
    "shape_mismatch": Refusal(Kind.PHYSICAL, "5.1"),
    "space_not_free": Refusal(Kind.PHYSICAL, "5.1"),
    "wrong_colour": Refusal(Kind.RULE, "5.1"),
    "lamp_covered": Refusal(Kind.RULE, "5.1"),
    "card_not_in_play": Refusal(Kind.PHYSICAL, "3.1"),
    "card_taken": Refusal(Kind.PHYSICAL, "5.2"),
    "no_token": Refusal(Kind.PHYSICAL, "5.2"),
    "pass_with_token": Refusal(Kind.RULE, "5.3"),
    "pass_with_building": Refusal(Kind.RULE, "5.3"),
    "skipped": Refusal(Kind.PHYSICAL, "5.4"),
    "not_own_colour": Refusal(Kind.RULE, "6.1"),
    "not_your_building": Refusal(Kind.PHYSICAL, "6.9"),
    "annex_unclear": Refusal(Kind.PHYSICAL, "6.9"),
    "not_adjacent": Refusal(Kind.RULE, "6.9"),
    "front_not_free": Refusal(Kind.RULE, "6.13"),
    "not_a_lamp": Refusal(Kind.PHYSICAL, "6.14"),
}


refusal = partial(SENTENCES.refusal, REFUSALS)
"""The refusal of a move by its code, with what its sentence names."""


def refuse_nothing(*_: object) -> None:
    """The check of what is allowed whenever it is possible."""
