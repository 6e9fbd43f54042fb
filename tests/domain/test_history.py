"""Recording, undo, correction, restoring and what-if lines, each with what it refuses."""

from collections.abc import Callable, Sequence
from random import Random

import pytest

from domain.canonical import canonical
from domain.catalogue import GAMES
from domain.forms import Malformed
from domain.game import JsonObject, Kind, Refusal
from domain.match import (
    Action,
    Change,
    CorrectionConflict,
    Entry,
    EventKind,
    HistoryError,
    MatchAbandoned,
    MatchFinished,
    MatchNotAbandoned,
    MoveRefused,
    NoChange,
    OnConflict,
    OutOfRange,
    Player,
    RulingNotNeeded,
    Status,
    Timeline,
    Verdict,
    VerdictStatus,
    abandon,
    assign_players,
    change_edition,
    correct_setup,
    create,
    insert,
    record,
    remove,
    reopen,
    replace,
    restore,
    undo,
    what_if,
)
from domain.match.events import Draft
from scripts.random_play import draw_setup, play
from tests.domain.logs import Log, correct, editions_of

GAME = GAMES["cite-lumiere"]
EDITION = GAME.editions.default
CORRECTED = editions_of(GAME)["corrected"]
PLAYERS = (Player("orange", "ana"), Player("blue", "jan"))
POSTCARDS = sorted(EDITION.first_game_set)
SETUP = GAME.setup.parse({"first": "orange", "postcards": POSTCARDS})


def pave(seat: str, tile: str, at: str, rotation: int = 0) -> Entry:
    return Entry(seat, GAME.move.parse({"type": "pave", "tile": tile, "at": at, "rotation": rotation}))


def take(seat: str, building: str) -> Entry:
    return Entry(seat, GAME.move.parse({"type": "take", "building": building}))


OPENING = [
    pave("orange", "O1", "a1"),
    take("blue", "L4"),
    take("orange", "U6"),
    pave("blue", "B1", "c1"),
    pave("orange", "O2", "e1"),
    take("blue", "I3"),
]


def begun() -> Timeline:
    return create(GAME, EDITION, PLAYERS, SETUP).timeline


def opened(entries: Sequence[Entry] = OPENING) -> Timeline:
    return record(begun(), entries).timeline


def moves(timeline: Timeline) -> list[JsonObject]:
    return [GAME.move.dump(frame.move) for frame in timeline.frames()[1:]]


def statuses(verdicts: Sequence[Verdict]) -> list[str]:
    return [str(verdict.status) for verdict in verdicts]


# Creating


def test_a_new_match_stands_at_its_set_up() -> None:
    change = create(GAME, EDITION, PLAYERS, SETUP)
    timeline = change.timeline
    assert (timeline.version, timeline.ply, timeline.status, timeline.to_move) == (1, 0, Status.IN_PROGRESS, "orange")
    assert timeline.result is None
    (draft,) = change.drafts
    assert draft.kind == EventKind.MATCH_CREATED
    assert draft.payload == {
        "game": "cite-lumiere",
        "edition": "devir-2019",
        "edition_digest": EDITION.digest,
        "rules_version": 1,
        "players": [{"seat": "orange", "player_id": "ana"}, {"seat": "blue", "player_id": "jan"}],
        "setup": {"first": "orange", "postcards": POSTCARDS},
    }


@pytest.mark.parametrize(
    ("players", "pointers"),
    [
        ([Player("orange", "ana")], ["/players"]),
        ([Player("orange", "ana"), Player("blue", "ana")], ["/players/1/player_id"]),
        ([Player("orange", "ana"), Player("orange", "jan")], ["/players/1/seat"]),
        ([Player("orange", "ana"), Player("green", "jan")], ["/players/1/seat"]),
        ([Player("orange", "a"), Player("blue", "b"), Player("green", "c")], ["/players", "/players/2/seat"]),
    ],
)
def test_people_who_cannot_play_it_are_malformed(players: list[Player], pointers: list[str]) -> None:
    with pytest.raises(Malformed) as caught:
        create(GAME, EDITION, players, SETUP)
    assert [error.pointer for error in caught.value.errors] == pointers


# Recording


