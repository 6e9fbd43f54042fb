"""Categories of finished matches: edition, table rulings and recording, by which statistics select what counts."""

from dataclasses import dataclass
from enum import IntEnum
from itertools import product
from typing import Final, Literal, NamedTuple, TypeAlias, get_args


class Figures(IntEnum):
    """Kinds of figures; each counts only matches that the one before counts too."""

    ANY = 0
    """Nothing: all finished matches, whether they count or not."""
    OUTCOMES = 1
    """Wins, places and ratings, which do not depend on printed values and survive a table ruling."""
    PLAY = 2
    """Points, length, features and openings."""


class EditionKind(IntEnum):
    """The relation of a match's edition to the built-in ones of its game."""

    SHIPPED = 0
    CORRECTED = 1
    """It differs from a shipped edition only in values that are assumed there."""
    OTHER = 2


class Rulings(IntEnum):
    """The presence of table rulings and the owner's choice of the figures that count them."""

    NONE = 0
    RESULTS = 1
    INCLUDE = 2
    EXCLUDE = 3


RulingsSetting: TypeAlias = Literal["results", "include", "exclude"]
RULINGS_SETTINGS: Final = get_args(RulingsSetting)
"""The values of `rulings_in_statistics` in the order of `Rulings` behind `NONE`; the first is the default."""


class Category(NamedTuple):
    """Edition, rulings and recording of a finished match."""

    edition: EditionKind
    rulings: Rulings
    is_result_only: bool

    @property
    def number(self) -> int:
        """The category as it is stored."""
        return self.rulings * WITHOUT_RULINGS + self.edition * 2 + self.is_result_only


WITHOUT_RULINGS: Final = 2 * len(EditionKind)
"""The number of categories without rulings; they have the lowest numbers."""
CATEGORIES: Final = {
    category.number: category
    for category in (Category(*parts) for parts in product(EditionKind, Rulings, (False, True)))
}

REASONS: Final = ("in_progress", "abandoned", "withdrawn", "ruling", "custom_edition", "rules_conflict")
"""Why a match does not count. Sums have the number of a reason, from 1, so that their order is fixed."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Which categories a question is about, besides what its figures count."""

    has_edition: bool = False
    """True for one edition, which then counts whatever its values are."""
    rulings: str | None = None
    """`include` or `exclude` matches with table rulings in all figures, whatever their owners want."""
    recorded: str | None = None
    """Only matches with recorded `moves`, or of which the `result` alone is known."""

    def categories(self, figures: Figures) -> list[int]:
        """The numbers of the categories that count."""
        return sorted(
            number
            for number, category in CATEGORIES.items()
            if self.recorded in {None, "result" if category.is_result_only else "moves"}
            and (figures is Figures.ANY or self.reason(number, figures) is None)
        )

    def reason(self, number: int, figures: Figures) -> str | None:
        """Why figures do not count the matches of a category, None if they do."""
        category = CATEGORIES[number]
        highest = EditionKind.SHIPPED if figures is Figures.PLAY else EditionKind.CORRECTED
        if not self.has_edition and category.edition > highest:
            return "corrected_edition" if category.edition is EditionKind.CORRECTED else "custom_edition"
        return None if self._has_right_rulings(category.rulings, figures) else "ruling"

    def _has_right_rulings(self, rulings: Rulings, figures: Figures) -> bool:
        if rulings is Rulings.NONE or self.rulings is not None:
            return rulings is Rulings.NONE or self.rulings == "include"
        return rulings is Rulings.INCLUDE or (rulings is Rulings.RESULTS and figures is Figures.OUTCOMES)


IS_RATED: Final = f"m.category IN ({', '.join(map(str, Selection().categories(Figures.OUTCOMES)))})"
"""The condition by which facts `m` of a match count in ratings."""
