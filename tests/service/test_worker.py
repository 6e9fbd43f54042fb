"""The real service against clients that send rubbish, or send it slowly."""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.service.following import PATIENCE, begin, running, send
from tests.service.harness import OPENING, entry
from tests.service.workers import wait_until

HASTY = ("-c", "from service.server import run, worker; worker.HEADERS_WITHIN = worker.BODY_WITHIN = 2.0; run.main()")
"""The service, which waits for requests no longer than that."""


@pytest.fixture(scope="module")
def port(module_dsn: str) -> Iterator[int]:
    with running(module_dsn, program=HASTY) as [(port, _)]:
        yield port


def said(port: int, request: bytes) -> bytes:
    """All that the service answers to some bytes before it closes the connection."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as client:
        client.sendall(request)
        answer = b""
        while received := client.recv(2**16):
            answer += received
    return answer


CHUNKED = b"POST /api/v1/matches HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n"
CHUNKED += b"Transfer-Encoding: chunked\r\n\r\n"
GARBLED = {
    "no version": b"GET /x?key=SECRET\r\n\r\n",
    "another version": b"GET /x?key=SECRET HTTP/9.9\r\n\r\n",
    "a line that is no header": b"GET / HTTP/1.1\r\nAuthorization SECRET\r\n\r\n",
    "a name that is none": b"GET / HTTP/1.1\r\nAuthor ization: SECRET\r\n\r\n",
    "a line too long": b"GET /%s HTTP/1.1\r\n\r\n" % (b"SECRET" * 2000),
    "a header too long": b"GET / HTTP/1.1\r\nCookie: %s\r\n\r\n" % (b"SECRET" * 2000),
    "too many headers": b"GET / HTTP/1.1\r\n%s\r\n" % b"".join(b"X-%d: SECRET\r\n" % n for n in range(200)),
    "two lengths": b"POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nSECRET",
    "a length that is none": b"POST / HTTP/1.1\r\nContent-Length: SECRET\r\n\r\n",
    "a chunk without a length": CHUNKED + b"SECRET\r\nx\r\n0\r\n\r\n",
    "a chunk of another length": CHUNKED + b"2\r\nSECRET\r\n0\r\n\r\n",
    "a chunk that is cut off": CHUNKED + b"20\r\nSECRET",
}


def test_what_cannot_be_read_is_answered_like_everything_else_and_not_repeated(
    dsn: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with running(dsn, program=HASTY) as [(port, _)]:
        for name, request in GARBLED.items():
            head, _, body = said(port, request).partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 400 "), (name, head)
            assert b"content-type: application/problem+json" in head.lower(), name
            assert b"x-frame-options: deny" in head.lower(), name
            assert b'"/problems/bad-request"' in body, name
            assert b"SECRET" not in head + body, name
        assert send(port, "GET", "/games")[0] == 200
    logged = capfd.readouterr().err
    assert "LimitRequestHeaders" in logged
    assert "SECRET" not in logged
    assert "Traceback" not in logged


def test_who_sends_slowly_is_let_go_and_holds_up_nobody(port: int) -> None:
    match = begin(port)
    begun = b"POST /api/v1%s/moves HTTP/1.1\r\nHost: localhost\r\n" % match.encode()
    body = begun + b'Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{"seat'
    with ExitStack() as stack:
        slow = [stack.enter_context(connected(port, part)) for part in (begun, body) * 100]
        status, _ = send(port, "POST", f"{match}/moves", entry(OPENING[0]))
        assert status == 201
        latest = time.monotonic() + PATIENCE
        answers = []
        for client in slow:
            answer = b""
            while received := client.recv(2**16):
                answer += received
            answers.append(answer)
        assert time.monotonic() < latest
    assert answers[::2] == [b""] * 100
    assert {answer.split(b"\r\n")[0] for answer in answers[1::2]} == {b"HTTP/1.1 400 BAD REQUEST"}
    assert send(port, "GET", match)[1]["version"] == 2


def connected(port: int, sent: bytes) -> socket.socket:
    """A client that has sent a part of a request and sends no more."""
    client = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    client.sendall(sent)
    return client


def test_a_stream_outlasts_the_time_for_a_request(port: int) -> None:
    match = begin(port)
    begun = f"GET /api/v1{match}/stream HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    with connected(port, begun) as client:
        heard = client.recv(2**16)
        assert heard.startswith(b"HTTP/1.1 200")
        time.sleep(4)
        assert send(port, "POST", f"{match}/moves", entry(OPENING[0]))[0] == 201

        def is_told() -> bool:
            nonlocal heard
            heard += client.recv(2**16)
            return b"event: changed" in heard

        wait_until(is_told)
