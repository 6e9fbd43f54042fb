"""Edition documents of any game: printed values, each with its source, in groups and groups of groups.

A value is `{"value": …, "source": …, "note": …}`; an object without the member `value` is a group.
"""

import json as json_text
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

from domain.canonical import canonical, digest
from domain.forms import FieldError, Form, JsonObject, Malformed, escape

SOURCES = ("rulebook", "public source", "assumed", "user")
BGG_ID = "bgg_id"
HEADER = ("game", "edition", "title", "note", BGG_ID)
"""Members that are no printed values. `bgg_id` is the number of the box at BoardGameGeek, for other programs."""
MAX_BGG_ID = 99_999_999
DEEPEST_GROUP = 3
DEEPEST_VALUE = 4


@dataclass(frozen=True, slots=True, eq=False)
class Edition:
    """The printed values of a box and the rulings that go with it; each game adds fields for its values."""

    id: str
    title: str
    digest: str
    """SHA-256 of the canonical form of `document`."""
    document: Mapping[str, Any]
    """The edition as it was read: every value with its source."""


class EditionLookup(Protocol):
    """Finds the editions that a log names."""

    def __getitem__(self, edition_id: str, /) -> Any:
        """The edition of an id; raise LookupError if there is none."""


EditionT = TypeVar("EditionT", bound=Edition)


class Editions(Mapping[str, EditionT]):
    """The editions of a game: those built in, by their ids, and the reading of others."""

    def __init__(self, package: str, load: Callable[[object], EditionT], default: str) -> None:
        """Read the files in the folder `editions` beside a package, of which its `__file__` is given."""
        files = sorted((Path(package).parent / "editions").glob("*.json"))
        editions = [load(json_text.loads(file.read_text("utf-8"))) for file in files]
        self._built_in = {edition.id: edition for edition in editions}
        self._load = load
        self.default = self._built_in[default]

    def __getitem__(self, edition_id: str, /) -> EditionT:
        return self._built_in[edition_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._built_in)

    def __len__(self) -> int:
        return len(self._built_in)

    def load(self, document: object) -> EditionT:
        """Validate an edition document; raise `Malformed`."""
        return self._load(document)

    def amend(self, base: EditionT, edition: str, title: str, changes: object) -> EditionT:
        """An edition that differs from another in some values, by a merge patch; raise `Malformed`."""
        return self._load(amended(base.document, edition, title, changes))


def read_sheet(json: object, game: str) -> tuple[JsonObject, JsonObject]:
    """The fields that the editions of all games have, and the bare values; whether they make sense is for the game.

    Raise `Malformed` for a document of another form, with pointers into the bare values.
    """
    form = Form(json)
    form.word("game", [game])
    edition, title = form.text("edition", 80), form.text("title", 200)
    if form.has("note"):
        form.text("note", 4000)
    if form.has(BGG_ID):
        form.integer(BGG_ID, range(1, MAX_BGG_ID + 1))
    if not isinstance(json, dict):
        raise Malformed(form.errors)
    values = _bare(_values(json), "", form.errors, DEEPEST_GROUP)
    form.require()
    return {"id": edition, "title": title, "digest": digest(json), "document": json}, values


def amended(document: Mapping[str, Any], edition: str, title: str, changes: object) -> JsonObject:
    """A document with some values changed by a merge patch on the bare values and `bgg_id`; raise `Malformed`."""
    errors: list[FieldError] = []
    bgg_id = document.get(BGG_ID)
    if isinstance(changes, dict) and BGG_ID in changes:
        bgg_id = changes[BGG_ID]
        changes = {name: change for name, change in changes.items() if name != BGG_ID}
    changed = _amended(_values(document), changes, "", errors)
    if errors:
        raise Malformed(errors)
    about = {"game": document["game"], "edition": edition, "title": title}
    return {**about, **({} if bgg_id is None else {BGG_ID: bgg_id}), **changed}


