"""What must be in sight on small phones, tablets and screens, upright and on their side."""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import TypeAlias

import pytest
from playwright.sync_api import Locator, Page, expect

from scripts.random_play import play
from service.server.postgres import Server
from tests.service.conftest import NewMatch
from tests.service.databases import Databases
from tests.service.harness import OPENING, TO_BUILDING, Match, Service, ok
from tests.web.checks import eventually, wait_until_at_rest
from tests.web.conftest import DESK, PHONE, NewContext
from tests.web.games.paris_tapping import PARIS

SMALL = [(320, 568), (360, 640), (375, 667), (768, 1024)]
SIDEWAYS = (844, 390)
NAMES = {"red": "Zofia", "blue": "Marek", "green": "Lucie", "yellow": "Tomáš"}


def paris_after(new_match: NewMatch, plies: int) -> Match:
    """A public match of Paris of four, played at random."""
    drawn = next(each for seed in range(20) if len((each := play(PARIS, Random(seed))).seats) == 4)
    players = [{"seat": seat, "name": NAMES[seat]} for seat in drawn.seats]
    members = {"game": "paris", "edition": "rulebook-2020", "players": players, "setup": drawn.setup}
    match = new_match(**members, visibility="public")
    moves = [{"seat": seat, "move": PARIS.move.dump(move)} for seat, move in drawn.plies[:plies]]
    for first in range(0, plies, 200):
        ok(match.post("/moves", {"moves": moves[first : first + 200]}), 201)
    return match


@pytest.fixture(scope="module")
def dsn(server: Server, databases: Databases) -> Iterator[str]:
    """One database for all matches here: none shows another."""
    with databases.one(is_connected=True) as name:
        yield server.dsn(name)


@pytest.fixture(scope="module")
def begun() -> dict[object, str]:
    """The ids of matches that several tests look at."""
    return {}


Paris: TypeAlias = Callable[[int], Match]


@pytest.fixture
def paris_at(new_match: NewMatch, service: Service, begun: dict[object, str]) -> Paris:
    """Finds the match of Paris that was played so far."""

    def found(plies: int) -> Match:
        if plies not in begun:
            begun[plies] = paris_after(new_match, plies).id
        return Match(service, begun[plies])

    return found


@pytest.fixture
def paris(paris_at: Paris) -> Match:
    """A match of Paris in its middle."""
    return paris_at(120)


Cite: TypeAlias = Callable[[tuple[str, ...]], Match]


@pytest.fixture
def cite_behind(new_match: NewMatch, service: Service, begun: dict[object, str]) -> Cite:
    """Finds the public match of La Cité behind some moves."""

    def found(moves: tuple[str, ...]) -> Match:
        if moves not in begun:
            match = new_match(visibility="public")
            match.record(*moves)
            begun[moves] = match.id
        return Match(service, begun[moves])

    return found


def opened(new_context: NewContext, size: tuple[int, int], address: str) -> Page:
    """A page in a window of a size."""
    width, height = size
    page = new_context.tab(PHONE if width < 1000 else DESK)
    page.set_viewport_size({"width": width, "height": height})
    page.goto(address)
    wait_until_at_rest(page)
    return page


def opened_at(
    new_context: NewContext, sizes: Sequence[tuple[int, int]], address: str, *, anew: bool = False
) -> Iterator[Page]:
    """A page in windows of several sizes, one after the other in one tab, which takes a fifth of the time of a new one.

    Those of phones come before those of desks. A page that a test changes is loaded anew for each.
    """
    page = None
    for number, (width, height) in enumerate(sizes):
        if page is None or width >= 1000 > sizes[number - 1][0]:
            page = opened(new_context, (width, height), address)
            yield page
            continue
        page.set_viewport_size({"width": width, "height": height})
        if anew:
            page.goto(address)
        wait_until_at_rest(page)
        yield page


def size_of(page: Page) -> tuple[int, int]:
    """The width and height of its window."""
    viewport = page.viewport_size
    assert viewport is not None
    return viewport["width"], viewport["height"]


