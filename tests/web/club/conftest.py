"""Pages of a service with sign-in."""

from tests.service.auth.conftest import app, olga

__all__ = ["app", "olga"]
