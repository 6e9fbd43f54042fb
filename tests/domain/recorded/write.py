"""Records 40 matches of each game as the present code plays them: `python -m tests.domain.recorded.write`.

With `--sentences` only the digests of sentences are written anew, by performing the recorded acts again.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice
from random import Random
from typing import Any

from domain.catalogue import GAMES
from domain.game import AnyGame, JsonObject, Kind, Refusal
from domain.match import Status
from scripts.random_play import draw_setup
from tests.domain.games.cite_lumiere.conceivable import moves as cite_lumiere_moves
from tests.domain.games.paris.conceivable import key_moves, simple_moves
from tests.domain.logs import editions_of
from tests.domain.recorded import Act, Outcome, load, save
from tests.domain.recorded.playing import Match

MATCHES = 40
RULING = "5e" * 32
PLIES_AT_ONCE = {"cite-lumiere": 4, "paris": 12}
PROBES = 4
CANDIDATES = 150
RAREST = 6
DEPTH = 5


def main(arguments: list[str]) -> None:
    """Record the matches unless sentences alone are wanted, and then the sentences."""
    for game in GAMES.values():
        if "--sentences" not in arguments:
            save(game.id, record_matches(game))
        sentences = []
        for acts in load(game.id):
            match = Match(game, editions_of(game))
            for act in acts:
                match.perform(act["act"])
            sentences.append(match.sentences)
        save(f"{game.id}.sentences", sentences)


def record_matches(game: AnyGame) -> list[list[JsonObject]]:
    """Play all matches of a game."""
    editions = editions_of(game)
    matches = []
    refused: Counter[str] = Counter()
    for seed in range(MATCHES):
        recorder = Recorder(game, Match(game, editions), Random(f"{game.id} {seed}"), seed, refused)
        matches.append([{"act": act, "outcome": outcome} for act, outcome in recorder.play()])
    return matches


@cache
def _conceivable(game_id: str) -> dict[tuple[object, ...], list[Any]]:
    """Conceivable moves of a game by what kind of move they are."""
    moves = cite_lumiere_moves() if game_id == "cite-lumiere" else simple_moves()
    kinds: dict[tuple[object, ...], list[Any]] = {}
    for move in moves:
        kinds.setdefault((type(move), getattr(move, "card", None), getattr(move, "tile", None)), []).append(move)
    return kinds


class Recorder:
    """Plays one match by chance, with every act that there is."""

    def __init__(self, game: AnyGame, match: Match, random: Random, seed: int, refused: Counter[str]) -> None:
        self._game = game
        self._match = match
        self._random = random
        self._seed = seed
        self._refused = refused
        """How often each code was met, in all matches."""

    def play(self) -> Iterator[tuple[Act, Outcome]]:
        """Each act with its outcome."""
        yield from map(self._perform, self._acts())

    def _perform(self, act: Act) -> tuple[Act, Outcome]:
        return act, self._match.perform(act)

    def _acts(self) -> Iterator[Act]:
        random, game = self._random, self._game
        number = random.randint(game.players[0], game.players[-1])
        seats = random.sample(game.seats, number)
        players = [[seat, f"player-{index}"] for index, seat in enumerate(seats)]
        if self._seed % 10 == 9:
            yield from self._result_only(players)
            return
        edition = "corrected" if self._seed % 5 == 4 else game.editions.default.id
        yield {
            "act": "create",
            "players": players[:1] * 2,
            "edition": edition,
            "setup": draw_setup(game.id, seats, random),
        }
        yield {"act": "create", "players": players, "edition": edition, "setup": draw_setup(game.id, seats, random)}
        yield from self._moves_and_changes()

    def _moves_and_changes(self) -> Iterator[Act]:
        random = self._random
        goes_to_its_end = self._seed % 4 != 3
        for _ in range(1000 if goes_to_its_end else 12):
            if self._timeline.status is Status.FINISHED:
                break
            yield from self._some_moves()
            if random.random() < 0.4:
                yield from self._one_change()
        yield from self._look_back()
        if self._timeline.status is Status.FINISHED:
            yield {"act": "abandon"}
        for _ in range(3):
            yield from self._one_change()
        yield {"act": "judge_again"}
        yield {"act": "finish", "depth": DEPTH}

    @property
    def _timeline(self) -> Any:
        return self._match.log.timeline

    def _result_only(self, players: list[list[str]]) -> Iterator[Act]:
        random, game = self._random, self._game
        points = {seat: random.randint(20, 80) for seat, _ in players}
        if list(points.values()).count(max(points.values())) > 1:
            points[players[0][0]] = max(points.values()) + 1  # a tie, which comes later, decides nothing here
        setup: JsonObject = {"result_only": True, "points": points}
        tied = dict.fromkeys(points, 33)
        tie = {"winner": players[0][0], "decided_by": random.choice(game.tie_breaks)}
        edition = game.editions.default.id
        yield {"act": "create", "players": players, "edition": edition, "setup": {**setup, "tie": tie}}
        yield {"act": "create", "players": players, "edition": edition, "setup": setup}
        yield {"act": "record", "entries": [{"seat": players[0][0], "move": self._any_move()}]}
        yield {"act": "remove", "ply": 1, "on_conflict": "refuse"}
        yield {"act": "correct_setup", "setup": {**setup, "points": tied}, "on_conflict": "refuse"}
        yield {"act": "correct_setup", "setup": {**setup, "points": tied, "tie": tie}, "on_conflict": "refuse"}
        yield {"act": "correct_setup", "setup": self._another_setup(), "on_conflict": "truncate"}
        yield {"act": "change_edition", "edition": "corrected", "on_conflict": "refuse"}
        yield {"act": "assign_players", "players": [[seat, f"other {player}"] for seat, player in players]}
        yield {"act": "restore", "version": 2}
        yield {"act": "abandon"}
        yield {"act": "look_back", "version": 1}
        yield {"act": "judge_again"}
        yield {"act": "what_if", "ply": 0, "entries": []}
        yield {"act": "what_if", "ply": 0, "entries": [{"move": self._any_move()}]}
        yield {"act": "finish", "depth": DEPTH}

    def _any_move(self) -> JsonObject:
        """A move of the game in which a match has just begun."""
        seats = self._timeline.seats
        setup = self._game.setup.parse(draw_setup(self._game.id, seats, self._random))
        state = self._game.rules.start(setup, seats, self._timeline.edition)
        return self._game.move.dump(next(iter(self._game.rules.legal_moves(state))))

    def _another_setup(self) -> JsonObject:
        return draw_setup(self._game.id, self._timeline.seats, self._random)

    def _some_moves(self) -> Iterator[Act]:
        random, timeline = self._random, self._timeline
        if timeline.abandoned:
            yield {"act": "record", "entries": [{"move": self._any_move()}]}
            yield {"act": "reopen"}
            return
        entries = list(self._legal_entries(timeline.head.state, random.randint(1, PLIES_AT_ONCE[self._game.id])))
        if random.random() < 0.12:
            entries.append(self._odd_entry(timeline.head.state))
        yield {"act": "record", "entries": entries}
        if random.random() < 0.3:
            yield self._probes(random.randint(0, self._timeline.ply))

    def _legal_entries(self, state: Any, number: int) -> Iterator[JsonObject]:
        for _ in range(number):
            seat = state.to_move
            if seat is None:
                return
            move = self._random.choice(list(self._game.rules.legal_moves(state)))
            named = {"seat": seat} if self._random.random() < 0.3 else {}
            yield {**named, "move": self._game.move.dump(move)}
            state = self._game.rules.apply(state, seat, move)

    def _odd_entry(self, state: Any) -> JsonObject:
        """A move that is out of place most of the time, now and then with a ruling."""
        seat, move = self._odd_move(state)
        entry = {"seat": seat, "move": self._game.move.dump(move)}
        try:
            self._game.rules.check(state, seat, move)
        except Refusal:
            ruling = {"ruling": RULING} if self._random.random() < 0.7 else {}
        else:
            ruling = {"ruling": RULING} if self._random.random() < 0.2 else {}
        return {**entry, **ruling}

    def _odd_move(self, state: Any) -> tuple[str, Any]:
        """A move from elsewhere in the match, or a legal one of another seat; rather one that a ruling can record."""
        random, timeline = self._random, self._timeline
        elsewhere = random.choice(timeline.frames()).state
        moves = [frame.move for frame in timeline.frames()[1:]] + list(self._game.rules.legal_moves(elsewhere))
        moves += list(self._game.rules.legal_moves(state))
        seat, move = random.choice(timeline.seats), random.choice(moves or [self._game.move.parse(self._any_move())])
        for _ in range(6):
            try:
                self._game.rules.check(state, seat, move)
            except Refusal as refused:
                if refused.kind is Kind.RULE:
                    break
                seat, move = random.choice(timeline.seats), random.choice(moves)
        return seat, move

    def _probes(self, ply: int) -> Act:
        """Moves of all places of the match, tried after a ply."""
        random, timeline = self._random, self._timeline
        state = timeline.frame(ply).state
        moves = [self._odd_move(state) for _ in range(3)]
        line = timeline.frames()
        for _ in range(PROBES):
            known = [frame.move for frame in line[max(1, ply - 4) : ply + 5]]
            elsewhere = list(self._game.rules.legal_moves(random.choice(line).state))
            move = random.choice(random.choice([known, elsewhere]) or elsewhere or known)
            moves.append((random.choice(timeline.seats), move))
        moves += self._rarely_refused(state)
        return {"act": "probe", "ply": ply, "moves": [[seat, self._game.move.dump(move)] for seat, move in moves]}

    def _rarely_refused(self, state: Any) -> list[tuple[str, Any]]:
        """Of many conceivable moves, those that are refused for what was met least often so far."""
        random = self._random
        found: list[tuple[int, int, str, tuple[str, Any]]] = []
        conceivable = _conceivable(self._game.id)
        kinds = list(conceivable)
        drawn = [random.choice(conceivable[random.choice(kinds)]) for _ in range(CANDIDATES)]
        if self._game.id == "paris" and state.to_move is not None:
            drawn += random.choices(list(islice(key_moves(state), 0, None, random.randint(50, 400))), k=CANDIDATES)
        for move in drawn:
            seat = state.to_move or random.choice(self._timeline.seats)
            if random.random() < 0.1:
                seat = random.choice(self._timeline.seats)
            try:
                self._game.rules.check(state, seat, move)
            except Refusal as refused:
                found.append((self._refused[refused.code], len(found), refused.code, (seat, move)))
        found.sort()
        rarest = found[:RAREST]
        self._refused.update(code for _, _, code, _ in rarest)
        return [probe for _, _, _, probe in rarest]

    def _one_change(self) -> Iterator[Act]:
        random, timeline = self._random, self._timeline
        kind = random.choice(
            "undo undo replace replace replace insert insert remove remove correct_setup change_edition"
            " restore restore assign_players abandon cut what_if look_back".split()
        )
        ply, late = timeline.ply, max(0, timeline.ply - 5)
        ruled = [frame for frame in timeline.frames()[-12:] if frame.ruling is not None]
        policy = {"on_conflict": random.choice(("refuse", "refuse", "truncate"))}
        match kind:
            case "undo" | "cut":
                yield {"act": kind, "to_ply": random.choice((late, max(0, ply - 1), ply, ply + 1))}
            case "replace" if ruled and random.random() < 0.7:
                frame = random.choice(ruled)
                entry = {"move": self._game.move.dump(frame.move), "ruling": frame.ruling}
                yield {"act": kind, "ply": frame.ply, "entry": entry, **policy}
            case "replace" | "insert":
                at = random.randint(late, ply + 1)
                state = timeline.frame(min(max(0, at - 1), ply)).state
                legal = list(self._legal_entries(state, 1))
                entry = legal[0] if legal and random.random() < 0.7 else self._odd_entry(state)
                yield {"act": kind, "ply": at, "entry": entry, **policy}
            case "remove":
                yield {"act": kind, "ply": random.randint(late, ply + 1), **policy}
            case "correct_setup":
                yield {"act": kind, "setup": self._near_setup(), **policy}
            case "change_edition":
                editions = sorted(self._match.editions)
                yield {"act": kind, "edition": random.choice(editions), **policy}
            case "restore":
                yield {"act": kind, "version": random.randint(max(0, timeline.version - 40), timeline.version)}
            case "assign_players":
                people = [f"player-{random.randint(0, 5)}" for _ in timeline.seats]
                yield {"act": kind, "players": [list(pair) for pair in zip(timeline.seats, people, strict=True)]}
            case "what_if":
                at = random.randint(late, ply)
                entries = list(self._legal_entries(timeline.frame(at).state, 3))
                yield {"act": kind, "ply": at, "entries": [*entries, self._odd_entry(timeline.frame(at).state)][:4]}
                yield {"act": kind, "ply": at, "entries": entries}
            case "look_back":
                yield from self._look_back()
            case "abandon":
                yield {"act": kind}
                yield {"act": kind}
                yield {"act": "assign_players", "players": [[seat, f"late {seat}"] for seat in timeline.seats]}
                yield {"act": "undo", "to_ply": late}
                yield {"act": "cut", "to_ply": max(0, ply - 2)}
                yield {"act": "reopen"}
                yield {"act": "reopen"}

    def _look_back(self) -> Iterator[Act]:
        for _ in range(2):
            yield {"act": "look_back", "version": self._random.randint(1, self._timeline.version)}

    def _near_setup(self) -> JsonObject:
        """The set-up with one member of another one."""
        setup = self._game.setup.dump(self._timeline.setup)
        other = self._another_setup()
        member = self._random.choice(sorted(setup))
        return {**setup, member: other.get(member, setup[member])}


if __name__ == "__main__":
    main(sys.argv[1:])
