"""The signs of Paris: colours, and the symbols for tokens, buildings and seats that a picture defines once.

Each seat has a shape and a letter besides its hue; it is the head of its keys and of its pawn.
"""

from typing import Final

from service.web.drawing import INK, LAMP, NIGHT, PAPER, mixed

SEATS: Final = {"red": "#b3402e", "blue": "#2c6db6", "green": "#57b884", "yellow": "#f2c53d"}
LETTERING: Final = {"red": PAPER, "blue": PAPER, "green": INK, "yellow": INK}
"""What is written on the colour of a seat."""
SHAPES: Final = {
    "red": '<path d="M0-12.5L12.5 0 0 12.5-12.5 0z"/>',
    "blue": '<circle r="11"/>',
    "green": '<path d="M0-13L13 10H-13z"/>',
    "yellow": '<path d="M-10-10H10V10H-10z"/>',
}
OWNED: Final = {seat: mixed(colour, PAPER, 62) for seat, colour in SEATS.items()}
"""The ground of a tile that belongs to one seat."""

DISTRICTS: Final = {
    "batignolles": "#6b4a7d",
    "montmartre": "#8a5226",
    "la_villette": "#2b686e",
    "chaillot": "#3d5688",
    "saint_germain": "#566528",
    "belleville": "#8f3d57",
}
ZONES: Final = {"A": "#e9dfc6", "B": "#dde3d3", "C": "#d6dfe9"}
STONE: Final = "#d9cfba"
RIBBON: Final = "#f3e3ad"
SLATE: Final = mixed(NIGHT, PAPER, 14)
FAINT: Final = mixed(NIGHT, PAPER, 62)
"""What is written small on the night."""
BROWN, GREY, GOLD = "#8a5a34", "#c9ccd2", "#e8b92e"
BRONZE, SILVER, GILT = "#b9773f", "#b9c0ca", "#f0c94a"
PLUM: Final = "#7b4b94"

SIZE: Final = 24
"""Most symbols are drawn in a square of this size around 0 0."""


def _symbol(name: str, *drawing: str, box: str = "-12 -12 24 24", paint: str = "") -> str:
    return f'<symbol id="paris-{name}" viewBox="{box}"{paint}>{"".join(drawing)}</symbol>'


def _pen(colour: str = INK, width: float = 1.8, fill: str = "none") -> str:
    return f' fill="{fill}" stroke="{colour}" stroke-width="{width:g}" stroke-linecap="round" stroke-linejoin="round"'


def _letter(text: str, y: float, size: int, fill: str = INK) -> str:
    return (
        f'<text y="{y:g}" font-size="{size}" font-weight="700" text-anchor="middle" '
        f'fill="{fill}" stroke="none">{text}</text>'
    )


def _medal(name: str, fill: str, letter: str) -> str:
    return _symbol(
        name,
        f'<path d="M-7-12H-2L1-4-4-3zM7-12H2L-1-4 4-3z" fill="{PLUM}"/>',
        f'<circle cy="3" r="8.2" fill="{fill}" stroke="{INK}" stroke-width="1.3"/>',
        _letter(letter, 7.2, 11),
    )


def _head(seat: str) -> str:
    """The shape of a seat with its letter."""
    outline = mixed(SEATS[seat], NIGHT, 62)
    drop = 7 if seat == "green" else 4.6
    return (
        f'<g fill="{SEATS[seat]}" stroke="{outline}" stroke-width="1.6" stroke-linejoin="round">{SHAPES[seat]}</g>'
        + _letter(seat[0].upper(), drop, 13, LETTERING[seat])
    )


