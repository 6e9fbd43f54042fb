"""The request of a client, with its body, its credentials and its principal."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import IO, TYPE_CHECKING, Any, Final, cast
from uuid import UUID

import flask
from marshmallow import Schema
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.utils import cached_property
from werkzeug.wsgi import LimitedStream

from service.db.credentials import Kind
from service.http.document import Document
from service.http.query import Members, load_query
from service.permissions import Right, Standing
from service.principals import Principal

if TYPE_CHECKING:
    from werkzeug.local import LocalProxy

KEY = "key"
"""The member of the query string that holds the link of a match."""
MAX_BODY = 2**20
UPLOAD_PATH = "/api/v1/matches/import"
MAX_UPLOAD = 50 * 2**20
"""Bytes of a file that is sent there."""
SMALL_BODY = 2**12
"""Bytes that a form with a few short members takes at most."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """The credentials in a request, and the match or annotation in its address."""

    kind: Kind
    digest: bytes | None
    key: bytes | None
    match_id: UUID | None
    annotation_id: UUID | None
    secret: str | None = field(default=None, repr=False)
    """The text of the token or session."""

    @property
    def are_missing(self) -> bool:
        """Whether there are none, so that the principal is known without the database."""
        return self.digest is None and self.key is None

    @property
    def is_about_match(self) -> bool:
        """Whether the address is within a match."""
        return self.match_id is not None or self.annotation_id is not None


class _Bounded(LimitedStream):
    """A chunked body. One that is too large is refused, where Werkzeug would cut it off."""

    def __init__(self, body: IO[bytes], limit: int) -> None:
        super().__init__(body, limit, is_max=True)

    def readall(self) -> bytes:
        body = super().readall()
        if self.is_exhausted and self._stream.read(1):
            raise RequestEntityTooLarge
        return body


class Request(flask.Request):
    """A request with its principal, its rights and what it is charged for."""

    max_content_length: int = MAX_BODY
    """Less for routes that say so."""
    document_class: type[Document] = Document
    """The class of the JSON documents that answer it."""
    principal: Principal | None = None
    credentials: Credentials | None = None
    standing: Standing | None = None
    rights: frozenset[Right] = frozenset()
    charge: Callable[[float], None] | None = None
    """Count the seconds of the response against the rate limit, if there is one."""
    limits: Mapping[str, str] = MappingProxyType({})
    """The headers that tell the client what its rate limit has left."""
    receiving: float = 0.0
    """Seconds in which the body was received; they are the client's and not counted."""

    @cached_property
    def stream(self) -> IO[bytes]:
        """The body, of which the server gives no more than was declared. One that exceeds the limit is refused."""
        if "wsgi.input_terminated" not in self.environ:
            return super().stream
        body = cast(IO[bytes], self.environ["wsgi.input"])
        if self.content_length is None:
            return cast(IO[bytes], _Bounded(body, self.max_content_length))
        if self.content_length > self.max_content_length:
            raise RequestEntityTooLarge
        return body

    def load_body(self, form: Schema, body: Any) -> Any:
        return form.load(body)

    def load_query(self, form: Schema, members: Members) -> Mapping[str, Any]:
        return load_query(form, members)


def limit_body(request: Request, most: int) -> None:
    """Refuse a body of more bytes, even if no route reads it; raise `RequestEntityTooLarge`."""
    request.max_content_length = most
    if "CONTENT_LENGTH" in request.environ and (request.content_length or 0) > most:
        raise RequestEntityTooLarge


_CURRENT: Final = cast("LocalProxy[Request]", flask.request)


def current_request() -> Request:
    """The request itself: to read an attribute of Flask's proxy takes 1.5 µs."""
    return _CURRENT._get_current_object()
