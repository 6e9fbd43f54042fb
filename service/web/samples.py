"""The sample match, which shows people who have none yet what a recorded match looks like."""

from functools import cache
from typing import Any, Final

import orjson

from domain.catalogue import GAMES
from service.drawing import SMALL_PICTURES
from service.web.texts import game_folder

SAMPLE: Final = "cite-lumiere"
"""The game of which the start page shows a match."""


@cache
def sample(game_id: str, language: str) -> dict[str, Any]:
    """The players of a game's sample match, and of each ply its sentence, a small picture and the points."""
    game = GAMES[game_id]
    match = orjson.loads((game_folder(game_id) / "sample.json").read_bytes())
    seats = [player["seat"] for player in match["players"]]
    state = game.rules.start(game.setup.parse(match["setup"]), seats, game.editions.default)
    draw = SMALL_PICTURES[game_id]
    frames: list[dict[str, Any]] = [
        {"text": None, "board": draw(game.view.dump(state), None), "score": game.rules.totals(state)}
    ]
    for seat, written in match["moves"]:
        move = game.move.parse(written)
        game.rules.check(state, seat, move)
        text = game.telling.describe(state, seat, move, language)
        state = game.rules.apply(state, seat, move)
        frames.append({"text": text, "board": draw(game.view.dump(state), written), "score": game.rules.totals(state)})
    return {"game": game_id, "players": match["players"], "frames": frames}
