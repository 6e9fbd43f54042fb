"""An installation of revision 0011 with its data: a dump, and what the service answered about it then.

It was recorded with the code of commit d882ff2: matches of both games with corrections, rulings, annotations and
editions, accounts with credentials, merged and anonymous players, and a match that was in conflict with other rules.
"""

import json
import lzma
from pathlib import Path
from typing import Any

import psycopg

RECORDED = Path(__file__).parent / "recorded"


def restore(dsn: str) -> None:
    """Restore the dump into an empty database."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(lzma.decompress((RECORDED / "0011.sql.xz").read_bytes()))


def answers() -> Any:
    """The answers of the service before the dump: by match, and statistics by path."""
    return json.loads(lzma.decompress((RECORDED / "0011.json.xz").read_bytes()))
