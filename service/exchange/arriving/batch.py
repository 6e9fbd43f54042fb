"""What the matches of one transaction of an import share."""

from dataclasses import dataclass, field
from hashlib import sha256
from typing import NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

from service.db import facts
from service.db.exchange import Rows
from service.db.facts import MatchFacts
from service.db.pool import Connection
from service.exchange.arriving.existing import Existing
from service.exchange.arriving.people import People
from service.permissions import Visibility
from service.timelines import Recorded


class Options(NamedTuple):
    """How a file is to be taken over."""

    is_dry: bool
    extends: bool
    visibility: Visibility | None
    zone: ZoneInfo


@dataclass(slots=True)
class Batch:
    """Some matches of a file: what is known of them, and what is to be written for them."""

    connection: Connection
    import_id: UUID
    options: Options
    people: People
    """Those of the whole file."""
    identities: set[bytes]
    """Digests of the identities of new matches of the whole file, so that a dry run finds doubles too."""
    existing: Existing
    rows: Rows = field(default_factory=Rows)
    facts: dict[UUID, MatchFacts] = field(default_factory=dict)
    merged: set[UUID] = field(default_factory=set)
    """The matches that were here with which one of the batch was merged."""
    written: list[tuple[UUID, Recorded]] = field(default_factory=list)
    """The matches that were here whose logs have grown, to be published after the transaction."""

    def is_double(self, *identity: str) -> bool:
        """Whether the file had a new match of this identity before."""
        digest = sha256("\n".join(identity).encode()).digest()[:16]
        is_double = digest in self.identities
        self.identities.add(digest)
        return is_double

    def write(self) -> None:
        """Write what was collected."""
        self.rows.write(self.connection)
        facts.add(self.connection, self.facts)
