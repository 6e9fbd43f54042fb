"""JSON Schemas of what statistics answer, by the name of their component."""

from collections.abc import Mapping

from domain.catalogue import GAMES
from domain.game import FeatureKind, JsonObject
from service.db.categories import REASONS
from service.db.principals import IN_POPULATION
from service.http.fields import Id, Seat
from service.stats.calibration import FIFTHS, MAX_A_MONTH
from service.stats.codes import OUTCOME_ONLY_REASONS
from service.stats.filters import MAX_PLAYERS, MIN_PLAYERS
from service.stats.rating_points import PROVISIONAL_ABOVE


def _ref(component: str) -> JsonObject:
    return {"$ref": f"#/components/schemas/{component}"}


def _members(members: Mapping[str, JsonObject]) -> JsonObject:
    return {"type": "object", "properties": dict(members), "required": list(members), "additionalProperties": False}


def _list(items: JsonObject) -> JsonObject:
    return {"type": "array", "items": items}


def _or_null(schema: JsonObject) -> JsonObject:
    if isinstance(schema.get("type"), str) and "enum" not in schema:
        return {**schema, "type": [schema["type"], "null"]}
    return {"oneOf": [schema, {"type": "null"}]}


TEXT: JsonObject = {"type": "string"}
COUNT: JsonObject = {"type": "integer", "minimum": 0}
INTEGER: JsonObject = {"type": "integer"}
NUMBER: JsonObject = {"type": "number"}
TIME: JsonObject = {"type": "string", "format": "date-time"}
SHARE: JsonObject = {"type": "number", "minimum": 0, "maximum": 1}
GAME: JsonObject = {"type": "string", "enum": list(GAMES)}
SEAT: JsonObject = {"type": "string", **Seat.shape}
OUTCOME: JsonObject = {"type": "string", "enum": ["won", "shared", "lost"]}
NODE: JsonObject = {"type": "string", "pattern": "^[0-9a-f]{16}$", "description": "Names the node in `under`."}
ABOUT: JsonObject = {**TEXT, "description": "What it is, in one sentence."}
KIND: JsonObject = {
    "type": "string",
    "enum": [str(kind) for kind in FeatureKind],
    "description": "Whether it is done or not, or a seat has it that has more than the others of the match on average.",
}
PART_OF_SCORE: JsonObject = {
    "type": "boolean",
    "description": "Whether it is points, or gives some by itself, and so goes with winning whatever else it does.",
}
INTERVAL: JsonObject = {**_list(NUMBER), "minItems": 2, "maxItems": 2, "description": "Lower and upper end, at 95 %."}

_FRAME: Mapping[str, JsonObject] = {
    "as_of": {**TIME, "description": "When this held."},
    "filters": _ref("StatisticsFilters"),
    "population": _ref("Population"),
}
_SUMMARY: Mapping[str, JsonObject] = {
    "matches": COUNT,
    "wins": {**NUMBER, "description": "A shared win is a part of one."},
    "win_rate": _ref("Rate"),
    "expected_wins": {**NUMBER, "description": "What chance alone would give: one by the number of players a match."},
    "wins_above_expectation": NUMBER,
}
_OPPONENT: JsonObject = _ref("Opponent")
_STANDING_OUT: JsonObject = {
    **_ref("Difference"),
    "description": "By how much more the win rate is above chance than in all other matches of the player.",
}
_POINTS_OF_ONE_GAME: Mapping[str, JsonObject] = {
    "points": {**_or_null(_ref("Mean")), "description": "Null unless one game is asked for."}
}
_RATING: Mapping[str, JsonObject] = {
    "rating": {**NUMBER, "description": "The strength in the units of the model, where a newcomer has 25."},
    "sigma": {**NUMBER, "description": "Its standard deviation."},
    "interval": INTERVAL,
    "points": _ref("RatingPoints"),
    "provisional": {"type": "boolean", "description": f"Whether `plus_minus` is above {PROVISIONAL_ABOVE:g} points."},
}
_RATED: Mapping[str, JsonObject] = {
    **_FRAME,
    "as_of": {**_or_null(TIME), "description": "When the ratings were computed; null before that was ever done."},
    "scope": {
        "type": "string",
        "enum": [*GAMES, "all"],
        "description": "`all` says how somebody does whatever is played; it compares nobody's skill in a game.",
    },
    "pending": {**COUNT, "description": "How many changes of matches they do not know of yet."},
}
_MEETING: Mapping[str, JsonObject] = {
    "matches": COUNT,
    "a_ahead": _ref("Rate"),
    "level": _ref("Rate"),
    "b_ahead": _ref("Rate"),
    "a_wins": _ref("Rate"),
    "b_wins": _ref("Rate"),
    "expected_rate": {**_or_null(SHARE), "description": "The win rate of anybody in these matches by chance."},
}
_BESIDE_OTHERS: JsonObject = {
    **_ref("Difference"),
    "description": "Of the win rate from that of the other seats; told together are seats and numbers of players.",
}
_HOW_MATCHES_END: Mapping[str, JsonObject] = {
    "plies": _ref("Spread"),
    "points": {**_ref("Spread"), "description": "Of every seat; the interval of the mean counts matches, not seats."},
    "winning_points": _ref("Spread"),
    "margin": {**_ref("Spread"), "description": "Of the best seat over the second one."},
    "lead_changes": _ref("Spread"),
    "draws": _ref("Rate"),
}
_HOW_ONE_ENDED: JsonObject = _ref("FinalStanding")


