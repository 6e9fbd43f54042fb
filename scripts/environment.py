"""Install packages into a virtual environment, and show how far that is.

`python -m scripts.environment .venv requirements/run.txt` makes the environment anew; with `--more` packages are added
to the one that is there. This checkout can be imported in it, and its `bin/carnet` is the command of the service.
"""

import argparse
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from scripts.progress import shown

ROOT = Path(__file__).parent.parent
PINNED = re.compile(r"^[A-Za-z0-9][\w.-]*(\[[\w,]+\])?==", re.MULTILINE)
NAMED = re.compile(
    r"(?:Collecting|Ignoring|Requirement already satisfied:|Processing (?:.*/)?) ?([\w.]+(?:-[A-Za-z][\w.]*)*)"
)
COMMAND = """#!/bin/sh
# Written by scripts/environment.py.
exec "$(dirname "$(readlink -f "$0")")/python" -P -m service "$@"
"""


class Failed(Exception):
    """Why the environment could not be made, in words for the terminal."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Install, and say what failed if so."""
    parser = argparse.ArgumentParser(prog="python -m scripts.environment", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("requirements", type=Path)
    parser.add_argument("--more", action="store_true", help="keep what is installed")
    options = parser.parse_args(arguments)
    try:
        if not options.more:
            create(options.folder)
        install(options.folder, options.requirements)
    except Failed as failed:
        print(failed, file=sys.stderr)
        return 1
    return 0


def create(folder: Path, checkout: Path = ROOT) -> None:
    """Make an environment without packages, in which a checkout can be imported."""
    made = subprocess.run(  # noqa: S603 - our words
        [sys.executable, "-m", "venv", "--clear", folder], capture_output=True, text=True, check=False
    )
    if made.returncode != 0:
        hint = "install it (Debian: apt install python3-venv) or name another PYTHON"
        raise Failed(f"{made.stdout}{made.stderr}{sys.executable} -m venv failed; {hint}")
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "carnet.pth").write_text(f"{checkout}\n", "utf-8")
    command = folder / "bin" / "carnet"
    command.write_text(COMMAND, "utf-8")
    command.chmod(0o755)


def install(folder: Path, requirements: Path) -> None:
    """Install pinned packages, whose hashes are checked."""
    total = len(PINNED.findall(requirements.read_text("utf-8")))
    lines: list[str] = []
    pip = [
        str(folder / "bin" / "python"),
        "-m",
        "pip",
        "--disable-pip-version-check",
        "install",
        "--progress-bar",
        "off",
    ]
    with subprocess.Popen(  # noqa: S603 - our words
        [*pip, "--require-hashes", "-r", str(requirements)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        for _ in shown(_packages(process.stdout, lines), total, f"{requirements} into {folder}"):
            pass
    if process.returncode != 0:
        raise Failed("".join(lines))


def _packages(output: Iterable[str], lines: list[str]) -> Iterator[str]:
    """The packages that pip comes to, one after the other, as it writes their names; all lines are kept."""
    seen = set()
    for line in output:
        lines.append(line)
        if (named := NAMED.match(line)) and (name := re.sub(r"[-_.]+", "-", named[1]).lower()) not in seen:
            seen.add(name)
            yield name


if __name__ == "__main__":
    sys.exit(main())
