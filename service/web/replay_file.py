"""The replay of a match as one file of HTML, which opens without a network: nothing in it is loaded from elsewhere.

Its script is that of our pages, joined, so that boards are drawn by the same functions; its styles are theirs too.
"""

import base64
import gzip
import re
from functools import cache
from hashlib import sha256
from typing import Final

import orjson
from markupsafe import Markup

from domain.catalogue import GAMES
from domain.plurals import PLURAL_CATEGORIES
from service.exchange.replay_file import Replay
from service.http.locale import request_language
from service.web.chunks import variable_of
from service.web.pages import EVERYWHERE, render_text
from service.web.static import files, script_alone
from service.web.texts import LANGUAGES, Texts, areas

AREAS: Final = ("match", "file")
BEGIN, SHOW = "js/replay_file/begin.js", "js/replay_file/show.js"
SHEETS: Final = ("css/base.css", "css/match.css", "css/score_sheet.css", "css/replay_file.css")
DRAWING: Final = re.compile(r"<svg[^>]*>(.*)</svg>", re.DOTALL)


def render_replay(replay: Replay) -> str:
    """The file of a replay, in the language of the request until its reader chooses another."""
    game, language = GAMES[replay["match"]["game"]], request_language()
    script, style = script_of(game.id), style_of(game.id)
    names = (*EVERYWHERE, *AREAS, *({game.id} & areas().keys()))
    data = {
        "lang": language,
        "languages": {
            one: {"plurals": PLURAL_CATEGORIES[one], "texts": Texts(one, names).all, "sentences": replay["texts"][one]}
            for one in LANGUAGES
        },
        "page": {
            "view": "file",
            "title": game.title,
            **{name: replay[name] for name in ("match", "edition", "plies", "breakdown", "turning_point")},
        },
    }
    ranked = {} if replay["match"]["result"] is None else replay["match"]["result"]["ranking"]
    points = {seat["seat"]: seat["points"] for seat in ranked}
    return render_text(
        "replay_file.html",
        Texts(language, names),
        policy=_policy(script, style),
        script=_inline(script, "script"),
        style=_inline(style, "style"),
        drawings=[Markup(drawing) for drawing in drawings_of(game.id)],  # noqa: S704 -- from our own files
        packed=base64.b64encode(gzip.compress(orjson.dumps(data), 9, mtime=0)).decode(),
        game=game,
        match=replay["match"],
        players=[{**player, "points": points.get(player["seat"])} for player in replay["match"]["players"]],
    )


def script_of(game_id: str) -> str:
    """All that runs in a replay of a game."""
    game = f"games/{game_id}/index.js"
    script = script_alone(BEGIN, game, SHOW)
    return f'(async()=>{{"use strict";{script}{variable_of(SHOW)}.show({variable_of(game)}.game);}})();'


@cache
def style_of(game_id: str) -> str:
    """The styles of a replay of a game."""
    names = (*SHEETS, f"games/{game_id}/game.css")
    return "".join(files().by_name[name].content.decode() for name in names if name in files().by_name)


@cache
def drawings_of(game_id: str) -> list[str]:
    """The symbols of a game, which pages load from files."""
    found = []
    for name, file in files().by_name.items():
        if name.startswith(f"games/{game_id}/") and name.endswith(".svg"):
            drawing = DRAWING.fullmatch(file.content.decode().strip())
            assert drawing is not None
            found.append(drawing[1])
    return found


def _policy(*parts: str) -> str:
    """Only this script and these styles have any effect, and nothing is fetched."""
    script, style = (_digest(part) for part in parts)
    return f"default-src 'none'; script-src {script}; style-src {style}; base-uri 'none'; form-action 'none'"


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}'"


def _inline(text: str, tag: str) -> Markup:
    """A text of ours as the content of an element, which it must not end."""
    assert f"</{tag}" not in text.lower()
    assert "<!--" not in text
    return Markup(text)  # noqa: S704 -- from our own files
