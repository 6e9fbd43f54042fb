"""Writes the types of the client from `openapi.yaml`, or tells whether they have drifted from it."""

import argparse
import json
import subprocess
import sys
import textwrap
from collections.abc import Iterator, Mapping, Set
from pathlib import Path
from typing import Any, Final

import yaml

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "openapi.yaml"
TYPES = ROOT / "service" / "client" / "documents.py"

WANTED: Final = (
    "Account Anchor AnchorProof Annotation AnnotationWording AuditEntry ChangedMatches Comparison Correction Details"
    " EditionSummary Event Frame FramePart Game GameDetails HiddenAnnotations Import ImportItem Invitation Judgement"
    " KnownName LegalMoves Mark Match MatchLink MatchResult MatchSummary MatchTimes Me NewPlayer"
    " NewlyMadeInvitation NewlyMadeMatchLink NewlyMadeSignInLink NewlyMadeToken Player PlayerChange Position Role"
    " RulingsInStatistics Scope Score SeatedMove Session SignInLink Token Undoing Verification Visibility"
).split()
"""The components that the client takes and returns; those that they refer to come with them."""
NAMES: Final[Mapping[str, str]] = {
    "AnnotationWording": "Wording",
    "Judgement": "Checked",
    "NewPlayer": "Seated",
    "RulingsInStatistics": "RulingsSetting",
    "SeatedMove": "Entry",
}
"""Names that the client has for components."""
OPEN: Final[Mapping[str, str]] = {"Move": "Mapping[str, Any]", "Setup": "dict[str, Any]", "State": "dict[str, Any]"}
"""What depends on the game, whose JSON Schemas `Client.game` returns."""
OPEN_MEMBERS: Final = frozenset({"act", "kind"})
"""Members that may have further values one day."""
PLAIN: Final[Mapping[str, str]] = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "null": "None",
}
WIDTH: Final = 110

HEAD = '''"""Types of requests and responses, written from `openapi.yaml` by `python -m scripts.client_types`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

'''


