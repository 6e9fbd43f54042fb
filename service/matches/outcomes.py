"""What a correction came to: the verdicts of its answer, and the little that is kept of them under an idempotency key.

Verdicts say the same of many plies: the first ones fit, one does not, and the rest was not reached. So they are kept as
numbers; of a match of 2,000 plies that is 0.1 kB and not 82.
"""

from collections.abc import Mapping
from typing import Any

from domain.match import Correction, Verdict, VerdictStatus
from service.problems import verdict_document


def keep_outcome(correction: Correction) -> dict[str, Any]:
    """What is needed to answer with the verdicts again."""
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


def read_outcome(kept: Mapping[str, Any]) -> dict[str, Any]:
    """The verdicts and the number of plies that were cut, as they are answered."""
    if "verdicts" in kept:  # by a release that kept them as they are; such keys go after 30 days
        return {"verdicts": kept["verdicts"], "dropped": kept["dropped"]}
    judged = kept["judged"]
    statuses = [VerdictStatus.OK] * judged["fitting"]
    statuses += [VerdictStatus.REFUSED] * (judged["refused"] is not None)
    statuses += [VerdictStatus.NOT_REACHED] * judged["not_reached"]
    verdicts = [
        judged["refused"]
        if status is VerdictStatus.REFUSED
        else verdict_document(Verdict(judged["old_ply"] + number, judged["ply"] + number, status))
        for number, status in enumerate(statuses)
    ]
    return {"verdicts": verdicts, "dropped": kept["dropped"]}
