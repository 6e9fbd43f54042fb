"""A database from before the baseline goes on with its data."""

from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from alembic import command
from alembic.script import ScriptDirectory
from click.testing import CliRunner
from flask import Flask

from service.cli import main
from service.db.checks import DatabaseUnusable
from service.db.migrations import BEFORE_BASELINE, MIGRATIONS, migrate, migration_config
from service.db.pool import Database
from service.db.roles import Logins, prepare
from service.server.postgres import OWNER, Server
from service.stats import rebuilding
from service.stats.ratings import settle
from tests.service.applications import application_on
from tests.service.conftest import CONFIG
from tests.service.databases import copy_of
from tests.service.harness import Match, Service, entry, ok
from tests.service.stats.test_changes import contents
from tests.service.tampering import as_owner, as_service
from tests.service.test_migrations import objects, revision
from tests.service.upgrades import answers, restore

STEPS = [
    script.revision
    for script in ScriptDirectory(str(MIGRATIONS), version_locations=[str(BEFORE_BASELINE)]).walk_revisions()
]


@pytest.fixture(scope="module")
def restored(server: Server, run_sql: Callable[[str], None]) -> Iterator[str]:
    """The name of a database as it was restored."""
    name = "restored"
    run_sql(f"CREATE DATABASE {name} OWNER {OWNER}")
    restore(server.dsn(name, OWNER))
    yield name
    run_sql(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def old_dsn(server: Server, run_sql: Callable[[str], None], restored: str) -> Iterator[str]:
    """A database of revision 0011 with its data."""
    with copy_of(restored, server, run_sql) as name:
        run_sql(f"ALTER DATABASE {name} OWNER TO {OWNER}")
        yield server.dsn(name, OWNER)


@pytest.fixture(scope="module")
def upgraded_dsn(server: Server, run_sql: Callable[[str], None], restored: str) -> Iterator[str]:
    """The database after its upgrade, as the superuser sees it, with its ratings computed."""
    with copy_of(restored, server, run_sql) as name:
        run_sql(f"ALTER DATABASE {name} OWNER TO {OWNER}")
        dsn = server.dsn(name)
        prepare(Logins(as_service(dsn), as_owner(dsn)))
        database = Database(as_service(dsn))
        database.open()
        settle(database)
        database.close()
        yield dsn


@pytest.fixture(scope="module")
def app(upgraded_dsn: str) -> Iterator[Flask]:
    """The application on the upgraded database."""
    database = Database(as_service(upgraded_dsn))
    database.open()
    app = application_on(database, CONFIG)
    yield app
    app.extensions["carnet"].close()
    database.close()


@pytest.fixture(scope="module")
def service(app: Flask) -> Service:
    """A client of the application on the upgraded database."""
    return Service(app)


def test_the_upgrade_leaves_every_log_as_it_was_recorded(upgraded_dsn: str) -> None:
    found = CliRunner().invoke(main, ["verify"], env={"DATABASE_URL": upgraded_dsn})
    assert found.exit_code == 0, found.output
    assert "All 10 matches are as they were recorded." in found.output


@pytest.mark.parametrize("name", list(answers()["matches"]))
def test_the_upgrade_leaves_a_match_as_it_read(service: Service, name: str) -> None:
    before = answers()["matches"][name]
    match = Match(service, before["match"]["id"])
    assert require_contained(before["match"], match.document()) == {"rulings_in_statistics", "seats_known"}
    assert match.events() == before["events"]
    frames = match.frames()
    assert [{key: frame[key] for key in ("ply", "seat", "move")} for frame in frames] == before["frames"]
    assert frames[-1]["state"] == before["last"]["state"]
    notes = ok(match.get("/annotations"))["items"]
    assert [{**note, "by": None} for note in before["annotations"]] == notes


def test_the_upgrade_leaves_what_is_stored_under_a_key(service: Service, upgraded_dsn: str) -> None:
    with psycopg.connect(upgraded_dsn) as connection:
        connection.execute("UPDATE idempotency_keys SET asker = 'anyone', created_at = now() WHERE key = 'repair'")
    match = Match(service, answers()["matches"]["going"]["match"]["id"])
    correction = {"ply": 1, "action": "replace", "on_conflict": "truncate", **entry("orange take U6")}
    repaired = match.service.post(f"{match.path}/corrections", correction, {"Idempotency-Key": "repair"})
    assert repaired.headers["Idempotent-Replayed"] == "true"
    statuses = [verdict["status"] for verdict in ok(repaired, 201)["verdicts"]]
    assert statuses == ["ok", "refused", *["not_reached"] * 4]
    assert ok(repaired, 201)["verdicts"][1]["problem"]["detail"] == "U6 is not in the supply."


@pytest.mark.parametrize("game", ["cite-lumiere", "paris"])
def test_the_upgrade_leaves_statistics_of_a_game_as_they_were(service: Service, game: str) -> None:
    path = f"/stats/games/{game}"
    before = answers()["statistics"][path]
    require_contained({**before, "as_of": None}, {**ok(service.get(path)), "as_of": None})


def test_the_upgrade_rates_everybody_anew(service: Service) -> None:
    before = answers()["statistics"]["/stats/ratings?game=cite-lumiere"]
    ratings = ok(service.get("/stats/ratings?game=cite-lumiere"))
    assert rated(ratings) == rated(before) and len(before["items"]) == 4
    assert ratings["pending"] == 0


def rated(ratings: Any) -> dict[str, int]:
    return {item["player"]["name"]: item["matches"] for item in ratings["items"]}


def test_statistics_after_the_upgrade_are_those_of_a_rebuild(app: Flask, upgraded_dsn: str) -> None:
    upgraded = contents(upgraded_dsn)
    assert len(upgraded["match_facts"]) == 4 and upgraded["tallies"]
    assert all(why is None for _, why in rebuilding.rebuild(app.extensions["carnet"]))
    assert contents(upgraded_dsn) == upgraded


@pytest.mark.parametrize(
    "step",
    # The way from the first step is the way of all. The newest comes first.
    [pytest.param(step, marks=[] if step in STEPS[:: len(STEPS) - 1] else [pytest.mark.soak]) for step in STEPS],
)
def test_the_database_of_every_earlier_step_gets_the_schema_of_a_new_one(old_dsn: str, dsn: str, step: str) -> None:
    command.upgrade(migration_config(old_dsn, BEFORE_BASELINE), step)
    assert revision(old_dsn) == step
    migrate(old_dsn)
    assert objects(old_dsn) == objects(dsn)
    assert revision(old_dsn) == revision(dsn)


def test_names_from_before_are_compared_without_what_cannot_be_seen(old_dsn: str) -> None:
    names = ("A\u200bna \ufeff Ida", "Any", "\u200b", "x\U000e0100y")
    with psycopg.connect(old_dsn) as connection:
        for name in names:
            connection.execute(
                """
                INSERT INTO players (player_id, revision, name, folded, survivor_id, created_at)
                SELECT id, 0, %(name)s, lower(%(name)s), id, now() FROM gen_random_uuid() AS id
                """,
                {"name": name},
            )
    migrate(old_dsn)
    with psycopg.connect(old_dsn) as connection:
        folded: dict[str, str] = dict(connection.execute("SELECT name, folded FROM players").fetchall())
    assert [folded[name] for name in names] == ["ana ida", "any", "\u200b", "xy"]


def test_a_database_that_is_too_old_is_refused(old_dsn: str) -> None:
    with psycopg.connect(old_dsn) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0010'")
    with pytest.raises(DatabaseUnusable, match=r"^The database is of an older version of Carnet than 0011, "):
        prepare(Logins(as_service(old_dsn), old_dsn))
    assert revision(old_dsn) == "0010"


def require_contained(before: Any, now: Any) -> set[str]:
    """Require that everything in a document is in another one; return the members that this one has besides."""
    if isinstance(before, dict) and isinstance(now, dict):
        for name, value in before.items():
            require_contained(value, now[name])
        return now.keys() - before.keys()
    if isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for one, other in zip(before, now, strict=True):
            require_contained(one, other)
    else:
        assert now == before
    return set()
