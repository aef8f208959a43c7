"""The Library of the real window with N stored pages, offscreen, with the standard Qt model in the same run.

    python bench/library.py [--pages N] [--texts N] [--json [FILE]]

The real store stores pages from a fixed seed with vectors, so that there is no background work. "open" is the time from opening the page
until its rows are painted. "load" is the time to the first rows and to all of them. A keystroke is filtering and painting (--texts: of how
many texts), a sort is sorting and painting. Stalls are the longest gap between ticks of a 5 ms timer. "busy" is the CPU time of the
window's thread, which does not depend on other programs. The baseline is QSortFilterProxyModel over a table model in Python with the same
rows.
"""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import argparse
import hashlib
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
)
from PySide6.QtWidgets import QTableView

from app.corpus import Corpus
from app.desktop.application import DesktopApp, make_qt_application
from app.desktop.models.library import FETCHED, LibraryModel
from app.desktop.pages.library.columns import WIDTHS
from app.desktop.tables import LongTable
from app.embed.onnx import OnnxEmbedder
from app.events import DocumentChanged
from app.library.records import ChunkIn, DocumentIn, EmbeddingIn
from app.paths import assets_dir, corpus_file
from app.settings import load_settings
from support.event_loop import Gaps, rest, ticking, wait
from support.report import Row, add_json, percentile, print_report

SEED: Final = 2026
SITES: Final = 60
CHUNKS: Final = 2
WORDS: Final = (
    *("install", "configure", "query", "index", "schema", "cache", "worker", "queue", "retry", "timeout"),
    *("transaction", "migration", "stream", "cursor", "session", "token", "routing", "template", "filter", "vector"),
    *("search", "ranking", "backup", "restore", "network", "policy", "certificate", "proxy", "module", "package"),
)
TYPED: Final = (
    "r",
    "re",
    "ret",
    "retr",
    "retry",
    "retry w",
    "retry wo",
    "retry work",
    "site7",
    "site7.example",
    "zzz",
    "",
)
Index: TypeAlias = QModelIndex | QPersistentModelIndex

DELETED: Final = 5_000
CRAWLED: Final = 300


