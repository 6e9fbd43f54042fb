"""The language of an answer's texts."""

from collections.abc import Collection

from flask import has_request_context, request

from domain.catalogue import GAMES
from service.vary import note_varies

LANGUAGES = next(iter(GAMES.values())).languages
"""What every game speaks."""


def asked_language() -> str:
    """The language of `lang=`, else the best of `Accept-Language`, else English."""
    if not has_request_context():
        return "en"
    asked = request.args.get("lang")
    if asked in LANGUAGES:
        return str(asked)
    note_varies("Accept-Language")
    return preferred(LANGUAGES)


def preferred(languages: Collection[str]) -> str:
    """The first of `Accept-Language` that is among some, whatever its region; else English.

    Whoever asks for `pl-PL, en;q=0.5` wants Polish, though English is the only word of his that is ours as it stands.
    """
    asked = (word.partition("-")[0].lower() for word in request.accept_languages.values())
    return next((word for word in asked if word in languages), "en")
