"""The move of tic-tac-toe and its JSON form."""

from dataclasses import dataclass

from domain.forms import Form
from domain.game import JsonObject
from domain.json_schema import members, one_of
from tests.domain.example_game.parts import SPACES

_INDEX = {space: index for index, space in enumerate(SPACES)}


@dataclass(frozen=True, slots=True)
class Mark:
    """Draw one's mark on a space, which is its index in `SPACES`."""

    at: int


def parse(json: object) -> Mark:
    """Read a move; raise `Malformed`."""
    form = Form(json)
    form.word("type", ["mark"])
    at = form.choice("at", _INDEX)
    form.finish()
    return Mark(at)


def dump(move: Mark) -> JsonObject:
    """The JSON form of a move."""
    return {"type": "mark", "at": SPACES[move.at]}


SCHEMA = members({"type": {"const": "mark"}, "at": one_of(SPACES)})
