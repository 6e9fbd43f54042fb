"""Pages about one match: what all of them tell their scripts."""

from collections.abc import Collection
from uuid import UUID

from flask import Response

from service.access.asking import has
from service.access.rights import Right
from service.carnet import carnet
from service.matches.reading import require_match
from service.web.pages import GAME_TITLES, render
from service.web.texts import areas as known_areas


def render_match(template: str, match_id: UUID, *, module: str, areas: Collection[str]) -> Response:
    """A page of a match with its board; raise `Problem`."""
    with carnet().database.transaction() as connection:
        row = require_match(connection, match_id)
    return render(
        template,
        module=module,
        areas=(*areas, *({row["game"]} & known_areas().keys())),
        data={"match": str(match_id), "may_record": has(Right.RECORD)},
        match_id=match_id,
        game=row["game"],
        game_title=GAME_TITLES[row["game"]],
        players=[player["name"] for player in row["players"]],
        may_record=has(Right.RECORD),
        may_manage=has(Right.MANAGE),
    )
