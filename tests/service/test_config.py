"""The settings: what is set, what is not, and what cannot be used."""

import pytest

from service.config import USUAL_RATE, ConfigError, read_config


def test_without_settings_the_service_is_for_this_machine() -> None:
    config = read_config({})
    assert config.is_local
    assert config.address == "http://127.0.0.1:8000"
    assert (config.proxies, config.contact) == (0, None)


def test_links_begin_with_what_is_set_and_never_with_what_is_asked() -> None:
    assert read_config({"CARNET_URL": "https://carnet.example.org"}).address == "https://carnet.example.org"
    assert read_config({"CARNET_HOST": "0.0.0.0", "CARNET_PORT": "81"}).address.endswith(":81")


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
def test_askers_are_held_up_where_others_can_ask(settings: dict[str, str], rate: int) -> None:
    assert read_config(settings).rate == rate


@pytest.mark.parametrize(
    ("name", "text"),
    [
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
