"""The real service against clients that linger, read slowly or never, or only take places: others do not notice."""

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import cache
from http.client import HTTPConnection
from itertools import chain, repeat
from threading import Event, Thread
from typing import TypeAlias

import orjson
import psycopg
import pytest

from tests.service.conftest import NewMatch
from tests.service.following import PATIENCE, begin, running, send
from tests.service.harness import OPENING, entry
from tests.service.test_worker import connected, said
from tests.service.workers import wait_until

SOON = 4.0
"""Seconds in which others are answered, whatever slow clients do, and less than a client that is waited for costs."""
TAKEN_WITHIN = 5.0
FIRST_BYTE_WITHIN = 2.5
PLACES, PLACES_OF_ADDRESS = 60, 20
BOUNDS = {
    "run.WORKERS": 1,
    "run.CLIENT_CONNECTIONS": PLACES,
    "connections.MAX_PER_ADDRESS": PLACES_OF_ADDRESS,
    "connections.TAKEN_WITHIN": TAKEN_WITHIN,
    "worker.FIRST_BYTE_WITHIN": FIRST_BYTE_WITHIN,
    "worker.BODY_WITHIN": 5.0,
}
STRANGER = "127.0.0.2"
ESTABLISHED = 1
"""The state of a connection as Linux tells it."""
SPECIFICATION = b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
MATCH = b"POST /api/v1/matches HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
FILE_BYTES = 2**21
FILE = b"POST /api/v1/matches/import HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % FILE_BYTES
PLAYERS = b"GET /api/v1/players HTTP/1.1\r\nHost: localhost\r\nAccept: application/x-ndjson\r\n\r\n"


def bounded(*names: str) -> tuple[str, str]:
    """A service with some bounds of `BOUNDS` instead of its own, so that tests take seconds."""
    changes = "; ".join(f"{name} = {BOUNDS[name]}" for name in names)
    return "-c", f"from service.server import connections, run, worker; {changes}; run.main()"


Serving: TypeAlias = Callable[..., int]


@pytest.fixture(scope="module")
def serving(module_dsn: str) -> Iterator[Serving]:
    """The ports of services with some bounds, each started once; they count clients by their address."""
    with ExitStack() as stack:

        @cache
        def port(*names: str) -> int:
            service = running(module_dsn, program=bounded(*names), CARNET_RATE="1000000")
            [(port, _)] = stack.enter_context(service)
            return port

        yield port


Connect: TypeAlias = Callable[..., socket.socket]


@contextmanager
def slow_clients(port: int) -> Iterator[Connect]:
    """Opens connections of strangers, who have small buffers and do nothing unless told."""
    with ExitStack() as stack:

        def connect(sent: bytes, address: str = STRANGER) -> socket.socket:
            client = stack.enter_context(socket.socket())
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
            client.settimeout(PATIENCE)
            client.bind((address, 0))
            client.connect(("127.0.0.1", port))
            client.sendall(sent)
            return client

        yield connect


@contextmanager
def others_are_served_soon(port: int) -> Iterator[None]:
    """Fail unless somebody else records moves and gets every answer soon while the block runs."""
    over, took, statuses = Event(), [], set()
    address = f"{begin(port)}/moves"
    # What is computed once for each process is not measured.
    first, *moves = map(entry, OPENING)
    send(port, "POST", address, first)
    send(port, "GET", "/openapi.json")

    def ask() -> None:
        for move in chain(moves, repeat(None)):
            if over.wait(0.02):
                return
            began = time.monotonic()
            request = ("GET", "/games") if move is None else ("POST", address)
            statuses.add(send(port, *request, move)[0])
            took.append(time.monotonic() - began)

    asking = Thread(target=ask)
    asking.start()
    try:
        yield
    finally:
        over.set()
        asking.join()
    assert statuses <= {200, 201}
    assert len(took) > len(moves)
    assert max(took) < SOON


def is_ended(client: socket.socket) -> bool:
    """Tell if the service has ended a connection; nothing is read for that."""
    return client.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] != ESTABLISHED


# Clients that do not close


def test_clients_that_are_told_to_close_and_do_not_delay_nobody(serving: Serving) -> None:
    request = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    port = serving("run.WORKERS")
    with slow_clients(port) as connect, others_are_served_soon(port):
        for sent in (request, b"NONSENSE\r\n\r\n") * 20:
            assert connect(sent).recv(9) == b"HTTP/1.1 "
        time.sleep(1)


# Clients that do not read


def test_clients_that_never_read_delay_nobody_and_are_let_go(serving: Serving) -> None:
    port = serving("run.WORKERS", "connections.TAKEN_WITHIN")
    with slow_clients(port) as connect, others_are_served_soon(port):
        clients = [connect(SPECIFICATION) for _ in range(190)]
        wait_until(lambda: all(map(is_ended, clients)))


