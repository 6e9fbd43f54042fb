"""Gzip compression of JSON, NDJSON, CSV, SVG, HTML and other text."""

import zlib
from collections.abc import Iterable, Iterator
from typing import cast

from flask import Response, request

COMPRESSIBLE = frozenset(
    {
        "application/json",
        "application/problem+json",
        "application/x-ndjson",
        "application/yaml",
        "image/svg+xml",
        "text/css",
        "text/csv",
        "text/html",
        "text/javascript",
    }
)
MIN_BYTES = 1000
"""Smaller responses fit into one packet."""
LEVEL = 6
"""963 kB of states of a Paris match become 17.2 kB in 2.8 ms (level 1: 67.6 kB in 1.8 ms), a frame of 3.8 kB 1.1 kB in
30 µs. Zstandard would make 10.7 kB and the same 1.1 kB of them (level 6), Brotli 9.2 kB (level 5), and each would be a
dependency more until Python has the first of them itself (3.14)."""
GZIP = 16 + zlib.MAX_WBITS
"""zlib's parameter for the gzip format."""


def compress(response: Response) -> Response:
    """Compress a response if its client accepts that and it gets smaller; a hook for `after_request`.

    Its ETag stays as it is, since clients send it back in `If-Match` as the version of a match.
    """
    headers = response.headers
    if response.mimetype not in COMPRESSIBLE or "Content-Encoding" in headers:
        return response
    response.vary.add("Accept-Encoding")
    if not request.accept_encodings.quality("gzip") or request.method == "HEAD":
        return response
    if not response.is_sequence:
        response.response = Compressed(cast(Iterable[bytes], response.response))
    elif len(data := response.get_data()) >= MIN_BYTES:
        response.set_data(b"".join(compressed([data])))
    else:
        return response
    headers["Content-Encoding"] = "gzip"
    return response


class Compressed:
    """A body that is compressed while it is sent."""

    def __init__(self, body: Iterable[bytes]) -> None:
        self._body = body

    def __iter__(self) -> Iterator[bytes]:
        return compressed(self._body)

    def close(self) -> None:
        """Close the body, as WSGI requires."""
        if hasattr(self._body, "close"):
            self._body.close()


def compressed(parts: Iterable[bytes]) -> Iterator[bytes]:
    """The parts of a body in gzip format."""
    compressor = zlib.compressobj(LEVEL, zlib.DEFLATED, GZIP)
    for part in parts:
        if packed := compressor.compress(part):
            yield packed
    yield compressor.flush()
