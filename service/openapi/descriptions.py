"""What each schema of the API document describes, where its own module does not say so."""

from collections.abc import Mapping
from typing import Any

from domain.game import JsonObject
from service.openapi.sharing import INSTANCES

DESCRIPTIONS: Mapping[str, str] = {
    "Annotations": "The notes on a move.",
    "Errors": "What is malformed, by member.",
    "Marks": "Marked spaces.",
    "Moves": "Moves as they can be posted.",
    "ParisTrack": "A space of the bonus track.",
    "Seats": "A list of seats.",
    "AnchorStatement": "What is signed, in its canonical form (RFC 8785).",
    "AnchoredHead": "The last event of a log when it was anchored.",
    "Fault": "An event that fails verification.",
    "FinalStanding": "How a seat ended.",
    "IllegalJudgement": "The moves would not be recorded.",
    "IndexLinks": "Addresses to begin with.",
    "LegalJudgement": "The moves would be recorded.",
    "LoggedMove": "A move that an event added to the match or took from it.",
    "LoggedPlayer": "Who sits at a seat since an event.",
    "LongestMove": "The move over which a seat thought longest.",
    "MatchPlayer": "Who sits at a seat.",
    "MatchTimes": "When the moves of a match were entered, and how long each seat thought.",
    "Opponent": "Matches with another player, and how often one finished ahead of them.",
    "PrintedChange": "A value that is another one in the edition since an event.",
    "Ranked": "The place and the points of a seat.",
    "RecordedRuling": "A table ruling with its reason, null if the text is missing.",
    "PlyTime": "When a move was entered, and how long it took; null where that is not known.",
    "SeatScore": "Where the points of a seat come from.",
    "SeatTime": "How long a seat thought over those of its moves of which that is known.",
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
    "MoveProblem": "Why moves would not be recorded; a `Problem` is of the type `match-abandoned`, `match-full`, "
    "`match-result-only` or `match-too-long`.",
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
    "CiteLumiereState": "A state of Paris: La Cité de la Lumière.",
    "CiteLumiereStateScore": "What each seat would score now.",
    "CiteLumiereStateSeats": "What each seat holds.",
    "ConventionsItemsEntry": "A term with what it means.",
    "GameCalibrationFifthsEntry": "Matches in which the favourite had about the same chance.",
    "GameStatisticsByPlayersEntry": "The figures of matches of one number of players.",
    "GameStatisticsByPlayersEntryFirstMover": "What it means to begin.",
    "GameStatisticsByPlayersEntrySeatsEntry": "How a seat fares.",
    "HeadToHeadByGameEntry": "The two in one game.",
    "HeadToHeadByMoverEntry": "The two by who began.",
    "HeadToHeadByPlayersEntry": "The two by the number of players.",
    "HeadToHeadLatestEntry": "A match of the two.",
    "ParisGivePrestigePairsPairs": "How many pairs of each kind.",
    "ParisGiveResourcePairsPairs": "How many pairs of each kind.",
    "ParisMoveKeyPrestige": "How many tokens of each kind.",
    "PlayerStatisticsByGameEntry": "The player in one game.",
    "PlayerStatisticsByMoverEntry": "The player by whether they began.",
    "PlayerStatisticsByPlayersEntry": "The player by the number of players.",
    "PlayerStatisticsBySeatEntry": "The player at one seat.",
    "PlayerStatisticsFeaturesEntry": "How often the player has a feature, and how they fare with it and without it.",
    "PlayerStatisticsLatestEntry": "A match of the player.",
    "PlayerStatisticsStreaks": "Matches in a row that ended alike.",
    "PlayerStatisticsStreaksCurrent": "The latest matches that ended alike.",
    "RatingHistoryItemsEntry": "The rating after one match.",
    "SpreadHistogramEntry": "How often a value occurs.",
    "ParisMove": "A move of Paris.",
    "ParisSetup": "The variant of Paris; the advanced game also says where tokens and tiles lie.",
    "ParisState": "A state of Paris.",
}

"""By component."""

