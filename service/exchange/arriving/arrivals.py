"""Takes the matches of a file over, some of them in each transaction, and reports what became of each."""

from collections.abc import Sequence
from datetime import UTC
from typing import Final, NamedTuple
from uuid import UUID

import orjson

from domain.match.document import DocumentError, MatchDocument
from domain.match.notation import MatchText, TextError
from service.context import services
from service.db import exchange
from service.db.pool import Connection, extend_limits
from service.exchange.arriving.batch import Batch, Options
from service.exchange.arriving.documents import take_document
from service.exchange.arriving.existing import find_existing
from service.exchange.arriving.people import People
from service.exchange.arriving.plays import take_play
from service.exchange.arriving.report import OUTCOMES, ImportItem, Outcome, Refused
from service.exchange.arriving.texts import take_text
from service.exchange.files import Source
from service.exchange.plays import Play, Unread
from service.identity import as_text

TIME_LIMIT: Final = "60s"
"""Of the statements of a transaction and of the time between. Four hundred matches are judged in two seconds, on a slow
machine in twenty, and for as long others wait for the lock."""
_CHANGING: Final = frozenset({"new", "longer", "changed"})
"""The outcomes that undoing an import looks at."""


class Arrivals:
    """Takes the matches of one file over, some of them in each transaction."""

    def __init__(self, connection: Connection, import_id: UUID, system: str, options: Options) -> None:
        self.counts = dict.fromkeys(OUTCOMES, 0)
        self.people = People(connection, system, is_dry=options.is_dry)
        self.number = 0
        """How many matches of the file were taken over or refused."""
        self._connection = connection
        self._import_id = import_id
        self._options = options
        self._identities: set[bytes] = set()

    def pass_over(self, outcome: str) -> None:
        """Count the next match of the file, which was taken over or refused before."""
        self.number += 1
        self.counts[outcome] += 1

    def take(self, sources: Sequence[Source]) -> list[ImportItem]:
        """Take some matches over in one transaction, and report of each."""
        number, counts = self.number, dict(self.counts)
        self.people.renew()
        try:
            with self._connection.transaction():
                extend_limits(self._connection, TIME_LIMIT)
                if not self._options.is_dry:
                    exchange.lock(self._connection)
                batch = self._begin(sources)
                reports = [self._take(batch, source) for source in sources]
                if not self._options.is_dry:
                    batch.write()
                    exchange.note_counts(self._connection, self._import_id, self.counts, is_finished=False)
        except BaseException:
            self.number, self.counts = number, counts
            self.people.forget()
            raise
        for match_id, recorded in batch.written:
            services().publish(match_id, recorded)
        return reports

    def _begin(self, sources: Sequence[Source]) -> Batch:
        existing = find_existing(self._connection, sources)
        return Batch(self._connection, self._import_id, self._options, self.people, self._identities, existing)

    def _take(self, batch: Batch, source: Source) -> ImportItem:
        self.number += 1
        try:
            outcome = _judge(batch, source)
            self.people.add_pending(self._connection)
        except (Refused, TextError) as error:
            outcome = _refusal(error)
            self.people.drop_pending()
        self.counts[outcome.outcome] += 1
        report = _report(self.number, source, outcome)
        if not self._options.is_dry:
            serialized = orjson.dumps(report).decode()
            changed = outcome.match_id if outcome.outcome in _CHANGING else None
            batch.rows.of["import_items"].append(
                (
                    self._import_id,
                    self.number,
                    report["line"],
                    outcome.outcome,
                    changed,
                    outcome.version_before,
                    serialized,
                )
            )
        return report


def _judge(batch: Batch, source: Source) -> Outcome:
    """Take a match over, or say why not; raise `Refused` or `TextError`."""
    match source:
        case MatchDocument():
            return take_document(batch, source)
        case MatchText():
            return take_text(batch, source)
        case Play():
            return take_play(batch, source)
        case TextError():
            return _refusal(source)
        case DocumentError():
            return Outcome("refused", detail=str(source)[:500], code="malformed", line=source.line)
        case Unread():
            detail = f"{source.detail[:1].upper()}{source.detail[1:]}."
            if source.is_other_game:
                return Outcome("skipped", detail=detail)
            return Outcome("refused", detail=detail, code="unread", line=source.line)


def _refusal(error: Refused | TextError) -> Outcome:
    return Outcome("refused", detail=error.detail, code=error.code, line=error.line, column=error.column)


class _About(NamedTuple):
    """What the report says of a match whatever becomes of it."""

    line: int | None
    game: str | None
    players: list[str]
    played_at: str | None


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


def _report(number: int, source: Source, outcome: Outcome) -> ImportItem:
    about = _about(source)
    report: ImportItem = {
        "number": number,
        "line": outcome.line or about.line,
        "outcome": outcome.outcome,
        "match_id": None if outcome.match_id is None else str(outcome.match_id),
        "game": about.game,
        "players": about.players,
        "played_at": about.played_at,
        "detail": outcome.detail,
    }
    if outcome.code is not None:
        report["code"] = outcome.code
    if outcome.column is not None:
        report["column"] = outcome.column
    if outcome.taken is not None:
        report["taken"] = outcome.taken
    if outcome.version is not None:
        report["version"] = outcome.version
    return report
