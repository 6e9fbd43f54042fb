"""Refused moves of any game, each beside a legal one."""

from typing import Any, NamedTuple

from domain.game import Kind


class Case(NamedTuple):
    """A refused move, and a legal one that differs in nothing but the reason."""

    code: str
    kind: Kind
    rule: str
    state: Any
    move: str
    twin: str
    twin_state: Any = None

    @property
    def name(self) -> str:
        """What the case is called in a report."""
        return f"{self.code}: {self.move}"
