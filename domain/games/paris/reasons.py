"""Every reason for which a move of Paris is refused: code, kind and section of the rules."""

from functools import partial

from domain.game import Kind, Reason
from domain.games.paris.texts import SENTENCES

REASONS = {
    "match_over": Reason(Kind.PHYSICAL, "7.1"),
    "not_your_turn": Reason(Kind.RULE, "3.1"),
    "cannot_pay": Reason(Kind.RULE, "1.8"),
    "already_revealed": Reason(Kind.PHYSICAL, "3.2"),
    "stack_empty": Reason(Kind.PHYSICAL, "3.2"),
    "tile_drawn": Reason(Kind.PHYSICAL, "3.2"),
    "variant_mismatch": Reason(Kind.PHYSICAL, "2.3"),
    "space_not_free": Reason(Kind.PHYSICAL, "2.3"),
    "type_in_district": Reason(Kind.PHYSICAL, "2.3"),
    "tile_fits": Reason(Kind.PHYSICAL, "2.3"),
    "not_revealed": Reason(Kind.RULE, "3.2"),
    "already_acted": Reason(Kind.RULE, "3.3"),
    "must_act": Reason(Kind.PHYSICAL, "3.4"),
    "no_key_in_hand": Reason(Kind.PHYSICAL, "4.1"),
    "not_a_bank": Reason(Kind.PHYSICAL, "4.1"),
    "key_already_there": Reason(Kind.PHYSICAL, "4.1"),
    "no_key_there": Reason(Kind.PHYSICAL, "4.2"),
    "not_a_property": Reason(Kind.PHYSICAL, "4.2"),
    "no_building": Reason(Kind.PHYSICAL, "4.2"),
    "target_occupied": Reason(Kind.PHYSICAL, "4.2"),
    "wrong_district": Reason(Kind.RULE, "4.2"),
    "not_higher": Reason(Kind.RULE, "4.2"),
    "landmark_not_placed": Reason(Kind.PHYSICAL, "4.3"),
    "landmark_placed": Reason(Kind.PHYSICAL, "4.3"),
    "landmark_elsewhere": Reason(Kind.PHYSICAL, "4.3"),
    "landmark_not_higher": Reason(Kind.RULE, "4.3"),
    "prestige_not_wanted": Reason(Kind.PHYSICAL, "4.4"),
    "too_many_prestige": Reason(Kind.PHYSICAL, "4.4"),
    "no_such_prestige": Reason(Kind.PHYSICAL, "4.4"),
    "no_scoring_right": Reason(Kind.PHYSICAL, "4.5"),
    "scoring_tile_placed": Reason(Kind.PHYSICAL, "4.5"),
    "district_has_tile": Reason(Kind.PHYSICAL, "4.5"),
    "no_right_to_advance": Reason(Kind.RULE, "5.1"),
    "not_forward": Reason(Kind.PHYSICAL, "5.1"),
    "no_bonus_tile": Reason(Kind.PHYSICAL, "5.1"),
    "number_had": Reason(Kind.PHYSICAL, "5.1"),
    "tile_not_held": Reason(Kind.PHYSICAL, "5.2"),
    "not_activated": Reason(Kind.PHYSICAL, "5.2"),
    "not_that_token": Reason(Kind.PHYSICAL, "5.3"),
    "tile_used_up": Reason(Kind.PHYSICAL, "5.3"),
    "not_needed": Reason(Kind.PHYSICAL, "5.3"),
    "using_mismatch": Reason(Kind.PHYSICAL, "5.4"),
    "no_reserve_key": Reason(Kind.PHYSICAL, "5.5"),
    "no_pair": Reason(Kind.PHYSICAL, "5.5"),
    "not_back": Reason(Kind.PHYSICAL, "5.5"),
    "not_for_sale": Reason(Kind.PHYSICAL, "6.1"),
    "nothing_to_sell": Reason(Kind.PHYSICAL, "6.1"),
    "stacks_not_empty": Reason(Kind.PHYSICAL, "6.2"),
    "end_tile_taken": Reason(Kind.PHYSICAL, "6.2"),
}

refusal = partial(SENTENCES.refusal, REASONS)
"""The refusal of a move by its code, with what its sentence names."""
stored_refusal = partial(SENTENCES.stored_refusal, REASONS)
"""A refusal of its code and the values that it was stored with."""
