"""Pages in the real browser engine, over loopback and through the proxy; one engine for all of them."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncIterator, Iterator

import psutil
import pytest
import pytest_asyncio

from app.errors import RenderError
from app.web.address import AddressPolicy
from app.web.rendering import ProcessRenderer, available
from tests.support.site import Site
from tests.web.conftest import resolver

if not available():
    pytest.skip("the optional page renderer is not installed (make setup-render)", allow_module_level=True)

pytestmark = pytest.mark.asyncio(loop_scope="module")

NAMES = resolver(page__example=["127.0.0.1"], other__example=["127.0.0.1"], localhost=["127.0.0.1"])
HEAD = "<!doctype html><html><head><title>T</title></head><body>"


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as running:
        yield running


@pytest.fixture(scope="module")
def policy() -> AddressPolicy:
    """page.example and other.example lead to loopback; no other address there is open."""
    return AddressPolicy(allow_hosts=["page.example", "other.example"], resolver=NAMES)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def renderer(policy: AddressPolicy) -> AsyncIterator[ProcessRenderer]:
    running = ProcessRenderer(policy, settle_seconds=3.0)
    yield running
    await running.aclose()


async def rendered(renderer: ProcessRenderer, site: Site, body: str) -> str:
    site.page("/page", HEAD + body.replace("{port}", str(site.port)))
    return (await renderer.render(site.url("/page", host="page.example"))).decode()


async def test_a_page_that_fills_itself_after_300_ms(renderer: ProcessRenderer, site: Site) -> None:
    site.page("/data", "<p>It was filled by a <b>script</b>.</p>", delay=0.3)
    script = "setTimeout(() => fetch('/data').then(r => r.text()).then(t => { root.innerHTML = t }), 300)"
    html = await rendered(renderer, site, f"<div id=root>Loading…</div><img src=/i.png><script>{script}</script>")
    assert '<div id="root"><p>It was filled by a <b>script</b>.</p></div>' in html
    assert [seen.path for seen in site.requests] == ["/page", "/data"], "neither image nor icon"
    assert site.requests[0].headers["user-agent"].startswith("WebRAG-Desktop/")


@pytest.mark.parametrize(
    ("script", "delay"),
    [
        ("fetch('/data').then(r => r.text()).then(show)", 0.9),
        (
            "const x = new XMLHttpRequest(); x.onload = () => show(x.responseText); x.open('GET', '/data'); x.send()",
            0.9,
        ),
        (
            "onload = () => { const s = document.createElement('script'); s.src = '/data.js'; document.head.append(s) }",
            0.9,
        ),
        ("setTimeout(() => setTimeout(() => show('late'), 900), 300)", 0),
        ("setTimeout(() => fetch('/data').then(r => r.text()).then(t => setTimeout(show, 800, t)), 800)", 0.2),
    ],
)
async def test_what_a_page_waits_for_is_waited_for(
    renderer: ProcessRenderer, site: Site, script: str, delay: float
) -> None:
    """Each of these is silent for longer than a page at rest has to be."""
    site.page("/data", "late", delay=delay)
    site.page("/data.js", "show('late')", content_type="text/javascript", delay=delay)
    shown = "const show = t => { root.textContent = t };"
    html = await rendered(renderer, site, f"<div id=root>Loading…</div><script>{shown}{script}</script>")
    assert '<div id="root">late</div>' in html


async def test_what_comes_into_view_is_there(renderer: ProcessRenderer, site: Site) -> None:
    script = (
        "requestAnimationFrame(() => { a.textContent = 'painted ' + document.visibilityState });"
        "new IntersectionObserver(e => { if (e[0].isIntersecting) b.textContent = 'in view' }).observe(b);"
    )
    html = await rendered(
        renderer, site, f"<p id=a></p><div style='height: 2000px'></div><p id=b>-</p><script>{script}</script>"
    )
    assert "painted visible" in html and "in view" in html


async def test_shadow_trees_are_laid_open(renderer: ProcessRenderer, site: Site) -> None:
    script = (
        "customElements.define('my-page', class extends HTMLElement { connectedCallback() {"
        " this.attachShadow({mode: 'open'}).innerHTML = '<h1>Head</h1><slot></slot><my-end></my-end>' } });"
        "customElements.define('my-end', class extends HTMLElement { connectedCallback() {"
        " this.attachShadow({mode: 'open'}).innerHTML = '<p>End</p>' } })"
    )
    html = await rendered(renderer, site, f"<my-page><p>Text</p></my-page><script>{script}</script>")
    assert "<my-page><h1>Head</h1><p>Text</p><my-end><p>End</p></my-end></my-page>" in html


async def test_questions_of_a_page_hold_nothing_up(renderer: ProcessRenderer, site: Site) -> None:
    script = (
        "alert(1); p.textContent = [confirm('?'), prompt('?', 'x')].join(' '); print(); window.open('/other');"
        "Notification.requestPermission().then(x => p.append(' ' + x)); onbeforeunload = () => 'stay'"
    )
    html = await rendered(renderer, site, f"<p id=p></p><script>{script}</script>")
    assert '<p id="p">false  denied</p>' in html
    assert site.count("/other") == 0


async def test_a_page_without_rest_is_taken_as_it_is(renderer: ProcessRenderer, site: Site) -> None:
    site.page("/data", "x")
    started = time.monotonic()
    html = await rendered(
        renderer,
        site,
        "<p>Text</p><i id=i></i><script>setInterval(() => { i.textContent = Math.random(); fetch('/data') }, 30)</script>",
    )
    assert "<p>Text</p>" in html
    assert 2.5 < time.monotonic() - started < 8


async def test_nothing_is_kept_from_page_to_page(renderer: ProcessRenderer, site: Site) -> None:
    script = (
        "p.textContent = (localStorage.x || 'new') + document.cookie; localStorage.x = 'old'; document.cookie = 'c=1'"
    )
    for _ in range(2):
        assert '<p id="p">new</p>' in await rendered(renderer, site, f"<p id=p></p><script>{script}</script>")


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("location = 'http://other.example:{port}/secret'", "did not load|leads to"),
        ("location = '/file'", "did not load"),
        ("const a = []; for (;;) a.push(new Array(1e6).fill(Math.random()))", "made the browser engine end"),
        ("const t = 'x'.repeat(1 << 20); for (let i = 0; i < 11; i++) document.body.append(t)", "larger than 10 MiB"),
    ],
)
async def test_pages_that_cannot_be_taken(renderer: ProcessRenderer, site: Site, script: str, reason: str) -> None:
    site.page("/file", b"\0\1\2", content_type="application/octet-stream")
    site.page("/secret", "secret")
    with pytest.raises(RenderError, match=reason):
        await rendered(renderer, site, f"<p>x</p><script>{script}</script>")
    assert "still" in await rendered(renderer, site, "<p>still here</p>")


async def test_other_schemes_go_nowhere(renderer: ProcessRenderer, site: Site) -> None:
    html = await rendered(
        renderer,
        site,
        "<pre id=o></pre><iframe src='file:///etc/passwd'></iframe><script>location = 'file:///etc/passwd';"
        "for (const u of ['file:///etc/passwd', 'chrome://version', 'qrc:/x', 'ftp://page.example/x'])"
        " fetch(u).then(() => o.append('READ'), () => o.append('no '))</script>",
    )
    assert "no no no no </pre>" in html
    assert "root:" not in html


async def test_no_way_leads_around_the_proxy(renderer: ProcessRenderer, site: Site) -> None:
    """Loopback is closed to this page but for its own port: not one packet may arrive anywhere else."""
    with Site() as other, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        udp.bind(("127.0.0.1", 0))
        udp.setblocking(False)
        port, stun = other.port, udp.getsockname()[1]
        other.page("/secret", "secret", headers={"Access-Control-Allow-Origin": "*"})
        hosts = ["127.0.0.1", "localhost", "[::1]", "2130706433", "127.1", "other.example", "page.example"]
        html = await rendered(
            renderer,
            site,
            f"""<pre id=o></pre><iframe src="http://127.0.0.1:{port}/secret"></iframe>
            <link rel=preconnect href="http://127.0.0.1:{port}"><link rel=prefetch href="http://127.0.0.1:{port}/secret">
            <link rel=stylesheet href="http://127.0.0.1:{port}/secret"><img src="http://127.0.0.1:{port}/secret">
            <script src="http://127.0.0.1:{port}/secret"></script>
            <script>
            const see = t => {{ if (t.includes('secret')) o.append('READ') }};
            for (const h of {hosts}) fetch(`http://${{h}}:{port}/secret`).then(r => r.text()).then(see, () => 0);
            for (const h of {hosts}) new WebSocket(`ws://${{h}}:{port}/secret`).onopen = () => o.append('SOCKET');
            navigator.sendBeacon('http://127.0.0.1:{port}/secret', 'x');
            new EventSource('http://127.0.0.1:{port}/secret');
            const pc = new RTCPeerConnection({{iceServers: [{{urls: 'stun:127.0.0.1:{stun}'}}]}});
            pc.createDataChannel('x'); pc.onicecandidate = e => e.candidate && o.append('CANDIDATE');
            pc.createOffer().then(d => pc.setLocalDescription(d));
            setTimeout(() => o.append('done'), 1200);
            </script>""",
        )
        assert '<pre id="o">done</pre>' in html
        assert other.requests == []
        with pytest.raises(BlockingIOError):
            udp.recv(1)


async def test_a_script_without_end_costs_the_process(policy: AddressPolicy, site: Site) -> None:
    site.page("/page", HEAD + "<p>x</p><script>for (;;);</script>")
    renderer = ProcessRenderer(policy, seconds=2.0, settle_seconds=1.0)
    before = set(psutil.pids())
    with pytest.raises(RenderError, match="not rendered within 2 seconds"):
        await renderer.render(site.url("/page", host="page.example"))
    await asyncio.sleep(0.2)
    left = [pid for pid in set(psutil.pids()) - before if _is_ours(pid)]
    assert left == []
    await renderer.aclose()


def _is_ours(pid: int) -> bool:
    try:
        process = psutil.Process(pid)
        return "QtWebEngine" in process.name() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
