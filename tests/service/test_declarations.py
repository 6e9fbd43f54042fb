"""Declarations of routes: what they name is what the view gets."""

from typing import Any
from uuid import UUID

import pytest
from flask import Response

from service.access.rights import Right
from service.api import Blueprint, MisdeclaredRoute
from service.fields import Paging


@pytest.fixture
def blueprint() -> Blueprint:
    return Blueprint("things", __name__, url_prefix="/things/<uuid:thing_id>", description="Things.")


def test_a_view_takes_what_its_declaration_names(blueprint: Blueprint) -> None:
    @blueprint.get("/parts", Right.FREE, query=Paging)
    def list_parts(query: dict[str, Any], thing_id: UUID) -> Response:
        raise NotImplementedError

    assert blueprint.routes["list_parts"].rule == "/things/<uuid:thing_id>/parts"
    assert blueprint.routes["list_parts"].parts_read == {"query"}
    assert blueprint.rights == {"list_parts": Right.FREE}
    del list_parts


@pytest.mark.parametrize("declared", [{}, {"query": Paging, "body": Paging}, {"body": Paging}])
def test_a_view_that_takes_other_than_its_declaration_names_is_refused(
    blueprint: Blueprint, declared: dict[str, Any]
) -> None:
    def list_parts(query: dict[str, Any], thing_id: UUID) -> Response:
        raise NotImplementedError

    with pytest.raises(MisdeclaredRoute, match="list_parts"):
        blueprint.get("/parts", Right.FREE, **declared)(list_parts)
