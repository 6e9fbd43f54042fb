"""Match texts for tests: random matches with corrections, and notes in any script, as hypothesis draws them."""

from collections import Counter
from functools import cache
from random import Random
from unittest.mock import patch

from hypothesis import strategies as st

from domain.catalogue import GAMES
from domain.match import Entry, Frame, Timeline, reason_digest
from domain.match.notation import GLYPHS, MatchInfo, MatchText, Note, Variation, transcribe
from domain.moments import utc
from tests.domain.logs import Log, editions_of
from tests.domain.recorded import write
from tests.domain.recorded.playing import Match

SALT, REASON = "5a17", "Nobody noticed.\nWe left it.\r\n+ 2 points"
MATCHES = 12
"""Matches of each game in a small dose."""

GAME_IDS = st.sampled_from(list(GAMES))
NAMES = st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=12)
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30) | st.text(
    "a ;+|!\n\r", max_size=12
)
SOME_TEXTS = TEXTS.filter(lambda text: text.strip("\r\n") != "")
MOMENTS = st.datetimes().map(lambda moment: f"{moment.isoformat()}Z")


@cache
def corrected_log(game_id: str, seed: int) -> Log:
    """The log of a match in which everything was done that can be done; every ruling has the one reason."""
    game = GAMES[game_id]
    match = Match(game, editions_of(game))
    with patch.object(write, "RULING", reason_digest(SALT, REASON)), patch.object(write, "CANDIDATES", 10):
        for _ in write.Recorder(game, match, Random(f"{game_id} {seed}"), seed, Counter()).play():
            pass
    return match.log


@st.composite
def timelines(draw: st.DrawFn, matches: int = MATCHES) -> Timeline:
    log = corrected_log(draw(GAME_IDS), draw(st.integers(0, matches - 1)))
    return log.timeline


@st.composite
def match_texts(draw: st.DrawFn, matches: int = MATCHES) -> MatchText:
    """A match with everything that a text can hold."""
    timeline = draw(timelines(matches))
    names = {player: draw(st.none() | NAMES) for _, player in timeline.players}
    info = MatchInfo(
        draw(st.none() | st.text("ab-9", min_size=1, max_size=5)),
        draw(st.none() | MOMENTS.map(utc)),
        draw(st.none() | SOME_TEXTS),
        tuple(draw(st.lists(SOME_TEXTS, max_size=2))),
    )
    plies = draw(st.lists(st.integers(0, timeline.ply), max_size=3, unique=True))
    notes = {ply: draw(st.lists(_notes(timeline, ply), min_size=1, max_size=3)) for ply in plies}
    seqs = [frame.seq for frame in timeline.frames() if frame.seq is not None]
    moments = dict.fromkeys(seqs, "2026-11-18T19:41:07Z") if draw(st.booleans()) else {}
    rulings = dict.fromkeys(seqs, REASON)
    return transcribe(
        timeline, names, info, reasons=rulings, notes=notes, recorded_at=moments, checkpoints=draw(st.booleans())
    )


@st.composite
def _notes(draw: st.DrawFn, timeline: Timeline, ply: int) -> Note:
    spaces = sorted(timeline.game.spaces)
    marks = draw(st.lists(st.tuples(st.sampled_from(spaces), st.sampled_from(["highlight", "arrow"])), max_size=2))
    return Note(
        draw(st.none() | NAMES),
        draw(st.none() | st.sampled_from(sorted(GLYPHS))),
        draw(TEXTS),
        tuple(marks),
        tuple(variations(timeline, ply, draw(st.integers(0, 5)), draw(st.randoms(use_true_random=False)))),
    )


def variations(timeline: Timeline, ply: int, number: int, random: Random) -> list[Variation]:
    """Legal moves of lines that leave the match, and lines that leave these."""
    found: list[Variation] = []
    lines: list[list[Frame]] = []
    game = timeline.game
    for _ in range(number):
        is_deeper = bool(lines) and random.random() < 0.4
        if lines and not is_deeper and random.random() < 0.6:
            depth, before = len(lines), lines[-1][-1]
        elif is_deeper:
            depth, before = len(lines) + 1, random.choice(lines[-1])
        else:
            depth, before = 1, timeline.frame(random.randint(0, ply))
        seat = before.state.to_move
        move = game.rules.random_move(before.state, random) if seat else None
        if move is None:
            continue
        frame = before._replace(ply=before.ply + 1, state=game.rules.apply(before.state, seat, move))
        continues = depth <= len(lines) and lines[depth - 1][-1] is before
        if not continues and depth <= len(lines) and lines[depth - 1][-1].ply == before.ply:
            continue  # a text would be read as if it went on from there
        lines[depth - 1 :] = [[*lines[depth - 1], frame] if continues else [before, frame]]
        found.append(Variation(depth, frame.ply, Entry(seat, move)))
    return found


EXAMPLE = """carnet 1
game paris
edition rulebook-2020
rules 1
id a-1
played 2026-11-18T19:30:00Z
venue club night
+ upstairs
tag league
seat red Ana
seat blue
setup basic
x-clock 20

1 red reveal 2 montmartre-5
2 red key bank:montmartre ?!
@ 2026-11-18T19:31:00Z
= red 0 blue 0
x-eval 3
by Ana
; First.
;
; Third.
mark arc highlight
| 3 red end_turn
|| 3 red key arc
by
glyph !!
3 red end_turn
4 red end_turn
! not_your_turn It was late.
+ And dark.
result red 0 blue 0 shared
abandoned
end
"""


@st.composite
def changed_texts(draw: st.DrawFn) -> str:
    """The example with some lines changed, moved, left out or doubled, and some characters too."""
    lines = EXAMPLE.splitlines()
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(lines) - 1))
        line = lines[at]
        place = draw(st.integers(0, len(line)))
        sign = draw(st.sampled_from([" ", "|", "+", ";", "!", "x-", "\r", "\0", "0", "a", "end", "\n", "é", "{", "="]))
        lines[at : at + 1] = draw(
            st.sampled_from(
                [
                    [],
                    [line, line],
                    [line[:place] + sign + line[place:]],
                    [line[:place] + line[place + 1 :]],
                    [line[:place]],
                    [lines[draw(st.integers(0, len(lines) - 1))]],
                    [line, "carnet 1"],
                    [line + " "],
                ]
            )
        )
        if not lines:
            break
    return "\n".join(lines) + draw(st.sampled_from(["", "\n"]))
