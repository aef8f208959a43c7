"""Code in the layout of each highlighter and editor: exact lines, without numbers."""

from __future__ import annotations

import pytest

from tests.extract.pages import text_of

CODE = "let a = 1\n  b()"
VIEWS = {
    "Pygments inline": "<div class=highlight><pre><span class=linenos>1</span>let a = 1\n<span class=linenos>2</span>  b()\n</pre></div>",
    "Pygments table": (
        "<div class=highlight><table class=highlighttable><tr><td class=linenos><div class=linenodiv><pre><span class=normal>1</span>\n"
        "<span class=normal>2</span></pre></div></td><td class=code><div><pre>"
        "<code>let a = 1\n  b()\n</code></pre></div></td></tr></table></div>"
    ),
    "highlight.js": (
        "<pre><code class=hljs><table class=hljs-ln><tbody><tr><td class='hljs-ln-line hljs-ln-numbers' data-line-number=1>"
        "<div class=hljs-ln-n data-line-number=1>1</div></td><td class='hljs-ln-line hljs-ln-code'>let a = 1</td></tr><tr>"
        "<td class='hljs-ln-line hljs-ln-numbers' data-line-number=2><div class=hljs-ln-n>2</div></td>"
        "<td class='hljs-ln-line hljs-ln-code'>  b()</td></tr></tbody></table></code></pre>"
    ),
    "Prism": (
        "<pre class='line-numbers'>"
        "<code>let a = 1\n  b()<span aria-hidden=true class=line-numbers-rows><span></span><span></span></span></code></pre>"
    ),
    "Shiki": "<pre class=shiki><code><span class=line><span>let</span> a = 1</span>\n<span class=line>  b()</span></code></pre>",
    "lines without ends": "<pre><code><span class=line>let a = 1</span><span class=line>  b()</span></code></pre>",
    "Chroma inline": (
        "<pre class=chroma><code><span class=line><span class=ln>1</span><span class=cl>let a = 1\n</span></span><span class=line>"
        "<span class=ln>2</span><span class=cl>  b()\n</span></span></code></pre>"
    ),
    "Chroma table": (
        "<div class=chroma><table class=lntable><tr><td class=lntd><pre class=chroma><code><span class=lnt>1\n</span><span class=lnt>2\n"
        "</span></code></pre></td><td class=lntd><pre class=chroma><code>let a = 1\n  b()\n</code></pre></td></tr></table></div>"
    ),
    "Rouge": (
        "<pre class=highlight><code><table class=rouge-table><tbody><tr><td class='rouge-gutter gl'><pre class=lineno>1\n2\n</pre></td>"
        "<td class=rouge-code><pre>let a = 1\n  b()\n</pre></td></tr></tbody></table></code></pre>"
    ),
    "CodeMirror 5": (
        "<div class=CodeMirror><div class=CodeMirror-measure><pre>xxx</pre></div><div class=CodeMirror-code role=presentation><div>"
        "<div class=CodeMirror-gutter-wrapper><div class='CodeMirror-linenumber CodeMirror-gutter-elt'>1</div></div>"
        "<pre class=CodeMirror-line><span>let a = 1</span></pre></div><div><div class=CodeMirror-gutter-wrapper>"
        "<div class='CodeMirror-linenumber CodeMirror-gutter-elt'>2</div></div>"
        "<pre class=CodeMirror-line><span>  b()</span></pre></div></div></div>"
    ),
    "CodeMirror 6": (
        "<div class=cm-editor><div class=cm-gutters><div class='cm-gutter cm-lineNumbers'><div class=cm-gutterElement>1</div>"
        "<div class=cm-gutterElement>2</div></div></div><div class=cm-content>"
        "<div class=cm-line>let a = 1</div><div class=cm-line>  b()</div></div></div>"
    ),
    "Monaco": (
        "<div class=monaco-editor><div class=margin-view-overlays><div>"
        "<div class=line-numbers>1</div></div><div><div class=line-numbers>2</div>"
        "</div></div><div class=view-lines aria-hidden=true><div class=view-line style='top:19px'><span>&nbsp;&nbsp;b()</span></div>"
        "<div class=view-line style='top:0px'><span>let&nbsp;a = 1</span></div></div></div>"
    ),
    "expressive-code": (
        "<pre><code><div class=ec-line><div class=gutter><div class=ln aria-hidden=true>1</div></div><div class=code>let a = 1</div></div>"
        "<div class=ec-line><div class=gutter><div class=ln>2</div></div><div class=code>  b()</div></div></code></pre>"
    ),
    "Hexo": (
        "<figure class=highlight><table><tr><td class=gutter><pre><span class=line>1</span><br><span class=line>2</span><br></pre></td>"
        "<td class=code><pre><span class=line>let a = 1</span><br><span class=line>  b()</span><br></pre></td></tr></table></figure>"
    ),
    "SyntaxHighlighter": (
        "<div class=syntaxhighlighter><table><tbody><tr><td class=gutter>"
        "<div class='line number1'>1</div><div class='line number2'>2</div></td>"
        "<td class=code><div class=container><div class='line number1'><code>let</code> <code>a = 1</code></div>\n"
        "<div class='line number2'><code>&nbsp;&nbsp;</code><code>b()</code></div></div></td></tr></tbody></table></div>"
    ),
    "Crayon": (
        "<div class=crayon-syntax><table class=crayon-table><tr><td class=crayon-nums>"
        "<div class=crayon-num>1</div><div class=crayon-num>2</div>"
        "</td><td class=crayon-code><div class=crayon-pre><div class=crayon-line>let a = 1</div>"
        "<div class=crayon-line>  b()</div></div></td></tr></table></div>"
    ),
    "GitHub": (
        "<table class=js-file-line-container>\n<tr>\n<td class=blob-num data-line-number=1>"
        "</td>\n<td class=blob-code>let a = 1</td></tr>\n"
        "<tr><td class=blob-num data-line-number=2></td><td class=blob-code>  b()</td></tr></table>"
    ),
    "GitLab": (
        "<div class='file-content code'><div class=line-numbers><a href=#L1>1</a>\n<a href=#L2>2</a></div><pre class=code><code>"
        "<span id=LC1 class=line>let a = 1</span>\n<span id=LC2 class=line>  b()</span></code></pre></div>"
    ),
    "react-syntax-highlighter": (
        "<pre><code><span class=react-syntax-highlighter-line-number>1</span><span>let a = 1</span>\n"
        "<span class=react-syntax-highlighter-line-number>2</span><span>  b()</span></code></pre>"
    ),
    "user-select": "<pre><span style='user-select: none'>1</span>let a = 1\n<span style='user-select:none'>2</span>  b()</pre>",
    "links": "<pre><a href=#L1>1</a>let a = 1\n<a href=#L2>2</a>  b()</pre>",
    "attributes": "<pre><span data-line-number=1>1</span>let a = 1\n<span data-line-number=2>2</span>  b()</pre>",
    "Gitea": (
        "<table><tr><td class=lines-num><span data-line-number=1></span></td><td class='lines-code chroma'><code>let a = 1</code></td></tr>"
        "<tr><td class=lines-num><span data-line-number=2></span></td><td class='lines-code chroma'><code>  b()</code></td></tr></table>"
    ),
    "rustdoc": "<div><pre class=line-numbers><span>1</span>\n<span>2</span></pre><pre><code>let a = 1\n  b()</code></pre></div>",
    "Prettify": "<pre class='prettyprint linenums'><ol class=linenums><li class=L0>let a = 1</li><li class=L1>  b()</li></ol></pre>",
    "Javadoc": "<pre><span class=source-line-no>001</span><span id=l1>let a = 1</span>\n<span class=source-line-no>002</span>  b()</pre>",
    "LXR": "<pre><a class=fline href='x.html#L1'>8</a> let a = 1\n<a class=fline href='x.html#L2'>9</a>   b()</pre>",
    "Giallo": "<pre><code><mark><span class=giallo-ln>1</span>let a = 1\n</mark><span class=giallo-ln>2</span>  b()</code></pre>",
    "Zola": (
        "<pre data-linenos><code><table><tbody><tr><td>1</td><td><span>let a = 1</span></td></tr><tr><td>2</td><td><span>  b()</span></td>"
        "</tr></tbody></table></code></pre>"
    ),
    "blocks": "<pre><div><b>9</b><span>let a = 1</span></div><div><b>10</b><span>  b()</span></div></pre>",
    "columns": "<pre><code style='float: left'><span>1\n</span><span>2\n</span></code><code>let a = 1\n  b()</code></pre>",
    "numbers behind": (
        "<div class=numbered><pre><code>let a = 1\n  b()</code></pre>"
        "<div class=line-numbers-wrapper><span class=line-number>1</span><br><span class=line-number>2</span><br></div></div>"
    ),
    "Sourcegraph": (
        "<table><tr><td class=line data-line=1></td><td class=code><div>let a = 1</div></td></tr>"
        "<tr><td class=line data-line=2></td><td class=code><div>  b()</div></td></tr></table>"
    ),
    "Phabricator": (
        "<table><tr><th class=source-line><a data-n=1></a></th><td class=phabricator-source-code>let a = 1</td></tr>"
        "<tr><th class=source-line><a data-n=2></a></th><td class=phabricator-source-code>  b()</td></tr></table>"
    ),
    "a cell a line": (
        "<table class=code-table><tr><td>1</td><td class=src><pre>let a = 1</pre></td></tr>"
        "<tr><td>2</td><td class=src><pre>  b()</pre></td></tr></table>"
    ),
    "rehype": (
        "<pre><code><span class='code-line line-number' line=1>let a = 1\n</span>"
        "<span class='code-line line-number' line=2>  b()\n</span></code></pre>"
    ),
}


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_becomes_its_lines(name: str) -> None:
    assert text_of(f"<main><p>Before</p>{VIEWS[name]}<p>After</p></main>") == f"Before\n\n```\n{CODE}\n```\n\nAfter"


