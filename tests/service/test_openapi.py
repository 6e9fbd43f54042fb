"""The API document is what the routes say, is valid, leaves no route out and shows what the service answers."""

import re
from collections.abc import Iterator
from typing import Any

import orjson
import pytest
from flask import Flask
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from domain.games.cite_lumiere.view import LETTERS, UNPAVED
from scripts import examples, openapi
from service.http.errors import TITLES
from service.openapi import problems
from service.openapi.descriptions import DESCRIPTIONS
from service.openapi.document import build
from service.openapi.examples import EXAMPLES
from service.openapi.help import HELP
from service.openapi.routes import DOCUMENT as SERVED
from service.version import version
from service.web.pages import Pages
from tests.service.harness import Service, ok

ROOT = "urn:document"
SILENT = frozenset(
    "delete_annotation get_document get_picture get_reference get_reference_style security_txt stream_match".split()
)
"""Operations whose answers are no JSON, or the document itself."""
PLAIN = frozenset(
    "abandoned after before bronze changed_at created_at document edition editions expires_at facing francs from game"
    " games gilt gold happened_at high id info length longest_losing longest_winning made_at marble match_id matches"
    " max_players mean_points median_points min_players name next note number openapi owner paths piece place played_at"
    " player_count player_id players ply points rate rating recorded recorded_at reference rulings seat silver tag tags"
    " text tile title total value variant venue winners wood".split()
)
"""Members whose names say what they are."""
SHOWN_WITH_MORE = frozenset("Invitation MatchLink MatchSummary SignInLink Token".split())
"""Answers of which an example with further members is shown."""
NOT_TOLD = {"internal", "method-not-allowed", "not-acceptable"}
"""Problems that no operation of the document can meet."""


@pytest.fixture(scope="module")
def document() -> Any:
    with openapi.application(stored=False) as app:
        return orjson.loads(orjson.dumps(build(app)))


def operations(document: Any) -> Iterator[tuple[str, str, Any]]:
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method != "parameters":
                yield path, method, operation


def every(document: Any, name: str) -> Iterator[Any]:
    """Whatever stands under a name, at any depth but in examples."""
    if isinstance(document, dict):
        for key, member in document.items():
            if key == name:
                yield member
            if key not in {"example", "examples", "value"}:
                yield from every(member, name)
    elif isinstance(document, list):
        for member in document:
            yield from every(member, name)


def follow(document: Any, node: Any) -> Any:
    while "$ref" in node:
        place = document
        for part in node["$ref"].removeprefix("#/").split("/"):
            place = place[part]
        node = place
    return node


def test_the_files_are_what_the_routes_say() -> None:
    with openapi.application(stored=False) as app:
        for file, content in openapi.write(app).items():
            assert file.read_bytes() == content, f"{file.name}; run: make openapi"


def test_the_file_is_of_a_size_that_people_and_tools_can_read() -> None:
    """285 kB are for 96 operations; it may grow with their number."""
    paths = orjson.loads(SERVED.read_bytes())["paths"]
    operations = sum(method != "parameters" for path in paths.values() for method in path)
    assert openapi.DOCUMENT.stat().st_size <= 2_970 * operations


def test_the_examples_are_what_the_service_answers(app: Flask) -> None:
    recorded = orjson.loads(orjson.dumps(examples.record(app)))
    assert orjson.loads(examples.normal(recorded)) == orjson.loads(
        examples.normal(orjson.loads(EXAMPLES.read_bytes()))
    ), "run: python -m scripts.openapi --examples"


def test_the_document_is_valid(document: Any) -> None:
    assert document["openapi"].startswith("3.1.")
    OpenAPIV31SpecValidator(document).validate()


def test_every_schema_is_valid(document: Any) -> None:
    for schema in document["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
    for schema in every(document["paths"], "schema"):
        Draft202012Validator.check_schema(schema)


def test_every_route_is_told(app: Flask, document: Any) -> None:
    routes = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method.lower())
        for rule in app.url_map.iter_rules()
        if not isinstance(app.blueprints[rule.endpoint.partition(".")[0]], Pages)
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert {(path, method) for path, method, _ in operations(document)} == routes


def test_every_operation_is_told_in_full(document: Any) -> None:
    tags = {tag["name"] for tag in document["tags"] if tag["description"]}
    seen = set()
    for path, _, operation in operations(document):
        name = operation["operationId"]
        assert name not in seen
        seen.add(name)
        assert operation["summary"].endswith(".") and len(operation["summary"]) <= 90, name
        assert operation["description"].endswith(".") and operation["description"] != operation["summary"], name
        assert set(operation["tags"]) <= tags and len(operation["tags"]) == 1, name
        assert path.startswith("/api/v1") or operation["tags"] in (["health"], ["problem_types"]), name
    assert {tag for _, _, operation in operations(document) for tag in operation["tags"]} == tags


