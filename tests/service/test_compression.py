"""Compression: only for clients that accept it, and the same content once unpacked."""

import gzip
import hashlib
import tracemalloc
from collections.abc import Iterator

import brotli
import orjson
import pytest

from service.http.compression import Compressed
from tests.service.harness import Match, Service

GZIP = {"Accept-Encoding": "gzip"}


@pytest.mark.unchanging
def test_json_is_the_same_compressed_and_much_smaller(opened: Match) -> None:
    plain, packed = opened.get("/replay"), opened.get("/replay", GZIP)
    assert packed.headers["Content-Encoding"] == "gzip"
    assert packed.headers["Content-Type"] == plain.headers["Content-Type"]
    assert packed.headers["ETag"] == plain.headers["ETag"]
    assert gzip.decompress(packed.data) == plain.data
    assert len(packed.data) < len(plain.data) / 5
    assert packed.content_length == len(packed.data)


@pytest.mark.unchanging
@pytest.mark.parametrize(
    ("path", "accept"),
    [("/replay", "application/x-ndjson"), ("/replay/6/board.svg", "*/*"), ("/replay/6", "application/json")],
)
def test_lines_pictures_and_frames_are_compressed(opened: Match, path: str, accept: str) -> None:
    plain, packed = opened.get(path, {"Accept": accept}), opened.get(path, GZIP | {"Accept": accept})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data


@pytest.mark.unchanging
@pytest.mark.parametrize(
    "path", ["/service-worker.js", "/api/v1/docs/reference.css", "/api/v1/docs", "/api/v1/openapi.json"]
)
def test_scripts_styles_and_the_api_document_are_compressed(service: Service, path: str) -> None:
    plain, packed = service.client.get(path), service.client.get(path, headers=GZIP)
    assert packed.headers["Content-Encoding"] == "gzip"
    assert packed.headers["Content-Type"] == plain.headers["Content-Type"]
    assert "Accept-Encoding" in packed.headers["Vary"]
    assert packed.headers["Vary"] == plain.headers["Vary"]
    assert len(packed.data) < len(plain.data) / 2


@pytest.mark.parametrize("coding", ["br", "gzip"])
def test_a_stream_is_compressed_line_by_line_in_bounded_memory(coding: str) -> None:
    made = 0

    def lines() -> Iterator[bytes]:
        nonlocal made
        for made in range(1, 20_001):
            yield hashlib.sha512(str(made).encode()).hexdigest().encode() * 8 + b"\n"

    tracemalloc.start()
    try:
        body = iter(Compressed(lines(), coding))
        sent = len(next(body))
        began = made
        sent += sum(map(len, body))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert began < 1000
    assert made == 20_000
    assert 1_000_000 < sent < 1025 * made / 4
    assert peak < 2**20


def test_a_stream_that_its_client_leaves_is_closed() -> None:
    closed = []

    def lines() -> Iterator[bytes]:
        try:
            while True:
                yield b"a line\n"
        finally:
            closed.append(True)

    body = Compressed(lines(), "gzip")
    next(iter(body))
    body.close()
    assert closed == [True]


@pytest.mark.unchanging
def test_a_known_answer_is_confirmed_for_every_encoding(opened: Match) -> None:
    packed = opened.get("/replay", GZIP)
    for accepted in ({}, GZIP):
        known = opened.get("/replay", accepted | {"If-None-Match": packed.headers["ETag"]})
        assert (known.status_code, known.data) == (304, b"")
        assert known.headers["Vary"] == packed.headers["Vary"]
        assert "Content-Encoding" not in known.headers


@pytest.mark.unchanging
def test_pages_are_compressed(service: Service) -> None:
    page = service.client.get("/", headers=GZIP)
    assert page.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(page.data).startswith(b"<!doctype html>")


@pytest.mark.unchanging
@pytest.mark.parametrize(
    ("header", "coding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("br;q=0.5, gzip", "gzip"),
        ("*;q=0.1", "br"),
        ("br;q=0, *", "gzip"),
        ("identity;q=0.5, gzip;q=0.5", "gzip"),
    ],
)
def test_the_coding_is_the_one_that_the_client_prefers(opened: Match, header: str, coding: str) -> None:
    plain = opened.get("/replay")
    packed = opened.get("/replay", {"Accept-Encoding": header})
    assert (packed.headers["Content-Encoding"], packed.headers["ETag"]) == (coding, plain.headers["ETag"])
    assert (brotli if coding == "br" else gzip).decompress(packed.data) == plain.data


@pytest.mark.unchanging
@pytest.mark.parametrize("header", ["", "identity", "gzip;q=0", "deflate", "identity, gzip;q=0.5"])
def test_a_client_that_prefers_no_coding_gets_an_answer_as_it_is(opened: Match, header: str) -> None:
    answer = opened.get("/replay", {"Accept-Encoding": header})
    assert "Content-Encoding" not in answer.headers
    assert orjson.loads(answer.data)["frames"]


@pytest.mark.unchanging
def test_caches_are_told_that_the_encoding_depends_on_the_request(match: Match) -> None:
    assert "Accept-Encoding" in match.get().headers["Vary"]
    page = match.service.client.get("/")
    assert [value for name, value in page.headers if name == "Vary"] == ["Accept-Language, Cookie, Accept-Encoding"]


@pytest.mark.unchanging
def test_small_answers_and_heads_and_event_streams_stay_as_they_are(match: Match) -> None:
    small = match.post("/undo", {"to_ply": 0}, GZIP)
    assert small.status_code == 422
    head = match.service.client.head(f"/api/v1{match.path}/replay", headers=GZIP)
    with match.service.client.open(
        f"/api/v1{match.path}/stream", headers=GZIP | {"Accept": "text/event-stream"}, buffered=False
    ) as stream:
        assert not {"Content-Encoding"} & {*small.headers.keys(), *head.headers.keys(), *stream.headers.keys()}
