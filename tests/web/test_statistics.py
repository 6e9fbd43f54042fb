"""The pages of statistics: they tell what the API tells, under every filter, to eyes, keyboards and spreadsheets."""

import csv
from collections.abc import Callable, Iterator
from math import floor
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from domain.catalogue import GAMES
from scripts import simulate
from scripts.simulate import VENUES, Cast
from service.app import create_app
from service.db.pool import Database
from service.server.postgres import Server
from service.stats.conventions import CONVENTIONS
from service.stats.ratings import settle
from tests.service.conftest import CONFIG, NewMatch
from tests.service.databases import copy_of
from tests.service.harness import SETUP, Service, finished_match, ok
from tests.web.checks import check_axe, wait_until_shown
from tests.web.conftest import DESK, PHONE, NewContext

CORPUS = "carnet_pages"
CAST = Cast.drawn(6, seed=3)
MIN_MATCHES = 20
ALL_AS_DOTS = 40
ALIKE = 6
MINUS = "\N{MINUS SIGN}"


@pytest.fixture(scope="module")
def dsn(server: Server, run_sql: Callable[[str], None], corpus: str) -> Iterator[str]:
    """A copy of the corpus, to which some tests add a match or two."""
    with copy_of(corpus, server, run_sql) as name:
        yield server.dsn(name)


@pytest.fixture(scope="session")
def corpus(server: Server, run_sql: Callable[[str], None], template: str) -> str:
    """A database with some dozen simulated matches of each game, and some recorded ones that all begin alike."""
    run_sql(f"CREATE DATABASE {CORPUS} TEMPLATE {template} STRATEGY file_copy")
    database = Database(server.dsn(CORPUS), has_limits=False)
    database.open()
    simulate.load(database, CAST, {"cite-lumiere": (45, 0), "paris": (8, 8)}, processes=1)
    app = create_app(CONFIG, database)
    record(Service(app))
    app.extensions["carnet"].close()
    settle(database)
    database.close()
    return CORPUS


def record(service: Service) -> None:
    """Matches of Ida against Eva with the same moves."""
    players = [{"seat": "orange", "name": "Ida"}, {"seat": "blue", "name": "Eva"}]
    for _ in range(ALIKE):
        match = ok(service.post("/matches", {"game": "cite-lumiere", "players": players, "setup": SETUP}), 201)
        ok(service.post(f"/matches/{match['id']}/moves", {"moves": list(finished_match())}), 201)


def rounded(value: float, places: int = 0) -> str:
    """A number as the pages write it."""
    scaled = floor(value * 10**places + 0.5) / 10**places
    text = f"{scaled:,.{places}f}"
    text = text.rstrip("0").rstrip(".") if places else text
    return text.replace("-", MINUS)


def signed(value: float) -> str:
    text = rounded(value, 1)
    return text if text == "0" or text.startswith(MINUS) else f"+{text}"


def percent(share: float) -> str:
    return f"{rounded(share * 100)}%"


def surely(rate: Any) -> str:
    """A rate as the pages write it: of few matches how often, of more with its interval."""
    if rate["n"] < MIN_MATCHES:
        return f"{rounded(rate['rate'] * rate['n'], 1)} of {rate['n']}"
    return f"{percent(rate['rate'])} ({percents(rate['interval'])})"


def rating(points: Any) -> str:
    return f"{floor(points['rating'] + 0.5)}\u00a0±\u00a0{floor(points['plus_minus'] + 0.5)}"


def percents(interval: list[float]) -> str:
    return f"{rounded(interval[0] * 100)}–{rounded(interval[1] * 100)}%"


def open_page(page: Page, path: str, **filters: Any) -> None:
    page.goto(f"{path}?{urlencode(filters)}" if filters else path)
    wait_until_shown(page)


def section(page: Page, title: str) -> Locator:
    return page.locator("section.figure").filter(has=page.get_by_role("heading", name=title, exact=True)).last


def cells(table: Locator) -> list[list[str]]:
    """The rows of a table as they read, whether or not it is folded away."""
    script = "rows => rows.map(row => [...row.cells].map(cell => cell.textContent.trim().replaceAll('\u00a0', ' ')))"
    rows: list[list[str]] = table.locator("tbody tr").evaluate_all(script)
    return rows


