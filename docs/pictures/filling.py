"""What the library of the pictures holds, and who asked for it."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

from pictures.calls import call
from pictures.loop import settle, wait

QUESTION = "How often is a failed job tried again, and how long does it wait?"


def fill(desktop: Any, web: Any) -> None:
    from pictures.site import BLOG, DOCS, HANDBOOK, PAGES

    docs = [web.url(host, path) for host, path in PAGES if host == DOCS and path != "/guide/retries"]
    asked: list[tuple[str, str, dict[str, Any]]] = [
        ("cursor-vscode/1.9", "ingest", {"url": web.url(BLOG, "/choosing-a-queue")}),
        (
            "claude-code/2.4",
            "answer",
            {"url": web.url(HANDBOOK, "/on-call"), "query": "What to check when a queue grows?"},
        ),
        *(("claude-ai/0.14", "ingest", {"url": url}) for url in docs),
        ("claude-ai/0.14", "answer", {"url": web.url(DOCS, "/guide/retries"), "query": QUESTION}),
        ("cursor-vscode/1.9", "search", {"query": "What happens to a job when its worker dies?"}),
        # A page that does not exist, so that a call that fails is in the picture.
        ("claude-code/2.4", "answer", {"url": web.url(DOCS, "/guide/webhooks"), "query": "How are webhooks signed?"}),
        ("claude-ai/0.14", "status", {}),
        ("claude-ai/0.14", "search", {"query": "How long are dead letters kept?"}),
        ("cursor-vscode/1.9", "kb_search", {"query": "How are webhooks signed and delivered?", "top_k": 4}),
        ("claude-code/2.4", "kb_search", {"query": "What to check first when a queue grows?", "top_k": 3}),
        ("claude-ai/0.14", "kb_search", {"query": QUESTION, "top_k": 4}),
    ]
    worker = threading.Thread(target=lambda: [call(desktop.status.url, *each) for each in asked])
    worker.start()
    wait(lambda: not worker.is_alive())
    library = desktop.window.library.model
    wait(lambda: library.total >= 8 and all(row.chunks_embedded == row.chunks for row in library.everything))
    _begin_jobs(desktop, web)
    settle(600)


def _begin_jobs(desktop: Any, web: Any) -> None:
    """A site, a folder, and a list of pages of which one is gone."""
    from app.ingest.crawling.options import CrawlOptions, CrawlScope
    from pictures.site import BLOG, DOCS

    notes = Path(os.environ["HOME"]) / "notes"
    notes.mkdir()
    for name in ("queues", "on-call"):
        (notes / f"{name}.md").write_text(f"# Notes on {name}\n\nRead the handbook again.\n")
    marked = [web.url(BLOG, path) for path in ("/choosing-a-queue", "/a-week-without-alerts")]
    model = desktop.window.activity.jobs.model
    for begin in (
        lambda engine: engine.jobs.crawl(web.url(DOCS, "/"), CrawlOptions(CrawlScope.HOST)),
        lambda engine: engine.jobs.add_folder(notes),
        lambda engine: engine.jobs.read_pages(marked, target="bookmarks.html"),
    ):
        known = model.total
        desktop.engine.submit(begin)
        wait(lambda known=known: model.total > known and not model.going_on)