def test_recorded_moves_become_frames_with_their_events() -> None:
    change = record(begun(), OPENING[:2])
    timeline = change.timeline
    assert [draft.payload for draft in change.drafts] == [
        {
            "seat": "orange",
            "move": {"type": "pave", "tile": "O1", "at": "a1", "rotation": 0},
            "ruling": None,
        },
        {"seat": "blue", "move": {"type": "take", "building": "L4"}, "ruling": None},
    ]
    assert [(frame.ply, frame.seq, frame.seat) for frame in timeline.frames()] == [
        (0, 1, None),
        (1, 2, "orange"),
        (2, 3, "blue"),
    ]
    assert (timeline.version, timeline.ply, timeline.to_move) == (3, 2, "orange")


def test_a_batch_with_one_illegal_move_is_refused_whole_and_names_it() -> None:
    timeline = begun()
    with pytest.raises(MoveRefused) as caught:
        record(timeline, [OPENING[0], OPENING[1], take("orange", "L4")])
    refused = caught.value
    assert (refused.index, refused.ply, refused.seat) == (2, 3, "orange")
    assert (refused.refusal.code, refused.refusal.kind) == ("not_in_supply", Kind.PHYSICAL)
    assert (timeline.version, timeline.ply) == (1, 0)


def test_an_entry_without_a_seat_is_the_move_of_whoever_is_to_move() -> None:
    timeline = record(begun(), [Entry(None, entry.move) for entry in OPENING]).timeline
    assert [frame.seat for frame in timeline.frames()[1:]] == ["orange", "blue"] * 3


def test_a_seat_that_nobody_has_is_malformed() -> None:
    with pytest.raises(Malformed) as caught:
        record(begun(), [Entry("green", OPENING[0].move)])
    assert [error.pointer for error in caught.value.errors] == ["/seat"]


def test_no_moves_are_no_change() -> None:
    with pytest.raises(NoChange):
        record(begun(), [])


def test_a_match_that_is_over_is_finished_and_refuses_moves() -> None:
    timeline = begun()
    while timeline.to_move is not None:
        move = next(iter(GAME.rules.legal_moves(timeline.head.state)))
        timeline = record(timeline, [Entry(None, move)]).timeline
    assert timeline.status is Status.FINISHED
    assert timeline.result is not None
    with pytest.raises(MoveRefused) as caught:
        record(timeline, [Entry(None, GAME.move.parse({"type": "pass"}))])
    assert caught.value.refusal.code == "match_over"
    with pytest.raises(MatchFinished):
        abandon(timeline)
    assert undo(timeline, timeline.ply - 1).timeline.status is Status.IN_PROGRESS


# Table rulings


def test_a_ruling_records_what_breaks_only_rules_and_stays_marked() -> None:
    out_of_turn = Entry("blue", OPENING[1].move, "reason")
    change = record(begun(), [out_of_turn])
    assert change.timeline.head.ruling == "reason"
    assert change.timeline.to_move == "orange"
    assert change.drafts[0].payload["ruling"] == {"reason": "reason"}


def test_a_ruling_beside_a_legal_move_is_not_needed() -> None:
    with pytest.raises(RulingNotNeeded) as caught:
        record(begun(), [OPENING[0], Entry("blue", OPENING[1].move, "reason")])
    assert (caught.value.index, caught.value.ply, caught.value.seat) == (1, 2, "blue")


def test_a_ruling_never_allows_what_cannot_happen() -> None:
    timeline = opened(OPENING[:2])
    with pytest.raises(MoveRefused) as caught:
        record(timeline, [Entry("blue", take("blue", "L4").move, "reason")])
    assert caught.value.refusal.kind is Kind.PHYSICAL


def test_a_ruling_that_a_correction_makes_needless_stays_a_ruling() -> None:
    timeline = record(begun(), [pave("orange", "O1", "a1"), Entry("orange", take("orange", "L4").move, "reason")])
    corrected = insert(timeline.timeline, 2, take("blue", "I3"))
    assert statuses(corrected.verdicts) == ["ok"]
    assert corrected.timeline.head.ruling == "reason"


# Undo


def test_undo_brings_back_the_ply_and_nothing_else() -> None:
    timeline = opened()
    change = undo(timeline, 2)
    assert change.drafts[0].payload == {"to_ply": 2}
    assert change.timeline.version == timeline.version + 1
    assert moves(change.timeline) == moves(timeline)[:2]
    assert change.timeline.head.state is timeline.frame(2).state


def test_undo_to_the_present_ply_is_no_change() -> None:
    with pytest.raises(NoChange):
        undo(opened(), 6)


