"""Static files: their addresses contain one digest of all, so that browsers cache them for good."""

import gzip
import mimetypes
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from posixpath import dirname, normpath
from types import MappingProxyType

from flask import Response, request

from domain.catalogue import GAMES
from service.http.errors import not_found
from service.web.texts import game_folder

HERE = Path(__file__).parent / "static"
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
IMMUTABLE = {"Cache-Control": "public, max-age=31536000, immutable"}
IMPORTED = re.compile(r"""^(?:import|export)\b[^;]*?from\s*"(\.[^"]+)";""", re.MULTILINE)
"""What a module imports or passes on; not what it imports while it runs."""
LAYERS = ("tokens", "base", "page", "game")
"""Cascade layers of style sheets; later ones win."""
SHEETS = {"css/tokens.css": "tokens", "css/base.css": "base"}
"""The sheets of all pages with their layers; others are those of a page or a game."""
MIN_PACKED = 500
"""Bytes below which compressing a file gains nothing."""


@dataclass(frozen=True, slots=True)
class File:
    """A file as it is served."""

    content: bytes
    packed: bytes
    content_type: str


@dataclass(frozen=True, slots=True)
class Files:
    """All files by name, and their common digest."""

    digest: str
    by_name: Mapping[str, File]


@cache
def files() -> Files:
    """All files, read once: ours, and those of each game under `games/<game>/`."""
    whole, by_name = sha256(), {}
    for name, path in sorted(_walk()):
        content = _layered(name, _lean(path))
        whole.update(f"{name}\0{len(content)}\0".encode() + content)
        packed = gzip.compress(content, mtime=0) if len(content) >= MIN_PACKED else content
        content_type = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        by_name[name] = File(content, packed if len(packed) < len(content) else content, content_type)
    return Files(whole.hexdigest()[:12], MappingProxyType(by_name))


def _lean(path: Path) -> bytes:
    """A file without comments that fill lines and without indentation, which are a third of a packed script."""
    if path.suffix not in {".css", ".js"}:
        return path.read_bytes()
    lines: list[str] = []
    is_comment = is_template = False
    for line in path.read_text("utf-8").splitlines():
        text = line.strip()
        is_only_comment = text.startswith("/*") and "*/" not in text[:-2]
        if is_comment or (not is_template and is_only_comment):
            is_comment = not text.endswith("*/")
        elif is_template or not (text.startswith("//") or not text):
            lines.append(line if is_template else line.lstrip())
            is_template ^= line.count("`") % 2 == 1
    return "\n".join((*lines, "")).encode()


def _layered(name: str, content: bytes) -> bytes:
    """A style sheet in the cascade layer of its place, so that what is more particular wins whatever its selectors."""
    if not name.endswith(".css"):
        return content
    layer = "game" if name.startswith("games/") else SHEETS.get(name, "page")
    return f"@layer {', '.join(LAYERS)};\n@layer {layer} {{\n{content.decode()}}}\n".encode()


def static(name: str = "") -> str:
    """The address of a file, or of the whole folder; raise `KeyError`."""
    if name:
        files().by_name[name]
    return f"/static/{files().digest}/{name}"


@cache
def imports_of(*names: str) -> list[str]:
    """Some modules and all that they import before they run, so that browsers fetch all of them at once."""
    found: dict[str, None] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop(0)
        if name in found or name not in files().by_name:
            continue
        found[name] = None
        source = files().by_name[name].content.decode()
        waiting += [normpath(f"{dirname(name)}/{imported}") for imported in IMPORTED.findall(source)]
    return list(found)


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
    is_packed = file.packed is not file.content and request.accept_encodings.quality("gzip") > 0
    headers = {**IMMUTABLE, "Vary": "Accept-Encoding"} | ({"Content-Encoding": "gzip"} if is_packed else {})
    return Response(file.packed if is_packed else file.content, 200, headers, content_type=file.content_type)