def box(locator: Locator) -> dict[str, float]:
    """Where something is, with its right and lower edge."""
    while (found := locator.bounding_box()) is None:  # just drawn anew
        expect(locator).to_be_visible()
    x, y, width, height = found["x"], found["y"], found["width"], found["height"]
    return {"x": x, "y": y, "width": width, "height": height, "right": x + width, "bottom": y + height}


def require(holds: bool) -> None:
    """Fail unless something holds."""
    assert holds


def is_within(inner: dict[str, float], outer: dict[str, float]) -> bool:
    return (
        inner["x"] >= outer["x"] - 1
        and inner["y"] >= outer["y"] - 1
        and inner["right"] <= outer["right"] + 1
        and inner["bottom"] <= outer["bottom"] + 1
    )


@pytest.mark.parametrize("moves", [OPENING, TO_BUILDING], ids=["paving", "building"])
def test_every_kind_of_choice_is_in_sight_without_scrolling_down(
    cite_behind: Cite, new_context: NewContext, moves: tuple[str, ...]
) -> None:
    match = cite_behind(moves)
    for page in opened_at(new_context, SMALL, f"/matches/{match.id}"):
        tray = box(page.locator("#form"))
        groups = page.locator("#form [role=group]")
        expect(groups.first).to_be_visible()
        for group in groups.all():
            group.evaluate("element => element.scrollIntoView({ block: 'nearest', inline: 'start' })")
            assert is_within(box(group.locator("button").first), tray), group.get_attribute("aria-label")
        assert page.locator("#form").evaluate("element => element.scrollTop") == 0


def test_every_kind_of_choice_is_in_sight_while_a_line_is_tried(cite_behind: Cite, new_context: NewContext) -> None:
    match = cite_behind(OPENING)
    for page in opened_at(new_context, SMALL, f"/matches/{match.id}/3?tool=notes", anew=True):
        page.get_by_role("button", name="What if").tap()
        groups = page.locator("#form [role=group]")
        expect(groups.first).to_be_visible()
        wait_until_at_rest(page)
        for group in groups.all():
            group.evaluate("element => element.scrollIntoView({ block: 'nearest', inline: 'start' })")
            assert is_within(box(group.locator("button").first), box(page.locator("#form")))
        assert box(page.locator("#leave"))["bottom"] <= size_of(page)[1]


@pytest.mark.parametrize("game", ["cite-lumiere", "paris"])
def test_a_replay_on_its_side_shows_the_board_beside_the_controls(
    cite_behind: Cite, paris: Match, new_context: NewContext, game: str
) -> None:
    match = paris
    if game == "cite-lumiere":
        match = cite_behind(TO_BUILDING)
    page = opened(new_context, SIDEWAYS, f"/matches/{match.id}/9")
    board, controls = box(page.locator("#board")), box(page.locator("#player"))
    assert board["width"] >= 300
    assert min(board["bottom"], SIDEWAYS[1]) - board["y"] >= 300
    assert board["right"] <= controls["x"]
    assert controls["bottom"] <= SIDEWAYS[1] and controls["right"] <= SIDEWAYS[0]
    assert box(page.locator("#now"))["y"] < controls["y"]
    page.locator("#open-tools").tap()
    tool = page.locator("#tool")
    eventually(page, lambda: require(box(tool)["height"] >= 200 and box(tool)["x"] >= board["right"] - 1))


def test_the_controls_of_a_replay_fit_on_the_narrowest_phone(cite_behind: Cite, new_context: NewContext) -> None:
    match = cite_behind(OPENING)
    page = opened(new_context, (320, 568), f"/matches/{match.id}/3")
    for control in page.locator("#player :is(button, select, input):visible, .curve").all():
        assert box(control)["right"] <= 320


