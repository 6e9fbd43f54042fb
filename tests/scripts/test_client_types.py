"""The types of the client are written from the API document."""

from typing import Any

import yaml

from scripts import client_types

SCHEMAS: dict[str, Any] = {
    "Seat": {"type": "string", "enum": ["red", "blue"], "description": "A seat."},
    "Game": {"type": "object", "properties": {"id": {"type": "string", "enum": ["go"]}}, "description": "A game."},
    "Move": {"anyOf": [], "description": "A move."},
    "Setup": {"anyOf": [], "description": "A set-up."},
    "State": {"anyOf": [], "description": "A state."},
    "Count": {"type": "integer", "description": "How many."},
    "Role": {"type": "string", "enum": ["owner", "member"], "description": "A role."},
    "NoSuchProblem": {"type": "object", "properties": {}, "description": "A problem."},
    "Won": {
        "type": "object",
        "properties": {"won": {"type": "boolean", "not": {"const": False}}},
        "description": "Won.",
    },
    "Lost": {
        "type": "object",
        "properties": {"won": {"type": "boolean", "not": {"const": True}}},
        "description": "Lost.",
    },
    "Outcome": {
        "oneOf": [{"$ref": "#/components/schemas/Won"}, {"$ref": "#/components/schemas/Lost"}],
        "description": "How it ended.",
    },
}


def types_of(wanted: str, **schemas: Any) -> str:
    source = client_types.write({"components": {"schemas": {**SCHEMAS, **schemas}}}, [wanted])
    compile(source, wanted, "exec")
    return source


def test_the_file_is_what_the_document_says() -> None:
    document = yaml.load(client_types.DOCUMENT.read_bytes(), yaml.CSafeLoader)
    types = client_types.write(document, client_types.WANTED)
    assert client_types.TYPES.read_text("utf-8") == types, "run: make openapi"


def test_a_schema_becomes_a_class_with_descriptions_as_docstrings() -> None:
    person = {
        "type": "object",
        "description": "Somebody.",
        "properties": {
            "name": {"type": ["string", "null"], "description": "Null if unknown."},
            "role": {"$ref": "#/components/schemas/Role"},
            "tags": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["name", "role"],
    }
    source = types_of("Person", Person=person)
    assert 'Role: TypeAlias = Literal["owner", "member"]\n"""A role."""\n' in source
    assert (
        'class Person(TypedDict):\n    """Somebody."""\n\n    name: str | None\n    """Null if unknown."""\n'
        "    role: Role\n    tags: NotRequired[list[str]]\n"
    ) in source


def test_what_depends_on_the_game_and_problems_stay_open() -> None:
    references = {name.lower(): {"$ref": f"#/components/schemas/{name}"} for name in ("Seat", "Move", "Count")}
    source = types_of(
        "Turn",
        Turn={
            "type": "object",
            "description": "A turn.",
            "properties": {**references, "problem": {"$ref": "#/components/schemas/NoSuchProblem"}},
            "required": ["seat", "move", "count", "problem"],
        },
    )
    assert "    seat: str\n    move: Move\n    count: int\n    problem: dict[str, Any]\n" in source


def test_a_class_extends_the_one_that_it_is_a_kind_of() -> None:
    member = {"type": "string"}
    person = {"type": "object", "properties": {"name": member}, "required": ["name"], "description": "Somebody."}
    made = {**person, "properties": {"name": member, "secret": member}, "description": "Made."}
    schemas = {**SCHEMAS, "Person": person, "MadePerson": made, "Maker": made}
    source = client_types.write({"components": {"schemas": schemas}}, ["MadePerson", "Maker", "Person"])
    assert 'class MadePerson(Person):\n    """Made."""\n\n    secret: NotRequired[str]\n' in source
    assert "class Maker(TypedDict):" in source
    assert source.index("class Person(") < source.index("class MadePerson(")


def test_forms_become_a_union_that_a_literal_tells_apart() -> None:
    source = types_of("Outcome")
    assert "won: NotRequired[Literal[True]]" in source
    assert "won: NotRequired[Literal[False]]" in source
    assert 'Outcome: TypeAlias = Won | Lost\n"""How it ended."""\n' in source


def test_a_long_description_has_its_first_sentence_on_a_line_of_its_own() -> None:
    about = f"First. {'Then more words. ' * 10}"
    assert '    """First.\n\n    Then more' in types_of(
        "Count2", Count2={"type": "object", "properties": {}, "description": about}
    )
