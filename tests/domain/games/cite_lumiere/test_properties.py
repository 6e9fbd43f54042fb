"""What holds in every match: conservation, agreement of listing and checking, and symmetry."""

from collections import Counter
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.game import JsonObject, Kind, Refusal, Seat
from domain.games.cite_lumiere.moves import Build, Move, Pass, Postcard
from domain.games.cite_lumiere.state import State
from tests.domain.cases import enter
from tests.domain.games.cite_lumiere import conceivable
from tests.domain.games.cite_lumiere.positions import GAME, RIVAL, SEATS, begin, choose, random_match

pytestmark = pytest.mark.uncounted

MAX_PLIES = 16 + 12 + 30 + 8 + 14 + 2
"""Tiles, takes, passes while the rival paves or takes, cards, buildings, final passes."""

seeds = st.integers(0, 2**32 - 1)
some = settings(max_examples=25, deadline=None)
many = settings(max_examples=50, deadline=None)


def recorded(seed: int) -> tuple[State, list[tuple[Seat, Move]]]:
    """The start of a random match and its moves."""
    chance = Random(seed)
    states = random_match(chance)
    start = state = next(states)
    moves: list[tuple[Seat, Move]] = []
    while state.to_move is not None:
        move = choose(chance, list(GAME.rules.legal_moves(state)))
        moves.append((state.to_move, move))
        state = enter(GAME, state, state.to_move, move)
    return start, moves


def somewhere(seed: int, fraction: float) -> State:
    """A state of a random match that is not over; most lie in the second phase."""
    states = [state for state in random_match(Random(seed)) if state.to_move is not None]
    return states[int(fraction * len(states))]


fractions = st.floats(0, 1, exclude_max=True)


# Conservation


@given(seeds)
@many
def test_every_match_ends_and_each_move_is_one_ply(seed: int) -> None:
    states = list(random_match(Random(seed)))
    assert [state.ply for state in states] == list(range(len(states)))
    assert len(states) <= MAX_PLIES
    assert states[-1].to_move is None and GAME.rules.result(states[-1]) is not None
    assert all(GAME.rules.result(state) is None for state in states[:-1])
    phases = [GAME.view.dump(state)["phase"] for state in states]
    assert phases == sorted(phases, key=["paving", "building", "over"].index)


@given(seeds)
@many
def test_nothing_appears_or_vanishes(seed: int) -> None:
    for state in random_match(Random(seed)):
        dumped = GAME.view.dump(state)
        board, pieces, seats = "".join(dumped["board"]), dumped["pieces"], dumped["seats"]
        covered = Counter(cell for piece in pieces for cell in piece["cells"])
        assert all(number == 1 for number in covered.values())
        assert len({piece["piece"] for piece in pieces}) == len(pieces)
        left = sum(len(seats[seat]["tiles"]) for seat in SEATS)
        assert board.count(".") == 4 * left
        names = [piece["piece"] for piece in pieces if piece["piece"] in conceivable.SHAPES]
        held = [building for seat in SEATS for building in seats[seat]["reserve"]]
        assert sorted([*held, *dumped["supply"], *(name for name in names if name != "garden")]) == sorted(
            set(conceivable.SHAPES) - {"garden"}
        )
        cards = dumped["postcards"]
        assert len(cards) == 8
        for seat in SEATS:
            taken = [card for card in cards if card["owner"] == seat]
            assert len(taken) + seats[seat]["tokens"] == 4
            built = [piece for piece in pieces if piece["owner"] == seat and piece["piece"] in conceivable.SHAPES]
            assert len(built) + seats[seat]["chimneys"] == 7
            assert {row["piece"] for row in dumped["score"][seat]["buildings"]} == {piece["piece"] for piece in built}
        assert all((card["state"] == "open") == (card["owner"] is None) for card in cards)


@given(seeds)
@some
def test_buildings_lie_in_their_shape_on_what_their_owner_may_cover(seed: int) -> None:
    *_, last = random_match(Random(seed))
    dumped = GAME.view.dump(last)
    for piece in dumped["pieces"]:
        if piece["piece"] in conceivable.SHAPES:
            shape = conceivable.SHAPES[piece["piece"]]
            assert tuple(piece["cells"]) in set(conceivable.lying(shape, mirrored=False))
            printed = Counter(dumped["board"][int(cell[1]) - 1]["abcdefgh".index(cell[0])] for cell in piece["cells"])
            rival = RIVAL[piece["owner"]][0]
            assert printed["l"] <= 1 and printed[rival] <= 1 and printed["."] == 0


