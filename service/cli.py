"""The command line `carnet`."""

import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar
from uuid import UUID

import click
import orjson

from service.anchors import comparing, making
from service.anchors.documents import anchor_document
from service.anchors.signing import read_or_make_key
from service.auth import accounts, tokens
from service.auth.audit import MACHINE, AuditAction, entry_document, entry_line, names_in, note
from service.config import Config, ConfigError, read_config
from service.context import Services
from service.db import audit, distribution
from service.db.accounts import find_by_name
from service.db.checks import DatabaseUnusable, connected, first_line, readable_migration
from service.db.distribution import NotDistributable
from service.db.leader import to_leader
from service.db.migrations import newest_migration
from service.db.pool import Connection, Database, DatabaseAway
from service.db.roles import Logins
from service.http.errors import Problem
from service.identity import is_id, now
from service.matches import integrity
from service.matches.integrity import Finding, RulesOutcome
from service.names import tidy_name
from service.principals import Scope
from service.server import run
from service.server.postgres import ServerUnavailable, find_binaries, has_cluster, reached
from service.stats import rebuilding
from service.version import version

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar

T = TypeVar("T")

NOTHING_WRONG, SOMETHING_WRONG, NOT_DONE = 0, 1, 2
"""Exit codes of checks."""


@click.group()
@click.version_option(version(), message="%(prog)s %(version)s")
def main() -> None:
    """Carnet records matches of board games that are played at a table."""


@main.command("run")
def run_service() -> None:
    """Run the service until it is stopped.

    Settings are environment variables such as CARNET_PORT and DATABASE_URL.
    """
    sys.exit(run.main())


_FILE = click.Path(dir_okay=False, path_type=Path)


@main.command()
@click.option("--rules", is_flag=True, help="Judge all moves by the present rules instead, and note what comes of it.")
@click.option("--anchor", type=_FILE, help="An anchor that was kept outside, to compare the logs with.")
@click.option("--heads", type=_FILE, help="The heads of an anchor that were kept outside, to compare each log with.")
def verify(rules: bool, anchor: Path | None, heads: Path | None) -> None:
    """Check that every match is as it was recorded.

    Checked are the chain of hashes and the edition of each match, the reasons of rulings, and what is stored of its
    last position; events that are wrong are named. The service may run meanwhile. Ends with 0 if nothing is wrong, 1 if
    something is, and 2 if it could not be checked.

    Anchors in the database are heeded too. Whoever owns the database can change these with the logs, but not what you
    keep elsewhere: with --anchor the heads in the database must be those that were signed, with --heads each log must
    have the event that the file names. What was recorded since then is no difference.

    With --rules, to be run when the rules of a game were changed, every match is folded anew. If all moves fit and the
    result is the same it goes on with the present rules; otherwise it is marked until its owner accepts or corrects it.
    """
    if rules and (anchor or heads):
        raise click.UsageError("--rules goes with neither --anchor nor --heads.")
    with _open_services() as services:
        if rules:
            _verify_rules(services, integrity.count(services))
        else:
            _verify_logs(services, anchor, heads)


@main.command("anchor")
@click.option("--heads", type=_FILE, help="Write the heads too, one JSON object a line, for nobody else to read.")
def make_anchor(heads: Path | None) -> None:
    """Sign a digest over the last events of all logs, and print it.

    Keep what is printed where nobody who can change the database can change it; `carnet verify --anchor` compares with
    it. The file of heads lets `carnet verify --heads` name each log that was changed even if the database keeps none of
    its anchors any more; it holds the ids of all matches, private ones too. The service may run meanwhile.

    The key is in CARNET_ANCHOR_KEY, or in the data folder, where it is made when it is first needed.
    """
    with _open_services() as services:
        config = services.config
        if config.anchor_key is None and not config.data.is_dir():  # most likely the folder of another installation
            raise ConfigError(
                f"There is no folder {config.data} for the key; make it, or name a file in CARNET_ANCHOR_KEY."
            )
        key = read_or_make_key(config.anchor_key or config.data / "anchor-key.pem")
        with nullcontext() if heads is None else _private_file(heads) as file:
            made = making.make_anchor(services.database, key, file)
    click.echo(orjson.dumps(anchor_document(made)))


