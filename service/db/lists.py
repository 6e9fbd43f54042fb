"""Lists of any length: a page of rows, all of them page by page, or all of them in one snapshot."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias
from uuid import UUID

from service.db.pool import Connection, Database

Row: TypeAlias = Mapping[str, Any]
Position: TypeAlias = tuple[Any, UUID]
"""The position after which a page begins: the sort key and the id."""

PAGE: Final = 300
"""Rows in memory at once while a list is streamed."""


@dataclass(frozen=True, slots=True)
class Listing:
    """A query with ordered rows."""

    query: str
    """Without its last condition."""
    order: Sequence[str]
    """The columns of the order, of which the last one is the id."""
    behind: str
    """The condition of rows after a position, which is `%(after_key)s` and `%(after_id)s`."""
    values: Mapping[str, Any] = field(default_factory=dict)
    after: Position | None = None
    """The position after which it begins."""
    is_fixed: bool = False
    """Whether rows never change their place in the order."""

    def page(self, connection: Connection, limit: int, after: Position | None = None) -> list[Row]:
        """The first rows, or the first ones after another position than that of the listing."""
        query, values = self._ordered(after or self.after)
        return list(connection.execute(f"{query} LIMIT %(limit)s", {**values, "limit": limit}))

    def stream(self, database: Database, position: Callable[[Row], Position]) -> Iterator[Row]:
        """Stream all rows, page by page, without holding a snapshot or locks between pages.

        A row whose place in the order changes meanwhile is not returned twice.
        """
        after = self.after
        shown: set[int] = set()
        while True:
            with database.reading() as connection:
                rows = self.page(connection, PAGE, after)
            for row in rows:
                after = position(row)
                if after[1].int not in shown:
                    yield row
                if not self.is_fixed:
                    shown.add(after[1].int)
            if len(rows) < PAGE:
                return

    def rows(self, connection: Connection) -> Iterator[Row]:
        """All rows in one snapshot, within the transaction of the connection."""
        with connection.cursor(name="rows") as cursor:
            cursor.itersize = PAGE
            cursor.execute(*self._ordered(self.after))
            yield from cursor

    def _ordered(self, after: Position | None) -> tuple[str, dict[str, Any]]:
        behind, values = "", dict(self.values)
        if after is not None:
            behind = f" AND {self.behind}"
            values |= {"after_key": after[0], "after_id": after[1]}
        return f"{self.query}{behind} ORDER BY {', '.join(self.order)}", values
