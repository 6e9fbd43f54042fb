"""JSON Schemas of the responses, by component name."""

from collections.abc import Mapping
from typing import Final

from domain.catalogue import GAMES
from domain.game import JsonObject
from domain.match import Action, EventKind, Status, VerdictStatus
from service.anchors.documents import FORMAT
from service.annotations.routes import GLYPHS, MAX_LINE, MAX_MARKS
from service.auth.audit import AuditAction
from service.auth.tokens import PREFIX
from service.db.categories import RULINGS_SETTINGS
from service.http.fields import MAX_NAME, MAX_TEXT, Id, Seat, Text
from service.matches.integrity import MAX_FINDINGS
from service.openapi.sharing import as_maps, ref, share_parts, share_titled, without_long_refusals
from service.permissions import Visibility
from service.principals import Role, Scope


def members(required: Mapping[str, JsonObject], optional: Mapping[str, JsonObject] | None = None) -> JsonObject:
    """Schema of an object with these members and no others."""
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


def named(title: str, game_id: str) -> str:
    """Component of a game's own schema."""
    return "".join(part.capitalize() for part in game_id.split("-")) + title


def _list(items: JsonObject) -> JsonObject:
    return {"type": "array", "items": items}


def _or_null(schema: JsonObject) -> JsonObject:
    if isinstance(schema.get("type"), str):
        return {
            **schema,
            "type": [schema["type"], "null"],
            **({"enum": [*schema["enum"], None]} if "enum" in schema else {}),
        }
    return {"oneOf": [schema, {"type": "null"}]}


def _map(values: JsonObject) -> JsonObject:
    return {"type": "object", "additionalProperties": values}


def _page(items: JsonObject) -> JsonObject:
    cursor = {"type": ["string", "null"], "description": "The cursor of the next page, null on the last one."}
    return members({"items": _list(items), "next": cursor})


def _of_a_game(title: str) -> JsonObject:
    refs = [ref(named(title, game)) for game in GAMES]
    return refs[0] if len(refs) == 1 else {"anyOf": refs}


TEXT: JsonObject = {"type": "string"}
ID = ref("Id")
SEAT: JsonObject = {"type": "string", **Seat.shape}
SHARED: Mapping[str, JsonObject] = {
    "Id": {**Id.shape, "description": "A UUID."},
    "Name": {
        "type": "string",
        "minLength": 1,
        "maxLength": MAX_NAME,
        **Text.shape,
        "description": "A text with a visible character.",
    },
    "Scope": {
        "type": "string",
        "enum": list(Scope),
        "description": "What may be done.",
    },
    "Seat": {**SEAT, "description": "A seat of one of the games."},
}
"""Schemas that stand in many places."""
MIN_PLACES: Final = 3
"""Places from which a part of schemas is named once."""
COUNT: JsonObject = {"type": "integer", "minimum": 0}
NUMBER: JsonObject = {"type": "integer"}
VERSION: JsonObject = {"type": "integer", "minimum": 1, "description": "The number of events in the log."}
PLY: JsonObject = {"type": "integer", "minimum": 0, "description": "The number of effective moves; 0 is the set-up."}
SEQ: JsonObject = {"type": "integer", "minimum": 1, "description": "The place of the event in the log."}
TIME: JsonObject = {"type": "string", "format": "date-time"}
ACTOR: JsonObject = {
    "type": ["string", "null"],
    "description": "The account or link that did it, if any.",
}
HASH: JsonObject = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
VISIBILITY: JsonObject = {
    "type": "string",
    "enum": list(Visibility),
    "description": "Who may read it beside its people: nobody, whoever has a link, all members, or everybody.",
}
ROLE: JsonObject = {"type": "string", "enum": list(Role)}
SCOPES: JsonObject = {"type": "array", "items": {"type": "string", "enum": list(Scope)}}
SECRET: JsonObject = {"type": "string", "description": "Shown this once.", "pattern": f"^{PREFIX}[A-Za-z0-9_-]+$"}
STATUS: JsonObject = {"type": "string", "enum": [str(status) for status in Status]}
RULINGS_SETTING: JsonObject = {
    "type": "string",
    "enum": list(RULINGS_SETTINGS),
    "description": "In which figures of statistics the match counts if it has table rulings: in wins, places and "
    "ratings alone (`results`), in all or in none.",
}

