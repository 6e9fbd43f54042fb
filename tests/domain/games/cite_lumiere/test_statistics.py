"""What statistics ask of a match: every feature against the wire form of the end, standings, openings in four views."""

from collections.abc import Sequence
from typing import Any

import pytest

from domain.catalogue import GAMES
from domain.game import Feature, FeatureKind, Frame, JsonObject
from tests.domain.games.cite_lumiere.positions import FIRST_GAME, SEATS, written
from tests.domain.games.cite_lumiere.test_scoring_example import BUILDING, ENDING, PAVING
from tests.domain.lines import line_of, random_line, seeds

GAME = GAMES["cite-lumiere"]
EDITION = GAME.editions.default
SETUP: JsonObject = {"first": "orange", "postcards": list(FIRST_GAME)}
ORANGE, BLUE = SEATS


def in_turn(*lines: str) -> tuple[Frame, ...]:
    """The line of moves in words, each made by whoever is to move."""
    state = GAME.rules.start(GAME.setup.parse(SETUP), SEATS, EDITION)
    moves = []
    for words in lines:
        seat, move = state.to_move or "", written(words)
        moves.append((seat, move))
        state = GAME.rules.apply(state, seat, GAME.move.parse(move))
    return line_of(GAME, SETUP, SEATS, moves)


@pytest.fixture(scope="module")
def example() -> tuple[Frame, ...]:
    return in_turn(*PAVING, *BUILDING, *ENDING)


def test_postcards_are_taken_used_and_declined_with_the_points_they_gave(example: Sequence[Frame]) -> None:
    found = GAME.statistics.features(example)
    assert found["postcard:bouquinistes:used"] == {ORANGE: Feature(1)}
    assert found["postcard:le_peintre:taken"] == {BLUE: Feature(1, 4)}
    assert found["postcard:jardin_des_plantes:used"] == {ORANGE: Feature(1, 6)}
    assert found["postcard:lampadaire:declined"] == {BLUE: Feature(1)}
    assert found["postcard:lampadaire:used"] == {}
    assert found["postcard:levitation:declined"] == {BLUE: Feature(1)}


def test_a_right_is_used_or_only_taken(example: Sequence[Frame]) -> None:
    found = GAME.statistics.features(example)
    assert (found["postcard:chartier:taken"], found["postcard:chartier:used"]) == ({BLUE: Feature(1)}, {})
    assert "postcard:chartier:declined" not in found
    assert found["postcard:sacre_coeur:taken"] == {ORANGE: Feature(1, 6)}
    assert found["postcard:sacre_coeur:used"] == {ORANGE: Feature(1, 6)}


def test_sacre_coeur_is_not_used_where_nothing_is_left_to_spare() -> None:
    line = random_lines_with("sacre_coeur", is_spared=False)
    assert GAME.statistics.features(line)["postcard:sacre_coeur:used"] == {}


def random_lines_with(card: str, *, is_spared: bool) -> tuple[Frame, ...]:
    """A random match in which somebody has a card and buildings left over, or none."""
    for seed in range(500):
        line = random_line(GAME, seed)
        end = GAME.view.dump(line[-1].state)
        owner = next((entry["owner"] for entry in end["postcards"] if entry["card"] == card), None)
        if owner and bool(end["seats"][owner]["reserve"]) is is_spared:
            return line
    raise AssertionError("no such match")


@pytest.mark.parametrize("seed", seeds(30))
def test_all_features_follow_from_the_moves_and_the_wire_form_of_the_end(seed: int) -> None:
    line = random_line(GAME, seed)
    end, found = GAME.view.dump(line[-1].state), GAME.statistics.features(line)
    assert {name.partition(":")[2].rpartition(":")[0] for name in found if name.startswith("postcard")} == {
        entry["card"] for entry in end["postcards"]
    }
    assert set(found) <= set(GAME.statistics.FEATURE_KINDS)
    moves = [(frame.seat, GAME.move.dump(frame.move)) for frame in line[1:]]
    for entry in end["postcards"]:
        card, owner = entry["card"], entry["owner"]
        assert set(found[f"postcard:{card}:taken"]) == ({owner} if owner else set())
        move: dict[str, Any] = next((move for _, move in moves if move.get("card") == card), {})
        has_effect = len(move) > 2
        if f"postcard:{card}:declined" in found:
            assert bool(found[f"postcard:{card}:used"]) is has_effect
            assert bool(found[f"postcard:{card}:declined"]) is (bool(owner) and not has_effect)
        elif card != "sacre_coeur":
            assert bool(found[f"postcard:{card}:used"]) is (bool(owner) and entry["state"] == "taken")
    for seat in SEATS:
        score = end["score"][seat]
        taken = {move["building"] for mover, move in moves if mover == seat and move["type"] == "take"}
        built = {row["piece"]: row["points"] for row in score["buildings"] if row["piece"] != "garden"}
        names = [name.split(":")[1] for name in found if name.startswith("building:") and name.endswith("taken")]
        assert {name for name in names if seat in found[f"building:{name}:taken"]} == taken
        assert {
            name: found[f"building:{name}:built"][seat].points
            for name in names
            if seat in found[f"building:{name}:built"]
        } == built
        amounts = {
            "built_spaces": sum(row["size"] for row in score["buildings"]),
            "lamps": sum(row["lamps"] for row in score["buildings"]),
            "lit": score["lit"],
            "group": score["group"],
            "unbuilt": len(end["seats"][seat]["reserve"]),
            "free_spaces": score["free_spaces"],
        }
        assert {name: found[name][seat].amount for name in amounts} == amounts
        assert score["postcards"] == sum(
            seats[seat].points or 0
            for name, seats in found.items()
            if name.endswith(":used") and seat in seats and name.split(":")[1] in STAMPED
        )


