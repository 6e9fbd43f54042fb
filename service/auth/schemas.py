"""Schemas of requests about accounts, tokens and links."""

from collections.abc import Mapping
from typing import Any

from marshmallow import Schema, fields, validate

from service.auth.audit import AuditAction
from service.http.fields import MAX_NAME, Id, Moment, Name, Paging, Text
from service.principals import Role, Scope

MAX_LINK = 512
"""Room for an address with the longest possible host name, and a secret of 50 characters."""


class LinkSecret(Text):
    """The secret of a link; an address is reduced to it."""

    def deserialize(
        self, value: Any, attr: str | None = None, data: Mapping[str, Any] | None = None, **kwargs: Any
    ) -> Any:
        """Extract the secret from an address whose length was checked."""
        text = super().deserialize(value, attr, data, **kwargs)
        return text.strip().rpartition("/sign-in/")[2].rstrip("/") if isinstance(text, str) else text


class NewToken(Schema):
    """A token for a program."""

    label = Text(MAX_NAME, required=True)
    scopes = fields.List(fields.Enum(Scope, by_value=True), required=True, validate=validate.Length(1, len(Scope)))
    expires_at = Moment(allow_none=True)


class AccountChanges(Schema):
    """A merge patch of an account."""

    name = Name()
    role = fields.Enum(Role, by_value=True)
    player_id = Id(allow_none=True)


class EndedSessions(Schema):
    """Which sessions to end: all, or all but the current one."""

    others = fields.String(validate=validate.OneOf(["1"]))


class NewInvitation(Schema):
    """The name and role of the invited person, and which player they are."""

    name = Name(required=True)
    role = fields.Enum(Role, by_value=True, load_default=Role.MEMBER)
    player_id = Id()


class NewLink(Schema):
    """The purpose of a link of a match."""

    allows = fields.String(required=True, validate=validate.OneOf(["read", "record"]))
    label = Text(MAX_NAME)


class SignIn(Schema):
    """The secret of a one-time link, and the name that its opener wants."""

    link = LinkSecret(
        MAX_LINK,
        required=True,
        metadata={"description": "The secret of a link, or the whole address in which it stands."},
    )
    name = Name()


class AuditQuery(Paging):
    """Filters of the audit trail."""

    account = Id()
    act = fields.Enum(AuditAction, by_value=True)
