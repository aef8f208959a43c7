"""The index of a folder as one JSON file."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from app.corpus.doc_records import DocPage, Docset
from app.errors import FileAccessError


def index_json(docset: Docset, root: str, pages: Sequence[DocPage]) -> str:
    """Version, time, folder, and each page by its path with content and sections."""
    content = {
        "version": docset.version,
        "built_at": datetime.fromtimestamp(docset.built_at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "docs_root": root,
        "docs_count": len(pages),
        "index": {page.head.path: _entry(page) for page in pages},
    }
    return json.dumps(content, ensure_ascii=False, indent=1)


def written(target: Path, text: str) -> Path:
    """Write the whole file at once; a file that holds anything but an index is left alone. Raises FileAccessError."""
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        if target.exists() and not _is_index(target):
            raise FileAccessError(f"{target} exists and holds something else.", hint="Name a new file.")
        target.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(text, encoding="utf-8")
        part.replace(target)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink()
        reason = error.strerror or type(error).__name__
        raise FileAccessError(f"{target} cannot be written: {reason}.", hint="Choose another place.") from error
    return target


def _entry(page: DocPage) -> dict[str, Any]:
    lines = page.content.split("\n")
    return {
        "path": page.head.path,
        "title": page.head.title,
        "content": page.content,
        "sections": [
            {
                "heading": section.heading,
                "level": section.level,
                "content": "\n".join(lines[section.first_line - 1 : section.last_line]),
                "line_start": section.first_line,
                "line_end": section.last_line,
            }
            for section in page.head.sections
        ],
        "category": page.head.category,
        "mtime": page.stamp.mtime_ns / 1e9,
        "size": page.stamp.bytes,
        "word_count": page.head.words,
    }


def _is_index(target: Path) -> bool:
    with target.open(encoding="utf-8", errors="replace") as stream:
        return stream.read(30).lstrip().startswith('{\n "version"')