@pytest.mark.parametrize("ply", [-1, 7])
def test_undo_to_a_ply_that_is_not_there_is_out_of_range(ply: int) -> None:
    with pytest.raises(OutOfRange) as caught:
        undo(opened(), ply)
    assert (caught.value.number, caught.value.first, caught.value.last) == (ply, 0, 6)


# Corrections


def test_a_replaced_move_keeps_the_rest_with_a_verdict_for_each() -> None:
    timeline = opened()
    correction = replace(timeline, 3, take("orange", "X5"))
    assert statuses(correction.verdicts) == ["ok", "ok", "ok"]
    assert [(verdict.old_ply, verdict.ply) for verdict in correction.verdicts] == [(4, 4), (5, 5), (6, 6)]
    assert correction.dropped == 0
    corrected = correction.timeline
    expected = moves(timeline)
    expected[2] = {"type": "take", "building": "X5"}
    assert moves(corrected) == expected
    assert GAME.view.dump(corrected.head.state)["seats"]["orange"]["reserve"] == ["X5"]
    assert correction.drafts[0].payload == {
        "ply": 3,
        "action": "replace",
        "seat": "orange",
        "move": {"type": "take", "building": "X5"},
        "ruling": None,
        "dropped": 0,
    }


def test_the_later_frames_keep_their_events_and_the_new_one_names_those_it_replaced() -> None:
    timeline = replace(opened(), 3, take("orange", "X5")).timeline
    timeline = replace(timeline, 3, take("orange", "W5")).timeline
    assert [frame.seq for frame in timeline.frames()] == [1, 2, 3, 9, 5, 6, 7]
    assert timeline.frame(3).replaced == (4, 8)
    assert timeline.frame(4).replaced == ()


def test_a_replacement_without_a_seat_takes_that_of_the_replaced_move() -> None:
    timeline = replace(opened(), 4, Entry(None, take("", "X5").move)).timeline
    assert timeline.frame(4).seat == "blue"


def test_an_insertion_puts_the_move_before_the_ply() -> None:
    paved = [pave("orange", "O1", "a1"), pave("orange", "O2", "c1")]
    timeline = record(begun(), [paved[0], Entry("orange", paved[1].move, "reason")]).timeline
    correction = insert(timeline, 2, Entry(None, take("blue", "L4").move))
    assert [(verdict.old_ply, verdict.ply, verdict.status) for verdict in correction.verdicts] == [
        (2, 3, VerdictStatus.OK)
    ]
    assert [frame.seat for frame in correction.timeline.frames()] == [None, "orange", "blue", "orange"]
    assert correction.timeline.frame(2).replaced == ()


def test_an_insertion_after_the_last_ply_appends() -> None:
    timeline = insert(opened(), 7, take("orange", "X5")).timeline
    assert moves(timeline)[6:] == [{"type": "take", "building": "X5"}]


def test_a_removal_closes_the_gap_where_the_rest_fits() -> None:
    timeline = record(begun(), [OPENING[0], Entry("orange", take("orange", "S4").move, "reason"), OPENING[1]]).timeline
    correction = remove(timeline, 2)
    assert statuses(correction.verdicts) == ["ok"]
    assert moves(correction.timeline) == moves(timeline)[:1] + moves(timeline)[2:]
    assert correction.drafts[0].payload == {"ply": 2, "action": "remove", "dropped": 0}


def test_a_conflict_changes_nothing_and_names_the_first_misfit() -> None:
    timeline = opened()
    with pytest.raises(CorrectionConflict) as caught:
        replace(timeline, 2, take("blue", "U6"))
    conflict = caught.value
    assert conflict.first_ply == 3
    assert statuses(conflict.verdicts) == ["refused", "not_reached", "not_reached", "not_reached"]
    refusal = conflict.verdicts[0].refusal
    assert isinstance(refusal, Refusal)
    assert refusal.code == "not_in_supply"
    assert "ply 3" in str(conflict)
    assert conflict.verdicts[1].refusal is None


def test_cutting_the_rest_on_request_keeps_what_fits() -> None:
    correction = replace(opened(), 2, take("blue", "I3"), OnConflict.TRUNCATE)
    assert statuses(correction.verdicts) == ["ok", "ok", "ok", "refused"]
    assert (correction.dropped, correction.timeline.ply) == (1, 5)
    assert correction.drafts[0].payload["dropped"] == 1


