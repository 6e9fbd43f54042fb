"""Small boards and scores of the matches in a list."""

from collections.abc import Mapping
from typing import Any, Final

from domain.match import Timeline
from service.caches import SmallBoard
from service.context import services
from service.drawing import SMALL_PICTURES
from service.matches.commands import load
from service.matches.documents import MatchSummary, match_members
from service.matches.rules_change import presented

MAX_FOLDED: Final = 5000
"""Events that one list reads for its boards; boards of further matches are left out until others are cached."""


class BoardReader:
    """Reads the boards of one list, within a limit of events."""

    def __init__(self) -> None:
        self._left = MAX_FOLDED

    def document(self, row: Mapping[str, Any]) -> MatchSummary:
        """A match with its board and score, None where the list has read too many events already."""
        board = self._read(row)
        return {**match_members(row), "board": board and board.drawing, "score": board and board.score}

    def _read(self, row: Mapping[str, Any]) -> SmallBoard | None:
        board = services().small_boards.find((row["match_id"], row["version"]))
        if board is None:
            recorded = services().timelines.find(row["match_id"])
            unread = max(row["version"] - (recorded.timeline.version if recorded else 0), 0)
            if unread > self._left:
                return None
            self._left -= unread
            with services().database.statements() as connection:
                _, timeline = presented(row, load(connection, row).timeline.at(row["version"]))
            board = cached_board(row, timeline)
        return board


def cached_board(row: Mapping[str, Any], timeline: Timeline) -> SmallBoard:
    """The board of a match at its end, drawn once for each version."""
    key = row["match_id"], row["version"]
    board = services().small_boards.find(key)
    if board is None:
        board = small_board(timeline)
        services().small_boards.keep(key, board)
    return board


def small_board(timeline: Timeline) -> SmallBoard:
    """The board of a match at its end."""
    if timeline.is_result_only:
        result = timeline.result
        return SmallBoard(None, {ranked.seat: ranked.points for ranked in result.ranking} if result else {})
    game, head = timeline.game, timeline.head
    last_move = None if head.before is None else game.move.dump(head.move)
    return SmallBoard(SMALL_PICTURES[game.id](game.view.dump(head.state), last_move), game.rules.totals(head.state))
