"""Plural forms of the languages that texts are written in, by the categories of CLDR."""

from collections.abc import Mapping
from typing import Final

PLURAL_CATEGORIES: Final[Mapping[str, tuple[str, ...]]] = {
    "en": ("one", "other"),
    "pl": ("one", "few", "many", "other"),
    "cs": ("one", "few", "other", "many"),
    "pt": ("one", "other"),
}
"""The plural categories of CLDR in the order in which texts give their forms, by language; `pt` is that of Portugal.

The fourth is that of fractions. A text that counts whole things alone leaves it out.
"""


def plural_category(language: str, number: float) -> str:
    """The category of CLDR by which a language chooses the form of a noun beside a number."""
    size = abs(number)
    if size == 1:
        return "one"
    if size % 1:
        return "many" if language == "cs" else "other"
    if language == "pl":
        return "few" if size % 10 in {2, 3, 4} and size % 100 not in {12, 13, 14} else "many"
    return "few" if language == "cs" and size in {2, 3, 4} else "other"


def plural_form(text: str, language: str, number: float) -> str:
    """The form of a text that goes with a number; its forms stand between bars."""
    forms = text.split("|")
    return forms[min(PLURAL_CATEGORIES[language].index(plural_category(language, number)), len(forms) - 1)]
