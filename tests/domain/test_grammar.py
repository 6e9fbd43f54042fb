"""The grammar in `docs/notation.md` and the reader written by hand take the same texts and see the same in them."""

import re
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from lark import Lark, Token, Tree
from lark.exceptions import LarkError

from domain.catalogue import GAMES
from domain.match.notation import MatchText, TextError, read_text, write_match
from domain.shorthand import Shorthand
from tests.domain.texts import EXAMPLE, changed_texts, match_texts

DOCUMENT = (Path(__file__).parents[2] / "docs/notation.md").read_text("utf-8")
BEYOND = frozenset(
    "after-the-end missing twice unknown-game wrong-edition wrong-ply wrong-seat wrong-move wrong-setup wrong-id "
    "wrong-time wrong-points wrong-glyph wrong-mark wrong-place nothing-to-continue not-json".split()
)
"""What a grammar cannot say of a text, or not without the words of the games."""


@cache
def grammar() -> Lark:
    [block] = re.findall(r"```lark\n(.*?)```", DOCUMENT, re.DOTALL)
    return Lark(block, start="file", parser="lalr", lexer="contextual", maybe_placeholders=True)


def parsed(text: str) -> Tree[Token] | None:
    try:
        return grammar().parse(text)
    except LarkError:
        return None


def require_agreement(text: str) -> None:
    """Assert that both readers take a text and see the same, or that both refuse it."""
    tree, read = parsed(text), read_text(text, GAMES)
    errors = [error for error in read if isinstance(error, TextError)]
    if tree is None:
        assert errors, text
    elif errors:
        assert {error.code for error in errors} <= BEYOND, (text, errors[0].code, errors[0].line)
    else:
        assert [moves_of(match) for match in tree.children] == [moves_read(match) for match in read], text


_COMPARED = frozenset({"PLY", "SEAT", "DEPTH"})


def moves_of(match: Any) -> list[list[Any]]:
    """The kinds of lines of the body as the grammar sees them, with what the moves are."""
    return [
        [line.data, *(str(child) for child in line.children if isinstance(child, Token) and child.type in _COMPARED)]
        for line in match.children
        if line.data in ("move", "variation")
    ]


def moves_read(match: Any) -> list[list[Any]]:
    assert isinstance(match, MatchText)
    lines: list[tuple[Any, ...]] = []
    for number, (line, entry) in enumerate(zip(match.move_lines, match.moves, strict=True), start=1):
        lines.append((line, "move", str(number), entry.seat))
    for remarks in match.remarks.values():
        for note in remarks.notes:
            for depth, at, entry, line in note.variations:
                lines.append((line, "variation", "|" * depth + " ", str(at), entry.seat))
    return [words for _, *words in sorted(lines)]


@settings(deadline=None, max_examples=30, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_both_readers_take_what_carnet_writes(data: st.DataObject) -> None:
    matches = data.draw(st.lists(match_texts(), min_size=1, max_size=2))
    require_agreement("\n".join(map(write_match, matches)))


@settings(deadline=None, max_examples=100, suppress_health_check=list(HealthCheck))
@given(changed_texts())
@example(EXAMPLE.replace("\n", "\r\n"))
@example(EXAMPLE.replace(" ", "  "))
@example("")
@example("\n\n")
@example("end\n")
@example("carnet 1\nend\n")
@example("carnet\n")
def test_both_readers_agree_on_texts_that_were_changed(text: str) -> None:
    require_agreement(text)


def test_the_example_of_the_document_is_what_it_says() -> None:
    [block] = re.findall(r"```carnet\n(.*?)```", DOCUMENT, re.DOTALL)
    require_agreement(block)
    [match] = read_text(block, GAMES)
    assert isinstance(match, MatchText)
    assert write_match(match) == block


def test_the_words_of_all_games_are_in_the_document() -> None:
    documented = set(re.findall(r"^\| `([^`]+)` \|", DOCUMENT, re.MULTILINE))
    for game in GAMES.values():
        shorthands: list[tuple[str, Shorthand]] = [("", game.notation.MOVES), ("setup ", game.notation.SETUP)]
        for prefix, shorthand in shorthands:
            assert {prefix + form.usage for form in shorthand.forms} <= documented
