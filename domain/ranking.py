"""Results by merits that are compared one after the other, the points first."""

from collections.abc import Mapping, Sequence

from domain.game import Ranked, Result, Seat


def ranked(merits: Mapping[Seat, tuple[int, ...]], tie_breaks: Sequence[str]) -> Result:
    """The result of a match. Equal places are shared, and the next ones are skipped."""
    ordered = sorted(merits.items(), key=lambda entry: entry[1], reverse=True)
    places = [1 + sum(other > merit for other in merits.values()) for _, merit in ordered]
    ranking = tuple(Ranked(seat, place, merit[0]) for (seat, merit), place in zip(ordered, places, strict=True))
    best, second = ordered[0][1], ordered[1][1]
    differing = (word for word, one, other in zip(("points", *tie_breaks), best, second, strict=True) if one != other)
    winners = tuple(entry.seat for entry in ranking if entry.place == 1)
    return Result(winners, ranking, next(differing, "shared"))
