"""Shapes of answers: types that a document in JSON has, with what its JSON Schema says besides.

A shape is a `TypedDict` beside the function that builds it, and what a route declares as its `answer`. Its docstring
and those below its members are the descriptions in the API document, whose schemas `service/openapi/shapes.py` derives.
"""

from typing import Annotated, Any, Generic, TypeAlias, TypedDict, TypeVar, cast

from domain.catalogue import GAMES
from domain.game import JsonObject, dump_result
from domain.game import Result as GameResult

Item = TypeVar("Item")


class Keywords:
    """Keywords of JSON Schema that a type alone does not say, such as `minimum` or a computed `description`."""

    def __init__(self, **keywords: Any) -> None:
        self.keywords: JsonObject = keywords


class Component:
    """The name of a component of the API document that describes a type and is no shape itself."""

    def __init__(self, name: str) -> None:
        self.name = name


class Partial(Component):
    """The name and the description of a shape with the same members, none of them required."""

    def __init__(self, name: str, about: str) -> None:
        super().__init__(name)
        self.about = about


Id: TypeAlias = Annotated[str, Component("Id")]
Seat: TypeAlias = Annotated[str, Component("Seat")]
GameId: TypeAlias = Annotated[str, Keywords(enum=list(GAMES))]
Count: TypeAlias = Annotated[int, Keywords(minimum=0)]
Share: TypeAlias = Annotated[float, Keywords(minimum=0, maximum=1)]
Time: TypeAlias = Annotated[str, Keywords(format="date-time")]
Hash: TypeAlias = Annotated[str, Keywords(pattern="^[0-9a-f]{64}$")]
Version: TypeAlias = Annotated[int, Keywords(minimum=1, description="The number of events in the log.")]
Ply: TypeAlias = Annotated[int, Keywords(minimum=0, description="The number of effective moves; 0 is the set-up.")]
Seq: TypeAlias = Annotated[int, Keywords(minimum=1, description="The place of the event in the log.")]
Actor: TypeAlias = Annotated[str | None, Keywords(description="The account or link that did it, if any.")]
Move: TypeAlias = Annotated[JsonObject, Component("Move")]
Setup: TypeAlias = Annotated[JsonObject, Component("Setup")]
State: TypeAlias = Annotated[JsonObject, Component("State")]


class Ranked(TypedDict):
    """The place and the points of a seat."""

    seat: Seat
    place: Annotated[int, Keywords(minimum=1)]
    points: int


class Result(TypedDict):
    """How a match ended."""

    winners: list[Seat]
    ranking: list[Ranked]
    decided_by: str
    """`points`, one of the `tie_breaks` of the game, or `shared`."""


def result_document(result: GameResult | None) -> Result | None:
    """A result of a game, if there is one."""
    return None if result is None else cast(Result, dump_result(result))


class Page(TypedDict, Generic[Item]):
    """A page of a list."""

    items: list[Item]
    next: str | None
    """The cursor of the next page, null on the last one."""
