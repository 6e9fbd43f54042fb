"""Demo: fill a running service with plausible matches of every game, entered with the slips that people make."""

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum, auto
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

from domain.catalogue import GAMES
from domain.game import AnyGame, JsonObject, Kind, Refusal, Seat
from scripts.arguments import positive
from scripts.progress import shown
from scripts.random_play import MAX_PLIES, EndlessMatch, draw_setup
from service.client import ApiProblem, Client, ClientError, Entry, Mark, Position, Unreachable


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who plays: the more legal moves are looked at, the better."""

    name: str
    breadth: int


PEOPLE = (
    Person("Ana", 48),
    Person("Jan", 24),
    Person("Zofia", 24),
    Person("Tomáš", 12),
    Person("Inês", 6),
    Person("Marek", 3),
    Person("Lucie", 2),
    Person("Pedro", 1),
)
VENUES = ("club night", "Café Lumière", "at home", "library", None)
TAGS = ("league", "friendly", "first game", "tournament", "teaching")
REASON = "It was not their turn. We saw it two moves later and left it."

REMARKS = {
    "!!": "Nobody had seen this coming.",
    "!": "Worth more than anything else on the board.",
    "!?": "Bold, and it may be held against it later.",
    "?!": "There was something quieter.",
    "?": "This gives more than it takes.",
    "??": "The turning point.",
}
PURPOSE = 0.9
"""How often people leave aside what they could buy and sell without need."""
MAX_BATCH = 200
PATIENCE = 60
"""How often a request is sent while the service says that there were too many."""
WHAT_IF = "They might have gone on like this instead."
MAX_REDRAWS = 5
"""How often another move is drawn instead of a trade."""


class Story(Enum):
    """What happens while a match is entered."""

    ABANDONED = auto()
    CORRECTED = auto()
    RESTORED = auto()
    RULED = auto()
    PLAIN = auto()


LATER = (
    *(Story.PLAIN, Story.PLAIN, Story.PLAIN, Story.PLAIN, Story.PLAIN, Story.PLAIN),
    *(Story.CORRECTED, Story.CORRECTED, Story.RESTORED, Story.RESTORED, Story.RULED, Story.ABANDONED),
)
"""What is drawn from once each story was told."""


@dataclass(frozen=True, slots=True)
class Ply:
    """A move as it was made at the table, with the reason for which it stands if it broke a rule."""

    seat: Seat
    move: Any
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Played:
    """A match as it was played: `states[n]` is the state after the first n of `plies`."""

    game: AnyGame
    people: dict[Seat, Person]
    setup: JsonObject
    states: Sequence[Any]
    plies: Sequence[Ply]

    def entries(self, first: int = 0, last: int | None = None) -> list[Entry]:
        """Some of the plies as they are sent."""
        return [entry(self.game, ply) for ply in self.plies[first:last]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Fill the service and print what it holds now; 1 if it does not take it."""
    parser = argparse.ArgumentParser(prog="python -m scripts.demo", description=__doc__)
    parser.add_argument("--url", default=usual_address(), help="where the service is (default %(default)s)")
    parser.add_argument("--matches", type=positive, default=36, help="matches of all games (default %(default)s)")
    parser.add_argument("--seed", default="1", help="what the matches are drawn from (default %(default)s)")
    options = parser.parse_args(arguments)
    try:
        with Client(options.url, os.environ.get("CARNET_TOKEN"), attempts=PATIENCE) as client:
            if not client.is_ready():
                print(f"The service at {options.url} has no database yet; try again in a moment.", file=sys.stderr)
                return 1
            fill(client, options.matches, options.seed)
    except Unreachable:
        print(f"No service answers at {options.url}; start one with: make run", file=sys.stderr)
        return 1
    except ClientError as error:
        kind = f" ({error.type})" if isinstance(error, ApiProblem) else ""
        print(f"The service at {options.url} refused: {error}{kind}", file=sys.stderr)
        return 1
    return 0


def usual_address() -> str:
    """The address of a service of this machine with the same settings, whose own authority is then trusted."""
    tls, port = os.environ.get("CARNET_TLS"), os.environ.get("CARNET_PORT") or "8000"
    if tls == "self":
        authority = Path(os.environ.get("CARNET_DATA") or "var") / "tls" / "authority.crt"
        os.environ.setdefault("REQUESTS_CA_BUNDLE", str(authority))
    return f"{'https' if tls else 'http'}://127.0.0.1:{port}"


def fill(client: Client, matches: int, seed: str) -> None:
    """Enter random matches and print how many of them came to which end."""
    began = time.monotonic()
    statuses = Counter(shown(entered(client, matches, seed), matches, "matches"))
    counted = ", ".join(f"{count} {status.replace('_', ' ')}" for status, count in sorted(statuses.items()))
    print(f"{matches} matches in {time.monotonic() - began:.1f} s: {counted}")
    print(f"They are at {client.base_url}/")


