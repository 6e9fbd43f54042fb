"""Advice on each type of problem, for programmers."""

from collections.abc import Mapping
from typing import Final

HELP: Final[Mapping[str, str]] = {
    "bad-request": "Correct the header or the JSON that `detail` names; the same request will not succeed.",
    "sign-in-needed": "Send a token as `Authorization: Bearer`, or sign in.",
    "wrong-token": "Make a new token; this one is unknown, has expired or was revoked.",
    "cross-site": "Send a token instead of a cookie; pages of this service send their `X-CSRF-Token` too.",
    "not-allowed": "Use a token with the scope that is needed, or ask who manages the match or owns the installation.",
    "not-found": "Check the address and the id. What you may not read is answered in the same way.",
    "method-not-allowed": "Use one of the methods in the header `Allow`.",
    "not-acceptable": "Ask for a media type that the API document names for this address.",
    "already-so": "Nothing needs to be done.",
    "ambiguous-name": "Send the `player_id` of one of the `candidates` instead of the name.",
    "correction-conflict": "Correct the later moves first, or send `on_conflict` as `truncate` to cut them off.",
    "last-owner": "Make somebody else an owner first.",
    "match-abandoned": "Reopen the match, then repeat the request.",
    "match-finished": "Undo or correct a move instead.",
    "match-full": "The log has no room for more events. The match can still be read and exported.",
    "match-not-abandoned": "Nothing needs to be done: the match goes on, or it has ended.",
    "match-result-only": "Set the result by a correction of the set-up; there are no moves.",
    "rules-conflict": "Read `rules_conflict` of the match, then correct the move or accept the present rules.",
    "players-met": "Check the ids: both sat in one match, so they are two people.",
    "sign-in-off": "Start the service without `CARNET_OPEN=1` to use accounts and tokens.",
    "too-many-editions": "Use one of the editions that are there.",
    "too-many-annotations": "Delete or shorten annotations of this match first.",
    "too-many-links": "Revoke links of this match first.",
    "too-many-tokens": "Revoke tokens of this account first.",
    "stale-version": "Read the match again, decide anew, and send the ETag of this answer in `If-Match`.",
    "too-large": "Send less in one request, for example fewer moves in a batch.",
    "unsupported-media-type": "Send JSON with `Content-Type: application/json`.",
    "illegal-move": (
        "Show `detail` to the player. If `kind` is `rule` and it was played so, send the move again with a `ruling`."
    ),
    "key-reused": "Send a new `Idempotency-Key` with each new request, and the same one only to retry.",
    "malformed": "Correct what the pointers in `errors` name.",
    "malformed-move": "Correct what the pointers in `errors` name; `legal-moves` shows moves in the right form.",
    "match-too-long": "No more moves fit; correct or undo earlier ones.",
    "no-change": "Nothing needs to be done.",
    "out-of-range": "Read the match: its `ply` and `version` are the last ones.",
    "ruling-not-needed": "Send the move without a `ruling`.",
    "unknown-edition": "Choose one of the `editions` that `GET /api/v1/games` lists.",
    "unknown-player": "Check the id, or send a `name` instead.",
    "too-many-requests": "Wait for as many seconds as `Retry-After` says, then repeat the request.",
    "internal": "Report it with the `X-Request-ID` of the answer. Nothing was changed.",
    "database-away": "Repeat the request after `Retry-After` seconds, a POST with the same `Idempotency-Key`.",
    "took-too-long": "Ask for less, for example a shorter time, or repeat the request later.",
    "stopping": "Send requests to another process, or come back after `Retry-After` seconds.",
    "too-many-streams": "Close streams that are no longer needed, or come back after `Retry-After` seconds.",
}
"""By the last part of the `type`."""
