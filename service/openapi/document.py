"""The API document, built from the routes."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import orjson
from apispec import APISpec
from flask import Flask

from domain.game import JsonObject
from service.auth.sessions import COOKIE, SECURE_COOKIE
from service.http.request import KEY
from service.http.responses import CSV, HTML, NDJSON
from service.http.routing import PATH_PARAMETER, Blueprint, Route
from service.openapi import problems, schemas
from service.openapi.descriptions import describe, describe_members
from service.openapi.examples import OPERATIONS
from service.openapi.problems import header
from service.openapi.requests import Converter, Plugin
from service.openapi.shapes import Shapes, component_of
from service.openapi.sharing import name_objects, ref, share_known, share_parameters, share_parts, typed
from service.permissions import Right
from service.stats.columns import FIGURES, TABLES

VERSION: Final = "3.1.1"
"""Of OpenAPI."""
EVENT_STREAM = "text/event-stream"
MERGE_PATCH = "application/merge-patch+json"

INFO: JsonObject = {
    "title": "Carnet",
    "version": "1",
    "summary": "Records matches of the board games named Paris, and replays, corrects and scores them.",
    "description": """\
JSON in and out, in UTF-8. Unknown members and parameters are refused everywhere, integers are written without a decimal
point, times are those of RFC 3339 with an offset, and ids are UUIDs in lower case.

**Problems.** Whatever is not done is answered with a problem document (RFC 9457), whose `type` says what went wrong
and whose `detail` is one sentence for a player. [All types](/problems), each with what to do about it, are found where
the `type` leads. `errors` points at what is malformed. Whatever needs the database may be answered with 503 and
`Retry-After`: all but the index, this document and its page, the types of problems, `/healthz` and `security.txt`. Too
many requests of one reader are answered with 429, and `Retry-After` too; where there is a limit, `RateLimit` tells in
every response what is left of it.

**Versions.** The version of a match is the number of events in its log. Its ETag is `"<version>"`, or
`"<version>.<revision>"` once anything else that it shows was changed: its details, or the name of a player. A write to
the log with `If-Match` is done only at that version, a write to details only at that version and revision; writes
without it are done one after the other. Lists, states and frames have ETags that change with whatever they show; those
of states and frames begin with the version. `Vary` names what an answer depends on, `Cache-Control` how long it may be
kept. A GET whose answer has an ETag takes `If-None-Match`, and is answered with 304 where the client has it already.

**Retries.** A POST with an `Idempotency-Key` is done once: the same body sent again to the same path gives the first
answer again, for 30 days. Another body is refused; bodies are compared byte by byte. The query only shapes the answer
and may differ, but for that of an import.

**Languages.** Texts and the reasons of refusals are English, Polish, Czech or Portuguese, as `lang` says or else
`Accept-Language`.

**Lists** come in pages with an opaque cursor, or with `Accept: application/x-ndjson` whole, one JSON object a line.

**Rights.** Programs send a token as `Authorization: Bearer`, pages the cookie of a session, and with every change its
`csrf_token` as `X-CSRF-Token`. The link of a match goes as `key` into the query string. A token that is not valid is
answered with 401, a right that is missing with 403, or with 401 where nobody is signed in; `WWW-Authenticate` says how
to sign in (RFC 6750). What one may not read is answered with 404, as if it were not there.

**Hands.** States are whole for every reader of a match: what is behind the screens in Paris follows almost entirely
from open moves. Pages keep hands closed for those who only watch a match that goes on.

