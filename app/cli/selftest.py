"""The option `--selftest`: use every native part once. Frozen builds can lack parts without notice.

Each part returns a description or raises an error.
"""

from __future__ import annotations

import asyncio
import json
import os
import ssl
import struct
import tempfile
import time
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

from app import __version__
from app.cli.calls import vectors_made
from app.cli.output import say

PAGE: Final = """<!doctype html><html><head><title>Valves</title></head><body><nav>Home</nav><main>
<h1>Valves</h1><p>Valves are checked every third month, and a cracked seal is exchanged within two days.</p>
<table><tr><th>Part</th><th>Days</th></tr><tr><td>Seal</td><td>2</td></tr></table></main></body></html>"""
ENGLISH: Final = "cracked seal"
NOT_ASCII: Final = "brüchige Dichtung für größere Ventile"
ADDRESS: Final = "https://example.org/valves"
WORDS: Final = "A cracked seal is exchanged within two days."
PDF: Final = b"""%PDF-1.4
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >> endobj
4 0 obj << >> stream
BT /F1 12 Tf 72 700 Td (WORDS) Tj ET
endstream endobj
5 0 obj << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> endobj
trailer << /Size 6 /Root 1 0 R >>
%%EOF
"""
"""One page. Readers find its objects without a table of their positions."""
YAML_FILE: Final = "extensions:\n  # kept\n  other: {enabled: true}\n"
FEWEST_AUTHORITIES: Final = 30


def database() -> str:
    """SQLite with its keyword index."""
    from app.corpus.checks import probe_database

    return probe_database()


def model() -> str:
    """Compare vectors of the included model with the reference."""
    from app.embed.embedder import LOWEST_COSINE, load_reference
    from app.embed.onnx import OnnxEmbedder
    from app.paths import assets_dir, model_dir

    with closing(OnnxEmbedder(model_dir())) as embedder:
        reference = load_reference(assets_dir())
        if reference is None:
            raise AssertionError("the reference vectors are missing")
        pairs = zip(reference.texts, reference.vectors, strict=True)
        cosine = min(float(embedder.embed_query(text).vector @ vector) for text, vector in pairs)
    if cosine < LOWEST_COSINE:
        raise AssertionError(f"the vectors are wrong (cosine {cosine:.4f} to the reference)")
    return f"{embedder.card.name}, cosine {cosine:.4f} to the reference"


def tokenizer() -> str:
    """Count tokens with the tokenizer of the model."""
    from app.embed.onnx import OnnxEmbedder
    from app.paths import model_dir

    with closing(OnnxEmbedder(model_dir())) as embedder:
        (count,) = embedder.count_tokens_batch([WORDS])
    if not len(WORDS.split()) <= count <= len(WORDS):
        raise AssertionError(f"{count} tokens in a sentence of {len(WORDS.split())} words")
    return f"{count} tokens in a sentence of {len(WORDS.split())} words"


def extraction() -> str:
    """Parse HTML, with a declared and a guessed encoding."""
    from app.extract import extract

    page = extract(PAGE.encode(), url=ADDRESS, content_type="text/html", charset=None)
    undeclared = PAGE.replace(ENGLISH, NOT_ASCII).encode("cp1252")
    guessed = extract(undeclared, url=ADDRESS, content_type="text/html", charset=None)
    if ENGLISH not in page.text or NOT_ASCII not in guessed.text:
        raise AssertionError("the text of the page is missing")
    return f"{len(page.text)} characters of HTML"


def pdf() -> str:
    """Read a PDF file."""
    from app.extract import extract

    page = extract(
        PDF.replace(b"WORDS", WORDS.encode()), url=f"{ADDRESS}.pdf", content_type="application/pdf", charset=None
    )
    if WORDS not in page.text:
        raise AssertionError("the text of the file is missing")
    return f"{len(page.text)} characters of PDF"


def preparation() -> str:
    """Read a body in the preparation process."""
    from app.ingest.preparation import WorkerProcess, worker_command
    from app.ingest.prepared import Body, PictureBody
    from app.text.tokens import ChunkingLimits

    process = WorkerProcess(worker_command())
    try:
        body = Body(PAGE.encode(), ADDRESS, "text/html")
        prepared = process.ask(body, ChunkingLimits(256, lambda texts: [len(text.split()) for text in texts]))
        picture = process.picture(PictureBody(picture_file(), ADDRESS))
    finally:
        process.end()
    passages = f"{len(prepared.chunks)} passage{'' if len(prepared.chunks) == 1 else 's'}"
    return f"{passages} and a picture of {picture.width} × {picture.height} pixels from another process"


