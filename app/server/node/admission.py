"""Access control of a node: identifies the caller by the shared token or an access token of the issuer, and applies its rights.

Access tokens are JWTs signed by an OpenID provider. Only asymmetric signatures count; issuer, audience and times are checked. The keys
come from the issuer's metadata, under the network rules of this program.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Final
from urllib.parse import urlsplit

import jwt
from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from app import caps
from app.engine.node import (
    ALL_SCOPES,
    GROUPS_VARIABLE,
    ISSUER_VARIABLE,
    READ_SCOPE,
    TOKEN,
    WRITE_SCOPE,
    Identity,
    Node,
    NodeOptions,
)
from app.engine.shared_pages import NoSuchPageError
from app.errors import DatabaseRefusesError, ErrorCode, FetchError, LibraryForbiddenError, WebRAGError
from app.library.exchange import PATH, Refusal, encoded, is_secure
from app.server.calls.limits import CLIENT_HEADER, SUBJECT_KEY, split_label
from app.server.connections import CONNECTION_KEY
from app.server.gateway import Route, bearer, is_authorised
from app.text.page_text import one_line
from app.text.sentence import sentence
from app.web.address import AddressPolicy
from app.web.exchange import Exchanger

log = logging.getLogger(__name__)

IDENTITY_KEY: Final = "webrag.identity"  # Key of the identity in the scope of a request.
TOKEN_HINT: Final = (
    "Send an access token (Authorization: Bearer ...). The address in `sign_in` explains how to get one."
)
ONE_TOKEN_HINT: Final = "Send the token of this library (Authorization: Bearer ...). Its administrator has the token."
RESOURCE_METADATA: Final = "/.well-known/oauth-protected-resource"
DISCOVERY: Final = ("/.well-known/openid-configuration", "/.well-known/oauth-authorization-server")
ALGORITHMS: Final = (*("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"), *("ES256", "ES384", "ES512", "EdDSA"))
"""Only asymmetric algorithms: a public key must not be able to sign."""
LEEWAY_SECONDS: Final = 30
MAX_TOKEN_CHARS: Final = 16 * caps.KIB
MAX_GROUPS: Final = 1_000
MAX_CLAIM_CHARS: Final = 400
KEY_SECONDS: Final = 3_600.0
"""Maximum age of the issuer's keys in seconds, so a withdrawn key stops working after that time."""
KEY_PAUSE_SECONDS: Final = 60.0  # An unknown key triggers a new request to the issuer at most this often.
FETCH_SECONDS: Final = 5.0
KNOWN_KEY_SECONDS: Final = 1.0
"""Seconds that a caller with a known key waits for the issuer to confirm it: programs wait three seconds in total."""
MAX_METADATA_BYTES: Final = 512 * caps.KIB
MAX_KEYS: Final = 100


class RefusedTokenError(Exception):
    """An access token that grants nothing; its message says why."""


