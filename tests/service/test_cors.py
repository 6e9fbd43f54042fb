"""Reading by scripts of other sites, where the operator lets them."""

from dataclasses import replace

import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.config import ConfigError, read_config
from service.db.pool import Database
from tests.service.conftest import CONFIG
from tests.service.harness import SETUP

CLUB = "https://club.example.org"
MATCHES = "/api/v1/matches"


def client_of(database: Database, *origins: str) -> FlaskClient:
    return create_app(replace(CONFIG, cors=origins), database).test_client()


def test_other_sites_read_nothing_unless_they_are_let_in(database: Database) -> None:
    answer = client_of(database).get(MATCHES, headers={"Origin": CLUB})
    assert not [name for name, _ in answer.headers if name.startswith("Access-Control-")]
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"


@pytest.mark.parametrize(("origins", "allowed"), [(("*",), "*"), ((CLUB, "https://other.example.org"), CLUB)])
def test_who_is_let_in_reads_and_does_nothing_else(database: Database, origins: tuple[str, ...], allowed: str) -> None:
    client = client_of(database, *origins)
    read = client.get(MATCHES, headers={"Origin": CLUB})
    assert read.headers["Access-Control-Allow-Origin"] == allowed
    assert read.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert "ETag" in read.headers["Access-Control-Expose-Headers"]
    assert ("Origin" in ",".join(read.headers.getlist("Vary"))) == (allowed != "*")
    preflight = client.options(MATCHES, headers={"Origin": CLUB, "Access-Control-Request-Method": "POST"})
    assert preflight.headers["Access-Control-Allow-Methods"] == "GET, HEAD"
    assert "Authorization" not in preflight.headers["Access-Control-Allow-Headers"]
    assert "Access-Control-Allow-Credentials" not in {*dict(read.headers), *dict(preflight.headers)}
    written = client.post(MATCHES, json={"game": "cite-lumiere", "setup": SETUP}, headers={"Origin": CLUB})
    assert "Access-Control-Allow-Origin" not in written.headers
    page = client.get("/matches", headers={"Origin": CLUB})
    assert "Access-Control-Allow-Origin" not in page.headers


def test_others_are_told_nothing_and_caches_that_it_depends_on_the_site(database: Database) -> None:
    answer = client_of(database, CLUB).get(MATCHES, headers={"Origin": "https://evil.example.org"})
    assert "Access-Control-Allow-Origin" not in answer.headers
    assert "Origin" in ",".join(answer.headers.getlist("Vary"))


@pytest.mark.parametrize(
    "setting", ["club.example.org", "https://club.example.org/", "*, https://club.example.org", "null"]
)
def test_what_is_no_origin_is_refused(setting: str) -> None:
    with pytest.raises(ConfigError, match="CARNET_CORS"):
        read_config({"CARNET_CORS": setting})


def test_origins_are_read_and_do_not_go_with_everything_being_open() -> None:
    assert read_config({"CARNET_CORS": f"{CLUB}, http://localhost:5173"}).cors == (CLUB, "http://localhost:5173")
    assert read_config({"CARNET_CORS": "*"}).cors == ("*",)
    with pytest.raises(ConfigError, match="CARNET_OPEN"):
        read_config({"CARNET_CORS": "*", "CARNET_OPEN": "1"})
