"""Folders of pages for the tests, and their service."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from app.corpus import Corpus
from app.docsets.indexing import Source
from app.docsets.service import DocOptions, Docs

PAGES: Mapping[str, str] = {
    "index.md": "# Pump manual\n\nStart here.\n",
    "guide/install.md": (
        "# Installing the pump\n\nIntro.\n\n## Tools you need\n\nA wrench.\n\n## Mounting\n\nBolt it on.\n\n### Torque\n\n12 Nm.\n"
    ),
    "guide/clean.md": "# Cleaning\n\nThe filter first.\n\n## Filter\n\nRinse the filter with water.\n",
    "faq.md": "---\ntitle: Questions\n---\n\n# Frequently asked\n\n## Is the wrench included?\n\nNo.\n",
}


def write(root: Path, pages: Mapping[str, str]) -> Path:
    """Write files to a folder and return its resolved path."""
    root = root.resolve()
    for path, text in pages.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return root


def docs_of(corpus: Corpus, tmp_path: Path, *folders: Path, rebuild: bool = False, results: int = 10) -> Docs:
    """Return the service without an embedder for these folders and a guide of one page. It scans its folders at every call."""
    guide = write(tmp_path / "the guide", {"01-welcome.md": "# Welcome to the program\n\nIt keeps pages.\n"})
    for folder in folders:
        corpus.folders.add(str(folder))
    options = DocOptions(results=results, snippet_chars=200, rebuild=rebuild)
    source = Source(guide.resolve(), lambda path: f"webrag://guide/{path}")
    return Docs(corpus, None, lambda *_: np.zeros(0), source, lambda _: None, options)


def fits(text: str) -> bool:
    """Whether the text fits; always true."""
    return True


def names(docs: Docs, category: str | None = None) -> list[str]:
    return list(docs.pages(category).names)
