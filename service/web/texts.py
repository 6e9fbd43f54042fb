"""Texts of the pages: one file for each area and language, with flat keys and {placeholders}."""

from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import orjson

from domain.catalogue import GAMES
from domain.plurals import plural_form

LANGUAGES: Mapping[str, str] = {"en": "English", "pl": "Polski", "cs": "Čeština", "pt": "Português"}
"""The languages of the pages by their own names; the first one is the default."""

HERE = Path(__file__).parent


def game_folder(game_id: str) -> Path:
    """The folder of everything that belongs to one game."""
    return HERE / "games" / game_id.replace("-", "_")


@cache
def areas() -> Mapping[str, Path]:
    """The folder of the texts of each area; each game is an area."""
    shared = {folder.name: folder for folder in (HERE / "texts").iterdir() if folder.is_dir()}
    games = {game_id: game_folder(game_id) / "texts" for game_id in GAMES}
    return MappingProxyType(shared | {name: folder for name, folder in games.items() if folder.is_dir()})


@cache
def read(area: str, language: str) -> Mapping[str, str]:
    """The texts of an area under their full keys, such as `start.title`."""
    texts = orjson.loads((areas()[area] / f"{language}.json").read_bytes())
    return MappingProxyType({f"{area}.{key}": text for key, text in texts.items()})


class Texts:
    """The texts of some areas in one language."""

    def __init__(self, language: str, names: Collection[str]) -> None:
        self.language = language
        self.all: dict[str, str] = {key: text for name in names for key, text in read(name, language).items()}

    def t(self, key: str, **values: Any) -> str:
        """A text with its placeholders filled in."""
        return self.all[key].format_map(values)

    def tn(self, key: str, n: float, **values: Any) -> str:
        """A text in the plural form of a number."""
        return plural_form(self.all[key], self.language, n).format_map({"n": n, **values})
