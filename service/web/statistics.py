"""The pages of statistics: of all players, of one, of two against each other, and of a game."""

from functools import cache
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

import orjson
from flask import Response, request

from domain.catalogue import GAMES
from domain.game import JsonObject
from service.auth.authentication import has
from service.context import services
from service.http.errors import not_found
from service.permissions import Right
from service.players.people import may_merge, may_rename, require_met
from service.stats.conventions import CONVENTIONS
from service.stats.intervals import MIN_MATCHES
from service.web.pages import GAME_TITLES, Pages, language, render
from service.web.texts import Texts, game_folder
from service.web.texts import areas as known_areas

FILTERS = (
    *("game", "edition", "variant", "player", "player_count", "from", "to", "tag", "venue", "recorded", "rulings"),
    "mine",
)
"""Which matches to count; they go on to the API as they are."""

blueprint = Pages("statistics", __name__)


@blueprint.page("/players", "GET", Right.VISIT)
def show_players() -> Response:
    """All players with what they won, and their ratings."""
    return _render("stats.players", "js/players.js", {"sort": request.args.get("sort", "matches")})


@blueprint.page("/players/<uuid:player_id>", "GET", Right.VISIT)
def show_player(player_id: UUID) -> Response:
    """The statistics of one player, and their name, where it may be changed."""
    with services().database.reading() as connection:
        row = require_met(connection, player_id)
        may_record = has(Right.RECORD)
        is_own = may_record and may_rename(connection, row)
        is_merged = may_record and may_merge(connection, row)
    data = {"player": {"id": str(row["player_id"]), "name": row["name"]}}
    return _render("stats.one_player", "js/player_statistics.js", data, may_rename=is_own, may_merge=is_merged)


@blueprint.page("/players/<uuid:player_id>/against/<uuid:other_id>", "GET", Right.VISIT)
def show_head_to_head(player_id: UUID, other_id: UUID) -> Response:
    """Two players in the matches in which both sat."""
    with services().database.reading() as connection:
        rows = require_met(connection, player_id), require_met(connection, other_id)
    if rows[0]["player_id"] == rows[1]["player_id"]:
        raise not_found("player")
    a, b = ({"id": str(row["player_id"]), "name": row["name"]} for row in rows)
    filters = {name: request.args[name] for name in FILTERS if request.args.get(name)}
    query = f"?{urlencode(filters)}" if filters else ""
    duel = [{"name": player["name"], "address": f"/players/{player['id']}{query}"} for player in (a, b)]
    return _render("stats.head_to_head", "js/head_to_head.js", {"a": a, "b": b}, duel=duel)


@blueprint.page("/games/<game_id>", "GET", Right.VISIT)
def show_game(game_id: str) -> Response:
    """How a game goes: points, advantages, what goes with winning, and how it is opened."""
    if game_id not in GAMES:
        raise not_found("game")
    game = GAMES[game_id]
    data = {"edition": game.editions.default.id, **_opened(game_id)}
    return _render("stats.one_game", "js/game_statistics.js", data, game_id=game_id)


def _render(title: str, module: str, data: dict[str, Any], *, game_id: str | None = None, **values: Any) -> Response:
    filters = {name: request.args.get(name, "") for name in FILTERS}
    chosen = game_id or (filters["game"] if filters["game"] in GAMES else None)
    games = [GAMES[chosen]] if chosen is not None else list(GAMES.values())
    areas = ("stats", "matches", *(game.id for game in games if game.id in known_areas()))
    named = {name: value["name"] for name, value in data.items() if isinstance(value, dict) and "name" in value}
    texts = Texts(language(), ["stats"])
    return render(
        "statistics.html",
        module=module,
        areas=areas,
        data={
            **data,
            "asked": {name: value for name, value in filters.items() if value},
            "game": chosen,
            "games": GAME_TITLES,
            "fewest": MIN_MATCHES,
            "terms": CONVENTIONS[language()],
        },
        title=texts.t(title, **named, game=GAME_TITLES.get(game_id or "", "")),
        asked=filters,
        chosen=chosen,
        page_game=game_id,
        choices=[] if game_id is not None else _choices(filters),
        searched=games,
        numbers_of_players=sorted(
            {number for game in games for number in range(game.players[0], game.players[-1] + 1)}
        ),
        is_filtered=any(value for name, value in filters.items() if name != "game"),
        **{"may_rename": False, "may_merge": False, "duel": None, **values},
    )


def _choices(filters: dict[str, str]) -> list[tuple[str, str, str]]:
    """The games to choose from, each with the address of this page about it; what belongs to one game is left out."""
    others = {name: value for name, value in filters.items() if value and name not in {"game", "edition", "variant"}}
    addresses = [(game, urlencode({**others, **({"game": game} if game else {})})) for game in ("", *GAMES)]
    return [
        (game, GAME_TITLES.get(game, ""), f"{request.path}?{query}" if query else request.path)
        for game, query in addresses
    ]


@cache
def _opened(game_id: str) -> JsonObject:
    """The position before the first move, on which openings are shown, and who sits where in it."""
    game = GAMES[game_id]
    plain = orjson.loads((game_folder(game_id) / "opening.json").read_bytes())
    state = game.rules.start(game.setup.parse(plain["setup"]), plain["seats"], game.editions.default)
    return {"seats": plain["seats"], "start": game.view.dump(state)}
