"""A client of the API for programs in Python.

It needs `requests` and nothing else of Carnet, and its modules name each other relatively, so that the folder can be
copied into another program. Every POST carries an idempotency key of its own and is sent again with that key when no
answer came or the service asks to wait, so that nothing is recorded twice. Reading is repeated too; PATCH, PUT and
DELETE are sent once.
"""

from .client import Client as Client
from .documents import Account as Account
from .documents import Anchor as Anchor
from .documents import AnchorProof as AnchorProof
from .documents import Annotation as Annotation
from .documents import AuditEntry as AuditEntry
from .documents import Checked as Checked
from .documents import Correction as Correction
from .documents import Details as Details
from .documents import EditionSummary as EditionSummary
from .documents import Entry as Entry
from .documents import Event as Event
from .documents import Fault as Fault
from .documents import Frame as Frame
from .documents import FramePart as FramePart
from .documents import Game as Game
from .documents import GameDetails as GameDetails
from .documents import HiddenAnnotations as HiddenAnnotations
from .documents import Invitation as Invitation
from .documents import LegalMoves as LegalMoves
from .documents import Mark as Mark
from .documents import Match as Match
from .documents import MatchLink as MatchLink
from .documents import MatchPlayer as MatchPlayer
from .documents import MatchSummary as MatchSummary
from .documents import Me as Me
from .documents import Move as Move
from .documents import NewlyMadeInvitation as NewlyMadeInvitation
from .documents import NewlyMadeMatchLink as NewlyMadeMatchLink
from .documents import NewlyMadeSignInLink as NewlyMadeSignInLink
from .documents import NewlyMadeToken as NewlyMadeToken
from .documents import Player as Player
from .documents import PlayerChange as PlayerChange
from .documents import Position as Position
from .documents import Ranked as Ranked
from .documents import Result as Result
from .documents import Role as Role
from .documents import Ruling as Ruling
from .documents import RulingsSetting as RulingsSetting
from .documents import Scope as Scope
from .documents import Score as Score
from .documents import ScoreItem as ScoreItem
from .documents import Seated as Seated
from .documents import SeatScore as SeatScore
from .documents import Setup as Setup
from .documents import SignInLink as SignInLink
from .documents import State as State
from .documents import Status as Status
from .documents import Token as Token
from .documents import Verdict as Verdict
from .documents import Verification as Verification
from .documents import Visibility as Visibility
from .documents import Wording as Wording
from .options import Change as Change
from .options import CorrectionOptions as CorrectionOptions
from .options import GameStatisticsFilters as GameStatisticsFilters
from .options import MatchFilters as MatchFilters
from .options import Moment as Moment
from .options import NewDetails as NewDetails
from .options import StatisticsFilters as StatisticsFilters
from .options import StatisticsOrder as StatisticsOrder
from .problems import ApiProblem as ApiProblem
from .problems import ClientError as ClientError
from .problems import Conflict as Conflict
from .problems import IllegalMove as IllegalMove
from .problems import Lost as Lost
from .problems import Malformed as Malformed
from .problems import NotAllowed as NotAllowed
from .problems import NotFound as NotFound
from .problems import StaleVersion as StaleVersion
from .problems import Unavailable as Unavailable
from .problems import Unreachable as Unreachable
