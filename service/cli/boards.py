"""Boards and replays in the terminal."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click
import orjson

from service.cli.asking import names_of, open_client, safe, tell, url_option
from service.drawing import TEXT_PICTURES

CLEAR = "\x1b[H\x1b[2J"
_NEXT, _BACK, _FIRST, _LAST, _END = "next", "back", "first", "last", "end"
_KEYS: Mapping[str, str] = {
    **dict.fromkeys(("\x1b[C", "\x1b[B", "\x1bOC", "\x1bOB", "l", "j", " ", "\r"), _NEXT),
    **dict.fromkeys(("\x1b[D", "\x1b[A", "\x1bOD", "\x1bOA", "h", "k", "\x7f"), _BACK),
    **dict.fromkeys(("\x1b[H", "\x1b[1~", "\x1bOH", "g"), _FIRST),
    **dict.fromkeys(("\x1b[F", "\x1b[4~", "\x1bOF", "G"), _LAST),
    **dict.fromkeys(("q", "Q", "\x1b", "\x03", "\x04"), _END),
}


def board_lines(game: str, state: Any) -> Iterator[str]:
    """The board of a state for the terminal; nothing where only the result is known, or the game draws none."""
    if state is not None and game in TEXT_PICTURES:
        yield from TEXT_PICTURES[game](state)


@click.command()
@click.argument("match")
@click.option("--ply", type=click.IntRange(0), default=0, help="Where to begin.")
@click.option("--lang", default="en", show_default=True, help="The language: en, pl, cs or pt.")
@click.option("--json", "as_json", is_flag=True, help="A frame a line, as in the API.")
@url_option
def replay(match: str, ply: int, lang: str, as_json: bool, url: str | None) -> None:
    """Replay MATCH move by move.

    In a terminal the arrow keys go from move to move, Home and End to the first and the last one, and q ends. Otherwise
    each move is told in a line, and the last board is drawn.
    """
    with open_client(url) as client:
        found: Any = client.match(match)
        frames: list[Any] = list(client.replay(match, lang=lang))
    if as_json:
        for frame in frames:
            click.echo(orjson.dumps(frame))
    elif sys.stdin.isatty() and sys.stdout.isatty():
        _walk(found, frames, min(ply, len(frames) - 1))
    else:
        _tell(found, frames)


def _tell(match: Any, frames: Sequence[Any]) -> None:
    for frame in frames:
        tell(f"{frame['ply']:>4}  {frame['text']}")
    for line in ("", *board_lines(match["game"], frames[-1]["state"])):
        click.echo(line)


def _walk(match: Any, frames: Sequence[Any], at: int) -> None:
    """Show a frame after the other as keys are pressed."""
    while True:
        click.echo(CLEAR + "\n".join(screen(match, frames, at)))
        action = _KEYS.get(click.getchar())
        if action == _END:
            return
        steps = {_NEXT: at + 1, _BACK: at - 1, _FIRST: 0, _LAST: len(frames) - 1}
        at = max(0, min(len(frames) - 1, steps.get(action or "", at)))


def screen(match: Any, frames: Sequence[Any], at: int) -> Iterator[str]:
    """What a terminal shows of one frame."""
    frame = frames[at]
    yield click.style(safe(f"  {names_of(match)}"), bold=True)
    yield ""
    yield from board_lines(match["game"], frame["state"])
    yield ""
    yield safe(f"  {at} / {len(frames) - 1}   {frame['text']}")
    yield click.style("  ← →  move   Home End  first, last   q  end", dim=True)
