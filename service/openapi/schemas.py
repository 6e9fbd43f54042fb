"""JSON Schemas of what is no shape: what depends on the games, and documents with members of any name."""

from collections.abc import Mapping
from typing import Final

from domain.catalogue import GAMES
from domain.game import JsonObject
from service.http.fields import MAX_NAME, Id, Seat, Text
from service.openapi.sharing import as_maps, ref, share_parts, share_titled, without_long_refusals
from service.principals import Scope


def members(required: Mapping[str, JsonObject], optional: Mapping[str, JsonObject] | None = None) -> JsonObject:
    """Schema of an object with these members and no others."""
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


def named(title: str, game_id: str) -> str:
    """Component of a game's own schema."""
    return "".join(part.capitalize() for part in game_id.split("-")) + title


def _of_a_game(title: str) -> JsonObject:
    refs = [ref(named(title, game)) for game in GAMES]
    return refs[0] if len(refs) == 1 else {"anyOf": refs}


TEXT: JsonObject = {"type": "string"}
SHARED: Mapping[str, JsonObject] = {
    "Id": {**Id.shape, "description": "A UUID."},
    "Name": {
        "type": "string",
        "minLength": 1,
        "maxLength": MAX_NAME,
        **Text.shape,
        "description": "A text with a visible character.",
    },
    "Scope": {
        "type": "string",
        "enum": list(Scope),
        "description": "What may be done.",
    },
    "Seat": {"type": "string", **Seat.shape, "description": "A seat of one of the games."},
}
"""Schemas that stand in many places."""
MIN_PLACES: Final = 3
"""Places from which a part of schemas is named once."""

SCHEMAS: Mapping[str, JsonObject] = {
    "Document": {
        "type": "object",
        "description": "A document of OpenAPI 3.1.",
        "properties": {"openapi": TEXT, "info": {"type": "object"}, "paths": {"type": "object"}},
        "required": ["openapi", "info", "paths"],
    },
    "Edition": {
        "type": "object",
        "description": "The components of a box, in groups; each value says where it comes from.",
        "properties": {
            "id": {**TEXT, "description": "The id of the edition, as `edition` in the document that is hashed."},
            "game": {"type": "string", "enum": list(GAMES)},
            "edition": TEXT,
            "title": TEXT,
            "note": TEXT,
            "bgg_id": {
                "type": "integer",
                "minimum": 1,
                "maximum": 99_999_999,
                "description": "The number of the box at BoardGameGeek, by which other programs know the game.",
            },
            "digest": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
        },
        "required": ["id", "game", "edition", "title", "digest"],
        "additionalProperties": {"anyOf": [ref("EditionValue"), ref("EditionGroup")]},
    },
    "EditionChanges": {
        "type": "object",
        "description": "A JSON Merge Patch on the bare values of an edition and on `bgg_id`; null only removes that "
        "and entries of maps.",
    },
    "EditionGroup": {
        "type": "object",
        "not": {"properties": {"value": {}}, "required": ["value"]},
        "additionalProperties": {"anyOf": [ref("EditionValue"), ref("EditionGroup")]},
    },
    "EditionValue": members(
        {"value": {}, "source": {"type": "string", "enum": ["rulebook", "public source", "assumed", "user"]}},
        {"note": TEXT},
    ),
    "Move": {
        "description": "The move of the match's game.",
        **_of_a_game("Move"),
    },
    "MoveProblem": {
        "oneOf": [
            ref("IllegalMoveProblem"),
            ref("MalformedProblem"),
            ref("MalformedMoveProblem"),
            ref("RulingNotNeededProblem"),
            ref("Problem"),
        ]
    },
    "ResultOnlySetup": {
        **members(
            {
                "result_only": {"const": True},
                "points": {
                    "type": "object",
                    "additionalProperties": {"type": "integer", "minimum": -999, "maximum": 9999},
                    "propertyNames": Seat.shape,
                },
            },
            {
                "seats_unknown": {
                    "const": True,
                    "description": "Nobody knows who sat where. Players without a seat get those of the game in order.",
                },
                "tie": ref("Tie"),
            },
        ),
        "description": "Takes the place of a set-up where only the points of every seat are known.",
    },
    "Setup": {
        "description": "What is decided before the first move of the match's game.",
        "anyOf": [*(ref(named("Setup", game)) for game in GAMES), ref("ResultOnlySetup")],
    },
    "State": {
        "description": "The whole position, with what it would score now.",
        **_of_a_game("State"),
    },
    "Tie": {
        **members(
            {
                "winner": {"type": "string", **Seat.shape, "description": "One of the seats with the most points."},
                "decided_by": {
                    "type": "string",
                    "enum": sorted({tie_break for game in GAMES.values() for tie_break in game.tie_breaks}),
                    "description": "One of the `tie_breaks` of the game.",
                },
            }
        ),
        "description": "How equal points were decided where only the result is known. Without it they share the win.",
    },
}


def of_games() -> dict[str, JsonObject]:
    """The schemas of all games, for a document that is being built: to find what they repeat takes 30 ms."""
    schemas: dict[str, JsonObject] = {}
    for game in GAMES.values():
        prefix = named("", game.id)
        whole = {
            named(title.capitalize(), game.id): without_long_refusals(as_maps(schema))
            for title, schema in game.schemas.items()
        }
        schemas |= share_parts(share_titled(whole, prefix), prefix)
    return schemas
