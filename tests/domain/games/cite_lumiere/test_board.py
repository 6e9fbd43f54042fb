"""Sets of spaces: names, neighbours, regions and outlines."""

import pytest

from domain.games.cite_lumiere.board import (
    FULL,
    INDEX,
    MASK,
    NAMES,
    SQUARES,
    corners,
    edges,
    flood,
    names,
    outline,
    shifted,
)


def spaces(line: str) -> int:
    """The set of the named spaces."""
    return sum(MASK[space] for space in line.split())


def test_spaces_are_counted_by_row_from_the_top_left() -> None:
    assert (NAMES[0], NAMES[7], NAMES[8], NAMES[63]) == ("a1", "h1", "a2", "h8")
    assert all(INDEX[name] == index and MASK[name] == 1 << index for index, name in enumerate(NAMES))
    assert [NAMES[square] for square in SQUARES] == [f"{column}{row}" for row in "1357" for column in "aceg"]


def test_names_are_sorted_by_column_then_row() -> None:
    assert names(spaces("b1 a8 a2 h1")) == ["a2", "a8", "b1", "h1"]
    assert names(0) == []


@pytest.mark.parametrize(
    ("centre", "beside", "across"),
    [
        ("d4", "d3 c4 e4 d5", "c3 e3 c5 e5"),
        ("a1", "b1 a2", "b2"),
        ("h1", "g1 h2", "g2"),
        ("a8", "a7 b8", "b7"),
        ("h8", "h7 g8", "g7"),
        ("a4", "a3 a5 b4", "b3 b5"),
        ("h4", "h3 h5 g4", "g3 g5"),
    ],
)
def test_neighbours_end_at_the_edge(centre: str, beside: str, across: str) -> None:
    assert edges(MASK[centre]) == spaces(beside)
    assert corners(MASK[centre]) == spaces(across)


def test_the_edges_of_a_set_are_outside_it() -> None:
    assert edges(spaces("a1 b1")) == spaces("c1 a2 b2")
    assert edges(FULL) == edges(0) == 0


def test_a_flood_goes_over_edges_within_its_region() -> None:
    region = spaces("a1 b1 c2 h1 a2 a3")
    assert flood(MASK["a1"], region) == spaces("a1 b1 a2 a3")
    assert flood(MASK["d4"], region) == MASK["d4"]
    assert flood(MASK["a1"], ~0) == FULL


@pytest.mark.parametrize(
    ("start", "columns", "rows", "end"),
    [
        ("a1", 1, 2, "b3"),
        ("h8", -7, -7, "a1"),
        ("a1", -1, 0, ""),
        ("a1", 0, -1, ""),
        ("h1", 1, 0, ""),
        ("h8", 0, 1, ""),
        ("a2", -1, 1, ""),
    ],
)
def test_a_space_is_shifted_and_not_beyond_the_edge(start: str, columns: int, rows: int, end: str) -> None:
    assert shifted(MASK[start], columns, rows) == spaces(end)


@pytest.mark.parametrize(
    ("rows", "flip", "orientations", "placements"),
    [
        (("#",), False, 1, 64),
        (("##",), False, 2, 112),
        (("##", "##"), False, 1, 49),
        ((".#", "##"), False, 4, 196),
        (("##", ".#", ".#"), False, 4, 168),
        (("##", ".#", ".#"), True, 8, 336),
        (("#.", "##", ".#"), True, 4, 168),
    ],
)
def test_an_outline_has_every_orientation_once(
    rows: tuple[str, ...], flip: bool, orientations: int, placements: int
) -> None:
    shape = outline(rows, flip)
    assert (len(shape.orientations), len(shape.placements)) == (orientations, placements)
    assert set(shape.within(FULL)) == shape.placements
    assert len(list(shape.within(FULL))) == placements


def test_an_outline_lies_on_allowed_spaces_alone() -> None:
    shape = outline((".#", "##"), flip=False)
    room = spaces("a1 b1 b2 h8 h7")
    assert list(shape.within(room)) == [spaces("a1 b1 b2")]
    assert shape.fits(room)
    assert not shape.fits(room & ~MASK["b1"]) and list(shape.within(room & ~MASK["b1"])) == []


def test_an_outline_does_not_leap_over_the_edge() -> None:
    shape = outline(("###",), flip=False)
    assert not shape.fits(spaces("g1 h1 a2 b2"))
    assert spaces("g1 h1 a2") not in shape.placements
