"""The authority of an installation and what it signs, and the certificates of operators."""

import fcntl
import os
import signal
import ssl
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from service import config as config_module
from service.certificates import LIFE, Authority, CertificateUnusable, Loaded, Named, OwnFiles, hosts_of, permitted_for
from service.config import Config, ConfigError, read_config
from service.server.certificates import Certificates, open_certificates
from tests.service.authorities import Given, given, signed_by

HOSTS = ("192.168.1.7", "fd00::7", "table", "table.local", "localhost", "127.0.0.1")
LONGEST_LIFE_FOR_APPLE = timedelta(days=398)


def certificate(path: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(path.read_bytes())


def test_an_authority_is_made_once_and_kept_from_others(tmp_path: Path) -> None:
    files = OwnFiles(tmp_path / "tls")
    made = files.renew(HOSTS)
    signed = certificate(files.certificate)
    assert files.renew(HOSTS) == made == files.authority()
    assert certificate(files.certificate) == signed
    for name in ("authority.pem", "service.pem"):
        assert (tmp_path / "tls" / name).stat().st_mode & 0o777 == 0o600
    assert "PRIVATE" not in (tmp_path / "tls" / "authority.crt").read_text()
    assert (tmp_path / "tls").stat().st_mode & 0o777 == 0o700


def test_the_certificate_has_the_form_that_phones_accept(tmp_path: Path) -> None:
    files = OwnFiles(tmp_path)
    authority = files.renew(HOSTS)
    signed = certificate(files.certificate)
    signed.verify_directly_issued_by(authority.certificate)
    assert signed.not_valid_after_utc - signed.not_valid_before_utc <= LONGEST_LIFE_FOR_APPLE
    # A bare name could be a top-level domain, for which no authority of a club should stand.
    assert set(hosts_of(signed)) == {*HOSTS} - {"table"}
    usage = signed.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert list(usage) == [x509.oid.ExtendedKeyUsageOID.SERVER_AUTH]


def test_a_new_address_or_the_approaching_end_renews_the_certificate_and_not_the_authority(tmp_path: Path) -> None:
    files, now = OwnFiles(tmp_path), datetime.now(UTC)
    authority = files.renew(HOSTS)
    first = certificate(files.certificate)
    assert files.renew([*HOSTS, "10.0.0.9"]) == authority
    moved = certificate(files.certificate)
    assert "10.0.0.9" in hosts_of(moved)
    assert moved != first
    assert files.renew([*HOSTS, "10.0.0.9"], now + LIFE / 2) == authority
    assert certificate(files.certificate) == moved
    assert files.renew([*HOSTS, "10.0.0.9"], now + LIFE - timedelta(days=30)) == authority
    assert certificate(files.certificate) != moved
    assert files.renew(HOSTS, now + timedelta(days=3600)) != authority


@pytest.mark.parametrize(
    ("host", "is_accepted"),
    [("192.168.77.1", True), ("other.local", True), ("8.8.8.8", False), ("www.example.org", False), ("table", False)],
)
def test_a_stolen_key_imitates_nothing_outside_local_networks(tmp_path: Path, host: str, is_accepted: bool) -> None:
    OwnFiles(tmp_path).renew(HOSTS)
    assert signed_by(tmp_path / "authority.pem", host, tmp_path) is is_accepted


def test_an_authority_is_permitted_what_was_named_when_it_was_made() -> None:
    permitted = permitted_for(["203.0.113.9", "carnet.example.org", "dev", "pi4", "2001:db8::7", "no_host", ""])
    for host in ("203.0.113.9", "CARNET.example.org", "a.carnet.example.org", "pi4", "2001:db8:0::7", "fe80::1%eth0"):
        assert permitted.covers(host), host
    for host in ("203.0.113.8", "example.org", "dev", "google.dev", "no_host", "", "notlocal"):
        assert not permitted.covers(host), host


def test_a_process_forked_during_a_renewal_can_renew_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = OwnFiles(tmp_path)
    renew = files._renew
    children: list[int] = []

    def renew_and_fork(*arguments: Any) -> Authority:
        if not children:
            children.append(os.fork())
            if not children[0]:
                signal.alarm(10)  # ends a process that waits in vain
                signal.pause()
        return renew(*arguments)

    monkeypatch.setattr(files, "_renew", renew_and_fork)
    files.renew(["127.0.0.1"])
    try:
        with (tmp_path / "lock").open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    finally:
        os.kill(children[0], signal.SIGKILL)
        os.waitpid(children[0], 0)


def test_a_damaged_authority_is_named_and_not_replaced(tmp_path: Path) -> None:
    files = OwnFiles(tmp_path)
    files.renew(HOSTS)
    place = tmp_path / "authority.pem"
    place.write_text("rubbish")
    with pytest.raises(CertificateUnusable, match=f"{place} cannot be read .damaged"):
        files.renew(HOSTS)
    assert place.read_text() == "rubbish"
    (tmp_path / "a-file").touch()
    with pytest.raises(CertificateUnusable, match="cannot be kept"):
        OwnFiles(tmp_path / "a-file" / "tls").renew(HOSTS)


# Certificates of operators


@pytest.fixture
def own(tmp_path: Path) -> Given:
    return given(tmp_path, "carnet.example.org", "*.club.example.org")


def changed(own: Given, change: str, tmp_path: Path) -> Given:
    """The certificate after a mishap."""
    chain, key = own
    other = ec.generate_private_key(ec.SECP256R1())
    encoding = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8)
    match change:
        case "missing":
            chain.unlink()
        case "no certificate":
            chain.write_text("rubbish")
        case "no key":
            key.write_text("rubbish")
        case "another key":
            key.write_bytes(other.private_bytes(*encoding, serialization.NoEncryption()))
        case "passphrase":
            key.write_bytes(other.private_bytes(*encoding, serialization.BestAvailableEncryption(b"secret")))
        case "expired":
            return given(tmp_path, "carnet.example.org", life=timedelta(seconds=-1))
    return own


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("missing", r"chain.pem, which CARNET_TLS names, cannot be read \(No such file or directory\)\.$"),
        ("no certificate", "There is no certificate in .*chain.pem"),
        ("no key", "There is no private key in .*key.pem"),
        ("another key", "The key in .*key.pem is not that of the first certificate in .*chain.pem"),
        ("passphrase", "has a passphrase"),
        ("expired", r"expired on \d{4}-\d\d-\d\d\.$"),
    ],
)
def test_files_that_cannot_be_used_are_refused_with_a_sentence(
    own: Given, tmp_path: Path, change: str, sentence: str
) -> None:
    chain, key = changed(own, change, tmp_path)
    with pytest.raises(ConfigError, match=sentence) as refused:
        open_certificates(read_config({"CARNET_TLS": f"{chain},{key}"}))
    assert "\n" not in str(refused.value)


