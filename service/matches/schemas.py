"""Schemas of requests about matches."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, ClassVar, Final

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from domain.catalogue import GAMES
from domain.game import JsonObject
from domain.match import Action, OnConflict
from service.db.categories import RULINGS_SETTINGS
from service.http.fields import (
    MAX_NAME,
    Boolean,
    FilterValues,
    Form,
    Id,
    Integer,
    Json,
    Moment,
    Name,
    Paging,
    Period,
    QueryInteger,
    QueryLanguage,
    QueryText,
    Seat,
    Text,
)
from service.permissions import Visibility

MAX_MOVES_IN_A_BATCH = 200
MAX_PLIES = 2000
MAX_TAGS = 20
MAX_AHEAD: Final = timedelta(days=1)
"""Of the time of a match."""


class NewPlayer(Schema):
    """The player of a seat: by id, or by a name that is looked up or added."""

    forms: ClassVar[Sequence[Form]] = [
        Form("PlayerByName", "A player by name, who is added if unknown.", ["seat", "name"]),
        Form("PlayerById", "A player by id.", ["seat", "player_id"]),
    ]

    seat = Seat(required=True)
    name = Name()
    player_id = Id()

    @validates_schema
    def require_one(self, data: dict[str, Any], **_: Any) -> None:
        """Require exactly one of the two."""
        if ("name" in data) == ("player_id" in data):
            raise ValidationError("Either name or player_id.")


class FirstPlayer(NewPlayer):
    """A player of a new match; the seat may be missing where nobody knows who sat where."""

    forms: ClassVar[Sequence[Form]] = [
        Form("FirstPlayerByName", "A player by name, who is added if unknown.", ["name"], ["seat"]),
        Form("FirstPlayerById", "A player by id.", ["player_id"], ["seat"]),
    ]

    seat = Seat()


class NewMatch(Schema):
    """A new match."""

    game = fields.String(required=True, metadata={"enum": list(GAMES)})
    edition = fields.String()
    players = fields.List(fields.Nested(FirstPlayer), required=True, validate=validate.Length(1, 8))
    setup = Json("Setup", required=True)
    played_at = Moment()
    venue = Text(MAX_NAME, allow_none=True)
    tags = fields.List(Text(MAX_NAME), validate=validate.Length(max=MAX_TAGS))
    visibility = fields.Enum(Visibility, by_value=True)


class NewDetails(Schema):
    """A merge patch of a match's details."""

    played_at = Moment()
    venue = Text(MAX_NAME, allow_none=True)
    tags = fields.List(Text(MAX_NAME), validate=validate.Length(max=MAX_TAGS), allow_none=True)
    visibility = fields.Enum(Visibility, by_value=True)
    rulings_in_statistics = fields.String(validate=validate.OneOf(RULINGS_SETTINGS))


class Exposure(Schema):
    """The new visibility of matches."""

    visibility = fields.Enum(Visibility, by_value=True, required=True)


class NewPlayers(Schema):
    """The players of the seats."""

    players = fields.List(fields.Nested(NewPlayer), required=True, validate=validate.Length(1, 8))


class Selection(Period):
    """Filters that select matches."""

    game = QueryText()
    edition = QueryText()
    player = FilterValues(Id())
    status = fields.String(validate=validate.OneOf(["in_progress", "finished", "abandoned"]))
    tag = FilterValues(QueryText())
    venue = QueryText()
    visibility = fields.Enum(Visibility, by_value=True)


class MatchQuery(Selection, Paging):
    """Filters of the list of matches."""

    sort = fields.String(load_default="played_at", validate=validate.OneOf(["played_at", "activity"]))
    mine = fields.String(validate=validate.OneOf(["1"]))
    include = fields.String(validate=validate.OneOf(["board"]))


class Ruling(Schema):
    """The reason of a table ruling."""

    reason = Text(required=True)


class SeatedMove(Schema):
    """One move of a seat."""

    seat = Seat(required=True)
    move = Json("Move", required=True)
    ruling = fields.Nested(Ruling)
    entered_at = Moment()


