"""What the environment may set, read once."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


class ConfigError(Exception):
    """A setting that cannot be used, in one sentence that names it."""


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of one installation."""

    database_url: str | None
    """The server to use; None starts the one that comes along."""
    data: Path
    host: str
    port: int
    timezone: ZoneInfo

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach the service."""
        return self.host in {"127.0.0.1", "::1", "localhost"}


def read_config(environ: Mapping[str, str]) -> Config:
    """Read the settings; raise `ConfigError`."""
    return Config(
        database_url=environ.get("DATABASE_URL") or None,
        data=Path(environ.get("CARNET_DATA") or "var").absolute(),
        host=environ.get("CARNET_HOST") or "127.0.0.1",
        port=_read_port(environ.get("CARNET_PORT") or "8000"),
        timezone=_read_timezone(environ.get("CARNET_TZ") or "UTC"),
    )


def _read_port(text: str) -> int:
    if text.isascii() and text.isdigit() and 0 < int(text) < 2**16:
        return int(text)
    raise ConfigError(f"CARNET_PORT must be a port number from 1 to 65535, not {text!r}.")


def _read_timezone(text: str) -> ZoneInfo:
    try:
        return ZoneInfo(text)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ConfigError(f"CARNET_TZ must be a time zone such as Europe/Warsaw, not {text!r}.") from None
