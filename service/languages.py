"""The language of an answer's texts."""

from flask import has_request_context, request

from domain.catalogue import GAMES

LANGUAGES = next(iter(GAMES.values())).languages
"""What every game speaks."""


def asked_language() -> str:
    """The language of `lang=`, else the best of `Accept-Language`, else English."""
    if not has_request_context():
        return "en"
    asked = request.args.get("lang")
    if asked in LANGUAGES:
        return str(asked)
    return request.accept_languages.best_match(LANGUAGES, default="en") or "en"