def make_corpus(path: Path, pages: int) -> None:
    """Store the pages, without background work left."""
    embedder = OnnxEmbedder(assets_dir() / "model")
    card = embedder.card
    embedder.close()
    corpus = Corpus.open(path, dimension=card.dimension, model=card.fingerprint)
    chance = random.Random(SEED)
    now = time.time()
    ids: list[int] = []
    for number in range(pages):
        ids += corpus.documents.store(_document(chance, number, now)).new_chunk_ids
    vectors = np.random.default_rng(SEED).normal(size=(len(ids), card.dimension)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    bits = np.zeros((4, card.dimension // 8), np.uint8)
    for at in range(0, len(ids), 500):
        items = zip(ids[at : at + 500], vectors[at : at + 500], strict=True)
        corpus.vectors.store([EmbeddingIn(chunk_id, vector, bits) for chunk_id, vector in items])
    while corpus.graph.fill(200):
        pass
    corpus.close()


def _document(chance: random.Random, number: int, now: float) -> DocumentIn:
    title = " ".join(chance.choices(WORDS, k=chance.randint(3, 7))).capitalize()
    parts = [f"{title}, part {part}." for part in range(CHUNKS)]
    chunks, start = [], 0
    for part in parts:
        key = hashlib.sha256(f"{number}|{part}".encode()).hexdigest()
        chunks.append(ChunkIn(key, (title,), None, part, start, start + len(part), 0, 0, 12))
        start += len(part) + 2
    text = "\n\n".join(parts)
    url = f"https://docs.site{number % SITES}.example/{chance.choice(WORDS)}/{chance.choice(WORDS)}-{number}.html"
    crawled = now - chance.random() * 60 * 86_400
    content = hashlib.sha256(text.encode()).hexdigest()
    return DocumentIn(url, title, text, content, "web", tuple(chunks), language="en", last_crawled=crawled)


def rss_mb() -> float:
    """Return the resident memory of this process, or 0 without /proc."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0.0
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


def timed(run: Callable[[], object]) -> tuple[float, float]:
    """Return milliseconds by the wall clock and of this thread."""
    began = (time.perf_counter(), time.thread_time())
    run()
    return (time.perf_counter() - began[0]) * 1000, (time.thread_time() - began[1]) * 1000


def measure(data_dir: Path, pages: int, texts: int) -> Iterator[Row]:
    """Yield the figures of the window, then of the baseline over the same rows."""
    qt = make_qt_application(["bench"])
    desktop = DesktopApp(qt, load_settings({"mcp_port": 0}, data_dir=data_dir))
    desktop.window.resize(1_280, 800)
    try:
        yield from _loading(desktop, pages)
        yield from _working(desktop, TYPED[:texts])
        yield from _following(desktop)
        yield from _deleting(desktop)
        records = desktop.window.library.model.records
    finally:
        desktop.quit()
    yield from _baseline([(row.title, row.url, row.tokens, row.last_crawled) for row in records])


def _loading(desktop: DesktopApp, pages: int) -> list[Row]:
    library = desktop.window.library
    desktop.start()
    wait(lambda: library.model.is_loaded)
    assert library.model.total >= pages
    rest(2_000)
    first, whole, gaps, grown = _load_again(desktop)

    def open_page() -> None:
        desktop.window.go_to("library")
        desktop.window.repaint()
        library.table.viewport().repaint()

    with ticking() as opening:
        opened = timed(open_page)
        rest(500)
    return [
        {"what": f"open with {pages:,} pages", **_one(opened), "goal": 300, **opening.figures},
        {"what": "load: first rows", "ms": first, "goal": 300},
        {"what": "load: all rows", "ms": whole, **gaps.figures},
        {"what": "memory of the rows, MB", "ms": grown},
    ]


def _load_again(desktop: DesktopApp) -> tuple[float, float, Gaps, float]:
    """Load everything into another model and table. Returns milliseconds to the first and all rows, gaps, and megabytes."""
    before = rss_mb()
    model = LibraryModel(desktop.engine)
    table = LongTable(model, "Pages", WIDTHS, 0)
    table.enable_sorting(FETCHED, Qt.SortOrder.DescendingOrder)
    table.resize(900, 600)
    table.show()
    with ticking() as gaps:
        began = time.perf_counter()
        model.reload()
        wait(lambda: model.rowCount() > 0)
        table.viewport().repaint()
        first = (time.perf_counter() - began) * 1000
        wait(lambda: model.is_loaded)
        whole = (time.perf_counter() - began) * 1000
    grown = rss_mb() - before
    table.close()
    table.deleteLater()
    model.deleteLater()
    return first, whole, gaps, grown


def _working(desktop: DesktopApp, texts: Sequence[str]) -> list[Row]:
    library = desktop.window.library
    table, model = library.table, library.model

    def typed(text: str) -> None:
        model.set_filter(text)
        table.viewport().repaint()

    def ordered(column: int) -> None:
        model.sort(column)
        table.viewport().repaint()

    times = []
    with ticking() as gaps:
        for text in tuple(texts) * 3:
            times.append(timed(lambda text=text: typed(text)))  # type: ignore[misc]
            rest(160)
    with ticking() as whole:
        table.selectAll()
        held = []
        for text in texts:
            held.append(timed(lambda text=text: typed(text)))  # type: ignore[misc]
            rest(160)
    model.set_filter("o")
    counted = timed(library.facets.count)
    model.set_filter("")
    table.selectRow(0)
    sorts = []
    for column in range(model.columnCount()):
        sorts.append(timed(lambda column=column: ordered(column)))  # type: ignore[misc]
        rest(100)
    model.sort(FETCHED, Qt.SortOrder.DescendingOrder)
    return [
        _spread("keystroke", times, 50) | gaps.figures,
        {"what": "counting the facets", **_one(counted)},
        _spread("keystroke with all pages selected", held, 50) | whole.figures,
        _spread("sort", sorts, 300),
    ]


def _following(desktop: DesktopApp) -> list[Row]:
    """Refresh pages one after the other, as a crawl does."""
    library = desktop.window.library
    rows = library.model.records[1_000 : 1_000 + CRAWLED]
    with ticking() as gaps:
        for row in rows:
            desktop.bus.publish(DocumentChanged(row.url, row.id, "stored"))
            rest(10)
        rest(500)
    return [{"what": f"{CRAWLED} pages stored again in {CRAWLED // 100} s", **gaps.figures}]


def _deleting(desktop: DesktopApp) -> list[Row]:
    library = desktop.window.library
    wanted = [row.id for row in library.model.records][: min(DELETED, library.model.rowCount() // 2)]
    before = library.model.total
    library.table.select_keys(wanted)
    with ticking() as gaps:
        deleted = timed(library.delete)
        rest(300)
        undone = timed(library.undo_delete)
        rest(300)
        assert library.model.total == before
        library.delete()
        began = time.perf_counter()
        library.commands.deletion.delete_now()
        wait(lambda: library.model.find(wanted[-1]) is None)
        carried_out = (time.perf_counter() - began) * 1000
    return [
        {"what": f"delete {len(wanted):,} pages", **_one(deleted)},
        {"what": "undo", **_one(undone)},
        {"what": "delete in the background", "ms": carried_out, **gaps.figures},
    ]


def _one(figures: tuple[float, float]) -> dict[str, object]:
    return {"ms": figures[0], "busy": figures[1]}


def _spread(what: str, times: Sequence[tuple[float, float]], goal: float) -> dict[str, object]:
    wall, busy = zip(*times, strict=True)
    return {
        "what": what,
        "ms": percentile(wall, 0.5),
        "busy": percentile(busy, 0.5),
        "goal": goal,
        "max": max(wall),
        "max busy": max(busy),
    }


class PlainModel(QAbstractTableModel):
    """A usual source of a proxy model."""

    def __init__(self, rows: Sequence[tuple[Any, ...]]) -> None:
        super().__init__()
        self._rows = rows

    def rowCount(self, parent: Index | None = None) -> int:  # noqa: N802
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index | None = None) -> int:  # noqa: N802
        return len(self._rows[0])

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        return self._rows[index.row()][index.column()] if role == Qt.ItemDataRole.DisplayRole else None


class PlainProxy(QSortFilterProxyModel):
    """Requires every word in the title or the address."""

    words: tuple[str, ...] = ()

    def filterAcceptsRow(self, row: int, parent: Index) -> bool:  # noqa: N802
        model = self.sourceModel()
        text = " ".join(str(model.index(row, column, parent).data()) for column in (0, 1)).lower()
        return all(word in text for word in self.words)


def _baseline(rows: Sequence[tuple[Any, ...]]) -> list[Row]:
    model, proxy, view = PlainModel(rows), PlainProxy(), QTableView()
    proxy.setSourceModel(model)
    view.resize(800, 600)

    def open_view() -> None:
        view.setModel(proxy)
        view.show()
        view.repaint()

    def sort(column: int) -> None:
        proxy.sort(column)
        view.viewport().repaint()

    opened = timed(open_view)

    def typed(text: str) -> None:
        proxy.words = tuple(text.split())
        proxy.invalidateFilter()
        view.viewport().repaint()

    times = [timed(lambda text=text: typed(text)) for text in TYPED]  # type: ignore[misc]
    sorts = [
        timed(lambda column=column: sort(column))  # type: ignore[misc]
        for column in range(model.columnCount())
    ]
    return [
        {"what": f"baseline: open a proxy model over {len(rows):,} rows", **_one(opened)},
        _spread("baseline: keystroke", times, 50),
        _spread("baseline: sort", sorts, 300),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--texts", type=int, default=len(TYPED), help="texts to type into the filter")
    add_json(parser)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        os.environ.update(WEBRAG_CONFIG=str(Path(folder) / "config.toml"))
        os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"
        data_dir = Path(folder) / "data"
        data_dir.mkdir()
        make_corpus(corpus_file(data_dir), options.pages)
        title = f"The Library over {options.pages:,} pages, in milliseconds"
        print_report(measure(data_dir, options.pages, options.texts), as_json=options.json, title=title)


if __name__ == "__main__":
    main()