@pytest.mark.parametrize(
    ("markup", "code"),
    [
        ("<pre>1 apple\n2 pears</pre>", "1 apple\n2 pears"),
        ("<pre><span class='token number'>1</span> + <span class=hljs-number>2</span></pre>", "1 + 2"),
        ("<pre class='line-numbers'><code>42</code></pre>", "42"),
        ("<pre><span style='user-select:none'>$ </span>make</pre>", "$ make"),
        ("<pre><span class=line>1</span>\n<span class=line>2</span></pre>", "1\n2"),
        ("<pre><span class=mi>1</span> + 1\n<span class=mi>2</span> + 2</pre>", "1 + 1\n2 + 2"),
        ("<pre><b>1</b> apple\n<b>2</b> pears\nand more</pre>", "1 apple\n2 pears\nand more"),
        ("<pre><em>a</em><code>.</code><em>b</em><code>.</code><em>c</em></pre>", "a.b.c"),
        ("<pre><b>1</b> apple\n<b>5</b> pears</pre>", "1 apple\n5 pears"),
    ],
)
def test_code_that_looks_like_numbers_stays(markup: str, code: str) -> None:
    assert text_of(f"<main><p>Before</p>{markup}</main>") == f"Before\n\n```\n{code}\n```"


def test_an_empty_line_of_a_view_stays() -> None:
    lines = "".join(
        f"<tr><td class=blob-num data-line-number={n}></td><td class=blob-code>{text}</td></tr>"
        for n, text in enumerate(["a", "", "b"])
    )
    assert text_of(f"<main><table>{lines}</table></main>") == "```\na\n\nb\n```"