class NewMoves(Schema):
    """One move, or several that are recorded all or none."""

    problem = "malformed-move"
    forms: ClassVar[Sequence[Form]] = [
        Form("OneMove", "One move.", ["seat", "move"], ["ruling", "entered_at"]),
        Form("SeveralMoves", "Several moves, of which all or none are recorded.", ["moves"]),
    ]

    seat = Seat()
    move = Json("Move")
    ruling = fields.Nested(Ruling)
    entered_at = Moment()
    moves = fields.List(fields.Nested(SeatedMove), validate=validate.Length(1, MAX_MOVES_IN_A_BATCH))

    @staticmethod
    def is_usual(data: Any) -> bool:
        """Whether the data is one move without a ruling, which `load` returns as it is."""
        is_move = isinstance(data, dict) and data.keys() == {"seat", "move"}
        return is_move and isinstance(data["seat"], str) and isinstance(data["move"], dict)

    @validates_schema
    def require_one_form(self, data: dict[str, Any], **_: Any) -> None:
        """Refuse a move beside a list of moves, which would be ambiguous."""
        single = {"seat", "move", "ruling", "entered_at"} & set(data)
        if "moves" in data:
            if single:
                raise ValidationError("Either moves or one move.")
            return
        missing = {name: ["Missing data for required field."] for name in ("seat", "move") if name not in data}
        if missing:
            raise ValidationError(missing)


class Undo(Schema):
    """The ply to return to."""

    to_ply = Integer(required=True)


_HOW: Final = ("on_conflict", "dry_run")
"""The members of every correction."""
_AT_SETUP: Final[Mapping[str, JsonObject]] = {"ply": {"minimum": 0, "maximum": 0}}


class NewCorrection(Schema):
    """A change of one earlier ply, or of set-up or edition at ply 0."""

    forms: ClassVar[Sequence[Form]] = [
        Form(
            "NewMoveAtPly",
            "Another move in place of that of a ply, or before it.",
            ["ply", "action", "move"],
            ["seat", "ruling", *_HOW],
            {"action": {"enum": ["replace", "insert"]}},
        ),
        Form("NoMoveAtPly", "The move of a ply taken out.", ["ply", "action"], _HOW, {"action": {"enum": ["remove"]}}),
        Form("OtherSetup", "Another set-up.", ["ply", "setup"], _HOW, _AT_SETUP),
        Form("OtherEdition", "Another edition.", ["ply", "edition"], _HOW, _AT_SETUP),
        Form(
            "ChangedEdition",
            "The present edition with other values.",
            ["ply", "edition_changes"],
            ["edition_title", *_HOW],
            _AT_SETUP,
        ),
    ]

    ply = Integer(required=True)
    action = fields.Enum(Action, by_value=True)
    move = Json("Move")
    seat = Seat()
    ruling = fields.Nested(Ruling)
    setup = Json("Setup")
    edition = fields.String()
    edition_changes = Json("EditionChanges")
    edition_title = Text(MAX_NAME)
    on_conflict = fields.Enum(OnConflict, by_value=True, load_default=OnConflict.REFUSE)
    dry_run = Boolean(load_default=False)

    @validates_schema
    def require_members(self, data: dict[str, Any], **_: Any) -> None:
        """Require the members that belong to the action."""
        if data["ply"] == 0 and "setup" in data:
            needed, allowed = {"setup"}, {"setup"}
        elif data["ply"] == 0 and "edition" in data:
            needed, allowed = {"edition"}, {"edition"}
        elif data["ply"] == 0 and "edition_changes" in data:
            needed, allowed = {"edition_changes"}, {"edition_changes", "edition_title"}
        elif data.get("action") is Action.REMOVE:
            needed, allowed = {"action"}, {"action"}
        else:
            needed, allowed = {"action", "move"}, {"action", "move", "seat", "ruling"}
        given = set(data) - {"ply", "on_conflict", "dry_run"}
        errors = {name: ["Missing data for required field."] for name in needed - given}
        errors |= {name: ["Not allowed with this action."] for name in given - allowed}
        if errors:
            raise ValidationError(errors)


class Restoration(Schema):
    """The version to restore."""

    version = Integer(required=True)


class Language(Schema):
    """The language of texts."""

    lang = QueryLanguage()


class MovesQuery(Language):
    """Optional parts of the response to recorded moves, and its language."""

    include = fields.String(validate=validate.OneOf(["legal_moves"]))


class PlyQuery(Schema):
    """The ply of a request, by default the last one."""

    ply = QueryInteger()


class LegalMovesQuery(Language, PlyQuery):
    """The ply of a request, optional parts of the response, and its language."""

    include = fields.String(validate=validate.OneOf(["points"]))


class VersionQuery(Schema):
    """The version of a request, by default the last one."""

    version = QueryInteger(validate=validate.Range(1))


class CheckQuery(Language, PlyQuery):
    """The ply at which moves are tried, optional parts of the response, and its language."""

    include = fields.String(validate=validate.OneOf(["legal_moves", "points"]))
