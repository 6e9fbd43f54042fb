"""The service that tools talk to is that of its own tests."""

from tests.service.conftest import app, database, dsn, run_sql, server, template

__all__ = ["app", "database", "dsn", "run_sql", "server", "template"]
