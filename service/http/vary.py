"""The `Vary` header: the request headers on which a response depends (RFC 9110, section 12.5.5)."""

from typing import Final

from flask import Response, request

from service.http.headers import by_name

_NOTED: Final = "carnet.varies"
CREDENTIALS: Final = ("Authorization", "Cookie")


def note_varies(*headers: str) -> None:
    """Note that the response to the current request depends on these headers."""
    request.environ.setdefault(_NOTED, {}).update(dict.fromkeys(headers))


def add_vary(response: Response) -> Response:
    """Set `Vary`; a hook for `after_request`.

    What every cache may keep is the same for all who may read it.
    """
    noted = request.environ.get(_NOTED)
    if not noted or request.method not in {"GET", "HEAD"}:
        return response
    own = by_name(response.headers)
    names = dict.fromkeys(own["vary"].split(", ") if "vary" in own else [])
    is_shared = own.get("cache-control", "").startswith("public")
    names |= {name: None for name in noted if not (is_shared and name in CREDENTIALS)}
    if names:
        response.headers["Vary"] = ", ".join(names)
    return response
