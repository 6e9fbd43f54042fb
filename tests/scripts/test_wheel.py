"""The wheel: one package on the path of others, and a service that uvx starts."""

import os
import re
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
PATIENCE = 300.0
"""Seconds for installing packages and a first start on a loaded machine."""


def test_the_image_gets_all_that_its_files_lead_to() -> None:
    lines = (ROOT / "Dockerfile").read_text("utf-8").splitlines()
    copies = [line.split() for line in lines if line.startswith("COPY ") and "--from" not in line]
    copied = [path for copy in copies for path in copy[1:-1]]
    let_in = (ROOT / ".dockerignore").read_text("utf-8").split()
    assert {f"!{path}" for path in copied} <= set(let_in)
    parts = [ROOT / path for path in copied]
    links = [path for part in parts for path in part.rglob("*") if path.is_symlink()]
    assert links
    for link in links:
        assert any(link.resolve().is_relative_to(part) for part in parts), link


@pytest.mark.soak
def test_uvx_serves_from_a_wheel_with_one_package(tmp_path: Path) -> None:
    uv = [sys.executable, "-m", "uv"]
    subprocess.run([*uv, "build", "--quiet", "--wheel", "--out-dir", str(tmp_path), str(ROOT)], check=True)  # noqa: S603
    [wheel] = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        assert {name.split("/")[0] for name in packed.namelist()} == {"carnet", f"carnet-{version()}.dist-info"}
    command = [*uv, "tool", "run", "--quiet", "--from", str(wheel), "carnet"]
    told = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True)  # noqa: S603
    assert told.stdout.split() == ["carnet", version()]
    with reserved_port() as port:
        environ = {**os.environ, "CARNET_DATA": str(tmp_path / "var"), "CARNET_PORT": str(port)}
        with subprocess.Popen([*command, "run"], cwd=tmp_path, env=environ) as running:  # noqa: S603
            try:
                latest = time.monotonic() + PATIENCE
                while not is_served(port):
                    assert running.poll() is None and time.monotonic() < latest
                    time.sleep(0.1)
                site = f"http://127.0.0.1:{port}"
                assert requests.get(f"{site}/api/v1", timeout=PATIENCE).json()["version"] == version()
                files = re.findall(r'(?:href|src)="(/static/[^"]+)"', requests.get(site, timeout=PATIENCE).text)
                assert {Path(file).suffix for file in files} >= {".css", ".js"}
                assert all(requests.get(f"{site}{file}", timeout=PATIENCE).ok for file in files)
            finally:
                running.terminate()
            assert running.wait(PATIENCE) == 0
    assert (tmp_path / "var" / "postgres" / "cluster").is_dir()


def is_served(port: int) -> bool:
    try:
        return requests.get(f"http://127.0.0.1:{port}/", timeout=5).ok
    except requests.ConnectionError:
        return False
