"""Scripts as browsers load them: modules that the same pages need, joined in one file.

The page of a match has 50 modules. Each of its own costs a request, and compresses worse. Joined they are four files.

An entry is a module that pages load by its address, or that another one imports while it runs; its file has its
address and what it alone needs. What several entries need is in the file of `MAIN`, which every page has, if `MAIN` or
`LARGEST` is among them, and otherwise in a file of what exactly these entries share.

A joined module is a function that is called at once, and its exports are the object that it returns. So

- modules do not import each other in a circle, and none changes an export later;
- outside of functions only entries other than `MAIN` await anything, and never what they import while they run, since
  that may need something of their own file.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from graphlib import TopologicalSorter
from posixpath import dirname, normpath, relpath

from service.web.minify import minify_script

MAIN = "js/boot.js"
LARGEST = "js/match/page.js"

IMPORT = re.compile(
    r"""^import\s+(?:(?P<names>\{[^}]*\}|\w+)\s+from\s+)?"(?P<path>\.[^"]+)"(?:\s+with\s+\{[^}]*\})?;$""", re.MULTILINE
)
EXPORT = re.compile(r"^export\s+(?=(?:async\s+)?(?:function|class|const)\s+(\w+))", re.MULTILINE)
LATER = re.compile(r"""\bimport\("(\.[^"]+)"\)(?!\.)""")
"""An import while a module runs; in a comment a type follows."""
OTHER = re.compile(r"^(?:import\b(?!\()|export\b).*", re.MULTILINE)
"""A form of import or export that nothing here understands."""


@dataclass(frozen=True)
class Module:
    """A module as it was written."""

    name: str
    source: str

    @cached_property
    def imports(self) -> Mapping[str, str]:
        """Its imports by file, each with the names in braces or the name of the whole."""
        return {self.resolve(found["path"]): found["names"] or "" for found in IMPORT.finditer(self.source)}

    @cached_property
    def later(self) -> frozenset[str]:
        """The modules that it imports while it runs."""
        return frozenset(map(self.resolve, LATER.findall(self.source)))

    @cached_property
    def exports(self) -> tuple[str, ...]:
        return tuple(EXPORT.findall(self.source))

    @property
    def exported(self) -> str:
        """The object of its exports."""
        return f"{{{','.join(self.exports)}}}"

    @property
    def body(self) -> str:
        """The source without its imports and exports; raise `ValueError`."""
        body = EXPORT.sub("", IMPORT.sub("", self.source))
        if other := OTHER.search(body):
            raise ValueError(f"{self.name} cannot be joined with others: {other[0]}")
        return body

    @property
    def variable(self) -> str:
        """The name of its exports in the files of joined modules."""
        return variable_of(self.name)

    def resolve(self, path: str) -> str:
        """The name of a file that it names by a relative path."""
        return normpath(f"{dirname(self.name)}/{path}")


@dataclass(frozen=True)
class Chunk:
    """A file of modules in the order in which they run; an entry is the last."""

    name: str
    members: tuple[str, ...]