@main.command()
def rebuild() -> None:
    """Make all that statistics know anew from the log.

    The same comes of it whenever it is done; the service may run meanwhile. Ends with 0 if all matches could be read,
    1 if some could not, and 2 if it could not be done.
    """
    with _open_services() as services:
        total = integrity.count(services)
        with _progress(rebuilding.rebuild(services), total) as rebuilt:
            broken = [(match_id, why) for match_id, why in rebuilt if why is not None]
    for match_id, why in broken:
        click.echo(f"Match {match_id}: {why}")
    if broken:
        click.echo(f"{len(broken)} of {total} matches cannot be read.")
        sys.exit(SOMETHING_WRONG)
    click.echo(f"Statistics know all {total} matches.")


@main.command()
@click.option("--run", "is_run", is_flag=True, help="Do it, in one transaction; stop the service first.")
def distribute(is_run: bool) -> None:
    """Print what makes the database a distributed one, by the extension Citus.

    The tables of a match go to several servers by its id, and each server has a copy of players, accounts and editions.
    docs/scaling.md says when that is worth while. Ends with 0, or with 2 if the database does not have the extension.
    """
    with _open_services(), reach(read_config(os.environ)) as logins:
        try:
            done = distribution.distribute(logins.owner) if is_run else distribution.read_plan(logins.owner)
        except NotDistributable as error:
            raise ConfigError(str(error)) from error
    if not is_run:
        for statement in ["BEGIN", *done.statements, "COMMIT"] if done.statements else []:
            click.echo(f"{statement};")
    if not done.has_citus:
        click.echo(distribution.NO_CITUS, err=True)
        sys.exit(NOT_DONE)
    count = len(done.statements)
    click.echo(f"{count} statements were run." if is_run else f"{count} statements are left to run.", err=True)


@main.group()
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
    with _open_services() as services, services.database.transaction() as connection:
        owner = accounts.first_owner(connection)
        if owner is None:
            raise ConfigError("Nobody owns this Carnet yet; open the link that `carnet run` gives out.")
        made = tokens.create_token(connection, owner, wanted, label, expires_at)
        note(connection, AuditAction.TOKEN_MADE, MACHINE, made.row["secret_id"], details={"scopes": made.row["scopes"]})
    click.echo(made.text)


@main.command("sign-in-link")
@click.argument("account")
def make_sign_in_link(account: str) -> None:
    """Print a link that signs a browser in as ACCOUNT, a name or an id, once and within 15 minutes.

    For an owner whose browsers have all lost their sessions. The service may run meanwhile.
    """
    with _open_services() as services, services.database.transaction() as connection:
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


@main.command("audit")
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
    with _open_services() as services, services.database.transaction() as connection:
        rows = audit.listing(account, act, None).page(connection, limit)
        is_plain = sys.stdout.isatty() if as_json is None else not as_json
        names = names_in(connection, rows) if is_plain else {}
    for row in rows:
        click.echo(entry_line(row, names) if is_plain else orjson.dumps(entry_document(row)))


def _private_file(path: Path) -> BinaryIO:
    """Open a file that only this user can read, replacing an existing one."""
    try:
        path.unlink(missing_ok=True)
        return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}.") from error


