"""Conditional requests: ETags that change with all that an answer shows, `Vary`, and writes that name a state."""

from collections.abc import Mapping

import pytest

from tests.service.conftest import NewMatch
from tests.service.harness import NDJSON, OPENING, Match, Service, entry, nothing_changes, ok, problem

SHOWN = ("", "/state", "/legal-moves", "/replay", "/replay/1", "/events", "/annotations", "/details", "/log")


def unchanged(match: Match, path: str, tag: str, headers: Mapping[str, str] | None = None) -> bool:
    """Tell if a path is answered with 304 to a reader who has its content."""
    return match.get(path, {"If-None-Match": tag, **(headers or {})}).status_code == 304


@pytest.mark.unchanging
@pytest.mark.parametrize("path", SHOWN)
def test_what_a_reader_has_of_a_match_is_not_sent_again(opened: Match, path: str) -> None:
    first = opened.get(path)
    again = opened.get(path, {"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    for header in ("ETag", "Vary", "Cache-Control"):
        assert again.headers.get(header) == first.headers.get(header)


def test_lists_that_have_not_changed_are_not_sent_again(match: Match, new_match: NewMatch) -> None:
    for path in ("/matches", "/players"):
        tag = match.service.get(path).headers["ETag"]
        assert match.service.get(path, {"If-None-Match": tag}).status_code == 304
        new_match(players=[{"seat": "orange", "name": f"Eva {path}"}, {"seat": "blue", "name": "Jan"}])
        assert match.service.get(path, {"If-None-Match": tag}).status_code == 200


def test_a_renamed_player_is_shown_to_who_has_the_match_already(match: Match) -> None:
    paths = ("", "/replay")
    tags = {path: match.get(path).headers["ETag"] for path in paths}
    ana = match.document()["players"][0]["player_id"]
    ok(match.service.patch(f"/players/{ana}", {"name": "Anna"}))
    assert match.get().headers["ETag"] == '"1.1"'
    for path in paths:
        assert not unchanged(match, path, tags[path])
    known = match.get()
    assert ok(known)["players"][0]["name"] == "Anna"
    ok(match.service.post(f"/players/{ana}/anonymise"))
    shown = match.get(headers={"If-None-Match": known.headers["ETag"]})
    assert ok(shown)["players"][0]["name"] == "Player 1"


def test_merges_and_their_end_change_the_etag_of_all_matches_that_show_them(new_match: NewMatch) -> None:
    one = new_match()
    other = new_match(players=[{"seat": "orange", "name": "Anna"}, {"seat": "blue", "name": "Jan"}])
    (ana, _), (anna, _) = ([player["player_id"] for player in match.document()["players"]] for match in (one, other))
    ok(one.service.post(f"/players/{anna}/merge", {"into": ana}))
    assert [match.get().headers["ETag"] for match in (one, other)] == ['"1"', '"1.1"']
    ok(one.service.patch(f"/players/{ana}", {"name": "Ana B."}))
    assert [match.get().headers["ETag"] for match in (one, other)] == ['"1.1"', '"1.2"']
    tag = other.get().headers["ETag"]
    ok(one.service.delete(f"/players/{anna}/merge"))
    assert not unchanged(other, "", tag)
    assert (other.get().headers["ETag"], other.document()["players"][0]["name"]) == ('"1.3"', "Anna")


@pytest.mark.unchanging
@pytest.mark.parametrize("path", ["/state", "/replay", "/replay/1", "/log"])
def test_an_answer_in_another_language_has_another_etag(opened: Match, path: str) -> None:
    english, polish = (opened.get(path, {"Accept-Language": language}) for language in ("en", "pl"))
    assert english.headers["ETag"] != polish.headers["ETag"]
    assert "Accept-Language" in english.headers["Vary"]
    assert not unchanged(opened, path, english.headers["ETag"], {"Accept-Language": "pl"})


def test_fields_and_annotations_change_the_etag_of_frames(match: Match) -> None:
    match.record(*OPENING)
    paths = ("/replay", "/replay/1", "/replay?fields=ply,text", "/replay?fields=ply,annotations")
    tags = [match.get(path).headers["ETag"] for path in paths]
    assert len(set(tags)) == len(tags)
    match.annotate(1, text="Bold.")
    assert [unchanged(match, path, tag) for path, tag in zip(paths, tags, strict=True)] == [False, False, True, False]


def test_vary_names_what_an_answer_depends_on(match: Match) -> None:
    match.record(*OPENING)
    for path, varies in (
        ("", "Accept-Encoding"),
        ("/state", "Accept-Language, Accept-Encoding"),
        ("/state?lang=pl", "Accept-Encoding"),
        ("/events", "Accept, Accept-Encoding"),
        ("/replay", "Accept-Language, Accept, Accept-Encoding"),
    ):
        assert match.get(path).headers["Vary"] == varies, path
    assert match.get("/events", NDJSON).headers["Vary"] == "Accept, Accept-Encoding"
    assert "Accept" in match.service.get("/stats/players").headers["Vary"].split(", ")


def test_writes_to_details_are_refused_if_the_details_have_changed(match: Match) -> None:
    first = ok(match.get(), 200)
    ok(match.service.patch(match.path, {"venue": "café"}, {"If-Match": '"1"'}))
    for stale in ('"1"', '"1.0"', '"1.5"', '"2.1"'):
        for method, path, body in (("PATCH", "", {"venue": "club"}), ("POST", "/withdraw", None)):
            with nothing_changes(match):
                refused = match.service.send(method, match.path + path, body, {"If-Match": stale})
            assert problem(refused, 412, "stale-version")["version"] == first["version"]
            assert refused.headers["ETag"] == '"1.1"'
    ok(match.service.patch(match.path, {"venue": "club"}, {"If-Match": '"1.1"'}))
    ana = match.document()["players"][0]["player_id"]
    ok(match.service.patch(f"/players/{ana}", {"name": "Anna"}))
    assert match.service.patch(match.path, {"venue": None}, {"If-Match": '"1.2"'}).status_code == 412


def test_writes_to_the_log_compare_the_version_that_any_etag_of_the_match_names(match: Match) -> None:
    ok(match.service.patch(match.path, {"venue": "café"}))
    ok(match.post("/moves", entry("orange take L4"), {"If-Match": '"1"'}), 201)
    ok(match.post("/moves", entry("blue take V3"), {"If-Match": match.get("/state").headers["ETag"]}), 201)
    swapped = [{"seat": "orange", "name": "Jan"}, {"seat": "blue", "name": "Ana"}]
    ok(match.service.put(f"{match.path}/players", {"players": swapped}, {"If-Match": '"3"'}))
    stale = match.post("/abandon", headers={"If-Match": '"3.1"'})
    problem(stale, 412, "stale-version")
    assert stale.headers["ETag"] == match.get().headers["ETag"] == '"4.1"'


def test_a_match_that_begins_after_a_rename_has_no_revision_by_it(service: Service, new_match: NewMatch) -> None:
    ana = new_match().document()["players"][0]["player_id"]
    ok(service.patch(f"/players/{ana}", {"name": "Anna"}))
    later = new_match(players=[{"seat": "orange", "player_id": ana}, {"seat": "blue", "name": "Jan"}])
    assert (later.get().headers["ETag"], later.document()["players"][0]["name"]) == ('"1"', "Anna")
