"""The written rules as pages: every section that a refusal names has its anchor, and they come along when installed."""

import re
from pathlib import Path

import pytest

from domain.catalogue import GAMES
from service.web.markdown import read_markdown
from service.web.texts import game_folder
from tests.service.harness import Service, problem

ROOT = Path(__file__).parents[3]

every_game = pytest.mark.parametrize("game", GAMES)


def page_of(service: Service, game: str, **headers: str) -> str:
    response = service.client.get(f"/games/{game}/rules", headers={"Accept": "text/html", **headers})
    assert response.status_code == 200
    return response.get_data(as_text=True)


@pytest.mark.unchanging
@every_game
def test_every_section_that_a_refusal_names_has_an_anchor_and_every_reference_leads_to_one(
    service: Service, game: str
) -> None:
    page = page_of(service, game)
    anchors = re.findall(r'<h[23] id="([\d.]+)"', page)
    assert len(anchors) == len(set(anchors))
    assert {refusal.rule for refusal in GAMES[game].reasons.values()} <= set(anchors)
    assert set(re.findall(r'href="#([\d.]+)"', page)) <= set(anchors)


@pytest.mark.unchanging
@every_game
def test_what_players_read_comes_first_and_has_no_codes(service: Service, game: str) -> None:
    page = page_of(service, game)
    at_the_table, _, for_programs = page.partition('<h2 id="for-programs">')
    assert '<h2 id="at-the-table">' in at_the_table and 'href="#for-programs"' in at_the_table
    codes = {f"<code>{code}</code>" for code in GAMES[game].reasons}
    assert [code for code in codes if code in at_the_table] == []
    assert [code for code in codes if code not in for_programs] == []


@pytest.mark.unchanging
@every_game
def test_nothing_of_the_notation_is_left_in_the_page(service: Service, game: str) -> None:
    _, _, article = page_of(service, game).partition("<article")
    shown = re.sub(r"<pre.*?</pre>", "", article, flags=re.DOTALL)
    assert not re.search(r"\*\*|`|^\s*[|#]|<p>(- |&gt;)", shown, re.MULTILINE)


@pytest.mark.unchanging
def test_the_rules_are_marked_as_english_and_the_frame_is_translated(service: Service) -> None:
    page = page_of(service, "cite-lumiere", **{"Accept-Language": "pl"})
    assert '<html lang="pl">' in page and '<article lang="en">' in page and "Zasady są spisane po angielsku." in page


@pytest.mark.unchanging
def test_a_game_that_is_not_there_has_no_rules(service: Service) -> None:
    problem(service.client.get("/games/chess/rules"), 404, "not-found")


@every_game
def test_the_rules_that_come_along_are_those_of_the_documents(game: str) -> None:
    assert (game_folder(game) / "rules.md").resolve() == ROOT / "docs" / "rules" / f"{game}.md"


def test_what_the_rules_use_of_markdown_becomes_html() -> None:
    read = read_markdown(
        "# A *game*\n\nSee 1.1 and 2.5.\n\n## For you\n\n## 1. First\n\n### 1.1 Inner\n\n"
        "- **bold** `a < b`\n  goes on\n- [x](y.md)\n\n"
        "| a | b |\n|---|---:|\n| *c* | 1.1 |\n\n```sh\nraw **x**\n\n| y\n```\n\n"
        "> One\n> example.\n>\n> Another.\n\nEnd."
    )
    assert (read.title, [(section.anchor, section.number, section.title) for section in read.sections]) == (
        "A *game*",
        [("for-you", None, "For you"), ("1", "1", "First")],
    )
    assert str(read.html).split("\n") == [
        '<p>See <a href="#1.1">1.1</a> and 2.5.</p>',
        '<h2 id="for-you">For you</h2>',
        '<h2 id="1"><a href="#1">1</a> First</h2>',
        '<h3 id="1.1"><a href="#1.1">1.1</a> Inner</h3>',
        '<ul><li><strong>bold</strong> <code>a &lt; b</code> goes on</li><li><a href="y.md">x</a></li></ul>',
        '<div class="scrolled" tabindex="0"><table><thead><tr><th>a</th><th>b</th></tr></thead>'
        "<tbody><tr><td><em>c</em></td>"
        '<td><a href="#1.1">1.1</a></td></tr></tbody></table></div>',
        '<pre tabindex="0"><code>raw **x**',
        "",
        "| y</code></pre>",
        "<blockquote><p>One example.</p><p>Another.</p></blockquote>",
        "<p>End.</p>",
    ]
