"""Marshmallow fields as strict as the wire contract, and the schemas that several resources share."""

import re
from collections.abc import Mapping
from datetime import date, datetime, time
from typing import Any
from uuid import UUID

from marshmallow import Schema, ValidationError, fields, validate
from marshmallow.fields import Field

from service.carnet import carnet, is_id

LONGEST_NAME = 80
LONGEST_TEXT = 4000
MOST_ITEMS = 200


class Integer(fields.Integer):
    """An integer of JSON; `2.0` and `true` are none."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int:
        if type(value) is not int:
            raise self.make_error("invalid")
        return value


class QueryInteger(fields.Integer):
    """An integer in a query string, in plain digits."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int:
        if not isinstance(value, str) or not re.fullmatch(r"\d{1,9}", value):
            raise self.make_error("invalid")
        return int(value)


class Text(fields.String):
    """A text with something in it."""

    def __init__(self, longest: int = LONGEST_TEXT, **options: Any) -> None:
        super().__init__(validate=[validate.Length(1, longest), _require_ink], **options)


class Id(Field[UUID]):
    """A UUID in its one spelling."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> UUID:
        if not isinstance(value, str) or not is_id(value):
            raise ValidationError("Not an id.")
        return UUID(value)


class Moment(Field[datetime]):
    """A time with its offset (RFC 3339)."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> datetime:
        if not isinstance(value, str) or not _MOMENT.fullmatch(value):
            raise ValidationError("Not a time such as 2026-11-14T19:30:00Z.")
        try:
            moment = datetime.fromisoformat(value.upper())
            moment.timestamp()
        except (ValueError, OverflowError):
            raise ValidationError("Not a time such as 2026-11-14T19:30:00Z.") from None
        return moment


_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,6})?([Zz]|[+-]\d\d:\d\d)")


class QueryMoment(Moment):
    """A time, or a plain date that is read in the time zone of the query."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> datetime:
        if isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", value):
            try:
                return datetime.combine(date.fromisoformat(value), time(), tzinfo=carnet().timezone)
            except ValueError:
                raise ValidationError("Not a date or a time such as 2026-11-14T19:30:00Z.") from None
        return super()._deserialize(value, attr, data, **kwargs)


class Json(Field[Any]):
    """A JSON object that the game reads itself."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Mapping[str, Any]:
        if not isinstance(value, dict):
            raise ValidationError("Not an object.")
        return value


def _require_ink(text: str) -> None:
    if not text.strip():
        raise ValidationError("Nothing but spaces.")


class Paging(Schema):
    """Where a page of a list begins and how long it is."""

    limit = QueryInteger(load_default=50, validate=validate.Range(1, MOST_ITEMS))
    cursor = fields.String()
