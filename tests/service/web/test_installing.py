"""What browsers need to keep the pages: the worker, the manifest, and addresses that keep the link of a match."""

from flask import Flask

from tests.service.harness import Match


def test_the_worker_may_fetch_from_us_alone_and_is_never_kept(app: Flask) -> None:
    answer = app.test_client().get("/service-worker.js")
    assert (answer.status_code, answer.content_type) == (200, "text/javascript; charset=utf-8")
    assert answer.headers["Cache-Control"] == "no-cache"
    policy = answer.headers["Content-Security-Policy"].split("; ")
    assert {"default-src 'none'", "connect-src 'self'"} <= set(policy)


def test_every_page_names_the_manifest_and_may_load_it(app: Flask) -> None:
    client = app.test_client()
    page = client.get("/")
    assert "manifest-src 'self'" in page.headers["Content-Security-Policy"]
    address = page.text.partition('<link rel="manifest" href="')[2].partition('"')[0]
    manifest = client.get(address)
    assert (manifest.status_code, manifest.content_type) == (200, "application/manifest+json")


def test_the_pages_of_a_match_lead_on_with_the_link_by_which_they_were_opened(app: Flask, match: Match) -> None:
    page = app.test_client().get(f"/matches/{match.id}?key=a%26b").text
    for query in ("tool=history", "tool=share", "view=screen"):
        assert f'href="/matches/{match.id}?key=a%26b&amp;{query}"' in page, query
    moved = {"replay": "?{}&tool=moves", "replay/3": "/3?{}", "log": "?{}&tool=history", "repair": "?{}&tool=history"}
    for part, other in {**moved, "share": "?{}&tool=share", "scoreboard": "?{}&view=screen"}.items():
        led = app.test_client().get(f"/matches/{match.id}/{part}?key=a%26b")
        assert (led.status_code, led.headers["Location"]) == (301, f"/matches/{match.id}{other.format('key=a%26b')}")
    led = app.test_client().get(f"/matches/{match.id}/repair?ply=4")
    assert led.headers["Location"] == f"/matches/{match.id}/4?tool=history"
