"""X.509 certificates for HTTPS: those of an operator, and a small authority of this installation with what it signs.

The authority is kept in a folder that only the user who runs the service can read. What it may stand for is limited by
name constraints (RFC 5280, section 4.2.1.10) to local networks and the names of this machine, so that a stolen key
cannot imitate the bank of somebody whose phone trusts it.
"""

import os
import re
import ssl
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from fcntl import LOCK_EX, LOCK_UN, flock
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Final, Protocol, Self, TypeAlias

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

Network: TypeAlias = IPv4Network | IPv6Network

AUTHORITY_LIFE: Final = timedelta(days=3650)
LIFE: Final = timedelta(days=180)
"""Phones of Apple refuse more than 825 days from an authority that their user trusts, and more than 398 from others."""
RENEWED_BEFORE: Final = timedelta(days=60)
"""A certificate is renewed when less than this is left of it."""
BACKDATED: Final = timedelta(days=1)
"""So that phones whose clocks are late accept it."""
DOMAINS: Final = ("local", "localhost", "home.arpa", "internal", "lan")
"""Domains that nobody can register (RFC 6762, 6761, 8375; ICANN keeps the others out of the root)."""
NETWORKS: Final = tuple(
    ip_network(network)
    for network in (
        *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8"),
        "100.64.0.0/10",  # between a provider and its customers, and what Tailscale gives its machines
        *("fc00::/7", "fe80::/10", "::1/128"),
    )
)
MAX_COMMON_NAME: Final = 64

_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_HOST_NAME = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")


class CertificateUnusable(Exception):
    """A certificate, a key or an authority that cannot be used; the message is a sentence that says why."""


class Coverage(Protocol):
    """The hosts for which a certificate stands."""

    @property
    def hosts(self) -> Sequence[str]:
        """Those that it names, without patterns."""

    def covers(self, host: str) -> bool:
        """Whether browsers accept it for a name or an address."""


@dataclass(frozen=True, slots=True)
class Named:
    """The hosts in the certificate of an operator."""

    names: tuple[str, ...]

    @property
    def hosts(self) -> Sequence[str]:
        return [name for name in self.names if "*" not in name]

    def covers(self, host: str) -> bool:
        """Whether a host is named, or stands below a name with `*` (RFC 6125, section 6.4.3)."""
        return _spelt(host) in self.names or f"*.{_spelt(host).partition('.')[2]}" in self.names


@dataclass(frozen=True, slots=True)
class Permitted:
    """The hosts for which an authority with name constraints may sign."""

    domains: tuple[str, ...]
    networks: tuple[Network, ...]

    @property
    def hosts(self) -> Sequence[str]:
        return ()

    def covers(self, host: str) -> bool:
        host = _spelt(host)
        with suppress(ValueError):
            address = ip_address(host)
            return any(address in network for network in self.networks if network.version == address.version)
        is_name = _HOST_NAME.fullmatch(host) is not None
        return is_name and any(host == domain or host.endswith(f".{domain}") for domain in self.domains)


def permitted_for(hosts: Iterable[str]) -> Permitted:
    """The constraints of a new authority: local networks, and what of some hosts is not in them.

    A bare name is included only if it has a digit or a hyphen: that of a machine called `dev` would permit the whole
    top-level domain, and no top-level domain has either.
    """
    domains, networks = dict.fromkeys(DOMAINS), dict.fromkeys(NETWORKS)
    for host in map(_spelt, hosts):
        if Permitted(tuple(domains), tuple(networks)).covers(host):
            continue
        try:
            networks[ip_network(host)] = None
        except ValueError:
            if _HOST_NAME.fullmatch(host) and ("." in host or re.search("[0-9-]", host)):
                domains[host] = None
    return Permitted(tuple(domains), tuple(networks))


