"""Random matches of both games, recorded, corrected and annotated through the API, leave it and come back the same."""

from random import Random
from typing import Any
from unittest.mock import patch

import orjson
import pytest
from click.testing import CliRunner

from domain.catalogue import GAMES
from scripts.examples import judging
from scripts.random_play import play
from service.cli import main
from service.exchange import leaving
from tests.service.conftest import NewMatch
from tests.service.exchange.test_importing import counts, elsewhere, exported, taken
from tests.service.harness import OPENING, Match, Service, entry, finished_match, ok
from tests.service.tampering import as_service
from tests.service.test_rules import takes

__all__ = ["elsewhere"]

TEXTS = (
    *("Zażółć gęślą jaźń", "漢字\n\nかな", "עברית و عربى", "🂡 +2; !\r\n| 1 red", "a\tb", "; + | ! @ =", "{}"),
    *("\u2028x", "x-y", "end", "carnet 1", '"quoted" \\ back', "A\u030a Å", "\u200frtl\u200f", "0", "by Ana"),
)
NAMES = ("Ana Nováková", 'Jan "J" Kowalski', "山田 太郎", "Zoë", "  O'Neil ", "Иван", "+x", "; y", "é", "نور", "end")
SMALL_DOSE = 4
ACTS = 14


class Recorder:
    """Records one random match, with whatever can be done to one; what is refused is left."""

    def __init__(self, service: Service, game_id: str, random: Random) -> None:
        self._service = service
        self._random = random
        self._game = GAMES[game_id]
        drawn: Any = play(self._game, random, listed=False)
        names = random.sample(NAMES, len(drawn.seats))
        body = {
            "game": game_id,
            "players": [{"seat": seat, "name": name} for seat, name in zip(drawn.seats, names, strict=True)],
            "setup": drawn.setup,
            "tags": random.sample(TEXTS[:3], random.randrange(3)),
        }
        self._moves = [{"seat": seat, "move": self._game.move.dump(move)} for seat, move in drawn.plies]
        self._match = Match(service, ok(service.post("/matches", body), 201)["id"])

    def record(self) -> None:
        """Record some of the match, then do this and that."""
        number = self._random.choice([1, len(self._moves) // 3, len(self._moves)])
        for first in range(0, number, 200):
            ok(self._match.post("/moves", {"moves": self._moves[first : min(number, first + 200)]}), 201)
        for _ in range(ACTS):
            response = self._random.choice(self.acts)(self)
            assert response.status_code < 500 and response.status_code != 400, response.text

    def _ply(self) -> int:
        return self._random.randint(0, self._match.document()["ply"])

    def _some_move(self) -> dict[str, Any]:
        return dict(self._random.choice(self._moves))

    def _undo(self) -> Any:
        return self._match.post("/undo", {"to_ply": self._ply()})

    def _go_on(self) -> Any:
        ply = self._match.document()["ply"]
        return self._match.post("/moves", {"moves": self._moves[ply : ply + 5] or [self._some_move()]})

    def _rule(self) -> Any:
        ruling = {"reason": self._random.choice(TEXTS)}
        return self._match.post("/moves", {**self._some_move(), "ruling": ruling})

    def _correct(self) -> Any:
        action = self._random.choice(["replace", "insert", "remove"])
        move = {} if action == "remove" else self._some_move()
        on_conflict = self._random.choice(["refuse", "truncate"])
        return self._match.correct(max(1, self._ply()), action, on_conflict=on_conflict, **move)

    def _restore(self) -> Any:
        version = self._match.document()["version"]
        return self._match.post("/restore", {"version": self._random.randint(1, version)})

    def _abandon(self) -> Any:
        return self._match.post(self._random.choice(["/abandon", "/reopen"]))

    def _seat(self) -> Any:
        seats = [player["seat"] for player in self._match.document()["players"]]
        people = zip(seats, self._random.sample(NAMES, len(seats)), strict=True)
        body = {"players": [{"seat": seat, "name": name} for seat, name in people]}
        return self._service.put(f"{self._match.path}/players", body)

    def _annotate(self) -> Any:
        random = self._random
        note: dict[str, Any] = {"ply": self._ply(), "text": random.choice(TEXTS)}
        if random.random() < 0.5:
            note["glyph"] = random.choice(["!", "??", "!?"])
        if random.random() < 0.5:
            note["marks"] = [{"cell": random.choice(sorted(self._game.spaces)), "kind": "highlight"}]
        if random.random() < 0.5:
            note |= {"ply": min(note["ply"], len(self._moves) - 1)}
            note["line"] = self._moves[note["ply"] : note["ply"] + 3]
        return self._match.post("/annotations", note)

    def _reword(self) -> Any:
        notes = ok(self._match.get("/annotations"))["items"]
        if not notes:
            return self._annotate()
        path = f"/annotations/{self._random.choice(notes)['id']}"
        if self._random.random() < 0.3:
            return self._service.delete(path)
        return self._service.patch(path, {"text": self._random.choice(TEXTS)})

    def _describe(self) -> Any:
        return self._service.patch(self._match.path, {"venue": self._random.choice(NAMES), "tags": [TEXTS[0]]})

    acts = (_undo, _go_on, _go_on, _rule, _correct, _correct, _restore, _abandon, _seat, _annotate, _reword, _describe)


def require_same_if_played(service: Service) -> bytes:
    """The texts of all matches, after requiring that they are the same if every move is played for them."""
    queries = ("?format=text&times=1", "?format=text")
    texts = [exported(service, query=query) for query in queries]
    with patch.object(leaving, "is_settled", lambda *_: False):
        assert [exported(service, query=query) for query in queries] == texts
    return texts[-1]


def require_round_trips(service: Service, elsewhere: Service, seeds: range) -> None:
    """Record a match of each game for each seed, and require that all come back the same in both forms."""
    for seed in seeds:
        for game_id in GAMES:
            Recorder(service, game_id, Random(f"{game_id} {seed}")).record()
    number = len(seeds) * len(GAMES)
    first = exported(service)
    assert counts(taken(elsewhere, first)) == {"new": number}
    assert exported(elsewhere) == first
    for line in first.splitlines():
        assert ok(elsewhere.get(f"/matches/{orjson.loads(line)['id']}/verify"))["valid"]
    text = require_same_if_played(service)
    assert exported(elsewhere, query="?format=text") == text
    # The text alone makes matches that are told alike but for their ids, and for who wrote their notes: nobody here.
    known = ids_of(text)
    answer = taken(elsewhere, b"\n".join(told_alike(text)))
    assert counts(answer) == {"new": number}, answer["items"]
    new = [match for match in matches_of(exported(elsewhere, query="?format=text")) if not ids_of(match) & known]
    assert sorted(told_alike(b"\n".join([*new, b""]))) == sorted(told_alike(text))
    assert set(counts(taken(elsewhere, first))) == {"same"}


def matches_of(text: bytes) -> list[bytes]:
    """The matches of a text, which are parted by empty lines behind `end`."""
    return [match + b"\nend\n" for match in text.split(b"\nend\n\n") if match]


def ids_of(text: bytes) -> set[bytes]:
    return {line for line in text.split(b"\n") if line.startswith(b"id ")}


def told_alike(text: bytes) -> list[bytes]:
    """The matches of a text without their ids."""
    ids = ids_of(text)
    return [b"\n".join(line for line in match.split(b"\n") if line not in ids) for match in matches_of(text)]


def test_a_text_is_the_same_whether_its_moves_are_played_or_not(
    service: Service, new_match: NewMatch, dsn: str
) -> None:
    for seed in range(SMALL_DOSE):
        for game_id in GAMES:
            Recorder(service, game_id, Random(f"text {game_id} {seed}")).record()
    points = {"result_only": True, "points": {"orange": 48, "blue": 48}}
    new_match(setup=points)
    new_match(setup={**points, "tie": {"winner": "blue", "decided_by": "free_spaces"}})
    over, abandoned, ruled = new_match(), new_match(), new_match()
    ok(over.post("/moves", {"moves": finished_match()}), 201)
    abandoned.record(*OPENING)
    ok(abandoned.post("/abandon"))
    ruled.record(*OPENING)
    ok(ruled.post("/moves", {**entry("blue take O4"), "ruling": {"reason": "We played in turns."}}), 201)
    ok(ruled.correct(2, "replace", move=entry("blue take S4")["move"]), 201)
    text = require_same_if_played(service)
    for refused, is_same in ("U6", False), ("no building", True):
        with judging(takes(refused)):
            by_other_rules = require_same_if_played(service)
            assert (by_other_rules == text) is is_same
            CliRunner().invoke(main, ["verify", "--rules"], env={"DATABASE_URL": as_service(dsn)})
            assert require_same_if_played(service) == by_other_rules


def test_most_matches_leave_as_text_without_being_played(service: Service, new_match: NewMatch) -> None:
    over, corrected = new_match(), new_match()
    new_match(setup={"result_only": True, "points": {"orange": 48, "blue": 57}})
    ok(over.post("/moves", {"moves": finished_match()}), 201)
    corrected.record(*OPENING)
    ok(corrected.correct(2, "replace", move=entry("blue take S4")["move"]), 201)
    corrected.annotate(3, text="Better turned.")
    with patch.object(leaving, "fold", side_effect=AssertionError):
        assert exported(service, query="?format=text").count(b"\nend\n") == 3


def test_random_matches_come_back_through_the_api(service: Service, elsewhere: Service) -> None:
    require_round_trips(service, elsewhere, range(SMALL_DOSE))


@pytest.mark.soak
@pytest.mark.parametrize("block", range(10))
def test_hundreds_of_matches_come_back_through_the_api(service: Service, elsewhere: Service, block: int) -> None:
    require_round_trips(service, elsewhere, range(100 + 20 * block, 120 + 20 * block))
