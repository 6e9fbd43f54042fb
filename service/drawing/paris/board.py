"""The picture of a board of Paris: one standalone SVG, drawn from a dumped state and move and the edition."""

from collections.abc import Iterator, Mapping
from typing import Any

from domain.game import JsonObject
from service.drawing.paris.city import NAMES, draw_city, sums
from service.drawing.paris.effects import bare
from service.drawing.paris.hands import draw_hands
from service.drawing.paris.layout import (
    ARC,
    CARDS,
    END_TILES,
    HEIGHT,
    MARGIN,
    WIDTH,
    Box,
    bank,
    hand,
    landmark,
    market,
    ribbon,
    space,
    stack,
    track_space,
)
from service.drawing.paris.signs import SYMBOLS
from service.drawing.paris.strokes import label, outline, put, write
from service.drawing.paris.supply import draw_supply, draw_track
from service.drawing.svg import LAMP, NIGHT, PAPER, plain

PHASES = {"main": "", "last_round": "last round", "final_turns": "final turns", "over": ""}


def draw_board(state: JsonObject, last_move: JsonObject | None, *, edition: Mapping[str, Any], title: str) -> str:
    """Draw the table, with the places that the last move touched outlined."""
    sheet = bare(edition)
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
            'font-family="system-ui, sans-serif" text-anchor="middle">',
            f"<title>{plain(title)}</title>",
            f'<desc lang="en">{plain(_description(state, last_move))}</desc>',
            f"<defs>{''.join(SYMBOLS.values())}</defs>",
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{NIGHT}"/>',
            *_draw_heading(state),
            *draw_city(state, sheet),
            *draw_supply(state, sheet),
            *draw_track(state, sheet),
            *draw_hands(state, sheet),
            *_draw_last_move(last_move, state),
            "</svg>",
        )
    )


def _draw_heading(state: JsonObject) -> Iterator[str]:
    """The seat to move, what it has done in this turn, and what it may still do."""
    yield write(f"ply {state['ply']}", WIDTH - MARGIN, 44, 16, fill=PAPER, anchor="end")
    x = float(MARGIN)
    seats = [state["to_move"]] if state["to_move"] else state["result"]["winners"]
    for seat in seats:
        yield put(f"badge-{seat}", x + 20, 38, 40)
        x += 46
    sentence = _whose_turn(state)
    yield write(sentence, x, 47, 27, fill=PAPER, bold=True, anchor="start")
    x += 17.5 * len(sentence) + 14
    for text, lit in _labels(state):
        drawing, x = label(text, x, 44, lit=lit)
        yield drawing


def _whose_turn(state: JsonObject) -> str:
    if state["to_move"]:
        return f"{state['to_move'].title()} to move"
    winners = [seat.title() for seat in state["result"]["winners"]]
    return f"{winners[0]} wins" if len(winners) == 1 else f"{' and '.join(winners)} share the victory"


def _labels(state: JsonObject) -> Iterator[tuple[str, bool]]:
    turn, result = state["turn"], state["result"]
    for ranked in result["ranking"] if result else ():
        yield f"{ranked['place']}. {ranked['seat'].title()} {ranked['points']}", ranked["seat"] in result["winners"]
    if result and result["decided_by"] not in ("points", "shared"):
        yield f"decided by {result['decided_by']}", False
    if PHASES[state["phase"]]:
        yield PHASES[state["phase"]], True
    if state["to_move"]:
        if turn["revealed"] or any(state["stacks"]):
            yield ("building revealed", True) if turn["revealed"] else ("no building revealed", False)
        yield ("action done", True) if turn["acted"] else ("no action yet", False)
    if turn["may_advance"]:
        fee = turn["advance_fee"]
        yield "may advance" + (f" for {fee} francs" if fee else ""), False
    if turn["may_score_tile"]:
        yield "may place a scoring tile", False


