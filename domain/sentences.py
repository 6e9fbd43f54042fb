"""Sentences of any game in any of its languages, with numbers, names and lists written out."""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, TypeAlias

from domain.game import IllegalMove, Refusal

Texts: TypeAlias = Mapping[str, Mapping[str, str]]
"""What a game says in one language: sentences by section and key, `words`, `names`, and `counts` in all their forms."""


def _two_forms(number: int) -> int:
    return int(number != 1)


def _polish_form(number: int) -> int:
    if number == 1:
        return 0
    return 1 if number % 10 in {2, 3, 4} and number % 100 not in {12, 13, 14} else 2


def _czech_form(number: int) -> int:
    if number == 1:
        return 0
    return 1 if number in {2, 3, 4} else 2


_PLURAL_FORM: Final[Mapping[str, Callable[[int], int]]] = {
    "en": _two_forms,
    "pl": _polish_form,
    "cs": _czech_form,
    "pt": _two_forms,
}
"""Which of the forms of `counts` a number takes, by language."""


class Count(NamedTuple):
    """A number of things, which a sentence writes out."""

    number: int
    noun: str


class Sentences:
    """What a game says, by language."""

    def __init__(self, languages: Mapping[str, Texts]) -> None:
        self._languages = languages

    def sentence(self, section: str, key: str, language: str, **values: object) -> str:
        """A sentence with what it names."""
        said = self.phrase(section, key, language, **values)
        return said[0].upper() + said[1:]

    def phrase(self, section: str, key: str, language: str, **values: object) -> str:
        """A part of a sentence with what it names."""
        said = {name: self._said(value, language) for name, value in values.items()}
        return self._languages[language][section][key].format(**said)

    def refusal(self, reasons: Mapping[str, Refusal], code: str, **values: object) -> IllegalMove:
        """The refusal of a move for one of the reasons, with what its sentence names."""
        reason = reasons[code]
        return IllegalMove(
            code, reason.rule, reason.kind, lambda language: self.sentence("refusals", code, language, **values)
        )

    def _said(self, value: object, language: str) -> str:
        texts = self._languages[language]
        if isinstance(value, Count):
            forms = texts["counts"][value.noun].split("|")
            return forms[_PLURAL_FORM[language](value.number)].format(number=value.number)
        if isinstance(value, list):
            said = [self._said(member, language) for member in value]
            return f" {texts['words']['and']} ".join(([", ".join(said[:-1])] if said[:-1] else []) + said[-1:])
        return texts["names"].get(value, value) if isinstance(value, str) else str(value)
