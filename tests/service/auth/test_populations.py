"""Which matches statistics count, and for whom."""

from uuid import UUID

import pytest

from service.db.pool import Database
from service.db.principals import IN_POPULATION, IS_THEIRS, Viewer
from service.permissions import Population, population_for
from service.principals import LOCAL, Principal
from tests.service.auth.people import Person, invited


def found(database: Database, condition: str, viewer: Viewer) -> set[str]:
    with database.statements() as connection:
        rows = connection.execute(b"SELECT m.visibility FROM matches m WHERE " + condition.encode(), viewer.values)
        return {row["visibility"] for row in rows}


@pytest.fixture
def ana_id(ana: Person) -> str:
    """The account of who has recorded a match of every visibility."""
    for visibility in ("private", "unlisted", "club", "public"):
        ana.begin(visibility=visibility)
    return str(ana.account["id"])


def test_private_and_unlisted_matches_are_in_no_population(database: Database, ana_id: str) -> None:
    viewer = Viewer(UUID(ana_id), sees_all=True)
    assert found(database, IN_POPULATION[Population.PUBLIC], viewer) == {"public"}
    assert found(database, IN_POPULATION[Population.CLUB], viewer) == {"club", "public"}
    assert set(IN_POPULATION) == set(Population)


def test_whoever_has_an_account_gets_what_the_club_played(ana_id: str) -> None:
    assert population_for(Principal(UUID(ana_id))) is population_for(LOCAL) is Population.CLUB
    assert population_for(Principal()) is population_for(Principal(link_id=UUID(ana_id))) is Population.PUBLIC


def test_ones_own_matches_are_those_one_owns_or_plays(
    database: Database, olga: Person, eva: Person, ana: Person, ana_id: str
) -> None:
    jan_id = ana.all_items("/matches")[0]["players"][1]["player_id"]
    jan = invited(olga, "Jan", player_id=jan_id)
    for person, wanted in ((ana, 4), (jan, 4), (eva, 0), (olga, 0)):
        assert len(found(database, IS_THEIRS, Viewer(UUID(person.account["id"])))) == wanted
    eva.begin("Eva", "Ida", visibility="private")
    assert found(database, IS_THEIRS, Viewer(UUID(eva.account["id"]))) == {"private"}
    assert found(database, IS_THEIRS, Viewer()) == set()
