"""Play so long that counting its lines would take longer than playing."""

import sys
from collections.abc import Iterator

import pytest


@pytest.fixture
def uncounted() -> Iterator[None]:
    """Lets no lines be counted; other tests reach them all. The mark `no_cover` does nothing beside `-n`."""
    tracer = sys.gettrace()
    sys.settrace(None)
    yield
    sys.settrace(tracer)