@given(seeds)
@some
def test_each_right_is_used_at_most_once(seed: int) -> None:
    *_, last = random_match(Random(seed))
    dumped = GAME.view.dump(last)
    cards = {card["card"]: card for card in dumped["postcards"]}
    uses: Counter[tuple[str, str]] = Counter()
    for piece in dumped["pieces"]:
        if piece["piece"] in (*conceivable.SHAPES, "fountain"):
            for cell in piece["cells"]:
                letter = dumped["board"][int(cell[1]) - 1]["abcdefgh".index(cell[0])]
                if letter in ("l", RIVAL[piece["owner"]][0]):
                    uses["metropolitain" if letter == "l" else "chartier", piece["owner"]] += 1
    for (card, owner), number in uses.items():
        assert number == 1 and (cards[card]["state"], cards[card]["owner"]) == ("taken", owner)
    for card in ("metropolitain", "chartier"):
        if card in cards and cards[card]["owner"] is not None:
            assert (cards[card]["state"] == "taken") == ((card, cards[card]["owner"]) in uses)


# Listing and checking


@given(seeds, fractions)
@settings(max_examples=15, deadline=None)
def test_the_listed_moves_are_all_conceivable_ones_that_are_accepted(seed: int, fraction: float) -> None:
    state = somewhere(seed, fraction)
    listed = list(GAME.rules.legal_moves(state))
    assert len(listed) == len(set(listed))
    assert set(listed) == set(conceivable.accepted(state))


@given(seeds, fractions)
@some
def test_the_listed_moves_depend_on_nothing_but_the_state(seed: int, fraction: float) -> None:
    assert list(GAME.rules.legal_moves(somewhere(seed, fraction))) == list(
        GAME.rules.legal_moves(somewhere(seed, fraction))
    )


@given(seeds)
@some
def test_a_legal_move_has_the_same_effect_whenever_it_is_made(seed: int) -> None:
    state, moves = recorded(seed)
    for seat, move in moves:
        GAME.rules.check(state, seat, move)
        after = GAME.rules.apply(state, seat, move)
        assert GAME.rules.apply(state, seat, move) == after
        state = after


@given(seeds, fractions)
@some
def test_a_move_changes_no_state_but_makes_a_new_one(seed: int, fraction: float) -> None:
    state = somewhere(seed, fraction)
    seat = state.to_move
    assert seat is not None
    before, listed = GAME.view.dump(state), list(GAME.rules.legal_moves(state))
    for move in Random(seed).sample(listed, min(10, len(listed))):
        after = GAME.rules.apply(state, seat, move)
        assert after is not state and GAME.view.dump(after) != before
        assert GAME.view.dump(state) == before
    assert list(GAME.rules.legal_moves(state)) == listed


@given(seeds, fractions)
@some
def test_what_the_rules_alone_refuse_can_be_recorded_as_a_ruling(seed: int, fraction: float) -> None:
    state = somewhere(seed, fraction)
    before = GAME.view.dump(state)
    for move in Random(seed).sample(conceivable.moves(), 400):
        for seat in SEATS:
            try:
                GAME.rules.check(state, seat, move)
            except Refusal as refused:
                assert (refused.kind, refused.rule) == (
                    GAME.reasons[refused.code].kind,
                    GAME.reasons[refused.code].rule,
                )
                if refused.kind is Kind.RULE:
                    ruled = enter(GAME, state, seat, move, ruled=True)
                    assert ruled.ply == state.ply + 1
                    assert all(
                        sum(item.points for item in items) == GAME.rules.totals(ruled)[owner]
                        for owner, items in GAME.telling.explain(ruled).items()
                    )
    assert GAME.view.dump(state) == before


@given(seeds)
@some
def test_a_seat_that_passed_is_never_to_move_again(seed: int) -> None:
    for earlier, later in pairwise(random_match(Random(seed))):
        for seat in SEATS:
            if GAME.view.dump(earlier)["seats"][seat]["passed"]:
                assert later.to_move != seat and GAME.view.dump(later)["seats"][seat]["passed"]


@given(seeds, fractions)
@some
def test_a_seat_passes_in_the_second_phase_only_when_nothing_else_is_plain(seed: int, fraction: float) -> None:
    state = somewhere(seed, fraction)
    listed = list(GAME.rules.legal_moves(state))
    assert listed
    if GAME.view.dump(state)["phase"] == "building" and Pass() in listed:
        assert not any(isinstance(move, Postcard) for move in listed)
        assert all(uses_a_right(state, move) for move in listed if isinstance(move, Build))


def uses_a_right(state: State, move: Move) -> bool:
    """Whether a build covers a lamp or a space of the rival."""
    assert state.to_move is not None
    cells = GAME.move.dump(move)["cells"]
    board = GAME.view.dump(state)["board"]
    printed = {board[int(cell[1]) - 1]["abcdefgh".index(cell[0])] for cell in cells}
    return bool(printed - {state.to_move[0], "x"})


# Symmetry


def turned_space(space: str) -> str:
    """Where a space comes to lie when the board is turned clockwise."""
    column, row = "abcdefgh".index(space[0]), int(space[1])
    return f"{'hgfedcba'[row - 1]}{column + 1}"