def test_a_removed_turn_misfits_the_next_one() -> None:
    correction = remove(opened(), 3, on_conflict=OnConflict.TRUNCATE)
    refusal = correction.verdicts[0].refusal
    assert refusal is not None
    assert refusal.code == "not_your_turn"
    assert [(verdict.old_ply, verdict.ply) for verdict in correction.verdicts] == [(4, 3), (5, 4), (6, 5)]
    assert (correction.dropped, correction.timeline.ply) == (3, 2)


def test_a_replacement_by_the_same_move_is_no_change() -> None:
    with pytest.raises(NoChange):
        replace(opened(), 3, OPENING[2])


def test_an_illegal_replacement_is_refused_at_its_ply() -> None:
    with pytest.raises(MoveRefused) as caught:
        replace(opened(), 3, take("orange", "L4"))
    assert (caught.value.ply, caught.value.index) == (3, 0)


def test_a_correction_can_be_a_ruling() -> None:
    ruled = Entry("blue", take("blue", "X5").move, "reason")
    correction = replace(opened(), 3, ruled, OnConflict.TRUNCATE)
    assert correction.timeline.frame(3).ruling == "reason"
    assert correction.drafts[0].payload["ruling"] == {"reason": "reason"}
    with pytest.raises(RulingNotNeeded):
        replace(opened(), 3, Entry("orange", take("orange", "X5").move, "reason"))


@pytest.mark.parametrize(
    ("action", "ply"),
    [
        (Action.REPLACE, 0),
        (Action.REPLACE, 7),
        (Action.REMOVE, 0),
        (Action.REMOVE, 7),
        (Action.INSERT, 0),
        (Action.INSERT, 8),
    ],
)
def test_a_correction_beyond_the_line_is_out_of_range(action: Action, ply: int) -> None:
    with pytest.raises(OutOfRange):
        correct(opened(), ply, action, None if action is Action.REMOVE else OPENING[0])


def test_a_corrected_set_up_keeps_the_moves_that_fit() -> None:
    others = ["moulin_rouge", *POSTCARDS[1:]]
    setup = GAME.setup.parse({"first": "orange", "postcards": others})
    correction = correct_setup(opened(), setup)
    assert set(statuses(correction.verdicts)) == {"ok"}
    assert [verdict.old_ply for verdict in correction.verdicts] == [1, 2, 3, 4, 5, 6]
    assert correction.timeline.setup == setup
    assert moves(correction.timeline) == moves(opened())
    cards = [card["card"] for card in GAME.view.dump(correction.timeline.head.state)["postcards"]]
    assert cards == sorted(others)
    assert (correction.timeline.frame(0).seq, correction.timeline.frame(0).replaced) == (8, (1,))


def test_a_corrected_first_player_conflicts_with_the_first_move() -> None:
    setup = GAME.setup.parse({"first": "blue", "postcards": POSTCARDS})
    with pytest.raises(CorrectionConflict) as caught:
        correct_setup(opened(), setup)
    assert caught.value.first_ply == 1
    correction = correct_setup(opened(), setup, OnConflict.TRUNCATE)
    assert (correction.dropped, correction.timeline.ply, correction.timeline.to_move) == (6, 0, "blue")


def test_the_same_set_up_is_no_change() -> None:
    with pytest.raises(NoChange):
        correct_setup(opened(), GAME.setup.parse({"first": "orange", "postcards": POSTCARDS[::-1]}))


# Another edition


def test_a_match_goes_on_with_another_edition_and_keeps_the_moves_that_fit() -> None:
    correction = change_edition(opened(), CORRECTED)
    assert set(statuses(correction.verdicts)) == {"ok"}
    timeline = correction.timeline
    assert (timeline.edition, timeline.setup, moves(timeline)) == (CORRECTED, SETUP, moves(opened()))
    assert correction.drafts == (
        Draft(
            EventKind.EDITION_CHANGED,
            canonical({"edition": "corrected", "edition_digest": CORRECTED.digest, "dropped": 0}),
        ),
    )
    assert (timeline.frame(0).seq, timeline.frame(0).replaced) == (8, (1,))
    assert timeline.head.state.chimneys(0) == opened().head.state.chimneys(0) - EDITION.chimneys + CORRECTED.chimneys
    assert timeline.editions == (EDITION, CORRECTED)


