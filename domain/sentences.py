"""Sentences of any game in any of its languages, with numbers, names and lists written out."""

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from domain.game import JsonObject, Reason, Refusal
from domain.plurals import plural_form

Texts: TypeAlias = Mapping[str, Mapping[str, str]]
"""What a game says in one language: sentences by section and key, `words`, `names`, and `counts` in all their forms."""


class Count(NamedTuple):
    """A number of things, which a sentence writes out."""

    number: int
    noun: str


def signed(points: int) -> str:
    """Points with their sign, as they are printed."""
    return f"+{points}" if points >= 0 else f"−{-points}"  # noqa: RUF001


class Sentences:
    def __init__(self, languages: Mapping[str, Texts]) -> None:
        self._languages = languages

    def sentence(self, section: str, key: str, language: str, **values: object) -> str:
        phrase = self.phrase(section, key, language, **values)
        return phrase[0].upper() + phrase[1:]

    def phrase(self, section: str, key: str, language: str, **values: object) -> str:
        names = {name: self._name(value, language) for name, value in values.items()}
        return self._languages[language][section][key].format(**names)

    def refusal(self, reasons: Mapping[str, Reason], code: str, **values: object) -> Refusal:
        """The refusal of a move for one of the reasons, with what its sentence names."""
        json = {name: _dump(value) for name, value in values.items()}
        return Refusal(code, reasons[code], json, lambda language: self.sentence("refusals", code, language, **values))

    def stored_refusal(self, reasons: Mapping[str, Reason], code: str, values: JsonObject) -> Refusal:
        """A refusal of its code and the values that it was stored with."""
        return self.refusal(reasons, code, **{name: _read(value) for name, value in values.items()})

    def _name(self, value: object, language: str) -> str:
        texts = self._languages[language]
        if isinstance(value, Count):
            return plural_form(texts["counts"][value.noun], language, value.number).format(number=value.number)
        if isinstance(value, list):
            names = [self._name(member, language) for member in value]
            return f" {texts['words']['and']} ".join(([", ".join(names[:-1])] if names[:-1] else []) + names[-1:])
        return texts["names"].get(value, value) if isinstance(value, str) else str(value)


def _dump(value: object) -> object:
    """Something that a sentence names, as JSON."""
    if isinstance(value, Count):
        return value._asdict()
    return [_dump(member) for member in value] if isinstance(value, list) else value


def _read(value: object) -> object:
    if isinstance(value, dict):
        return Count(**value)
    return [_read(member) for member in value] if isinstance(value, list) else value
