"""Names of places that are alike in all languages: districts, and everything that is named after one and a value."""

from domain.games.paris.parts import DISTRICTS, LANDMARKS, VALUES

DISTRICT_NAMES = {
    "belleville": "Belleville",
    "batignolles": "Batignolles",
    "la_villette": "La Villette",
    "montmartre": "Montmartre",
    "saint_germain": "Saint-Germain",
    "chaillot": "Chaillot",
}


def names_of_places(bank: str, landmark: str) -> dict[str, str]:
    """The names of districts, building spaces, landmarks and banks, from the patterns for a bank and a landmark."""
    return {
        **DISTRICT_NAMES,
        **{f"{district}-{value}": f"{DISTRICT_NAMES[district]} {value}" for district in DISTRICTS for value in VALUES},
        **{f"landmark-{value}": landmark.format(value=value) for value in LANDMARKS},
        **{f"bank:{district}": bank.format(district=DISTRICT_NAMES[district]) for district in DISTRICTS},
    }
