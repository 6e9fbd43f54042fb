"""The settings: what is set, what is not, and what cannot be used."""

import pytest

from service import config
from service.config import USUAL_RATE, ConfigError, read_config


def test_without_settings_the_service_is_for_this_machine() -> None:
    usual = read_config({})
    assert usual.is_local
    assert usual.address == "http://127.0.0.1:8000"
    assert (usual.proxies, usual.contact) == (0, None)


@pytest.fixture
def _interfaces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "interface_addresses", lambda: ("192.0.2.7", "2001:db8::7"))
    monkeypatch.setattr(config, "machine_names", lambda: {"192.0.2.7", "2001:db8::7", "table", "table.local"})


@pytest.mark.usefixtures("_interfaces")
def test_links_begin_with_an_address_that_a_phone_reaches() -> None:
    assert read_config({"CARNET_URL": "https://carnet.example.org"}).address == "https://carnet.example.org"
    everywhere = read_config({"CARNET_HOST": "0.0.0.0", "CARNET_PORT": "81"})
    assert everywhere.addresses[:2] == ("http://192.0.2.7:81", "http://[2001:db8::7]:81")
    assert read_config({"CARNET_HOST": "192.0.2.9"}).addresses == ("http://192.0.2.9:8000",)


@pytest.mark.usefixtures("_interfaces")
@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("table.local:81", "http://table.local:81"),
        ("192.0.2.7:81", "http://192.0.2.7:81"),
        ("127.0.0.1:81", "http://192.0.2.7:81"),
        ("evil.example.org", "http://192.0.2.7:81"),
        ("[", "http://192.0.2.7:81"),
    ],
)
def test_links_keep_the_address_by_which_a_client_came_if_it_is_ours(host: str, address: str) -> None:
    assert read_config({"CARNET_HOST": "0.0.0.0", "CARNET_PORT": "81"}).address_for("http", host) == address
    assert read_config({"CARNET_URL": "https://a.example.org"}).address_for("http", host) == "https://a.example.org"
    assert read_config({}).address_for("http", host) == "http://127.0.0.1:8000"


@pytest.mark.parametrize(
    ("settings", "is_advised"),
    [
        ({}, True),
        ({"CARNET_HOST": "0.0.0.0"}, False),
        ({"CARNET_URL": "https://carnet.example.org"}, False),
        ({"CARNET_PROXIES": "1"}, False),
        ({"CARNET_OPEN": "1"}, False),
    ],
)
def test_listening_on_the_network_is_advised_only_where_it_would_do(settings: dict[str, str], is_advised: bool) -> None:
    assert read_config(settings).may_be_opened_to_network == is_advised


def test_a_setting_that_does_not_exist_is_refused_with_the_one_that_was_meant() -> None:
    with pytest.raises(ConfigError, match="no setting CARNET_PROT; do you mean CARNET_PORT"):
        read_config({"CARNET_PROT": "1"})
    read_config({"CARNET_TOKEN": "of the examples in the README"})


@pytest.mark.parametrize(
    ("settings", "rate"),
    [
        ({}, 0),
        ({"CARNET_HOST": "0.0.0.0"}, USUAL_RATE),
        ({"CARNET_PROXIES": "1"}, USUAL_RATE),
        ({"CARNET_RATE": "30"}, 30),
        ({"CARNET_HOST": "0.0.0.0", "CARNET_RATE": "0"}, 0),
    ],
)
def test_requests_are_limited_where_others_can_send_them(settings: dict[str, str], rate: int) -> None:
    assert read_config(settings).rate == rate


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("DATABASE_OWNER_URL", "dbname=carnet"),
        ("CARNET_PORT", "0"),
        ("CARNET_PORT", "65536"),
        ("CARNET_PORT", "²"),
        ("CARNET_TZ", "Mars/Olympus"),
        ("CARNET_PROXIES", "-1"),
        ("CARNET_PROXIES", "10"),
        ("CARNET_METRICS", "here"),
        ("CARNET_METRICS", "127.0.0.1"),
        ("CARNET_LOG", "xml"),
        ("CARNET_RATE", "many"),
        ("CARNET_RATE", "1.5"),
        ("CARNET_URL", "carnet.example.org"),
        ("CARNET_URL", "https://carnet.example.org/path"),
        ("CARNET_URL", "https://carnet.example.org\r\nX: y"),
        ("CARNET_URL", "javascript:alert(1)"),
        ("CARNET_CONTACT", "admin@example.org"),
        ("CARNET_CONTACT", "mailto:a\nExpires: never"),
    ],
)
def test_what_cannot_be_used_is_named(name: str, text: str) -> None:
    with pytest.raises(ConfigError, match=name):
        read_config({name: text})
