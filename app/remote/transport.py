"""One request to a library or to where it lets people sign in: no redirects, every size and time bounded. Blocking."""

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
MAX_ANSWER_BYTES: Final = 8 * caps.MIB
"""Of everything but a whole page."""
GRACE_SECONDS: Final = 0.5
"""Behind the time of a request, when its connection is closed if it still runs."""
USER_AGENT: Final = f"WebRAG-Desktop/{__version__}"
_CLIENT: Final = f"webrag-desktop/{__version__}"
"""What a library notes this program by."""
_INSTANCE: Final = secrets.token_hex(16)
"""Made anew at each start: it names this program to the libraries it joined, and nobody."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)
    """May hold tokens."""

    @property
    def json(self) -> Any:
        """The JSON in it, None where there is none."""
        try:
            return read_json(self.body) if self.body else None
        except (ValueError, RecursionError):
            return None


@dataclass(frozen=True, slots=True)
class Form:
    """Fields sent as a form."""

    fields: Mapping[str, str] = field(repr=False)


@cache
def _tls() -> ssl.SSLContext:
    """Trusts the bundled list and what the system adds (a company's own authority)."""
    context = httpx.create_ssl_context(trust_env=False)
    context.load_default_certs()
    return context


class Transport:
    """Connections to one origin, used by threads."""

    def __init__(self, who: str) -> None:
        """`who` is the beginning of sentences about it, a sentence itself where the window says it otherwise."""
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
        """The answer to a request, whatever its status. Raises LibraryAwayError when there is none in time."""
        # A small body in a coding can become a large one at once.
        own = {"Authorization": f"Bearer {token}", INSTANCE_HEADER: _INSTANCE, CLIENT_HEADER: _CLIENT} if token else {}
        headers = {"Accept-Encoding": "identity", **own}
        if isinstance(content, bytes):
            headers["Content-Type"] = "application/json"
        form = dict(content.fields) if isinstance(content, Form) else None
        sent = content if isinstance(content, bytes) else None
        timeout = httpx.Timeout(seconds, connect=min(CONNECT_SECONDS, seconds))
        deadline = time.monotonic() + seconds
        # The timeouts are of each piece: who sends one byte at a time is cut off here.
        ending = threading.Timer(seconds + GRACE_SECONDS, self.close)
        ending.daemon = True
        ending.start()
        try:
            with self._opened().stream(
                method, url, params=query, content=sent, data=form, headers=headers, timeout=timeout
            ) as response:
                if response.headers.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
                    raise LibraryAwayError(sentence("{} gave an answer in a coding that was not asked for.", self._who))
                body = bytearray()
                for piece in response.iter_raw():
                    body += piece
                    if len(body) > most:
                        raise LibraryAwayError(sentence("{} gave far too long an answer.", self._who))
                    if time.monotonic() > deadline:
                        raise httpx.ReadTimeout("total time")
                return Answer(response.status_code, dict(response.headers), bytes(body))
        except httpx.TimeoutException as error:
            late = sentence("{} did not answer within {} s.", self._who, f"{seconds:g}")
            raise LibraryAwayError(late, hint=AWAY_HINT) from error
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, OSError, RuntimeError, ValueError) as error:
            raise LibraryAwayError(sentence("{} cannot be reached.", self._who), hint=AWAY_HINT) from error
        finally:
            ending.cancel()

    def close(self) -> None:
        """Let go of the connections; a request under way ends as away."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _opened(self) -> httpx.Client:
        with self._lock:
            if self._client is None:
                self._client = httpx.Client(verify=_tls(), headers={"User-Agent": USER_AGENT}, trust_env=False)
            return self._client


AWAY_HINT: Final = "It is asked again by itself; the private library answers meanwhile."
