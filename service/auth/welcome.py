"""The link for the first owner: printed on the terminal, or in a file that only this user of the machine can read."""

import os
from pathlib import Path
from typing import TextIO

import segno

from service.config import Config

FILE = "owner-link"


def announce(secret: str | None, config: Config, out: TextIO) -> None:
    """Print the link or write it to a file; with a QR code where a phone can open it."""
    remove_link(config)
    if secret is None:
        return
    place = config.data / FILE
    url = f"{config.address}/sign-in/{secret}"
    if not out.isatty():
        _write_private(place, f"{url}\n")
        print(f"Nobody owns this Carnet yet. A link that makes its opener the owner, once, is in {place}", file=out)
        return
    print(f"Nobody owns this Carnet yet. This link makes its opener the owner, once:\n\n    {url}\n", file=out)
    if config.url is not None or not config.is_local:
        segno.make(url, micro=False).terminal(out, compact=True)


def remove_link(config: Config) -> None:
    """Remove the file with the link when the service ends; the next start makes another, if there is still no owner."""
    (config.data / FILE).unlink(missing_ok=True)


def _write_private(place: Path, text: str) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    with os.fdopen(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
