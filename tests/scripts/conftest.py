"""The service that tools talk to is that of its own tests."""

from tests.service.conftest import app, database, databases, dsn, run_sql, server, template

__all__ = ["app", "database", "databases", "dsn", "run_sql", "server", "template"]