def busiest(service: Service, **filters: Any) -> list[Any]:
    return list(ok(service.get(f"/stats/players?{urlencode(filters)}"))["items"])


def saved(page: Page, button: Locator) -> list[list[str]]:
    """What a button saves as CSV."""
    with page.expect_download() as download:
        button.click()
    path = download.value.path()
    assert download.value.suggested_filename.endswith(".csv")
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def test_the_table_of_players_is_that_of_the_api_and_sorted_by_keyboard(desk: Page, service: Service) -> None:
    open_page(desk, "/players", game="cite-lumiere")
    table = desk.locator("table.players")
    for sort, button in (("win_rate", "Win rate"), ("name", "Player"), ("wins_above_expectation", "vs. expected")):
        head = table.get_by_role("columnheader", name=button)
        head.locator("[data-sort]").focus()
        desk.keyboard.press("Enter")
        expect(head).to_have_attribute("aria-sort", "ascending" if sort == "name" else "descending")
        expect(head.locator("[data-sort]")).to_be_focused()
        ordered = busiest(service, game="cite-lumiere", sort=sort)
        assert [row[0] for row in cells(table)] == [item["player"]["name"] for item in ordered]
    items = busiest(service, game="cite-lumiere", sort="wins_above_expectation")
    for row, item in zip(cells(table), items, strict=True):
        name, matches, rate, wins, above, points, median, _ = row
        assert (name, matches) == (item["player"]["name"], str(item["matches"]))
        assert rate == surely(item["win_rate"])
        assert wins == rounded(item["wins"], 1)
        assert above == signed(item["wins_above_expectation"])
        assert (points, median) == (rounded(item["mean_points"], 1), rounded(item["median_points"], 1))
    many = next(item for item in items if item["matches"] >= MIN_MATCHES)
    bar = table.locator("tbody tr").filter(has=desk.get_by_role("link", name=many["player"]["name"], exact=True))
    width = bar.locator(".fill").evaluate("bar => parseFloat(bar.style.width)")
    assert width == pytest.approx(many["win_rate"]["rate"] * 100, abs=0.01)
    desk.reload()
    expect(table.get_by_role("columnheader", name="vs. expected")).to_have_attribute("aria-sort", "descending")

    lines = saved(desk, table.locator("xpath=following-sibling::div").get_by_role("button", name="Save as CSV"))
    column = lines[0].index("wins")
    assert [float(line[column]) for line in lines[1:]] == [item["wins"] for item in items]
    rated = ok(service.get("/stats/ratings?game=cite-lumiere"))
    assert [row[0] for row in cells(section(desk, "Ratings").locator("table"))] == [
        one["player"]["name"] for one in rated["items"]
    ]
    check_axe(desk)


