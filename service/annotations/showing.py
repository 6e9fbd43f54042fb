"""Which annotations and names of authors a reader sees."""

from collections.abc import Mapping
from typing import Any

from service.auth.authentication import current_principal, has
from service.db.annotations import Reader
from service.permissions import Right


def shown_to_reader() -> Reader:
    """Filter the annotations of a match that the principal, who may read it, can see."""
    return Reader(current_principal().actor, sees_hidden=current_principal().is_local or has(Right.MANAGE))


def is_shown(row: Mapping[str, Any]) -> bool:
    """Whether the principal, who may read the match, sees an annotation: hidden ones only as author or manager."""
    return not row["hidden"] or is_author(row) or has(Right.MANAGE)


def is_author(row: Mapping[str, Any]) -> bool:
    """Whether the principal wrote an annotation."""
    return current_principal().is_local or (row["author"] is not None and row["author"] == current_principal().actor)


def name_of_author(row: Mapping[str, Any]) -> str | None:
    """The name of an annotation's author, for members; others may not know accounts."""
    return None if current_principal().account_id is None else row["author_name"]
