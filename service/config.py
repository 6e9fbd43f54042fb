"""Settings from environment variables."""

import re
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from service.addresses import ANY, in_url, interface_addresses, machine_names
from service.certificates import Coverage

SETTINGS = frozenset(
    "CARNET_ANCHOR_KEY CARNET_CONTACT CARNET_CORS CARNET_DATA CARNET_DRAIN CARNET_FAILOVER_WAIT CARNET_HOST CARNET_LOG "
    "CARNET_METRICS CARNET_OPEN CARNET_PLAIN CARNET_PORT CARNET_PROXIES CARNET_RATE CARNET_REDIRECT CARNET_TLS "
    "CARNET_TZ CARNET_URL".split()
)
FOR_CLIENTS = frozenset({"CARNET_LINK", "CARNET_SERVICE", "CARNET_TOKEN"})
"""Variables of commands and of the README's examples, which the service does not read."""
USUAL_RATE = 6000
"""Requests per minute: a club evening behind one address stays far below, runaway clients do not."""
MAX_PROXIES = 9
MAX_FAILOVER_WAIT = 30
"""Seconds; clients and proxies rarely wait longer for an answer."""
MAX_DRAIN = 300
HTTP, HTTPS = 80, 443
"""The ports that URLs leave out."""
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


class ConfigError(Exception):
    """An invalid setting; the message is a sentence that names it."""


@dataclass(frozen=True, slots=True)
class Place:
    """An address to listen on."""

    host: str
    port: int


@dataclass(frozen=True, slots=True)
class Tls:
    """Settings of HTTPS: the files of the operator, or none with an authority of the service's own."""

    chain: Path | None = None
    """The certificate of the service and those above it."""
    key: Path | None = None

    @property
    def has_own_authority(self) -> bool:
        """Whether phones have to be told to trust the authority."""
        return self.chain is None


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of one installation."""

    database_url: str | None
    """The server to use; None starts the embedded one."""
    data: Path
    host: str
    port: int
    timezone: ZoneInfo
    is_open: bool = False
    """Whether everybody who can connect may do everything."""
    url: str | None = None
    """The public address of the service, if it differs from that on which it listens."""
    proxies: int = 0
    """The number of trusted proxies in front of the service."""
    rate: int = 0
    """The requests per minute of one client; 0 is no limit."""
    contact: str | None = None
    """The contact for security reports."""
    log: str | None = None
    """The format of the logs; None chooses by the output."""

    metrics: Place | None = None
    """Where to serve metrics, if anywhere."""
    database_owner_url: str | None = None
    """The connection of the owner of the tables to the server of `database_url`, if that is another role."""
    anchor_key: Path | None = None
    """The file of the key that signs anchors, if it is not in the data folder."""
    database_read_url: str | None = None
    """Servers that answer what only reads: replicas of that of `database_url`."""
    failover_wait: int | None = None
    """Seconds for which writes wait for a new leader; None is the usual number if there are several servers."""
    drain: int = 0
    """Seconds between a request to stop and the end, in which proxies find another process."""
    cors: tuple[str, ...] = ()
    """The sites whose scripts may read what everybody may read; `*` is every site."""
    tls: Tls | None = None
    """Settings of HTTPS; None serves plain HTTP."""
    redirect_port: int | None = None
    """A further port, on which plain HTTP leads to HTTPS."""
    certified: Coverage | None = None
    """The hosts for which the certificate stands, once the service has read it."""
    is_plain: bool = False
    """Whether the overrides of frameworks for speed (`service/http/fast.py`) are left out."""

    @property
    def address(self) -> str:
        """The address to open in a browser."""
        return self.addresses[0]

    @property
    def addresses(self) -> tuple[str, ...]:
        """All addresses of the service, the best one first."""
        if self.url is not None:
            return (self.url,)
        hosts = self._hosts
        if self.certified is not None:
            hosts = [host for host in hosts if self.certified.covers(host)] or self.certified.hosts or hosts
        return tuple(f"{self._scheme}://{in_url(host)}{self._port_in_url}" for host in hosts)

    @property
    def _hosts(self) -> Sequence[str]:
        if self.is_local:
            return ("127.0.0.1",)
        if self.host not in ANY:
            return (self.host,)
        name = socket.gethostname()
        return (*interface_addresses(), name) if self.tls is None else (*interface_addresses(), name, f"{name}.local")

    @property
    def _scheme(self) -> str:
        return "http" if self.tls is None else "https"

    @property
    def _port_in_url(self) -> str:
        return "" if self.port == (HTTP if self.tls is None else HTTPS) else f":{self.port}"

    @property
    def own_hosts(self) -> tuple[str, ...]:
        """The hosts for which an authority of the service's own signs its certificate, as far as it may."""
        named = () if self.url is None else (hostname(urlsplit(self.url).netloc) or "",)
        here = () if self.is_local else machine_names()
        return tuple(dict.fromkeys([*named, *self._hosts, *sorted(here), *sorted(LOOPBACK)]))

    @property
    def has_own_authority(self) -> bool:
        """Whether HTTPS is served with an authority of the service's own, which phones have to be told to trust."""
        return self.tls is not None and self.tls.has_own_authority

    @property
    def own_folder(self) -> Path:
        """Where the authority of the service's own is kept."""
        return self.data / "tls"

    @property
    def trust_address(self) -> str:
        """The page, over plain HTTP, that shows phones how to trust the authority of the service's own."""
        secure = urlsplit(self.address)
        port = self.redirect_port or secure.port or HTTPS
        return f"http://{in_url(secure.hostname or '')}{'' if port == HTTP else f':{port}'}/trust"

    @property
    def is_pinned_to_tls(self) -> bool:
        """Whether browsers that used HTTPS are told to use nothing else.

        Not with an authority of our own: without it the service could not be reached any more.
        """
        return not self.has_own_authority

    def address_for(self, scheme: str, host: str) -> str:
        """The base of links for a client that used a host: that host if it is this machine's, since it works.

        Any other name may be invented by the client and is not used in links.
        """
        name = hostname(host)
        return f"{scheme}://{host}" if self._is_ours(name) and (self.is_local or name not in LOOPBACK) else self.address

    def secure_address_for(self, host: str, port: str) -> str:
        """The address with HTTPS for a client that used a host, perhaps with plain HTTP, on one of our ports."""
        name = hostname(host)
        if name is None or not self._is_ours(name):
            return self.address
        # What leads to us from another port, as in containers, does so for HTTPS too.
        named = _port_of(host) if port == str(self.port) else self.port
        return f"https://{in_url(name)}{'' if named in {None, HTTPS} else f':{named}'}"

    def _is_ours(self, name: str | None) -> bool:
        """Whether links may lead to a name that a client used."""
        if self.url is not None or name is None:
            return False
        if self.certified is not None:
            return self.certified.covers(name) and (not self.has_own_authority or name in self.own_hosts)
        return self.host in ANY and name in machine_names()

    def is_called(self, host: str) -> bool:
        """Whether the service answers to a host name.

        If it listens only on this machine, it answers only to names of this machine and its own. Otherwise a page from
        elsewhere could reach it by a name of that page's owner that resolves to this machine.
        """
        if not self.is_local:
            return True
        name = hostname(host)
        return name in LOOPBACK or name == urlsplit(self.address).hostname

    @property
    def is_local(self) -> bool:
        """Whether only this machine can connect to the service."""
        return self.host in LOOPBACK

    @property
    def may_be_opened_to_network(self) -> bool:
        """Whether phones in the network need only that the service listens on all addresses.

        Not behind a proxy, whose headers would then be believed of everybody, and not without sign-in.
        """
        return self.is_local and self.url is None and not self.proxies and not self.is_open


