"""Takes matches over, each judged by what is there already: new, the same, longer, forked, changed or refused."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from hashlib import sha256
from itertools import pairwise
from typing import Any, Final, NamedTuple, NotRequired, TypedDict
from uuid import UUID
from zoneinfo import ZoneInfo

import orjson

from domain import match as history
from domain.catalogue import GAMES
from domain.forms import Malformed
from domain.game import AnyGame, EditionLookup
from domain.match import (
    Event,
    EventKind,
    HistoryError,
    LogBroken,
    MoveUnplayable,
    Player,
    Status,
    Timeline,
    notation,
    seal,
)
from domain.match import document as documents
from domain.match.document import Annotation, DocumentError, MatchDocument, Wording
from domain.match.notation import MatchText, Played, TextError
from service.auth.authentication import current_principal, viewer
from service.context import services
from service.db import editions as edition_rows
from service.db import entered as entered_times
from service.db import events as event_log
from service.db import exchange, facts, matches, players
from service.db.categories import RULINGS_SETTINGS
from service.db.exchange import Known, Rows
from service.db.matches import MatchDetails
from service.db.pool import Connection, extend_limits
from service.db.touches import touch
from service.errors import UnknownEdition
from service.exchange.arriving.merging import (
    TOO_MANY,
    Merged,
    Merger,
    Revisions,
    Taken,
    add_annotation,
    content_of,
    details_row,
    find_present,
    in_order,
    is_content,
    match_details,
    others_here,
    room_for,
)
from service.exchange.arriving.people import People, Unclear
from service.exchange.files import Source
from service.exchange.plays import Play, Unread
from service.games.editions import has_room_for_edition, readable_edition
from service.http.fields import MAX_NAME, MAX_TEXT
from service.http.shapes import GameId, Id, Time
from service.identity import as_text, is_id, new_id, new_salt, now
from service.matches import commands
from service.matches.rules_change import head_of
from service.matches.schemas import MAX_PLIES, MAX_TAGS
from service.metrics import METRICS
from service.names import has_ink
from service.permissions import Right, Standing, Visibility, rights_on
from service.stats.facts import facts_of, keep_facts, keep_variant, variant_of
from service.timelines import Recorded

TIME_LIMIT: Final = "60s"
"""Of the statements of a transaction and of the time between. Four hundred matches are judged in two seconds, on a slow
machine in twenty, and for as long others wait for the lock."""
MAX_AHEAD: Final = timedelta(days=1)
NOON: Final = time(12)
"""The time of matches of which only the day is known."""
DATE_ONLY: Final = frozenset({"bgg"})
CONTENT: Final = "text"
"""The system of matches that are known by what was played alone."""

OUTCOMES: Final = ("new", "same", "longer", "changed", "forked", "refused", "skipped")


class ImportItem(TypedDict):
    """What became of one match of a file."""

    number: int
    """Its place in the file, from 1."""
    line: int | None
    """Where it begins in a file of lines, or where it is wrong; the number of a play in other files."""
    outcome: str
    """`new`; `same` as a match that is there; `longer` than one, which goes on with `extend`; `changed` if it brought
    later notes, details or, from other programs, results to one; `forked` if both have gone on apart, or were changed;
    `refused`; or `skipped`, as are plays of other games."""
    match_id: Id | None
    """The match that it is or became here."""
    game: GameId | None
    players: list[str]
    """Their names in the file."""
    played_at: Time | None
    detail: str | None
    """Why it was refused, or what is to be said besides."""
    taken: NotRequired[Taken]
    """The notes and details that it brought to a match that was here."""
    version: NotRequired[int]
    """The version that it left of a match that went on or was changed."""
    code: NotRequired[str]
    """A stable word for the reason, if it has one."""
    column: NotRequired[int]
    """Where the line is wrong."""


class Refused(Exception):
    """A match that is not taken over."""

    def __init__(self, code: str, detail: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.line = line
        self.column = column


class Options(NamedTuple):
    """How a file is to be taken over."""

    is_dry: bool
    extends: bool
    visibility: Visibility | None
    zone: ZoneInfo


class _About(NamedTuple):
    """What the report says of a match whatever becomes of it."""

    line: int | None
    game: str | None
    players: list[str]
    played_at: str | None


class _Outcome(NamedTuple):
    outcome: str
    match_id: UUID | None = None
    detail: str | None = None
    version_before: int | None = None
    taken: Taken | None = None
    version: int | None = None
    """The version that it left of a match that was here."""


class Arrivals:
    """Takes the matches of one file over, some of them in each transaction."""

    def __init__(self, connection: Connection, import_id: UUID, system: str, options: Options) -> None:
        self.counts = dict.fromkeys(OUTCOMES, 0)
        self.people = People(connection, system, is_dry=options.is_dry)
        self._connection = connection
        self._import_id = import_id
        self._options = options
        self.number = 0
        """How many matches of the file were taken over or refused."""
        self._seen: set[bytes] = set()
        """Digests of the identities of new matches of the file, so that a dry run finds doubles too."""
        self._rows = Rows()
        self._facts: dict[UUID, facts.MatchFacts] = {}
        self._written: list[tuple[UUID, Recorded]] = []

    def pass_over(self, outcome: str) -> None:
        """Count the next match of the file, which was taken over or refused before."""
        self.number += 1
        self.counts[outcome] += 1

    def take(self, sources: Sequence[Source]) -> list[ImportItem]:
        """Take some matches over in one transaction, and report of each."""
        first = self.number
        counts = dict(self.counts)
        self.people.renew()
        self._touched: set[UUID] = set()
        try:
            with self._connection.transaction():
                extend_limits(self._connection, TIME_LIMIT)
                if not self._options.is_dry:
                    exchange.lock(self._connection)
                self._find(sources)
                reports = [self._take(source) for source in sources]
                if not self._options.is_dry:
                    self._rows.write(self._connection)
                    facts.add(self._connection, self._facts)
                    exchange.note_counts(self._connection, self._import_id, self.counts, is_finished=False)
        except BaseException:
            self.number, self.counts = first, counts
            self.people.forget()
            raise
        finally:
            self._rows = Rows()
            self._facts = {}
            written, self._written = self._written, []
        for match_id, recorded in written:
            services().publish(match_id, recorded)
        return reports

    # One match

    def _find(self, sources: Sequence[Source]) -> None:
        """Look up what is there of some matches, all at once."""
        ids, people, annotations = set[UUID](), set[UUID](), set[UUID]()
        keys = set[tuple[str, str]]()
        for source in sources:
            match source:
                case MatchDocument():
                    ids.add(UUID(source.id))
                    people.update(UUID(person.id) for person in source.people)
                    annotations.update(UUID(annotation.id) for annotation in source.annotations)
                case MatchText() if source.info.id is not None and is_id(source.info.id):
                    ids.add(UUID(source.info.id))
                case MatchText():
                    keys.add((CONTENT, notation.content_digest(source)))
                case Play():
                    keys.add((source.system, source.external_id))
        self._by_id = exchange.by_id(self._connection, ids, viewer())
        self._by_source = exchange.by_source(self._connection, keys, viewer())
        self._people_here = players.survivors(self._connection, people, viewer())
        self._annotations_here = exchange.annotations_here(self._connection, annotations)
        ends = [
            (known.match_id, min(len(source.events), known.version))
            for source in sources
            if isinstance(source, MatchDocument) and (known := self._by_id.get(UUID(source.id))) is not None
        ]
        self._hashes = exchange.hashes_at(self._connection, [one for one, _ in ends], [seq for _, seq in ends])
        here = [*self._by_id.values(), *self._by_source.values()]
        self._present = find_present(self._connection, {known.match_id for known in here if known.reads})

    def _take(self, source: Source) -> ImportItem:
        self.number += 1
        about = _about(source)
        more: dict[str, Any] = {}
        try:
            result = self._judge(source)
            self.people.add_pending(self._connection)
        except Refused as refused:
            result = _Outcome("refused", None, refused.detail)
            about = about._replace(line=refused.line or about.line)
            more = {"code": refused.code, **({} if refused.column is None else {"column": refused.column})}
        except Unclear as unclear:
            result, more = _Outcome("refused", None, f"{_capital(str(unclear))}."), {"code": "unclear-player"}
        if result.outcome == "refused":
            self.people.drop_pending()
        if result.taken is not None:
            more["taken"] = result.taken
        if result.version is not None:
            more["version"] = result.version
        self.counts[result.outcome] += 1
        report: ImportItem = {
            "number": self.number,
            "line": about.line,
            "outcome": result.outcome,
            "match_id": None if result.match_id is None else str(result.match_id),
            "game": about.game,
            "players": about.players,
            "played_at": about.played_at,
            "detail": result.detail,
            **more,  # type: ignore[typeddict-item]
        }
        if not self._options.is_dry:
            told = orjson.dumps(report).decode()
            changed = result.match_id if result.outcome in {"new", "longer", "changed"} else None
            row = (self._import_id, self.number, about.line, result.outcome, changed, result.version_before, told)
            self._rows.of["import_items"].append(row)
        return report

    def _judge(self, source: Source) -> _Outcome:
        match source:
            case TextError():
                raise Refused(source.code, source.detail, source.line or None, source.column)
            case DocumentError():
                raise Refused("malformed", str(source)[:500], source.line)
            case Unread() if source.is_other_game:
                return _Outcome("skipped", None, f"{_capital(source.detail)}.")
            case Unread():
                raise Refused("unread", f"{_capital(source.detail)}.", source.line)
            case MatchDocument():
                return self._take_document(source)
            case MatchText():
                return self._take_text(source)
            case Play():
                return self._take_play(source)

    def _is_double(self, *identity: str) -> bool:
        """Whether the file had a new match of this identity before."""
        digest = sha256("\n".join(identity).encode()).digest()[:16]
        is_double = digest in self._seen
        self._seen.add(digest)
        return is_double

    # Documents

    def _take_document(self, document: MatchDocument) -> _Outcome:
        known = self._by_id.get(UUID(document.id))
        if known is not None:
            return self._compare_document(document, known)
        if self._is_double("id", document.id):
            return _Outcome("same", None, "It is in the file twice.")
        checked = self._check(document)
        timeline, match_id = checked.timeline, UUID(document.id)
        self._require_size(timeline)
        self._require_whole(document)
        self._require_own_actors(document)
        self._require_room(document)
        unknown = self._unknown_people(document, timeline)
        self.people.bring(self._connection, unknown)
        if self._options.is_dry:
            return _Outcome("new")
        self._add_people(unknown)
        self._keep_editions(document, checked)
        self._add_document(match_id, document, timeline)
        return _Outcome("new", match_id)

    def _unknown_people(self, document: MatchDocument, timeline: Timeline) -> dict[UUID, str | None]:
        """The people of a document who are not here; raise `Refused` for those whom the importer does not know."""
        seated_ever = documents.seated_in(document)
        people = {UUID(person.id): person.name for person in document.people if person.id in seated_ever}
        if not all(self._people_here[one][1] for one in people.keys() & self._people_here.keys()):
            raise Refused("unknown-player", "One of its players is somebody here whom you do not know.")
        unknown = {one: name for one, name in people.items() if one not in self._people_here}
        if not all(name is None or has_ink(name) for name in unknown.values()):
            raise Refused("unclear-player", "One of its players has no visible name.")
        survivors = {one: here for one, (here, _) in self._people_here.items()}
        survivors |= {one: self.people.mapped(name) or one for one, name in unknown.items() if name is not None}
        seated = [UUID(player) for _, player in timeline.players]
        if len({survivors.get(player, player) for player in seated}) < len(seated):
            raise Refused("unclear-player", "Two of its players are the same person.")
        return unknown

    def _add_people(self, unknown: Mapping[UUID, str | None]) -> None:
        self.people.add_known(self._connection, unknown)
        for player_id, name in unknown.items():
            survivor = None if name is None else self.people.mapped(name)
            self._people_here[player_id] = (survivor or player_id, True)

    def _require_whole(self, document: MatchDocument) -> None:
        """Refuse what the database would not keep."""
        ids = {UUID(annotation.id) for annotation in document.annotations}
        if ids & (self._annotations_here | self._rows.annotation_ids):
            raise Refused("taken", "One of its annotations has the id of another one that is here.")
        if len(set(document.sources)) < len(document.sources):
            raise Refused("malformed", "One of its sources is there twice.")
        _require_annotations(document)

    def _require_room(self, document: MatchDocument) -> None:
        if room_for(document.annotations) < len(document.annotations):
            raise Refused("too-many-annotations", f"It has too many notes: {TOO_MANY}")

    def _compare_document(self, document: MatchDocument, known: Known) -> _Outcome:
        if not known.reads:
            raise Refused("taken", "Its id is taken.")
        version = len(document.events)
        shared = min(version, known.version)
        if self._hashes.get((known.match_id, shared)) != document.events[shared - 1].hash:
            return _Outcome("forked", known.match_id, "It was recorded differently here.")
        if known.match_id in self._touched:
            return _Outcome("same", known.match_id, "It is in the file twice.")
        if version > known.version:
            return self._lengthen_by_document(document, known)
        outcome = self._again(known, None if version == known.version else "It has gone on here since.")
        return self._merged(outcome, known, lambda merger: merger.take_document(self._checked_notes(document)))

    def _lengthen_by_document(self, document: MatchDocument, known: Known) -> _Outcome:
        more = len(document.events) - known.version
        if not self._options.extends:
            return _Outcome("longer", known.match_id, f"It has {more} events more than here.")
        rights = rights_here(known)
        if Right.RECORD not in rights:
            raise Refused("not-allowed", "It goes on, and only its people may record that here.")
        timeline = self._check(document).timeline
        added = document.events[known.version :]
        self._require_size(timeline)
        self._require_own_actors(document, added)
        if Right.MANAGE not in rights and any(event.kind == EventKind.PLAYERS_ASSIGNED for event in added):
            raise Refused("not-allowed", "It seats other people, which only who manages the match may do here.")
        unknown = self._unknown_people(document, timeline)
        if not self._options.is_dry:
            self._add_people(unknown)
            self._extend(document, known, timeline)
        outcome = _Outcome("longer", known.match_id, None, known.version, version=timeline.version)
        return self._merged(outcome, known, lambda merger: merger.take_document(self._checked_notes(document)))

    def _checked_notes(self, document: MatchDocument) -> MatchDocument:
        """A document of a match that is here, of whose notes and details none is of another form."""
        _require_annotations(document)
        _require_details(document.details)
        return document

    def _merged(self, outcome: _Outcome, known: Known, take: Callable[[Merger], Merged]) -> _Outcome:
        """Take over what the file has besides of a match that is here, and say so."""
        present = self._present[known.match_id]
        rows = Rows() if self._options.is_dry else self._rows
        merger = Merger(
            self._connection, rows, known.match_id, present, rights_here(known), is_dry=self._options.is_dry
        )
        merged = take(merger)
        self._touched.add(known.match_id)
        sentences = [*([] if outcome.detail is None else [outcome.detail]), *merged.sentences]
        detail = " ".join(sentences) or None
        if not merged.is_change:
            return outcome._replace(detail=detail)
        if not self._options.is_dry:
            touch(self._connection, [known.match_id])
            if merged.taken["details"] is not None:
                self._keep_facts(known.match_id)
        outcome = outcome._replace(detail=detail, taken=merged.taken)
        if outcome.outcome == "same":
            return outcome._replace(outcome="changed", version_before=known.version, version=known.version)
        return outcome

    def _keep_facts(self, match_id: UUID) -> None:
        row = matches.lock(self._connection, match_id)
        assert row is not None
        keep_facts(self._connection, match_id, commands.load_locked(self._connection, row).timeline)

    def _check(self, document: MatchDocument) -> documents.Checked:
        try:
            return documents.check(document, self._editions(document.game))
        except LogBroken as broken:
            raise Refused("broken-log", f"Event {broken.seq}: {broken.detail}.") from None
        except Malformed as error:
            raise Refused("malformed", f"{error.errors[0].pointer}: {error.errors[0].detail}.") from None
        except MoveUnplayable as error:
            raise Refused("broken-log", str(error)) from None

    def _require_own_actors(self, document: MatchDocument, events: Iterable[Event] | None = None) -> None:
        """Refuse what would be said to be done by accounts of this installation: nobody acts for another one."""
        actors = {event.actor for event in (document.events if events is None else events)}
        if events is None:
            actors |= {details.actor for details in document.details}
            for annotation in document.annotations:
                actors |= {annotation.author, *(wording.actor for wording in annotation.wordings)}
        if others_here(self._connection, actors):
            detail = "It names other accounts of this installation as those who recorded it."
            raise Refused("not-allowed", f"{detail} Its text can be imported.")

    def _editions(self, game: AnyGame) -> EditionLookup:
        """The editions that the importer may read; others are as if they were not here."""
        return _ReadableEditions(self._connection, game)

    def _keep_editions(self, document: MatchDocument, checked: documents.Checked) -> None:
        for edition_id, edition in checked.editions.items():
            if edition_id in document.game.editions:
                continue
            base = str(edition.document.get("based_on", document.game.editions.default.id))
            self._keep_edition(document.game, edition, base)

    def _keep_edition(self, game: AnyGame, edition: Any, base: str, line: int | None = None) -> None:
        """Keep an edition that came along; one that is here must be the same."""
        if not is_id(edition.id):
            raise Refused("unknown-edition", "The id of its edition is no UUID.", line)
        here = edition_rows.find(self._connection, game.id, UUID(edition.id))
        if here is not None:
            if game.editions.load(here).digest != edition.digest:
                raise Refused("edition-differs", "The edition of this id is another one here.", line)
            return
        if not has_room_for_edition(self._connection):
            raise Refused("too-many-editions", "You have as many editions as an account may have.", line)
        edition_rows.insert(self._connection, UUID(edition.id), base, edition.document, current_principal().account_id)

    def _add_document(self, match_id: UUID, document: MatchDocument, timeline: Timeline) -> None:
        last = document.details[-1]
        wanted = self._options.visibility
        details = list(document.details)
        if wanted is not None and wanted != last.visibility:
            actor, moment = current_principal().actor, as_text(now())
            last = last._replace(revision=last.revision + 1, visibility=str(wanted), actor=actor, changed_at=moment)
            details.append(last)
        _require_details(details)
        rules_version = timeline.rules_version
        self._add_match(match_id, timeline, rules_version, document.created_at, match_details(last), last.revision)
        of = self._rows.of
        of["match_details"] += [details_row(match_id, one) for one in details]
        self._add_events(match_id, document.events)
        of["ruling_reasons"] += [(match_id, *reason) for reason in document.reasons]
        of["entered_times"] += [(match_id, *entered) for entered in document.entered]
        for annotation in document.annotations:
            add_annotation(self._rows, match_id, annotation)
        for source in document.sources:
            self._add_source(match_id, source.source, source.id, "", timeline.version, last.revision)

    def _extend(self, document: MatchDocument, known: Known, timeline: Timeline) -> None:
        """Append what a document has more than the match here."""
        row = matches.lock(self._connection, known.match_id)
        if row is None or row["version"] != known.version:
            raise Refused("stale", "It was changed here meanwhile.")
        added = document.events[known.version :]
        reasons = [
            event_log.Reason(reason.seq, reason.salt, reason.reason)
            for reason in document.reasons
            if reason.seq > known.version
        ]
        event_log.append_locked(self._connection, known.match_id, head_of(timeline), added, reasons)
        times = {one.seq: datetime.fromisoformat(one.at) for one in document.entered if one.seq > known.version}
        if times:
            entered_times.keep(self._connection, known.match_id, times)
        keep_variant(self._connection, known.match_id, timeline)
        if row["status"] == "finished" or timeline.status is Status.FINISHED:
            keep_facts(self._connection, known.match_id, timeline)
        self._written.append((known.match_id, Recorded(timeline, added[-1].hash)))

    # Texts

    def _take_text(self, text: MatchText) -> _Outcome:
        match_id = UUID(text.info.id) if text.info.id is not None and is_id(text.info.id) else None
        known = self._by_id.get(match_id) if match_id is not None else None
        digest = notation.content_digest(text)
        if known is None and match_id is None:
            known = self._by_source.get((CONTENT, digest))
        if known is not None and known.reads:
            return self._compare_text(text, known)
        if self._is_double("id", str(match_id)) if match_id is not None else self._is_double(CONTENT, digest):
            return _Outcome("same", None, "It is in the file twice.")
        if match_id is None or known is not None:
            match_id = new_id()
        people = self.people.seated(self._connection, [name for _, name in text.seats])
        played = self._play(text, [str(player) for player in people])
        self._require_size(played.timeline)
        details = self._details_of_text(text)
        self._require_notes(text)
        added = self._notes_of_text(played)
        detail = _warned(played.warnings)
        if room := len(played.notes) - len(added):
            detail = " ".join([*([] if detail is None else [detail]), f"{room} of its notes were left out: {TOO_MANY}"])
        if self._options.is_dry:
            return _Outcome("new", None, detail)
        self._keep_edition_of_text(text, played)
        self._add_played(match_id, played, details)
        for annotation in added:
            add_annotation(self._rows, match_id, annotation)
        self._add_source(match_id, CONTENT, digest, digest, played.timeline.version, 0)
        return _Outcome("new", match_id, detail)

    def _notes_of_text(self, played: Played) -> Sequence[Annotation]:
        """The notes of a text, as far as there is room for them."""
        game, moment, actor = played.timeline.game, as_text(now()), current_principal().actor
        found = [
            Annotation(
                str(new_id()),
                noted.seq,
                actor,
                moment,
                (Wording(0, content_of(game, noted.note), False, False, actor, moment),),
            )
            for noted in played.notes
        ]
        return in_order(found[: room_for(found)])

    def _play(self, text: MatchText, player_ids: Sequence[str]) -> Played:
        try:
            return notation.play(text, self._editions(text.game), player_ids, new_salt)
        except TextError as error:
            raise Refused(error.code, error.detail, error.line or None, error.column) from None
        except UnknownEdition as error:
            raise Refused("unknown-edition", str(error), text.line_of("edition")) from None

    def _compare_text(self, text: MatchText, known: Known) -> _Outcome:
        """Compare the line of a text with that of a match that is here."""
        game = services().game(known.game)
        loaded = services().timelines.load(
            self._connection, game, services().editions(self._connection, game), known.match_id, known.version
        )
        timeline = loaded.timeline.at(known.version)
        here = [(frame.seat, frame.move) for frame in timeline.frames()[1:]]
        there = [(ply.entry.seat, ply.entry.move) for ply in text.plies if ply.entry is not None]
        shared = min(len(here), len(there))
        same_setup = text.game is game and history.dump_setup(game, timeline.setup) == history.dump_setup(
            game, text.setup
        )
        if not same_setup or here[:shared] != there[:shared]:
            return _Outcome("forked", known.match_id, "It was recorded differently here.")
        if known.match_id in self._touched:
            return _Outcome("same", known.match_id, "It is in the file twice.")
        if len(there) <= len(here):
            outcome = self._again(known, None if len(there) == len(here) else "It has gone on here since.")
            return self._merged(outcome, known, lambda merger: self._take_notes(merger, text, timeline))
        if not self._options.extends:
            return _Outcome("longer", known.match_id, f"It has {len(there) - len(here)} moves more than here.")
        if Right.RECORD not in rights_here(known):
            raise Refused("not-allowed", "It goes on, and only its people may record that here.")
        salted = {
            ply: commands.new_ruling(noted.ruling.reason)
            for ply, noted in enumerate(text.plies)
            if noted.ruling is not None and ply > len(here)
        }
        entries = [
            noted.entry._replace(ruling=salted[ply].digest if ply in salted else None)
            for ply, noted in enumerate(text.plies)
            if noted.entry is not None and ply > len(here)
        ]
        rulings = {ruling.digest: ruling for ruling in salted.values()}
        kept = {index - len(here) for index in notation.kept_rulings(text)}
        try:
            if self._options.is_dry:
                timeline = history.record(timeline, entries, kept).timeline
            else:
                written = commands.write(
                    self._connection,
                    known.match_id,
                    known.version,
                    lambda now: history.record(now, entries, kept),
                    rulings,
                )
                self._written.append((known.match_id, written.recorded))
                timeline = written.recorded.timeline
        except HistoryError as error:
            raise Refused("move-refused", str(error)) from None
        outcome = _Outcome("longer", known.match_id, None, known.version, version=timeline.version)
        return self._merged(outcome, known, lambda merger: self._take_notes(merger, text, timeline))

    def _take_notes(self, merger: Merger, text: MatchText, timeline: Timeline) -> Merged:
        self._require_notes(text)
        return merger.take_text(timeline, text, as_text(now()))

    def _require_notes(self, text: MatchText) -> None:
        for ply in text.plies:
            if not all(is_content(text.game, content_of(text.game, note)) for note in ply.notes):
                raise Refused("malformed", "One of its notes is too long, or marks what cannot be.", ply.line or None)

    def _keep_edition_of_text(self, text: MatchText, played: Played) -> None:
        edition = played.timeline.edition
        if edition.id in text.game.editions:
            return
        base = text.edition.based_on or text.game.editions.default.id
        self._keep_edition(text.game, edition, base, text.line_of("edition"))

    def _details_of_text(self, text: MatchText) -> MatchDetails:
        played_at = now() if text.info.played_at is None else datetime.fromisoformat(text.info.played_at)
        tags = tuple(dict.fromkeys(tag[:MAX_NAME] for tag in text.info.tags))[:MAX_TAGS]
        venue = text.info.venue[:MAX_NAME] if text.info.venue and has_ink(text.info.venue) else None
        _require_past(played_at)
        return MatchDetails(played_at, venue, tags, withdrawn=False, visibility=self._visibility)

    @property
    def _visibility(self) -> Visibility:
        return self._options.visibility or Visibility.CLUB

    def _add_played(self, match_id: UUID, played: Played, details: MatchDetails) -> None:
        """Add a match that was played from a text, as recorded now by who imports it."""
        timeline, moment, actor = played.timeline, now(), current_principal().actor
        recorded_at = as_text(moment)
        events: list[Event] = []
        for seq, draft in enumerate(played.drafts, start=1):
            before = events[-1].hash if events else None
            events.append(
                seal(draft, match_id=str(match_id), seq=seq, actor=actor, recorded_at=recorded_at, prev_hash=before)
            )
        self._add_match(match_id, timeline, timeline.game.rules_version, recorded_at, details, 0)
        self._add_first_details(match_id, details, recorded_at)
        self._add_events(match_id, events)
        of = self._rows.of
        of["ruling_reasons"] += [(match_id, *reason) for reason in played.reasons]
        of["entered_times"] += [
            (match_id, seq, at) for seq, at in enumerate(played.recorded_at, start=1) if at is not None and seq > 1
        ]

    # Results

    def _take_play(self, play: Play) -> _Outcome:
        game = GAMES[play.game]
        known = self._by_source.get((play.system, play.external_id))
        if known is not None:
            return self._compare_play(game, play, known)
        if self._is_double(play.system, play.external_id):
            return _Outcome("same", None, "It is in the file twice.")
        change, details = self._create_result(game, play)
        match_id = None if self._options.is_dry else new_id()
        if match_id is not None:
            recorded_at = as_text(now())
            actor = current_principal().actor
            event = seal(
                change.drafts[0], match_id=str(match_id), seq=1, actor=actor, recorded_at=recorded_at, prev_hash=None
            )
            self._add_match(match_id, change.timeline, game.rules_version, recorded_at, details, 0)
            self._add_first_details(match_id, details, recorded_at)
            self._add_events(match_id, [event])
            if has_ink(play.comments):
                content: dict[str, Any] = {
                    "text": _clean(play.comments)[:MAX_TEXT],
                    "glyph": None,
                    "marks": [],
                    "line": [],
                }
                wording = Wording(0, content, False, False, actor, recorded_at)
                add_annotation(self._rows, match_id, Annotation(str(new_id()), 1, actor, recorded_at, (wording,)))
            self._add_source(match_id, play.system, play.external_id, play.digest, 1, 0)
        return _Outcome("new", match_id)

    def _create_result(self, game: AnyGame, play: Play) -> tuple[history.Change, MatchDetails]:
        played_at = self._moment_of(play)
        if len(play.players) not in game.players:
            raise Refused("wrong-players", f"{game.title} is not played by {len(play.players)}.", play.line)
        people = self.people.seated(self._connection, [player.name for player in play.players])
        seats = game.seats[: len(people)]
        setup = history.parse_setup(game, seats, _setup_of(game, play))
        seated = [Player(seat, str(player)) for seat, player in zip(seats, people, strict=True)]
        venue = play.venue[:MAX_NAME] if play.venue and has_ink(play.venue) else None
        details = MatchDetails(played_at, venue and _clean(venue), (), withdrawn=False, visibility=self._visibility)
        return history.create(game, game.editions.default, seated, setup), details

    def _moment_of(self, play: Play) -> datetime:
        moment = play.played_at
        if moment.tzinfo is None:
            if play.system in DATE_ONLY and moment.time() == time():
                moment = datetime.combine(moment.date(), NOON)
            try:
                moment = moment.replace(tzinfo=self._options.zone).astimezone(UTC)
            except (ValueError, OverflowError):
                raise Refused("wrong-date", "Its date cannot be.", play.line) from None
        _require_past(moment)
        return moment

    def _compare_play(self, game: AnyGame, play: Play, known: Known) -> _Outcome:
        if known.digest == play.digest:
            return self._again(known)
        is_changed_here = (known.version, known.revision) != (known.imported_version, known.imported_revision)
        if is_changed_here or Right.EDIT not in rights_here(known):
            return _Outcome("forked", known.match_id, "It was changed there, and here too since it was imported.")
        change, details = self._create_result(game, play)
        outcome = _Outcome("changed", known.match_id, None, known.version)
        return outcome if self._options.is_dry else self._update(game, play, known, change.timeline, details, outcome)

    def _update(
        self, game: AnyGame, play: Play, known: Known, wanted: Timeline, details: MatchDetails, outcome: _Outcome
    ) -> _Outcome:
        """Let a result be what its source says by now."""
        connection, match_id = self._connection, known.match_id
        row = matches.lock(connection, match_id)
        if row is None or row["version"] != known.version or row["game"] != game.id:
            raise Refused("stale", "It is another game by now.", play.line)
        timeline = commands.load_locked(connection, row).timeline
        if timeline.seats != wanted.seats:
            raise Refused("wrong-players", "It has another number of players by now.", play.line)
        recorded = Recorded(timeline, "")
        if timeline.players != wanted.players:
            if Right.MANAGE not in rights_here(known):
                raise Refused("not-allowed", "Other people played it by now, and only who manages it may say so.")
            seats = list(wanted.players)
            self.people.add_pending(connection)
            recorded = commands.write(
                connection, match_id, None, lambda present: history.assign_players(present, seats)
            ).recorded
        if timeline.setup != wanted.setup:
            recorded = commands.write(
                connection, match_id, None, lambda present: history.correct_setup(present, wanted.setup)
            ).recorded
        revision = row["revision"]
        before = MatchDetails.of(row)
        after = replace(before, played_at=details.played_at, venue=details.venue)
        if after != before:
            revision += 1
            matches.change_details(connection, match_id, revision, after, current_principal().actor)
            keep_facts(connection, match_id, recorded.timeline)
        version = recorded.timeline.version
        exchange.note_source(connection, match_id, play.system, play.external_id, play.digest, version, revision)
        if recorded.hash:
            self._written.append((match_id, recorded))
        changed: Revisions | None = None
        if revision != row["revision"]:
            changed = {"before": row["revision"], "revision": revision}
        return outcome._replace(version=version, taken={"notes": [], "details": changed})

    # Rows

    def _again(self, known: Known, detail: str | None = None) -> _Outcome:
        """A match that is here; one that an undone import has hidden is shown again."""
        if not known.withdrawn:
            return _Outcome("same", known.match_id, detail)
        if not known.owns or not exchange.is_undone(self._connection, known.match_id):
            return _Outcome("same", known.match_id, "It was withdrawn here.")
        if not self._options.is_dry:
            row = matches.lock(self._connection, known.match_id)
            assert row is not None
            details = replace(MatchDetails.of(row), withdrawn=False)
            revision, actor = row["revision"] + 1, current_principal().actor
            matches.change_details(self._connection, known.match_id, revision, details, actor)
            timeline = commands.load_locked(self._connection, row).timeline
            keep_facts(self._connection, known.match_id, timeline)
            exchange.note_revision(self._connection, known.match_id, revision)
        return _Outcome("new", known.match_id, "It is shown again, after an import was undone.")

    def _require_size(self, timeline: Timeline) -> None:
        if timeline.ply > MAX_PLIES:
            raise Refused("match-too-long", f"A match has at most {MAX_PLIES} moves.")
        if timeline.version > commands.MAX_EVENTS:
            raise Refused("match-full", f"A match has at most {commands.MAX_EVENTS:,} events.")

    def _add_match(
        self,
        match_id: UUID,
        timeline: Timeline,
        rules_version: int,
        created_at: str,
        details: MatchDetails,
        revision: int,
    ) -> None:
        head, moment = head_of(timeline), now()
        is_over = timeline.status is not Status.IN_PROGRESS or details.withdrawn
        result = None if head.result is None else orjson.dumps(head.result).decode()
        self._rows.of["matches"].append(
            (
                *(match_id, timeline.game.id, timeline.edition.id, created_at, moment, rules_version),
                *(timeline.version, timeline.ply, head.status, head.to_move, result, revision, details.played_at),
                *(details.venue, list(details.tags), details.withdrawn, str(details.visibility)),
                *(details.rulings_in_statistics, current_principal().account_id, moment if is_over else None),
                *(variant_of(timeline), timeline.seats_known),
            )
        )
        self._rows.of["match_seats"] += [
            (match_id, position, seat.seat, UUID(seat.player_id), seat.place, seat.points)
            for position, seat in enumerate(head.seats)
        ]
        if timeline.status is Status.FINISHED:
            self._facts[match_id] = facts_of(timeline)

    def _add_first_details(self, match_id: UUID, details: MatchDetails, recorded_at: str) -> None:
        actor = current_principal().actor
        self._rows.of["match_details"].append(
            (
                *(match_id, 0, details.played_at, details.venue, list(details.tags), False, str(details.visibility)),
                *(details.rulings_in_statistics, actor, recorded_at),
            )
        )

    def _add_events(self, match_id: UUID, events: Sequence[Event]) -> None:
        self._rows.of["events"] += [
            (match_id, one.seq, str(one.kind), one.text, one.actor, one.recorded_at, one.prev_hash, one.hash)
            for one in events
        ]
        METRICS.appended.inc(len(events))

    def _add_source(
        self, match_id: UUID, system: str, external_id: str, digest: str, version: int, revision: int
    ) -> None:
        self._rows.of["match_sources"].append(
            (match_id, system, external_id, digest, version, revision, self._import_id)
        )


class _ReadableEditions:
    """The editions of a game that the importer may read, for folding the logs of one file."""

    def __init__(self, connection: Connection, game: AnyGame) -> None:
        self._connection = connection
        self._game = game

    def __getitem__(self, edition_id: str, /) -> Any:
        return readable_edition(self._connection, self._game, edition_id)


def rights_here(known: Known) -> frozenset[Right]:
    """The rights of the importer on a match that is here."""
    standing = Standing(Visibility(known.visibility), owns=known.owns, plays=known.plays, withdrawn=known.withdrawn)
    return rights_on(current_principal(), standing)


def _about(source: Source) -> _About:
    match source:
        case MatchDocument():
            names = [person.name or "" for person in source.people]
            return _About(None, source.game.id, names, source.details[-1].played_at)
        case MatchText():
            played_at = source.info.played_at
            return _About(source.line_of("carnet"), source.game.id, [name or "" for _, name in source.seats], played_at)
        case Play():
            moment = source.played_at.replace(tzinfo=source.played_at.tzinfo or UTC)
            return _About(source.line, source.game, [player.name for player in source.players], as_text(moment))
        case Unread() | DocumentError():
            return _About(source.line, None, [], None)
        case TextError():
            return _About(source.starts or source.line or None, None, [], None)


def _setup_of(game: AnyGame, play: Play) -> dict[str, Any]:
    """The set-up of a result of which nobody knows who sat where; raise `Refused`."""
    points: dict[str, int] = {}
    for seat, player in zip(game.seats, play.players, strict=False):
        if player.points is None:
            raise Refused("no-points", f"The points of {player.name[:MAX_NAME]} are not known.", play.line)
        points[seat] = player.points
    setup: dict[str, Any] = {"result_only": True, "seats_unknown": True, "points": points}
    most = max(points.values())
    leaders = [seat for seat, own in points.items() if own == most]
    winners = [seat for seat, player in zip(game.seats, play.players, strict=False) if player.winner]
    if winners and not set(winners) <= set(leaders):
        raise Refused("wrong-winner", "Its winner does not have the most points.", play.line)
    if len(leaders) > 1 and len(winners) == 1:
        setup["tie"] = {"winner": winners[0], "decided_by": game.tie_breaks[0]}
    return setup


def _require_annotations(document: MatchDocument) -> None:
    """Require that the annotations of a document are such as the API takes, each once and its wordings in order."""
    if len({annotation.id for annotation in document.annotations}) < len(document.annotations):
        raise Refused("malformed", "One of its annotations is there twice.")
    for annotation in document.annotations:
        revisions = [wording.revision for wording in annotation.wordings]
        is_right = annotation.seq <= len(document.events) and all(one < other for one, other in pairwise(revisions))
        if not is_right or not all(is_content(document.game, wording.content) for wording in annotation.wordings):
            raise Refused("malformed", "One of its annotations is too long, or of another form.")


def _require_details(details: Sequence[documents.Details]) -> None:
    """Require that the details of a document are those of the API; raise `Refused`."""
    for number, one in enumerate(details):
        is_right = (
            (number == 0 or one.revision > details[number - 1].revision)
            and one.visibility in set(Visibility)
            and one.rulings_in_statistics in RULINGS_SETTINGS
            and len(one.tags) <= MAX_TAGS
            and (one.venue is None or has_ink(one.venue))
        )
        if not is_right:
            raise Refused("malformed", f"/details/{number}: is of another form.")
    _require_past(datetime.fromisoformat(details[-1].played_at))


def _require_past(moment: datetime) -> None:
    if moment > now() + MAX_AHEAD:
        raise Refused("wrong-date", "Its date lies more than a day ahead.")


def _warned(warnings: Sequence[TextError]) -> str | None:
    return f"Line {warnings[0].line}: {warnings[0].detail}" if warnings else None


def _clean(text: str) -> str:
    return text.replace("\0", "").encode(errors="ignore").decode()


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
