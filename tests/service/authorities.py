"""Certificates for tests: those that an operator brings, and those that somebody makes with a stolen key."""

import ssl
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import TypeAlias

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

Given: TypeAlias = tuple[Path, Path]
"""The files of a certificate and of its key."""


def named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return key.private_bytes(*form)


def certified(
    hosts: tuple[str, ...],
    key: ec.EllipticCurvePrivateKey,
    issuer: x509.Name,
    signer: ec.EllipticCurvePrivateKey,
    life: timedelta,
) -> bytes:
    """A certificate for some hosts."""
    now = datetime.now(UTC)
    names: list[x509.GeneralName] = []
    for host in hosts:
        try:
            names.append(x509.IPAddress(ip_address(host)))
        except ValueError:
            names.append(x509.DNSName(host))
    certificate = (
        x509.CertificateBuilder()
        .subject_name(named("test"))
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=2))
        .not_valid_after(now + life)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .sign(signer, hashes.SHA256())
    )
    return certificate.public_bytes(serialization.Encoding.PEM)


def given(folder: Path, *hosts: str, life: timedelta = timedelta(days=90)) -> Given:
    """A certificate as an operator brings it, here signed by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    chain_file, key_file = folder / "chain.pem", folder / "key.pem"
    chain_file.write_bytes(certified(hosts, key, named("test"), key, life))
    key_file.write_bytes(pem(key))
    return chain_file, key_file


def signed_by(authority: Path, host: str, folder: Path) -> bool:
    """Tell if a client that trusts an authority accepts a certificate that its key signs for a host."""
    content = authority.read_bytes()
    signer = serialization.load_pem_private_key(content, None)
    assert isinstance(signer, ec.EllipticCurvePrivateKey)
    issuer = x509.load_pem_x509_certificate(content).subject
    key = ec.generate_private_key(ec.SECP256R1())
    forged = folder / "forged.pem"
    forged.write_bytes(certified((host,), key, issuer, signer, timedelta(days=90)) + pem(key))
    server_context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server_context.load_cert_chain(forged)
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = ssl.create_default_context(cafile=authority).wrap_bio(to_client, to_server, server_hostname=host)
    server = server_context.wrap_bio(to_server, to_client, server_side=True)
    for _ in range(3):
        try:
            with suppress(ssl.SSLWantReadError):
                client.do_handshake()
        except ssl.SSLCertVerificationError:
            return False
        with suppress(ssl.SSLWantReadError):
            server.do_handshake()
    return True
