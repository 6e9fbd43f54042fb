"""The real service over HTTPS with an authority of its own: who trusts it, who does not shake hands, plain HTTP."""

import plistlib
import re
import signal
import socket
import ssl
import struct
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from hashlib import sha256
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from pathlib import Path
from typing import Any

import orjson
import pytest

from tests.service.authorities import given
from tests.service.following import PATIENCE, running
from tests.service.harness import OPENING, SETUP, entry
from tests.service.test_slow_clients import ESTABLISHED, PLAYERS, SPECIFICATION, is_ended
from tests.service.workers import wait_until

SOON = 4.0
HASTY = (
    "from service.server import certificates, connections, run, worker",
    "certificates.LOOKED_AT_EVERY = 0.2",
    "connections.TAKEN_WITHIN = 5.0",
    "worker.FIRST_BYTE_WITHIN = 4.5",
    "run.WORKERS = 1",
    "run.main()",
)
PROGRAM = ("-c", "; ".join(HASTY))
HELLO = b"\x16\x03\x01\x02\x00"
"""The begin of a handshake that promises more."""


@dataclass(frozen=True)
class Served:
    """A service over HTTPS, and what a device needs that trusts it."""

    port: int
    folder: Path
    trust: ssl.SSLContext

    def secured(self, host: str = "127.0.0.1") -> ssl.SSLSocket:
        """A connection of such a device."""
        client = socket.create_connection(("127.0.0.1", self.port), PATIENCE)
        try:
            return self.trust.wrap_socket(client, server_hostname=host)
        except ssl.SSLError:
            client.close()
            raise

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[HTTPResponse, bytes]:
        """Send a request over HTTPS."""
        connection = HTTPSConnection("127.0.0.1", self.port, timeout=PATIENCE, context=self.trust)
        return answered(connection, method, path, body, headers)

    def send_plain(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[HTTPResponse, bytes]:
        """Send a request over plain HTTP."""
        return answered(HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE), method, path, body, headers)


def answered(
    connection: HTTPConnection, method: str, path: str, body: Any, headers: dict[str, str]
) -> tuple[HTTPResponse, bytes]:
    with closing(connection):
        content = None if body is None else orjson.dumps(body)
        connection.request(method, path, content, {"Content-Type": "application/json", **headers})
        response = connection.getresponse()
        return response, response.read()


