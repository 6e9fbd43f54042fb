"""Static files: their addresses contain one digest of all, so that browsers cache them for good."""

import mimetypes
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType

from flask import Response

from domain.catalogue import GAMES
from service.http.compression import accepted_coding, pack
from service.http.errors import not_found
from service.web.chunks import MAIN, Chunks
from service.web.minify import minify_script, minify_style
from service.web.texts import game_folder

HERE = Path(__file__).parent / "static"
MAKERS = ("chunks.py", "minify.py", "static.py")
"""The modules here that decide what browsers get of a file."""
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
PACKABLE = frozenset({".css", ".js", ".json", ".svg", ".webmanifest"})
MIN_PACKED = 200
"""Bytes below which packing a file gains nothing."""
IMMUTABLE = {"Cache-Control": "public, max-age=31536000, immutable"}
SERVICE_WORKER = "js/service-worker.js"
"""The one script that is no module."""
IN_FILES = "js/replay_file/"
"""Scripts here are in files that are handed out, and on no page."""
LAYERS = ("base", "page", "game")
"""Cascade layers of style sheets; later ones win."""
GAME = re.compile("games/[^/]+")
BASE = "css/base.css"
"""The sheet of all pages; others are those of a page or a game."""


@dataclass(frozen=True)
class File:
    """A file as it is served: made when it is first requested, since minifying and packing all takes a second."""

    name: str
    make: Callable[[], str | bytes]
    _packed: dict[str, bytes] = field(default_factory=dict)

    @property
    def suffix(self) -> str:
        return Path(self.name).suffix

    @property
    def content_type(self) -> str:
        return TYPES.get(self.suffix) or mimetypes.guess_type(self.name)[0] or "application/octet-stream"

    @cached_property
    def content(self) -> bytes:
        content = self.make()
        return content.encode() if isinstance(content, str) else content

    @property
    def is_packable(self) -> bool:
        return self.suffix in PACKABLE and len(self.content) >= MIN_PACKED

    def packed(self, coding: str) -> bytes:
        """The content in a content coding."""
        if coding not in self._packed:
            self._packed[coding] = pack(self.content, coding)
        return self._packed[coding]


@dataclass(frozen=True, slots=True)
class Files:
    """All files by name, their common digest, and the chunks of which scripts consist."""

    digest: str
    by_name: Mapping[str, File]
    chunks: Chunks


@cache
def files() -> Files:
    """All files: ours, and those of each game under `games/<game>/`."""
    written = {name: path.read_bytes() for name, path in sorted(_walk())}
    whole = sha256()
    for maker in MAKERS:
        whole.update(Path(__file__).with_name(maker).read_bytes())
    for name, content in written.items():
        whole.update(f"{name}\0{len(content)}\0".encode() + content)

    scripts, data, sheets = (_texts(written, suffix) for suffix in (".js", ".json", ".css"))
    sheets, worker = _joined(sheets), scripts.pop(SERVICE_WORKER)
    chunks = Chunks({name: source for name, source in scripts.items() if not name.startswith(IN_FILES)}, data)
    made: dict[str, Callable[[], str | bytes]] = {
        **{name: partial(bytes, content) for name, content in written.items() if not name.endswith((".css", ".js"))},
        **{name: partial(chunks.source, name) for name in chunks.by_name},
        **{name: partial(_layered, name, source) for name, source in sheets.items()},
        SERVICE_WORKER: partial(minify_script, worker),
    }
    by_name = {name: File(name, make) for name, make in made.items()}
    return Files(whole.hexdigest()[:12], MappingProxyType(by_name), chunks)


@cache
def script_alone(*entries: str) -> str:
    """Some entries and what they need as one script, for files that are handed out."""
    written = {name: path.read_bytes() for name, path in _walk()}
    scripts = _texts(written, ".js")
    del scripts[SERVICE_WORKER]
    return Chunks(scripts, _texts(written, ".json")).alone(*entries)


def _texts(written: Mapping[str, bytes], suffix: str) -> dict[str, str]:
    return {name: content.decode() for name, content in written.items() if name.endswith(suffix)}


def _joined(sheets: Mapping[str, str]) -> dict[str, str]:
    """The sheets of a folder as one with its name, but for those that stand in `css/` and beside scripts of a game."""
    joined: dict[str, str] = {}
    for name, source in sheets.items():
        folder = Path(name).parent.as_posix()
        whole = name if folder == "css" or GAME.fullmatch(folder) else f"{folder}.css"
        joined[whole] = joined.get(whole, "") + source
    return joined


def _layered(name: str, source: str) -> str:
    """A style sheet in the cascade layer of its place, so that what is more particular wins whatever its selectors."""
    layer = "game" if name.startswith("games/") else "base" if name == BASE else "page"
    return f"@layer {','.join(LAYERS)};@layer {layer}{{{minify_style(source)}}}\n"


def static(name: str = "") -> str:
    """The address of a file, or of the whole folder; raise `KeyError`."""
    if name:
        files().by_name[name]
    return f"/static/{files().digest}/{name}"


@cache
def scripts_of(*entries: str) -> list[str]:
    """The scripts that a page with these entries needs before it shows anything, so that browsers fetch all at once."""
    return files().chunks.needed_by(MAIN, *entries)


def data_of(game_id: str) -> list[str]:
    """The files of a game that are no scripts: its sheet, and the drawings that its modules load while they run."""
    return [name for name in files().by_name if name.startswith(f"games/{game_id}/") and not name.endswith(".js")]


def _walk() -> Iterator[tuple[str, Path]]:
    folders = {"": HERE, **{f"games/{game_id}/": game_folder(game_id) / "static" for game_id in GAMES}}
    for prefix, folder in folders.items():
        for path in folder.rglob("*"):
            if path.is_file():
                yield prefix + path.relative_to(folder).as_posix(), path


def answer_file(digest: str, name: str) -> Response:
    """Serve a file at its address; raise `Problem`."""
    file = files().by_name.get(name)
    if file is None or digest != files().digest:
        raise not_found("file")
    headers = dict(IMMUTABLE)
    content = file.content
    if file.is_packable:
        headers["Vary"] = "Accept-Encoding"
        if coding := accepted_coding():
            headers["Content-Encoding"] = coding
            content = file.packed(coding)
    return Response(content, 200, headers, content_type=file.content_type)
