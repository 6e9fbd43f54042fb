"""The parts of Paris that every box has, with their names: districts, places, tiles and kinds of token.

Places and tiles are numbers in the engine, so that sets of them are bits and tables are tuples; their names are for
the outside.
"""

from collections.abc import Iterable
from operator import add, sub
from typing import Final, TypeAlias

Place: TypeAlias = int
"""An index in `PLACES`: a building space, a landmark, a bank or the Arc."""
Space: TypeAlias = int
"""An index in `SPACES`, which is a place too, or the building tile that belongs there."""
Tile: TypeAlias = int
"""An index in `TILE_NAMES`: a bonus tile or an end tile."""
District: TypeAlias = int
TokenKind: TypeAlias = int
SeatIndex: TypeAlias = int
"""The place of a seat in turn order, from 0."""

SEATS: Final = ("red", "blue", "green", "yellow")

DISTRICTS: Final = ("belleville", "batignolles", "la_villette", "montmartre", "saint_germain", "chaillot")
DISTRICT_INDEX: Final = {district: index for index, district in enumerate(DISTRICTS)}
VALUES: Final = (1, 2, 3, 4, 5, 8)
TYPES: Final = ("cafe", "bakery", "residence", "restaurant", "hotel", "theatre")
LANDMARKS: Final = range(9, 17)
LANDMARK: Final = "landmark"
"""What all landmarks together count as where types of building are counted."""

SPACES: Final = tuple(f"{district}-{value}" for district in DISTRICTS for value in VALUES)
"""The building spaces; a building tile is named after the space that it belongs to."""
SPACE_INDEX: Final = {space: index for index, space in enumerate(SPACES)}
PLACES: Final = (
    *SPACES,
    *(f"{LANDMARK}-{value}" for value in LANDMARKS),
    *(f"bank:{district}" for district in DISTRICTS),
    "arc",
)
"""Where a key can be."""
PLACE_INDEX: Final = {place: index for index, place in enumerate(PLACES)}
FIRST_LANDMARK: Final = len(SPACES)
FIRST_BANK: Final = FIRST_LANDMARK + len(LANDMARKS)
ARC: Final = FIRST_BANK + len(DISTRICTS)
PROPERTIES: Final = range(FIRST_BANK)
"""The places that somebody can own: buildings and landmarks."""
PLACE_VALUE: Final[tuple[int, ...]] = (*(VALUES * len(DISTRICTS)), *LANDMARKS, *(0,) * 7)

KINDS: Final = ("wood", "marble", "gold", "bronze", "silver", "gilt")
"""The kinds of token, resources first."""
KIND_INDEX: Final = {kind: index for index, kind in enumerate(KINDS)}
GOLD: Final = KIND_INDEX["gold"]
RESOURCES: Final = range(3)
PRESTIGE: Final = range(3, 6)
TOKENS_OF_A_KIND: Final = 6
PRESTIGE_PER_LANDMARK: Final = 3

TRACK: Final = range(1, 31)
"""The spaces of the bonus track, and the numbers of the bonus tiles."""
END_TILES: Final = tuple(f"e{number:02}" for number in range(1, 13))
FIRST_END_TILE: Final = TRACK.stop
END_TILE_INDEX: Final = {tile: FIRST_END_TILE + index for index, tile in enumerate(END_TILES)}
TILE_NAMES: Final = (*map(str, range(TRACK.stop)), *END_TILES)
"""The names of bonus tiles and end tiles by index; a bonus tile's index is its number."""
ALL_NUMBERS: Final = sum(1 << number for number in TRACK)
ALL_END_TILES: Final = sum(1 << tile for tile in END_TILE_INDEX.values())

SECOND_KEY: Final = 9
SHARING: Final = 16
TAKE_ANY: Final = 17
PRESTIGE_PAIRS: Final = 23
RESOURCE_PAIRS: Final = 24
STEP_BACK: Final = 25
"""The bonus tiles that name something when they are used."""

SCORING_TILES: Final = ("10-5-2", "12-6-3", "14-7-3", "16-8-4", "18-9-4", "20-10-5")
SCORING_TILE_INDEX: Final = {tile: index for index, tile in enumerate(SCORING_TILES)}
STACKS: Final = 3
TABLE: Final = (
    *PLACES,
    *(f"scoring:{district}" for district in DISTRICTS),
    *(f"scoring-tile:{tile}" for tile in SCORING_TILES),
    *(f"track:{space}" for space in TRACK),
    *(f"stack:{stack}" for stack in range(1, STACKS + 1)),
    *(f"market:{KINDS[kind]}" for kind in RESOURCES),
    "end_tiles",
)
"""All that can be pointed at: places, the scoring tiles of districts and those to choose from, track and supply."""
PLAYERS: Final = range(2, 5)
KEYS_OF_A_COLOUR: Final = 12

Tokens: TypeAlias = tuple[int, int, int, int, int, int]
"""How many tokens of each kind."""
NO_TOKENS: Final[Tokens] = (0, 0, 0, 0, 0, 0)


def tokens(counts: Iterable[int]) -> Tokens:
    """Six counts, in the order of the kinds."""
    wood, marble, gold, bronze, silver, gilt = counts
    return wood, marble, gold, bronze, silver, gilt


def plus(some: Tokens, more: Iterable[int]) -> Tokens:
    return tokens(map(add, some, more))


def minus(held: Tokens, spent: Iterable[int]) -> Tokens:
    return tokens(map(sub, held, spent))
