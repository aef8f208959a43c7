"""Titles and headings of Markdown files."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.docsets.outline import outline, plain

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


def test_headings_are_found_and_what_only_looks_like_one_is_not() -> None:
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


def test_the_heading_that_says_what_the_front_matter_says_is_no_section() -> None:
    assert outline("---\ntitle: Same\n---\n# Same\n## A\n", "x.md").sections[0].heading == "A"
    assert outline("---\ntitle: Other\n---\n# Same\n## A\n", "x.md").sections[0].first_line == 4


@given(st.text(st.sampled_from("#`~-= \nab{}<!>"), max_size=120))
def test_any_text_has_a_title_and_sections_within_its_lines(text: str) -> None:
    found = outline(text, "page.md")
    lines = text.split("\n")
    assert found.title
    for section in found.sections:
        assert 1 <= section.first_line <= max(section.first_line, section.last_line) <= len(lines)
        assert section.heading == plain(section.heading) or section.heading
