"""A made home of an earlier version: settings, assistants, secrets, paired browsers, joined libraries, and a library of many pages.

The earlier version reads, splits and embeds some pages and pins passages. SQL then copies these pages to other addresses until the library
is large, with the triggers of that version, so that indexes and counts stay right.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import pydoc
import re
import shutil
import sqlite3
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from xml.sax.saxutils import escape

import apsw

from app.corpus.vectors import ROWS_PER_CHUNK
from support.old_programs import Program, Server, data_dir
from support.sites import serve_folder

PAGE_CHARS: Final = 30_000
LEAST_CHARS: Final = 6_000
LINKS: Final = 20
EMBED_POLL_SECONDS: Final = 1.0
QUESTIONS: Final = (
    "How do I parse command line options with subcommands?",
    "decode bytes with a codec and error handler",
    "How is a task of the event loop canceled?",
    "read rows of a comma separated file as dictionaries",
    "shared memory between processes",
    "Which exception is raised if a header cannot be parsed?",
    "compress data with a window size",
    "format a date in another time zone",
)
PINNED: Final = 5
CRAWLED: Final = "http://%"  # The addresses of the crawled pages; the guide and imported files have others.
HOST: Final = "SELECT substr(url, 1, 7 + instr(substr(url, 8), '/')) FROM documents WHERE url LIKE ? LIMIT 1"
TABLES: Final = [
    *(
        "documents",
        "document_texts",
        "aliases",
        "sections",
        "links",
        "images",
        "navigation",
        "document_flags",
        "mentions",
    ),
    *("chunks", "embeddings", "embedding_bits", "token_vectors", "token_parts", "token_rows"),
]
"""Tables of a page, parents first."""
ORIGIN: Final = "chrome-extension://abcdefghijklmnopabcdefghijklmnop"
PAIR: Final = """
import sys
from pathlib import Path
from app.browsers import PairedBrowsers
known = PairedBrowsers(Path(sys.argv[1]))
print(known.pair(known.new_code(), sys.argv[2], "Chrome").token)
"""
JOIN: Final = """
import sys
from pathlib import Path
from app.remote.joined import JoinedLibraries, JoinedLibrary
JoinedLibraries(Path(sys.argv[1])).put(JoinedLibrary("team", "https://library.example:8443", "Team", is_on=False))
"""
CONFIGS: Final = {
    ".config/Claude/claude_desktop_config.json": {
        "mcpServers": {"other": {"command": "/usr/bin/other", "args": ["-x"]}}
    },
    ".cursor/mcp.json": {"mcpServers": {}},
    ".claude.json": {"numStartups": 3},
}
SETTINGS: Final = {"allow_networks": "127.0.0.0/8", "stale_after_days": "30", "mcp_snippet_length": "240"}


def write_site(folder: Path, pages: int) -> None:
    """Write HTML pages with the documentation of modules of the standard library, and an index of them."""
    folder.mkdir(parents=True, exist_ok=True)
    written: list[str] = []
    for name in _modules():
        if len(written) == pages:
            break
        text = _documentation(name)
        if len(text) < LEAST_CHARS:
            continue
        blocks = "".join(_block(each) for each in text[:PAGE_CHARS].split("\n\n"))
        links = "".join(f'<li><a href="{each}.html">{each}</a></li>' for each in written[-LINKS:])
        page = f"<title>{name}: a module of Python</title><h1>{name}</h1>{blocks}<h2>More modules</h2><ul>{links}</ul>"
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
        written.append(name)
    items = "".join(f'<li><a href="{name}.html">{name}</a></li>' for name in written)
    (folder / "index.html").write_text(f"<title>Modules</title><h1>Modules</h1><ul>{items}</ul>", encoding="utf-8")


def _modules() -> Iterator[str]:
    skipped = {"antigravity", "idlelib", "lib2to3", "this", "tkinter", "turtle", "turtledemo"}
    names = sorted(name for name in sys.stdlib_module_names if not name.startswith("_") and name not in skipped)
    yield from names
    for name in ("asyncio", "email", "json", "logging", "multiprocessing", "unittest", "xml.dom", "importlib"):
        path = next(iter(importlib.import_module(name).__path__))
        yield from (f"{name}.{each.stem}" for each in sorted(Path(path).glob("[a-z]*.py")))


def _documentation(name: str) -> str:
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        try:
            return pydoc.plain(pydoc.TextDoc().docmodule(importlib.import_module(name)))
        except (ImportError, OSError, SystemExit, AttributeError):
            return ""


def _block(text: str) -> str:
    head, line, body = text.partition("\n")
    if line and head and not head[0].isspace():
        return f"<h2>{escape(head)}</h2><p>{escape(body)}</p>"
    return f"<p>{escape(text)}</p>"


def make_home(program: Program, home: Path, site: Path, pages: int) -> dict[str, Any]:
    """Let a version create a home with this many pages; return its secrets and answers."""
    for name, content in CONFIGS.items():
        file = home / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(content, indent=2))
    for name, value in SETTINGS.items():
        _checked(program.run(home, "settings", name, value))
    for client in ("claude-desktop", "cursor"):
        _checked(program.run(home, "register", "--client", client, "--force"))
    data = data_dir(home)
    data.mkdir(parents=True, exist_ok=True)
    made: dict[str, Any] = {"browser": _checked(program.python(home, "-c", PAIR, str(data), ORIGIN)).strip()}
    if (program.folder / "app" / "remote" / "joined.py").exists():
        _checked(program.python(home, "-c", JOIN, str(data)))
    with serve_folder(site) as served, program.serving(home) as server:
        _checked(program.run(home, "crawl", f"{served.base}/index.html", "--max-pages", str(pages + 1), "--wait"))
        wait_until_embedded(data / "corpus.db")
        made["token"] = server.runtime()["token"]
        pin_passages(program, home, server)
    return made


def pin_passages(program: Program, home: Path, server: Server) -> None:
    """Let an assistant search, and pin the passages that it got."""
    for question in QUESTIONS:
        server.call("kb_search", {"query": question})
    for passage in json.loads(_checked(program.run(home, "scratch", "list", "--json")))[:PINNED]:
        _checked(program.run(home, "scratch", "pin", passage["id"]))


def _checked(done: Any) -> str:
    if done.returncode:
        raise RuntimeError(f"{done.args[2:]}: {done.stdout[-500:]} {done.stderr[-2000:]}")
    return str(done.stdout)


def answers(server: Server) -> list[str]:
    """Return the texts that a search returns for each question."""
    return [_text(server.call("search", {"query": question})) for question in QUESTIONS]


def _text(result: dict[str, Any]) -> str:
    text = "\n".join(block.get("text", "") for block in result["content"])
    # Ages of pages and times of the search change between two runs.
    return re.sub(r"just now|\d+ [a-z]+ ago|Total time: .*", "", text)


def wait_until_embedded(file: Path) -> None:
    """Wait until no passage waits for its vector."""
    import time

    with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as con:
        while any(
            con.execute(f"SELECT EXISTS (SELECT 1 FROM {each})").fetchone()[0] for each in ("waiting", "graph_waiting")
        ):
            time.sleep(EMBED_POLL_SECONDS)


def grow(file: Path, copies: int) -> None:
    """Copy all crawled pages of a closed library this many times to other addresses."""
    with contextlib.closing(apsw.Connection(str(file))) as con:
        con.pragma("foreign_keys", True)
        con.pragma("synchronous", "off")
        con.pragma("cache_size", -256 * 1024)
        con.execute("CREATE TEMP TABLE crawled(id INTEGER PRIMARY KEY)")
        con.execute("INSERT INTO crawled SELECT id FROM documents WHERE url LIKE ?", (CRAWLED,))
        con.execute("CREATE TEMP TABLE cut(id INTEGER PRIMARY KEY)")
        con.execute("INSERT INTO cut SELECT id FROM chunks WHERE document_id IN (SELECT id FROM crawled)")
        documents, chunks = (con.execute(f"SELECT max(id) FROM {name}").get for name in ("documents", "chunks"))
        host = str(con.execute(HOST, (CRAWLED,)).get)
        for number in range(1, copies + 1):
            with con:
                for table in TABLES:
                    _copy_rows(con, table, number * documents, number * chunks, host, f"http://copy-{number}.example/")
        con.pragma("wal_checkpoint(truncate)")


def _copy_rows(con: apsw.Connection, table: str, documents: int, chunks: int, host: str, other: str) -> None:
    columns = [str(row[1]) for row in con.execute(f"PRAGMA table_info({table})")]
    if not columns:
        return

    def value(column: str) -> str:
        if (table, column) == ("documents", "id") or column == "document_id":
            return f"{column} + {documents}"
        if (table, column) == ("chunks", "id") or column == "chunk_id":
            return f"{column} + {chunks}"
        if (table, column) == ("token_rows", "id"):
            return f"id + {chunks * ROWS_PER_CHUNK}"
        return f"replace(url, '{host}', '{other}')" if column == "url" else f'"{column}"'

    key, among = ("chunk_id", "cut") if "chunk_id" in columns else ("document_id", "crawled")
    key = "id" if table == "documents" else key
    if table == "token_rows":
        key, among = f"id / {ROWS_PER_CHUNK}", "cut"
    names, values = ", ".join(f'"{each}"' for each in columns), ", ".join(map(value, columns))
    con.execute(
        f"INSERT INTO {table}({names}) SELECT {values} FROM {table} WHERE {key} IN (SELECT id FROM temp.{among})"
    )


def copied_home(home: Path, target: Path) -> Path:
    """Copy a home, whose paths in entries of assistants stay those of the first one."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(home, target, symlinks=True)
    return target
