"""A small docset, made in a folder."""

from __future__ import annotations

import json
import plistlib
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import apsw

PAGES: Final = {
    "api.html": (
        "<h1>API</h1><h2>Clients</h2><dl class='py class'><dt class='sig sig-object py' id='alpha.Client'>"
        "<em>class </em><code>alpha.Client</code>(<em>port</em>)</dt><dd><p>Connects to a server.</p></dd></dl>"
    ),
    "guide/start.html": "<h1>Start</h1><p>Install it.</p>",
    "genindex.html": "<h1>Index</h1>",
    "_modules/alpha.html": "<h1>Source</h1>",
}
PLAIN: Final = """
CREATE TABLE searchIndex(id INTEGER PRIMARY KEY, name TEXT, type TEXT, path TEXT);
INSERT INTO searchIndex(name, type, path) VALUES
 ('alpha.Client', 'Class', '<dash_entry_name=Client>api.html#alpha.Client'), ('Start', 'Guide', 'guide/start.html'),
 ('alpha.gone', 'Function', 'gone.html'), (NULL, 'Class', 'api.html');
"""


def make_index(path: Path, sql: str = PLAIN) -> None:
    with closing(apsw.Connection(str(path))) as con:
        con.pragma("journal_mode", "wal")
        con.execute(sql)


def make_docset(
    folder: Path, *, sql: str = PLAIN, meta: Mapping[str, Any] | None = None, pages: Mapping[str, str] = PAGES
) -> Path:
    root = folder / "Alpha.docset"
    documents = root / "Contents" / "Resources" / "Documents"
    for name, html in pages.items():
        (documents / name).parent.mkdir(parents=True, exist_ok=True)
        (documents / name).write_text(f"<html><body>{html}</body></html>", "utf-8")
    (root / "Contents" / "Info.plist").write_bytes(plistlib.dumps({"CFBundleName": "Alpha Kit", "isDashDocset": True}))
    make_index(root / "Contents" / "Resources" / "docSet.dsidx", sql)
    if meta is not None:
        (root / "meta.json").write_text(json.dumps(meta), "utf-8")
    return root
