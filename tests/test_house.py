"""Rules of the house that no other tool checks: the domain is pure, SQL has its place, the README tells the truth."""

import ast
import re
import runpy
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MODULES = sorted((ROOT / "domain").rglob("*.py"))

PURE_MODULES = frozenset(
    "__future__ abc bisect collections dataclasses enum fractions functools hashlib heapq itertools json math operator "
    "re statistics string types typing".split()
)
"""What the domain may import of the standard library: no file, no clock, no chance, no process, no network."""
GIVEN = frozenset({("random", "Random")})
"""Types that the domain may import to name them: a caller gives the objects."""
EDITION_MODULES = frozenset({"pathlib"})
"""What the one module that reads editions at import may import besides."""
IMPURE_CALLS = frozenset(
    "Random __import__ breakpoint compile eval exec exit globals hash id input open print quit vars".split()
)
"""`hash` and `id` are among them because their answers differ from process to process."""

SERVICE = ROOT / "service"
WITH_SQL = (SERVICE / "db", SERVICE / "server" / "postgres")
"""Packages of the service with SQL: that of its tables, and that which sets up an embedded server."""
WITHOUT_SQL = sorted(
    path for path in SERVICE.rglob("*.py") if not any(path.is_relative_to(package) for package in WITH_SQL)
)
SQL = re.compile(r"\b(SELECT|WITH \w+ AS|(INSERT|MERGE) INTO|UPDATE \w+ SET|DELETE FROM|TRUNCATE|LISTEN|NOTIFY)\b")

EXAMPLE = re.compile(r"^```python\n(.*?)^```$\n\nprints\n\n^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
"""A program in the README and what it prints."""


def impurities(source: str, allowed: frozenset[str] = PURE_MODULES) -> Iterator[str]:
    """What in a module reaches outside of the domain."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names if not _is_allowed(alias.name, allowed))
            case ast.ImportFrom(module=module, names=names, level=level):
                given = {(module, alias.name) for alias in names} <= GIVEN
                if level or not (given or _is_allowed(str(module), allowed)):
                    yield "." * level + (module or "")
            case ast.Call(func=ast.Name(id=name)) if name in IMPURE_CALLS:
                yield f"{name}()"


def _is_allowed(module: str, allowed: frozenset[str]) -> bool:
    return module.partition(".")[0] in allowed | {"domain"}


def test_the_domain_is_pure() -> None:
    assert MODULES
    for module in MODULES:
        allowed = PURE_MODULES | EDITION_MODULES if module.name == "editions.py" else PURE_MODULES
        assert list(impurities(module.read_text("utf-8"), allowed)) == [], module


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import os", "os"),
        ("import os.path as p", "os.path"),
        ("def now():\n    from datetime import datetime", "datetime"),
        ("import random", "random"),
        ("from random import Random, choice", "random"),
        ("from random import Random\nchance = Random(1)", "Random()"),
        ("import service.db", "service.db"),
        ("import numpy", "numpy"),
        ("from . import board", "."),
        ("def read():\n    return open('x')", "open()"),
        ("order = hash('x')", "hash()"),
    ],
)
def test_what_is_not_pure_is_found(source: str, found: str) -> None:
    assert list(impurities(source)) == [found]


def sql_in(source: str) -> Iterator[str]:
    """The SQL statements in the texts of a module."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and SQL.search(node.value):
            yield node.value


def test_sql_stands_only_beside_the_database() -> None:
    assert WITHOUT_SQL
    for module in WITHOUT_SQL:
        assert list(sql_in(module.read_text("utf-8"))) == [], module


@pytest.mark.parametrize(
    "source",
    [
        "run('SELECT 1')",
        "run(f'SELECT {columns} FROM events')",
        "run(f'{head} WHERE x IN (SELECT FROM y)')",
        "run('WITH kept AS (TABLE x) TABLE kept')",
        "run('INSERT INTO x VALUES (1)')",
        "run('UPDATE x SET y = 1')",
        "run('DELETE FROM x')",
    ],
)
def test_sql_is_found(source: str) -> None:
    assert len(list(sql_in(source))) == 1


def test_the_examples_of_the_readme_print_what_it_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    examples = EXAMPLE.findall((ROOT / "README.md").read_text("utf-8"))
    assert examples
    for number, (code, printed) in enumerate(examples):
        program = tmp_path / f"example{number}.py"
        program.write_text(code, "utf-8")
        runpy.run_path(str(program))
        assert capsys.readouterr().out == printed
