"""The service as users start it: the first owner gets in, and so does everybody whom they invite."""

import subprocess
from pathlib import Path

import pytest
import requests

from service.auth.sessions import COOKIE
from tests.service.following import PATIENCE, running


def said(process: "subprocess.Popen[str]") -> str:
    """What a service has printed until it is stopped."""
    process.terminate()
    assert process.stdout is not None
    return process.stdout.read()


@pytest.mark.slow
def test_the_first_start_lets_the_owner_in(dsn: str, tmp_path: Path) -> None:
    with running(dsn, CARNET_OPEN="0", CARNET_DATA=str(tmp_path)) as [(port, process)]:
        service = f"http://127.0.0.1:{port}"
        assert requests.get(f"{service}/api/v1/matches", timeout=PATIENCE).json()["items"] == []
        assert requests.post(f"{service}/api/v1/matches", json={}, timeout=PATIENCE).status_code == 401
        link = (tmp_path / "owner-link").read_text("utf-8").strip()
        assert link.startswith(f"{service}/sign-in/carnet_")
        browser = requests.Session()
        assert "This makes you the owner of this Carnet." in browser.get(link, timeout=PATIENCE).text
        assert "You are signed in as Olga." in browser.post(link, data={"name": "Olga"}, timeout=PATIENCE).text
        assert COOKIE in browser.cookies
        me = browser.get(f"{service}/api/v1/me", timeout=PATIENCE).json()
        assert me["account"]["role"] == "owner"
        made = browser.post(
            f"{service}/api/v1/tokens",
            json={"label": "for later", "scopes": ["manage"]},
            headers={"X-CSRF-Token": me["csrf_token"]},
            timeout=PATIENCE,
        ).json()
        first = said(process)
    assert "owner-link" in first
    assert "carnet_" not in first
    with running(dsn, CARNET_OPEN="0", CARNET_DATA=str(tmp_path)) as [(port, process)]:
        token = {"Authorization": f"Bearer {made['secret']}"}
        answer = requests.get(f"http://127.0.0.1:{port}/api/v1/me", headers=token, timeout=PATIENCE)
        assert answer.json()["account"]["name"] == "Olga"
        second = said(process)
    assert "owner" not in second
    assert not (tmp_path / "owner-link").exists()


@pytest.mark.slow
def test_a_start_without_sign_in_warns(dsn: str, tmp_path: Path) -> None:
    with running(dsn, CARNET_DATA=str(tmp_path)) as [(port, process)]:
        answer = requests.get(f"http://127.0.0.1:{port}/api/v1/me", timeout=PATIENCE)
        assert answer.json()["sign_in"] is False
        printed = said(process)
    assert "Warning: CARNET_OPEN=1" in printed
    assert list(tmp_path.iterdir()) == []
