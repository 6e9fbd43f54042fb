"""The pages of statistics: they tell what the API tells, under every filter, to eyes, keyboards and spreadsheets."""

import csv
from collections.abc import Callable
from math import floor
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from domain.catalogue import GAMES
from scripts import simulate
from scripts.simulate import Cast
from service.app import create_app
from service.embedded import Server
from service.stats.ratings import settle
from service.store.database import Database
from tests.service.conftest import CONFIG, NewMatch
from tests.service.harness import SETUP, Service, finished_match, ok
from tests.web.checks import check_axe, wait_until_shown
from tests.web.conftest import DESK, PHONE, NewContext

CORPUS = "carnet_pages"
CAST = Cast.drawn(6, seed=3)
FEWEST = 20
ALIKE = 6
MINUS = "\N{MINUS SIGN}"


@pytest.fixture(scope="session")
def template(server: Server, run_sql: Callable[[str], None], template: str) -> str:
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
        head.get_by_role("button").focus()
        desk.keyboard.press("Enter")
        expect(head).to_have_attribute("aria-sort", "ascending" if sort == "name" else "descending")
        expect(head.get_by_role("button")).to_be_focused()
        ordered = busiest(service, game="cite-lumiere", sort=sort)
        assert [row[0] for row in cells(table)] == [item["player"]["name"] for item in ordered]
    items = busiest(service, game="cite-lumiere", sort="wins_above_expectation")
    for row, item in zip(cells(table), items, strict=True):
        name, matches, rate, wins, expected, above, points, median, _ = row
        assert (name, matches) == (item["player"]["name"], str(item["matches"]))
        assert rate.startswith(f"{percent(item['win_rate']['rate'])} ({percents(item['win_rate']['interval'])})")
        assert ("too few to say" in rate) == (item["matches"] < FEWEST)
        assert (wins, expected) == (rounded(item["wins"], 1), rounded(item["expected_wins"], 1))
        assert above == signed(item["wins_above_expectation"])
        assert (points, median) == (rounded(item["mean_points"], 1), rounded(item["median_points"], 1))
    bar = table.locator("tbody tr").first.locator(".rail")
    assert bar.locator(".fill").evaluate("bar => bar.style.width") == f"{items[0]['win_rate']['rate'] * 100:.2f}%"
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


def test_a_player_is_told_as_the_api_tells_him(phone: Page, service: Service) -> None:
    met = busiest(service, game="cite-lumiere")[0]["player"]
    told = ok(service.get(f"/stats/players/{met['id']}?game=cite-lumiere"))
    open_page(phone, f"/players/{met['id']}", game="cite-lumiere")
    rate, above = told["win_rate"], told["wins_above_expectation"]
    more = "more" if above >= 0 else "fewer"
    expect(phone.locator(".lead .sentence")).to_have_text(
        f"{met['name']} wins {percent(rate['rate'])} of {told['matches']} matches ({percents(rate['interval'])}), "
        f"{rounded(abs(above), 1)} {more} than expected."
    )
    whisker = phone.locator(".lead .whisker").evaluate("line => [line.style.left, line.style.width]")
    low, high = rate["interval"]
    assert whisker == [f"{low * 100:.2f}%", f"{(high - low) * 100:.2f}%"]
    assert cells(section(phone, "By seat").locator("table")) == [
        [part["seat"].capitalize(), *_summary(part), rounded(part["points"]["mean"], 1)] for part in told["by_seat"]
    ]
    history = ok(service.get(f"/stats/players/{met['id']}/ratings?game=cite-lumiere"))["items"]
    assert len(cells(section(phone, "Rating").locator("table"))) == len(history)
    expect(section(phone, "Rating").get_by_role("img")).to_have_attribute(
        "aria-label",
        f"After {len(history)} matches {met['name']} is rated {rounded(history[-1]['rating'], 1)} "
        f"({rounded(history[-1]['interval'][0], 1)} to {rounded(history[-1]['interval'][1], 1)}).",
    )
    for title, key in (("Nemesis", "nemesis"), ("Favourite opponent", "favourite_opponent")):
        rival = phone.locator(".rivals p").filter(has_text=title)
        expect(rival).to_contain_text(told[key]["player"]["name"] if told[key] else "Nobody yet")
    latest = phone.locator(".meetings a").evaluate_all("links => links.map(link => link.getAttribute('href'))")
    assert latest == [f"/matches/{match['match_id']}" for match in told["latest"]]
    shown = {row[0] for group in phone.locator("details.more table").all() for row in cells(group)}
    assert len(shown) > FEWEST
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
    form.get_by_label("With").select_option(other["id"])
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
    expect(form.get_by_label("With")).to_have_value(other["id"])
    link = phone.locator(".bars").get_by_role("link", name=other["name"])
    asked = parse_qs(urlsplit(link.get_attribute("href") or "").query)
    assert (asked["from"], asked["variant"], asked["game"]) == ([begin], ["standard"], ["paris"])

    form.get_by_role("link", name="Clear").tap()
    phone.wait_for_url(f"**/players/{one['id']}?game=paris")
    wait_until_shown(phone)
    expect(phone.locator(".lead .sentence")).to_contain_text(f"of {players[0]['matches']} matches")


