"""`extract`: what is read of a file or a page, without storing it."""

from __future__ import annotations

import argparse
import asyncio
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.cli.output import say, say_json
from app.errors import FileAccessError

if TYPE_CHECKING:
    from app.extract.page import Page
    from app.settings import Settings


@dataclass(frozen=True, slots=True)
class _Source:
    """A body and where it came from; `robots_tag` is the X-Robots-Tag header of a page of the web."""

    url: str
    body: bytes
    content_type: str
    charset: str | None = None
    robots_tag: str = ""


def extract(options: argparse.Namespace) -> int:
    """Print a file or page as Markdown, or everything that is known of it as JSON."""
    from app.extract import extract as read
    from app.extract import page_markdown
    from app.settings import load_settings

    started = time.perf_counter()
    if "://" in options.source:
        source = asyncio.run(_fetched(options.source, load_settings(data_dir=options.data_dir)))
    else:
        source = _file(options.source)
    opened = time.perf_counter()
    page = read(source.body, url=source.url, content_type=source.content_type, charset=source.charset)
    done = time.perf_counter()
    if options.json:
        say_json(_described(source, page, opened - started, done - opened))
    else:
        say(page_markdown(page))
    return 0


async def _fetched(url: str, settings: Settings) -> _Source:
    """A page as the application would read it when a person names it."""
    from app.engine.components import open_fetcher

    fetcher = open_fetcher(settings)
    try:
        answer = await fetcher.fetch(url)
    finally:
        await fetcher.aclose()
    return _Source(answer.url, answer.body, answer.content_type, answer.charset, answer.robots_tag)


def _file(name: str) -> _Source:
    from app.ingest.files import read_file

    path = Path(name).expanduser()
    if not path.exists():
        raise FileAccessError(f"There is no file {name}.", hint="Give a file that exists, or a whole https:// address.")
    body, _ = read_file(path.resolve(), None)
    return _Source(body.url, body.content, body.content_type, body.charset)


def _described(source: _Source, page: Page, read_seconds: float, extract_seconds: float) -> dict[str, Any]:
    from app.serialise import to_jsonable

    described: dict[str, Any] = to_jsonable(page)
    navigation = described.pop("navigation")
    robots = {name: described.pop(name) for name in ("noindex", "nofollow")}
    return {
        **described,
        "robots": {**robots, "header": source.robots_tag},
        "navigation_links": len(navigation),
        "content_type": source.content_type,
        "bytes": len(source.body),
        "milliseconds": {"read": round(read_seconds * 1000, 1), "extract": round(extract_seconds * 1000, 1)},
    }
