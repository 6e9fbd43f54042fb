"""What statistics ask of a match of La Cité de la Lumière: what the seats did, who led when, how it opened."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from domain.game import Feature, FeatureKind, Frame, Seat, Step
from domain.games.cite_lumiere import parts
from domain.games.cite_lumiere.board import NAMES
from domain.games.cite_lumiere.moves import Move, Pave, Postcard, Take
from domain.games.cite_lumiere.parts import words
from domain.games.cite_lumiere.scoring import POINTS_PER_UNBUILT, SeatScore, score, totals
from domain.games.cite_lumiere.setup import Setup
from domain.games.cite_lumiere.state import State
from domain.games.cite_lumiere.texts import sentence

_POSTCARDS: Final = tuple(
    f"postcard:{card}:{deed}"
    for card in parts.CARDS
    for deed in ("taken", "used", "declined")
    if deed != "declined" or card not in parts.RIGHTS
)
_BUILDINGS: Final = tuple(f"building:{building}:{deed}" for building in parts.BUILDINGS for deed in ("taken", "built"))
_AMOUNTS: Final[Mapping[str, Callable[[SeatScore], int]]] = {
    "built_spaces": lambda mine: sum(building.size for building in mine.buildings),
    "lamps": lambda mine: sum(building.lamps.bit_count() for building in mine.buildings),
    "lit": lambda mine: mine.lit,
    "group": lambda mine: mine.group,
    "unbuilt": lambda mine: mine.reserve,
    "free_spaces": lambda mine: mine.free_spaces,
}
_PAVED: Final = ("own_spaces_paved", "mixed_spaces_paved", "lamps_paved")
FEATURE_KINDS: Final[Mapping[str, FeatureKind]] = {
    **dict.fromkeys((*_POSTCARDS, *_BUILDINGS), FeatureKind.DEED),
    **dict.fromkeys((*_AMOUNTS, *_PAVED), FeatureKind.AMOUNT),
}
_SCORING_CARDS: Final = frozenset(
    {"fontaine_des_mers", "jardin_des_plantes", "le_peintre", "le_penseur", "moulin_rouge", "sacre_coeur"}
)
PART_OF_SCORE: Final = frozenset(
    {
        *(name for name in _POSTCARDS if name.split(":")[1] in _SCORING_CARDS and not name.endswith(":declined")),
        *(name for name in _BUILDINGS if name.endswith(":built")),
        *("lit", "group", "unbuilt"),
    }
)
VARIANTS: Final = ("standard",)


def variant(setup: Setup) -> str:
    return VARIANTS[0]


def definitions(language: str = "en") -> Mapping[str, str]:
    return {name: _definition(name, language) for name in (*FEATURE_KINDS, "lead_changes", "opening")}


def _definition(name: str, language: str) -> str:
    kind, _, thing = name.partition(":")
    if not thing:
        return sentence("features", kind, language)
    thing, _, deed = thing.partition(":")
    if kind == "building":
        return sentence("features", f"building_{deed}", language, building=thing)
    is_right = deed == "used" and thing in parts.RIGHTS
    return sentence("features", "postcard_right_used" if is_right else f"postcard_{deed}", language, card=thing)


def features(line: Sequence[Frame]) -> Mapping[str, Mapping[Seat, Feature]]:
    """The features of each seat in a finished match. Those of cards that were not in play are left out."""
    final: State = line[-1].state
    scores = score(final)
    in_play = {f"postcard:{card}" for card in words(final.in_play, parts.CARD_BIT)}
    had: dict[str, dict[Seat, Feature]] = {
        name: {} for name in FEATURE_KINDS if name.rpartition(":")[0] in in_play or not name.startswith("postcard:")
    }
    for frame in line[1:]:
        assert frame.seat is not None
        match frame.move:
            case Take(building):
                had[f"building:{building}:taken"][frame.seat] = Feature(1)
            case Postcard(card):
                points = _points_of_card(scores[frame.seat], card)
                for deed in _deeds(final, scores[frame.seat], frame.seat, frame.move):
                    had[f"postcard:{card}:{deed}"][frame.seat] = Feature(1, points)
    for me, seat in enumerate(parts.SEATS):
        for built in scores[seat].buildings:
            if built.piece in parts.BUILDINGS:
                had[f"building:{built.piece}:built"][seat] = Feature(1, built.points)
        for name, amount in _AMOUNTS.items():
            had[name][seat] = Feature(amount(scores[seat]))
        # All tiles of a seat lie on the board at the end, so printed spaces are counted from the edition.
        faces = [final.edition.faces[tile, 0] for tile in parts.TILES_OF[me]]
        for name, layer in zip(_PAVED, (me, parts.MIXED, parts.LAMPS), strict=True):
            had[name][seat] = Feature(sum(face[layer].bit_count() for face in faces))
    return had


def _deeds(final: State, mine: SeatScore, seat: Seat, move: Postcard) -> Sequence[str]:
    """`taken`, and `used` or `declined`. A right counts as used only once it has been exercised."""
    if move.card not in parts.RIGHTS:
        return "taken", "declined" if type(move) is Postcard else "used"
    is_waiting = final.sides[parts.SEAT_INDEX[seat]].armed & parts.CARD_BIT[move.card]
    was_used = mine.reserve if move.card == "sacre_coeur" else not is_waiting
    return ("taken", "used") if was_used else ("taken",)


def _points_of_card(mine: SeatScore, card: str) -> int | None:
    if card == "sacre_coeur":
        return POINTS_PER_UNBUILT * mine.reserve
    if card == "jardin_des_plantes":
        return sum(building.points for building in mine.buildings if building.piece == parts.GARDEN)
    return next((one.points for one in mine.cards if one.card == card), None)


def standings(line: Sequence[Frame]) -> Iterator[Mapping[Seat, int]]:
    """The totals after each ply from the end of paving on; before, nothing has been built."""
    for frame in line:
        if not frame.state.is_paving:
            yield totals(frame.state)


def opening(line: Sequence[Frame], depth: int) -> tuple[Step, ...]:
    """The first moves, with the board turned so that lines that differ by a turn of it are alike.

    Of the four views of a line the least is taken, so that the opening of fewer moves is the beginning of this one.
    """
    seen: list[Move] = []
    for frame in line[1 : depth + 1]:
        if not isinstance(frame.move, Pave | Take):
            break
        seen.append(frame.move)
    first = line[0].state.to_move
    movers = [1 if frame.seat == first else 2 for frame in line[1 : len(seen) + 1]]
    view = min(([_turned(move, turns) for move in seen] for turns in range(4)), key=lambda view: [*map(_order, view)])
    return tuple(Step(mover, move) for mover, move in zip(movers, view, strict=True))


def _turned(move: Move, turns: int) -> Move:
    for _ in range(turns):
        if isinstance(move, Pave):
            row, column = divmod(move.at, 8)
            move = Pave(move.tile, column * 8 + 6 - row, (move.rotation + 90) % 360)
    return move


def _order(move: Move) -> tuple[str, str, int]:
    if isinstance(move, Pave):
        return move.tile, NAMES[move.at], move.rotation
    assert isinstance(move, Take)
    return move.building, "", 0