def test_two_players_are_compared_as_the_api_does_it(new_context: NewContext, service: Service) -> None:
    page = new_context(DESK, color_scheme="dark").new_page()
    a, b = (item["player"] for item in busiest(service)[:2])
    told = ok(service.get(f"/stats/head-to-head?a={a['id']}&b={b['id']}"))
    open_page(page, f"/players/{a['id']}/against/{b['id']}")
    before, after, rate = (a, b, told["a_ahead"])
    if told["b_ahead"]["rate"] > rate["rate"]:
        before, after, rate = (b, a, told["b_ahead"])
    expect(page.locator(".lead .sentence")).to_have_text(
        f"{before['name']} finishes before {after['name']} in {percent(rate['rate'])} of {told['matches']} matches "
        f"({percents(rate['interval'])})."
    )
    rows = cells(section(page, "Crosstable").locator("table"))
    parts = [told, *told["by_game"], *told["by_mover"], *told["by_players"]]
    assert [row[1:5] for row in rows] == [
        [str(part["matches"]), *(str(round((part[key]["rate"] or 0) * part["matches"])) for key in _PLACED)]
        for part in parts
    ]
    points = {GAMES[part["game"]].title: part["score_difference"] for part in told["by_game"]}
    for game, _, mean, _ in cells(section(page, "Difference in points").locator("table")):
        assert mean == signed(points[game]["mean"])
    assert page.locator(".meetings a").count() == len(told["latest"])
    check_axe(page)


_PLACED = ("a_ahead", "level", "b_ahead")


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_told_as_the_api_tells_it_and_its_openings_are_walked(
    new_context: NewContext, service: Service, game: str
) -> None:
    page = new_context(PHONE if game == "paris" else DESK, color_scheme="dark").new_page()
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
    known = [one for one in features if one["difference"]["difference"] is not None]
    shown = [row for group in page.locator("details.more table").all() for row in cells(group)]
    assert sorted(row[4] for row in shown) == sorted(
        f"{signed(floor(one['difference']['difference'] * 100 + 0.5))} pp" for one in known
    )
    few = [one for one in known if one["difference"]["verdict"] == "too_few_to_say"]
    assert page.locator("details.more .bar.few").count() == len(few)
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


def test_the_board_of_the_openings_keeps_its_form(phone: Page) -> None:
    open_page(phone, "/games/paris")
    phone.locator(".paris .tab").first.tap()
    track = phone.locator(".paris .track").bounding_box()
    assert track is not None and track["height"] > 100


def test_what_few_matches_tell_is_grey_and_said_to_be_too_little(
    phone: Page, service: Service, new_match: NewMatch
) -> None:
    match = new_match(tags=["final"])
    ok(service.post(f"/matches/{match.id}/moves", {"moves": list(finished_match())}), 201)
    new_match(tags=["final"])
    ids = [player["player_id"] for player in match.document()["players"]]
    open_page(phone, f"/players/{ids[0]}", tag="final")
    expect(phone.locator(".lead .sentence")).to_contain_text("of 1 match: too few to say more.")
    expect(phone.locator(".lead .plot.few")).to_be_visible()
    expect(phone.locator(".counted").last).to_contain_text("1 match counts. Not counted: 1 in progress.")
    check_axe(phone)


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
    expect(manage.get_by_text("All matches of Anka will be those of Ana.")).to_be_visible()
    assert ok(service.get(f"/players/{ids['Anna']}"))["id"] == ids["Anna"]
    manage.get_by_role("button", name="Yes, one person").tap()
    expect(manage.get_by_text("Anka is Ana from now on.")).to_be_visible()
    assert ok(service.get(f"/players/{ids['Anna']}"))["id"] == ids["Ana"]
    manage.get_by_role("button", name="Take it back").tap()
    expect(manage.get_by_text("Taken back")).to_be_visible()
    assert ok(service.get(f"/players/{ids['Anna']}"))["id"] == ids["Anna"]


@pytest.mark.parametrize(("locale", "sentence"), [("pl", "Najpewniej"), ("cs", "Nejjistěji"), ("pt", "Quem ganha")])
def test_statistics_are_told_in_every_language(
    new_context: NewContext, service: Service, locale: str, sentence: str
) -> None:
    phone = new_context(PHONE, locale=locale).new_page()
    open_page(phone, "/players", sort="win_rate")
    expect(phone.locator(".sentence").first).to_contain_text(sentence)
    open_page(phone, f"/players/{busiest(service)[0]['player']['id']}", game="paris")
    assert phone.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"]
