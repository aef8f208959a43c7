"""Markdown and MDX as pages."""

from __future__ import annotations

import time

import pytest

from app.errors import EmptyPageError
from app.extract import Page, extract, markdown, markdown_source
from tests.extract.pages import check_offsets, markdown_page

HEAD = "import Tabs from '@theme/Tabs';\n\n"


def test_front_matter() -> None:
    page = markdown_page(
        '---\ntitle: "Bread: the book"\ndate: 2024-03-09\nlang: en-GB\ntags: [a]\n---\n\n# Loaf\n\ntext\n'
    )
    assert (page.title, page.language, page.published) == ("Bread: the book", "en-GB", "2024-03-09")
    assert page.text == "# Loaf\n\ntext"
    assert markdown_page("\n---\n# ours\ntitle: T\n---\ntext").text == "text"
    assert markdown_page("---\n# ours\n---\nNote: text\n\n---\nmore").text.endswith("Note: text\n\n---\n\nmore")
    assert markdown_page("+++\ntitle = 'Toml'\n+++\ntext").title == "Toml"
    assert markdown_page("---\n\nno front matter\n\n---\n").text.startswith("no front matter")
    assert markdown_page("# Only heading\n\nx").title == "Only heading"


def test_links_images_and_references() -> None:
    page = markdown_page(
        "See [the oven](./oven.md#heat 'T'), [ref][1], <https://e.example/a?b=c>, [mail](mailto:a@b.c).\n"
        "![alt text](img/loaf.png)\n\n[1]: https://ref.example/x\n"
    )
    assert page.text == "See the oven, ref, https://e.example/a?b=c, mail."
    assert [(link.text, link.url) for link in page.links] == [
        ("the oven", "https://docs.example/guide/oven.md#heat"),
        ("ref", "https://ref.example/x"),
        ("https://e.example/a?b=c", "https://e.example/a?b=c"),
    ]
    assert [(image.url, image.alt) for image in page.images] == [
        ("https://docs.example/guide/img/loaf.png", "alt text")
    ]
    check_offsets(page)


def test_footnotes_of_one_word_or_address_are_kept() -> None:
    page = markdown_page("One[^1], two[^b].\n\n[^1]: Word\n\n> [^b]: https://a.example/x\n")
    assert page.text == "One[^1], two[^b].\n\n[^1]: Word\n\n> [^b]: https://a.example/x"
    assert [link.url for link in page.links] == ["https://a.example/x"]


def test_surplus_cells_and_bars_in_code_are_kept() -> None:
    text = markdown_page("|A|B|\n|-|-|\n|`x || y`|or|\n|1|2|3|4|\n\nx | y | z").text
    rows = text.replace(" ", "").split("\n")
    assert rows == ["|A|B|", f"|{'-' * 12}|{'-' * 9}|", "|`x\\|\\|y`|or|", "|1|2\\|3\\|4|", "", "x|y|z"]


@pytest.mark.parametrize(
    ("source", "anchor", "heading"),
    [
        ("# Title { #own-id }", "own-id", "Title"),
        ("# Title {#own .cls}", "own", "Title"),
        ("# The *big* `Title`!", "the-big-title", "The big Title!"),
        ("Setext\n======", "setext", "Setext"),
    ],
)
def test_heading_anchors(source: str, anchor: str, heading: str) -> None:
    (section,) = markdown_page(source + "\n\ntext").sections
    assert (section.anchor, section.heading) == (anchor, heading)


