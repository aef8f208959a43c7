"""Titles, headings and categories of Markdown files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.corpus import Corpus
from app.docsets.outline import category_of, outline, plain, sidebar_groups
from app.docsets.pages import DocsError
from app.docsets.service import Docs
from tests.docsets.folders import names, write

MIXED = """\
---
title: ""
---
Intro before all.

# The *first* `title_of` { #first }

text

## Use `CORSMiddleware` { #use-cors }

```bash
# no heading
`` no end
### still code
````

~~~~
## nor this
~~~
## nor that
~~~~

<!--
## a comment
-->

<pre>
## raw
</pre>

A setext heading
----------------

    # indented code

* # item

### Deep ###

two lines
of text
---

# Another [link](https://example.org/a_(b)) title
"""
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


def test_only_real_headings_are_found() -> None:
    found = outline(MIXED, "a/b.md")
    assert found.title == "The first title_of"
    assert [(section.level, section.heading, section.anchor) for section in found.sections] == [
        (2, "Use CORSMiddleware", "use-cors"),
        (2, "A setext heading", ""),
        (3, "Deep", ""),
        (1, "Another link title", ""),
    ]


def test_lines_of_a_section_reach_to_the_next_heading_of_its_level_or_higher() -> None:
    text = "# T\n\n## A\na\n### A1\nb\n## B\nc\n"
    sections = outline(text, "t.md").sections
    assert [(each.heading, each.first_line, each.last_line) for each in sections] == [
        ("A", 3, 6),
        ("A1", 5, 6),
        ("B", 7, 8),
    ]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: From the front\n---\n# In the text\n", "From the front"),
        ("## Only a lower one\n", "Only a lower one"),
        ("no heading at all", "quick start"),
        ("", "quick start"),
        ("# GET /{path} {: .wide key=1 }\n", "GET /{path}"),
        ("Title\n=====\n", "Title"),
        ("# Spelled\r\n\r\n## Out\r\n", "Spelled"),
        ("# `__init__` and __bold__ <br> &amp; *more*\n", "__init__ and bold & more"),
    ],
)
def test_the_title(text: str, title: str) -> None:
    assert outline(text, "guide/quick-start.md").title == title


def test_a_heading_equal_to_the_front_matter_title_is_not_a_section() -> None:
    assert outline("---\ntitle: Same\n---\n# Same\n## A\n", "x.md").sections[0].heading == "A"
    assert outline("---\ntitle: Other\n---\n# Same\n## A\n", "x.md").sections[0].first_line == 4


@given(st.text(st.sampled_from("# \tab"), max_size=12))
def test_a_heading_ends_before_its_closing_marks(text: str) -> None:
    """Found without trying every place at which the closing marks could begin, as a pattern would."""
    by_pattern = re.fullmatch(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*", text)
    found = [(section.level, section.heading) for section in outline(f"# T\n\n{text}\n", "a.md").sections]
    assert found == ([(len(by_pattern.group(1)), plain(by_pattern.group(2) or ""))] if by_pattern else [])


def test_code_in_a_heading_is_unchanged() -> None:
    assert plain("`__init__` and ``a`b`` of `List<T>`, `` ` ``") == "__init__ and a`b of List<T>, `"
    assert plain("`open and **bold**") == "open and bold"


def test_only_the_beginning_of_an_endless_heading_is_read() -> None:
    (section,) = outline(f"# T\n\n## {'word ' * 10_000}\n", "a.md").sections
    assert section.heading == ("word " * 40)


@given(st.text(st.sampled_from("#`~-= \nab{}<!>"), max_size=120))
def test_any_text_has_a_title_and_sections_within_its_lines(text: str) -> None:
    found = outline(text, "page.md")
    lines = text.split("\n")
    assert found.title
    for section in found.sections:
        assert 1 <= section.first_line <= max(section.first_line, section.last_line) <= len(lines)
        assert section.heading == plain(section.heading) or section.heading


def test_the_sidebar_groups_pages_by_parent_item_or_heading() -> None:
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
