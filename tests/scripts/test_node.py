"""The tools of node that check scripts and styles: how they are pinned and installed."""

import json
import re
import sys
from pathlib import Path

import pytest

from scripts import node
from scripts.node import ROOT, Failed, install


def failing(folder: Path, message: str) -> list[str]:
    """An npm that fails with some words."""
    program = folder / "npm.py"
    program.write_text(f"import sys; print({message!r}, file=sys.stderr); sys.exit(1)", "utf-8")
    return [sys.executable, str(program)]


@pytest.mark.parametrize("code", ["EAI_AGAIN", "ENOTFOUND", "ECONNREFUSED"])
def test_without_a_network_one_sentence_says_that_scripts_are_not_checked(tmp_path: Path, code: str) -> None:
    with pytest.raises(Failed) as failed:
        install(failing(tmp_path, f"npm error code {code}\nnpm error request to a registry failed"), tmp_path)
    assert re.fullmatch(rf"Scripts and styles are not checked: [^.\n]*not reached \({code}\)\.", str(failed.value))


def test_a_registry_that_never_answers_counts_as_not_reached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node, "PATIENCE", 0.2)
    program = tmp_path / "npm.py"
    program.write_text("import time; time.sleep(60)", "utf-8")
    with pytest.raises(Failed, match=r"not reached \(no answer\)\.$"):
        install([sys.executable, str(program)], tmp_path)


def test_any_other_failure_is_said_in_the_words_of_npm(tmp_path: Path) -> None:
    with pytest.raises(Failed, match=r"npm error sha512-A is not sha512-B\nnpm ci failed"):
        install(failing(tmp_path, "npm error code EINTEGRITY\nnpm error sha512-A is not sha512-B"), tmp_path)


def test_the_lock_pins_every_package_with_a_hash_and_names_no_registry() -> None:
    text = (ROOT / "package-lock.json").read_text("utf-8")
    packages = {name: package for name, package in json.loads(text)["packages"].items() if name}
    assert len(packages) > 100
    assert [name for name, package in packages.items() if not package["integrity"].startswith("sha512-")] == []
    assert [name for name, package in packages.items() if "resolved" in package or "hasInstallScript" in package] == []


def test_the_tools_are_named_with_the_versions_of_the_lock() -> None:
    tools = json.loads((ROOT / "package.json").read_text("utf-8"))["devDependencies"]
    packages = json.loads((ROOT / "package-lock.json").read_text("utf-8"))["packages"]
    assert tools == {name: packages[f"node_modules/{name}"]["version"] for name in tools}
