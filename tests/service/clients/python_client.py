"""Plays both games by the client that openapi-python-client generates; takes the address of the service."""

import sys

from carnet_api import Client
from carnet_api.api.matches import create_match, get_match
from carnet_api.api.moves import correct, list_legal_moves, record_moves
from carnet_api.api.replay import get_replay
from carnet_api.models import LegalMoves, Match, NewMatch, NoMoveAtPly, NoMoveAtPlyAction, OneMove, Position, Replay
from matches import MATCHES


def main() -> None:
    client = Client(base_url=sys.argv[1], raise_on_unexpected_status=True)
    for new in MATCHES:
        match = create_match.sync(client=client, body=NewMatch.from_dict(new))
        assert isinstance(match, Match), match
        legal = list_legal_moves.sync(match.id, client=client)
        assert isinstance(legal, LegalMoves), legal
        recorded = record_moves.sync(
            match.id, client=client, body=OneMove(seat=legal.to_move, move=legal.moves[0]), if_match='"1"'
        )
        assert isinstance(recorded, Position) and recorded.ply == 1, recorded
        assert recorded.state.to_dict()["game"] == new["game"]
        removal = NoMoveAtPly(ply=1, action=NoMoveAtPlyAction.REMOVE)
        corrected = correct.sync(match.id, client=client, body=removal)
        assert corrected.ply == 0 and corrected.version == 3, corrected
        read = get_match.sync(match.id, client=client)
        assert isinstance(read, Match) and read.version == 3, read
        replay = get_replay.sync(match.id, client=client)
        assert isinstance(replay, Replay) and len(replay.frames) == 1, replay


main()
