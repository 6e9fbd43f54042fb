"""The page of a match, which is recorded, looked through, corrected and shared in one place."""

from itertools import chain
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from flask import Response, redirect, request

from domain.catalogue import GAMES
from domain.match import Frame, Timeline
from service.annotations.documents import notes_of
from service.auth.authentication import current_principal, has, is_public, rights_held
from service.context import services
from service.db.categories import RULINGS_SETTINGS
from service.db.pool import Connection
from service.games.editions import edition_document
from service.identity import in_zone
from service.matches.documents import frame_document, match_document
from service.matches.queries import present, recorded_of, require_match
from service.permissions import Right, Visibility
from service.web.pages import GAME_TITLES, Pages, language, render
from service.web.static import data_of, static
from service.web.texts import areas as known_areas

MODULE = "js/match/page.js"
AREAS = ("match", "history", "sync", "share", "tie", "new", "paper", "problem")
LATEST = 10**9
"""Greater than any ply; the router reads no longer numbers."""
SCREEN, PAGE = "screen", "page"
"""What is shown of the page: on a second screen only board and scores."""

blueprint = Pages("match", __name__)


@blueprint.page("/matches/<uuid:match_id>", "GET", Right.READ)
def show_match(match_id: UUID) -> Response:
    """A match as it goes on."""
    return _show(match_id, None)


@blueprint.page("/matches/kept", "GET", Right.VISIT)
def show_kept() -> Response:
    """Any match that the device of the reader keeps; the page is stored ahead, for a time without network."""
    return render(
        "kept.html",
        module=MODULE,
        more=[*chain.from_iterable(scripts_of(game, is_recorded=True) for game in GAMES), "js/match/kept.js"],
        areas=(*AREAS, *(GAMES.keys() & known_areas().keys())),
        data={
            "match": None,
            "titles": GAME_TITLES,
            "view": "kept",
            "ahead": [static(name) for game in GAMES for name in data_of(game)],
            "rights": [],
            "reader": current_principal().actor,
            "writes_all": False,
            "may_annotate": False,
            "may_edit": False,
            "may_manage": False,
        },
        view="kept",
        players=[],
        is_result_only=False,
    )


@blueprint.page("/matches/<uuid:match_id>/<int:ply>", "GET", Right.READ)
def show_ply(match_id: UUID, ply: int) -> Response:
    """A match at one of its plies, or at its last one if there is no such ply."""
    return _show(match_id, ply)


@blueprint.page("/matches/<uuid:match_id>/replay", "GET", Right.READ)
def lead_from_replay(match_id: UUID) -> Response:
    """An address of earlier versions."""
    return _lead(match_id, tool="moves")


@blueprint.page("/matches/<uuid:match_id>/replay/<int:ply>", "GET", Right.READ)
def lead_from_replay_at(match_id: UUID, ply: int) -> Response:
    """An address of earlier versions."""
    return _lead(match_id, f"/{ply}")


@blueprint.page("/matches/<uuid:match_id>/repair", "GET", Right.READ)
def lead_from_repair(match_id: UUID) -> Response:
    """An address of earlier versions."""
    ply = request.args.get("ply", "")
    is_ply = ply.isascii() and ply.isdigit() and len(ply) < len(str(LATEST))
    return _lead(match_id, f"/{ply}" if is_ply else "", tool="history", ply=None)


@blueprint.page("/matches/<uuid:match_id>/log", "GET", Right.READ)
def lead_from_log(match_id: UUID) -> Response:
    """An address of earlier versions."""
    return _lead(match_id, tool="history")


@blueprint.page("/matches/<uuid:match_id>/share", "GET", Right.READ)
def lead_from_share(match_id: UUID) -> Response:
    """An address of earlier versions."""
    return _lead(match_id, tool="share")


@blueprint.page("/matches/<uuid:match_id>/scoreboard", "GET", Right.READ)
def lead_from_scoreboard(match_id: UUID) -> Response:
    """An address of earlier versions."""
    return _lead(match_id, view=SCREEN)


