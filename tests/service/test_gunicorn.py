"""Responses of a whole service to requests that never reach the application, or not as a whole."""

import socket
from collections.abc import Iterator
from contextlib import closing, suppress

import orjson
import pytest
import requests

from tests.service.following import PATIENCE, running

MEGABYTE = 2**20


@pytest.fixture(scope="module")
def port(module_dsn: str) -> Iterator[int]:
    with running(module_dsn) as [(port, _)]:
        yield port


def answer_to(port: int, sent: bytes) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of what comes back, until the connection is closed."""
    with closing(socket.create_connection(("127.0.0.1", port), PATIENCE)) as connection:
        connection.sendall(sent)
        received = b""
        with suppress(ConnectionResetError):  # so ends a connection of which not all was read
            while part := connection.recv(2**16):
                received += part
    head, _, body = received.partition(b"\r\n\r\n")
    status, *headers = head.decode("latin-1").split("\r\n")
    return int(status.split()[1]), dict(header.lower().split(": ", 1) for header in headers), body


@pytest.mark.parametrize(
    "sent",
    [
        b"NONSENSE\r\n\r\n",
        b"GET /api/v1/matches HTTP/9.9\r\nHost: carnet\r\n\r\n",
        b"GET /api/v1/matches?tag=\xff\xfe HTTP/1.1\r\nHost: carnet\r\n\r\n",
        b"GET /api/v1/matches?tag=" + b"a" * 9000 + b" HTTP/1.1\r\nHost: carnet\r\n\r\n",
        b"GET /api/v1/matches HTTP/1.1\r\nHost: carnet\r\nX-Long: " + b"a" * 20_000 + b"\r\n\r\n",
        b"GET /api/v1/games HTTP/1.1\r\n\r\n",
        b"GET /api/v1/games HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
        b"GET /api/v1/games HTTP/1.1\nHost: localhost\n\n",
        b"POST /api/v1/matches HTTP/1.1\r\nHost: carnet\r\nContent-Length: -1\r\n\r\n{",
        b"POST /api/v1/matches HTTP/1.1\r\nHost: carnet\r\nContent-Type: a\x0bb\r\nContent-Length: 2\r\n\r\n{}",
        b"POST /api/v1/matches HTTP/1.1\r\nHost: carnet\r\nExpect: wonders\r\nContent-Length: 2\r\n\r\n{}",
    ],
    ids=[
        "no HTTP",
        "no version",
        "raw bytes",
        "long line",
        "long header",
        "no host",
        "two hosts",
        "no CR",
        "less than nothing",
        "control",
        "wonders",
    ],
)
def test_what_cannot_be_read_is_a_bad_request_and_no_page(port: int, sent: bytes) -> None:
    status, headers, body = answer_to(port, sent)
    assert (status, headers["content-type"], headers["connection"]) == (400, "application/problem+json", "close")
    problem = orjson.loads(body)
    assert (problem["type"], problem["status"]) == ("/problems/bad-request", 400)
    assert len(body) == int(headers["content-length"])


def test_an_address_of_eight_kilobytes_is_read(port: int) -> None:
    query = b"&".join(b"tag=" + b"a" * 80 for _ in range(90))
    sent = b"GET /api/v1/matches?" + query + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    status, _, body = answer_to(port, sent)
    assert (status, orjson.loads(body)["type"]) == (422, "/problems/malformed")


@pytest.mark.parametrize("path", ["matches", "players", "nothing"])
def test_the_sender_of_ten_megabytes_sees_why_they_are_refused(port: int, path: str) -> None:
    for _ in range(3):
        response = requests.post(
            f"http://127.0.0.1:{port}/api/v1/{path}",
            data=b" " * (10 * MEGABYTE),
            headers={"Content-Type": "application/json"},
            timeout=PATIENCE,
        )
        assert (response.status_code, response.json()["type"]) == (413, "/problems/too-large")
