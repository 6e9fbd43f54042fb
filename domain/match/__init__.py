"""The history of a match: what can be done to it, the events that come of it, and the timeline to which they fold.

>>> from domain.catalogue import GAMES
>>> game = GAMES["cite-lumiere"]
>>> edition = game.editions.default
>>> setup = game.setup.parse({"first": "orange", "postcards": list(edition.first_game_set)})
>>> def take(building, ruling=None, seat=None):
...     return Entry(seat, game.move.parse({"type": "take", "building": building}), ruling)

An act answers with what to append to the log, and with the timeline after it.

>>> created = create(game, edition, [Player("orange", "ana"), Player("blue", "jan")], setup)
>>> made = record(created.timeline, [take("L4"), take("U6")])
>>> made.timeline
Timeline(version=3, ply=2, status=in_progress)
>>> try:
...     record(made.timeline, [take("X5", seat="blue")])
... except MoveRefused as refused:
...     print(refused.refusal.code, refused.refusal.kind)
not_your_turn rule

A move that the rules alone refuse can be recorded by a table ruling, whose reason is kept as a digest.

>>> ruled = record(made.timeline, [take("X5", reason_digest("salt", "Nobody noticed."), "blue")])
>>> corrected = replace(ruled.timeline, 2, take("I3"))
>>> [(verdict.ply, str(verdict.status)) for verdict in corrected.verdicts]
[(3, 'ok')]

A draft is sealed into the chain of the log, and the log folds to the timeline of the acts.

>>> log = []
>>> for number, draft in enumerate((*created.drafts, *made.drafts, *ruled.drafts, *corrected.drafts), start=1):
...     before = log[-1].hash if log else None
...     at = "2026-11-14T19:30:00.000000Z"
...     log.append(seal(draft, match_id="m", seq=number, actor=None, recorded_at=at, prev_hash=before))
>>> verify(log, game.editions)
>>> [frame.move.building for frame in fold(game, game.editions, log).frames()[1:]]
['L4', 'I3', 'X5']
"""

from domain.editions import differences, only_replaces_assumptions
from domain.match.acts import (
    Change,
    Correction,
    abandon,
    assign_players,
    change_edition,
    correct_setup,
    create,
    cut,
    insert,
    record,
    remove,
    reopen,
    replace,
    restore,
    undo,
    what_if,
)
from domain.match.errors import (
    CorrectionConflict,
    HistoryError,
    MatchAbandoned,
    MatchFinished,
    MatchNotAbandoned,
    MatchResultOnly,
    MoveRefused,
    MoveUnplayable,
    NoChange,
    OutOfRange,
    RulingNotNeeded,
    Verdict,
    VerdictStatus,
)
from domain.match.events import (
    Action,
    Draft,
    Entry,
    Event,
    EventKind,
    LogBroken,
    Player,
    PlayerId,
    Written,
    reason_digest,
    seal,
    verify,
)
from domain.match.judging import OnConflict, Rejudged, rejudge
from domain.match.leads import TurningPoint, turning_point
from domain.match.outline import Outline, Recorded
from domain.match.result_only import ResultOnly, dump_setup, parse_setup
from domain.match.timeline import Frame, Playback, Status, Timeline, Unplayed, describe, fold, read_unplayed, resume
