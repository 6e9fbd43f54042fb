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

from scripts import examples, openapi
from service.http.errors import TITLES
from service.http.responses import CSV, HTML, NDJSON
from service.openapi.descriptions import DESCRIPTIONS
from service.openapi.document import build
from service.openapi.examples import EXAMPLES
from service.version import version
from service.web.pages import Pages
from tests.service.harness import Service, ok

ROOT = "urn:document"
SILENT = frozenset(
    "delete_annotation get_document get_picture get_reference get_reference_style security_txt stream_match".split()
)
"""Operations whose answers are no JSON, or the document itself."""
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


def follow(document: Any, said: Any) -> Any:
    while "$ref" in said:
        place = document
        for part in said["$ref"].removeprefix("#/").split("/"):
            place = place[part]
        said = place
    return said


def test_the_file_is_what_the_routes_say() -> None:
    with openapi.application(stored=False) as app:
        assert openapi.write(app) == openapi.DOCUMENT.read_text("utf-8"), "run: make openapi"


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


def test_every_refusal_is_told(document: Any) -> None:
    for path, method, operation in operations(document):
        name, answers = operation["operationId"], operation["responses"]
        refused = {status for status in answers if status >= "4"}
        assert any(status < "3" for status in answers), name
        assert not refused & {"405", "500"}, name
        if "{" in path:
            assert "404" in refused, name
        if "requestBody" in operation:
            assert {"400", "413", "415", "422"} <= refused, name
        if path.startswith("/api/v1/") and "document" not in operation["tags"]:
            assert "503" in refused, name
        headers = {parameter.get("$ref", "").rpartition("/")[2] for parameter in operation.get("parameters", ())}
        assert ("IfMatch" in headers) == ("412" in refused), name
        assert ("IfNoneMatch" in headers) == ("304" in answers), name
        assert ("IdempotencyKey" in headers) <= (method == "post"), name


def test_every_operation_tells_by_what_it_may_be_asked_for(document: Any) -> None:
    for path, _, operation in operations(document):
        name, ways = operation["operationId"], [set(security) for security in operation["security"]]
        is_free = ways == []
        assert is_free == ("401" not in operation["responses"]), name
        assert is_free or {"token"} in ways, name
        assert ({"key"} in ways) == bool(re.search("{(match|annotation)_id}", path)), name


def test_every_schema_of_a_request_or_an_answer_is_described(document: Any) -> None:
    schemas = document["components"]["schemas"]
    named = {reference.rpartition("/")[2] for reference in every(document["paths"], "$ref") if "/schemas/" in reference}
    named |= {name for name in schemas if name.endswith(("Problem", "Page", "Move", "Setup", "State"))}
    assert [name for name in sorted(named) if not schemas[name].get("description", "").endswith(".")] == []
    assert DESCRIPTIONS.keys() <= schemas.keys()


def test_every_problem_is_told(document: Any) -> None:
    told = set(every(document["components"]["schemas"], "const"))
    assert told >= {f"/problems/{slug}" for slug in TITLES if slug not in NOT_TOLD}
    for slug in NOT_TOLD:
        assert f"/problems/{slug}" not in told
    shown = {name for name in document["components"]["examples"] if name[0].islower()}
    assert shown == set(TITLES) - NOT_TOLD


def test_every_reference_leads_somewhere_and_no_component_is_left_over(document: Any) -> None:
    references = {f"#/components/examples/{name}" for name in document["components"]["examples"]}
    for reference in every(document, "$ref"):
        follow(document, {"$ref": reference})
        references.add(reference)
    for securities in every(document["paths"], "security"):
        references |= {f"#/components/securitySchemes/{name}" for security in securities for name in security}
    components = {f"#/components/{kind}/{name}" for kind, found in document["components"].items() for name in found}
    assert references == components


def test_the_examples_fit_the_schemas(document: Any) -> None:
    registry: Registry[Any] = Registry().with_resource(ROOT, Resource.from_contents(document, DRAFT202012))

    def check(name: str, content: Any) -> int:
        said = f"{ROOT}{content['schema']['$ref']}" if "$ref" in content["schema"] else None
        schema = {"$ref": said} if said else _absolute(content["schema"])
        validator = Draft202012Validator(schema, registry=registry)
        for shown in content.get("examples", {}).values():
            errors = sorted(validator.iter_errors(follow(document, shown)["value"]), key=str)
            assert not errors, (name, [error.message for error in errors])
        return len(content.get("examples", {}))

    for _, _, operation in operations(document):
        name = operation["operationId"]
        for content in operation.get("requestBody", {}).get("content", {}).values():
            assert check(name, content), name
        for status, answer in operation["responses"].items():
            for media_type, content in follow(document, answer).get("content", {}).items():
                found = check(f"{name} {status}", content)
                assert found or name in SILENT or media_type in {NDJSON, CSV, HTML}, (name, status)


def _absolute(schema: Any) -> Any:
    if isinstance(schema, dict):
        return {key: ROOT + value if key == "$ref" else _absolute(value) for key, value in schema.items()}
    return [_absolute(entry) for entry in schema] if isinstance(schema, list) else schema


def test_the_index_leads_to_what_there_is(service: Service) -> None:
    answer = service.get("")
    index = ok(answer)
    assert (index["name"], index["version"]) == ("Carnet", version())
    assert set(index["links"]) == {"document", "reference", "games"}
    for address in index["links"].values():
        assert service.client.get(address).status_code == 200, address
    assert service.get("", {"If-None-Match": answer.headers["ETag"]}).status_code == 304


def test_the_document_is_served(service: Service, document: Any) -> None:
    answer = service.get("/openapi.json")
    assert answer.json == document
    assert service.get("/openapi.json", {"If-None-Match": answer.headers["ETag"]}).status_code == 304


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
