"""The attacks, one function each. What they have in common is in `attacker`."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import cycle, repeat
from random import Random
from typing import TypeAlias
from urllib.parse import urlencode
from uuid import UUID

from scripts.attack.attacker import Attacker, Flood, request_of
from scripts.attack.target import API, BATCHES, GAME, RULINGS

REPEATED_PLAYERS = 165
"""As many as a request line has room for."""
MAX_PLAYERS = 8
"""As many as a request may name."""
NDJSON = "application/x-ndjson"
GARBAGE = b"\x16\x03\x01 this is no request\r\n\r\n"

Run: TypeAlias = Callable[[Attacker], None]


@dataclass(frozen=True, slots=True)
class Attack:
    """What attackers do in one round."""

    number: int
    """Of the kind of attack; several rounds may be of one kind."""
    name: str
    run: Run


def rest(attacker: Attacker) -> None:
    """Do nothing, so that there are figures to compare with."""
    attacker.wait()


def repeat_players(attacker: Attacker, *, hangs_up: bool) -> None:
    """Ask for statistics of as many players as a request line holds, many at once, again and again."""
    chance = Random(1)
    while not attacker.is_over:
        players = [("player", str(UUID(int=chance.getrandbits(128), version=4))) for _ in range(REPEATED_PLAYERS)]
        request = request_of(f"{API}/stats/games/{GAME}?{urlencode(players)}")
        flood = attacker.flood(repeat(request, 34), at_once=34)
        if hangs_up:
            attacker.wait(1)
        else:
            flood.wait()
        flood.close()


def ask_costly_questions(attacker: Attacker) -> None:
    """Ask for the statistics that cost most, all within what is allowed, each from an address of its own."""
    questions = cycle(_costly_questions(attacker.target.players))
    clients = [attacker.client(index) for index in range(60)]
    attacker.together(partial(_ask_next, client.get, questions) for client in clients)


def _ask_next(get: Callable[[str], bytes], questions: Iterator[str]) -> None:
    get(next(questions))


def _costly_questions(players: tuple[str, ...]) -> Iterator[str]:
    one, other = (players * 2)[:2]
    named = [("player", player) for player in players[:MAX_PLAYERS]]
    times = [("from", "2020-01-01"), ("to", "2027-01-01"), ("tz", "Europe/Warsaw")]
    for filters in ([], named[:1], named, times, [*named[:1], *times]):
        for path, own in (
            (f"/stats/games/{GAME}", []),
            (f"/stats/games/{GAME}/features", []),
            (f"/stats/games/{GAME}/openings", [("depth", "6")]),
            ("/stats/players", []),
            ("/stats/ratings", [("game", GAME)]),
            (f"/stats/players/{one}", [("game", GAME)]),
            ("/stats/head-to-head", [("a", one), ("b", other)]),
        ):
            yield f"{path}?{urlencode([*own, *filters])}"


def linger(attacker: Attacker, request: bytes) -> None:
    """Send requests after which the service closes the connection, and never close the own side."""
    flood = attacker.flood(repeat(request, 250), at_once=44, per_second=5)
    attacker.wait()
    flood.close()


def never_read(attacker: Attacker) -> None:
    """Ask for the largest document and take nothing of it."""
    flood = _slow_readers(attacker, f"{API}/openapi.json", 360)
    attacker.wait()
    flood.close()


def never_read_lines(attacker: Attacker) -> None:
    """Ask for a long log, which is sent while it is read from the database, and take nothing of it."""
    flood = _slow_readers(attacker, f"{API}/matches/{attacker.target.long_match}/events", 100, NDJSON)
    attacker.wait()
    flood.close()


def sip(attacker: Attacker) -> None:
    """Ask for the largest document and take one byte every other second."""
    flood = _slow_readers(attacker, f"{API}/openapi.json", 360)
    while not attacker.is_over:
        flood.sip()
        attacker.wait(2)
    flood.close()


def _slow_readers(attacker: Attacker, path: str, connections: int, accept: str = "*/*") -> Flood:
    request = request_of(path, f"Accept: {accept}")
    return attacker.flood(repeat(request, connections), at_once=connections, is_tiny=True)


def correct_again_and_again(attacker: Attacker) -> None:
    """By a recording link make a match as long as can be, then correct its first move again and again."""
    path, key = f"/matches/{attacker.target.shared_match}", f"key={attacker.target.recording_key}"
    holder = attacker.client()
    for _ in range(BATCHES):
        holder.post(f"{path}/moves?{key}", {"moves": RULINGS})
    buildings = cycle(("X5", "L4"))

    def correct() -> None:
        move = {"type": "take", "building": next(buildings)}
        holder.post(f"{path}/corrections?{key}", {"ply": 1, "action": "replace", "move": move})

    attacker.together([correct])


def read_corrected(attacker: Attacker) -> None:
    """Read that match in all its forms at the same time, as strangers."""
    path = f"/matches/{attacker.target.shared_match}"
    forms = ((path, "*/*"), (f"{path}/log", NDJSON), (f"{path}/replay", "*/*"))
    attacker.together(partial(attacker.client(index).get, *forms[index % len(forms)]) for index in range(6))


def annotate(attacker: Attacker) -> None:
    """Add annotations as large as can be for half of the time; then strangers read the match too."""
    path = f"/matches/{attacker.target.annotated_match}"
    annotation = {"ply": 1, "text": "t" * 4000, "line": attacker.target.line}
    member = partial(attacker.client, token=attacker.target.annotator)
    writers = [partial(member().post, f"{path}/annotations", annotation) for _ in range(2)]
    forms = (f"{path}/annotations?limit=1", f"{path}/replay?fields=ply", f"{path}/replay/0", f"{path}/replay")
    readers = [partial(attacker.client(index).get, form) for index, form in enumerate(forms, start=1)]
    attacker.together(writers, attacker.seconds / 2)
    attacker.together([*writers, *readers])


def make_editions(attacker: Attacker) -> None:
    """Make editions as many as can be, while strangers read all there are."""
    path = f"/games/{GAME}/editions"
    edition = {"title": "T1", "based_on": "devir-2019", "changes": {}}
    member = partial(attacker.client, token=attacker.target.editor)
    writers = [partial(member().post, path, edition) for _ in range(2)]
    readers = [_EditionReader(attacker, index).read for index in (1, 2)]
    attacker.together([*writers, *readers])


class _EditionReader:
    """A stranger who reads each edition that is listed, and then the list again."""

    def __init__(self, attacker: Attacker, index: int) -> None:
        self._client = attacker.client(index)
        self._left: list[str] = []

    def read(self) -> None:
        if self._left:
            self._client.get(f"/games/{GAME}/editions/{self._left.pop()}")
            return
        answer = json.loads(self._client.get("/games") or b"{}")
        self._left = [edition for game in answer.get("items", ()) if game["id"] == GAME for edition in game["editions"]]


def take_streams(attacker: Attacker) -> None:
    """Take as many places for readers of streams as there are."""
    request = request_of(f"{API}/matches/{attacker.target.shared_match}/stream", "Accept: text/event-stream")
    flood = attacker.flood(repeat(request, 240), at_once=240)
    attacker.wait()
    flood.close()


def take_connections(attacker: Attacker) -> None:
    """Take as many connections as there are and send nothing."""
    flood = attacker.flood(repeat(b"", 2200), at_once=2200)
    attacker.wait()
    flood.close()


ATTACKS = (
    Attack(0, "nothing at all", rest),
    Attack(1, "165 players each, hung up", partial(repeat_players, hangs_up=True)),
    Attack(1, "165 players each", partial(repeat_players, hangs_up=False)),
    Attack(1, "costly statistics", ask_costly_questions),
    Attack(2, "Connection: close, kept open", partial(linger, request=request_of("/healthz", "Connection: close"))),
    Attack(2, "garbage, kept open", partial(linger, request=GARBAGE)),
    Attack(3, "documents never read", never_read),
    Attack(3, "lines never read", never_read_lines),
    Attack(3, "documents read by the byte", sip),
    Attack(4, "corrections of a long match", correct_again_and_again),
    Attack(4, "reading it after a restart", read_corrected),
    Attack(9, "annotations", annotate),
    Attack(10, "editions", make_editions),
    Attack(19, "streams", take_streams),
    Attack(19, "idle connections", take_connections),
)
"""In the order in which they are run; the service is started anew before each."""
