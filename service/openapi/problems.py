"""JSON Schemas of the problem documents, one for each type, and their responses."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from domain.catalogue import GAMES
from domain.game import JsonObject
from service.http.errors import MAX_ERRORS, TITLES
from service.openapi.examples import PROBLEMS
from service.openapi.schemas import ID, PLY, SEAT, TEXT, VERSION, members
from service.openapi.sharing import ref

PROBLEM_JSON = "application/problem+json"

_ERRORS: JsonObject = {
    "type": "array",
    "minItems": 1,
    "maxItems": MAX_ERRORS,
    "items": members({"pointer": {"type": "string", "format": "json-pointer"}, "detail": TEXT}),
}
_PLACED: Mapping[str, JsonObject] = {
    "ply": PLY,
    "seat": SEAT,
    "index": {"type": "integer", "minimum": 0, "description": "Which move of the batch it is."},
}
_REQUIRED: Mapping[str, Mapping[str, JsonObject]] = {
    "ambiguous-name": {"candidates": {"type": "array", "items": ID}, "errors": _ERRORS},
    "correction-conflict": {"first_ply": PLY, "verdicts": {"type": "array", "items": ref("Verdict")}},
    "illegal-move": {
        "code": {"type": "string", "enum": sorted({code for game in GAMES.values() for code in game.reasons})},
        "kind": {
            "type": "string",
            "enum": ["physical", "rule"],
            "description": "A table ruling can record a move that breaks only rules of kind `rule`.",
        },
        "rule": {"type": "string", "description": "The section of the rules that it breaks."},
        "ply": PLY,
    },
    "malformed": {"errors": _ERRORS},
    "malformed-move": {"errors": _ERRORS},
    "rules-conflict": {"ply": PLY},
    "stale-version": {"version": VERSION},
}
_MORE: Mapping[str, JsonObject] = {
    "more_errors": {"type": "integer", "minimum": 1, "description": "How many errors there are that are not listed."}
}
_OPTIONAL: Mapping[str, Mapping[str, JsonObject]] = {
    "malformed": _MORE,
    "malformed-move": _MORE,
    "illegal-move": {name: _PLACED[name] for name in ("seat", "index")},
    "ruling-not-needed": _PLACED,
    "unknown-player": {"errors": _ERRORS},
}


def header(name: str) -> JsonObject:
    """A reference to a header."""
    return {"$ref": f"#/components/headers/{name}"}


_HEADERS: Mapping[int, Mapping[str, JsonObject]] = {
    401: {"WWW-Authenticate": header("Challenge")},
    412: {"ETag": header("ETag")},
    429: {"Retry-After": header("RetryAfter")},
    503: {"Retry-After": header("RetryAfter")},
}


def component(slug: str) -> str:
    """The name of a problem's schema."""
    return "".join(part.capitalize() for part in slug.split("-")) + "Problem"


def _schema(slug: str) -> JsonObject:
    status, title = TITLES[slug]
    common: Mapping[str, JsonObject] = {
        "type": {"type": "string", "const": f"/problems/{slug}"},
        "title": {"type": "string", "const": title},
        "status": {"type": "integer", "const": status},
        "detail": {"type": "string", "description": "One sentence that a player understands."},
    }
    return members({**common, **_REQUIRED.get(slug, {})}, _OPTIONAL.get(slug))


SCHEMAS: Mapping[str, JsonObject] = {component(slug): _schema(slug) for slug in TITLES}


MAX_NAMED: Final = 3
"""Problems of one status that make a component, which several operations have."""


def responses(slugs: Collection[str], components: dict[str, JsonObject]) -> dict[str, JsonObject]:
    """The responses of an operation with these problems, by status; those that others may have become components."""
    by_status: dict[int, list[str]] = defaultdict(list)
    for slug in sorted(slugs):
        by_status[TITLES[slug][0]].append(slug)
    found: dict[str, JsonObject] = {}
    for status, of_status in sorted(by_status.items()):
        response = _response(of_status)
        if len(of_status) <= MAX_NAMED:
            name = "Or".join(component(slug).removesuffix("Problem") for slug in of_status)
            components[name] = response
            response = ref(name, "responses")
        found[str(status)] = response
    return found


def _response(slugs: Sequence[str]) -> JsonObject:
    status, _ = TITLES[slugs[0]]
    refs = [ref(component(slug)) for slug in slugs]
    return {
        "description": "; ".join(TITLES[slug][1] for slug in slugs) + ".",
        "headers": {"X-Request-ID": header("RequestId"), **_HEADERS.get(status, {})},
        "content": {
            PROBLEM_JSON: {
                "schema": refs[0] if len(refs) == 1 else {"oneOf": refs},
                "examples": {slug: {"$ref": f"#/components/examples/{slug}"} for slug in slugs if slug in PROBLEMS},
            }
        },
    }
