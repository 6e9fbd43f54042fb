"""The match document: everything comes back byte for byte, and what was changed on the way is found."""

import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from typing import Any
from unittest.mock import patch
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.canonical import canonical, digest
from domain.catalogue import GAMES
from domain.forms import Malformed
from domain.match import Draft, Event, EventKind, LogBroken, events, fold, seal
from domain.match.document import (
    MAX_BYTES,
    MAX_VALUES,
    Annotation,
    Details,
    DocumentError,
    Entered,
    MatchDocument,
    Person,
    Reason,
    Source,
    Wording,
    check,
    head_of,
    read,
    read_documents,
    read_line,
    write,
)
from domain.match.notation import GLYPHS
from scripts.other_rules import other_rules_version
from tests.domain.documents import ANYTHING
from tests.domain.logs import editions_of
from tests.domain.texts import GAME_IDS, NAMES, REASON, SALT, TEXTS, corrected_log

MATCH = "019a93c8-0000-7000-8000-000000000001"
RECORDER = "019a93c8-0000-7000-8000-00000000000a"
AT = "2026-11-14T19:30:00.000000Z"
RELAXED = settings(deadline=None, max_examples=12, suppress_health_check=list(HealthCheck))


def player_id(name: str) -> str:
    return str(UUID(int=int(digest(name)[:32], 16)))


def sealed(drafts: list[Draft], **others: Any) -> tuple[Event, ...]:
    """A log of drafts, with a chain of its own."""
    log: list[Event] = []
    for seq, draft in enumerate(drafts, start=1):
        before = log[-1].hash if log else None
        log.append(seal(draft, match_id=MATCH, seq=seq, actor=RECORDER, recorded_at=AT, prev_hash=before))
    return tuple(log)


def with_ids(payload: Any) -> Any:
    """A payload in which players have ids as the service gives them."""
    if "players" in payload:
        players = [{**player, "player_id": player_id(player["player_id"])} for player in payload["players"]]
        return {**payload, "players": players}
    return payload


def document_of(game_id: str, seed: int) -> MatchDocument:
    """A random match with corrections of all kinds, as a document without annotations."""
    game = GAMES[game_id]
    log = sealed(
        [Draft(EventKind(e.kind), canonical(with_ids(e.payload))) for e in corrected_log(game_id, seed).events]
    )
    people = {player["player_id"] for event in log for player in event.payload.get("players", ())}
    ruled = [event.seq for event in log if event.payload.get("ruling")]
    return MatchDocument(
        MATCH,
        game,
        AT,
        None,
        log,
        head_of(fold(game, editions_of(game), log)),
        (Details(0, AT, None, (), False, "club", "results", None, AT),),
        tuple(Person(person, None) for person in sorted(people)),
        editions=(editions_of(game)["corrected"].document,),
        reasons=tuple(Reason(seq, SALT, REASON) for seq in ruled),
    )


MOMENTS = st.datetimes().map(lambda moment: f"{moment.isoformat(timespec='microseconds')}Z")
IDS = st.uuids().map(str)
CONTENT = st.fixed_dictionaries(
    {
        "text": TEXTS,
        "glyph": st.none() | st.sampled_from(sorted(GLYPHS)),
        "marks": st.lists(st.fixed_dictionaries({"cell": NAMES, "kind": NAMES}), max_size=1),
        "line": st.just([]),
    }
)
WORDINGS = st.builds(Wording, st.integers(0, 9), CONTENT, st.booleans(), st.booleans(), st.none() | IDS, MOMENTS)
ANNOTATIONS = st.builds(
    Annotation, IDS, st.integers(1, 50), st.none() | IDS, MOMENTS, st.lists(WORDINGS, min_size=1, max_size=3).map(tuple)
)
DETAILS = st.builds(
    Details,
    st.integers(0, 9),
    MOMENTS,
    st.none() | NAMES,
    st.lists(NAMES, max_size=2).map(tuple),
    st.booleans(),
    st.just("public"),
    st.just("all"),
    st.none() | IDS,
    MOMENTS,
)
PEOPLE = st.lists(st.builds(Person, IDS, st.none() | NAMES), max_size=3).map(tuple)


@st.composite
def documents(draw: st.DrawFn, matches: int = 12) -> MatchDocument:
    document = document_of(draw(GAME_IDS), draw(st.integers(0, matches - 1)))
    return replace(
        document,
        created_at=draw(MOMENTS),
        owner=draw(st.none() | IDS),
        details=tuple(draw(st.lists(DETAILS, min_size=1, max_size=3))),
        people=document.people + draw(PEOPLE),
        writers=draw(PEOPLE),
        annotations=tuple(draw(st.lists(ANNOTATIONS, max_size=3))),
        sources=tuple(draw(st.lists(st.builds(Source, NAMES, NAMES), max_size=2))),
        entered=tuple(Entered(seq, draw(MOMENTS)) for seq in sorted(draw(st.sets(st.integers(1, 5), max_size=2)))),
    )


