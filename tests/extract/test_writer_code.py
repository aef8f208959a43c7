"""Preformatted text: exact lines, languages, no line numbers."""

from __future__ import annotations

import pytest

from tests.extract.pages import check_offsets, html_page, text_of


@pytest.mark.parametrize(
    ("body", "language"),
    [
        ("<pre><code class='language-js'>x</code></pre>", "js"),
        ("<pre class='lang-rust'>x</pre>", "rust"),
        ("<div class='highlight-python3 notranslate'><div class='highlight'><pre>x</pre></div></div>", "python3"),
        ("<div class='highlight highlight-source-shell'><pre>x</pre></div>", "shell"),
        (
            "<div class='language-ruby highlighter-rouge'><div class='highlight'><pre><code>x</code></pre></div></div>",
            "ruby",
        ),
        ("<pre class='brush: java; gutter: false'>x</pre>", "java"),
        ("<pre><code data-lang='go'>x</code></pre>", "go"),
        ("<pre data-language='c++'>x</pre>", "c++"),
        ("<pre lang=shell><code>x</code></pre>", "shell"),
        ("<pre lang=en>x</pre>", ""),
        ("<pre class='sourceCode haskell'><code>x</code></pre>", "haskell"),
        ("<pre><code class='hljs csharp'>x</code></pre>", "csharp"),
        ("<div class='highlight-default notranslate'><pre>x</pre></div>", ""),
        ("<div class='highlight-none'><pre>x</pre></div>", ""),
        ("<pre class='language-plaintext'>x</pre>", ""),
        ("<pre class='rust rust-example-rendered'><code>x</code></pre>", "rust"),
        ("<pre class='mermaid'>x</pre>", "mermaid"),
        ("<pre class='screen pretty'>x</pre>", ""),
        (
            "<div class='language-python'><table class='highlighttable'><tr><td><div><pre>x</pre></div></table></div>",
            "python",
        ),
        ("<pre>x</pre>", ""),
    ],
)
def test_language(body: str, language: str) -> None:
    assert text_of(f"<main>{body}</main>") == f"```{language}\nx\n```"


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("<pre>\n  a\n\n\tb  \n</pre>", "  a\n\n\tb"),
        ("<pre><span>a</span> <b>b</b>\nc</pre>", "a b\nc"),
        ("<pre><code><span>one<br></span><span>two<br></span></code></pre>", "one\ntwo"),
        ("<pre><code><div>one</div><div>two</div></code></pre>", "one\ntwo"),
        ("<pre><code><span class=ln>1</span><a href='#'>x</a>\n<span class=ln>2</span>y</code></pre>", "x\ny"),
        ("<pre><span class=lineno>1</span>x</pre>", "x"),
        ("<pre><div>one</div>\n<div>two</div>\n\n<div>three</div></pre>", "one\ntwo\n\nthree"),
        ("<pre><span class=boring>fn main() {\n</span>x\n<span class=boring>}</span></pre>", "x"),
        ("<pre>run <img src='images/callouts/1.png' alt='1'>\nstop</pre>", "run (1)\nstop"),
        ("<pre>dark</pre><pre>dark</pre>", "dark"),
        (
            "<div class=fragment><div class=line>int a;</div><div class=line> </div><div class=line>int b;</div></div>",
            "int a;\n \nint b;",
        ),
        ("<p><code>one<br>\n<span class=indent>two<br></span>\nthree</code></p>", "one\n  two\nthree"),
        (
            "<div class=memproto><table class=memname><tr><td>int f </td><td>(</td><td>int </td><td><em>n</em>)</td></table></div>",
            "int f (int n)",
        ),
        ("<pre>&lt;b&gt; &amp;amp;</pre>", "<b> &amp;"),
    ],
)
def test_lines_are_exact(body: str, lines: str) -> None:
    assert text_of(f"<main>{body}</main>") == f"```\n{lines}\n```"


def test_the_fence_is_longer_than_any_run_inside() -> None:
    assert text_of("<main><pre>a\n````\nb</pre></main>") == "`````\na\n````\nb\n`````"


def test_code_in_a_list_is_indented_and_in_a_quotation_prefixed() -> None:
    text = text_of("<main><ul><li>do<pre>a\n\nb</pre></ul><blockquote><p>so</p><pre>c\n\nd</pre></blockquote></main>")
    assert text == "- do\n\n  ```\n  a\n\n  b\n  ```\n\n> so\n>\n> ```\n> c\n>\n> d\n> ```"


def test_links_in_code_keep_their_place() -> None:
    page = html_page("<main><ul><li><pre>\nfirst\nuse <a href='/std'>std</a>::<a href='/io'>io</a>;</pre></ul></main>")
    assert [(link.text, link.url) for link in page.links] == [
        ("std", "https://docs.example/std"),
        ("io", "https://docs.example/io"),
    ]
    check_offsets(page)


def test_code_in_a_heading_or_cell_stays_on_one_line() -> None:
    text = text_of("<main><table><tr><th>Call<th>Does<tr><td><pre>f(x)</pre><td>it</table></main>")
    assert text.splitlines()[2] == "| `f(x)` | it   |"


def test_an_empty_block_leaves_nothing() -> None:
    assert text_of("<main><p>a</p><pre> \n </pre><p>b</p></main>") == "a\n\nb"


def test_the_same_code_in_another_language_stays() -> None:
    text = text_of("<main><pre class=language-cjs>x</pre><pre class=language-mjs>x</pre></main>")
    assert text == "```cjs\nx\n```\n\n```mjs\nx\n```"


def test_line_numbers_of_one_line_are_not_a_table() -> None:
    text = text_of(
        "<main><table class=lntable><tr><td class=lntd><pre><span class=lnt>1\n</span></pre>"
        "<td class=lntd><pre><code data-lang=go>x</code></pre></table></main>"
    )
    assert text == "```go\nx\n```"


def test_emphasis_around_code_does_not_break_the_fence() -> None:
    assert text_of("<main><b><pre>x</pre>after</b></main>") == "```\nx\n```\n\n**after**"


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<p><code>if x:<br>\n&nbsp;&nbsp;y<br/>   z</code></p>", "```\nif x:\n  y\nz\n```"),
        ("<p>Run <code>one<br>two</code> now</p>", "Run `one`\n`two` now"),
        ("<tt>one<br><br>two</tt>", "`one`\n`two`"),
        ("<p><code style='white-space: pre'>if x:\n    y</code></p>", "```\nif x:\n    y\n```"),
        ("<code style='display:block;white-space:pre-wrap'>if x:\n  y</code>", "```\nif x:\n  y\n```"),
        ("<p>a</p><code class='block whitespace-pre'>if x:\n  y</code>", "a\n\n```\nif x:\n  y\n```"),
        (
            "<p style='white-space:pre-line'>one\n  two <b>three\nfour</b>\nfive</p>",
            "one\ntwo **three\nfour**\nfive",
        ),
        ("<div class='whitespace-pre-wrap'>one\n\ntwo</div>", "one\ntwo"),
        ("<p style='white-space: normal'>one\ntwo</p>", "one two"),
        (
            "<div style='white-space:pre-wrap'>\n<table>\n<tr>\n<th>A\n<th>B\n<tr>\n<td>1<td>2\n3</table></div>",
            "| A   | B   |\n|-----|-----|\n| 1   | 2 3 |",
        ),
        ("<pre style='white-space: pre'>a\n  b</pre>", "```\na\n  b\n```"),
    ],
)
def test_lines_that_a_style_keeps(markup: str, text: str) -> None:
    assert text_of(f"<main>{markup}</main>") == text
