"""Principals: accounts with roles and scopes, holders of a link, and nobody known."""

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID


class Scope(StrEnum):
    """The scopes of a token. Every token may read."""

    READ = "read"
    RECORD = "record"
    ANNOTATE = "annotate"
    MANAGE = "manage"


class Role(StrEnum):
    """The role of an account in the installation."""

    OWNER = "owner"
    MEMBER = "member"


@dataclass(frozen=True, slots=True)
class Principal:
    """The principal of a request: an account, the holder of a match's link, or nobody known."""

    account_id: UUID | None = None
    role: Role | None = None
    scopes: frozenset[Scope] = frozenset()
    secret_id: UUID | None = None
    """The token or session that identifies the account."""
    link_id: UUID | None = None
    """The link of the match in the address that was sent."""
    is_local: bool = False
    """Whether sign-in is switched off, so that everybody at this machine may do everything."""

    @property
    def actor(self) -> str | None:
        """The id that the log and the histories record as the actor."""
        done_by = self.account_id or self.link_id
        return None if done_by is None else str(done_by)

    @property
    def is_owner(self) -> bool:
        """Whether this is an owner of the installation."""
        return self.is_local or self.role is Role.OWNER

    @property
    def is_anonymous(self) -> bool:
        """Whether nothing is known of the principal."""
        return not (self.is_local or self.account_id or self.link_id)


LOCAL = Principal(scopes=frozenset(Scope), is_local=True)