def require_round_trip(document: MatchDocument) -> None:
    line = write(document)
    again = read_line(line.encode(), GAMES)
    assert again == document
    assert write(again) == line == canonical(json.loads(line))
    checked = check(again, document.game.editions)
    assert head_of(checked.timeline) == document.head
    assert list(checked.editions) == ["corrected"]


@pytest.mark.uncounted
@RELAXED
@given(documents())
def test_everything_comes_back_byte_for_byte(document: MatchDocument) -> None:
    require_round_trip(document)


@pytest.mark.soak
@settings(RELAXED, max_examples=1500)
@given(documents(matches=400))
def test_thousands_of_documents_come_back(document: MatchDocument) -> None:
    require_round_trip(document)


def some_json() -> Any:
    """A document with something in every list, which can be changed."""
    document = document_of("cite-lumiere", 5)
    wording = Wording(0, {"text": "", "glyph": None, "marks": [], "line": []}, False, False, None, AT)
    return json.loads(
        write(
            replace(
                document,
                annotations=(Annotation(MATCH, 2, None, AT, (wording,)),),
                writers=(Person(RECORDER, "Zofia"),),
                sources=(Source("bgstats", "1"),),
                details=(document.details[0]._replace(tags=("league",)),),
            )
        )
    )


def test_many_are_one_a_line_in_blocks_of_any_size() -> None:
    line = canonical(some_json()).encode()
    text = line + b"\n" + b" " * 50 + b"\n{}\n" + line + b"\r\nnonsense\n" + line
    for size in (1000, len(text), 7):
        blocks = (text[start : start + size] for start in range(0, len(text), size))
        found = list(read_documents(blocks, GAMES))
        assert [one.line if isinstance(one, DocumentError) else one.id for one in found] == [MATCH, 3, MATCH, 5, MATCH]
    assert list(read_documents([], GAMES)) == []


def test_lines_are_counted_where_a_block_ends_as_an_earlier_line_does() -> None:
    errors = read_documents([b"{}\n\n\n{}\n", b"x\n1\nx", b"\n\n2\n"], GAMES)
    assert [error.line for error in errors if isinstance(error, DocumentError)] == [1, 4, 5, 6, 7, 9]


def test_documents_are_read_alike_however_many_payloads_are_at_hand() -> None:
    document = document_of("paris", 3)
    with (
        patch("domain.match.document._TEXTS", {}),
        patch("domain.match.document.MAX_TEXTS", 1),
        patch("domain.match.document.MAX_KEPT", 100),
    ):
        require_round_trip(document)


def test_a_line_that_is_too_long_is_refused_alone() -> None:
    line = canonical(some_json()).encode()
    with patch("domain.match.document.MAX_BYTES", len(line) + 10):
        blocks = [line, b" " * 50, b" " * 50, b"\n", line, b"\n"]
        error, document = read_documents(blocks, GAMES)
    assert isinstance(error, DocumentError) and isinstance(document, MatchDocument)
    assert (error.line, str(error)) == (1, f"/: must have at most {len(line) + 10:,} bytes")


def test_a_line_of_too_many_values_is_refused_before_it_is_read() -> None:
    line = canonical(some_json()).encode()
    number = sum(map(line.count, (b",", b"{", b"[")))
    with patch("domain.match.document.MAX_VALUES", number):
        [document] = read_documents([line], GAMES)
    with patch("domain.match.document.MAX_VALUES", number - 1):
        [error] = read_documents([line], GAMES)
    assert isinstance(document, MatchDocument)
    assert str(error) == f"/: must have at most {number - 1:,} values"


@pytest.mark.parametrize(
    "line", [b"[" * 100_000, b"{", b"{" + b" " * 50, b"\xff", b"NaN", b"1", b'{"format":"carnet-match","version":2}']
)
def test_what_is_no_document_is_refused(line: bytes) -> None:
    [error] = read_documents([line], GAMES)
    assert isinstance(error, DocumentError) and error.errors
    assert (MAX_BYTES, MAX_VALUES) == (16_000_000, 1_000_000)


