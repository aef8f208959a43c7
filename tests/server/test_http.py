"""The HTTP endpoint on a real socket: access, plain JSON clients, ports, restarts, and delays for clients that guess tokens."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import mcp.types as types
import pytest
import pytest_asyncio
from mcp import MCPError

from app import caps
from app.errors import SettingsError
from app.events import CallFinished, ServerStateChanged
from app.instance import CHALLENGE_HEADER, proof_of
from app.server.calls.limits import RateLimiter
from app.server.calls.registry import Registry
from app.server.gateway import MAX_UNAUTHORISED_WAITING, UNAUTHORISED_WINDOW_SECONDS, Throttle
from app.server.http import PORTS_TRIED, HttpServer
from app.server.tools import TOOLS, build_registry
from app.settings import Settings
from tests.server import results
from tests.server.fake_engine import FakeEngine
from tests.server.transports import BEARER, MODES, TOKEN, client_of, leave, listening

ASK = {"url": results.HIVES, "query": results.QUERY}
JSON = {"Content-Type": "application/json"}


def call(tool: str = "status", arguments: dict[str, Any] | None = None, number: int = 1) -> dict[str, Any]:
    params = {"name": tool, "arguments": arguments or {}}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server() -> AsyncIterator[HttpServer]:
    settings = Settings(data_dir=Path("unused"), mcp_rate_limit_requests=10_000)
    async with listening(FakeEngine(settings=settings)) as running:
        yield running


@pytest_asyncio.fixture(loop_scope="module")
async def http(server: HttpServer) -> AsyncIterator[httpx2.AsyncClient]:
    base = server.url.removesuffix("/mcp")
    async with httpx2.AsyncClient(base_url=base, trust_env=False, verify=False) as client:
        yield client


def port_of(server: HttpServer) -> int:
    return int(server.url.split(":")[2].split("/")[0])


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"Authorization": "Bearer wrong"}, 401),
        ({"Authorization": f"Bearer {TOKEN}x"}, 401),
        ({"Authorization": f"Basic {TOKEN}"}, 401),
        ({"Authorization": TOKEN}, 401),
        ({"Authorization": "Bearer"}, 401),
        (BEARER, 200),
        ({"Authorization": f"bearer {TOKEN}"}, 200),
        ({**BEARER, "Host": "evil.example"}, 421),
        ({**BEARER, "Host": "127.0.0.1"}, 421),
        ({**BEARER, "Host": "127.0.0.1:1"}, 421),
        ({**BEARER, "Host": "localhost:PORT"}, 200),
        ({**BEARER, "Host": "LOCALHOST:PORT"}, 200),
        ({**BEARER, "Origin": "http://evil.example"}, 403),
        ({**BEARER, "Origin": "http://localhost:PORT"}, 403),
        ({**BEARER, "Origin": "null"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Host": "evil.example"}, 421),
    ],
)
@pytest.mark.parametrize("path", ["/mcp", "/_mcp"])
async def test_gate(
    server: HttpServer, http: httpx2.AsyncClient, path: str, headers: dict[str, str], status: int
) -> None:
    sent = {name: value.replace("PORT", str(port_of(server))) for name, value in headers.items()}
    response = await http.post(path, json=call(), headers=sent)
    assert response.status_code == status
    assert response.headers["content-type"] == "application/json"
    if status != 200:
        assert set(response.json()) == {"error"}
    assert "access-control-allow-origin" not in response.headers
    assert "resource_metadata" not in response.headers.get("www-authenticate", "")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 404),
        ("POST", "/mcp//", 404),
        ("GET", "/mcp/", 405),
        ("POST", "/healthz/", 404),
        ("POST", "/control/call/", 404),
        ("POST", "/mcp/initialize", 404),
        ("POST", "/mcp/tools/list", 404),
        ("POST", "/mcp/tools/call", 404),
        ("GET", "/.well-known/oauth-protected-resource", 404),
        ("GET", "/.well-known/oauth-protected-resource/mcp", 404),
        ("GET", "/.well-known/oauth-authorization-server", 404),
        ("POST", "/register", 404),
        ("GET", "/mcp", 405),
        ("DELETE", "/mcp", 405),
        ("OPTIONS", "/mcp", 405),
        ("PUT", "/_mcp", 405),
        ("POST", "/healthz", 405),
        ("GET", "/control/call", 405),
    ],
)
async def test_other_paths_and_methods_answer_json(
    http: httpx2.AsyncClient, method: str, path: str, status: int
) -> None:
    response = await http.request(method, path, headers=BEARER)
    assert response.status_code == status
    assert set(response.json()) == {"error"}
    assert ("allow" in response.headers) == (status == 405)


@pytest.mark.parametrize("path", ["/.well-known/oauth-protected-resource/mcp", "/mcp/initialize"])
async def test_unknown_paths_are_unknown_without_a_token_too(http: httpx2.AsyncClient, path: str) -> None:
    assert (await http.get(path)).status_code == 404


async def test_health_is_open_and_has_more_details_with_the_token(http: httpx2.AsyncClient) -> None:
    assert (await http.get("/healthz")).json() == {"status": "ok"}
    assert (await http.get("/healthz", headers={"Authorization": "Bearer wrong"})).json() == {"status": "ok"}
    assert set((await http.get("/healthz", headers=BEARER)).json()) == {"status", "pid", "version"}
    assert (await http.get("/healthz", headers={"Host": "evil.example"})).status_code == 421


async def test_it_proves_that_it_knows_the_token_without_showing_it(http: httpx2.AsyncClient) -> None:
    answer = (await http.get("/healthz", headers={CHALLENGE_HEADER: "0123"})).json()
    assert answer == {"status": "ok", "proof": proof_of(TOKEN, "0123", http.base_url.port or 0)}
    assert (await http.get("/healthz", headers={CHALLENGE_HEADER: "0" * 65})).json() == {"status": "ok"}


@pytest.mark.parametrize(
    "header",
    [
        *("Via: 1.1 proxy", "Forwarded: for=203.0.113.7", "X-Real-IP: 203.0.113.7", "CF-Connecting-IP: 203.0.113.7"),
        *("X-Forwarded-For: 203.0.113.7", "X-Forwarded-Host: library.example", "X-Forwarded-Proto: https"),
        *("x-forwarded-server: proxy", "X-Forwarded-For:", "Host: library.example:PORT"),
    ],
)
async def test_no_proof_for_clients_behind_a_proxy(header: str) -> None:
    settings = Settings(mcp_allowed_hosts=("library.example",))
    async with listening(FakeEngine(settings)) as server:
        name, _, value = header.replace("PORT", str(port_of(server))).partition(":")
        headers = {CHALLENGE_HEADER: "0123", name: value.strip()}
        async with httpx2.AsyncClient(base_url=server.url.removesuffix("/mcp"), trust_env=False, verify=False) as http:
            assert (await http.get("/healthz", headers=headers)).json() == {"status": "ok"}


async def test_no_proof_for_a_proxy_without_headers(server: HttpServer) -> None:
    """By default, nginx uses HTTP/1.0 to its backend and sends no headers of its own."""
    request = f"GET /healthz HTTP/1.0\r\nHost: 127.0.0.1:{port_of(server)}\r\n{CHALLENGE_HEADER}: 0123\r\n\r\n"
    reader, writer = await asyncio.open_connection("127.0.0.1", port_of(server))
    writer.write(request.encode())
    answer = await asyncio.wait_for(reader.read(), 5)
    writer.close()
    assert answer.endswith(b'{"status":"ok"}')


@pytest.mark.parametrize(("header", "status"), [({}, 200), ({"Via": "1.1 proxy"}, 404)])
async def test_without_streamable_http_bridges_on_this_machine_are_served(header: dict[str, str], status: int) -> None:
    settings = Settings(mcp_http_streamable_enabled=False)
    async with listening(FakeEngine(settings)) as server, httpx2.AsyncClient(trust_env=False, verify=False) as http:
        bridge = {**BEARER, "Accept": "application/json", "X-WebRAG-Bridge": "1", **header}
        assert (await http.post(server.url, json=call(), headers=bridge)).status_code == status


@pytest.mark.parametrize("is_chunked", [False, True])
async def test_body_over_the_limit_is_refused(http: httpx2.AsyncClient, is_chunked: bool) -> None:
    async def parts() -> AsyncIterator[bytes]:
        for _ in range(17):
            yield b"x" * (caps.MAX_REQUEST_BYTES // 16)

    content = parts() if is_chunked else b"x" * (caps.MAX_REQUEST_BYTES + 1)
    response = await http.post("/mcp", content=content, headers={**BEARER, **JSON})
    assert response.status_code == 413
    assert set(response.json()) == {"error"}


async def test_body_at_the_limit_is_read(http: httpx2.AsyncClient) -> None:
    body = json.dumps(call()).encode()
    padded = body + b" " * (caps.MAX_REQUEST_BYTES - len(body))
    assert (await http.post("/mcp", content=padded, headers={**BEARER, **JSON})).status_code == 200


async def test_an_allowed_origin_is_accepted_without_cors() -> None:
    settings = Settings(data_dir=Path("unused"), mcp_allowed_origins=("https://host.example",))
    async with (
        listening(FakeEngine(settings=settings)) as running,
        httpx2.AsyncClient(trust_env=False, verify=False) as client,
    ):
        headers = {**BEARER, "Origin": "https://host.example"}
        response = await client.post(running.url, json=call(), headers=headers)
        assert response.status_code == 200
        assert "access-control-allow-origin" not in response.headers
        headers["Origin"] = "https://host.example.evil.example"
        assert (await client.post(running.url, json=call(), headers=headers)).status_code == 403


async def test_empty_token_opens_loopback() -> None:
    async with (
        listening(FakeEngine(), token="") as running,
        httpx2.AsyncClient(trust_env=False, verify=False) as client,
    ):
        assert (await client.post(running.url, json=call())).status_code == 200


@pytest.mark.parametrize("accept", [None, "*/*", "application/json", "text/html"])
@pytest.mark.parametrize("path", ["/mcp", "/_mcp"])
async def test_bare_post_gets_one_json_body(http: httpx2.AsyncClient, path: str, accept: str | None) -> None:
    del http.headers["accept"]
    headers = {**BEARER, **({"Accept": accept} if accept else {})}
    listed = await http.post(path, json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, headers=headers)
    assert listed.headers["content-type"] == "application/json"
    registry = Registry(TOOLS)
    names = [tool["name"] for tool in listed.json()["result"]["tools"]]
    assert names == [registry.wire_name(spec) for spec in registry.listed()]
    called = await http.post(path, json=call("answer", ASK, 7), headers=headers)
    assert called.json()["id"] == 7
    assert called.json()["result"]["content"][0]["text"].startswith("[SOURCES]")


@pytest.mark.parametrize("path", ["/mcp", "/mcp/", "/_mcp/"])
@pytest.mark.parametrize(
    ("accept", "is_stream"),
    [
        *(("text/event-stream", True), ("Text/Event-Stream;q=0.5", True), ("text/event-stream, */*", True)),
        *(
            ("application/json, text/event-stream", True),
            ("*/*", False),
            ("application/*", False),
            ("text/html", False),
        ),
        *(("application/json, text/event-stream;q=0", False), ("", False)),
    ],
)
async def test_a_path_and_headers_as_users_write_them(
    http: httpx2.AsyncClient, path: str, accept: str, is_stream: bool
) -> None:
    for kind in ("application/json", "Application/JSON", 'APPLICATION/JSON ; charset="UTF-8"', "application/json;v=1"):
        headers = {**BEARER, "Accept": accept, "Content-Type": kind}
        response = await http.post(path, content=json.dumps(call("answer", ASK)), headers=headers)
        assert (response.status_code, "event-stream" in response.headers["content-type"]) == (200, is_stream)
        assert "[SOURCES]" in response.text


@pytest.mark.parametrize("kind", ["text/plain", "", "application/jsonp", "text/json", "json"])
async def test_other_kinds_of_content_are_refused(http: httpx2.AsyncClient, kind: str) -> None:
    response = await http.post("/mcp", content=b"{}", headers={**BEARER, "Content-Type": kind})
    assert response.status_code == 415


@pytest.mark.parametrize(("written", "is_read"), [(json.dumps(ASK), True), ("[]", False), ("{", False), ("3", False)])
async def test_arguments_may_be_a_json_text(http: httpx2.AsyncClient, written: str, is_read: bool) -> None:
    body = call("answer")
    body["params"]["arguments"] = written
    response = await http.post("/mcp", json=body, headers={**BEARER, "Accept": "application/json"})
    assert ("result" in response.json(), "error" in response.json()) == (is_read, not is_read)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{", -32700),
        (b"", -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"no/such/method"}', -32601),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nope"}}', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}', -32602),
        (b'[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]', -32600),
        (b"[]", -32600),
        (b"[" * 100_000, -32700),
        (b'"text"', -32600),
        (b"null", -32600),
        (b'{"id":1,"method":"tools/list"}', -32600),
        (b'{"jsonrpc":"1.0","id":1,"method":"tools/list"}', -32600),
        (b'{"jsonrpc":"2.0","id":true,"method":"tools/list"}', -32600),
        (b'{"jsonrpc":"1.0","id":"\\ud800","method":"tools/list"}', -32600),
        (b'{"jsonrpc":"2.0","id":1}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":7}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[1]}', -32600),
    ],
)
async def test_malformed_messages_get_json_rpc_errors(http: httpx2.AsyncClient, body: bytes, code: int) -> None:
    response = await http.post("/mcp", content=body, headers={**BEARER, **JSON})
    error = response.json()["error"]
    assert response.status_code < 500
    assert error["code"] == code
    assert len(error["message"]) < 200 and "pydantic" not in response.text


@pytest.mark.parametrize("accept", ["application/json", "application/json, text/event-stream"])
@pytest.mark.parametrize("half", [b"\\ud800", b"\\uDFFF", b"\xed\xa0\x80"])
async def test_half_a_surrogate_pair_is_read_as_the_replacement(
    http: httpx2.AsyncClient, accept: str, half: bytes
) -> None:
    bodies = (
        b'{"jsonrpc":"2.0","id":"HALF","method":"tools/call","params":{"name":"answer","arguments":{"url":"http://a.example","query":"HALF","HALF":["HALF"]}}}',
        b'{"jsonrpc":"2.0","id":"HALF","method":"tools/call","params":{"name":"HALF","arguments":{}}}',
        b'{"jsonrpc":"2.0","id":"HALF","method":"HALF","params":{"HALF":"HALF"}}',
        b'{"jsonrpc":"2.0","id":"HALF","method":"resources/read","params":{"uri":"webrag://HALF"}}',
    )
    for body in bodies:
        response = await http.post(
            "/mcp", content=body.replace(b"HALF", half), headers={**BEARER, **JSON, "Accept": accept}
        )
        text = response.content.decode().rpartition("data: ")[2]
        answer = json.loads(text)
        assert answer["id"] == "\ufffd"
        assert "\ufffd" in str(answer.get("error", answer.get("result")))


@pytest.mark.parametrize("accept", ["application/json", "application/json, text/event-stream"])
async def test_parameters_that_fit_no_method_are_named(http: httpx2.AsyncClient, accept: str) -> None:
    request = {"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"arguments": "secret text"}}
    response = await http.post("/mcp", json=request, headers={**BEARER, "Accept": accept})
    text = (
        response.text.rpartition("data: ")[2] if "event-stream" in response.headers["content-type"] else response.text
    )
    error = json.loads(text)["error"]
    assert error["code"] == -32602
    assert error["message"].startswith("Invalid parameters: `arguments`")
    assert error["data"]["problems"][0].startswith("`arguments`")
    assert "secret text" not in text and "pydantic" not in text


async def test_other_content_types_are_refused(http: httpx2.AsyncClient) -> None:
    response = await http.post("/mcp", content=b"{}", headers={**BEARER, "Content-Type": "text/plain"})
    assert response.status_code == 415
    assert set(response.json()) == {"error"}


@pytest.fixture
def no_time_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop the clock for the rate of calls, so that a busy machine does not matter."""
    monkeypatch.setattr("app.server.calls.limits.RateLimiter", partial(RateLimiter, clock=lambda: 0.0))


