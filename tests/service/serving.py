"""The application behind a real socket, and trouble on the way to it."""

import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import TYPE_CHECKING, Any

from werkzeug.serving import WSGIRequestHandler, make_server

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

    Trouble = Callable[[WSGIApplication, WSGIEnvironment, StartResponse], Iterable[bytes]]


class Handler(WSGIRequestHandler):
    """Keeps connections open, sends streams in chunks, and says nothing."""

    protocol_version = "HTTP/1.1"

    def log(self, type: str, message: str, *args: Any) -> None:  # noqa: A002 - so it is called there
        """Logs no requests."""


class Road:
    """The way to an application: keeps what came along, and puts troubles in the way, one a request."""

    def __init__(self, app: "WSGIApplication") -> None:
        self.asked: list[WSGIEnvironment] = []
        self.troubles: list[Trouble] = []
        self._app = app

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        self.asked.append(environ)
        if self.troubles:
            return self.troubles.pop(0)(self._app, environ, start_response)
        return self._app(environ, start_response)

    def sent(self, header: str) -> list[str | None]:
        """The values of a header in the requests."""
        name = f"HTTP_{header.upper().replace('-', '_')}"
        return [environ.get(name) for environ in self.asked]


def lost(app: "WSGIApplication", environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
    """The request is carried out, and the line breaks before the answer."""
    b"".join(app(environ, start_response))
    environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
    return [b""]


def answering(status: str, body: bytes = b"", content_type: str = "text/html", **headers: str) -> "Trouble":
    """Something other than the application answers."""

    def answer(_: object, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        named = [(name.replace("_", "-"), value) for name, value in headers.items()]
        start_response(status, [("Content-Type", content_type), ("Content-Length", str(len(body))), *named])
        return [body]

    return answer


def breaking_off(
    app: "WSGIApplication", environ: "WSGIEnvironment", start_response: "StartResponse"
) -> Iterable[bytes]:
    """The answer arrives by half."""
    whole = b"".join(app(environ, start_response))
    yield whole[: len(whole) // 2]
    environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)


@contextmanager
def served(app: "WSGIApplication") -> Iterator[str]:
    """The address at which an application answers."""
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
