"""Statistics as CSV: whole tables under headers that do not depend on the data, and pages that link to the next."""

import csv
import json
from io import StringIO

import pytest

from tests.service.conftest import NewMatch
from tests.service.harness import API, Service
from tests.service.stats.conftest import PLAYERS
from tests.service.stats.test_figures import OTHER, PLAYER, ask


def table(corpus: Service, path: str) -> list[dict[str, str]]:
    """The rows of an answer as CSV."""
    return list(csv.DictReader(StringIO(corpus.get(f"/stats/{path}", {"Accept": "text/csv"}).text)))


def test_every_answer_is_a_table_too(corpus: Service) -> None:
    paths = (
        *("players?game=paris", f"players/{PLAYER}", f"head-to-head?a={PLAYER}&b={OTHER}", "games/paris"),
        *("games/paris/features", "games/paris/openings", "ratings", f"players/{PLAYER}/ratings"),
    )
    for path in paths:
        response = corpus.get(f"/stats/{path}", {"Accept": "text/csv"})
        assert response.status_code == 200 and response.content_type.startswith("text/csv"), response.text
        assert response.headers["Carnet-Population"].startswith("included=")
        assert response.text.count("\n") > 2
        name = path.partition("?")[0].replace("/", "-")
        assert response.headers["Content-Disposition"] == f'attachment; filename="{name}.csv"'
    row = ask(corpus, "players", limit="1", game="paris")["items"][0]
    first = table(corpus, "players?game=paris")[0]
    assert first["player.id"] == row["player"]["id"]
    assert float(first["win_rate.interval.low"]) == row["win_rate"]["interval"][0]


@pytest.mark.parametrize("path", ["players", "ratings"])
def test_a_table_is_whole_whatever_the_page_is(corpus: Service, path: str) -> None:
    items = corpus.all_items(f"/stats/{path}?limit=5")
    assert len(items) == PLAYERS
    for query in ("", "?limit=2", f"?limit=2&cursor={ask(corpus, path, limit='2')['next']}"):
        rows = table(corpus, path + query)
        assert [row["player.id"] for row in rows] == [item["player"]["id"] for item in items]


@pytest.mark.parametrize("path", ["players", "ratings"])
def test_a_page_of_statistics_links_to_the_next_one(corpus: Service, path: str) -> None:
    response = corpus.get(f"/stats/{path}?limit=2&game=paris")
    address = f"{API}/stats/{path}?limit=2&game=paris&cursor={response.get_json()['next']}"
    assert response.headers["Link"] == f'<{address}>; rel="next"'
    assert "Link" not in corpus.get(f"/stats/{path}?limit=200").headers


@pytest.mark.parametrize(
    "path", ["players", "ratings", f"players/{PLAYER}/ratings", "games/paris/features", "games/paris/openings"]
)
def test_the_columns_of_a_table_do_not_depend_on_the_data(corpus: Service, path: str) -> None:
    headers = {
        corpus.get(f"/stats/{path}?{query}", {"Accept": "text/csv"}).text.splitlines()[0]
        for query in ("", "from=2100-01-01", "venue=nowhere", "to=2024-02-01")
    }
    assert len(headers) == 1
    (header,) = headers
    described = corpus.get("/openapi.json").text
    assert ", ".join(f"`{column}`" for column in header.split(",")) in described


def test_openings_are_a_table_of_nodes(corpus: Service) -> None:
    found = ask(corpus, "games/cite-lumiere/openings", depth="2")
    rows = table(corpus, "games/cite-lumiere/openings?depth=2")
    nodes = [(child, found["node"]) for child in found["children"]]
    nodes += [(child, parent["node"]) for parent, _ in nodes for child in parent["children"]]
    assert {(row["node"], row["parent"], row["n"]) for row in rows} == {
        (node["node"], parent or "", str(node["n"])) for node, parent in nodes
    }
    moves = {node["node"]: node["move"] for node, _ in nodes}
    assert all(json.loads(row["move"]) == moves[row["node"]] for row in rows)


def test_no_name_is_taken_for_a_formula(service: Service, new_match: NewMatch) -> None:
    names = ["=1+2", "-1+2", "+12", "@SUM(1)", "Ana-Lea"]
    for name in names:
        players = [{"seat": "orange", "name": name}, {"seat": "blue", "name": "Jan"}]
        new_match(players=players, setup={"result_only": True, "points": {"orange": 48, "blue": 57}})
    written = {row["player.name"] for row in table(service, "players")}
    assert written == {"'=1+2", "'-1+2", "'+12", "'@SUM(1)", "Ana-Lea", "Jan"}
