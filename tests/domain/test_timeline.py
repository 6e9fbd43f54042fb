"""Folding logs: any sequence of acts equals folding the effective moves from scratch, and no log crashes the fold."""

import dataclasses
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.catalogue import GAMES
from domain.game import AnyGame, JsonObject, Kind, Refusal, Seat
from domain.match import (
    Action,
    Change,
    CorrectionConflict,
    Entry,
    Event,
    EventKind,
    Frame,
    HistoryError,
    LogBroken,
    OnConflict,
    Player,
    Timeline,
    Written,
    change_edition,
    correct_setup,
    create,
    fold,
    record,
    remove,
    replace,
    restore,
    resume,
    undo,
    what_if,
)
from scripts.random_play import draw_setup, play
from tests.domain.cases import enter
from tests.domain.logs import Log, correct, editions_of

GAME = GAMES["cite-lumiere"]
EDITION = GAME.editions.default
CARDS = sorted(GAME.schemas["setup"]["properties"]["postcards"]["items"]["enum"])
PLAYERS = [Player("orange", "ana"), Player("blue", "jan")]
EDITIONS = {game.id: editions_of(game) for game in GAMES.values()}
PASS = {"type": "pass"}


@dataclass
class Model:
    """What the effective match should be: plain lists, folded from scratch when compared."""

    game: AnyGame
    seats: Sequence[Seat]
    edition: Any
    setup: Any
    line: list[Entry]
    past: list[tuple[Any, Any, list[Entry]]] = field(default_factory=list)

    def start(self) -> Any:
        return self.game.rules.start(self.setup, self.seats, self.edition)

    def follow(self, state: Any, entry: Entry) -> Any:
        assert entry.seat is not None
        return enter(self.game, state, entry.seat, entry.move, ruled=entry.ruling is not None)

    def keep(self) -> None:
        self.past.append((self.edition, self.setup, list(self.line)))

    def fitting(self) -> int:
        """How many moves of the line fit, one after the other."""
        state = self.start()
        for index, entry in enumerate(self.line):
            try:
                state = self.follow(state, entry)
            except Refusal:
                return index
        return len(self.line)

    def require(self, timeline: Timeline) -> None:
        state = self.start()
        frames = timeline.frames()
        assert frames[0].state == state
        assert len(frames) == len(self.line) + 1
        for entry, frame in zip(self.line, frames[1:], strict=True):
            state = self.follow(state, entry)
            assert (frame.seat, frame.move, frame.ruling, frame.state) == (entry.seat, entry.move, entry.ruling, state)


def drawn_setup(data: st.DataObject, game: AnyGame, seats: Sequence[Seat]) -> Any:
    return game.setup.parse(draw_setup(game.id, seats, Random(data.draw(st.integers(0, 2**32 - 1)))))


def drawn_entry(data: st.DataObject, model: Model, frame: Frame) -> Entry:
    """A legal move, or one of whoever, which a ruling records where the rules forbid it."""
    moves = list(model.game.rules.legal_moves(frame.state)) or [frame.move]
    seat = frame.state.to_move or model.seats[0]
    entry = Entry(seat, moves[data.draw(st.integers(0, len(moves) - 1))])
    if data.draw(st.booleans()):
        entry = entry._replace(seat=data.draw(st.sampled_from(model.seats)))
        try:
            model.follow(frame.state, entry)
        except Refusal as illegal:
            if illegal.kind is Kind.RULE:
                entry = entry._replace(ruling="0" * 64)
    return entry


def act(data: st.DataObject, log: Log, model: Model) -> None:
    """One random act on the log, and what it should do on the model."""
    timeline = log.timeline
    kind = data.draw(st.sampled_from(["record", "record", "record", "undo", "correct", "setup", "edition", "restore"]))
    ply = data.draw(st.integers(0, timeline.ply + 1))
    policy = data.draw(st.sampled_from(OnConflict))
    if kind == "record":
        entry = drawn_entry(data, model, timeline.head)
        log.append(record(timeline, [entry]))
        model.line.append(entry)
    elif kind == "undo":
        log.append(undo(timeline, ply))
        del model.line[ply:]
    elif kind == "restore":
        version = data.draw(st.integers(1, timeline.version))
        log.append(restore(timeline, version))
        model.edition, model.setup, line = model.past[version - 1]
        model.line = list(line)
    elif kind == "setup":
        setup = drawn_setup(data, model.game, model.seats)
        changed = dataclasses.replace(model, setup=setup, line=list(model.line))
        log.append(judged(correct_setup, changed, policy, timeline, setup))
        model.setup, model.line = changed.setup, changed.line
    elif kind == "edition":
        edition = data.draw(st.sampled_from(list(EDITIONS[model.game.id].values())))
        changed = dataclasses.replace(model, edition=edition, line=list(model.line))
        log.append(judged(change_edition, changed, policy, timeline, edition))
        model.edition, model.line = edition, changed.line
    else:
        action = data.draw(st.sampled_from(Action))
        base = timeline.frame(max(0, min(ply, timeline.ply) - 1))
        new = None if action is Action.REMOVE else drawn_entry(data, model, base)
        changed = dataclasses.replace(model, line=list(model.line))
        if ply:
            changed.line[ply - 1 : ply - 1 + (action is not Action.INSERT)] = [new] if new else []
        log.append(judged(correct, changed, policy, timeline, ply, action, new))
        model.line = changed.line


