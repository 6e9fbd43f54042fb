"""The outcome of a correction: its verdicts in the response, and their compact form under an idempotency key.

Verdicts repeat themselves: the first plies fit, one does not, and the rest was not reached. So they are stored as
numbers; for a match of 2,000 plies that is 0.1 kB instead of 82.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, cast

from domain.game import AnyGame
from domain.match import Correction, Verdict, VerdictStatus
from service.http.errors import VerdictDocument, read_refusal, stored_refusal, verdict_document
from service.http.shapes import Count


class CorrectionOutcome(TypedDict):
    """What became of later moves."""

    verdicts: Sequence[VerdictDocument]
    """One for each later move."""
    dropped: Count
    """How many moves were cut off."""


def keep_outcome(correction: Correction) -> dict[str, Any]:
    """The compact form of the verdicts."""
    verdicts = correction.verdicts
    refusals = [verdict.refusal for verdict in verdicts if verdict.refusal is not None]
    judged = {
        "old_ply": verdicts[0].old_ply if verdicts else 0,
        "ply": verdicts[0].ply if verdicts else 0,
        "fitting": sum(verdict.status is VerdictStatus.OK for verdict in verdicts),
        "refused": stored_refusal(refusals[0]) if refusals else None,
        "not_reached": sum(verdict.status is VerdictStatus.NOT_REACHED for verdict in verdicts),
    }
    return {"judged": judged, "dropped": correction.dropped}


def read_outcome(game: AnyGame, stored: Mapping[str, Any]) -> CorrectionOutcome:
    """The verdicts and the number of dropped plies, from the compact form."""
    if "verdicts" in stored:  # stored in full by an earlier release; such keys expire after 30 days
        return {"verdicts": stored["verdicts"], "dropped": stored["dropped"]}
    judged = stored["judged"]
    old_ply, ply, refused = judged["old_ply"], judged["ply"], judged["refused"]
    verdicts: list[VerdictDocument] = [
        verdict_document(Verdict(old_ply + number, ply + number, VerdictStatus.OK))
        for number in range(judged["fitting"])
    ]
    if refused is not None:
        verdicts.append(_refused(game, refused, old_ply + len(verdicts), ply + len(verdicts)))
    verdicts += [
        verdict_document(Verdict(old_ply + number, ply + number, VerdictStatus.NOT_REACHED))
        for number in range(len(verdicts), len(verdicts) + judged["not_reached"])
    ]
    return {"verdicts": verdicts, "dropped": stored["dropped"]}


def _refused(game: AnyGame, stored: Mapping[str, Any], old_ply: int, ply: int) -> VerdictDocument:
    if "problem" in stored:  # stored as a document by an earlier release, for as long
        return cast(VerdictDocument, stored)
    return verdict_document(Verdict(old_ply, ply, VerdictStatus.REFUSED, read_refusal(game, stored)))
