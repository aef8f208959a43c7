"""MDX: JavaScript goes, text and code stay."""

from __future__ import annotations

import time

import pytest

from app.extract import Page
from tests.extract.pages import markdown_page

HEAD = "import Tabs from '@theme/Tabs';\n\n"


def mdx(source: str) -> Page:
    return markdown_page(source, url="https://docs.example/page.mdx")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import A from 'a';\nimport {\n  B,\n  C\n} from \"./b\";\nimport './x.css'\n\n# T\n", "# T"),
        ("export const X = () => {\n  return <b>x</b>;\n};\n\n# T\n", "# T"),
        ("{/* a\ncomment */}\n\ntext{' '}here\n", "text here"),
        ('a <Foo bar={() => <div>x > y</div>} title="t" /> b\n', "a  b".replace("  ", " ")),
        ("`<Foo />` and ``<Bar>``\n", "`<Foo />` and `<Bar>`"),
        ("```jsx\nimport X from 'y';\n<Foo>kept</Foo>\n```\n", "```jsx\nimport X from 'y';\n<Foo>kept</Foo>\n```"),
        ("<Note>\nThis is *it*.\n</Note>\n\nafter\n", "ℹ️ NOTE: This is *it*.\n\nafter"),
        ('<Admonition type="warning" title="Hot">\n\nx\n\n</Admonition>\n', "⚠️ WARNING: Hot\n\nx"),
        (
            '<Tabs values={[{a: "b"}]}>\n<TabItem value="npm" label="With npm">\n\n*x*\n\n</TabItem>\n</Tabs>\n',
            "**With npm**\n\n*x*",
        ),
        ("<div className='c' style={{color: 'red'}} id={x}>inner</div>\n", "inner"),
        ("1 < 2 and <Unclosed is text\n", "1 < 2 and <Unclosed is text"),
    ],
)
def test_components(source: str, expected: str) -> None:
    assert mdx(source).text == expected


def test_a_card_is_a_link() -> None:
    page = mdx('<Card title="Start here" href="/start" />\n')
    assert [(link.text, link.url) for link in page.links] == [("Start here", "https://docs.example/start")]


def test_imports_make_a_markdown_file_mdx_and_python_does_not() -> None:
    assert markdown_page(f"{HEAD}# T\n\n<Tabs>\n*x*\n</Tabs>").text == "# T\n\n*x*"
    assert markdown_page("import this from that\n\n# T").text == "import this from that\n\n# T"


def test_hostile_sources_cost_no_time() -> None:
    started = time.process_time()
    for source in (
        "<A " * 20_000,
        "{" * 20_000,
        "<a b={" * 5_000,
        "import {" * 5_000,
        "`" * 20_000,
        "export const\n" * 5_000,
    ):
        mdx("# T\n\n" + source)
    assert time.process_time() - started < 3


def test_descriptions_and_folded_values_of_front_matter() -> None:
    page = markdown_page(
        "---\ntags:\n  - a\ntitle: The title\ndescription: >-\n  What it is\n  about.\n---\n# T\n\ntext"
    )
    assert (page.title, page.text) == ("The title", "What it is about.\n\n# T\n\ntext")
    assert markdown_page("---\ndescription: The text\n---\n# T\n\nThe text is here").text == "# T\n\nThe text is here"