def test_moves_that_another_edition_does_not_allow_are_a_conflict_or_cut() -> None:
    match = play(GAME, Random(1))
    people = [Player(seat, seat) for seat in match.seats]
    begun_match = create(GAME, EDITION, people, GAME.setup.parse(match.setup)).timeline
    timeline = record(begun_match, [Entry(seat, move) for seat, move in match.plies]).timeline
    one_chimney = GAME.editions.amend(EDITION, "one", "One", {"chimneys": 1})
    with pytest.raises(CorrectionConflict) as caught:
        change_edition(timeline, one_chimney)
    correction = change_edition(timeline, one_chimney, OnConflict.TRUNCATE)
    assert correction.timeline.ply == caught.value.first_ply - 1 == timeline.ply - correction.dropped
    assert 0 < correction.dropped < timeline.ply
    assert correction.drafts[0].payload["dropped"] == correction.dropped


def test_the_edition_that_a_match_has_is_no_change() -> None:
    with pytest.raises(NoChange):
        change_edition(opened(), EDITION)
    with pytest.raises(NoChange):
        change_edition(change_edition(opened(), CORRECTED).timeline, CORRECTED)


def test_an_edition_that_does_not_go_with_the_set_up_is_refused() -> None:
    paris = GAMES["paris"]
    printed = paris.editions.default
    setup = next(
        setup
        for setup in (paris.setup.parse(draw_setup("paris", ["red", "blue"], Random(seed))) for seed in range(100))
        if setup.track
    )
    timeline = create(paris, printed, [Player("red", "ana"), Player("blue", "jan")], setup).timeline
    zones = paris.editions.amend(printed, "zones", "Zones", {"zones": {"A": [1, 1], "B": [2, 2], "C": [3, 30]}})
    with pytest.raises(Malformed) as caught:
        change_edition(timeline, zones)
    assert caught.value.errors[0].pointer.startswith("/setup/track/")


def test_restoring_brings_back_the_edition_of_a_version() -> None:
    timeline = opened()
    changed = change_edition(timeline, CORRECTED).timeline
    restored = restore(changed, timeline.version).timeline
    assert (restored.edition, moves(restored)) == (EDITION, moves(timeline))
    assert restored.at(changed.version).edition is CORRECTED
    assert restore(restored, changed.version).timeline.edition is CORRECTED


# Restoring


def test_restoring_is_the_redo_of_an_undo() -> None:
    timeline = opened()
    undone = undo(timeline, 2).timeline
    restored = restore(undone, timeline.version)
    assert [frame.state for frame in restored.timeline.frames()] == [frame.state for frame in timeline.frames()]
    assert restored.timeline.version == timeline.version + 2
    assert restored.drafts[0].payload == {"version": timeline.version}


def test_restoring_undoes_a_correction_and_a_corrected_set_up() -> None:
    timeline = opened()
    setup = GAME.setup.parse({"first": "orange", "postcards": ["moulin_rouge", *POSTCARDS[1:]]})
    changed = correct_setup(timeline, setup).timeline
    changed = replace(changed, 3, take("orange", "X5")).timeline
    restored = restore(changed, timeline.version).timeline
    assert (restored.setup, moves(restored)) == (SETUP, moves(timeline))


def test_restoring_leaves_people_as_they_are_now() -> None:
    timeline = opened()
    swapped = assign_players(timeline, [Player("orange", "jan"), Player("blue", "ana")]).timeline
    restored = restore(undo(swapped, 0).timeline, timeline.version).timeline
    assert restored.players == swapped.players


def test_restoring_the_present_is_no_change() -> None:
    timeline = opened()
    with pytest.raises(NoChange):
        restore(timeline, timeline.version)


@pytest.mark.parametrize("version", [0, 8])
def test_restoring_a_version_that_never_was_is_out_of_range(version: int) -> None:
    with pytest.raises(OutOfRange):
        restore(opened(), version)


# People, abandoning, reopening


def test_people_are_reassigned_in_the_order_of_the_seats() -> None:
    change = assign_players(opened(), [Player("blue", "eva"), Player("orange", "ana")])
    assert change.timeline.players == (Player("orange", "ana"), Player("blue", "eva"))
    assert change.drafts[0].payload["players"][1] == {"seat": "blue", "player_id": "eva"}
    assert change.timeline.ply == 6


def test_reassigning_the_same_people_is_no_change() -> None:
    with pytest.raises(NoChange):
        assign_players(opened(), PLAYERS[::-1])