def yaml() -> str:
    """Edit a YAML configuration file."""
    from app.clients.yaml_edit import load, set_member

    entry = {"cmd": "webrag"}
    changed = set_member(YAML_FILE, ["extensions", "webrag"], entry)
    if "# kept" not in changed or load(changed)["extensions"]["webrag"] != entry:
        raise AssertionError(f"wrong file content: {json.dumps(changed)}")
    return "an entry was added, the rest kept"


def tls() -> str:
    """Check that certificates can be verified."""
    from app.web.exchange import tls_context

    context = tls_context()
    known = context.cert_store_stats()["x509_ca"]
    if context.verify_mode is not ssl.CERT_REQUIRED or not context.check_hostname or known < FEWEST_AUTHORITIES:
        raise AssertionError(f"certificates cannot be verified ({known} authorities)")
    return f"{ssl.OPENSSL_VERSION}, {known} authorities"


def keyring() -> str:
    """Report where secrets are stored. A computer without a keyring passes."""
    import keyring as library

    return type(library.get_keyring()).__module__


def watching() -> str:
    """Use the libraries for watching folders and inspecting processes."""
    import psutil
    import watchfiles

    if not psutil.pid_exists(psutil.Process().pid):
        raise AssertionError("this process is missing")
    return f"watchfiles {watchfiles.VERSION}, psutil {psutil.__version__}"


def licences() -> str:
    """List the packages with their licenses, which the licenses require."""
    from app.engine.licences import packages

    found = {each.name.lower(): each for each in packages()}
    if missing := {"python", "numpy", "onnxruntime", "pyside6_essentials"} - found.keys():
        raise AssertionError(f"not listed: {', '.join(sorted(missing))}")
    if silent := [name for name, each in found.items() if not each.licence]:
        raise AssertionError(f"without a license: {', '.join(silent)}")
    return f"{len(found)} packages, each with its license"


def picture_file() -> bytes:
    """Return a PNG of 32 by 32 gray pixels."""
    rows = b"".join(b"\0" + bytes([128]) * 32 for _ in range(32))
    parts = ((b"IHDR", struct.pack(">IIBBBBB", 32, 32, 8, 0, 0, 0, 0)), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    made = (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(made)


QUERY: Final = "How do I connect an assistant?"
TOKEN: Final = "selftest"


def selftest() -> int:
    """Print one line per part. The status is 1 if any part failed."""
    failed = False
    for name, part in PARTS.items():
        began = time.perf_counter()
        try:
            say(f"ok    {name}: {part()} ({(time.perf_counter() - began) * 1000:.0f} ms)")
        except Exception as error:  # noqa: BLE001 - the self-test reports every error
            failed = True
            say(f"FAIL  {name}: {type(error).__name__}: {error}")
    return 1 if failed else 0


def _engine() -> str:
    """Index the guide and search it by keyword and by meaning."""
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
                raise AssertionError(f"the {mode} search found nothing")
        problems = await engine.maintenance.verify()
        if problems:
            raise AssertionError(f"{problems[0].check}: {problems[0].detail}")
        totals = (await engine.status()).totals
        return f"{totals.documents} documents, {totals.chunks_embedded} of {totals.chunks} passages embedded"
    finally:
        await engine.stop()


def _server() -> str:
    """Start the bridge as an assistant does and list the tools, with both versions of the protocol."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_list_tools(Path(folder)))


async def _list_tools(folder: Path) -> str:
    from app.engine import build_engine
    from app.instance import RuntimeInfo, hold_instance, write_runtime
    from app.server.http import HttpServer
    from app.server.tools import build_registry
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
    from app.clients.probe import Prober
    from app.clients.profile import Machine, server_command

    machine = Machine.here()
    said = []
    for era in Prober().eras(server_command(folder, machine=machine), machine.reduced_environment()):
        if era.error or not era.tools:
            raise AssertionError(f"{era.name}: {era.error or 'no tools'}")
        said.append(f"{era.name} in {era.start_ms:.0f} ms")
    return f"{len(era.tools)} tools through the bridge, {', '.join(said)}"


PARTS: Final[dict[str, Callable[[], str]]] = {
    "database": database,
    "model": model,
    "tokenizer": tokenizer,
    "extraction": extraction,
    "PDF": pdf,
    "preparation": preparation,
    "YAML": yaml,
    "TLS": tls,
    "keyring": keyring,
    "watching": watching,
    "licences": licences,
    "corpus": _engine,
    "server": _server,
}
