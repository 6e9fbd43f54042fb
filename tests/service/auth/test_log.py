"""Whom the log names to whom."""

from tests.service.auth.people import Person
from tests.service.harness import ok


def test_who_recorded_is_named_to_members_alone(ana: Person, eva: Person, anyone: Person) -> None:
    path = f"/matches/{ana.begin(visibility='public')['id']}"
    link = ok(ana.post(f"{path}/links", {"allows": "record", "label": "Table two"}), 201)
    table = Person(anyone.app, key=link["secret"])
    ok(table.post(f"{path}/moves", {"seat": "orange", "move": {"type": "take", "building": "L4"}}), 201)
    named = [line["by"] for line in ok(eva.get(f"{path}/log"))["items"]]
    assert named == ["Ana", "Table two"]
    for other in (anyone, table):
        assert [line["by"] for line in ok(other.get(f"{path}/log"))["items"]] == [None, None]
