"""Parts from which games build the JSON Schemas of their documents."""

from collections.abc import Mapping, Sequence

from domain.forms import JsonObject


def one_of(words: Sequence[str | int | None]) -> JsonObject:
    """One of these words."""
    return {"enum": list(words)}


def integer(allowed: range) -> JsonObject:
    """An integer of a range."""
    return {"type": "integer", "minimum": allowed[0], "maximum": allowed[-1]}


def members(required: Mapping[str, JsonObject], optional: Mapping[str, JsonObject] | None = None) -> JsonObject:
    """An object with these members and no others."""
    optional = optional or {}
    return {
        "type": "object",
        "properties": {**required, **optional},
        "required": list(required),
        "additionalProperties": False,
    }


def array(items: JsonObject, **limits: int | bool) -> JsonObject:
    """A list of such entries."""
    return {"type": "array", "items": items, **limits}
