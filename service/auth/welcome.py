"""Messages of a start: the link for the first owner, which no other user of the machine can read, and QR codes."""

import os
from pathlib import Path
from typing import TextIO
from urllib.parse import urlsplit

import segno

from service.config import LOOPBACK, Config

FILE = "owner-link"


def announce(secret: str | None, config: Config, out: TextIO) -> None:
    """Print the link or write it to a file; on a terminal with a QR code, of the link or else of the address."""
    remove_link(config)
    if secret is None:
        _draw(config.address, config, out)
        return
    place = config.data / FILE
    url = f"{config.address}/sign-in/{secret}"
    if not out.isatty():
        _write_private(place, f"{url}\n")
        print(f"Nobody owns this Carnet yet. A link that makes its opener the owner, once, is in {place}", file=out)
        return
    print(f"Nobody owns this Carnet yet. This link makes its opener the owner, once:\n\n    {url}\n", file=out)
    _draw(url, config, out)


def announce_authority(fingerprint: str, config: Config, out: TextIO) -> None:
    """Print where phones are told to trust the authority of this installation, with its fingerprint to compare."""
    print(f"Each phone has to be told once to trust it: {config.trust_address}", file=out)
    print(f"Its authority has the SHA-256 fingerprint {fingerprint}", file=out)
    _draw(config.trust_address, config, out)


def _draw(url: str, config: Config, out: TextIO) -> None:
    """Draw an address as a QR code, on a terminal and if a phone can open it."""
    if out.isatty() and urlsplit(config.address).hostname not in LOOPBACK:
        segno.make(url, micro=False).terminal(out, compact=True)


def remove_link(config: Config) -> None:
    """Remove the file with the link when the service ends; the next start makes another, if there is still no owner."""
    (config.data / FILE).unlink(missing_ok=True)


def _write_private(place: Path, text: str) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    with os.fdopen(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
