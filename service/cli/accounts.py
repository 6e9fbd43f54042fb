"""`carnet token`, `sign-in-link` and `audit`: who may do what, and who did."""

import sys
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import click
import orjson

from service.auth import accounts, tokens
from service.auth.audit import MACHINE, AuditAction, entry_document, entry_line, names_in, note
from service.cli.database import open_services
from service.config import ConfigError
from service.db import audit
from service.db.accounts import find_by_name
from service.db.pool import Connection
from service.identity import is_id, now
from service.names import tidy_name
from service.principals import Scope


@click.group()
def token() -> None:
    """Tokens, by which programs ask."""


@token.command("create")
@click.option("--scopes", required=True, help="What it is good for, with commas: read, record, annotate, manage.")
@click.option("--label", default="command line", show_default=True, help="By which to know it again.")
@click.option("--days", type=click.IntRange(1, 3650), help="How long it lasts; without end unless told.")
def create_token(scopes: str, label: str, days: int | None) -> None:
    """Make a token of the owner's and print it, this once.

    The service may run meanwhile. There must be an owner: open the link that the first `carnet run` gives out.
    """
    try:
        wanted = [Scope(scope.strip()) for scope in scopes.split(",")]
    except ValueError:
        raise click.BadParameter(f"scopes are {', '.join(Scope)}", param_hint="--scopes") from None
    expires_at = None if days is None else now() + timedelta(days=days)
    with open_services() as services, services.database.transaction() as connection:
        owner = accounts.first_owner(connection)
        if owner is None:
            raise ConfigError("Nobody owns this Carnet yet; open the link that `carnet run` gives out.")
        made = tokens.create_token(connection, owner, wanted, label, expires_at)
        note(connection, AuditAction.TOKEN_MADE, MACHINE, made.row["secret_id"], details={"scopes": made.row["scopes"]})
    click.echo(made.text)


@click.command("sign-in-link")
@click.argument("account")
def make_sign_in_link(account: str) -> None:
    """Print a link that signs a browser in as ACCOUNT, a name or an id, once and within 15 minutes.

    For an owner whose browsers have all lost their sessions. The service may run meanwhile.
    """
    with open_services() as services, services.database.transaction() as connection:
        row = _account(connection, account)
        made = accounts.sign_in_link(connection, row["account_id"], replace(MACHINE, scopes=frozenset(Scope)))
        address = services.config.address
    click.echo(f"{address}/sign-in/{made.text}")


def _account(connection: Connection, wanted: str) -> Mapping[str, Any]:
    """Look up an account by name or id; raise `ConfigError`."""
    if is_id(wanted):
        return accounts.require_account(connection, UUID(wanted))
    rows = find_by_name(connection, tidy_name(wanted))
    if not rows:
        raise ConfigError(f"There is no account of the name {wanted!r}.")
    if len(rows) > 1:
        ids = ", ".join(str(row["account_id"]) for row in rows)
        raise ConfigError(f"More than one account has the name {wanted!r}; choose by its id: {ids}.")
    return rows[0]


@click.command("audit")
@click.option("--account", type=click.UUID, help="What this account did, and what was done to it.")
@click.option("--act", type=click.Choice([str(act) for act in AuditAction]), help="Only acts of this kind.")
@click.option("--limit", type=click.IntRange(1, 10_000), default=100, show_default=True, help="How many at most.")
@click.option("--json/--plain", "as_json", default=None, help="The form; plain on a terminal, else JSON.")
def tell_audit(account: UUID | None, act: str | None, limit: int, as_json: bool | None) -> None:
    """Tell who signed in, and who gave or took which right, newest first.

    In the plain form a line has the time, the act, the account that acted ("-" for the machine itself and for links
    that were refused) and what the act is about, with names where there are any. As JSON it is what GET /api/v1/audit
    has of an entry, and holds ids alone. The service may run meanwhile.
    """
    with open_services() as services, services.database.transaction() as connection:
        rows = audit.listing(account, act, None).page(connection, limit)
        is_plain = sys.stdout.isatty() if as_json is None else not as_json
        names = names_in(connection, rows) if is_plain else {}
    for row in rows:
        click.echo(entry_line(row, names) if is_plain else orjson.dumps(entry_document(row)))
