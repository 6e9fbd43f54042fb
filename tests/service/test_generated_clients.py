"""Tools take the API document: linters find nothing, and generated clients compile and play both games."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from flask import Flask

from scripts import openapi
from tests.service.serving import served

pytestmark = [pytest.mark.soak, pytest.mark.slow]

DOCUMENT = "openapi.yaml"
CLIENTS = Path(__file__).parent / "clients"
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "carnet-clients"
PYTHON_TOOLS = ("openapi-python-client==0.29.1", "openapi-generator-cli==7.26.0", "ruff")
LINTERS = ("@stoplight/spectral-cli@6.16.3", "@redocly/cli@2.77.0")
NODE_TOOLS = (
    "openapi-typescript@7.13.0",
    "openapi-fetch@0.17.0",
    "@hey-api/openapi-ts@0.95.0",
    "typescript@5.9.3",
    "@types/node@20",
)
COMPILING = ("--strict", "--skipLibCheck", "--esModuleInterop", "--module", "commonjs", "--target", "es2022")


def run(command: Sequence[object], folder: Path, **environment: str) -> str:
    """Run a command and return what it says; fail with it."""
    words = [str(word) for word in command]
    ended = subprocess.run(  # noqa: S603 - tools that the test installed
        words, cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True, timeout=600, check=False
    )
    assert ended.returncode == 0, f"{' '.join(words)}: {ended.stdout[-4000:]}{ended.stderr[-4000:]}"
    return ended.stdout


def install(tools: Sequence[str], name: str) -> Path:
    """Install packages of npm into a folder that is kept; return where they are."""
    if shutil.which("npm") is None:
        pytest.fail("npm is needed for the tools of JavaScript")
    folder = CACHE / name
    installed = folder / "installed"
    if not installed.is_file() or installed.read_text() != "\n".join(tools):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text('{"private": true}')
        run(["npm", "install", "--no-audit", "--no-fund", *tools], folder)
        installed.write_text("\n".join(tools))
    return folder / "node_modules"


@pytest.fixture(scope="module")
def python_tools() -> Path:
    """The folder of the generators for Python, in an environment of their own that is kept."""
    folder = CACHE / "python"
    if not (folder / "installed").is_file():
        run([sys.executable, "-m", "venv", "--clear", folder], CLIENTS)
        needed = ("python-dateutil", "urllib3", "pydantic", "typing-extensions", "lazy-imports")
        run([folder / "bin" / "pip", "install", "--quiet", *PYTHON_TOOLS, *needed], CLIENTS)
        (folder / "installed").touch()
    return folder / "bin"


@pytest.fixture(scope="module")
def node_tools() -> Path:
    """The folder with the generators for TypeScript, which is kept."""
    return install(NODE_TOOLS, "node")


@pytest.fixture(scope="module")
def linters() -> Path:
    """The folder with the linters of API documents, which is kept."""
    return install(LINTERS, "linters")


def test_spectral_finds_nothing(linters: Path) -> None:
    rules = openapi.DOCUMENT.parent / ".spectral.yaml"
    run([linters / ".bin" / "spectral", "lint", "--fail-severity=hint", "-r", rules, openapi.DOCUMENT], linters)


def test_redocly_finds_nothing(linters: Path, tmp_path: Path) -> None:
    lint = [linters / ".bin" / "redocly", "lint", "--extends", "recommended", "--format", "json", openapi.DOCUMENT]
    found = json.loads(run(lint, tmp_path, REDOCLY_TELEMETRY="off", REDOCLY_SUPPRESS_UPDATE_NOTICE="true"))
    assert found["totals"] == {"errors": 0, "warnings": 0, "ignored": 0}, found["problems"]


@pytest.fixture
def url(app: Flask) -> Iterator[str]:
    with served(app.wsgi_app) as url:
        yield url


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where a client is generated, with the programs that use it."""
    for program in CLIENTS.iterdir():
        if program.is_file():
            shutil.copy(program, tmp_path)
    shutil.copy(openapi.DOCUMENT, tmp_path)
    return tmp_path


def test_openapi_python_client_plays_both_games(folder: Path, python_tools: Path, url: str) -> None:
    path = f"{python_tools}{os.pathsep}{os.environ['PATH']}"
    generate = [python_tools / "openapi-python-client", "generate", "--path", DOCUMENT, "--meta", "none"]
    run([*generate, "--output-path", "carnet_api"], folder, PATH=path)
    run([python_tools / "python", "-m", "compileall", "-q", "carnet_api"], folder)
    run([python_tools / "python", "python_client.py", url], folder)


def test_openapi_generator_plays_both_games(folder: Path, python_tools: Path, url: str) -> None:
    if shutil.which("java") is None:
        pytest.fail("Java is needed for openapi-generator")
    generate = [python_tools / "openapi-generator-cli", "generate", "-i", DOCUMENT, "-g", "python"]
    run([*generate, "--package-name", "carnet_generated", "-o", "."], folder)
    run([python_tools / "python", "-m", "compileall", "-q", "carnet_generated"], folder)
    run([python_tools / "python", "generator_client.py", url], folder)


def test_openapi_typescript_plays_both_games(folder: Path, node_tools: Path, url: str) -> None:
    (folder / "node_modules").symlink_to(node_tools)
    run([node_tools / ".bin" / "openapi-typescript", DOCUMENT, "-o", "schema.d.ts"], folder)
    run([node_tools / ".bin" / "tsc", *COMPILING, "fetch.ts"], folder)
    run(["node", "fetch.js", url], folder)


def test_hey_api_plays_both_games(folder: Path, node_tools: Path, url: str) -> None:
    (folder / "node_modules").symlink_to(node_tools)
    run([node_tools / ".bin" / "openapi-ts", "-i", DOCUMENT, "-o", "hey"], folder)
    run([node_tools / ".bin" / "tsc", *COMPILING, "hey.ts"], folder)
    run(["node", "hey.js", url], folder)
