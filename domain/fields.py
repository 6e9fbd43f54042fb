"""The JSON of plain records, named once: each member is read, written and described by one field.

>>> from typing import NamedTuple
>>> class Point(NamedTuple):
...     column: int
...     row: int = 1
>>> point = Record(Point, {"column": word({"a": 0, "b": 1}), "row": maybe(number(range(1, 9)), 1)})
>>> point.read(Form({"column": "b"}))
Point(column=1, row=1)
>>> point.dump(Point(0, 5))
{'column': 'a', 'row': 5}
>>> point.schema["required"]
['column']
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Generic, TypeAlias, TypeVar

from domain.forms import Form, JsonObject
from domain.json_schema import array, integer, members, one_of

K = TypeVar("K", str, int)
S = TypeVar("S")
T = TypeVar("T")
W = TypeVar("W", str, int)

_REQUIRED: Final = object()


@dataclass(frozen=True, slots=True)
class Field(Generic[T]):
    """How a member of an object is read, written and described."""

    read: Callable[[Form, str], T]
    """Takes the form and the name of the member, and notes what is wrong with it."""
    dump: Callable[[T], Any]
    schema: JsonObject
    default: Any = _REQUIRED
    """The value for which the member is absent."""

    @property
    def is_required(self) -> bool:
        return self.default is _REQUIRED


def word(values: Mapping[str, W]) -> Field[W]:
    """One of these names, which stand for values."""
    names = {value: name for name, value in values.items()}
    return Field(lambda form, member: form.choice(member, values), names.__getitem__, _among(list(values)))


def name(names: Iterable[str]) -> Field[str]:
    """One of these names, which stand for themselves."""
    return word({name: name for name in names})


def number(allowed: range, start: int | None = None) -> Field[int]:
    """An integer of a range, which may be counted from another `start`."""
    shift = 0 if start is None else start - allowed.start
    return Field(
        lambda form, member: form.integer(member, allowed) + shift, lambda number: number - shift, integer(allowed)
    )


def number_among(allowed: Sequence[int]) -> Field[int]:
    """One of a few integers."""
    schema = {"type": "integer", **_among(allowed)}
    return Field(lambda form, member: form.integer(member, allowed), lambda number: number, schema)


def maybe(field: Field[T], default: object = None) -> Field[T]:
    """A member that is absent if it has the default."""
    return replace(field, default=default)


class Record(Generic[T]):
    """The objects with certain members and no others. Fields stand for the attributes of a class, in their order.

    Any other member is a constant, by which the record is chosen before it is read. The schema is titled like the
    class, unless it has a `title` of its own.
    """

    def __init__(self, kind: type[T], fields: Mapping[str, Field[Any]], title: str = "", **constants: object) -> None:
        self.kind = kind
        self._constants = constants
        self._fields = [
            (name, attribute, field, field.is_required)
            for (name, field), attribute in zip(fields.items(), getattr(kind, "__match_args__", ()), strict=True)
        ]
        self.schema = {"title": title or kind.__name__} | members(
            {name: {"const": constant} for name, constant in constants.items()}
            | {name: field.schema for name, field in fields.items() if field.is_required},
            {name: field.schema for name, field in fields.items() if not field.is_required},
        )

    def parse(self, json: object) -> T:
        """Read a document that is a record; raise `Malformed`."""
        form = Form(json)
        record = self.read(form)
        form.finish()
        return record

    def read(self, form: Form) -> T:
        """The record of an object; what is wrong is noted, but for members that it does not have."""
        values = []
        for name, _, field, is_required in self._fields:
            values.append(field.read(form, name) if is_required or form.has(name) else field.default)
        return self.kind(*values)

    def dump(self, value: T) -> JsonObject:
        json: JsonObject = {**self._constants}
        for name, attribute, field, _ in self._fields:
            if (member := getattr(value, attribute)) != field.default:
                json[name] = field.dump(member)
        return json


def nested(record: Record[T]) -> Field[T]:
    return Field(lambda form, member: _read_whole(record, form.form(member)), record.dump, record.schema)


def ascending(record: Record[Any], shortest: int, longest: int) -> Field[tuple[Any, ...]]:
    """A list of records, which may come in any order and are kept in ascending order."""
    return Field(
        lambda form, member: tuple(
            sorted(_read_whole(record, entry.form()) for entry in form.list(member, shortest, longest))
        ),
        lambda values: [record.dump(value) for value in values],
        array(record.schema, minItems=shortest, maxItems=longest),
    )


def distinct(
    words: Mapping[str, T],
    shortest: int,
    longest: int,
    gather: Callable[[Iterable[T]], S],
    spread: Callable[[S], list[str]],
) -> Field[S]:
    """A list of different words, which may come in any order: `gather` makes a set of them, `spread` lists it."""
    return Field(
        lambda form, member: gather(form.choices(member, words, shortest, longest)),
        spread,
        array(one_of(list(words)), minItems=shortest, maxItems=longest, uniqueItems=True),
    )


def every(form: Form, names: Iterable[K], read: Callable[[Form, str], T]) -> dict[K, T]:
    """What is read of each of these members; the object must have all of them and no others."""
    values = {name: read(form, str(name)) for name in names}
    form.close()
    return values


Shown: TypeAlias = Mapping[str, tuple[JsonObject, Callable[[T], Any]]]
"""The members of an object that is only written, each with its schema and what it shows of a thing."""


def show(members: Shown[T], thing: T) -> JsonObject:
    return {name: shows(thing) for name, (_, shows) in members.items()}


def schema_of(shown: Shown[Any]) -> JsonObject:
    """The schema of what `show` gives."""
    return members({name: schema for name, (schema, _) in shown.items()})


def _read_whole(record: Record[T], form: Form) -> T:
    value = record.read(form)
    form.close()
    return value


def _among(values: Sequence[str] | Sequence[int]) -> JsonObject:
    return {"const": values[0]} if len(values) == 1 else one_of(values)
