"""What the tests of many random cases tell at the end: how many they tried."""

from collections import Counter

import pytest


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
