"""What a process says of itself: a line for each request and for each trouble, as JSON or in plain words.

Neither what a request held nor what was answered is ever said, and of its address only the route: paths, query strings,
headers and bodies can hold secrets.
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

from service.identity import as_text, new_label

LONGEST_REQUEST_ID = 100
REQUEST_ID = "carnet.request_id"
"""Where the environment of a request has its id."""

UNKNOWN_ROUTE = "(unknown address)"
"""In plain lines; an address that leads nowhere may be a secret that was cut or mistyped."""

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
        return f"{time} {facts['method']} {facts['route'] or UNKNOWN_ROUTE} {facts['status']} {facts['duration_ms']} ms"


FORMS = {"json": JsonLines, "plain": PlainLines}


def begin(form: str | None, stream: TextIO = sys.stderr) -> None:
    """Say things in a form from now on; without one, in plain words on a terminal and in JSON elsewhere."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(FORMS[form or ("plain" if stream.isatty() else "json")]())
    # None of our lines says where in the code, by which thread or by which process: nobody needs to find that out.
    logging._srcfile = None
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("carnet").setLevel(logging.INFO)


def name_request(environ: dict[str, Any]) -> str:
    """Give a request the id that it asks for, if that cannot garble a line, or one of ours."""
    asked: str = environ.get("HTTP_X_REQUEST_ID", "")
    is_plain = 0 < len(asked) <= LONGEST_REQUEST_ID and asked.isascii() and asked.isprintable()
    environ[REQUEST_ID] = request_id = asked if is_plain else new_label()
    return request_id


def note_request(request_id: str, method: str, route: str | None, status: int, seconds: float) -> None:
    """Say a line about a request whose answer has been sent."""
    level = logging.INFO if status < 500 else logging.WARNING
    if requests.isEnabledFor(level):
        facts = {
            "request_id": request_id,
            "method": method,
            "route": route,
            "status": status,
            "duration_ms": round(1000 * seconds, 1),
        }
        requests.log(level, "answered", extra={"facts": facts})


def _facts(record: logging.LogRecord) -> Mapping[str, Any]:
    """What a line says beside its message; of which request it tells, if of any."""
    if "facts" in record.__dict__:
        return dict(record.__dict__["facts"])
    return {"request_id": request.environ[REQUEST_ID]} if has_request_context() else {}


class GunicornJournal(Logger):  # type: ignore[misc]
    """Lets gunicorn say what it has to say in our form."""

    def setup(self, cfg: GunicornConfig) -> None:
        """Leave the writing to us."""
        self.error_log.propagate = True
        self.error_log.setLevel(logging.WARNING)
