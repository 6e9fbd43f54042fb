"""What tic-tac-toe says in English."""

from domain.sentences import Texts

ENGLISH: Texts = {
    "words": {"and": "and"},
    "counts": {"point": "{number} point|{number} points"},
    "names": {"cross": "Cross", "nought": "Nought"},
    "moves": {"mark": "{seat} marks {space}."},
    "score": {"line": "The line of {spaces} gives {points}."},
    "features": {
        "centre": "The seat marked the space in the middle.",
        "lead_changes": "How often another seat than before had more points than the other.",
        "opening": "The first moves.",
    },
    "refusals": {
        "match_over": "The match is over.",
        "space_taken": "{space} is already marked.",
        "not_your_turn": "It is {turn}'s turn, not {seat}'s.",
    },
}
