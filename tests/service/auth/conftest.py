"""The application with sign-in."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from flask import Flask

from service.db.pool import Database
from tests.service.applications import application_on
from tests.service.auth.people import Person, first_owner, invited
from tests.service.conftest import CONFIG
from tests.service.tampering import as_service

SIGN_IN = replace(CONFIG, is_open=False)


@contextmanager
def application(dsn: str) -> Iterator[Flask]:
    """The application with sign-in on a scene; its streams end when they have told all."""
    database = Database(as_service(dsn))
    database.open()
    app = application_on(database, SIGN_IN)
    app.extensions["carnet"].streams.end()
    yield app
    app.extensions["carnet"].close()
    database.close()


@pytest.fixture
def app(database: Database) -> Iterator[Flask]:
    """The application with sign-in, on an empty database."""
    app = application_on(database, SIGN_IN)
    yield app
    app.extensions["carnet"].close()


@pytest.fixture
def anyone(app: Flask) -> Person:
    """Somebody of whom nothing is known."""
    return Person(app)


@pytest.fixture
def olga(app: Flask) -> Person:
    """The owner of the installation."""
    return first_owner(app)


@pytest.fixture
def ana(olga: Person) -> Person:
    """A member."""
    return invited(olga, "Ana")


@pytest.fixture
def eva(olga: Person) -> Person:
    """Another member."""
    return invited(olga, "Eva")