class Chunks:
    """The files of some modules."""

    def __init__(self, sources: Mapping[str, str], data: Mapping[str, str]) -> None:
        """Join modules of which the sources are given by name; `data` are the JSON files that they import.

        Raise `CycleError` if modules import each other in a circle.
        """
        self._modules = {name: Module(name, source) for name, source in sources.items()}
        self._data = data
        imported = {name for module in self._modules.values() for name in module.imports}
        later = {name for module in self._modules.values() for name in module.later}
        self._entries = (self._modules.keys() - imported) | later
        if both := imported & later:
            raise ValueError(f"imported both at once and later: {sorted(both)}")
        self._homes = self._homes_of_all()
        members: dict[str, list[str]] = {}
        for name in self._in_order():
            members.setdefault(self._homes[name], []).append(name)
        self.by_name = {home: Chunk(home, tuple(names)) for home, names in members.items()}

    def needed_by(self, *entries: str) -> list[str]:
        """The files that browsers load for some entries before these run."""
        found: dict[str, None] = {}
        waiting = [*entries]
        while waiting:
            name = waiting.pop(0)
            if name not in found:
                found[name] = None
                waiting += self._imports_of(name)
        return list(found)

    def source(self, name: str) -> str:
        """The script of a file."""
        chunk = self.by_name[name]
        parts = [
            f'import{{{",".join(variables)}}}from"{_relative(other, name)}";'
            for other, variables in self._imports_of(name).items()
        ]
        parts += [self._joined(self._modules[member], name) for member in chunk.members]
        shared = [
            self._modules[member].variable
            for member in chunk.members
            if any(member in self._modules[other].imports and self._homes[other] != name for other in self._modules)
        ]
        return "".join(parts) + (f"export{{{','.join(shared)}}};" if shared else "")

    def alone(self, *entries: str) -> str:
        """A script without imports that runs some entries, in this order, and what they need."""
        members: dict[str, None] = {}
        for entry in entries:
            loaded = self._loaded_with(entry)
            members |= dict.fromkeys(name for name in self._in_order() if name in loaded)
        modules = [self._modules[name] for name in members]
        return "".join(
            f"const {module.variable}=await(async()=>{{{self._body(module, module.name)}return{module.exported}}})();"
            for module in modules
        )

    def _joined(self, module: Module, home: str) -> str:
        """A module as it stands in the file of its chunk."""
        body = self._body(module, home)
        if module.name not in self._entries:
            return f"const {module.variable}=(()=>{{{body}return{module.exported}}})();"
        if module.name == MAIN:
            return f"(()=>{{{body}}})();"
        take = f"export const{module.exported}=" if module.exports else ""
        return f"{take}await(async()=>{{{body}return{module.exported}}})();"

    def _body(self, module: Module, home: str) -> str:
        """A module with its imports as constants."""
        imports = "".join(
            f"const {names.replace(' as ', ':')}="
            + (self._modules[path].variable if path in self._modules else json.dumps(json.loads(self._data[path])))
            + ";"
            for path, names in module.imports.items()
            if names
        )
        body = LATER.sub(
            lambda later: f'import("{_relative(module.resolve(later[1]), home)}")', minify_script(module.body)
        )
        return minify_script(imports) + body

    def _imports_of(self, name: str) -> Mapping[str, list[str]]:
        """The chunks that one imports, each with the variables of the modules that it needs of it."""
        found: dict[str, list[str]] = {}
        for member in self.by_name[name].members:
            for path in self._modules[member].imports:
                if path in self._modules and self._homes[path] != name:
                    variables = found.setdefault(self._homes[path], [])
                    if self._modules[path].variable not in variables:
                        variables.append(self._modules[path].variable)
        return found

    def _homes_of_all(self) -> dict[str, str]:
        """The chunk of each module."""
        loaded = {entry: self._loaded_with(entry) for entry in self._entries}
        parents = {
            entry: {
                other for other in self._entries if any(entry in self._modules[name].later for name in loaded[other])
            }
            for entry in self._entries
        }
        homes: dict[str, str] = {}
        shared: dict[frozenset[str], str] = {}
        for name in sorted(self._modules):
            needing = {entry for entry in self._entries if name in loaded[entry]}
            # What is loaded only after another entry finds there what both need.
            first = frozenset(entry for entry in needing if not (parents[entry] and parents[entry] <= needing))
            if len(first) == 1:
                homes[name] = next(iter(first))
            elif first & {MAIN, LARGEST}:
                homes[name] = MAIN
            else:
                homes[name] = shared.setdefault(first, name)
        return homes

    def _loaded_with(self, entry: str) -> set[str]:
        """An entry and the modules that are loaded before it runs."""
        found: set[str] = set()
        waiting = [entry]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting += [path for path in self._modules[name].imports if path in self._modules]
        return found

    def _in_order(self) -> Iterator[str]:
        """All modules, each after those that it imports."""
        order = {
            name: [path for path in self._modules[name].imports if path in self._modules]
            for name in sorted(self._modules)
        }
        yield from TopologicalSorter(order).static_order()


def variable_of(name: str) -> str:
    """The name of a module's exports in the files of joined modules."""
    return "$" + re.sub(r"\W", "_", name.removesuffix(".js"))


def _relative(path: str, to: str) -> str:
    """The path of a file as a module in another one names it."""
    found = relpath(path, dirname(to))
    return found if found.startswith(".") else f"./{found}"
