"""The proxy of the page renderer, addressed byte by byte as a browser would."""

from __future__ import annotations

import asyncio
import base64
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import caps
from app.errors import AddressDeniedError
from app.web.address import AddressPolicy
from app.web.render_proxy import RefusalError, RenderProxy, parse_request
from tests.support.site import Exchange, Site
from tests.web.conftest import resolver

Ask = Callable[..., Awaitable[bytes]]

NAMES = resolver(
    page__example=["127.0.0.1"],
    other__example=["127.0.0.1"],
    inside__example=["10.0.0.1"],
    mixed__example=["93.184.215.14", "10.0.0.1"],
    public__example=["93.184.215.14"],
    meta__example=["169.254.169.254"],
)


@pytest.fixture
async def proxy() -> AsyncIterator[RenderProxy]:
    """page.example and other.example are opened by name, and no other non-public address."""
    running = RenderProxy(AddressPolicy(allow_hosts=["page.example", "other.example"], resolver=NAMES))
    await running.start()
    yield running
    await running.aclose()


@pytest.fixture
async def opened() -> AsyncIterator[RenderProxy]:
    """Loopback and a private network are opened."""
    running = RenderProxy(AddressPolicy(["127.0.0.0/8", "10.0.0.0/8"], resolver=NAMES))
    await running.start()
    yield running
    await running.aclose()


@pytest.fixture
def ask(proxy: RenderProxy) -> Ask:
    return asking(proxy)


@pytest.fixture
def ask_opened(opened: RenderProxy) -> Ask:
    return asking(opened)


def asking(proxy: RenderProxy) -> Ask:
    """Send one message and read until the proxy closes the connection."""

    async def send(text: str, *, known: bool = True, body: bytes = b"") -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
        proof = base64.b64encode(f"{proxy.user}:{proxy.password}".encode()).decode()
        extra = f"Proxy-Authorization: Basic {proof}\r\n" if known else ""
        writer.write(f"{text}\r\n{extra}\r\n".encode() + body)
        try:
            return await asyncio.wait_for(reader.read(), 30)
        finally:
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

    return send


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


async def test_the_proxy_forwards_a_page_and_its_data(proxy: RenderProxy, ask: Ask, site: Site) -> None:
    site.page("/a?b=%2F", "hello")
    async with proxy.visit(site.url("/", host="page.example")):
        answer = await ask(
            f"GET {site.url('/a?b=%2F', host='page.example')} HTTP/1.1\r\nHost: wrong\r\nProxy-Connection: keep-alive\r\nX-A: 1"
        )
    assert answer.endswith(b"\r\n\r\nhello")
    seen = site.requests[0]
    assert (seen.path, seen.headers["host"]) == ("/a?b=%2F", f"page.example:{site.port}")
    assert (seen.headers["connection"], seen.headers["x-a"]) == ("close", "1")
    assert {"proxy-authorization", "proxy-connection"}.isdisjoint(seen.headers)


async def test_request_bodies_are_forwarded(proxy: RenderProxy, ask: Ask, site: Site) -> None:
    def echo(exchange: Exchange) -> None:
        exchange.send(exchange.handler.rfile.read(int(exchange.request.headers["content-length"])))

    site.on("/echo", echo)
    async with proxy.visit(site.url("/", host="page.example")):
        url = site.url("/echo", host="page.example")
        answer = await ask(f"POST {url} HTTP/1.1\r\nContent-Length: 11", body=b"hello worldSMUGGLED")
    assert answer.endswith(b"\r\n\r\nhello world")


async def test_a_tunnel_carries_both_directions(proxy: RenderProxy, ask: Ask, site: Site) -> None:
    site.page("/a", "through the tunnel")
    inner = f"GET /a HTTP/1.1\r\nHost: page.example:{site.port}\r\nConnection: close\r\n\r\n".encode()
    async with proxy.visit(site.url("/", host="page.example")):
        answer = await ask(f"CONNECT page.example:{site.port} HTTP/1.1", body=inner)
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert answer.endswith(b"through the tunnel")


