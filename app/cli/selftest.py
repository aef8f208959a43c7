"""`--selftest`: every native part does its work once. For frozen builds, where parts go missing unnoticed."""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from app import __version__
from app.cli import selftest_parts as parts
from app.cli.calls import vectors_made
from app.cli.output import say

QUERY: Final = "How do I connect an assistant?"
TOKEN: Final = "selftest"


def selftest() -> int:
    """Print one line a part; the status is 1 when one of them failed."""
    failed = False
    for name, part in PARTS.items():
        began = time.perf_counter()
        try:
            say(f"ok    {name}: {part()} ({(time.perf_counter() - began) * 1000:.0f} ms)")
        except Exception as error:  # noqa: BLE001 - whatever is wrong with a part is what this is to report
            failed = True
            say(f"FAIL  {name}: {type(error).__name__}: {error}")
    return 1 if failed else 0


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
        problems = await engine.maintenance.verify()
        if problems:
            raise AssertionError(f"{problems[0].check}: {problems[0].detail}")
        totals = (await engine.status()).totals
        return f"{totals.documents} documents, {totals.chunks_embedded} of {totals.chunks} passages with vectors"
    finally:
        await engine.stop()


def _server() -> str:
    """The endpoint, and the bridge to it as an assistant starts it, in both eras of the protocol."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_list_tools(Path(folder)))


async def _list_tools(folder: Path) -> str:
    from app.engine import build_engine
    from app.instance import RuntimeInfo, hold_instance, write_runtime
    from app.server.tools import build_registry
    from app.server.transport.http import HttpServer
    from app.settings import Settings

    engine = build_engine(Settings(data_dir=folder))
    server = HttpServer(engine, build_registry(engine.settings), token=TOKEN)
    with hold_instance(folder):
        await engine.start()
        try:
            url = await server.start()
            write_runtime(folder, RuntimeInfo(url, TOKEN, os.getpid(), __version__))
            return await asyncio.to_thread(_join, folder)
        finally:
            await server.stop()
            await engine.stop()


def _join(folder: Path) -> str:
    from app.clients import Machine, server_command
    from app.clients.probe import Prober

    machine = Machine.here()
    said = []
    for era in Prober().eras(server_command(folder, machine=machine), machine.reduced_environment()):
        if era.error or not era.tools:
            raise AssertionError(f"{era.name}: {era.error or 'no tools'}")
        said.append(f"{era.name} in {era.start_ms:.0f} ms")
    return f"{len(era.tools)} tools by the bridge, {', '.join(said)}"


PARTS: Final[dict[str, Callable[[], str]]] = {
    "database": parts.database,
    "model": parts.model,
    "tokenizer": parts.tokenizer,
    "extraction": parts.extraction,
    "PDF": parts.pdf,
    "preparation": parts.preparation,
    "YAML": parts.yaml,
    "TLS": parts.tls,
    "keyring": parts.keyring,
    "watching": parts.watching,
    "licences": parts.licences,
    "corpus": _engine,
    "server": _server,
}
