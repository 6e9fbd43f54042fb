"""Whether the process and its database are well."""

from flask import Response
from psycopg import Error
from psycopg_pool import PoolTimeout

from service.api import Blueprint
from service.carnet import carnet
from service.problems import Problem
from service.responses import answer
from service.store.database import newest_migration

blueprint = Blueprint("health", __name__, description="Whether the service is well.")


@blueprint.get("/healthz")
@blueprint.response(200, "Health", stored=False)
def healthz() -> Response:
    """Say that the process answers.

    The database is not asked.
    """
    return answer({"status": "ok"})


@blueprint.get("/readyz")
@blueprint.response(200, "Readiness")
def readyz() -> Response:
    """Say that the database answers and is up to date.

    Answers with the migration that the database is at.
    """
    try:
        migration = carnet().database.migration()
    except (Error, PoolTimeout):
        return Problem("database-away", "The database does not answer.", {"Retry-After": "2"}).response()
    if migration != newest_migration():
        detail = f"The database is at migration {migration} and not at {newest_migration()}."
        return Problem("database-away", detail).response()
    return answer({"status": "ready", "migration": migration})
