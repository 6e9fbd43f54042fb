"""Pages of a match: what all of them show and pass to their scripts."""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from flask import Response

from domain.catalogue import GAMES
from service.auth.authentication import has, rights_held
from service.context import services
from service.matches.queries import require_match
from service.permissions import Right
from service.web.pages import render
from service.web.texts import areas as known_areas


def render_match(template: str, match_id: UUID, *, module: str, areas: Collection[str], **data: Any) -> Response:
    """Render a page of a match, whose script gets the match, its game and `data`; raise `Problem`."""
    with services().database.reading() as connection:
        row = require_match(connection, match_id)
    return render(
        template,
        module=module,
        areas=(*areas, *({row["game"]} & known_areas().keys())),
        data={
            "match": str(match_id),
            "game": row["game"],
            "tie_breaks": GAMES[row["game"]].tie_breaks,
            "rights": rights_held(),
            **_rights(),
            **data,
        },
        match_id=match_id,
        game=GAMES[row["game"]],
        edition=row["edition"],
        names=[player["name"] for player in row["players"]],
        **_rights(),
    )


def _rights() -> dict[str, Any]:
    rights = (Right.RECORD, Right.EDIT, Right.MANAGE)
    return {f"may_{right.name.lower()}": has(right) for right in rights}