def hostname(host: str) -> str | None:
    """The name in a `Host` header, without a port."""
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None


def _port_of(host: str) -> int | None:
    """The port in a `Host` header, if it names one."""
    try:
        return urlsplit(f"//{host}").port
    except ValueError:
        return None


def read_config(environ: Mapping[str, str]) -> Config:
    """Read the settings; raise `ConfigError`."""
    _require_known(environ)
    config = Config(
        database_url=environ.get("DATABASE_URL") or None,
        data=Path(environ.get("CARNET_DATA") or "var").absolute(),
        host=environ.get("CARNET_HOST") or "127.0.0.1",
        port=_read_port(environ.get("CARNET_PORT") or "8000"),
        timezone=_read_timezone(environ.get("CARNET_TZ") or "UTC"),
        url=_read_url(environ.get("CARNET_URL") or None),
        proxies=_read_number("CARNET_PROXIES", environ.get("CARNET_PROXIES") or "0", MAX_PROXIES),
        log=_read_log(environ.get("CARNET_LOG") or None),
        metrics=_read_metrics(environ.get("CARNET_METRICS") or None),
        contact=_read_contact(environ.get("CARNET_CONTACT") or None),
        is_open=_read_switch("CARNET_OPEN", environ.get("CARNET_OPEN") or "0"),
        database_owner_url=environ.get("DATABASE_OWNER_URL") or None,
        database_read_url=environ.get("DATABASE_READ_URL") or None,
        failover_wait=_read_optional_number(
            "CARNET_FAILOVER_WAIT", environ.get("CARNET_FAILOVER_WAIT"), MAX_FAILOVER_WAIT
        ),
        drain=_read_number("CARNET_DRAIN", environ.get("CARNET_DRAIN") or "0", MAX_DRAIN),
        anchor_key=_read_path(environ.get("CARNET_ANCHOR_KEY") or None),
        cors=_read_origins(environ.get("CARNET_CORS") or ""),
        tls=_read_tls(environ.get("CARNET_TLS") or None),
        redirect_port=_read_redirect(environ.get("CARNET_REDIRECT") or None),
        is_plain=_read_switch("CARNET_PLAIN", environ.get("CARNET_PLAIN") or "0"),
    )
    if config.database_owner_url is not None and config.database_url is None:
        raise ConfigError("DATABASE_OWNER_URL needs DATABASE_URL, by which the service connects to the same database.")
    if config.database_read_url is not None and config.database_url is None:
        raise ConfigError("DATABASE_READ_URL needs DATABASE_URL, whose replicas it names.")
    if config.tls is not None and config.url is not None and not config.url.startswith("https:"):
        raise ConfigError("With CARNET_TLS the service speaks HTTPS, so CARNET_URL must begin with https.")
    if config.redirect_port is not None and config.tls is None:
        raise ConfigError("CARNET_REDIRECT leads from plain HTTP to HTTPS, so it needs CARNET_TLS.")
    if config.redirect_port == config.port:
        raise ConfigError("CARNET_REDIRECT must be another port; that of CARNET_PORT leads to HTTPS itself.")
    if config.is_open and not config.is_local:
        raise ConfigError("CARNET_OPEN=1 switches sign-in off, so CARNET_HOST must be 127.0.0.1, ::1 or localhost.")
    if config.is_open and config.cors:
        raise ConfigError(
            "With CARNET_OPEN=1 everybody may read everything, so CARNET_CORS must not let other sites in."
        )
    # Without a proxy, all clients of a local service are on this machine.
    usual = 0 if config.is_local and not config.proxies else USUAL_RATE
    return replace(config, rate=_read_number("CARNET_RATE", environ.get("CARNET_RATE") or str(usual), 10**6))


