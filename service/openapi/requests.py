"""Marshmallow schemas as JSON Schema: apispec, with the shapes of our fields and schemas."""

from collections.abc import Mapping, Sequence
from typing import Any

import orjson
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from marshmallow import Schema, fields

from domain.game import JsonObject
from service.http.fields import Form


class Converter(OpenAPIConverter):
    """Converter that adds the `shape` of fields and schemas, and the docstrings of schemas."""

    def init_attribute_functions(self) -> None:
        """Register the attribute functions: the shape comes first, so that validators may narrow it."""
        super().init_attribute_functions()
        self.attribute_functions.insert(1, self.shape_of_field)

    def shape_of_field(self, field: Any, ret: Any) -> JsonObject:
        """The JSON Schema of a field, if it declares one."""
        return dict(getattr(field, "shape", {}))

    def field2length(self, field: Any, **kwargs: Any) -> JsonObject:
        """How long a field may be: a mapping counts its members."""
        found: JsonObject = super().field2length(field, **kwargs)
        if isinstance(field, fields.Dict):
            return {keyword.replace("Length", "Properties"): value for keyword, value in found.items()}
        return found

    def dict2properties(self, field: Any, **kwargs: Any) -> JsonObject:
        """The JSON Schema of the members of a mapping, with that of their names."""
        found: JsonObject = super().dict2properties(field, **kwargs)
        if isinstance(field, fields.Dict) and field.key_field is not None:
            found["propertyNames"] = self.field2property(field.key_field)
        return found

    def schema_of(self, body: type[Schema]) -> JsonObject:
        """A reference to the JSON Schema of a body, which becomes a component."""
        return dict(self.resolve_nested_schema(body))

    def schema2jsonschema(self, schema: Schema) -> JsonObject:
        """The JSON Schema of a body; unknown members are refused."""
        json: JsonObject = super().schema2jsonschema(schema)
        members = {name: _without_default(member) for name, member in json["properties"].items()}
        description = (type(schema).__doc__ or "").strip()
        forms: Sequence[Form] = getattr(schema, "forms", ())
        if not forms:
            return {**json, "properties": members, "additionalProperties": False, "description": description}
        return {"description": description, "oneOf": [_in_form(members, form) for form in forms]}


def _in_form(members: Mapping[str, JsonObject], form: Form) -> JsonObject:
    """The JSON Schema of one form of a body; generators of clients take it as it stands."""
    return {
        "type": "object",
        "title": form.title,
        "description": form.about,
        "properties": {
            name: {**members[name], **form.narrowed.get(name, {})} for name in (*form.required, *form.optional)
        },
        "required": list(form.required),
        "additionalProperties": False,
    }


def _without_default(member: JsonObject) -> JsonObject:
    """A member of a body with its default in words: generators of clients require members that have a default."""
    if "default" not in member:
        return member
    default = orjson.dumps(member["default"], default=str).decode()
    rest = {keyword: value for keyword, value in member.items() if keyword != "default"}
    return {**rest, "description": f"{rest.get('description', '')} By default `{default}`.".strip()}


class Plugin(MarshmallowPlugin):
    """Plugin that reads marshmallow schemas with our converter."""

    Converter = Converter
