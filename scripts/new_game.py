"""Begins a new game: copies the example game and its tests into place under a name, ready to be changed."""

import argparse
import keyword
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
EXAMPLE = Path("tests/domain/example_game")
EXAMPLE_TESTS = Path("tests/domain/test_example_game.py")
NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
MAX_NAME = 30

NEXT = """\
domain/games/{name}/ and tests/domain/games/{name}/ hold tic-tac-toe. Change its rules and tests a step at a time.
What a game needs to be played on the service: CONTRIBUTING.md, "A new game"."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Copy the example; 1 if there is such a game."""
    parser = argparse.ArgumentParser(prog="python -m scripts.new_game", description=__doc__)
    parser.add_argument("name", type=module_name, help="the name of the package, like cite_lumiere")
    name = parser.parse_args(arguments).name
    game, tests = ROOT / "domain/games" / name, ROOT / "tests/domain/games" / name
    for folder in (game, tests):
        if folder.exists():
            print(f"{folder.relative_to(ROOT)} is already there", file=sys.stderr)
            return 1
    for source in sorted((ROOT / EXAMPLE).rglob("*")):
        if source.suffix in (".py", ".json"):
            copy(source, game / source.relative_to(ROOT / EXAMPLE), name)
    copy(ROOT / EXAMPLE_TESTS, tests / f"test_{name}.py", name)
    (tests / "__init__.py").touch()
    # With another name imports stand in another order, and lines break elsewhere.
    for command in (["check", "--quiet", "--select", "I", "--fix"], ["format", "--quiet"]):
        subprocess.run([sys.executable, "-m", "ruff", *command, game, tests], cwd=ROOT, check=True)  # noqa: S603
    print(NEXT.format(name=name))
    return 0


def module_name(text: str) -> str:
    """A name that a package can have; raise ArgumentTypeError."""
    if not NAME.fullmatch(text) or len(text) > MAX_NAME or keyword.iskeyword(text) or keyword.issoftkeyword(text):
        raise argparse.ArgumentTypeError(f"must be words of a-z and 0-9 with _ between them, at most {MAX_NAME} long")
    return text


def copy(source: Path, target: Path, name: str) -> None:
    """Copy a file of the example, renamed within."""
    text = source.read_text("utf-8")
    for old, new in (
        ("tests.domain.example_game", f"domain.games.{name}"),
        ("EXAMPLE_GAME", name.upper()),
        ("example-game", name.replace("_", "-")),
    ):
        text = text.replace(old, new)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, "utf-8")


if __name__ == "__main__":
    sys.exit(main())