class IssuerKeys:
    """The keys that the issuer publishes, fetched on demand."""

    def __init__(self, issuer: str) -> None:
        self._issuer = issuer
        host = urlsplit(issuer).hostname or ""
        # The administrator configured the issuer, so it may be on the internal network. Keys from other addresses may
        # not.
        policy = AddressPolicy(allow_hosts=(host,))
        self._exchanger = Exchanger(policy, user_agent="webrag-node", connections=1)
        self._keys: dict[str, jwt.PyJWK] = {}
        self._fetched = self._tried = float("-inf")
        self._fetching: asyncio.Task[None] | None = None

    async def find(self, key_id: str | None) -> jwt.PyJWK | None:
        """Return the key with this id, or the only key for a token without an id. Raises FetchError if the keys are unknown."""
        is_known = self._named(key_id) is not None
        if not is_known or time.monotonic() - self._fetched > KEY_SECONDS:
            await self._refreshed(KNOWN_KEY_SECONDS if is_known else None)
        if not self._keys:
            raise FetchError(sentence("The node could not download the signing keys of the issuer."), url=self._issuer)
        return self._named(key_id)

    async def aclose(self) -> None:
        if self._fetching is not None:
            self._fetching.cancel()
            await asyncio.gather(self._fetching, return_exceptions=True)
        await self._exchanger.aclose()

    def _named(self, key_id: str | None) -> jwt.PyJWK | None:
        if key_id is not None:
            return self._keys.get(key_id)
        return next(iter(self._keys.values())) if len(self._keys) == 1 else None

    async def _refreshed(self, seconds: float | None) -> None:
        """Wait until the keys are fetched, unless the last attempt was recent. All callers wait for the same fetch."""
        if self._fetching is None or self._fetching.done():
            if time.monotonic() - self._tried < KEY_PAUSE_SECONDS:
                return
            self._fetching = asyncio.create_task(self._refresh(), name="keys of the issuer")
        done, _ = await asyncio.wait({self._fetching}, timeout=seconds)
        for each in done:
            each.result()

    async def _refresh(self) -> None:
        now = self._tried = time.monotonic()
        try:
            self._keys = await self._fetch()
            self._fetched = now
        except FetchError as error:
            log.warning("cannot read the keys of the issuer: %s %s", error, error.hint)
            if not self._keys:
                # Users cannot sign in until this works, so the next attempt is soon.
                self._tried = now - KEY_PAUSE_SECONDS + FETCH_SECONDS

    async def _fetch(self) -> dict[str, jwt.PyJWK]:
        address = (await self._metadata()).get("jwks_uri")
        parts = urlsplit(address if isinstance(address, str) else "")
        if not isinstance(address, str) or not is_secure(parts.scheme, parts.hostname or ""):
            raise FetchError(
                sentence("The issuer does not provide an https address for its signing keys."), url=self._issuer
            )
        found = await self._exchanger.get_json(address, seconds=FETCH_SECONDS, max_bytes=MAX_METADATA_BYTES)
        rows = found.get("keys") if isinstance(found, dict) else None
        keys = [_key(row) for row in (rows if isinstance(rows, list) else [])[:MAX_KEYS]]
        return {key.key_id or f"unnamed {number}": key for number, key in enumerate(keys) if key is not None}

    async def _metadata(self) -> Mapping[str, Any]:
        failures: list[FetchError] = []
        for path in DISCOVERY:
            try:
                found = await self._exchanger.get_json(
                    self._issuer.rstrip("/") + path, seconds=FETCH_SECONDS, max_bytes=MAX_METADATA_BYTES
                )
            except FetchError as error:
                failures.append(error)
                continue
            named = found.get("issuer") if isinstance(found, dict) else None
            if isinstance(found, dict) and named == self._issuer:
                return found
            shown = repr(one_line(str(named), MAX_CLAIM_CHARS))
            said = sentence("The issuer identifies itself as {}, not {}.", shown, repr(self._issuer))
            raise FetchError(said, hint=sentence("Set {} to {}.", ISSUER_VARIABLE, shown), url=self._issuer)
        raise failures[0]


def _key(row: object) -> jwt.PyJWK | None:
    """Return a signing key, or None for any other or unreadable key."""
    if not isinstance(row, dict) or row.get("kty") not in ("RSA", "EC", "OKP") or row.get("use", "sig") != "sig":
        return None
    try:
        return jwt.PyJWK(row)
    except jwt.PyJWTError as error:
        log.info("a key of the issuer cannot be used: %s", type(error).__name__)
        return None


