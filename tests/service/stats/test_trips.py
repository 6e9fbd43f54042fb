import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from service.db import pool
from service.db.pool import Connection
from tests.service.harness import Service, ok

pytestmark = pytest.mark.unchanging


@contextmanager
def traced(file: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have libpq write down each message of the connections that are borrowed meanwhile."""
    borrowed = pool._borrowed

    @contextmanager
    def borrow(*given: Any) -> Iterator[Connection]:
        with borrowed(*given) as connection, file.open("a") as log:
            connection.pgconn.trace(log.fileno())
            yield connection
            connection.pgconn.untrace()

    with monkeypatch.context() as patched:
        patched.setattr(pool, "_borrowed", borrow)
        yield


def trips(file: Path) -> int:
    """How often the client began to wait for the server after it had asked for answers.

    What the server answers before all of a pipeline was sent is no trip of its own.
    """
    messages = re.findall(r"^[0-9-]+ [0-9:.]+\t([FB])\t[0-9]+\t(\w+)", file.read_text(), re.MULTILINE)
    return sum(
        (sender, answerer) == ("F", "B") and kind in {"Flush", "Sync", "Query"}
        for (sender, kind), (answerer, _) in pairwise(messages)
    )


def test_a_statistic_takes_at_most_six_trips_to_the_database(
    corpus: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = ok(corpus.get("/stats/players?limit=1"))["items"][0]["player"]["id"]
    address = f"/stats/players/{player}?game=paris"
    ok(corpus.get(address))  # connects
    with traced(tmp_path / "messages", monkeypatch):
        ok(corpus.get(address))
    assert trips(tmp_path / "messages") <= 5  # and one for who asks, where there is sign-in
