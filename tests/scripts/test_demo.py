"""The demonstration fills a service with matches that hold together."""

from collections import Counter
from collections.abc import Iterator, Sequence

import pytest
from flask import Flask

from domain.catalogue import GAMES
from scripts import demo
from service.client import Client, MatchSummary
from tests.service.serving import Road, answering, served


@pytest.fixture
def road(app: Flask) -> Road:
    return Road(app.wsgi_app)


@pytest.fixture
def url(road: Road) -> Iterator[str]:
    with served(road) as url:
        yield url


@pytest.mark.slow
def test_four_matches_of_a_game_tell_every_story(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    number = 4 * len(GAMES)
    assert demo.main(["--url", url, "--matches", str(number), "--seed", "7"]) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith(f"{number} matches in ")
    assert shown.out.endswith(f"They are at {url}/\n")
    assert f"matches {number}/{number}" in shown.err
    with Client(url) as client:
        for game in GAMES:
            require_every_story(client, list(client.matches(game=game)))


def require_every_story(client: Client, matches: Sequence[MatchSummary]) -> None:
    assert Counter(match["status"] for match in matches) == {"finished": 2, "abandoned": 1, "in_progress": 1}
    kinds: Counter[str] = Counter()
    for match in matches:
        assert client.verify(match["id"])["valid"]
        kinds.update(event["kind"] for event in client.events(match["id"]))
        kinds["ruling"] += sum(frame["ruling"] is not None for frame in client.replay(match["id"]))
        notes = client.annotations(match["id"])
        assert notes
        assert [note for note in notes if note["detached"] or note["outdated"] or note["line_problem"]] == []
        kinds["line"] += sum(bool(note["line"]) for note in notes)
    once = ("match_abandoned", "move_corrected", "moves_undone", "timeline_restored", "ruling")
    assert {kind: kinds[kind] for kind in once} == dict.fromkeys(once, 1)
    assert kinds["line"]


def test_the_same_seed_gives_the_same_matches(url: str) -> None:
    for _ in range(2):
        assert demo.main(["--url", url, "--matches", "2", "--seed", "3"]) == 0
    with Client(url) as client:
        moves = Counter(
            str([frame["move"] for frame in client.replay(match["id"], fields=["move"])]) for match in client.matches()
        )
    assert sorted(moves.values()) == [2, 2]


def test_without_a_service_it_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert demo.main(["--url", "http://127.0.0.1:1"]) == 1
    assert capsys.readouterr().err == "No service answers at http://127.0.0.1:1; start one with: make run\n"


def test_without_a_database_it_says_so(url: str, road: Road, capsys: pytest.CaptureFixture[str]) -> None:
    road.troubles = [answering("503 Service Unavailable")]
    assert demo.main(["--url", url]) == 1
    assert "has no database yet" in capsys.readouterr().err


def test_a_service_that_refuses_is_named(url: str, road: Road, capsys: pytest.CaptureFixture[str]) -> None:
    road.troubles = [answering("200 OK", b"{}"), answering("401 Unauthorized")]
    assert demo.main(["--url", url]) == 1
    assert capsys.readouterr().err == f"The service at {url} refused: Unauthorized (about:blank)\n"


def test_the_port_comes_from_the_environment(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CARNET_PORT", "1")
    assert demo.main([]) == 1
    assert "http://127.0.0.1:1;" in capsys.readouterr().err