def judged(correction: Any, changed: Model, policy: OnConflict, *arguments: Any) -> Change:
    """The answer of a correction, which must cut exactly what the model says no longer fits."""
    try:
        change: Change = correction(*arguments, on_conflict=policy)
    except CorrectionConflict as conflict:
        assert policy is OnConflict.REFUSE
        assert changed.fitting() < len(changed.line)
        assert conflict.verdicts[0].old_ply <= conflict.first_ply
        raise
    fitting = changed.fitting()
    assert policy is OnConflict.TRUNCATE or fitting == len(changed.line)
    del changed.line[fitting:]
    return change


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
@settings(max_examples=40, deadline=None)
@given(st.data())
def test_any_acts_equal_folding_the_effective_moves_from_scratch(game: AnyGame, data: st.DataObject) -> None:
    edition = game.editions.default
    seats = game.seats[: data.draw(st.integers(game.players[0], game.players[-1]))]
    log, model = Log(), Model(game, seats, edition, drawn_setup(data, game, seats), [])
    log.append(create(game, edition, [Player(seat, f"player of {seat}") for seat in seats], model.setup))
    model.keep()
    for _ in range(data.draw(st.integers(5, 40))):
        before = log.timeline
        try:
            act(data, log, model)
        except HistoryError:
            assert log.timeline is before
        else:
            model.keep()
            model.require(log.timeline)
    log.require_same_fold(game, EDITIONS[game.id])
    for version in range(1, log.timeline.version + 1):
        earlier = log.timeline.at(version)
        require_change(log.timeline, earlier)
        edition, setup, line = model.past[version - 1]
        assert (earlier.edition, earlier.setup) == (edition, setup)
        dataclasses.replace(model, edition=edition, setup=setup, line=line).require(earlier)


def require_change(timeline: Timeline, earlier: Timeline) -> None:
    """Assert that the frames of a timeline part from those of an earlier version where it says, and not before."""
    shared = 0
    for mine, theirs in zip(timeline.frames(), earlier.frames(), strict=False):
        if mine is not theirs:
            break
        assert (mine.seq, mine.replaced) == (theirs.seq, theirs.replaced)
        shared += 1
    assert timeline.changed_since(earlier.version) == shared


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
@settings(max_examples=6, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(0, 1, exclude_max=True))
def test_a_what_if_line_is_what_recording_would_give_and_leaves_no_trace(
    game: AnyGame, seed: int, fraction: float
) -> None:
    match = play(game, Random(seed))
    entries = [Entry(seat, move) for seat, move in match.plies]
    begun = create(
        game,
        game.editions.default,
        [Player(seat, f"player of {seat}") for seat in match.seats],
        game.setup.parse(match.setup),
    ).timeline
    ply = 1 + int(fraction * (len(entries) - 1))
    recorded = record(begun, entries[:ply]).timeline
    line = what_if(recorded, ply, entries[ply : ply + 30])
    assert [frame.state for frame in line] == list(match.states[ply + 1 : ply + 31])
    assert (recorded.ply, recorded.version, recorded.head.state) == (ply, ply + 1, match.states[ply])
    again = what_if(record(recorded, entries[ply:]).timeline, ply, entries[ply : ply + 30])
    assert [(frame.ply, frame.seat, frame.state) for frame in again] == [
        (frame.ply, frame.seat, frame.state) for frame in line
    ]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def a_log() -> Log:
    log = Log()
    setup = GAME.setup.parse({"first": "orange", "postcards": CARDS[:8]})
    log.append(create(GAME, EDITION, PLAYERS, setup))
    for building in ("L4", "U6", "X5", "V3"):
        log.append(record(log.timeline, [Entry(None, GAME.move.parse({"type": "take", "building": building}))]))
    log.append(replace(log.timeline, 2, Entry(None, GAME.move.parse({"type": "take", "building": "I3"}))))
    log.append(remove(log.timeline, 4))
    log.append(undo(log.timeline, 1))
    log.append(restore(log.timeline, 5))
    return log


def test_timelines_part_at_the_first_frame_that_is_not_the_same() -> None:
    log = a_log()
    assert [log.timeline.changed_since(version) for version in range(1, 10)] == [1, 2, 3, 4, 5, 2, 2, 2, 5]
    log.append(correct_setup(log.timeline, GAME.setup.parse({"first": "orange", "postcards": CARDS[1:9]})))
    assert log.timeline.changed_since(9) == 0


