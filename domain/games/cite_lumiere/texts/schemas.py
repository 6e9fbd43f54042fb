"""Names and descriptions of the parts of moves, set-ups and states, for the JSON Schemas of La Cité."""

from collections.abc import Mapping
from typing import Final

PARTS: Final[Mapping[str, str]] = {
    "Seat": "Setup.first",
    "Card": "Setup.postcards[]",
    "Building": "Take.building",
    "OwnedBuilding": "Piece.joins",
    "Tile": "Pave.tile",
    "Cell": "Pave.at",
    "Cells": "Build.cells",
    "PostcardInPlay": "State.postcards[]",
    "OrangeHoldings": "State.seats.orange",
    "BlueHoldings": "State.seats.blue",
    "Score": "State.score.orange",
    "BuildingScore": "State.score.orange.buildings[]",
    "Result": "State.result[1]",
    "Ranked": "State.result[1].ranking[]",
}
"""Titles of parts, each with a place of the part."""

TEXTS: Final[Mapping[str, str]] = {
    "Seat": "The colour of a seat.",
    "Card": "The name of a postcard.",
    "Building": "A building by its letter, which shows its shape, and its size.",
    "OwnedBuilding": "A building or the garden, which counts as one.",
    "Tile": "A paving tile by its colour and number.",
    "Cell": "A space by its column and row.",
    "Cells": "Spaces in any order.",
    # set-ups
    "Setup": "What is decided before the first move.",
    "Setup.first": "The seat that begins.",
    # moves
    "Pave": "Place a tile with its top left space at `at`, turned clockwise.",
    "Pave.at": "The top left of the four spaces.",
    "Pave.rotation": "In degrees, clockwise.",
    "Take": "Take a building from the supply.",
    "Pass": "Do nothing.",
    "Build": "Put a building of one's reserve on a set of spaces.",
    "Postcard": "Take a postcard: a right, or one whose effect is declined.",
    "bouquinistes": "Take Bouquinistes and join the annex to a building, which need not be named if there is no other.",
    "fontaine_des_mers": "Take Fontaine des Mers and put its piece on a set of spaces.",
    "jardin_des_plantes": "Take Jardin des Plantes and put its piece on a set of spaces.",
    "la_grande_lumiere": "Take La Grande Lumière and put its piece on a space.",
    "lampadaire": "Take Lampadaire and put its piece on a space.",
    "le_peintre": "Take Le Peintre and put its piece on a space.",
    "le_penseur": "Take Le Penseur and put the statue on a space, facing a side.",
    "moulin_rouge": "Take Moulin Rouge and put its piece on a space.",
    "levitation": "Take Levitation, give a building of one's reserve and build one of the supply.",
    "levitation.give": "The building of the reserve that goes to the supply.",
    "levitation.take": "The building of the supply that is built.",
    # states
    "State.ply": "The number of effective moves.",
    "State.phase": "First the board is paved, then it is built on.",
    "State.to_move": "Null when the match is over.",
    "State.board": (
        "The rows from 1 to 8, in each the columns from a to h as a letter for the printed colour of the space, under a"
        " piece too: `o` orange, `b` blue, `x` mixed, `l` a street lamp, `.` not paved."
    ),
    "State.supply": "The buildings that nobody has taken.",
    "State.postcards": "The postcards of the match.",
    "State.result": "Null before the end.",
    "Piece": "A piece on the board.",
    "Piece.joins": "The building that an annex belongs to.",
    "Piece.facing": "The side that a statue faces; `n` is towards row 1.",
    "PostcardInPlay": "A postcard of the match.",
    "PostcardInPlay.state": (
        "`armed` while the right that it gives is unused, `taken` without such a right or after its use."
    ),
    "PostcardInPlay.owner": "The seat that took it.",
    **{
        f"{seat}Holdings{member}": text
        for seat in ("Orange", "Blue")
        for member, text in {
            "": f"What {seat.lower()} holds.",
            ".tiles": "The paving tiles that are still to be placed.",
            ".reserve": "The buildings that were taken and not yet built.",
            ".tokens": "Action tokens that are left for postcards.",
            ".chimneys": "Chimneys that are left for buildings.",
            ".passed": "Whether a pass of the second phase was recorded.",
        }.items()
    },
    "Score": "What a seat would score now.",
    "Score.lit": "Points for lit buildings.",
    "Score.group": "Points for the largest group of buildings.",
    "Score.unbuilt": "Points lost for buildings that were taken and not built.",
    "Score.postcards": "Points for postcards.",
    "Score.total": "The sum of these four.",
    "Score.free_spaces": "Free spaces of the seat's colour, which decide between equal points.",
    "BuildingScore": "The points for a lit building.",
    "BuildingScore.size": "How many spaces it covers, its annex included.",
    "BuildingScore.lamps": "How many lamps light it.",
    "Result": "How the match ended.",
    "Result.decided_by": "What told the first from the second, or that they share the win.",
    "Ranked": "The place and the points of a seat.",
}
"""Descriptions of parts by their title or a place."""
