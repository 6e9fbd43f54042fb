"""JSON Schemas of the problem documents, one for each type, and their responses."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from domain.catalogue import GAMES
from domain.game import JsonObject
from service.http import shapes
from service.http.errors import MAX_ERRORS, TITLES
from service.openapi.examples import PROBLEMS
from service.openapi.help import HELP
from service.openapi.schemas import members
from service.openapi.shapes import Shapes
from service.openapi.sharing import camel, ref

ID, PLY, SEAT, VERSION = map(Shapes().schema, (shapes.Id, shapes.Ply, shapes.Seat, shapes.Version))
PROBLEM_JSON = "application/problem+json"

_ERRORS: JsonObject = {
    "type": "array",
    "minItems": 1,
    "maxItems": MAX_ERRORS,
    "items": ref("FieldError"),
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
    return {"$ref": f"#/components/headers/{name}"}


_HEADERS: Mapping[int, Mapping[str, JsonObject]] = {
    412: {"ETag": header("ETag")},
    503: {"Retry-After": header("RetryAfter")},
}
UNIFORM: Final = frozenset(
    "bad-request sign-in-needed wrong-token cross-site not-allowed not-found too-large unsupported-media-type malformed"
    " too-many-requests".split()
)
"""Problems that follow from what kind of operation it is; operations of a kind share one response for them."""
OF_DATABASE: Final = frozenset({"database-away", "took-too-long"})
"""Problems of nearly all operations."""


COMMON: Final = "Problem"
"""The schema of problems without members of their own."""
UNDOCUMENTED: Final = frozenset({"internal", "method-not-allowed", "not-acceptable"})
"""Problems that no operation can have, or that none can foresee."""
_DETAIL: JsonObject = {"type": "string", "description": "One sentence that a player understands."}


def component(slug: str) -> str:
    """The name of the schema of a problem."""
    return _own(slug) if slug in _REQUIRED or slug in _OPTIONAL else COMMON


def _own(slug: str) -> str:
    return f"{camel(slug)}Problem"


def _schema(slug: str) -> JsonObject:
    status, title = TITLES[slug]
    common: Mapping[str, JsonObject] = {
        "type": {"type": "string", "const": f"/problems/{slug}"},
        "title": {"type": "string", "const": title},
        "status": {"type": "integer", "const": status},
        "detail": _DETAIL,
    }
    described = members({**common, **_REQUIRED.get(slug, {})}, _OPTIONAL.get(slug))
    return {"description": f"{title}. {HELP[slug]}", **described, "examples": [PROBLEMS[slug]]}


def _common_schema() -> JsonObject:
    """The schema of all problems without members of their own; its description says what each of them is.

    The examples are those that tell a limit.
    """
    slugs = sorted(slug for slug in TITLES if component(slug) == COMMON and slug not in UNDOCUMENTED)
    described = members(
        {
            "type": {"type": "string", "enum": [f"/problems/{slug}" for slug in slugs]},
            "title": {"type": "string", "description": "What went wrong, always the same for a type."},
            "status": {"type": "integer", "enum": sorted({TITLES[slug][0] for slug in slugs})},
            "detail": _DETAIL,
        }
    )
    lines = [f"- `{slug}` ({TITLES[slug][0]}): {TITLES[slug][1]}. {HELP[slug]}" for slug in slugs]
    return {
        "description": "\n".join(["What went wrong, by the last part of `type`:", "", *lines]),
        **described,
        "examples": [PROBLEMS[slug] for slug in slugs if any(letter.isdigit() for letter in PROBLEMS[slug]["detail"])],
    }


SCHEMAS: Mapping[str, JsonObject] = {
    "FieldError": {
        "description": "What is wrong with a member of the request.",
        **members({"pointer": {"type": "string", "format": "json-pointer"}, "detail": {"type": "string"}}),
    },
    COMMON: _common_schema(),
    **{_own(slug): _schema(slug) for slug in TITLES if component(slug) != COMMON},
}


MAX_JOINED: Final = 3
"""Problems whose names together make that of their response."""


def responses(operation: str, slugs: Collection[str], components: dict[str, JsonObject]) -> dict[str, JsonObject]:
    """The responses of an operation with these problems, as references to components.

    A status with problems of this operation alone has a response of its own, all others below 500 share `4XX`. That
    the database may be away is said once for all.
    """
    by_status: dict[int, list[str]] = defaultdict(list)
    for slug in sorted(set(slugs) - OF_DATABASE):
        by_status[TITLES[slug][0]].append(slug)
    kinds = [of_status for _, of_status in sorted(by_status.items()) if UNIFORM.issuperset(of_status)]
    uniform = [slug for of_status in kinds for slug in of_status]
    own_responses: dict[str, JsonObject] = {}
    for status, of_status in sorted(by_status.items()):
        if UNIFORM.issuperset(of_status):
            continue
        own = "Or".join(map(camel, of_status)) if len(of_status) <= MAX_JOINED else f"{camel(operation)}{status}"
        own_responses[str(status)] = _shared(own, of_status, components)
    return {**own_responses, "4XX": _shared(_name_of_uniform(uniform), uniform, components)}


def _shared(name: str, slugs: Sequence[str], components: dict[str, JsonObject]) -> JsonObject:
    """A reference to a response, which becomes a component."""
    response = _response(slugs)
    if components.setdefault(name, response) != response:
        raise ValueError(f"{name} would be two responses")
    return ref(name, "responses")


def _name_of_uniform(slugs: Collection[str]) -> str:
    """The name of the response for the problems of a kind of operation."""
    parts = (
        ("Write" if "unsupported-media-type" in slugs else "Keyed" if "bad-request" in slugs else "Read"),
        ("Free" if "wrong-token" not in slugs else "Public" if "sign-in-needed" not in slugs else ""),
        ("SameSite" if "cross-site" in slugs and "sign-in-needed" not in slugs else ""),
        ("Allowed" if "not-allowed" in slugs and "unsupported-media-type" not in slugs else ""),
        ("One" if "not-found" in slugs else ""),
        ("Parsed" if "malformed" in slugs else ""),
    )
    return "".join(parts)


def _response(slugs: Sequence[str]) -> JsonObject:
    """A response with one of these problems; its description names them with their statuses."""
    statuses = sorted({TITLES[slug][0] for slug in slugs})
    refs = [ref(name) for name in dict.fromkeys(map(component, slugs))]
    parts = [f"{status} {', '.join(f'`{slug}`' for slug in slugs if TITLES[slug][0] == status)}" for status in statuses]
    headers = {name: found for status in statuses for name, found in _HEADERS.get(status, {}).items()}
    return {
        "description": "; ".join(parts) + ".",
        **({"headers": headers} if headers else {}),
        "content": {PROBLEM_JSON: {"schema": refs[0] if len(refs) == 1 else {"oneOf": refs}}},
    }
