"""Results of matches as other programs keep them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, Final

import orjson

BGG_IDS: Final[Mapping[str, int]] = {"cite-lumiere": 276498}
"""Ids of games at BoardGameGeek; the edition of a match may name another in `bgg_id`."""
NAMES: Final[Mapping[str, str]] = {
    "paris la cite de la lumiere": "cite-lumiere",
    "paris city of light": "cite-lumiere",
    "paris la cité de la lumière": "cite-lumiere",
    "paris": "paris",
}
"""Names under which other programs know our games, in small letters and without punctuation."""
MAX_POINTS: Final = 9_999

_SUM: Final = re.compile(r"-?\d{1,6}(?:[+-]\d{1,6}){0,40}")
_TERM: Final = re.compile(r"[+-]?\d+")
_BETWEEN_WORDS: Final = re.compile(r"[\W_]+")


def bgg_ids(paris: int | None) -> dict[str, int]:
    """Ids of games at BoardGameGeek, with that of Paris where it is told."""
    return {**BGG_IDS, **({"paris": paris} if paris else {})}


@dataclass(frozen=True, slots=True)
class PlayedBy:
    """Who played, with points and whether they won, as far as that was noted."""

    name: str
    points: int | None
    winner: bool
    start: bool = False


@dataclass(frozen=True, slots=True)
class Play:
    """A match of which another program keeps the result."""

    system: str
    external_id: str
    game: str
    played_at: datetime
    """Without a zone where the program keeps the time of the place."""
    players: Sequence[PlayedBy]
    venue: str | None
    comments: str
    line: int | None = None
    changed_at: str | None = None
    """When it was changed there, in the words of the program."""

    @property
    def digest(self) -> str:
        """A digest of what it says, which changes when the play is changed there."""
        told = [
            *(self.game, self.played_at.isoformat(), self.venue, self.comments),
            [[player.name, player.points, player.winner] for player in self.players],
        ]
        return sha256(orjson.dumps(told)).hexdigest()


@dataclass(frozen=True, slots=True)
class Unread:
    """A play that cannot be taken over, and why."""

    external_id: str
    detail: str
    line: int | None = None
    is_other_game: bool = False
    """Whether it is none of our games, which is no fault."""


def points_of(score: Any) -> int | None:
    """Points as programs keep them: a number, its text, or a sum such as `4+0+12`; None for anything else."""
    if isinstance(score, bool) or score is None:
        return None
    if isinstance(score, int | float):
        return int(score) if score == int(score) and abs(score) <= MAX_POINTS else None
    if not isinstance(score, str) or not _SUM.fullmatch(text := score.strip()):
        return None
    total = sum(int(term) for term in _TERM.findall(text))
    return total if abs(total) <= MAX_POINTS else None


def game_named(name: Any, bgg_id: Any, bgg_ids: Mapping[int, str]) -> str | None:
    """Our game by its id at BoardGameGeek, or without one by its name."""
    if isinstance(bgg_id, int) and bgg_id:
        return bgg_ids.get(bgg_id)
    return NAMES.get(_BETWEEN_WORDS.sub(" ", name).strip().casefold()) if isinstance(name, str) else None
