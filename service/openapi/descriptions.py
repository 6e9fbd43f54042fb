"""What each schema of the API document describes, where its own module does not say so."""

from collections.abc import Mapping

from domain.game import JsonObject
from service.http.errors import TITLES
from service.openapi.help import HELP
from service.openapi.problems import component

DESCRIPTIONS: Mapping[str, str] = {
    "Account": "A person who may sign in.",
    "Anchor": "A signed digest over the last events of all logs.",
    "AnchorProof": "That an anchor covers a match: `head` is the leaf, and `path` leads from it to the root.",
    "Annotation": "A note on a recorded move, with a glyph, marked spaces and a what-if line.",
    "AnnotationWording": "What an annotation said at one time.",
    "AuditEntry": "Who signed in, or gave or took a right.",
    "ChangedMatches": "How many matches a request changed, and how many are left for the next one.",
    "Conventions": "The terms of statistics, each with what it means.",
    "Correction": "A match after a correction, with what became of its later moves.",
    "Details": "What is known of a match beside its log, as it was at one time.",
    "Difference": "A difference between two groups with its interval, and whether it is more than chance.",
    "EditionGroup": "Several values of an edition that belong together.",
    "EditionSummary": "An edition in a list, without its values.",
    "EditionValue": "A value of an edition, and where it comes from.",
    "FeatureFigures": "How often seats have a feature, and how they fare with it and without it.",
    "FeatureStatistics": "The figures of all features of a game.",
    "Frame": "A match after one ply: the move, a sentence for it, and the state.",
    "Game": "A game, with its seats and editions.",
    "GameCalibration": "What ratings predicted of the matches of a game, and how these ended.",
    "GameDetails": "A game with the JSON Schemas of its set-up, moves and state, and with its refusals.",
    "GameStatistics": "The figures of one game by numbers of players.",
    "HeadToHead": "The figures of two players in the matches in which both sat.",
    "Health": "That the process responds.",
    "HiddenAnnotations": "How many annotations a request hid.",
    "Invitation": "A link that makes an account, which was not opened yet.",
    "Judgement": "Whether moves would be recorded; if so the state after them, else the problem.",
    "LegalMoves": "What the seat to move may do; each of them is accepted if posted.",
    "LogLine": "What an event of the log did: the moves that came and went with it, and who recorded it.",
    "Match": "A match with its set-up.",
    "MatchLink": "A link by which people without an account read or record a match.",
    "MatchSummary": "A match in a list, without its set-up.",
    "Me": "The principal of the request and their rights.",
    "Mean": "A mean with its interval; null where there is nothing to take it of.",
    "MoveProblem": "Why moves would not be recorded.",
    "NamedPlayer": "A player by id and name.",
    "NewlyMadeInvitation": "An invitation with its secret, which is shown this once.",
    "NewlyMadeMatchLink": "The link of a match with its secret, which is shown this once.",
    "NewlyMadeSignInLink": "A link to sign in with its secret, which is shown this once.",
    "NewlyMadeToken": "A token with its secret, which is shown this once.",
    "OpeningNode": "A node in the tree of first moves: how often it was reached, and how it ended.",
    "OpeningStatistics": "The tree of first moves of a game from one node on.",
    "Player": "Somebody who plays.",
    "PlayerChange": "What a player was called and merged into at one time.",
    "PlayerRating": "A player with their place and rating.",
    "PlayerStatistics": "The figures of one player.",
    "PlayerTotals": "A player in a list of figures.",
    "Population": "How many matches count, and how many do not, by the first reason that applies.",
    "Position": "Where a match stands after a write.",
    "ProblemType": "A type of problem, and what to do about it.",
    "ProblemTypes": "All types of problems.",
    "Rate": "A rate with its count and interval.",
    "RatingCalibration": "What ratings predicted of the matches of each game.",
    "RatingHistory": "The rating of a player after each match.",
    "Readiness": "That the database responds, and its last migration.",
    "Refusal": "A reason for which the rules refuse a move: its kind, and the section of the rules.",
    "Replay": "A match with its frames.",
    "Result": "How a match ended.",
    "Rights": "What the principal may do with a match.",
    "Score": "Where each point of each seat comes from.",
    "ScoreItem": "Points of a seat, with the pieces, spaces and sources that give them.",
    "Session": "A browser in which somebody is signed in.",
    "SignInLink": "A link to sign in on another device, which was not opened yet.",
    "Spread": "A mean with its interval, quantiles and histogram.",
    "StatisticsFilters": "The filters that the figures were asked for with.",
    "Token": "The token of a program, without its secret.",
    "Verdict": "What became of a later move after a correction.",
    "Verification": "Whether the log of a match is whole.",
    "CiteLumiereMove": "A move of Paris: La Cité de la Lumière.",
    "CiteLumiereSetup": "Who begins, and the eight postcards.",
    "CiteLumiereState": "A state of Paris: La Cité de la Lumière. `board` has the rows from top to bottom, in each a "
    "letter for the printed colour of a space: `o` orange, `b` blue, `x` mixed, `l` a street lamp, `.` not paved.",
    "ParisMove": "A move of Paris.",
    "ParisSetup": "The variant of Paris; the advanced game also says where tokens and tiles lie.",
    "ParisState": "A state of Paris.",
}

_PROBLEMS: Mapping[str, str] = {component(slug): f"{TITLES[slug][1]}. {HELP[slug]}" for slug in TITLES}


def describe(name: str, schema: JsonObject) -> JsonObject:
    """The schema of a component with its description."""
    about = {**DESCRIPTIONS, **_PROBLEMS}.get(name)
    if about is None and name.endswith("Page"):
        about = f"A page of a list of `{name.removesuffix('Page')}`."
    return schema if about is None else {"description": about, **schema}
