"""Every reason for which a move of Paris is refused: code, kind and section of the rules."""

from functools import partial

from domain.game import Kind, Refusal
from domain.games.paris.texts import SENTENCES

REFUSALS = {
    "match_over": Refusal(Kind.PHYSICAL, "7.1"),
    "not_your_turn": Refusal(Kind.RULE, "3.1"),
    "cannot_pay": Refusal(Kind.RULE, "1.8"),
    "already_revealed": Refusal(Kind.PHYSICAL, "3.2"),
    "stack_empty": Refusal(Kind.PHYSICAL, "3.2"),
    "tile_drawn": Refusal(Kind.PHYSICAL, "3.2"),
    "variant_mismatch": Refusal(Kind.PHYSICAL, "2.3"),
    "space_not_free": Refusal(Kind.PHYSICAL, "2.3"),
    "type_in_district": Refusal(Kind.PHYSICAL, "2.3"),
    "tile_fits": Refusal(Kind.PHYSICAL, "2.3"),
    "not_revealed": Refusal(Kind.RULE, "3.2"),
    "already_acted": Refusal(Kind.RULE, "3.3"),
    "must_act": Refusal(Kind.PHYSICAL, "3.4"),
    "no_key_in_hand": Refusal(Kind.PHYSICAL, "4.1"),
    "not_a_bank": Refusal(Kind.PHYSICAL, "4.1"),
    "key_already_there": Refusal(Kind.PHYSICAL, "4.1"),
    "no_key_there": Refusal(Kind.PHYSICAL, "4.2"),
    "not_a_property": Refusal(Kind.PHYSICAL, "4.2"),
    "no_building": Refusal(Kind.PHYSICAL, "4.2"),
    "target_occupied": Refusal(Kind.PHYSICAL, "4.2"),
    "wrong_district": Refusal(Kind.RULE, "4.2"),
    "not_higher": Refusal(Kind.RULE, "4.2"),
    "landmark_not_placed": Refusal(Kind.PHYSICAL, "4.3"),
    "landmark_placed": Refusal(Kind.PHYSICAL, "4.3"),
    "landmark_elsewhere": Refusal(Kind.PHYSICAL, "4.3"),
    "landmark_not_higher": Refusal(Kind.RULE, "4.3"),
    "prestige_not_wanted": Refusal(Kind.PHYSICAL, "4.4"),
    "too_many_prestige": Refusal(Kind.PHYSICAL, "4.4"),
    "no_such_prestige": Refusal(Kind.PHYSICAL, "4.4"),
    "no_scoring_right": Refusal(Kind.PHYSICAL, "4.5"),
    "scoring_tile_placed": Refusal(Kind.PHYSICAL, "4.5"),
    "district_has_tile": Refusal(Kind.PHYSICAL, "4.5"),
    "no_right_to_advance": Refusal(Kind.RULE, "5.1"),
    "not_forward": Refusal(Kind.PHYSICAL, "5.1"),
    "no_bonus_tile": Refusal(Kind.PHYSICAL, "5.1"),
    "number_had": Refusal(Kind.PHYSICAL, "5.1"),
    "tile_not_held": Refusal(Kind.PHYSICAL, "5.2"),
    "not_activated": Refusal(Kind.PHYSICAL, "5.2"),
    "not_that_token": Refusal(Kind.PHYSICAL, "5.3"),
    "tile_used_up": Refusal(Kind.PHYSICAL, "5.3"),
    "not_needed": Refusal(Kind.PHYSICAL, "5.3"),
    "using_mismatch": Refusal(Kind.PHYSICAL, "5.4"),
    "no_reserve_key": Refusal(Kind.PHYSICAL, "5.5"),
    "no_pair": Refusal(Kind.PHYSICAL, "5.5"),
    "not_back": Refusal(Kind.PHYSICAL, "5.5"),
    "not_for_sale": Refusal(Kind.PHYSICAL, "6.1"),
    "nothing_to_sell": Refusal(Kind.PHYSICAL, "6.1"),
    "stacks_not_empty": Refusal(Kind.PHYSICAL, "6.2"),
    "end_tile_taken": Refusal(Kind.PHYSICAL, "6.2"),
}


refusal = partial(SENTENCES.refusal, REFUSALS)
"""The refusal of a move by its code, with what its sentence names."""


def refuse_nothing(*_: object) -> None:
    """The check of what is allowed whenever it is possible."""
