"""The HTTP connection: idempotency keys, preconditions and retries."""

import json
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from typing import Any
from uuid import uuid4

import requests
from requests.adapters import BaseAdapter

from .problems import PROBLEM, Lost, Unavailable, Unreachable, read_problem

EVENT_STREAM = "text/event-stream"
NDJSON = "application/x-ndjson"

FIRST_WAIT = 0.2
MAX_WAIT = 10.0
"""The maximum of seconds between two attempts, which double each time unless the service sends `Retry-After`."""

_REPEATED = frozenset({"GET", "POST"})
_LOST = (requests.ConnectionError, requests.Timeout, requests.exceptions.ChunkedEncodingError)


class Connection:
    """A session with one service, for one thread."""

    def __init__(
        self, base_url: str, token: str | None, timeout: float, attempts: int, adapter: BaseAdapter | None = None
    ) -> None:
        self.base_url = base_url.rstrip("/")
        self.session = requests.Session()
        self.session.auth = self._sign  # also prevents requests from sending credentials of a netrc file instead
        if adapter is not None:
            self.session.mount(self.base_url, adapter)
        self._token = token
        self._timeout = timeout
        self._attempts = attempts

    def close(self) -> None:
        """Close the session."""
        self.session.close()

    def is_ready(self) -> bool:
        """Whether the service and its database are ready; raise `Unreachable` if the service is not reachable."""
        address = f"{self.base_url}/readyz"
        try:
            _json(self._answer(lambda: self.session.get(address, timeout=self._timeout, allow_redirects=False)))
        except Unavailable:
            return False
        return True

    def get(self, path: str, query: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Get a JSON document."""
        return _json(self._send("GET", path, query=query))

    def get_text(self, path: str, media_type: str, query: Mapping[str, Any] | None = None) -> str:
        """Get a response that is not JSON."""
        return self._send("GET", path, query=query, accept=media_type).content.decode()

    def pages(self, path: str, query: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """The items of all pages of a list."""
        cursor: str | None = None
        while True:
            page = self.get(path, {**query, "cursor": cursor})
            yield from page["items"]
            cursor = page["next"]
            if cursor is None:
                return

    def lines(self, path: str, query: Mapping[str, Any] | None = None) -> Iterator[dict[str, Any]]:
        """The objects of an NDJSON stream, as they arrive."""
        with self._send("GET", path, query=query, accept=NDJSON, stream=True) as response:
            try:
                for line in response.iter_lines(2**16):
                    yield json.loads(line)
            except (requests.RequestException, ValueError) as error:
                raise Unreachable(f"The answer of {self.base_url} broke off: {error}") from error

    def follow(self, path: str, since: int | None) -> Generator[dict[str, Any], None, None]:
        """Server-sent events with their data, reconnecting as needed; `gone` is the last one."""
        is_again = False
        while True:
            known = {} if since is None else {"Last-Event-ID": str(since)}
            with self._send("GET", path, headers=known, accept=EVENT_STREAM, stream=True) as response:
                if is_again:
                    yield {"event": "details", "data": {}}
                    yield {"event": "annotations", "data": {}}
                for name, event_id, data in _server_sent(response):
                    since = int(event_id) if event_id else since
                    if name:
                        yield {"event": name, "data": json.loads(data or "{}")}
                    if name == "gone":
                        return
            is_again = True
            time.sleep(FIRST_WAIT)

    def post(
        self,
        path: str,
        body: Mapping[str, Any] | None,
        if_match: int | str | None = None,
        query: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """POST with an idempotency key, so that it can be sent repeatedly."""
        headers = {"Idempotency-Key": str(uuid4()), **_precondition(if_match)}
        return _json(self._send("POST", path, query=query, body=body, headers=headers))

    def upload(self, path: str, file: bytes, query: Mapping[str, Any]) -> dict[str, Any]:
        """POST a file with an idempotency key, so that it can be sent repeatedly."""
        headers = {"Idempotency-Key": str(uuid4()), "Content-Type": "application/octet-stream"}
        return _json(self._send("POST", path, query=query, file=file, headers=headers))

    def blocks(self, path: str, query: Mapping[str, Any]) -> tuple[Mapping[str, str], Iterator[bytes]]:
        """The headers and the parts of a file, as they arrive."""
        response = self._send("GET", path, query=query, accept="*/*", stream=True)

        def parts() -> Iterator[bytes]:
            with response:
                try:
                    yield from response.iter_content(2**16)
                except requests.RequestException as error:
                    raise Unreachable(f"The answer of {self.base_url} broke off: {error}") from error

        return response.headers, parts()

    def change(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None,
        if_match: int | str | None = None,
        query: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """PATCH, PUT or DELETE, which is sent once."""
        return _json(self._send(method, path, query=query, body=body, headers=_precondition(if_match)))

    def replace(self, path: str, body: Mapping[str, Any]) -> None:
        """PUT something that is not answered."""
        self._send("PUT", path, body=body)

    def delete(self, path: str) -> None:
        """DELETE a resource."""
        self._send("DELETE", path)

    def _send(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        file: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        accept: str = "application/json",
        stream: bool = False,
    ) -> requests.Response:
        """Send a request and return the response; raise `ClientError`."""

        def once() -> requests.Response:
            return self.session.request(
                method,
                f"{self.base_url}/api/v1{path}",
                params=query,
                json=body,
                data=file,
                headers={"Accept": f"{accept}, {PROBLEM}", **(headers or {})},
                timeout=self._timeout,
                stream=stream,
                allow_redirects=False,
            )

        return self._repeat(once, self._attempts if method in _REPEATED else 1)

    def _repeat(self, once: Callable[[], requests.Response], attempts: int) -> requests.Response:
        """Send a request, again if no response came or the service asks to wait."""
        for attempt in range(1, attempts):
            wait = FIRST_WAIT * 2 ** (attempt - 1)
            try:
                return self._answer(once)
            except Lost:
                pass
            except Unavailable as problem:
                if problem.retry_after is None or problem.retry_after > MAX_WAIT:
                    raise
                wait = max(wait, problem.retry_after)
            time.sleep(min(wait, MAX_WAIT))
        return self._answer(once)

    def _answer(self, once: Callable[[], requests.Response]) -> requests.Response:
        try:
            response = once()
        except _LOST as error:
            raise Lost(f"{self.base_url} does not answer: {error}") from error
        except requests.RequestException as error:
            raise Unreachable(f"{self.base_url} cannot be asked: {error}") from error
        if 200 <= response.status_code < 300:
            return response
        with response:
            raise read_problem(response)

    def _sign(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        if self._token is not None:
            request.headers["Authorization"] = f"Bearer {self._token}"
        return request


def _precondition(tag: int | str | None) -> dict[str, str]:
    """The `If-Match` header for a version, or for a version and revision such as `12.3`."""
    return {} if tag is None else {"If-Match": f'"{tag}"'}


def _json(response: requests.Response) -> dict[str, Any]:
    try:
        answer = response.json()
    except requests.JSONDecodeError:
        answer = None
    if not isinstance(answer, dict):
        raise Unreachable(f"What answers at {response.url} is not Carnet.")
    return answer


def _server_sent(response: requests.Response) -> Iterator[tuple[str, str, str]]:
    """Parse name, id and data of events until the connection ends in any way."""
    fields: dict[str, str] = {}
    try:
        for line in response.iter_lines(chunk_size=1):
            if not line:
                yield fields.get("event", ""), fields.get("id", ""), fields.get("data", "")
                fields = {}
                continue
            name, _, value = line.decode().partition(":")
            fields[name] = value.removeprefix(" ")
    except requests.RequestException:
        return
