"""The renderer as the program uses it, with a stand-in for the browser engine."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import sys
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from app.errors import AddressDeniedError, InvalidURLError, RenderError
from app.slots import NetworkSlots
from app.web import rendering
from app.web.address import AddressPolicy
from app.web.records import Occasion
from app.web.rendering import ProcessRenderer
from tests.web.conftest import LOOPBACK

COMMAND = [sys.executable, str(Path(__file__).with_name("render_process.py"))]
MakeRenderer = Callable[..., ProcessRenderer]


@pytest.fixture
async def make() -> AsyncIterator[MakeRenderer]:
    made: list[ProcessRenderer] = []

    def build(slots: NetworkSlots | None = None, **options: Any) -> ProcessRenderer:
        options = {"command": COMMAND, "seconds": 5.0, **options}
        made.append(ProcessRenderer(AddressPolicy(LOOPBACK), slots, **options))
        return made[-1]

    yield build
    for renderer in made:
        await renderer.aclose()


def url(path: str) -> str:
    return f"http://127.0.0.1{path}"


def is_there(path: str) -> bool:
    return Path(path).exists()


async def environment(renderer: ProcessRenderer) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(await renderer.render(url("/environment")))
    return told


async def test_pages_come_from_one_process(make: MakeRenderer) -> None:
    renderer = make()
    assert await renderer.render(url("/a")) == b"<p>page</p>"
    assert len(await renderer.render(url("/large"))) == 3 << 20
    assert (await environment(renderer))["pid"] == (await environment(renderer))["pid"]


async def test_the_process_gets_a_clean_environment(make: MakeRenderer, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "https_proxy", "OPENAI_API_KEY", "WEBRAG_TOKEN", "DISPLAY", "SSH_AUTH_SOCK"):
        monkeypatch.setenv(name, "http://secret.example")
    told = await environment(make())
    assert "secret.example" not in json.dumps(told)
    assert told["HOME"] != os.environ["HOME"]
    assert told["proxy_password"] not in json.dumps(
        [told["argv"], *(os.environ.values()), told["QTWEBENGINE_CHROMIUM_FLAGS"]]
    )
    flags = told["QTWEBENGINE_CHROMIUM_FLAGS"]
    assert "--proxy-server=http://127.0.0.1:" in flags
    assert "--proxy-bypass-list=<-loopback>" in flags


async def test_a_page_that_fails_leaves_the_process(make: MakeRenderer) -> None:
    renderer = make()
    before = (await environment(renderer))["pid"]
    with pytest.raises(RenderError, match="the page did not load") as caught:
        await renderer.render(url("/fails"))
    assert "printable" in caught.value.hint
    assert (await environment(renderer))["pid"] == before


@pytest.mark.parametrize("path", ["/ends", "/garbage", "/stale", "/huge", "/negative", "/long", "/short", "/nested"])
async def test_a_process_with_invalid_output_is_replaced(make: MakeRenderer, path: str) -> None:
    renderer = make()
    told = await environment(renderer)
    with pytest.raises(RenderError, match="crashed while reading"):
        await renderer.render(url(path))
    assert not psutil.pid_exists(told["pid"])
    assert not is_there(told["HOME"])
    assert await renderer.render(url("/a")) == b"<p>page</p>"


async def test_a_system_without_a_sandbox_is_named(make: MakeRenderer) -> None:
    with pytest.raises(RenderError, match="cannot use its sandbox") as caught:
        await make().render(url("/sandbox"))
    assert "namespaces" in caught.value.hint


async def test_a_page_that_takes_too_long_ends_the_process(make: MakeRenderer) -> None:
    renderer = make(seconds=0.8)
    told = await environment(renderer)
    started = time.monotonic()
    with pytest.raises(RenderError, match="not rendered within"):
        await renderer.render(url("/hang"))
    assert time.monotonic() - started < 15
    assert not psutil.pid_exists(told["pid"])
    assert await renderer.render(url("/a")) == b"<p>page</p>"


async def test_cancelling_leaves_nothing_running(make: MakeRenderer) -> None:
    slots = NetworkSlots(1)
    renderer = make(slots)
    told = await environment(renderer)
    waiting = asyncio.create_task(renderer.render(url("/hang")))
    await asyncio.sleep(0.2)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert not psutil.pid_exists(told["pid"])
    assert await asyncio.wait_for(renderer.render(url("/a")), 30) == b"<p>page</p>"


async def test_an_idle_renderer_process_ends(make: MakeRenderer) -> None:
    renderer = make(idle_seconds=0.2)
    told = await environment(renderer)
    with pytest.raises(RenderError):
        await renderer.render(url("/fails"))
    assert psutil.pid_exists(told["pid"])
    await asyncio.sleep(0.5)
    assert not psutil.pid_exists(told["pid"])
    assert not is_there(told["HOME"])
    assert await renderer.render(url("/a")) == b"<p>page</p>"


async def test_closing_ends_a_running_page(make: MakeRenderer) -> None:
    renderer = make()
    told = await environment(renderer)
    waiting = asyncio.create_task(renderer.render(url("/hang")))
    await asyncio.sleep(0.2)
    await asyncio.wait_for(renderer.aclose(), 30)
    with pytest.raises(RenderError):
        await waiting
    assert not psutil.pid_exists(told["pid"])


async def test_pages_hold_a_slot_and_come_one_after_the_other(make: MakeRenderer) -> None:
    slots = NetworkSlots(1)
    renderer = make(slots)
    async with slots.hold(urgent=True):
        waiting = [asyncio.create_task(renderer.render(url("/a"))) for _ in range(3)]
        await asyncio.sleep(0.3)
        assert not any(task.done() for task in waiting)
    assert await asyncio.wait_for(asyncio.gather(*waiting), 30) == [b"<p>page</p>"] * 3


async def test_an_awaited_page_comes_first(make: MakeRenderer) -> None:
    slots, order = NetworkSlots(1), list[Occasion]()
    renderer = make(slots)

    async def rendered(occasion: Occasion) -> None:
        await renderer.render(url("/a"), occasion)
        order.append(occasion)

    async with slots.hold(urgent=True):
        crawl = [asyncio.create_task(rendered(kind)) for kind in (Occasion.AUTOMATIC, Occasion.LISTED)]
        await asyncio.sleep(0)
        question = asyncio.create_task(rendered(Occasion.NAMED))
        await asyncio.sleep(0)
    await asyncio.wait_for(asyncio.gather(*crawl, question), 30)
    assert order == [Occasion.NAMED, Occasion.AUTOMATIC, Occasion.LISTED]


async def test_waiting_for_the_renderer_does_not_hold_a_slot(make: MakeRenderer) -> None:
    slots = NetworkSlots(2)
    renderer = make(slots)
    waiting = [asyncio.create_task(renderer.render(url(path))) for path in ("/hang", "/a")]
    await asyncio.sleep(0.1)
    async with asyncio.timeout(60), slots.hold(urgent=False):
        await renderer.aclose()
    assert all(isinstance(each, RenderError) for each in await asyncio.gather(*waiting, return_exceptions=True))


async def test_nothing_is_started_after_closing(make: MakeRenderer) -> None:
    renderer = make()
    waiting = [asyncio.create_task(renderer.render(url(path))) for path in ("/hang", "/a")]
    await asyncio.sleep(0.2)
    await renderer.aclose()
    assert all(isinstance(each, RenderError) for each in await asyncio.gather(*waiting, return_exceptions=True))
    assert renderer._process is None


@pytest.mark.parametrize("path", ["/elsewhere", "/about"])
async def test_a_page_that_leaves_its_site_is_rejected(make: MakeRenderer, path: str) -> None:
    with pytest.raises(RenderError, match=r"redirect to (http://other\.example|about:blank)"):
        await make().render(url(path))


async def test_blocked_and_foreign_image_addresses_are_not_requested(make: MakeRenderer) -> None:
    renderer = make()
    with pytest.raises(AddressDeniedError):
        await renderer.render("http://169.254.169.254/environment")
    for other in ("file:///etc/passwd", "chrome://version", "javascript:alert(1)"):
        with pytest.raises(InvalidURLError):
            await renderer.render(other)


async def test_a_missing_program_is_an_error(make: MakeRenderer) -> None:
    with pytest.raises(RenderError, match="could not be started"):
        await make(command=["/nowhere/renderer"]).render(url("/a"))


async def test_without_the_engine_the_error_has_a_hint(make: MakeRenderer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rendering.importlib.util, "find_spec", lambda name: None)  # type: ignore[attr-defined]
    assert not rendering.available()
    with pytest.raises(RenderError, match="not installed") as caught:
        await make(command=()).render(url("/a"))
    assert "WebRAG extension" in caught.value.hint


def test_checking_for_the_engine_does_not_load_it() -> None:
    assert rendering.available() is (importlib.util.find_spec("PySide6.QtWebEngineCore") is not None)
    assert "PySide6.QtWebEngineCore" not in sys.modules
