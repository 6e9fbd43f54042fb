"""Logs read without playing: the same comes of it as by definition, at a cost that does not depend on corrections."""

import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any
from unittest.mock import patch

import pytest

from domain.canonical import canonical
from domain.catalogue import GAMES
from domain.game import AnyGame, JsonObject, Seat
from domain.match import (
    Event,
    EventKind,
    Playback,
    Recorded,
    Timeline,
    Unplayed,
    fold,
    read_unplayed,
    resume,
    seal,
)
from domain.match.events import Draft, Entry, lifted
from domain.match.outline import CHUNK, Line, Outline
from scripts.random_play import draw_setup
from tests.domain import slow_fold
from tests.domain.logs import editions_of

Drawn = tuple[EventKind, JsonObject]
"""The kind of an event and its payload."""

KINDS = (
    *[EventKind.MOVE_MADE] * 8,
    *[EventKind.MOVE_CORRECTED] * 4,
    *[EventKind.TIMELINE_RESTORED] * 2,
    *(EventKind.MOVES_UNDONE, EventKind.SETUP_CORRECTED, EventKind.EDITION_CHANGED, EventKind.PLAYERS_ASSIGNED),
    *(EventKind.MATCH_ABANDONED, EventKind.MATCH_REOPENED),
)


def event(seq: int, kind: EventKind, payload: JsonObject) -> Event:
    """An event of a log whose chain is of no concern."""
    recorded_at = "2026-11-14T19:30:00.000000Z"
    return seal(
        Draft(kind, canonical(payload)), match_id="m", seq=seq, actor=None, recorded_at=recorded_at, prev_hash=None
    )


class Drawing:
    """A log drawn at random, of everything that one may hold: moves that do not fit their place among it."""

    def __init__(self, game: AnyGame, random: Random) -> None:
        self.game = game
        self.editions = editions_of(game)
        self.random = random
        self.seats = game.seats[: random.randint(game.players[0], game.players[-1])]
        self.events: list[Event] = []
        self.moves: list[JsonObject] = []
        created = {
            "game": game.id,
            "edition": game.editions.default.id,
            "players": self._players(),
            "setup": draw_setup(game.id, self.seats, random),
        }
        self.timeline = self._add(None, EventKind.MATCH_CREATED, created)

    def draw(self, events: int) -> list[Event]:
        """Draw so many more events."""
        for _ in range(events):
            self.timeline = self._add(self.timeline, *self._event())
        return self.events

    def _add(self, timeline: Timeline | None, kind: EventKind, payload: JsonObject) -> Timeline:
        self.events.append(event(len(self.events) + 1, kind, payload))
        if timeline is None:
            return fold(self.game, self.editions, self.events)
        return resume(timeline, self.editions, self.events[-1:])

    def _event(self) -> tuple[EventKind, JsonObject]:
        random, timeline = self.random, self.timeline
        kind = random.choice(KINDS)
        dropped = random.choice([0, 0, 0, random.randint(0, timeline.ply)])
        match kind:
            case EventKind.MOVES_UNDONE:
                return kind, {"to_ply": random.randint(0, timeline.ply)}
            case EventKind.SETUP_CORRECTED:
                return kind, {"setup": draw_setup(self.game.id, self.seats, random), "dropped": dropped}
            case EventKind.EDITION_CHANGED:
                edition = random.choice(list(self.editions.values()))
                return kind, {"edition": edition.id, "edition_digest": edition.digest, "dropped": dropped}
            case EventKind.PLAYERS_ASSIGNED:
                return kind, {"players": self._players()}
            case EventKind.TIMELINE_RESTORED:
                return kind, {"version": random.randint(1, timeline.version)}
            case EventKind.MOVE_CORRECTED if timeline.ply:
                action = random.choice(["replace", "insert", "remove"])
                ply = random.randint(1, timeline.ply)
                payload = {"ply": ply, "action": action, "dropped": min(dropped, timeline.ply - ply)}
                return kind, payload if action == "remove" else payload | self._move()
            case EventKind.MATCH_ABANDONED | EventKind.MATCH_REOPENED:
                return kind, {}
        return EventKind.MOVE_MADE, self._move()

    def _move(self) -> JsonObject:
        legal = next(iter(self.game.rules.legal_moves(self.timeline.head.state)), None)
        if legal is not None:
            self.moves.append(self.game.move.dump(legal))
        move = self.random.choice(self.moves[-1:] * 3 + self.moves)
        ruling = self.random.choice([None, None, {"reason": "0" * 64}])
        return {"seat": self.random.choice(self.seats), "move": move, "ruling": ruling}

    def _players(self) -> list[JsonObject]:
        people = self.random.sample(["ana", "jan", "eva", "leo"], len(self.seats))
        return [{"seat": seat, "player_id": person} for seat, person in zip(self.seats, people, strict=True)]