def test_the_marks_of_a_curve_have_the_shapes_of_the_seats(paris: Match, new_context: NewContext) -> None:
    page = opened(new_context, (390, 844), f"/matches/{paris.id}/9")
    expect(page.locator(".curve .line-of.blue ellipse").first).to_be_attached()
    expect(page.locator(".curve .line-of.yellow rect").first).to_be_attached()
    corners = "paths => paths.map((path) => path.getAttribute('d').split(/[LH]/).length)"
    for seat, number in (("green", 3), ("red", 4)):
        [corner] = {*page.locator(f".curve .line-of.{seat} .shape").evaluate_all(corners)}
        assert corner == number


def test_the_names_of_districts_are_not_cut_off(paris: Match, new_context: NewContext) -> None:
    cut = "names => names.filter((name) => name.scrollWidth > name.clientWidth + 1).map((name) => name.textContent)"
    sizes = [(320, 568), (390, 844), (768, 1024), (1280, 900)]
    for page in opened_at(new_context, sizes, f"/matches/{paris.id}"):
        assert page.locator(".paris-name").evaluate_all(cut) == [], size_of(page)


@pytest.mark.parametrize("game", ["cite-lumiere", "paris"])
def test_an_embedded_match_has_its_controls_in_the_frame(
    cite_behind: Cite, paris: Match, new_context: NewContext, game: str
) -> None:
    match = paris
    if game == "cite-lumiere":
        match = cite_behind(TO_BUILDING)
    page = opened(new_context, (1248, 720), f"/embed/matches/{match.id}")
    expect(page.locator("#board svg:visible").first).to_be_visible()
    assert box(page.get_by_role("link", name="Open in Carnet"))["bottom"] <= 720


def test_names_of_two_stand_whole_beside_their_points(new_match: NewMatch, new_context: NewContext) -> None:
    match = new_match(players=[{"seat": "orange", "name": "Zofia"}, {"seat": "blue", "name": "Lucie"}])
    match.record(*OPENING)
    page = opened(new_context, (820, 1180), f"/matches/{match.id}")
    cut = "names => names.filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent)"
    assert page.locator(".score .who").evaluate_all(cut) == []


def test_scores_on_a_desk_show_whole_names_on_the_line_of_their_points(paris: Match, new_context: NewContext) -> None:
    page = opened(new_context, (1024, 768), f"/matches/{paris.id}")
    cut = "names => names.filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent)"
    assert page.locator(".score .who").evaluate_all(cut) == []
    score = page.locator(".score").first
    name, sign = box(score.locator(".who")), box(score.locator(".sign"))
    assert abs((name["y"] + name["bottom"]) - (sign["y"] + sign["bottom"])) <= 8


def test_all_of_paris_is_in_sight_on_a_second_screen(paris: Match, new_context: NewContext) -> None:
    cut = "track => track.scrollWidth > track.clientWidth + 1"
    for page in opened_at(new_context, [(1280, 900), (1920, 1080)], f"/matches/{paris.id}/scoreboard"):
        expect(page.locator(".paris-card:visible")).to_have_count(6)
        assert not page.locator(".paris-track").evaluate(cut), size_of(page)


def test_all_six_districts_are_in_sight_while_one_records_at_a_desk(paris: Match, new_context: NewContext) -> None:
    page = opened(new_context, (1920, 1080), f"/matches/{paris.id}")
    expect(page.locator(".paris-card:visible")).to_have_count(6)


def enlarged(new_context: NewContext, address: str) -> Page:
    """A page on a phone whose owner reads letters of twice the size."""
    page = new_context(PHONE).new_page()
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
    page.goto(address)
    wait_until_at_rest(page)
    return page


LETTER = 16
"""At least the width of a letter of 32 px."""


