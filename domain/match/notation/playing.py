"""Plays the match of a text with every check, and tells a match as text."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple, Self

from domain.editions import changed_values
from domain.forms import FieldError, JsonObject, Malformed
from domain.game import AnyGame, EditionLookup, Seat, dump_result
from domain.match import acts, errors, events
from domain.match.events import Draft, Entry, Player
from domain.match.judging import judge, objection
from domain.match.notation.records import (
    NO_INFO,
    Checkpoint,
    EditionNamed,
    MatchInfo,
    MatchText,
    Note,
    Remarks,
    ResultNamed,
    Ruling,
    Seated,
    TextError,
    grouped,
)
from domain.match.timeline import Frame, Timeline, Unplayed

NOT_NEEDED: Final = "none"
"""The code of a ruling on a move that the rules allow since something before it was corrected."""


class SaltedReason(NamedTuple):
    """The reason of the ruling of an event, with the salt of its digest."""

    seq: int
    salt: str
    reason: str


class PlayedNote(NamedTuple):
    """A note with the event of its move."""

    ply: int
    seq: int
    note: Note


@dataclass(frozen=True, slots=True)
class Played:
    """A match of a text, played from its first move on as if it were entered now."""

    drafts: tuple[Draft, ...]
    timeline: Timeline
    recorded_at: tuple[str | None, ...]
    """For each draft the time that the text has, in the form of the text."""
    reasons: tuple[SaltedReason, ...]
    notes: tuple[PlayedNote, ...]
    warnings: tuple[TextError, ...]
    """Variations that the rules refuse; their notes are kept nevertheless."""


def play(match: MatchText, editions: EditionLookup, player_ids: Sequence[str], salt: Callable[[], str]) -> Played:
    """Play a match; raise `TextError` for the first line that does not hold.

    `player_ids` are those of `match.seats`, `salt` draws one for the reason of each ruling. A move that is refused, a
    ruling that is not needed or overrides another refusal, a checkpoint or result that differs: each is an error.
    """
    try:
        return _play(match, edition_of(match, editions), player_ids, salt)
    except TextError as error:
        error.starts = match.line_of("carnet")
        raise


def edition_of(match: MatchText, editions: EditionLookup) -> Any:
    """The edition of a match; raise `TextError` if it is not known and cannot be told from the text.

    A known one has the digest that the text names. Another one is made of the edition on which it is based, and of the
    values that the text says are printed otherwise: the caller may keep it.
    """
    named, line = match.edition, match.line_of("edition")
    try:
        edition = editions[named.id]
    except LookupError:
        edition = _amended(match, line)
    if named.digest is not None and edition.digest != named.digest:
        raise TextError("edition-differs", "The edition of this id has another digest.", line)
    return edition


def _amended(match: MatchText, line: int) -> Any:
    named = match.edition
    if named.based_on is None:
        raise TextError("unknown-edition", f"The edition {named.id} is not known.", line)
    if named.based_on not in match.game.editions:
        detail = f"The edition {named.based_on} does not come with the game."
        raise TextError("unknown-edition", detail, match.line_of("based-on"))
    try:
        return amended_edition(match.game, named)
    except Malformed as error:
        first = error.errors[0]
        raise TextError("wrong-edition", f"{first.pointer}: {first.detail}.", match.line_of("printed")) from None


def amended_edition(game: AnyGame, named: EditionNamed) -> Any:
    """The edition that differs from a built-in one as a text says; raise `Malformed`."""
    assert named.based_on is not None
    changes: JsonObject = {}
    for pointer, value in named.printed:
        *groups, last = [part.replace("~1", "/").replace("~0", "~") for part in pointer.removeprefix("/").split("/")]
        place = changes
        for group in groups:
            place = place.setdefault(group, {})
            if not isinstance(place, dict):
                raise Malformed([FieldError(pointer, "lies within a value")])
        place[last] = value
    return game.editions.amend(game.editions[named.based_on], named.id, named.title or named.id, changes)


def _play(match: MatchText, edition: Any, player_ids: Sequence[str], salt: Callable[[], str]) -> Played:
    players = [Player(seat, player) for (seat, _), player in zip(match.seats, player_ids, strict=True)]
    changes = [_create(match, edition, players)]
    reasons = [
        SaltedReason(ply + 1, salt(), remarks.ruling.reason) for ply, remarks in match.remarks.items() if remarks.ruling
    ]
    digests = {reason.seq: events.reason_digest(reason.salt, reason.reason) for reason in reasons}
    entries = [
        entry._replace(ruling=digests[seq]) if seq in digests else entry
        for seq, entry in enumerate(match.moves, start=2)
    ]
    if entries:
        changes.append(_record(match, changes[0].timeline, entries))
    timeline = changes[-1].timeline
    frames = timeline.frames()
    _require_checkpoints(match, timeline.game, frames)
    _require_result(match, timeline)
    if match.is_abandoned:
        changes.append(_abandon(match, timeline))
    return Played(
        tuple(draft for change in changes for draft in change.drafts),
        changes[-1].timeline,
        (
            *(match.remarks_at(ply).recorded_at for ply in range(len(match.moves) + 1)),
            *([None] if match.is_abandoned else []),
        ),
        tuple(reasons),
        tuple(PlayedNote(ply, ply + 1, note) for ply, remarks in match.remarks.items() for note in remarks.notes),
        tuple(_refused_variations(match, timeline.game, frames)),
    )


def _create(match: MatchText, edition: Any, players: Sequence[Player]) -> acts.Change:
    try:
        return acts.create(match.game, edition, players, match.setup)
    except Malformed as error:
        first = error.errors[0]
        part = "seat" if first.pointer.startswith("/players") else "setup"
        raise TextError(f"wrong-{part}", f"{first.pointer}: {first.detail}.", match.line_of(part)) from None


def _record(match: MatchText, begun: Timeline, entries: Sequence[Entry]) -> acts.Change:
    kept = kept_rulings(match)
    try:
        change = acts.record(begun, entries, kept)
    except errors.MatchResultOnly:
        detail = "A match of which only the result is known has no moves."
        raise TextError("result-only", detail, match.line_of_ply(1)) from None
    except (errors.MoveRefused, errors.RulingNotNeeded) as error:
        before = acts.record(begun, entries[: error.index], kept).timeline if error.index else begun
        _require_checkpoints(match, begun.game, before.frames())
        if isinstance(error, errors.MoveRefused):
            line = match.line_of_ply(error.ply)
            raise TextError("move-refused", str(error), line, refusal=error.refusal) from None
        ruling = match.remarks[error.ply].ruling
        assert ruling is not None
        raise TextError("ruling-not-needed", str(error), ruling.line) from None
    if match.rules_version == match.game.rules_version:
        frames = change.timeline.frames()
        for ply, remarks in match.remarks.items():
            if remarks.ruling is not None:
                _require_same_refusal(match.game, frames[ply], remarks.ruling)
    return change


def kept_rulings(match: MatchText) -> set[int]:
    """The indexes of the moves whose ruling stays though it is not needed."""
    return {
        ply - 1
        for ply, remarks in match.remarks.items()
        if remarks.ruling is not None and remarks.ruling.code == NOT_NEEDED
    }


def _require_same_refusal(game: AnyGame, frame: Frame, ruling: Ruling) -> None:
    """Require that a ruling names the refusal that it overrides."""
    assert frame.before is not None
    refusal = objection(game, frame.before, Entry(frame.seat, frame.move))
    if refusal is not None and refusal.code != ruling.code:
        detail = f"The rules refuse this move by {refusal.code} and not by {ruling.code}."
        raise TextError("ruling-differs", detail, ruling.line, refusal=refusal)


def _require_checkpoints(match: MatchText, game: AnyGame, frames: Sequence[Frame]) -> None:
    """Compare the checkpoints of all plies that were played, and name the first difference."""
    for frame in frames:
        for points, line in match.remarks_at(frame.ply).checkpoints:
            totals = game.rules.totals(frame.state)
            for seat, noted in points.items():
                if totals[seat] != noted:
                    detail = f"After ply {frame.ply} {seat} has {totals[seat]} points and not {noted}."
                    raise TextError("points-differ", detail, line)


def _require_result(match: MatchText, timeline: Timeline) -> None:
    noted, line = match.result, match.line_of("result")
    if noted is None:
        return
    result = timeline.result
    if result is None:
        raise TextError("no-result", "By its moves the match is not over.", line)
    for ranked in result.ranking:
        if ranked.points != noted.points[ranked.seat]:
            detail = f"By the rules {ranked.seat} has {ranked.points} points and not {noted.points[ranked.seat]}."
            raise TextError("result-differs", detail, line)
    if noted.decided_by not in (None, result.decided_by):
        detail = f"By the rules it was decided by {result.decided_by} and not by {noted.decided_by}."
        raise TextError("result-differs", detail, line)


def _abandon(match: MatchText, timeline: Timeline) -> acts.Change:
    try:
        return acts.abandon(timeline)
    except errors.MatchFinished:
        raise TextError("finished", "By its moves the match is over.", match.line_of("abandoned")) from None


def _refused_variations(match: MatchText, game: AnyGame, frames: Sequence[Frame]) -> Iterator[TextError]:
    """The refusal in each line of the variations that has one; what follows there is not judged."""
    line_of_match = {frame.ply: frame for frame in frames}
    for remarks in match.remarks.values():
        for note in remarks.notes:
            stack = [line_of_match]
            for variation, continues in grouped(note.variations):
                depth, number, entry, at = variation
                if not continues:
                    parent = stack[depth - 1]
                    stack[depth:] = [{number - 1: parent[number - 1]} if number - 1 in parent else {}]
                before = stack[depth].get(number - 1)
                if before is None:
                    continue
                try:
                    stack[depth][number] = judge(game, before, entry, None)
                except (errors.MoveRefused, errors.MatchResultOnly) as error:
                    refusal = error.refusal if isinstance(error, errors.MoveRefused) else None
                    yield TextError("variation-refused", str(error), at, 1, match.line_of("carnet"), refusal)


def transcribe(
    timeline: Timeline,
    names: Mapping[str, str | None],
    info: MatchInfo = NO_INFO,
    *,
    reasons: Mapping[int, str] | None = None,
    notes: Mapping[int, Sequence[Note]] | None = None,
    recorded_at: Mapping[int, str] | None = None,
    checkpoints: bool = False,
) -> MatchText:
    """A match as records of the match text.

    `names` has the names of players by their ids, `reasons` and `recorded_at` stand by events, `notes` by plies.
    Times are in the form of `domain.moments.utc`. With `checkpoints` every ply tells the points after it.
    """
    facts = StateFacts.of(timeline, checkpoints=checkpoints)
    return transcribe_unplayed(
        timeline.unplayed, facts, names, info, reasons=reasons, notes=notes, recorded_at=recorded_at
    )


class StateFacts(NamedTuple):
    """What a match text takes from states; the rest comes from the log."""

    result: ResultNamed | None = None
    overridden: Mapping[int, str] = {}
    """The codes of the refusals that rulings override, by the plies of all rulings."""
    points: Mapping[int, Mapping[Seat, int]] = {}
    """The points of all seats, by the plies of checkpoints."""

    @classmethod
    def of(cls, timeline: Timeline, *, checkpoints: bool = False) -> Self:
        """Those of a match that was played."""
        game, line = timeline.game, timeline.frames()
        return cls(
            result_named(dump_result(timeline.result)),
            {frame.ply: _overridden(game, frame) for frame in line if frame.ruling is not None},
            {frame.ply: game.rules.totals(frame.state) for frame in line} if checkpoints else {},
        )


def result_named(result: JsonObject | None) -> ResultNamed | None:
    """A result as a text has it, from its JSON."""
    if result is None:
        return None
    points = {ranked["seat"]: ranked["points"] for ranked in result["ranking"]}
    return ResultNamed(points, None if result["decided_by"] == "points" else result["decided_by"])


def transcribe_unplayed(
    match: Unplayed,
    facts: StateFacts,
    names: Mapping[str, str | None],
    info: MatchInfo = NO_INFO,
    *,
    reasons: Mapping[int, str] | None = None,
    notes: Mapping[int, Sequence[Note]] | None = None,
    recorded_at: Mapping[int, str] | None = None,
) -> MatchText:
    """Like `transcribe`, without any state: what the text needs of these is given."""
    reasons, notes, recorded_at = reasons or {}, notes or {}, recorded_at or {}
    game, outline, rules_version = match
    line = [outline.start, *outline.line.moves()]
    moves = [entry for entry, _, _ in line if entry is not None]
    for ply in facts.overridden:
        moves[ply - 1] = moves[ply - 1]._replace(ruling=None)
    remarked = {*facts.overridden, *facts.points, *notes}
    if recorded_at:
        remarked.update(ply for ply, (_, seq, _) in enumerate(line) if seq in recorded_at)

    def remarks_of(ply: int) -> Remarks:
        seq = line[ply].seq
        return Remarks(
            Ruling(facts.overridden[ply], reasons.get(seq, "")) if ply in facts.overridden else None,
            recorded_at.get(seq),
            (Checkpoint(dict(facts.points[ply])),) if ply in facts.points else (),
            tuple(notes.get(ply, ())),
        )

    return MatchText(
        game,
        edition_named(game, outline.edition),
        rules_version,
        tuple(Seated(seat, names.get(player)) for seat, player in outline.players),
        outline.setup,
        tuple(moves),
        {ply: remarks_of(ply) for ply in sorted(remarked)},
        info,
        facts.result,
        outline.abandoned,
    )


def _overridden(game: AnyGame, frame: Frame) -> str:
    assert frame.before is not None
    refusal = objection(game, frame.before, Entry(frame.seat, frame.move))
    return NOT_NEEDED if refusal is None else refusal.code


@lru_cache(maxsize=64)
def edition_named(game: AnyGame, edition: Any) -> EditionNamed:
    """The edition of a match as the text has it: one that is not built in with all that it prints otherwise.

    If that does not make the same document again, the text has the id and the digest alone.
    """
    if edition.id in game.editions:
        return EditionNamed(edition.id, edition.digest)
    base = min(game.editions.values(), key=lambda base: len(changed_values(base.document, edition.document)))
    printed = tuple(changed_values(base.document, edition.document))
    named = EditionNamed(edition.id, edition.digest, base.id, edition.title, printed)
    is_whole = amended_edition(game, named).digest == edition.digest
    return named if is_whole else EditionNamed(edition.id, edition.digest)
