"""Match texts: judged by the line of moves, and stored as if they had been entered now."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from domain import match as history
from domain.match import HistoryError, Timeline, notation
from domain.match.document import Annotation
from domain.match.notation import MatchText, Played
from service.context import services
from service.db.exchange import Known
from service.errors import UnknownEdition
from service.exchange.arriving.batch import Batch
from service.exchange.arriving.comparing import compare, record
from service.exchange.arriving.details import new_details
from service.exchange.arriving.editions import ReadableEditions, keep_edition
from service.exchange.arriving.existing import CONTENT, id_in_text
from service.exchange.arriving.merging import Merged, Merger
from service.exchange.arriving.new_matches import add_recorded_now, add_source, require_size
from service.exchange.arriving.notes import (
    add_annotation,
    content_of,
    new_note,
    require_notes_of_text,
    room_of_new_match,
)
from service.exchange.arriving.report import Outcome, Refused, twice
from service.identity import as_text, new_id, new_salt, now
from service.matches import commands


def take_text(batch: Batch, text: MatchText) -> Outcome:
    """Take a text over; raise `Refused` or `TextError`."""
    match_id, digest = id_in_text(text), notation.content_digest(text)
    existing = batch.existing
    known = existing.by_source.get((CONTENT, digest)) if match_id is None else existing.by_id.get(match_id)
    if known is not None and known.reads:
        return compare(batch, known, ComparedText(batch, text, known))
    if batch.is_double(CONTENT, digest) if match_id is None else batch.is_double("id", str(match_id)):
        return twice()
    return _take_new(batch, text, digest, match_id if known is None else None)


def _take_new(batch: Batch, text: MatchText, digest: str, match_id: UUID | None) -> Outcome:
    """Take over a text of a match that is not here, or is not to be read, under its id if that is free."""
    people = batch.people.seated(batch.connection, [name for _, name in text.seats])
    played = _play(batch, text, [str(player) for player in people])
    require_size(played.timeline)
    played_at = now() if text.info.played_at is None else datetime.fromisoformat(text.info.played_at)
    details = new_details(played_at, text.info.venue, text.info.tags, batch.options.visibility)
    require_notes_of_text(text)
    notes, full = room_of_new_match().fill(_notes(played))
    detail = _detail(played, len(played.notes) - len(notes), full)
    if batch.options.is_dry:
        return Outcome("new", None, detail)
    _keep_edition(batch, text, played)
    match_id = match_id or new_id()
    add_recorded_now(batch, match_id, played.timeline, played.drafts, details, now())
    of = batch.rows.of
    of["ruling_reasons"] += [(match_id, *reason) for reason in played.reasons]
    of["entered_times"] += [
        (match_id, seq, at) for seq, at in enumerate(played.recorded_at, start=1) if at is not None and seq > 1
    ]
    for annotation in notes:
        add_annotation(batch.rows, match_id, annotation)
    add_source(batch, match_id, CONTENT, digest, digest, played.timeline.version, 0)
    return Outcome("new", match_id, detail)


def _play(batch: Batch, text: MatchText, player_ids: Sequence[str]) -> Played:
    try:
        return notation.play(text, ReadableEditions(batch.connection, text.game), player_ids, new_salt)
    except UnknownEdition as error:
        raise Refused("unknown-edition", str(error), text.line_of("edition")) from None


def _notes(played: Played) -> list[Annotation]:
    moment = as_text(now())
    return [new_note(noted.seq, content_of(played.timeline.game, noted.note), moment) for noted in played.notes]


def _detail(played: Played, left_out: int, full: str | None) -> str | None:
    """What is to be said of a text that is taken over."""
    sentences = [f"Line {warning.line}: {warning.detail}" for warning in played.warnings[:1]]
    if full is not None:
        sentences.append(f"{left_out} of its notes were left out: {full}")
    return " ".join(sentences) or None


def _keep_edition(batch: Batch, text: MatchText, played: Played) -> None:
    base = text.edition.based_on or text.game.editions.default.id
    keep_edition(batch.connection, text.game, played.timeline.edition, base, text.line_of("edition"))


class ComparedText:
    """A text of a match that is here."""

    unit = "moves"

    def __init__(self, batch: Batch, text: MatchText, known: Known) -> None:
        self._batch = batch
        self._text = text
        self._known = known
        game, connection = services().game(known.game), batch.connection
        editions = services().editions(connection, game)
        recorded = services().timelines.load(connection, game, editions, known.match_id, known.version)
        self._timeline = recorded.timeline.at(known.version)
        here = [(frame.seat, frame.move) for frame in self._timeline.frames()[1:]]
        there = [(entry.seat, entry.move) for entry in text.moves]
        shared = min(len(here), len(there))
        has_same_setup = text.game is game and (
            history.dump_setup(game, self._timeline.setup) == history.dump_setup(game, text.setup)
        )
        self.is_forked = not has_same_setup or here[:shared] != there[:shared]
        self.surplus = len(there) - len(here)

    def extend(self) -> int:
        """Record the moves that the text has more, with their rulings."""
        first = self._timeline.ply + 1
        rulings = {
            ply: commands.new_ruling(remarks.ruling.reason)
            for ply, remarks in self._text.remarks.items()
            if remarks.ruling is not None and ply >= first
        }
        entries = [
            entry._replace(ruling=rulings[ply].digest if ply in rulings else None)
            for ply, entry in enumerate(self._text.moves, start=1)
            if ply >= first
        ]
        kept = {index - (first - 1) for index in notation.kept_rulings(self._text)}

        def act(timeline: Timeline) -> history.Change:
            return history.record(timeline, entries, kept)

        try:
            longer = act(self._timeline).timeline
        except HistoryError as error:
            raise Refused("move-refused", str(error)) from None
        require_size(longer)
        if not self._batch.options.is_dry:
            by_digest = {ruling.digest: ruling for ruling in rulings.values()}
            longer = record(self._batch, self._known, [act], by_digest)
        self._timeline = longer
        return longer.version

    def require_content(self) -> None:
        """Require that its notes can be stored."""
        require_notes_of_text(self._text)

    def merge(self, merger: Merger) -> Merged:
        """Take over notes."""
        return merger.take_text(self._timeline, self._text, as_text(now()))
