"""The picture of a link to a match: what it shows, who gets it, and how paths become pixels."""

import io
from hashlib import sha256

from flask import Flask
from PIL import Image

from service.drawing import preview
from service.drawing.raster import rasterize
from tests.service.conftest import NewMatch
from tests.service.harness import OPENING, finished_match, ok

LAMP, BLUE = (245, 196, 81), (47, 116, 192)


def image_of(content: bytes) -> Image.Image:
    return Image.open(io.BytesIO(content)).convert("RGB")


def is_near(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return all(abs(first - second) <= 8 for first, second in zip(one, other, strict=True))


def test_a_link_to_a_match_has_a_picture_that_changes_with_it(app: Flask, new_match: NewMatch) -> None:
    match, client = new_match(visibility="public", venue="Library"), app.test_client()
    address = f"/matches/{match.id}/preview.png"
    begun = client.get(address)
    assert (begun.status_code, begun.content_type) == (200, "image/png")
    assert image_of(begun.data).size == (1200, 630)
    assert client.get(address, headers={"If-None-Match": begun.headers["ETag"]}).status_code == 304
    match.record(*OPENING)
    later = client.get(address, headers={"If-None-Match": begun.headers["ETag"]})
    assert later.status_code == 200
    assert later.data != begun.data
    page = client.get(f"/matches/{match.id}", headers={"Accept": "text/html"}).text
    assert f'property="og:image" content="http://localhost/matches/{match.id}/preview.png?version=7"' in page


def test_the_row_of_the_winner_is_lit(app: Flask, new_match: NewMatch) -> None:
    match = new_match(visibility="public")
    ok(match.post("/moves", {"moves": list(finished_match())}), 201)
    picture = image_of(app.test_client().get(f"/matches/{match.id}/preview.png").data)
    lit = [y for y in range(630) if is_near(picture.getpixel((1165, y)), LAMP)]  # type: ignore[arg-type]
    assert 80 <= len(lit) <= 128
    assert lit[-1] < 630 / 2, "the winner stands first"


def test_a_result_without_a_board_and_names_in_any_letters_are_drawn(app: Flask, new_match: NewMatch) -> None:
    people = [{"seat": "orange", "name": "Łukasz " * 8}, {"seat": "blue", "name": "愛子"}]
    match = new_match(players=people, setup={"result_only": True, "points": {"orange": -3, "blue": 57}})
    content = app.test_client().get(f"/matches/{match.id}/preview.png").data
    assert image_of(content).size == (1200, 630)


def test_paths_are_filled_and_stroked_as_svg_says() -> None:
    drawing = (
        '<svg viewBox="0 0 10 10" fill="none" stroke-linecap="round">'
        '<path d="M0 0h4v4H0zM6 0l4 0 0 4-4 0z" fill="#ff0000"/>'
        '<path d="M2 8h0" stroke="#00ff00" stroke-width="2"/>'
        '<path d="M6 8a2 2 0 1 0 4 0a2 2 0 1 0-4 0z" fill="var(--blue)"/>'
        '<path d="M0 5.5H10" stroke="#000000" stroke-width=".4" stroke-dasharray="3 4" stroke-linecap="butt"/></svg>'
    )
    image = rasterize(drawing, 100, paints={"var(--blue)": "#2f74c0"})
    shown = {(x, y): image.getpixel((x, y)) for x, y in ((20, 20), (80, 20), (50, 20), (20, 80), (80, 80), (62, 62))}
    assert shown[20, 20] == shown[80, 20] == (255, 0, 0, 255)
    assert shown[50, 20] == shown[62, 62] == (0, 0, 0, 0)
    assert shown[20, 80] == (0, 255, 0, 255)
    assert shown[80, 80] == (*BLUE, 255)
    dark = [x for x in range(100) if image.getpixel((x, 55)) == (0, 0, 0, 255)]
    assert {x // 10 for x in dark} == {0, 1, 2, 7, 8, 9}


def test_the_font_is_the_one_that_its_licence_names() -> None:
    assert sha256(preview.FONT.read_bytes()).hexdigest() == (
        "8ee9baefe1608408cc629da0a04646100942be50671258ede95cb664b910eda7"
    )
    assert (preview.FONT.parent / "LICENSE").exists()
