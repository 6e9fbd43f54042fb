"""Play so long that counting its lines would take longer than playing."""

import sys
from collections.abc import Generator

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Count no lines of tests of random matches and made-up cases; other tests reach all lines, whatever is drawn.

    The mark `no_cover` does nothing beside `-n`.
    """
    is_made_up = getattr(getattr(item, "obj", None), "is_hypothesis_test", False)
    if not is_made_up and item.get_closest_marker("uncounted") is None:
        return (yield)
    tracer = sys.gettrace()
    sys.settrace(None)
    try:
        return (yield)
    finally:
        sys.settrace(tracer)
