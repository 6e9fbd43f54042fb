"""A match in one file that opens without a network, and its score sheet on paper."""

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from domain.catalogue import GAMES
from scripts.random_play import RandomMatch, play
from service.exchange.replay_file import change_of
from tests.service.conftest import NewMatch
from tests.service.harness import OPENING, Match, Service, finished_match, ok, problem
from tests.web.checks import axe_findings, wait_until_shown
from tests.web.conftest import DESK, PHONE, NewContext

NASTY = "</script><img src=x onerror=alert(1)><!-- ${x} 'Å»ó\u2028"
ELSEWHERE = re.compile(r'(?<=href=")[^"#]*| data-open=""| aria-pressed="\w+"| (?=>)')
"""Where symbols are, and which part is open where there is no room for all."""
MAX_BYTES = 300_000
MINUS = "\u2212"


def of_paris(service: Service, seed: int) -> tuple[Match, RandomMatch[Any, Any]]:
    """A match of Paris that was played at random to its end."""
    played: RandomMatch[Any, Any] = play(GAMES["paris"], Random(seed), listed=False)
    people = [{"seat": seat, "name": f"{seat.title()} {NASTY}"[:40]} for seat in played.seats]
    begun = ok(service.post("/matches", {"game": "paris", "players": people, "setup": played.setup}), 201)
    match = Match(service, begun["id"])
    moves = [{"seat": seat, "move": GAMES["paris"].move.dump(move)} for seat, move in played.plies]
    for start in range(0, len(moves), 100):
        ok(match.post("/moves", {"moves": moves[start : start + 100]}), 201)
    return match, played


def saved(match: Match, folder: Path, query: str = "") -> Path:
    """The replay of a match as a file."""
    answered = match.get(f"/export?format=html{query}")
    assert (answered.status_code, answered.mimetype) == (200, "text/html")
    assert answered.headers["Content-Disposition"].startswith("attachment")
    path = folder / "replay.html"
    path.write_bytes(answered.data)
    return path


@pytest.fixture
def offline(new_context: NewContext) -> Iterator[Page]:
    """A browser on a desk without a network, in which every request is noted as wrong."""
    context = new_context(DESK)
    context.set_offline(True)
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    yield page
    assert [url for url in asked if not url.startswith("file:")] == []
    assert len({url.partition("#")[0] for url in asked}) == 1


def test_a_match_opens_from_a_stick_and_is_stepped_through(
    service: Service, new_match: NewMatch, offline: Page, tmp_path: Path
) -> None:
    match = new_match(
        players=[{"seat": "orange", "name": f"Ana {NASTY}"}, {"seat": "blue", "name": "Jan"}], venue=NASTY
    )
    ok(match.post("/moves", {"moves": list(finished_match())}), 201)
    match.annotate(2, text=f"What if? {NASTY}", glyph="?!", marks=[{"cell": "c3", "kind": "highlight"}])
    note = match.annotate(3, text="not for others")
    ok(service.post(f"/annotations/{note['id']}/hide"))
    path = saved(match, tmp_path)
    assert b"not for others" not in path.read_bytes()
    offline.goto(path.as_uri())
    wait_until_shown(offline)
    expect(offline.locator("h1")).to_have_text(f"Ana {NASTY} – Jan")
    expect(offline.locator(".moves .ply-line")).to_have_count(match.document()["ply"] + 1)
    offline.keyboard.press("ArrowRight")
    offline.keyboard.press("ArrowRight")
    text = ok(match.get("/replay/2"))["text"]
    expect(offline.locator("#now")).to_contain_text(f"Move 2 of {match.document()['ply']}")
    expect(offline.locator("#now")).to_contain_text(text.partition(" ")[2])
    expect(offline.locator("#notes")).to_contain_text(f"?! What if? {NASTY}")
    expect(offline.locator("[data-mark=highlight]")).to_have_count(1)
    expect(offline.locator("img")).to_have_count(0)
    offline.get_by_label("Language").select_option("pl")
    expect(offline.locator("html")).to_have_attribute("lang", "pl")
    wait_until_shown(offline)
    polish = ok(match.get("/replay/2?lang=pl"))["text"]
    expect(offline.locator("#now")).to_contain_text(polish.partition(" ")[2])
    assert axe_findings(offline) == []
    offline.keyboard.press("End")
    expect(offline.locator("#outcome .winner")).to_be_visible()
    totals = [str(score["total"]) for score in match.frames()[-1]["state"]["score"].values()]
    expect(offline.locator(".score .total")).to_have_text([total.replace("-", MINUS) for total in totals])


