"""Editions of tic-tac-toe: what a box decides, validated."""

from dataclasses import dataclass

from domain import editions
from domain.editions import read_sheet
from domain.forms import Form

POINTS = range(1, 100)


@dataclass(frozen=True, slots=True, eq=False)
class Edition(editions.Edition):
    """The values of one box."""

    points_for_line: int


def load_edition(json: object) -> Edition:
    """Validate an edition document; raise `Malformed`."""
    header, values = read_sheet(json, "example-game")
    form = Form(values)
    points_for_line = form.integer("points_for_line", POINTS)
    form.finish()
    return Edition(**header, points_for_line=points_for_line)