@pytest.mark.usefixtures("no_time_passes")
async def test_plain_poster_over_the_rate_gets_429_and_a_client_gets_a_result() -> None:
    settings = Settings(data_dir=Path("unused"), mcp_rate_limit_requests=2, mcp_rate_limit_window=60)
    engine = FakeEngine(settings=settings)
    async with listening(engine) as running:
        async with httpx2.AsyncClient(headers=BEARER, trust_env=False, verify=False) as poster:
            for number in range(2):
                assert (await poster.post(running.url, json=call(number=number))).status_code == 200
            refused = await poster.post(running.url, json=call(number=9))
            assert refused.status_code == 429
            assert refused.headers["retry-after"] == "30"
            assert refused.json() == {
                "jsonrpc": "2.0",
                "id": 9,
                "error": {"code": -32000, "message": "Rate limit exceeded", "data": {"retryAfter": 30}},
            }
            assert (
                await poster.post(running.url, json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
            ).status_code == 200
        async with client_of(running.url, "legacy") as client:
            outcomes = [(await client.call_tool("status", {})).is_error for _ in range(3)]
        assert outcomes == [False, False, True]


@pytest.mark.usefixtures("no_time_passes")
async def test_reading_resources_counts_as_calls() -> None:
    settings = Settings(data_dir=Path("unused"), mcp_rate_limit_requests=2, mcp_rate_limit_window=60)
    engine = FakeEngine(settings=settings)
    uri = "webrag://scratch/pinned/AAAAAAAAAAAAAAAAA"
    read = {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": uri}}
    async with listening(engine) as running:
        async with httpx2.AsyncClient(headers=BEARER, trust_env=False, verify=False) as poster:
            assert (await poster.post(running.url, json=call(number=1))).status_code == 200
            assert (await poster.post(running.url, json=read)).json()["error"]["code"] == types.INVALID_PARAMS
            refused = await poster.post(running.url, json=read)
            assert (refused.status_code, refused.json()["error"]["data"]) == (429, {"retryAfter": 30})
        async with client_of(running.url, "legacy") as client:
            assert not (await client.call_tool("status", {})).is_error
            errors = []
            for _ in range(2):
                with pytest.raises(MCPError) as caught:
                    await client.read_resource(uri)
                errors.append((caught.value.error.code, caught.value.error.data))
    assert errors == [(types.INVALID_PARAMS, {"uri": uri}), (-32000, {"retryAfter": 30})]


async def test_no_listener_remains_after_the_endpoint_stops() -> None:
    engine = FakeEngine()
    before = engine.bus._listeners
    server = HttpServer(engine, build_registry(engine.settings), token=TOKEN)
    for _ in range(3):
        await server.start()
        assert len(engine.bus._listeners) > len(before)
        await server.stop()
        assert engine.bus._listeners == before


async def test_a_client_that_disconnects_ends_the_handler() -> None:
    engine = FakeEngine(delay=30)
    async with (
        listening(engine) as running,
        httpx2.AsyncClient(headers=BEARER, trust_env=False, verify=False) as poster,
    ):
        await leave(engine, poster.post(running.url, json=call("answer", ASK), timeout=30))
        await asyncio.wait_for(engine.cancelled.wait(), 20)


@pytest.mark.parametrize("modern", [False, True])
async def test_bridge_that_closes_its_stream_ends_the_handler(modern: bool) -> None:
    """A bridge cancels like this in either era: it closes the connection."""
    engine = FakeEngine(delay=30)
    headers = {
        **BEARER,
        "Accept": "application/json, text/event-stream",
        "X-WebRAG-Client": "x/1",
        "X-WebRAG-Bridge": "9",
    }
    body = call("answer", ASK)
    if modern:
        headers |= {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "answer"}
        body["params"]["_meta"] = {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        }
    async with (
        listening(engine) as running,
        httpx2.AsyncClient(headers=headers, trust_env=False, verify=False) as bridge,
    ):
        await leave(engine, bridge.post(running.url, json=body, timeout=30))
        await asyncio.wait_for(engine.cancelled.wait(), 20)
        await asyncio.sleep(0.05)
    (ended,) = [event for event in engine.events if isinstance(event, CallFinished)]
    assert (ended.client, ended.outcome) == ("x", "cancelled")


async def test_session_tag_is_for_clients_without_a_bridge(http: httpx2.AsyncClient) -> None:
    client = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "cursor", "version": "1"},
    }
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client}
    direct = await http.post("/mcp", json=hello, headers=BEARER)
    assert direct.headers["mcp-session-id"].startswith("cursor/1~")
    bridged = await http.post("/mcp", json=hello, headers={**BEARER, "X-WebRAG-Bridge": "9"})
    assert "mcp-session-id" not in bridged.headers


