"""A gunicorn worker with an event loop for slow clients and threads for requests.

The loop accepts connections, reads requests, and sends what clients do not take at once; it never blocks. A thread gets
a whole request and writes its response without waiting. Only a response that is generated while it is sent waits in its
thread for the client, within limits. docs/decisions/0011-slow-clients.md has the reasons.
"""

import errno
import os
import selectors
import socket
import ssl
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from math import inf
from queue import Empty, SimpleQueue
from time import monotonic
from types import FrameType
from typing import Any, TypeAlias

from gunicorn.http import RequestParser, errors, wsgi
from gunicorn.workers import base
from werkzeug.exceptions import ClientDisconnected

from service.http.errors import Problem
from service.http.headers import headers_for
from service.http.ratelimit import network_of
from service.identity import new_label
from service.server.connections import TAKEN_WITHIN, Connection, Connections, State, WaitingThreads
from service.server.framing import RequestBuffer, Stage

FIRST_BYTE_WITHIN = 10.0
"""Seconds in which a new connection must send something."""
HEADERS_WITHIN = 10.0
"""Seconds in which the headers of a request must arrive."""
MIN_UPLOAD_RATE = 2**17
"""Bytes per second that must arrive of a large file on average, after the first `BODY_WITHIN` seconds."""
MAX_UPLOADS = 4
"""Large files that a worker keeps on disk at once."""
BODY_WITHIN = 30.0
"""Seconds in which the body of a request must arrive."""
LAST_REQUEST_WITHIN = 2.0
"""Seconds in which a request must begin to arrive over a kept connection while the worker shuts down."""
LAST_WORDS_WITHIN = 3.0
"""Seconds in which a partly sent request must arrive while the worker shuts down."""
MAX_GENERATED_AHEAD = 2**18
"""Bytes of a response that are generated ahead of what the client has taken."""
ACCEPTED_AT_ONCE = 64
EVENT_STREAM = "text/event-stream"
GARBLED = errors.ParseException
"""The errors of gunicorn's parser."""

Handler: TypeAlias = Callable[[Any], None]


class NoSingleHost(errors.ParseException):  # type: ignore[misc]
    """A request that does not have exactly one host (RFC 9112, section 3.2)."""


class Body:
    """The body of a request. To the application a malformed one looks like a disconnected client."""

    def __init__(self, body: Any) -> None:
        self._body = body

    def read(self, size: int = -1) -> bytes:
        """Read a part of the body."""
        try:
            return bytes(self._body.read(size))
        except (OSError, GARBLED):
            raise ClientDisconnected from None


class Reply(wsgi.Response):  # type: ignore[misc]
    """A response as it is sent."""

    @property
    def is_generated(self) -> bool:
        """Whether the response is generated while it is sent, so that its length is unknown."""
        return self.response_length is None

    @property
    def is_stream(self) -> bool:
        """Whether the response lasts as long as its reader stays."""
        return any(name == "Content-Type" and value.startswith(EVENT_STREAM) for name, value in self.headers)


