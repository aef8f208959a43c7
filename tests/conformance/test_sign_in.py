"""Sign-in to a node with a third-party OpenID provider: a desktop, the official MCP client, and users without access."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import httpx2
import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.auth import OAuthClientProvider
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from pydantic import AnyUrl

from app.embed.folder import load_card
from app.library.records import EmbeddingModel
from app.paths import assets_dir
from app.pg import setup
from app.pg.connections import Connections
from app.pg.grants import GrantRole, Grants
from app.pg.sessions import Role
from tests.conformance import tools
from tests.conformance.identity import (
    SECONDS,
    Joining,
    Provider,
    keyring,
    patiently,
    sign_in_by_browser,
    sign_in_by_forms,
)
from tests.extension import chromium
from tests.support.postgres import PostgresServer, ends_with
from tests.support.tls_proxy import free_port

pytestmark = [
    pytest.mark.real,
    pytest.mark.timeout(600),
    pytest.mark.skipif(bool(tools.missing()), reason=tools.missing()),
]

# Look for a new key immediately.
PROGRAM: Final = (
    "import sys; from app.server.node import admission; admission.KEY_PAUSE_SECONDS = 0.1;"
    " from app.remote import client; client.QUESTION_SECONDS = 60.0;"
    " from app.engine import libraries; libraries.QUESTION_SECONDS = 60.0;"
    " from app.cli import main; raise SystemExit(main(sys.argv[1:]))"
)
QUESTION: Final = "How many days of leave does the handbook give?"
PAGE: Final = {
    "collection": "handbook",
    "url": "https://intra.example.org/leave",
    "title": "Leave",
    "text": "# Leave\n\nThe handbook gives twenty-eight days of leave a year.\n",
}
OTHER: Final = "http://other.example/"
RENEWED_AT_ONCE: Final = 31
"""Lifetime in seconds of a token that the desktop renews one second later."""


@dataclass
class Team:
    """A node with a provider, and a desktop with a keyring."""

    provider: Provider
    url: str
    folder: Path
    environ: dict[str, str]
    desktop: list[str] = field(default_factory=list)

    def ask(self, token: str, path: str = "/library/v1") -> httpx.Response:
        return httpx.get(
            f"{self.url}{path}", headers={"Authorization": f"Bearer {token}"}, trust_env=False, timeout=SECONDS
        )

    def store(self, token: str) -> None:
        """Add the page to the library, and wait until search finds it."""
        known = {"Authorization": f"Bearer {token}"}
        with httpx.Client(base_url=self.url, headers=known, trust_env=False, timeout=SECONDS) as client:
            stored = client.post("/library/v1/pages", json=PAGE)
            assert stored.status_code in (200, 201), stored.text
            search = {"question": QUESTION, "limit": 3}
            patiently(lambda: bool(client.post("/library/v1/search", json=search).json()["passages"]))

    def tokens(
        self, person: str, resource: str, scope: str = "openid offline_access library:read library:write"
    ) -> Any:
        """Return a token that the provider gives to another program."""
        verifier, back = "v" * 50, f"http://127.0.0.1:{free_port()}/callback"
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
        client = {"client_id": "webrag-desktop", "redirect_uri": back, "resource": resource}
        asked = {**client, "response_type": "code", "scope": scope, "code_challenge": challenge, "prompt": "consent"}
        url = f"{self.provider.url}/auth?{urlencode({**asked, 'code_challenge_method': 'S256'})}"
        given = parse_qs(urlsplit(sign_in_by_forms(url, person, to_the_end=False)).query)
        form = {**client, "grant_type": "authorization_code", "code": given["code"][0], "code_verifier": verifier}
        return httpx.post(f"{self.provider.url}/token", data=form, trust_env=False, timeout=SECONDS).json()


@pytest.fixture(scope="module")
def team(postgres: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Team]:
    folder = tmp_path_factory.mktemp("team")
    address = postgres.new_database("sign_in")
    card = load_card(assets_dir() / "model")
    setup.init(address, EmbeddingModel(card.fingerprint, card.dimension))
    connections = Connections(address, Role.OWNER, size=1)
    grants = Grants(connections)
    grants.add_collection("handbook")
    grants.give("handbook", "group:staff", GrantRole.WRITER)
    connections.close()
    provider, port = Provider(folder), free_port()
    url = f"http://127.0.0.1:{port}"
    audiences = {url: url, f"{url}/": url, f"{url}/mcp": f"{url}/mcp", OTHER: OTHER}
    provider.set(resources=audiences, groups={"ann": ["staff"]})
    home = {"PATH": os.environ["PATH"], "HOME": str(folder), "XDG_DATA_HOME": str(folder / "share"), "LANG": "C.UTF-8"}
    served = {
        "WEBRAG_LIBRARY": address,
        "WEBRAG_OIDC_ISSUER": provider.url,
        "WEBRAG_OIDC_AUDIENCE": f"{url} {url}/mcp",
        "WEBRAG_PUBLIC_URL": url,
        "MCP_TOOL_TIMEOUT": "600",
        "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
    }
    log = folder / "node.log"
    with log.open("wb") as stream, keyring(folder) as bus:
        node = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, "serve", "--transport", "streamable-http", "--port", str(port)],
            env={**home, **served},
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=stream,
            preexec_fn=ends_with(),
        )
        patiently(lambda: _status(f"{url}/readyz") == 200, log.read_text)
        yield Team(provider, url, folder, {**home, **bus, "WEBRAG_CONFIG": str(folder / "none.toml")})
        node.terminate()
        node.wait(SECONDS)
    provider.close()
    written = log.read_text("utf-8", "replace")
    assert "eyJ" not in written, "a token is in the log"


def _status(url: str) -> int:
    try:
        return httpx.get(url, trust_env=False, timeout=SECONDS).status_code
    except httpx.HTTPError:
        return 0


@asynccontextmanager
async def desktop(team: Team) -> AsyncIterator[ClientSession]:
    """Start a server of the desktop as an assistant does."""
    arguments = ["-c", PROGRAM, "serve", "--transport", "stdio", "--data-dir", str(team.folder / "desk")]
    entry = StdioServerParameters(command=sys.executable, args=arguments, env=team.environ)
    async with stdio_client(entry) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        yield session


async def said(session: ClientSession) -> str:
    result = await session.call_tool("search", {"query": QUESTION})
    return "\n".join(getattr(part, "text", "") for part in result.content)


@pytest.mark.keyring
def test_a_desktop_signs_in_renews_loses_a_group_and_is_signed_out(team: Team) -> None:
    missing = [tool for tool in ("dbus-run-session", "gnome-keyring-daemon") if shutil.which(tool) is None]
    assert not missing, f"not installed: {missing}; run installer/linux/system-packages.sh"
    team.store(team.tokens("ann", team.url)["access_token"])
    team.provider.set(seconds=RENEWED_AT_ONCE)
    folder = str(team.folder / "desk")
    command = [sys.executable, "-c", PROGRAM, "shared", "join", team.url, "--data-dir", folder]
    joining = Joining(command, team.environ)
    if chromium.program():
        assert "You are signed in" in sign_in_by_browser(joining.address, "ann", team.folder / "browser")
    else:
        sign_in_by_forms(joining.address, "ann")
    told = joining.ended()
    assert "handbook (writer)" in told and "lasts for this command only" not in told
    kept = (Path(folder) / "libraries.json").read_text()
    assert "token" not in json.loads(kept)[0] and "eyJ" not in kept
    asyncio.run(_use(team))


async def _use(team: Team) -> None:
    async with desktop(team) as session:
        assert "twenty-eight days" in await said(session), "with the tokens in the keyring"
        first = _kept(team)
        await asyncio.sleep(1.1)
        team.provider.change_key()
        assert "twenty-eight days" in await said(session)
        second = _kept(team)
        assert first != second, "each renewal returns a new refresh token"
        team.provider.set(groups={"ann": []})
        await asyncio.sleep(1.1)
        assert "twenty-eight days" not in await said(session)
        team.provider.set(groups={"ann": ["staff"]})
        await asyncio.sleep(1.1)
        assert "twenty-eight days" in await said(session)
        await asyncio.to_thread(_revoke, team)
        await asyncio.sleep(1.1)
        assert "asks you to sign in again" in await said(session)
        command = [
            sys.executable,
            "-c",
            PROGRAM,
            "libraries",
            "join",
            team.url,
            "--data-dir",
            str(team.folder / "desk"),
        ]
        joining = await asyncio.to_thread(Joining, command, team.environ)
        await asyncio.to_thread(sign_in_by_forms, joining.address, "ann")
        await asyncio.to_thread(joining.ended)
        assert "twenty-eight days" in await said(session), "with the new sign-in of another program"


def _revoke(team: Team) -> None:
    form = {"token": _kept(team), "client_id": "webrag-desktop", "token_type_hint": "refresh_token"}
    assert httpx.post(f"{team.provider.url}/token/revocation", data=form, trust_env=False).status_code == 200


def _kept(team: Team) -> str:
    """Return the content of the keyring for the library."""
    script = (
        "from app.engine.libraries import Libraries; from app.events import EventBus; from app.secrets import SecretStore;"
        "import sys; from pathlib import Path; made = Libraries(Path(sys.argv[1]), SecretStore(), EventBus());"
        "print(made.remote(made.names[0])._kept.read())"
    )
    command = [sys.executable, "-c", script, str(team.folder / "desk")]
    done = subprocess.run(command, env=team.environ, capture_output=True, text=True, timeout=SECONDS, check=True)
    return done.stdout.strip()


def test_tokens_for_others_grant_no_access(team: Team) -> None:
    good, other = team.tokens("ann", team.url), team.tokens("ann", OTHER)
    assert team.ask(good["access_token"]).status_code == 200
    wrong = {
        "for another program": other["access_token"],
        "who the person is": good["id_token"],
        "what renews": good["refresh_token"],
        "of no program": team.tokens("ann", team.url, "openid")["id_token"],
    }
    for what, token in wrong.items():
        assert team.ask(token).status_code == 401, what
    assert team.ask(team.tokens("ann", team.url, "openid library:write")["access_token"]).status_code == 403


class _Storage:
    """The storage of the protocol's client."""

    def __init__(self) -> None:
        self.tokens: OAuthToken | None = None
        self.client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


