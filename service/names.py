"""Normalization of names, as they are stored and as they are compared."""

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

_RANGES: Final = (
    # Control characters, U+FFF9 to U+FFFB of interlinear text, and the blank of Braille.
    *((0x00, 0x08), (0x0E, 0x1B), (0x7F, 0x84), (0x86, 0x9F), (0x2800, 0x2800), (0xFFF9, 0xFFFB)),
    # Default_Ignorable_Code_Point of Unicode 16, DerivedCoreProperties.txt.
    *((0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F)),
    *((0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF)),
    *((0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF)),
)


def _escaped(code: int) -> str:
    """Escape a character in a class of regular expressions, in the one way that Python and JSON Schema share."""
    return chr(code) if code > 0xFFFF else f"\\u{code:04x}"


def _class(ranges: Iterable[tuple[int, int]]) -> str:
    """The inside of a class of a regular expression."""
    return "".join(_escaped(first) + (f"-{_escaped(last)}" if last > first else "") for first, last in ranges)


INVISIBLE: Final = _class(_RANGES)
"""The invisible characters, without spaces, as the inside of a class of a regular expression."""
BASIC_INVISIBLE: Final = _class((first, last) for first, last in _RANGES if last <= 0xFFFF)
"""Those that have the same form in the regular expressions of JavaScript."""
_JOINERS: Final = "\u200c\u200d"
_SELECTORS: Final = "\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"

_INVISIBLE: Final = re.compile(f"[{INVISIBLE}]")
_VISIBLE: Final = re.compile(rf"[^\s{INVISIBLE}]")
_NEEDED: Final = re.compile(
    rf"(?<=[^\s{INVISIBLE}])(?:[{_SELECTORS}]?[{_JOINERS}](?=[^\s{INVISIBLE}])|[{_SELECTORS}])|[^{INVISIBLE}]+"
)
"""The characters of a name that are kept: visible ones, a variation selector after one, and a joiner between two.

Persian and the scripts of India are written with joiners, Mongolian, Japanese names and emoji with selectors.
"""


def has_ink(text: str) -> bool:
    """Whether a text has a visible character."""
    return _VISIBLE.search(text) is not None


def tidy_name(name: str) -> str:
    """Normalize a name for storage: NFC, trimmed, single spaces, and nothing invisible that no script needs."""
    needed = "".join(_NEEDED.findall(unicodedata.normalize("NFC", name)))
    return unicodedata.normalize("NFC", " ".join(needed.split()))


def fold_name(name: str) -> str:
    """Normalize a name for comparison: NFC, single spaces, case-folded, nothing invisible."""
    seen = _INVISIBLE.sub("", unicodedata.normalize("NFC", name).casefold())
    return unicodedata.normalize("NFC", " ".join(seen.split()))