_SUMMARY: Mapping[str, JsonObject] = {
    "id": ID,
    "game": {"type": "string", "enum": list(GAMES)},
    "edition": TEXT,
    "rules_version": COUNT,
    "rules_conflict": _or_null(ref("RulesConflict")),
    "players": _list(ref("MatchPlayer")),
    "status": STATUS,
    "version": VERSION,
    "revision": {**COUNT, "description": "How often details outside the log were changed."},
    "ply": PLY,
    "to_move": _or_null(SEAT),
    "result": _or_null(ref("Result")),
    "played_at": TIME,
    "venue": _or_null(TEXT),
    "tags": _list(TEXT),
    "withdrawn": {"type": "boolean"},
    "visibility": VISIBILITY,
    "rulings_in_statistics": RULINGS_SETTING,
    "owner_id": {**_or_null(ID), "description": "The account that the match belongs to."},
    "created_at": TIME,
    "changed_at": TIME,
}
_POSITION: Mapping[str, JsonObject] = {
    "version": VERSION,
    "ply": PLY,
    "to_move": _or_null(SEAT),
    "status": STATUS,
    "result": _or_null(ref("Result")),
    "state": _or_null(ref("State")),
}
_FRAME: Mapping[str, JsonObject] = {
    "ply": PLY,
    "seq": SEQ,
    "recorded_at": {**TIME, "description": "When its event was recorded."},
    "seat": _or_null(SEAT),
    "move": _or_null(ref("Move")),
    "ruling": _or_null(ref("RecordedRuling")),
    "text": {"type": "string", "description": "One sentence for the move."},
    "state": _or_null(ref("State")),
}
_NOTES = _list(ref("Annotation"))
_LOGGED = ref("LoggedMove")
_GAME: Mapping[str, JsonObject] = {
    "id": {"type": "string", "enum": list(GAMES)},
    "title": TEXT,
    "seats": _list(SEAT),
    "min_players": COUNT,
    "max_players": COUNT,
    "editions": _list(TEXT),
    "default_edition": TEXT,
    "rules_version": COUNT,
}
_CONTENT: Mapping[str, JsonObject] = {
    "text": {"type": "string", "maxLength": MAX_TEXT},
    "glyph": {"type": ["string", "null"], "enum": [*GLYPHS, None]},
    "marks": {**_list(ref("Mark")), "maxItems": MAX_MARKS},
    "line": {**_list(ref("LineMove")), "maxItems": MAX_LINE},
}

