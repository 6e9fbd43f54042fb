"""The version of Carnet, in a checkout and where it is installed as a package."""

import tomllib
from functools import cache
from importlib import metadata
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"
"""Only in a checkout, where another version may be installed beside it, or none."""


@cache
def version() -> str:
    if PROJECT.is_file():
        project = tomllib.loads(PROJECT.read_text("utf-8"))["project"]
        if project["name"] == "carnet":
            return str(project["version"])
    try:
        return metadata.version("carnet")
    except metadata.PackageNotFoundError:  # its folders were copied
        return "unknown"