@pytest.fixture(scope="module")
def served(module_dsn: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service that everybody at this machine may use."""
    folder = tmp_path_factory.mktemp("carnet")
    with running(module_dsn, program=PROGRAM, CARNET_TLS="self", CARNET_DATA=str(folder)) as [(port, _)]:
        yield Served(port, folder, ssl.create_default_context(cafile=folder / "tls" / "authority.crt"))


# Who trusts the authority


def test_a_device_that_trusts_the_authority_uses_everything(served: Served) -> None:
    response, body = served.send("GET", "/api/v1/games")
    assert (response.status, response.getheader("Strict-Transport-Security")) == (200, None)
    assert len(orjson.loads(body)) >= 2
    with served.secured("localhost") as client:
        assert client.version() == "TLSv1.3"
    with pytest.raises(ssl.SSLCertVerificationError), served.secured("carnet.example.org"):
        pass
    with pytest.raises(ssl.SSLCertVerificationError):
        answered(HTTPSConnection("127.0.0.1", served.port, timeout=PATIENCE), "GET", "/", None, {})


def test_what_is_sent_in_pieces_and_read_slowly_arrives_whole(served: Served) -> None:
    players = [{"seat": "orange", "name": "Ana"}, {"seat": "blue", "name": "Jan"}]
    made = served.send("POST", "/api/v1/matches", {"game": "cite-lumiere", "players": players, "setup": SETUP})
    match = made[0].getheader("Location")
    body = orjson.dumps(entry(OPENING[0]))
    head = f"POST {match}/moves HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    request = f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body + SPECIFICATION
    with served.secured() as client:
        for at in range(0, len(request), 40):
            client.sendall(request[at : at + 40])
        received = b""
        while received.count(b"HTTP/1.1 ") < 2:
            received += client.recv(2**10)
        first, second = received.split(b"HTTP/1.1 ")[1:]
        assert first.startswith(b"201 ")
        length = int(second.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        document = second.partition(b"\r\n\r\n")[2]
        while len(document) < length:
            document += client.recv(2**12)
    assert orjson.loads(document)["openapi"] == "3.1.1"


def test_a_response_of_unknown_length_ends_with_the_end_of_tls(served: Served) -> None:
    with served.secured() as client:
        client.sendall(PLAYERS.replace(b"HTTP/1.1", b"HTTP/1.0"))
        received = b""
        while part := client.recv(2**16):  # a connection that is only cut off raises an error
            received += part
    assert received.startswith(b"HTTP/1.0 200 ")


def test_a_stream_tells_changes_and_ends_soon_after_its_reader_has_left(served: Served) -> None:
    players = [{"seat": "orange", "name": "Ana"}, {"seat": "blue", "name": "Jan"}]
    made = served.send("POST", "/api/v1/matches", {"game": "cite-lumiere", "players": players, "setup": SETUP})
    match = str(made[0].getheader("Location"))
    with served.secured() as client:
        client.sendall(f"GET {match}/stream HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        heard = client.recv(2**16)
        assert heard.startswith(b"HTTP/1.1 200")
        assert served.send("POST", f"{match}/moves", entry(OPENING[0]))[0].status == 201

        def is_told() -> bool:
            nonlocal heard
            heard += client.recv(2**16)
            return b"event: changed" in heard

        wait_until(is_told)
        client.settimeout(0.1)
        with suppress(OSError):  # the reader says that it leaves, and nothing answers that
            client.unwrap()
        socket.socket.shutdown(client, socket.SHUT_WR)
        client.settimeout(5)  # while the service would look at the match only after 15
        while socket.socket.recv(client, 2**12):
            pass


# Who does not shake hands


def test_connections_that_never_shake_hands_hold_nothing_and_are_ended(served: Served) -> None:
    with ExitStack() as stack:
        clients = []
        for number in range(150):
            client = stack.enter_context(socket.create_connection(("127.0.0.1", served.port), PATIENCE))
            client.sendall((b"", HELLO, HELLO + b"\x01" * 200)[number % 3])
            clients.append(client)
        for _ in range(20):
            began = time.monotonic()
            assert served.send("GET", "/api/v1/games")[0].status == 200
            assert time.monotonic() - began < SOON
        wait_until(lambda: all(map(is_ended, clients)))


def test_a_handshake_a_byte_at_a_time_does_not_get_more_time(served: Served) -> None:
    with socket.create_connection(("127.0.0.1", served.port), PATIENCE) as client:
        began = time.monotonic()
        for byte in HELLO * 20:
            if is_ended(client):
                break
            with suppress(OSError):
                client.send(bytes([byte]))
            time.sleep(0.1)
        assert is_ended(client)
        assert time.monotonic() - began < 9


@pytest.mark.parametrize("sent", [b"\x16\x03\x01\x00\x05rubbi", b"\x16" + b"\xff" * 2000])
def test_what_is_no_handshake_is_ended_at_once(served: Served, sent: bytes) -> None:
    with socket.create_connection(("127.0.0.1", served.port), PATIENCE) as client:
        client.sendall(sent)
        began = time.monotonic()
        with suppress(ConnectionResetError):
            while client.recv(2**10):
                pass
        assert time.monotonic() - began < SOON


def test_clients_that_shake_hands_and_never_read_are_let_go(served: Served) -> None:
    with ExitStack() as stack:
        clients = []
        for _ in range(40):
            raw = stack.enter_context(socket.socket())
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
            raw.connect(("127.0.0.1", served.port))
            raw.settimeout(PATIENCE)
            client = stack.enter_context(served.trust.wrap_socket(raw, server_hostname="localhost"))
            client.sendall(SPECIFICATION)
            clients.append(client)
        began = time.monotonic()
        assert served.send("GET", "/api/v1/games")[0].status == 200
        assert time.monotonic() - began < SOON
        wait_until(lambda: all(map(is_ended, clients)))


def test_a_client_that_breaks_tls_in_the_middle_is_dropped_alone(served: Served) -> None:
    with served.secured() as client:
        client.sendall(b"GET /healthz HTTP/1.1\r\n")
        raw = socket.socket(fileno=client.detach())
        with raw:
            raw.sendall(struct.pack(">BHH", 0x17, 0x0303, 32) + b"\0" * 32)
            wait_until(lambda: raw.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] != ESTABLISHED)
    assert served.send("GET", "/healthz")[0].status == 200


# Plain HTTP


def test_plain_http_leads_to_https_and_serves_nothing_else(served: Served) -> None:
    address = f"https://127.0.0.1:{served.port}"
    for path in ("/", "/players?sort=name&x=%C3%A9", "/api/v1/games", "/healthz", "/static/x/css/base.css", "/no%20x"):
        response, body = served.send_plain("GET", path)
        assert (response.status, response.getheader("Location"), body) == (307, address + path, b""), path
        assert response.getheader("Strict-Transport-Security") is None
        assert response.getheader("Set-Cookie") is None
    written = (("POST", "/api/v1/matches"), ("POST", "/language"), ("DELETE", "/api/v1/me"), ("POST", "/trust"))
    for method, path in written:
        response, body = served.send_plain(method, path, {}, Authorization="Bearer carnet_secret")
        assert response.status in {400, 405}, path
        assert b"secret" not in body
    assert served.send_plain("HEAD", "/")[0].status == 307


def test_the_page_of_trust_has_what_a_device_needs(served: Served) -> None:
    languages = {"en": "Trust this Carnet", "pl": "Zaufaj", "cs": "Důvěřovat", "pt": "Confiar"}
    response, certificate = served.send_plain("GET", "/trust/carnet.crt")
    assert response.getheader("Content-Type") == "application/x-x509-ca-cert"
    assert ssl.DER_cert_to_PEM_cert(certificate) == (served.folder / "tls" / "authority.crt").read_text()
    fingerprint = ":<wbr>".join(f"{byte:02X}" for byte in sha256(certificate).digest())
    for language, title in languages.items():
        response, body = served.send_plain("GET", "/trust", **{"Accept-Language": language})
        page = body.decode()
        assert f"<h1>{title}" in page
        assert fingerprint in page
        assert f'href="https://127.0.0.1:{served.port}/"' in page
        assert set(re.findall('(?:src|href)="([^"?]+)', page)) == {
            *("/trust/style.css", "/trust/carnet.crt", "/trust/carnet.mobileconfig"),
            f"https://127.0.0.1:{served.port}/",
        }
        assert "PRIVATE" not in page
        response, body = served.send_plain("GET", f"/trust/carnet.mobileconfig?lang={language}")
        assert response.getheader("Content-Type") == "application/x-apple-aspen-config"
        profile = plistlib.loads(body)
        [payload] = profile["PayloadContent"]
        assert (payload["PayloadType"], payload["PayloadContent"]) == ("com.apple.security.root", certificate)
        assert "127.0.0.1" in profile["PayloadDescription"]
        assert profile["PayloadUUID"] != payload["PayloadUUID"]


# The whole service


def test_the_start_tells_addresses_and_fingerprint_and_cookies_are_secure(dsn: str, tmp_path: Path) -> None:
    network = {"CARNET_OPEN": "0", "CARNET_HOST": "0.0.0.0"}
    secure = {"CARNET_TLS": "self", "CARNET_DATA": str(tmp_path)}
    with running(dsn, 1, PROGRAM, **network, **secure) as [(port, process)]:
        served = Served(port, tmp_path, ssl.create_default_context(cafile=tmp_path / "tls" / "authority.crt"))
        _, certificate = served.send_plain("GET", "/trust/carnet.crt")
        link = (tmp_path / "owner-link").read_text().strip()
        assert link.startswith("https://")
        path = "/sign-in/" + link.rpartition("/")[2]
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        with closing(HTTPSConnection("127.0.0.1", port, timeout=PATIENCE, context=served.trust)) as connection:
            connection.request("POST", path, "name=Olga", form)
            cookie = str(connection.getresponse().getheader("Set-Cookie"))
        assert cookie.startswith("__Host-carnet_session=")
        assert "Secure" in cookie
        process.terminate()
        assert process.stdout is not None
        printed = process.stdout.read()
    assert f":{port}/trust" in printed
    assert ":".join(f"{byte:02X}" for byte in sha256(certificate).digest()) in printed


def children(pid: int) -> set[str]:
    """The processes that a process has started."""
    return set(Path(f"/proc/{pid}/task/{pid}/children").read_text().split())


def test_a_certificate_of_the_operator_is_followed_while_the_service_runs(
    dsn: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    chain, key = given(tmp_path, "localhost")

    def serial() -> str:
        """Which certificate the service shows."""
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as raw, context.wrap_socket(raw) as client:
            return sha256(client.getpeercert(binary_form=True) or b"").hexdigest()

    with running(dsn, program=PROGRAM, CARNET_TLS=f"{chain},{key}") as [(port, process)]:
        trust = ssl.create_default_context(cafile=chain)
        connection = HTTPSConnection("localhost", port, timeout=PATIENCE, context=trust)
        response, _ = answered(connection, "GET", "/healthz", None, {})
        assert str(response.getheader("Strict-Transport-Security")).startswith("max-age=")
        plain = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        assert answered(plain, "GET", "/trust", None, {})[0].status == 308
        first = serial()
        given(tmp_path, "localhost")
        wait_until(lambda: serial() != first)
        second = serial()
        wait_until(lambda: "was exchanged" in capfd.readouterr().err)  # by the process that starts workers, too
        chain.write_text("rubbish")
        workers = children(process.pid)
        process.send_signal(signal.SIGHUP)  # which replaces the worker
        wait_until(lambda: bool(children(process.pid)) and not children(process.pid) & workers)
        wait_until(lambda: serial() == second)