MEMBERS: Mapping[str, str] = {
    "act": "What was done.",
    "action": "Whether the move takes the place of that of the ply, goes before it, or is taken out.",
    "allows": "What its holder may do.",
    "category": "What the points are for, in a word of the game.",
    "code": "The stable name of the reason, one of `refusals` of the game.",
    "decided_by": "`points`, one of the `tie_breaks` of the game, or `shared`.",
    "default_edition": "The edition of matches that name none.",
    "deleted": "Whether it was deleted then.",
    "entered_at": "When the move was entered, if that is long before it is sent.",
    "depth": "How many moves the answer goes down from the node.",
    "detail": "What is wrong.",
    "detached": "Whether its move left the match.",
    "difference": "The first less the second.",
    "digest": "The SHA-256 of the canonical form of the edition.",
    "feature": "The name of the feature.",
    "form": "How the latest matches ended, the last one first.",
    "glyph": "A judgement of the move by a sign, as on chess.",
    "hash": "The SHA-256 of the event in its canonical form.",
    "hidden": "Whether only its author and who manages the match see it.",
    "kind": "What it is, in a word.",
    "label": "A name to tell it from others.",
    "leaf_index": "The place of the match among the leaves.",
    "legal": "Whether the moves would be recorded.",
    "line": "A what-if line from the move on.",
    "mean": "The arithmetic mean.",
    "merged_into": "The player who they turned out to be.",
    "migration": "The last migration of the database.",
    "mover": "Whether the player began.",
    "n": "On how many it rests.",
    "outcome": "A shared win is `shared`.",
    "path": "The digests beside the way from the leaf to the root.",
    "payload": "What the event says, by its kind: ids and numbers, no names and no free text.",
    "pointer": "A JSON pointer to the member.",
    "prev_hash": "The hash of the event before, null for the first.",
    "quantiles": "By their part of the whole, such as `0.5` for the median.",
    "histogram": "How often each value occurs.",
    "reason": "Why it was played so.",
    "revision": "How often it was changed.",
    "role": "Owners look after accounts and players.",
    "rule": "The section of the written rules.",
    "rules_version": "The version of the rules that the service plays by.",
    "scopes": "What may be done.",
    "source": "Where the value comes from.",
    "streaks": "Matches in a row that ended alike.",
    "status": "How far the match has come.",
    "term": "The name of a member of statistics.",
    "to_move": "The seat to move, null if the match has ended or only its result is known.",
    "to_ply": "The ply after which nothing is kept.",
    "tree_size": "How many matches the anchor covers.",
    "valid": "Whether nothing is wrong.",
    "events": "How many events were looked at.",
    "verdict": "What follows from the interval.",
    "wins_above_expectation": "Wins less those that chance alone would give.",
    "visibility": "Who may read it beside its people: nobody, whoever has a link, all members, or everybody.",
    "withdrawn": "Whether it was entered by mistake and hidden.",
}
"""Of members that have none of their own, by their name."""

MEMBERS_OF: Mapping[str, str] = {
    "Annotation.line_problem": "Why the line no longer fits.",
    "Author.author": "As in `author` of annotations.",
    "Event.kind": "What happened.",
    "LogLine.kind": "What happened.",
    "Mark.kind": "How the space is marked.",
    "Mark.cell": "A space of the game.",
    "NewDetails.rulings_in_statistics": "In which figures the match counts if it has table rulings.",
    "NewEdition.based_on": "The edition whose other values it has.",
    "Problem.status": "The status of the response.",
    "ProblemType.status": "The status of the response.",
    "Problem.type": "What went wrong; the address of its description.",
    "ProblemType.type": "The address of this description.",
    "Refusal.kind": "A table ruling can record a move that breaks only rules of kind `rule`.",
    "ResultOnlySetup.points": "The points of every seat.",
    "Restoration.version": "The version to restore.",
    "Rights.rights": "What the principal may do.",
    "ScoreItem.cells": "The spaces that give them.",
    "ScoreItem.pieces": "The pieces that give them.",
    "Verdict.status": "`not_reached` after a move that was refused.",
    "Verification.detail": "What is wrong with the first broken event.",
    "PopulationExcluded.custom_edition": "Those of an edition that a user made.",
    "PopulationExcluded.in_progress": "Those that have not ended.",
    "PopulationExcluded.ruling": "Those with a table ruling.",
    "PopulationExcluded.rules_conflict": "Those that no longer fit the rules.",
    "PopulationOutcomeOnly.corrected_edition": "Those of an edition with a corrected value.",
    "PopulationOutcomeOnly.ruling": "Those with a table ruling.",
    "Population.name": "Whether the matches of the club count beside the public ones.",
    "NewMoveAtPly.ply": "The ply of the move, counted from 1.",
    "NoMoveAtPly.ply": "The ply of the move, counted from 1.",
    "NewAnnotation.ply": "The ply of the move.",
}
"""Of members of one component."""


def describe(name: str, schema: JsonObject) -> JsonObject:
    """The schema of a component with its description and those of its members."""
    about = DESCRIPTIONS.get(name)
    if about is None and name.endswith("Page"):
        about = f"A page of a list of `{name.removesuffix('Page')}`."
    found = schema if about is None else {"description": about, **schema}
    if "properties" not in schema:
        return found
    members = {
        member: _described(member, part, MEMBERS_OF.get(f"{name}.{member}"))
        for member, part in schema["properties"].items()
    }
    return {**found, "properties": members}


def describe_members(schema: Any) -> Any:
    """A schema in which members that have no description have that of their name."""
    if isinstance(schema, list):
        return [describe_members(part) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    found = {keyword: part if keyword in INSTANCES else describe_members(part) for keyword, part in schema.items()}
    if isinstance(found.get("properties"), dict):
        found["properties"] = {
            member: _described(member, part, MEMBERS.get(member)) for member, part in found["properties"].items()
        }
    return found


def _described(member: str, part: JsonObject, about: str | None) -> JsonObject:
    is_told = "description" in part or "$ref" in part or "const" in part or "properties" in part
    return part if about is None or is_told else {**part, "description": about}
