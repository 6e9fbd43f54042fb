"""Refused moves of any game, each beside a legal one."""

from typing import Any, NamedTuple

from domain.game import AnyGame, EditionT, Game, Kind, MoveT, Refusal, Seat, SetupT, StateT


class Case(NamedTuple):
    """A refused move, and a legal one that differs in nothing but the reason."""

    code: str
    kind: Kind
    rule: str
    state: Any
    move: str
    twin: str
    twin_state: Any = None

    @property
    def name(self) -> str:
        """What the case is called in a report."""
        return f"{self.code}: {self.move}"


def enter(
    game: Game[EditionT, SetupT, StateT, MoveT], state: StateT, seat: Seat, move: MoveT, *, ruled: bool = False
) -> StateT:
    """The state after a move that is checked; a table ruling records what the rules alone forbid."""
    try:
        game.rules.check(state, seat, move)
    except Refusal as refused:
        if not ruled or refused.kind is Kind.PHYSICAL:
            raise
    return game.rules.apply(state, seat, move)


def assert_told_in_every_language(game: AnyGame, refused: Refusal) -> None:
    """The reason is a whole sentence wherever the game is played, and another one in each language."""
    sentences = [refused.tell(language) for language in game.telling.LANGUAGES]
    assert all(sentence.endswith(".") and "{" not in sentence and "_" not in sentence for sentence in sentences)
    assert len(set(sentences)) == len(game.telling.LANGUAGES)
    assert str(refused) == refused.tell() == refused.tell("en")
