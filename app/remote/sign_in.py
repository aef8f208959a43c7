"""Signing in to a library in the browser: authorization code with PKCE on a loopback redirect. Blocking.

Where to sign in is what the library names (RFC 9728) and its issuer says of itself (RFC 8414); the answer comes back to a port of this
computer that listens for this one answer alone.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final
from urllib.parse import parse_qs, urlencode, urlsplit

from app.errors import LibraryAwayError, LibrarySignInError
from app.remote.joined import SignIn, may_be_asked
from app.remote.transport import Answer, Form, Transport

BROWSER_SECONDS: Final = 300.0
"""How long a person may take in the browser."""
REQUEST_SECONDS: Final = 10.0
"""For each request of the sign-in: no question waits for it."""
CLIENT_ID: Final = "webrag-desktop"
"""What the issuer knows this program by, unless the library names another id."""
SCOPES: Final = ("library:read", "library:write", "offline_access")
EARLY_SECONDS: Final = 30.0
"""A token is renewed so long before it ends."""
USUAL_SECONDS: Final = 300.0
MAX_SECONDS: Final = 86_400
"""A token is renewed after a day at the latest."""
MAX_TOKEN_CHARS: Final = 16_384
MAX_REQUEST_LINE: Final = 16_384
_CALLBACK: Final = "/callback"

_PAGE: Final = """<!doctype html><meta charset="utf-8"><title>WebRAG</title>
<body style="font:16px system-ui;margin:3em;text-align:center;color-scheme:light dark"><p>{}</p>"""


@dataclass(frozen=True, slots=True)
class Tokens:
    """What the issuer gave. `refresh` is empty where it renews nothing, `ends_at` is by time.monotonic."""

    access: str
    refresh: str
    ends_at: float

    def __repr__(self) -> str:
        return "Tokens(…)"


def where_to_sign_in(library: str, refused: Answer, transport: Transport) -> SignIn:
    """What the answer of a library to somebody unknown leads to; without an issuer where one token opens it.

    Raises LibrarySignInError for what cannot be trusted or used, LibraryAwayError.
    """
    named = _parameter(_header(refused.headers, "www-authenticate"), "resource_metadata")
    if not named:
        return SignIn()
    if not _is_same_origin(named, library):
        raise LibrarySignInError("The library names another host as the place that says how to sign in.", hint=_ASK)
    resource = _document(transport.send("GET", named, seconds=REQUEST_SECONDS), "how to sign in")
    issuers = resource.get("authorization_servers")
    issuer = issuers[0] if isinstance(issuers, list) and issuers and isinstance(issuers[0], str) else ""
    audience = resource.get("resource")
    if not isinstance(audience, str) or not _is_same_origin(audience, library):
        raise LibrarySignInError("The library's sign-in belongs to another address.", hint=_ASK)
    if not may_be_asked(issuer, library):
        raise LibrarySignInError("The library names no https address to sign in at.", hint=_ASK)
    offered = resource.get("scopes_supported")
    wanted = [
        scope for scope in SCOPES if not isinstance(offered, list) or scope in offered or scope == "offline_access"
    ]
    client_id = resource.get("webrag_client_id")
    return _of_issuer(
        issuer,
        library,
        transport,
        scope=" ".join(wanted),
        resource=audience,
        client_id=client_id if isinstance(client_id, str) and client_id else CLIENT_ID,
    )


def _of_issuer(issuer: str, library: str, transport: Transport, *, scope: str, resource: str, client_id: str) -> SignIn:
    parts = urlsplit(issuer)
    path = parts.path.rstrip("/")
    origin = f"{parts.scheme}://{parts.netloc}"
    places = (
        f"{origin}/.well-known/oauth-authorization-server{path}",
        f"{origin}{path}/.well-known/openid-configuration",
    )
    for place in places:
        answer = transport.send("GET", place, seconds=REQUEST_SECONDS)
        if answer.status == 200 and isinstance(answer.json, dict):
            break
    else:
        raise LibrarySignInError(f"{parts.hostname} does not say how to sign in there.", hint=_ASK)
    told = answer.json
    ends = (told.get("authorization_endpoint"), told.get("token_endpoint"))
    if str(told.get("issuer", "")).rstrip("/") != issuer.rstrip("/"):
        raise LibrarySignInError(f"{parts.hostname} says that it is somebody else.", hint=_ASK)
    if not all(isinstance(end, str) and may_be_asked(end, library) for end in ends):
        raise LibrarySignInError(f"{parts.hostname} names no https addresses to sign in at.", hint=_ASK)
    methods = told.get("code_challenge_methods_supported")
    if isinstance(methods, list) and "S256" not in methods:
        raise LibrarySignInError(f"{parts.hostname} does not offer the safe way to sign in (PKCE).", hint=_ASK)
    return SignIn(issuer, str(ends[0]), str(ends[1]), client_id, scope, resource)


def signed_in(
    sign_in: SignIn,
    transport: Transport,
    show: Callable[[str], object],
    *,
    seconds: float = BROWSER_SECONDS,
    cancelled: threading.Event | None = None,
) -> Tokens:
    """Let the person sign in: `show` opens an address in the browser. Raises LibrarySignInError, also when it was cancelled."""
    state, verifier = secrets.token_urlsafe(24), secrets.token_urlsafe(48)
    with _Redirect(state, sign_in.issuer) as redirect:
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
        asked = {
            "response_type": "code",
            "client_id": sign_in.client_id,
            "redirect_uri": redirect.uri,
            "scope": sign_in.scope,
            "state": state,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
            "resource": sign_in.resource,
        }
        joint = "&" if urlsplit(sign_in.authorization_endpoint).query else "?"
        show(f"{sign_in.authorization_endpoint}{joint}{urlencode(asked)}")
        code = redirect.wait(seconds, cancelled or threading.Event())
        given = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect.uri,
            "client_id": sign_in.client_id,
            "code_verifier": verifier,
            "resource": sign_in.resource,
        }
    return _tokens(transport.send("POST", sign_in.token_endpoint, content=Form(given), seconds=REQUEST_SECONDS), "")


def renewed(sign_in: SignIn, refresh: str, transport: Transport, *, seconds: float) -> Tokens:
    """New tokens for an older one. Raises LibrarySignInError when the person must sign in again, LibraryAwayError."""
    given = {
        "grant_type": "refresh_token",
        "refresh_token": refresh,
        "client_id": sign_in.client_id,
        "resource": sign_in.resource,
    }
    return _tokens(transport.send("POST", sign_in.token_endpoint, content=Form(given), seconds=seconds), refresh)


class _Redirect:
    """A port of this computer that takes one answer of the issuer."""

    def __init__(self, state: str, issuer: str) -> None:
        self._state, self._issuer = state, issuer
        self._answer: dict[str, str] = {}
        self._came = threading.Event()

    def __enter__(self) -> _Redirect:
        redirect = self

        class Handler(BaseHTTPRequestHandler):
            timeout = REQUEST_SECONDS
            server_version = "WebRAG"
            sys_version = ""

            def do_GET(self) -> None:
                status, said = redirect.take(self.path)
                page = _PAGE.format(said).encode()
                self.send_response(status)
                for name, value in (
                    ("Content-Type", "text/html; charset=utf-8"),
                    ("Content-Length", str(len(page))),
                    ("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'"),
                    ("Referrer-Policy", "no-referrer"),
                    ("Cache-Control", "no-store"),
                    ("Connection", "close"),
                ):
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(page)

            def log_message(self, format: str, *args: object) -> None:
                """The address holds the code: nothing is logged."""

        # Each connection has a thread: browsers open some ahead and say nothing on them.
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.1,), name="sign-in", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    @property
    def uri(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}{_CALLBACK}"

    def take(self, path: str) -> tuple[int, str]:
        """Status and sentence for a request of the browser. Only the first with the state of this sign-in counts."""
        parts = urlsplit(path[:MAX_REQUEST_LINE])
        given = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if parts.path != _CALLBACK or not hmac.compare_digest(given.get("state", "").encode(), self._state.encode()):
            return 404, "This is not the sign-in that WebRAG waits for."
        if given.get("iss", self._issuer).rstrip("/") != self._issuer.rstrip("/"):
            return 404, "This answer is from somebody else."
        if not self._came.is_set():
            self._answer = given
            self._came.set()
        if "code" not in given:
            return 200, "You were not signed in. You can close this page."
        return 200, "You are signed in. You can close this page and go back to WebRAG."

    def wait(self, seconds: float, cancelled: threading.Event) -> str:
        """The code. Raises LibrarySignInError."""
        ends = time.monotonic() + seconds
        while not self._came.wait(0.1):
            if cancelled.is_set():
                raise LibrarySignInError("The sign-in was cancelled.", hint="Start it again when you are ready.")
            if time.monotonic() > ends:
                raise LibrarySignInError("Nobody signed in within the time.", hint="Start the sign-in again.")
        if code := self._answer.get("code"):
            return code
        reason = " ".join(self._answer.get("error", "refused").split())[:80]
        raise LibrarySignInError(f"The sign-in was refused ({reason}).", hint=_ASK)


def _tokens(answer: Answer, refresh: str) -> Tokens:
    given = answer.json
    body = given if isinstance(given, dict) else {}
    access, kind = body.get("access_token"), str(body.get("token_type", "")).lower()
    if answer.status >= 500:
        raise LibraryAwayError("The sign-in of the library does not answer.")
    if answer.status != 200 or not isinstance(access, str) or kind != "bearer" or len(access) > MAX_TOKEN_CHARS:
        raise LibrarySignInError("The sign-in is not valid (any more).")
    if not access.isascii() or not access.isprintable():
        raise LibrarySignInError("The sign-in gave a token that cannot be used.", hint=_ASK)
    fresh = body.get("refresh_token")
    seconds = body.get("expires_in")
    lasts = float(min(seconds, MAX_SECONDS)) if isinstance(seconds, int | float) and seconds > 0 else USUAL_SECONDS
    kept = fresh if isinstance(fresh, str) and len(fresh) <= MAX_TOKEN_CHARS else refresh
    return Tokens(access, kept, time.monotonic() + max(0.0, lasts - EARLY_SECONDS))


def _document(answer: Answer, what: str) -> dict[str, Any]:
    told = answer.json
    if answer.status != 200 or not isinstance(told, dict):
        raise LibrarySignInError(f"The library does not say {what}.", hint=_ASK)
    return told


def _header(headers: Mapping[str, str], name: str) -> str:
    return next((value for key, value in headers.items() if key.lower() == name), "")


def _parameter(header: str, name: str) -> str:
    """The quoted value of a parameter of a WWW-Authenticate header."""
    _, _, rest = header.partition(f'{name}="')
    return rest.partition('"')[0]


def _is_same_origin(url: str, other: str) -> bool:
    try:
        return urlsplit(url)[:2] == urlsplit(other)[:2]
    except ValueError:
        return False


_ASK: Final = "Ask the people who run the library."