def test_one_address_cannot_fill_the_memory_with_answers_that_it_does_not_read(serving: Serving) -> None:
    with slow_clients(serving("run.WORKERS")) as connect:
        clients = [connect(SPECIFICATION) for _ in range(150)]
        other = connect(SPECIFICATION, "127.0.0.3")
        # 16 MiB are some 40 documents; who waits longest for its client gives way.
        wait_until(lambda: sum(map(is_ended, clients)) >= 50)
        assert not all(map(is_ended, clients))
        assert not is_ended(other)


def test_clients_that_take_nothing_of_generated_lines_hold_few_threads_and_not_for_long(
    serving: Serving, module_dsn: str
) -> None:
    with psycopg.connect(module_dsn) as connection:
        connection.execute(
            """
            INSERT INTO players (player_id, revision, name, folded, survivor_id, created_at)
            SELECT id, 0, repeat('x', 100), repeat('x', 100), id, now()
            FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, 10000)) AS ids
            """
        )
    port = serving("run.WORKERS", "connections.TAKEN_WITHIN")
    with slow_clients(port) as connect:
        clients = [connect(PLAYERS) for _ in range(10)]
        # More than six threads never wait for one address.
        wait_until(lambda: sum(map(is_ended, clients)) >= 4)
        wait_until(lambda: all(map(is_ended, clients)))
        assert said(port, PLAYERS.replace(b"Host", b"Connection: close\r\nHost")).count(b"x" * 100) == 10_000


def test_a_slow_reader_gets_the_whole_answer_and_then_the_next_one(serving: Serving) -> None:
    with slow_clients(serving("run.WORKERS", "connections.TAKEN_WITHIN")) as connect:
        client = connect(SPECIFICATION + b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        received, latest = b"", time.monotonic() + TAKEN_WITHIN + 1.5
        while time.monotonic() < latest:  # longer than a client may take nothing
            received += client.recv(2**10)
            time.sleep(0.02)
        while not received.endswith(b'"ok"}'):
            received += client.recv(2**16)
        head, _, rest = received.partition(b"\r\n\r\n")
        body, second, _ = rest.partition(b"HTTP/1.1 200 OK\r\n")
        assert b"content-length: %d\r\n" % len(body) in head.lower()
        assert orjson.loads(body)["openapi"] == "3.1.1"
        assert second


# Clients that only take places


def test_a_connection_without_a_first_byte_is_ended(serving: Serving) -> None:
    port = serving("worker.FIRST_BYTE_WITHIN")
    with ExitStack() as stack:
        silent, begun = (stack.enter_context(connected(port, sent)) for sent in (b"", b"G"))
        assert silent.recv(1) == b""
        assert not is_ended(begun)


def test_one_address_has_only_so_many_connections_and_its_oldest_give_way(serving: Serving) -> None:
    port = serving("run.WORKERS", "connections.MAX_PER_ADDRESS")
    with ExitStack() as stack:
        idle = [stack.enter_context(connected(port, b"")) for _ in range(PLACES_OF_ADDRESS)]
        other = stack.enter_context(closing(HTTPConnection("127.0.0.1", port, PATIENCE, source_address=(STRANGER, 0))))
        other.request("GET", "/healthz")
        assert other.getresponse().read()
        assert not any(map(is_ended, idle))
        stack.enter_context(connected(port, b""))
        wait_until(lambda: is_ended(idle[0]))
        assert not any(map(is_ended, idle[1:]))
        other.request("GET", "/healthz")
        assert other.getresponse().status == 200


def test_idle_connections_of_many_addresses_lock_nobody_out(serving: Serving) -> None:
    port = serving("run.WORKERS", "run.CLIENT_CONNECTIONS", "connections.MAX_PER_ADDRESS")
    with slow_clients(port) as connect, others_are_served_soon(port):
        for number in range(300):
            connect(b"", f"127.0.0.{2 + number % 6}")
        time.sleep(1)


def test_clients_that_never_end_their_requests_hold_no_thread(serving: Serving) -> None:
    body = MATCH + b"Content-Length: 500\r\n\r\n{"
    chunk = MATCH + b"Transfer-Encoding: chunked\r\n\r\nff\r\n{"
    port = serving("run.WORKERS")
    with slow_clients(port) as connect, others_are_served_soon(port):
        for number in range(360):  # there are 160 threads
            connect((b"GET / HTTP/1.1\r\nHost:", body, chunk)[number % 3], f"127.0.0.{2 + number % 2}")
        time.sleep(1)


def test_files_that_hardly_arrive_keep_no_others_out_and_are_let_go(serving: Serving) -> None:
    port = serving("run.WORKERS", "worker.BODY_WITHIN")
    with slow_clients(port) as connect:
        slow = [connect(FILE) for _ in range(4)]
        assert b"HTTP/1.1 422 " in said(port, FILE + b"x" * FILE_BYTES)
        assert [is_ended(client) for client in slow] == [True, False, False, False]
        wait_until(lambda: all(map(is_ended, slow)))


def test_a_crowd_of_followers_at_one_address_leaves_places_to_others(dsn: str, new_match: NewMatch) -> None:
    match = new_match(visibility="public")
    program = bounded("run.WORKERS")
    with running(dsn, program=program, CARNET_OPEN="0", CARNET_RATE="1000000") as [(port, _)], ExitStack() as stack:
        followed = f"GET /api/v1/matches/{match.id}/stream HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        crowd = [stack.enter_context(connected(port, followed)) for _ in range(40)]
        statuses = [int(client.recv(12).split()[1]) for client in crowd]
        assert statuses.count(200) == 30
        assert statuses.count(503) == 10
        other = stack.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE, (STRANGER, 0)))
        other.sendall(followed)
        assert other.recv(12) == b"HTTP/1.1 200"


