"""The command line `carnet`."""

import sys

import click
from click.shell_completion import get_completion_class

from service.cli import accounts, backups, boards, checking, distributing, matches, transfers, verifying
from service.server import run
from service.version import version


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version(), message="%(prog)s %(version)s")
def main() -> None:
    """Carnet records matches of board games that are played at a table.

    All commands end with 0 if they did what they were told, with 1 if they did it and found something wrong, and with 2
    if they could not do it. None but `run` and `restore` makes a database.
    """


@main.command("run")
def run_service() -> None:
    """Run the service until it is stopped.

    Settings are environment variables such as CARNET_PORT and DATABASE_URL.
    """
    sys.exit(run.main())


@main.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print what makes SHELL complete the commands and options of carnet.

    In bash: eval "$(carnet completion bash)".
    """
    made = get_completion_class(shell)
    assert made is not None
    click.echo(made(main, {}, "carnet", "_CARNET_COMPLETE").source())


for command in (
    matches.new,
    matches.show,
    matches.show_log,
    boards.replay,
    matches.stats,
    checking.check_files,
    transfers.export_file,
    transfers.import_files,
    backups.backup,
    backups.restore,
    verifying.verify,
    verifying.make_anchor,
    verifying.rebuild,
    distributing.distribute,
    accounts.token,
    accounts.make_sign_in_link,
    accounts.tell_audit,
):
    main.add_command(command)
