"""The certificate with which the service speaks HTTPS; it follows its files, and the addresses of the machine."""

import logging
import os
import ssl
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from service.certificates import Authority, CertificateUnusable, Loaded, Named, OwnFiles
from service.config import Config, ConfigError, Tls
from service.server.background import Periodic

log = logging.getLogger(__name__)

LOOKED_AT_EVERY = 10.0
"""Seconds after which a new certificate, or a new address of the machine, is noticed."""
WARNED_BEFORE = timedelta(days=14)


class Certificates:
    """The TLS settings of new connections. Each process has its own and notices changes by itself.

    That of the arbiter is what later workers begin with, so it has the last one that could be used; only the arbiter
    logs.
    """

    def __init__(self, config: Config, tls: Tls) -> None:
        """Read what there is, after making it with an authority of our own; raise `CertificateUnusable`."""
        self._config = config
        self._own = OwnFiles(config.own_folder) if tls.has_own_authority else None
        self._chain, self._key = _files_of(tls) if self._own is None else (self._own.certificate,) * 2
        self.authority: Authority | None = None
        self._renew()
        # One attribute, so that a process that is forked in the middle of a change makes the change itself.
        self._current: tuple[object, Loaded] = self._state(), Loaded.of(self._chain, self._key)
        self._warned_at = datetime.min.replace(tzinfo=UTC)
        self._arbiter = os.getpid()

    @property
    def context(self) -> ssl.SSLContext:
        """The settings for the next connection."""
        return self._current[1].context

    def certified(self) -> Config:
        """The settings of the service with the hosts that the certificate covers; raise `CertificateUnusable`."""
        config = self._config
        if self.authority is None:
            return replace(config, certified=Named(self._current[1].hosts))
        permitted = self.authority.permitted
        name = config.own_hosts[0]
        if config.url is not None and not permitted.covers(name):
            raise CertificateUnusable(
                f"The authority in {config.own_folder} may not sign for {name}, the host in CARNET_URL: choose an "
                "address in the local network or a name that ends with .local, or remove that folder: the next start "
                "makes another authority for what is set then, which all phones have to be told to trust."
            )
        return replace(config, certified=permitted)

    def refresh(self) -> None:
        """Read the files again if they have changed; raise `CertificateUnusable`."""
        self._renew()
        (seen, loaded), state = self._current, self._state()
        if state != seen:
            try:
                loaded = Loaded.of(self._chain, self._key)
            finally:
                self._current = state, loaded  # also if they cannot be used, so that they are complained of once
            self._warn("the certificate for HTTPS was exchanged; the new one ends on %s", loaded)
        now = datetime.now(UTC)
        if loaded.ends - now < WARNED_BEFORE and now - self._warned_at > timedelta(days=1):
            self._warned_at = now
            self._warn("the certificate for HTTPS ends on %s", loaded)

    def periodic(self) -> Periodic:
        """The thread that notices changes while a process runs."""
        return Periodic("certificates", LOOKED_AT_EVERY, self._follow, expected=(CertificateUnusable, OSError))

    def _follow(self) -> None:
        try:
            self.refresh()
        except (CertificateUnusable, OSError):
            if os.getpid() == self._arbiter:
                raise

    def _warn(self, message: str, loaded: Loaded) -> None:
        if os.getpid() == self._arbiter:
            log.warning(message, f"{loaded.ends:%Y-%m-%d}")

    def _renew(self) -> None:
        if self._own is not None:
            self.authority = self._own.renew(self._config.own_hosts)

    def _state(self) -> object:
        """A value that changes with the files."""
        return [_stat(path) for path in (self._chain, self._key)]


def open_certificates(config: Config) -> tuple[Config, Certificates | None]:
    """The certificates of a service that speaks HTTPS, and its settings with the hosts that these cover.

    Raise `ConfigError` if they cannot be used.
    """
    if config.tls is None:
        return config, None
    try:
        certificates = Certificates(config, config.tls)
        return certificates.certified(), certificates
    except CertificateUnusable as error:
        raise ConfigError(str(error)) from None


def _files_of(tls: Tls) -> tuple[Path, Path]:
    assert tls.chain is not None
    assert tls.key is not None
    return tls.chain, tls.key


def _stat(path: Path) -> object:
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_mtime_ns, stat.st_size, stat.st_ino
