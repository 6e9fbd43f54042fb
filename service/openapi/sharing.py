"""Components for what stands in several places of the API document: parts of schemas, and parameters."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import count
from typing import Any, Final

import orjson

from domain.game import JsonObject

MIN_SIZE: Final = 60
"""Characters from which a part that stands in several places becomes a component."""
MAX_REFUSAL: Final = 1000
"""Characters of a `not` at most."""
MIN_MAP: Final = 4
"""Members of an object from which it is a map, if they are all alike."""
INSTANCES: Final = frozenset({"default", "enum", "example", "examples", "const", "value"})
"""Keywords whose values are no schemas."""


def ref(component: str, kind: str = "schemas") -> JsonObject:
    return {"$ref": f"#/components/{kind}/{component}"}


def camel(name: str) -> str:
    """A name in the spelling of components."""
    return "".join(part[:1].upper() + part[1:] for part in name.replace("-", "_").split("_"))


def share_titled(schemas: Mapping[str, JsonObject], prefix: str) -> dict[str, JsonObject]:
    """Schemas by component, with a further component for every part that has a title, and references in its places.

    A part of the same shape without a title is the same. Where a part has a description of its own it keeps it.
    """
    titles: dict[str, str] = {}
    abouts: dict[str, Counter[str]] = defaultdict(Counter)
    bodies: dict[str, JsonObject] = {}
    for schema in schemas.values():
        for part in _titled(schema):
            name = prefix + camel(part["title"])
            titles[_text(_bare(part))] = name
            abouts[name][part.get("description", "")] += 1
            if _bare(bodies.setdefault(name, part)) != _bare(part):
                raise ValueError(f"{name} has two shapes")
    common = {name: _most_common(counted) for name, counted in abouts.items()}

    def share(part: Any) -> Any:
        if isinstance(part, list):
            return [share(each) for each in part]
        if not isinstance(part, Mapping):
            return part
        name = titles.get(_text(_bare(dict(part))))
        if name is None:
            return {keyword: member if keyword in INSTANCES else share(member) for keyword, member in part.items()}
        own = part.get("description", common[name])
        return {**ref(name), **({} if own == common[name] else {"description": own})}

    def share_within(part: JsonObject) -> JsonObject:
        return {keyword: member if keyword in INSTANCES else share(member) for keyword, member in part.items()}

    described = {name: {"description": common[name], **share_within(_bare(body))} for name, body in bodies.items()}
    return {**{name: share_within(schema) for name, schema in schemas.items()}, **described}


def _most_common(texts: Counter[str]) -> str:
    """The most common text, of several the shortest."""
    return min(texts, key=lambda text: (-texts[text], len(text), text))


def _titled(schema: Any) -> Iterator[JsonObject]:
    """All schemas within one that have a title."""
    if isinstance(schema, list):
        for part in schema:
            yield from _titled(part)
    if isinstance(schema, Mapping):
        if isinstance(schema.get("title"), str):
            yield dict(schema)
        for keyword, member in schema.items():
            if keyword not in INSTANCES:
                yield from _titled(member)


def _bare(part: JsonObject) -> JsonObject:
    """A schema without name and description."""
    return {keyword: member for keyword, member in part.items() if keyword not in {"title", "description"}}


def as_maps(schema: Any) -> Any:
    """A schema with objects of many members that are all alike as maps, which say the same in fewer words.

    Whether all members are required is said by their number. Generators of clients do not know patterns of names, so
    what these allow is said of other names too; where there are none, nothing follows.
    """
    if isinstance(schema, list):
        return [as_maps(part) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    mapped = {name: member if name in INSTANCES else as_maps(member) for name, member in schema.items()}
    if "patternProperties" in mapped and mapped.get("additionalProperties") is False:
        kinds = list(mapped["patternProperties"].values())
        return {**mapped, "additionalProperties": {"anyOf": kinds}}
    members = mapped.get("properties")
    if not isinstance(members, dict) or len(members) < MIN_MAP or "properties" in members:
        return mapped
    values = list(members.values())
    required = mapped.get("required", [])
    if any(value != values[0] for value in values) or len(required) not in {0, len(members)}:
        return mapped
    rest = {
        name: member
        for name, member in mapped.items()
        if name not in {"properties", "required", "additionalProperties"}
    }
    number = {"minProperties": len(members)} if required else {}
    return {**rest, "propertyNames": {"enum": list(members)}, "additionalProperties": values[0], **number}


def without_long_refusals(schema: Any) -> Any:
    """A schema without what it refuses in many words, which the schema of the game has and a description says."""
    if isinstance(schema, list):
        return [without_long_refusals(part) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    return {
        keyword: part if keyword in INSTANCES else without_long_refusals(part)
        for keyword, part in schema.items()
        if keyword != "not" or len(_text(part)) <= MAX_REFUSAL
    }


def share_parts(schemas: Mapping[str, JsonObject], prefix: str, places: int = 2) -> dict[str, JsonObject]:
    """Schemas by component, with further components for parts that stand in several places of them.

    Such a part is named after the member that most often has it.
    """
    components = dict(schemas)
    while (repeated := _largest_repeated(components, prefix, places)) is not None:
        name, part = repeated
        components = {each: _replaced(shared, part, ref(name)) for each, shared in components.items()}
        components[name] = part
    return components


def name_objects(components: Mapping[str, JsonObject]) -> dict[str, JsonObject]:
    """The components, with one of its own for every object within them: generators of clients name classes by it."""
    named: dict[str, JsonObject] = {}
    for name, schema in components.items():
        named[name] = _with_named(schema, name, {*components}, named)
    return named


def _with_named(schema: Any, name: str, taken: Collection[str], named: dict[str, JsonObject]) -> Any:
    """A schema whose inner objects are references; their components are added to those named."""
    if not isinstance(schema, Mapping):
        return schema

    def inner(part: Any, called: str) -> Any:
        if not isinstance(part, Mapping) or "properties" not in part:
            return _with_named(part, called, taken, named)
        called = plain = part.get("title", called)
        numbers = count(2)
        while called in taken or called in named:
            called = f"{plain}{next(numbers)}"
        is_nullable = part.get("type") == ["object", "null"]
        bare = {keyword: member for keyword, member in part.items() if keyword != "title" and member != []}
        bare |= {"type": "object"} if is_nullable else {}
        named[called] = {}  # so that no other takes the name
        named[called] = _with_named(bare, called, taken, named)
        return {"oneOf": [ref(called), {"type": "null"}]} if is_nullable else ref(called)

    referring = dict(schema)
    if "properties" in referring:
        referring["properties"] = {
            member: inner(part, name + camel(member)) for member, part in referring["properties"].items()
        }
    for keyword in ("items", "additionalProperties"):
        if keyword in referring:
            referring[keyword] = inner(referring[keyword], f"{name}Entry")
    for keyword in ("oneOf", "anyOf"):
        if keyword in referring:
            is_one = sum("properties" in part for part in referring[keyword]) == 1
            referring[keyword] = [inner(part, name if is_one else name + _form(part)) for part in referring[keyword]]
    return referring


def _form(part: JsonObject) -> str:
    """The name of one of several forms: the value of its `type`, if it has one."""
    kind = part.get("properties", {}).get("type", {}).get("const")
    return camel(kind) if isinstance(kind, str) else "Form"


def typed(schema: Any) -> Any:
    """A schema whose constants say their types, as generators of clients expect.

    Of a constant that is true or false one generator makes the word `true` or `false`, another one broken code; both
    understand that it is not the other.
    """
    if isinstance(schema, list):
        return [typed(part) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    typed_schema = {name: member if name in {*INSTANCES, "not"} else typed(member) for name, member in schema.items()}
    if isinstance(typed_schema.get("const"), bool):
        truth = {keyword: member for keyword, member in typed_schema.items() if keyword != "const"}
        return {**truth, "type": "boolean", "not": {"const": not typed_schema["const"]}}
    words = typed_schema.get("enum", [typed_schema["const"]] if "const" in typed_schema else [])
    kinds = {_TYPES.get(type(word), "") for word in words}
    if "type" in typed_schema or not kinds or "" in kinds:
        return typed_schema
    return {"type": kinds.pop() if len(kinds) == 1 else sorted(kinds, key=lambda kind: kind == "null"), **typed_schema}


_TYPES: Final[Mapping[type, str]] = {str: "string", int: "integer", type(None): "null"}


def share_known(document: Any, known: Mapping[str, JsonObject]) -> Any:
    """The document with references for schemas that are components; the components themselves are left alone."""
    for name, schema in known.items():
        bare = {keyword: value for keyword, value in schema.items() if keyword != "description"}
        document = _replaced(document, bare, ref(name))
    return document


def share_parameters(paths: Mapping[str, JsonObject]) -> tuple[dict[str, JsonObject], dict[str, JsonObject]]:
    """The paths with references for parameters that stand in several places, and these as components."""
    texts = Counter(_text(parameter) for parameter in _parameters(paths))
    components: dict[str, JsonObject] = {}
    for parameter in _parameters(paths):
        name = camel(parameter["name"])
        if components.get(name, parameter) != parameter:
            name = f"{parameter['in'].capitalize()}{name}"
        if texts[_text(parameter)] > 1:
            components.setdefault(name, parameter)  # another of the same name stays where it is

    names = {_text(parameter): name for name, parameter in components.items()}

    def share(parameter: JsonObject) -> JsonObject:
        name = names.get(_text(parameter))
        return parameter if name is None else ref(name, "parameters")

    return {path: _with_parameters(item, share) for path, item in paths.items()}, components


def _parameters(paths: Mapping[str, JsonObject]) -> Iterator[JsonObject]:
    for item in paths.values():
        for level in (item, *(operation for operation in item.values() if isinstance(operation, Mapping))):
            yield from (each for each in level.get("parameters", ()) if "$ref" not in each)


def _with_parameters(item: Any, share: Callable[[JsonObject], JsonObject]) -> Any:
    if not isinstance(item, Mapping):
        return item
    return {
        name: [share(each) for each in member] if name == "parameters" else _with_parameters(member, share)
        for name, member in item.items()
    }


def _largest_repeated(
    components: Mapping[str, JsonObject], prefix: str, places: int = 2
) -> tuple[str, JsonObject] | None:
    """The largest part that stands in several places, with a name that is not taken."""
    names: dict[str, Counter[str]] = defaultdict(Counter)
    parts: dict[str, Any] = {}
    for schema in components.values():
        for name, part in _parts(schema, ""):
            text = _text(part)
            if name and len(text) >= MIN_SIZE and not _is_nullable_reference(part):
                names[text][prefix + camel(name)] += 1
                parts[text] = part
    repeated = [text for text, counted in names.items() if counted.total() >= places]
    for text in sorted(repeated, key=lambda text: (-len(text), text)):
        for name, _ in sorted(names[text].items(), key=lambda each: (-each[1], each[0])):
            if name not in components:
                return name, parts[text]
    return None


def _is_nullable_reference(part: JsonObject) -> bool:
    """Whether a part is a reference or null: as a component it would be a class that wraps what is referred to."""
    choices = part.get("oneOf", []) if not part.keys() - {"oneOf", "description"} else []
    return bool(choices) and "$ref" in choices[0] and choices[1:] == [{"type": "null"}]


def _parts(schema: Any, name: str) -> Iterator[tuple[str, Any]]:
    """All schemas within one, each with the name of the member that has it; values of maps have that of the map."""
    if isinstance(schema, list):
        for part in schema:
            yield from _parts(part, name)
    if not isinstance(schema, Mapping):
        return
    for keyword, inner in schema.items():
        if keyword == "properties":
            is_map = len(inner) > 1 and len({_text(part) for part in inner.values()}) == 1
            for member, part in inner.items():
                called = _singular(name) if is_map else member
                yield called, part
                yield from _parts(part, called)
        elif keyword in {"oneOf", "anyOf"}:
            for part in inner:
                yield name, part
                yield from _parts(part, name)
        elif keyword in {"items", "additionalProperties", "propertyNames"} and isinstance(inner, Mapping):
            yield _singular(name), inner
            yield from _parts(inner, _singular(name))
        elif keyword not in {*INSTANCES, "not"}:
            yield from _parts(inner, name)


def _singular(name: str) -> str:
    return name.removesuffix("s")


def _replaced(document: Any, part: JsonObject, reference: JsonObject) -> Any:
    """The document with a reference wherever a part stands."""
    if isinstance(document, Mapping):
        return {
            name: member
            if name in INSTANCES
            else reference
            if isinstance(member, Mapping) and member == part
            else _replaced(member, part, reference)
            for name, member in document.items()
        }
    if isinstance(document, list):
        return [reference if each == part else _replaced(each, part, reference) for each in document]
    return document


def _text(part: object) -> str:
    return orjson.dumps(part, option=orjson.OPT_SORT_KEYS).decode()