def _lead(match_id: UUID, at: str = "", **changes: str | None) -> Response:
    """Redirect to where this is now, with the link by which it was opened; without such a match there is nothing."""
    with services().database.reading() as connection:
        require_match(connection, match_id)
    path = f"/matches/{match_id}{at}"
    query = {**request.args, **changes}
    kept = urlencode({name: value for name, value in query.items() if value is not None})
    response = redirect(f"{path}?{kept}" if kept else path, 301)
    response.headers["Cache-Control"] = "no-store"  # a link in the address is nobody else's
    assert isinstance(response, Response)
    return response


def _show(match_id: UUID, ply: int | None) -> Response:
    with services().database.reading() as connection:
        row, timeline = present(connection, match_id)
        frame = timeline.head if ply is None else timeline.frame(min(ply, timeline.head.ply))
        head = _frame(connection, match_id, timeline, timeline.head)
        shown = head if frame is timeline.head else _frame(connection, match_id, timeline, frame)
    game = GAMES[row["game"]]
    view = SCREEN if request.args.get("view") == SCREEN else PAGE
    return render(
        "match.html",
        module=MODULE,
        more=scripts_of(game.id, is_recorded=ply is None and has(Right.RECORD) and row["status"] == "in_progress"),
        areas=(*AREAS, *({game.id} & known_areas().keys())),
        data={
            **page_data(row, timeline, head, shown),
            "view": view,
            "rights": rights_held(),
            "reader": current_principal().actor,
            "writes_all": current_principal().is_local,
            "may_annotate": has(Right.ANNOTATE),
            "may_edit": has(Right.EDIT),
            "may_manage": has(Right.MANAGE),
            "is_open": services().config.is_open,
            "visibilities": list(Visibility),
            "rulings": RULINGS_SETTINGS,
        },
        view=view,
        match_id=match_id,
        game=game,
        edition=row["edition"],
        players=players_of(row, shown["state"]),
        is_result_only=timeline.is_result_only,
        og=_preview(row, shown) if is_public() else None,
    )


def _preview(row: Any, shown: dict[str, Any]) -> dict[str, str]:
    """The Open Graph data of a public match: who played, the points, the game, when, its board."""
    points = [f"{player['name']} {player['points']}" for player in players_of(row, shown["state"])]
    address = f"{(services().config.url or request.host_url).rstrip('/')}/matches/{row['match_id']}"
    return {
        "title": " – ".join(points),
        "text": f"{GAMES[row['game']].title} · {about_match(row)}",
        "address": address,
        "picture": f"{address}/preview.png?version={row['version']}",
    }


def about_match(row: Any) -> str:
    """When and where a match was played."""
    day = in_zone(row["played_at"], services().config.timezone).date().isoformat()
    return " · ".join(part for part in (day, row["venue"]) if part)


def page_data(row: Any, timeline: Timeline, head: dict[str, Any], shown: dict[str, Any]) -> dict[str, Any]:
    """What the script of a page needs for its first picture: the match, its last frame and the one that is shown."""
    return {
        "match": str(row["match_id"]),
        "game": row["game"],
        "title": GAMES[row["game"]].title,
        "tie_breaks": GAMES[row["game"]].tie_breaks,
        "document": match_document(row, timeline),
        "edition": edition_document(timeline.edition),
        "head": head,
        "shown": None if shown is head else shown,
    }


def _frame(connection: Connection, match_id: UUID, timeline: Timeline, frame: Frame) -> dict[str, Any]:
    """A frame as the API answers it, in the language of the page."""
    recorded = recorded_of(connection, match_id, [frame])
    notes = notes_of(connection, match_id, timeline, [frame])
    return {**frame_document(timeline, frame, language(), recorded), "annotations": notes.of_ply(frame.ply)}


def players_of(row: Any, state: Any) -> list[dict[str, Any]]:
    """The players with their points: those of a board, or else those of the result."""
    ranked = {} if row["result"] is None else {one["seat"]: one["points"] for one in row["result"]["ranking"]}
    score = {} if state is None else {seat: known["total"] for seat, known in state["score"].items()}
    return [{**player, "points": score.get(player["seat"], ranked.get(player["seat"]))} for player in row["players"]]


def scripts_of(game_id: str, *, is_recorded: bool = False) -> list[str]:
    """The modules of a game that the page shows nothing without: its form only where moves are entered."""
    names = ("index.js", "form.js") if is_recorded else ("index.js",)
    return [f"games/{game_id}/{name}" for name in names]