Every answer has a header `X-Request-ID`: that of its request, or a new one.
""",
    "contact": {"name": "The owners of the installation"},
    "license": {"name": "MIT", "identifier": "MIT"},
}

PARAMETERS: Mapping[str, JsonObject] = {
    "IdempotencyKey": {
        "name": "Idempotency-Key",
        "in": "header",
        "description": "Names this request, so that a retry is answered and not done again. Kept for 30 days.",
        "schema": {"type": "string", "pattern": "^[ -~]{1,255}$"},
        "example": "b0c8a1de-move-12",
    },
    "IfMatch": {
        "name": "If-Match",
        "in": "header",
        "description": "The ETag of the match for which the write was made. Writes to the log compare its version, "
        "writes to details its revision too.",
        "schema": {"type": "string", "pattern": r'^(\*|"[0-9]{1,9}(\.[0-9]{1,9})?(-[0-9a-z-]{1,60})?")$'},
        "example": '"12"',
    },
    "LastEventId": {
        "name": "Last-Event-ID",
        "in": "header",
        "description": "The version that the reader had when its connection broke.",
        "schema": {"type": "string", "pattern": "^[0-9]{1,9}$"},
        "example": "12",
    },
}
DESCRIPTIONS: Mapping[str, str] = {
    "a": "The id of one player.",
    "bgg_id": "The id of Paris at BoardGameGeek; that of La Cité de la Lumière is known.",
    "dry_run": "1 to be told what would come of it, with nothing stored.",
    "extend": "1 to let matches go on that are longer in the file.",
    "format": "The form of the file; of one that is sent it is told by how it begins, unless given.",
    "import_id": "The id of an import.",
    "since": "`Carnet-Cursor` of the export before, for what has changed since then.",
    "times": "1 to add when moves were entered.",
    "after": "The version of which the reader knows.",
    "account": "The id of an account.",
    "act": "What was done.",
    "account_id": "The id of an account.",
    "annotation_id": "The id of an annotation.",
    "b": "The id of the other player.",
    "cursor": "Where the page begins: `next` of the page before.",
    "depth": "How many moves to tell of.",
    "edition": "The id of an edition.",
    "edition_id": "The id of an edition: a word for those that come along, a UUID for those of users.",
    "fields": "The members of the frames to answer, with commas between them.",
    "from": "The first that is wanted.",
    "game": "The id of a game.",
    "game_id": "The id of a game.",
    "include": "What to add to the answer.",
    "invitation_id": "The id of an invitation.",
    "lang": "The language of texts, by default that of `Accept-Language`.",
    "limit": "How many to list at most.",
    "link_id": "The id of a link, which is not its secret.",
    "match_id": "The id of a match.",
    "mine": "1 for one's own matches and those that one plays in, whatever their visibility; all without sign-in.",
    "name": "How the name begins, whatever its case.",
    "others": "1 to leave out the session that asks.",
    "player": "The id of a player.",
    "player_count": "A number of players; of several any will do.",
    "player_id": "The id of a player.",
    "number": "The number of an anchor.",
    "ply": "The number of effective moves.",
    "population": "Whether the matches of the club count beside the public ones, as they do for members unless told.",
    "recorded": "Whether the `moves` of a match are recorded, or the `result` alone.",
    "rulings": "Whether matches with table rulings count in all figures or in none, whatever their owners chose.",
    "slug": "The last part of the type of a problem.",
    "session_id": "The id of a session.",
    "sort": "In which order to list; by times the newest first, figures the largest, rates the largest lower end.",
    "status": "How far the match has come.",
    "tag": "A tag of the match.",
    "to": "The last that is wanted, for plain dates too; for times the first that no longer is.",
    "token_id": "The id of a token, which is not its secret.",
    "tz": "The time zone in which plain dates are read.",
    "under": "The node of the tree to begin at, the root unless told.",
    "variant": "A way to play that is not compared with others.",
    "venue": "Where the match was played.",
    "version": "The version of the match to look at.",
    "visibility": "Who sees the match: its people, besides those with a link, all members, or everybody.",
}
HEADERS: Mapping[str, JsonObject] = {
    "AsOf": {"description": "With CSV: `as_of` of the answer, empty for null.", "schema": {"type": "string"}},
    "ContentDisposition": {"description": "With CSV: the name of the file.", "schema": {"type": "string"}},
    "ETag": {
        "description": "Names this version of the answer.",
        "schema": {"type": "string", "pattern": '^(W/)?"[^"]+"$'},
    },
    "Replayed": {
        "description": "Set when the answer was given before.",
        "schema": {"type": "string", "const": "true"},
    },
    "Link": {"description": "The address of the next page (RFC 8288).", "schema": {"type": "string"}},
    "Location": {
        "description": "The address of what was made.",
        "required": True,
        "schema": {"type": "string", "format": "uri-reference"},
    },
    "Population": {
        "description": "With CSV: how many matches count, and how many do not, by the first reason that applies.",
        "schema": {"type": "string"},
    },
    "RetryAfter": {
        "description": "After how many seconds to try again.",
        "schema": {"type": "string"},
    },
}


SECURITY_SCHEMES: Mapping[str, JsonObject] = {
    "key": {
        "type": "apiKey",
        "in": "query",
        "name": KEY,
        "description": "The link of a match: to read an unlisted one, or to record one.",
    },
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": COOKIE,
        "description": f"The session of a browser, over TLS `{SECURE_COOKIE}`; changes need `X-CSRF-Token` besides.",
    },
    "token": {"type": "http", "scheme": "bearer", "description": "The token of a program."},
}


def plain(document: JsonObject) -> JsonObject:
    """A document of plain JSON values."""
    plain_document: JsonObject = orjson.loads(orjson.dumps(document, default=str))
    return plain_document


def build(app: Flask) -> JsonObject:
    plugin = Plugin()
    spec = APISpec(INFO["title"], INFO["version"], VERSION, [plugin])
    converter = plugin.converter
    assert isinstance(converter, Converter)
    blueprints = [blueprint for blueprint in app.blueprints.values() if isinstance(blueprint, Blueprint)]
    paths: dict[str, dict[str, Any]] = defaultdict(dict)
    responses: dict[str, JsonObject] = {"NoContent": _NO_CONTENT}
    routes = [route for blueprint in blueprints for route in blueprint.routes.values()]
    for blueprint in blueprints:
        for route in blueprint.routes.values():
            path = paths[PATH_PARAMETER.sub(r"{\2}", route.rule)]
            if variables := PATH_PARAMETER.findall(route.rule):
                path["parameters"] = [_variable(converter, name) for converter, name in variables]
            path[route.method.lower()] = _operation(converter, blueprint, route, responses)
    shared_paths, parameters = share_parameters(paths)
    document: JsonObject = {
        "openapi": VERSION,
        "info": INFO,
        "servers": [{"url": "/"}],
        "security": _SIGNED_IN,
        "tags": [{"name": blueprint.name, "description": blueprint.description} for blueprint in blueprints],
        "paths": shared_paths,
    }
    bodies = spec.components.to_dict()["schemas"]
    shapes = Shapes()
    for answered in (shape for route in routes for shape in (route.answer, route.lines) if shape is not None):
        shapes.refer(answered)
    own = {**bodies, **schemas.SCHEMAS, **shapes.schemas, **problems.SCHEMAS}
    own = {name: describe_members(describe(name, schema)) for name, schema in typed(plain(own)).items()}
    described = share_known({**own, **typed(plain(schemas.of_games()))}, schemas.SHARED)
    described = name_objects(share_parts(described, "", schemas.MIN_PLACES))
    described = {name: describe(name, schema) for name, schema in described.items()}
    described = _with_examples(described, _examples(routes, converter))
    components = {
        "schemas": {**described, **schemas.SHARED},
        "responses": responses,
        "parameters": {**PARAMETERS, **parameters},
        "headers": HEADERS,
        "securitySchemes": SECURITY_SCHEMES,
    }
    return {**document, "components": _reached(document, components)}


def _examples(routes: Iterable[Route], converter: Converter) -> dict[str, list[JsonObject]]:
    """The recorded bodies of requests, and the shortest one of responses, by their component."""
    requested: dict[str, list[JsonObject]] = {}
    answers: dict[str, list[JsonObject]] = defaultdict(list)
    for route in routes:
        recorded = OPERATIONS.get(route.name, {})
        if route.body is not None:
            component = _name_of(converter.schema_of(route.body))
            shown = requested.setdefault(component, [])
            shown += [example["value"] for example in recorded.get("requests", {}).values()]
        answered = "" if route.answer is None else component_of(route.answer)
        if answered and answered not in _SHOWN_ELSEWHERE:
            for examples in recorded.get("responses", {}).values():
                answers[answered] += [example["value"] for example in examples.values()]
    requests = {component: values[:MAX_REQUESTS] for component, values in requested.items()}
    return requests | {component: [min(values, key=_size)] for component, values in answers.items() if values}


MAX_REQUESTS: Final = 3
"""Examples of a body of requests."""
_SHOWN_ELSEWHERE: Final = frozenset("Invitation MatchLink MatchSummary ProblemTypes Replay SignInLink Token".split())
"""Answers without an example, since their parts have one, or an answer that has all their members and more."""


def _size(example: JsonObject) -> int:
    return len(orjson.dumps(example))


def _name_of(reference: Mapping[str, str]) -> str:
    return reference["$ref"].rpartition("/")[2]


def _with_examples(
    schemas: Mapping[str, JsonObject], examples: Mapping[str, list[JsonObject]]
) -> dict[str, JsonObject]:
    """The schemas with their examples; a page has none, but its entries have."""
    shown = {name: list(values) for name, values in examples.items()}
    for name, values in examples.items():
        members = schemas[name].get("properties", {})
        if members.keys() == {"items", "next"}:
            entries = members["items"]
            entries = schemas[_name_of(entries)] if "$ref" in entries else entries
            entry = _name_of(entries["items"])
            if entry not in _SHOWN_ELSEWHERE:
                shown.setdefault(entry, [item for value in values for item in value["items"][:1]])
            del shown[name]
    return {
        name: {**schema, "examples": shown[name]} if shown.get(name) else schema for name, schema in schemas.items()
    }


_VARIABLES: Mapping[str, JsonObject] = {
    "": {"type": "string", "minLength": 1},
    "int": {"type": "integer", "minimum": 0},
    "uuid": {"type": "string", "format": "uuid"},
}
"""The variables of rules by their converters."""


def _variable(converter: str, name: str) -> JsonObject:
    return _described({"in": "path", "name": name, "required": True, "schema": _VARIABLES[converter]})


def _operation(
    converter: Converter, blueprint: Blueprint, route: Route, components: dict[str, JsonObject]
) -> JsonObject:
    form = None if route.query is None else route.query()
    query = [] if form is None else converter.schema2parameters(form, location="query")
    parameters = [_described(parameter) for parameter in query]
    names = {parameter["name"] for parameter in parameters}
    parameters += [
        {"$ref": f"#/components/parameters/{name}"}
        for name, applies in (
            ("IdempotencyKey", route.idempotent),
            ("IfMatch", route.if_match is not None),
            ("LastEventId", route.media_type == EVENT_STREAM),
        )
        if applies
    ]
    security = _security(route)
    summary, _, description = route.about.partition("\n\n")
    document: JsonObject = {
        "operationId": route.name,
        "tags": [blueprint.name],
        "summary": summary,
        "description": " ".join(description.split()),
        **({} if security == _SIGNED_IN else {"security": security}),
    }
    if parameters:
        document["parameters"] = parameters
    if route.body is not None:
        document["requestBody"] = _body(route, converter.schema_of(route.body))
    if route.upload:
        content = {"schema": {"type": "string", "format": "binary"}}
        document["requestBody"] = {"required": True, "content": dict.fromkeys(route.upload, content)}
    document["responses"] = {
        **_successes(route, is_paged="cursor" in names),
        **problems.responses(route.name, _problems(route), components),
    }
    return document


def _described(parameter: Mapping[str, Any]) -> JsonObject:
    description = DESCRIPTIONS.get(parameter["name"])
    described = {keyword: value for keyword, value in parameter.items() if (keyword, value) != ("required", False)}
    return {**described, "description": description} if description else described


def _body(route: Route, schema: JsonObject) -> JsonObject:
    content = {"schema": schema}
    types = ["application/json", MERGE_PATCH] if route.method == "PATCH" else ["application/json"]
    return {"required": True, "content": dict.fromkeys(types, content)}


def _is_about_match(route: Route) -> bool:
    return bool({"match_id", "annotation_id"} & route.variables)


def _problems(route: Route) -> set[str]:
    slugs = {"too-many-requests", *route.problems, *_refusals(route)}
    if route.stored:
        slugs |= {"database-away", "took-too-long"}
    if route.variables:
        slugs.add("not-found")
    if route.method != "GET":
        slugs |= {"bad-request", "too-large", "unsupported-media-type"}
    if route.rule.startswith("/api/"):
        slugs.add("malformed")
    if route.if_match:
        slugs |= {"bad-request", "stale-version"}
    if route.idempotent:
        slugs |= {"bad-request", "key-reused", "too-large"}
    return slugs


_SIGNED_IN: list[JsonObject] = [{"token": []}, {"session": []}]
"""What most operations accept."""


def _security(route: Route) -> list[JsonObject]:
    """The credentials that an operation accepts; none is an option where something is public."""
    if route.right is Right.FREE:
        return []
    ways = ["token", "session", *(["key"] if _is_about_match(route) else [])]
    return [*({way: []} for way in ways), *([{}] if _is_public(route) else [])]


def _is_public(route: Route) -> bool:
    """Whether a route serves clients without credentials; a match that may not be read does not exist."""
    return route.right is Right.VISIT or (route.right is Right.READ and _is_about_match(route))


def _refusals(route: Route) -> set[str]:
    """The refusals of authorization that an operation can have."""
    if route.right is Right.FREE:
        return set()
    slugs = {"wrong-token"} if _is_public(route) else {"wrong-token", "sign-in-needed", "not-allowed"}
    return slugs if route.method == "GET" else slugs | {"cross-site"}


def _successes(route: Route, *, is_paged: bool) -> JsonObject:
    if route.status == 204:
        return {"204": ref("NoContent", "responses")}
    headers = {
        name: header(component)
        for name, component, applies in (
            ("ETag", "ETag", route.is_tagged),
            ("Idempotent-Replayed", "Replayed", route.idempotent),
            ("Link", "Link", is_paged),
            ("Location", "Location", route.location is not None),
            ("Content-Disposition", "ContentDisposition", route.csv),
            ("Carnet-As-Of", "AsOf", route.csv),
            ("Carnet-Population", "Population", route.csv),
        )
        if applies
    }
    statuses = [200, route.status] if route.dry_run else [route.status]
    return {
        str(status): {
            "description": _DESCRIPTIONS[status],
            **({"headers": headers} if headers else {}),
            **_content(route),
        }
        for status in statuses
    }


_DESCRIPTIONS = {200: "Done.", 201: "Stored."}
_NO_CONTENT: JsonObject = {"description": "No content."}


_TEXT: JsonObject = {"type": "string"}
_SCHEMAS: Mapping[str, JsonObject] = {
    EVENT_STREAM: {"description": "Server-sent events."},
    "application/json": {"type": "object"},
}
"""The contents of files and streams by their media type, where they are more than text."""


def _content(route: Route) -> JsonObject:
    if route.answer is None:
        return {"content": {name: {"schema": _SCHEMAS.get(name, _TEXT)} for name in (route.media_type, *route.forms)}}
    component = component_of(route.answer)
    content: JsonObject = {"schema": ref(component)}
    if route.csv:
        columns = TABLES.get(component, FIGURES)
        description = f"A header and a row for each {'item' if columns is not FIGURES else 'figure'}, always whole. "
        description += f"Columns: {', '.join(f'`{column}`' for column in columns)}."
        table = {"schema": {"type": "string", "description": description}}
        return {"content": {route.media_type: content, CSV: table}}
    if route.page:
        return {"content": {route.media_type: content, HTML: {"schema": {"type": "string"}}}}
    if route.lines is None:
        return {"content": {route.media_type: content}}
    lines = {"schema": {"type": "string", "description": f"One {component_of(route.lines)} on each line."}}
    return {"content": {route.media_type: content, NDJSON: lines}}


def _reached(document: JsonObject, components: Mapping[str, Mapping[str, Any]]) -> JsonObject:
    """The components that the document references, directly or through other components."""
    reached: dict[str, dict[str, Any]] = {kind: {} for kind in components}
    waiting = list(_refs(document))
    while waiting:
        _, _, kind, name = waiting.pop().split("/")
        if name not in reached[kind]:
            reached[kind][name] = components[kind][name]
            waiting += _refs(components[kind][name])
    reached["securitySchemes"] = dict(components["securitySchemes"])
    return {kind: dict(sorted(used.items())) for kind, used in reached.items()}


def _refs(json: object) -> Iterator[str]:
    if isinstance(json, Mapping):
        if isinstance(json.get("$ref"), str):
            yield json["$ref"]
        for member in json.values():
            yield from _refs(member)
    elif isinstance(json, list | tuple):
        for member in json:
            yield from _refs(member)
