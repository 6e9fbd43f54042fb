"""Matches recorded once and for all: what acts answered, what logs fold to, and what is said about them.

`<game>.json.xz` has the acts of 40 matches with the events, states, refusals and features that came of them;
`<game>.sentences.json.xz` has digests of the sentences alone, as wording may change where nothing else does.
`python -m tests.domain.recorded.write` records new ones.
"""

import json
import lzma
from pathlib import Path
from typing import Any, TypeAlias

Act: TypeAlias = dict[str, Any]
"""What is done to a match, in JSON."""
Outcome: TypeAlias = dict[str, Any]
"""What came of it, in JSON."""


def load(name: str) -> Any:
    """Read recorded data."""
    return json.loads(lzma.decompress(_path(name).read_bytes()))


def save(name: str, data: object) -> None:
    """Write recorded data."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    _path(name).write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


def _path(name: str) -> Path:
    return Path(__file__).with_name(f"{name}.json.xz")