def test_a_long_match_of_paris_fits_and_is_drawn_like_on_its_page(
    service: Service, offline: Page, desk: Page, tmp_path: Path
) -> None:
    match, played = of_paris(service, 5)
    plies = len(played.plies)
    assert plies >= 250
    path = saved(match, tmp_path)
    assert len(path.read_bytes()) <= MAX_BYTES
    offline.goto(f"{path.as_uri()}#ply={plies // 2}")
    wait_until_shown(offline)
    desk.goto(f"/matches/{match.id}/{plies // 2}")
    wait_until_shown(desk)
    # What only ends a turn stands in no row of its own.
    told = [move for _, move in played.plies if GAMES["paris"].move.dump(move)["type"] != "end_turn"]
    expect(desk.locator(".moves .was-turning")).to_have_count(1)
    rows = desk.locator(".moves .ply-line")
    expect(rows.last.locator(".ply")).to_have_text(re.compile(rf"^({plies}|{plies - 1})$"))
    assert len(told) < rows.count() < plies - 20
    moves, boards = (
        [ELSEWHERE.sub("", page.locator(part).inner_html()) for page in (offline, desk)]
        for part in (".moves", "#board")
    )
    assert moves[0] == moves[1]
    assert boards[0] == boards[1]


def test_a_phone_shows_the_file_too(new_match: NewMatch, new_context: NewContext, tmp_path: Path) -> None:
    match = new_match()
    match.record(*OPENING)
    phone = new_context(PHONE, locale="cs-CZ").new_page()
    phone.goto(saved(match, tmp_path).as_uri())
    wait_until_shown(phone)
    expect(phone.locator("html")).to_have_attribute("lang", "cs")
    phone.locator(".player .last").tap()
    expect(phone.locator(".ply-line[aria-current]")).to_contain_text("6")
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]
    assert axe_findings(phone) == []


def test_results_alone_have_no_replay(service: Service) -> None:
    setup = {"result_only": True, "points": {"orange": 50, "blue": 41}}
    people = [{"seat": "orange", "name": "Ana"}, {"seat": "blue", "name": "Jan"}]
    noted = ok(service.post("/matches", {"game": "cite-lumiere", "players": people, "setup": setup}), 201)["id"]
    problem(service.get(f"/matches/{noted}/export?format=html"), 422, "malformed")
    problem(service.get("/export?format=html"), 422, "malformed")


def test_changes_of_a_state_are_told_without_what_stays() -> None:
    before = {"rows": ["ab", "cd"], "seats": {"red": {"keys": [1, 2]}}, "gone": None}
    after = {"rows": ["ab", "xy", "z"], "seats": {"red": {"keys": [2]}}, "phase": {"name": "end"}}
    assert change_of(before, after) == {
        "rows": [["ab", "xy", "z"]],
        "seats": {"red": {"keys": [[2]]}},
        "phase": [{"name": "end"}],
        "gone": 0,
    }


@pytest.mark.parametrize("game", ["cite-lumiere", "paris"])
def test_the_score_sheet_is_one_page_of_paper(game: str, new_match: NewMatch, service: Service, desk: Page) -> None:
    if game == "paris":
        match, _ = of_paris(service, 5)
    else:
        match = new_match(venue="Library")
        ok(match.post("/moves", {"moves": list(finished_match())}), 201)
    desk.goto(f"/matches/{match.id}")
    wait_until_shown(desk)
    expect(desk.locator(".curve .line-of").first).to_be_visible()
    for paper in ("A4", "Letter"):
        printed = desk.pdf(format=paper, print_background=True)
        assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1
    desk.evaluate("dispatchEvent(new Event('beforeprint'))")
    desk.emulate_media(media="print")
    sheet = desk.locator(".score-sheet")
    ranking = match.document()["result"]["ranking"]
    for entry in ranking:
        expect(sheet.locator(".total")).to_contain_text(str(entry["points"]))
    expect(sheet.locator(".signatures p")).to_have_count(len(ranking))
    expect(sheet.locator(".curve .line-of")).to_have_count(len(ranking))
    expect(desk.locator("#board")).to_be_hidden()
    desk.emulate_media(media="null")
