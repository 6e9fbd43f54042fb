"""Where a request in a buffer ends, however it is cut into pieces."""

import pytest

from service.http.request import MAX_BODY
from service.server.framing import MAX_BUFFER, MAX_CHUNKS, MAX_HEAD, PIECE, RequestBuffer, Stage

GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n12345"
CHUNKED = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
CHUNKS = CHUNKED + b"5;a=b\r\n12\r\n5\r\nA\r\n0123456789\r\n0\r\n\r\n"
TRAILERS = CHUNKED + b"1\r\nx\r\n0\r\nA: b\r\nC: d\r\n\r\n"


def staged(*pieces: bytes) -> list[Stage]:
    buffer = RequestBuffer()
    stages = []
    for piece in pieces:
        buffer.data += piece
        stages.append(buffer.stage())
    return stages


@pytest.mark.parametrize("request_", [GET, POST, CHUNKS, TRAILERS])
def test_a_request_is_whole_with_its_last_byte_and_not_before(request_: bytes) -> None:
    stages = staged(*(request_[at : at + 1] for at in range(len(request_))))
    head = request_.index(b"\r\n\r\n") + 3
    assert stages[:head] == [Stage.HEAD] * head
    assert stages[head:-1] == [Stage.BODY] * (len(request_) - head - 1)
    assert stages[-1] is Stage.WHOLE
    assert staged(request_ + GET) == [Stage.WHOLE]


@pytest.mark.parametrize(
    "request_",
    [
        b"GET / HTTP/1.1\nHost: x\n\n",
        b"x" * (MAX_HEAD + 1),
        POST.replace(b": 5", b": 5, 5"),
        POST.replace(b": 5", b": -1"),
        POST.replace(b"Host: x", b"Content-Length: 6"),
        POST.replace(b": 5", b": %d" % (MAX_BODY + 1)),
        CHUNKED + b"x\r\n",
        CHUNKED + b"\r\n\r\n",
        CHUNKED + b"1\r\nxyz",
        CHUNKED + b"1" * 2**14,
        CHUNKED + b"0\r\n" + b"x" * (MAX_HEAD + 1),
        CHUNKED + b"ffffff\r\n" + b"x" * MAX_BUFFER,
        CHUNKED + b"1\r\nx\r\n" * (MAX_CHUNKS + 1),
    ],
    ids=lambda request: repr(request[-20:]),
)
def test_a_request_that_is_refused_anyway_is_not_waited_for(request_: bytes) -> None:
    assert staged(request_) == [Stage.REFUSABLE]


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        (b"HTTP/1.1\r\nExpect: 100-continue", True),
        (b"HTTP/1.1\r\nexpect: 100-Continue", True),
        (b"HTTP/1.0\r\nExpect: 100-continue", False),
        (b"HTTP/1.1\r\nExpect: wonders", False),
    ],
)
def test_whether_a_client_waits_to_be_told_to_go_on(headers: bytes, expected: bool) -> None:
    buffer = RequestBuffer(b"POST / " + headers + b"\r\nContent-Length: 5\r\n\r\n")
    assert buffer.stage() is Stage.BODY
    assert buffer.expects_continue is expected


def test_what_follows_a_body_in_chunks_is_kept_for_itself() -> None:
    buffer = RequestBuffer(CHUNKED + b"1\r\nx\r\n" * 3000 + b"0\r\n\r\n" + GET)
    assert buffer.stage() is Stage.WHOLE
    pieces = list(buffer.pieces())
    assert b"".join(pieces) + buffer.following == buffer.data
    assert buffer.following == GET
    assert max(map(len, pieces)) <= PIECE


def test_a_large_file_goes_to_disk_where_files_are_sent() -> None:
    body = bytes(range(256)) * 2**13
    head = b"POST /api/v1/matches/import?dry_run=1 HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % len(body)
    buffer = RequestBuffer()
    stages = []
    sent = head + body + b"GET / HTTP/1.1\r\n"
    for begin in range(0, len(sent), 2**16):
        buffer.data += sent[begin : begin + 2**16]
        stages.append(buffer.stage())
        assert len(buffer.data) <= len(head)
    assert stages[-1] is Stage.WHOLE
    assert set(stages[:-2]) == {Stage.BODY}
    assert b"".join(buffer.pieces()) == head + body
    buffer.close()


def test_a_large_body_is_refused_elsewhere() -> None:
    for path in ("matches", "matches/import/x"):
        head = f"POST /api/v1/{path} HTTP/1.1\r\nHost: a\r\nContent-Length: {2**21}\r\n\r\n"
        assert RequestBuffer(head.encode()).stage() is Stage.REFUSABLE
    too_much = f"POST /api/v1/matches/import HTTP/1.1\r\nHost: a\r\nContent-Length: {2**26}\r\n\r\n"
    assert RequestBuffer(too_much.encode()).stage() is Stage.REFUSABLE
