"""The sentences and names of La Cité de la Lumière, as data per language."""

from domain.games.cite_lumiere.texts.czech import CZECH
from domain.games.cite_lumiere.texts.english import ENGLISH
from domain.games.cite_lumiere.texts.polish import POLISH
from domain.games.cite_lumiere.texts.portuguese import PORTUGUESE
from domain.sentences import Sentences

LANGUAGES = {"en": ENGLISH, "pl": POLISH, "cs": CZECH, "pt": PORTUGUESE}

SENTENCES = Sentences(LANGUAGES)
phrase, sentence = SENTENCES.phrase, SENTENCES.sentence