def test_a_player_is_shown_as_the_api_says(phone: Page, service: Service) -> None:
    met = busiest(service, game="cite-lumiere")[0]["player"]
    told = ok(service.get(f"/stats/players/{met['id']}?game=cite-lumiere"))
    history = ok(service.get(f"/stats/players/{met['id']}/ratings?game=cite-lumiere"))["items"]
    open_page(phone, f"/players/{met['id']}", game="cite-lumiere")
    rate, above = told["win_rate"], told["wins_above_expectation"]
    points = ok(service.get(f"/stats/players/{met['id']}/ratings?game=cite-lumiere"))["present"]["points"]
    numbers = phone.locator(".numbers dd").evaluate_all("all => all.map(one => one.firstChild.textContent)")
    assert numbers == [
        rounded(told["matches"]),
        rounded(told["wins"], 1),
        percent(rate["rate"]),
        rating(points).split("\u00a0")[0],
    ]
    margin = phone.locator(".numbers dd small").first.inner_text()
    assert margin.split() == rating(points).split()[1:]
    more = "more" if above >= 0 else "fewer"
    expect(phone.locator(".lead .sentence")).to_have_text(
        f"{met['name']} wins {percent(rate['rate'])} of {told['matches']} matches ({percents(rate['interval'])}), "
        f"{rounded(abs(above), 1)} {more} than expected."
    )
    whisker = phone.locator(".lead .whisker").evaluate("line => [line.style.left, line.style.width].map(parseFloat)")
    low, high = rate["interval"]
    assert whisker == pytest.approx([low * 100, (high - low) * 100], abs=0.01)
    heads = phone.locator("#figures h2").all_inner_texts()
    assert heads[:3] == ["Last matches", "Opponents", "By number of players"]
    assert cells(section(phone, "By seat").locator("table")) == [
        [part["seat"].capitalize(), *_summary(part), rounded(part["points"]["mean"], 1)] for part in told["by_seat"]
    ]
    assert len(cells(section(phone, "Rating").locator("table"))) == len(history)
    expect(section(phone, "Rating").get_by_role("img")).to_have_attribute(
        "aria-label", f"After {len(history)} matches {met['name']} is rated {rating(history[-1]['points'])}."
    )
    for title, key in (("Nemesis", "nemesis"), ("Favourite opponent", "favourite_opponent")):
        rival = phone.locator(".rivals p").filter(has_text=title)
        expect(rival).to_have_count(1 if told[key] else 0)
        if told[key]:
            expect(rival).to_contain_text(told[key]["player"]["name"])
    latest = phone.locator(".meetings a").evaluate_all("links => links.map(link => link.getAttribute('href'))")
    assert latest == [f"/matches/{match['match_id']}" for match in told["latest"]]
    expect(phone.locator(".meetings a:visible")).to_have_count(5)
    shown = {row[0] for group in phone.locator("details.more table").all() for row in cells(group)}
    assert len(shown) > MIN_MATCHES
    assert "Moulin Rouge" in shown
    lines = saved(phone, phone.locator(".lead").get_by_role("button", name="Save as CSV"))
    assert dict(lines)["wins"] == str(told["wins"])
    assert phone.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"]
    check_axe(phone)


def _summary(part: Any) -> list[str]:
    amounts = rounded(part["wins"], 1), rounded(part["expected_wins"], 1), signed(part["wins_above_expectation"])
    return [str(part["matches"]), *amounts]


def test_filters_work_together_and_stay_while_one_looks_on(phone: Page, service: Service) -> None:
    players = busiest(service, game="paris")
    one, other = players[0]["player"], players[1]["player"]
    matches = ok(service.get(f"/matches?game=paris&player={one['id']}&limit=200"))["items"]
    days = sorted(match["played_at"][:10] for match in matches)
    begin, end = days[3], days[-4]

    open_page(phone, f"/players/{one['id']}", game="paris")
    phone.get_by_text("Filters").tap()
    form = phone.get_by_role("search")
    form.get_by_label("Variant").select_option("standard")
    form.locator("[name=player]").select_option(other["id"])
    form.get_by_label("From").fill(begin)
    form.get_by_label("To").fill(end)
    form.get_by_role("button", name="Show").tap()
    phone.wait_for_url("**/players/*from=*")
    wait_until_shown(phone)

    expected = {"game": "paris", "variant": "standard", "player": other["id"], "from": begin, "to": end}
    assert {name: values[0] for name, values in parse_qs(urlsplit(phone.url).query).items()} == expected
    zone = phone.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")
    told = ok(service.get(f"/stats/players/{one['id']}?{urlencode({**expected, 'tz': zone})}"))
    assert 0 < told["matches"] < len(matches)
    count = f"{told['matches']} match" + ("es" if told["matches"] != 1 else "")
    expect(phone.locator(".lead .sentence")).to_contain_text(f"of {count}")
    verb = "match counts" if told["matches"] == 1 else "matches count"
    expect(phone.locator(".counted").last).to_contain_text(f"{told['matches']} {verb}")
    expect(form.locator("[name=player]")).to_have_value(other["id"])
    link = phone.locator(".bars").get_by_role("link", name=other["name"])
    asked = parse_qs(urlsplit(link.get_attribute("href") or "").query)
    assert (asked["from"], asked["variant"], asked["game"]) == ([begin], ["standard"], ["paris"])

    form.get_by_role("link", name="Clear").tap()
    phone.wait_for_url(f"**/players/{one['id']}?game=paris")
    wait_until_shown(phone)
    expect(phone.locator(".lead .sentence")).to_contain_text(f"of {players[0]['matches']} matches")


