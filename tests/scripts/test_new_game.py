"""A new game begins as a copy of the example that passes everything at once."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scripts import new_game

ROOT = Path(__file__).parents[2]
NAME = "four_in_a_row"
GAME, TESTS = f"domain/games/{NAME}", f"tests/domain/games/{NAME}"
MAX_SECONDS = 300


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the domain with its tests, in which the new game was begun."""
    for folder in ("domain", "scripts", "tests/domain"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("pyproject.toml", "tests/__init__.py"):
        shutil.copy(ROOT / file, tmp_path / file)
    require_success(tmp_path, "python", "-m", "scripts.new_game", NAME)
    return tmp_path


def require_success(tree: Path, program: str, *arguments: str) -> None:
    """Run a program of this environment in the tree."""
    command = [str(Path(sys.executable).with_name(program)), *arguments]
    ended = subprocess.run(command, cwd=tree, capture_output=True, text=True, timeout=MAX_SECONDS, check=False)  # noqa: S603
    assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.slow
def test_a_new_game_passes_lint_and_its_tests_cover_all_of_it(tree: Path) -> None:
    require_success(tree, "ruff", "check", GAME, TESTS)
    require_success(tree, "ruff", "format", "--check", GAME, TESTS)
    counted = (f"--cov={GAME}", "--cov-report=term-missing", "--cov-fail-under=100")
    require_success(tree, "python", "-m", "pytest", "-q", "-p", "no:cacheprovider", *counted, TESTS)
    texts = [path for pattern in ("*.py", "*.json") for path in (tree / GAME).rglob(pattern)]
    assert [path for path in texts if "example" in path.read_text("utf-8").lower()] == []


@pytest.mark.slow
def test_the_types_of_a_new_game_are_right_and_its_imports_are_allowed(tree: Path) -> None:
    shutil.copytree(ROOT / "service", tree / "service", ignore=shutil.ignore_patterns("__pycache__"))
    require_success(tree, "mypy", GAME, TESTS)
    require_success(tree, "lint-imports", "--no-logo")


@pytest.mark.parametrize("name", ["", "Go", "four-in-a-row", "4_wins", "_go", "go_", "go__on", "if", "a" * 31, "../go"])
def test_a_name_that_no_package_can_have_is_refused(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        new_game.main([name])
    assert caught.value.code == 2
    assert "must be words of a-z" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["paris", "cite_lumiere"])
def test_a_game_that_is_there_is_left_alone(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert new_game.main([name]) == 1
    assert capsys.readouterr().err == f"domain/games/{name} is already there\n"
