"""What each schema of the API document describes, where its own module does not say so."""

from collections.abc import Mapping
from typing import Any

from domain.game import JsonObject
from service.openapi.sharing import INSTANCES

DESCRIPTIONS: Mapping[str, str] = {
    "Annotations": "The notes on a move.",
    "Errors": "What is malformed, by member.",
    "Marks": "Marked spaces.",
    "ParisTrack": "A space of the bonus track.",
    "Seats": "A list of seats.",
    "EditionGroup": "Several values of an edition that belong together.",
    "EditionValue": "A value of an edition, and where it comes from.",
    "Judgement": "Whether moves would be recorded; if so the state after them, else the problem.",
    "MoveProblem": "Why moves would not be recorded; a `Problem` is of the type `match-abandoned`, `match-full`, "
    "`match-result-only` or `match-too-long`.",
    "CiteLumiereMove": "A move of Paris: La Cité de la Lumière.",
    "CiteLumiereState": "A state of Paris: La Cité de la Lumière.",
    "CiteLumiereStateScore": "What each seat would score now.",
    "CiteLumiereStateSeats": "What each seat holds.",
    "ParisGivePrestigePairsPairs": "How many pairs of each kind.",
    "ParisGiveResourcePairsPairs": "How many pairs of each kind.",
    "ParisMove": "A move of Paris.",
    "ParisSetup": "The variant of Paris; the advanced game also says where tokens and tiles lie.",
    "ParisState": "A state of Paris.",
}

"""By component."""

MEMBERS: Mapping[str, str] = {
    "act": "What was done.",
    "action": "Whether the move takes the place of that of the ply, goes before it, or is taken out.",
    "allows": "What its holder may do.",
    "code": "The stable name of the reason, one of `refusals` of the game.",
    "detail": "What is wrong.",
    "digest": "The SHA-256 of the canonical form of the edition.",
    "entered_at": "When the move was entered, if that is long before it is sent.",
    "glyph": "A judgement of the move by a sign, as on chess.",
    "hash": "The SHA-256 of the event in its canonical form.",
    "label": "A name to tell it from others.",
    "legal": "Whether the moves would be recorded.",
    "line": "A what-if line from the move on.",
    "merged_into": "The player who they turned out to be.",
    "pointer": "A JSON pointer to the member.",
    "reason": "Why it was played so.",
    "revision": "How often it was changed.",
    "role": "Owners look after accounts and players.",
    "rules_version": "The version of the rules that the service plays by.",
    "scopes": "What may be done.",
    "source": "Where the value comes from.",
    "status": "How far the match has come.",
    "to_move": "The seat to move, null if the match has ended or only its result is known.",
    "to_ply": "The ply after which nothing is kept.",
    "visibility": "Who may read it beside its people: nobody, whoever has a link, all members, or everybody.",
    "withdrawn": "Whether it was entered by mistake and hidden.",
}
"""Of members that have none of their own, by their name."""

MEMBERS_OF: Mapping[str, str] = {
    "Author.author": "As in `author` of annotations.",
    "Mark.kind": "How the space is marked.",
    "Mark.cell": "A space of the game.",
    "NewDetails.rulings_in_statistics": "In which figures the match counts if it has table rulings.",
    "NewEdition.based_on": "The edition whose other values it has.",
    "Problem.status": "The status of the response.",
    "Problem.type": "What went wrong; the address of its description.",
    "ResultOnlySetup.points": "The points of every seat.",
    "Restoration.version": "The version to restore.",
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
    described = schema if about is None else {"description": about, **schema}
    if "properties" not in schema:
        return described
    members = {
        member: _described(member, part, MEMBERS_OF.get(f"{name}.{member}"))
        for member, part in schema["properties"].items()
    }
    return {**described, "properties": members}


def describe_members(schema: Any) -> Any:
    """A schema in which members that have no description have that of their name."""
    if isinstance(schema, list):
        return [describe_members(part) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    described = {keyword: part if keyword in INSTANCES else describe_members(part) for keyword, part in schema.items()}
    if isinstance(described.get("properties"), dict):
        described["properties"] = {
            member: _described(member, part, MEMBERS.get(member)) for member, part in described["properties"].items()
        }
    return described


def _described(member: str, part: JsonObject, about: str | None) -> JsonObject:
    is_told = "description" in part or "$ref" in part or "const" in part or "properties" in part
    return part if about is None or is_told else {**part, "description": about}
