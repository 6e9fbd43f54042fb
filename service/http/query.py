"""Parsing of query strings, by nothing but the form and the members that are given."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from marshmallow import Schema
from marshmallow.fields import List

from domain.forms import FieldError, escape
from service.http.errors import malformed

Members: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]
"""The values of each member of a query string."""


def load_query(form: Schema, members: Members) -> Mapping[str, Any]:
    """Parse a query string; only lists may be repeated. Raise `Problem` or `ValidationError`."""
    nul = [name for name, values in members if any("\0" in name + value for value in values)]
    if nul:
        raise malformed([FieldError(f"/{escape(name)}", "must not hold the character NUL") for name in nul])
    lists = {field.data_key or name for name, field in form.fields.items() if isinstance(field, List)}
    repeated = [name for name, values in members if len(values) > 1 and name not in lists]
    if repeated:
        raise malformed([FieldError(f"/{escape(name)}", "is given twice") for name in repeated])
    loaded: Mapping[str, Any] = form.load(
        {name: list(values) if name in lists else values[0] for name, values in members}
    )
    return loaded