def test_the_official_client_signs_in_after_the_refusal_of_the_node(team: Team) -> None:
    team.provider.set(seconds=600, groups={"ann": ["staff"]})
    team.store(team.tokens("ann", team.url)["access_token"])
    came: list[str] = []

    async def shown(url: str) -> None:
        came.append(await asyncio.to_thread(sign_in_by_forms, url, "ann", to_the_end=False))

    async def back() -> AuthorizationCodeResult:
        given = {name: values[0] for name, values in parse_qs(urlsplit(came[-1]).query).items()}
        return AuthorizationCodeResult(code=given["code"], state=given["state"], iss=given["iss"])

    async def call() -> None:
        storage = _Storage()
        redirect = AnyUrl(f"http://127.0.0.1:{free_port()}/callback")
        metadata = OAuthClientMetadata(redirect_uris=[redirect], client_name="test", token_endpoint_auth_method="none")
        auth = OAuthClientProvider(f"{team.url}/mcp", metadata, storage, shown, back)
        client = httpx2.AsyncClient(auth=auth, trust_env=False, timeout=SECONDS)
        transport = streamable_http_client(f"{team.url}/mcp", http_client=client)
        async with client, transport as (read, write), ClientSession(read, write) as session:
            await session.initialize()
            assert "twenty-eight days" in await said(session)
        assert storage.tokens is not None and storage.tokens.refresh_token
        assert set((storage.tokens.scope or "").split()) >= {"library:read", "library:write"}
        assert len(came) == 1

    asyncio.run(call())
