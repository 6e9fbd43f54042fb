"""What is here already of the matches of a file, and what the importer may do with it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple
from uuid import UUID

from domain.match import notation
from domain.match.document import Annotation, Details, MatchDocument
from domain.match.notation import MatchText
from service.auth.authentication import current_principal, viewer
from service.db import exchange, leaving, players
from service.db.exchange import Known
from service.db.pool import Connection
from service.exchange.files import Source
from service.exchange.leaving import annotations_of, details_of
from service.exchange.plays import Play
from service.identity import is_id
from service.permissions import Right, Standing, Visibility, rights_on

CONTENT: Final = "text"
"""The system of matches that are known by what was played alone."""


class Present(NamedTuple):
    """Details and annotations of a match that is here."""

    details: Sequence[Details]
    annotations: Mapping[str, Annotation]
    """By their ids."""
    names: Mapping[str, str | None]
    """The names of their authors, by ids of annotations."""


@dataclass(frozen=True, slots=True)
class Existing:
    """What is here of some matches of a file, and of what they name."""

    by_id: Mapping[UUID, Known]
    by_source: Mapping[tuple[str, str], Known]
    """By a system and the identity of the match there."""
    hashes: Mapping[tuple[UUID, int], str]
    """Hashes of the last events that a document and the match here may share, by match and number."""
    present: Mapping[UUID, Present]
    people: dict[UUID, tuple[UUID, bool]]
    """The survivors of players, and whether the importer knows them."""
    annotation_ids: Collection[UUID]


def find_existing(connection: Connection, sources: Sequence[Source]) -> Existing:
    """Look up what is here of some matches, all at once."""
    ids, people, annotations = set[UUID](), set[UUID](), set[UUID]()
    keys = set[tuple[str, str]]()
    for source in sources:
        match source:
            case MatchDocument():
                ids.add(UUID(source.id))
                people.update(UUID(person.id) for person in source.people)
                annotations.update(UUID(annotation.id) for annotation in source.annotations)
            case MatchText() if (match_id := id_in_text(source)) is not None:
                ids.add(match_id)
            case MatchText():
                keys.add((CONTENT, notation.content_digest(source)))
            case Play():
                keys.add((source.system, source.external_id))
    by_id = exchange.by_id(connection, ids, viewer())
    by_source = exchange.by_source(connection, keys, viewer())
    ends = [
        (known.match_id, min(len(source.events), known.version))
        for source in sources
        if isinstance(source, MatchDocument) and (known := by_id.get(UUID(source.id))) is not None
    ]
    here = [*by_id.values(), *by_source.values()]
    return Existing(
        by_id,
        by_source,
        hashes=exchange.hashes_at(connection, [match_id for match_id, _ in ends], [seq for _, seq in ends]),
        present=find_present(connection, {known.match_id for known in here if known.reads}),
        people=players.survivors(connection, people, viewer()),
        annotation_ids=exchange.annotations_here(connection, annotations),
    )


def id_in_text(text: MatchText) -> UUID | None:
    """The id of a match that its text names, if it is one of ours."""
    return UUID(text.info.id) if text.info.id is not None and is_id(text.info.id) else None


def find_present(connection: Connection, match_ids: Collection[UUID]) -> dict[UUID, Present]:
    """Find the details and annotations of matches that are here."""
    if not match_ids:
        return {}
    ids = list(match_ids)
    details, rows = leaving.details(connection, ids), leaving.annotations(connection, ids)
    wordings = leaving.wordings(connection, list(rows)) if rows else {}
    return {
        match_id: Present(
            details_of(details[match_id]),
            {
                annotation.id: annotation
                for annotation in annotations_of(rows.get(match_id, ()), wordings.get(match_id, ()))
            },
            {str(row[0]): row[-1] for row in rows.get(match_id, ())},
        )
        for match_id in ids
        if match_id in details
    }


def rights_here(known: Known) -> frozenset[Right]:
    """The rights of the importer on a match that is here."""
    standing = Standing(Visibility(known.visibility), owns=known.owns, plays=known.plays, withdrawn=known.withdrawn)
    return rights_on(current_principal(), standing)


def others_here(connection: Connection, actors: Collection[str | None]) -> set[str | None]:
    """Those of some actors in whose name the principal may not write: other accounts of this installation."""
    principal = current_principal()
    if principal.is_owner or principal.is_local:
        return set()
    foreign = {actor for actor in actors if actor is not None and actor != principal.actor}
    return set(exchange.actors_here(connection, foreign))


def actors_outside_log(document: MatchDocument) -> set[str | None]:
    """Those who wrote the details and the notes of a document."""
    actors = {details.actor for details in document.details}
    for annotation in document.annotations:
        actors |= {annotation.author, *(wording.actor for wording in annotation.wordings)}
    return actors