def flat(match: Unplayed) -> tuple[Any, ...]:
    """A match without its game, and without the chunks of its line, which depend on how it was read."""
    _, outline, rules_version = match
    return rules_version, outline._replace(line=Line((), 0)), list(outline.line.moves())


@pytest.mark.parametrize(
    "seeds", [range(4), pytest.param(range(4, 30), marks=pytest.mark.uncounted)], ids=["some", "more"]
)
@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_a_log_folds_to_what_its_events_mean_one_by_one(game: AnyGame, seeds: range) -> None:
    for seed in seeds:
        drawing = Drawing(game, Random(seed))
        events = drawing.draw(60)
        versions = slow_fold.read(game, events)
        timeline = fold(game, drawing.editions, events)
        for folded in (timeline, drawing.timeline):
            assert folded.version == len(versions)
            slow_fold.require_same(folded, versions[-1])
            assert flat(read_unplayed(game, drawing.editions, map(lifted, events))) == flat(folded.unplayed)
        playback = Playback(timeline)
        for number, version in enumerate(versions, start=1):
            slow_fold.require_same(timeline.at(number), version)
            outline = timeline.outline_at(number)
            ply = drawing.random.randint(0, outline.line.ply)
            assert playback.outline_at(number)[:6] == outline[:6]
            assert playback.play(outline, ply).state == timeline.at(number).frame(ply).state
            assert playback.status(outline) is timeline.at(number).status
        cut = drawing.random.randint(1, len(events) - 1)
        resumed = resume(fold(game, drawing.editions, events[:cut]), drawing.editions, events[cut:])
        slow_fold.require_same(resumed, versions[-1])
        slow_fold.require_same(resumed.at(cut), versions[cut - 1])


# What it costs


@contextmanager
def counting(game: AnyGame) -> Iterator[list[Any]]:
    """Note each move that is played."""
    played: list[Any] = []
    apply = game.rules.apply

    def apply_and_count(state: Any, seat: Seat, move: Any) -> Any:
        played.append(move)
        return apply(state, seat, move)

    with patch.object(game.rules, "apply", apply_and_count):
        yield played


GAME = GAMES["cite-lumiere"]
EDITION = GAME.editions.default


def a_long_log(plies: int, changes: list[Drawn]) -> list[Event]:
    """Many moves, and what was done to them again and again."""
    drawing = Drawing(GAME, Random(1))
    entered = {"seat": "blue", "move": {"type": "pass"}, "ruling": None}
    drawn = [*[(EventKind.MOVE_MADE, entered)] * plies, *changes]
    for seq, (kind, payload) in enumerate(drawn, start=2):
        drawing.events.append(event(seq, kind, payload))
    return drawing.events


def corrections(plies: int, times: int) -> list[Drawn]:
    """Corrections of ply 1 in every way, between them the way back to other versions."""
    entered = {"seat": "blue", "move": {"type": "take", "building": "L4"}, "ruling": None, "ply": 1, "dropped": 0}
    changes: list[Drawn] = []
    while len(changes) < times:
        version = 2 + plies + len(changes) // 2
        changes += [
            (EventKind.MOVE_CORRECTED, {**entered, "action": "replace"}),
            (EventKind.MOVE_CORRECTED, {**entered, "action": "insert"}),
            (EventKind.TIMELINE_RESTORED, {"version": version}),
            (EventKind.MOVE_CORRECTED, {"ply": 1, "action": "remove", "dropped": 0}),
            (EventKind.MOVES_UNDONE, {"to_ply": 1}),
            (EventKind.TIMELINE_RESTORED, {"version": 1 + plies}),
        ]
    return changes[:times]


