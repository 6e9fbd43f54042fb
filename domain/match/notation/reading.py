"""Reads the match text: by hand, line by line, in time that grows with its length."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple, NoReturn

from domain.canonical import canonical
from domain.forms import Malformed
from domain.game import AnyGame, Seat
from domain.match.events import Entry
from domain.match.notation.records import (
    GLYPHS,
    MAX_BYTES,
    MAX_CACHED,
    MAX_DEPTH,
    MAX_ID,
    MAX_LINE,
    MAX_LINES,
    MAX_WARNINGS,
    NO_REMARKS,
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
    setup_notation,
)
from domain.match.result_only import parse_setup
from domain.moments import utc
from domain.shorthand import ShorthandError


def read_text(text: str, games: Mapping[str, AnyGame]) -> list[Read]:
    """The matches of a text that is at hand."""
    return list(read_matches([text.encode(errors="surrogatepass")], games))


def read_matches(blocks: Iterable[bytes], games: Mapping[str, AnyGame]) -> Iterator[Read]:
    """The matches of a text that comes in blocks of any size, as its lines are read; errors in place of wrong matches.

    At most one match is in memory.
    """
    lines = _Lines(blocks)
    is_lost = False
    while (raw := lines.take()) is not None:
        if _begins_match(raw):
            is_lost = False
            reader = _MatchReader(lines, games)
            try:
                reader.begin(raw)
                yield reader.read()
            except TextError as error:
                error.starts = reader.starts
                yield error.with_traceback(None)
                is_lost = True
        elif raw and not is_lost:
            is_lost = True
            yield TextError("not-a-match", "Here a match should begin, with the line carnet 1.", lines.number)


def read_setup(game: AnyGame, seats: Sequence[Seat], text: str) -> Any:
    """A set-up in the words of its game; raise `ShorthandError` or `Malformed`."""
    return parse_setup(game, seats, setup_notation(game, text).read(text))


class _Lines:
    """The lines of a text that comes in blocks, without their ends; of one that is too long only the beginning."""

    def __init__(self, blocks: Iterable[bytes]) -> None:
        self._blocks = iter(blocks)
        self._rest = b""
        self._is_skipping = False
        self.number = 0
        """That of the line that was taken last, counted from 1."""
        self.pieces: list[bytes] = []
        """The lines that are at hand."""
        self.at = 0
        """Which of them comes next."""

    def take(self) -> bytes | None:
        """The next line; None behind the last one."""
        if self.at == len(self.pieces) and not self._read():
            return None
        self.at += 1
        self.number += 1
        return self.pieces[self.at - 1]

    def put_back(self) -> None:
        """Have the line that was taken last come once more."""
        self.at -= 1
        self.number -= 1

    def _read(self) -> bool:
        """Read until there are lines; False at the end."""
        self.pieces, self.at = [], 0
        for block in self._blocks:
            first, *pieces = block.split(b"\n")
            if not self._is_skipping:
                first = self._rest + first
            pieces.insert(0, first)
            self._rest = pieces.pop()
            if pieces and self._is_skipping:
                del pieces[0]
                self._is_skipping = False
            if not self._is_skipping and len(self._rest) > 4 * MAX_LINE + 1:
                pieces.append(self._rest)
                self._is_skipping = True
            if self._is_skipping:
                self._rest = b""
            if pieces:
                self._begin(pieces, has_ends=b"\r" in block or b"\r" in pieces[0])
                return True
        if self._rest and not self._is_skipping:
            self._begin([self._rest], has_ends=False)
            self._rest = b""
        return bool(self.pieces)

    def _begin(self, pieces: list[bytes], *, has_ends: bool) -> None:
        if self.number == 0:
            pieces[0] = pieces[0].removeprefix(b"\xef\xbb\xbf")
        self.pieces = [piece.removesuffix(b"\r") for piece in pieces] if has_ends else pieces


def _begins_match(raw: bytes) -> bool:
    return raw.startswith(b"carnet") and (len(raw) == len(b"carnet") or raw.startswith(b"carnet "))


class _Header:
    """The header of a match while it is read."""

    def __init__(self) -> None:
        self.words: dict[str, list[str]] = {}
        """What stands behind each word; more than one line of a text that goes on."""
        self.lines: dict[str, int] = {}
        self.tags: list[list[str]] = []
        self.seats: list[Seated] = []
        self.printed: list[tuple[str, Any]] = []
        self.extras: list[str] = []


_ONCE: Final = frozenset({"game", "edition", "based-on", "title", "rules", "id", "played", "venue", "setup"})
_TEXTS: Final = frozenset({"venue", "title"})
"""Those behind which a free text stands."""
_DIGEST: Final = re.compile(r"sha256:([0-9a-f]{64})")
_WORD: Final = re.compile(r"[a-z][a-z0-9-]*")
_PLY: Final = re.compile(r"0|[1-9][0-9]{0,5}")


class _MatchReader:
    """Reads one match, from its first line on."""

    def __init__(self, lines: _Lines, games: Mapping[str, AnyGame]) -> None:
        self.starts = self.number = lines.number
        self._lines = lines
        self._games = games
        self.header = _Header()
        self._warnings: list[TextError] = []
        self.continued: Callable[[str], None] | None = None
        """What a line that continues a text does."""
        self._size = self._count = 0
        """The bytes and the number of the lines so far."""

    def fail(self, code: str, detail: str, offset: int = 0) -> NoReturn:
        raise TextError(code, detail, self.number, offset + 1)

    def word(self, word: str) -> str | None:
        """What the header says behind a word; None if it does not have it."""
        return "\n".join(self.header.words[word]) if word in self.header.words else None

    def begin(self, raw: bytes) -> None:
        if self._decode(raw).rstrip(" ") != f"carnet {VERSION}":
            self.fail("unknown-version", f"This version of Carnet reads version {VERSION} of the format.", 7)

    def read(self) -> MatchText:
        first = self._read_header()
        number, head = self.number, self._head()
        self.number = number
        body = _Body(self, head)
        body.read(first, self._lines)
        return MatchText(
            head.game,
            head.edition,
            head.rules_version,
            head.seats,
            head.setup,
            tuple(body.moves),
            body.remarks,
            MatchInfo(self.word("id"), head.played_at, self.word("venue"), tuple(map("\n".join, self.header.tags))),
            body.result,
            body.is_abandoned,
            tuple(self.header.extras),
            {"carnet": self.starts, **self.header.lines},
            tuple(body.move_lines),
            tuple(self._warnings),
        )

    def take(self) -> str | None:
        """The next line of the match that is not empty; None at its `end`."""
        while True:
            raw = self._lines.take()
            if raw is None:
                self.fail("no-end", "The match does not end.")
            self.number = self._lines.number
            if _begins_match(raw):
                self._lines.put_back()
                self.fail("no-end", "The match before this one does not end.")
            self.count(1, len(raw))
            line = self._decode(raw)
            if line.rstrip(" ") == "end":
                return None
            if line:
                return line

    def count(self, lines: int, size: int) -> None:
        """Require that there is room for so many more lines with so many bytes."""
        self._count += lines
        self._size += size
        if self._count > MAX_LINES or self._size > MAX_BYTES:
            self.fail("too-long", f"A match has at most {MAX_LINES} lines and {MAX_BYTES >> 20} MiB.")

    def _decode(self, raw: bytes) -> str:
        if len(raw) > 4 * MAX_LINE:
            self.fail("line-too-long", f"A line has at most {MAX_LINE} characters.", MAX_LINE)
        try:
            line = raw.decode()
        except UnicodeDecodeError as error:
            self.fail("not-utf-8", "The text is not UTF-8.", len(raw[: error.start].decode()))
        if len(line) > MAX_LINE:
            self.fail("line-too-long", f"A line has at most {MAX_LINE} characters.", MAX_LINE)
        if "\0" in line or "\r" in line:
            offset = next(offset for offset, sign in enumerate(line) if sign in "\0\r")
            self.fail("not-a-character", "A line of text does not have this character.", offset)
        return line

    def _read_header(self) -> str | None:
        """Read up to the first line of the body, and return it."""
        while (line := self.take()) is not None:
            if line[0] in _SIGNS or (word := line.partition(" ")[0]) in _BODY_WORDS:
                return line
            if line[0] == "+":
                self.carry_on(line)
                continue
            self.continued = None
            if word.startswith("x-"):
                self.header.extras.append(line)
            else:
                self._header_line(word, line[len(word) + 1 :])
        return None

    def _header_line(self, word: str, rest: str) -> None:
        header, offset = self.header, len(word) + 1
        header.lines.setdefault(word, self.number)
        if word in _ONCE:
            if word in header.words:
                self.fail("twice", f"{word} is written twice.")
            header.words[word] = [rest if word in _TEXTS else rest.strip(" ")]
            self.continued = header.words[word].append if word in _TEXTS else None
        elif word == "tag":
            header.tags.append([rest])
            self.continued = header.tags[-1].append
        elif word == "seat":
            seat, _, name = rest.partition(" ")
            header.seats.append(Seated(seat, name or None))
        elif word == "printed":
            pointer, _, value = rest.strip(" ").partition(" ")
            header.printed.append((pointer, self._json(value, offset + len(pointer) + 1)))
        else:
            if not _WORD.fullmatch(word) or word == "end":
                self.fail("unknown-line", "A line begins with a word or a sign that says its kind.")
            if len(self._warnings) < MAX_WARNINGS:
                detail = f"{word[:40]} is not known and was left out."
                self._warnings.append(TextError("unknown-word", detail, self.number, 1, self.starts))
            self.continued = _ignore

    def carry_on(self, line: str) -> None:
        if self.continued is None:
            self.fail("nothing-to-continue", "Above this line there is no text that it could continue.")
        self.continued(self.rest(line, 1))

    def rest(self, line: str, length: int) -> str:
        """The free text behind a sign, from which a blank sets it off."""
        if len(line) == length:
            return ""
        if line[length] != " ":
            self.fail("no-blank", "A blank belongs here.", length)
        return line[length + 1 :]

    def _json(self, text: str, offset: int) -> Any:
        try:
            value = json.loads(text)
            canonical(value)
        except (RecursionError, ValueError):
            self.fail("not-json", "This is no JSON that Carnet writes.", offset)
        return value

    def _head(self) -> "_Head":
        header = self.header
        game = self._games.get(self.word("game") or "")
        if game is None:
            self._at("game")
            if "game" in header.words:
                self.fail("unknown-game", "Carnet does not know this game.", 5)
            self.fail("missing", "The match does not say which game it is of.")
        seats = [seat for seat, _ in header.seats]
        for seat in seats:
            if seat not in game.seats or seats.count(seat) > 1:
                self._at("seat")
                self.fail("wrong-seat", f"The seats are different ones of {', '.join(game.seats)}.")
        if len(seats) not in game.players:
            self._at("seat")
            self.fail("wrong-seat", f"The game is for {game.players[0]} to {game.players[-1]} seats.")
        rules = self.word("rules") or str(game.rules_version)
        if not _PLY.fullmatch(rules):
            self._at("rules")
            self.fail("not-a-number", "This must be the number of a version of the rules.", 6)
        match_id = self.word("id")
        if match_id is not None and (not 0 < len(match_id) <= MAX_ID or " " in match_id):
            self._at("id")
            self.fail("wrong-id", f"An id is a word of at most {MAX_ID} characters.", 3)
        return _Head(
            game, self._edition(game), int(rules), tuple(header.seats), self._setup(game, seats), self._played()
        )

    def _at(self, part: str) -> None:
        """Have an error named at a part of the header, if it is there."""
        self.number = self.header.lines.get(part, self.number)

    def _edition(self, game: AnyGame) -> EditionNamed:
        edition_id, *rest = _words(game.editions.default.id if (named := self.word("edition")) is None else named) or [
            ""
        ]
        digest = _DIGEST.fullmatch(rest[0]) if rest else None
        if not edition_id or len(edition_id) > MAX_ID or len(rest) > 1 or (rest and digest is None):
            self._at("edition")
            self.fail("wrong-edition", "This must be the id of an edition; sha256: and its digest may follow.", 8)
        base = self.word("based-on")
        if base is not None and (not base or " " in base):
            self._at("based-on")
            self.fail("wrong-edition", "This must be the id of an edition.", 9)
        return EditionNamed(edition_id, digest and digest[1], base, self.word("title"), tuple(self.header.printed))

    def _setup(self, game: AnyGame, seats: Sequence[Seat]) -> Any:
        text = self.word("setup")
        if text is None:
            self.fail("missing", "The match does not say how it was set up.")
        self._at("setup")
        try:
            return read_setup(game, seats, text)
        except ShorthandError as error:
            self.fail("wrong-setup", error.detail, 6 + error.offset)
        except Malformed as error:
            first = error.errors[0]
            detail = f"{first.pointer or 'The set-up'}: {first.detail}."
            self.fail("wrong-setup", detail, 6 + setup_notation(game, text).locate(text, first.pointer))

    def _played(self) -> str | None:
        text = self.word("played")
        if text is None:
            return None
        self._at("played")
        return self.moment(text, 7)

    def moment(self, text: str, offset: int) -> str:
        """A time in UTC, without a fraction if it has none."""
        try:
            return utc(text)
        except ValueError:
            self.fail("wrong-time", "This must be a time such as 2026-11-14T19:30:00Z.", offset)


def _words(line: str) -> list[str]:
    return [word for word in line.split(" ") if word]


def _ignore(_: str) -> None:
    """Leave out what continues a line that was left out."""


class _Head(NamedTuple):
    """What the header says."""

    game: AnyGame
    edition: EditionNamed
    rules_version: int
    seats: tuple[Seated, ...]
    setup: Any
    played_at: str | None


_SIGNS: Final = frozenset("0123456789;!@=|")
RUN: Final = 256
"""Lines that are looked at together for plain moves."""
MAX_KNOWN: Final = 2**14
"""Moves by their text that are kept of a game."""
_DIGITS: Final = tuple(b"%d" % number for number in range(2**12))
_BODY_WORDS: Final = frozenset({"by", "glyph", "mark", "result", "abandoned"})


class _Body:
    """Reads the body of a match: plies and what belongs to them."""

    def __init__(self, reader: _MatchReader, head: _Head) -> None:
        self._reader = reader
        self._game = head.game
        self._seats = frozenset(seat for seat, _ in head.seats)
        self.result: ResultNamed | None = None
        self.is_abandoned = False
        self.moves: list[Entry] = []
        self.move_lines: list[int] = []
        self.remarks: dict[int, Remarks] = {}
        self._clear()

    def _clear(self) -> None:
        self._ruling: list[str] | None = None
        self._ruled = 0
        self._recorded_at: str | None = None
        self._checkpoints: list[Checkpoint] = []
        self._notes: list[_NoteReader] = []
        self._extras: list[str] = []
        self._is_plain = True
        """Whether no line below the move was read."""

    def read(self, first: str | None, lines: _Lines) -> None:
        line = first
        while line is not None:
            self._read_line(line)
            self._take_plain(lines)
            line = self._reader.take()
        self._finish_ply()

    def _read_line(self, line: str) -> None:
        sign = line[0]
        if "0" <= sign <= "9":
            self._move(line)
            return
        if sign == "+":
            self._reader.carry_on(line)
            return
        self._reader.continued = None
        self._is_plain = False
        if sign in _LINES:
            _LINES[sign](self, line)
            return
        word = line.partition(" ")[0]
        if word.startswith("x-"):
            self._extras.append(line)
        elif word in _LINES:
            _LINES[word](self, line)
        else:
            self._reader.fail("unknown-line", f"{word[:40]} is not known here.")

    def _take_plain(self, lines: _Lines) -> None:
        """Read as many lines at hand as are moves and nothing else, written as they were before: most are."""
        if self.result is not None or self.is_abandoned:
            return
        known, seats, ply = _plain_entries(self._game), self._seats, len(self.moves) + 1
        part = lines.pieces[lines.at : lines.at + RUN]
        run: list[Entry] = []
        for raw, wanted in zip(part, _DIGITS[ply : ply + RUN], strict=False):
            digits, _, words = raw.partition(b" ")
            if digits != wanted:
                break
            entry = known.get(words) or _plain_entry(self._game, words)
            if entry is None or entry.seat not in seats:
                break
            run.append(entry)
        if not run:
            return
        self._finish_ply()
        first, number = lines.number + 1, len(run)
        self.moves += run
        self.move_lines += range(first, first + number)
        lines.at += number
        lines.number = self._reader.number = first + number - 1
        self._reader.continued = None
        self._reader.count(number, sum(map(len, part[:number])))

    def _begin_ply(self, entry: Entry) -> None:
        self._finish_ply()
        self.moves.append(entry)
        self.move_lines.append(self._reader.number)
        self._reader.continued = None

    def _finish_ply(self) -> None:
        """Keep the remarks at the ply that was read last, if there are some."""
        if self._is_plain:
            return
        ruling = None
        if self._ruling is not None:
            code, *reason = self._ruling
            ruling = Ruling(code, "\n".join(reason), self._ruled)
        remarks = Remarks(
            ruling,
            self._recorded_at,
            tuple(self._checkpoints),
            tuple(note.note() for note in self._notes),
            tuple(self._extras),
        )
        if remarks != NO_REMARKS:
            self.remarks[len(self.moves)] = remarks
        self._clear()

    def _move(self, line: str) -> None:
        reader = self._reader
        if self.result is not None or self.is_abandoned:
            reader.fail("after-the-end", "The match is over above this line.")
        number, seat, offset = self._parts(line, 0)
        if number != len(self.moves) + 1:
            reader.fail("wrong-ply", f"This must be ply {len(self.moves) + 1}.")
        text = line[offset:].rstrip(" ")
        body, _, glyph = text.rpartition(" ")
        has_glyph = glyph in GLYPHS and body != ""
        if has_glyph:
            text = body.rstrip(" ")
        self._begin_ply(Entry(seat, self._read_move(text, offset)))
        if has_glyph:
            self._notes.append(_NoteReader(glyph=glyph, is_open=True))
            self._is_plain = False

    def _parts(self, line: str, offset: int) -> tuple[int, Seat, int]:
        """The ply, the seat and where the words begin of a move that stands at an offset of a line."""
        reader = self._reader
        number, _, rest = line[offset:].partition(" ")
        words = rest.lstrip(" ")
        seat, _, text = words.partition(" ")
        if not _PLY.fullmatch(number):
            reader.fail("wrong-ply", "This must be the number of a ply.", offset)
        if not text.strip(" "):
            reader.fail("missing", "A move has a ply, a seat and words.", len(line))
        if seat not in self._seats:
            detail = f"This must be a seat of the match: {', '.join(sorted(self._seats))}."
            reader.fail("wrong-seat", detail, len(line) - len(words))
        return int(number), seat, len(line) - len(text.lstrip(" "))

    def _read_move(self, text: str, offset: int) -> Any:
        """A move by its words, which stand at an offset of the line."""
        notation = self._game.notation.MOVES
        try:
            if len(text) <= MAX_CACHED:
                return _read_move(self._game, text)
            return self._game.move.parse(notation.read(text))
        except ShorthandError as error:
            self._reader.fail("wrong-move", error.detail, offset + error.offset)
        except Malformed as error:
            first = error.errors[0]
            detail = f"{first.pointer or 'The move'}: {first.detail}."
            self._reader.fail("wrong-move", detail, offset + notation.locate(text, first.pointer))

    def _ruling_line(self, line: str) -> None:
        reader = self._reader
        if not self.moves or self._ruling is not None:
            reader.fail("wrong-place", "A ruling stands below its move, and there is one at most.")
        code, _, reason = reader.rest(line, 1).partition(" ")
        if not code:
            reader.fail("missing", "A ruling names the code of the refusal that it overrides.", 2)
        self._ruling, self._ruled = [code, reason], reader.number
        reader.continued = self._ruling.append

    def _time_line(self, line: str) -> None:
        if self._recorded_at is not None:
            self._reader.fail("twice", "A move has one time at most.")
        self._recorded_at = self._reader.moment(self._reader.rest(line, 1).strip(" "), 2)

    def _checkpoint_line(self, line: str) -> None:
        self._reader.rest(line, 1)
        points, rest = self._points(line)
        if rest or not points:
            self._reader.fail("wrong-points", "This must be seats, each with its points.", 2)
        self._checkpoints.append(Checkpoint(points, self._reader.number))

    def _points(self, line: str) -> tuple[dict[Seat, int], list[str]]:
        """The seats of a line with their points, and the words behind them."""
        words = _words(line)[1:]
        points: dict[Seat, int] = {}
        while len(words) > 1 and words[0] in self._seats and words[0] not in points:
            number = words[1]
            digits = number.removeprefix("-")
            if not (digits.isascii() and digits.isdigit() and len(digits) <= 6):
                break
            points[words[0]] = int(number)
            words = words[2:]
        return points, words

    def _result_line(self, line: str) -> None:
        if self.result is not None:
            self._reader.fail("twice", "A match has one result.")
        points, rest = self._points(line)
        if len(rest) > 1 or points.keys() != self._seats:
            self._reader.fail("wrong-points", "This must be all seats, each with its points.", 7)
        self.result = ResultNamed(points, rest[0] if rest else None)
        self._reader.header.lines["result"] = self._reader.number

    def _abandoned_line(self, line: str) -> None:
        if line.rstrip(" ") != "abandoned":
            self._reader.fail("unknown-line", "Nothing stands behind this word.", 10)
        self.is_abandoned = True

    def _note(self) -> "_NoteReader":
        """The note to which a line belongs."""
        if not self._notes:
            self._notes.append(_NoteReader())
        note = self._notes[-1]
        note.is_open = False
        return note

    def _by_line(self, line: str) -> None:
        author = self._reader.rest(line, 2) or None
        if self._notes and self._notes[-1].is_open:
            self._notes[-1].author, self._notes[-1].is_open = author, False
        else:
            self._notes.append(_NoteReader(author=author))

    def _glyph_line(self, line: str) -> None:
        note, glyph = self._note(), self._reader.rest(line, 5).strip(" ")
        if glyph not in GLYPHS or note.glyph is not None:
            self._reader.fail("wrong-glyph", f"A note has one of {' '.join(sorted(GLYPHS))}, and one at most.", 6)
        note.glyph = glyph

    def _text_line(self, line: str) -> None:
        self._note().texts.append(self._reader.rest(line, 1))

    def _mark_line(self, line: str) -> None:
        words = _words(line)[1:]
        if len(words) != 2 or words[0] not in self._game.spaces:
            self._reader.fail("wrong-mark", f"This must be a space of {self._game.title} and the kind of the mark.", 5)
        self._note().marks.append((words[0], words[1]))

    def _variation_line(self, line: str) -> None:
        depth = len(line) - len(line.lstrip("|"))
        if depth > MAX_DEPTH:
            self._reader.fail("too-deep", f"Variations are at most {MAX_DEPTH} deep.", MAX_DEPTH)
        self._reader.rest(line, depth)
        ply, seat, offset = self._parts(line, depth + 1)
        note = self._note()
        if not note.reach(depth, ply, len(self.moves)):
            detail = f"There is no line above that this one could leave or continue at ply {ply}."
            self._reader.fail("wrong-ply", detail, depth + 1)
        move = self._read_move(line[offset:].rstrip(" "), offset)
        note.variations.append(Variation(depth, ply, Entry(seat, move), self._reader.number))


_LINES: Final[Mapping[str, Callable[[_Body, str], None]]] = {
    "!": _Body._ruling_line,
    "@": _Body._time_line,
    "=": _Body._checkpoint_line,
    ";": _Body._text_line,
    "|": _Body._variation_line,
    "by": _Body._by_line,
    "glyph": _Body._glyph_line,
    "mark": _Body._mark_line,
    "result": _Body._result_line,
    "abandoned": _Body._abandoned_line,
}


class _NoteReader:
    """A note while it is read. An open one was begun by the glyph of a move, and may still get its author."""

    def __init__(self, author: str | None = None, glyph: str | None = None, *, is_open: bool = False) -> None:
        self.author = author
        self.glyph = glyph
        self.is_open = is_open
        self.texts: list[str] = []
        self.marks: list[tuple[str, str]] = []
        self.variations: list[Variation] = []

        self._spans: list[tuple[int, int]] = []
        """The plies before and at the end of the last line of each depth."""

    def reach(self, depth: int, ply: int, of_match: int) -> bool:
        """Whether a variation can stand here, below a ply of the match; if so it is the end of its line."""
        if 0 < depth <= len(self._spans) and self._spans[depth - 1][1] == ply - 1:
            self._spans[depth - 1 :] = [(self._spans[depth - 1][0], ply)]
            return True
        if depth - 1 > len(self._spans):
            return False
        first, last = self._spans[depth - 2] if depth > 1 else (0, of_match)
        if not first <= ply - 1 <= last:
            return False
        self._spans[depth - 1 :] = [(ply - 1, ply)]
        return True

    def note(self) -> Note:
        return Note(self.author, self.glyph, "\n".join(self.texts), tuple(self.marks), tuple(self.variations))


@lru_cache(maxsize=16)
def _plain_entries(game: AnyGame) -> dict[bytes, Entry]:
    """Seats with their moves by their text, as `_plain_entry` keeps them."""
    return {}


def _plain_entry(game: AnyGame, text: bytes) -> Entry | None:
    """A seat and its move, which are kept; None for text that is more than that, or wrong."""
    if len(text) > MAX_CACHED:
        return None
    try:
        seat, _, words = text.decode().partition(" ")
        entry = Entry(seat, game.move.parse(game.notation.MOVES.read(words)))
    except (UnicodeDecodeError, ShorthandError, Malformed):
        return None
    known = _plain_entries(game)
    if len(known) >= MAX_KNOWN:
        known.clear()
    known[text] = entry
    return entry


@lru_cache(maxsize=2**14)
def _read_move(game: AnyGame, text: str) -> Any:
    """A move by its text: different matches have many in common."""
    return game.move.parse(game.notation.MOVES.read(text))
