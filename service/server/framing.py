"""Finds the end of a request in a buffer, so that threads get only whole requests and never wait for the rest of one.

Nothing is validated here: gunicorn's parser does that afterwards. It reads only from the buffer, so an error here does
not make a thread wait; at worst the connection is closed.
"""

import re
import tempfile
from collections.abc import Iterable
from enum import Enum, auto
from itertools import chain
from typing import IO, Final

from service.http.request import MAX_BODY, MAX_UPLOAD, UPLOAD_PATH

MAX_HEAD = 2**16
"""Bytes of a request line and headers; nginx and Apache accept half as much."""
MAX_BUFFER = MAX_HEAD + MAX_BODY + 2**16
"""Bytes that are buffered of a chunked body: enough for the application to see that it is too large."""
MAX_CHUNK_LINE = 2**13
MAX_CHUNKS = 10_000
"""Chunks of a body, which cost time however little is in them: a hundred bytes each of the largest one."""
PIECE: Final = 2**12
"""Bytes of a chunked body that are parsed together: for each chunk gunicorn copies all that stands behind it."""

BLOCK: Final = 2**16

_UPLOAD: Final = re.compile(rb"POST " + re.escape(UPLOAD_PATH.encode()) + rb"[? ]")
_LENGTH: Final = re.compile(rb"\r\ncontent-length:[ \t]*([0-9]{1,18})[ \t]*(?=\r\n)")
_CHUNK_SIZE: Final = re.compile(rb"[0-9A-Fa-f]{1,8}")


class Stage(Enum):
    """How much of a request has arrived."""

    HEAD = auto()
    """Not all of the headers."""
    BODY = auto()
    """The headers, and not all of the body."""
    WHOLE = auto()
    REFUSABLE = auto()
    """Enough to refuse it; the rest is not worth waiting for, and the connection cannot be used again."""


class RequestBuffer:
    """The received bytes of a request, and of those that the client sent right after it."""

    __slots__ = ("_chunk", "_chunks", "_end", "_file", "_head", "_left", "_scanned", "data", "upload_bytes")

    def __init__(self, data: bytes = b"") -> None:
        self.data = bytearray(data)
        self._scanned = 0
        self._head = 0
        """The start of the body; 0 while headers are missing."""
        self._end: int | None = None
        """The end of the body; None while that is unknown, as for a chunked one."""
        self._chunk = 0
        """The start of the next chunk; 0 where the body is not chunked."""
        self._chunks = 0
        self._file: IO[bytes] | None = None
        """The body of an upload, which is too large for memory."""
        self._left = 0
        self.upload_bytes = 0
        """The length of the body if it is an upload."""

    def pieces(self) -> Iterable[bytes]:
        """The request as far as it was received, to be read once; with what follows it, unless it is chunked."""
        file = self._file
        if self._chunk:
            data = bytes(self.data[: self._end])
            return [data[: self._head], *(data[at : at + PIECE] for at in range(self._head, len(data), PIECE))]
        if file is None:
            return [bytes(self.data)]
        file.seek(0)
        return chain([bytes(self.data)], iter(lambda: file.read(BLOCK), b""))

    @property
    def stored_bytes(self) -> int:
        """How much of an upload has arrived."""
        return self.upload_bytes - self._left

    @property
    def following(self) -> bytes:
        """What follows a chunked request."""
        return bytes(self.data[self._end :]) if self._chunk and self._end is not None else b""

    def close(self) -> None:
        """Let go of an upload."""
        if self._file is not None:
            self._file.close()
            self._file = None

    @property
    def expects_continue(self) -> bool:
        """Whether the client waits for 100 (Continue) before it sends the body (RFC 9110, section 10.1.1)."""
        head = bytes(self.data[: self._head]).lower()
        return b"\r\nexpect: 100-continue\r\n" in head and b" http/1.0\r\n" not in head

    def stage(self) -> Stage:
        """The stage by now, to be called after bytes were added."""
        if not self._head:
            end = self.data.find(b"\r\n\r\n", self._scanned)
            if end < 0:
                return self._stage_of_head()
            self._head = end + 4
            stage = self._measure_body()
            if stage is not None:
                return stage
        if self._file is not None:
            return self._store_body()
        if self._end is None:
            return self._follow_chunks()
        return Stage.WHOLE if len(self.data) >= self._end else Stage.BODY

    def _stage_of_head(self) -> Stage:
        self._scanned = max(0, len(self.data) - 3)
        # The parser refuses a line that ends with LF alone, so the end of such headers would never be found.
        has_bare_newline = self.data.count(b"\n") != self.data.count(b"\r\n")
        return Stage.REFUSABLE if has_bare_newline or len(self.data) > MAX_HEAD else Stage.HEAD

    def _measure_body(self) -> Stage | None:
        """Find the end of the body; return the stage if the headers determine it."""
        head = bytes(self.data[: self._head]).lower()
        if b"\r\ntransfer-encoding:" in head:
            self._chunk = self._head
            return None
        if b"\r\ncontent-length:" not in head:
            self._end = self._head
            return Stage.WHOLE
        lengths = _LENGTH.findall(head)
        if len(lengths) == 1 and MAX_BODY < int(lengths[0]) <= MAX_UPLOAD and _UPLOAD.match(self.data):
            self._file = tempfile.TemporaryFile()  # noqa: SIM115 -- closed by `close`
            self._left = self.upload_bytes = int(lengths[0])
            return self._store_body()
        if len(lengths) != 1 or int(lengths[0]) > MAX_BODY:
            return Stage.REFUSABLE
        self._end = self._head + int(lengths[0])
        return None

    def _store_body(self) -> Stage:
        """Move what has arrived of an upload to disk. The connection ends with it, so nothing behind it is kept."""
        assert self._file is not None
        received = self.data[self._head : self._head + self._left]
        self._file.write(received)
        self._left -= len(received)
        del self.data[self._head :]
        return Stage.BODY if self._left else Stage.WHOLE

    def _follow_chunks(self) -> Stage:
        """Skip from chunk to chunk as far as they have arrived (RFC 9112, section 7.1)."""
        while True:
            line_end = self.data.find(b"\r\n", self._chunk, self._chunk + MAX_CHUNK_LINE)
            if line_end < 0:
                is_over = len(self.data) - self._chunk >= MAX_CHUNK_LINE
                return Stage.REFUSABLE if is_over else Stage.BODY
            size = _CHUNK_SIZE.match(self.data, self._chunk, line_end)
            if size is None:
                return Stage.REFUSABLE
            length = int(size[0], 16)
            if length == 0:
                end = self.data.find(b"\r\n\r\n", line_end)
                if end >= 0:
                    self._end = end + 4
                    return Stage.WHOLE
                return Stage.REFUSABLE if len(self.data) - line_end > MAX_HEAD else Stage.BODY
            self._chunks += 1
            following = line_end + 2 + length + 2
            if following > len(self.data):
                return Stage.REFUSABLE if len(self.data) > MAX_BUFFER else Stage.BODY
            if self.data[following - 2 : following] != b"\r\n":
                return Stage.REFUSABLE
            self._chunk = following
            if self._chunks > MAX_CHUNKS:
                return Stage.REFUSABLE
