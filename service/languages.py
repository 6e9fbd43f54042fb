"""The language of an answer's texts."""

from flask import request

from domain.game import AnyGame, FieldError
from service.problems import malformed


def language_for(game: AnyGame, asked: str | None) -> str:
    """The language of `lang=`, else the best of `Accept-Language`, else English."""
    if asked is not None:
        if asked not in game.languages:
            raise malformed([FieldError("/lang", f"must be one of {', '.join(game.languages)}")])
        return asked
    return request.accept_languages.best_match(game.languages, default="en") or "en"
