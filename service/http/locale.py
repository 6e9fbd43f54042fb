"""The language of responses."""

from collections.abc import Collection

from flask import has_request_context, request

from domain.catalogue import GAMES
from service.http.vary import note_varies

LANGUAGES = tuple(next(iter(GAMES.values())).telling.LANGUAGES)
"""The languages of every game."""


def request_language() -> str:
    """The language of `lang=`, otherwise the best one of `Accept-Language`, otherwise English."""
    if not has_request_context():
        return "en"
    requested = request.args.get("lang")
    if requested in LANGUAGES:
        return str(requested)
    note_varies("Accept-Language")
    return preferred(LANGUAGES)


def preferred(languages: Collection[str]) -> str:
    """The first supported language in `Accept-Language`, whatever its region; otherwise English.

    `pl-PL, en;q=0.5` means Polish, although only `en` is listed literally among the supported ones.
    """
    requested = (word.partition("-")[0].lower() for word in request.accept_languages.values())
    return next((word for word in requested if word in languages), "en")
