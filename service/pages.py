"""What all pages share: like a route of the API, each says which right it asks for."""

from collections.abc import Callable
from typing import TypeVar

from flask import Blueprint, Response

from service.access.rights import Right

View = TypeVar("View", bound=Callable[..., Response])


class Pages(Blueprint):
    """Pages, which are no part of the API."""

    def __init__(self, name: str, import_name: str) -> None:
        super().__init__(name, import_name)
        self.rights: dict[str, Right] = {}

    def page(self, rule: str, method: str, right: Right) -> Callable[[View], View]:
        """A page that is read, or what its form is sent to."""

        def note(view: View) -> View:
            self.rights[view.__name__] = right
            return self.route(rule, methods=[method])(view)

        return note