@pytest.mark.parametrize(
    "credentials", ["", "Basic !!!", "Basic " + base64.b64encode(b"renderer:x").decode(), "Bearer x"]
)
async def test_other_programs_on_the_computer_are_rejected(
    proxy: RenderProxy, ask: Ask, site: Site, credentials: str
) -> None:
    site.page("/a", "secret")
    header = f"\r\nProxy-Authorization: {credentials}" if credentials else ""
    async with proxy.visit(site.url("/", host="page.example")):
        for line in (
            f"GET {site.url('/a', host='page.example')} HTTP/1.1",
            f"CONNECT page.example:{site.port} HTTP/1.1",
        ):
            assert status(await ask(line + header, known=False)) == 407
    assert site.requests == []


async def test_nothing_passes_between_visits(proxy: RenderProxy, ask: Ask, site: Site) -> None:
    site.page("/a", "x")
    line = f"GET {site.url('/a', host='page.example')} HTTP/1.1"
    assert status(await ask(line)) == 403
    async with proxy.visit(site.url("/", host="page.example")):
        assert status(await ask(line)) == 200
    assert status(await ask(line)) == 403
    assert site.count("/a") == 1


async def test_a_connection_does_not_outlive_its_visit(proxy: RenderProxy, ask: Ask, site: Site) -> None:
    site.hang("/hang")
    async with proxy.visit(site.url("/", host="page.example")):
        hanging = asyncio.create_task(ask(f"GET {site.url('/hang', host='page.example')} HTTP/1.1"))
        idle = asyncio.create_task(ask("", known=False))
        await asyncio.sleep(0.1)
    assert await asyncio.wait_for(hanging, 30) == b""
    await asyncio.wait_for(idle, 30)


