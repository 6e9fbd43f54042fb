"""Exceptions of the client."""

from collections.abc import Mapping
from typing import Any, cast

import requests

PROBLEM = "application/problem+json"
_COMMON = frozenset({"type", "title", "status", "detail"})


class ClientError(Exception):
    """Base class of all errors of the client."""


class Unreachable(ClientError):
    """No response, or one that is not Carnet's. It is unknown whether the last request was carried out."""


class Lost(Unreachable):
    """The connection was refused or lost; another attempt may succeed."""


class ApiProblem(ClientError):
    """The service answered with a problem document.

    `type` is stable, `detail` is for people, and `members` holds the other members of the problem.
    """

    def __init__(self, status: int, document: Mapping[str, Any], retry_after: float | None = None) -> None:
        self.status = status
        self.type = str(document.get("type", "about:blank"))
        self.title = str(document.get("title", f"Status {status}"))
        self.detail = str(document.get("detail", self.title))
        self.members = {name: value for name, value in document.items() if name not in _COMMON}
        self.retry_after = retry_after
        """Seconds to wait before another attempt, if the service names them."""
        super().__init__(self.detail)


class IllegalMove(ApiProblem):
    """The rules refuse a move: correct it, or record it with a ruling if its `kind` is `rule`."""

    @property
    def code(self) -> str:
        """The stable name of the reason."""
        return str(self.members["code"])

    @property
    def kind(self) -> str:
        """`physical` or `rule`."""
        return str(self.members["kind"])

    @property
    def rule(self) -> str:
        """The section of the written rules that the move breaks."""
        return str(self.members["rule"])

    @property
    def ply(self) -> int:
        """The ply that the move would have had."""
        return int(self.members["ply"])

    @property
    def seat(self) -> str:
        """The seat of the move."""
        return str(self.members["seat"])

    @property
    def index(self) -> int | None:
        """The index of the move in the request."""
        return cast(int | None, self.members.get("index"))


class Malformed(ApiProblem):
    """The request is malformed: correct the program; `errors` has a JSON pointer for each mistake."""

    @property
    def errors(self) -> list[dict[str, str]]:
        """The mistakes."""
        return cast(list[dict[str, str]], self.members.get("errors", []))


class NotFound(ApiProblem):
    """The resource does not exist, or may not be read."""


class Conflict(ApiProblem):
    """The request conflicts with the current state: read it again and decide."""


class StaleVersion(ApiProblem):
    """The match is no longer at the version of `if_match`: read it again and decide."""

    @property
    def version(self) -> int:
        """The current version of the match."""
        return int(self.members["version"])


class NotAllowed(ApiProblem):
    """The token is missing or invalid, or lacks a right: use another one."""


class Unavailable(ApiProblem):
    """The service is unavailable: try again later."""


_BY_TYPE = {
    "/problems/illegal-move": IllegalMove,
    "/problems/malformed": Malformed,
    "/problems/malformed-move": Malformed,
}
_BY_STATUS = {
    400: Malformed,
    401: NotAllowed,
    403: NotAllowed,
    404: NotFound,
    409: Conflict,
    412: StaleVersion,
    413: Malformed,
    415: Malformed,
    429: Unavailable,
    502: Unavailable,
    503: Unavailable,
    504: Unavailable,
}


def read_problem(response: requests.Response) -> ApiProblem:
    """The problem in a response, from the service or from a proxy in front of it."""
    try:
        document = response.json()
    except requests.RequestException:
        document = None
    if not isinstance(document, dict):
        document = {"title": response.reason or f"Status {response.status_code}"}
    kind = _BY_TYPE.get(str(document.get("type"))) or _BY_STATUS.get(response.status_code, ApiProblem)
    return kind(response.status_code, document, _seconds(response.headers.get("Retry-After")))


def _seconds(retry_after: str | None) -> float | None:
    return float(retry_after) if retry_after is not None and retry_after.isascii() and retry_after.isdigit() else None