def _of_seat(seat: str) -> str:
    outline = mixed(SEATS[seat], NIGHT, 62)
    return "\n".join(
        (
            _symbol(f"badge-{seat}", _head(seat), box="-14 -14 28 28"),
            _symbol(
                f"key-{seat}",
                f'<path d="M0 8V26M0 19H6M0 25H6"{_pen(outline, 4.6)}/>'
                f'<path d="M0 8V26M0 19H6M0 25H6"{_pen(SEATS[seat], 2)}/>',
                _head(seat),
                box="-14 -14 28 43",
            ),
            _symbol(
                f"pawn-{seat}",
                f'<path d="M-9 24C-7 16-4 14-4 8H4C4 14 7 16 9 24z" fill="{SEATS[seat]}" stroke="{outline}" '
                'stroke-width="1.6" stroke-linejoin="round"/>',
                _head(seat),
                box="-14 -14 28 40",
            ),
        )
    )


SYMBOLS: Final = {
    "cafe": _symbol(
        "cafe",
        '<path d="M-8-3H5V3C5 7 2 9-1.5 9S-8 7-8 3z" stroke="none"/>',
        f'<path d="M5-1H7C10-1 10 4 6 4.5M-4-10C-6-8-2-7-4-5M1-10C-1-8 3-7 1-5M-9 11H7"{_pen()}/>',
        paint=f' fill="{INK}"',
    ),
    "bakery": _symbol(
        "bakery",
        f'<path d="M-11 5C-11-4-5-8 0-8S11-4 11 5C8 7 6 4 5 1 3 0-3 0-5 1-6 4-8 7-11 5z"{_pen(fill="#d9a15c")}/>',
        f'<path d="M-6-5L-4.5 0.5M6-5L4.5.5M-1.5-8L-1 0M2-8L1.5 0"{_pen(width=1.4)}/>',
    ),
    "residence": _symbol(
        "residence",
        f'<path d="M-8 10V-1H8V10z"{_pen(fill="#efe3cf")}/><path d="M-10-1L-6-9H6L10-1z"{_pen(fill="#66708a")}/>',
        f'<path d="M-1.8 10V4H1.8V10M-5.5 2.5V4.5M5.5 2.5V4.5"{_pen(width=1.5)}/>',
    ),
    "restaurant": _symbol(
        "restaurant",
        f'<path d="M-5-11V11M-8-11V-6C-8-3-2-3-2-6V-11M5 11V-11C9-8 9-1 5 1"{_pen(width=2.1)}/>',
    ),
    "hotel": _symbol(
        "hotel",
        f'<path d="M-11-6V9M-11 5H11V9M11 5V1C11-1 9-2 7-2H-3V5"{_pen(width=2.1)}/><circle cx="-7" cy="0" r="2.6"/>',
        paint=f' fill="{INK}"',
    ),
    "theatre": _symbol(
        "theatre",
        f'<path d="M-9-9C-3-7 3-7 9-9V0C9 6 4 10 0 11-4 10-9 6-9 0z"{_pen(fill="#f1e4ef")}/>',
        f'<path d="M-5.5-2C-4.5-3.5-3-3.5-2-2M5.5-2C4.5-3.5 3-3.5 2-2M-4.5 3C-2 6.5 2 6.5 4.5 3z"{_pen(width=1.6)}/>',
    ),
    "wood": _symbol(
        "wood",
        f'<path d="M-11-4H6V7H-11z"{_pen(width=1.3, fill=BROWN)}/>',
        f'<ellipse cx="6" cy="1.5" rx="4.5" ry="5.5"{_pen(width=1.3, fill="#d3a878")}/>',
        f'<ellipse cx="6" cy="1.5" rx="1.8" ry="2.5"{_pen(BROWN, 1)}/>',
    ),
    "marble": _symbol(
        "marble",
        f'<path d="M-9-4L-5-8H10V4L6 8H-9zM-9-4H6V8M6-4L10-8"{_pen(width=1.3, fill="#eef0f3")}/>',
        f'<path d="M-6 4C-4 0 0 3 2-1"{_pen("#8e97a6", 1.3)}/>',
    ),
    "gold": _symbol(
        "gold",
        f'<path d="M-11 7L-7-3H7L11 7zM-7-3L-4-7H4L7-3"{_pen(width=1.3, fill=GOLD)}/>',
        f'<path d="M-4 0H-1"{_pen(PAPER, 2)}/>',
    ),
    "resource": _symbol(
        "resource",
        f'<path d="M-9-9H9V9H-9z"{_pen(width=1.3, fill=PAPER)} stroke-dasharray="3 2.4"/>',
        _letter("?", 5.5, 16),
    ),
    "bronze": _medal("bronze", BRONZE, "B"),
    "silver": _medal("silver", SILVER, "S"),
    "gilt": _medal("gilt", GILT, "G"),
    "prestige": _medal("prestige", PAPER, "?"),
    "coin": _symbol(
        "coin",
        f'<circle r="10"{_pen(width=1.4, fill=LAMP)}/><circle r="7.2"{_pen("#a97b12", 1)}/>',
        _letter("F", 4.4, 12),
    ),
    "point": _symbol(
        "point",
        f'<path d="M0-11L3.2-3.7 11-3 5.1 2.2 6.9 10 0 5.8-6.9 10-5.1 2.2-11-3-3.2-3.700z" fill="{PLUM}"/>',
    ),
    "key": _symbol(
        "key",
        f'<circle cx="-4" cy="-4" r="5"{_pen(width=2.4)}/><path d="M0 0L9 9M5 5L8 2M8.5 8.500L11 6"{_pen(width=2.4)}/>',
    ),
    "pawn": _symbol("pawn", '<circle cy="-6" r="4.5"/><path d="M-3-2H3L7 10H-7z"/>', paint=f' fill="{INK}"'),
    "building": _symbol(
        "building",
        f'<path d="M-9-10H9V10H-9z"{_pen(width=1.5, fill=PAPER)}/><path d="M-6 7V0L0-5 6 0V7z" fill="{FAINT}"/>',
    ),
    "tile": _symbol("tile", f'<path d="M-10-7H10V7H-10z"{_pen(width=1.5, fill=ZONES["A"])}/>', _letter("n", 4, 13)),
    "landmark": _symbol(
        "landmark",
        '<path d="M-8 11C-4 4-1.5-3-1-9H1C1.5-3 4 4 8 11H4.500C3.5 7-3.5 7-4.5 11zM-.6-12H.6V-8H-.6z"/>'
        f'<path d="M-3.3 1H3.300M-5 5.500H5"{_pen(PAPER, 1.1)}/>',
        paint=f' fill="{mixed(INK, PAPER, 25)}"',
    ),
    "seats": "\n".join(map(_of_seat, SEATS)),
}
"""By name; `seats` has badge, key and pawn of every seat."""

_SHADE: Final = mixed(STONE, NIGHT, 22)
ARC_DRAWING: Final = "".join(
    (
        f'<g fill="{STONE}" stroke="{mixed(STONE, NIGHT, 55)}" stroke-width="2" stroke-linejoin="round">',
        '<path d="M-86 74H86V82H-86zM-78 74V-34H78V74H34V20A34 34 0 0 0-34 20V74z"/>',
        f'<path d="M-34 74V20A34 34 0 0 1 34 20V74H26V22A26 26 0 0 0-26 22V74z" fill="{_SHADE}"/>',
        f'<g fill="{mixed(STONE, PAPER, 40)}"><path d="M-84-34V-44H84V-34zM-78-44V-70H78V-44zM-82-70V-77H82V-70z"/>',
        '<path d="M-66 2H-46V56H-66zM46 2H66V56H46zM-66-22H-46V-8H-66zM46-22H66V-8H46z"/></g>',
        f'<g fill="{_SHADE}"><path d="M-60 46C-62 34-60 24-56 14-52 24-50 34-52 46z"/>',
        '<path d="M60 46C62 34 60 24 56 14 52 24 50 34 52 46z"/></g>',
        "</g>",
    )
)
"""The Arc de Triomphe, about 170 wide around 0 0."""
