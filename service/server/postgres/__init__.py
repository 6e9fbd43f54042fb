"""The embedded PostgreSQL: its programs, its data and the server that runs on them."""

from service.server.postgres.binaries import Binaries, find_binaries
from service.server.postgres.cluster import DATABASE, OWNER, SERVICE, USER, has_cluster
from service.server.postgres.processes import FolderLocked, ServerUnavailable
from service.server.postgres.server import Server, reached

__all__ = [
    "DATABASE",
    "OWNER",
    "SERVICE",
    "USER",
    "Binaries",
    "FolderLocked",
    "Server",
    "ServerUnavailable",
    "find_binaries",
    "has_cluster",
    "reached",
]
