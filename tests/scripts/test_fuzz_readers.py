"""Fuzzing the readers, without atheris: a small dose of changed inputs meets documented errors alone."""

from io import BytesIO
from itertools import chain
from random import Random

import pytest

from domain.catalogue import GAMES
from domain.match.document import MatchDocument, read_documents
from domain.match.notation import MatchText, read_matches
from scripts import fuzz_readers
from scripts.fuzz_readers import GAMES_THERE, READERS, TooSlow, seeds, timed
from service.exchange import bgg, bgstats
from service.exchange.plays import Play


def changed(random: Random, data: bytes) -> bytes:
    """An input with some bytes put in, taken out or doubled."""
    for _ in range(random.randint(1, 4)):
        at, length = random.randrange(len(data) + 1), random.randint(0, 12)
        put = random.choice([b"", bytes([random.randrange(256)]), data[at : at + length] * 2, b"\n", b" ", b"|"])
        data = data[:at] + put + data[at + random.choice([0, length]) :]
    return data


def test_the_inputs_to_begin_with_are_right() -> None:
    texts = [seed for seed in seeds("text") if seed.startswith(b"carnet")]
    assert len(texts) == len(GAMES)
    assert all(isinstance(match, MatchText) for match in read_matches(texts, GAMES))
    documents = list(read_documents(chain.from_iterable((seed, b"\n") for seed in seeds("document")), GAMES))
    assert all(isinstance(document, MatchDocument) for document in documents) and len(documents) == len(GAMES)
    for name, read, number in (("bgstats", bgstats.read, 2), ("bgg", bgg.read, 4)):
        [seed] = seeds(name)
        plays = list(read(BytesIO(seed), GAMES_THERE))
        assert all(isinstance(play, Play) for play in plays) and len(plays) == number


@pytest.mark.parametrize("reader", READERS)
def test_changed_inputs_meet_documented_errors_alone(reader: str) -> None:
    random = Random(1)
    for seed in seeds(reader):
        for _ in range(60):
            timed(reader, changed(random, seed))


def test_an_input_that_takes_too_long_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz_readers, "LEAST_SECONDS", -1.0)
    with pytest.raises(TooSlow):
        timed("text", b"x")
