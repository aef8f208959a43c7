"""Folders, their files, and their names: valid, unique, and used in the tags of their documents."""

from __future__ import annotations

import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import caps
from app.corpus import Corpus
from app.corpus.folders import RESERVED, checked_name, default_name
from app.errors import FileAccessError, InvalidArgumentError
from app.library.records import FileStamp
from tests.corpus.builders import document, embed

MTIME_NS = 1_767_225_600_123_456_789


def add(corpus: Corpus, folder_id: int | None, name: str, mtime_ns: int = MTIME_NS, size: int = 42) -> int:
    """Store an embedded file of the folder; return its ID."""
    stamp = FileStamp(folder_id, mtime_ns, size)
    stored = corpus.documents.store(document(f"file:///notes/{name}", [f"{name} one", f"{name} two"], file=stamp))
    embed(corpus, stored.new_chunk_ids)
    return stored.document_id


def test_adding_a_folder_twice_returns_the_same_one(corpus: Corpus) -> None:
    first = corpus.folders.add("/notes")
    corpus.folders.add("/archive")
    add(corpus, first.id, "a.md")
    again = corpus.folders.add("/notes")
    assert (again.id, again.added_at, again.documents) == (first.id, first.added_at, 1)
    assert time.time() - first.added_at < 60
    assert [(folder.path, folder.documents) for folder in corpus.folders.all()] == [("/archive", 0), ("/notes", 1)]


def test_stamps_of_files_are_stored_and_updated(corpus: Corpus) -> None:
    folder = corpus.folders.add("/notes")
    second, first = add(corpus, folder.id, "b.md"), add(corpus, folder.id, "a.md")
    add(corpus, None, "alone.md")
    stamp = FileStamp(folder.id, MTIME_NS, 42)
    assert [(file.document_id, file.url, file.stamp) for file in corpus.folders.files(folder.id)] == [
        (first, "file:///notes/a.md", stamp),
        (second, "file:///notes/b.md", stamp),
    ]
    add(corpus, folder.id, "a.md", MTIME_NS + 1, 43)
    assert corpus.folders.files(folder.id)[0].stamp == FileStamp(folder.id, MTIME_NS + 1, 43)
    corpus.documents.store(document("file:///notes/a.md", ["a page now"]))
    assert [file.document_id for file in corpus.folders.files(folder.id)] == [second]


def test_removing_a_folder_deletes_only_its_documents(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.corpus.database.DOCUMENTS_REMOVED_AT_ONCE", 2)
    notes, archive = corpus.folders.add("/notes"), corpus.folders.add("/archive")
    for number in range(5):
        add(corpus, notes.id, f"{number}.md")
    add(corpus, archive.id, "kept.md")
    add(corpus, None, "alone.md")
    assert corpus.folders.remove(notes.id)
    assert not corpus.folders.remove(notes.id)
    assert [folder.path for folder in corpus.folders.all()] == ["/archive"]
    assert corpus.documents.urls_below("file:", 9) == ["file:///notes/alone.md", "file:///notes/kept.md"]
    assert corpus.totals().chunks == 4
    assert corpus.folders.files(notes.id) == []


def test_a_file_of_a_folder_that_was_removed_is_refused(corpus: Corpus) -> None:
    folder = corpus.folders.add("/notes")
    corpus.folders.remove(folder.id)
    with pytest.raises(FileAccessError, match=r"folder of file:///notes/a\.md was removed"):
        add(corpus, folder.id, "a.md")
    assert corpus.totals().documents == 0
    assert corpus.folders.add("/notes").id > folder.id


def test_a_folder_can_be_removed_while_it_is_being_read(corpus: Corpus) -> None:
    folder = corpus.folders.add("/notes")
    refused = threading.Event()

    def read() -> None:
        number = 0
        while not refused.is_set():
            try:
                add(corpus, folder.id, f"{number}.md")
            except FileAccessError:
                refused.set()
            number += 1

    reader = threading.Thread(target=read)
    reader.start()
    time.sleep(0.05)
    assert corpus.folders.remove(folder.id)
    assert refused.wait(10)
    reader.join()
    assert corpus.totals().documents == 0


def test_a_folder_gets_a_unique_name_from_its_path(corpus: Corpus) -> None:
    paths = (
        "/home/me/fastapi/docs",
        "/home/me/Flask/DOCS",
        "/x/docs",
        "/srv/My notes (old)!",
        "/a/guide",
        "/a/files",
        "/",
    )
    assert [corpus.folders.add(path).name for path in paths] == [
        *("docs", "Flask-DOCS", "x-docs", "My-notes-old", "a-guide", "a-files", "folder"),
    ]
    assert corpus.folders.add("/x/docs").name == "x-docs"
    assert corpus.folders.add("/y/x/docs").name == "docs-2"
    assert [folder.name for folder in corpus.folders.all()][:2] == ["folder", "a-files"]


def test_renaming_a_folder_changes_the_tags_of_its_documents(corpus: Corpus) -> None:
    folder = corpus.folders.add("/notes")
    other = corpus.folders.add("/other")
    corpus.documents.store(document("file:///notes/pumps/a.md", ["One."], file=FileStamp(folder.id, 1, 2)))
    renamed = corpus.folders.rename(folder.id, "Handbook")
    assert renamed is not None and (renamed.name, renamed.documents) == ("Handbook", 1)
    assert corpus.documents.summaries(limit=9)[0].doc_tag == "Handbook/pumps"
    assert corpus.folders.rename(folder.id, "handbook") is not None
    assert corpus.folders.rename(99, "else") is None
    for name in ("HANDBOOK", "guide", "Files", "", " ", "a/b", "..", "a b", "x" * (caps.MAX_FOLDER_NAME_CHARS + 1)):
        with pytest.raises(InvalidArgumentError):
            corpus.folders.rename(other.id, name)
    assert corpus.folders.all()[1].name == "other"


@given(st.lists(st.text(max_size=80), min_size=1, max_size=6))
def test_default_names_are_valid_names(parts: list[str]) -> None:
    taken: list[str] = []
    for part in parts:
        name = default_name("/" + part.replace("\0", ""), taken)
        assert checked_name(name, taken) == name
        assert name.casefold() not in RESERVED
        taken.append(name)
