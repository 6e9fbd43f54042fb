"""Accounts, tokens and links as JSON."""

from collections.abc import Mapping
from typing import Any

from flask import request

from service.auth.authentication import current_principal
from service.context import services
from service.db.credentials import Kind
from service.identity import as_text

ALLOWS = {Kind.READING: "read", Kind.RECORDING: "record"}
"""The purpose of each kind of link of a match."""


def account_document(row: Mapping[str, Any]) -> dict[str, Any]:
    """An account."""
    return {
        "id": str(row["account_id"]),
        "name": row["name"],
        "role": row["role"],
        "player_id": _text(row["player_id"]),
        "created_at": as_text(row["created_at"]),
    }


def token_document(row: Mapping[str, Any]) -> dict[str, Any]:
    """A token without its secret."""
    return {
        "id": str(row["secret_id"]),
        "label": row["label"],
        "scopes": row["scopes"],
        "used_at": None if row["used_at"] is None else as_text(row["used_at"]),
        "parent_id": _text(row["parent_id"]),
        **_lifetime(row),
    }


def session_document(row: Mapping[str, Any]) -> dict[str, Any]:
    """A session of a browser; it may be the one that sends the request."""
    return {
        "id": str(row["secret_id"]),
        "label": row["label"],
        "current": row["secret_id"] == current_principal().secret_id,
        "used_at": None if row["used_at"] is None else as_text(row["used_at"]),
        **_lifetime(row),
    }


def invitation_document(row: Mapping[str, Any]) -> dict[str, Any]:
    """An invitation without its secret."""
    return {
        "id": str(row["secret_id"]),
        "name": row["label"],
        "role": row["role"],
        "player_id": _text(row["player_id"]),
        "created_by": _text(row["created_by"]),
        **_lifetime(row),
    }


def link_document(row: Mapping[str, Any]) -> dict[str, Any]:
    """The link of a match without its secret."""
    return {
        "id": str(row["secret_id"]),
        "allows": ALLOWS[Kind(row["kind"])],
        "label": row["label"],
        "created_by": _text(row["created_by"]),
        **_lifetime(row),
    }


def sign_in_document(row: Mapping[str, Any]) -> dict[str, Any]:
    """A sign-in link without its secret."""
    return {"id": str(row["secret_id"]), "created_by": _text(row["created_by"]), **_lifetime(row)}


def shown_secret(secret: str) -> dict[str, Any]:
    """The secret of a token or of a match's link, shown once."""
    return {"secret": secret}


def shown_link(secret: str) -> dict[str, Any]:
    """The secret of a one-time link, shown once, and the page that opens it."""
    address = services().config.address_for(request.scheme, request.host)
    return {"secret": secret, "url": f"{address}/sign-in/{secret}"}


def _lifetime(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "created_at": as_text(row["created_at"]),
        "expires_at": None if row["expires_at"] is None else as_text(row["expires_at"]),
    }


def _text(value: object) -> str | None:
    return None if value is None else str(value)
