"""The colours of the pages: each pair that meets on a page has the contrast that WCAG asks for, in both themes."""

import re
from pathlib import Path

import pytest

WEB = Path(__file__).parents[3] / "service" / "web"
TOKENS = WEB / "static" / "css" / "base" / "tokens.css"
GROUNDS = ("paper", "card", "sunken")
TEXT, LARGE_OR_SIGN, SCORE = 4.5, 3.0, 7.0

PAIRS = [
    *(("ink", ground, SCORE) for ground in GROUNDS),
    *((colour, ground, TEXT) for colour in ("quiet", "link", "good", "warn") for ground in GROUNDS),
    *((colour, ground, LARGE_OR_SIGN) for colour in ("edge", "focus", "night") for ground in GROUNDS),
    ("on-night", "night", TEXT),
    ("on-lamp", "lamp", TEXT),
]
"""What is written or drawn, on what, and how much they must differ."""
CITE = WEB / "games" / "cite_lumiere" / "static" / "game.css"
CITE_PAIRS = [
    *(("cite-on-roof", f"cite-roof-{seat}", TEXT) for seat in ("orange", "blue")),
    *(("cite-on-chimney", f"cite-chimney-{seat}", LARGE_OR_SIGN) for seat in ("orange", "blue")),
    *((f"cite-print-{letter}", f"cite-ground-{letter}", LARGE_OR_SIGN) for letter in "obx"),
    ("cite-coordinates", "cite-frame", TEXT),
    ("cite-ink", "cite-plate", TEXT),
    ("cite-lamp", "cite-night", LARGE_OR_SIGN),
]
"""The same on the board of La Cité de la Lumière, whose grounds are told apart by their signs."""


def themes(sheet: Path = TOKENS) -> dict[str, dict[str, str]]:
    """The colours of both themes by their names."""
    [block] = re.findall(r":root \{(.*?)\n\}", sheet.read_text("utf-8"), re.DOTALL)[:1]
    plain = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block))
    both = re.findall(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);", block)
    return {
        "light": {**plain, **{name: light for name, light, _ in both}},
        "dark": {**plain, **{name: dark for name, _, dark in both}},
    }


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_the_measure_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("colour", "ground", "least"), PAIRS, ids=[f"{pair[0]} on {pair[1]}" for pair in PAIRS])
def test_what_is_seen_differs_enough_from_its_ground(theme: str, colour: str, ground: str, least: float) -> None:
    colours = themes()[theme]
    assert contrast(colours[colour], colours[ground]) >= least


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    ("paint", "ground", "least"), CITE_PAIRS, ids=[f"{pair[0]} on {pair[1]}" for pair in CITE_PAIRS]
)
def test_the_signs_of_la_cite_stand_out(theme: str, paint: str, ground: str, least: float) -> None:
    paints = themes(CITE)[theme]
    assert contrast(paints[paint], paints[ground]) >= least


def test_every_colour_has_its_shade_for_the_dark() -> None:
    [block] = re.findall(r":root \{(.*?)\n\}", TOKENS.read_text("utf-8"), re.DOTALL)[:1]
    assert re.findall(r"--([\w-]+): #", block) == []
    assert block.count("light-dark(") > 20


def test_no_sheet_asks_the_system_for_what_a_chosen_theme_decides() -> None:
    sheets = [*WEB.rglob("*.css")]
    assert len(sheets) > 5
    assert [sheet.name for sheet in sheets if "prefers-color-scheme" in sheet.read_text("utf-8")] == []
