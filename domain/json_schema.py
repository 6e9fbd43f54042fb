"""Parts from which games build the JSON Schemas of their documents."""

from collections.abc import Mapping, Sequence

from domain.forms import JsonObject


def one_of(words: Sequence[str | int | None]) -> JsonObject:
    return {"enum": list(words)}


def integer(allowed: range) -> JsonObject:
    return {"type": "integer", "minimum": allowed[0], "maximum": allowed[-1]}


def members(required: Mapping[str, JsonObject], optional: Mapping[str, JsonObject] | None = None) -> JsonObject:
    optional = optional or {}
    return {
        "type": "object",
        "properties": {**required, **optional},
        "required": list(required),
        "additionalProperties": False,
    }


def array(items: JsonObject, **limits: int | bool) -> JsonObject:
    return {"type": "array", "items": items, **limits}


def result_of(seats: Sequence[str], tie_breaks: Sequence[str], places: JsonObject, points: JsonObject) -> JsonObject:
    """The result of a match of two or more seats, null as long as there is none."""
    result = members(
        {
            "winners": array(one_of(seats), minItems=1, maxItems=len(seats), uniqueItems=True),
            "ranking": array(
                members({"seat": one_of(seats), "place": places, "points": points}), minItems=2, maxItems=len(seats)
            ),
            "decided_by": one_of(["points", *tie_breaks, "shared"]),
        }
    )
    return {"oneOf": [{"type": "null"}, result]}