def _require_known(environ: Mapping[str, str]) -> None:
    """Refuse a setting that nothing reads, most likely a typing error."""
    unknown = sorted(name for name in environ if name.startswith("CARNET_") and name not in SETTINGS | FOR_CLIENTS)
    if unknown:
        similar = get_close_matches(unknown[0], SETTINGS, n=1)
        hint = f"; do you mean {similar[0]}?" if similar else "."
        raise ConfigError(f"There is no setting {unknown[0]}{hint}")


def _read_path(text: str | None) -> Path | None:
    return None if text is None else Path(text).absolute()


def _read_switch(name: str, text: str) -> bool:
    if text not in {"0", "1"}:
        raise ConfigError(f"{name} must be 0 or 1, not {text!r}.")
    return text == "1"


def _read_number(name: str, text: str, most: int) -> int:
    if text.isascii() and text.isdigit() and len(text) < 10 and int(text) <= most:
        return int(text)
    raise ConfigError(f"{name} must be a number from 0 to {most}, not {text!r}.")


def _read_optional_number(name: str, text: str | None, most: int) -> int | None:
    return None if not text else _read_number(name, text, most)


def _read_url(text: str | None) -> str | None:
    if text is None or re.fullmatch(r"https?://[A-Za-z0-9.-]+(:\d{1,5})?|https?://\[[0-9A-Fa-f:]+\](:\d{1,5})?", text):
        return text
    raise ConfigError(f"CARNET_URL must be an address without a path such as https://carnet.example.org, not {text!r}.")


def _read_origins(text: str) -> tuple[str, ...]:
    origins = tuple(dict.fromkeys(text.replace(",", " ").split()))
    if origins == ("*",) or all(re.fullmatch(r"https?://[a-z0-9.-]+(:\d{1,5})?", origin) for origin in origins):
        return origins
    raise ConfigError(
        f"CARNET_CORS must be * or the origins of sites such as https://club.example.org, with commas, not {text!r}."
    )


def _read_log(text: str | None) -> str | None:
    if text in {None, "json", "plain"}:
        return text
    raise ConfigError(f"CARNET_LOG must be json or plain, not {text!r}.")


def _read_contact(text: str | None) -> str | None:
    if text is None or re.fullmatch(r"(mailto:|https://|tel:)[!-~]+", text):
        return text
    raise ConfigError(f"CARNET_CONTACT must be an address such as mailto:admin@example.org, not {text!r}.")


def _read_port(text: str, name: str = "CARNET_PORT") -> int:
    if text.isascii() and text.isdigit() and len(text) < 6 and 0 < int(text) < 2**16:
        return int(text)
    raise ConfigError(f"{name} must be a port number from 1 to 65535, not {text!r}.")


def _read_redirect(text: str | None) -> int | None:
    return None if text is None else _read_port(text, "CARNET_REDIRECT")


def _read_tls(text: str | None) -> Tls | None:
    if text is None:
        return None
    if text == "self":
        return Tls()
    chain, _, key = (part.strip() for part in text.partition(","))
    if "/" not in chain and "." not in chain:
        raise ConfigError(f"CARNET_TLS must be self, or the files of a certificate and its key, not {text!r}.")
    return Tls(*(Path(name).expanduser().absolute() for name in (chain, key or chain)))


def _read_metrics(text: str | None) -> Place | None:
    if text is None:
        return None
    host, _, port = text.rpartition(":")
    return Place(host.strip("[]") or "127.0.0.1", _read_port(port, "CARNET_METRICS"))


def _read_timezone(text: str) -> ZoneInfo:
    try:
        return ZoneInfo(text)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ConfigError(f"CARNET_TZ must be a time zone such as Europe/Warsaw, not {text!r}.") from None
