"""TLS of one connection over bytes in memory, so that the event loop and its threads handle sockets as without it.

Nothing here waits for a client: what has arrived goes in, and what is to be sent comes out.
"""

import ssl
from contextlib import suppress

FIRST_BYTE = 0x16
"""The first byte of a handshake record (RFC 8446, section 5.1), with which no request of HTTP begins."""
READ_AT_ONCE = 2**16


class TlsLayer:
    """The state of TLS on the side of the server."""

    __slots__ = ("_incoming", "_is_ready", "_outgoing", "_tls")

    def __init__(self, context: ssl.SSLContext) -> None:
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_side=True)
        self._is_ready = False

    def decrypt(self, received: bytes) -> bytes | None:
        """Decrypt what was received; None if no record is whole yet, empty at the end. Raise `ssl.SSLError`."""
        self._incoming.write(received)
        parts: list[bytes] = []
        try:
            if not self._is_ready:
                self._tls.do_handshake()
                self._is_ready = True
            while part := self._tls.read(READ_AT_ONCE):
                parts.append(part)
        except ssl.SSLWantReadError:
            return b"".join(parts) or None
        except ssl.SSLZeroReturnError:
            pass
        return b"".join(parts)

    def encrypt(self, data: bytes) -> bytes:
        """Encrypt a part of a response, behind what TLS itself has to send; raise `ssl.SSLError`."""
        left = memoryview(data)
        while left:  # a record at a time
            left = left[self._tls.write(left) :]
        return self.outgoing()

    def end(self) -> bytes:
        """The alert `close_notify`, so that the client knows that nothing was cut off."""
        with suppress(ssl.SSLError):
            self._tls.unwrap()
        return self.outgoing()

    def outgoing(self) -> bytes:
        """Bytes that TLS itself has to send: its part of the handshake, tickets, alerts."""
        return self._outgoing.read()
