"""Screens: every page of a service with demonstration matches, on phone and desk, light and dark, as small pictures."""

import argparse
import base64
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, Literal, TypeAlias

import requests
from playwright.sync_api import Browser, Page, expect, sync_playwright

from scripts.chromium import NoChromium, provide_chromium
from scripts.demo import fill
from scripts.kill_rounds import Service
from scripts.ports import reserved_port
from service.app import create_app
from service.client import Client, Game, Match, MatchSummary
from service.config import read_config
from service.db.pool import Database
from service.web.pages import Pages

Scheme: TypeAlias = Literal["light", "dark"]

ROOT = Path(__file__).parent.parent
DEVICES: Mapping[str, Mapping[str, Any]] = {
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
    "desk": {"viewport": {"width": 1280, "height": 900}},
}
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
MATCHES = 24
MOVED = "lead_from_"
"""How the views of earlier addresses are called, which lead on to others."""
LIVE = frozenset({"match"})
"""The pages that are shown of a match under way."""
TOOLS = ("moves", "notes", "points", "history", "share")
"""The tools of a match."""
MAX_BYTES = 60_000
"""Bytes of one picture; larger ones are taken again, coarser each time."""
QUALITIES = (82, 70, 55, 40, 25)
NO_PICTURE = re.compile(r"/static/|\.(ico|js|svg|png|webmanifest|txt|csv|json)$|^/embed/.*\.|^/matches/kept$")
"""Addresses of what is no page, and of the page that shows what a device has kept."""
UNDRAWN = ".decided:empty:visible, .player:visible .curve g:first-child:empty"
"""What the page of a match draws after all else."""


@dataclass(frozen=True, slots=True)
class Screen:
    """A page to be shown, under a name for its files."""

    name: str
    address: str


@dataclass(frozen=True, slots=True)
class Owner:
    """The owner of the service, signed in."""

    url: str
    cookie: str
    proof: str

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """Ask the API for something new."""
        headers = {"Cookie": f"carnet_session={self.cookie}", "X-CSRF-Token": self.proof}
        answer = requests.post(f"{self.url}/api/v1{path}", json=body, headers=headers, timeout=30)
        answer.raise_for_status()
        return answer.json()


def main(arguments: Sequence[str] | None = None) -> int:
    """Take all pictures and print how many there are; 1 without a Chromium."""
    parser = argparse.ArgumentParser(prog="python -m scripts.screens", description=__doc__)
    parser.add_argument("--into", type=Path, default=ROOT / "docs" / "screens", help="folder (default %(default)s)")
    parser.add_argument("--only", default="", help="take those alone whose name has this in it")
    options = parser.parse_args(arguments)
    try:
        executable = provide_chromium(os.environ)
    except NoChromium as none:
        print(none, file=sys.stderr)
        return 1
    options.into.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix="carnet-screens-") as folder,
        reserved_port() as port,
        Service(Path(folder), port, is_open=False) as service,
        sync_playwright() as playwright,
    ):
        owner = sign_in(service.url, Path(folder) / "data" / "owner-link")
        taken = [screen for screen in screens(owner) if options.only in screen.name]
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox", "--disable-gpu"])
        sizes = [
            size for each in product(DEVICES, SCHEMES) for size in take(browser, owner, taken, *each, options.into)
        ]
        browser.close()
    print(f"{len(sizes)} pictures of {len(taken)} screens in {options.into}, {sum(sizes) // 1000} kB")
    return 0


def sign_in(url: str, link: Path) -> Owner:
    """Open the first owner's link."""
    secret = link.read_text("utf-8").strip().rpartition("/")[2]
    answer = requests.post(f"{url}/api/v1/sign-in", json={"link": secret, "name": "Olga"}, timeout=30)
    answer.raise_for_status()
    return Owner(url, answer.cookies["carnet_session"], answer.json()["csrf_token"])