def entered(client: Client, matches: int, seed: str) -> Iterator[str]:
    """Enter matches, the oldest first and the last few unfinished; the status of each."""
    random = Random(seed)
    games = [GAMES[game["id"]] for game in client.games() if game["id"] in GAMES]
    unfinished = max(len(games), matches // 6)
    told = [story for story in Story if story is not Story.PLAIN for _ in games]
    for number, (game, played_at) in enumerate(zip(cycle(games), dates(matches, random), strict=False)):
        story = told[number] if number < len(told) else random.choice(LATER)
        played = play(game, random, ruled=story is Story.RULED)
        if story is Story.ABANDONED or number >= matches - unfinished:
            played = broken_off(played, random)
        yield enter(client, played, story, played_at, random)


def dates(matches: int, random: Random) -> list[datetime]:
    """Evenings of the last year, in order."""
    midnight = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    days = sorted((random.randint(1, 365) for _ in range(matches)), reverse=True)
    return [midnight - timedelta(days=day) + timedelta(minutes=random.randint(17 * 60, 22 * 60)) for day in days]


def play(game: AnyGame, random: Random, *, ruled: bool) -> Played:
    """A match to its end, with a move out of turn if one is to be ruled on."""
    seats = random.sample(game.seats, random.randint(game.players[0], game.players[-1]))
    people = dict(zip(seats, random.sample(PEOPLE, len(seats)), strict=True))
    setup = draw_setup(game.id, seats, random)
    states = [game.rules.start(game.setup.parse(setup), seats, game.editions.default)]
    plies: list[Ply] = []
    while (seat := states[-1].to_move) is not None:
        if len(plies) == MAX_PLIES:
            raise EndlessMatch(f"the match goes on after {MAX_PLIES} plies")
        ply = out_of_turn(game, states[-1], seats, random) if ruled and plies else None
        if ply is None:
            ply = Ply(seat, choose(game, states[-1], seat, people[seat].breadth, random))
        ruled = ruled and ply.reason is None
        if ply.reason is None:
            game.rules.check(states[-1], ply.seat, ply.move)
        states.append(game.rules.apply(states[-1], ply.seat, ply.move))
        plies.append(ply)
    return Played(game, people, setup, states, plies)


def choose(game: AnyGame, state: Any, seat: Seat, breadth: int, random: Random) -> Any:
    """The move that gains most of those looked at, or any of them if none gains. Goods are rarely traded for fun."""
    redraws = MAX_REDRAWS if random.random() < PURPOSE else 0
    seen = [draw(game, state, redraws, random) for _ in range(breadth)]
    best = max(seen, key=lambda move: lead(game, game.rules.apply(state, seat, move), seat))
    return best if lead(game, game.rules.apply(state, seat, best), seat) > lead(game, state, seat) else seen[0]


def draw(game: AnyGame, state: Any, redraws: int, random: Random) -> Any:
    """A legal move, drawn anew at most so many times while it is a trade."""
    move = game.rules.random_move(state, random)
    for _ in range(redraws):
        if game.move.dump(move)["type"] != "trade":
            break
        move = game.rules.random_move(state, random)
    return move


def lead(game: AnyGame, state: Any, seat: Seat) -> int:
    """How far a seat is ahead of the best of the others."""
    totals = dict(game.rules.totals(state))
    return totals.pop(seat) - max(totals.values(), default=0)


def out_of_turn(game: AnyGame, state: Any, seats: Sequence[Seat], random: Random) -> Ply | None:
    """A move of somebody whose turn it is not, if it can be made at a table."""
    others = [seat for seat in seats if seat != state.to_move]
    legal = list(game.rules.legal_moves(state))
    for move in random.sample(legal, len(legal)):
        seat = random.choice(others)
        try:
            game.rules.check(state, seat, move)
        except Refusal as illegal:
            if illegal.kind is Kind.RULE:
                return Ply(seat, move, REASON)
    return None


def broken_off(played: Played, random: Random) -> Played:
    """The first part of a match."""
    last = random.randint(len(played.plies) // 3, len(played.plies) - 1)
    return Played(played.game, played.people, played.setup, played.states[: last + 1], played.plies[:last])


def enter(client: Client, played: Played, story: Story, played_at: datetime, random: Random) -> str:
    """Enter a match as its story goes and annotate it; answers with its status."""
    match = client.create_match(
        played.game.id,
        [{"seat": seat, "name": person.name} for seat, person in played.people.items()],
        played.setup,
        edition=played.game.editions.default.id,
        played_at=played_at,
        venue=random.choice(VENUES),
        tags=random.sample(TAGS, random.randint(0, 2)),
    )
    match_id = match["id"]
    done = 0
    if story is Story.CORRECTED:
        done = enter_with_slip(client, match_id, played, random)
    elif story is Story.RESTORED:
        done = enter_with_restoring(client, match_id, played)
    if done < len(played.plies):
        record(client, match_id, played.entries(done))
    annotate(client, match_id, played, random, least=0 if story is Story.PLAIN else 1)
    if story is Story.ABANDONED:
        client.change_match(match_id, {"tags": [*match["tags"], "ran out of time"]})
        return client.abandon(match_id)["status"]
    return client.match(match_id)["status"]


def record(client: Client, match_id: str, entries: Sequence[Entry]) -> Position:
    """Record moves, as many at once as the service takes; answers with where the match stands then."""
    batches = [entries[first : first + MAX_BATCH] for first in range(0, len(entries), MAX_BATCH)]
    return [client.record_all(match_id, batch) for batch in batches][-1]


def enter_with_slip(client: Client, match_id: str, played: Played, random: Random) -> int:
    """Enter the beginning with one wrong move and correct that; answers with how many plies are there then."""
    ply, wrong, last = slip(played, random)
    said: Entry = {"seat": played.plies[ply - 1].seat, "move": played.game.move.dump(wrong)}
    position = record(client, match_id, [*played.entries(0, ply - 1), said, *played.entries(ply, last)])
    right = played.game.move.dump(played.plies[ply - 1].move)
    return client.correct(match_id, ply, "replace", right, if_match=position["version"])["ply"]


def slip(played: Played, random: Random, furthest: int = 6) -> tuple[int, Any, int]:
    """A ply, a wrong move that could stand there, and the last ply that still fits behind it."""
    found = []
    for ply in random.sample(range(1, len(played.plies) + 1), len(played.plies)):
        made = played.plies[ply - 1].move
        others = [move for move in played.game.rules.legal_moves(played.states[ply - 1]) if move != made]
        for move in random.sample(others, min(8, len(others))):
            last = last_that_fits(played, ply, move, min(ply + furthest, len(played.plies)))
            if last > ply + 1:
                return ply, move, last
            found.append((last - ply, ply, move, last))
    _, ply, move, last = max(found, key=lambda one: one[0])
    return ply, move, last


def last_that_fits(played: Played, ply: int, move: Any, furthest: int) -> int:
    """The last ply that could be entered as it was played if another move stood at a ply."""
    state = played.game.rules.apply(played.states[ply - 1], played.plies[ply - 1].seat, move)
    for last in range(ply, furthest):
        seat, later = played.plies[last].seat, played.plies[last].move
        try:
            played.game.rules.check(state, seat, later)
        except Refusal:
            return last
        state = played.game.rules.apply(state, seat, later)
    return furthest


def enter_with_restoring(client: Client, match_id: str, played: Played) -> int:
    """Enter the first half move by move, take three back and bring them back after all."""
    half = max(4, len(played.plies) // 2)
    version = 1
    for move in played.entries(0, half):
        version = client.record(match_id, move["seat"], move["move"], if_match=version)["version"]
    client.undo(match_id, half - 3)
    return client.restore(match_id, version)["ply"]


def annotate(client: Client, match_id: str, played: Played, random: Random, least: int) -> None:
    """Add a few notes to the moves of a match, one of them with what might have come instead."""
    plies = random.sample(range(1, len(played.plies) + 1), min(len(played.plies), random.randint(least, 3)))
    for number, ply in enumerate(plies):
        if number < least and (line := what_if(played, ply, random)):
            client.annotate(match_id, ply, WHAT_IF, line=line, marks=marks(played, ply))
            continue
        glyph = judged(played, ply, random)
        client.annotate(match_id, ply, REMARKS[glyph], glyph=glyph, marks=marks(played, ply))


def what_if(played: Played, ply: int, random: Random, longest: int = 4) -> list[Entry]:
    """A few moves that might have followed a ply."""
    state = played.states[ply]
    line: list[Entry] = []
    while len(line) < longest and (seat := state.to_move) is not None:
        move = choose(played.game, state, seat, PEOPLE[0].breadth, random)
        line.append(entry(played.game, Ply(seat, move)))
        state = played.game.rules.apply(state, seat, move)
    return line


def judged(played: Played, ply: int, random: Random) -> str:
    """A glyph by what the move gained."""
    seat = played.plies[ply - 1].seat
    gain = lead(played.game, played.states[ply], seat) - lead(played.game, played.states[ply - 1], seat)
    if gain == 0:
        return random.choice(("!?", "?!"))
    return ("!!" if gain > 8 else "!") if gain > 0 else ("??" if gain < -8 else "?")


def marks(played: Played, ply: int) -> list[Mark]:
    """The spaces that a move names."""
    move = played.game.move.dump(played.plies[ply - 1].move)
    named = [move[member] for member in ("at", "cell", "to") if member in move] + move.get("cells", [])
    return [{"cell": cell, "kind": "highlight"} for cell in named if cell in played.game.spaces]


def entry(game: AnyGame, ply: Ply) -> Entry:
    """A ply as it is sent."""
    sent: Entry = {"seat": ply.seat, "move": game.move.dump(ply.move)}
    if ply.reason is not None:
        sent["ruling"] = {"reason": ply.reason}
    return sent


if __name__ == "__main__":
    sys.exit(main())
