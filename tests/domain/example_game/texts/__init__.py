"""The sentences and names of tic-tac-toe, as data per language."""

from domain.sentences import Sentences
from tests.domain.example_game.texts.english import ENGLISH

LANGUAGES = {"en": ENGLISH}

SENTENCES = Sentences(LANGUAGES)
sentence = SENTENCES.sentence