class AccessTokens:
    """Reads the access tokens that the issuer of a node made for its audiences."""

    def __init__(self, options: NodeOptions) -> None:
        self._options = options
        self.keys = IssuerKeys(options.issuer)
        self._has_warned = False

    async def identity(self, token: str) -> Identity:
        """Return the identity in the token. Raises RefusedTokenError, and FetchError while the issuer's keys are not available."""
        if len(token) > MAX_TOKEN_CHARS:
            raise RefusedTokenError("it is too long")
        try:
            header = jwt.get_unverified_header(token)
            if header.get("alg") not in ALGORITHMS:
                raise RefusedTokenError("its signature algorithm is not accepted")
            key_id = header.get("kid")
            key = await self.keys.find(key_id if isinstance(key_id, str) else None)
            if key is None:
                raise RefusedTokenError("the issuer does not have its signing key")
            claims = jwt.decode(
                token,
                key.key,
                algorithms=[header["alg"]],
                audience=self._options.audience.split(),
                issuer=self._options.issuer,
                leeway=LEEWAY_SECONDS,
                options={"require": ["exp", "iss", "aud", "sub"]},
            )
        except jwt.PyJWTError as error:
            raise RefusedTokenError(f"it is not valid ({type(error).__name__.removesuffix('Error')})") from error
        except (TypeError, ValueError) as error:
            raise RefusedTokenError("it cannot be read") from error
        return self._identity(claims)

    def _identity(self, claims: Mapping[str, Any]) -> Identity:
        subject = claims["sub"]
        if not isinstance(subject, str) or not 0 < len(subject) <= MAX_CLAIM_CHARS or not subject.isprintable():
            raise RefusedTokenError("it does not name a user")
        names = (claims.get(each) for each in ("name", "preferred_username"))
        name = next((each for each in names if isinstance(each, str)), subject)
        scopes = (*_words(claims.get("scope")), *_words(claims.get("scp")))
        given = _claim(claims, self._options.groups)
        groups = (each for each in _listed([given] if isinstance(given, str) else given) if each.isprintable())
        if given is None and self._options.groups in _mapping(claims.get("_claim_names")) and not self._has_warned:
            self._has_warned = True
            log.warning(
                "the issuer omits the groups from tokens of users with many groups, so these users get no rights by group: "
                "configure it to send only the groups of this application, or roles (%s)",
                GROUPS_VARIABLE,
            )
        return Identity(
            f"user:{self._options.issuer}|{subject}",
            one_line(name, caps.MAX_CLIENT_NAME_CHARS),
            tuple(dict.fromkeys(groups))[:MAX_GROUPS],
            frozenset(each.removeprefix(self._options.scope_prefix) for each in scopes) & ALL_SCOPES,
        )


def _claim(claims: Mapping[str, Any], name: str) -> object:
    """Return a claim by its name, or by a path of names separated by dots."""
    if name in claims:
        return claims[name]
    found: object = claims
    for part in name.split("."):
        found = _mapping(found).get(part)
    return found


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _words(value: object) -> list[str]:
    """Return scopes from a text with spaces or from a list."""
    return value.split() if isinstance(value, str) else _listed(value)


def _listed(value: object) -> list[str]:
    """Return the texts of a claim that is a list."""
    found = value if isinstance(value, list) else []
    return [each for each in found if isinstance(each, str) and 0 < len(each) <= MAX_CLAIM_CHARS]