def screens(owner: Owner) -> Iterator[Screen]:
    """Every page of the application with something on it; those of a game or a match once for each game."""
    scopes = ["read", "record", "annotate", "manage"]
    token = owner.post("/tokens", {"label": "Scoreboard at the club", "scopes": scopes})
    invitation = owner.post("/invitations", {"name": "Zofia"})
    with Client(owner.url, token["secret"]) as client:
        fill(client, MATCHES, "1")
        games = client.games()
        for game in games:
            over = next(client.matches(game=game["id"], status="finished"))
            live = next(client.matches(game=game["id"], status="in_progress"))
            client.change_match(over["id"], {"visibility": "public"})
            yield Screen(f"result-{game['id']}", f"/matches/{over['id']}")
            yield Screen(f"second-screen-{game['id']}", f"/matches/{live['id']}?view=screen")
            for tool in TOOLS:
                yield Screen(f"{tool}-{game['id']}", f"/matches/{over['id']}?tool={tool}")
            for name, rule in page_rules():
                is_of_game = "match_id" in rule or "game_id" in rule
                if is_of_game or game is games[0]:
                    match = live if name in LIVE else over
                    values = {**ids(game, match), "secret": invitation["secret"]}
                    yield Screen(f"{name}-{game['id']}" if is_of_game else name, address(rule, values))


def ids(game: Game, match: Match | MatchSummary) -> dict[str, str]:
    """What stands for the parts of addresses that change."""
    players = [player["player_id"] for player in match["players"]]
    return {
        "match_id": match["id"],
        "game_id": game["id"],
        "edition_id": game["default_edition"],
        "ply": str(match["ply"] * 2 // 3),
        "player_id": players[0],
        "other_id": players[1],
    }


def address(rule: str, values: Mapping[str, str]) -> str:
    """The address of a page with what is in it."""
    return re.sub(r"<(?:\w+:)?(\w+)>", lambda found: values[found[1]], rule)


def page_rules() -> Iterator[tuple[str, str]]:
    """The name and the address of each page, as the application has them."""
    app = create_app(read_config({}), Database(""))
    for rule in app.url_map.iter_rules():
        blueprint, _, view = rule.endpoint.partition(".")
        is_page = isinstance(app.blueprints[blueprint], Pages) and "GET" in (rule.methods or set())
        is_page = is_page and not view.startswith(MOVED)
        if is_page and not NO_PICTURE.search(rule.rule):
            yield view.removeprefix("show_").replace("_", "-"), rule.rule


def take(
    browser: Browser, owner: Owner, taken: Sequence[Screen], device: str, scheme: Scheme, into: Path
) -> Iterator[int]:
    """Take a picture of each screen on one device and in one scheme; the size of each."""
    context = browser.new_context(
        base_url=owner.url, color_scheme=scheme, locale="en-GB", reduced_motion="reduce", **DEVICES[device]
    )
    context.add_cookies([{"name": "carnet_session", "value": owner.cookie, "url": owner.url}])
    page = context.new_page()
    for screen in taken:
        page.goto(screen.address)
        expect(page.locator("main[aria-busy]")).to_have_count(0, timeout=30_000)
        expect(page.locator(UNDRAWN)).to_have_count(0, timeout=30_000)
        page.evaluate("document.fonts.ready")
        picture = pictured(page)
        (into / f"{screen.name}-{device}-{scheme}.webp").write_bytes(picture)
        yield len(picture)
    context.close()


def pictured(page: Page) -> bytes:
    """What a page shows, as WebP, as good as it can be within the bounds."""
    session = page.context.new_cdp_session(page)
    picture = b""
    for quality in QUALITIES:
        shot = session.send("Page.captureScreenshot", {"format": "webp", "quality": quality})
        picture = base64.b64decode(shot["data"])
        if len(picture) <= MAX_BYTES:
            break
    session.detach()
    return picture


if __name__ == "__main__":
    sys.exit(main())
