"""Every reason for which a move of La Cité de la Lumière is refused: code, kind and section of the rules."""

from functools import partial

from domain.game import Kind, Reason
from domain.games.cite_lumiere.texts import SENTENCES

REASONS = {
    "match_over": Reason(Kind.PHYSICAL, "5.5"),
    "wrong_phase": Reason(Kind.PHYSICAL, "3.2"),
    "not_your_turn": Reason(Kind.RULE, "3.2"),
    "not_a_square": Reason(Kind.PHYSICAL, "1.2"),
    "square_taken": Reason(Kind.PHYSICAL, "4.1"),
    "tile_not_yours": Reason(Kind.PHYSICAL, "4.1"),
    "tile_placed": Reason(Kind.PHYSICAL, "4.1"),
    "not_in_supply": Reason(Kind.PHYSICAL, "4.2"),
    "pass_with_tiles": Reason(Kind.RULE, "4.3"),
    "not_in_reserve": Reason(Kind.PHYSICAL, "5.1"),
    "no_chimney": Reason(Kind.PHYSICAL, "5.1"),
    "shape_mismatch": Reason(Kind.PHYSICAL, "5.1"),
    "space_not_free": Reason(Kind.PHYSICAL, "5.1"),
    "wrong_colour": Reason(Kind.RULE, "5.1"),
    "lamp_covered": Reason(Kind.RULE, "5.1"),
    "card_not_in_play": Reason(Kind.PHYSICAL, "3.1"),
    "card_taken": Reason(Kind.PHYSICAL, "5.2"),
    "no_token": Reason(Kind.PHYSICAL, "5.2"),
    "pass_with_token": Reason(Kind.RULE, "5.3"),
    "pass_with_building": Reason(Kind.RULE, "5.3"),
    "skipped": Reason(Kind.PHYSICAL, "5.4"),
    "not_own_colour": Reason(Kind.RULE, "6.1"),
    "not_your_building": Reason(Kind.PHYSICAL, "6.9"),
    "annex_unclear": Reason(Kind.PHYSICAL, "6.9"),
    "not_adjacent": Reason(Kind.RULE, "6.9"),
    "front_not_free": Reason(Kind.RULE, "6.13"),
    "not_a_lamp": Reason(Kind.PHYSICAL, "6.14"),
}

refusal = partial(SENTENCES.refusal, REASONS)
"""The refusal of a move by its code, with what its sentence names."""
stored_refusal = partial(SENTENCES.stored_refusal, REASONS)
"""A refusal of its code and the values that it was stored with."""


def refuse_nothing(*_: object) -> None:
    """The check where there is nothing to refuse."""
