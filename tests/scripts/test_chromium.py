"""Which Chromium the pages are tested in."""

import os
import stat
from pathlib import Path

import pytest

from scripts import chromium
from scripts.chromium import NoChromium, find_chromium, provide_chromium


def program(folder: Path, name: str) -> Path:
    path = folder / name
    path.write_text("#!/bin/sh\n", "utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_the_one_that_is_named_is_taken_before_others(tmp_path: Path) -> None:
    program(tmp_path, "chromium")
    named = program(tmp_path, "mine")
    assert find_chromium({"CHROMIUM": str(named), "PATH": str(tmp_path)}) == named
    assert find_chromium({"CHROMIUM": "mine", "PATH": str(tmp_path)}) == named


def test_else_one_of_the_path_is_taken(tmp_path: Path) -> None:
    found = program(tmp_path, "google-chrome")
    assert find_chromium({"PATH": str(tmp_path)}) == found
    assert find_chromium({"PATH": str(tmp_path / "nothing")}) is None


def test_a_name_that_is_no_program_is_said_to_be_none(tmp_path: Path) -> None:
    with pytest.raises(NoChromium, match="CHROMIUM=/nowhere is no program"):
        find_chromium({"CHROMIUM": "/nowhere", "PATH": str(tmp_path)})


def test_without_one_and_without_the_means_to_install_it_one_line_says_so(tmp_path: Path) -> None:
    with pytest.raises(NoChromium) as none:
        provide_chromium({"PATH": str(tmp_path)})
    assert "\n" not in str(none.value)
    assert "apt install chromium" in str(none.value)


def test_root_installs_that_of_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = program(tmp_path, "apt-get")
    script.write_text(
        f'#!/bin/sh\n[ "$1" = update ] || printf "#!/bin/sh\\n" > {tmp_path}/chromium\n'
        f"[ -f {tmp_path}/chromium ] && /bin/chmod +x {tmp_path}/chromium\n",
        "utf-8",
    )
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert chromium.provide_chromium({"PATH": str(tmp_path)}) == tmp_path / "chromium"
