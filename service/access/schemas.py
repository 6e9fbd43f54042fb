"""The forms of what clients send about people, tokens and links."""

from collections.abc import Mapping
from typing import Any

from marshmallow import Schema, fields, validate

from service.access.rights import Role, Scope
from service.access.trail import Act
from service.fields import LONGEST_NAME, Id, Moment, Name, Paging, Text

MAX_LINK = 512
"""An address with the longest name that a host can have, and a secret of 50 characters."""


class LinkSecret(Text):
    """The secret of a link, taken out of its address where that was sent."""

    def deserialize(
        self, value: Any, attr: str | None = None, data: Mapping[str, Any] | None = None, **kwargs: Any
    ) -> Any:
        """Cut the address off a text whose length was checked."""
        text = super().deserialize(value, attr, data, **kwargs)
        return text.strip().rpartition("/sign-in/")[2].rstrip("/") if isinstance(text, str) else text


class NewToken(Schema):
    """A token for a program."""

    label = Text(LONGEST_NAME, required=True)
    scopes = fields.List(fields.Enum(Scope, by_value=True), required=True, validate=validate.Length(1, len(Scope)))
    expires_at = Moment(allow_none=True)


class AccountChanges(Schema):
    """A merge patch of an account."""

    name = Name()
    role = fields.Enum(Role, by_value=True)
    player_id = Id(allow_none=True)


class EndedSessions(Schema):
    """Which sessions to end: all, or all but the one that asks."""

    others = fields.String(validate=validate.OneOf(["1"]))


class NewInvitation(Schema):
    """Who is invited, and who he is among the players."""

    name = Name(required=True)
    role = fields.Enum(Role, by_value=True, load_default=Role.MEMBER)
    player_id = Id()


class NewLink(Schema):
    """What the link of a match is for."""

    allows = fields.String(required=True, validate=validate.OneOf(["read", "record"]))
    label = Text(LONGEST_NAME)


class SignIn(Schema):
    """The secret of a link that is opened once, and what its opener wants to be called."""

    link = LinkSecret(
        MAX_LINK,
        required=True,
        metadata={"description": "The secret of a link, or the whole address in which it stands."},
    )
    name = Name()


class AuditQuery(Paging):
    """Of whom and of what the audit trail is to tell."""

    account = Id()
    act = fields.Enum(Act, by_value=True)
