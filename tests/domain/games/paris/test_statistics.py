"""What statistics ask of a match: every feature against the wire form of the end and the explanation of its points."""

from collections import Counter
from collections.abc import Sequence

import pytest

from domain.catalogue import GAMES
from domain.game import Feature, FeatureKind, Frame, JsonObject
from tests.domain.lines import line_of, random_line, random_setup, seeds

GAME = GAMES["paris"]


def points_by_origin(line: Sequence[Frame], seat: str) -> Counter[tuple[str, str]]:
    """The points of a seat by category and tile, place or district, as the explanation has them."""
    points: Counter[tuple[str, str]] = Counter()
    for item in GAME.telling.explain(line[-1].state)[seat]:
        if item.category == "district":
            points["district", item.sources[0].rpartition("-")[0]] += item.points
        else:
            points["bonus" if item.category == "francs_tile" else item.category, item.pieces[0]] += item.points
    return points


@pytest.mark.parametrize("seed", seeds(30))
def test_all_features_follow_from_the_moves_and_the_wire_form_of_the_end(seed: int) -> None:
    line = random_line(GAME, seed)
    end, found = GAME.view.dump(line[-1].state), GAME.statistics.features(line)
    assert set(found) <= set(GAME.statistics.FEATURE_KINDS)
    moves = [(frame.seat, GAME.move.dump(frame.move)) for frame in line[1:]]
    placed = end["scoring_tiles"]["placed"]
    assert {name for name in found if name.startswith("district:")} == {f"district:{district}" for district in placed}
    for seat, held in end["seats"].items():
        mine = {name: seats[seat] for name, seats in found.items() if seat in seats}
        points = points_by_origin(line, seat)
        counting = {int(tile) for category, tile in points if category == "bonus" and int(tile) in held["bonus"]}
        used = {f"bonus:{tile}" for tile in {*held["used_bonus"], *counting}}
        assert {name for name in mine if name.startswith("bonus:")} == used
        for name in used:
            assert mine[name].points == points["bonus", name.partition(":")[2]]
        taken = {
            f"end_tile:{move['tile']}" for mover, move in moves if mover == seat and move["type"] == "take_end_tile"
        }
        assert {name for name in mine if name.startswith("end_tile:")} == taken
        for name in taken:
            assert mine[name].points == points["end_tile", name.partition(":")[2]]
        landmarks = {value for value, lying in end["landmarks"]["placed"].items() if seat in lying["keys"]}
        assert {name for name in mine if name.startswith("landmark:")} == {f"landmark:{value}" for value in landmarks}
        for value in landmarks:
            assert mine[f"landmark:{value}"].points == points["landmark", f"landmark-{value}"]
        owned = [building["keys"].count(seat) for building in end["buildings"].values()]
        owned += [lying["keys"].count(seat) for lying in end["landmarks"]["placed"].values()]
        assert (mine["francs"].amount, mine["keys"].amount) == (held["francs"], sum(owned))


@pytest.mark.parametrize("seed", seeds(20))
def test_a_district_is_won_by_whoever_gets_the_most_for_it(seed: int) -> None:
    line = random_line(GAME, seed)
    end, found = GAME.view.dump(line[-1].state), GAME.statistics.features(line)
    for district in end["scoring_tiles"]["placed"]:
        points = {seat: score["districts"][district] for seat, score in end["score"].items()}
        won = found[f"district:{district}"]
        best = max(points.values())
        assert won or not best
        if best:
            assert all(feature == Feature(1, best) for seat, feature in won.items())
            assert set(won) == {seat for seat, got in points.items() if got == best}


def test_kinds_say_what_is_done_and_what_is_compared() -> None:
    assert GAME.statistics.FEATURE_KINDS["bonus:7"] is FeatureKind.DEED
    assert GAME.statistics.FEATURE_KINDS["francs"] is FeatureKind.AMOUNT


def test_who_leads_is_asked_at_the_end_of_each_turn() -> None:
    line = random_line(GAME, 1)
    standings = list(GAME.statistics.standings(line))
    turns = [frame for frame in line[1:] if GAME.move.dump(frame.move)["type"] == "end_turn"]
    assert len(standings) == len(turns)
    for frame, totals in zip(turns, standings, strict=True):
        assert totals == {seat: score["total"] for seat, score in GAME.view.dump(frame.state)["score"].items()}


def test_an_opening_leaves_out_reveals_and_ends_of_turns_and_tells_movers_by_turn_order() -> None:
    line = random_line(GAME, 2)
    seats = list(GAME.view.dump(line[0].state)["seats"])
    opening = [(seats[step.mover - 1], GAME.move.dump(step.move)) for step in GAME.statistics.opening(line, 6)]
    moves = [(frame.seat, GAME.move.dump(frame.move)) for frame in line[1:]]
    assert opening == [(seat, move) for seat, move in moves if move["type"] not in {"reveal", "end_turn"}][:6]


def test_a_short_line_has_a_short_opening() -> None:
    seats = ("red", "blue")
    setup: JsonObject = {"advanced": False, "variant": None}
    assert GAME.statistics.opening(line_of(GAME, setup, seats, []), 6) == ()


def test_variants_are_told_apart() -> None:
    found = {
        (setup["advanced"], setup["variant"]): GAME.statistics.variant(GAME.setup.parse(setup))
        for setup in (random_setup(GAME, ("red", "blue"), seed) for seed in range(50))
    }
    assert found == {
        (False, None): "standard",
        (True, None): "advanced",
        (False, "free_placement"): "free_placement",
        (True, "free_placement"): "advanced_free_placement",
    }
    assert sorted(found.values()) == sorted(GAME.statistics.VARIANTS)


def test_the_other_game_has_one_variant() -> None:
    other = GAMES["cite-lumiere"]
    setup = other.setup.parse(random_setup(other, ("orange", "blue"), 1))
    assert (other.statistics.variant(setup), *other.statistics.VARIANTS) == ("standard", "standard")