def differences(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[tuple[str, Any, Any]]:
    """The values in which two documents of a game differ: the pointer of each, and what it is in either of them."""
    return [(pointer, mine["value"], theirs["value"]) for pointer, mine, theirs in _differing(_values(one), other)]


def changed_values(base: Mapping[str, Any], other: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """What must be patched in one document of a game to get the values of another: pointers and patches of values.

    A value that a user set to what was printed before is among them, for it has another source.
    """
    found: list[tuple[str, Any]] = []
    _gather_changed(_values(base), other, "", found)
    return found


def _gather_changed(
    base: Mapping[str, Any], other: Mapping[str, Any], pointer: str, found: list[tuple[str, Any]]
) -> None:
    for name, member in base.items():
        here, theirs = f"{pointer}/{escape(name)}", other.get(name)
        if "value" not in member:
            _gather_changed(member, theirs or {}, here, found)
        elif theirs is not None and theirs != member:
            found.append((here, _patch(member["value"], theirs["value"])))


def _patch(old: object, new: object) -> object:
    """The merge patch that makes one value of another."""
    if not isinstance(old, dict) or not isinstance(new, dict):
        return new
    gone: JsonObject = {name: None for name in old if name not in new}
    return gone | {name: _patch(old.get(name), member) for name, member in new.items() if old.get(name) != member}


def only_replaces_assumptions(base: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether a document of a game has all values of another one, except for some that were assumed there."""
    return all(mine["source"] == "assumed" for _, mine, _ in _differing(_values(base), other))


def _values(document: Mapping[Any, Any]) -> JsonObject:
    return {name: member for name, member in document.items() if name not in HEADER}


def _differing(one: Mapping[str, Any], other: Mapping[str, Any], pointer: str = "") -> list[tuple[str, Any, Any]]:
    """The values with their sources in which two documents differ, each by its pointer."""
    found: list[tuple[str, Any, Any]] = []
    for name, member in one.items():
        here, theirs = f"{pointer}/{escape(name)}", other[name]
        if "value" not in member:
            found += _differing(member, theirs, here)
        elif member["value"] != theirs["value"]:
            found.append((here, member, theirs))
    return found


def _amended(group: Mapping[str, Any], changes: object, pointer: str, errors: list[FieldError]) -> JsonObject:
    if not isinstance(changes, dict):
        errors.append(FieldError(pointer, "must be an object"))
        return {}
    amended_group = dict(group)
    for name, change in changes.items():
        here = f"{pointer}/{escape(str(name))}"
        member = group.get(name)
        if member is None:
            errors.append(FieldError(here, "is not known here"))
        elif "value" not in member:
            amended_group[name] = _amended(member, change, here, errors)
        elif change is None:
            errors.append(FieldError(here, "cannot be removed"))
        else:
            amended_group[name] = {"value": _patched(member["value"], change), "source": "user"}
    return amended_group


def _patched(value: object, change: object) -> object:
    """RFC 7396, where null removes entries of maps alone."""
    if not isinstance(change, dict):
        return change
    value = value if isinstance(value, dict) else {}
    patched = {name: member for name, member in value.items() if change.get(name, member) is not None}
    for name, member in change.items():
        if member is not None:
            patched[name] = _patched(value.get(name), member)
    return patched


def _bare(group: dict[Any, object], pointer: str, errors: list[FieldError], deepest: int) -> JsonObject:
    values: JsonObject = {}
    for name, member in group.items():
        here = f"{pointer}/{escape(str(name))}"
        if isinstance(member, dict) and "value" in member:
            leaf = Form(member, here, errors)
            values[name] = leaf.anything("value")
            if complaint := _complaint(values[name]):
                errors.append(FieldError(here, complaint))
            leaf.word("source", SOURCES)
            if leaf.has("note"):
                leaf.text("note", 4000)
            leaf.close()
        elif isinstance(member, dict) and deepest:
            values[name] = _bare(member, here, errors, deepest - 1)
        else:
            errors.append(FieldError(here, "must be a value with its source"))
    return values


def _complaint(value: object) -> str | None:
    """Why a value cannot be kept, whatever it means."""
    if _is_deeper(value, DEEPEST_VALUE):
        return "is nested too deep"
    try:
        canonical(value)
    except ValueError as error:
        return str(error)
    return None


def _is_deeper(value: object, levels: int) -> bool:
    members = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return levels < 0 or any(_is_deeper(member, levels - 1) for member in members)