def test_two_players_are_compared_as_the_api_does_it(new_context: NewContext, service: Service) -> None:
    page = new_context.tab(DESK, color_scheme="dark")
    a, b = (item["player"] for item in busiest(service)[:2])
    told = ok(service.get(f"/stats/head-to-head?a={a['id']}&b={b['id']}"))
    open_page(page, f"/players/{a['id']}/against/{b['id']}")
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text(f"{a['name']} {_score(told)} {b['name']}")
    for player in (a, b):
        link = heading.get_by_role("link", name=player["name"], exact=True)
        expect(link).to_have_attribute("href", f"/players/{player['id']}")
    rows = cells(section(page, "Crosstable").locator("table"))
    parts = [told, *told["by_game"], *told["by_mover"], *told["by_players"]]
    assert [row[1:] for row in rows] == [
        [str(part["matches"]), _score(part), str(round(part["level"]["rate"] * part["matches"]))] for part in parts
    ]
    points = {GAMES[part["game"]].title: part["score_difference"] for part in told["by_game"]}
    for game, _, mean, _ in cells(section(page, "Difference in points").locator("table")):
        assert mean == signed(points[game]["mean"])
    assert page.locator(".meetings a").count() == len(told["latest"])
    check_axe(page)


def _score(part: Any) -> str:
    ahead, behind = (round(part[side]["rate"] * part["matches"]) for side in ("a_ahead", "b_ahead"))
    return f"{ahead} : {behind}"


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_told_as_the_api_tells_it_and_its_openings_are_walked(
    new_context: NewContext, service: Service, game: str
) -> None:
    page = new_context.tab(PHONE if game == "paris" else DESK, color_scheme="dark")
    told = ok(service.get(f"/stats/games/{game}"))
    open_page(page, f"/games/{game}")
    points = told["points"]
    expect(section(page, "Points").locator(".sentence")).to_have_text(
        f"Half of all players score {rounded(points['quantiles']['0.25'], 1)} to "
        f"{rounded(points['quantiles']['0.75'], 1)} points, {rounded(points['mean'], 1)} points on average."
    )
    assert sum(int(row[1]) for row in cells(section(page, "Points").locator("table"))[6:]) == points["n"]
    first = cells(section(page, "Does it help to begin?").locator("table"))
    assert [row[:3] for row in first] == [
        [str(part["players"]), str(part["matches"]), percent(part["first_mover"]["win_rate"]["rate"])]
        for part in told["by_players"]
    ]
    features = ok(service.get(f"/stats/games/{game}/features"))["items"]
    known = [feature for feature in features if feature["difference"]["difference"] is not None]
    shown = [row for group in page.locator("details.more table").all() for row in cells(group)]
    assert sorted(row[4] for row in shown) == sorted(
        f"{signed(floor(one['difference']['difference'] * 100 + 0.5))} pp" for one in known
    )
    clear = [one for one in known if one["difference"]["interval"] is not None]
    notes = page.locator("details.more .bar .explanation").all_text_contents()
    is_score = CONVENTIONS["en"]["part_of_score"]
    assert sorted(notes) == sorted(
        f"{one['about']} {is_score}" if one["part_of_score"] else one["about"] for one in clear
    )
    marked = page.locator("details.more .bar-about").filter(has_text="part of the score")
    assert marked.count() == sum(one["part_of_score"] for one in clear)
    check_axe(page)

    tree = ok(service.get(f"/stats/games/{game}/openings?depth=1"))
    steps = page.locator(".steps li")
    expect(steps).to_have_count(len(tree["children"]))
    before = page.locator(".opening-board").inner_html()
    index, node = next((index, one) for index, one in enumerate(tree["children"]) if "at" in one["move"])
    steps.nth(index).get_by_role("button").click()
    below = ok(service.get(f"/stats/games/{game}/openings?depth=1&under={node['node']}"))
    current = page.get_by_role("navigation", name="Moves shown").locator("[aria-current=step]")
    expect(current).to_be_focused()
    expect(current).to_contain_text("1. ")
    expect(section(page, "Openings").locator(".sentence")).to_contain_text(f"{below['n']} matches went so")
    expect(steps).to_have_count(len(below["children"]))
    assert page.locator(".opening-board").inner_html() != before
    page.get_by_role("button", name="Beginning").click()
    expect(steps).to_have_count(len(tree["children"]))