CLOSED = (
    *("127.0.0.1", "127.1", "2130706433", "0x7f.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "10.0.0.1"),
    *("169.254.169.254", "[fd00:ec2::254]", "0.0.0.0", "[fe80::1]", "[64:ff9b::7f00:1]", "100.64.0.1"),
    *("inside.example", "mixed.example", "meta.example", "nowhere.example"),
)


@pytest.mark.parametrize("host", CLOSED)
@pytest.mark.parametrize("line", ["GET http://{host}:{port}/secret HTTP/1.1", "CONNECT {host}:{port} HTTP/1.1"])
async def test_blocked_addresses_are_rejected(proxy: RenderProxy, ask: Ask, site: Site, host: str, line: str) -> None:
    async with proxy.visit(site.url("/", host="page.example")):
        assert status(await ask(line.format(host=host, port=site.port))) == 403
    assert site.requests == []


@pytest.mark.parametrize("url", ["http://10.0.0.1/", "http://inside.example/", "http://169.254.169.254/"])
async def test_a_blocked_page_is_not_visited(proxy: RenderProxy, url: str) -> None:
    with pytest.raises(AddressDeniedError):
        async with proxy.visit(url):
            pytest.fail("must not begin")


@pytest.mark.parametrize("target", ["http://10.0.0.1/", "http://inside.example/", "http://127.0.0.1:{port}/a"])
async def test_a_public_page_reaches_no_opened_network(
    opened: RenderProxy, ask_opened: Ask, site: Site, target: str
) -> None:
    """A network that a user opened is not open to the scripts of public pages."""
    site.page("/a", "internal")
    async with opened.visit("http://public.example/"):
        assert status(await ask_opened(f"GET {target.format(port=site.port)} HTTP/1.1")) == 403
    assert site.requests == []


async def test_local_services_are_reachable_only_by_their_own_pages(proxy: RenderProxy, ask: Ask, site: Site) -> None:
    with Site() as other:
        other.page("/a", "another service")
        async with proxy.visit(site.url("/", host="page.example")):
            for target in (other.url("/a", host="page.example"), site.url("/a", host="other.example")):
                assert status(await ask(f"GET {target} HTTP/1.1")) == 403
        assert other.requests == site.requests == []


async def test_a_name_is_pinned_to_the_address_that_was_checked(site: Site) -> None:
    """Each connection resolves the name once and uses that address; the next one is checked again."""
    answers = [["127.0.0.1"], ["127.0.0.1"], ["10.0.0.1"]]

    async def fickle(host: str, port: int) -> list[str]:
        return answers.pop(0)

    site.page("/a", "x")
    proxy = RenderProxy(AddressPolicy(["127.0.0.0/8"], resolver=fickle))
    await proxy.start()
    proof = base64.b64encode(f"{proxy.user}:{proxy.password}".encode()).decode()
    line = f"GET {site.url('/a', host='p.example')} HTTP/1.1\r\nProxy-Authorization: Basic {proof}\r\n\r\n"
    statuses = []
    async with proxy.visit(site.url("/", host="p.example")):
        for _ in range(2):
            reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
            writer.write(line.encode())
            statuses.append(status(await reader.read()))
            writer.close()
    await proxy.aclose()
    assert statuses == [200, 403]
    assert answers == []
    assert site.count("/a") == 1


async def test_the_data_that_a_page_loads_is_limited(
    proxy: RenderProxy, ask: Ask, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.web.render_proxy.MAX_RENDER_TRAFFIC_BYTES", 300_000)
    site.endless("/endless")
    async with proxy.visit(site.url("/", host="page.example")):
        line = f"GET {site.url('/endless', host='page.example')} HTTP/1.1"
        assert 100_000 < len(await ask(line)) < 400_000
        assert len(await ask(line)) < 1_000
    async with proxy.visit(site.url("/", host="page.example")):
        assert len(await ask(line)) > 100_000


async def test_connections_of_a_page_are_counted(
    proxy: RenderProxy, ask: Ask, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.web.render_proxy.MAX_RENDER_CONNECTIONS", 3)
    site.page("/a", "x")
    async with proxy.visit(site.url("/", host="page.example")):
        line = f"GET {site.url('/a', host='page.example')} HTTP/1.1"
        assert [status(await ask(line)) for _ in range(5)] == [200, 200, 200, 429, 429]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("GET file:///etc/passwd HTTP/1.1", 400),
        ("GET /relative HTTP/1.1", 400),
        ("GET https://page.example/ HTTP/1.1", 400),
        ("GET http://user@page.example/ HTTP/1.1", 400),
        ("GET http://page.example:0/ HTTP/1.1", 400),
        ("GET http:///x HTTP/1.1", 400),
        ("GET http://[::1/ HTTP/1.1", 400),
        ("CONNECT page.example HTTP/1.1", 400),
        ("CONNECT page.example:99999 HTTP/1.1", 400),
        ("CONNECT a@page.example:443 HTTP/1.1", 400),
        ("PUT http://page.example/ HTTP/1.1", 405),
        ("DELETE http://page.example/ HTTP/1.1", 405),
        ("TRACE http://page.example/ HTTP/1.1", 405),
        ("GET http://page.example/ HTTP/2", 400),
        ("nonsense", 400),
        ("GET http://page.example/ HTTP/1.1\r\n folded: 1", 400),
        ("GET http://page.example/ HTTP/1.1\r\nno colon", 400),
        ("POST http://page.example/ HTTP/1.1\r\nTransfer-Encoding: chunked", 411),
        ("POST http://page.example/ HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 4", 411),
        ("POST http://page.example/ HTTP/1.1\r\nContent-Length: -3", 411),
        ("POST http://page.example/ HTTP/1.1\r\nContent-Length: " + "9" * 5_000, 411),
    ],
)
async def test_unknown_protocol_messages_are_rejected(proxy: RenderProxy, ask: Ask, line: str, code: int) -> None:
    async with proxy.visit("http://page.example/"):
        assert status(await ask(line)) == code


async def test_a_head_without_end_is_cut_off(proxy: RenderProxy, site: Site) -> None:
    async with proxy.visit(site.url("/", host="page.example")):
        reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
        with contextlib.suppress(ConnectionError):
            for _ in range(64):
                writer.write(b"x" * 64 * caps.KIB)
                await writer.drain()
            assert await asyncio.wait_for(reader.read(), 30) == b""
        writer.close()


@given(st.binary(max_size=200))
def test_any_request_head_is_parsed_or_rejected(raw: bytes) -> None:
    proof = base64.b64encode(b"u:p")
    for head in (raw, b"GET " + raw + b" HTTP/1.1\r\nProxy-Authorization: Basic " + proof + b"\r\n\r\n"):
        with contextlib.suppress(RefusalError):
            request = parse_request(head, "u:p")
            assert 0 < request.port < 65_536
            assert request.head.count(b"\r\n\r\n") == (0 if request.is_tunnel else 1)
