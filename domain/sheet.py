"""Edition documents of any game: printed values, each with its source, in groups of any depth.

A value is `{"value": …, "source": …, "note": …}`; an object without the member `value` is a group.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from domain.canonical import digest
from domain.forms import Form, escape
from domain.game import FieldError, JsonObject, Malformed

SOURCES = ("rulebook", "public source", "assumed", "user")
HEADER = ("game", "edition", "title", "note")
DEEPEST_GROUP = 4


@dataclass(frozen=True, slots=True)
class Sheet:
    """A document whose form is right, with its bare values; whether they make sense is for the game to say."""

    id: str
    title: str
    digest: str
    document: Mapping[str, Any]
    values: JsonObject


def read_sheet(json: object, game: str) -> Sheet:
    """Read an edition document of a game; raise `Malformed`, with pointers into the bare values."""
    form = Form(json)
    form.choice("game", {game: game})
    edition, title = form.text("edition", 80), form.text("title", 200)
    if form.has("note"):
        form.text("note", 4000)
    if not isinstance(json, dict):
        raise Malformed(form.errors)
    group = {name: member for name, member in json.items() if name not in HEADER}
    values = _bare(group, "", form.errors, DEEPEST_GROUP)
    if form.errors:
        raise Malformed(form.errors)
    try:
        return Sheet(edition, title, digest(json), json, values)
    except ValueError as error:
        raise Malformed([FieldError("", str(error))]) from None


def _bare(group: dict[Any, object], pointer: str, errors: list[FieldError], deepest: int) -> JsonObject:
    values: JsonObject = {}
    for name, member in group.items():
        here = f"{pointer}/{escape(str(name))}"
        if not isinstance(member, dict) or deepest == 0:
            errors.append(FieldError(here, "must be a value with its source"))
        elif "value" in member:
            leaf = Form(member, here, errors)
            values[name] = leaf.anything("value")
            leaf.choice("source", {source: source for source in SOURCES})
            if leaf.has("note"):
                leaf.text("note", 4000)
            leaf.close()
        else:
            values[name] = _bare(member, here, errors, deepest - 1)
    return values
