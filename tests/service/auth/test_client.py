"""The client with a token, on a service with sign-in."""

from collections.abc import Iterator

import pytest

from service.client import Client, IllegalMove, NotAllowed, NotFound
from tests.service.auth.people import Person
from tests.service.harness import SETUP, UNKNOWN_ID
from tests.service.serving import served


@pytest.fixture
def url(olga: Person) -> Iterator[str]:
    with served(olga.app.wsgi_app) as url:
        yield url


@pytest.fixture
def owner(url: str, olga: Person) -> Iterator[Client]:
    """The client of the installation's owner."""
    with Client(url, olga.token("record", "annotate", "manage")["secret"], timeout=20) as client:
        yield client


def test_people_and_tokens(owner: Client, url: str) -> None:
    me = owner.me()["account"]
    assert me is not None
    made = owner.create_token("scoreboard", ["read"], expires_at="2099-01-01T00:00:00Z")
    assert [token["label"] for token in owner.tokens()] == ["test", "scoreboard"]
    with Client(url, made["secret"]) as reader:
        assert reader.me()["scopes"] == ["read"]
        with pytest.raises(NotAllowed) as refused:
            reader.create_token("more", ["read"])
        assert (refused.value.status, refused.value.type) == (403, "/problems/not-allowed")
        owner.revoke_token(made["id"])
        with pytest.raises(NotAllowed) as unknown:
            reader.me()
        assert (unknown.value.status, unknown.value.type) == (401, "/problems/wrong-token")
    invited = owner.invite("Ana", role="owner")
    assert [invitation["name"] for invitation in owner.invitations()] == ["Ana"]
    owner.revoke_invitation(invited["id"])
    assert owner.invitations() == []
    assert owner.change_account(me["id"], {"name": "Olga Maria"})["name"] == "Olga Maria"
    assert [account["name"] for account in owner.accounts()] == ["Olga Maria"]
    [revoked] = owner.audit(account=me["id"], act="token_revoked")
    assert (revoked["account_id"], revoked["subject_id"]) == (me["id"], made["id"])
    assert "/sign-in/carnet_" in owner.create_sign_in_link(me["id"])["url"]
    with pytest.raises(NotFound):
        owner.close_account(UNKNOWN_ID)


def test_matches_and_links(owner: Client, url: str) -> None:
    players = [{"seat": "orange", "name": "Ana"}, {"seat": "blue", "name": "Jan"}]
    match = owner.create_match("cite-lumiere", players, SETUP, visibility="unlisted", venue="at home")  # type: ignore[arg-type]
    assert (match["visibility"], match["venue"]) == ("unlisted", "at home")
    assert owner.rights(match["id"]) == ["read", "record", "annotate", "manage"]
    link = owner.create_link(match["id"], "record", label="second phone")
    assert [(each["allows"], each["label"]) for each in owner.links(match["id"])] == [("record", "second phone")]
    owner.revoke_link(match["id"], link["id"])
    assert owner.links(match["id"]) == []
    with Client(url) as stranger, pytest.raises(NotFound):
        stranger.match(match["id"])
    with pytest.raises(IllegalMove):
        owner.record(match["id"], "blue", {"type": "take", "building": "L4"})
    note = owner.annotate(match["id"], 0, "Hm.")
    assert owner.hide_annotation(note["id"])["hidden"] is True
    assert owner.hide_annotations(note["match_id"], note["author"]) == {"hidden": 0}
    assert owner.show_annotation(note["id"])["hidden"] is False
    assert owner.anonymise_player(match["players"][0]["player_id"])["name"] == "Player 1"