def test_the_addresses_are_those_in_the_certificate(own: Given) -> None:
    config, _ = open_certificates(read_config({"CARNET_TLS": f"{own[0]}, {own[1]}", "CARNET_HOST": "0.0.0.0"}))
    assert config.addresses == ("https://carnet.example.org:8000",)
    assert config.is_pinned_to_tls
    assert config.secure_address_for("a.club.example.org", "8000") == "https://a.club.example.org"
    assert config.secure_address_for("a.b.club.example.org", "8000") == config.address
    standard, _ = open_certificates(read_config({"CARNET_TLS": f"{own[0]},{own[1]}", "CARNET_PORT": "443"}))
    assert standard.address == "https://carnet.example.org"
    assert standard.secure_address_for("carnet.example.org", "80") == standard.address
    assert Named(("carnet.example.org",)).covers("Carnet.example.org.")


def test_a_new_certificate_is_used_without_a_restart_and_a_broken_one_is_not(
    own: Given, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    config = read_config({"CARNET_TLS": f"{own[0]},{own[1]}"})
    assert config.tls is not None
    certificates = Certificates(config, config.tls)
    before = certificates.context
    certificates.refresh()
    assert certificates.context is before
    own[0].write_text("rubbish")
    with pytest.raises(CertificateUnusable):
        certificates.refresh()
    certificates.refresh()  # which complains once
    assert certificates.context is before
    given(tmp_path, "carnet.example.org", life=timedelta(days=3))
    certificates.refresh()
    assert certificates.context is not before
    assert "was exchanged" in caplog.text
    assert caplog.text.count("the certificate for HTTPS ends on") == 1


# The settings


@pytest.fixture
def in_club(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Config]:
    """Settings of a machine in a club, with an authority of its own."""
    monkeypatch.setattr(config_module, "interface_addresses", lambda: ("192.168.1.7", "2001:db8::7"))
    monkeypatch.setattr(config_module, "machine_names", lambda: {"192.168.1.7", "2001:db8::7", "table", "table.local"})
    monkeypatch.setattr("socket.gethostname", lambda: "table")
    base = {"CARNET_TLS": "self", "CARNET_HOST": "0.0.0.0", "CARNET_DATA": str(tmp_path)}
    return lambda **settings: open_certificates(read_config({**base, **settings}))[0]


def test_only_addresses_that_phones_can_trust_are_told(
    in_club: Callable[..., Config], monkeypatch: pytest.MonkeyPatch
) -> None:
    addresses = ("https://192.168.1.7:8000", "https://[2001:db8::7]:8000", "https://table.local:8000")
    assert in_club().addresses == addresses
    # The provider has given another one, for which the authority may not sign.
    monkeypatch.setattr(config_module, "interface_addresses", lambda: ("10.0.0.3", "2001:db8::8"))
    moved = in_club()
    assert moved.addresses == ("https://10.0.0.3:8000", "https://table.local:8000")
    assert moved.trust_address == "http://10.0.0.3:8000/trust"
    assert in_club(CARNET_PORT="443", CARNET_REDIRECT="80").trust_address == "http://10.0.0.3/trust"
    assert not moved.is_pinned_to_tls


@pytest.mark.parametrize(
    ("host", "port", "address"),
    [
        ("192.168.1.7:8000", "8000", "https://192.168.1.7:8000"),
        ("Table.local:8000", "8000", "https://table.local:8000"),
        ("127.0.0.1:9000", "8000", "https://127.0.0.1:9000"),
        ("table:8000", "8000", "https://192.168.1.7:8000"),
        ("evil.local:8000", "8000", "https://192.168.1.7:8000"),
        ("user@evil.example.org", "8000", "https://192.168.1.7:8000"),
        ("[", "8000", "https://192.168.1.7:8000"),
        ("192.168.1.7", "80", "https://192.168.1.7:8000"),
    ],
)
def test_plain_http_leads_to_an_address_of_ours(
    in_club: Callable[..., Config], host: str, port: str, address: str
) -> None:
    assert in_club().secure_address_for(host, port) == address


def test_a_public_name_is_certified_if_it_was_set_when_the_authority_was_made(in_club: Callable[..., Config]) -> None:
    assert in_club(CARNET_URL="https://192.168.1.7:8443").address == "https://192.168.1.7:8443"
    with pytest.raises(ConfigError, match=r"may not sign for carnet\.example\.org, the host in CARNET_URL"):
        in_club(CARNET_URL="https://carnet.example.org")


@pytest.mark.parametrize(
    "settings",
    [
        {"CARNET_TLS": "yes"},
        {"CARNET_TLS": "self", "CARNET_URL": "http://192.168.1.7"},
        {"CARNET_REDIRECT": "80"},
        {"CARNET_TLS": "self", "CARNET_REDIRECT": "8000"},
        {"CARNET_TLS": "self", "CARNET_REDIRECT": "none"},
    ],
)
def test_settings_that_contradict_one_another_are_refused(settings: dict[str, str]) -> None:
    with pytest.raises(ConfigError, match=r"CARNET_(TLS|REDIRECT)"):
        read_config(settings)


def test_the_context_speaks_nothing_old(own: Given) -> None:
    context = Loaded.of(*own).context
    assert context.minimum_version == ssl.TLSVersion.TLSv1_2
    assert context.options & ssl.OP_NO_RENEGOTIATION
