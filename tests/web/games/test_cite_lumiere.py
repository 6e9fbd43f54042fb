"""La Cité de la Lumière by taps: whole matches, every postcard, and what the drawing computes on its own."""

import sys
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from domain.game import JsonObject
from domain.games.cite_lumiere.moves import Move
from domain.games.cite_lumiere.state import State
from tests.domain.games.cite_lumiere.positions import (
    EDITION,
    FIRST_GAME,
    GAME,
    OTHERS,
    begin,
    legal,
    move,
    paved,
    play,
    written,
)
from tests.domain.games.cite_lumiere.test_scoring_example import BUILDING, ENDING, PAVING
from tests.service.conftest import NewMatch
from tests.service.harness import Match, ok
from tests.web.checks import check_axe
from tests.web.games.tapping import Table
from tests.web.tables import notifier

WHOLE = (*PAVING, *BUILDING, *ENDING)
"""The match of the rulebook's example."""


def record(match: Match, *lines: str) -> None:
    """Record moves in words by whoever is to move."""
    state = begin(cards=match.document()["setup"]["postcards"])
    entries = []
    for line in lines:
        entries.append({"seat": state.to_move, "move": written(line)})
        state = play(state, line)
    ok(match.post("/moves", {"moves": entries}), 201)


def recorded(match: Match) -> list[Move]:
    """The moves of a match."""
    return [GAME.move.parse(entry["move"]) for entry in match.moves()]