def turned(move: JsonObject) -> JsonObject:
    """The same move on a board that is turned clockwise."""
    result = dict(move)
    if "at" in move:
        column, row = "abcdefgh".index(move["at"][0]), int(move["at"][1])
        result["at"] = f"{'gfedcba'[row - 1]}{column + 1}"
        result["rotation"] = (move["rotation"] + 90) % 360
    if "cells" in move:
        result["cells"] = [turned_space(cell) for cell in move["cells"]]
    if "cell" in move:
        result["cell"] = turned_space(move["cell"])
    if "facing" in move:
        result["facing"] = "nesw"["wnes".index(move["facing"])]
    return result


def swapped(move: JsonObject) -> JsonObject:
    """The same move by the other colour."""
    return {**move, "tile": {"O": "B", "B": "O"}[move["tile"][0]] + move["tile"][1]} if "tile" in move else dict(move)


@given(seeds)
@some
def test_a_match_on_a_turned_board_is_as_legal_and_scores_alike(seed: int) -> None:
    state, moves = recorded(seed)
    twin = state
    for seat, move in moves:
        state = enter(GAME, state, seat, move)
        twin = enter(GAME, twin, seat, GAME.move.parse(turned(GAME.move.dump(move))))
        assert (twin.to_move, GAME.view.dump(twin)["score"]) == (state.to_move, GAME.view.dump(state)["score"])
        assert GAME.view.dump(twin)["result"] == GAME.view.dump(state)["result"]
    assert sorted(map(str, GAME.view.dump(twin)["seats"].items())) == sorted(
        map(str, GAME.view.dump(state)["seats"].items())
    )


@given(seeds, fractions)
@some
def test_a_turned_board_has_the_turned_legal_moves(seed: int, fraction: float) -> None:
    start, moves = recorded(seed)
    state = twin = start
    for seat, move in moves[: int(fraction * len(moves))]:
        state = enter(GAME, state, seat, move)
        twin = enter(GAME, twin, seat, GAME.move.parse(turned(GAME.move.dump(move))))
    expected = {GAME.move.parse(turned(GAME.move.dump(move))) for move in GAME.rules.legal_moves(state)}
    assert set(GAME.rules.legal_moves(twin)) == expected


@given(seeds)
@some
def test_a_match_with_changed_colours_is_as_legal_and_scores_alike(seed: int) -> None:
    state, moves = recorded(seed)
    cards = [card["card"] for card in GAME.view.dump(state)["postcards"]]
    twin = begin(RIVAL[state.to_move or ""], cards)
    for seat, move in moves:
        state = enter(GAME, state, seat, move)
        twin = enter(GAME, twin, RIVAL[seat], GAME.move.parse(swapped(GAME.move.dump(move))))
        assert twin.to_move == (RIVAL[state.to_move] if state.to_move else None)
        score, other = GAME.view.dump(state)["score"], GAME.view.dump(twin)["score"]
        assert (score["orange"], score["blue"]) == (other["blue"], other["orange"])
    result, twin_result = GAME.rules.result(state), GAME.rules.result(twin)
    assert result is not None and twin_result is not None
    assert {RIVAL[seat] for seat in result.winners} == set(twin_result.winners)
    assert result.decided_by == twin_result.decided_by


def mirrored(state: State) -> State:
    """The same position seen in a mirror."""
    orange, blue, mixed, lamps = (_mirrored_set(layer) for layer in state.ground)
    across = {"n": "n", "s": "s", "e": "w", "w": "e", None: None}
    pieces = tuple(
        piece._replace(cells=_mirrored_set(piece.cells), facing=across[piece.facing]) for piece in state.pieces
    )
    ground = (orange, blue, mixed, lamps)
    return state._replace(ground=ground, pieces=pieces, occupied=_mirrored_set(state.occupied))


def _mirrored_set(mask: int) -> int:
    rows = (mask >> shift & 0xFF for shift in range(0, 64, 8))
    return sum(int(f"{row:08b}"[::-1], 2) << 8 * index for index, row in enumerate(rows))


@given(seeds)
@some
def test_a_mirrored_position_scores_alike(seed: int) -> None:
    for state in random_match(Random(seed)):
        twin = mirrored(state)
        assert GAME.view.dump(twin)["score"] == GAME.view.dump(state)["score"]
        assert [row[::-1] for row in GAME.view.dump(twin)["board"]] == GAME.view.dump(state)["board"]


def test_random_matches_reach_every_effect() -> None:
    seen: set[str] = set()
    for seed in range(300):
        *_, last = random_match(Random(seed))
        seen |= {piece["piece"] for piece in GAME.view.dump(last)["pieces"]}
        seen |= {f"used {card['card']}" for card in GAME.view.dump(last)["postcards"] if card["state"] == "taken"}
        seen |= {f"passed {seat}" for seat in SEATS if GAME.view.dump(last)["seats"][seat]["passed"]}
    pieces = {*conceivable.SHAPES, "annex", "lamp", "grand_lamp", "painter", "dancer", "statue", "fountain"}
    assert pieces | {"used metropolitain", "used chartier", "passed orange", "passed blue"} <= seen