def wording_of(json: Any) -> Any:
    return json["annotations"][0]["wordings"][0]


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        (lambda json: json.pop("format"), "/format"),
        (lambda json: json.update(version=2), "/version"),
        (lambda json: json.update(game="chess"), "/game"),
        (lambda json: json.update(id="1"), "/id"),
        (lambda json: json.pop("id"), "/id"),
        (lambda json: json.update(created_at="today"), "/created_at"),
        (lambda json: json.update(created_at="2026-02-30T19:30:00.000000Z"), "/created_at"),
        (lambda json: json.update(owner=1), "/owner"),
        (lambda json: json.update(head=[]), "/head"),
        (lambda json: json.pop("head"), "/head"),
        (lambda json: json.update(extra=1), "/extra"),
        (lambda json: json.update(events=[]), "/events"),
        (lambda json: json["events"][1].update(v=2), "/events/1/v"),
        (lambda json: json["events"][1].update(kind="move"), "/events/1/kind"),
        (lambda json: json["events"][1].update(kind=[]), "/events/1/kind"),
        (lambda json: json["events"][1].update(payload={"a": 1.5}), "/events/1/payload"),
        (lambda json: json["events"][1].update(payload=None), "/events/1/payload"),
        (lambda json: json["events"][1].update(recorded_at="2026-11-14T19:30:00Z"), "/events/1/recorded_at"),
        (lambda json: json["events"][1].update(hash="0"), "/events/1/hash"),
        (lambda json: json["events"][1].update(more=1), "/events/1/more"),
        (lambda json: json["events"].__setitem__(1, 7), "/events/1"),
        (lambda json: json.update(details=[]), "/details"),
        (lambda json: json["details"][0].update(tags=[1]), "/details/0/tags/0"),
        (lambda json: json["details"][0].update(venue=""), "/details/0/venue"),
        (lambda json: json["details"][0].update(revision=10**9), "/details/0/revision"),
        (lambda json: json["people"][0].update(name="a\0"), "/people/0/name"),
        (lambda json: json["annotations"][0].update(wordings=[]), "/annotations/0/wordings"),
        (lambda json: wording_of(json).update(content=3), "/annotations/0/wordings/0/content"),
        (
            lambda json: json["annotations"][0]["wordings"][0]["content"].update(text=1.5),
            "/annotations/0/wordings/0/content",
        ),
        (lambda json: json["reasons"][0].update(reason="\ud800"), "/reasons/0/reason"),
        (lambda json: json.update(editions=[1]), "/editions/0"),
        (lambda json: json.update(entered=[{"seq": 1, "at": "2026-11-14T19:30:00Z"}]), "/entered/0/at"),
        (lambda json: json["editions"][0].update(title=1.5), "/editions/0"),
    ],
)
def test_what_is_malformed_is_named_by_its_pointer(change: Callable[[Any], object], pointer: str) -> None:
    changed = some_json()
    change(changed)
    with pytest.raises(Malformed) as caught:
        read(changed, GAMES)
    assert [error.pointer for error in caught.value.errors] == [pointer]


@RELAXED
@given(ANYTHING)
def test_any_json_is_read_or_refused(json_form: object) -> None:
    with pytest.raises(Malformed):
        read(json_form, GAMES)


@pytest.mark.uncounted
@settings(RELAXED, max_examples=60)
@given(st.data())
def test_a_document_that_was_changed_is_refused_with_a_documented_error(data: st.DataObject) -> None:
    changed = some_json()
    place: Any = changed
    while isinstance(place, dict | list) and place:
        key: Any = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
        if isinstance(place[key], dict | list) and place[key] and data.draw(st.integers(0, 3)):
            place = place[key]
            continue
        place[key] = data.draw(ANYTHING)
        break
    try:
        document = read(changed, GAMES)
        check(document, document.game.editions)
    except (Malformed, LogBroken):
        return
    write(document)


def broken(change: Callable[[MatchDocument], MatchDocument]) -> LogBroken:
    document = change(document_of("cite-lumiere", 5))
    with pytest.raises(LogBroken) as caught:
        check(document, document.game.editions)
    return caught.value


def test_a_log_that_was_changed_is_found() -> None:
    def without_an_event(document: MatchDocument) -> MatchDocument:
        return replace(document, events=(*document.events[:3], *document.events[4:]))

    assert broken(without_an_event).seq == 4
    head = broken(lambda document: replace(document, head={**document.head, "ply": 1, "version": 2}))
    assert "version, ply" in head.detail
    assert "another member" in broken(lambda document: replace(document, head={**document.head, "a": 1})).detail
    assert "edition is missing" in broken(lambda document: replace(document, editions=())).detail


@pytest.mark.parametrize("seqs", [(2, 2), (3, 2), (10_000,)])
def test_times_name_events_of_the_log_in_order(seqs: tuple[int, ...]) -> None:
    document = replace(document_of("cite-lumiere", 5), entered=tuple(Entered(seq, AT) for seq in seqs))
    with pytest.raises(Malformed, match="each once and in order"):
        check(document, document.game.editions)


