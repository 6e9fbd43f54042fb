"""The parts of La Cité de la Lumière by their names, and the bits that stand for them in sets."""

from typing import Final, TypeAlias

ORANGE: Final = "orange"
BLUE: Final = "blue"
SEATS = (ORANGE, BLUE)

TILES = tuple(f"{colour}{number}" for colour in "BO" for number in range(1, 9))
BUILDINGS = ("I3", "L4", "L6", "O4", "P5", "S4", "T4", "T5", "U6", "V3", "W5", "X5")
GARDEN: Final = "garden"
OWNABLE = (*BUILDINGS, GARDEN)
"""What counts as a building once it stands."""

CARDS = (
    "bouquinistes",
    "chartier",
    "fontaine_des_mers",
    "jardin_des_plantes",
    "la_grande_lumiere",
    "lampadaire",
    "le_peintre",
    "le_penseur",
    "levitation",
    "metropolitain",
    "moulin_rouge",
    "sacre_coeur",
)
CARDS_IN_PLAY = 8
RIGHTS = frozenset({"metropolitain", "chartier", "sacre_coeur"})
"""Cards whose taking is the effect, so that there is nothing to decline."""
PIECE_OF_CARD = {
    "bouquinistes": "annex",
    "fontaine_des_mers": "fountain",
    "jardin_des_plantes": GARDEN,
    "la_grande_lumiere": "grand_lamp",
    "lampadaire": "lamp",
    "le_peintre": "painter",
    "le_penseur": "statue",
    "moulin_rouge": "dancer",
}
ROTATIONS = (0, 90, 180, 270)
FACINGS = {"n": (0, -1), "e": (1, 0), "s": (0, 1), "w": (-1, 0)}
"""Columns to the right and rows down, by the sides that a statue can face."""

MIXED: Final = 2
LAMPS: Final = 3
"""Layers of the ground; those of the seats stand at their indices."""

SeatIndex: TypeAlias = int
SEAT_INDEX: Final = {seat: index for index, seat in enumerate(SEATS)}

TILES_OF: Final = tuple({tile: 1 << int(tile[1]) - 1 for tile in TILES if tile[0] == colour} for colour in "OB")
"""The tiles of each seat with their bits, by the index of the seat."""
BUILDING_BIT: Final = {building: 1 << index for index, building in enumerate(OWNABLE)}
SUPPLY_BIT: Final = {building: BUILDING_BIT[building] for building in BUILDINGS}
CARD_BIT: Final = {card: 1 << index for index, card in enumerate(CARDS)}
ALL_TILES: Final = 0xFF
ALL_BUILDINGS: Final = sum(SUPPLY_BIT.values())
"""The twelve of the supply, without the garden."""

METROPOLITAIN: Final = CARD_BIT["metropolitain"]
CHARTIER: Final = CARD_BIT["chartier"]
SACRE_COEUR: Final = CARD_BIT["sacre_coeur"]
BUILDING_RIGHTS: Final = METROPOLITAIN | CHARTIER
"""The rights that widen where a building may lie."""
RIGHTS_FOR: Final = {
    "fontaine_des_mers": CHARTIER,
    "jardin_des_plantes": BUILDING_RIGHTS,
    "levitation": BUILDING_RIGHTS,
}
"""The rights that widen where the piece of a card may lie."""


def words(members: int, bit_of: dict[str, int]) -> list[str]:
    """The words of a set of bits, in the order of their bits."""
    return [word for word, bit in bit_of.items() if bit & members]
