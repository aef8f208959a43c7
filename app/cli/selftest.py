"""`--selftest`: every native part does its work once. For frozen builds, where parts go missing unnoticed."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from app.cli.calls import vectors_made
from app.cli.output import say

PAGE: Final = """<!doctype html><html><head><title>Valves</title></head><body><nav>Home</nav><main>
<h1>Valves</h1><p>Valves are checked every third month, and a cracked seal is exchanged within two days.</p>
<table><tr><th>Part</th><th>Days</th></tr><tr><td>Seal</td><td>2</td></tr></table></main></body></html>"""
QUERY: Final = "How do I connect an assistant?"


def selftest() -> int:
    """Print one line a part; the status is 1 when one of them failed."""
    failed = False
    for name, part in PARTS.items():
        try:
            say(f"ok    {name}: {part()}")
        except Exception as error:  # noqa: BLE001 - whatever is wrong with a part is what this is to report
            failed = True
            say(f"FAIL  {name}: {type(error).__name__}: {error}")
    return 1 if failed else 0


def _embedder() -> str:
    from app.embed import OnnxEmbedder
    from app.paths import assets_dir

    embedder = OnnxEmbedder(assets_dir() / "model")
    try:
        dimension = embedder.embed_query("one text").vector.shape[0]
        return f"{embedder.card.name}, {dimension} dimensions"
    finally:
        embedder.close()


def _extraction() -> str:
    from app.extract import extract

    page = extract(PAGE.encode(), url="https://example.org/valves", content_type="text/html", charset=None)
    if "cracked seal" not in page.text:
        raise AssertionError("the text of the page was not found")
    return f"{len(page.text)} characters"


def _engine() -> str:
    """Keyword index, vectors and the search over both, in a corpus that holds the guide."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_ask_guide(Path(folder)))


async def _ask_guide(folder: Path) -> str:
    from app.engine import build_engine
    from app.settings import Settings

    engine = build_engine(Settings(data_dir=folder))
    await engine.start()
    try:
        await vectors_made(engine)
        for mode in ("keyword", "meaning"):
            if not (await engine.search(QUERY, mode=mode)).chunks:
                raise AssertionError(f"the search by {mode} found nothing")
        problems = await engine.verify()
        if problems:
            raise AssertionError(f"{problems[0].check}: {problems[0].detail}")
        totals = (await engine.status()).totals
        return f"{totals.documents} documents, {totals.chunks_embedded} of {totals.chunks} passages with vectors"
    finally:
        await engine.stop()


def _keyring() -> str:
    import keyring

    return type(keyring.get_keyring()).__module__


def _server() -> str:
    """The protocol library over a real socket."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_list_tools(Path(folder)))


async def _list_tools(folder: Path) -> str:
    from app.engine import build_engine
    from app.server.tools import build_registry
    from app.server.transport.http import HttpServer
    from app.settings import Settings

    engine = build_engine(Settings(data_dir=folder))
    server = HttpServer(engine, build_registry(engine.settings), token="selftest")
    await engine.start()
    try:
        url = await server.start()
        return f"listened on {url}"
    finally:
        await server.stop()
        await engine.stop()


PARTS: Final[dict[str, Callable[[], str]]] = {
    "model": _embedder,
    "extraction": _extraction,
    "corpus": _engine,
    "keyring": _keyring,
    "server": _server,
}