_LIFETIME: Mapping[str, JsonObject] = {"created_at": TIME, "expires_at": _or_null(TIME)}
_MAKER: Mapping[str, JsonObject] = {
    "created_by": {**_or_null(ID), "description": "The account that made it, null for the service itself."}
}
_TOKEN: Mapping[str, JsonObject] = {
    "id": ID,
    "label": TEXT,
    "scopes": SCOPES,
    "used_at": {**_or_null(TIME), "description": "When it was last used, to the minute."},
    "parent_id": {**_or_null(ID), "description": "The token that it was made with, and with which it ends."},
    **_LIFETIME,
}
_SESSION: Mapping[str, JsonObject] = {
    "id": ID,
    "label": {**_or_null(TEXT), "description": "The family of the browser, such as `Firefox · Android`."},
    "current": {"type": "boolean", "description": "Whether it is the session that asks."},
    "used_at": {**_or_null(TIME), "description": "When it was last used, to the minute."},
    **_LIFETIME,
}
_INVITATION: Mapping[str, JsonObject] = {
    "id": ID,
    "name": TEXT,
    "role": ROLE,
    "player_id": _or_null(ID),
    **_MAKER,
    **_LIFETIME,
}
_ANCHOR: Mapping[str, JsonObject] = {
    "anchor": ref("AnchorStatement"),
    "signature": {"type": "string", "description": "Of `anchor` by `key`, in Base64."},
}
_LINK: Mapping[str, JsonObject] = {
    "id": ID,
    "allows": {"type": "string", "enum": ["read", "record"]},
    "label": _or_null(TEXT),
    **_MAKER,
    **_LIFETIME,
}
_SIGN_IN_LINK: Mapping[str, JsonObject] = {"id": ID, **_MAKER, **_LIFETIME}
_SHOWN_LINK: Mapping[str, JsonObject] = {
    "secret": SECRET,
    "url": {"type": "string", "format": "uri", "description": "The page at which the link is opened."},
}

_SECONDS: JsonObject = {"type": ["number", "null"], "minimum": 0}
_PARTS: Mapping[str, JsonObject] = {
    "AnchorStatement": members(
        {
            "format": {"const": FORMAT},
            "number": {**COUNT, "minimum": 1},
            "made_at": TIME,
            "root": {**HASH, "description": "Of the Merkle tree (RFC 9162) over the last events of all logs."},
            "previous": {
                **_or_null(HASH),
                "description": "The SHA-256 of the canonical form of the anchor before; null for the first.",
            },
            "key": {"type": "string", "description": "The public key (Ed25519), as the body of a PEM file."},
        }
    ),
    "AnchoredHead": members({"match_id": ID, "version": VERSION, "hash": HASH}),
    "Fault": members({"seq": SEQ, "detail": TEXT}),
    "IllegalJudgement": members({"legal": {"const": False}, "problem": ref("MoveProblem")}),
    "IndexLinks": members(
        {name: {"type": "string", "format": "uri-reference"} for name in ("document", "reference", "games")}
    ),
    "LegalJudgement": members(
        {"legal": {"const": True}, "text": _or_null(TEXT), "state": _or_null(ref("State"))},
        {"legal_moves": _list(ref("Move"))},
    ),
    "LoggedMove": members(
        {
            "ply": PLY,
            "seq": SEQ,
            "seat": SEAT,
            "move": ref("Move"),
            "ruling": _or_null(ref("RecordedRuling")),
            "text": {**_or_null(TEXT), "description": "Null if the rules have changed and no longer know such a move."},
        }
    ),
    "LongestMove": members(
        {"ply": PLY, "seconds": {"type": "number", "minimum": 0, "description": "How long it took."}}
    ),
    "LoggedPlayer": members({"seat": SEAT, "name": _or_null(TEXT)}),
    "MatchPlayer": members({"seat": SEAT, "player_id": ID, "name": TEXT}),
    "PrintedChange": members({"pointer": TEXT, "before": {}, "after": {}}),
    "Ranked": members({"seat": SEAT, "place": {"type": "integer", "minimum": 1}, "points": NUMBER}),
    "RecordedRuling": members({"reason": _or_null(TEXT)}),
    "PlyTime": members(
        {
            "ply": PLY,
            "seat": SEAT,
            "at": {**_or_null(TIME), "description": "When the move was entered, null where that is not known."},
            "seconds": {**_SECONDS, "description": "How long it took since the move before."},
        }
    ),
    "SeatScore": members({"total": NUMBER, "items": _list(ref("ScoreItem"))}),
    "SeatTime": members(
        {
            "seat": SEAT,
            "moves": {**COUNT, "description": "How many moves of the seat stand."},
            "timed": {**COUNT, "description": "Of how many moves it is known how long they took."},
            "seconds": {**_SECONDS, "description": "How long these took together."},
            "longest": _or_null(ref("LongestMove")),
        }
    ),
}
"""Parts of answers."""