def test_a_table_of_codes_stays_a_table() -> None:
    rows = "<tr><td>1<td class=code>SIGHUP<tr><td>2<td class=code>SIGINT"
    assert text_of(f"<main><table>{rows}</table></main>").count("|") == 12


def test_a_table_with_numbered_lines_of_traffic_stays_a_table() -> None:
    rows = "<tr><th>Line<th>Stop</th></tr><tr><td class=line-number>1<td>Station<tr><td class=line-number>2<td>Harbour"
    assert text_of(f"<main><table>{rows}</table></main>").count("|") == 12


def changes(lines: list[tuple[str, str]], tag: str = "span") -> str:
    return "\n".join(f'<{tag} class="{names}">{text}</{tag}>' for names, text in lines)


@pytest.mark.parametrize(
    "code",
    [
        changes([("line", "a"), ("line", ""), ("line diff remove", "  b"), ("line diff add highlighted", "  c")]),
        changes(
            [
                ("ec-line", "a"),
                ("ec-line", "<div>\n</div>"),
                ("ec-line highlight del", "  b"),
                ("ec-line highlight ins", "  c"),
            ],
            "div",
        ).replace(">\n<div class", "><div class"),
    ],
)
def test_added_and_removed_lines_have_their_signs(code: str) -> None:
    assert text_of(f"<main><pre><code>{code}</code></pre></main>") == "```\n  a\n\n-   b\n+   c\n```"


def test_code_in_a_text_field_is_shown_once() -> None:
    code = "package main\n\nfunc main() {\n\tlamp()\n}"
    field = f'<textarea class="example-code">{code}\n</textarea>'
    assert text_of(f"<main><p>Before</p><div>{field}</div></main>") == f"Before\n\n```\n{code}\n```"
    assert text_of(f"<main><p>Before</p><div>{field}<pre>{code}</pre></div></main>") == f"Before\n\n```\n{code}\n```"
    assert text_of("<main><p>Before</p><textarea name=comment>Your\ncomment</textarea></main>") == "Before"


def test_numbers_in_a_column_of_their_own_are_left_out() -> None:
    cells = "<td><pre class=lines>\n1\n2</pre></td><td><pre class=code>a\n  b</pre></td>"
    assert text_of(f"<main><table class=source_code><tr>{cells}</table></main>") == "```\na\n  b\n```"


def test_a_linked_number_of_a_section_stays_in_preformatted_text() -> None:
    heading = '<span class="h2"><a class="selflink" id="section-1" href="#section-1">1</a>.  Introduction</span>'
    assert text_of(f"<main><p>RFC</p><pre>{heading}\n\n   Text</pre></main>").endswith(
        "```\n1.  Introduction\n\n   Text\n```"
    )