@pytest.mark.parametrize("mode", MODES)
async def test_a_client_survives_a_restart_on_the_same_port(mode: str) -> None:
    engine = FakeEngine()
    running = HttpServer(engine, build_registry(engine.settings), token=TOKEN, port=0)
    url = await running.start()
    async with client_of(url, mode) as client:
        assert not (await client.call_tool("status", {})).is_error
        began = time.perf_counter()
        await running.stop()
        assert time.perf_counter() - began < 30
        again = HttpServer(engine, build_registry(engine.settings), token=TOKEN, port=port_of_url(url))
        assert await again.start() == url
        assert not (await client.call_tool("status", {})).is_error
    await again.stop()
    states = [event.url for event in engine.events if isinstance(event, ServerStateChanged)]
    assert states == [url, "", url, ""]


def port_of_url(url: str) -> int:
    return int(url.split(":")[2].split("/")[0])


async def test_same_server_starts_again() -> None:
    engine = FakeEngine()
    running = HttpServer(engine, build_registry(engine.settings), token=TOKEN, port=0)
    for _ in range(2):
        async with httpx2.AsyncClient(headers=BEARER, trust_env=False, verify=False) as client:
            assert (await client.post(await running.start(), json=call())).status_code == 200
        await running.stop()
        await running.stop()
        assert running.url == ""