def test_no_move_is_played_more_than_twice_whatever_was_corrected() -> None:
    events = a_long_log(300, corrections(300, 600))
    with counting(GAME) as played:
        timeline = fold(GAME, GAME.editions, events)
        assert len(played) <= 300 + timeline.ply
        played.clear()
        assert read_unplayed(GAME, GAME.editions, map(lifted, events)).outline.line.ply == timeline.ply
        assert not played
        resume(fold(GAME, GAME.editions, events[:301]), GAME.editions, events[301:])
        assert len(played) <= 300 + timeline.ply
        played.clear()
        assert timeline.at(301).ply == 300
        assert len(played) <= 300


def test_versions_share_what_they_have_in_common() -> None:
    plies, times = 1000, 1000
    events = a_long_log(plies, corrections(plies, times))
    tracemalloc.start()
    try:
        timeline = fold(GAME, GAME.editions, events)
        taken = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert timeline.version == 1 + plies + times
    assert taken < 2000 * timeline.version


def test_a_line_is_played_from_where_it_parts_from_the_one_before() -> None:
    timeline = fold(GAME, GAME.editions, a_long_log(40, corrections(40, 1)))
    playback = Playback(timeline)
    before, after = timeline.outline_at(41), timeline.outline
    assert [playback.effort(after, 40), playback.effort(before, 0), playback.effort(before, 40)] == [0, 0, 40]
    playback.play(before, 10)
    assert [playback.effort(before, 5), playback.effort(before, 10), playback.effort(before, 12)] == [0, 0, 2]


# Lines


def test_a_line_changes_as_a_list_does_and_leaves_the_one_before_as_it_was() -> None:
    random, known = Random(1), []
    moves: list[Recorded] = []
    line = Line((), 0)
    for seq in range(20 * CHUNK):
        new = Recorded(None, seq)
        ply = random.randint(1, max(1, len(moves)))
        act = random.choice(["insert", "insert", "insert", "extend", "replace", "remove", "until"])
        moves = list(moves)
        if act == "insert":
            ply = random.randint(1, len(moves) + 1)
            moves.insert(ply - 1, new)
            line = line.corrected(ply, 0, [new])
        elif act == "extend":
            more = [Recorded(None, -seq * 1000 - number) for number in range(random.choice([1, 2, 3 * CHUNK]))]
            moves += more
            line = line.extended(more)
        elif moves and act == "replace":
            moves[ply - 1] = new
            line = line.corrected(ply, 1, [new])
        elif moves and act == "remove":
            del moves[ply - 1]
            line = line.corrected(ply, 1, [])
        elif moves and random.random() < 0.05:
            del moves[ply:]
            line = line.until(ply)
        known.append((line, moves))
    for one, mine in known:
        assert (list(one.moves()), one.ply) == (mine, len(mine))
        assert all(0 < len(chunk) < 2 * CHUNK for chunk in one.chunks)
    for (one, mine), (other, theirs) in zip(known, random.sample(known, len(known)), strict=True):
        seqs = {move.seq for move in theirs}
        missing = [(ply, move) for ply, move in enumerate(mine, start=1) if move.seq not in seqs]
        assert one.missing(other) == missing
        begins = [my.seq == their.seq for my, their in zip(mine, theirs, strict=False)]
        assert one.shared(other) == (begins.index(False) if False in begins else len(begins))


def test_an_outline_says_whether_a_move_was_recorded_by_a_ruling() -> None:
    plain, ruled = Recorded(Entry("red", "a1"), 2), Recorded(Entry("blue", "a1", "0" * 64), 3)
    before = Outline(1, (), None, None, ("red", "blue"), Recorded(None, 1), Line((), 0))
    assert not before.made([plain]).has_rulings
    assert before.made([plain, ruled]).has_rulings
