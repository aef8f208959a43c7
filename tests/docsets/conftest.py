"""A folder of four pages and its service."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.corpus import Corpus
from app.docsets.service import Docs
from tests.docsets.folders import PAGES, docs_of, write


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compare folders with their index at every call."""
    monkeypatch.setattr("app.docsets.indexing.DOC_LOOK_SECONDS", 0.0)
    monkeypatch.setattr("app.docsets.indexing.DOC_LOOK_SHARE", 1e9)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path.resolve() / "pump", PAGES)


@pytest.fixture
def docs(corpus: Corpus, tmp_path: Path, folder: Path) -> Docs:
    return docs_of(corpus, tmp_path, folder)
