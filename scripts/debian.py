"""Programs of Debian that tests need, installed when they are missing and this user may."""

import os
import shutil
import subprocess
import sys


class MissingProgram(Exception):
    """A program that is not there and cannot be installed; the message says what to do."""


def provide(program: str, package: str) -> str:
    """The path of a program, installed now if need be; raise `MissingProgram`."""
    # Debian keeps servers where the search path of an ordinary user does not lead.
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin"])
    found = shutil.which(program, path=path)
    if found is None and os.geteuid() == 0 and shutil.which("apt-get"):
        install(package)
        found = shutil.which(program, path=path)
    if found is None:
        raise MissingProgram(f"There is no {program}; install it (Debian: apt install {package}).")
    return found


def install(*packages: str) -> None:
    """Install the first of some packages that there is."""
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}  # nothing is started at once
    subprocess.run(["apt-get", "update", "-qq"], env=quiet, stdout=sys.stderr, check=False)  # noqa: S607
    for package in packages:
        command = ["apt-get", "install", "-qq", "-y", "--no-install-recommends", package]
        if subprocess.run(command, env=quiet, stdout=sys.stderr, check=False).returncode == 0:  # noqa: S603 - our words
            return
