"""Errors below HTTP. `service.http.errors` makes problem documents of them."""


class UnknownGame(LookupError):
    """A game that is not in the catalogue."""

    def __init__(self) -> None:
        super().__init__("Game not found.")


class UnknownEdition(LookupError):
    """An edition that does not exist, or not for this reader."""

    def __init__(self, game: str) -> None:
        super().__init__(f"{game} has no such edition.")


class TooManyStreams(Exception):
    """No place is left for another reader of a match; the message says why."""
