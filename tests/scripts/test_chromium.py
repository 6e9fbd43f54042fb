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


def test_a_headless_shell_is_taken_before_a_whole_browser(tmp_path: Path) -> None:
    program(tmp_path, "chromium")
    shell = program(tmp_path, "chromium-headless-shell")
    assert find_chromium({"PATH": str(tmp_path)}) == shell


def test_a_name_that_is_no_program_is_said_to_be_none(tmp_path: Path) -> None:
    with pytest.raises(NoChromium, match="CHROMIUM=/nowhere is no program"):
        find_chromium({"CHROMIUM": "/nowhere", "PATH": str(tmp_path)})


def test_without_one_and_without_the_means_to_install_it_one_line_says_so(tmp_path: Path) -> None:
    with pytest.raises(NoChromium) as none:
        provide_chromium({"PATH": str(tmp_path)})
    assert "\n" not in str(none.value)
    assert "apt install chromium-headless-shell" in str(none.value)


@pytest.mark.parametrize("package", chromium.PACKAGES)
def test_root_installs_the_first_that_the_system_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    script = program(tmp_path, "apt-get")
    made = tmp_path / package
    script.write_text(
        f'#!/bin/sh\nfor last; do :; done\n[ "$last" = {package} ] || exit 100\n'
        f'printf "#!/bin/sh\\n" > {made} && /bin/chmod +x {made}\n',
        "utf-8",
    )
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert chromium.provide_chromium({"PATH": str(tmp_path)}) == made
