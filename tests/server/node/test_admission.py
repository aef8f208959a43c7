"""Sign-in to a node: requirements of access tokens, and how clients find the issuer."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import time
from collections.abc import Awaitable
from types import SimpleNamespace
from typing import Any, TypeVar, cast

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from starlette.datastructures import Headers
from starlette.responses import Response

from app.engine.node import Node, NodeOptions
from app.errors import FetchError, SettingsError
from app.server.node import admission
from app.server.node.admission import AccessTokens, IssuerKeys, NodeAdmission, RefusedTokenError
from tests.support.nodes import TOKEN, Issuer, RunningNode

T = TypeVar("T")
STRANGER = rsa.generate_private_key(65_537, 2_048)
CURVE = ec.generate_private_key(ec.SECP256R1())


def run(work: Awaitable[T]) -> T:
    async def awaited() -> T:
        return await work

    return asyncio.run(awaited())


def signed_with_the_public_key(issuer: Issuer) -> str:
    """Return a token signed with HS256, as by a package that accepts any key as a secret."""
    key = issuer.keys["first"].public_key()
    secret = key.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    parts = ({"alg": "HS256", "typ": "JWT", "kid": "first"}, issuer.claims("ann"))
    head = b".".join(base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=") for part in parts)
    sign = base64.urlsafe_b64encode(hmac.new(secret, head, hashlib.sha256).digest()).rstrip(b"=")
    return b".".join((head, sign)).decode()


def forged(issuer: Issuer) -> dict[str, str]:
    """Return rejected tokens by their defect."""
    good = issuer.claims("ann")
    key, named = issuer.keys["first"], {"kid": "first"}

    def sign(claims: dict[str, Any], header: dict[str, str] = named, algorithm: str = "RS256", by: Any = key) -> str:
        return jwt.encode(claims, by, algorithm, header)

    def without(name: str) -> str:
        return sign({each: value for each, value in good.items() if each != name})

    return {
        "another audience": sign({**good, "aud": "other"}),
        "another issuer": sign({**good, "iss": "https://evil.example"}),
        "expired": sign({**good, "exp": int(time.time()) - 120}),
        "not yet": sign({**good, "nbf": int(time.time()) + 600}),
        "no end": without("exp"),
        "no audience": without("aud"),
        "no subject": without("sub"),
        "an empty subject": sign({**good, "sub": ""}),
        "a subject of two lines": sign({**good, "sub": "ann\nuser:x"}),
        "no signature": jwt.encode(good, None, "none", named),
        "the public key as a secret": signed_with_the_public_key(issuer),
        "a stranger's key": sign(good, by=STRANGER),
        "an unknown key": sign(good, {"kid": "nobody"}, by=STRANGER),
        "a key of another kind": sign(good, algorithm="ES256", by=CURVE),
        "a key that it brings along": sign(good, {"kid": "first", "jwk": "{}", "jku": "https://evil.example"}, by=STRANGER),
        "a key id that is a path": sign(good, {"kid": "../../../dev/null"}, by=STRANGER),
        "a key id that is an address": sign(good, {"kid": "https://evil.example/key", "x5u": "https://evil.example"}, by=STRANGER),
        "what must be understood and is not": sign(good, {"kid": "first", "crit": ["exp"], "exp": 1}),  # type: ignore[dict-item]
        "no token": "abc",
        "too long": "a" * 20_000,
    }  # fmt: skip


def test_an_invalid_token_is_refused_with_the_address_to_sign_in(node: RunningNode, issuer: Issuer) -> None:
    for what, token in {**forged(issuer), "the token of the node": TOKEN, "nothing": ""}.items():
        for method, path in (("GET", "/library/v1"), ("POST", "/mcp")):
            status, body, headers = node.ask(method, path, {}, token)
            assert status == 401 and "sign_in" in body["hint"], what
            suffix = "/mcp" if path == "/mcp" else ""
            metadata = f"https://team.example.org/.well-known/oauth-protected-resource{suffix}"
            assert f'resource_metadata="{metadata}"' in headers["www-authenticate"], what
            assert body["sign_in"] == metadata


def test_a_token_without_the_scope_to_read_is_refused_as_such(node: RunningNode, issuer: Issuer) -> None:
    status, _, headers = node.ask("GET", "/library/v1", token=issuer.token("ann", scopes=["library:write", "openid"]))
    assert status == 403
    assert 'error="insufficient_scope"' in headers["www-authenticate"] and "library:read" in headers["www-authenticate"]


def test_metadata_needed_before_sign_in_is_public(node: RunningNode, plain_node: RunningNode, issuer: Issuer) -> None:
    for suffix in ("", "/mcp"):
        path = f"/.well-known/oauth-protected-resource{suffix}"
        status, body, _ = node.ask("GET", path, token="")
        assert status == 200
        assert body["resource"] == f"https://team.example.org{suffix}"
        assert body["authorization_servers"] == [issuer.url]
        assert plain_node.ask("GET", path, token="")[0] == 404


def test_a_node_behind_a_proxy_is_called_by_its_public_name(node: RunningNode, issuer: Issuer) -> None:
    ann = issuer.token("ann")
    assert node.ask("GET", "/library/v1", token=ann, Host="team.example.org")[0] == 200
    assert node.ask("GET", "/library/v1", token=ann, Host="evil.example")[0] == 421


def test_one_token_opens_a_node_without_an_issuer_for_all(plain_node: RunningNode, issuer: Issuer) -> None:
    status, described, _ = plain_node.ask("GET", "/library/v1")
    assert status == 200 and described["who"]["subject"] == "token"
    assert {each["name"] for each in described["collections"]} >= {"notes", "secret"}
    for wrong in ("", "guess", issuer.token("ann")):
        status, body, headers = plain_node.ask("GET", "/library/v1", token=wrong)
        assert (
            status == 401
            and "token of this library" in body["hint"]
            and "resource_metadata" not in headers["www-authenticate"]
        )


def test_users_cannot_access_what_the_program_token_opens(node: RunningNode, issuer: Issuer) -> None:
    for path in ("/control/call", "/control/show", "/control/stop"):
        assert node.ask("POST", path, {}, issuer.token("olaf"))[0] == 401
    assert node.ask("POST", "/control/call", {"method": "ping", "params": {}})[0] == 200
    assert node.ask("POST", "/browser/pair", {})[0] == 404


def tokens_of(issuer: Issuer, audience: str = "webrag", **options: str) -> AccessTokens:
    return AccessTokens(NodeOptions("db", "team", issuer.url, audience, "https://team.example.org/", **options))  # type: ignore[arg-type]


def test_groups_and_lists_of_scopes_are_read_and_odd_claims_are_not(issuer: Issuer) -> None:
    tokens = tokens_of(issuer)
    more = {
        "groups": ["staff", 7, "", "two\nlines", "staff", "x" * 500],
        "name": 3,
        "preferred_username": "Ann\u202e B",
    }
    claims = {**issuer.claims("ann", **more), "scp": ["library:read", "admin"]}
    del claims["scope"]
    identity = run(tokens.identity(jwt.encode(claims, issuer.keys["first"], "RS256", {"kid": "first"})))
    assert identity.principals == (f"user:{issuer.url}|ann", "group:staff")
    assert identity.scopes == {"library:read"}
    assert identity.name.startswith("Ann") and "\u202e" not in identity.name


@pytest.mark.parametrize(
    ("options", "claims", "groups", "scopes"),
    [
        ({}, {"scope": ["library:read"], "groups": "staff"}, ["staff"], {"library:read"}),
        ({}, {"scope": "openid", "scp": "library:read library:write"}, [], {"library:read", "library:write"}),
        ({}, {"aud": ["account", "webrag"], "groups": ["/staff"]}, ["/staff"], {"library:read"}),
        ({"audience": "api://webrag webrag-id"}, {"aud": "webrag-id"}, [], {"library:read"}),
        ({"scope_prefix": "api://webrag/"}, {"scope": "api://webrag/library:read"}, [], {"library:read"}),
        ({"scope_prefix": "api://webrag/"}, {"scope": "api://other/library:read"}, [], set()),
        ({"groups": "roles"}, {"roles": ["editors"], "groups": ["staff"]}, ["editors"], {"library:read"}),
        ({"groups": "realm_access.roles"}, {"realm_access": {"roles": ["staff"]}}, ["staff"], {"library:read"}),
        ({"groups": "https://id.example/g"}, {"https://id.example/g": ["staff"]}, ["staff"], {"library:read"}),
        ({"groups": "a.b.c"}, {"a": {"b": ["staff"]}}, [], {"library:read"}),
    ],
)
def test_claims_under_names_of_other_issuers_are_read(
    issuer: Issuer, options: dict[str, str], claims: dict[str, Any], groups: list[str], scopes: set[str]
) -> None:
    tokens = tokens_of(issuer, **options)
    made = {**issuer.claims("ann", scopes=["library:read"]), **claims}
    identity = run(tokens.identity(jwt.encode(made, issuer.keys["first"], "RS256", {"kid": "first"})))
    assert identity.principals[1:] == tuple(f"group:{group}" for group in groups)
    assert identity.scopes == scopes


def test_missing_groups_count_as_none_and_are_logged_once(issuer: Issuer, caplog: pytest.LogCaptureFixture) -> None:
    tokens = tokens_of(issuer)
    token = issuer.token("ann", _claim_names={"groups": "src1"})

    async def twice() -> None:
        for _ in range(2):
            assert len((await tokens.identity(token)).principals) == 1

    asyncio.run(twice())
    assert [record.message for record in caplog.records if "omits the groups" in record.message] != []
    assert caplog.text.count("omits the groups") == 1


def test_a_program_receives_the_client_id_and_the_scopes(issuer: Issuer) -> None:
    named = {"client_id": "7f-3c", "scope_prefix": "api://webrag/"}
    options = NodeOptions("db", "team", issuer.url, "webrag", "https://team.example.org/", **named)  # type: ignore[arg-type]
    admission_of = NodeAdmission(cast(Node, SimpleNamespace(options=options)), TOKEN)
    scopes = ["api://webrag/library:read", "api://webrag/library:write"]

    async def ask() -> None:
        refused = await admission_of.admit({"path": "/mcp"}, Headers({}))
        assert isinstance(refused, Response)
        assert f'scope="{" ".join(scopes)}"' in refused.headers["www-authenticate"]
        sent: list[Any] = []

        async def send(message: Any) -> None:
            sent.append(message)

        path = "/.well-known/oauth-protected-resource/mcp"
        await admission_of.routes()[path].endpoint({"type": "http", "path": path}, cast(Any, None), send)
        told = json.loads(sent[1]["body"])
        assert (told["webrag_client_id"], told["scopes_supported"]) == ("7f-3c", scopes)
        assert told["resource"] == "https://team.example.org/mcp"
        await admission_of.aclose()

    asyncio.run(ask())


def test_a_new_key_is_fetched_and_unknown_ones_do_not_make_the_node_ask_all_the_time(issuer: Issuer) -> None:
    async def ask() -> None:
        tokens = tokens_of(issuer)
        keys = tokens.keys
        await tokens.identity(issuer.token("ann"))
        before = issuer.asked.count("/keys")
        for number in range(20):
            with pytest.raises(RefusedTokenError):
                await tokens.identity(jwt.encode(issuer.claims("ann"), STRANGER, "RS256", {"kid": f"k{number}"}))
        assert issuer.asked.count("/keys") == before
        issuer.keys["second"] = rsa.generate_private_key(65_537, 2_048)
        keys._tried -= admission.KEY_PAUSE_SECONDS
        assert (await tokens.identity(issuer.token("ann", key="second"))).subject.endswith("|ann")
        del issuer.keys["second"]
        keys._fetched -= admission.KEY_SECONDS + 1
        keys._tried -= admission.KEY_SECONDS + 1
        with pytest.raises(RefusedTokenError):
            await tokens.identity(jwt.encode(issuer.claims("ann"), STRANGER, "RS256", {"kid": "second"}))
        await keys.aclose()

    asyncio.run(ask())


def test_an_issuer_that_hangs_does_not_delay_users_with_a_known_key(
    issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admission, "KNOWN_KEY_SECONDS", 0.05)

    async def ask() -> None:
        tokens = tokens_of(issuer)
        keys = tokens.keys
        await tokens.identity(issuer.token("ann"))
        keys._fetched -= admission.KEY_SECONDS + 1
        keys._tried -= admission.KEY_SECONDS + 1
        hanging = asyncio.Event()

        async def fetch() -> dict[str, jwt.PyJWK]:
            await hanging.wait()
            return {}

        monkeypatch.setattr(keys, "_fetch", fetch)
        for _ in range(2):
            identity = await asyncio.wait_for(tokens.identity(issuer.token("ann")), 30)
            assert identity.subject.endswith("|ann")
        hanging.set()
        with pytest.raises(FetchError):
            await tokens.identity(jwt.encode(issuer.claims("ann"), STRANGER, "RS256", {"kid": "nobody"}))
        await keys.aclose()

    asyncio.run(ask())


@pytest.mark.parametrize(
    "documents",
    [
        {},
        {
            "/.well-known/openid-configuration": {
                "issuer": "https://evil.example",
                "jwks_uri": "https://evil.example/keys",
            }
        },
        {"/.well-known/openid-configuration": {"issuer": None, "jwks_uri": "http://169.254.169.254/keys"}},
        {"/.well-known/openid-configuration": {"issuer": None, "jwks_uri": "https://10.0.0.1/keys"}},
        {"/.well-known/openid-configuration": {"issuer": None, "jwks_uri": 3}},
    ],
)
def test_keys_come_from_the_issuer_that_was_named_and_from_no_network_inside(
    documents: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    issuer = Issuer()
    keys = {"/keys": issuer.documents()["/keys"]}
    own = {path: {**each, "issuer": each["issuer"] or issuer.url} for path, each in documents.items()}
    monkeypatch.setattr(issuer, "documents", lambda: keys | own)
    with pytest.raises(FetchError):
        run(IssuerKeys(issuer.url).find("first"))
    issuer.close()


def test_signing_keys_are_read_from_the_announced_address_up_to_a_size(
    issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = issuer.documents()
    many = {"keys": [*({"kty": "RSA", "kid": str(n), "n": "x" * 600, "e": "AQAB"} for n in range(1_000))]}
    for keys in (many, {"keys": "none"}, ["x"], "x"):
        monkeypatch.setattr(issuer, "documents", lambda keys=keys: {**found, "/keys": keys})
        with pytest.raises(FetchError):
            run(IssuerKeys(issuer.url).find("first"))
    inside = Issuer()
    for place in (f"{inside.url}/keys", "http://169.254.169.254/keys"):
        monkeypatch.setattr(issuer, "documents", lambda: found)
        monkeypatch.setattr(issuer, "moved", {"/keys": place})
        with pytest.raises(FetchError):
            run(IssuerKeys(issuer.url).find("first"))
    assert not inside.asked, "a redirect is not followed"
    inside.close()


def test_an_issuer_with_another_name_is_refused_with_its_name(
    issuer: Issuer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    found = issuer.documents()
    known = "/.well-known/openid-configuration"
    named = {**found, known: {**found[known], "issuer": f"{issuer.url}/"}}
    monkeypatch.setattr(issuer, "documents", lambda: named)
    with pytest.raises(FetchError):
        run(IssuerKeys(issuer.url).find("first"))
    assert f"identifies itself as '{issuer.url}/'" in caplog.text and "WEBRAG_OIDC_ISSUER" in caplog.text
    assert run(IssuerKeys(f"{issuer.url}/").find("first")) is not None


@pytest.mark.parametrize(
    "environ",
    [
        {"WEBRAG_OIDC_ISSUER": "https://id.example"},
        {"WEBRAG_OIDC_AUDIENCE": "a", "WEBRAG_PUBLIC_URL": "https://x.example"},
        {
            "WEBRAG_OIDC_ISSUER": "http://id.example",
            "WEBRAG_OIDC_AUDIENCE": "a",
            "WEBRAG_PUBLIC_URL": "https://x.example",
        },
        {"WEBRAG_OIDC_ISSUER": "https://id.example", "WEBRAG_OIDC_AUDIENCE": "a", "WEBRAG_PUBLIC_URL": "team"},
        {"WEBRAG_OIDC_ISSUER": "https://id.example", "WEBRAG_OIDC_AUDIENCE": "a", "WEBRAG_PUBLIC_URL": "https://["},
        {"WEBRAG_OIDC_CLIENT_ID": 'a" b'},
        {"WEBRAG_OIDC_SCOPE_PREFIX": "api://x/\r\nX: y"},
        {"WEBRAG_LIBRARY_NAME": "private"},
        {"WEBRAG_LIBRARY_NAME": "all"},
        {"WEBRAG_LIBRARY_NAME": "Team A"},
        {"WEBRAG_LIBRARY_NAME": "-team"},
        {"WEBRAG_NODE_CALLS": "0"},
        {"WEBRAG_NODE_CALLS": "many"},
        {"WEBRAG_AUDIT_DAYS": "-1"},
        {"WEBRAG_AUDIT_DAYS": "3651"},
    ],
)
def test_options_that_open_more_than_was_meant_are_refused(environ: dict[str, str]) -> None:
    with pytest.raises(SettingsError):
        NodeOptions.from_environment({"WEBRAG_LIBRARY": "postgresql://db/library", **environ})


def test_a_name_can_begin_with_a_digit_as_the_error_says() -> None:
    environ = {"WEBRAG_LIBRARY": "postgresql://db/library", "WEBRAG_LIBRARY_NAME": "7-seas"}
    options = NodeOptions.from_environment(environ)
    assert options is not None and options.name == "7-seas"
    with pytest.raises(SettingsError) as caught:
        NodeOptions.from_environment({**environ, "WEBRAG_LIBRARY_NAME": "Seven Seas"})
    assert "a letter or digit" in caught.value.hint


def test_without_a_library_there_is_no_node() -> None:
    assert NodeOptions.from_environment({"WEBRAG_OIDC_ISSUER": "https://id.example"}) is None
