"""Reads one large JSON object member by member, so that a long list in it is never in memory as a whole."""

import re
from collections.abc import Iterator
from typing import IO, Any, Final

import orjson

BLOCK: Final = 2**16
MAX_ELEMENT: Final = 2**20
"""Bytes of one element of a list, or of a member that is no list."""
MAX_DEPTH: Final = 32

_TOKEN: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+"|["\[\]{},:]', re.DOTALL)
_SPACE: Final = b" \t\r\n"


class NotJson(ValueError):
    """A file that is not such an object."""


def scan(file: IO[bytes]) -> Iterator[tuple[str, Any]]:
    """The members of an object; one that is a list comes once for each of its elements. Raise `NotJson`.

    Every byte is looked at a bounded number of times, and no more than one element is in memory.
    """
    scanner = _Scanner(file)
    scanner.expect(b"{")
    if scanner.peek() == b"}":
        return
    while True:
        name = scanner.value()
        if not isinstance(name, str):
            raise NotJson("a name is missing")
        scanner.expect(b":")
        if scanner.peek() == b"[":
            for element in scanner.elements():
                yield name, element
        else:
            yield name, scanner.value()
        if scanner.take() == b"}":
            return
        scanner.require_comma()


class _Scanner:
    """A window over a file."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._data = b""
        self._at = 0
        self._last = b""

    def peek(self) -> bytes:
        """The next byte that is no space, which stays."""
        while True:
            while self._at < len(self._data) and self._data[self._at] in _SPACE:
                self._at += 1
            if self._at < len(self._data):
                return self._data[self._at : self._at + 1]
            if not self._read():
                raise NotJson("it ends too early")

    def take(self) -> bytes:
        """The next byte that is no space."""
        self._last = self.peek()
        self._at += 1
        return self._last

    def expect(self, wanted: bytes) -> None:
        """Take a certain byte; raise `NotJson`."""
        if self.take() != wanted:
            raise NotJson(f"{wanted.decode()} is missing")

    def require_comma(self) -> None:
        """Require that a comma was taken last; raise `NotJson`."""
        if self._last != b",":
            raise NotJson("a comma is missing")

    def elements(self) -> Iterator[Any]:
        """The elements of a list."""
        self.expect(b"[")
        if self.peek() == b"]":
            self.take()
            return
        while True:
            yield self.value()
            if self.take() == b"]":
                return
            self.require_comma()

    def value(self) -> Any:
        """The next value; raise `NotJson`."""
        self.peek()
        end = self._end()
        try:
            value = orjson.loads(self._data[self._at : end])
        except orjson.JSONDecodeError as error:
            raise NotJson(str(error)) from None
        self._at = end
        return value

    def _end(self) -> int:
        """Where the value ends that begins here; as much is read again as was there, so every byte but a few times."""
        while (end := _measure(self._data, self._at)) is None:
            if not self._read(max(BLOCK, len(self._data))):
                raise NotJson("it ends too early")
        return end

    def _read(self, size: int = BLOCK) -> bool:
        """Read another block behind what is left; False at the end of the file."""
        if len(self._data) - self._at > MAX_ELEMENT:
            raise NotJson(f"one of its values has more than {MAX_ELEMENT:,} bytes")
        block = self._file.read(size)
        if not block:
            return False
        self._data = self._data[self._at :] + block
        self._at = 0
        return True


def _measure(data: bytes, begin: int) -> int | None:
    """Where the value ends that begins somewhere; None if it goes on behind the data. Raise `NotJson`."""
    depth = 0
    for token in _TOKEN.finditer(data, begin):
        mark = data[token.start() : token.start() + 1]
        if mark == b'"' and token.end() - token.start() == 1:
            return None
        if mark in b"[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise NotJson("it is nested too deep")
        elif depth == 0:
            return token.end() if mark == b'"' else token.start()
        elif mark in b"]}":
            depth -= 1
            if depth == 0:
                return token.end()
    return None
