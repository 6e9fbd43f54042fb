"""The command that makes a token on the machine where Carnet runs."""

from datetime import UTC, datetime, timedelta

import pytest
from click.testing import CliRunner, Result

from service.cli import main
from tests.service.auth.people import Person
from tests.service.harness import ok
from tests.service.tampering import as_service


def create(dsn: str, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["token", "create", *arguments], env={"DATABASE_URL": as_service(dsn)})


def test_a_token_of_the_owner_is_printed_once(olga: Person, dsn: str) -> None:
    made = create(dsn, "--scopes", "record, annotate", "--label", "scoreboard", "--days", "7")
    assert (made.exit_code, made.stderr) == (0, "")
    program = Person(olga.app, made.stdout.strip())
    me = ok(program.get("/me"))
    assert (me["account"], me["scopes"]) == (olga.account, ["annotate", "read", "record"])
    [token] = ok(olga.get("/tokens"))["items"]
    assert token["label"] == "scoreboard"
    lasts = datetime.fromisoformat(token["expires_at"]) - datetime.now(UTC)
    assert timedelta(days=6) < lasts <= timedelta(days=7)


def test_without_an_owner_there_is_nobody_whose_token_it_could_be(dsn: str) -> None:
    made = create(dsn, "--scopes", "record")
    assert (made.exit_code, made.stdout) == (2, "")
    assert made.stderr == "Nobody owns this Carnet yet; open the link that `carnet run` gives out.\n"


@pytest.mark.parametrize(
    "arguments", [(), ("--scopes", "everything"), ("--scopes", ""), ("--scopes", "read", "--days", "0")]
)
def test_a_token_that_makes_no_sense_is_not_made(olga: Person, dsn: str, arguments: tuple[str, ...]) -> None:
    made = create(dsn, *arguments)
    assert (made.exit_code, made.stdout) == (2, "")
    assert ok(olga.get("/tokens"))["items"] == []
