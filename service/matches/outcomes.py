"""The outcome of a correction: its verdicts in the response, and their compact form under an idempotency key.

Verdicts repeat themselves: the first plies fit, one does not, and the rest was not reached. So they are stored as
numbers; for a match of 2,000 plies that is 0.1 kB instead of 82.
"""

from collections.abc import Mapping
from typing import Any

from domain.match import Correction, Verdict, VerdictStatus
from service.http.errors import verdict_document


def keep_outcome(correction: Correction) -> dict[str, Any]:
    """The compact form of the verdicts."""
    verdicts = correction.verdicts
    refused = [verdict for verdict in verdicts if verdict.status is VerdictStatus.REFUSED]
    judged = {
        "old_ply": verdicts[0].old_ply if verdicts else 0,
        "ply": verdicts[0].ply if verdicts else 0,
        "fitting": sum(verdict.status is VerdictStatus.OK for verdict in verdicts),
        "refused": verdict_document(refused[0]) if refused else None,
        "not_reached": sum(verdict.status is VerdictStatus.NOT_REACHED for verdict in verdicts),
    }
    return {"judged": judged, "dropped": correction.dropped}


def read_outcome(stored: Mapping[str, Any]) -> dict[str, Any]:
    """The verdicts and the number of dropped plies, from the compact form."""
    if "verdicts" in stored:  # stored in full by an earlier release; such keys expire after 30 days
        return {"verdicts": stored["verdicts"], "dropped": stored["dropped"]}
    judged = stored["judged"]
    statuses = [VerdictStatus.OK] * judged["fitting"]
    statuses += [VerdictStatus.REFUSED] * (judged["refused"] is not None)
    statuses += [VerdictStatus.NOT_REACHED] * judged["not_reached"]
    verdicts = [
        judged["refused"]
        if status is VerdictStatus.REFUSED
        else verdict_document(Verdict(judged["old_ply"] + number, judged["ply"] + number, status))
        for number, status in enumerate(statuses)
    ]
    return {"verdicts": verdicts, "dropped": stored["dropped"]}
