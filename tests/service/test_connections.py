"""Connections of a worker: how long it waits for clients, and which of them give way."""

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from threading import Thread

import pytest

from service.server import connections
from service.server.connections import Connection, Connections, TooSlow, WaitingThreads

MUCH = b"x" * 2**22
"""More than the system takes of an answer that nobody reads."""
SOON = 5.0
"""Seconds: far more than a thread waits in these tests, and far less than it would without their bounds."""


@pytest.fixture
def opened() -> Iterator[Callable[..., tuple[Connection, socket.socket]]]:
    """Opens connections of an address, together with the sockets of their clients."""
    with ExitStack() as stack:

        def connect(address: str = "10.0.0.1") -> tuple[Connection, socket.socket]:
            ours, theirs = (stack.enter_context(closing(end)) for end in socket.socketpair())
            return Connection(ours, ("", 0), ("", 0), address), theirs

        yield connect


Opened = Callable[..., tuple[Connection, socket.socket]]


def test_a_thread_does_not_wait_for_a_client_that_takes_nothing(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "TAKEN_WITHIN", 0.2)
    connection, _ = opened()
    connection.sendall(MUCH)
    assert connection.push()
    began = time.monotonic()
    with pytest.raises(TooSlow):
        connection.wait_until_taken(0)
    assert 0.2 <= time.monotonic() - began < SOON
    assert connection.next_due() <= time.monotonic() + 0.2


def test_a_thread_does_not_wait_for_a_client_that_takes_little_again_and_again(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "TAKEN_WITHIN", 0.3)
    monkeypatch.setattr(connections, "MIN_RATE", 2**30)
    connection, client = opened()
    connection.sendall(MUCH)
    connection.push()

    def trickle() -> None:
        while client.recv(2**14):
            time.sleep(0.02)

    reading = Thread(target=trickle)
    reading.start()
    try:
        began = time.monotonic()
        with pytest.raises(TooSlow):
            connection.wait_until_taken(0)
        assert time.monotonic() - began < SOON
        assert connection.next_due() < time.monotonic()
    finally:
        connection.break_off()
        reading.join()


def test_what_was_queued_arrives_in_order_whatever_the_client_takes_at_once(opened: Opened) -> None:
    connection, client = opened()
    pieces = [bytes([number % 256]) * (number * 37 % 5000) for number in range(2000)]
    received = bytearray()

    def read() -> None:
        while data := client.recv(3001):
            received.extend(data)

    reading = Thread(target=read)
    reading.start()
    for piece in pieces:
        connection.sendall(piece)
    connection.push()
    connection.wait_until_taken(0)
    connection.break_off()
    reading.join()
    assert received == b"".join(pieces)


def test_of_too_many_waiting_threads_of_an_address_the_longest_waiting_gives_way(opened: Opened) -> None:
    threads = WaitingThreads(by_address=True)
    with ExitStack() as stack:
        first, client = opened()
        stack.enter_context(threads.waiting(first))
        for _ in range(connections.MAX_WAITING_PER_ADDRESS - 1):
            stack.enter_context(threads.waiting(opened()[0]))
        stack.enter_context(threads.waiting(opened("10.0.0.2")[0]))
        client.settimeout(0.05)
        with pytest.raises(TimeoutError):
            client.recv(1)
        stack.enter_context(threads.waiting(opened()[0]))
        assert client.recv(1) == b""


def test_of_too_many_waiting_threads_the_address_with_most_gives_way(opened: Opened) -> None:
    threads = WaitingThreads(by_address=True)
    with ExitStack() as stack:
        clients: dict[str, socket.socket] = {}
        for number in range(connections.MAX_WAITING):
            address = f"10.0.0.{number % 5}"
            connection, client = opened(address)
            clients.setdefault(address, client)
            stack.enter_context(threads.waiting(connection))
        stack.enter_context(threads.waiting(opened("10.0.0.9")[0]))
        assert clients["10.0.0.0"].recv(1) == b""


def test_when_places_run_short_the_longest_waiting_of_the_largest_address_gives_way(opened: Opened) -> None:
    table = Connections(4, by_address=True)
    modest, first, second, third = (opened(address)[0] for address in ("10.0.0.1", *["10.0.0.2"] * 3))
    for connection in (modest, first, second, third):
        assert not table.blocks("10.0.0.3")
        table.add(connection)
        table.park(connection)
    assert table.blocks("10.0.0.3")
    assert table.in_the_way("10.0.0.3") is first
    table.unpark(first)
    table.park(first)
    assert table.in_the_way("10.0.0.3") is second
    table.remove(second)
    assert not table.blocks("10.0.0.3")


def test_when_memory_runs_short_the_address_that_holds_most_gives_way(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "MAX_HELD", 100)
    monkeypatch.setattr(connections, "MAX_HELD_PER_ADDRESS", 60)
    table = Connections(9, by_address=True)
    modest, first, second = (opened(address)[0] for address in ("10.0.0.1", "10.0.0.2", "10.0.0.2"))
    for connection in (modest, first, second):
        table.add(connection)
        table.park(connection)
    table.hold(first, 30)
    table.hold(second, 30)
    assert table.too_much("10.0.0.2") is None
    table.hold(modest, 50)
    assert table.too_much("10.0.0.1") is first
    table.hold(modest, 0)
    table.hold(second, 31)
    assert table.too_much("10.0.0.2") is first
    table.remove(first)
    assert table.too_much("10.0.0.2") is None