def test_reasons_are_those_of_the_rulings() -> None:
    assert "is missing" in broken(lambda document: replace(document, reasons=())).detail
    more = broken(lambda document: replace(document, reasons=(*document.reasons, Reason(1, SALT, REASON))))
    assert (more.seq, more.detail) == (1, "there is a reason, but no ruling")
    others = broken(
        lambda document: replace(document, reasons=tuple(reason._replace(salt="x") for reason in document.reasons))
    )
    assert "not the one" in others.detail


def test_who_plays_is_among_the_people() -> None:
    document = document_of("paris", 3)
    with pytest.raises(Malformed) as caught:
        check(replace(document, people=()), document.game.editions)
    assert caught.value.errors[0].pointer == "/people"


def test_an_edition_that_came_along_must_be_whole() -> None:
    document = document_of("cite-lumiere", 5)
    wrong = deepcopy(document.editions[0])
    wrong["chimneys"]["value"] = "many"
    with pytest.raises(Malformed) as caught:
        check(replace(document, editions=(wrong,)), document.game.editions)
    assert caught.value.errors[0].pointer == "/editions/0/chimneys"


def forged(payload: Any, number: int = 2) -> MatchDocument:
    """A document whose log has a move that nobody was allowed to make, in a chain that is whole."""
    document = document_of("cite-lumiere", 9)
    first = json.loads(document.events[0].text)
    first["setup"] = {"first": "orange", "postcards": list(document.game.editions.default.first_game_set)}
    drafts = [Draft(EventKind.MATCH_CREATED, canonical(first))]
    drafts += [Draft(EventKind.MOVE_MADE, canonical(payload))] * (number - 1)
    log = sealed(drafts)
    head = {"version": number, "ply": number - 1, "status": "in_progress", "result": None}
    people = tuple(Person(player["player_id"], None) for player in first["players"])
    return replace(document, events=log, head=head, people=people, reasons=())


def test_moves_that_the_rules_refuse_are_found_in_a_chain_that_is_whole() -> None:
    take = {"seat": "orange", "move": {"type": "take", "building": "L4"}, "ruling": None}
    assert check(forged(take), GAMES["cite-lumiere"].editions).timeline.ply == 1
    with pytest.raises(LogBroken) as caught:
        check(forged(take, 3), GAMES["cite-lumiere"].editions)
    assert (caught.value.seq, "the rules refuse its move" in caught.value.detail) == (3, True)
    with other_rules_version(GAMES["cite-lumiere"]):
        assert check(forged(take, 3), GAMES["cite-lumiere"].editions).timeline.ply == 2


def test_a_move_that_cannot_be_played_is_found() -> None:
    game: Any = GAMES["cite-lumiere"]
    take = {"seat": "orange", "move": {"type": "take", "building": "L4"}, "ruling": None}
    with patch.object(game.rules, "apply", side_effect=TypeError), pytest.raises(LogBroken) as caught:
        check(forged(take), game.editions)
    assert caught.value.detail == "its move cannot be played"


def test_earlier_versions_are_played_as_far_as_there_is_time() -> None:
    document = document_of("cite-lumiere", 5)
    with patch("domain.match.document.MAX_PLAYED", 1):
        assert check(document, document.game.editions).timeline.version == len(document.events)


# Formats of events


def test_old_payloads_are_lifted_when_they_are_folded_and_stay_as_they_were_recorded() -> None:
    document = document_of("cite-lumiere", 6)
    game, editions = document.game, editions_of(document.game)
    whole = fold(game, editions, document.events)

    def lift(kind: str, payload: Any) -> tuple[str, Any]:
        return kind, {name.removeprefix("old_"): value for name, value in payload.items()}

    def aged(event: Event) -> Draft:
        return Draft(EventKind(event.kind), canonical({f"old_{name}": value for name, value in event.payload.items()}))

    old = sealed([aged(event) for event in document.events])
    with patch.object(events, "EVENT_FORMAT", 2), patch.dict(events.LIFTS, {1: lift}):
        events.verify(old)
        lifted = fold(game, editions, old)
    assert [frame.state for frame in lifted.frames()] == [frame.state for frame in whole.frames()]
    for wrong in (0, 4):
        later = (*document.events[:wrong], document.events[wrong]._replace(v=2))
        with pytest.raises(LogBroken) as caught:
            fold(game, editions, later)
        assert (caught.value.seq, "later version" in caught.value.detail) == (wrong + 1, True)
