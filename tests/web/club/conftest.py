"""Pages of a service with sign-in."""

from collections.abc import Iterator

import pytest
from flask import Flask

from service.app import create_app
from service.store.database import Database
from tests.service.access.conftest import SIGN_IN
from tests.service.access.people import Person, first_owner


@pytest.fixture
def app(database: Database) -> Iterator[Flask]:
    """The application with sign-in."""
    app = create_app(SIGN_IN, database)
    yield app
    app.extensions["carnet"].close()


@pytest.fixture
def olga(app: Flask) -> Person:
    """The owner of the installation."""
    return first_owner(app)
