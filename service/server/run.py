"""`carnet run`: the database if none is configured, its migrations, and gunicorn with the application."""

import gc
import logging
import os
import socket
import ssl
import sys
from collections.abc import Callable
from typing import Any, cast

from flask import Flask
from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter

from domain.catalogue import GAMES
from service.addresses import in_url
from service.app import create_app
from service.auth import accounts
from service.auth.welcome import announce, announce_authority, remove_link
from service.certificates import CertificateUnusable
from service.config import Config, ConfigError, Place, read_config
from service.context import Services
from service.db import matches
from service.db.checks import DatabaseUnusable, first_line
from service.db.leader import to_leader
from service.db.pool import Connection, Database, DatabaseAway
from service.db.roles import Logins, prepare
from service.permissions import Visibility
from service.server.background import Periodic
from service.server.certificates import Certificates, open_certificates
from service.server.logging import GunicornLogger, configure_logging
from service.server.maintenance import maintenance
from service.server.metrics import MetricsServer
from service.server.postgres import Server, ServerUnavailable, find_binaries
from service.server.postgres.watch import Watch
from service.server.rating import rating
from service.server.worker import Body, Worker

log = logging.getLogger(__name__)

WORKERS = 2
THREADS = 160
"""Enough for streams, which hold one each, for slow readers of generated responses, and for short requests."""
CONNECTIONS = 16
CLIENT_CONNECTIONS = 800
"""Of one worker; many systems let a process have no more than 1,024 files and sockets."""
GC_THRESHOLD = (700, 10, 1000)
"""The thresholds of the garbage collector. A full collection stops all threads for 60 ms to look at the matches in the
cache; by Python's own there was one for each 20,000 moves, and it found 24 objects. Now there is one for each
million."""
STOPS_WITHIN = 20
"""Seconds in which requests in progress must end at a shutdown."""
MAX_REQUEST_LINE = 8190
"""The maximum of gunicorn, for lists with many filters."""
MAX_HEADERS = 60


class Gunicorn(BaseApplication):  # type: ignore[misc]
    """Gunicorn with our settings; each worker opens its own connection pool after the fork."""

    def __init__(
        self, config: Config, dsn: str, owner_secret: str | None = None, certificates: Certificates | None = None
    ) -> None:
        self._config = config
        self._dsn = dsn
        self._owner_secret = owner_secret
        self._certificates = certificates
        self._database: Database | None = None
        self._services: Services | None = None
        self._background: list[Periodic] = []
        self._metrics_server: MetricsServer | None = None
        self._following: Periodic | None = None
        """Keeps the certificate of the arbiter up to date, from which later workers are forked."""
        super().__init__()

    def load_config(self) -> None:
        """Configure gunicorn."""
        ports = filter(None, [self._config.port, self._config.redirect_port])
        settings: dict[str, Any] = {
            "bind": [f"{in_url(self._config.host)}:{port}" for port in ports],
            "workers": WORKERS,
            "threads": THREADS,
            "worker_connections": CLIENT_CONNECTIONS,
            "worker_class": Worker,
            "reuse_port": True,
            "keepalive": 75,
            "graceful_timeout": STOPS_WITHIN + self._config.drain,
            "limit_request_line": MAX_REQUEST_LINE,
            "limit_request_fields": MAX_HEADERS,
            # The application knows the trusted proxies; gunicorn must not trust any headers.
            "forwarded_allow_ips": "",
            "accesslog": None,
            "logger_class": GunicornLogger,
            "on_starting": self._start_in_arbiter,
            "post_fork": self._leave_metrics_server,
            "child_exit": self._forget_metrics,
            "on_exit": self._end,
            "worker_exit": self._close,
            "post_worker_init": self._announce,
            "control_socket_disable": True,
        }
        for name, value in settings.items():
            self.cfg.set(name, value)

    def load(self) -> Callable[..., Any]:
        """Make the application of a worker."""
        self._database = Database(
            self._dsn,
            size=CONNECTIONS,
            read_dsn=self._config.database_read_url,
            failover_wait=self._config.failover_wait,
            is_plain=self._config.is_plain,
        )
        self._database.open()
        app: Flask = create_app(self._config, self._database)
        self._services = cast(Services, app.extensions["carnet"])
        if self._config.rate:
            self._services.spending.start()
        self._background = [maintenance(self._database), rating(self._database)]
        if self._certificates is not None:
            self._background.append(self._certificates.periodic())
        for periodic in self._background:
            periodic.start()
        gc.freeze()  # what is loaded by now stays, so the garbage collector need not check it again and again
        gc.set_threshold(*GC_THRESHOLD)

        def answer(environ: dict[str, Any], start_response: Any) -> Any:
            return app({**environ, "wsgi.input": Body(environ["wsgi.input"])}, start_response)

        return answer

    def reload(self) -> None:
        """Read the certificate again at SIGHUP, which also replaces the workers."""
        if self._certificates is not None:
            try:
                self._certificates.refresh()
            except CertificateUnusable as error:
                log.warning("the certificate for HTTPS stays as it was: %s", error)
        super().reload()

    @property
    def tls_context(self) -> ssl.SSLContext | None:
        """The TLS settings of a new connection; None for plain HTTP."""
        return None if self._certificates is None else self._certificates.context

    @property
    def limits_addresses(self) -> bool:
        """Whether an address identifies a client: not behind proxies, and not without a rate limit."""
        return self._config.rate > 0 and not self._config.proxies

    @property
    def drains_for(self) -> int:
        """Seconds between a request to stop and the end."""
        return self._config.drain

    def begin_to_drain(self) -> None:
        """Tell proxies to send requests to another process."""
        if self._services is not None:
            self._services.is_draining.set()

    def end_streams(self) -> None:
        """End the live streams of a worker."""
        if self._services is not None:
            self._services.streams.end()

    def _start_in_arbiter(self, arbiter: Arbiter) -> None:
        place = self._config.metrics
        if place is not None:
            self._metrics_server = MetricsServer(place.host, place.port, lambda: list(arbiter.WORKERS))
        if self._certificates is not None:
            self._following = self._certificates.periodic()
            self._following.start()

    def _leave_metrics_server(self, _arbiter: object, _worker: object) -> None:
        if self._metrics_server is not None:
            self._metrics_server.leave()

    def _forget_metrics(self, _arbiter: object, worker: Worker) -> None:
        if self._metrics_server is not None:
            self._metrics_server.forget(worker.pid)

    def _end(self, _arbiter: object) -> None:
        if self._owner_secret is not None:
            remove_link(self._config)
        if self._following is not None:
            self._following.stop()
        if self._metrics_server is not None:
            self._metrics_server.close()

    def _close(self, _arbiter: object, _worker: object) -> None:
        for periodic in self._background:
            periodic.stop()
        if self._services is not None:
            self._services.close()
        if self._database is not None:
            self._database.close()

    def _announce(self, worker: Worker) -> None:
        # With `reuse_port` the workers listen; the arbiter is ready before anybody can connect.
        if worker.age > 1:
            return
        print(f"Carnet is at {' and '.join(self._config.addresses)}", flush=True)
        if self._config.may_be_opened_to_network:
            print("To let phones in your network in, start it with CARNET_HOST=0.0.0.0 CARNET_TLS=self", flush=True)
        if self._certificates is not None and self._certificates.authority is not None:
            announce_authority(self._certificates.authority.fingerprint, self._config, sys.stdout)
        if self._config.is_open:
            print("Warning: CARNET_OPEN=1, so whoever uses this machine can read and change everything.")
        else:
            announce(self._owner_secret, self._config, sys.stdout)
        sys.stdout.flush()


