"""The written rules name every refusal as the games do: its code, its kind and a section that exists."""

import re
from pathlib import Path

import pytest

from domain.catalogue import GAMES
from domain.game import Reason

RULES = Path(__file__).parents[2] / "docs" / "rules"

SECTION = re.compile(r"^### (\d+\.\d+) \S", re.MULTILINE)
CODES = re.compile(r"^## 10\. .*?$(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\| `(?P<code>[a-z_]+)` \| (?P<kind>\w+) \| (?P<rule>\d+\.\d+) \| \S.* \|$", re.MULTILINE)
HEAD = ("| code | kind | section | when |", "|---|---|---|---|")

every_game = pytest.mark.parametrize("game", GAMES)


def rules_of(game: str) -> str:
    return (RULES / f"{game}.md").read_text("utf-8")


def codes_of(game: str) -> str:
    found = CODES.search(rules_of(game))
    assert found is not None, "the rules have no section 10"
    return found.group(1)


@every_game
def test_every_refusal_stands_in_the_table_with_its_kind_and_section(game: str) -> None:
    written = {(row["code"], row["kind"], row["rule"]) for row in ROW.finditer(codes_of(game))}
    assert written == {(code, str(refusal.kind), refusal.rule) for code, refusal in refusals_of(game)}


@every_game
def test_no_code_stands_in_the_table_twice(game: str) -> None:
    codes = [row["code"] for row in ROW.finditer(codes_of(game))]
    assert sorted(codes) == sorted(set(codes))


@every_game
def test_every_line_of_the_table_can_be_read(game: str) -> None:
    lines = [line for line in codes_of(game).splitlines() if line.startswith("|") and line not in HEAD]
    assert [line for line in lines if not ROW.match(line)] == []


@every_game
def test_every_section_that_a_refusal_names_is_a_heading(game: str) -> None:
    headings = SECTION.findall(rules_of(game))
    assert {refusal.rule for _, refusal in refusals_of(game)} <= set(headings)


@every_game
def test_no_section_has_two_headings(game: str) -> None:
    headings = SECTION.findall(rules_of(game))
    assert len(headings) == len(set(headings))


def refusals_of(game: str) -> list[tuple[str, Reason]]:
    return list(GAMES[game].reasons.items())