STAMPED = {"fontaine_des_mers", "le_peintre", "le_penseur", "moulin_rouge"}


def test_what_is_paved_is_counted_as_printed(example: Sequence[Frame]) -> None:
    found, board = GAME.statistics.features(example), "".join(GAME.view.dump(example[-1].state)["board"])
    for name, letters in (("mixed_spaces_paved", "x"), ("lamps_paved", "l")):
        assert sum(feature.amount for feature in found[name].values()) == sum(map(board.count, letters))
    printed = "".join(face["value"] for face in EDITION.document["faces"].values())
    assert [found["own_spaces_paved"][seat].amount for seat in SEATS] == [printed.count("s")] * 2


def test_kinds_say_what_is_done_and_what_is_compared() -> None:
    assert GAME.statistics.FEATURE_KINDS["postcard:lampadaire:used"] is FeatureKind.DEED
    assert GAME.statistics.FEATURE_KINDS["group"] is FeatureKind.AMOUNT


def test_who_leads_is_asked_from_the_end_of_paving_on(example: Sequence[Frame]) -> None:
    standings = list(GAME.statistics.standings(example))
    assert len(standings) == len(BUILDING) + len(ENDING) + 1
    assert standings[-1] == {seat: GAME.view.dump(example[-1].state)["score"][seat]["total"] for seat in SEATS}
    assert all(total <= 0 for total in standings[0].values())


def turned(move: JsonObject) -> JsonObject:
    """A move on a board turned clockwise once, by the names of its spaces."""
    if move["type"] != "pave":
        return move
    column, row = "abcdefgh".index(move["at"][0]), int(move["at"][1])
    at = f"{'abcdefgh'[7 - row]}{column + 1}"
    return {**move, "at": at, "rotation": (move["rotation"] + 90) % 360}


@pytest.mark.parametrize("seed", seeds(10))
def test_openings_are_the_same_however_the_board_is_turned(seed: int) -> None:
    moves = [(frame.seat or "", GAME.move.dump(frame.move)) for frame in random_line(GAME, seed)[1:12]]
    first = moves[0][0]
    setup = {**SETUP, "first": first}
    openings = set()
    for _ in range(4):
        openings.add(GAME.statistics.opening(line_of(GAME, setup, SEATS, moves), 6))
        moves = [(seat, turned(move)) for seat, move in moves]
    assert len(openings) == 1
    (opening,) = openings
    assert [step.mover for step in opening] == [1, 2, 1, 2, 1, 2]


def test_shorter_openings_are_beginnings_of_longer_ones_and_differ_where_the_moves_do() -> None:
    line = in_turn(*PAVING)
    whole = GAME.statistics.opening(line, 6)
    assert [GAME.statistics.opening(line, depth) for depth in range(7)] == [whole[:depth] for depth in range(7)]
    other = in_turn("pave O1 g5 180", "pave B1 e3 90")
    same = in_turn("pave O1 g5 180", "pave B1 e3 180")
    assert GAME.statistics.opening(other, 6) != GAME.statistics.opening(same, 6) == whole[:2]


def test_an_opening_ends_with_the_paving() -> None:
    squares = [f"{column}{row}" for row in (1, 3, 5, 7) for column in "aceg"]
    paving = [f"pave {'OB'[index % 2]}{index // 2 + 1} {square} 0" for index, square in enumerate(squares)]
    line = in_turn(*paving, "lampadaire")
    assert len(GAME.statistics.opening(line, 99)) == 16
