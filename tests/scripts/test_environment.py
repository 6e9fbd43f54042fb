"""Installing packages into an environment of the checkout."""

import subprocess
import sys
from pathlib import Path

import pytest

from scripts.environment import NAMED, main


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Collecting flask==3.1.3 (from -r requirements/run.txt (line 1))", "flask"),
        ("Processing ./wheels dir/prometheus_client-0.26.0-py3-none-any.whl (from -r run.txt)", "prometheus_client"),
        ("Ignoring tzdata: markers 'sys_platform == \"win32\"' don't match your environment", "tzdata"),
        ("Requirement already satisfied: typing-extensions==4.16 in ./.venv/lib", "typing-extensions"),
    ],
)
def test_progress_knows_a_package_in_each_line_of_pip(line: str, name: str) -> None:
    named = NAMED.match(line)
    assert named is not None
    assert named[1] == name


def test_the_command_of_the_service_runs_from_any_folder(tmp_path: Path) -> None:
    command = Path(sys.prefix) / "bin" / "carnet"
    answer = subprocess.run([command, "--help"], cwd=tmp_path, capture_output=True, text=True, check=True)  # noqa: S603
    assert "verify" in answer.stdout


def test_what_cannot_be_installed_is_said_in_the_words_of_pip(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    requirements = tmp_path / "some.txt"
    requirements.write_text(f"nothing-of-this-name==1.0 --hash=sha256:{'0' * 64}\n", "utf-8")
    assert main([sys.prefix, str(requirements), "--more"]) == 1
    assert "No matching distribution found for nothing-of-this-name==1.0" in capfd.readouterr().err