def test_names_are_read_in_letters_of_twice_the_size(paris: Match, new_context: NewContext) -> None:
    page = enlarged(new_context, f"/matches/{paris.id}")
    for name in page.locator(".score .who").all():
        assert name.evaluate("element => element.scrollWidth <= element.clientWidth"), name.text_content()
    assert box(page.locator("h1.names"))["width"] >= 8 * LETTER
    page.locator("#confirm").scroll_into_view_if_needed()
    expect(page.locator("#confirm")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("address", ["/games/paris/editions/rulebook-2020", "/games/cite-lumiere/editions/devir-2019"])
def test_an_edition_is_read_and_checked_in_letters_of_twice_the_size(
    new_context: NewContext, site: str, address: str
) -> None:
    page = enlarged(new_context, address)
    names = page.locator(".value:not([hidden]) .name")
    assert min(box(name)["width"] for name in names.all()[:20]) >= 8 * LETTER
    names.first.scroll_into_view_if_needed()
    assert page.locator(".sheet").evaluate("sheet => sheet.getBoundingClientRect().top >= innerHeight")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_no_word_of_a_postcards_name_is_broken(cite_behind: Cite, new_context: NewContext) -> None:
    match = cite_behind(TO_BUILDING)
    page = opened(new_context, (390, 844), f"/matches/{match.id}")
    page.locator('[data-choice="bouquinistes"]').tap()
    word = """heading => {
      const range = document.createRange();
      range.setStart(heading.firstChild, 0);
      range.setEnd(heading.firstChild, "Bouquinistes".length);
      return range.getClientRects().length;
    }"""
    heading = page.get_by_role("heading", name="Bouquinistes sur la Seine")
    expect(heading).to_be_visible()
    wait_until_at_rest(page)
    assert heading.evaluate(word) == 1


def test_the_glyphs_of_a_note_stand_in_one_row(cite_behind: Cite, new_context: NewContext) -> None:
    match = cite_behind(OPENING)
    page = opened(new_context, (390, 844), f"/matches/{match.id}/3?tool=notes")
    page.get_by_role("button", name="Write a note").tap()
    expect(page.locator(".glyph-choice").first).to_be_visible()
    rows = {round(box(glyph)["y"]) for glyph in page.locator(".glyph-choice").all()}
    assert len(rows) == 1


NESTED = """element => {
  let around = element.parentElement;
  const tool = document.querySelector(".place");
  while (around && around !== tool && !(/auto|scroll|hidden/.test(getComputedStyle(around).overflowY)
    && around.scrollHeight > around.clientHeight + 1)) around = around.parentElement;
  return around && around !== tool && around !== document.scrollingElement && around !== document.body;
}"""
"""Whether something lies in a part of the page that cuts it off and scrolls on its own."""


def test_hands_in_a_replay_stand_whole_below_the_city(paris: Match, new_context: NewContext) -> None:
    sizes = [(320, 568), (390, 844), (768, 1024), (820, 1180), (1280, 900)]
    for page in opened_at(new_context, sizes, f"/matches/{paris.id}/60"):
        hands = page.locator(".paris-seat")
        expect(hands).to_have_count(4)
        assert not [hand for hand in hands.all() if hand.evaluate(NESTED)], size_of(page)
        lowest = max(box(shown)["bottom"] for shown in page.locator(":is(.paris-strip, .paris-card):visible").all())
        assert box(hands.first)["y"] >= lowest, size_of(page)
        for hand in hands.all():
            for part in hand.locator(":scope > *").all():
                assert is_within(box(part), box(hand)), (size_of(page), part.text_content())


def test_names_and_points_of_four_stand_whole_above_the_board(paris: Match, new_context: NewContext) -> None:
    sizes = [(320, 568), (360, 640), (375, 667), (820, 1180), (1280, 900), (1920, 1080)]
    for page in opened_at(new_context, sizes, f"/matches/{paris.id}"):
        for score in page.locator(".score").all():
            name, total = score.locator(".who"), score.locator(".total")
            assert name.evaluate("element => element.scrollWidth <= element.clientWidth"), name.text_content()
            assert box(total)["height"] <= 36, total.text_content()
            assert is_within(box(total), box(score)), size_of(page)


LINES = """element => {
  const range = document.createRange();
  range.selectNodeContents(element);
  return new Set([...range.getClientRects()].map(({ y }) => Math.round(y))).size;
}"""
"""How many lines the text of an element takes."""


def test_names_of_districts_and_their_sums_are_not_broken(paris_at: Paris, new_context: NewContext) -> None:
    for page in opened_at(new_context, [(320, 568), SIDEWAYS], f"/matches/{paris_at(240).id}", anew=True):
        for name in page.locator(".paris-name").all():
            name.click()
            card = page.locator(".paris-card:visible")
            expect(card).to_have_count(1)
            strip = page.locator('.paris-strip[aria-pressed="true"]')
            for within, words in ((strip, ".paris-sums b"), (card, ".paris-scoring")):
                for said in within.locator(words).all():
                    assert said.evaluate(LINES) == 1, said.text_content()
                    assert is_within(box(said), box(within))


def test_what_saves_an_edition_leaves_a_phone_to_its_values(new_context: NewContext, site: str) -> None:
    page = opened(new_context, (360, 640), "/games/paris/editions/rulebook-2020")
    assert box(page.locator(".sheet"))["height"] <= 0.17 * 640
    expect(page.get_by_label("Name of your edition")).to_be_visible()


def test_corrections_on_a_desk_stand_beside_the_board(cite_behind: Cite, new_context: NewContext) -> None:
    match = cite_behind(OPENING)
    page = opened(new_context, (1280, 900), f"/matches/{match.id}/3?tool=history")
    board, tool = box(page.locator("#board")), box(page.locator("#tool"))
    assert board["right"] <= tool["x"] and board["height"] >= 700
    page.get_by_role("button", name="Replace").click()
    eventually(page, lambda: require(is_within(box(page.locator("#confirm")), {**tool, "y": 0})))
    wait_until_at_rest(page)
    assert box(page.locator("#board")) == board


def test_the_board_of_a_correction_is_whole_on_a_device_on_its_side(cite_behind: Cite, new_context: NewContext) -> None:
    match = cite_behind(OPENING)
    page = opened(new_context, SIDEWAYS, f"/matches/{match.id}/3?tool=history")
    page.get_by_role("button", name="Replace").tap()
    expect(page.locator("#confirm")).to_be_visible()
    wait_until_at_rest(page)
    board = box(page.locator("#board svg").first)
    assert board["bottom"] <= SIDEWAYS[1] + 1
    assert board["right"] <= box(page.locator("#confirm"))["x"]


def test_a_match_of_which_only_the_result_is_known_shows_it_at_the_top(
    new_match: NewMatch, new_context: NewContext
) -> None:
    match = new_match(setup={"result_only": True, "points": {"orange": 50, "blue": 41}})
    for page in opened_at(new_context, [(390, 844), (1280, 900)], f"/matches/{match.id}"):
        expect(page.locator(".sheet")).to_contain_text("Ana wins")
        assert box(page.locator(".sheet"))["y"] <= 160
        expect(page.get_by_role("tab", name="Moves")).to_have_count(0)
        assert page.locator(".score").first.evaluate("score => getComputedStyle(score).opacity") == "1"


def test_postcards_hold_their_names_and_buildings_are_drawn_to_one_scale(
    new_match: NewMatch, new_context: NewContext
) -> None:
    match = new_match()
    page = opened(new_context, (375, 667), f"/matches/{match.id}")
    scale = "path => path.getBoundingClientRect().width / path.getBBox().width"
    drawn = {name: page.locator(f'[data-choice="take-{name}"] path').first.evaluate(scale) for name in ("I3", "L4")}
    assert drawn["I3"] == pytest.approx(drawn["L4"], rel=0.05)
    page = opened(new_context, (320, 568), f"/matches/new?rematch={match.id}")
    gap = """card => {
      const frame = card.getBoundingClientRect(), range = document.createRange();
      range.selectNodeContents(card.querySelector("span"));
      const name = range.getBoundingClientRect();
      return Math.min(name.left - frame.left, frame.right - name.right);
    }"""
    cards = page.locator(".cite-cards .cite-card")
    expect(cards).to_have_count(12)
    assert min(card.evaluate(gap) for card in cards.all()) >= 4


def test_the_numbers_of_rules_can_be_tapped(new_context: NewContext, site: str) -> None:
    page = opened(new_context, (320, 568), "/games/paris/rules")
    assert min(box(number)["height"] for number in page.locator(".book article :is(h2, h3) > a").all()) >= 24


def test_the_page_of_a_problem_is_as_wide_as_its_text(new_context: NewContext, site: str) -> None:
    page = opened(new_context, (1280, 900), "/problems/illegal-move")
    assert box(page.locator("main p").first)["width"] >= 600
    assert page.locator("h2 code").inner_text() == "/problems/illegal-move"


def test_what_a_seat_may_do_is_tapped_while_its_hand_is_open(paris: Match, new_context: NewContext) -> None:
    for page in opened_at(new_context, [(320, 568), SIDEWAYS], f"/matches/{paris.id}", anew=True):
        page.get_by_role("button", name="Show the hand of").first.tap()
        expect(page.locator("#hand .paris-hand")).to_be_visible()
        wait_until_at_rest(page)
        assert box(page.locator("#form"))["height"] >= 40
        assert box(page.locator("#confirm"))["bottom"] <= size_of(page)[1]


def test_a_line_is_tried_beside_the_board_on_a_device_on_its_side(paris: Match, new_context: NewContext) -> None:
    page = opened(new_context, SIDEWAYS, f"/matches/{paris.id}/9?tool=notes")
    page.get_by_role("button", name="What if").tap()
    expect(page.locator("#leave")).to_be_visible()
    wait_until_at_rest(page)
    board, sheet = box(page.locator("#board")), box(page.locator("#sheet"))
    assert board["right"] <= sheet["x"]
    assert box(page.locator("#leave"))["bottom"] <= SIDEWAYS[1]
    assert box(page.locator("#form"))["height"] >= 24


def test_no_word_on_a_button_is_broken_when_a_correction_cuts_moves(cite_behind: Cite, new_context: NewContext) -> None:
    match = cite_behind(OPENING)
    page = opened(new_context, (320, 568), f"/matches/{match.id}/1?tool=history")
    page.get_by_role("button", name="Remove").tap()
    back = page.locator(".edit-trial").get_by_role("button", name="Back")
    expect(back).to_be_visible()
    wait_until_at_rest(page)
    assert back.evaluate(LINES) == 1


CUT = """() => [...document.querySelectorAll(".paris-table :is(b, span, h2, p, li)")]
    .filter((element) => element.checkVisibility() && getComputedStyle(element).position !== "absolute")
    .filter((element) => !element.closest(".paris-pawns, .paris-words, .unseen, .paris-group h2"))
    .filter((element) => {
      const around = element.closest("[data-place], .paris-head, .paris-seat")?.getBoundingClientRect();
      const own = element.getBoundingClientRect();
      return around && (own.left < around.left - 1 || own.right > around.right + 1
        || own.top < around.top - 1 || own.bottom > around.bottom + 1);
    })
    .map((element) => `${element.className} ${element.textContent} in ${element.parentElement.className}`)"""
"""What sticks out of the thing on the table of Paris that it belongs to."""


@pytest.mark.parametrize("plies", [60, 240])
def test_nothing_sticks_out_on_the_whole_table_of_paris(paris_at: Paris, new_context: NewContext, plies: int) -> None:
    sizes = [(660, 1000), (768, 1024), (1280, 900), (1920, 1080)]
    for page in opened_at(new_context, sizes, f"/matches/{paris_at(plies).id}/replay/{plies}"):
        page.locator("#board").evaluate("board => { board.style.width = `${innerWidth}px`; }")
        expect(page.locator(".paris-whole")).to_be_attached()
        wait_until_at_rest(page)
        expect(page.locator(".paris-card:visible")).to_have_count(6)
        assert page.evaluate(CUT) == [], size_of(page)
