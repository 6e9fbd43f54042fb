"""Matches as they leave: documents, texts and results, made for some of them at a time."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final
from uuid import UUID

import orjson

from domain.match import Entry, Event, EventKind, Status, Timeline, Unplayed, Written, fold, notation, read_unplayed
from domain.match import document as documents
from domain.match.document import Annotation, Details, Entered, MatchDocument, Person, Reason, Source, Wording
from domain.match.notation import MatchInfo, Note, StateFacts, Variation
from domain.moments import trimmed
from service.auth.authentication import current_principal
from service.context import services
from service.db import exchange, leaving
from service.db.pool import Connection
from service.exchange.results import MatchResult, Played
from service.identity import as_text, in_zone
from service.matches.rules_change import is_settled, playable
from service.matches.times import known_minutes
from service.stats.facts import variant_of

AT_A_TIME: Final = 100
"""Matches that are read together."""
EVENTS_AT_A_TIME: Final = 20_000
"""Events that are read together, but for those of a longer match: what is made of them is in memory, too."""
_SEATING: Final = frozenset({EventKind.MATCH_CREATED, EventKind.PLAYERS_ASSIGNED})
_PRINTING: Final = frozenset({EventKind.MATCH_CREATED, EventKind.EDITION_CHANGED})
TOMBSTONE: Final = "carnet-tombstone"


def in_parts(rows: Iterable[Mapping[str, Any]]) -> Iterator[list[Mapping[str, Any]]]:
    """Rows of matches, some at a time."""
    part: list[Mapping[str, Any]] = []
    events = 0
    for row in rows:
        part.append(row)
        events += row["version"]
        if len(part) >= AT_A_TIME or events >= EVENTS_AT_A_TIME:
            yield part
            part, events = [], 0
    if part:
        yield part


class _Part:
    """All that is read for some matches."""

    def __init__(self, connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        self.ids = [row["match_id"] for row in rows]
        self._logs = leaving.logs(connection, self.ids)
        self.seated = {match_id: set(_seated(log.kinds, log.payloads)) for match_id, log in self._logs.items()}
        self.people = leaving.people(
            connection, sorted({player for seated in self.seated.values() for player in seated})
        )

    def events(self, row: Mapping[str, Any]) -> list[Event]:
        """The log of a match.

        It is gone when that of the next one is made: the collector looks at what is there again and again.
        """
        return self._logs[row["match_id"]].events(row["match_id"])[: row["version"]]


def _seated(kinds: Sequence[str], payloads: Sequence[str]) -> Iterator[str]:
    """The ids of all who play or have played in a match, by the kinds and payloads of its events."""
    for kind, payload in zip(kinds, payloads, strict=True):
        if kind in _SEATING:
            yield from (player["player_id"] for player in orjson.loads(payload)["players"])


# Documents


def document_lines(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> Iterator[bytes]:
    """Matches as documents, one a line. Those who do not manage a match get what it says now, without its history."""
    part = _Part(connection, rows)
    whole = [row["match_id"] for row in rows if row["is_whole"]]
    details = leaving.details(connection, part.ids, whole)
    reasons = leaving.reasons(connection, part.ids)
    annotations = leaving.annotations(connection, part.ids)
    wordings = leaving.wordings(connection, list(annotations), whole) if annotations else {}
    sources = exchange.sources(connection, part.ids)
    entered = leaving.entered(connection, part.ids)
    knows_accounts = current_principal().is_local or current_principal().account_id is not None
    for row in rows:
        match_id = row["match_id"]
        events = part.events(row)
        told = details_of(details[match_id])
        notes = list(annotations_of(annotations.get(match_id, ()), wordings.get(match_id, ())))
        if not row["is_whole"]:
            notes = [shown for note in notes if (shown := _shown(note)) is not None]
        actors = {event.actor for event in events} | {one.actor for one in told}
        actors |= {note.author for note in notes} | {said.actor for note in notes for said in note.wordings}
        ids = sorted(actor for actor in actors if actor is not None)
        named = leaving.actors(connection, ids) if knows_accounts and ids else {}
        document = MatchDocument(
            str(match_id),
            services().game(row["game"]),
            as_text(row["created_at"]),
            None,  # rights do not travel
            tuple(events),
            {name: row[name] for name in ("version", "ply", "status", "result")},
            tuple(told),
            tuple(Person(player, part.people[player]) for player in sorted(part.seated[match_id])),
            tuple(Person(actor, name) for actor, name in sorted(named.items())),
            tuple(_editions(connection, row["game"], events)),
            tuple(Reason(*reason) for reason in reasons.get(match_id, ()) if reason[0] <= row["version"]),
            tuple(notes),
            tuple(Source(*source) for source in sources.get(match_id, ())),
            tuple(Entered(seq, as_text(at)) for seq, at in entered.get(match_id, ()) if seq <= row["version"]),
        )
        yield f"{documents.write(document)}\n".encode()


def details_of(rows: Iterable[tuple[Any, ...]]) -> list[Details]:
    """Details as a document has them."""
    return [
        Details(revision, as_text(played_at), venue, tuple(tags), withdrawn, visibility, rulings, actor, as_text(at))
        for revision, played_at, venue, tags, withdrawn, visibility, rulings, actor, at in rows
    ]


def annotations_of(rows: Iterable[tuple[Any, ...]], wordings: Iterable[tuple[Any, ...]]) -> Iterator[Annotation]:
    """Annotations as a document has them, with all their wordings."""
    said: dict[UUID, list[Wording]] = {}
    for annotation_id, revision, content, deleted, hidden, actor, at in wordings:
        wording = Wording(revision, orjson.loads(content), deleted, hidden, actor, as_text(at))
        said.setdefault(annotation_id, []).append(wording)
    for annotation_id, seq, author, created_at, *_ in rows:
        yield Annotation(str(annotation_id), seq, author, as_text(created_at), tuple(said[annotation_id]))


def _shown(annotation: Annotation) -> Annotation | None:
    """An annotation as those see it who do not manage the match: what it says now, if it is shown."""
    final = annotation.wordings[-1]
    return None if final.deleted or final.hidden else annotation._replace(wordings=(final,))


def _editions(connection: Connection, game_id: str, events: Sequence[Event]) -> Iterator[dict[str, Any]]:
    """The editions of a log that are not built in, in the order of the log."""
    game = services().game(game_id)
    named = dict.fromkeys(event.payload["edition"] for event in events if event.kind in _PRINTING)
    for edition_id in named:
        if edition_id not in game.editions:
            yield dict(services().edition(connection, game, edition_id).document)


# Texts


def texts(connection: Connection, rows: Sequence[Mapping[str, Any]], *, with_times: bool) -> Iterator[bytes]:
    """Matches as texts: what was played, as far as the present rules have it, with what is noted beside the moves."""
    ids = [row["match_id"] for row in rows]
    logs = leaving.written(connection, ids)
    people = leaving.people(connection, sorted({player for log in logs.values() for player in _seated(*log)}))
    reasons = leaving.reasons(connection, ids)
    annotations = leaving.annotations(connection, ids)
    recorded = leaving.recorded_at(connection, ids) if with_times else {}
    entered = leaving.entered(connection, ids) if with_times else {}
    knows_accounts = current_principal().account_id is not None
    for row in rows:
        match_id = row["match_id"]
        match, facts = _unplayed(connection, row, *logs[match_id])
        text = notation.transcribe_unplayed(
            match,
            facts,
            people,
            MatchInfo(str(match_id), trimmed(as_text(row["played_at"])), row["venue"], tuple(row["tags"])),
            reasons={seq: reason for seq, _, reason in reasons.get(match_id, ())},
            notes=_notes(match, row, annotations.get(match_id, ()), knows_accounts=knows_accounts),
            recorded_at={seq: trimmed(at) for seq, at in recorded.get(match_id, ())}
            | {seq: trimmed(as_text(at)) for seq, at in entered.get(match_id, ())},
        )
        yield f"{notation.write_match(text)}\n".encode()


def _unplayed(
    connection: Connection, row: Mapping[str, Any], kinds: Sequence[str], payloads: Sequence[str]
) -> tuple[Unplayed, StateFacts]:
    """A match as far as it fits the current rules, and what a text has of its states.

    It is played only if its row does not tell that: not which refusals rulings override, and not the result of a match
    that was abandoned or whose rules have changed.
    """
    game = services().game(row["game"])
    kinds, payloads = kinds[: row["version"]], payloads[: row["version"]]
    match = read_unplayed(game, services().editions(connection, game), zip(kinds, payloads, strict=True))
    if is_settled(row, game) and row["status"] != Status.ABANDONED and not match.outline.has_rulings:
        return match, StateFacts(notation.result_named(row["result"]))
    timeline = _timeline(connection, row, map(Written, kinds, payloads))
    return timeline.unplayed, StateFacts.of(timeline)


def _timeline(connection: Connection, row: Mapping[str, Any], log: Iterable[Event | Written]) -> Timeline:
    """A match as far as it fits the current rules."""
    game = services().game(row["game"])
    return playable(row, fold(game, services().editions(connection, game), log))


def _notes(
    match: Unplayed, row: Mapping[str, Any], annotations: Sequence[tuple[Any, ...]], *, knows_accounts: bool
) -> dict[int, list[Note]]:
    if not annotations:
        return {}
    outline = match.outline
    frames = enumerate(chain([outline.start], outline.line.moves()))
    plies = {seq: ply for ply, move in frames for seq in (*move.replaced, move.seq)}
    notes: dict[int, list[Note]] = {}
    for _, seq, _, _, deleted, hidden, text, author in annotations:
        ply = plies.get(seq)
        if ply is None or deleted or (hidden and not row["is_whole"]):
            continue
        content = orjson.loads(text)
        line = tuple(
            Variation(1, ply + index, Entry(move["seat"], match.game.move.parse(move["move"])))
            for index, move in enumerate(content["line"], start=1)
        )
        marks = tuple((mark["cell"], mark["kind"]) for mark in content["marks"])
        note = Note(author if knows_accounts else None, content["glyph"], content["text"], marks, line)
        notes.setdefault(ply, []).append(note)
    return notes


# Results


def results(
    connection: Connection, rows: Sequence[Mapping[str, Any]], address: str, bgg_ids: Mapping[str, int]
) -> Iterator[MatchResult]:
    """The results of finished matches."""
    finished = [row for row in rows if row["status"] == "finished" and row["result"] is not None]
    part = _Part(connection, finished)
    for row in finished:
        match_id = row["match_id"]
        events = part.events(row)
        timeline = _timeline(connection, row, events)
        game = timeline.game
        first = timeline.frame(0).state.to_move
        ranked = {entry["seat"]: entry for entry in row["result"]["ranking"]}
        minutes, ended_at = known_minutes(events, row["played_at"])
        variant = variant_of(timeline)
        yield MatchResult(
            str(match_id),
            game.id,
            game.title,
            timeline.edition.document.get("bgg_id", bgg_ids.get(game.id)),
            in_zone(ended_at, services().config.timezone),
            minutes,
            row["venue"],
            "" if variant == game.statistics.VARIANTS[0] else variant.replace("_", " "),
            f"{address}/matches/{match_id}",
            [
                Played(
                    player_id,
                    part.people[player_id] or f"Player {position}",
                    ranked[seat]["points"],
                    ranked[seat]["place"],
                    seat in row["result"]["winners"],
                    seat == first,
                    seat if timeline.seats_known else "",
                )
                for position, (seat, player_id) in enumerate(timeline.players, start=1)
            ],
            timeline.seats_known,
        )


def tombstones(rows: Iterable[Mapping[str, Any]]) -> Iterator[bytes]:
    """Lines for matches that are no longer there."""
    for row in rows:
        gone = {"format": TOMBSTONE, "version": 1, "id": str(row["match_id"]), "gone_at": as_text(row["changed_at"])}
        yield orjson.dumps(gone) + b"\n"