def _parts(name: str, part: JsonObject, members: Mapping[str, JsonObject]) -> JsonObject:
    return _list(_members({name: part, **members}))


def _page(item: str, frame: Mapping[str, JsonObject]) -> JsonObject:
    return _members({**frame, "items": _list(_ref(item)), "next": _or_null(TEXT)})


SCHEMAS: Mapping[str, JsonObject] = {
    "FinalStanding": _members({"seat": SEAT, "place": COUNT, "points": INTEGER}),
    "Opponent": _members({"player": _ref("NamedPlayer"), "matches": COUNT, "ahead": _ref("Rate")}),
    "Rate": _members(
        {
            "n": {**COUNT, "description": "On how many it rests."},
            "rate": _or_null(SHARE),
            "interval": _or_null({**INTERVAL, "description": "Wilson's interval at 95 %."}),
        }
    ),
    "Mean": _members(
        {
            "n": COUNT,
            "mean": _or_null(NUMBER),
            "interval": _or_null({**INTERVAL, "description": "Student's interval at 95 %, from 20 on."}),
        }
    ),
    "Spread": _members(
        {
            "n": COUNT,
            "mean": _or_null(NUMBER),
            "interval": _or_null({**INTERVAL, "description": "Of the mean, at 95 %."}),
            "quantiles": {"type": "object", "additionalProperties": _or_null(NUMBER)},
            "histogram": _list(_members({"value": INTEGER, "n": COUNT})),
        }
    ),
    "Difference": _members(
        {
            "n": {**COUNT, "description": "The matches that tell something of it."},
            "difference": _or_null(NUMBER),
            "interval": _or_null({**INTERVAL, "description": "At 95 % for all differences told together."}),
            "verdict": {"type": "string", "enum": ["higher", "lower", "no_clear_difference", "too_few_to_say"]},
        }
    ),
    "NamedPlayer": _members({"id": Id.shape, "name": TEXT}),
    "Population": _members(
        {
            "name": {"type": "string", "enum": [*IN_POPULATION, "mine"]},
            "included": {**COUNT, "description": "The matches that count in wins, places and ratings."},
            "outcome_only": {
                "type": "object",
                "properties": dict.fromkeys(OUTCOME_ONLY_REASONS, COUNT),
                "additionalProperties": False,
                "description": "Those of them that do not count in points, length, features and openings, by reason.",
            },
            "excluded": {
                "type": "object",
                "properties": dict.fromkeys(REASONS, COUNT),
                "additionalProperties": False,
                "description": "The matches that do not count, by reason; of unfinished ones the latest 1,000 of each "
                "game and visibility are looked at.",
            },
        }
    ),
    "StatisticsFilters": _members(
        {
            "game": _or_null(GAME),
            "edition": _or_null(TEXT),
            "variant": _or_null(TEXT),
            "player": _list(Id.shape),
            "from": _or_null(TIME),
            "to": {**_or_null(TIME), "description": "The first moment that no longer counts."},
            "tag": _list(TEXT),
            "venue": _or_null(TEXT),
            "player_count": _list({"type": "integer", "minimum": MIN_PLAYERS, "maximum": MAX_PLAYERS}),
            "recorded": _or_null({"type": "string", "enum": ["moves", "result"]}),
            "rulings": _or_null({"type": "string", "enum": ["include", "exclude"]}),
        }
    ),
    "PlayerTotals": _members(
        {
            "player": _ref("NamedPlayer"),
            **_SUMMARY,
            "mean_points": _or_null(NUMBER),
            "median_points": _or_null(NUMBER),
            "mean_margin": {**_or_null(NUMBER), "description": "Points beyond the best of the others."},
            "form": {**_list(OUTCOME), "description": "The latest matches, the last one first."},
        }
    ),
    "PlayerStatisticsPage": _page("PlayerTotals", _FRAME),
    "PlayerStatistics": _members(
        {
            **_FRAME,
            "player": _ref("NamedPlayer"),
            **_SUMMARY,
            "points": _or_null(_ref("Spread")),
            "margin": _or_null(_ref("Mean")),
            "form": _list(OUTCOME),
            "streaks": _members(
                {
                    "current": _or_null(_members({"outcome": OUTCOME, "length": COUNT})),
                    "longest_winning": COUNT,
                    "longest_losing": COUNT,
                }
            ),
            "by_game": _parts("game", GAME, {**_SUMMARY, "points": _ref("Mean"), "difference": _STANDING_OUT}),
            "by_seat": _parts("seat", SEAT, {**_SUMMARY, **_POINTS_OF_ONE_GAME, "difference": _STANDING_OUT}),
            "by_mover": _parts(
                "mover", {"type": "string", "enum": ["first", "later", "unknown"]}, {**_SUMMARY, **_POINTS_OF_ONE_GAME}
            ),
            "by_players": _parts("players", COUNT, {**_SUMMARY, **_POINTS_OF_ONE_GAME, "difference": _STANDING_OUT}),
            "opponents": _list(_OPPONENT),
            "nemesis": {
                **_or_null(_OPPONENT),
                "description": "Met five times at least, and surely finished behind of more often than ahead: the"
                " interval, at 95 % for all opponents together, is below one half.",
            },
            "favourite_opponent": {
                **_or_null(_OPPONENT),
                "description": "The same, but surely finished ahead of more often.",
            },
            "features": _or_null(
                _list(
                    _members(
                        {
                            "feature": TEXT,
                            "about": ABOUT,
                            "kind": KIND,
                            "frequency": _ref("Rate"),
                            "with": _ref("Rate"),
                            "without": _ref("Rate"),
                            "with_expected": {**_or_null(SHARE), "description": "The win rate by chance with it."},
                            "without_expected": {**_or_null(SHARE), "description": "The same without it."},
                            "difference": {
                                **_ref("Difference"),
                                "description": "By how much more the win rate with it is above chance than without.",
                            },
                            "part_of_score": PART_OF_SCORE,
                        }
                    )
                )
            ),
            "latest": _list(
                _members(
                    {
                        "match_id": Id.shape,
                        "game": GAME,
                        "played_at": TIME,
                        "players": COUNT,
                        "seat": SEAT,
                        "place": COUNT,
                        "points": INTEGER,
                        "outcome": OUTCOME,
                    }
                )
            ),
        }
    ),
    "HeadToHead": _members(
        {
            **_FRAME,
            "a": _ref("NamedPlayer"),
            "b": _ref("NamedPlayer"),
            **_MEETING,
            "score_difference": {
                **_or_null(_ref("Mean")),
                "description": "Points of a less those of b, where one game is asked for.",
            },
            "by_game": _parts("game", GAME, {**_MEETING, "score_difference": _ref("Mean")}),
            "by_mover": _parts(
                "first",
                {
                    "type": "string",
                    "enum": ["a", "b", "neither", "unknown"],
                    "description": "Who began: unknown where only the result was recorded.",
                },
                {**_MEETING, "score_difference": _ref("Mean")},
            ),
            "by_players": _parts("players", COUNT, {**_MEETING, "score_difference": _ref("Mean")}),
            "latest": _list(
                _members(
                    {
                        "match_id": Id.shape,
                        "game": GAME,
                        "played_at": TIME,
                        "a": _HOW_ONE_ENDED,
                        "b": _HOW_ONE_ENDED,
                    }
                )
            ),
        }
    ),
    "GameStatistics": _members(
        {
            **_FRAME,
            "game": GAME,
            **_HOW_MATCHES_END,
            "by_players": _parts(
                "players",
                COUNT,
                {
                    **_HOW_MATCHES_END,
                    "matches": COUNT,
                    "expected_rate": {**SHARE, "description": "The win rate of anybody by chance."},
                    "first_mover": _members(
                        {
                            "win_rate": {
                                **_ref("Rate"),
                                "description": "As it was. The loser of the last match begins, so weaker players do.",
                            },
                            "points_ahead": {**_ref("Mean"), "description": "The same in points."},
                            "within_pairs": {
                                **_ref("Difference"),
                                "description": "Whether it helps to begin: by how much more often than in one half of"
                                " matches who begins finishes before an equal, by what the same two players do whoever"
                                " begins. Of the latest 2,000 matches.",
                            },
                        }
                    ),
                    "seats": _parts("seat", SEAT, {"win_rate": _ref("Rate"), "difference": _BESIDE_OTHERS}),
                },
            ),
        }
    ),
    "FeatureFigures": _members(
        {
            "feature": TEXT,
            "about": ABOUT,
            "kind": KIND,
            "frequency": {**_ref("Rate"), "description": "In how many of the matches in which it can be had it is."},
            "seats": {**COUNT, "description": "How many seats had it."},
            "with": {**_ref("Rate"), "description": "Where not all have it, the win rate of those who do."},
            "without": {**_ref("Rate"), "description": "In the same matches, that of those who do not."},
            "difference": _ref("Difference"),
            "mean_points": {**_or_null(NUMBER), "description": "What it gives who has it."},
            "mean_amount": {**_or_null(NUMBER), "description": "How much of it a seat has."},
            "part_of_score": PART_OF_SCORE,
            "varies": {"type": "boolean", "description": "Whether in any match some seats have it and others do not."},
        }
    ),
    "Conventions": _members({"items": _list(_members({"term": TEXT, "about": ABOUT}))}),
    "FeatureStatistics": _members({**_FRAME, "items": _list(_ref("FeatureFigures"))}),
    "OpeningNode": _members(
        {
            "node": NODE,
            "mover": {**COUNT, "description": "1 for whoever began, then in turn order."},
            "move": _ref("Move"),
            "n": COUNT,
            "frequency": {**_ref("Rate"), "description": "Among the matches of the node above."},
            "win_rate": {**_ref("Rate"), "description": "Of the mover."},
            "depth": COUNT,
            "children": {**_or_null(_list(_ref("OpeningNode"))), "description": "Null where the answer ends."},
            "pooled": {
                **_or_null(COUNT),
                "description": "The matches of this node that none of the children tells of.",
            },
        }
    ),
    "OpeningStatistics": _members(
        {
            **_FRAME,
            "game": GAME,
            "node": _or_null(NODE),
            "n": COUNT,
            "depth": COUNT,
            "children": _list(_ref("OpeningNode")),
            "pooled": {**COUNT, "description": "The matches whose next move fewer than five matches share."},
            "next": _or_null(TEXT),
        }
    ),
    "RatingPoints": {
        **_members(
            {
                "rating": NUMBER,
                "plus_minus": {**NUMBER, "description": "Half the width of the interval at 95 %."},
                "low": {**NUMBER, "description": "The lower end, by which players are ordered."},
                "high": NUMBER,
            }
        ),
        "description": "The same on the scale known from chess: a newcomer has 1500, and 400 points are odds of 10 : 1 "
        "between two players.",
    },
    "PlayerRating": _members(
        {"place": COUNT, "player": _ref("NamedPlayer"), "matches": COUNT, **_RATING},
    ),
    "RatingPage": _page("PlayerRating", _RATED),
    "GameCalibration": _members(
        {
            "game": GAME,
            "as_of": {**_or_null(TIME), "description": "When the ratings were computed."},
            "pending": {**COUNT, "description": "How many changes of matches they do not know of yet."},
            "matches": {
                **COUNT,
                "description": f"Those in which nobody's rating was provisional, at most {MAX_A_MONTH} a month.",
            },
            "log_loss": {
                **_or_null(NUMBER),
                "description": "The mean of -ln of the chance that ratings had given the winner.",
            },
            "log_loss_of_chance": {
                **_or_null(NUMBER),
                "description": "The same if all players of a match had the same chance: ln 2 for two.",
            },
            "difference": {
                **_ref("Difference"),
                "description": "Of the two in each match; `lower` says that ratings predict better than chance.",
            },
            "fifths": {
                **_list(
                    _members(
                        {
                            "from": {**SHARE, "description": "The least chance of a favourite, to a percent."},
                            "to": {**SHARE, "description": "The largest."},
                            "predicted": {**SHARE, "description": "The mean chance of the favourites."},
                            "won": {**_ref("Rate"), "description": "How often the favourites won."},
                        }
                    )
                ),
                "maxItems": FIFTHS,
                "description": "The matches by the chance of the favourite, in parts of about the same number.",
            },
        }
    ),
    "RatingCalibration": _members({**_FRAME, "items": _list(_ref("GameCalibration"))}),
    "RatingHistory": _members(
        {
            **_RATED,
            "player": _ref("NamedPlayer"),
            "present": {
                **_or_null(_members({"matches": COUNT, **_RATING})),
                "description": "The rating now, less certain by the months since the last match.",
            },
            "items": _list(_members({"match_id": Id.shape, "played_at": TIME, **_RATING})),
        }
    ),
}
