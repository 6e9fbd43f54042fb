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


def test_the_pages_of_a_match_lead_to_each_other_with_the_link_by_which_they_were_opened(
    app: Flask, match: Match
) -> None:
    for part, others in {"": ("/log", "/repair"), "/log": ("", "/repair"), "/repair": ("", "/log")}.items():
        page = app.test_client().get(f"/matches/{match.id}{part}?key=a%26b").text
        for other in others:
            assert f'href="/matches/{match.id}{other}?key=a%26b"' in page, (part, other)
