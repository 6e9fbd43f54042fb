"""What pages say, in every language: one file for each area and language, with flat keys and {placeholders}."""

from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import orjson

from domain.catalogue import GAMES
from domain.plurals import plural_form

LANGUAGES: Mapping[str, str] = {"en": "English", "pl": "Polski", "cs": "Čeština", "pt": "Português"}
"""What the pages can be read in, each by its own name; the first is what those who ask for none of them get."""

HERE = Path(__file__).parent


def game_folder(game_id: str) -> Path:
    """Where what belongs to one game alone lies."""
    return HERE / "games" / game_id.replace("-", "_")


@cache
def areas() -> Mapping[str, Path]:
    """The folder of the texts of every area; a game is an area of its own."""
    shared = {folder.name: folder for folder in (HERE / "texts").iterdir() if folder.is_dir()}
    games = {game_id: game_folder(game_id) / "texts" for game_id in GAMES}
    return MappingProxyType(shared | {name: folder for name, folder in games.items() if folder.is_dir()})


@cache
def read(area: str, language: str) -> Mapping[str, str]:
    """The texts of an area under their whole keys, such as `start.title`."""
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
        """A text in the form that goes with a number."""
        return plural_form(self.all[key], self.language, n).format_map({"n": n, **values})
