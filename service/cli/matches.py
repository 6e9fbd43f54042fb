"""`carnet show`, `log`, `new` and `stats`: matches and statistics in the terminal."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from random import SystemRandom
from typing import Any

import click
import orjson

from domain.catalogue import GAMES
from domain.forms import Malformed
from domain.game import AnyGame
from domain.match import dump_setup
from domain.match.notation import read_setup
from domain.shorthand import ShorthandError
from service.cli.asking import names_of, open_client, tell, url_option
from service.cli.boards import board_lines
from service.client import Client

AS_JSON = click.option("--json", "as_json", is_flag=True, help="JSON as in the API, an object a line.")


@click.command()
@click.argument("match", required=False)
@click.option("--ply", type=click.IntRange(0), help="The board after this ply, by default the last one.")
@click.option("--limit", type=click.IntRange(1, 10_000), default=20, show_default=True, help="How many of a list.")
@AS_JSON
@url_option
def show(match: str | None, ply: int | None, limit: int, as_json: bool, url: str | None) -> None:
    """Show MATCH with its board, or without it the newest matches."""
    with open_client(url) as client:
        if match is None:
            _list_matches(client, limit, as_json=as_json)
            return
        found: Any = client.match(match)
        frame: Any = client.state(match) if ply is None else client.frame(match, ply)
        if as_json:
            click.echo(orjson.dumps({"match": found, "frame": frame}))
            return
        for line in (*_summary(found), "", *board_lines(found["game"], frame["state"]), "", f"  {frame['text']}"):
            tell(line)


def _list_matches(client: Client, limit: int, *, as_json: bool) -> None:
    for number, found in enumerate(client.matches(page=min(limit, 200))):
        if number == limit:
            return
        match: Any = found
        if as_json:
            click.echo(orjson.dumps(match))
        else:
            tell(f"{match['id']}  {_line(match)}")


def _line(match: Mapping[str, Any]) -> str:
    return f"{match['played_at'][:10]}  {match['game']:<13}{_standing(match):<12}  {names_of(match)}"


def _summary(match: Mapping[str, Any]) -> Sequence[str]:
    details = [match["played_at"][:16].replace("T", " "), match["venue"], *match["tags"]]
    return [
        f"{GAMES[match['game']].title}: {names_of(match)}",
        f"{', '.join(filter(None, details))}: {_standing(match)}",
    ]


def _standing(match: Mapping[str, Any]) -> str:
    if match["result"] is None:
        return "abandoned" if match["status"] == "abandoned" else f"move {match['ply']}"
    return " : ".join(str(ranked["points"]) for ranked in match["result"]["ranking"])


@click.command("log")
@click.argument("match")
@AS_JSON
@url_option
def show_log(match: str, as_json: bool, url: str | None) -> None:
    """Tell what was recorded in MATCH, event by event, with what was undone and corrected."""
    with open_client(url) as client:
        for line in client.log(match):
            if as_json:
                click.echo(orjson.dumps(line))
                continue
            click.echo(f"{line['seq']:>5}  {line['recorded_at'][:19].replace('T', ' ')}  {line['kind']}")
            for sign, moves in (("-", line["gone"]), ("+", line["came"])):
                for move in moves:
                    tell(f"       {sign} {move['ply']} {move['seat']}: {move['text'] or ''}".rstrip())


@click.command()
@click.argument("game", type=click.Choice(list(GAMES)))
@click.option("--player", "players", multiple=True, required=True, help="SEAT=NAME, in order of play; repeat it.")
@click.option("--setup", help="The set-up in the words of the match text; drawn by chance where it must be told.")
@click.option("--edition", help="Its id; by default that of the game.")
@click.option("--played-at", help="When, as in RFC 3339; by default now.")
@click.option("--venue", help="Where.")
@click.option("--tag", "tags", multiple=True, help="A tag; may be repeated.")
@AS_JSON
@url_option
def new(game: str, players: Sequence[str], setup: str | None, as_json: bool, url: str | None, **details: Any) -> None:
    """Begin a match of GAME, and print its id.

    Without --url it belongs to nobody until an owner of this Carnet takes it over.
    """
    seated: list[Any] = [_seated(player) for player in players]
    chosen = _setup_of(GAMES[game], [player["seat"] for player in seated], setup)
    given = {name: value for name, value in details.items() if value}
    if "played_at" in given:
        given["played_at"] = _moment(given["played_at"])
    with open_client(url) as client:
        made: Any = client.create_match(game, seated, chosen, **given)
    click.echo(orjson.dumps(made) if as_json else made["id"])


def _seated(player: str) -> dict[str, str]:
    seat, is_named, name = player.partition("=")
    if not is_named or not name:
        raise click.BadParameter(f"{player!r} is not SEAT=NAME", param_hint="--player")
    return {"seat": seat, "name": name}


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise click.BadParameter("must be a time such as 2026-11-14T19:30:00Z", param_hint="--played-at") from None
    return moment if moment.tzinfo else moment.astimezone()


def _setup_of(game: AnyGame, seats: Sequence[str], text: str | None) -> dict[str, Any]:
    """A set-up by its words; without any the plain one of the game, or one that is drawn."""
    try:
        if text is not None:
            return dump_setup(game, read_setup(game, seats, text))
        return dump_setup(game, game.setup.parse({}))
    except ShorthandError as error:
        raise click.BadParameter(str(error), param_hint="--setup") from None
    except Malformed as error:
        if text is not None:
            raise click.BadParameter(str(error), param_hint="--setup") from None
    return dump_setup(game, game.setup.draw(game.editions.default, seats, SystemRandom()))


@click.command()
@click.argument("game", required=False, type=click.Choice(list(GAMES)))
@click.option("--limit", type=click.IntRange(1, 10_000), default=20, show_default=True, help="How many players.")
@AS_JSON
@url_option
def stats(game: str | None, limit: int, as_json: bool, url: str | None) -> None:
    """Tell who won how often, of all games or of GAME, those with most matches first."""
    with open_client(url) as client:
        if as_json and game is not None:
            click.echo(orjson.dumps(client.statistics_of_game(game)))
            return
        filters: Any = {} if game is None else {"game": game}
        if not as_json:
            click.echo(f"{'player':<30}{'matches':>8}{'wins':>8}{'expected':>10}{'points':>8}")
        for number, row in enumerate(client.player_statistics(sort="matches", **filters)):
            if number == limit:
                return
            if as_json:
                click.echo(orjson.dumps(row))
            else:
                tell(_row(row))


def _row(row: Mapping[str, Any]) -> str:
    points = "–" if row["mean_points"] is None else f"{row['mean_points']:.1f}"
    name = row["player"]["name"] or "–"
    return f"{name[:29]:<30}{row['matches']:>8}{row['wins']:>8.1f}{row['expected_wins']:>10.1f}{points:>8}"