def test_every_parameter_is_told(document: Any) -> None:
    for path, item in document["paths"].items():
        parameters = [follow(document, parameter) for parameter in item.get("parameters", ())]
        told = {parameter["name"] for parameter in parameters if parameter["in"] == "path"}
        assert told == set(re.findall(r"\{(\w+)\}", path))
    for parameters in every(document["paths"], "parameters"):
        for parameter in parameters:
            told = follow(document, parameter)
            assert told["description"].endswith("."), told["name"]
            assert told["schema"], told["name"]


def refusals(document: Any, operation: Any) -> Iterator[tuple[str, str]]:
    """The status and the type of each problem that an operation can have, as its responses tell them."""
    for status, answer in operation["responses"].items():
        if status >= "4":
            for part in follow(document, answer)["description"].split("; "):
                told, _, slugs = part.partition(" ")
                assert told == status or (status == "4XX" and told < "5"), operation["operationId"]
                yield from ((told, slug) for slug in re.findall("`([a-z-]+)`", slugs))


def test_every_refusal_is_told(document: Any) -> None:
    for path, method, operation in operations(document):
        name, answers = operation["operationId"], operation["responses"]
        told = list(refusals(document, operation))
        assert len(told) == len(set(told)), name
        assert all(TITLES[slug][0] == int(status) for status, slug in told), name
        refused = {status for status, _ in told}
        assert any(status < "3" for status in answers), name
        assert not refused & {"405", "500"} and "429" in refused, name
        if "{" in path:
            assert "404" in refused, name
        if "requestBody" in operation:
            assert {"400", "413", "415", "422"} <= refused, name
        headers = {parameter.get("$ref", "").rpartition("/")[2] for parameter in operation.get("parameters", ())}
        assert ("IfMatch" in headers) == ("412" in refused), name
        assert ("IdempotencyKey" in headers) <= (method == "post"), name


def test_every_response_has_the_schemas_of_its_problems(document: Any) -> None:
    for _, _, operation in operations(document):
        for status, answer in operation["responses"].items():
            if status >= "4":
                slugs = re.findall("`([a-z-]+)`", follow(document, answer)["description"])
                schema = follow(document, answer)["content"]["application/problem+json"]["schema"]
                schemas = [choice["$ref"].rpartition("/")[2] for choice in schema.get("oneOf", [schema])]
                assert schemas == list(dict.fromkeys(map(problems.component, slugs))), operation["operationId"]


def test_operations_of_a_kind_share_their_response_with_problems(document: Any) -> None:
    shared = [operation["responses"]["4XX"] for _, _, operation in operations(document)]
    assert all(answer.keys() == {"$ref"} for answer in shared)
    descriptions = {answer["$ref"]: follow(document, answer)["description"] for answer in shared}
    assert len(set(descriptions.values())) == len(descriptions) < 20


def test_every_operation_tells_by_what_it_may_be_asked_for(document: Any) -> None:
    for path, _, operation in operations(document):
        name = operation["operationId"]
        ways = [set(security) for security in operation.get("security", document["security"])]
        is_free = ways == []
        assert is_free == ("401" not in dict(refusals(document, operation))), name
        assert is_free or {"token"} in ways, name
        assert ({"key"} in ways) == bool(re.search("{(match|annotation)_id}", path)), name


def test_every_schema_is_described(document: Any) -> None:
    schemas = document["components"]["schemas"]
    assert [name for name, schema in schemas.items() if not schema.get("description", "").endswith(".")] == []
    assert DESCRIPTIONS.keys() <= schemas.keys()


def test_every_member_is_described_unless_its_name_says_it(document: Any) -> None:
    """A reference to a schema describes a member, and so does a constant."""

    def is_told(schema: Any) -> bool:
        if {"description", "$ref", "const"} & schema.keys() or "const" in schema.get("not", {}):
            return True
        inner = [schema[keyword] for keyword in ("items", "additionalProperties") if schema.get(keyword)]
        return any(map(is_told, [*inner, *schema.get("oneOf", []), *schema.get("anyOf", [])]))

    silent = {
        f"{name}.{member}"
        for name, schema in document["components"]["schemas"].items()
        for member, part in schema.get("properties", {}).items()
        if not is_told(part) and member not in PLAIN
    }
    assert silent == set()


def test_the_letters_of_the_board_are_told(document: Any) -> None:
    board = document["components"]["schemas"]["CiteLumiereState"]["properties"]["board"]
    assert [letter for letter in f"{LETTERS}{UNPAVED}" if f"`{letter}`" not in board["description"]] == []


