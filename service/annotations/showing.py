"""What the asker sees: hidden annotations if he wrote them or manages the match, and names if he is a member."""

from collections.abc import Mapping
from typing import Any

from service.access.asking import asker, has
from service.access.rights import Right
from service.store.annotations import Reader


def shown_to_reader() -> Reader:
    """Which annotations of a match are found for the principal, who may read it."""
    return Reader(asker().actor, sees_hidden=asker().is_local or has(Right.MANAGE))


def is_shown(row: Mapping[str, Any]) -> bool:
    """Whether the asker, who may read the match, sees an annotation."""
    return not row["hidden"] or is_author(row) or has(Right.MANAGE)


def is_author(row: Mapping[str, Any]) -> bool:
    """Whether the asker wrote an annotation."""
    return asker().is_local or (row["author"] is not None and row["author"] == asker().actor)


def name_of_author(row: Mapping[str, Any]) -> str | None:
    """What members of the installation call the author of an annotation; others may not know their accounts."""
    return None if asker().account_id is None else row["author_name"]
