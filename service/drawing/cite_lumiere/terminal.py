"""The board of La Cité de la Lumière for a terminal."""

from collections.abc import Iterator
from typing import Final

from click import style

from domain.game import JsonObject

_GROUND: Final = {"o": ("·", 208), "b": ("·", 33), "x": ("x", 250), "l": ("*", 227)}
"""The sign and colour of each kind of ground: orange, blue, both, a lamp."""
_OWNER: Final = {"orange": 208, "blue": 33}
_PIECES: Final = {
    "annex": "an",
    "dancer": "da",
    "fountain": "fo",
    "garden": "ga",
    "grand_lamp": "GL",
    "lamp": "la",
    "painter": "pa",
    "statue": "st",
}


def draw_text(state: JsonObject) -> Iterator[str]:
    """The lines of a board, with what lies beside it."""
    built = {cell: piece for piece in state["pieces"] for cell in piece["cells"]}
    yield "     " + "  ".join("abcdefgh")
    for row, ground in enumerate(state["board"], start=1):
        spaces = (
            _space(letter, built.get(f"{column}{row}")) for column, letter in zip("abcdefgh", ground, strict=True)
        )
        yield f"  {row} {''.join(spaces)}"
    yield ""
    for seat, side in state["seats"].items():
        score = state["score"][seat]
        held = " ".join([*side["tiles"], *side["reserve"]]) or "–"
        yield f"  {style(f'{seat:<8}', fg=_OWNER[seat], bold=True)}{score['total']:>4}   {held}"
    if state["supply"]:
        yield f"  supply       {' '.join(state['supply'])}"
    cards = [card["card"] + (f" ({card['owner']})" if card["owner"] else "") for card in state["postcards"]]
    yield f"  postcards    {', '.join(cards)}"


def _space(letter: str, piece: JsonObject | None) -> str:
    if piece is None:
        sign, colour = _GROUND.get(letter, (" ", 240))
        return f" {style(sign, fg=colour)} "
    name = _PIECES.get(piece["piece"], piece["piece"])
    return style(f"{name:<2}", fg=16, bg=_OWNER.get(piece["owner"] or "", 250)) + " "
