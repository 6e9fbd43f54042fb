"""A worker of gunicorn that no slow or garbled request can hold, and that ends without keeping anybody waiting."""

import socket
from contextlib import suppress
from time import monotonic
from types import FrameType
from typing import Any

from gunicorn import util
from gunicorn.http import errors, wsgi
from gunicorn.workers.gthread import ThreadWorker
from werkzeug.exceptions import ClientDisconnected

from service.headers import PROTECTIVE, headers_for
from service.identity import new_label
from service.problems import Problem

HEADERS_WITHIN = 10.0
"""Seconds in which the headers of a request must have come."""
BODY_WITHIN = 30.0
"""Seconds in which the body of a request must have come."""
LAST_WORDS_WITHIN = 3.0
"""Seconds in which a request that is being sent must have come when the worker is to end."""
GARBLED = errors.ParseException
"""What gunicorn says of requests that it cannot read."""


class Body:
    """The body of a request; to the application a garbled one is like one whose sender has left."""

    def __init__(self, body: Any) -> None:
        self._body = body

    def read(self, size: int = -1) -> bytes:
        """Some of what was sent."""
        try:
            return bytes(self._body.read(size))
        except (OSError, GARBLED):
            raise ClientDisconnected from None


class Reply(wsgi.Response):  # type: ignore[misc]
    """An answer as it is sent; of its headers those that bear nothing of the request need not be checked each time."""

    def process_headers(self, headers: list[tuple[str, str]]) -> None:
        """Take headers, if they are such."""
        super().process_headers([header for header in headers if header not in PROTECTIVE])
        self.headers += [header for header in headers if header in PROTECTIVE]


class Worker(ThreadWorker):  # type: ignore[misc]
    """Threads for requests, and one loop that watches over them."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._due: dict[Any, float] = {}
        """Until when connections whose request is still under way must have sent it."""

    def handle(self, conn: Any) -> Any:
        """Read a request and answer it, in a thread."""
        self._due[conn] = monotonic() + HEADERS_WITHIN
        try:
            return super().handle(conn)
        finally:
            self._due.pop(conn, None)

    def handle_request(self, req: Any, conn: Any) -> bool:
        """Answer a request whose headers have come."""
        named = dict(req.headers)
        if "TRANSFER-ENCODING" in named or named.get("CONTENT-LENGTH", "0") != "0":
            self._due[conn] = monotonic() + BODY_WITHIN
        else:
            self._due.pop(conn, None)
        reply, environ = wsgi.create(req, conn.sock, conn.client, conn.server, self.cfg, response_class=Reply)
        environ["wsgi.multithread"] = True
        if not self.alive or len(self.keepalived_conns) >= self.max_keepalived:
            reply.force_close()
        return self._send(reply, self.wsgi(environ, reply.start_response), conn)

    def _send(self, reply: Reply, parts: Any, conn: Any) -> bool:
        """Send an answer; whether the connection may be used again."""
        try:
            for part in parts:
                reply.write(part)
            reply.close()
        except OSError:
            raise
        except (Exception, SystemExit):
            if not reply.headers_sent:
                raise
            # It has begun and cannot become another one.
            self.log.exception("an answer broke off")
            util.close_graceful(conn.sock)
            raise StopIteration from None
        finally:
            parts.close()
        return not reply.should_close()

    def murder_pending(self) -> None:
        """Let go of connections that take too long; the loop calls this every second."""
        super().murder_pending()
        now = monotonic()
        for conn, due in list(self._due.items()):
            if due < now:
                self._due.pop(conn, None)
                # The thread reads the end of what was sent, and can still answer.
                with suppress(OSError):
                    conn.sock.shutdown(socket.SHUT_RD)

    def handle_error(self, req: Any, client: socket.socket, addr: Any, exc: BaseException) -> None:
        """Answer what gunicorn cannot; neither the answer nor the log says what was in the request."""
        if isinstance(exc, GARBLED):
            self.log.warning("a request cannot be read: %s", type(exc).__name__)
            problem = Problem("bad-request", "The request cannot be read: a line of it is malformed or too long.")
        else:
            self.log.error("a request failed", exc_info=exc)
            problem = Problem("internal", "Something went wrong on our side.")
        response = problem.response()
        headers = {**dict(headers_for("/", "")), **dict(response.headers), "X-Request-ID": new_label()}
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        with suppress(OSError):
            client.sendall(f"HTTP/1.1 {response.status}\r\n{head}Connection: close\r\n\r\n".encode() + response.data)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end: the arbiter asks for it."""
        super().handle_exit(sig, frame)
        self.method_queue.defer(self._begin_to_end)

    def _begin_to_end(self) -> None:
        """Let readers go, and wait little longer for requests that are still being sent; all others are finished."""
        self.app.end_streams()
        latest = monotonic() + LAST_WORDS_WITHIN
        for conn, due in list(self._due.items()):
            self._due[conn] = min(due, latest)

    def handle_quit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end: Ctrl-C asks for it."""
        # Gunicorn would shut its threads down here, for ever if the signal comes while it hands them a request.
        self.handle_exit(sig, frame)

    def is_parent_alive(self) -> bool:
        """Whether there is still an arbiter; without one a worker ends too."""
        is_alive = bool(super().is_parent_alive())
        if not is_alive:
            self.app.end_streams()
        return is_alive