async def test_taken_port_gives_way_to_the_next() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        async with listening(FakeEngine(), port=port) as running:
            assert port < port_of(running) <= port + PORTS_TRIED


async def test_unusable_address_is_an_os_error() -> None:
    engine = FakeEngine(settings=Settings(data_dir=Path("unused"), mcp_host="192.0.2.1"))
    running = HttpServer(engine, build_registry(engine.settings), token=TOKEN, host="192.0.2.1", port=0)
    with pytest.raises(OSError, match=r"."):
        await running.start()
    await running.stop()


@pytest.mark.parametrize(
    ("host", "setting", "token"),
    [
        ("0.0.0.0", "127.0.0.1", TOKEN),
        ("0.0.0.0", "0.0.0.0", ""),
        ("0.0.0.0", "0.0.0.0", "made-by-the-program-and-long-enough"),
        ("0.0.0.0", "0.0.0.0", "short"),
        ("::", "127.0.0.1", TOKEN),
        ("host.example", "", TOKEN),
    ],
)
async def test_other_machines_need_an_explicit_setting(host: str, setting: str, token: str) -> None:
    engine = FakeEngine(settings=Settings(data_dir=Path("unused"), mcp_host=setting))
    with pytest.raises(SettingsError):
        await HttpServer(engine, build_registry(engine.settings), token=token, host=host, port=0).start()


