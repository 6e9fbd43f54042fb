"""JSON Schemas of shapes, derived from their types and docstrings."""

import ast
import inspect
import sys
import types
from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cache
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from domain.game import JsonObject
from service.http.shapes import Component, Keywords, Page, Partial
from service.openapi.sharing import ref

_PLAIN: Final[Mapping[Any, JsonObject]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    None: {"type": "null"},
    type(None): {"type": "null"},
    Any: {},
}


def component_of(shape: Any) -> str:
    """The name of the component of a shape: `X` for classes `X` and `XDocument`, `XPage` for a page of X."""
    if get_origin(shape) is Annotated:
        return next(part.name for part in shape.__metadata__ if isinstance(part, Component))
    if get_origin(shape) is Page:
        return f"{component_of(get_args(shape)[0])}Page"
    return str(shape.__name__).removesuffix("Document") or "Document"


class Shapes:
    """The JSON Schemas of shapes by component, with those of all shapes that they refer to."""

    def __init__(self) -> None:
        self.schemas: dict[str, JsonObject] = {}
        self._shapes: dict[str, Any] = {}

    def refer(self, shape: Any) -> JsonObject:
        """A reference to the component of a shape, which is added."""
        if get_origin(shape) is Annotated:
            return self.schema(shape)
        name = component_of(shape)
        if self._shapes.setdefault(name, shape) != shape:
            raise ValueError(f"{name} would be two shapes")
        if name not in self.schemas:
            self.schemas[name] = {}  # so that a shape may refer to itself
            self.schemas[name] = self._members(shape)
        return ref(name)

    def _members(self, shape: Any) -> JsonObject:
        """The schema of an object with the members of a shape and no others."""
        origin = get_origin(shape) or shape
        abouts = _abouts(origin)
        given = dict(zip(getattr(origin, "__parameters__", ()), get_args(shape), strict=True))
        members = {}
        for member, kind in get_type_hints(origin, include_extras=True).items():
            schema = self.schema(_filled(kind, given))
            about = abouts.get(member)
            members[member] = schema if about is None else {**schema, "description": about}
        required = [member for member in members if member in origin.__required_keys__]
        return {
            "type": "object",
            "description": f"A page of a list of `{component_of(get_args(shape)[0])}`." if given else abouts[""],
            "properties": members,
            **({"required": required} if required else {}),
            "additionalProperties": False,
        }

    def schema(self, kind: Any) -> JsonObject:
        origin, parts = get_origin(kind), get_args(kind)
        if kind in _PLAIN:
            return dict(_PLAIN[kind])
        if origin is NotRequired:
            return self.schema(parts[0])
        if origin is Annotated:
            return self._annotated(*parts)
        if origin is Literal:
            return _words(parts)
        if origin in {Union, types.UnionType}:
            return self._union([part for part in parts if part is not type(None)], is_nullable=type(None) in parts)
        if inspect.isclass(kind) and issubclass(kind, StrEnum):
            return _words([str(word) for word in kind])
        if inspect.isclass(origin) and issubclass(origin, Mapping):
            values = self.schema(parts[1])
            return {"type": "object", **({"additionalProperties": values} if values else {})}
        if inspect.isclass(origin) and issubclass(origin, Sequence):
            return {"type": "array", "items": self.schema(parts[0])}
        if is_typeddict(origin or kind):
            return self.refer(kind)
        raise TypeError(f"{kind} has no JSON Schema")

    def _annotated(self, kind: Any, *parts: Any) -> JsonObject:
        component = next((part for part in parts if isinstance(part, Component)), None)
        if get_origin(kind) in {Union, types.UnionType} and component is not None:
            self.schemas[component.name] = self.schema(kind)
        if isinstance(component, Partial):
            schema = {**self._members(kind), "description": component.about}
            self.schemas[component.name] = {name: part for name, part in schema.items() if name != "required"}
        schema = self.schema(kind) if component is None else ref(component.name)
        for part in parts:
            if isinstance(part, Keywords):
                schema |= part.keywords
        return schema

    def _union(self, parts: Sequence[Any], *, is_nullable: bool) -> JsonObject:
        schemas = [self.schema(part) for part in parts]
        if len(schemas) > 1:
            return {"oneOf": [*schemas, *([_PLAIN[None]] if is_nullable else [])]}
        schema = schemas[0]
        if isinstance(schema.get("type"), str) and "const" not in schema:
            words = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
            return {**schema, "type": [schema["type"], "null"], **words}
        return {"oneOf": [schema, _PLAIN[None]]}


def _words(words: Sequence[Any]) -> JsonObject:
    if len(words) == 1:
        return {"const": words[0]}
    return {"type": "string", "enum": list(words)}


def _filled(kind: Any, given: Mapping[Any, Any]) -> Any:
    """A type with the arguments of the generic shape in the places of its variables."""
    parameters = getattr(kind, "__parameters__", ())
    return kind[tuple(given[parameter] for parameter in parameters)] if parameters else kind


def _abouts(shape: type) -> dict[str, str]:
    """The docstrings of a shape and its bases by member, its own under no name."""
    abouts: dict[str, str] = {}
    module = sys.modules[shape.__module__]
    node = _classes(module).get(shape.__name__)
    if node is None:  # a `TypedDict` that is made by a call, since a member has the name of a keyword
        return {"": shape.__doc__ or ""}
    for base in node.bases:
        if isinstance(base, ast.Name) and is_typeddict(kind := vars(module)[base.id]):
            abouts |= _abouts(kind)
    abouts[""] = " ".join((ast.get_docstring(node) or "").split())
    for member, text in zip(node.body, node.body[1:], strict=False):
        if isinstance(member, ast.AnnAssign) and isinstance(member.target, ast.Name) and isinstance(text, ast.Expr):
            assert isinstance(text.value, ast.Constant)
            abouts[member.target.id] = " ".join(str(text.value.value).split())
    return abouts


@cache
def _classes(module: types.ModuleType) -> Mapping[str, ast.ClassDef]:
    return {node.name: node for node in ast.parse(inspect.getsource(module)).body if isinstance(node, ast.ClassDef)}
