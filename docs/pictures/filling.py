"""The library in the pictures, and the calls that filled it."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

from pictures.calls import call
from pictures.loop import settle, wait

QUESTION = "How often is a failed job tried again, and how long does it wait?"
KEPT = "https://wiki.lumen.example/runbooks/rotate-keys"
SIGNED_IN = (
    (
        "Before you begin",
        "Only the person on call rotates keys. Tell the team first, and have the old key at hand until the end.",
    ),
    (
        "Steps",
        "Create a second key, put it into the vault, and let every worker take it over at its next start. Then revoke the first.",
    ),
    (
        "If a worker stays behind",
        "A worker that still uses the old key is refused. Restart it manually; it takes its jobs up again.",
    ),
)


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
        # This page does not exist, so that a failed call is in the picture.
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
    _keep_from_browser(desktop)
    _label(desktop)
    _keep_picture(desktop, web)
    _change(desktop, web)
    settle(600)


def _keep_from_browser(desktop: Any) -> None:
    """Save a page behind a sign-in, as the extension sends it."""
    from app.ingest.pipeline import BrowserPage

    body = "".join(f"<h2>{title}</h2><p>{text}</p>" for title, text in SIGNED_IN)
    page = f"<!doctype html><html lang=en><title>Rotating the keys of a worker</title><main><article>{body}</article></main>"
    _done(desktop, lambda engine: engine.keep_from_browser(BrowserPage(KEPT, page.encode(), "0" * 64)))


def _label(desktop: Any) -> None:
    """Create two collections and some tags."""
    from app.corpus.records import LabelKind

    library = desktop.window.library.model
    wait(lambda: any(row.url == KEPT for row in library.everything))
    ids = {row.url.rpartition("/")[2]: row.id for row in library.everything}
    given = (
        (LabelKind.COLLECTION, "Queue migration", ("retries", "workers", "dead-letters", "choosing-a-queue")),
        (LabelKind.COLLECTION, "On call", ("on-call", "rotate-keys")),
        (LabelKind.TAG, "to discuss", ("retries", "choosing-a-queue")),
        (LabelKind.TAG, "postgres", ("choosing-a-queue",)),
    )
    for kind, name, pages in given:
        chosen = [ids[page] for page in pages]
        _done(desktop, lambda engine, given=(kind, name, chosen): engine.documents.add_label(*given))


def _keep_picture(desktop: Any, web: Any) -> None:
    """Store the image of a page as if its site were public."""
    from app.corpus.records import PictureIn
    from pictures.drawing import HEIGHT, WIDTH, queue_times
    from pictures.site import BLOG

    page, url = web.url(BLOG, "/choosing-a-queue"), web.url(BLOG, "/queue-times.png")

    opened = desktop.status.engine._components
    wait(lambda: bool(opened.picture_fetching.is_idle))
    opened.pictures.keep(page, PictureIn(url, "image/png", WIDTH, HEIGHT, queue_times()))


def _change(desktop: Any, web: Any) -> None:
    """Fetch a cited page again after its text changed."""
    from pictures.site import CHANGED

    web.change()
    for host, path in CHANGED:
        url = web.url(host, path)
        _done(desktop, lambda engine, url=url: engine.ensure_ingested(url, refresh=True))


def _done(desktop: Any, work: Any) -> Any:
    """Wait for work of the engine and return its result."""
    given: list[Any] = []

    def fail(error: Exception) -> None:
        raise error

    desktop.engine.submit(work, given.append, fail)
    wait(lambda: bool(given))
    return given[0]


def _begin_jobs(desktop: Any, web: Any) -> None:
    """Start jobs: a site, a folder, and a list of pages, one of which no longer exists."""
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
