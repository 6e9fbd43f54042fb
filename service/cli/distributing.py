"""`carnet distribute`: a database on several servers."""

import os
import sys

import click

from service.cli.database import NOT_DONE, open_services, reach
from service.config import ConfigError, read_config
from service.db import distribution
from service.db.distribution import NotDistributable


@click.command()
@click.option("--run", "is_run", is_flag=True, help="Do it, in one transaction; stop the service first.")
def distribute(is_run: bool) -> None:
    """Print what makes the database a distributed one, by the extension Citus.

    The tables of a match go to several servers by its id, and each server has a copy of players, accounts and editions.
    docs/scaling.md says when that is worth while. Ends with 0, or with 2 if the database does not have the extension.
    """
    with open_services(), reach(read_config(os.environ)) as logins:
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
