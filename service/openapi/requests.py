"""Marshmallow schemas as JSON Schema: what apispec writes, and what our fields and schemas say of themselves."""

from typing import Any

from apispec.ext.marshmallow import MarshmallowPlugin, resolver
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from marshmallow import Schema

from domain.game import JsonObject

_NAMES = {
    "Content": "AnnotationContent",
    "Correction": "NewCorrection",
    "Details": "NewDetails",
    "Merge": "PlayerMerge",
    "Move": "SeatedMove",
    "Moves": "NewMoves",
    "People": "NewPlayers",
    "Player": "NewPlayer",
    "Renaming": "PlayerName",
    "Restoring": "Restoration",
}
"""Where the name of a class says too little outside of its module."""


class Converter(OpenAPIConverter):
    """Adds the `shape` of fields and schemas, and the docstrings of schemas."""

    def init_attribute_functions(self) -> None:
        """What is asked of each field: its shape first, so that its validators may narrow it."""
        super().init_attribute_functions()
        self.attribute_functions.insert(1, self.shape_of_field)

    def shape_of_field(self, field: Any, ret: Any) -> JsonObject:
        """What a field says of itself."""
        return dict(getattr(field, "shape", {}))

    def schema2jsonschema(self, schema: Schema) -> JsonObject:
        """A body; unknown members are refused everywhere."""
        json: JsonObject = super().schema2jsonschema(schema)
        json["additionalProperties"] = False
        json["description"] = (type(schema).__doc__ or "").strip()
        return {**json, **getattr(schema, "shape", {})}


class Plugin(MarshmallowPlugin):
    """Reads marshmallow schemas with our converter."""

    Converter = Converter

    def __init__(self) -> None:
        super().__init__(schema_name_resolver=_name)


def _name(schema: Any) -> str:
    name = str(resolver(schema))
    return _NAMES.get(name, name)