def test_openings_beyond_the_first_page_are_shown_on_request(phone: Page, service: Service) -> None:
    phone.route("**/openings?*", lambda route: route.continue_(url=f"{route.request.url}&limit=1"))
    open_page(phone, "/games/paris")
    steps = phone.locator(".steps li")
    expect(steps).to_have_count(1)
    more = section(phone, "Openings").get_by_role("button", name="Show more")
    known = len(ok(service.get("/stats/games/paris/openings?depth=1"))["children"])
    assert known > 1
    for shown in range(2, known + 1):
        more.tap()
        expect(steps).to_have_count(shown)
    expect(more).to_be_hidden()


def test_the_board_of_the_openings_keeps_its_form(phone: Page) -> None:
    open_page(phone, "/games/paris")
    phone.locator(".paris-tab").first.tap()
    track = phone.locator(".paris-track").bounding_box()
    assert track is not None and track["height"] > 100


def test_few_matches_are_shown_one_by_one_with_one_caveat(phone: Page, service: Service, new_match: NewMatch) -> None:
    match = new_match(tags=["final"])
    ok(service.post(f"/matches/{match.id}/moves", {"moves": list(finished_match())}), 201)
    new_match(tags=["final"])
    ids = [player["player_id"] for player in match.document()["players"]]
    open_page(phone, f"/players/{ids[0]}", tag="final")
    expect(phone.locator(".lead .sentence")).to_contain_text("of 1 match; chance alone would give 0.5.")
    expect(phone.locator(".lead .recent .dots i")).to_have_count(1)
    expect(phone.locator("#figures .rail")).to_have_count(0)
    assert phone.locator("#figures").inner_text().count("read them as stories") == 1
    expect(phone.locator(".counted").last).to_contain_text("1 match counts. Not counted: 1 in progress.")
    check_axe(phone)


def test_few_values_are_a_strip_of_dots_and_many_are_columns(phone: Page, service: Service) -> None:
    drawn = {"dots": 0, "columns": 0}
    for filters in ({}, {"tag": "league"}):
        told = ok(service.get(f"/stats/games/cite-lumiere?{urlencode(filters)}"))
        open_page(phone, "/games/cite-lumiere", **filters)
        for title, key in (("Points", "points"), ("Margin", "margin"), ("Moves", "plies")):
            plot = section(phone, title).locator(".distribution")
            is_strip = told[key]["n"] < ALL_AS_DOTS
            assert (plot.locator("rect").count() == 0) == is_strip
            assert plot.locator(".pile i").count() == (told[key]["n"] if is_strip else 0)
            drawn["dots" if is_strip else "columns"] += 1
    assert all(drawn.values()), drawn


def test_unlike_chances_are_compared_with_what_is_expected(phone: Page, service: Service) -> None:
    met = busiest(service)[0]["player"]
    told = ok(service.get(f"/stats/players/{met['id']}"))
    open_page(phone, f"/players/{met['id']}")
    bars = section(phone, "By number of players").locator(".bar")
    shown = bars.evaluate_all("all => all.map(bar => [...bar.children].map(one => one.textContent))")
    for (name, _, value, about), part in zip(shown, told["by_players"], strict=True):
        assert name == f"{part['players']} players"
        assert value == signed(part["wins_above_expectation"])
        assert f"{rounded(part['expected_wins'], 1)} expected" in about
    expect(phone.get_by_text("wins most often")).to_have_count(0)
    expect(section(phone, "By seat")).to_have_count(0)  # seats of different games are not alike


def test_terms_explain_themselves_within_the_width_of_the_page(desk: Page, service: Service) -> None:
    met, other = (item["player"]["id"] for item in busiest(service)[:2])
    for path, widths in {
        f"/players/{met}/against/{other}": (320, 820),
        "/games/paris": (375, 1280),
        "/players?game=paris": (320, 820),
        f"/players/{met}?game=paris": (375, 1280),
    }.items():
        open_page(desk, path)
        for width in widths:
            desk.set_viewport_size({"width": width, "height": 800})
            require_terms_within(desk, width)
    desk.locator(".numbers .term").first.click()
    check_axe(desk)


