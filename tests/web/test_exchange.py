"""Importing a file on its page: a preview, who is who, taking it over and undoing that."""

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.service.exchange.files import export
from tests.service.harness import Service, ok
from tests.web.checks import wait_until_shown


def test_a_file_is_looked_at_taken_over_and_undone(desk: Page, service: Service, tmp_path: Path) -> None:
    file = tmp_path / "BGStatsExport.json"
    file.write_bytes(export())
    desk.goto("/import")
    wait_until_shown(desk)
    desk.set_input_files("input[type=file]", file)
    expect(desk.locator(".counts")).to_contain_text("4 new")
    expect(desk.get_by_label("Who is who")).to_contain_text("Zofia Wójcik")
    assert ok(service.get("/matches"))["items"] == []
    desk.get_by_role("button", name="Import", exact=True).click()
    expect(desk.locator("#report h2")).to_have_text("Imported")
    expect(desk.locator("#imports")).to_contain_text("4 matches taken over")
    assert len(ok(service.get("/matches"))["items"]) == 4
    desk.locator("#imports").get_by_role("button", name="Undo this import").click()
    expect(desk.locator("#report")).to_contain_text("4 withdrawn")
    assert ok(service.get("/matches"))["items"] == []


def test_a_file_that_is_dropped_on_the_start_page_is_previewed(desk: Page, service: Service) -> None:
    desk.goto("/")
    wait_until_shown(desk)
    desk.evaluate(
        """(text) => {
            const files = new DataTransfer();
            files.items.add(new File([text], "BGStatsExport.json"));
            window.dispatchEvent(new DragEvent("drop", { dataTransfer: files, cancelable: true }));
        }""",
        export().decode(),
    )
    desk.wait_for_url("**/import")
    expect(desk.locator(".counts")).to_contain_text("4 new")
