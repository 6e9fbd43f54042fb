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


def describe(parts: Mapping[str, str], texts: Mapping[str, str], **schemas: JsonObject) -> Mapping[str, JsonObject]:
    """Schemas with the titles and descriptions of their parts; raise `KeyError` for what describes none.

    `parts` has a place of each part by its title, which it has wherever it stands. A place is `Title.member`, with
    `[]` for what a list has and `[0]` for the first alternative; a description stands under a place or a title.
    """
    shapes: dict[str, JsonObject] = {}
    places: dict[str, JsonObject] = {}

    def described(part: JsonObject, place: str) -> JsonObject:
        title = next((title for title, shape in shapes.items() if shape == part), part.get("title"))
        top = title or place
        places.update({place: part, top: part})
        words = {"title": title, "description": texts.get(place, texts.get(top))}
        whole = {keyword: word for keyword, word in words.items() if word is not None} | part
        if members := part.get("properties"):
            whole["properties"] = {name: described(member, f"{top}.{name}") for name, member in members.items()}
        if items := part.get("items"):
            whole["items"] = described(items, f"{top}[]")
        if choices := part.get("oneOf"):
            whole["oneOf"] = [described(choice, f"{top}[{index}]") for index, choice in enumerate(choices)]
        return whole

    for name, schema in schemas.items():
        described(schema, name.capitalize())
    shapes.update({title: places[place] for title, place in parts.items()})
    places.clear()
    whole = {name: described(schema, name.capitalize()) for name, schema in schemas.items()}
    if unknown := texts.keys() - places.keys():
        raise KeyError(*sorted(unknown))
    return whole