def test_repeated_headings_get_numbered_anchors() -> None:
    assert [section.anchor for section in markdown_page("# A\n\n# A\n\n# A\n").sections] == ["a", "a-1", "a-2"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            '!!! warning "Hot"\n    Do not touch.\n\n    - one\n\nafter',
            "⚠️ WARNING: Hot\n\nDo not touch.\n\n- one\n\nafter",
        ),
        ("??? note\n    Folded.\n", "ℹ️ NOTE: Folded."),
        ("/// tip | Aside\n\nx\n\n///\n\nafter", "💡 TIP: Aside\n\nx\n\nafter"),
        (":::danger\nx\n:::\n\nafter", "⚠️ DANGER: x\n\nafter"),
        (":::note[Read]\n\nx\n\n:::", "ℹ️ NOTE: Read\n\nx"),
        ("::: info Title here\nx\n:::", "ℹ️ INFO: Title here\n\nx"),
        ("> [!CAUTION]\n> x\n> y", "⚠️ CAUTION: x y"),
        ("> [!tip]- Folded\n> x", "💡 TIP: Folded x"),
        ('::: {.callout-tip title="Oil" collapse="true"}\nx\n:::\n\nafter', "💡 TIP: Oil\n\nx\n\nafter"),
        ("::: {#a .column-margin}\nx\n:::", "x"),
        (":::: columns\n::: note\nx\n:::\n::::\n\nafter", "ℹ️ NOTE: x\n\nafter"),
        (
            "````{note} Read\n:class: dropdown\n\nx\n\n```py\ny = 1\n```\n````\n\nafter",
            "ℹ️ NOTE: Read\n\nx\n\n```py\ny = 1\n```\n\nafter",
        ),
        ("```{code-block} python\n:linenos:\n\nx = 1\n```", "```python\nx = 1\n```"),
        (
            '=== "Linux"\n\n    ```sh\n    x\n    ```\n\n=== "Mac"\n\n    y\n\nafter',
            "**Linux**\n\n```sh\nx\n```\n\n**Mac**\n\ny\n\nafter",
        ),
        ('{% hint style="warning" %}\nx\n{% endhint %}\n\nafter', "⚠️ WARNING: x\n\nafter"),
        ('{% tabs %}\n{% tab title="Mac" %}\nx\n{% endtab %}\n{% endtabs %}', "**Mac**\n\nx"),
        ("{{< highlight go >}}\nx := 1\n\n# y\n{{< /highlight >}}", "```go\nx := 1\n\n# y\n```"),
        ("{% highlight ruby linenos %}\nputs 1\n{% endhighlight %}", "```ruby\nputs 1\n```"),
        ("{% highlight md %}\n!!! note\n    x\n```\n{% endhighlight %}", "````md\n!!! note\n    x\n```\n````"),
        ("- a\n\n  {% highlight sh %}\n  ls\n  {% endhighlight %}\n\n  b", "- a\n\n  ```sh\n  ls\n  ```\n\n  b"),
        ("```\n!!! note\n    text\n:::tip\n```", "```\n!!! note\n    text\n:::tip\n```"),
        ("!!! note\n    ```py\n    # code\n    x = 1\n    ```\n", "ℹ️ NOTE:\n\n```py\n# code\nx = 1\n```"),
    ],
)
def test_notices(source: str, expected: str) -> None:
    assert markdown_page(source).text == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("inline $x_1 * y_2$ here", "inline $x_1 * y_2$ here"),
        ("$$\n\\int_0^1 x\\,dx\n$$", "$$\\int_0^1 x\\,dx$$"),
        ("$$\na_1 &= b \\\\\nc &= d\n$$", "$$\na_1 &= b \\\\\nc &= d\n$$"),
        ("costs $5 and $10", "costs $5 and $10"),
        ("`$x_1$`", "`$x_1$`"),
    ],
)
def test_formulas(source: str, expected: str) -> None:
    assert markdown_page(source).text == expected


def test_blocks_and_embedded_html() -> None:
    page = markdown_page(
        "1. first\n   ```js\n   let a;\n   ```\n2. second\n\n| a | b |\n|---|---|\n| 1 | x \\| y |\n\n"
        "<details><summary>More</summary>\n\nhidden *text*\n\n</details>\n\n"
        '<div style="display:none">SECRET</div>\n<!-- SECRET -->\n<script>SECRET</script>\n\n~~old~~ done\n'
    )
    assert page.text == (
        "1. first\n\n   ```js\n   let a;\n   ```\n\n2. second\n\n| a   | b      |\n|-----|--------|\n| 1   | x \\| y |\n\n"
        "**More**\n\nhidden *text*\n\n~~old~~ done"
    )


def test_markdown_by_name_and_emptiness() -> None:
    page = extract(b"# T\n\n*x*", url="https://h.example/r/README.md", content_type="text/plain", charset=None)
    assert [section.heading for section in page.sections] == ["T"]
    with pytest.raises(EmptyPageError):
        markdown_page("---\ntitle: x\n---\n<!-- nothing -->\n")


