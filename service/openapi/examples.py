"""Recorded requests, responses and problem documents; `python -m scripts.openapi --examples` records them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

EXAMPLES = Path(__file__).parent / "examples.json"

_recorded: Mapping[str, Any] = orjson.loads(EXAMPLES.read_bytes())
OPERATIONS: Mapping[str, Mapping[str, Any]] = _recorded["operations"]
"""By operation: `requests` and `responses`, each with named examples."""
PROBLEMS: Mapping[str, Mapping[str, Any]] = _recorded["problems"]
"""By the last part of their type."""
