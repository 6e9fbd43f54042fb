"""`carnet check`: whether the matches of a file can be read and played, without a database."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import click
import orjson

from domain.catalogue import GAMES
from domain.forms import Malformed
from domain.match import LogBroken
from domain.match.document import DocumentError, MatchDocument, check, read_documents
from domain.match.notation import MatchText, TextError, play, read_matches
from service.cli.asking import tell
from service.cli.database import SOMETHING_WRONG, ending_with_a_sentence
from service.identity import new_salt

BLOCK = 2**16


@click.command("check")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, allow_dash=True, exists=True))
@click.option("--json", "as_json", is_flag=True, help="A JSON object for each match.")
def check_files(files: tuple[Path, ...], as_json: bool) -> None:
    """Check the matches in FILES: match texts, or match documents with one a line.

    Every match is read and played by itself, and what is wrong is named with its line. No database is needed, and
    nothing is stored. Ends with 0 if all matches are right, 1 if some are not, and 2 if a file could not be read.
    """
    right = wrong = 0
    with ending_with_a_sentence():
        for path in files:
            for line, name, problem in _matches_of(path):
                right, wrong = right + (problem is None), wrong + (problem is not None)
                if as_json:
                    click.echo(orjson.dumps({"file": str(path), "line": line, "match": name, "problem": problem}))
                elif problem is not None:
                    tell(f"{path}:{line}:{problem.get('column', 1)}: {problem['detail']}")
    if not as_json:
        click.echo(f"{right} of {right + wrong} matches are right.")
    if wrong:
        sys.exit(SOMETHING_WRONG)


def _matches_of(path: Path) -> Iterator[tuple[int, str | None, dict[str, Any] | None]]:
    """The line and id of each match of a file, and what is wrong with it."""
    with click.open_file(str(path), "rb") as file:
        blocks = _blocks(file)
        first = next(blocks, b"")
        if first.lstrip(b"\xef\xbb\xbf \r\n")[:1] == b"{":
            yield from map(_check_document, read_documents(_again(first, blocks), GAMES, orjson.loads))
        else:
            yield from map(_check_text, read_matches(_again(first, blocks), GAMES))


def _blocks(file: IO[bytes]) -> Iterator[bytes]:
    while block := file.read(BLOCK):
        yield block


def _again(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest


def _check_text(read: MatchText | TextError) -> tuple[int, str | None, dict[str, Any] | None]:
    if isinstance(read, TextError):
        return read.line, None, _problem_of(read)
    try:
        ids = [str(index) for index in range(len(read.seats))]
        play(read, read.game.editions, ids, new_salt)
    except TextError as error:
        return error.line, read.info.id, _problem_of(error)
    return read.line_of("carnet"), read.info.id, None


def _problem_of(error: TextError) -> dict[str, Any]:
    refusal = None if error.refusal is None else error.refusal.code
    return {"code": error.code, "column": error.column, "detail": str(error), "refusal": refusal}


def _check_document(read: MatchDocument | DocumentError) -> tuple[int, str | None, dict[str, Any] | None]:
    if isinstance(read, DocumentError):
        return read.line, None, {"code": "malformed", "detail": str(read)}
    try:
        check(read, read.game.editions)
    except (LogBroken, Malformed) as error:
        return 1, read.id, {"code": "log-broken", "detail": f"match {read.id}: {error}"}
    return 1, read.id, None
