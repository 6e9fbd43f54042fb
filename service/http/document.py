"""Responses that are one JSON document."""

from collections.abc import Mapping
from typing import Any

from flask import Response
from werkzeug.datastructures import Headers


class Document(Response):
    """A complete JSON document, so that the length is known before it is sent."""

    def __init__(self, body: bytes, status: int, headers: Mapping[str, str] | None) -> None:
        length = ("Content-Length", str(len(body)))
        own = headers.items() if headers else ()
        super().__init__([body], status, Headers([("Content-Type", "application/json"), length, *own]))
        self.document: Any = None
        """What it was made from, if that is known."""
