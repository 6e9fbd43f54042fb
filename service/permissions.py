"""Authorization as pure functions: what a principal may do with a match, and outside matches."""

from dataclasses import dataclass
from enum import Enum, StrEnum, auto

from service.principals import Principal, Scope


class Visibility(StrEnum):
    """Who may read a match, besides its people."""

    PRIVATE = "private"
    UNLISTED = "unlisted"
    CLUB = "club"
    PUBLIC = "public"


class Population(StrEnum):
    """The matches that statistics count. Private and unlisted ones are in neither."""

    PUBLIC = "public"
    CLUB = "club"
    """The public ones and those for the club, for principals with an account."""


class Right(Enum):
    """The right that a route requires."""

    FREE = auto()
    """Nothing; the request is not authenticated."""
    VISIT = auto()
    """Nothing, but the response depends on the principal."""
    EMBED = auto()
    """To read the match in the address as anybody may, or by its link; other credentials are ignored."""
    READ = auto()
    RECORD = auto()
    ANNOTATE = auto()
    MANAGE = auto()
    """These four are rights on the match in the address; elsewhere they need an account and the scope of that name."""
    EDIT = auto()
    """To change the details of the match in the address, to abandon or reopen it: like RECORD, but not by a link."""
    ADMINISTER = auto()
    """To be an owner of the installation."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The relation of a principal to a match."""

    visibility: Visibility
    owns: bool = False
    plays: bool = False
    has_link: bool = False
    """Whether a link by which an unlisted match can be read was sent."""
    is_invited: bool = False
    """Whether a link to record was sent."""
    withdrawn: bool = False


_ALL = frozenset({Right.READ, Right.RECORD, Right.EDIT, Right.ANNOTATE, Right.MANAGE})


def rights_on(principal: Principal, standing: Standing) -> frozenset[Right]:
    """The rights of a principal on a match. Without READ the match does not exist for them."""
    if principal.is_local:
        return _ALL
    if not _reads(principal, standing):
        return frozenset()
    edits = Scope.RECORD in principal.scopes and (standing.owns or standing.plays or principal.is_owner)
    allowed = {
        Right.READ: True,
        Right.EMBED: True,
        Right.RECORD: standing.is_invited or edits,
        Right.EDIT: edits,
        Right.ANNOTATE: Scope.ANNOTATE in principal.scopes,
        Right.MANAGE: Scope.MANAGE in principal.scopes and (standing.owns or principal.is_owner),
    }
    return frozenset(right for right, is_allowed in allowed.items() if is_allowed)


def _reads(principal: Principal, standing: Standing) -> bool:
    if standing.owns or standing.plays or standing.is_invited:
        return True
    if standing.withdrawn and not principal.is_owner:
        return False
    match standing.visibility:
        case Visibility.PUBLIC:
            return True
        case Visibility.CLUB:
            return principal.account_id is not None
        case Visibility.UNLISTED:
            return standing.has_link
        case Visibility.PRIVATE:
            return False


def may_outside(principal: Principal, right: Right) -> bool:
    """Whether a principal has a right outside matches."""
    if right in {Right.FREE, Right.VISIT} or principal.is_local:
        return True
    if principal.account_id is None:
        return False
    if right is Right.ADMINISTER:
        return principal.is_owner and Scope.MANAGE in principal.scopes
    return Scope[right.name] in principal.scopes


def population_for(principal: Principal) -> Population:
    """The population of the statistics for a principal."""
    return Population.CLUB if principal.is_local or principal.account_id is not None else Population.PUBLIC
