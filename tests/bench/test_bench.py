"""What the benchmark does when something goes wrong, and two checkouts side by side."""

import json
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bench import __main__, against, archive, over_http, parts, service
from bench.against import Checkout
from bench.processes import JobFailed, OutOfSupply, Processes
from bench.ratios import Bound, alternate, measured, ratio, supplied
from bench.supply import Options


def _inventory(items: list[str], _total: int, _label: str) -> list[str]:
    return items


def _tasks(failing_call: int) -> dict[str, Callable[[], float]]:
    """Two tasks that answer 2 and 1 until one call too many."""
    calls = iter(range(100))

    def task(answer: float) -> Callable[[], float]:
        def measure() -> float:
            if next(calls) == failing_call:
                raise OutOfSupply("nothing left")
            return answer

        return measure

    return {"one": task(2.0), "other": task(1.0)}


def test_a_task_that_fails_leaves_the_figures_of_the_rounds_before() -> None:
    found: dict[str, list[float]] = {}
    with pytest.raises(OutOfSupply):
        alternate(_tasks(failing_call=3), 5, _inventory, "label", found)
    assert found == {"one": [2.0], "other": [1.0, 1.0]}
    bound = Bound("one", "other", 1.0, is_least=True)
    assert ratio(bound, found).median == 2.0
    assert measured([bound, Bound("one", "third", None)], found) == [bound]


def test_a_supply_that_does_not_last_is_doubled() -> None:
    tried = []

    def task(supply: float) -> float:
        tried.append(supply)
        if supply < 30:
            raise OutOfSupply("too fast")
        return supply

    measure = supplied(task, 10)
    assert [measure(), measure()] == [40, 40]
    assert tried == [10, 20, 40, 40]


class _Job:
    """A job that fails if it is told to, before or after all are ready."""

    seconds = 0.0

    def __init__(self, failure: str | None, *, is_late: bool = False) -> None:
        self._failure = failure
        self._is_late = is_late

    def run(self, wait: Callable[[], None]) -> str:
        for is_late in (False, True):
            if self._failure is not None and self._is_late is is_late:
                raise OutOfSupply(self._failure)
            if not is_late:
                wait()
        return "done"


@pytest.mark.slow
def test_processes_work_on_after_a_job_has_failed() -> None:
    with Processes(2) as processes:
        for is_late in (False, True):
            with pytest.raises(OutOfSupply, match="nothing left"):
                processes.run([_Job("nothing left", is_late=is_late), _Job(None)])
            assert processes.run([_Job(None), _Job(None)]) == ["done", "done"]


def test_a_part_that_fails_leaves_those_before_and_after_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(name: str) -> Callable[..., None]:
        def measure(_given: parts.Given, figures: dict[str, Any]) -> None:
            figures["begun"] = name
            if name == "bench.service":
                raise JobFailed("a process has died")

        return measure

    monkeypatch.setattr(parts, "import_module", lambda name: SimpleNamespace(run=run(name)))
    output = tmp_path / "bench.json"
    assert __main__.main(["engine", "service", "pages", "--output", str(output)]) == 1
    written = json.loads(output.read_text())
    assert {name: written[name] for name in ("engine", "service", "pages")} == {
        name: {"begun": f"bench.{name}"} for name in ("engine", "service", "pages")
    }
    assert "a process has died" in written["failed"]["service"]


def test_a_statistic_above_its_bound_is_marked() -> None:
    took = archive.Took.of([0.25, 0.05, 0.06], processor=0.09)
    assert took == archive.Took(best=50.0, median=60.0, p95=250.0, processor=30.0)
    found: dict[str, dict[str, archive.Took | None]] = {
        "players": dict.fromkeys(archive.FILTERS, took),
        "game": dict.fromkeys(archive.FILTERS),
    }
    lines = {line.split("  ")[0]: line.split()[-3:] for line in archive.statistics_lines(found, "p95")}
    assert lines["none"] == ["100", "250!", "inf!"]
    assert lines["year, tag"] == ["500", "250", "inf!"]


def test_what_was_measured_is_written_when_the_benchmark_is_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(_given: parts.Given, figures: dict[str, Any]) -> None:
        figures["begun"] = True
        raise KeyboardInterrupt

    monkeypatch.setattr(parts, "import_module", lambda _name: SimpleNamespace(run=run))
    output = tmp_path / "bench.json"
    assert __main__.main(["engine", "--output", str(output)]) == __main__.INTERRUPTED
    assert json.loads(output.read_text())["engine"] == {"begun": True}


@pytest.mark.parametrize(("given", "tasks"), [(["--only", "moves"], ["moves"]), ([], [*parts.TASKS, "store"])])
def test_one_task_of_the_service_is_measured_alone(
    given: list[str], tasks: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured: list[str] = []
    loaded: dict[str, Any] = {
        "bench.in_process": SimpleNamespace(measure=lambda *_: measured.append("store"), BOUNDS=())
    }
    monkeypatch.setattr(service, "import_module", loaded.__getitem__)
    monkeypatch.setattr(service, "Processes", lambda _clients: nullcontext())
    monkeypatch.setattr(service, "Server", lambda *_: nullcontext(SimpleNamespace(dsn=lambda: "")))
    monkeypatch.setattr(service, "_facts", lambda *_: {})
    monkeypatch.setattr(service, "_tell", lambda *_: None)
    monkeypatch.setattr(over_http, "measure", lambda options, *_: measured.extend(options.tasks))
    assert __main__.main(["service", *given, "--output", str(tmp_path / "bench.json")]) == 0
    assert measured == tasks


@pytest.mark.parametrize(
    ("given", "refusal"),
    [
        (["engine", "--only", "moves"], "--only measures the service alone"),
        (["service", "--only", "folds", "--against", "HEAD"], "--against compares moves and frames"),
    ],
)
def test_a_task_that_is_not_there_is_refused(
    given: list[str], refusal: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        __main__.main(given)
    assert refusal in capsys.readouterr().err


@pytest.mark.slow
def test_a_checkout_is_compared_with_another_in_alternating_rounds(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (against, over_http):
        monkeypatch.setattr(module, "CLIENTS", 2)
    figures: dict[str, Any] = {}
    against.compare(
        {"here": Checkout(), "there": Checkout()}, Options(rounds=2, seconds=0.2, seed=1), ["frames"], figures
    )
    rounds = figures["per_second"]
    assert {name: len(found) for name, found in rounds.items()} == {
        "versioned frames, here": 2,
        "versioned frames, there": 2,
    }
    (found,) = figures["ratios"]
    assert found["smallest"] <= found["median"] <= found["largest"]
    printed = capsys.readouterr().out
    assert "round 1: versioned frames" in printed
    assert "round 2: versioned frames" in printed
    assert "ratio, requests a second" in printed