@pytest.mark.parametrize("token", ["schl\u00fcssel-of-the-server", "two words", "line\nbreak"])
async def test_a_token_that_no_client_can_send_is_refused(token: str) -> None:
    engine = FakeEngine(settings=Settings(data_dir=Path("unused")))
    with pytest.raises(SettingsError, match="can send") as caught:
        await HttpServer(engine, build_registry(engine.settings), token=token, host="127.0.0.1", port=0).start()
    assert "MCP_AUTH_TOKEN" in caught.value.hint and token not in caught.value.hint


async def test_listening_on_every_interface_is_explicit() -> None:
    settings = Settings(data_dir=Path("unused"), mcp_host="0.0.0.0", mcp_allowed_hosts=("box.lan",))
    async with (
        listening(FakeEngine(settings=settings), host="0.0.0.0") as running,
        httpx2.AsyncClient(trust_env=False, verify=False) as client,
    ):
        port = port_of(running)
        url = f"http://127.0.0.1:{port}/mcp"
        assert (await client.post(url, json=call(), headers={**BEARER, "Host": f"box.lan:{port}"})).status_code == 200
        assert (await client.post(url, json=call(), headers={**BEARER, "Host": f"0.0.0.0:{port}"})).status_code == 421


async def test_without_streamable_http_bridges_are_still_served() -> None:
    settings = Settings(data_dir=Path("unused"), mcp_http_streamable_enabled=False)
    async with (
        listening(FakeEngine(settings=settings)) as running,
        httpx2.AsyncClient(headers=BEARER, trust_env=False, verify=False) as client,
    ):
        assert (await client.post(running.url, json=call())).status_code == 404
        assert (await client.post(running.url, json=call(), headers={"X-WebRAG-Bridge": "9"})).status_code == 200


