"""The Ed25519 key of the installation (RFC 8032), which signs anchors."""

import base64
import binascii
import os
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from service.config import ConfigError


def read_or_make_key(path: Path) -> Ed25519PrivateKey:
    """Read the key from a file that only its owner can read; make it if there is none."""
    try:
        if not path.exists():
            _make_key(path)
        if path.stat().st_mode & 0o077:
            raise ConfigError(f"Others can read the key in {path}; run: chmod 600 {path}")
        key = serialization.load_pem_private_key(path.read_bytes(), password=None)
    except OSError as error:
        raise ConfigError(f"The key in {path} cannot be used: {error.strerror}.") from error
    except (ValueError, TypeError) as error:
        raise ConfigError(f"The key in {path} cannot be used: {error}.") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise ConfigError(f"The key in {path} cannot be used: it is no Ed25519 key.")
    return key


def _make_key(path: Path) -> None:
    """Write a new key to a temporary file and rename it when it is complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pem = Ed25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    aside = path.with_name(f"{path.name}.new")
    aside.unlink(missing_ok=True)
    with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(pem)
        file.flush()
        os.fsync(file.fileno())
    aside.rename(path)


def public_text(key: Ed25519PrivateKey) -> str:
    """The public key in anchors: the lines of a PEM file between the first and the last one."""
    form = serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    return base64.b64encode(key.public_key().public_bytes(*form)).decode()


def sign(key: Ed25519PrivateKey, content: bytes) -> str:
    return base64.b64encode(key.sign(content)).decode()


def is_signed(public: str, content: bytes, signature: str) -> bool:
    """Whether a key has signed a document."""
    try:
        key = serialization.load_der_public_key(base64.b64decode(public, validate=True))
        if not isinstance(key, Ed25519PublicKey):
            return False
        key.verify(base64.b64decode(signature, validate=True), content)
    except (binascii.Error, ValueError, InvalidSignature):
        return False
    return True
