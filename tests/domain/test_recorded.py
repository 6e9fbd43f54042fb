"""Recorded matches: the same acts give the same events, frames, refusals and features, and their logs fold alike."""

from collections import Counter
from functools import cache
from typing import Any

import pytest

from domain.catalogue import GAMES
from domain.match import fold, resume
from domain.match.events import EventKind
from tests.domain.logs import editions_of
from tests.domain.recorded import load
from tests.domain.recorded.playing import Match

EDITIONS = {game.id: editions_of(game) for game in GAMES.values()}


@cache
def recorded(name: str) -> Any:
    return load(name)


@pytest.mark.parametrize(
    ("game_id", "number"),
    [
        pytest.param(game_id, number, marks=[pytest.mark.soak] if number % 2 else [])
        for game_id in GAMES
        for number in range(40)
    ],
)
@pytest.mark.uncounted
def test_a_match_comes_out_as_it_was_recorded(game_id: str, number: int) -> None:
    match = Match(GAMES[game_id], EDITIONS[game_id])
    for step in recorded(game_id)[number]:
        assert match.perform(step["act"]) == step["outcome"], step["act"]
    require_same_fold(match)
    for step, now, then in zip(
        recorded(game_id)[number], match.sentences, recorded(f"{game_id}.sentences")[number], strict=True
    ):
        assert now == then, f"the sentences of {step['act']}"


def require_same_fold(match: Match) -> None:
    """Assert that the log folds to what the acts gave, at once and in two parts."""
    game, editions, events = match.game, match.editions, match.log.events
    match.log.require_same_fold(game, editions)
    middle = match.timelines[len(match.timelines) // 2].version
    timeline = resume(fold(game, editions, events[:middle]), editions, events[middle:])
    assert [frame.state for frame in timeline.frames()] == [frame.state for frame in match.log.timeline.frames()]


def test_every_kind_of_event_and_most_refusals_were_recorded() -> None:
    for game in GAMES.values():
        text = str(recorded(game.id))
        kinds: Counter[str] = Counter()
        for match in recorded(game.id):
            for step in match:
                kinds.update(kind for kind, _ in step["outcome"].get("events", ()))
        assert set(kinds) == set(EventKind)
        assert sum(f"{code} (" in text for code in game.reasons) >= 0.7 * len(game.reasons)