def test_a_private_scheme_has_no_relative_links() -> None:
    page = markdown_page("[a](b.md) [c](https://c.example/)", url="webrag://guide/start")
    assert [link.url for link in page.links] == ["https://c.example/"]


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


def test_a_card_becomes_a_link() -> None:
    page = mdx('<Card title="Start here" href="/start" />\n')
    assert [(link.text, link.url) for link in page.links] == [("Start here", "https://docs.example/start")]


def test_imports_make_a_markdown_file_mdx_and_python_does_not() -> None:
    assert markdown_page(f"{HEAD}# T\n\n<Tabs>\n*x*\n</Tabs>").text == "# T\n\n*x*"
    assert markdown_page("import this from that\n\n# T").text == "import this from that\n\n# T"


def test_hostile_sources_take_linear_time() -> None:
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
    assert time.process_time() - started < 30


def test_descriptions_and_folded_values_of_front_matter() -> None:
    page = markdown_page(
        "---\ntags:\n  - a\ntitle: The title\ndescription: >-\n  What it is\n  about.\n---\n# T\n\ntext"
    )
    assert (page.title, page.text) == ("The title", "What it is about.\n\n# T\n\ntext")
    assert markdown_page("---\ndescription: The text\n---\n# T\n\nThe text is here").text == "# T\n\nThe text is here"


@pytest.mark.parametrize("data", ["| 1 " * 20 + "|\n", "- [ ] a\n", "[a](b) "])
def test_data_beyond_the_cost_of_documents_is_kept_as_written(data: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(markdown_source, "STRETCH_CHARS", 2_000)
    monkeypatch.setattr(markdown_source, "_FORCED_CHARS", 4_000)
    monkeypatch.setattr(markdown, "_MIN_TOKENS", 300)
    table = "| 1 " * 20 + "|\n" + "| - " * 20 + "|\n" if "|" in data else ""
    page = markdown_page(f"{table}{data * (20_000 // len(data))}\n\nthe end")
    assert page.note == "Parts of this very large file are shown as source text."
    assert data.strip() in page.text and page.text.endswith("the end\n```")
    prose = (
        "## Pumps\n\nA pump is *checked* each spring, before the water is let into the garden. See [the list](list.md).\n\n"
        * 200
    )
    assert not markdown_page(prose).note


def test_text_in_deep_lists_and_quotations_is_kept() -> None:
    for depth in (9, 12, 25):
        page = markdown_page("".join(f"{'  ' * level}- item {level}\n" for level in range(depth)))
        assert all(f"item {level}" in page.text for level in range(depth)) and not page.note
    page = markdown_page(f"{'> ' * 300}the end")
    assert "the end" in page.text and page.note == "Parts of this very large file are shown as source text."


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("Term\n: One\n: Two\n\nOther\n:   Long\n    text", "Term\n: One\n: Two\n\nOther\n: Long text"),
        ("- item\n  : more", "- item\n  : more"),
        ("text\n:class: x", "text :class: x"),
        ("```\na\n: b\n```", "```\na\n: b\n```"),
        ("# Head\n: text", "# Head\n\n: text"),
        ("Term\n```\na\n```\n: text", "Term\n\n```\na\n```\n\n: text"),
        (":::tip\nhello\n:::\n: text", "💡 TIP: hello\n\n: text"),
        ("/// note\nhello\n///\n: text", "ℹ️ NOTE: hello\n\n: text"),
        ("Term\n!!! note\n    hello\n: text", "Term\n\nℹ️ NOTE: hello\n\n: text"),
        ("<pre>\na\n\nb\n: ${A:=b}\n</pre>\n\nc\n: d", "```\na\n\nb\n: ${A:=b}\n```\n\nc\n: d"),
        ("$$\na\n: b\n$$\n\nc\n: d", "$$\na\n: b\n$$\n\nc\n: d"),
        ("a | b\n--|--\n1 | 2\n: c", "| a   | b   |\n|-----|-----|\n| 1   | 2   |\n| : c |     |"),
        ("Term\\\n: text", "Term\n: text"),
        ("Term\n\n: text", "Term\n\n: text"),
    ],
)
def test_definitions_are_below_their_terms(source: str, text: str) -> None:
    assert markdown_page(source).text == text
