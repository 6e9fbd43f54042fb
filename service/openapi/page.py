"""The API document as an HTML page without scripts."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from domain.game import JsonObject

METHODS = ("get", "post", "put", "patch", "delete")
LIMITS = {
    "minimum": "at least {}",
    "maximum": "at most {}",
    "maxLength": "at most {} characters",
    "minItems": "at least {} entries",
    "maxItems": "at most {} entries",
    "default": "default {}",
}
MAX_WORDS = 30
"""Of more words than this only the first ones and the last are shown."""
WORDS = {
    "string": "text",
    "integer": "integer",
    "number": "number",
    "boolean": "true or false",
    "object": "object",
    "null": "null",
}


def write_page(document: JsonObject) -> str:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"prose": prose, "phrase": phrase, "pretty": pretty, "members": members, "limits": limits}
    sections = [(tag, list(_operations(document, tag["name"]))) for tag in document["tags"]]
    return environment.get_template("reference.html").render(document=document, sections=sections)


def _operations(document: Mapping[str, Any], tag: str) -> Iterator[JsonObject]:
    """The operations of a tag, with references resolved except schemas."""
    for path, item in document["paths"].items():
        for method in METHODS:
            operation = item.get(method)
            if operation is None or tag not in operation["tags"]:
                continue
            parameters = [*item.get("parameters", ()), *operation.get("parameters", ())]
            yield {
                **operation,
                "path": path,
                "method": method,
                "parameters": [_followed(document, parameter) for parameter in parameters],
                "responses": [
                    _response(document, status, response) for status, response in operation["responses"].items()
                ],
            }


def _response(document: Mapping[str, Any], status: str, part: Mapping[str, Any]) -> JsonObject:
    response = _followed(document, part)
    headers = {name: _followed(document, header) for name, header in response.get("headers", {}).items()}
    content = {
        media_type: {**each, "examples": _recorded(document, each.get("examples", {}))}
        for media_type, each in response.get("content", {}).items()
    }
    return {**response, "status": status, "headers": headers, "content": content}


def _recorded(document: Mapping[str, Any], examples: Mapping[str, Any]) -> JsonObject:
    return {name: _followed(document, example) for name, example in examples.items()}


def _followed(document: Mapping[str, Any], part: Mapping[str, Any]) -> Mapping[str, Any]:
    if "$ref" not in part:
        return part
    _, _, kind, name = part["$ref"].split("/")
    followed: Mapping[str, Any] = document["components"][kind][name]
    return followed


def prose(text: str) -> Markup:
    """Convert a text with `code`, **stress**, [links](/to-us), paragraphs and lists."""
    marked = str(escape(text.strip()))
    marked = re.sub(r"`([^`]+)`", r"<code>\1</code>", marked)
    marked = re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", marked)
    marked = re.sub(r"\[([^]]+)\]\((/[a-z0-9/-]+)\)", r'<a href="\2">\1</a>', marked)
    return Markup("").join(map(_paragraph, marked.split("\n\n")))


def _paragraph(marked: str) -> Markup:
    if not marked.startswith("- "):
        return Markup(f"<p>{marked}</p>")  # noqa: S704 - was escaped
    items = "".join(f"<li>{line.removeprefix('- ')}</li>" for line in marked.split("\n"))
    return Markup(f"<ul>{items}</ul>")  # noqa: S704 - was escaped


def pretty(value: Any) -> str:
    """Pretty-print JSON, with lists of plain values in one line."""
    text = orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()
    return re.sub(r"\[[^][{}]*\]", lambda found: re.sub(r"\s*\n\s*", " ", found[0]), text)


def phrase(schema: Any) -> Markup:
    """Describe a schema in a few words, with links to the schemas that it names."""
    if schema is True or schema == {}:
        return Markup("anything")
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return Markup('<a href="#schema-{0}">{0}</a>').format(name)
    for key in ("oneOf", "anyOf"):
        if key in schema and "properties" not in schema:
            return Markup(" or ").join(dict.fromkeys(phrase(choice) for choice in schema[key]))
    if schema.get("type") == "boolean" and "const" in schema.get("not", {}):
        return phrase({"const": not schema["not"]["const"]})
    if "const" in schema:
        return Markup("<code>{}</code>").format(_json(schema["const"]))
    if "enum" in schema:
        words = [Markup("<code>{}</code>").format(_json(word)) for word in schema["enum"]]
        shown = [*words[:4], Markup("…"), words[-1]] if len(words) > MAX_WORDS else words
        return Markup(" ").join(shown)
    return _phrase_of_type(schema)


def _phrase_of_type(schema: Mapping[str, Any]) -> Markup:
    types = schema.get("type", "object")
    if isinstance(types, list):
        return Markup(" or ").join(phrase({**schema, "type": each}) for each in types)
    if types == "array":
        return Markup("list of ") + phrase(schema.get("items", {}))
    values = schema.get("additionalProperties")
    if types == "object" and isinstance(values, dict) and "properties" not in schema:
        return Markup("map of ") + phrase(values)
    return escape(schema.get("format") or WORDS[types])


def limits(schema: Mapping[str, Any]) -> str:
    """The constraints of a schema in words."""
    limits = [
        words.format(_json(schema[key])) for key, words in LIMITS.items() if key in schema and "$ref" not in schema
    ]
    return ", ".join(limits)


def members(schema: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any], bool]]:
    """The members that an object may have: name, schema and whether it is required."""
    required = schema.get("required", ())
    return [
        (name, member, name in required)
        for name, member in schema.get("properties", {}).items()
        if member and "not" not in member
    ]


def _json(value: Any) -> str:
    return orjson.dumps(value).decode()
