"""Memory that is still taken when something was done."""

import gc
import tracemalloc
from collections.abc import Callable


def bytes_left_by(act: Callable[[int], None]) -> int:
    """The bytes that stay after an act was done four times, each with another number."""
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        for number in range(4):
            act(number)
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return after - before
