"""Logging: a line for each request and for each error, as JSON or as plain text.

Content of requests and responses is never logged, and of a path only its route: paths, query strings, headers and
bodies can hold secrets.
"""

import logging
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, TextIO

import orjson
from flask import has_request_context, request
from gunicorn.config import Config as GunicornConfig
from gunicorn.glogging import Logger

from service.http.middleware import REQUEST_ID
from service.identity import as_text

UNKNOWN_ROUTE = "(unknown address)"
"""In plain lines; a path without a route may be a secret that was cut or mistyped."""


class JsonLines(logging.Formatter):
    """A formatter of JSON objects, one per line."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": as_text(datetime.fromtimestamp(record.created, UTC)),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **_facts(record),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return orjson.dumps(line).decode()


class PlainLines(logging.Formatter):
    """A formatter of lines with the time of day, followed by the traceback if there is one."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(message)s", "%H:%M:%S")

    def format(self, record: logging.LogRecord) -> str:
        facts = _facts(record)
        if "status" not in facts:
            return super().format(record)
        time = self.formatTime(record, self.datefmt)
        return f"{time} {facts['method']} {facts['route'] or UNKNOWN_ROUTE} {facts['status']} {facts['duration_ms']} ms"


FORMS = {"json": JsonLines, "plain": PlainLines}


def configure_logging(form: str | None, stream: TextIO = sys.stderr) -> None:
    """Configure logging in a format; by default plain on a terminal and JSON elsewhere."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(FORMS[form or ("plain" if stream.isatty() else "json")]())
    # Nobody needs the place in the code, the thread or the process, so logging need not find them out
    # ("Optimization" in Python's logging HOWTO). 7 µs of 212 per frame, 3 %; 14 µs of 496 per move, 3 % (2026-11).
    logging._srcfile = None
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("carnet").setLevel(logging.INFO)


def _facts(record: logging.LogRecord) -> Mapping[str, Any]:
    """The members of a line besides its message, with the request id if there is one."""
    if "facts" in record.__dict__:
        return dict(record.__dict__["facts"])
    return {"request_id": request.environ[REQUEST_ID]} if has_request_context() else {}


class GunicornLogger(Logger):  # type: ignore[misc]
    """Makes gunicorn log in our format."""

    def setup(self, cfg: GunicornConfig) -> None:
        """Leave the handlers to our configuration."""
        self.error_log.propagate = True
        self.error_log.setLevel(logging.WARNING)
