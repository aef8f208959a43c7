"""Categories from sidebar.md, and from folders without one."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.corpus import Corpus
from app.docsets.outline import category_of, sidebar_groups
from app.docsets.pages import DocsError
from app.docsets.service import Docs
from tests.docsets.folders import names, write

SIDEBAR = """\
- [Home](index.md)

## Using it

* [Install](/guide/install.md "first")
* Care
    * [Cleaning](./guide/clean.md#filter)
* [API](api/)

**More:**

- [Questions](faq)
- [Elsewhere](https://example.org/x.md)
- [Outside](../secret.md)
"""


def test_the_sidebar_groups_pages_by_the_item_they_are_nested_in_else_by_the_heading_above() -> None:
    assert sidebar_groups(SIDEBAR) == {
        "index.md": "",
        "guide/install.md": "Using it",
        "guide/clean.md": "Care",
        "api.md": "Using it",
        "faq.md": "More",
    }


def test_without_a_sidebar_the_first_folder_is_the_category() -> None:
    assert category_of("tutorial/security/first.md", {}) == "tutorial"
    assert category_of("index.md", {}) == ""
    assert category_of("guide/other.md", {"guide/install.md": "Using it"}) == "guide"


def test_pages_of_a_category_a_tree_or_a_folder(docs: Docs) -> None:
    assert names(docs, "GUIDE/") == ["guide/01-welcome.md", "guide/clean.md", "guide/install.md"]
    assert names(docs, "pump") == ["index.md", "faq.md", "guide/clean.md", "guide/install.md"]
    with pytest.raises(DocsError, match="no category 'pumps'") as raised:
        docs.pages("pumps")
    assert raised.value.choices == ("guide", "pump")


def test_a_new_sidebar_moves_pages_that_did_not_change(docs: Docs, folder: Path, corpus: Corpus) -> None:
    names(docs)
    before = {page.path: page.id for page in corpus.docsets.heads(2)}
    write(folder, {"sidebar.md": SIDEBAR})
    assert names(docs, "care") == ["guide/clean.md"]
    assert "sidebar.md" not in names(docs)
    after = {page.path: page.id for page in corpus.docsets.heads(2)}
    assert {path: after[path] for path in before} == before
    (folder / "sidebar.md").unlink()
    assert names(docs, "pump") == ["index.md", "faq.md", "guide/clean.md", "guide/install.md"]
    with pytest.raises(DocsError):
        docs.pages("care")