@pytest.mark.parametrize(
    "players",
    [
        [Player("orange", "ana")],
        [Player("orange", "ana"), Player("green", "jan")],
        [Player("orange", "ana"), Player("orange", "jan")],
        [Player("orange", "ana"), Player("blue", "ana")],
    ],
)
def test_people_are_assigned_to_each_seat_of_the_match_once(players: list[Player]) -> None:
    with pytest.raises(Malformed):
        assign_players(opened(), players)


def test_an_abandoned_match_takes_people_and_reopening_and_nothing_else() -> None:
    timeline = abandon(opened()).timeline
    assert timeline.status is Status.ABANDONED
    refused: list[Callable[[], Change]] = [
        lambda: record(timeline, [take("orange", "X5")]),
        lambda: undo(timeline, 0),
        lambda: remove(timeline, 1),
        lambda: correct_setup(timeline, SETUP),
        lambda: change_edition(timeline, CORRECTED),
        lambda: restore(timeline, 1),
        lambda: abandon(timeline),
    ]
    for act in refused:
        with pytest.raises(MatchAbandoned):
            act()
    moved = assign_players(timeline, [Player("orange", "eva"), Player("blue", "jan")]).timeline
    assert moved.status is Status.ABANDONED
    assert reopen(moved).timeline.status is Status.IN_PROGRESS
    assert reopen(moved).timeline.head is timeline.head


def test_a_match_that_goes_on_cannot_be_reopened() -> None:
    with pytest.raises(MatchNotAbandoned):
        reopen(opened())


# What-if lines


def test_a_what_if_line_plays_from_any_ply_and_leaves_the_match_alone() -> None:
    timeline = opened()
    line = what_if(timeline, 2, [Entry(None, take("", "X5").move), pave("blue", "B8", "g7", 90)])
    assert [(frame.ply, frame.seat, frame.seq) for frame in line] == [(3, "orange", None), (4, "blue", None)]
    assert GAME.view.dump(line[0].state)["seats"]["orange"]["reserve"] == ["X5"]
    assert (timeline.ply, timeline.version) == (6, 7)


def test_an_illegal_what_if_move_is_refused_by_its_index() -> None:
    with pytest.raises(MoveRefused) as caught:
        what_if(opened(), 2, [take("orange", "X5"), take("blue", "X5")])
    assert (caught.value.index, caught.value.ply) == (1, 4)


def test_a_what_if_line_starts_on_the_line() -> None:
    with pytest.raises(OutOfRange):
        what_if(opened(), 7, [])


# The timeline as a whole


def test_every_act_folds_to_the_timeline_that_it_answered_with() -> None:
    log = Log()
    log.append(create(GAME, EDITION, PLAYERS, SETUP))
    log.append(record(log.timeline, OPENING))
    log.append(undo(log.timeline, 4))
    log.append(replace(log.timeline, 2, take("blue", "X5")))
    log.append(assign_players(log.timeline, [Player("orange", "eva"), Player("blue", "jan")]))
    log.append(restore(log.timeline, 7))
    log.append(remove(log.timeline, 1, on_conflict=OnConflict.TRUNCATE))
    log.append(restore(log.timeline, 8))
    log.append(
        correct_setup(log.timeline, GAME.setup.parse({"first": "blue", "postcards": POSTCARDS}), OnConflict.TRUNCATE)
    )
    log.append(change_edition(log.timeline, CORRECTED))
    log.append(abandon(log.timeline))
    log.append(reopen(log.timeline))
    log.require_same_fold(GAME, {**GAME.editions, CORRECTED.id: CORRECTED})


@pytest.mark.uncounted
def test_a_log_of_thousands_of_events_folds_and_is_let_go() -> None:
    log = Log()
    log.append(create(GAME, EDITION, PLAYERS, SETUP))
    log.append(record(log.timeline, OPENING[:1]))
    for _ in range(1500):
        log.append(undo(log.timeline, 0))
        log.append(restore(log.timeline, 2))
        log.append(abandon(log.timeline))
        log.append(reopen(log.timeline))
    log.require_same_fold(GAME, GAME.editions)
    assert (log.timeline.version, log.timeline.ply) == (6002, 1)


def test_history_errors_are_one_family() -> None:
    assert issubclass(OutOfRange, HistoryError)
    assert repr(opened()) == "Timeline(version=7, ply=6, status=in_progress)"
    assert repr(opened().frame(2)).startswith("Frame(ply=2, seq=3, seat='blue'")
