"""Moves and set-ups of tic-tac-toe in the match text."""

from typing import Final

from domain.shorthand import Form, Key, Shorthand, Word

MOVES: Final = Shorthand(Form("mark", Word("at")))
SETUP: Final = Shorthand(Form("", constants={}, first=Key()))
