"""Notices of all generators, definition lists, footnotes."""

from __future__ import annotations

import pytest

from tests.extract.pages import check_offsets, html_page, text_of


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ('<div class="admonition warning"><p class="admonition-title">Warning</p><p>Hot.</p></div>', "⚠️ WARNING: Hot."),
        ('<div class="admonition note"><p class="admonition-title">Note</p><p>a</p><p>b</p></div>', "ℹ️ NOTE: a\n\nb"),
        ('<div class="admonition tip"><p class="admonition-title">Do this</p><p>a</p></div>', "💡 TIP: Do this\n\na"),
        (
            '<div class="admonition important"><p class="admonition-title">Important</p><ul><li>x</ul></div>',
            "❗ IMPORTANT:\n\n- x",
        ),
        (
            '<aside class="starlight-aside starlight-aside--caution"><p class="starlight-aside__title">Caution</p><p>a</p></aside>',
            "⚠️ CAUTION: a",
        ),
        ('<div class="note"><p>Just so.</p></div>', "ℹ️ NOTE: Just so."),
        ('<div class="warning"><h3 class="title">Warning</h3><p>x</p></div>', "⚠️ WARNING: x"),
        ('<div class="alert alert-info" role="alert"><strong>Info</strong> text</div>', "ℹ️ INFO: text"),
        ('<div class="alert alert-danger"><p>x</p></div>', "⚠️ DANGER: x"),
        (
            '<div class="markdown-alert markdown-alert-note"><p class="markdown-alert-title">Note</p><p>x</p></div>',
            "ℹ️ NOTE: x",
        ),
        ("<blockquote><p>[!TIP]<br>Rest.</p></blockquote>", "💡 TIP: Rest."),
        ('<div class="admonition seealso"><p class="admonition-title">See also</p><p>x</p></div>', "ℹ️ SEE ALSO: x"),
        ('<div class="hint hint-info"><p>x</p></div>', "ℹ️ INFO: x"),
        ('<div class="notecard warning"><p><strong>Warning:</strong> Hot.</p></div>', "⚠️ WARNING: Hot."),
        ('<div class="note"><p><b>Note</b>: so</p><p>y</p></div>', "ℹ️ NOTE: so\n\ny"),
        ('<div class="note"><p><b>Ports</b>: 80</p></div>', "ℹ️ NOTE: **Ports**: 80"),
        ('<div class="note"><p><b>Notes</b> are long.</p></div>', "ℹ️ NOTE: **Notes** are long."),
        (
            '<div class="admonition admonition-tip"><div class="admonition-heading"><h5>Fast</h5></div><p>x</p></div>',
            "💡 TIP: Fast\n\nx",
        ),
        ('<blockquote class="warning-title"><p>Hot</p><p>x</p></blockquote>', "⚠️ WARNING: Hot\n\nx"),
        ('<blockquote class="blockquote-tag blockquote-tag-important"><p>x</p></blockquote>', "❗ IMPORTANT: x"),
        ('<dl class="section warning"><dt>Warning</dt><dd>Hot.</dd></dl>', "⚠️ WARNING: Hot."),
        ('<dl class="section return"><dt>Returns</dt><dd>x</dd></dl>', "**Returns**: x"),
        ('<div class="alert">plain</div>', "plain"),
        ('<div class="notebook">plain</div>', "plain"),
    ],
)
def test_notices(markup: str, expected: str) -> None:
    assert text_of(f"<main>{markup}</main>") == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<dl><dt>Term<dd>Text<dt>Other<dd>More</dl>", "**Term**: Text\n\n**Other**: More"),
        ("<dl><dt>A</dt><dt>B</dt><dd><p>x</p><p>y</p></dd></dl>", "**A**\n**B**: x\n\ny"),
        ("<dl><dt>A<dd><ul><li>x</ul></dl>", "**A**:\n\n- x"),
        ("<dl><dt>A</dt><dd><pre>x</pre></dd></dl>", "**A**:\n\n```\nx\n```"),
        ("<dl><dt>A</dt><dd></dd></dl>", "**A**"),
        ("<dl><dt><code>--all</code>:</dt><dd>x</dd></dl>", "**--all**: x"),
        ("<dl><dt><strong>**kw</strong></dt><dd>x</dd></dl>", "**`**kw`**: x"),
        ("<dl><dt><strong>n</strong><span class='classifier'>int</span></dt><dd>x</dd></dl>", "**n : int**: x"),
        ("<p>a</p><dl><dt>A<dd>b</dl><p>c</p>", "a\n\n**A**: b\n\nc"),
    ],
)
def test_definition_lists(markup: str, expected: str) -> None:
    assert text_of(f"<main>{markup}</main>") == expected


def test_signatures_with_an_anchor_are_sections_under_their_heading() -> None:
    page = html_page(
        '<main><h2 id="api">API</h2><dl class="py class"><dt class="sig" id="k.K"><em>class </em>'
        '<span class="descname">K</span>(<em>x</em>, *, <em>y=1</em>)'
        '<a href="/src"><span class="viewcode-link">[source]</span></a></dt><dd><p>A class.</p>'
        '<dl class="py method"><dt class="sig" id="k.K.run"><span class="descname">run</span>()</dt><dd><p>Runs.</p></dd></dl>'
        "</dd></dl><dl><dt>plain</dt><dd>no anchor</dd></dl></main>"
    )
    assert page.text == (
        "## API\n\n**`class K(x, *, y=1)`** [source]: A class.\n\n**`run()`**: Runs.\n\n**plain**: no anchor"
    )
    assert [(s.level, s.heading, s.anchor) for s in page.sections] == [
        (2, "API", "api"),
        (3, "class K()", "k.K"),
        (4, "run()", "k.K.run"),
    ]
    assert [link.text for link in page.links] == ["[source]"]
    check_offsets(page)


def test_footnotes_follow_their_label() -> None:
    text = text_of(
        '<main><p>x</p><aside class="footnote"><span class="label">[<a href="#r">1</a>]</span><p>Newton.</p></aside></main>'
    )
    assert text == "x\n\n[1] Newton."