def _verify_logs(services: Services, anchor: Path | None, heads: Path | None) -> None:
    anchored = None if anchor is None else comparing.read_anchor(anchor)
    is_signed = anchored is None or heads is None or making.root_over(comparing.read_heads_file(heads)) == anchored.root
    if not is_signed:
        raise ConfigError(f"{heads} holds other heads than those of {anchor}.")
    total = integrity.count(services)
    faults: dict[UUID, dict[str, None]] = {}  # in order and without duplicates
    with _progress(integrity.verify(services), total) as findings:
        _gather(faults, findings)
    if heads is not None:
        deviations = comparing.compare(services.database, comparing.read_heads_file(heads))
        _gather(faults, map(integrity.finding_of, deviations))
    for match_id, messages in faults.items():
        for fault in messages:
            click.echo(f"Match {match_id}: {fault}")
    is_kept = (
        anchored is None or making.root_over(making.read_heads(services.database, anchored.number)) == anchored.root
    )
    if anchored is not None and not is_kept:
        click.echo(
            f"The heads that the database keeps are not those of anchor {anchored.number}; compare with --heads."
        )
    if faults:
        click.echo(f"{len(faults)} of {total} matches are not as they were recorded.")
    if faults or not is_kept:
        sys.exit(SOMETHING_WRONG)
    click.echo(f"All {total} matches are as they were recorded.")


def _gather(faults: dict[UUID, dict[str, None]], findings: Iterable[Finding]) -> None:
    for finding in findings:
        for fault in finding.faults:
            faults.setdefault(finding.match_id, {})[str(fault)] = None


def _verify_rules(services: Services, total: int) -> None:
    outcomes: Counter[RulesOutcome | None] = Counter()
    wrong = []
    with _progress(integrity.rejudge_all(services), total) as judged:
        for judgement in judged:
            outcomes[judgement.outcome] += 1
            if judgement.outcome in {RulesOutcome.CONFLICT, None}:
                wrong.append(judgement)
    for judgement in wrong:
        click.echo(f"Match {judgement.match_id}: {judgement.description}")
    same, advanced, conflicts = (outcomes[outcome] for outcome in RulesOutcome)
    click.echo(
        f"{same + advanced} of {total} matches fit the present rules, {advanced} of them since now; "
        f"{conflicts} are in conflict with them, {outcomes[None]} cannot be read."
    )
    if wrong:
        sys.exit(SOMETHING_WRONG)


def _progress(matches: Iterable[T], total: int) -> "ProgressBar[T]":
    """A progress bar on a terminal, otherwise nothing."""
    is_hidden = not sys.stderr.isatty()
    return click.progressbar(matches, length=total, label="matches", file=sys.stderr, hidden=is_hidden)


@contextmanager
def _open_services() -> Iterator[Services]:
    """The services for a command, on the database of the service."""
    try:
        config = read_config(os.environ)
        if config.database_url is None and not has_cluster(config.data / "postgres"):
            raise ConfigError(f"There is no Carnet in {config.data}.")
        with reach(config) as logins:
            dsn = logins.service
            _require_up_to_date(dsn)
            database = Database(dsn, has_limits=False)
            database.open()
            try:
                services = Services.on(config, database)
                try:
                    yield services
                finally:
                    services.close()
            finally:
                database.close()
    except (ConfigError, ServerUnavailable, DatabaseUnusable, Problem) as error:
        click.echo(error, err=True)
        sys.exit(NOT_DONE)
    except DatabaseAway as error:
        click.echo(f"The database does not answer: {first_line(error)}.", err=True)
        sys.exit(NOT_DONE)


def _require_up_to_date(dsn: str) -> None:
    """Require a database that the service has migrated; raise `ConfigError`, `DatabaseUnusable`."""
    with connected(dsn, "DATABASE_URL") as connection:
        migration = readable_migration(connection)
    if migration is None:
        raise ConfigError("There is no Carnet in the database, or none that this role may read; run the service once.")
    if migration != newest_migration():
        raise ConfigError("The database is of an older version of Carnet; run the service once.")


@contextmanager
def reach(config: Config) -> Iterator[Logins]:
    """Connect to the database of the service; start the embedded one if it does not run."""
    if config.database_url is not None:
        service = to_leader(config.database_url)
        yield Logins(service, to_leader(config.database_owner_url or service))
        return
    with reached(config.data / "postgres", find_binaries(os.environ)) as logins:
        yield logins