class NodeAdmission:
    """Admits callers to the paths of a node. With an issuer, users sign in; without one, the shared token opens the node."""

    def __init__(self, node: Node, token: str) -> None:
        options = node.options
        self._node = node
        self._token = token
        self._tokens = AccessTokens(options) if options.issuer else None
        self._scopes = [options.scope_prefix + scope for scope in (READ_SCOPE, WRITE_SCOPE)]
        self.can_be_guessed = self._tokens is None

    async def aclose(self) -> None:
        if self._tokens is not None:
            await self._tokens.keys.aclose()

    async def admit(self, scope: Scope, headers: Headers) -> Response | AbstractContextManager[None]:
        """Return the refusal, or a context with the user's rights for the duration of the request. Records the user in the scope."""
        path = scope["path"]
        try:
            identity = await self._identity(headers)
        except RefusedTokenError as error:
            why = f"The access token is refused: {error}."
            return self._refused(401, path, why, 'error="invalid_token"', hint=TOKEN_HINT)
        except FetchError as error:
            log.error("users cannot sign in: %s", error)
            return refusal(
                503, Refusal("Users cannot sign in: the issuer does not respond.", ErrorCode.BACKEND_UNAVAILABLE)
            )
        if identity is None:
            said, hint = ("Sign in first.", TOKEN_HINT) if self._tokens else ("unauthorized", ONE_TOKEN_HINT)
            return self._refused(401, path, said, hint=hint)
        if READ_SCOPE not in identity.scopes:
            needed = f'error="insufficient_scope", scope="{self._node.options.scope_prefix}{READ_SCOPE}"'
            self._node.note_refused(identity, _client(headers), ErrorCode.INVALID_ARGUMENT)
            lacks = f"The access token lacks the scope {READ_SCOPE}."
            return self._refused(403, path, lacks, needed, hint="Sign in again and agree to that scope.")
        scope[IDENTITY_KEY] = identity
        # Known callers must not be delayed by unknown ones, also while the database looks up their rights.
        if connection := scope.get("state", {}).get(CONNECTION_KEY):
            connection.is_proved = True
        if identity != TOKEN:
            scope[SUBJECT_KEY] = identity.subject
        try:
            return await self._node.acting_as(identity)
        except WebRAGError as error:
            # MCP clients show the text of a tool, not the body of a refusal.
            if not path.startswith(PATH):
                return self._node.failing_with(error, identity)
            self._node.note_refused(identity, _client(headers), error.code)
            return refusal_of(error)

    async def as_node(self) -> AbstractContextManager[None]:
        """Return a context with the rights of the token of the program. While they cannot be looked up, calls that need them fail."""
        try:
            return await self._node.acting_as(TOKEN)
        except WebRAGError as error:
            return self._node.failing_with(error, TOKEN)

    async def _identity(self, headers: Headers) -> Identity | None:
        """Return the caller, or None for a request without credentials."""
        if self._tokens is None:
            return TOKEN if is_authorised(headers, self._token) else None
        token = bearer(headers)
        return await self._tokens.identity(token) if token else None

    def _refused(self, status: int, path: str, text: str, detail: str = "", *, hint: str) -> Response:
        parts = ['realm="webrag"', *([detail] if detail else [])]
        sign_in = ""
        if self._tokens is not None:
            base = self._node.options.public_url.rstrip("/")
            sign_in = f"{base}{RESOURCE_METADATA}{path if path == '/mcp' else ''}"
            parts.append(f'resource_metadata="{sign_in}"')
            if status == 401:
                parts.append(f'scope="{" ".join(self._scopes)}"')
        challenge = {"WWW-Authenticate": f"Bearer {', '.join(parts)}"}
        return refusal(status, Refusal(text, ErrorCode.INVALID_ARGUMENT, hint, sign_in), challenge)

    def routes(self) -> dict[str, Route]:
        """Return what a program reads before it signs in: open paths, only if users sign in."""
        if self._tokens is None:
            return {}
        paths = (RESOURCE_METADATA, f"{RESOURCE_METADATA}/mcp")
        return {path: Route(self._metadata, ("GET",), is_open=True) for path in paths}

    async def _metadata(self, scope: Scope, receive: Receive, send: Send) -> None:
        options = self._node.options
        resource = options.public_url.rstrip("/") + scope["path"].removeprefix(RESOURCE_METADATA)
        body = {
            "resource": resource,
            "authorization_servers": [options.issuer],
            "scopes_supported": self._scopes,
            "bearer_methods_supported": ["header"],
            "resource_name": f"WebRAG library {options.name}",
            **({"webrag_client_id": options.client_id} if options.client_id else {}),
        }
        await JSONResponse(body, headers={"Cache-Control": "max-age=3600"})(scope, receive, send)


def _client(headers: Headers) -> str:
    return split_label(headers.get(CLIENT_HEADER, ""))[0]


def public_hosts(options: NodeOptions) -> Sequence[str]:
    """Return the accepted values of the `Host` header: the public address with and without its port, or () if none is set."""
    parts = urlsplit(options.public_url)
    return (parts.netloc, parts.hostname or "") if parts.netloc else ()


def refusal_of(error: WebRAGError) -> Response:
    if isinstance(error, NoSuchPageError):
        status = 404
    elif isinstance(error, LibraryForbiddenError) and not isinstance(error, DatabaseRefusesError):
        status = 403
    else:
        status = STATUS.get(error.code, UNEXPECTED)
    return refusal(status, Refusal(error.message, error.code.value, error.hint, details=dict(error.details)))


def refusal(status: int, body: Refusal, headers: Mapping[str, str] | None = None) -> Response:
    return Response(encoded(body), status, dict(headers or {}), "application/json")


UNEXPECTED: Final = 500
STATUS: Final = {
    ErrorCode.INVALID_ARGUMENT: 400,
    ErrorCode.SCOPE_VIOLATION: 400,
    ErrorCode.BACKEND_UNAVAILABLE: 503,
    ErrorCode.TIMEOUT: 504,
    ErrorCode.BUDGET_EXCEEDED: 429,
    ErrorCode.INTERNAL_ERROR: UNEXPECTED,
}
