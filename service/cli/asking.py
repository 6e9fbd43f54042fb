"""The client of commands: over the network with `--url`, else on an application within the command."""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from io import RawIOBase
from typing import Any, Final, TypeVar

import click
import requests
from requests.adapters import BaseAdapter
from urllib3 import HTTPResponse
from werkzeug.test import Client as TestClient

from service.app import create_app
from service.cli.database import ending_with_a_sentence, open_database
from service.client import Client

HERE = "http://127.0.0.1"
"""The address of the application within the command."""

_UNSAFE: Final = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069]")
"""Control characters, breaks of lines, and marks that change the direction of what follows."""

F = TypeVar("F", bound=Callable[..., Any])


def url_option(command: F) -> F:
    """The option `--url`."""
    text = "A service to ask, with the token in CARNET_TOKEN; without it the database of this machine."
    return click.option("--url", envvar="CARNET_SERVICE", help=text)(command)


@contextmanager
def open_client(url: str | None) -> Iterator[Client]:
    """A client of a service, or of the database of this machine with all rights."""
    if url is not None:
        with ending_with_a_sentence(), Client(url, os.environ.get("CARNET_TOKEN")) as client:
            yield client
        return
    with open_database() as (config, database):
        app = create_app(replace(config, is_open=True, proxies=0, tls=None), database)
        try:
            with Client(HERE, adapter=_Application(TestClient(app))) as client:
                yield client
        finally:
            app.extensions["carnet"].close()


class _Application(BaseAdapter):
    """Sends the requests of a client to an application in this process."""

    def __init__(self, application: TestClient) -> None:
        super().__init__()
        self._application = application

    def send(self, request: requests.PreparedRequest, *_: Any, **__: Any) -> requests.Response:
        """Answer a request. Its body and that of the answer may be streams."""
        body: Any = request.body
        content = {"input_stream": body} if hasattr(body, "read") else {"data": body}
        answered = self._application.open(
            request.path_url,
            method=request.method or "GET",
            headers=dict(request.headers),
            base_url=HERE,
            buffered=False,
            **content,
        )
        response = requests.Response()
        response.status_code = answered.status_code
        response.headers.update(answered.headers)
        response.url, response.request = request.url or "", request
        raw = HTTPResponse(_Blocks(iter(answered.response)), dict(answered.headers), preload_content=False)  # type: ignore[arg-type]
        response.raw = raw
        return response

    def close(self) -> None:
        """Nothing is open between requests."""


class _Blocks(RawIOBase):
    """The blocks of an answer as a file."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks = blocks
        self._rest = b""

    def readable(self) -> bool:
        """Whether it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer with what comes next."""
        while not self._rest:
            block = next(self._blocks, None)
            if block is None:
                return 0
            self._rest = block
        count = min(len(buffer), len(self._rest))
        buffer[:count], self._rest = self._rest[:count], self._rest[count:]
        return count


def tell(line: str, **options: Any) -> None:
    """Print a line that has texts of others in it."""
    click.echo(safe(line), **options)


def safe(line: str) -> str:
    """A line of which no sign moves the cursor, begins another line or turns the writing around."""
    return _UNSAFE.sub("?", line)


def names_of(match: Mapping[str, Any]) -> str:
    """Who plays a match, in a line."""
    return ", ".join(f"{player['name'] or '–'} ({player['seat']})" for player in match["players"])
