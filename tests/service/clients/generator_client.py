"""Plays both games by the client that openapi-generator makes for Python; takes the address of the service."""

import sys

from carnet_generated import ApiClient, Configuration, MatchesApi, MovesApi, ReplayApi
from carnet_generated.models import NewCorrection, NewMatch, NewMoves, NoMoveAtPly, OneMove
from matches import MATCHES


def main() -> None:
    with ApiClient(Configuration(host=sys.argv[1])) as client:
        matches, moves, replay = MatchesApi(client), MovesApi(client), ReplayApi(client)
        for new in MATCHES:
            match = matches.create_match(NewMatch.from_dict(new))
            legal = moves.list_legal_moves(match.id)
            one = OneMove(seat=legal.to_move, move=legal.moves[0])
            recorded = moves.record_moves(match.id, NewMoves(one), if_match='"1"')
            assert recorded.ply == 1 and recorded.state.to_dict()["game"] == new["game"], recorded
            corrected = moves.correct(match.id, NewCorrection(NoMoveAtPly(ply=1, action="remove")))
            assert (corrected.ply, corrected.version) == (0, 3), corrected
            assert matches.get_match(match.id).version == 3
            assert len(replay.get_replay(match.id).frames) == 1


main()
