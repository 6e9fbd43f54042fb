"""Perform the acts of a recorded match and note what comes of each, as data that can be compared."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from domain.canonical import digest
from domain.forms import Malformed
from domain.game import AnyGame, Kind, Refusal, Seat
from domain.match import (
    Change,
    Correction,
    Entry,
    Frame,
    HistoryError,
    MoveRefused,
    OnConflict,
    Player,
    ResultOnly,
    Timeline,
    abandon,
    assign_players,
    change_edition,
    correct_setup,
    create,
    cut,
    describe,
    dump_setup,
    insert,
    parse_setup,
    record,
    rejudge,
    remove,
    reopen,
    replace,
    restore,
    undo,
    what_if,
)
from tests.domain.logs import Log
from tests.domain.recorded import Act, Outcome

SHORT = 8
"""Hex digits kept of a digest, enough to notice a change."""
SAMPLED = 12
"""Legal moves are listed, and the sentences of points compared, at every so manieth ply."""


@dataclass
class Match:
    """A recorded match while its acts are performed one after the other."""

    game: AnyGame
    editions: Mapping[str, Any]
    log: Log = field(default_factory=Log)
    sentences: list[str] = field(default_factory=list)
    """Of each act in turn, the digest of all sentences in all languages."""
    timelines: list[Timeline] = field(default_factory=list)
    """After each act that changed something."""
    _sentences: list[str | None] = field(default_factory=list)
    _seen: set[Frame] = field(default_factory=set)

    def perform(self, act: Act) -> Outcome:
        """Perform an act; answer with events, frames and verdicts, or with the error that it met."""
        self._sentences = []
        try:
            outcome = _ACTS[act["act"]](self, act)
        except (HistoryError, Malformed) as error:
            outcome = {"error": self._error(error)}
        self.sentences.append(digest(self._sentences)[:SHORT])
        return outcome

    def create(self, act: Act) -> Outcome:
        players = _players(act["players"])
        setup = parse_setup(self.game, [player.seat for player in players], act["setup"])
        return self._changed(create(self.game, self.editions[act["edition"]], players, setup))

    def record(self, act: Act) -> Outcome:
        return self._changed(record(self.log.timeline, self._entries(act)))

    def undo(self, act: Act) -> Outcome:
        return self._changed(undo(self.log.timeline, act["to_ply"]))

    def replace(self, act: Act) -> Outcome:
        entry, policy = self._entry(act["entry"]), OnConflict(act["on_conflict"])
        return self._changed(replace(self.log.timeline, act["ply"], entry, policy))

    def insert(self, act: Act) -> Outcome:
        entry, policy = self._entry(act["entry"]), OnConflict(act["on_conflict"])
        return self._changed(insert(self.log.timeline, act["ply"], entry, policy))

    def remove(self, act: Act) -> Outcome:
        return self._changed(remove(self.log.timeline, act["ply"], OnConflict(act["on_conflict"])))

    def correct_setup(self, act: Act) -> Outcome:
        timeline = self.log.timeline
        setup = parse_setup(self.game, timeline.seats, act["setup"])
        return self._changed(correct_setup(timeline, setup, OnConflict(act["on_conflict"])))

    def change_edition(self, act: Act) -> Outcome:
        edition = self.editions[act["edition"]]
        return self._changed(change_edition(self.log.timeline, edition, OnConflict(act["on_conflict"])))

    def restore(self, act: Act) -> Outcome:
        return self._changed(restore(self.log.timeline, act["version"]))

    def assign_players(self, act: Act) -> Outcome:
        return self._changed(assign_players(self.log.timeline, _players(act["players"])))

    def abandon(self, act: Act) -> Outcome:
        return self._changed(abandon(self.log.timeline))

    def reopen(self, act: Act) -> Outcome:
        return self._changed(reopen(self.log.timeline))

    def cut(self, act: Act) -> Outcome:
        return self._changed(cut(self.log.timeline, act["to_ply"]))

    def what_if(self, act: Act) -> Outcome:
        """Other moves from a ply on, of which nothing enters the log."""
        return {"frames": [self._frame(frame) for frame in what_if(self.log.timeline, act["ply"], self._entries(act))]}

    def probe(self, act: Act) -> Outcome:
        """Whether each of some moves could be made after a ply: accepted, ruled or refused, and why."""
        state = self.log.timeline.frame(act["ply"]).state
        return {"probed": [self._probe(state, seat, self.game.move.parse(move)) for seat, move in act["moves"]]}

    def judge_again(self, act: Act) -> Outcome:
        """Judge all moves again by the present rules."""
        refolding = rejudge(self.log.timeline)
        return {"ply": refolding.ply, "refusal": refolding.refusal and refolding.refusal.code}

    def look_back(self, act: Act) -> Outcome:
        """The match as it was at an earlier version, and from which ply on it has changed since."""
        timeline, version = self.log.timeline, act["version"]
        earlier = timeline.at(version)
        return {
            "changed": timeline.changed_since(version),
            "seqs": [frame.seq for frame in earlier.frames()],
            "replaced": [list(frame.replaced) for frame in earlier.frames()],
            "state": self._state(earlier.head.state),
            **self._standing(earlier),
        }

    def finish(self, act: Act) -> Outcome:
        """What statistics take from the match as it stands."""
        timeline, line = self.log.timeline, self.log.timeline.frames()
        if timeline.is_result_only:
            return self._standing(timeline)
        is_over = timeline.to_move is None
        return {
            **self._standing(timeline),
            "hash": self.log.events[-1].hash,
            "variant": self.game.statistics.variant(timeline.setup),
            "features": _features(self.game, line) if is_over else None,
            "standings": digest([dict(standing) for standing in self.game.statistics.standings(line)]),
            "opening": [
                [step.mover, self.game.move.dump(step.move)]
                for step in self.game.statistics.opening(line, act["depth"])
            ],
        }

    def _standing(self, timeline: Timeline) -> Outcome:
        result = timeline.result
        return {
            "version": timeline.version,
            "ply": timeline.ply,
            "status": timeline.status,
            "players": [list(player) for player in timeline.players],
            "edition": timeline.edition.digest[:SHORT],
            "setup": digest(dump_setup(self.game, timeline.setup))[:SHORT],
            "result": result and [list(result.winners), [[r.seat, r.place, r.points] for r in result.ranking]],
            "decided_by": result and result.decided_by,
        }

    def _entries(self, act: Act) -> list[Entry]:
        return [self._entry(entry) for entry in act["entries"]]

    def _entry(self, entry: Mapping[str, Any]) -> Entry:
        return Entry(entry.get("seat"), self.game.move.parse(entry["move"]), entry.get("ruling"))

    def _changed(self, change: Change) -> Outcome:
        before = len(self.log.events)
        self.log.append(change)
        self.timelines.append(change.timeline)
        outcome: Outcome = {
            "events": [[event.kind, event.payload] for event in self.log.events[before:]],
            "frames": [self._frame(frame) for frame in self._new_frames(change.timeline)],
            **self._standing(change.timeline),
        }
        if isinstance(change, Correction):
            verdicts = [
                [verdict.old_ply, verdict.ply, verdict.status, verdict.refusal and self._refusal(verdict.refusal)]
                for verdict in change.verdicts
            ]
            outcome |= {"verdicts": digest(verdicts), "dropped": change.dropped}
        return outcome

    def _new_frames(self, timeline: Timeline) -> Sequence[Frame]:
        """The frames of a timeline that no act before had, the first one first."""
        found = []
        frame: Frame | None = timeline.head
        while frame is not None and frame not in self._seen:
            found.append(frame)
            frame = frame.before
        self._seen.update(found)
        return found[::-1]

    def _frame(self, frame: Frame) -> str:
        """All that a frame has, as one digest."""
        members: list[object] = [frame.ply, frame.seat, frame.ruling, frame.seq, list(frame.replaced)]
        if frame.before is not None:
            members.append(self.game.move.dump(frame.move))
            self._sentences += [
                describe(self.log.timeline, frame, language) for language in self.game.telling.LANGUAGES
            ]
        if not isinstance(frame.state, ResultOnly):
            members += self._points(frame)
            if frame.ply % SAMPLED == 0:
                members.append([self.game.move.dump(move) for move in self.game.rules.legal_moves(frame.state)])
        return digest([*members, self._state(frame.state)])[:SHORT]

    def _points(self, frame: Frame) -> Iterator[object]:
        """Where the points of a frame come from, and how many there are."""
        for seat, items in self.game.telling.explain(frame.state).items():
            yield seat
            yield sum(item.points for item in items)
            yield [
                [item.category, item.points, list(item.pieces), list(item.cells), list(item.sources)] for item in items
            ]
        if frame.ply % SAMPLED == 0 or frame.state.to_move is None:
            for language in self.game.telling.LANGUAGES:
                for items in self.game.telling.explain(frame.state, language).values():
                    self._sentences += [item.sentence for item in items]

    def _state(self, state: Any) -> str:
        return digest(None if isinstance(state, ResultOnly) else self.game.view.dump(state))[:SHORT]

    def _probe(self, state: Any, seat: Seat, move: Any) -> str:
        try:
            self.game.rules.check(state, seat, move)
        except Refusal as refused:
            reason = self._refusal(refused)
            if refused.kind is Kind.PHYSICAL:
                return f"{reason}, and {refused.code} under a ruling"
            return f"{reason}, or {self._state(self.game.rules.apply(state, seat, move))} under a ruling"
        return self._state(self.game.rules.apply(state, seat, move))

    def _refusal(self, refused: Refusal) -> str:
        self._sentences += [refused.tell(language) for language in self.game.telling.LANGUAGES]
        return f"{refused.code} ({refused.kind}, {refused.rule})"

    def _error(self, error: HistoryError | Malformed) -> Outcome:
        found: Outcome = {"type": type(error).__name__}
        for name in ("ply", "seat", "index", "number", "first", "last", "first_ply"):
            if hasattr(error, name):
                found[name] = getattr(error, name)
        if isinstance(error, Malformed):
            found["errors"] = [[field.pointer, field.detail] for field in error.errors]
        if isinstance(error, MoveRefused):
            found["refusal"] = self._refusal(error.refusal)
        return found


_ACTS: dict[str, Callable[[Match, Act], Outcome]] = {
    "create": Match.create,
    "record": Match.record,
    "undo": Match.undo,
    "replace": Match.replace,
    "insert": Match.insert,
    "remove": Match.remove,
    "correct_setup": Match.correct_setup,
    "change_edition": Match.change_edition,
    "restore": Match.restore,
    "assign_players": Match.assign_players,
    "abandon": Match.abandon,
    "reopen": Match.reopen,
    "cut": Match.cut,
    "what_if": Match.what_if,
    "probe": Match.probe,
    "judge_again": Match.judge_again,
    "look_back": Match.look_back,
    "finish": Match.finish,
}


def _players(players: Sequence[Sequence[str]]) -> list[Player]:
    return [Player(seat, player_id) for seat, player_id in players]


def _features(game: AnyGame, line: Sequence[Frame]) -> Outcome:
    """The features of the seats, by names that are sorted when they are written."""
    return {
        name: {seat: list(had) for seat, had in seats.items()} for name, seats in game.statistics.features(line).items()
    }
