"""What a process says of itself: a line for each request and for each trouble, as JSON or in plain words.

Neither what a request held nor what was answered is ever said, and of its address only the route: paths, query strings,
headers and bodies can hold secrets.
"""

import logging
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from time import perf_counter
from typing import Any, TextIO

import orjson
from flask import Flask, Response, g, has_request_context, request
from gunicorn.config import Config as GunicornConfig
from gunicorn.glogging import Logger

from service.identity import as_text, new_id
from service.metrics import METRICS

LONGEST_REQUEST_ID = 100
EVENT_STREAM = "text/event-stream"
METHODS = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})
"""What clients invent besides is counted as one."""

requests = logging.getLogger("carnet.requests")


class JsonLines(logging.Formatter):
    """One JSON object a line."""

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
    """One line with the time of day, and a traceback below it where there is one."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(message)s", "%H:%M:%S")

    def format(self, record: logging.LogRecord) -> str:
        facts = _facts(record)
        if "status" not in facts:
            return super().format(record)
        time = self.formatTime(record, self.datefmt)
        return f"{time} {facts['method']} {facts['route'] or '?'} {facts['status']} {facts['duration_ms']} ms"


FORMS = {"json": JsonLines, "plain": PlainLines}


def begin(form: str | None, stream: TextIO = sys.stderr) -> None:
    """Say things in a form from now on; without one, in plain words on a terminal and in JSON elsewhere."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(FORMS[form or ("plain" if stream.isatty() else "json")]())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("carnet").setLevel(logging.INFO)


def register(app: Flask) -> None:
    """Give every request an id and say a line about it when its answer has been sent."""

    @app.before_request
    def name_request() -> None:
        asked = request.headers.get("X-Request-ID", "")
        is_plain = 0 < len(asked) <= LONGEST_REQUEST_ID and asked.isascii() and asked.isprintable()
        g.request_id = asked if is_plain else str(new_id())
        g.began = perf_counter()

    @app.after_request
    def note_request(response: Response) -> Response:
        response.headers["X-Request-ID"] = g.request_id
        facts = {
            "request_id": g.request_id,
            "method": request.method,
            "route": request.url_rule.rule if request.url_rule else None,
            "status": response.status_code,
        }
        response.call_on_close(partial(_note, facts, g.began, is_stream=response.mimetype == EVENT_STREAM))
        return response


def _note(facts: Mapping[str, Any], began: float, *, is_stream: bool) -> None:
    seconds = perf_counter() - began
    if not is_stream:
        method = facts["method"] if facts["method"] in METHODS else "other"
        METRICS.requests.labels(method, facts["route"] or "none", str(facts["status"])).observe(seconds)
    level = logging.INFO if facts["status"] < 500 else logging.WARNING
    requests.log(level, "answered", extra={"facts": {**facts, "duration_ms": round(1000 * seconds, 1)}})


def _facts(record: logging.LogRecord) -> Mapping[str, Any]:
    """What a line says beside its message; of which request it tells, if of any."""
    if "facts" in record.__dict__:
        return dict(record.__dict__["facts"])
    return {"request_id": g.request_id} if has_request_context() and "request_id" in g else {}


class GunicornJournal(Logger):  # type: ignore[misc]
    """Lets gunicorn say what it has to say in our form."""

    def setup(self, cfg: GunicornConfig) -> None:
        """Leave the writing to us."""
        self.error_log.propagate = True
        self.error_log.setLevel(logging.WARNING)