def as_written(event: Event) -> Written:
    return Written(event.kind, event.text, event.hash)


def test_a_log_as_it_was_written_folds_to_the_same_timeline() -> None:
    log = a_log()
    created = fold(GAME, GAME.editions, log.events[:1])
    timeline = resume(created, GAME.editions, map(as_written, log.events[1:]))
    for one, other in zip(timeline.frames(), log.timeline.frames(), strict=True):
        assert tuple(one[:7]) == tuple(other[:7])
    assert tuple(timeline[2:5]) == tuple(log.timeline[2:5])


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"move":{"type":"pass"},"ruling":null,"seat":"green"}'])
def test_a_move_that_is_not_written_well_is_named_as_broken(text: str) -> None:
    created = fold(GAME, GAME.editions, a_log().events[:1])
    with pytest.raises(LogBroken) as broken:
        resume(created, GAME.editions, [Written(EventKind.MOVE_MADE, text, "")])
    assert broken.value.seq == 2


def test_timelines_and_frames_equal_themselves_alone() -> None:
    log = a_log()
    again = fold(GAME, GAME.editions, log.events)
    for one, other in ((log.timeline, again), (log.timeline.frame(0), again.frame(0))):
        same = one
        assert one == same and one != other
        assert len({one, other, same}) == 2


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_a_payload_of_any_json_folds_or_is_named_as_broken(data: st.DataObject) -> None:
    events = a_log().events
    index = data.draw(st.integers(0, len(events) - 1))
    payload = events[index].payload
    member = data.draw(st.sampled_from(sorted(payload)))
    changed: JsonObject = {**payload, member: data.draw(JSON)}
    events[index] = events[index]._replace(text=json.dumps(changed))
    try:
        fold(GAME, GAME.editions, events)
    except LogBroken as broken:
        assert index + 1 <= broken.seq <= len(events)


@pytest.mark.parametrize(
    ("index", "changes"),
    [
        (0, {"payload": {}}),
        (0, {"payload": None}),
        (2, {"kind": "invented"}),
        (2, {"kind": "match_created"}),
        (2, {"payload": {"seat": "orange", "move": {"type": "fly"}, "ruling": None}}),
        (5, {"payload": {"ply": 4, "action": "remove", "dropped": 1}}),
        (5, {"payload": {"ply": 4, "action": "remove", "dropped": -1}}),
        (5, {"payload": {"ply": 4, "action": "insert", "seat": "green", "move": PASS, "ruling": None, "dropped": 0}}),
    ],
)
def test_an_event_that_cannot_be_read_is_named(index: int, changes: dict[str, Any]) -> None:
    events = a_log().events
    if "payload" in changes:
        changes = {"text": json.dumps(changes["payload"])}
    events[index] = events[index]._replace(**changes)
    with pytest.raises(LogBroken) as caught:
        fold(GAME, GAME.editions, events)
    assert caught.value.seq == index + 1


def test_a_log_of_another_game_or_edition_is_not_read() -> None:
    events = a_log().events
    for member in ("game", "edition"):
        other = events[0]._replace(text=json.dumps({**events[0].payload, member: "another"}))
        with pytest.raises(LogBroken):
            fold(GAME, GAME.editions, [other])


@pytest.mark.parametrize(
    ("game_id", "seats"),
    [
        ("cite-lumiere", ""),
        ("cite-lumiere", "orange"),
        ("cite-lumiere", "orange orange"),
        ("cite-lumiere", "orange blue blue"),
        ("cite-lumiere", "red blue"),
        ("paris", "red"),
        ("paris", "red orange"),
        ("paris", "red blue green yellow red"),
    ],
)
def test_a_log_of_seats_that_cannot_play_is_not_read(game_id: str, seats: str) -> None:
    game = GAMES[game_id]
    payload = {
        "game": game.id,
        "edition": game.editions.default.id,
        "players": [{"seat": seat, "player_id": str(number)} for number, seat in enumerate(seats.split())],
        "setup": draw_setup(game.id, game.seats[:2], Random(1)),
    }
    created = Written(EventKind.MATCH_CREATED, json.dumps(payload), "")
    with pytest.raises(LogBroken) as caught:
        fold(game, game.editions, [created])
    assert "seats" in caught.value.detail


def test_an_edition_that_is_not_found_is_named_as_broken() -> None:
    log = a_log()
    log.append(change_edition(log.timeline, EDITIONS[GAME.id]["corrected"]))
    log.require_same_fold(GAME, EDITIONS[GAME.id])
    with pytest.raises(LogBroken) as caught:
        fold(GAME, GAME.editions, log.events)
    assert caught.value.seq == len(log.events)


def test_an_empty_log_is_broken() -> None:
    with pytest.raises(LogBroken):
        fold(GAME, GAME.editions, [])
