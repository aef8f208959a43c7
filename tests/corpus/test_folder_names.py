"""Names of folders: plain, each once, and kept by the documents that follow them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import caps
from app.corpus import Corpus
from app.corpus.folders import RESERVED, checked_name, default_name
from app.corpus.records import FileStamp
from app.errors import InvalidArgumentError
from tests.corpus.builders import document


def test_a_folder_is_called_by_the_last_part_of_its_path_and_no_two_alike(corpus: Corpus) -> None:
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


def test_a_folder_gets_another_name_and_its_documents_the_tag_of_it(corpus: Corpus) -> None:
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
def test_default_names_are_names_that_a_person_may_give(parts: list[str]) -> None:
    taken: list[str] = []
    for part in parts:
        name = default_name("/" + part.replace("\0", ""), taken)
        assert checked_name(name, taken) == name
        assert name.casefold() not in RESERVED
        taken.append(name)
