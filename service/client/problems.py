"""What keeps the service from doing what was asked, as exceptions."""

from collections.abc import Mapping
from typing import Any, cast

import requests

PROBLEM = "application/problem+json"
_COMMON = frozenset({"type", "title", "status", "detail"})


class ClientError(Exception):
    """Anything that kept the service from doing what was asked."""


class Unreachable(ClientError):
    """No answer came, or one that is not Carnet's. Whether the last request was carried out is not known."""


class Lost(Unreachable):
    """The connection was refused or lost, so that another attempt may do better."""


class ApiProblem(ClientError):
    """The service answered that it did not do what was asked.

    `type` is stable, `detail` is for people, and `members` holds whatever else the problem says.
    """

    def __init__(self, status: int, document: Mapping[str, Any], retry_after: float | None = None) -> None:
        self.status = status
        self.type = str(document.get("type", "about:blank"))
        self.title = str(document.get("title", f"Status {status}"))
        self.detail = str(document.get("detail", self.title))
        self.members = {name: value for name, value in document.items() if name not in _COMMON}
        self.retry_after = retry_after
        """The seconds to wait before another attempt, if the service names them."""
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
        """Whose move it is."""
        return str(self.members["seat"])

    @property
    def index(self) -> int | None:
        """Which of several moves it is, from 0."""
        return cast(int | None, self.members.get("index"))


class Malformed(ApiProblem):
    """The request has not the right form: correct the program; `errors` has a JSON pointer for each mistake."""

    @property
    def errors(self) -> list[dict[str, str]]:
        """What is wrong with which member."""
        return cast(list[dict[str, str]], self.members.get("errors", []))


class NotFound(ApiProblem):
    """There is no such thing."""


class Conflict(ApiProblem):
    """It cannot be done as things stand: look at them again and decide."""


class StaleVersion(ApiProblem):
    """The match is no longer at the version of `if_match`: read it again and decide."""

    @property
    def version(self) -> int:
        """The version that the match is at."""
        return int(self.members["version"])


class NotAllowed(ApiProblem):
    """The token is missing or not valid, or it lacks a right: ask with another one."""


class Unavailable(ApiProblem):
    """The service cannot answer now: try again later."""


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
    """The problem that an answer tells, be it from the service or from something before it."""
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