def require_free(place: Place, setting: str) -> None:
    """Refuse a port that is in use."""
    family = socket.AF_INET6 if ":" in place.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((place.host, place.port))
        except OSError as error:
            where = f"Port {place.port} at {place.host}"
            raise ConfigError(f"{where} cannot be used ({error.strerror}); choose another with {setting}.") from None


def main() -> int:
    """Run until stopped; return an exit code."""
    try:
        config = read_config(os.environ)
        configure_logging(config.log)
        require_free(Place(config.host, config.port), "CARNET_PORT")
        if config.redirect_port is not None:
            require_free(Place(config.host, config.redirect_port), "CARNET_REDIRECT")
        if config.metrics is not None:
            require_free(config.metrics, "CARNET_METRICS")
        config, certificates = open_certificates(config)
        if config.database_url is not None:
            owner = None if config.database_owner_url is None else to_leader(config.database_owner_url)
            return serve(config, to_leader(config.database_url), owner, certificates)
        server = Server(config.data / "postgres", find_binaries(os.environ))
        with Watch(server):
            return serve(config, *server.logins(), certificates)
    except (ConfigError, ServerUnavailable, DatabaseUnusable) as error:
        print(error, file=sys.stderr)
        return 1
    except DatabaseAway as error:
        print(f"The database does not answer: {first_line(error)}.", file=sys.stderr)
        return 1


def serve(config: Config, dsn: str, owner_dsn: str | None = None, certificates: Certificates | None = None) -> int:
    """Migrate the database and serve; without a separate owner the service owns the tables."""
    prepare(Logins(dsn, owner_dsn or dsn))
    secret = look_before_serving(config, dsn)
    try:
        Gunicorn(config, dsn, secret, certificates).run()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0
    return 0


def look_before_serving(config: Config, dsn: str) -> str | None:
    """Warn of what waits for its operator, and return the secret of a link for the first owner while there is none.

    All of it takes one connection, which is closed before workers are forked.
    """
    database = Database(dsn, size=1, has_limits=False)
    database.open()
    try:
        with database.transaction() as connection:
            warn_of_old_rules(connection)
            if config.is_open:
                return None
            warn_of_public_matches(connection)
            return accounts.welcome(connection)
    finally:
        database.close()


def warn_of_public_matches(connection: Connection) -> None:
    """Warn of public matches that were recorded without sign-in when that was the default."""
    number = matches.count_unowned(connection, Visibility.PUBLIC)
    if number:
        log.warning(
            "%s matches that were recorded without sign-in are public: everybody who reaches Carnet can read them; "
            "docs/operating.md tells how to change that",
            number,
        )


def warn_of_old_rules(connection: Connection) -> None:
    """Warn of matches that wait to be judged by changed rules."""
    outdated = matches.count_outdated(connection, {game.id: game.rules_version for game in GAMES.values()})
    if outdated:
        log.warning(
            "%s matches were recorded by other rules than the present ones; run: carnet verify --rules", outdated
        )
