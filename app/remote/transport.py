"""Requests to a library and its issuer: without redirects, with limits on every size and time. Blocking."""

from __future__ import annotations

import secrets
import ssl
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

import httpx

from app import __version__, caps
from app.errors import LibraryAwayError
from app.library.exchange import CLIENT_HEADER, INSTANCE_HEADER
from app.serialise import read_json
from app.text.sentence import sentence

CONNECT_SECONDS: Final = 2.0
MAX_ANSWER_BYTES: Final = 8 * caps.MIB  # Largest answer except for a whole page.
GRACE_SECONDS: Final = 0.5  # Seconds after the timeout of a request until its connection is closed.
USER_AGENT: Final = f"WebRAG-Desktop/{__version__}"
_CLIENT: Final = f"webrag-desktop/{__version__}"  # The name of this program in the library's records.
_INSTANCE: Final = secrets.token_hex(16)
"""New at each start: it identifies this program to its libraries, but not the user."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The response."""

    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)  # Can contain tokens.

    @property
    def json(self) -> Any:
        """Return the JSON in the body, or None if it is not JSON."""
        try:
            return read_json(self.body) if self.body else None
        except (ValueError, RecursionError):
            return None


@dataclass(frozen=True, slots=True)
class Form:
    """Fields to send as a form."""

    fields: Mapping[str, str] = field(repr=False)


@cache
def _tls() -> ssl.SSLContext:
    """Return a context that trusts the bundled certificates and the system's, such as a company's own."""
    context = httpx.create_ssl_context(trust_env=False)
    context.load_default_certs()
    return context


class Transport:
    """Connections to one origin, used by threads."""

    def __init__(self, who: str) -> None:
        """`who` is the subject of error sentences; a Sentence, if the window should translate it."""
        self._who = who
        self._client: httpx.Client | None = None
        self._lock = threading.Lock()

    def send(
        self,
        method: str,
        url: str,
        *,
        seconds: float,
        content: bytes | Form | None = None,
        query: Mapping[str, str] | None = None,
        token: str = "",
        most: int = MAX_ANSWER_BYTES,
    ) -> Answer:
        """Send a request and return the answer, whatever its status. Raises LibraryAwayError if there is none in time."""
        # A small compressed body could expand to a huge one.
        own = {"Authorization": f"Bearer {token}", INSTANCE_HEADER: _INSTANCE, CLIENT_HEADER: _CLIENT} if token else {}
        headers = {"Accept-Encoding": "identity", **own}
        if isinstance(content, bytes):
            headers["Content-Type"] = "application/json"
        form = dict(content.fields) if isinstance(content, Form) else None
        sent = content if isinstance(content, bytes) else None
        timeout = httpx.Timeout(seconds, connect=min(CONNECT_SECONDS, seconds))
        deadline = time.monotonic() + seconds
        # httpx times out per chunk of data: this ends a response that arrives byte by byte.
        ending = threading.Timer(seconds + GRACE_SECONDS, self.close)
        ending.daemon = True
        ending.start()
        try:
            with self._opened().stream(
                method, url, params=query, content=sent, data=form, headers=headers, timeout=timeout
            ) as response:
                if response.headers.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
                    raise LibraryAwayError(sentence("{} returned a response in an unsupported encoding.", self._who))
                body = bytearray()
                for piece in response.iter_raw():
                    body += piece
                    if len(body) > most:
                        raise LibraryAwayError(sentence("{} returned a response that is too large.", self._who))
                    if time.monotonic() > deadline:
                        raise httpx.ReadTimeout("total time")
                return Answer(response.status_code, dict(response.headers), bytes(body))
        except httpx.TimeoutException as error:
            late = sentence("{} did not respond within {} s.", self._who, f"{seconds:g}")
            raise LibraryAwayError(late, hint=AWAY_HINT) from error
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, OSError, RuntimeError, ValueError) as error:
            raise LibraryAwayError(sentence("{} is not reachable.", self._who), hint=AWAY_HINT) from error
        finally:
            ending.cancel()

    def close(self) -> None:
        """Close the connections; a running request fails with LibraryAwayError."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _opened(self) -> httpx.Client:
        with self._lock:
            if self._client is None:
                self._client = httpx.Client(verify=_tls(), headers={"User-Agent": USER_AGENT}, trust_env=False)
            return self._client


AWAY_HINT: Final = "WebRAG tries again automatically. Until then, it uses your private library."
