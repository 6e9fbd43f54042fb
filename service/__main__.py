"""`make run`: a database if none is named, its migrations, and gunicorn in front of the application."""

import os
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from types import FrameType
from typing import Any, cast

from flask import Flask
from gunicorn import util
from gunicorn.app.base import BaseApplication
from gunicorn.http.errors import ParseException
from gunicorn.workers.gthread import ThreadWorker

from service.app import create_app
from service.carnet import Carnet
from service.config import Config, ConfigError, read_config
from service.embedded import Server, ServerUnavailable, find_binaries
from service.problems import Problem
from service.store.database import Database, ServerTooOld, migrate
from service.watch import Watch

WORKERS = 2
THREADS = 160
"""Enough for the streams, each of which holds one, and for short requests beside them."""
CONNECTIONS = 16
LONGEST_REQUEST_LINE = 8190
"""As long as gunicorn allows, for lists that are filtered by many things."""


class Worker(ThreadWorker):  # type: ignore[misc]
    """A worker that lets its readers go as soon as it is to end, and refuses in our words what it cannot read."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end: the arbiter asks for it."""
        super().handle_exit(sig, frame)
        self.method_queue.defer(self.app.end_streams)

    def handle_quit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end: Ctrl-C asks for it."""
        # Gunicorn would shut its threads down here, for ever if the signal comes while it hands them a request.
        self.handle_exit(sig, frame)

    def is_parent_alive(self) -> bool:
        """Whether there is still an arbiter; without one a worker ends too."""
        is_alive = bool(super().is_parent_alive())
        if not is_alive:
            self.app.end_streams()
        return is_alive

    def handle_error(self, req: object, client: socket.socket, addr: object, exc: Exception) -> None:
        """Answer what never reached the application with a problem, where gunicorn has a page."""
        if isinstance(exc, ParseException):
            self.log.warning("a request cannot be read: %s", exc)
            problem = Problem("bad-request", f"The request cannot be read: {exc}.")
        else:
            self.log.exception("a request failed outside of the application")
            problem = Problem("internal", "Something went wrong on our side.")
        with suppress(OSError):
            util.write_nonblock(client, written(problem))


def written(problem: Problem) -> bytes:
    """A problem as the whole answer of a connection that is closed behind it."""
    response = problem.response()
    response.headers["Connection"] = "close"
    status = f"{response.status_code} {HTTPStatus(response.status_code).phrase}"
    return f"HTTP/1.1 {status}\r\n{response.headers}".encode("latin-1") + bytes(response.data)


class Gunicorn(BaseApplication):  # type: ignore[misc]
    """Gunicorn with our settings; each worker opens its own pool after the fork."""

    def __init__(self, config: Config, dsn: str) -> None:
        self._config = config
        self._dsn = dsn
        self._database: Database | None = None
        self._carnet: Carnet | None = None
        super().__init__()

    def load_config(self) -> None:
        """What gunicorn is told."""
        host = f"[{self._config.host}]" if ":" in self._config.host else self._config.host
        settings: dict[str, Any] = {
            "bind": [f"{host}:{self._config.port}"],
            "workers": WORKERS,
            "threads": THREADS,
            "worker_class": Worker,
            "reuse_port": True,
            "keepalive": 75,
            "limit_request_line": LONGEST_REQUEST_LINE,
            "accesslog": None,
            "loglevel": "warning",
            "worker_exit": self._close,
            "post_worker_init": self._announce,
            "control_socket_disable": True,
        }
        for name, value in settings.items():
            if name in self.cfg.settings:
                self.cfg.set(name, value)

    def load(self) -> Callable[..., Any]:
        """The application of one worker."""
        self._database = Database(self._dsn, size=CONNECTIONS)
        self._database.open()
        app: Flask = create_app(self._config, self._database)
        self._carnet = cast(Carnet, app.extensions["carnet"])
        return app

    def end_streams(self) -> None:
        """Let the readers of one worker go."""
        if self._carnet is not None:
            self._carnet.streams.end()

    def _close(self, _arbiter: object, _worker: object) -> None:
        if self._carnet is not None:
            self._carnet.close()
        if self._database is not None:
            self._database.close()

    def _announce(self, worker: Worker) -> None:
        # With `reuse_port` it is the workers who listen; the arbiter is ready before anybody can connect.
        if worker.age > 1:
            return
        print(f"Carnet is at {address(self._config)}", flush=True)
        if self._config.is_local:
            print("To let a phone in your network in: CARNET_HOST=0.0.0.0 make run", flush=True)
        else:
            print("Warning: there is no sign-in yet, so everybody in this network can read and write.", flush=True)


def address(config: Config) -> str:
    """What to open in a browser."""
    host = "127.0.0.1" if config.is_local else socket.gethostname()
    return f"http://{host}:{config.port}"


def require_free_port(config: Config) -> None:
    """Refuse a port that another program has."""
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((config.host, config.port))
        except OSError as error:
            place = f"Port {config.port} at {config.host}"
            raise ConfigError(f"{place} cannot be used ({error.strerror}); choose another with CARNET_PORT.") from None


def main() -> int:
    """Run until told to stop; answer with an exit code."""
    try:
        config = read_config(os.environ)
        require_free_port(config)
        if config.database_url is not None:
            return serve(config, config.database_url)
        server = Server(config.data / "postgres", find_binaries(os.environ))
        with Watch(server):
            return serve(config, server.dsn())
    except (ConfigError, ServerUnavailable, ServerTooOld) as error:
        print(error, file=sys.stderr)
        return 1


def serve(config: Config, dsn: str) -> int:
    """Bring the database up to date and answer requests."""
    migrate(dsn)
    try:
        Gunicorn(config, dsn).run()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
