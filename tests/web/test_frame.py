"""The frame of all pages: files, languages, the menu, refusals as pages."""

import gzip

import brotli
from flask import Flask
from playwright.sync_api import Page, expect

from service.web.static import files, static
from service.web.texts import LANGUAGES
from tests.service.conftest import NewMatch
from tests.web.checks import check_axe
from tests.web.conftest import DESK, NewContext, Watched


def test_the_language_is_that_of_the_browser_until_another_is_chosen(phone: Page) -> None:
    phone.goto("/?status=finished")
    assert phone.locator("html").get_attribute("lang") == "en"
    phone.get_by_role("button", name="Čeština").click()
    expect(phone.locator("html")).to_have_attribute("lang", "cs")
    assert phone.url.endswith("/?status=finished")
    phone.goto("/account")
    expect(phone.get_by_role("heading", name="Účet")).to_be_visible()


def test_every_language_of_a_browser_is_understood(app: Flask) -> None:
    for language in LANGUAGES:
        page = app.test_client().get("/", headers={"Accept-Language": f"xx, {language}-XX;q=0.9, en;q=0.1"})
        assert f'<html lang="{language}"' in page.text
    assert '<html lang="en"' in app.test_client().get("/", headers={"Accept-Language": "fi"}).text


def test_the_switch_of_languages_leads_nowhere_else(app: Flask) -> None:
    for before in (
        "https://evil.example/x",
        "http://localhost//evil.example",
        "http://localhost/\\evil",
        "nonsense",
        None,
    ):
        headers = {} if before is None else {"Referer": before}
        answer = app.test_client().post("/language", data={"lang": "pl"}, headers=headers)
        assert (answer.status_code, answer.headers["Location"]) == (303, "/")
    kept = app.test_client().post("/language", data={"lang": "pl"}, headers={"Referer": "http://localhost/account?a=b"})
    assert kept.headers["Location"] == "/account?a=b"
    assert "SameSite=Strict" in kept.headers["Set-Cookie"]
    unknown = app.test_client().post("/language", data={"lang": "xx"})
    assert "Set-Cookie" not in unknown.headers


def test_files_are_kept_for_good_and_travel_packed(app: Flask) -> None:
    plain = app.test_client().get(static("js/boot.js"), headers={"Accept-Encoding": "identity"})
    packed = app.test_client().get(static("js/boot.js"), headers={"Accept-Encoding": "gzip"})
    smallest = app.test_client().get(static("js/boot.js"), headers={"Accept-Encoding": "gzip, br"})
    assert smallest.headers["Content-Encoding"] == "br"
    assert brotli.decompress(smallest.data) == plain.data
    assert len(smallest.data) < len(packed.data)
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data
    for answer in (plain, packed, smallest):
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert answer.content_type == "text/javascript; charset=utf-8"
        assert answer.headers["Vary"] == "Accept-Encoding"


def test_files_of_another_time_are_not_mixed_with_those_of_today(app: Flask) -> None:
    client = app.test_client()
    assert client.get(static("js/boot.js").replace(files().digest, "0" * 12)).status_code == 404
    assert client.get(static("js/boot.js").replace("boot", "api")).status_code == 404  # only its chunk is served
    assert client.get(static("css/base.css")[:-8] + "../pages.py").status_code == 404


def test_people_read_refusals_as_a_page_and_programs_as_a_problem(app: Flask, phone: Page, watched: Watched) -> None:
    watched.expect("status of 404")
    phone.goto("/nowhere")
    expect(phone.get_by_role("heading", name="Not found")).to_be_visible()
    check_axe(phone)
    assert app.test_client().get("/nowhere").content_type == "application/problem+json"
    asked_by_browser = app.test_client().get("/api/v1/nowhere", headers={"Accept": "text/html"})
    assert asked_by_browser.content_type == "application/problem+json"


def test_the_menu_opens_and_closes_by_keyboard(desk: Page) -> None:
    desk.goto("/")
    desk.get_by_role("button", name="Menu").press("Enter")
    menu = desk.get_by_role("navigation", name="Menu")
    expect(menu.get_by_role("link", name="Matches")).to_have_attribute("aria-current", "page")
    check_axe(desk)
    desk.keyboard.press("Escape")
    expect(menu).to_be_hidden()


def test_a_theme_is_chosen_and_kept_whatever_the_system_has(new_context: NewContext, new_match: NewMatch) -> None:
    desk = new_context.tab(DESK, color_scheme="light")
    ground = "getComputedStyle(document.body).backgroundColor"
    desk.goto("/account")
    light = desk.evaluate(ground)
    desk.get_by_role("button", name="Dark").click()
    expect(desk.get_by_role("button", name="Dark")).to_have_attribute("aria-current", "true")
    assert desk.url.endswith("/account")
    dark = desk.evaluate(ground)
    assert dark != light
    path = new_match().path
    desk.goto(path)
    assert desk.evaluate(ground) == dark
    desk.get_by_role("button", name="Menu").click()
    desk.get_by_role("button", name="As the system").click()
    desk.wait_for_function(f"(light) => {ground} === light", arg=light)
    assert desk.url.endswith(path)