def require_terms_within(page: Page, width: int) -> None:
    """Assert that the page and what explains its terms are no wider than its window."""
    page.wait_for_function("(width) => document.documentElement.scrollWidth === width", arg=width)
    for term in page.locator(".term:visible").all()[:6]:
        term.focus()
        page.keyboard.press("Enter")
        note = page.locator(".explanation:popover-open")
        expect(note).to_have_count(1)
        assert len(note.inner_text()) > 20
        box, button = note.bounding_box(), term.bounding_box()
        assert box is not None
        assert button is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert 0 <= box["y"] - button["y"] - button["height"] <= 8
        page.keyboard.press("Escape")
        expect(note).to_have_count(0)
        expect(term).to_be_focused()


def test_calibration_is_shown_to_whoever_opens_it(phone: Page, service: Service) -> None:
    asked: list[str] = []
    phone.on("request", lambda request: asked.append(urlsplit(request.url).path))
    open_page(phone, "/players")
    assert not any(path.endswith("/calibration") for path in asked)
    phone.get_by_text("How well do ratings predict?").tap()
    for one in ok(service.get("/stats/ratings/calibration"))["items"]:
        figure = section(phone, GAMES[one["game"]].title)
        expect(figure.locator(".sentence")).to_contain_text(f"{one['matches']} match")
        expect(figure.locator(".bar")).to_have_count(len(one["fifths"]))
        rows = cells(figure.locator("table"))
        assert [row[1:] for row in rows] == [
            [percent(part["predicted"]), surely(part["won"])] for part in one["fifths"]
        ]
    check_axe(phone)
    assert phone.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"]


def test_a_seat_is_named_only_where_the_test_of_the_api_finds_a_difference(phone: Page, service: Service) -> None:
    for game in GAMES:
        open_page(phone, f"/games/{game}")
        for part in ok(service.get(f"/stats/games/{game}"))["by_players"]:
            clear = [seat for seat in part["seats"] if seat["difference"]["verdict"] in {"higher", "lower"}]
            sentence = section(phone, f"Seats, {part['players']} players").locator(".sentence")
            assert sentence.count() == (1 if clear else 0)
            for one in clear:
                expect(sentence).to_contain_text(f"{one['seat'].capitalize()} wins")


def test_beginning_is_told_within_pairs_where_enough_is_known(phone: Page, service: Service) -> None:
    """Weaker players begin more often, so how often beginners won says little of beginning."""
    told = ok(service.get("/stats/games/cite-lumiere"))["by_players"][0]["first_mover"]["within_pairs"]
    assert told["interval"] is not None
    open_page(phone, "/games/cite-lumiere")
    figure = section(phone, "Does it help to begin?")
    value = figure.locator(".bar-value")
    assert value.all_inner_texts() == [f"{signed(floor(told['difference'] * 100 + 0.5))} pp"]
    expect(figure.get_by_role("button", name="Within pairs")).to_be_visible()
    expect(figure.locator(".sentence")).not_to_contain_text("chance alone")
    few = next(venue for venue in VENUES if venue and 0 < _matches(service, venue) < MIN_MATCHES)
    open_page(phone, "/games/cite-lumiere", venue=few)
    expect(figure.locator(".sentence")).to_contain_text("weaker players begin more often")
    expect(figure.locator(".dots")).to_have_count(1)


def _matches(service: Service, venue: str) -> int:
    told = ok(service.get(f"/stats/games/cite-lumiere?{urlencode({'venue': venue})}"))
    return sum(part["matches"] for part in told["by_players"])


def test_people_are_links_wherever_they_stand(desk: Page, service: Service) -> None:
    names = {item["player"]["name"]: item["player"]["id"] for item in busiest(service)}
    met = busiest(service)[0]["player"]
    for path in ("/players", f"/players/{met['id']}"):
        open_page(desk, path)
        for details in desk.locator("#figures details").all():
            details.evaluate("one => { one.open = true; }")
        plain = desk.evaluate(_UNLINKED, [name for name in names if name != met["name"]])
        assert plain == []


