"""The service under attack, with the accounts, matches and links that the attacks need."""

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Self

import requests

from domain.catalogue import GAMES
from scripts.kill_rounds import PATIENCE, Failed, Kind, Service
from scripts.random_play import RandomMatch, play

GAME = "cite-lumiere"
API = "/api/v1"
BATCHES = 10
RULINGS = [{"seat": "orange", "move": {"type": "pass"}, "ruling": {"reason": "r" * 4000}}] * 199
"""Nearly as many table rulings as one request may hold; ten times as many make the longest match there can be."""
FIRST_MOVE = {"type": "take", "building": "L4"}
LINE = 44
"""Moves of a line in an annotation."""
SIMULATED_PLAYERS = 200


class TargetService(Service):
    """The service as it is on an open network: anybody may connect, no proxy stands before it, all is by default."""

    def __init__(self, folder: Path, port: int, tree: Path) -> None:
        super().__init__(folder, port, is_open=False, host="0.0.0.0", tree=tree)  # noqa: S104

    def load(self, matches: int) -> None:
        """Fill the database with simulated matches, before the service is started for the first time."""
        sizes = ["--cite-lumiere", str(matches), "--paris", "0", "--players", str(SIMULATED_PLAYERS)]
        loading = subprocess.run(  # noqa: S603
            [sys.executable, "-m", "scripts.simulate", *sizes],
            cwd=self._tree,
            env=self._environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        if loading.returncode:
            raise Failed(f"The matches cannot be simulated: {loading.stderr[-500:]}")

    def restart(self) -> None:
        """Start it again, by force if it does not stop when it is told to."""
        try:
            super().restart()
        except (Failed, subprocess.TimeoutExpired):
            self.kill(Kind.EVERYTHING, Random())

    def owner_secret(self) -> str:
        """The secret of the link that makes its opener the owner."""
        return (self._data / "owner-link").read_text("utf-8").strip().rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Target:
    """What attackers and bystanders know of the service. It is handed to another process."""

    port: int
    honest: str
    """The token of the member who records in earnest."""
    annotator: str
    """The token of a member, good for annotations alone."""
    editor: str
    """The token of a member who makes editions."""
    players: tuple[str, ...]
    long_match: str
    """A public match of nearly 2,000 plies."""
    annotated_match: str
    """A public match of one move, by somebody else than the annotator."""
    line: tuple[Mapping[str, Any], ...]
    """The moves that may follow that move."""
    shared_match: str
    """A public match of one move, to be corrected and followed by others."""
    recording_key: str
    """The secret of its recording link."""


class Person:
    """Somebody who uses the API to set the scene."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._session = requests.Session()

    def sign_in(self, secret: str, name: str) -> Self:
        """Open a link, and send from then on what proves that no other site's page sends the requests."""
        me = self.post("/sign-in", {"link": secret, "name": name})
        self._session.headers["X-CSRF-Token"] = me["csrf_token"]
        return self

    def invite(self, name: str) -> "Person":
        """Somebody else, who has opened an invitation."""
        return Person(self._url).sign_in(self.post("/invitations", {"name": name})["secret"], name)

    def token(self, *scopes: str) -> str:
        """The secret of a new token."""
        return str(self.post("/tokens", {"label": "attack rounds", "scopes": scopes})["secret"])

    def begin(self, match: RandomMatch[Any, Any]) -> str:
        """The id of a new public match that begins like another."""
        players = [{"seat": seat, "name": f"Guest {seat}"} for seat in match.seats]
        body = {"game": GAME, "players": players, "setup": match.setup, "visibility": "public"}
        return str(self.post("/matches", body)["id"])

    def post(self, path: str, body: Any) -> Any:
        """The answer; raise `Failed`."""
        response = self._session.post(f"{self._url}{API}{path}", json=body, timeout=PATIENCE)
        if not response.ok:
            raise Failed(f"POST {path} got {response.status_code}: {response.text[:500]}")
        return response.json()


def prepare(service: TargetService, port: int) -> Target:
    """Set the scene: accounts, matches and links."""
    owner = Person(service.url).sign_in(service.owner_secret(), "Olga")
    honest, annotator, editor = (owner.invite(name) for name in ("Hana", "Ada", "Mara"))
    game = GAMES[GAME]
    match = next(match for seed in count() if len((match := play(game, Random(seed))).plies) > LINE)
    long_match, annotated_match, shared_match = (honest.begin(match) for _ in range(3))
    for begun in (long_match, shared_match):
        honest.post(f"/matches/{begun}/moves", {"seat": match.setup["first"], "move": FIRST_MOVE})
    for _ in range(BATCHES):
        honest.post(f"/matches/{long_match}/moves", {"moves": RULINGS})
    first, *following = ({"seat": seat, "move": game.move.dump(move)} for seat, move in match.plies)
    honest.post(f"/matches/{annotated_match}/moves", first)
    link = honest.post(f"/matches/{shared_match}/links", {"allows": "record"})
    return Target(
        port=port,
        honest=honest.token("read", "record"),
        annotator=annotator.token("read", "annotate"),
        editor=editor.token("read", "record"),
        players=_players(service.url),
        long_match=long_match,
        annotated_match=annotated_match,
        line=tuple(following[:LINE]),
        shared_match=shared_match,
        recording_key=link["secret"],
    )


def _players(url: str) -> tuple[str, ...]:
    """The ids of people who sit in public matches."""
    matches = requests.get(f"{url}{API}/matches?limit=100", timeout=PATIENCE).json()["items"]
    return tuple({player["player_id"] for match in matches for player in match["players"]})
