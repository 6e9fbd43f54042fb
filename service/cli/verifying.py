"""`carnet verify`, `anchor` and `rebuild`: whether all is as it was recorded."""

import os
import sys
from collections import Counter
from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import BinaryIO, Final
from uuid import UUID

import click
import orjson

from service.anchors import comparing, making
from service.anchors.documents import anchor_document
from service.anchors.signing import read_or_make_key
from service.cli.database import SOMETHING_WRONG, open_services, progress_bar
from service.config import ConfigError
from service.context import Services
from service.matches import integrity
from service.matches.integrity import Finding, RulesOutcome
from service.matches.verification import verify_all
from service.stats import rebuilding

MANY_MATCHES: Final = 2000
"""Matches from which on several processes verify them."""
MAX_USUAL_JOBS: Final = 8
"""Each takes a connection of the database, which the service shares."""
_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.option("--rules", is_flag=True, help="Judge all moves by the present rules instead, and note what comes of it.")
@click.option("--anchor", type=_FILE, help="An anchor that was kept outside, to compare the logs with.")
@click.option("--heads", type=_FILE, help="The heads of an anchor that were kept outside, to compare each log with.")
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    help="How many processes verify; for many matches as many as processors, at most 8.",
)
def verify(rules: bool, anchor: Path | None, heads: Path | None, jobs: int | None) -> None:
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
    if rules and jobs is not None:
        raise click.UsageError("--rules goes without --jobs.")
    with open_services() as services:
        if rules:
            _verify_rules(services, integrity.count(services))
        else:
            _verify_logs(services, anchor, heads, jobs)


@click.command("anchor")
@click.option("--heads", type=_FILE, help="Write the heads too, one JSON object a line, for nobody else to read.")
def make_anchor(heads: Path | None) -> None:
    """Sign a digest over the last events of all logs, and print it.

    Keep what is printed where nobody who can change the database can change it; `carnet verify --anchor` compares with
    it. The file of heads lets `carnet verify --heads` name each log that was changed even if the database keeps none of
    its anchors any more; it holds the ids of all matches, private ones too. The service may run meanwhile.

    The key is in CARNET_ANCHOR_KEY, or in the data folder, where it is made when it is first needed.
    """
    with open_services() as services:
        config = services.config
        if config.anchor_key is None and not config.data.is_dir():  # most likely the folder of another installation
            raise ConfigError(
                f"There is no folder {config.data} for the key; make it, or name a file in CARNET_ANCHOR_KEY."
            )
        key = read_or_make_key(config.anchor_key or config.data / "anchor-key.pem")
        with nullcontext() if heads is None else _private_file(heads) as file:
            made = making.make_anchor(services.database, key, file)
    click.echo(orjson.dumps(anchor_document(made)))


@click.command()
def rebuild() -> None:
    """Make all that statistics know anew from the log.

    The same comes of it whenever it is done; the service may run meanwhile. Ends with 0 if all matches could be read,
    1 if some could not, and 2 if it could not be done.
    """
    with open_services() as services:
        total = integrity.count(services)
        with progress_bar(rebuilding.rebuild(services), total) as rebuilt:
            broken = [(match_id, why) for match_id, why in rebuilt if why is not None]
    for match_id, why in broken:
        click.echo(f"Match {match_id}: {why}")
    if broken:
        click.echo(f"{len(broken)} of {total} matches cannot be read.")
        sys.exit(SOMETHING_WRONG)
    click.echo(f"Statistics know all {total} matches.")


def _private_file(path: Path) -> BinaryIO:
    """Open a file that only this user can read, replacing an existing one."""
    try:
        path.unlink(missing_ok=True)
        return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}.") from error


def _verify_logs(services: Services, anchor: Path | None, heads: Path | None, jobs: int | None) -> None:
    anchored = None if anchor is None else comparing.read_anchor(anchor)
    is_signed = anchored is None or heads is None or making.root_over(comparing.read_heads_file(heads)) == anchored.root
    if not is_signed:
        raise ConfigError(f"{heads} holds other heads than those of {anchor}.")
    total = integrity.count(services)
    faults: dict[UUID, dict[str, None]] = {}  # in order and without duplicates
    with progress_bar(verify_all(services, jobs or _usual_jobs(total)), total) as findings:
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


def _usual_jobs(total: int) -> int:
    """A process takes a second to begin, in which another one verifies hundreds of matches."""
    return 1 if total < MANY_MATCHES else min(os.cpu_count() or 1, MAX_USUAL_JOBS)


def _gather(faults: dict[UUID, dict[str, None]], findings: Iterable[Finding]) -> None:
    for finding in findings:
        for fault in finding.faults:
            faults.setdefault(finding.match_id, {})[str(fault)] = None


def _verify_rules(services: Services, total: int) -> None:
    outcomes: Counter[RulesOutcome | None] = Counter()
    wrong = []
    with progress_bar(integrity.rejudge_all(services), total) as judged:
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