_UNLINKED = """
names => {
    const walker = document.createTreeWalker(document.getElementById("figures"), NodeFilter.SHOW_TEXT);
    const plain = [];
    while (walker.nextNode()) {
        const { data, parentElement } = walker.currentNode;
        const isNamed = names.some((name) => new RegExp(`\\b${name}\\b`).test(data));
        if (isNamed && !parentElement.closest("a, .unseen")) plain.push(data);
    }
    return plain;
}
"""
"""Texts of the figures outside links in which one of these names stands."""


def test_ratings_are_shown_in_points_and_saved_whole(desk: Page, service: Service) -> None:
    open_page(desk, "/players", game="paris")
    rated = ok(service.get("/stats/ratings?game=paris&limit=200"))["items"]
    bars = section(desk, "Ratings").locator(".bar")
    shown = bars.evaluate_all("all => all.map(bar => [...bar.children].map(one => one.textContent))")
    for (name, _, value, about), item in zip(shown, rated, strict=False):
        assert name == f"{item['place']}. {item['player']['name']}"
        assert value == rating(item["points"])
        assert ("provisional" in about) == item["provisional"]
    lines = saved(desk, section(desk, "Ratings").get_by_role("button", name="Save as CSV"))
    assert [line[lines[0].index("player.name")] for line in lines[1:]] == [item["player"]["name"] for item in rated]


def test_where_nothing_was_played_the_page_says_so(phone: Page, service: Service) -> None:
    a, b = (item["player"]["id"] for item in busiest(service)[:2])
    for path in ("/players", f"/players/{a}", f"/players/{a}/against/{b}", "/games/paris"):
        open_page(phone, path, tag="nothing of the kind")
        expect(phone.get_by_role("status")).to_have_text("No finished match fits these filters.")
        expect(phone.get_by_role("link", name="Clear")).to_be_visible()
    check_axe(phone)


def test_a_player_is_renamed_and_merged_and_that_is_taken_back(
    phone: Page, service: Service, new_match: NewMatch
) -> None:
    new_match(players=[{"seat": "orange", "name": "Ana"}, {"seat": "blue", "name": "Jan"}])
    new_match(players=[{"seat": "orange", "name": "Anna"}, {"seat": "blue", "name": "Jan"}])
    ids = {player["name"]: player["id"] for player in service.all_items("/players")}
    open_page(phone, f"/players/{ids['Anna']}")
    manage = phone.get_by_role("region", name="This player")
    manage.get_by_label("Name").fill("Anka")
    manage.get_by_role("button", name="Save").tap()
    expect(phone.get_by_role("heading", name="Anka", level=1)).to_be_visible()
    wait_until_shown(phone)
    manage.get_by_label("The same person as").select_option(label="Ana")
    manage.get_by_role("button", name="Merge").tap()
    expect(phone.get_by_role("dialog")).to_contain_text("All matches of Anka will be those of Ana.")
    assert ok(service.get(f"/players/{ids['Anna']}"))["id"] == ids["Anna"]
    phone.get_by_role("dialog").get_by_role("button", name="Yes, one person").tap()
    expect(manage.get_by_text("Anka is Ana from now on.")).to_be_visible()
    assert ok(service.get(f"/players/{ids['Anna']}"))["id"] == ids["Ana"]
    manage.get_by_role("button", name="Take it back").tap()
    expect(manage.get_by_text("Taken back")).to_be_visible()
    assert ok(service.get(f"/players/{ids['Anna']}"))["id"] == ids["Anna"]


@pytest.mark.parametrize(
    ("locale", "sentence"),
    [("pl", "Prowadzi"), ("cs", "Vede"), pytest.param("pt", "lidera com", marks=pytest.mark.soak)],
)
def test_statistics_are_told_in_every_language(
    new_context: NewContext, service: Service, locale: str, sentence: str
) -> None:
    phone = new_context.tab(PHONE, locale=locale)
    open_page(phone, "/players")
    expect(phone.locator("#ratings .sentence")).to_contain_text(sentence)
    open_page(phone, f"/players/{busiest(service)[0]['player']['id']}", game="paris")
    assert phone.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"]
