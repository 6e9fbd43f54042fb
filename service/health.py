"""Health checks, and the contact for security reports."""

from datetime import timedelta
from typing import Literal, TypedDict

from flask import Response

from service.context import services
from service.db.migrations import newest_migration
from service.db.pool import DatabaseError
from service.http.errors import Problem, not_found, stopping
from service.http.responses import answer
from service.http.routing import Blueprint
from service.identity import now
from service.permissions import Right

blueprint = Blueprint("health", __name__, description="Whether the service is well.")


class Health(TypedDict):
    """That the process responds."""

    status: Literal["ok"]


class Readiness(TypedDict):
    """That the database responds, and its last migration."""

    status: Literal["ready"]
    migration: str
    """The last migration of the database."""


SECURITY_TXT_FOR = timedelta(days=90)


@blueprint.get("/healthz", Right.FREE, answer=Health, stored=False)
def healthz() -> Response:
    """Check that the process responds.

    The database is not asked.
    """
    document: Health = {"status": "ok"}
    return answer(document)


@blueprint.get("/readyz", Right.FREE, answer=Readiness, problems=("stopping",))
def readyz() -> Response:
    """Check that the database responds and is up to date.

    Answers with the migration that the database is at. A process that is about to stop is not ready, so that proxies
    send requests to another one.
    """
    if services().is_draining.is_set():
        return stopping().response()
    try:
        migration = services().database.migration()
    except DatabaseError:
        return Problem("database-away", "The database is not responding.", {"Retry-After": "2"}).response()
    if migration is None or migration != newest_migration():
        detail = f"The database is at migration {migration} and not at {newest_migration()}."
        return Problem("database-away", detail).response()
    document: Readiness = {"status": "ready", "migration": migration}
    return answer(document)


@blueprint.get("/.well-known/security.txt", Right.FREE, media_type="text/plain", stored=False, problems=("not-found",))
def security_txt() -> Response:
    """Get the contact for security reports.

    In the form of RFC 9116; not found unless `CARNET_CONTACT` is set.
    """
    config = services().config
    if config.contact is None:
        raise not_found("contact of this installation")
    lines = {
        "Contact": config.contact,
        "Expires": (now() + SECURITY_TXT_FOR).isoformat(timespec="seconds"),
        "Preferred-Languages": "en",
        "Canonical": f"{config.address}/.well-known/security.txt",
    }
    text = "".join(f"{name}: {value}\n" for name, value in lines.items())
    return Response(text, content_type="text/plain; charset=utf-8")
