"""Sign in to a library in the browser: authorization code with PKCE and a loopback redirect. Blocking.

The library names the issuer (RFC 9728), and the issuer describes its endpoints (RFC 8414). A port of this computer listens for the one
answer only.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import html
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final
from urllib.parse import parse_qs, urlencode, urlsplit

from app.errors import InvalidArgumentError, LibraryAwayError, LibrarySignInError
from app.remote.joined import SignIn, may_be_asked
from app.remote.transport import Answer, Form, Transport
from app.text.sentence import sentence

BROWSER_SECONDS: Final = 300.0  # Seconds that a user has for the sign-in in the browser.
REQUEST_SECONDS: Final = 10.0  # Timeout of each request of the sign-in. Questions do not wait for it.
CLIENT_ID: Final = "webrag-desktop"  # The client ID at the issuer, unless the library specifies another one.
SCOPES: Final = ("library:read", "library:write")
RENEWAL: Final = "offline_access"  # The scope for a refresh token.
EARLY_SECONDS: Final = 30.0  # A token is renewed this many seconds before it expires.
USUAL_SECONDS: Final = 300.0
MAX_SECONDS: Final = 86_400  # A token is renewed after a day at the latest.
MAX_TOKEN_CHARS: Final = 16_384
MAX_REQUEST_LINE: Final = 16_384
MAX_SCOPES: Final = 8
_BUSY: Final = (408, 425, 429)
_CALLBACK: Final = "/callback"
_LANGUAGE: Final = sentence("en")  # The language code of the sentences.

SIGNED_IN: Final = (sentence("You are signed in"), sentence("Close this page and return to WebRAG."))
NOT_SIGNED_IN: Final = (
    sentence("You were not signed in"),
    sentence("Nothing has changed. Close this page and start again in WebRAG."),
)
NOT_AWAITED: Final = (
    sentence("WebRAG does not expect this sign-in"),
    sentence("Close this page and continue in the page that WebRAG opened last."),
)
_PAGE: Final = """<!doctype html><html lang="{lang}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>{title}</title><style>
:root {{ color-scheme: light dark; --back: #f3f4f6; --card: #fff; --text: #1f2328; --soft: #59636e; --line: #d9dee4; --mark: {mark}; }}
@media (prefers-color-scheme: dark) {{
:root {{ --back: #16191d; --card: #21252b; --text: #e8eaed; --soft: #a3abb5; --line: #353b44; --mark: {dark_mark}; }} }}
body {{ margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--back); color: var(--text);
font: 1rem/1.5 system-ui, sans-serif; }}
main {{ box-sizing: border-box; width: min(28rem, 100vw - 2rem); padding: 2.25rem 2rem; text-align: center; background: var(--card);
border: 1px solid var(--line); border-radius: .75rem; }}
svg {{ width: 3rem; height: 3rem; fill: none; stroke: var(--mark); stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }}
h1 {{ margin: .75rem 0 .25rem; font-size: 1.3rem; line-height: 1.3; }} p {{ margin: 0; color: var(--soft); }}
</style></head><body><main><svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="10"/><path d="{sign}"/></svg>
<h1>{title}</h1><p>{text}</p></main></body></html>"""
_TICK: Final = {"sign": "m7.5 12.5 3 3 6-6.5", "mark": "#1a7f37", "dark_mark": "#4ac26b"}
_STOP: Final = {"sign": "M12 7v6m0 3.5v.01", "mark": "#9a6700", "dark_mark": "#d4a72c"}


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens from the issuer. `refresh` is empty if it does not issue one; `ends_at` is by time.monotonic."""

    access: str
    refresh: str
    ends_at: float

    def __repr__(self) -> str:
        return "Tokens(…)"


def where_to_sign_in(library: str, refused: Answer, transport: Transport) -> SignIn:
    """Determine the sign-in from the library's refusal; without an issuer, one token opens the library.

    Raises LibrarySignInError if it is untrusted or unusable, InvalidArgumentError if this is not a library, LibraryAwayError.
    """
    challenge = next((value for key, value in refused.headers.items() if key.lower() == "www-authenticate"), "")
    if refused.status in _BUSY or refused.status >= 500:
        host = urlsplit(library).hostname
        raise LibraryAwayError(sentence("The library {} reports an error ({}).", host, refused.status))
    if refused.status != 401 or not challenge.lower().startswith("bearer"):
        raise InvalidArgumentError(
            sentence("There is no shared library at this address ({}).", refused.status),
            hint="Check the address, or contact the library's administrator.",
        )
    named = challenge.partition('resource_metadata="')[2].partition('"')[0]
    if not named:
        return SignIn()
    if not _is_same_origin(named, library):
        raise LibrarySignInError(sentence("The library refers to another host for its sign-in settings."), hint=_ASK)
    answer = transport.send("GET", named, seconds=REQUEST_SECONDS)
    resource = answer.json
    if answer.status != 200 or not isinstance(resource, dict):
        raise LibrarySignInError(sentence("The library does not provide sign-in settings."), hint=_ASK)
    issuers = resource.get("authorization_servers")
    issuer = issuers[0] if isinstance(issuers, list) and issuers and isinstance(issuers[0], str) else ""
    audience = resource.get("resource")
    if not isinstance(audience, str) or not _is_same_origin(audience, library):
        raise LibrarySignInError(sentence("The library's sign-in settings are for another address."), hint=_ASK)
    if not may_be_asked(issuer, library):
        raise LibrarySignInError(sentence("The library does not provide an HTTPS sign-in address."), hint=_ASK)
    offered = resource.get("scopes_supported")
    client_id = resource.get("webrag_client_id")
    return _of_issuer(
        issuer,
        library,
        transport,
        scopes=_wanted(offered),
        resource=audience,
        client_id=client_id if isinstance(client_id, str) and client_id else CLIENT_ID,
    )


def _wanted(offered: object) -> tuple[str, ...]:
    """Return the scopes that the library lists: some issuers expect the program's address before each."""
    named = [each for each in offered if isinstance(each, str)] if isinstance(offered, list) else []
    # A scope with a space would count as several, so that the library could get a token with more access than it needs.
    known = (each for each in named if each.rpartition("/")[2] in SCOPES and len(each.split()) == 1)
    return tuple(known)[:MAX_SCOPES] or SCOPES


def _of_issuer(
    issuer: str, library: str, transport: Transport, *, scopes: tuple[str, ...], resource: str, client_id: str
) -> SignIn:
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
        raise LibrarySignInError(sentence("{} does not provide sign-in settings.", parts.hostname), hint=_ASK)
    told = answer.json
    ends = (told.get("authorization_endpoint"), told.get("token_endpoint"))
    if str(told.get("issuer", "")).rstrip("/") != issuer.rstrip("/"):
        raise LibrarySignInError(
            sentence("{} identifies itself as a different sign-in provider.", parts.hostname), hint=_ASK
        )
    if not all(isinstance(end, str) and may_be_asked(end, library) for end in ends):
        raise LibrarySignInError(sentence("{} does not provide HTTPS sign-in addresses.", parts.hostname), hint=_ASK)
    methods = told.get("code_challenge_methods_supported")
    if isinstance(methods, list) and "S256" not in methods:
        raise LibrarySignInError(sentence("{} does not support secure sign-in (PKCE).", parts.hostname), hint=_ASK)
    known = told.get("scopes_supported")
    if not isinstance(known, list) or RENEWAL in known:
        scopes = (*scopes, RENEWAL)
    # A scope with an address identifies the resource. Issuers with such scopes refuse a separate resource parameter.
    resource = "" if any("/" in scope for scope in scopes) else resource
    names_itself = told.get("authorization_response_iss_parameter_supported") is True
    return SignIn(issuer, str(ends[0]), str(ends[1]), client_id, " ".join(scopes), resource, names_itself)


def signed_in(
    sign_in: SignIn,
    transport: Transport,
    show: Callable[[str], object],
    *,
    seconds: float = BROWSER_SECONDS,
    cancelled: threading.Event | None = None,
    spoken: Callable[[str], str] = str,
) -> Tokens:
    """Sign in: `show` opens an address in the browser, `spoken` translates the final page. Raises LibrarySignInError, also if canceled."""
    state, verifier = secrets.token_urlsafe(24), secrets.token_urlsafe(48)
    with _Redirect(state, sign_in, spoken) as redirect:
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
        asked = {
            "response_type": "code",
            "client_id": sign_in.client_id,
            "redirect_uri": redirect.uri,
            "scope": sign_in.scope,
            "state": state,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
            **_resource(sign_in),
        }
        if sign_in.resource and RENEWAL in sign_in.scope.split():
            # In OpenID Connect, this scope requires a consent prompt.
            asked["prompt"] = "consent"
        joint = "&" if urlsplit(sign_in.authorization_endpoint).query else "?"
        show(f"{sign_in.authorization_endpoint}{joint}{urlencode(asked)}")
        code = redirect.wait(seconds, cancelled or threading.Event())
        given = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect.uri,
            "client_id": sign_in.client_id,
            "code_verifier": verifier,
            **_resource(sign_in),
        }
    return _tokens(transport.send("POST", sign_in.token_endpoint, content=Form(given), seconds=REQUEST_SECONDS), "")


def renewed(sign_in: SignIn, refresh: str, transport: Transport, *, seconds: float) -> Tokens:
    """Renew tokens. Raises LibrarySignInError if the user must sign in again, LibraryAwayError."""
    given = {
        "grant_type": "refresh_token",
        "refresh_token": refresh,
        "client_id": sign_in.client_id,
        **_resource(sign_in),
    }
    return _tokens(transport.send("POST", sign_in.token_endpoint, content=Form(given), seconds=seconds), refresh)


def _resource(sign_in: SignIn) -> dict[str, str]:
    return {"resource": sign_in.resource} if sign_in.resource else {}


class _Redirect:
    """A port of this computer that accepts one answer of the issuer."""

    def __init__(self, state: str, sign_in: SignIn, spoken: Callable[[str], str]) -> None:
        self._state, self._sign_in, self._spoken = state, sign_in, spoken
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
                page = redirect.page(said).encode()
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
                """Log nothing, because the address contains the code."""

        # One thread per connection: browsers open some in advance without sending a request.
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

    def take(self, path: str) -> tuple[int, tuple[str, str]]:
        """Return status and text for a browser request. Only the first one with this sign-in's state and issuer counts."""
        parts = urlsplit(path[:MAX_REQUEST_LINE])
        given = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if parts.path != _CALLBACK or not hmac.compare_digest(given.get("state", "").encode(), self._state.encode()):
            return 404, NOT_AWAITED
        issuer = given.get("iss", "" if self._sign_in.names_itself else self._sign_in.issuer)
        if issuer.rstrip("/") != self._sign_in.issuer.rstrip("/"):
            return 404, NOT_AWAITED
        if not self._came.is_set():
            self._answer = given
            self._came.set()
        return 200, SIGNED_IN if "code" in given else NOT_SIGNED_IN

    def page(self, words: tuple[str, str]) -> str:
        """Return the page for the browser."""
        title, text = (html.escape(self._spoken(each)) for each in words)
        look = _TICK if words is SIGNED_IN else _STOP
        return _PAGE.format(title=title, text=text, lang=html.escape(self._spoken(_LANGUAGE)), **look)

    def wait(self, seconds: float, cancelled: threading.Event) -> str:
        """Return the code. Raises LibrarySignInError."""
        ends = time.monotonic() + seconds
        while not self._came.wait(0.1):
            if cancelled.is_set():
                raise LibrarySignInError(
                    sentence("The sign-in was canceled."), hint="Start it again when you are ready."
                )
            if time.monotonic() > ends:
                raise LibrarySignInError(
                    sentence("The sign-in timed out."), hint="Start again and complete the sign-in in your browser."
                )
        if code := self._answer.get("code"):
            return code
        reason = " ".join(self._answer.get("error", "refused").split())[:80]
        raise LibrarySignInError(sentence("The sign-in was refused ({}).", reason), hint=_ASK)


def _tokens(answer: Answer, refresh: str) -> Tokens:
    given = answer.json
    body = given if isinstance(given, dict) else {}
    access, kind = body.get("access_token"), str(body.get("token_type", "")).lower()
    if answer.status >= 500:
        raise LibraryAwayError(sentence("The sign-in service of the library does not respond."))
    if answer.status != 200 or not isinstance(access, str) or kind != "bearer" or len(access) > MAX_TOKEN_CHARS:
        raise LibrarySignInError(sentence("The sign-in has expired or was revoked."))
    if not access.isascii() or not access.isprintable():
        raise LibrarySignInError(sentence("The sign-in service returned an invalid token."), hint=_ASK)
    fresh = body.get("refresh_token")
    seconds = body.get("expires_in")
    lasts = float(min(seconds, MAX_SECONDS)) if isinstance(seconds, int | float) and seconds > 0 else USUAL_SECONDS
    kept = fresh if isinstance(fresh, str) and 0 < len(fresh) <= MAX_TOKEN_CHARS else refresh
    return Tokens(access, kept, time.monotonic() + max(0.0, lasts - EARLY_SECONDS))


def _is_same_origin(url: str, other: str) -> bool:
    try:
        return _origin(url) == _origin(other)
    except ValueError:
        return False


def _origin(url: str) -> tuple[str, str | None, str | None, int | None]:
    """Return scheme, user, host and port in a normalized form."""
    parts = urlsplit(url)
    return parts.scheme, parts.username, parts.hostname, parts.port or {"https": 443, "http": 80}.get(parts.scheme)


_ASK: Final = "Contact the library's administrator."
