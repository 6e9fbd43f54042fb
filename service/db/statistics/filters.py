"""Which matches are asked about, as conditions of queries."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import MINYEAR, UTC, date, datetime, timedelta
from typing import Any, Final
from uuid import UUID

from domain.catalogue import GAMES
from service.db.categories import Figures, Selection
from service.db.facts import ALL_MONTHS, EVERY_TAG
from service.db.principals import ALL_VISIBILITIES, IN_POPULATION, IS_MINE, POPULATION_VISIBILITIES

HALF_A_MONTH: Final = 15
LAST_MONTH: Final = date.max.replace(day=1)

MAX_UNFINISHED: Final = 1000
"""Of each game and visibility, which are looked at in each answer."""


@dataclass(frozen=True, slots=True)
class FactFilters:
    """Which matches are asked about; `tags` and `players` must all be there."""

    game: str | None = None
    edition: str | None = None
    variant: str | None = None
    population: str | None = "public"
    """None for those of the viewer alone."""
    viewer: UUID | None = None
    sees_all: bool = False
    """Whether all matches are the viewer's own, since sign-in is switched off."""
    since: datetime | None = None
    until: datetime | None = None
    tags: Sequence[str] = ()
    has_tag_sums: bool = True
    """Whether a single tag has sums, as frequent ones have."""
    venue: str | None = None
    players: Sequence[Sequence[UUID]] = ()
    """For each player all their ids."""
    player_counts: Sequence[int] = ()
    """Numbers of players, any of which a match may have; all if there are none."""
    recorded: str | None = None
    rulings: str | None = None
    """As `Selection` has them."""
    figures: Figures = Figures.OUTCOMES
    """For which the matches are selected."""

    @property
    def selection(self) -> Selection:
        """Which categories of matches are asked about."""
        return Selection(self.edition is not None, self.rulings, self.recorded)

    def of(self, figures: Figures) -> "FactFilters":
        """The same question for other figures."""
        return replace(self, figures=figures)

    @property
    def is_summed(self) -> bool:
        """Whether sums tell all that is asked, but for months of which only a part is asked for."""
        has_sums = not self.tags or (len(self.tags) == 1 and self.has_tag_sums)
        return has_sums and not (self.players or self.venue is not None or self.population is None)

    @property
    def is_undated(self) -> bool:
        """Whether matches of all times are asked about."""
        return self.since is None and self.until is None

    @property
    def is_whole(self) -> bool:
        """Whether all matches of a game, or of all games, are asked about."""
        narrowed = (self.edition, self.variant, self.recorded, self.rulings)
        is_narrowed = bool(self.tags or self.player_counts) or any(value is not None for value in narrowed)
        return self.is_summed and self.is_undated and not is_narrowed

    @property
    def is_of_seats(self) -> bool:
        """Whether the seats of a player tell which matches are asked about."""
        return bool(self.players) and self.venue is None and self.population is not None

    @property
    def has_features_summed(self) -> bool:
        """Whether all matches of one player are asked about, of which sums tell what features came to."""
        return len(self.players) == 1 and self.is_of_seats and self.is_undated and not self.tags

    def of_one(self, ids: Sequence[UUID]) -> "FactFilters":
        """The same for the seats of one player, who of course played in their matches."""
        return replace(self, players=[other for other in self.players if set(other) != set(ids)])

    @property
    def _first(self) -> date | None:
        return None if self.since is None else _nearest_month(self.since)

    @property
    def _last(self) -> date | None:
        return None if self.until is None else _nearest_month(self.until)

    @property
    def _games(self) -> list[str]:
        return [self.game] if self.game is not None else list(GAMES)

    @property
    def _visibilities(self) -> list[str]:
        return list(POPULATION_VISIBILITIES.get(self.population or "", ALL_VISIBILITIES))

    @property
    def values(self) -> dict[str, Any]:
        """What the conditions refer to."""
        values: dict[str, Any] = {
            "game": self.game,
            "edition": self.edition,
            "variant": self.variant,
            "viewer": self.viewer,
            "since": self.since,
            "until": self.until,
            "tags": list(self.tags),
            "tag": self.tags[0] if self.tags else EVERY_TAG,
            "venue": self.venue,
            "first_month": self._first,
            "last_month": self._last,
            "player_counts": list(self.player_counts),
            "categories": self.selection.categories(self.figures),
            "play": self.selection.categories(Figures.PLAY),
            "games": self._games,
            "visibilities": self._visibilities,
        }
        wanted = [(player_id, number) for number, ids in enumerate(self.players) for player_id in ids]
        return values | {
            "first_player": list(self.players[0]) if self.players else [],
            "last_player": list(self.players[-1]) if self.players else [],
            "player_ids": [player_id for player_id, _ in wanted],
            "player_numbers": [number for _, number in wanted],
        }

    def of_sums(self) -> str:
        """The condition on sums `m` by month: whole months, or all times together."""
        conditions = [*self._common(), "m.tag = %(tag)s"]
        if self.is_undated:
            conditions.append(f"m.month = {ALL_MONTHS}")
        else:
            conditions.append(f"m.month > {ALL_MONTHS}" if self.since is None else "m.month >= %(first_month)s")
        if self.until is not None:
            conditions.append("m.month < %(last_month)s")
        return " AND ".join(conditions)

    def of_points(self) -> str:
        """The condition on sums `m` of points, which are kept over all times only."""
        return " AND ".join((*self._common(), "m.tag = %(tag)s"))

    def of_population(self) -> str:
        """The condition on anything `m` of matches that it is of the population, whatever else is asked for."""
        return " AND ".join(("true", *self._in_population(), *self._his()))

    def of_features(self) -> str:
        """The condition on sums `m` of what features came to in the matches of players."""
        return " AND ".join(self._common())

    def of_left_out(self) -> str:
        """The condition on facts `m` of matches that never count."""
        conditions = (*self._common(), *self._dates(), *self._tags(), *self._venue(), *self._people())
        return " AND ".join(("m.left_out IS NOT NULL", *conditions))

    def of_unfinished(self) -> str:
        """The condition on rows `m` of matches that are not finished, of which no facts are kept.

        Their numbers of players are for the question itself to count.
        """
        conditions = [
            *self._named(),
            *self._in_population(),
            *self._dates(),
            *self._tags(),
            *self._venue(),
            *self._people(),
            *(["false"] if self.recorded == "result" else []),
        ]
        return " AND ".join(("m.status <> 'finished'", *conditions))

    def latest_unfinished(self) -> str:
        """Rows `m` of matches that are not finished; only the latest ones, where there may be any number of them."""
        if self.population is None and not self.sees_all:
            return "matches m"
        dates = " AND ".join(("true", *self._dates()))
        parts = (
            f"""(
                SELECT m.match_id, m.status, m.game, m.edition, m.variant, m.visibility, m.played_at, m.venue, m.tags
                FROM matches m
                WHERE m.status <> 'finished' AND m.game = (%(games)s::text[])[{game}]
                    AND m.visibility = (%(visibilities)s::text[])[{visibility}] AND {dates}
                ORDER BY m.played_at DESC LIMIT {MAX_UNFINISHED}
            )"""
            for game in range(1, len(self._games) + 1)
            for visibility in range(1, len(self._visibilities) + 1)
        )
        return f"({' UNION ALL '.join(parts)}) AS m"

    def of_counted(self) -> str:
        """The condition on facts `m` of matches that count."""
        conditions = (*self._common(), *self._dates(), *self._tags(), *self._venue(), *self._counted_people())
        return " AND ".join(("m.left_out IS NULL", *conditions))

    def of_edges(self) -> str:
        """The condition on facts `m` of what the months nearest to the dates have too much or too little."""
        if self.is_undated:
            return "false"
        first, last = (f"%({name}_month)s::date::timestamp AT TIME ZONE 'UTC'" for name in ("first", "last"))
        if self._first is not None and self._first == self._last:
            edges = "m.played_at >= %(since)s AND m.played_at < %(until)s"
        else:
            edges = " OR ".join(
                f"m.played_at >= least({month}, %({name})s) AND m.played_at < greatest({month}, %({name})s)"
                for month, name in ((first, "since"), (last, "until"))
                if getattr(self, name) is not None
            )
        return " AND ".join((*self._common(), *self._tags(), f"({edges})"))

    @property
    def in_play(self) -> str:
        """Whether facts or sums `m` count in figures of play too."""
        return "m.category = ANY(%(play)s::smallint[])"

    @property
    def sign(self) -> str:
        """What a fact `m` at the edges counts: 1 if it was left out of the months, -1 if it was in them by mistake."""
        within = " AND ".join(self._dates())
        return f"CASE WHEN {within} THEN 1 ELSE -1 END" if within else "1"

    def of_seats(self, since: int = 0) -> str:
        """The condition on facts `m` of seats, without what is known already of the players before one of them."""
        conditions = [*self._common(), *self._dates(), *self._tags(), *self._counted_people(since)]
        if self.venue is not None:
            conditions.append("m.match_id IN (SELECT match_id FROM match_facts WHERE venue = %(venue)s)")
        return " AND ".join(conditions)

    def matches(self) -> str:
        """The ids and categories `m` of all matches asked about that count."""
        if self.is_of_seats:
            whose = of_player("first_player", self.players[0])
            query = f"SELECT DISTINCT m.match_id, m.category FROM seat_facts m WHERE {whose} AND {self.of_seats(1)}"
        else:
            query = f"SELECT m.match_id, m.category FROM match_facts m WHERE {self.of_counted()}"
        # OFFSET 0 lets the server begin with the matches, of which there are few, and not with seats or players.
        return f"({query} OFFSET 0) AS m"

    def seats(self) -> str:
        """Rows `s` of the facts of all seats of these matches."""
        return f"(SELECT s.* FROM {self.matches()} JOIN seat_facts s USING (match_id) OFFSET 0) AS s"

    def _common(self) -> Iterable[str]:
        yield from self._named()
        if self.player_counts:
            yield "m.players = ANY(%(player_counts)s::smallint[])"
        yield "m.category = ANY(%(categories)s::smallint[])"
        yield from self._in_population()

    def _named(self) -> Iterable[str]:
        for name in ("game", "edition", "variant"):
            if getattr(self, name) is not None:
                yield f"m.{name} = %({name})s"

    def _in_population(self) -> Iterable[str]:
        yield "true" if self.population is None else IN_POPULATION[self.population]

    def _dates(self) -> Iterable[str]:
        if self.since is not None:
            yield "m.played_at >= %(since)s"
        if self.until is not None:
            yield "m.played_at < %(until)s"

    def _venue(self) -> Iterable[str]:
        if self.venue is not None:
            yield "m.venue = %(venue)s"

    def _tags(self) -> Iterable[str]:
        if self.tags:
            yield "m.tags @> %(tags)s::text[]"

    def _people(self) -> Iterable[str]:
        yield from self._all_seated("match_seats")
        yield from self._his()

    def _counted_people(self, since: int = 0) -> Iterable[str]:
        """The same for matches that count; where a player's seats are kept, fewer need be looked at."""
        narrowed = [*(["m.game = %(game)s"] if self.game is not None else []), *self._dates()]
        yield from self._all_seated("seat_facts", narrowed, since)
        yield from self._his()

    def _all_seated(self, seats: str, narrowed: Sequence[str] = (), since: int = 0) -> Iterable[str]:
        """One condition for all players from one of them on: planning a condition for each takes time without bound."""
        number = len(self.players) - since
        if number == 1:
            whose = " AND ".join((of_player("last_player", self.players[since]), *narrowed))
            yield f"m.match_id IN (SELECT m.match_id FROM {seats} m WHERE {whose})"
        elif number > 1:
            wanted = " AND ".join((f"wanted.number >= {since}", *narrowed))
            yield f"""m.match_id IN (
                SELECT m.match_id
                FROM unnest(%(player_ids)s::uuid[], %(player_numbers)s::integer[]) AS wanted (player_id, number)
                JOIN {seats} m USING (player_id)
                WHERE {wanted} GROUP BY m.match_id HAVING count(DISTINCT wanted.number) = {number}
            )"""

    def _his(self) -> Iterable[str]:
        if self.population is None and not self.sees_all:
            yield IS_MINE


def of_player(name: str, ids: Sequence[UUID]) -> str:
    """The condition on facts `m` of seats that they are a player's; those of one id are read in order of playing."""
    return f"m.player_id = (%({name})s::uuid[])[1]" if len(ids) == 1 else f"m.player_id = ANY(%({name})s)"


def _nearest_month(moment: datetime) -> date:
    """The first day of a month that is nearest to a moment; by months sums are kept."""
    try:
        day = moment.astimezone(UTC).date()
    except OverflowError:
        day = date.min if moment.year == MINYEAR else date.max
    first = day.replace(day=1)
    if day.day <= HALF_A_MONTH or first == LAST_MONTH:
        return first
    return (first + timedelta(days=31)).replace(day=1)
