"""The sentences and names of Paris, as data per language."""

from domain.games.paris.texts.czech import CZECH
from domain.games.paris.texts.english import ENGLISH
from domain.games.paris.texts.polish import POLISH
from domain.games.paris.texts.portuguese import PORTUGUESE
from domain.sentences import Sentences

LANGUAGES = {"en": ENGLISH, "pl": POLISH, "cs": CZECH, "pt": PORTUGUESE}

SENTENCES = Sentences(LANGUAGES)
sentence, phrase = SENTENCES.sentence, SENTENCES.phrase
