"""The Chromium that the pages are tested in: the one named by `CHROMIUM`, else one that is there, else Debian's.

A headless shell comes first: the same engine without the browser's own windows, which cost 0.6 s of CPU time for each
new page.

`python -m scripts.chromium` prints where it is, and installs it first where that is needed and this user may.
"""

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from scripts.debian import install

NAMES = (
    *("chromium-headless-shell", "chrome-headless-shell", "headless_shell"),
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"),
)
PACKAGES = ("chromium-headless-shell", "chromium", "chromium-browser")
"""Debian's names for it, and those of its descendants."""


class NoChromium(Exception):
    """Why there is none, in one line that says what to do."""


def find_chromium(environ: Mapping[str, str]) -> Path | None:
    """A Chromium of this machine; raise `NoChromium` if the one that is named is none."""
    named = environ.get("CHROMIUM")
    if named:
        found = shutil.which(named, path=environ.get("PATH"))
        if found is None:
            raise NoChromium(f"CHROMIUM={named} is no program.")
        return Path(found)
    return next((Path(found) for name in NAMES if (found := shutil.which(name, path=environ.get("PATH")))), None)


def provide_chromium(environ: Mapping[str, str]) -> Path:
    """A Chromium, installed now if need be; raise `NoChromium`."""
    found = find_chromium(environ)
    if found is None and os.geteuid() == 0 and shutil.which("apt-get", path=environ.get("PATH")):
        install(*PACKAGES)
        found = find_chromium(environ)
    if found is None:
        raise NoChromium(
            "The tests of the pages need Chromium: install it (Debian: apt install chromium-headless-shell) or name "
            "one, as in CHROMIUM=/opt/chrome/chrome make test"
        )
    return found


if __name__ == "__main__":
    try:
        print(provide_chromium(os.environ))
    except NoChromium as none:
        sys.exit(str(none))