def _draw_last_move(move: JsonObject | None, state: JsonObject) -> Iterator[str]:
    places = {} if move is None else _touched(move, state)
    if move is not None and places:
        yield f'<g data-last-move="{move["type"]}" data-places="{" ".join(places)}">'
        for at, box in enumerate(places.values()):
            # The start of a key's move is dashed, so that both ends differ.
            dash = "7 5" if move["type"] == "move_key" and at == 0 else ""
            yield outline(box.inside(-3, -3, -3, -3), NIGHT, 7)
            yield outline(box.inside(-3, -3, -3, -3), LAMP, 4.5, dash)
        yield "</g>"


def _touched(move: JsonObject, state: JsonObject) -> dict[str, Box]:
    """The places that a move has changed, beginning with the one that a key has left."""
    match move["type"]:
        case "reveal" if "discard" in move:
            names = [f"stack:{move['stack']}"]
        case "reveal":
            value = move["tile"].rpartition("-")[2]
            names = [f"{move['district']}-{value}" if "district" in move else move["tile"]]
        case "place_key":
            names = [move["at"]]
        case "move_key":
            names = [move["from"], move["to"]]
            names += [f"landmark-{move['landmark']['tile']}"] if "landmark" in move else []
        case "advance":
            names = [f"track:{move['to']}"]
        case "score_tile":
            names = [f"scoring:{move['district']}"]
        case "trade":
            kind = move.get("buy") or move.get("sell")
            names = [f"hand:{state['to_move']}" if "tile" in move else f"market:{kind}"]
        case "take_end_tile":
            names = ["end_tiles", f"hand:{state['to_move']}"]
        case "activate":
            names = [f"hand:{state['to_move']}"] + ([f"track:{move['to']}"] if "to" in move else [])
        case _:
            names = []
    return {name: _box(name, state) for name in names}


def _box(name: str, state: JsonObject) -> Box:
    """The box of a named place."""
    if name in ("arc", "end_tiles"):
        return {"arc": ARC, "end_tiles": END_TILES}[name]
    part, _, rest = name.partition(":")
    match part:
        case "bank":
            return bank(rest)
        case "scoring":
            return ribbon(rest)
        case "track":
            return track_space(int(rest))
        case "market":
            return market(rest)
        case "stack":
            return stack(int(rest))
        case "hand":
            return hand(rest, state)
    return landmark(name.removeprefix("landmark-"), state) if name.startswith("landmark-") else space(name)


def _description(state: JsonObject, last_move: JsonObject | None) -> str:
    """The table in words."""
    sentences = [f"The table after ply {state['ply']}", _whose_turn(state)]
    sentences += [_of_district(district, state) for district in CARDS]
    if state["arc"]:
        sentences.append(f"On the Arc: {', '.join(state['arc'])}")
    for seat, owned in state["seats"].items():
        tiles = [*map(str, owned["bonus"]), *owned["end_tiles"]]
        sentences.append(
            f"{seat.title()}: {state['score'][seat]['total']} points, {owned['francs']} francs, {owned['keys']} keys, "
            f"space {owned['track']} of the track, tiles: {' '.join(tiles) or 'none'}"
        )
    if last_move is not None:
        places = ", ".join(_touched(last_move, state))
        sentences.append(f"Last move: {last_move['type'].replace('_', ' ')}" + (f" at {places}" if places else ""))
    return ". ".join(sentences) + "."


def _of_district(district: str, state: JsonObject) -> str:
    parts = [f"bank {seat}" for seat in state["banks"][district]]
    for name, tile in state["buildings"].items():
        if name.startswith(f"{district}-"):
            parts.append(f"{name.rpartition('-')[2]} {tile['type']} {' and '.join(tile['keys']) or 'free'}")
    for value, tile in state["landmarks"]["placed"].items():
        if tile["district"] == district:
            parts.append(f"landmark {value} {' and '.join(tile['keys']) or 'free'}")
    if district in state["scoring_tiles"]["placed"]:
        parts.append(f"scores {state['scoring_tiles']['placed'][district]}")
    parts += [f"{seat} {value} in all" for seat, value in sums(district, state).items()]
    return f"{NAMES[district]}: {', '.join(parts) or 'empty'}"
