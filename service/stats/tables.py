"""The same answers as JSON and as CSV."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from typing import Any

from flask import Response, request

from service.responses import answer
from service.vary import note_varies

CSV = "text/csv"


def answer_statistics(document: Mapping[str, Any]) -> Response:
    """An answer in the form that the client asks for.

    In CSV a list has a row for each item, with what it is about in headers; anything else a row for each figure.
    """
    note_varies("Accept")
    if request.accept_mimetypes.best_match(["application/json", CSV]) != CSV:
        return answer(document)
    headers = {"Carnet-As-Of": str(document["as_of"]), "Carnet-Population": _said(document["population"])}
    if "items" in document:
        return _table([dict(_flat(item)) for item in document["items"]], headers)
    figures = {name: member for name, member in document.items() if name not in {"filters", "as_of"}}
    return _table([{"figure": name, "value": value} for name, value in _flat(figures)], headers)


def _table(rows: Sequence[Mapping[str, Any]], headers: Mapping[str, str]) -> Response:
    columns = list(dict.fromkeys(name for row in rows for name in row))
    text = StringIO()
    writer = csv.DictWriter(text, columns)
    writer.writeheader()
    writer.writerows({name: _harmless(value) for name, value in row.items()} for row in rows)
    return Response(text.getvalue(), headers=dict(headers), content_type=f"{CSV}; charset=utf-8; header=present")


def _flat(member: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """The values of a document by the names on the way to them; the two ends of an interval are low and high."""
    inner = f"{name}." if name else ""
    if isinstance(member, Mapping):
        for part, value in member.items():
            yield from _flat(value, f"{inner}{part}")
    elif isinstance(member, list) and name.rpartition(".")[2] == "interval":
        yield from ((f"{name}.{end}", value) for end, value in zip(("low", "high"), member, strict=True))
    elif isinstance(member, list) and member and not isinstance(member[0], str):
        for index, value in enumerate(member, 1):
            yield from _flat(value, f"{inner}{index}")
    else:
        yield name, " ".join(member) if isinstance(member, list) else member


def _harmless(value: Any) -> Any:
    """A text that no spreadsheet takes for a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in "=+-@\t\r" and value else value


def _said(population: Mapping[str, Any]) -> str:
    parts = {"included": population["included"], **population["excluded"]}
    return ", ".join(f"{name}={number}" for name, number in parts.items())