@dataclass(frozen=True, slots=True)
class Authority:
    """The authority of an installation, as phones come to trust it."""

    certificate: x509.Certificate

    @property
    def name(self) -> str:
        """The name under which a phone lists it."""
        return str(self.certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)[0].value)

    @property
    def der(self) -> bytes:
        return self.certificate.public_bytes(serialization.Encoding.DER)

    @property
    def fingerprint(self) -> str:
        """Its SHA-256 fingerprint, as phones show it."""
        return self.certificate.fingerprint(hashes.SHA256()).hex(":").upper()

    @property
    def permitted(self) -> Permitted:
        """The hosts for which it may sign."""
        try:
            constraints = self.certificate.extensions.get_extension_for_class(x509.NameConstraints).value
        except x509.ExtensionNotFound:  # one that was not made here
            return Permitted(DOMAINS, NETWORKS)
        permitted = constraints.permitted_subtrees or []
        return Permitted(
            tuple(name.value for name in permitted if isinstance(name, x509.DNSName)),
            tuple(name.value for name in permitted if isinstance(name, x509.IPAddress)),  # type: ignore[misc]
        )


class OwnFiles:
    """The files of an authority and of the certificate that it has signed for the service."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.certificate = folder / "service.pem"
        """The certificate of the service and its key, in one file, so that they are exchanged at once."""
        self._authority = folder / "authority.pem"
        """The same for the authority."""
        self.for_clients = folder / "authority.crt"
        """The authority without its key, for programs that are to trust it."""

    def renew(self, hosts: Collection[str], now: datetime | None = None) -> Authority:
        """Make what is missing, about to end or not for these hosts; raise `CertificateUnusable`.

        Processes that do so at the same time wait for one another, and the later ones find the work done.
        """
        now = now or datetime.now(UTC)
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with (self._folder / "lock").open("a") as lock:
                flock(lock, LOCK_EX)
                try:
                    return self._renew(hosts, now)
                finally:
                    # Closing the file is not enough: a process that was forked meanwhile has it open too.
                    flock(lock, LOCK_UN)
        except OSError as error:
            raise CertificateUnusable(
                f"The authority for CARNET_TLS=self cannot be kept in {self._folder} ({error.strerror})."
            ) from None

    def authority(self) -> Authority | None:
        """The authority, if one was made; raise `CertificateUnusable`."""
        if not self._authority.exists():
            return None
        return Authority(self._read(self._authority)[0])

    def _renew(self, hosts: Collection[str], now: datetime) -> Authority:
        if not self._authority.exists() or _ends(self._read(self._authority)[0]) - now < LIFE:
            key = ec.generate_private_key(ec.SECP256R1())
            self._write(self._authority, _make_authority(key, hosts, now), key)
        certificate, key = self._read(self._authority)
        authority = Authority(certificate)
        public = certificate.public_bytes(serialization.Encoding.PEM)
        if not self.for_clients.exists() or self.for_clients.read_bytes() != public:
            self._put(self.for_clients, public)
        covered = tuple(dict.fromkeys(host for host in map(_spelt, hosts) if authority.permitted.covers(host)))
        if not self._is_current(authority, covered, now):
            own_key = ec.generate_private_key(ec.SECP256R1())
            self._write(self.certificate, _sign(certificate, key, own_key.public_key(), covered, now), own_key)
        return authority

    def _is_current(self, authority: Authority, hosts: Sequence[str], now: datetime) -> bool:
        """Whether the certificate of the service can stay."""
        try:
            certificate, _ = self._read(self.certificate)
            certificate.verify_directly_issued_by(authority.certificate)
        except (CertificateUnusable, ValueError, TypeError, InvalidSignature):
            return False
        return set(hosts_of(certificate)) == set(hosts) and _ends(certificate) - now >= RENEWED_BEFORE

    def _read(self, path: Path) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
        try:
            content = path.read_bytes()
            key = serialization.load_pem_private_key(content, None)
            assert isinstance(key, ec.EllipticCurvePrivateKey)
            return x509.load_pem_x509_certificate(content), key
        except OSError as error:
            reason = error.strerror
        except (ValueError, AssertionError):
            reason = "damaged"
        raise CertificateUnusable(
            f"{path} cannot be read ({reason}). Restore it, or remove the folder {self._folder}: the next start makes "
            "another authority, which all phones have to be told to trust."
        )

    def _write(self, path: Path, certificate: x509.Certificate, key: ec.EllipticCurvePrivateKey) -> None:
        content = certificate.public_bytes(serialization.Encoding.PEM) + key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        self._put(path, content)

    def _put(self, path: Path, content: bytes) -> None:
        """Put a file in the place of another one at once, readable by nobody else."""
        with NamedTemporaryFile(dir=self._folder, delete=False) as file:  # which makes it 0600
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(file.name).replace(path)


def _make_authority(key: ec.EllipticCurvePrivateKey, hosts: Iterable[str], now: datetime) -> x509.Certificate:
    permitted = permitted_for(hosts)
    # Its name tells apart the authorities of several services, and of one service before and after it was made anew.
    name = _common_name(f"Carnet {next((host for host in hosts if host.endswith('.local')), '')} {now:%Y-%m-%d %H:%M}")
    subtrees: list[x509.GeneralName] = [x509.DNSName(domain) for domain in permitted.domains]
    subtrees += [x509.IPAddress(network) for network in permitted.networks]
    return (
        _begin(name, name, key.public_key(), now, AUTHORITY_LIFE)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_key_usage(signs_certificates=True), critical=True)
        .add_extension(x509.NameConstraints(subtrees, None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )


def _sign(
    authority: x509.Certificate,
    key: ec.EllipticCurvePrivateKey,
    own_key: ec.EllipticCurvePublicKey,
    hosts: Sequence[str],
    now: datetime,
) -> x509.Certificate:
    """A certificate for the service."""
    life = min(LIFE, _ends(authority) - now)
    return (
        _begin(_common_name("Carnet"), authority.subject, own_key, now, life)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_key_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName([_general_name(host) for host in hosts]), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )


def _begin(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, now: datetime, life: timedelta
) -> x509.CertificateBuilder:
    builder = x509.CertificateBuilder().subject_name(subject).issuer_name(issuer).public_key(key)
    builder = builder.serial_number(x509.random_serial_number())
    return builder.not_valid_before(now - BACKDATED).not_valid_after(now + life)


def _key_usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _common_name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, " ".join(text.split())[:MAX_COMMON_NAME])])


def _general_name(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _spelt(host: str) -> str:
    """A name or an address in one spelling, without the zone of an IPv6 address."""
    host = host.lower().partition("%")[0].rstrip(".")
    with suppress(ValueError):
        return str(ip_address(host))
    return host


def _ends(certificate: x509.Certificate) -> datetime:
    return certificate.not_valid_after_utc


def hosts_of(certificate: x509.Certificate) -> tuple[str, ...]:
    """The names and addresses for which a certificate was made."""
    try:
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (x509.ExtensionNotFound, ValueError):
        return ()
    found = [name.value for name in names if isinstance(name, x509.DNSName | x509.IPAddress)]
    return tuple(str(name).lower() for name in found)


@dataclass(frozen=True, slots=True)
class Loaded:
    """A certificate in use."""

    context: ssl.SSLContext
    hosts: tuple[str, ...]
    ends: datetime

    @classmethod
    def of(cls, chain: Path, key: Path, now: datetime | None = None) -> Self:
        """Read a certificate with its chain, and its key; raise `CertificateUnusable`."""
        certificate = _first_certificate(chain)
        if certificate.public_key() != _public_key(key):
            raise CertificateUnusable(f"The key in {key} is not that of the first certificate in {chain}.")
        if _ends(certificate) <= (now or datetime.now(UTC)):
            raise CertificateUnusable(f"The certificate in {chain} expired on {_ends(certificate):%Y-%m-%d}.")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.options |= ssl.OP_NO_RENEGOTIATION
        context.set_alpn_protocols(["http/1.1"])
        try:
            context.load_cert_chain(chain, key)
        except ssl.SSLError as error:
            raise CertificateUnusable(f"The certificate in {chain} cannot be used ({error.reason}).") from None
        return cls(context, hosts_of(certificate), _ends(certificate))


def _first_certificate(path: Path) -> x509.Certificate:
    try:
        return x509.load_pem_x509_certificates(_content(path))[0]
    except ValueError:
        raise CertificateUnusable(f"There is no certificate in {path}; it must have the form PEM.") from None


def _public_key(path: Path) -> object:
    try:
        return serialization.load_pem_private_key(_content(path), None).public_key()
    except TypeError:
        raise CertificateUnusable(f"The key in {path} has a passphrase; the service needs it without one.") from None
    except (ValueError, UnsupportedAlgorithm):
        raise CertificateUnusable(f"There is no private key in {path}; it must have the form PEM.") from None


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CertificateUnusable(f"{path}, which CARNET_TLS names, cannot be read ({error.strerror}).") from None
