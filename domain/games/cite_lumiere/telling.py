"""What La Cité de la Lumière says: a sentence for each move and for each reason for points."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import partial

from domain.game import NO_GAIN, Gain, GainItem, ScoreItem, Seat
from domain.games.cite_lumiere import parts
from domain.games.cite_lumiere.board import NAMES, Spaces, names
from domain.games.cite_lumiere.moves import AddAnnex, Build, Levitate, Move, Pass, Pave, Place, PlaceStatue, Take
from domain.games.cite_lumiere.parts import words
from domain.games.cite_lumiere.placing import rights_used
from domain.games.cite_lumiere.postcards import annexed
from domain.games.cite_lumiere.reasons import stored_refusal
from domain.games.cite_lumiere.rules import apply
from domain.games.cite_lumiere.scoring import SeatScore, score, seat_score
from domain.games.cite_lumiere.state import State
from domain.games.cite_lumiere.texts import LANGUAGES, phrase, sentence
from domain.sentences import Count, signed

__all__ = ["LANGUAGES", "describe", "explain", "gains", "stored_refusal"]


def describe(state: State, seat: Seat, move: Move, language: str = "en") -> str:
    match move:
        case Pave(tile, at, rotation):
            key = "pave_turned" if rotation else "pave"
            return sentence("moves", key, language, seat=seat, tile=tile, space=NAMES[at], rotation=rotation)
        case Take(building):
            return sentence("moves", "take", language, seat=seat, building=building)
        case Pass():
            return sentence("moves", "pass", language, seat=seat)
        case Build(building, cells):
            return _placement("build", state, seat, cells, parts.BUILDING_RIGHTS, language, building=building)
        case Levitate(card, give, take, cells):
            return _placement(card, state, seat, cells, parts.RIGHTS_FOR[card], language, give=give, take=take)
        case PlaceStatue(card, cells, facing):
            return _placement(card, state, seat, cells, 0, language, facing=facing)
        case AddAnnex(card, cells):
            joined = annexed(state, parts.SEAT_INDEX[seat], move)
            return _placement(card, state, seat, cells, 0, language, building=joined)
        case Place(card, cells):
            return _placement(card, state, seat, cells, parts.RIGHTS_FOR.get(card, 0), language)
    key = move.card if move.card in parts.RIGHTS else "declined"
    return sentence("moves", key, language, seat=seat, card=move.card)


def _placement(
    key: str, state: State, seat: Seat, cells: Spaces, usable: int, language: str, **values: str | None
) -> str:
    """A sentence that names the spaces, and the armed cards whose rights are used."""
    me, spaces = parts.SEAT_INDEX[seat], names(cells)
    rights = words(rights_used(state.ground, me, cells) & state.sides[me].armed & usable, parts.CARD_BIT)
    if rights:
        key = f"{key}_with_rights"
    return sentence("moves", key, language, seat=seat, spaces=spaces, space=spaces[0], rights=rights, **values)


def explain(state: State, language: str = "en") -> dict[Seat, tuple[ScoreItem, ...]]:
    return {seat: tuple(_items(state, seat, mine, language)) for seat, mine in score(state).items()}


def _items(state: State, seat: Seat, mine: SeatScore, language: str) -> Iterator[ScoreItem]:
    item = partial(_item, language)
    for one in mine.buildings:
        size, lamps = Count(one.size, "space"), names(one.lamps)
        values = {"building": one.piece, "size": size, "lamps": lamps}
        yield item("lit", one.points, "lit" if lamps else "dark", [one.piece], one.cells, one.lamps, **values)
    if mine.largest_group:
        pieces = [one.piece for one in mine.largest_group]
        cells = sum(one.cells for one in mine.largest_group)
        yield item("group", mine.group, "group", pieces, cells, buildings=pieces)
    if mine.reserve:
        unbuilt = words(state.sides[parts.SEAT_INDEX[seat]].reserve, parts.BUILDING_BIT)
        yield item("unbuilt", mine.unbuilt, "spared" if mine.spared else "unbuilt", unbuilt, buildings=unbuilt)
    for card, piece, points, sources in mine.cards:
        key = card if sources else f"{card}_nothing"
        yield item("postcards", points, key, [piece.name], piece.cells, sources, spaces=names(sources))


def _item(
    language: str,
    category: str,
    points: int,
    key: str,
    pieces: Sequence[str],
    cells: Spaces = 0,
    sources: Spaces = 0,
    **values: object,
) -> ScoreItem:
    text = sentence("score", key, language, points=Count(abs(points), "point"), **values)
    return ScoreItem(category, points, tuple(pieces), tuple(names(cells)), tuple(names(sources)), text)


# What a move would give


def gains(state: State, moves: Iterable[Move], language: str = "en") -> Iterator[Gain]:
    seat = state.to_move
    assert seat is not None
    before, known = seat_score(state, seat), dict[Hashable, Gain]()
    for move in moves:
        outcome = _outcome(state, seat, move)
        if outcome not in known:
            known[outcome] = _gain(before, seat_score(apply(state, seat, move), seat), language)
        yield known[outcome]


def _outcome(state: State, seat: Seat, move: Move) -> Hashable:
    """What of a move decides about points: moves that have it in common give the same."""
    match move:
        case Pave() if not state.pieces:
            return Pave  # the ground alone gives nothing
        case Take():
            return Take
        case Levitate(card, _, take, cells):
            return card, take, cells
        case AddAnnex(card, cells):
            return card, cells, annexed(state, parts.SEAT_INDEX[seat], move)
    return move


def _gain(before: SeatScore, after: SeatScore, language: str) -> Gain:
    if before.total == after.total and before.buildings == after.buildings and before.cards == after.cards:
        return NO_GAIN
    items = tuple(_gain_items(before, after, language))
    return Gain(sum(item.points for item in items), items)


def _gain_items(before: SeatScore, after: SeatScore, language: str) -> Iterator[GainItem]:
    if lit := after.lit - before.lit:
        new = [building for building in after.buildings if building not in before.buildings]
        if len(new) == 1 and new[0].points == lit:
            lamps = Count(new[0].lamps.bit_count(), "lamp")
            yield GainItem("lit", lit, phrase("gains", "lit_new", language, lamps=lamps, size=new[0].size))
        else:
            yield _gain_item("lit", lit, language)
    changes = {"group": after.group - before.group, "unbuilt": after.unbuilt - before.unbuilt}
    changes["postcards"] = after.postcards - before.postcards
    for category, points in changes.items():
        if points:
            yield _gain_item(category, points, language)


def _gain_item(category: str, points: int, language: str) -> GainItem:
    return GainItem(category, points, phrase("gains", category, language, points=signed(points)))
