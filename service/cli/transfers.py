"""`carnet export` and `import`: files of matches, by the routes of the API."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, Final

import click
import orjson

from domain.catalogue import GAMES
from service.cli.asking import open_client, tell, url_option
from service.cli.database import SOMETHING_WRONG, ending_with_a_sentence

FORMS: Final = ("text", "json", "bgsplay", "csv", "html")
ONE_MATCH: Final = ("html",)
"""The forms that hold no more than one match."""
_BY_SUFFIX: Final = {".carnet": "text", ".ndjson": "json", **{f".{form}": form for form in FORMS if form != "text"}}
MAX_PART: Final = 40_000_000
"""Bytes of a request; larger files of matches are sent in parts."""
_WRONG: Final = frozenset({"refused", "forked"})


@click.command("export")
@click.argument("matches", nargs=-1)
@click.option("--format", "form", type=click.Choice(FORMS), help="By default what the name of the file says, or text.")
@click.option("-o", "--output", type=click.Path(path_type=Path, allow_dash=True), default="-", help="The file.")
@click.option("--times", is_flag=True, help="Tell in a text when moves were recorded.")
@click.option("--game", type=click.Choice(list(GAMES)), help="Only matches of this game.")
@click.option("--tag", "tags", multiple=True, help="Only matches with this tag; may be repeated.")
@click.option("--since", help="Only what has changed since the export that told this.")
@url_option
def export_file(
    matches: Sequence[str],
    form: str | None,
    output: Path,
    times: bool,
    since: str | None,
    url: str | None,
    **given: Any,
) -> None:
    """Export MATCHES, or all that there are, as a file.

    `text` is the match text, for people; `json` has everything, a match document a line; `bgsplay` and `csv` have
    results for other programs; `html` is a replay of one match that opens in a browser without a network. What the next
    export takes as --since is told on standard error.
    """
    chosen: Any = form or _BY_SUFFIX.get(output.suffix, "text")
    filters: Any = {"game": given["game"], "tag": list(given["tags"])}
    with open_client(url) as client, ending_with_a_sentence(), click.open_file(str(output), "wb") as file:
        if matches:
            _write(file, _joined((client.export_match(match, chosen, times=times) for match in matches), chosen))
            return
        if chosen in ONE_MATCH:
            raise click.UsageError(f"{chosen} goes with one match.")
        wanted = {name: value for name, value in filters.items() if value}
        cursor, parts = client.export(chosen, changed_since=since, **wanted)
        _write(file, parts)
    if cursor and chosen in ("text", "json"):
        tell(f"Next time: --since {cursor}", err=True)


def _joined(files: Iterable[bytes], form: str) -> Iterator[bytes]:
    """Files of one match each as one: a document a line, and texts one after the other."""
    for index, file in enumerate(files):
        if index and form in ("bgsplay", "csv", *ONE_MATCH):
            among = "" if form in ONE_MATCH else ", or with all that fit the filters"
            raise click.UsageError(f"{form} goes with one match{among}.")
        yield file.rstrip(b"\n") + b"\n" if form == "json" else file


def _write(file: IO[bytes], parts: Iterable[bytes]) -> None:
    for part in parts:
        file.write(part)


@click.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--dry-run", is_flag=True, help="Tell what would come of it, and store nothing.")
@click.option("--extend", is_flag=True, help="Let matches that are here already go on as in the file.")
@click.option("--tz", help="The time zone of the phone, for files of Board Game Stats.")
@click.option("--json", "as_json", is_flag=True, help="A JSON object for each file.")
@url_option
def import_files(files: Sequence[Path], as_json: bool, url: str | None, **given: Any) -> None:
    """Import matches from FILES: match texts and documents, exports of Board Game Stats, plays of BoardGameGeek as XML.

    What is there already is left as it is, so a file can be imported again. Ends with 1 if matches were refused, or
    have gone on apart here and in the file.
    """
    is_wrong = False
    with open_client(url) as client, ending_with_a_sentence():
        for path in files:
            for first, part in _parts(path):
                report: Any = client.import_file(part, **given)
                if report["id"] is not None and len(report["items"]) < sum(report["counts"].values()):
                    report["items"] = list(client.import_items(report["id"]))
                is_wrong = is_wrong or any(report["counts"].get(outcome) for outcome in _WRONG)
                if as_json:
                    click.echo(orjson.dumps({"file": str(path), **report}))
                else:
                    _tell(path, first, report)
    if is_wrong:
        sys.exit(SOMETHING_WRONG)


def _tell(path: Path, first: int, report: Any) -> None:
    for item in report.get("items", ()):
        if item["outcome"] in _WRONG:
            line = "" if item["line"] is None else f":{item['line'] + first}"
            tell(f"{path}{line}: {item['outcome']}: {item['detail'] or item['match_id']}")
    counts = [f"{count} {outcome}" for outcome, count in report["counts"].items() if count]
    click.echo(f"{path}: {', '.join(counts) or 'no matches'}")


def _parts(path: Path) -> Iterator[tuple[int, bytes]]:
    """A file in parts that can be sent, each with the number of lines before it."""
    if path.stat().st_size <= MAX_PART:
        yield 0, path.read_bytes()
        return
    lines: list[bytes] = []
    size = first = 0
    with path.open("rb") as file:
        for line in file:
            if size + len(line) > MAX_PART and (line.startswith(b"carnet ") or line[:1] == b"{"):
                yield first, b"".join(lines)
                first, lines, size = first + len(lines), [], 0
            lines.append(line)
            size += len(line)
    yield first, b"".join(lines)
