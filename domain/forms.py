"""Strict reading of JSON documents: every wrong member is noted with its pointer, nothing is guessed."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

JsonObject: TypeAlias = dict[str, Any]
T = TypeVar("T")

_KINDS: Final = {
    type(None): "null",
    bool: "true or false",
    str: "a text",
    int: "a number",
    float: "a number",
    list: "a list",
}


@dataclass(frozen=True, slots=True)
class FieldError:
    pointer: str
    detail: str


class Malformed(Exception):
    """Input that can be refused without looking at a match."""

    def __init__(self, errors: Sequence[FieldError]) -> None:
        super().__init__("; ".join(f"{error.pointer or '/'}: {error.detail}" for error in errors))
        self.errors = tuple(errors)


def escape(member: str) -> str:
    """A member's name as a part of a JSON pointer (RFC 6901); what has no UTF-8 form becomes a question mark."""
    return member.encode(errors="replace").decode().replace("~", "~0").replace("/", "~1")


class Form:
    """One JSON object that is being read.

    Each reading method notes what is wrong and then returns a value of the right type, so that reading goes
    on and all errors are found; `finish` raises `Malformed` before such a value can be used.
    """

    def __init__(self, json: object, pointer: str = "", errors: list[FieldError] | None = None) -> None:
        self.pointer = pointer
        self.errors: list[FieldError] = [] if errors is None else errors
        self._is_object = isinstance(json, dict)
        self._members: Mapping[object, object] = json if isinstance(json, dict) else {}
        self._read: set[str] = set()
        if not self._is_object:
            self.note("", f"must be an object, not {_KINDS.get(type(json), 'that')}")

    def note(self, member: str, detail: str) -> None:
        """Note an error at a member, or at this object itself for an empty name."""
        self.errors.append(FieldError(f"{self.pointer}/{escape(member)}" if member else self.pointer, detail))

    def has(self, member: str) -> bool:
        return member in self._members

    def flag(self, member: str) -> bool:
        is_set = self.has(member) and self.boolean(member)
        if self.has(member) and not is_set:
            self.note(member, "must be true or absent")
        return is_set

    def word(self, member: str, words: Collection[str]) -> str:
        return self.choice(member, {word: word for word in words})

    def words(self, member: str, words: Collection[str], shortest: int, longest: int) -> tuple[str, ...]:
        """The different words of a list, in their order."""
        return self.choices(member, {word: word for word in words}, shortest, longest)

    def anything(self, member: str) -> object:
        """Whatever the member holds."""
        if not self.has(member):
            self._note_wrong(member, "")
        return self._take(member)

    def choice(self, member: str, words: Mapping[str, T]) -> T:
        value = self._take(member)
        if isinstance(value, str) and value in words:
            return words[value]
        self._note_wrong(member, f"must be one of {', '.join(words)}")
        return next(iter(words.values()))

    def integer(self, member: str, allowed: Collection[int]) -> int:
        """An integer among the allowed ones; `2.0` and `true` are none."""
        value = self._take(member)
        if type(value) is int and value in allowed:
            return value
        self._note_wrong(member, f"must be {_span(allowed)}")
        return next(iter(allowed))

    def boolean(self, member: str) -> bool:
        value = self._take(member)
        if isinstance(value, bool):
            return value
        self._note_wrong(member, f"must be true or false, not {_KINDS.get(type(value), 'that')}")
        return False

    def text(self, member: str, longest: int) -> str:
        """A text that is not empty, of at most so many characters."""
        value = self._take(member)
        if isinstance(value, str) and 0 < len(value) <= longest and "\0" not in value and not _has_surrogate(value):
            return value
        self._note_wrong(member, f"must be a text of 1 to {longest} characters")
        return ""

    def list(self, member: str, shortest: int, longest: int) -> Iterator["Entry"]:
        """The entries of a list whose length lies between the two."""
        for position, entry in enumerate(self._entries(member, shortest, longest)):
            yield Entry(entry, self, member, position)

    def choices(self, member: str, words: Mapping[str, T], shortest: int, longest: int) -> tuple[T, ...]:
        """What the different words of a list stand for, in their order."""
        found: dict[str, T] = {}
        for position, word in enumerate(self._entries(member, shortest, longest)):
            if not isinstance(word, str) or word not in words:
                Entry(word, self, member, position).note(f"must be one of {', '.join(words)}")
            elif word in found:
                Entry(word, self, member, position).note(f"{word} is named twice")
            else:
                found[word] = words[word]
        return tuple(found.values())

    def form(self, member: str) -> "Form":
        value = self.anything(member)
        return Form(value if self.has(member) else {}, f"{self.pointer}/{escape(member)}", self.errors)

    def close(self) -> None:
        """Note every member that was not read."""
        for name in self._members:
            if name in self._read:
                continue
            if isinstance(name, str):
                self.note(name, "is not known here")
            else:
                self.note("", "members must be named by strings")

    def require(self) -> None:
        """Raise `Malformed` if anything was noted so far, where the rest cannot be read without it."""
        if self.errors:
            raise Malformed(self.errors)

    def finish(self) -> None:
        """Close, and raise `Malformed` if anything was noted."""
        self.close()
        self.require()

    def _take(self, member: str) -> object:
        self._read.add(member)
        return self._members.get(member)

    def _entries(self, member: str, shortest: int, longest: int) -> Sequence[object]:
        value = self._take(member)
        if isinstance(value, list) and shortest <= len(value) <= longest:
            return value
        self._note_wrong(member, f"must be a list of {shortest} to {longest} entries")
        return ()

    def _note_wrong(self, member: str, detail: str) -> None:
        """Note what is wrong with a member, or that it is missing."""
        if self.has(member):
            self.note(member, detail)
        elif self._is_object:
            self.note(member, "is missing")


class Entry(NamedTuple):
    """One entry of a list that is being read."""

    json: object
    within: Form
    member: str
    position: int

    @property
    def pointer(self) -> str:
        return f"{self.within.pointer}/{escape(self.member)}/{self.position}"

    def note(self, detail: str) -> None:
        """Note an error at this entry."""
        self.within.errors.append(FieldError(self.pointer, detail))

    def integer(self, allowed: range) -> int:
        """An integer among the allowed ones; `2.0` and `true` are none."""
        if type(self.json) is int and self.json in allowed:
            return self.json
        self.note(f"must be {_span(allowed)}")
        return allowed[0]

    def form(self) -> Form:
        return Form(self.json, self.pointer, self.within.errors)


def _span(allowed: Collection[int]) -> str:
    if isinstance(allowed, range):
        return f"an integer from {allowed[0]} to {allowed[-1]}"
    return f"one of the integers {', '.join(map(str, allowed))}"


def _has_surrogate(value: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in value)