class Writer:
    """Writes components as types, with those that they refer to."""

    def __init__(self, schemas: Mapping[str, Any]) -> None:
        self._schemas = schemas
        self._aliases: dict[str, str] = {}
        self._classes: dict[str, str] = {}
        self._unions: dict[str, str] = {}
        self._wanted: list[str] = []
        self._bases: dict[str, str] = {}
        """The class that a class extends."""
        self._seen: set[str] = set()
        self._open = {None, *schemas["Seat"]["enum"], *schemas["Game"]["properties"]["id"]["enum"]}
        """Words that are others where there are other games."""

    def write(self, wanted: list[str]) -> str:
        """The source of the module."""
        self._wanted = wanted
        for name in wanted:
            self._refer(name)
        for name, kind in OPEN.items():
            self._aliases[name] = f"{name}: TypeAlias = {kind}\n{_docstring(self._schemas[name]['description'], '')}"
        parts = [*sorted(self._aliases.items()), *self._in_order(), *sorted(self._unions.items())]
        return HEAD + "\n\n".join(source for _, source in parts)

    def _in_order(self) -> Iterator[tuple[str, str]]:
        """The classes by name, each after the one that it extends."""
        waiting = sorted(self._classes)
        while waiting:
            name = next(name for name in waiting if self._bases.get(name) not in waiting)
            waiting.remove(name)
            yield name, self._classes[name]

    def _refer(self, component: str) -> str:
        """The type of a reference; the component is written unless it is a plain one."""
        schema = self._schemas[component]
        name = NAMES.get(component, component)
        if component in OPEN:
            return component
        if component.endswith("Problem"):
            return "dict[str, Any]"
        choices = [part for part in schema.get("oneOf", schema.get("anyOf", [])) if part != {"type": "null"}]
        is_union = len(choices) > 1
        is_choice = "enum" in schema and None not in schema["enum"] and not self._open.issuperset(schema["enum"])
        if "properties" not in schema and not is_union and not is_choice:
            return self._type(schema)
        if component not in self._seen:
            self._seen.add(component)
            if "properties" in schema:
                self._classes[name] = "".join(self._class(name, schema))
            else:
                kind = self._type({key: part for key, part in schema.items() if key != "description"})
                part = self._unions if is_union else self._aliases
                part[name] = f"{name}: TypeAlias = {kind}\n{_docstring(schema['description'], '')}"
        return name

    def _class(self, name: str, schema: Mapping[str, Any]) -> Iterator[str]:
        base = self._base_of(name, schema)
        if base is not None:
            self._bases[name] = self._refer(base)
        inherited = {} if base is None else self._schemas[base]["properties"]
        yield f"class {name}({self._bases.get(name, 'TypedDict')}):\n{_docstring(schema['description'], '    ')}\n"
        for member, part in schema["properties"].items():
            if member in inherited:
                continue
            kind = "str" if member in OPEN_MEMBERS and "enum" in part else self._type(part)
            yield f"    {member}: {kind if member in schema.get('required', ()) else f'NotRequired[{kind}]'}\n"
            if "description" in part:
                yield _docstring(part["description"], "    ")

    def _base_of(self, name: str, schema: Mapping[str, Any]) -> str | None:
        """A wanted component of which a component is a kind: its name has the other's, and it has all its members."""

        def members(of: Mapping[str, Any]) -> Set[tuple[str, str, bool]]:
            required = of.get("required", ())
            return {(name, json.dumps(part), name in required) for name, part in of.get("properties", {}).items()}

        own = members(schema)
        kinds = [wanted for wanted in self._wanted if wanted in name and set() < members(self._schemas[wanted]) < own]
        return max(kinds, key=len, default=None)

    def _type(self, schema: Mapping[str, Any]) -> str:
        if "$ref" in schema:
            return self._refer(schema["$ref"].rpartition("/")[2])
        for keyword in ("oneOf", "anyOf"):
            if keyword in schema:
                return " | ".join(dict.fromkeys(self._type(part) for part in schema[keyword]))
        types = schema.get("type", [])
        if isinstance(types, list):
            return " | ".join(self._type({**schema, "type": each}) for each in types) or "Any"
        if types != "null" and "enum" in schema:
            if self._open.issuperset(schema["enum"]):
                return "str"
            return f"Literal[{', '.join(repr(word) for word in schema['enum'] if word is not None)}]"
        if "const" in schema:
            return f"Literal[{schema['const']!r}]"
        if "const" in schema.get("not", {}):
            return f"Literal[{not schema['not']['const']}]"
        if types == "array":
            return f"list[{self._type(schema['items'])}]"
        if types == "object":
            values = schema.get("additionalProperties") or {}
            return f"dict[str, {self._type(values)}]"
        return PLAIN[types]


def _docstring(text: str, indent: str) -> str:
    if len(text) <= WIDTH:
        return f'{indent}"""{text}"""\n'
    summary, dot, rest = text.partition(". ")
    first = [f"{summary}.", ""] if dot and len(summary) < WIDTH else []
    lines = [*first, *textwrap.wrap(rest if first else text, WIDTH), '"""']
    return textwrap.indent('"""' + "\n".join(lines), indent, lambda line: line != "\n") + "\n"


def write(document: Mapping[str, Any], wanted: list[str]) -> str:
    """The source of the types, formatted."""
    source = Writer(document["components"]["schemas"]).write(wanted)
    tool = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(TYPES), "-"]
    formatted = subprocess.run(tool, input=source, capture_output=True, text=True, check=True, cwd=ROOT)  # noqa: S603 - ours
    return str(formatted.stdout)


def main() -> int:
    """Do as the arguments say; answer with an exit code."""
    parser = argparse.ArgumentParser(prog="python -m scripts.client_types", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the types have drifted")
    arguments = parser.parse_args()
    types = write(yaml.load(DOCUMENT.read_bytes(), yaml.CSafeLoader), WANTED)
    if not arguments.check:
        TYPES.write_text(types, "utf-8")
    elif TYPES.read_text("utf-8") != types:
        print(f"{TYPES.name} is not what {DOCUMENT.name} says; run: make openapi", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
