"""The page on which an edition is checked against a box."""

from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.service.conftest import NewMatch
from tests.service.harness import Service, ok
from tests.web.checks import check_axe, wait_until_shown
from tests.web.tables import open_match

PARIS = "/games/paris/editions/rulebook-2020"


def row(page: Page, path: str) -> Locator:
    """The row of a value."""
    return page.locator(f'.value[data-path="{path}"]')


def saved(page: Page, service: Service, game: str) -> Any:
    """Save the edition; the document of what came of it."""
    before = page.url
    page.get_by_role("button", name="Save the edition").tap()
    page.wait_for_url(lambda url: url != before)
    wait_until_shown(page)
    return ok(service.get(f"/games/{game}/editions/{page.url.rpartition('/')[2]}"))


def test_a_corrected_edition_is_saved_and_begins_a_match(phone: Page, service: Service) -> None:
    phone.goto(PARIS)
    expect(row(phone, "start_francs")).to_be_hidden()  # the rulebook says it; what is assumed comes first
    row(phone, "banks/belleville").get_by_role("spinbutton").fill("9")
    row(phone, "banks/chaillot").get_by_role("checkbox").check()
    row(phone, "buildings/chaillot-1/type").get_by_role("combobox").select_option("hotel")
    row(phone, "landmarks/13/extra").get_by_label("gold").fill("1")
    row(phone, "landmarks/13/extra").get_by_label("marble").fill("0")
    row(phone, "end_tiles/e01").get_by_label("Stands for").select_option("gold")
    row(phone, "bonus/26").get_by_label("points for each").fill("8")
    row(phone, "scoring_tiles/14-7-3").get_by_role("textbox").fill("15, 7, 3")
    expect(phone.locator("#progress")).to_have_text("7 values checked · 6 corrected · 130 still assumed")
    phone.reload()
    expect(phone.locator("#progress")).to_have_text("7 values checked · 6 corrected · 130 still assumed")
    phone.get_by_label("Name of your edition").fill("The box of the club")
    phone.get_by_label("Number at BoardGameGeek").fill("12345")
    edition = saved(phone, service, "paris")
    assert edition["bgg_id"] == 12345
    assert edition["title"] == "The box of the club"
    assert edition["banks"]["belleville"] == {"value": 9, "source": "user"}
    assert edition["banks"]["chaillot"] == {"value": 7, "source": "user"}
    assert edition["banks"]["montmartre"]["source"] == "assumed"
    assert edition["buildings"]["chaillot-1"]["type"]["value"] == "hotel"
    assert edition["landmarks"]["13"]["extra"]["value"] == {"gold": 1}
    assert edition["end_tiles"]["e01"]["value"] == {"stands_for": ["gold"]}
    assert edition["bonus"]["26"]["value"] == {"per_building": {"value": 5, "points": 8}}
    assert edition["scoring_tiles"]["14-7-3"]["value"] == [15, 7, 3]
    expect(phone.get_by_role("heading", name="The box of the club")).to_be_visible()
    phone.get_by_role("link", name="New match with this edition").tap()
    expect(phone.locator('select[name="edition"]')).to_have_value(edition["id"])


def test_what_cannot_be_read_or_is_refused_is_named(phone: Page) -> None:
    phone.goto(PARIS)
    field = row(phone, "banks/belleville").get_by_role("spinbutton")
    row(phone, "banks/chaillot").get_by_role("checkbox").check()
    field.fill("")
    phone.get_by_role("button", name="Save the edition").tap()
    expect(phone.locator("#problem")).to_have_text("Belleville: this cannot be read.")
    expect(field).to_have_attribute("aria-invalid", "true")
    field.fill("2")
    row(phone, "scoring_tiles/14-7-3").get_by_role("textbox").fill("15, 7")
    phone.get_by_role("button", name="Save the edition").tap()
    expect(phone.locator("#problem")).to_contain_text("14-7-3:")
    expect(row(phone, "scoring_tiles/14-7-3").get_by_role("textbox")).to_have_attribute("aria-invalid", "true")


def test_every_game_has_the_page(phone: Page, service: Service) -> None:
    phone.goto("/games/cite-lumiere/editions/devir-2019")
    phone.get_by_role("button", name="3 to the right, 0 down", exact=True).tap()
    row(phone, "flip_buildings").get_by_role("checkbox").first.check()
    edition = saved(phone, service, "cite-lumiere")
    assert [3, 0] in edition["grand_lamp_spaces"]["value"]
    assert edition["flip_buildings"] == {"value": True, "source": "user"}


def test_a_value_met_at_the_table_is_corrected_for_the_match_and_the_recorded_moves_stay(
    phone: Page, new_match: NewMatch
) -> None:
    players = [{"seat": "red", "name": "Ana"}, {"seat": "blue", "name": "Jan"}]
    match = new_match(game="paris", edition="rulebook-2020", players=players, setup={})
    played = [
        {"seat": "red", "move": {"type": "reveal", "stack": 1, "tile": "montmartre-5"}},
        {"seat": "red", "move": {"type": "place_key", "at": "bank:belleville"}},
    ]
    before = ok(match.post("/moves", {"moves": played}), 201)["state"]["seats"]["red"]["francs"]
    paid = ok(match.get("/edition"))["banks"]["belleville"]["value"]
    open_match(phone, match)
    phone.get_by_role("button", name="Menu").tap()
    phone.get_by_role("link", name="Edition").tap()
    wait_until_shown(phone)
    correct = phone.get_by_role("button", name="Correct these values for this match")
    expect(correct).to_be_disabled()
    row(phone, "banks/belleville").get_by_role("spinbutton").fill(str(paid + 4))
    correct.tap()
    expect(phone.locator("#trial")).to_contain_text("All 2 later moves still fit.")
    expect(phone.locator("#trial .verdict.ok")).to_have_count(2)
    check_axe(phone)
    phone.get_by_role("button", name="Confirm").tap()
    phone.wait_for_url(f"**/matches/{match.id}")
    wait_until_shown(phone)
    assert match.moves() == played
    assert match.frames()[-1]["state"]["seats"]["red"]["francs"] == before + 4
    open_match(phone, match, "?tool=history")
    expect(phone.locator(".edition_changed")).to_contain_text(f"Belleville: {paid} → {paid + 4}")


def test_a_new_match_says_how_many_values_of_its_edition_are_assumed(phone: Page) -> None:
    phone.goto("/matches/new?game=paris")
    phone.get_by_role("link", name="137 of 170 values of this box are assumed; check them").tap()
    phone.wait_for_url(f"**{PARIS}")