def test_a_match_is_recorded_by_taps_to_its_end(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    record(match, *WHOLE[:-5])
    table = Table(phone, match.id)
    for line in WHOLE[-5:]:
        table.play(line)
    expect(phone.get_by_text("Jan wins")).to_be_visible()
    expect(phone.get_by_role("button", name="Jan, Blue: 57")).to_be_visible()
    check_axe(phone)
    assert recorded(match)[-5:] == [move(line) for line in WHOLE[-5:]]


@pytest.mark.soak
def test_a_whole_match_takes_few_taps(new_match: NewMatch, phone: Page, capsys: pytest.CaptureFixture[str]) -> None:
    match = new_match()
    table = Table(phone, match.id)
    taps = [(line.split()[0], table.play(line)) for line in WHOLE]
    assert recorded(match) == [move(line) for line in WHOLE]
    with capsys.disabled():
        sys.stdout.write(f"\n{table.taps} taps for {len(WHOLE)} moves: {table.taps / len(WHOLE):.2f} a move\n")
    assert max(count for word, count in taps if word in {"pave", "take"}) <= 3
    assert table.taps <= 3.5 * len(WHOLE)


@pytest.mark.parametrize("cards", [FIRST_GAME, OTHERS], ids=["first game", "others"])
def test_every_postcard_has_its_input(new_match: NewMatch, phone: Page, cards: tuple[str, ...]) -> None:
    match = new_match(setup={"first": "orange", "postcards": list(cards)})
    record(match, *PAVING, *BUILDING[:2])
    ply = match.document()["ply"]
    possible = ok(match.get("/legal-moves"))["moves"]
    table = Table(phone, match.id)
    for card in cards:
        effects = [one for one in possible if one.get("card") == card and len(one) > 2]
        # The last in the list is rarely the first that a tap proposes.
        effect = effects[-1] if effects else {"type": "postcard", "card": card}
        table.play(in_words(effect))
        made = match.moves()[-1]["move"]
        # Which building an annex joins is left out where only one could be meant.
        assert made == effect or made == {key: effect[key] for key in made}
        table.tap(table.button("undo"))
        expect(phone.locator(".table")).to_have_attribute("data-ply", str(ply))


def test_an_annex_between_two_buildings_joins_the_chosen_one(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    builds = ("X5 f5 g4 g5 g6 h5", "V3 d4 e3 e4", "L6 c1 d1 e1 f1 f2 f3", "I3 a4 a5 a6")
    record(match, *PAVING, *(f"build {build}" for build in builds))
    table = Table(phone, match.id)
    table.choose("bouquinistes")
    expect(phone.locator(".cite-place").first).to_be_visible()
    table.tap_space("h4")
    expect(table.button("confirm")).to_be_enabled()
    expect(table.button("turning")).to_be_hidden()
    table.tap_space("f4")
    phone.get_by_role("button", name="The annex joins L6").tap()
    expect(phone.locator('[data-ghost] [data-joins="L6"]')).to_have_count(1)
    phone.get_by_role("button", name="The annex joins X5").tap()
    table.confirm()
    assert match.moves()[-1]["move"]["building"] == "X5"


def in_words(move: dict[str, Any]) -> str:
    """A postcard's move as `written` reads it."""
    members = ("give", "take", "cell", "building", "facing")
    return " ".join([move["card"], *(move[name] for name in members if name in move), *move.get("cells", ())])


def test_a_space_that_cannot_be_is_refused_with_its_reason(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    record(match, *PAVING)
    table = Table(phone, match.id)
    table.choose("build-L6")
    expect(phone.locator(".cite-place").first).to_be_visible()
    table.tap_space("b4")
    expect(phone.get_by_role("alert")).to_contain_text("may not be covered")
    expect(phone.get_by_role("link", name="Rule 5.1")).to_have_attribute("href", "/games/cite-lumiere/rules#5.1")
    expect(phone.locator('[data-ghost="wrong"]')).to_have_count(1)
    check_axe(phone)
    phone.get_by_text("It happened like this at the table").tap()
    phone.get_by_label("Reason").fill("Nobody saw")
    with phone.expect_response("**/moves*"):
        table.tap(table.button("confirm"))
    expect(phone.get_by_role("alert")).to_contain_text("may not be covered")
    expect(phone.get_by_label("Reason")).to_have_value("Nobody saw")
    expect(phone.get_by_label("Reason")).to_be_visible()
    assert match.document()["ply"] == len(PAVING)


def test_any_placement_that_lies_free_can_be_turned_and_ruled(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    record(match, *PAVING, *BUILDING[:1])
    table = Table(phone, match.id)
    table.choose("build-L4")
    expect(phone.locator(".cite-place").first).to_be_visible()
    legal_cells = {frozenset(effect["cells"]) for effect in effects(match, "build", building="L4")}
    cells = {frozenset(GAME.move.dump(one)["cells"]) for one in EDITION.builds["L4"].values()}
    heart = "c4"  # a space of Orange's amid others of its colour
    assert not any(heart in cell for cell in legal_cells)
    table.tap_space(heart)
    ghost = phone.locator('[data-ghost="wrong"]')
    turned = []
    while (now := frozenset((ghost.get_attribute("data-cells") or "").split())) not in turned:
        turned.append(now)
        table.tap(table.button("turning"))
    assert set(turned) == {cell for cell in cells if heart in cell}
    chosen = turned[-2]
    for step in range(len(turned)):
        if frozenset((ghost.get_attribute("data-cells") or "").split()) == chosen:
            break
        phone.keyboard.press("r") if step % 2 else table.tap_space(heart)
    table.tap(table.button("confirm"))
    expect(phone.get_by_role("alert")).to_contain_text("covered")
    rule(phone, "Seen when it was built over")
    expect(phone.locator(".table")).to_have_attribute("data-ply", str(len(PAVING) + 2))
    assert frozenset(match.moves()[-1]["move"]["cells"]) == chosen
    assert match.frames()[-1]["ruling"] == {"reason": "Seen when it was built over"}


def test_turning_keeps_to_legal_placements_until_others_are_asked_for(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    record(match, *PAVING, *BUILDING[:1])
    table = Table(phone, match.id)
    table.choose("build-L4")
    expect(phone.locator(".cite-place").first).to_be_visible()
    legal_cells = [effect["cells"] for effect in effects(match, "build", building="L4")]
    cell = legal_cells[0][0]
    table.tap_space(cell)
    for _ in range(sum(cell in one for one in legal_cells) + 1):
        expect(phone.locator('[data-ghost="piece"]')).to_have_count(1)
        if table.button("turning").is_visible():
            table.tap(table.button("turning"))
    table.choose("widen")
    expect(phone.locator('[data-ghost="wrong"]')).to_have_count(1)
    expect(phone.get_by_role("alert")).not_to_be_empty()
    table.tap(phone.locator('[data-choice="widen"]'))
    expect(phone.locator('[data-ghost="piece"]')).to_have_count(1)
    expect(phone.locator("#problem")).to_be_empty()


def test_what_cannot_lie_on_a_table_is_offered_to_nobody(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    record(match, *PAVING, *BUILDING[:1])
    covered = match.frames()[-1]["move"]["cells"]
    table = Table(phone, match.id)
    table.choose("lampadaire")
    expect(phone.locator(".cite-place").first).to_be_visible()
    table.tap_space(covered[0])
    expect(phone.get_by_role("alert")).not_to_be_empty()
    expect(phone.get_by_text("It happened like this at the table")).to_have_count(0)
    expect(table.button("confirm")).to_be_disabled()


def test_a_card_without_legal_effect_can_be_ruled_to_have_had_one(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    record(match, *PAVING, *BUILDING)
    assert effects(match, "postcard", card="levitation") == [{"type": "postcard", "card": "levitation"}]
    table = Table(phone, match.id)
    table.tap(phone.locator('[data-choice="levitation"]'))
    expect(phone.locator('[data-choice="declined"]')).to_have_attribute("aria-pressed", "true")
    table.tap(phone.locator('[data-choice="declined"]'))
    table.choose("give-P5")
    table.choose("receive-O4")
    table.tap_space("g1")
    expect(phone.locator('[data-ghost="wrong"]')).to_have_attribute("data-cells", "g1 h1 g2 h2")
    rule(phone, "Nobody minded the colour")
    expect(phone.locator(".table")).to_have_attribute("data-ply", str(len(PAVING) + len(BUILDING) + 1))
    made = match.moves()[-1]["move"]
    assert (made["give"], made["take"], made["cells"]) == ("P5", "O4", ["g1", "g2", "h1", "h2"])


def effects(match: Match, kind: str, **members: str) -> list[dict[str, Any]]:
    """The legal moves of a kind that have these members."""
    wanted = {"type": kind, **members}.items()
    return [one for one in ok(match.get("/legal-moves"))["moves"] if wanted <= one.items()]


def test_what_happened_against_a_rule_is_recorded_as_a_ruling(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    record(match, *PAVING)
    table = Table(phone, match.id)
    table.choose("lampadaire")
    expect(phone.locator(".cite-place").first).to_be_visible()
    table.tap_space("b1")
    rule(phone, "Nobody saw it in time")
    expect(phone.locator(".table")).to_have_attribute("data-ply", str(len(PAVING) + 1))
    expect(phone.locator('[data-piece="lamp"][data-cells="b1"]')).to_have_count(1)
    assert match.frames()[-1]["ruling"] == {"reason": "Nobody saw it in time"}


def test_a_move_out_of_turn_can_be_recorded(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    table = Table(phone, match.id)
    phone.get_by_role("button", name="Menu").tap()
    phone.get_by_role("button", name="Record a move by Jan").tap()
    expect(phone.get_by_text("Jan moves out of turn")).to_be_visible()
    expect(phone.get_by_role("navigation", name="Menu")).to_be_hidden()
    table.choose("take-L4")
    table.tap(table.button("confirm"))
    expect(phone.get_by_role("alert")).to_contain_text("turn")
    rule(phone, "Jan was quicker")
    expect(phone.locator(".table")).to_have_attribute("data-ply", "1")
    assert match.moves() == [{"seat": "blue", "move": {"type": "take", "building": "L4"}}]


def test_a_pass_that_came_too_early_says_why_and_can_be_ruled(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    record(match, *PAVING)
    table = Table(phone, match.id)
    expect(phone.locator('[data-choice="pass"].plain')).to_be_visible()
    table.choose("pass")
    expect(phone.get_by_role("alert")).to_contain_text("passing is not allowed")
    expect(table.button("confirm")).to_be_disabled()
    rule(phone, "She had to leave")
    expect(phone.locator(".table")).to_have_attribute("data-ply", str(len(PAVING) + 1))
    last = match.frames()[-1]
    assert (last["move"], last["ruling"]) == ({"type": "pass"}, {"reason": "She had to leave"})


@pytest.mark.usefixtures("network_may_go")
def test_places_are_known_again_after_waiting_moves_were_sent(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    record(match, *PAVING)
    table = Table(phone, match.id)
    phone.context.set_offline(True)
    table.choose("chartier")
    table.tap(table.button("confirm"))
    expect(notifier(phone)).to_contain_text("1 move waits.")
    phone.context.set_offline(False)
    expect(phone.locator(".table")).to_have_attribute("data-ply", str(len(PAVING) + 1))
    expect(notifier(phone)).to_be_empty()
    building = phone.locator('[data-choice^="build-"]').first
    building.tap()
    expect(phone.locator(".cite-place").first).to_be_visible()


def rule(page: Page, reason: str) -> None:
    """Say that a refused move stands."""
    page.get_by_text("It happened like this at the table").tap()
    page.get_by_label("Reason").fill(reason)
    page.get_by_role("button", name="Record as a table ruling").tap()


def test_undo_takes_back_first_the_choice_and_then_the_move(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    table = Table(phone, match.id)
    table.play("take L4")
    table.choose("B3")
    table.tap_space("c1")
    expect(phone.locator('[data-ghost="tile"]')).to_have_count(1)
    table.tap(table.button("undo"))
    expect(phone.locator("[data-ghost]")).to_have_count(0)
    assert match.document()["ply"] == 1
    table.tap(table.button("undo"))
    expect(phone.locator(".table")).to_have_attribute("data-ply", "0")
    expect(table.button("undo")).to_be_disabled()


def test_each_point_shows_where_it_comes_from(new_match: NewMatch, phone: Page) -> None:
    match = new_match()
    record(match, *WHOLE[:-4])
    Table(phone, match.id)
    phone.get_by_role("button", name="Ana, Orange: 48").tap()
    phone.get_by_role("button", name="U6 covers 7 spaces").tap()
    expect(phone.locator(".cite-lit")).to_have_count(1)
    expect(phone.locator(".cite-source")).to_have_count(3)
    check_axe(phone)
    phone.get_by_role("button", name="Close").tap()
    expect(phone.locator(".cite-lit")).to_have_count(0)


def test_a_move_can_be_made_with_the_keys_alone(new_match: NewMatch, desk: Page) -> None:
    match = new_match()
    Table(desk, match.id)
    desk.locator('[data-choice="O3"]').focus()
    desk.keyboard.press("Enter")
    desk.locator('.cite-key[data-cell="a1"]').focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowRight", "ArrowUp", "Enter"):
        desk.keyboard.press(key)
    desk.locator("#confirm").focus()
    desk.keyboard.press("Enter")
    expect(desk.locator("#now")).to_contain_text("Ana paves the square c1")
    # The lamp, by which the picture of the tile is marked, lies where Enter was pressed.
    assert recorded(match) == [move("pave O3 c1 270")]
    check_axe(desk)


def test_spaces_are_wide_enough_for_a_thumb(new_match: NewMatch, phone: Page) -> None:
    Table(phone, new_match().id)
    for selector in (".cite-key", ".cite-tile", ".cite-piece", ".deed", ".score"):
        for box in phone.locator(selector).all():
            shape = box.bounding_box()
            assert shape is None or min(shape["width"], shape["height"]) >= 44, selector


def test_the_drawing_turns_tiles_as_the_rules_do(site: str, phone: Page) -> None:
    phone.goto("/")
    faces = {number: face["value"] for number, face in EDITION.document["faces"].items()}
    drawn = phone.evaluate(MODULE + TURNED, [faces])
    for tile, by_rotation in drawn.items():
        for rotation, letters in by_rotation.items():
            seat = "orange" if tile[0] == "O" else "blue"
            board = GAME.view.dump(play(begin(first=seat), f"pave {tile} c5 {rotation}"))["board"]
            top, bottom = board[4][2:4], board[5][2:4]
            assert "".join(letters) == top + bottom[::-1], (tile, rotation)


def test_the_drawing_lays_buildings_as_the_rules_do(site: str, phone: Page) -> None:
    phone.goto("/")
    shapes = {name: shape["value"] for name, shape in EDITION.document["buildings"].items()}
    laid = phone.evaluate(MODULE + LAID, [shapes])
    for building, placements in laid.items():
        known = {frozenset(GAME.move.dump(move)["cells"]) for move in EDITION.builds[building].values()}
        assert {frozenset(cells) for cells in placements} == known, building


def test_what_waits_is_predicted_as_it_will_be(site: str, phone: Page) -> None:
    phone.goto("/")
    exchange = paved(orange="V3 I3")
    floating = next(one for one in legal(exchange) if "give" in one)
    steps = [step(exchange, f"levitation {floating['give']} {floating['take']} {' '.join(floating['cells'])}")]
    state = begin()
    for line in WHOLE:
        steps.append(step(state, line))
        state = play(state, line)
    predicted = phone.evaluate(MODULE + PREDICTED, [[[before, entry] for before, entry, _ in steps], EDITION.document])
    for (_, entry, known), guess in zip(steps, predicted, strict=True):
        assert [guess["board"], guess["supply"], guess["postcards"]] == [
            known["board"],
            known["supply"],
            known["postcards"],
        ]
        assert lying(guess) == lying(known), entry
        for seat, held in known["seats"].items():
            assert all(guess["seats"][seat][name] == held[name] for name in ("tiles", "reserve", "tokens")), entry


def step(state: State, line: str) -> tuple[JsonObject, JsonObject, JsonObject]:
    """A move in words with the position before and after it, as they go over the wire."""
    entry = {"seat": state.to_move, "move": written(line)}
    return GAME.view.dump(state), entry, GAME.view.dump(play(state, line))


def lying(state: JsonObject) -> dict[str, set[str]]:
    """The pieces on the board with their spaces."""
    return {piece["piece"]: set(piece["cells"]) for piece in state["pieces"]}


MODULE = """
    async (given) => {
        const { static: files } = JSON.parse(document.getElementById("page").textContent);
        const modules = await import(`${files}games/cite-lumiere/index.js`);
        const load = (name) => modules[`$games_cite_lumiere_${name}`];
"""
TURNED = """
        const { turnedFace } = await load("geometry");
        const turned = (face, seat) => Object.fromEntries([0, 90, 180, 270].map((r) => [r, turnedFace(face, seat, r)]));
        const tiles = (letter, seat) => Object.entries(given[0]).map(([n, face]) => [letter + n, turned(face, seat)]);
        return Object.fromEntries([...tiles("O", "orange"), ...tiles("B", "blue")]);
    }
"""
LAID = """
        const { CELLS, placementsOver, pointsOf } = await load("geometry");
        return Object.fromEntries(Object.entries(given[0]).map(([name, rows]) =>
            [name, CELLS.flatMap((cell) => placementsOver(pointsOf(rows), cell))]));
    }
"""
PREDICTED = """
        const { predict } = await load("predicted");
        return given[0].map(([state, entry]) => predict(state, entry, given[1]));
    }
"""
