"""The same answers as JSON and as CSV."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from typing import Any, Final

import orjson
from flask import Response, request

from service.http.pagination import next_link, write_position
from service.http.responses import CSV, answer
from service.http.vary import note_varies
from service.stats.columns import FIGURES, TABLES
from service.stats.games import OpeningStatistics

ENDS: Final = ("low", "high")
"""The columns of an interval."""


def wants_table() -> bool:
    """Whether the client asks for CSV."""
    note_varies("Accept")
    return request.accept_mimetypes.best_match(["application/json", CSV]) == CSV


def answer_statistics(document: Mapping[str, Any], shape: type) -> Response:
    """An answer of a shape, in the form that the client asks for."""
    if not wants_table():
        return answer(document)
    if "items" in document:
        rows = [dict(_flat(item)) for item in document["items"]]
    elif shape is OpeningStatistics:
        rows = [dict(_flat(node)) for node in _nodes(document)]
    else:
        figures = {name: member for name, member in document.items() if name not in {"filters", "as_of"}}
        rows = [dict(zip(FIGURES, figure, strict=True)) for figure in _flat(figures)]
    return _table(TABLES.get(shape.__name__, FIGURES), rows, document)


def answer_statistics_page(document: Mapping[str, Any], shape: type, first: int, limit: int) -> Response:
    """A page of a list that begins at a position and of which the item behind the page is at hand, or all as CSV."""
    items = document["items"]
    if wants_table():
        return answer_statistics(document, shape)
    return _page({**document, "items": items[:limit]}, write_position(first + limit) if len(items) > limit else None)


def answer_openings(document: Mapping[str, Any], following: str | None) -> Response:
    """A page of the tree of openings with where the next one begins, or all as CSV."""
    if wants_table():
        return answer_statistics(document, OpeningStatistics)
    return _page(document, following)


def _page(document: Mapping[str, Any], following: str | None) -> Response:
    headers = {} if following is None else {"Link": next_link(following)}
    return answer({**document, "next": following}, headers)


def _table(columns: Sequence[str], rows: Sequence[Mapping[str, Any]], document: Mapping[str, Any]) -> Response:
    """Rows under a header that does not depend on them; what the answer is about stands in headers."""
    text = StringIO()
    writer = csv.DictWriter(text, columns)
    writer.writeheader()
    writer.writerows({name: _harmless(value) for name, value in row.items()} for row in rows)
    name = request.path.partition("/stats/")[2].replace("/", "-")
    headers = {
        "Carnet-As-Of": "" if document["as_of"] is None else str(document["as_of"]),
        "Carnet-Population": _counts(document["population"]),
        "Content-Disposition": f'attachment; filename="{name}.csv"',
    }
    return Response(text.getvalue(), headers=headers, content_type=f"{CSV}; charset=utf-8; header=present")


def _nodes(tree: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The nodes below one in the tree of openings, each before those below it."""
    for child in tree["children"] or ():
        move = orjson.dumps(child["move"]).decode()
        row = {name: member for name, member in child.items() if name != "children"}
        yield {**row, "parent": tree["node"], "move": move}
        yield from _nodes(child)


def _flat(member: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """The values of a document by the names on the way to them; the two ends of an interval are low and high."""
    inner = f"{name}." if name else ""
    if name.rpartition(".")[2] == "interval":
        yield from ((f"{name}.{end}", value) for end, value in zip(ENDS, member or (None, None), strict=True))
    elif isinstance(member, Mapping):
        for part, value in member.items():
            yield from _flat(value, f"{inner}{part}")
    elif isinstance(member, list) and not (member and isinstance(member[0], str)):
        for index, value in enumerate(member, 1):
            yield from _flat(value, f"{inner}{index}")
    elif isinstance(member, bool):
        yield name, "true" if member else "false"
    else:
        yield name, " ".join(member) if isinstance(member, list) else member


def _harmless(value: Any) -> Any:
    """A text that no spreadsheet takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in "=+-@\t\r" and value else value


def _counts(population: Mapping[str, Any]) -> str:
    parts = {"included": population["included"], **population["excluded"]}
    return ", ".join(f"{name}={number}" for name, number in parts.items())