# What must go on working


@pytest.fixture
def port(serving: Serving) -> int:
    return serving("run.WORKERS")


def test_requests_may_follow_one_another_without_waiting_for_answers(port: int) -> None:
    request = b"GET /api/v1/games/%s HTTP/1.1\r\nHost: localhost\r\n%s\r\n"
    games = [b"cite-lumiere", b"nothing"] * 5
    answers = said(port, b"".join(request % (game, b"") for game in games) + request % (b"x", b"Connection: close\r\n"))
    statuses = [int(answer[:3]) for answer in answers.split(b"HTTP/1.1 ")[1:]]
    assert statuses == [200, 404] * 5 + [404]


@pytest.mark.parametrize("at", [1, 40, 160, 172, 185])
def test_a_body_in_chunks_may_come_in_pieces(port: int, at: int) -> None:
    body = b'4\r\n{"an\r\n3;x=y\r\na":\r\n2\r\n1}\r\n0\r\nX-Trailer: 1\r\n\r\n'
    request = MATCH + b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n" + body
    with connected(port, request[:at]) as client:
        time.sleep(0.1)
        client.sendall(request[at:])
        answer = client.recv(2**16)
    assert answer.startswith(b"HTTP/1.1 422 ")
    assert b'"/ana"' in answer


def test_a_client_is_told_to_send_its_body_only_if_that_is_wanted(port: int) -> None:
    head = MATCH + b"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n"
    with connected(port, head % 9) as client:
        assert client.recv(2**16) == b"HTTP/1.1 100 Continue\r\n\r\n"
        client.sendall(b'{"ana":1}')
        assert client.recv(2**16).startswith(b"HTTP/1.1 422 ")
    with connected(port, head % 10**7) as client:
        assert client.recv(2**16).startswith(b"HTTP/1.1 413 ")


def test_a_body_in_tiny_chunks_costs_no_more_than_others(port: int) -> None:
    head = MATCH + b"Transfer-Encoding: chunked\r\n"
    for number, status in ((9_000, b"400"), (150_000, b"400")):
        chunks = b"1\r\nx\r\n" * number + b"0\r\n\r\n"
        began = time.monotonic()
        assert said(port, head + b"Connection: close\r\n\r\n" + chunks).startswith(b"HTTP/1.1 " + status)
        assert time.monotonic() - began < SOON
    chunks = b"1\r\nx\r\n" * 5_000 + b"0\r\n\r\n"
    answers = said(port, head + b"\r\n" + chunks + b"GET /api/v1/games HTTP/1.0\r\n\r\n")
    assert (answers.count(b"HTTP/1.1 400 "), answers.count(b"HTTP/1.0 200 ")) == (1, 1)


def test_a_body_in_chunks_that_is_too_large_is_refused(port: int) -> None:
    with connected(port, MATCH + b"Transfer-Encoding: chunked\r\n\r\n") as client:
        for _ in range(200):  # 13 MB
            client.sendall(b"10000\r\n" + b" " * 2**16 + b"\r\n")
        assert client.recv(2**16).startswith(b"HTTP/1.1 4")


def test_answers_to_old_clients_and_to_questions_for_headers_have_their_forms(port: int) -> None:
    old = said(port, b"GET /healthz HTTP/1.0\r\n\r\n")
    assert old.startswith(b"HTTP/1.0 200 OK\r\n")
    assert old.endswith(b'"ok"}')
    assert b"chunked" not in said(port, PLAYERS.replace(b"HTTP/1.1", b"HTTP/1.0"))
    head = said(port, b"HEAD /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    assert b"content-length: " in head.lower()
    assert head.endswith(b"\r\n\r\n")