SCHEMAS: Mapping[str, JsonObject] = {
    **_PARTS,
    "Account": members({"id": ID, "name": TEXT, "role": ROLE, "player_id": _or_null(ID), "created_at": TIME}),
    "AccountPage": _page(ref("Account")),
    "Annotation": members(
        {
            "id": ID,
            "match_id": ID,
            "seq": SEQ,
            "ply": {"type": ["integer", "null"], "description": "Where its move is now, null when it is detached."},
            "detached": {"type": "boolean"},
            "outdated": {"type": "boolean", "description": "Whether the move was replaced since."},
            **_CONTENT,
            "line_problem": _or_null({"anyOf": [ref("IllegalMoveProblem"), ref("MalformedMoveProblem")]}),
            "author": ACTOR,
            "by": {**_or_null(TEXT), "description": "What members of the installation call its author."},
            "hidden": {"type": "boolean", "description": "Whether only its author and who manages the match see it."},
            "revision": COUNT,
            "created_at": TIME,
            "changed_at": TIME,
        }
    ),
    "AnnotationPage": _page(ref("Annotation")),
    "AnnotationWording": members(
        {
            **_CONTENT,
            "revision": COUNT,
            "deleted": {"type": "boolean"},
            "hidden": {"type": "boolean"},
            "actor": ACTOR,
            "changed_at": TIME,
        }
    ),
    "AnnotationWordingPage": _page(ref("AnnotationWording")),
    "Correction": members(
        {
            **_POSITION,
            "verdicts": {**_list(ref("Verdict")), "description": "One for each later move."},
            "dropped": {**COUNT, "description": "How many moves were cut off."},
        }
    ),
    "Details": members(
        {
            "revision": COUNT,
            "played_at": TIME,
            "venue": _or_null(TEXT),
            "tags": _list(TEXT),
            "withdrawn": {"type": "boolean"},
            "visibility": VISIBILITY,
            "rulings_in_statistics": RULINGS_SETTING,
            "actor": ACTOR,
            "changed_at": TIME,
        }
    ),
    "DetailsPage": _page(ref("Details")),
    "Document": {
        "type": "object",
        "description": "A document of OpenAPI 3.1.",
        "properties": {"openapi": TEXT, "info": {"type": "object"}, "paths": {"type": "object"}},
        "required": ["openapi", "info", "paths"],
    },
    "Edition": {
        "type": "object",
        "description": "The components of a box, in groups; each value says where it comes from.",
        "properties": {
            "id": {**TEXT, "description": "The id of the edition, as `edition` in the document that is hashed."},
            "game": {"type": "string", "enum": list(GAMES)},
            "edition": TEXT,
            "title": TEXT,
            "note": TEXT,
            "digest": HASH,
        },
        "required": ["id", "game", "edition", "title", "digest"],
        "additionalProperties": {"anyOf": [ref("EditionValue"), ref("EditionGroup")]},
    },
    "EditionChanges": {
        "type": "object",
        "description": "A JSON Merge Patch on the bare values of an edition; null only removes entries of maps.",
    },
    "EditionGroup": {
        "type": "object",
        "not": {"properties": {"value": {}}, "required": ["value"]},
        "additionalProperties": {"anyOf": [ref("EditionValue"), ref("EditionGroup")]},
    },
    "EditionPage": _page(ref("EditionSummary")),
    "EditionSummary": members(
        {
            "id": TEXT,
            "title": TEXT,
            "based_on": {**_or_null(TEXT), "description": "The edition that it was made from, if a user made it."},
            "own": {
                "type": "boolean",
                "description": "Whether it is offered to the reader for new matches.",
            },
            "created_at": _or_null(TIME),
        }
    ),
    "EditionValue": members(
        {"value": {}, "source": {"type": "string", "enum": ["rulebook", "public source", "assumed", "user"]}},
        {"note": TEXT},
    ),
    "Event": {
        **members(
            {
                "seq": SEQ,
                "kind": {"type": "string", "enum": [str(kind) for kind in EventKind]},
                "payload": {"type": "object"},
                "actor": ACTOR,
                "recorded_at": {**TIME, "pattern": r"\.\d{6}Z$"},
                "hash": HASH,
                "prev_hash": _or_null(HASH),
            }
        ),
        "description": "`hash` is the SHA-256 of the canonical form (RFC 8785) of all else and the id of the match.",
    },
    "EventPage": _page(ref("Event")),
    "Frame": members(_FRAME, {"annotations": _NOTES}),
    "FramePart": {
        **members({}, {**_FRAME, "annotations": _NOTES}),
        "description": "A frame with all members, or those that `fields` names.",
    },
    "Game": members(_GAME),
    "GameDetails": members(
        {
            **_GAME,
            "tie_breaks": {**_list(TEXT), "description": "What decides between equal points, in this order."},
            "schemas": {**_map({"type": "object"}), "description": "JSON Schemas of its set-up, moves and state."},
            "definitions": {
                "type": "object",
                "additionalProperties": TEXT,
                "description": "Each feature of statistics, `lead_changes` and `opening` in one sentence.",
            },
            "refusals": {
                **_map(ref("Refusal")),
                "description": "Every code that an illegal move can carry.",
            },
        }
    ),
    "GamePage": _page(ref("Game")),
    "Health": members({"status": {"type": "string", "const": "ok"}}),
    "Anchor": members(_ANCHOR),
    "AnchorPage": _page(ref("Anchor")),
    "AnchorProof": members(
        {
            **_ANCHOR,
            "head": ref("AnchoredHead"),
            "leaf_index": COUNT,
            "tree_size": COUNT,
            "path": _list(HASH),
        }
    ),
    "AuditEntry": members(
        {
            "id": ID,
            "act": {"type": "string", "enum": [str(act) for act in AuditAction]},
            "happened_at": TIME,
            "account_id": {**_or_null(ID), "description": "Who did it; null is the machine, or nobody."},
            "secret_id": {**_or_null(ID), "description": "The token or session by which it was asked for."},
            "subject_id": {**_or_null(ID), "description": "The account, link, token, session or player it is about."},
            "match_id": _or_null(ID),
            "details": {"type": "object", "description": "Such as roles, scopes and visibilities before and after."},
        }
    ),
    "AuditPage": _page(ref("AuditEntry")),
    "Index": {
        **members(
            {
                "name": {"type": "string", "const": "Carnet"},
                "version": {"type": "string", "description": "The version of the service."},
                "links": ref("IndexLinks"),
            }
        ),
        "description": "Addresses to begin with: this document, the page that shows it, and the games.",
    },
    "Invitation": members(_INVITATION),
    "InvitationPage": _page(ref("Invitation")),
    "Judgement": {
        "oneOf": [
            ref("LegalJudgement"),
            ref("IllegalJudgement"),
        ]
    },
    "LegalMoves": members({"ply": PLY, "to_move": _or_null(SEAT), "moves": _list(ref("Move"))}),
    "ProblemType": members(
        {
            "type": {"type": "string", "pattern": "^/problems/[a-z-]+$"},
            "title": TEXT,
            "status": {"type": "integer", "minimum": 400, "maximum": 599},
            "help": {"type": "string", "description": "What to do about it, for those who write programs."},
        }
    ),
    "ProblemTypes": members({"items": {"type": "array", "items": ref("ProblemType")}}),
    "ChangedMatches": members(
        {
            "changed": {**COUNT, "description": "How many matches have another visibility now."},
            "left": {**COUNT, "description": "For how many more the request is to be sent again."},
        }
    ),
    "HiddenAnnotations": members({"hidden": {**COUNT, "description": "How many annotations were hidden."}}),
    "LogLine": members(
        {
            "seq": SEQ,
            "kind": {"type": "string", "enum": [str(kind) for kind in EventKind]},
            "recorded_at": TIME,
            "actor": ACTOR,
            "by": {**_or_null(TEXT), "description": "What members of the installation call whoever recorded it."},
            "action": {
                "type": ["string", "null"],
                "enum": [*(str(action) for action in Action), None],
                "description": "What a correction of a move did.",
            },
            "ply": {**PLY, "description": "The number of effective moves since then."},
            "status": {
                "type": ["string", "null"],
                "enum": [*STATUS["enum"], None],
                "description": "Where the match stood; null where too many moves had to be played to find out.",
            },
            "came": {**_list(_LOGGED), "description": "The moves that stand since then, or the first of them."},
            "came_count": {**COUNT, "description": "How many moves stand since then."},
            "gone": {
                **_list(_LOGGED),
                "description": "The moves that no longer stand, or the first of them.",
            },
            "gone_count": {**COUNT, "description": "How many moves no longer stand."},
            "players": {
                **_or_null(_list(ref("LoggedPlayer"))),
                "description": "Who sits where since then, if that was recorded.",
            },
            "version": {**_or_null(VERSION), "description": "The version that was restored, if one was."},
            "printed": {
                **_or_null(_list(ref("PrintedChange"))),
                "description": "The values that are others in the edition since then, or the first 10 of them, "
                "if it is another edition.",
            },
            "printed_count": {**COUNT, "description": "How many values are others in the edition since then."},
        }
    ),
    "LogLinePage": _page(ref("LogLine")),
    "Match": members({**_SUMMARY, "setup": ref("Setup")}),
    "MatchLink": members(_LINK),
    "MatchLinkPage": _page(ref("MatchLink")),
    "MatchPage": _page(ref("MatchSummary")),
    "MatchSummary": members(
        _SUMMARY,
        {
            "board": {**_or_null(TEXT), "description": "The last position as a small SVG without ids."},
            "score": {**_or_null(_map(NUMBER)), "description": "The points of each seat in the last position."},
        },
    ),
    "MatchTimes": members({"version": VERSION, "seats": _list(ref("SeatTime")), "plies": _list(ref("PlyTime"))}),
    "Me": members(
        {
            "account": {**_or_null(ref("Account")), "description": "Null for who is not signed in."},
            "scopes": SCOPES,
            "sign_in": {"type": "boolean", "description": "False if everybody may do everything."},
            "csrf_token": {
                "type": ["string", "null"],
                "description": "To be sent as `X-CSRF-Token` with every change that a session asks for.",
            },
        }
    ),
    "Move": {
        "description": "The move of the match's game.",
        **_of_a_game("Move"),
    },
    "MoveProblem": {
        "oneOf": [
            ref("IllegalMoveProblem"),
            ref("MalformedProblem"),
            ref("MalformedMoveProblem"),
            ref("RulingNotNeededProblem"),
            ref("Problem"),
        ]
    },
    "NewlyMadeInvitation": members({**_INVITATION, **_SHOWN_LINK}),
    "NewlyMadeMatchLink": members({**_LINK, "secret": SECRET}),
    "NewlyMadeSignInLink": members({**_SIGN_IN_LINK, **_SHOWN_LINK}),
    "NewlyMadeToken": members({**_TOKEN, "secret": SECRET}),
    "Player": members({"id": ID, "name": TEXT, "revision": COUNT, "created_at": TIME}),
    "PlayerChange": members(
        {
            "revision": COUNT,
            "name": TEXT,
            "merged_into": _or_null(ID),
            "actor": ACTOR,
            "changed_at": TIME,
        }
    ),
    "PlayerChangePage": _page(ref("PlayerChange")),
    "PlayerPage": _page(ref("Player")),
    "Position": members(_POSITION, {"legal_moves": _list(ref("Move"))}),
    "Readiness": members({"status": {"type": "string", "const": "ready"}, "migration": TEXT}),
    "Refusal": members({"kind": {"type": "string", "enum": ["physical", "rule"]}, "rule": TEXT}),
    "Replay": members({"match": ref("Match"), "frames": _list(ref("FramePart"))}),
    "Result": members(
        {
            "winners": _list(SEAT),
            "ranking": _list(ref("Ranked")),
            "decided_by": TEXT,
        }
    ),
    "ResultOnlySetup": {
        **members(
            {
                "result_only": {"const": True},
                "points": {
                    **_map({"type": "integer", "minimum": -999, "maximum": 9999}),
                    "propertyNames": Seat.shape,
                },
            },
            {"tie": ref("Tie")},
        ),
        "description": "Takes the place of a set-up where only the points of every seat are known.",
    },
    "Rights": members({"rights": SCOPES}),
    "RulesConflict": {
        **members(
            {
                "rules_version": COUNT,
                "ply": {**PLY, "description": "The first ply that no longer fits, or the last one if all fit."},
                "problem": _or_null(ref("IllegalMoveProblem")),
                "result": {**_or_null(ref("Result")), "description": "The result by these rules, if all moves fit."},
            }
        ),
        "description": "How the match is another one since the rules were changed, until accepted or corrected. "
        "In lists the reason is told in English.",
    },
    "Score": members(
        {"ply": PLY, "seats": _map(ref("SeatScore"))},
    ),
    "ScoreItem": members(
        {
            "category": TEXT,
            "points": NUMBER,
            "pieces": _list(TEXT),
            "cells": _list(TEXT),
            "sources": {**_list(TEXT), "description": "The spaces of the lamps, or the keys, that give the points."},
            "text": TEXT,
        }
    ),
    "Session": members(_SESSION),
    "SessionPage": _page(ref("Session")),
    "Setup": {
        "description": "What is decided before the first move of the match's game.",
        "anyOf": [*(ref(named("Setup", game)) for game in GAMES), ref("ResultOnlySetup")],
    },
    "SignInLink": members(_SIGN_IN_LINK),
    "SignInLinkPage": _page(ref("SignInLink")),
    "State": {
        "description": "The whole position, with what it would score now.",
        **_of_a_game("State"),
    },
    "Tie": {
        **members(
            {
                "winner": {**SEAT, "description": "One of the seats with the most points."},
                "decided_by": {
                    "type": "string",
                    "enum": sorted({tie_break for game in GAMES.values() for tie_break in game.tie_breaks}),
                    "description": "One of the `tie_breaks` of the game.",
                },
            }
        ),
        "description": "How equal points were decided where only the result is known. Without it they share the win.",
    },
    "Token": members(_TOKEN),
    "TokenPage": _page(ref("Token")),
    "Verdict": members(
        {
            "old_ply": PLY,
            "ply": PLY,
            "status": {"type": "string", "enum": [str(status) for status in VerdictStatus]},
        },
        {"problem": ref("IllegalMoveProblem")},
    ),
    "Verification": members(
        {
            "valid": {"type": "boolean"},
            "events": COUNT,
            "first_broken": _or_null(SEQ),
            "detail": _or_null(TEXT),
            "findings": {**_list(ref("Fault")), "maxItems": MAX_FINDINGS},
        }
    ),
}


def of_games() -> dict[str, JsonObject]:
    """The schemas of all games, for a document that is being built: to find what they repeat takes 30 ms."""
    found: dict[str, JsonObject] = {}
    for game in GAMES.values():
        prefix = named("", game.id)
        whole = {
            named(title.capitalize(), game.id): without_long_refusals(as_maps(schema))
            for title, schema in game.schemas.items()
        }
        found |= share_parts(share_titled(whole, prefix), prefix)
    return found
