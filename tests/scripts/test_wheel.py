"""The wheel: one package on the path of others, and a service that uvx starts."""

import os
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest
import requests

from scripts.ports import reserved_port
from service.version import version

ROOT = Path(__file__).parents[2]
WITHIN = 20.0
"""Seconds from nothing to the first page, with packages in the cache."""


@pytest.mark.soak
def test_uvx_serves_from_a_wheel_with_one_package(tmp_path: Path) -> None:
    uv = [sys.executable, "-m", "uv"]
    subprocess.run([*uv, "build", "--quiet", "--wheel", "--out-dir", str(tmp_path), str(ROOT)], check=True)  # noqa: S603
    [wheel] = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        assert {name.split("/")[0] for name in packed.namelist()} == {"carnet", f"carnet-{version()}.dist-info"}
    began = time.monotonic()
    command = [*uv, "tool", "run", "--quiet", "--from", str(wheel), "carnet"]
    told = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True)  # noqa: S603
    assert told.stdout.split() == ["carnet", version()]
    with reserved_port() as port:
        environ = {**os.environ, "CARNET_DATA": str(tmp_path / "var"), "CARNET_PORT": str(port)}
        running = subprocess.Popen([*command, "run"], cwd=tmp_path, env=environ)  # noqa: S603
        try:
            while not is_served(port):
                assert running.poll() is None and time.monotonic() < began + WITHIN
                time.sleep(0.1)
            assert requests.get(f"http://127.0.0.1:{port}/api/v1", timeout=5).json()["version"] == version()
        finally:
            running.terminate()
            running.wait(timeout=30)


def is_served(port: int) -> bool:
    try:
        return requests.get(f"http://127.0.0.1:{port}/", timeout=5).ok
    except requests.ConnectionError:
        return False
