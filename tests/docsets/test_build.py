"""The index of a folder: built immediately, kept in sync, with a note if that is not possible."""

from __future__ import annotations

import os
import shutil
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from app import caps
from app.corpus import Corpus
from app.corpus.docsets import DocPage
from app.docsets import indexing
from app.docsets.service import Docs
from app.errors import FileAccessError
from app.library.records import FileStamp
from tests.corpus.builders import document
from tests.docsets.folders import PAGES, docs_of, names, write


def page(corpus: Corpus, path: str) -> DocPage:
    """Return a stored page of the folder."""
    docset = next(each for each in corpus.docsets.all() if each.root)
    found = corpus.docsets.page(docset.id, path)
    assert found is not None
    return found


@pytest.fixture
def reading(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the paths of the files that are read."""
    read: list[str] = []
    real = indexing.read_page

    def noted(root: Path, path: str) -> bytes:
        read.append(path)
        return real(root, path)

    monkeypatch.setattr(indexing, "read_page", noted)
    return read


def test_the_first_call_returns_all_pages_of_a_folder(docs: Docs, corpus: Corpus, folder: Path) -> None:
    assert names(docs) == ["guide/01-welcome.md", "index.md", "faq.md", "guide/clean.md", "guide/install.md"]
    found = page(corpus, "guide/install.md")
    status = (folder / "guide/install.md").stat()
    assert found.content == PAGES["guide/install.md"]
    assert (found.head.title, found.head.category, found.head.words) == ("Installing the pump", "guide", 20)
    assert (found.stamp.mtime_ns, found.stamp.bytes) == (status.st_mtime_ns, status.st_size)
    assert found.url == (folder / "guide/install.md").as_uri()
    assert corpus.verify() == []


def test_only_files_that_changed_are_read_again(docs: Docs, folder: Path, corpus: Corpus, reading: list[str]) -> None:
    names(docs)
    assert sorted(set(reading)) == ["01-welcome.md", *sorted(PAGES)]
    reading.clear()
    names(docs)
    assert reading == []
    revision = corpus.docsets.all()[1].revision
    write(folder, {"faq.md": PAGES["faq.md"] + "\n## New one\n", "guide/care.md": "# Care\n"})
    (folder / "guide/clean.md").unlink()
    os.utime(folder / "index.md", ns=(1, 1))
    assert names(docs) == ["guide/01-welcome.md", "index.md", "faq.md", "guide/care.md", "guide/install.md"]
    assert sorted(reading) == ["faq.md", "guide/care.md", "index.md"]
    assert [section.heading for section in page(corpus, "faq.md").head.sections][-1] == "New one"
    assert page(corpus, "index.md").stamp.mtime_ns == 1
    assert corpus.docsets.all()[1].revision == revision + 1
    assert not docs.search("rinse").hits
    assert corpus.verify() == []


def test_another_version_or_rebuild_rebuilds_everything_once(
    docs: Docs, folder: Path, corpus: Corpus, tmp_path: Path, reading: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    names(docs)
    reading.clear()
    debugging = docs_of(corpus, tmp_path, rebuild=True)
    names(debugging)
    names(debugging)
    assert sorted(reading) == ["01-welcome.md", *sorted(PAGES)]
    reading.clear()
    monkeypatch.setattr(indexing, "VERSION", "2.0")
    names(docs)
    assert sorted(reading) == ["01-welcome.md", *sorted(PAGES)]
    assert {docset.version for docset in corpus.docsets.all()} == {"2.0"}


def test_files_that_are_not_pages_are_skipped(docs: Docs, folder: Path, tmp_path: Path) -> None:
    secret = write(tmp_path / "elsewhere", {"secret.md": "# Secret pump\n"})
    write(
        folder,
        {".git/x.md": "# x", "node_modules/y.md": "# y", "notes.txt": "z", "~$draft.md": "w", "UPPER.MD": "# Up\n"},
    )
    (folder / "binary.md").write_bytes(bytes(range(32)) * 20)
    (folder / "link.md").symlink_to(secret / "secret.md")
    (folder / "linked").symlink_to(secret, target_is_directory=True)
    os.mkfifo(folder / "pipe.md")
    assert names(docs, "pump") == ["index.md", "UPPER.MD", "faq.md", "guide/clean.md", "guide/install.md"]
    assert [hit.name for hit in docs.search("secret").hits] == []


def test_an_unavailable_folder_keeps_its_pages_with_a_note(docs: Docs, folder: Path, tmp_path: Path) -> None:
    names(docs)
    folder.rename(tmp_path / "away")
    found = docs.search("wrench")
    assert [hit.name for hit in found.hits] == ["faq.md", "guide/install.md"]
    assert any("cannot be read. Its pages are as they were" in note for note in found.notes)
    (tmp_path / "away").rename(folder)
    assert not any("cannot be read" in note for note in docs.search("wrench").notes)
    shutil.rmtree(folder)
    folder.mkdir()
    found = docs.search("wrench")
    assert len(found.hits) == 2
    assert any("is empty. Its pages" in note for note in found.notes)


def test_a_missing_folder_is_reported(corpus: Corpus, tmp_path: Path) -> None:
    docs = docs_of(corpus, tmp_path, tmp_path.resolve() / "gone")
    assert any("Its pages are not known yet" in note for note in docs.pages().notes)


def test_a_forbidden_folder_is_not_read(corpus: Corpus, tmp_path: Path, folder: Path) -> None:
    docs = docs_of(corpus, tmp_path, folder)

    def refuse(path: Path) -> None:
        raise FileAccessError(f"{path} holds far more than documents.")

    docs._check_folder = refuse
    found = docs.pages()
    assert found.names == ("guide/01-welcome.md",)
    assert any("far more than documents" in note for note in found.notes)


def test_a_removed_folder_takes_its_pages_with_it(docs: Docs, corpus: Corpus) -> None:
    names(docs)
    corpus.folders.remove(corpus.folders.all()[0].id)
    assert names(docs) == ["guide/01-welcome.md"]
    assert not docs.search("wrench").hits
    assert corpus.verify() == []


def test_huge_folders_and_files_are_limited_with_a_note(
    docs: Docs, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caps, "MAX_DOC_PAGES", 3)
    monkeypatch.setattr(caps, "MAX_DOC_PAGE_BYTES", 200)
    write(folder, {"a-large.md": "# L\n" + "x" * 300})
    found = docs.pages("pump")
    assert len(found.names) == 3
    assert any("Only the first 3 files" in note and "MiB: 1 file." in note for note in found.notes)
    assert not docs.page(found.names[0], None, lambda _: True).notes, "a page does not repeat notes on skipped files"
    assert not any("Only the first" in note for note in docs.search("pump").notes)
    assert any("Only the first" in note for note in docs.search("zzzz").notes)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_file_with_an_invalid_name_is_not_called_large(docs: Docs, folder: Path) -> None:
    Path(os.fsdecode(os.fsencode(folder) + b"/odd\xff.md")).write_text("# Odd\n")
    notes = " ".join(docs.pages().notes)
    assert "names are not valid text: 1 file." in notes and "larger" not in notes


def test_a_page_that_crashed_the_program_is_skipped_and_named(docs: Docs, monkeypatch: pytest.MonkeyPatch) -> None:
    updater = next(updater for docset, updater in docs._updaters_of(docs._index.all()) if docset.root)
    root = updater._source.root
    (root / "deadly.md").write_text("# Deadly\n")
    status = (root / "deadly.md").stat()
    docs._unread._unfinished = 1
    docs._unread.begin((root / "deadly.md").as_uri(), (status.st_mtime_ns, status.st_size))
    docs._unread._running.clear()
    listed = docs.pages()
    assert not any("deadly" in name for name in listed.names)
    assert any("deadly.md" in note and "crashed while reading" in note for note in listed.notes)
    monkeypatch.setattr("app.docsets.indexing.DOC_LOOK_SECONDS", 0.0)
    updater._next_look = 0.0
    (root / "deadly.md").write_text("# Harmless now\n")
    listed = docs.pages()
    assert any("deadly" in name for name in listed.names) and not any("deadly" in note for note in listed.notes)


def test_an_unresponsive_disk_delays_only_one_call(docs: Docs, corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    names(docs)
    monkeypatch.setattr("app.docsets.indexing.DOC_ANSWER_SECONDS", 0.05)
    answers = threading.Event()

    def hanging(*_: Any, **__: Any) -> bool:
        answers.wait(10)
        return False

    monkeypatch.setattr(indexing, "bring_up_to_date", hanging)
    try:
        found = docs.search("wrench")
        assert len(found.hits) == 2
        assert any("pump does not respond. Its pages are as they were" in note for note in found.notes)
    finally:
        answers.set()
    docs.stop()


def test_a_defect_while_reading_is_reported_without_stopping(docs: Docs, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: Any, **__: Any) -> bool:
        raise ZeroDivisionError

    monkeypatch.setattr(indexing, "bring_up_to_date", failing)
    assert any("Folder guide: The files could not be read." in note for note in docs.pages().notes)
    monkeypatch.undo()
    monkeypatch.setattr("app.docsets.indexing.DOC_LOOK_SECONDS", 0.0)
    assert "index.md" in docs.pages().names


def test_a_slow_folder_is_scanned_again_soon(docs: Docs, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[bool] = []

    def slow(*_: Any, **__: Any) -> bool:
        time.sleep(0.05)
        looks.append(len(looks) < 2)
        return looks[-1]

    monkeypatch.setattr("app.docsets.indexing.DOC_LOOK_SHARE", 0.0001)
    monkeypatch.setattr(indexing, "bring_up_to_date", slow)
    docset = next(each for each in docs._index.all() if each.root)
    updater = indexing.IndexUpdater(docs._index, docs._source(docset), rebuild=False)
    for _ in range(20):
        updater.refresh(docset)
        time.sleep(0.02)
    assert looks == [True, True, False], "immediately after a change, otherwise only a share of the time"


def test_other_formats_are_pages_with_the_text_that_was_stored(corpus: Corpus, tmp_path: Path) -> None:
    folder = write(
        tmp_path.resolve() / "sphinx", {"index.md": "# Index\n", "api.rst": "API\n===\n\n.. code::\n\n   x\n"}
    )
    docs = docs_of(corpus, tmp_path, folder)
    assert names(docs) == ["guide/01-welcome.md", "index.md"]
    status = (folder / "api.rst").stat()
    stamp = FileStamp(corpus.folders.all()[0].id, status.st_mtime_ns, status.st_size)
    stored = document((folder / "api.rst").as_uri(), ["# API", "## Start", "A valve opens slowly."], file=stamp)
    corpus.documents.store(stored)
    assert names(docs) == ["guide/01-welcome.md", "index.md", "api.rst"]
    found = page(corpus, "api.rst")
    assert (found.content, found.head.title) == (stored.text, "API")
    assert [section.heading for section in found.head.sections] == ["Start"]
    assert [hit.name for hit in docs.search("valve").hits] == ["api.rst"]
    (folder / "api.rst").write_text("API\n===\n\nNew words, which are not stored yet.\n")
    assert page(corpus, "api.rst").content == stored.text
    (folder / "api.rst").unlink()
    assert names(docs) == ["guide/01-welcome.md", "index.md"]
