"""Writes the API document from the routes, as YAML and as the JSON that is served, or tells whether it has drifted."""

import argparse
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson
import yaml
from flask import Flask

from scripts import examples
from service.app import create_app
from service.config import read_config
from service.db.migrations import migrate
from service.db.pool import Database
from service.openapi.document import build
from service.openapi.examples import EXAMPLES
from service.openapi.routes import DOCUMENT as SERVED
from service.server.postgres import Server, find_binaries

DOCUMENT = Path(__file__).parents[1] / "openapi.yaml"
WIDTH = 100_000
"""Texts and examples have a line of their own, so that no line changes but that of what has changed."""
SHORT = 1000
"""Characters of JSON that are written in one line."""


NUMBER = re.compile(r"[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?|0o[0-7]+|0x[0-9a-fA-F]+")
"""A number in YAML 1.2."""


class Writer(yaml.SafeDumper):
    """Keeps the order, writes what is short in one line, examples without indentation, and texts as they are."""

    def ignore_aliases(self, data: Any) -> bool:
        """What is said twice is written twice."""
        return True


def _represent_list(writer: yaml.SafeDumper, values: list[Any]) -> yaml.Node:
    is_plain = not any(isinstance(value, dict | list) for value in values)
    is_short = len(orjson.dumps(values)) <= SHORT or all("$ref" in value for value in values)
    return writer.represent_sequence("tag:yaml.org,2002:seq", values, flow_style=is_plain or is_short)


def _represent_members(writer: yaml.SafeDumper, members: dict[str, Any]) -> yaml.Node:
    is_short = len(orjson.dumps(members)) <= SHORT
    node = writer.represent_mapping("tag:yaml.org,2002:map", members.items(), flow_style=is_short)
    for key, value in node.value:
        if key.value == "examples" and isinstance(value, yaml.SequenceNode):
            for example in value.value:
                example.flow_style = True
    return node


def _represent_text(writer: yaml.SafeDumper, text: str) -> yaml.Node:
    # The writer quotes what YAML 1.1 reads as a number, but 1.2, as OpenAPI asks for, also reads 0028 and 1e3 as such.
    style = "|" if "\n" in text else "'" if NUMBER.fullmatch(text) else None
    return writer.represent_scalar("tag:yaml.org,2002:str", text, style=style)


Writer.add_representer(dict, _represent_members)
Writer.add_representer(list, _represent_list)
Writer.add_representer(str, _represent_text)


def write(app: Flask) -> dict[Path, bytes]:
    """What each file of the document holds."""
    served = orjson.dumps(build(app))
    text: str = yaml.dump(orjson.loads(served), Dumper=Writer, sort_keys=False, allow_unicode=True, width=WIDTH)
    return {DOCUMENT: text.encode(), SERVED: served}


@contextmanager
def application(*, stored: bool) -> Iterator[Flask]:
    """The application, on an empty database if anything is to be stored."""
    if not stored:
        yield create_app(read_config({"CARNET_OPEN": "1"}), Database(""))
        return
    with (
        tempfile.TemporaryDirectory(prefix="carnet-") as folder,
        Server(Path(folder), find_binaries(os.environ), fsync=False) as server,
    ):
        migrate(server.dsn())
        database = Database(server.dsn())
        database.open()
        yield create_app(read_config({"CARNET_OPEN": "1"}), database)
        database.close()


def main() -> int:
    """Do as the arguments say; answer with an exit code."""
    parser = argparse.ArgumentParser(prog="python -m scripts.openapi", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the document has drifted")
    parser.add_argument("--examples", action="store_true", help="record the examples anew where they have changed")
    arguments = parser.parse_args()
    if arguments.examples:
        with application(stored=True) as app:
            recorded = examples.record(app)
        if examples.normal(recorded) != examples.normal(orjson.loads(EXAMPLES.read_bytes())):
            EXAMPLES.write_bytes(orjson.dumps(recorded, option=orjson.OPT_INDENT_2) + b"\n")
            print(f"{EXAMPLES.name} is recorded; run this again without --examples.")
        return 0
    with application(stored=False) as app:
        files = write(app)
    for file, content in files.items():
        if not arguments.check:
            file.write_bytes(content)
        elif not file.is_file() or file.read_bytes() != content:
            print(f"{file.name} is not what the routes say; run: make openapi", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
