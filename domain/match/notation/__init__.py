r"""The match text `.carnet`; `docs/notation.md` has its grammar.

Reading makes records of a text and knows nothing of positions; playing takes these through the rules.

>>> from domain.catalogue import GAMES
>>> [match] = read_text('''carnet 1
... game paris
... seat red Ana
... seat blue Jan "J" Kowalski
... setup basic
...
... 1 red reveal 2 montmartre-5
... 2 red key arc ?!
... ; The bank was free.
... end
... ''', GAMES)
>>> match.moves[1]
Entry(seat='red', move=PlaceKey(at=50), ruling=None)
>>> match.remarks[2].notes
(Note(author=None, glyph='?!', text='The bank was free.', marks=(), variations=()),)

Playing gives what is appended to a log, and the timeline after it.

>>> played = play(match, match.game.editions, ["ana", "jan"], lambda: "salt")
>>> played.timeline, len(played.drafts)
(Timeline(version=3, ply=2, status=in_progress), 3)

A timeline is told as text again. The canonical form has every part that there is, in a fixed order.

>>> print(write_match(transcribe(played.timeline, {"ana": "Ana", "jan": None})))
carnet 1
game paris
edition rulebook-2020 sha256:...
rules 1
seat red Ana
seat blue
setup basic
<BLANKLINE>
1 red reveal 2 montmartre-5
2 red key arc
end
<BLANKLINE>

Every match of a file is read by itself: one that is wrong gives its error, and the others are read nevertheless.

>>> [error] = read_text("carnet 1\nseat orange Ana\nend\n", GAMES)
>>> error.line, error.column, str(error)
(3, 1, 'The match does not say which game it is of.')
"""

from domain.match.notation.playing import (
    Played,
    PlayedNote,
    SaltedReason,
    StateFacts,
    amended_edition,
    edition_named,
    edition_of,
    kept_rulings,
    play,
    result_named,
    transcribe,
    transcribe_unplayed,
)
from domain.match.notation.reading import read_matches, read_setup, read_text
from domain.match.notation.records import (
    GLYPHS,
    MAX_BYTES,
    MAX_LINE,
    MAX_LINES,
    VERSION,
    Checkpoint,
    EditionNamed,
    MatchInfo,
    MatchText,
    Note,
    Read,
    Remarks,
    ResultNamed,
    Ruling,
    Seated,
    TextError,
    Variation,
    lines_of,
)
from domain.match.notation.writing import content_digest, one_break, write_match, write_matches, write_setup
