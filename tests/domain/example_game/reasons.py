"""Every reason for which a move of tic-tac-toe is refused: code, kind and section of the rules."""

from functools import partial

from domain.game import Kind, Reason
from tests.domain.example_game.texts import SENTENCES

REASONS = {
    "match_over": Reason(Kind.PHYSICAL, "3"),
    "space_taken": Reason(Kind.PHYSICAL, "2"),
    "not_your_turn": Reason(Kind.RULE, "2"),
}

refusal = partial(SENTENCES.refusal, REASONS)
"""The refusal of a move by its code, with what its sentence names."""
stored_refusal = partial(SENTENCES.stored_refusal, REASONS)
"""A refusal of its code and the values that it was stored with."""