async def test_small_answers_are_not_held_back() -> None:
    """Without TCP_NODELAY every call takes at least 40 ms; on a busy machine most calls do even with it."""
    async with (
        listening(FakeEngine(settings=Settings(data_dir=Path("unused"), mcp_rate_limit_requests=10_000))) as running,
        httpx2.AsyncClient(headers=BEARER, trust_env=False, verify=False) as client,
    ):
        times = [1.0]
        while min(times) >= 0.03 and len(times) < 300:
            began = time.perf_counter()
            await client.post(running.url, json=call(number=len(times)))
            times.append(time.perf_counter() - began)
    assert min(times) < 0.03


async def test_stop_ends_running_calls() -> None:
    engine = FakeEngine(delay=60)
    async with httpx2.AsyncClient(headers=BEARER, trust_env=False, verify=False, timeout=20) as client:
        async with listening(engine) as running:
            asking = asyncio.create_task(client.post(running.url, json=call("answer", ASK)))
            await engine.entered.wait()
            began = time.perf_counter()
        assert time.perf_counter() - began < 30
        assert engine.cancelled.is_set()
        await asyncio.gather(asking, return_exceptions=True)


async def test_refusals_are_delayed_after_too_many_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.server.gateway.UNAUTHORISED_DELAY_SECONDS", 1.0)
    now = 0.0
    throttle = Throttle(clock=lambda: now)

    async def seconds() -> float:
        began = time.monotonic()
        assert await throttle.refused()
        return time.monotonic() - began

    assert max([await seconds() for _ in range(caps.MAX_UNAUTHORISED)]) < 0.9
    assert await seconds() >= 1.0
    now += UNAUTHORISED_WINDOW_SECONDS
    assert await seconds() < 0.9


async def test_the_queue_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.server.gateway.UNAUTHORISED_DELAY_SECONDS", 0.2)
    throttle = Throttle()
    total = caps.MAX_UNAUTHORISED + MAX_UNAUTHORISED_WAITING + 3
    answers = await asyncio.gather(*(throttle.refused() for _ in range(total)))
    assert answers.count(False) == 3


async def test_clients_with_the_token_are_not_delayed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.server.gateway.UNAUTHORISED_DELAY_SECONDS", 1.5)
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    async with listening(FakeEngine()) as server, httpx2.AsyncClient(trust_env=False, verify=False) as http:
        for _ in range(caps.MAX_UNAUTHORISED):
            assert (await http.post(server.url, json=body)).status_code == 401
        began = time.monotonic()
        guess = asyncio.create_task(http.post(server.url, json=body, headers={"Authorization": "Bearer guess"}))
        assert (await http.post(server.url, json=body, headers=BEARER)).status_code == 200
        assert not guess.done()
        assert (await guess).status_code == 401
        assert time.monotonic() - began >= 1.5
