"""Lists of any length: a page of rows, or all of them one by one."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from service.store.database import Connection


@dataclass(frozen=True, slots=True)
class Listing:
    """A query whose rows are in order."""

    query: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def page(self, connection: Connection, limit: int) -> list[Mapping[str, Any]]:
        """The first rows."""
        return list(connection.execute(f"{self.query} LIMIT %(limit)s", {**self.values, "limit": limit}))

    def rows(self, connection: Connection) -> Iterator[Mapping[str, Any]]:
        """All rows one by one, without holding them all."""
        with connection.cursor(name="rows") as cursor:
            cursor.itersize = 200
            cursor.execute(self.query, self.values)
            yield from cursor