class Worker(base.Worker):  # type: ignore[misc]
    """Threads for requests, and an event loop for everything that waits for clients."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.alive: bool
        self._calls: SimpleQueue[tuple[Handler, Any]] = SimpleQueue()
        """Calls that threads hand to the loop."""
        self._waker, self._woken = -1, -1
        self._is_accepting = False
        self._stops_at = inf

    # The loop

    def init_process(self) -> None:
        """Initialize the forked process."""
        # Behind proxies all connections come from a few addresses; without a rate limit addresses have no limits.
        self._by_address: bool = self.app.limits_addresses
        self._connections = Connections(self.cfg.worker_connections, by_address=self._by_address)
        self._waiting_threads = WaitingThreads(by_address=self._by_address)
        self._threads = ThreadPoolExecutor(self.cfg.threads)
        self._poller = selectors.DefaultSelector()
        self._woken, self._waker = os.pipe()
        os.set_blocking(self._woken, False)
        os.set_blocking(self._waker, False)
        super().init_process()

    def run(self) -> None:
        """Serve until told to stop, then finish what is in progress."""
        self._watch(self._woken, selectors.EVENT_READ, self._run_calls, None)
        for listener in self.sockets:
            listener.setblocking(False)
            with suppress(OSError, AttributeError):  # not every system has it; connections inherit it
                listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(TAKEN_WITHIN * 1000))
        next_sweep = 0.0
        while self.alive:
            self._accept_if_possible()
            self._handle_events(1.0)
            if monotonic() >= self._stops_at:
                self._stop()
            if monotonic() >= next_sweep:
                next_sweep = monotonic() + 1.0
                self.notify()
                if self._is_orphan():
                    break
                self._sweep()
        self._finish()

    def _finish(self) -> None:
        """Accept no more connections, and finish what is in progress."""
        self._set_accepting(is_accepting=False)
        self._hurry()
        latest = monotonic() + self.cfg.graceful_timeout
        while len(self._connections) and monotonic() < latest:
            self.notify()
            self._handle_events(0.2)
            self._sweep()
        for connection in list(self._connections):
            connection.break_off()
        self._threads.shutdown(wait=False)
        for listener in self.sockets:
            listener.close()

    def _hurry(self) -> None:
        """Shorten the timeouts for clients, so that the worker can end."""
        for connection in self._connections:
            if connection.state in {State.IDLE, State.RECEIVING_HEAD, State.RECEIVING_BODY}:
                connection.due = min(connection.due, self._due_within(inf, connection.state))

    def _due_within(self, seconds: float, state: State) -> float:
        """The timeout for a client by the state of its request."""
        if not self.alive:
            seconds = min(seconds, LAST_REQUEST_WITHIN if state is State.IDLE else LAST_WORDS_WITHIN)
        return monotonic() + seconds

    def _handle_events(self, timeout: float) -> None:
        for key, _ in self._poller.select(timeout):
            handler, subject = key.data
            if not isinstance(subject, Connection):
                handler(subject)
            elif subject.state is not State.CLOSED:  # since an earlier event took its place
                self._handle(handler, subject)

    def _handle(self, handler: Handler, connection: Connection) -> None:
        """Handle an event of a connection; an error does not end the loop."""
        try:
            handler(connection)
        except OSError:
            self._close(connection, is_reset=True)
        except Exception:
            self.log.exception("a connection failed")
            self._close(connection, is_reset=True)

    def _watch(self, source: Any, events: int, handler: Handler, subject: Any) -> None:
        self._poller.register(source, events, (handler, subject))

    def _defer(self, handler: Handler, subject: Any) -> None:
        """Hand a call to the loop, from other threads and signal handlers."""
        self._calls.put((handler, subject))
        with suppress(OSError):  # a full pipe wakes the loop as well
            os.write(self._waker, b"\0")

    def _run_calls(self, _: None) -> None:
        with suppress(BlockingIOError):
            os.read(self._woken, 2**12)
        with suppress(Empty):
            while True:
                handler, subject = self._calls.get_nowait()
                if isinstance(subject, Connection):
                    self._handle(handler, subject)
                else:
                    handler(subject)

    def _sweep(self) -> None:
        """End connections whose time is over."""
        now = monotonic()
        for connection in [connection for connection in self._connections if connection.due < now]:
            self._handle(self._expire, connection)

    def _expire(self, connection: Connection) -> None:
        if connection.state is State.SENDING:
            # It is reported as writable only when a good part of the system's buffer is free.
            if connection.push() and connection.next_due() > monotonic():
                self._send_on(connection)
            else:
                self._close(connection, is_reset=True)
        elif connection.state is State.RECEIVING_BODY:
            self._answer(connection, is_whole=False)
        else:
            self._close(connection)

    # New connections

    def _accept_if_possible(self) -> None:
        self._set_accepting(is_accepting=not self._connections.is_full or self._connections.in_the_way("") is not None)

    def _set_accepting(self, *, is_accepting: bool) -> None:
        if is_accepting == self._is_accepting:
            return
        self._is_accepting = is_accepting
        for listener in self.sockets:
            if is_accepting:
                self._watch(listener, selectors.EVENT_READ, self._accept, listener)
            else:
                self._poller.unregister(listener)

    def _accept(self, listener: socket.socket) -> None:
        server = listener.getsockname()
        for _ in range(ACCEPTED_AT_ONCE):
            try:
                sock, client = listener.accept()
            except OSError as error:
                if error.errno in {errno.EMFILE, errno.ENFILE}:
                    self._make_room("")
                return
            address = network_of(client[0]) if self._by_address else ""
            if self._connections.blocks(address) and not self._make_room(address):
                sock.close()
                continue
            connection = Connection(sock, client, server, address, self.app.tls_context)
            self._connections.add(connection)
            self._await_request(connection, FIRST_BYTE_WITHIN)

    def _make_room(self, address: str) -> bool:
        connection = self._connections.in_the_way(address)
        if connection is None:
            return False
        self._close(connection, is_reset=connection.state is State.SENDING)
        return True

    # Requests

    def _await_request(self, connection: Connection, seconds: float) -> None:
        self._await(connection, State.IDLE, seconds)
        self._watch(connection.sock, selectors.EVENT_READ, self._receive, connection)

    def _await(self, connection: Connection, state: State, seconds: float) -> None:
        connection.state = state
        connection.due = self._due_within(seconds, state)
        self._connections.park(connection)

    def _receive(self, connection: Connection) -> None:
        try:
            data = connection.receive()
        except ssl.SSLError:  # it was told why, as far as TLS has words for that
            self._close(connection)
            return
        if data is None:
            self._send_handshake(connection)
        elif data:
            connection.buffer.data += data
            self._consider(connection)
        elif connection.state is State.RECEIVING_BODY:
            self._answer(connection, is_whole=False)
        else:
            self._close(connection)

    def _send_handshake(self, connection: Connection) -> None:
        """Send what of a handshake the client did not take at once; usually that is nothing."""
        connection.push()
        events = selectors.EVENT_READ | (selectors.EVENT_WRITE if connection.unsent else 0)
        key = self._poller.get_key(connection.sock)
        if key.events != events:
            self._poller.modify(connection.sock, events, key.data)

    def _consider(self, connection: Connection) -> None:
        """Hand a request to a thread if enough of it has arrived."""
        stage = connection.buffer.stage()
        if stage is Stage.WHOLE or stage is Stage.REFUSABLE:
            self._answer(connection, is_whole=stage is Stage.WHOLE)
            return
        if connection.state is State.IDLE:
            self._await(connection, State.RECEIVING_HEAD, HEADERS_WITHIN)
        if stage is Stage.BODY and connection.state is State.RECEIVING_HEAD:
            if connection.buffer.upload_bytes and not self._has_place_for_upload(connection):
                self._close(connection)
                return
            connection.begin_answer()
            self._await(connection, State.RECEIVING_BODY, BODY_WITHIN)
            if connection.buffer.expects_continue:
                connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
                connection.push()
        elif connection.state is State.RECEIVING_BODY and connection.buffer.upload_bytes and self.alive:
            connection.due = connection.began + BODY_WITHIN + connection.buffer.stored_bytes / MIN_UPLOAD_RATE
        self._hold(connection, len(connection.buffer.data))

    def _has_place_for_upload(self, connection: Connection) -> bool:
        """Whether a large file may come; if places are short, an address with more of them loses its oldest."""
        uploads = [other for other in self._connections if other.buffer.upload_bytes]
        if len(uploads) <= MAX_UPLOADS:
            return True
        numbers = Counter(other.address for other in uploads)
        arriving = [
            other
            for other in uploads
            if other.state is State.RECEIVING_BODY and numbers[other.address] > numbers[connection.address]
        ]
        if not arriving:
            return False
        self._close(max(arriving, key=lambda other: (numbers[other.address], -other.began)))
        return True

    def _answer(self, connection: Connection, *, is_whole: bool) -> None:
        self._leave(connection)
        connection.state = State.ANSWERING
        connection.due = inf
        connection.begin_answer()
        connection.is_whole = is_whole
        self._threads.submit(self._answer_in_thread, connection)

    def _leave(self, connection: Connection) -> None:
        """Stop watching a connection."""
        self._connections.unpark(connection)
        with suppress(KeyError):
            self._poller.unregister(connection.sock)

    def _hold(self, connection: Connection, held: int) -> None:
        self._connections.hold(connection, held)
        while (surplus := self._connections.too_much(connection.address)) is not None:
            self._close(surplus, is_reset=True)

    def _close(self, connection: Connection, *, is_reset: bool = False) -> None:
        if connection.state is State.CLOSED:
            return
        self._leave(connection)
        self._connections.remove(connection)
        connection.close(is_reset=is_reset)

    # Responses, in threads

    def _answer_in_thread(self, connection: Connection) -> None:
        connection.is_kept = False
        then = self._answered
        try:
            parser = RequestParser(self.cfg, connection.buffer.pieces(), connection.client)
            connection.is_kept = self._respond(next(parser), connection) and parser.finish_body()
            connection.is_kept = connection.is_kept and not connection.buffer.upload_bytes
            following = connection.buffer.following
            connection.buffer.close()
            connection.buffer = RequestBuffer(parser.unreader.take_buffered() + following)
        except StopIteration:
            pass  # nothing but an empty line came
        except errors.NoMoreData:
            self._refuse(connection, errors.LimitRequestHeaders("the headers do not end"))
        except OSError:
            then = self._fail
        except (Exception, SystemExit) as error:
            self._refuse(connection, error)
        finally:
            self._defer(then, connection)

    def _respond(self, request: Any, connection: Connection) -> bool:
        """Respond to a request; return whether another may follow."""
        hosts = sum(name == "HOST" for name, _ in request.headers)
        if hosts > 1 or (hosts == 0 and request.version >= (1, 1)):
            raise NoSingleHost
        request._expected_100_continue = False  # the loop has told the client to go on
        reply, environ = wsgi.create(
            request, connection, connection.client, connection.server, self.cfg, response_class=Reply
        )
        environ["wsgi.multithread"] = True
        environ["wsgi.url_scheme"] = "https" if connection.is_secure else "http"
        environ["gunicorn.socket"] = connection.sock
        if not self.alive or self._is_draining or not connection.is_whole:
            reply.force_close()
        return self._send(reply, self.wsgi(environ, reply.start_response), connection)

    def _send(self, reply: Reply, parts: Any, connection: Connection) -> bool:
        """Send a response; return whether the connection may be used again."""
        try:
            for part in parts:
                reply.write(part)
                connection.push()
                if connection.unsent and reply.is_generated:
                    self._wait_for(connection, reply)
            reply.close()
            connection.push()
        except OSError:
            raise
        except (Exception, SystemExit):
            if not reply.headers_sent:
                raise
            # A response that has begun cannot become another one.
            self.log.exception("an answer broke off")
            return False
        finally:
            parts.close()
        return not reply.should_close()

    def _wait_for(self, connection: Connection, reply: Reply) -> None:
        """Wait before generating more than the client takes."""
        if reply.is_stream:
            # The thread of a stream waits for changes in any case, and its events are independent.
            connection.begin_answer()
            connection.wait_until_taken(0)
        elif connection.unsent_bytes > MAX_GENERATED_AHEAD:
            with self._waiting_threads.waiting(connection):
                connection.wait_until_taken(MAX_GENERATED_AHEAD // 2)

    def _refuse(self, connection: Connection, error: BaseException) -> None:
        """Refuse a request that gunicorn cannot parse; neither the response nor the log has its content."""
        if isinstance(error, GARBLED):
            self.log.warning("a request cannot be read: %s", type(error).__name__)
            problem = Problem("bad-request", "The request cannot be read: a line of it is malformed or too long.")
        else:
            self.log.error("a request failed", exc_info=error)
            problem = Problem("internal", "Something went wrong on our side.")
        response = problem.response()
        headers = {**headers_for("/", ""), **dict(response.headers), "X-Request-ID": new_label()}
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        connection.sendall(f"HTTP/1.1 {response.status}\r\n{head}Connection: close\r\n\r\n".encode() + response.data)
        with suppress(OSError):
            connection.push()

    # Responses, in the loop again

    def _answered(self, connection: Connection) -> None:
        """Take a connection back from a thread."""
        if connection.unsent:
            connection.state = State.SENDING
            connection.begin_answer()
            self._connections.park(connection)
            self._watch(connection.sock, selectors.EVENT_WRITE, self._send_on, connection)
            connection.due = connection.next_due()
            self._hold(connection, connection.unsent_bytes)
        else:
            self._sent(connection)

    def _fail(self, connection: Connection) -> None:
        self._close(connection, is_reset=True)

    def _send_on(self, connection: Connection) -> None:
        """Send what the client takes without waiting."""
        connection.push()
        if connection.unsent:
            connection.due = connection.next_due()
            self._hold(connection, connection.unsent_bytes)
        else:
            self._leave(connection)
            self._sent(connection)

    def _sent(self, connection: Connection) -> None:
        """Wait for the next request, or for the client to close."""
        self._connections.hold(connection, 0)
        if not connection.is_kept:
            self._linger(connection)
            return
        self._await_request(connection, self.cfg.keepalive)
        if connection.buffer.data:
            self._consider(connection)

    def _linger(self, connection: Connection) -> None:
        """Close our side, and wait briefly for the client to close its own (RFC 9112, section 9.6).

        Otherwise the system resets the connection when the client sends more, and the client may lose the response.
        """
        connection.linger()
        self._connections.park(connection)
        self._watch(connection.sock, selectors.EVENT_READ, self._discard, connection)

    def _discard(self, connection: Connection) -> None:
        if not connection.discard():
            self._close(connection)

    # The end

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to shut down, at SIGTERM from the arbiter; proxies get time to find another process."""
        if self.alive and self.app.drains_for and not self._is_draining:
            self._stops_at = monotonic() + self.app.drains_for
            self.app.begin_to_drain()
        elif self.alive:
            self._stop()

    def handle_quit(self, sig: int, frame: FrameType | None) -> None:
        """Shut down at once, at Ctrl-C."""
        if self.alive:
            self._stop()

    def _stop(self) -> None:
        self.alive = False
        self._defer(self._end_streams, None)

    @property
    def _is_draining(self) -> bool:
        return self._stops_at < inf

    def _end_streams(self, _: None) -> None:
        self.app.end_streams()

    def _is_orphan(self) -> bool:
        """Whether the arbiter has died; the worker then ends too."""
        if self.ppid == os.getppid():
            return False
        self.alive = False
        self.app.end_streams()
        return True
