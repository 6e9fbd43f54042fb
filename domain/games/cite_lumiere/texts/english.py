"""English texts of La Cité de la Lumière."""

from domain.sentences import Texts

ENGLISH: Texts = {
    "words": {"and": "and"},
    "counts": {
        "lamp": "{number} lamp|{number} lamps",
        "point": "{number} point|{number} points",
        "space": "{number} space|{number} spaces",
        "tile": "{number} tile|{number} tiles",
        "token": "{number} action token|{number} action tokens",
    },
    "names": {
        "orange": "Orange",
        "blue": "Blue",
        "paving": "paving",
        "building": "building",
        "garden": "the garden",
        "fountain": "the fountain",
        "bouquinistes": "Bouquinistes sur la Seine",
        "chartier": "Chartier",
        "fontaine_des_mers": "Fontaine des Mers",
        "jardin_des_plantes": "Jardin des Plantes",
        "la_grande_lumiere": "La Grande Lumière",
        "lampadaire": "Lampadaire",
        "le_peintre": "Le Peintre",
        "le_penseur": "Le Penseur",
        "levitation": "Levitation",
        "metropolitain": "Metropolitain",
        "moulin_rouge": "Moulin Rouge",
        "sacre_coeur": "Sacré-Cœur",
        "n": "north",
        "e": "east",
        "s": "south",
        "w": "west",
    },
    "moves": {
        "pave": "{seat} paves the square {space} with tile {tile}.",
        "pave_turned": "{seat} paves the square {space} with tile {tile}, turned {rotation} degrees.",
        "take": "{seat} takes building {building} from the supply.",
        "pass": "{seat} passes.",
        "build": "{seat} builds {building} on {spaces}.",
        "build_with_rights": "{seat} builds {building} on {spaces}, using {rights}.",
        "declined": "{seat} takes the postcard {card} and leaves its effect unused.",
        "metropolitain": "{seat} takes Metropolitain and may later cover a lamp with a building.",
        "chartier": "{seat} takes Chartier and may later build on one space of the rival's colour.",
        "sacre_coeur": "{seat} takes Sacré-Cœur and loses no points for unbuilt buildings.",
        "bouquinistes": "{seat} takes Bouquinistes sur la Seine and adds the annex on {space} to {building}.",
        "fontaine_des_mers": "{seat} takes Fontaine des Mers and puts the fountain on {spaces}.",
        "jardin_des_plantes": "{seat} takes Jardin des Plantes and plants the garden on {spaces}.",
        "jardin_des_plantes_with_rights": (
            "{seat} takes Jardin des Plantes and plants the garden on {spaces}, using {rights}."
        ),
        "fontaine_des_mers_with_rights": (
            "{seat} takes Fontaine des Mers and puts the fountain on {spaces}, using {rights}."
        ),
        "la_grande_lumiere": "{seat} takes La Grande Lumière and puts the large lamp on {space}.",
        "lampadaire": "{seat} takes Lampadaire and puts a lamp on {space}.",
        "le_peintre": "{seat} takes Le Peintre and puts the painter on {space}.",
        "le_penseur": "{seat} takes Le Penseur and puts the statue on {space}, facing {facing}.",
        "levitation": "{seat} takes Levitation, swaps {give} for {take} and builds it on {spaces}.",
        "levitation_with_rights": (
            "{seat} takes Levitation, swaps {give} for {take} and builds it on {spaces}, using {rights}."
        ),
        "moulin_rouge": "{seat} takes Moulin Rouge and puts the dancer on {space}.",
    },
    "score": {
        "lit": "{building} covers {size} and is lit from {lamps}: {points}.",
        "dark": "{building} covers {size} and no lamp lights it: no points.",
        "group": "The largest group is {buildings}: {points}, one for each space.",
        "unbuilt": "Not built: {buildings}, which costs {points}.",
        "spared": "Not built: {buildings}, but nothing is lost thanks to Sacré-Cœur.",
        "fontaine_des_mers": "The fountain touches the player's buildings: {points}, three for each.",
        "fontaine_des_mers_nothing": "The fountain touches none of the player's buildings: no points.",
        "le_peintre": "The painter sees the lamps at {spaces}: {points}, two for each.",
        "le_peintre_nothing": "The painter sees no lamp: no points.",
        "le_penseur": "Free spaces around the statue, with the one in front of it: {spaces}, which gives {points}.",
        "le_penseur_nothing": "The space in front of the statue is not free: no points.",
        "moulin_rouge": "Free spaces that the dancer reaches, with her own: {spaces}, which gives {points}.",
    },
    "gains": {
        "lit_new": "{lamps} × {size}",
        "lit": "lit {points}",
        "group": "group {points}",
        "unbuilt": "unbuilt {points}",
        "postcards": "postcards {points}",
    },
    "features": {
        "postcard_taken": "The seat took the postcard {card}.",
        "postcard_used": "The seat took the postcard {card} and used its effect.",
        "postcard_right_used": "The seat took the postcard {card} and used the right that it gives.",
        "postcard_declined": "The seat took the postcard {card} and let its effect go.",
        "building_taken": "The seat took the building {building} from the supply.",
        "building_built": "The building {building} of the seat lies on the board at the end.",
        "built_spaces": (
            "How many spaces the buildings of the seat cover at the end, the garden and the annex included; "
            "this is a part of its score."
        ),
        "lamps": (
            "How many lamps light the buildings of the seat, each lamp counted for every building that it "
            "lights; this is a part of its score."
        ),
        "lit": "The points of the seat for lit buildings; this is a part of its score.",
        "group": "The points of the seat for its largest group of buildings; this is a part of its score.",
        "unbuilt": "How many buildings the seat took and did not build; this is a part of its score.",
        "free_spaces": "How many spaces of its colour are free at the end, which decides between equal points.",
        "own_spaces_paved": (
            "How many spaces of its own colour the tiles of the seat show, which is the same in every match "
            "with one edition."
        ),
        "mixed_spaces_paved": (
            "How many mixed spaces the tiles of the seat show, which is the same in every match with one edition."
        ),
        "lamps_paved": "How many lamps the tiles of the seat show, which is the same in every match with one edition.",
        "lead_changes": (
            "How often another seat took the lead alone, counted after each move from the end of paving on."
        ),
        "opening": "The first moves of paving, up to six; boards that differ by a turn count as one.",
    },
    "refusals": {
        "match_over": "The match is over.",
        "wrong_phase": "This move is not possible in the {phase} phase.",
        "not_your_turn": "It is {turn}'s turn, not {seat}'s.",
        "not_a_square": "{space} is not the top left space of a square.",
        "square_taken": "The square at {space} is already paved.",
        "tile_not_yours": "Tile {tile} belongs to the other player.",
        "tile_placed": "Tile {tile} has already been placed.",
        "not_in_supply": "{building} is not in the supply.",
        "pass_with_tiles": "{count} left to place, so passing is not allowed yet.",
        "not_in_reserve": "{building} is not in the player's reserve.",
        "no_chimney": "There is no chimney left, so nothing more can be built.",
        "shape_mismatch": "The shape of {spaces} is not that of {piece}.",
        "space_not_free": "There is already a piece on {spaces}.",
        "wrong_colour": "The rival's colour is on {spaces}.",
        "lamp_covered": "There is a lamp on {spaces}, which may not be covered.",
        "card_not_in_play": "The postcard {card} is not in this match.",
        "card_taken": "The postcard {card} has already been taken.",
        "no_token": "There is no action token left to take a postcard.",
        "pass_with_token": "{count} left to use, so passing is not allowed yet.",
        "pass_with_building": "A building from the reserve can still be built, so passing is not allowed yet.",
        "skipped": "{seat} can neither build nor take a postcard and is skipped; no pass is recorded.",
        "not_own_colour": "{space} is not of the player's own colour.",
        "not_your_building": "The annex must join one of the player's own buildings on the board.",
        "annex_unclear": "The annex on {space} could join several buildings; choose one.",
        "not_adjacent": "The annex on {space} does not touch the building that it should join.",
        "front_not_free": "There is no free space in front of the statue on {space}.",
        "not_a_lamp": "The large lamp must replace a printed lamp, and there is none on {space}.",
    },
}
