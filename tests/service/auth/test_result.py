"""The result of a match tells nobody of matches that they may not see."""

from service.db.pool import Database
from service.stats.ratings import settle
from tests.service.auth.people import Person
from tests.service.harness import ok


def note(person: Person, points: tuple[int, int], visibility: str, day: int = 1) -> str:
    setup = {"result_only": True, "points": {"orange": points[0], "blue": points[1]}}
    begun = person.begin("Ana", "Jan", setup=setup, visibility=visibility, played_at=f"2026-01-{day:02}T12:00:00Z")
    return f"/matches/{begun['id']}/result"


def test_hidden_matches_change_no_result_for_others(
    database: Database, ana: Person, eva: Person, anyone: Person
) -> None:
    note(ana, (30, 40), "public")
    public = note(ana, (50, 45), "public", 9)
    settle(database)
    before = {who: ok(who.get(public)) for who in (eva, anyone)}
    own = ok(ana.get(public))
    note(ana, (70, 20), "private", 3)
    note(ana, (70, 20), "unlisted", 4)
    settle(database)
    assert {who: ok(who.get(public)) for who in (eva, anyone)} == before
    assert {first["kind"] for first in own["firsts"]} == {"first_win", "highest_score", "personal_best"}
    assert [first["kind"] for first in ok(ana.get(public))["firsts"]] == ["highest_score", "personal_best"]
    note(ana, (80, 20), "club", 5)
    assert {first["kind"] for first in ok(anyone.get(public))["firsts"]} >= {"first_win", "highest_score"}
    assert ok(eva.get(public))["firsts"] == [{"kind": "personal_best", "seat": "blue", "against": None}]
