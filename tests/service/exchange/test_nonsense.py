"""Nonsense in files of other programs and in documents: it takes linear time and bounded memory, and is refused."""

import tracemalloc
from collections.abc import Callable, Iterator
from io import BytesIO
from time import process_time
from typing import IO, Any

import orjson
import pytest

from domain.catalogue import GAMES
from domain.match.document import read_documents
from service.exchange import bgg, bgstats
from service.exchange.bgg import NotXml
from service.exchange.scanning import NotJson


def of_documents(file: IO[bytes]) -> Iterator[Any]:
    return read_documents(iter(lambda: file.read(2**16), b""), GAMES, orjson.loads)


READERS: dict[str, Callable[[IO[bytes]], Iterator[Any]]] = {
    "document": of_documents,
    "bgstats": lambda file: bgstats.read(file, {}),
    "bgg": lambda file: bgg.read(file, {}),
}
HEADS = {"document": b'{"format":"carnet-match","events":[', "bgstats": b'{"plays":[', "bgg": b"<plays>"}
BLOCKS = (b"\xff", b"{", b"[", b'"', b"\\", b"{}\n", b"1,", b'{"a":1},', b"<play>", b"<play></play>", b"a ", b"&amp;")


def read(reader: str, text: bytes) -> None:
    try:
        for _ in READERS[reader](BytesIO(text)):
            pass
    except (NotJson, NotXml):
        pass


@pytest.mark.parametrize("reader", READERS)
def test_nonsense_takes_bounded_memory(reader: str) -> None:
    for block in BLOCKS:
        text = HEADS[reader] + block * (400_000 // len(block))
        tracemalloc.start()
        read(reader, text)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        # A line of documents is in memory as a whole, and orjson takes twelve times as much to read it.
        assert peak < 16 * len(text) if reader == "document" else peak < 4 * len(text), block


@pytest.mark.soak
@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("reader", READERS)
def test_10_mb_of_nonsense_are_refused_in_5_seconds(reader: str, block: bytes) -> None:
    for head in (b"", HEADS[reader]):
        text = head + block * (10_000_000 // len(block))
        began = process_time()
        read(reader, text)
        assert process_time() - began < 5, head
