"""What an asker may do with a match, and outside of matches: pure rules, the only place that decides."""

from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from uuid import UUID


class Scope(StrEnum):
    """What a token is good for; whoever may do anything may read."""

    READ = "read"
    RECORD = "record"
    ANNOTATE = "annotate"
    MANAGE = "manage"


class Role(StrEnum):
    """What somebody is in the whole installation."""

    OWNER = "owner"
    MEMBER = "member"


class Visibility(StrEnum):
    """Who may read a match beside its people."""

    PRIVATE = "private"
    UNLISTED = "unlisted"
    CLUB = "club"
    PUBLIC = "public"


class Population(StrEnum):
    """The matches that statistics are made of; private and unlisted ones are in neither."""

    PUBLIC = "public"
    CLUB = "club"
    """Those for the club besides, for those who have an account."""


class Right(Enum):
    """What a route asks for."""

    FREE = auto()
    """Nothing; who asks is not even looked at."""
    VISIT = auto()
    """Nothing, but the answer depends on who asks."""
    EMBED = auto()
    """To read the match of the address as anybody may, or by its link; who else asks is not looked at."""
    READ = auto()
    RECORD = auto()
    ANNOTATE = auto()
    MANAGE = auto()
    """These four are rights on the match of the address; elsewhere they take an account and the scope of that name."""
    EDIT = auto()
    """To change the details of the match of the address, to abandon or reopen it: as RECORD, but not by a link."""
    ADMINISTER = auto()
    """To be an owner of the installation."""


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks."""

    account_id: UUID | None = None
    role: Role | None = None
    scopes: frozenset[Scope] = frozenset()
    secret_id: UUID | None = None
    """The token or the session that says so."""
    link_id: UUID | None = None
    """A link of the match in the address that came along."""
    is_local: bool = False
    """Whether sign-in is switched off, so that everybody at this machine may do everything."""

    @property
    def actor(self) -> str | None:
        """What the log and the histories say of who did it."""
        done_by = self.account_id or self.link_id
        return None if done_by is None else str(done_by)

    @property
    def is_owner(self) -> bool:
        """Whether the installation is his."""
        return self.is_local or self.role is Role.OWNER

    @property
    def is_anonymous(self) -> bool:
        """Whether nothing at all is known of him."""
        return not (self.is_local or self.account_id or self.link_id)


LOCAL = Asker(scopes=frozenset(Scope), is_local=True)


@dataclass(frozen=True, slots=True)
class Standing:
    """How an asker stands to a match."""

    visibility: Visibility
    owns: bool = False
    plays: bool = False
    has_link: bool = False
    """Whether he came with a link by which an unlisted match is read."""
    is_invited: bool = False
    """Whether he came with a link that lets him record."""
    withdrawn: bool = False


_ALL = frozenset({Right.READ, Right.RECORD, Right.EDIT, Right.ANNOTATE, Right.MANAGE})


def rights_on(asker: Asker, standing: Standing) -> frozenset[Right]:
    """What an asker may do with a match; without READ the match does not exist for him."""
    if asker.is_local:
        return _ALL
    if not _reads(asker, standing):
        return frozenset()
    edits = Scope.RECORD in asker.scopes and (standing.owns or standing.plays or asker.is_owner)
    allowed = {
        Right.READ: True,
        Right.EMBED: True,
        Right.RECORD: standing.is_invited or edits,
        Right.EDIT: edits,
        Right.ANNOTATE: Scope.ANNOTATE in asker.scopes,
        Right.MANAGE: Scope.MANAGE in asker.scopes and (standing.owns or asker.is_owner),
    }
    return frozenset(right for right, is_allowed in allowed.items() if is_allowed)


def _reads(asker: Asker, standing: Standing) -> bool:
    if standing.owns or standing.plays or standing.is_invited:
        return True
    if standing.withdrawn and not asker.is_owner:
        return False
    match standing.visibility:
        case Visibility.PUBLIC:
            return True
        case Visibility.CLUB:
            return asker.account_id is not None
        case Visibility.UNLISTED:
            return standing.has_link
        case Visibility.PRIVATE:
            return False


def may_outside(asker: Asker, right: Right) -> bool:
    """Whether an asker may do what is not done to a match."""
    if right in {Right.FREE, Right.VISIT} or asker.is_local:
        return True
    if asker.account_id is None:
        return False
    if right is Right.ADMINISTER:
        return asker.is_owner and Scope.MANAGE in asker.scopes
    return Scope[right.name] in asker.scopes


def population_for(asker: Asker) -> Population:
    """Which matches the statistics count that an asker gets."""
    return Population.CLUB if asker.is_local or asker.account_id is not None else Population.PUBLIC
