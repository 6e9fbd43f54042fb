"""Strict marshmallow fields for the wire contract, and schemas that several resources share.

A field declares in its `shape`, as JSON Schema, what the API document cannot derive from it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, ClassVar
from uuid import UUID
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from marshmallow import Schema, ValidationError, fields, post_load, validate
from marshmallow.fields import Field

from domain.catalogue import GAMES
from domain.game import JsonObject
from service.http.locale import LANGUAGES
from service.identity import is_id
from service.names import BASIC_INVISIBLE, has_ink, tidy_name

MAX_NAME = 80
MAX_TEXT = 4000
MAX_ITEMS = 200
MAX_FILTER_VALUES = 8
"""How often a filter such as `player` or `tag` may be repeated; a table has only a few people."""


@dataclass(frozen=True, slots=True)
class Form:
    """One of the forms of a body: its members, some of them with narrower values than in other forms."""

    title: str
    about: str
    required: Sequence[str]
    optional: Sequence[str] = ()
    narrowed: Mapping[str, JsonObject] = field(default_factory=dict)


class Integer(fields.Integer):
    """A JSON integer; `2.0` and `true` are none."""

    shape: ClassVar[JsonObject] = {"minimum": 0, "maximum": 2**31 - 1}

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int:
        if type(value) is not int:
            raise self.make_error("invalid")
        return value


class QueryInteger(fields.Integer):
    """An integer in a query string, in plain digits."""

    shape: ClassVar[JsonObject] = {"minimum": 0, "maximum": 10**9 - 1}

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> int:
        if not isinstance(value, str) or not re.fullmatch(r"[0-9]{1,9}", value):
            raise self.make_error("invalid")
        return int(value)


class Boolean(fields.Boolean):
    """true or false; `1` and `0` are none."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> bool:
        if type(value) is not bool:
            raise self.make_error("invalid", input=value)
        return value


class Text(fields.String):
    """A text with a visible character."""

    shape: ClassVar[JsonObject] = {"pattern": rf"^[^\x00]*[^\s{BASIC_INVISIBLE}][^\x00]*$"}

    def __init__(self, longest: int = MAX_TEXT, **options: Any) -> None:
        super().__init__(validate=[validate.Length(1, longest), _require_ink], **options)


class Name(Text):
    """A name, normalized so that names that look the same are the same."""

    def __init__(self, **options: Any) -> None:
        super().__init__(MAX_NAME, **options)

    def deserialize(
        self, value: Any, attr: str | None = None, data: Mapping[str, Any] | None = None, **kwargs: Any
    ) -> Any:
        """Normalize a valid name."""
        name = super().deserialize(value, attr, data, **kwargs)
        return tidy_name(name) if isinstance(name, str) else name


class QueryText(fields.String):
    """A text in a query string."""

    shape: ClassVar[JsonObject] = {"pattern": r"^[^\x00]*$"}


class QueryLanguage(fields.String):
    """A language of texts; `request_language` reads it from the request."""

    def __init__(self, **options: Any) -> None:
        super().__init__(validate=validate.OneOf(LANGUAGES), **options)


class Seat(fields.String):
    """A seat of one of the games; whether the match has it is checked later."""

    shape: ClassVar[JsonObject] = {"enum": sorted({seat for game in GAMES.values() for seat in game.seats})}


class Id(Field[UUID]):
    """A UUID in its one spelling."""

    shape: ClassVar[JsonObject] = {
        "type": "string",
        "format": "uuid",
        "pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
    }

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> UUID:
        if not isinstance(value, str) or not is_id(value):
            raise ValidationError("Not an id.")
        return UUID(value)


class Moment(Field[datetime]):
    """A time with its offset (RFC 3339)."""

    shape: ClassVar[JsonObject] = {"type": "string", "format": "date-time"}

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> datetime:
        if not isinstance(value, str) or not _MOMENT.fullmatch(value):
            raise ValidationError("Not a time such as 2026-11-14T19:30:00Z.")
        try:
            return datetime.fromisoformat(value.upper()).astimezone(UTC)
        except (ValueError, OverflowError):
            raise ValidationError("Not a time such as 2026-11-14T19:30:00Z.") from None


_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,6})?([Zz]|[+-]\d\d:\d\d)")


class QueryMoment(Field[date]):
    """A time, or a plain date to be placed in the time zone of the query."""

    shape: ClassVar[JsonObject] = {
        "anyOf": [{"type": "string", "format": "date"}, {"type": "string", "format": "date-time"}]
    }

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> date:
        if isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", value):
            try:
                return date.fromisoformat(value)
            except ValueError:
                raise ValidationError("Not a date or a time such as 2026-11-14T19:30:00Z.") from None
        return Moment()._deserialize(value, attr, data, **kwargs)


class Zone(Field[ZoneInfo]):
    """A time zone by its name."""

    shape: ClassVar[JsonObject] = {"type": "string", "examples": ["Europe/Warsaw"]}

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> ZoneInfo:
        try:
            return ZoneInfo(value)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise ValidationError("Not a time zone such as Europe/Warsaw.") from None


class Json(Field[Any]):
    """A JSON object that the game reads, with its component in the API document."""

    def __init__(self, component: str, **options: Any) -> None:
        super().__init__(**options)
        self.shape = {"$ref": f"#/components/schemas/{component}"}

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Mapping[str, Any]:
        if not isinstance(value, dict):
            raise ValidationError("Not an object.")
        return value


class FilterValues(fields.List[Any]):
    """The values of a repeatable filter; all of them must match."""

    def __init__(self, values: Field[Any]) -> None:
        super().__init__(values, validate=validate.Length(max=MAX_FILTER_VALUES))


def _require_ink(text: str) -> None:
    if not has_ink(text):
        raise ValidationError("Nothing that can be seen.")


class Period(Schema):
    """A span of time; plain dates are read in the time zone, which the reader of the query adds if it names none.

    What was read is half-open: a plain date in `to` ends with that day, a time ends before itself.
    """

    since = QueryMoment(data_key="from")
    until = QueryMoment(data_key="to")
    tz = Zone()

    @post_load
    def place_dates(self, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        """A day begins at midnight of the time zone, and the last one of the calendar never ends."""
        zone = data.pop("tz")
        if data.get("until") == date.max:
            del data["until"]
        elif type(data.get("until")) is date:
            data["until"] = datetime.combine(data["until"] + timedelta(days=1), time(), zone)
        if type(data.get("since")) is date:
            data["since"] = datetime.combine(data["since"], time(), zone)
        return data


class Paging(Schema):
    """The start and the length of a page of a list."""

    limit = QueryInteger(load_default=50, validate=validate.Range(1, MAX_ITEMS))
    cursor = QueryText()