def test_every_problem_is_told(document: Any) -> None:
    schemas = document["components"]["schemas"]
    constants = {*every(schemas, "const"), *schemas["Problem"]["properties"]["type"]["enum"]}
    assert constants >= {f"/problems/{slug}" for slug in TITLES if slug not in NOT_TOLD}
    assert problems.UNDOCUMENTED == NOT_TOLD
    for slug in NOT_TOLD:
        assert f"/problems/{slug}" not in constants
    for slug, (status, title) in TITLES.items():
        if slug not in NOT_TOLD:
            schema = schemas[problems.component(slug)]
            line = f"`{slug}` ({status}): {title}. {HELP[slug]}" if "enum" in schema["properties"]["type"] else title
            assert line in schema["description"], slug


def test_every_reference_leads_somewhere_and_no_component_is_left_over(document: Any) -> None:
    references = set()
    for reference in every(document, "$ref"):
        follow(document, {"$ref": reference})
        references.add(reference)
    for securities in (document["security"], *every(document["paths"], "security")):
        references |= {f"#/components/securitySchemes/{name}" for security in securities for name in security}
    components = {f"#/components/{kind}/{name}" for kind, found in document["components"].items() for name in found}
    assert references == components


def test_the_examples_fit_the_schemas(document: Any) -> None:
    registry: Registry[Any] = Registry().with_resource(ROOT, Resource.from_contents(document, DRAFT202012))
    for name, schema in document["components"]["schemas"].items():
        validator = Draft202012Validator(_absolute(schema), registry=registry)
        for example in schema.get("examples", []):
            errors = sorted(validator.iter_errors(example), key=str)
            assert not errors, (name, [error.message for error in errors])


def test_every_body_has_an_example(document: Any) -> None:
    """Its own, or that of what it is made of, as a page has those of its entries."""
    schemas = document["components"]["schemas"]

    def has_example(name: str) -> bool:
        if "examples" in schemas[name] or name in SHOWN_WITH_MORE:
            return True
        return any(has_example(inner.rpartition("/")[2]) for inner in every(schemas[name], "$ref"))

    for _, _, operation in operations(document):
        name = operation["operationId"]
        bodies = [operation.get("requestBody", {}), *operation["responses"].values()]
        for content in (content for body in bodies for content in follow(document, body).get("content", {}).values()):
            if "$ref" in content["schema"] and name not in SILENT:
                assert has_example(content["schema"]["$ref"].rpartition("/")[2]), name


def _absolute(schema: Any) -> Any:
    if isinstance(schema, dict):
        return {key: ROOT + value if key == "$ref" else _absolute(value) for key, value in schema.items()}
    return [_absolute(entry) for entry in schema] if isinstance(schema, list) else schema


@pytest.mark.unchanging
def test_the_index_leads_to_what_there_is(service: Service) -> None:
    answer = service.get("")
    index = ok(answer)
    assert (index["name"], index["version"]) == ("Carnet", version())
    assert set(index["links"]) == {"document", "reference", "games"}
    for address in index["links"].values():
        assert service.client.get(address).status_code == 200, address
    assert service.get("", {"If-None-Match": answer.headers["ETag"]}).status_code == 304


@pytest.mark.unchanging
def test_the_document_is_served_as_it_stands(service: Service) -> None:
    answer = service.get("/openapi.json")
    assert answer.data == SERVED.read_bytes()
    assert service.get("/openapi.json", {"If-None-Match": answer.headers["ETag"]}).status_code == 304


@pytest.mark.unchanging
def test_the_page_shows_all_and_loads_nothing_from_elsewhere(service: Service, document: Any) -> None:
    answer = service.get("/docs")
    page = answer.get_data(as_text=True)
    assert answer.content_type == "text/html; charset=utf-8"
    assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'; style-src 'self';")
    assert service.get("/docs", {"If-None-Match": answer.headers["ETag"]}).status_code == 304
    links = set(re.findall(r'(?:href|src)="([^"#]+)"', page))
    assert links == {"/api/v1/openapi.json", "/api/v1/docs/reference.css", "/problems"}
    assert not re.search("<script|<style|style=|javascript:|@import|url\\(", page)
    assert "url(" not in service.get("/docs/reference.css").get_data(as_text=True)
    anchors = re.findall(r'id="([^"]+)"', page)
    assert len(anchors) == len(set(anchors))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(anchors)
    assert {operation["operationId"] for _, _, operation in operations(document)} <= set(anchors)
    assert {f"schema-{name}" for name in document["components"]["schemas"]} <= set(anchors)
