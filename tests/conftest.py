"""For all tests: what is collected, and what the tests of many random cases tell at the end."""

import gc
from collections import Counter
from collections.abc import Generator
from typing import TypeAlias

import pytest
from hypothesis import HealthCheck, settings

Made: TypeAlias = pytest.Item | pytest.Collector | list[pytest.Item | pytest.Collector] | None
"""The items that are collected for one name of a module."""


def pytest_configure(config: pytest.Config) -> None:
    """Set what holds for all made-up examples.

    How long one takes, or what it is made of, says nothing on a machine that does other things too. New ones are tried
    in the soak; a change is judged by the same ones each time.
    """
    settings.register_profile(
        "carnet",
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
        derandomize=config.getoption("markexpr") == "not soak",
    )
    settings.load_profile("carnet")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Add up the numbers that tests gave to `record_property`."""
    tried: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if getattr(report, "when", None) == "teardown":
                tried.update(dict(report.user_properties))
    if tried:
        terminalreporter.section("tried")
        for name, number in sorted(tried.items()):
            terminalreporter.write_line(f"{name}: {number}")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep the garbage collector from modules and tests, which all stay.

    To look at them again and again took 3 s of CPU time of each process until all are collected, and 0.4 s each time
    from then on.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_pycollect_makeitem(collector: pytest.Collector, obj: object) -> Generator[None, Made, Made]:
    """Leave out tests of the soak where they would only be deselected.

    To collect those that are made up from the API document takes 17 s of CPU time in every process.
    """
    made = yield
    marks: list[pytest.Mark] = getattr(obj, "pytestmark", [])
    is_left_out = collector.config.getoption("markexpr") == "not soak" and any(mark.name == "soak" for mark in marks)
    return [] if is_left_out else made
