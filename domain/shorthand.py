"""Short forms of JSON objects for the match text: a line of words, each of which stands for a member.

>>> moves = Shorthand(Form("advance", Word("to", NUMBER)), Form("sell", Word("kind"), tile=Key(NUMBER)))
>>> moves.read("sell gilt tile=10")
{'type': 'sell', 'kind': 'gilt', 'tile': 10}
>>> moves.write({"type": "advance", "to": 18})
'advance 18'

An object that no form fits is written as JSON, so that every object can be written.

>>> moves.write({"type": "juggle"})
'{"type":"juggle"}'
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from domain.canonical import canonical
from domain.forms import JsonObject

MAX_WORD: Final = 40
"""The most characters of a wrong word that an error quotes."""
_SIGNS: Final = frozenset(' ,=\n\r{"')
"""What no name contains."""


class ShorthandError(Exception):
    """Text that is no short form: the offset at which it goes wrong, and why."""

    def __init__(self, offset: int, detail: str) -> None:
        super().__init__(detail)
        self.offset = offset
        self.detail = detail


class Style(NamedTuple):
    """How a value is written as one word. `read` raises ValueError with what the word must be."""

    read: Callable[[str], Any]
    write: Callable[[Any], str]


def _read_number(word: str) -> int:
    digits = word[1:] if word[:1] == "-" else word
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 9 or (digits[0] == "0" and len(digits) > 1):
        raise ValueError("must be a number")
    return int(word)


def _write_number(value: Any) -> str:
    if type(value) is not int:
        raise TypeError("not a number")
    return str(value)


def _read_name(word: str) -> str:
    return word


def _write_name(value: Any) -> str:
    if not isinstance(value, str) or not value or not _SIGNS.isdisjoint(value) or _is_number(value):
        raise TypeError("not a name")
    return value


def _is_number(word: str) -> bool:
    return word.lstrip("-").isdigit()


NAME: Final = Style(_read_name, _write_name)
NUMBER: Final = Style(_read_number, _write_number)
EITHER: Final = Style(
    lambda word: _read_number(word) if _is_number(word) else word,
    lambda value: _write_number(value) if type(value) is int else _write_name(value),
)
"""A number or a name that is none."""


def prefixed(prefix: str, style: Style) -> Style:
    """A word with a prefix, such as `r90`."""

    def read(word: str) -> Any:
        if not word.startswith(prefix):
            raise ValueError(f"must begin with {prefix}")
        return style.read(word.removeprefix(prefix))

    return Style(read, lambda value: prefix + style.write(value))


def several(style: Style) -> Style:
    """A list with commas."""

    def write(values: Any) -> str:
        if not isinstance(values, list) or not values:
            raise TypeError("not a list")
        return ",".join(map(style.write, values))

    return Style(lambda word: [style.read(part) for part in word.split(",")], write)


def record(**members: Style) -> Style:
    """An object of certain members, with colons between them; the last one may contain colons."""

    def read(word: str) -> JsonObject:
        parts = word.split(":", len(members) - 1)
        if len(parts) < len(members):
            raise ValueError(f"must be {':'.join(members)}")
        return {name: style.read(part) for (name, style), part in zip(members.items(), parts, strict=True)}

    def write(value: Any) -> str:
        if not isinstance(value, dict) or value.keys() != members.keys():
            raise TypeError("another record")
        words = [style.write(value[name]) for name, style in members.items()]
        if ":" in "".join(words[:-1]):
            raise TypeError("not to be told apart")
        return ":".join(words)

    return Style(read, write)


def mapping(style: Style) -> Style:
    """An object of any members, as `name:value` with commas."""
    entries = several(record(name=NAME, value=style))

    def read(word: str) -> JsonObject:
        value: JsonObject = {}
        for entry in entries.read(word):
            if entry["name"] in value:
                raise ValueError(f"must name {_quoted(entry['name'])} only once")
            value[entry["name"]] = entry["value"]
        return value

    def write(value: Any) -> str:
        if not isinstance(value, dict):
            raise TypeError("not a mapping")
        return entries.write([{"name": member, "value": value[member]} for member in value])

    return Style(read, write)


def numbered(style: Style) -> Style:
    """An object whose members are numbered from 1, as a list with commas."""
    values = several(style)

    def write(value: Any) -> str:
        if not isinstance(value, dict) or list(value) != [str(number) for number in range(1, len(value) + 1)]:
            raise TypeError("not numbered")
        return values.write(list(value.values()))

    return Style(lambda word: {str(index): entry for index, entry in enumerate(values.read(word), start=1)}, write)


class Word(NamedTuple):
    """A member that stands at its place in the line."""

    member: str
    style: Style = NAME


class Key(NamedTuple):
    """A member that is written as `key=value`, and may be absent."""

    style: Style = NAME
    member: str | None = None
    """Its name in JSON, if it is another one."""


class Form:
    """One form: a verb, words in their order, keys in any order, and members that the line does not show.

    A string among the words stands for itself. Without other `constants` the verb is the type of the object.
    """

    def __init__(
        self, verb: str, *words: Word | str, constants: Mapping[str, object] | None = None, **keys: Key
    ) -> None:
        self.verb = verb
        self.words = words
        self.keys = keys
        self.constants = {"type": verb} if constants is None else constants
        self.members = {word.member for word in words if isinstance(word, Word)} | set(self.constants)
        self.optional = {key.member or name for name, key in keys.items()}

    @property
    def usage(self) -> str:
        """How it is written, with members in capital letters."""
        words = [word if isinstance(word, str) else word.member.upper() for word in self.words]
        return " ".join([self.verb, *words, *(f"[{key}=…]" for key in self.keys)]).strip()

    def fits(self, words: Sequence[str]) -> bool:
        """Whether words, without keys, have the constants of this form where it has them."""
        return all(mine == word for mine, word in zip(self.words, words, strict=True) if isinstance(mine, str))

    def covers(self, value: Mapping[str, Any]) -> bool:
        """Whether an object has the members of this form."""
        return (
            value.keys() >= self.members
            and value.keys() <= self.members | self.optional
            and all(value[name] == constant for name, constant in self.constants.items())
        )

    def write(self, value: Mapping[str, Any]) -> str:
        """The line of an object that it covers; raise TypeError if a value has no word."""
        line = [self.verb] if self.verb else []
        line += [word if isinstance(word, str) else word.style.write(value[word.member]) for word in self.words]
        for name, key in self.keys.items():
            if (member := key.member or name) in value:
                line.append(f"{name}={key.style.write(value[member])}")
        return " ".join(line)


class _Span(NamedTuple):
    """A word of a line with the offset at which it begins."""

    offset: int
    text: str


class Shorthand:
    """The forms of the objects of one kind, such as the moves of a game."""

    def __init__(self, *forms: Form) -> None:
        self.forms = forms
        self._by_verb: dict[str, list[Form]] = {}
        for form in forms:
            self._by_verb.setdefault(form.verb, []).append(form)

    def write(self, value: JsonObject) -> str:
        """The short form of an object, or its canonical JSON if it has none."""
        form = next((form for form in self.forms if form.covers(value)), None)
        try:
            return canonical(value) if form is None else form.write(value)
        except TypeError:
            return canonical(value)

    def read(self, text: str) -> JsonObject:
        """The object of a line; raise `ShorthandError`."""
        if text.startswith("{"):
            return _read_json(text)
        form, words, keys = self._parsed(text)
        value: JsonObject = {}
        for offset, member, style, word in _members(form, words, keys):
            try:
                value[member] = style.read(word)
            except ValueError as error:
                raise ShorthandError(offset, f"{_quoted(word)} {error}.") from None
        return {**form.constants, **value}

    def locate(self, text: str, pointer: str) -> int:
        """The offset of the word that stands for what a JSON pointer names; 0 if none does."""
        if text.startswith("{"):
            return 0
        member = pointer.split("/")[1] if "/" in pointer else ""
        form, words, keys = self._parsed(text)
        return next((offset for offset, name, _, _ in _members(form, words, keys) if name == member), 0)

    def _parsed(self, text: str) -> tuple[Form, list[_Span], list[_Span]]:
        """The form of a line, its words behind the verb, and its keys."""
        spans = list(_words(text))
        verb = ""
        if "" not in self._by_verb:
            if not spans:
                raise ShorthandError(0, "Something is missing here.")
            verb = spans.pop(0).text
            if verb not in self._by_verb:
                raise ShorthandError(0, f"{_quoted(verb)} is not known here.")
        words = [span for span in spans if "=" not in span.text]
        keys = [span for span in spans if "=" in span.text]
        texts = [span.text for span in words]
        forms = [form for form in self._by_verb[verb] if len(form.words) == len(words)]
        form = next((form for form in forms if form.fits(texts)), None)
        if form is None:
            offset = words[-1].offset if words else 0
            usual = " or ".join(dict.fromkeys(form.usage for form in self._by_verb[verb]))
            raise ShorthandError(offset, f"This must be written as {usual}.")
        return form, words, keys


def _members(form: Form, words: Sequence[_Span], keys: Sequence[_Span]) -> Iterator[tuple[int, str, Style, str]]:
    """What the words of a line stand for: offset, member, style and word of each."""
    for (offset, text), mine in zip(words, form.words, strict=True):
        if isinstance(mine, Word):
            yield offset, mine.member, mine.style, text
    seen = set()
    for offset, text in keys:
        name, _, word = text.partition("=")
        if name not in form.keys:
            raise ShorthandError(offset, f"{_quoted(name)} is not known here.")
        if name in seen:
            raise ShorthandError(offset, f"{name} is written twice.")
        seen.add(name)
        yield offset, form.keys[name].member or name, form.keys[name].style, word


def _words(text: str) -> Iterator[_Span]:
    """The words of a line, which have one blank or more between them."""
    offset = 0
    for word in text.split(" "):
        if word:
            yield _Span(offset, word)
        offset += len(word) + 1


def _read_json(text: str) -> JsonObject:
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise ShorthandError(error.pos, f"This is not JSON: {error.msg}.") from None
    except (RecursionError, ValueError):
        raise ShorthandError(0, "This is no JSON that Carnet writes.") from None
    found: JsonObject = value
    return found


def _refuse_constant(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def _quoted(word: str) -> str:
    """A word of the reader's, cut short, as an error names it."""
    return word if len(word) <= MAX_WORD else f"{word[:MAX_WORD]}…"
