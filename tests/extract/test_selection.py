"""The selected part of a page."""

from __future__ import annotations

import pytest

from app.extract.guided_selection import aligned, contained, declared_texts, keep_guided
from app.extract.page import read_metadata
from app.extract.selection import Kind, kind_of, landmark
from app.extract.tree import parse
from tests.extract.pages import URL, html_page, text_of

NAV = '<nav><a href="/">Home</a> <a href="/b">Blog</a></nav>'
FOOTER = "<footer><p>© Nobody, all rights reserved</p></footer>"
SENTENCES = [
    f"Sentence number {number} tells something about the harbour and its {number} boats." for number in range(12)
]
ARTICLE = "".join(f"<p>{sentence}</p>" for sentence in SENTENCES)
TEASERS = "".join(
    f'<div class="teaser"><h3>Read also</h3><p>Another story {n} you may like</p></div>' for n in range(4)
)
SIDEBAR = '<div class="sidebar"><p>DEBIAN PACKAGE Terms are explained in boxes of this kind.</p></div>'
PRODUCT = (
    '<script type="application/ld+json">//<![CDATA[\n{"@type": "Product", "name": "Lamp", "description": '
    '"A &lt;b&gt;small&lt;/b&gt; lamp for the desk with a long arm", "additionalProperty": '
    '[{"@type": "PropertyValue", "name": "Plug", "value": "Type C"}]}\n//]]></script>'
)
OG_ARTICLE = '<meta property="og:type" content="article">'
JSON_LD = '<script type="application/ld+json">{{"@type": "{}"}}</script>'


@pytest.mark.parametrize(
    "wrapper",
    [
        "<main>{}</main>",
        '<div role="main">{}</div>',
        "<article>{}</article>",
        '<div itemprop="articleBody">{}</div>',
        '<div id="content">{}</div>',
        '<div class="vp-doc">{}</div>',
        '<div id="content"><p><a href="/v1">Older versions</a></p><div id="apicontent">{}</div></div>',
        '<div id="path"><a href="/">Home</a></div><div id="page-content">{}</div>',
        '<div role="main"><section class="normal markdown-section">{}</section><div>No results</div></div>',
    ],
)
def test_landmarks(wrapper: str) -> None:
    body = wrapper.format("<h1>Title</h1><p>The text of the page.</p>")
    assert (
        text_of(f"{NAV}<div>Banner</div>{body}<div>Advertisement</div>{FOOTER}") == "# Title\n\nThe text of the page."
    )


def test_a_landmark_with_little_text_is_ignored() -> None:
    text = text_of(f"<main><p>Loading</p></main><div>{ARTICLE}</div>")
    assert SENTENCES[5] in text


def test_the_title_before_a_landmark_is_kept() -> None:
    assert text_of(f"{NAV}<div><h1>Title</h1></div><main>{ARTICLE}</main>").startswith("# Title\n\nSentence")


@pytest.mark.parametrize(
    "part",
    [
        "<nav>OUT</nav>",
        '<div role="navigation">OUT</div>',
        '<ul class="breadcrumb"><li>OUT</ul>',
        '<div class="prev-next-area"><a href="/n">OUT</a></div>',
        '<a class="edit-this-page" href="/e">OUT</a>',
        '<div class="toc"><ul><li><a href="#a">OUT</a></ul></div>',
        "<button>OUT</button>",
        '<div class="cookie-banner">OUT</div>',
        '<ul id="markdown-toc"><li><a href="#a">OUT</a></ul>',
        '<div class="td-page-meta__lastmod">OUT</div>',
        '<div class="toplang"><p>OUT <a href="/de">de</a></p></div>',
        '<div class="header"><p>OUT: <a href="#b" accesskey="n" rel="next">OUT</a></p></div>',
    ],
)
def test_boilerplate_inside_the_main_part_is_excluded(part: str) -> None:
    assert "OUT" not in text_of(f"<main>{part}{ARTICLE}</main>")


def test_a_title_in_another_part_of_the_same_main_is_kept() -> None:
    panel = f'<div><div class="sl-markdown-content">{ARTICLE}</div></div>'
    assert text_of(f"<main><div><h1>Sails</h1></div>{panel}</main>").startswith("# Sails\n\nSentence")
    assert text_of(f"<main><div><h1>One</h1><h1>Two</h1></div>{panel}</main>").startswith("Sentence")


def test_a_bare_title_before_a_landmark_is_a_heading() -> None:
    assert text_of(f"<div><h1>Title</h1> Tail<main>{ARTICLE}</main></div>").startswith("# Title\n\nSentence")


def test_contents_that_lead_to_other_pages_stay() -> None:
    page = html_page(
        '<main><h1>Manual</h1><div class="toc"><a href="a.html">One</a> <a href="b.html">Two</a></div></main>'
    )
    assert "One Two" in page.text
    assert len(page.links) == 2


def test_an_article_keeps_its_structure_without_surroundings() -> None:
    head = '<meta property="og:type" content="article"><meta property="article:published_time" content="2024-01-01">'
    story = f'<div class="story"><h2>Harbour</h2>{ARTICLE}<ul><li>{SENTENCES[0]} Again and again.</ul></div>'
    body = f'<div class="page">{NAV}{story}{TEASERS}</div>'
    page = html_page(f"{body}{FOOTER}", head=head)
    assert all(sentence in page.text for sentence in SENTENCES)
    assert "Read also" not in page.text
    assert "all rights reserved" not in page.text


def test_a_page_without_landmarks_is_used_except_for_sidebars() -> None:
    text = text_of(
        f'<div class="menu"><a href="/">Home</a></div><h2>Old page</h2>{ARTICLE}<aside>SIDE</aside><div id="sidebar">SIDE</div>{FOOTER}'
    )
    assert text.startswith("## Old page")
    assert "SIDE" not in text
    assert "all rights reserved" not in text


def test_a_frame_named_after_its_sidebar_is_content() -> None:
    assert SENTENCES[0] in text_of(f'<div class="with-sidebar">{ARTICLE}</div>')


def test_alignment_keeps_one_copy_in_the_order_of_the_text() -> None:
    text = "the quick brown fox jumps over the lazy dog and then sleeps well"
    runs = {
        "the quick brown fox jumps": True,
        "entirely different words stand here": False,
        "the quick brown fox jumps ": False,
        "over": True,
        "the lazy dog and then": True,
        "sleeps well": True,
        "fox": False,
    }
    assert aligned([run.split() for run in runs], text.split()) == list(runs.values())


def test_aligning_empty_texts_keeps_nothing() -> None:
    assert aligned([], ["a"]) == []
    assert aligned([["a", "b", "c"]], []) == [False]


def test_declared_texts_are_found_in_any_order_and_short_ones_only_whole() -> None:
    texts = ["A warm coat for the winter months", "Wool"]
    runs = {
        "for the winter months": True,
        "Wool": True,
        "Wool sweaters": False,
        "A cold coat in summer": False,
        "": False,
    }
    assert contained([run.split() for run in runs], [text.split() for text in texts]) == list(runs.values())


def test_boxes_of_a_generated_manual_are_kept_under_any_name() -> None:
    assert "DEBIAN PACKAGE" in text_of(f'<div class="chapter"><h1>Setup</h1>{ARTICLE}{SIDEBAR}</div>')
    assert "DEBIAN PACKAGE" not in text_of(f"<main><h1>Setup</h1>{ARTICLE}{SIDEBAR}</main>")


@pytest.mark.parametrize(
    ("part", "stays"),
    [
        ('<div class="mainNav"><a href="/">PART</a> <a href="/b">two</a></div>', False),
        ('<div class="filters"><span>PART</span> <span>Red</span> <span>Blue</span></div>', False),
        (
            '<div class="facet-row"><p>PART of what you should look for when you choose a machine for a start.</p></div>',
            True,
        ),
        ('<div class="hero-banner"><h1>PART</h1><p>Welcome</p></div>', True),
        ('<div class="top-banner"><p>PART of the spring sale</p></div>', False),
        ('<div class="post"><div class="signature">PART</div></div>', False),
        ('<div class="member-signature">PART open(String path)</div>', True),
        ('<div class="signature"><code>PART(path)</code></div>', True),
        (
            '<div class="code-toolbar"><pre><code>PART</code></pre><div class="toolbar"><span>Bash</span></div></div>',
            True,
        ),
        ('<table id="filters"><tr><th>PART<th>Use<tr><td>a<td>b</table>', True),
        ("<aside><p>The PART must be dry.</p></aside><p>Next.</p>", True),
        ('<aside><p><a href="/a">PART of another page</a></p></aside><p>Next.</p>', False),
        ("<aside><h3>Topics</h3><p>PART</p></aside><p>Next.</p>", False),
        ('<aside class="quote no-group"><div class="title">Ann:</div><blockquote>PART</blockquote></aside>', True),
        ("<p>Press <button>PART</button> to save.</p>", True),
        ("<p>Was it useful? <button>PART</button> <button>No</button></p>", False),
        ('<p>A <span class="tooltip">word<span class="tooltiptext">PART</span></span>.</p>', False),
        ('<div><h3>Related articles</h3><ul><li><a href="/1">PART</a></ul></div>', False),
        ('<section><h2>You may also like</h2><p><a href="/1">PART</a> $5</p></section>', False),
        ("<section><h2>Similar threads</h2><p>The PART is explained here without any link at all.</p></section>", True),
        (
            '<section><h2>Related work</h2><p>The PART is explained in the paper, see <a href="/1">it</a>.</p></section>',
            True,
        ),
        ("<section><h2>More about harbours</h2><p>PART</p></section>", True),
        ('<section id="cookies"><h2>Cookies<a href="#cookies">¶</a></h2><p>PART</p></section>', True),
        ('<div class="section" id="social-login"><h2>2.1 Social login</h2><p>PART</p></div>', True),
        ('<section id="sharing" class="level2"><h2>Sharing</h2><p>PART</p></section>', True),
        ('<section id="newsletter"><h2>Get our news</h2><p>PART</p></section>', False),
    ],
)
def test_only_real_sidebars_of_other_pages_are_removed(part: str, stays: bool) -> None:
    assert ("PART" in text_of(f"<main>{ARTICLE}{part}</main>")) is stays


def test_a_product_keeps_its_declared_texts_and_specifications() -> None:
    teasers = "".join(f'<li><a href="/{n}">Other lamp {n}</a> <span>${n}.00</span></li>' for n in range(12))
    body = (
        f'<div><div class="x1"><h1>Lamp</h1>{ARTICLE}</div><div class="x2"><div>A small lamp for the desk with a long arm'
        "</div></div><div><table><tr><td>Weight</td><td>2 kg</td></tr><tr><td>Colour</td><td>Green</td></tr></table></div>"
        f"<ul>{teasers}</ul></div>"
    )
    text = html_page(body, head=PRODUCT).text
    assert "A small lamp for the desk" in text
    assert "2 kg" in text
    assert SENTENCES[4] in text
    assert "Other lamp 3" not in text


def test_texts_of_json_ld() -> None:
    assert declared_texts(PRODUCT) == ["A  small  lamp for the desk with a long arm", "Type C"]
    faq = '{"@graph": [{"@type": ["Question"], "name": "Why?", "acceptedAnswer": {"@type": "Answer", "text": "<p>So.</p>"}}]}'
    assert [text.strip() for text in declared_texts(f'<script type="application/ld+json">{faq}</script>')] == [
        "Why?",
        "So.",
    ]


@pytest.mark.parametrize(
    "script", ["", "{", "[[[[", '{"@type": 5, "description": 7}', '{"@type": "Product"}', "[" * 9000]
)
def test_invalid_json_ld_is_ignored(script: str) -> None:
    assert declared_texts(f'<script type="application/ld+json">{script}</script>') == []


@pytest.mark.parametrize(
    ("head", "body", "kind"),
    [
        ('<meta name="generator" content="Docutils 0.20">', "", Kind.DOCUMENTATION),
        ("", "<h2 id=a>A</h2><h2 id=b>B</h2><h2 id=c>C</h2>" + "<pre>x</pre>" * 3, Kind.DOCUMENTATION),
        (JSON_LD.format("NewsArticle"), "", Kind.ARTICLE),
        (OG_ARTICLE, "", Kind.PERHAPS_ARTICLE),
        (f'{OG_ARTICLE}<meta property="article:published_time" content="2024-01-01">', "", Kind.ARTICLE),
        (OG_ARTICLE + JSON_LD.format("WebPage"), "", Kind.UNKNOWN),
        (OG_ARTICLE + JSON_LD.format("Product"), "", Kind.PRODUCT),
        ('<meta property="og:type" content="product.item">', "", Kind.PRODUCT),
        ('<meta property="og:type" content="product.group">', "", Kind.UNKNOWN),
        (JSON_LD.format("Article") + JSON_LD.format("ItemList"), "", Kind.LIST),
        (OG_ARTICLE + JSON_LD.format("NewsArticle") + JSON_LD.format("ItemList"), "", Kind.PERHAPS_ARTICLE),
        ("", '<div itemscope itemtype="https://schema.org/Product"></div>', Kind.PRODUCT),
        ("", '<div itemscope itemtype="https://schema.org/Product"></div>' * 3, Kind.UNKNOWN),
        ("", '<div itemscope itemtype="https://schema.org/QAPage"></div>', Kind.THREAD),
        ("", "", Kind.UNKNOWN),
    ],
)
def test_kinds(head: str, body: str, kind: Kind) -> None:
    tree = parse(f"<html><head>{head}</head><body>{body}<p>Text</p></body></html>")
    assert kind_of(tree, read_metadata(tree, URL)) is kind


def test_a_generated_landmark_says_so() -> None:
    assert landmark(parse('<body><div class="sect1"><p>Text</p></div></body>'))[1]
    assert not landmark(parse("<body><main><p>Text</p></main></body>"))[1]
    assert landmark(parse("<body><p>Text</p></body>"))[0] == ()


@pytest.mark.parametrize("name", ["page-content", "preamble"])
def test_the_text_after_the_path_of_an_apache_page_is_generated(name: str) -> None:
    part = f'<div id="{name}"><h1>Core</h1><p>Text</p></div>'
    assert landmark(parse(f'<body><div id="path"></div>{part}<div id="footer"></div></body>'))[1]
    assert not landmark(parse(f"<body>{part}</body>"))[1]


def test_a_manual_without_a_marked_part_keeps_sections_named_like_frames() -> None:
    head = '<link rel="stylesheet" href="../_static/basic.css">'
    section = f'<div class="section" id="s-related-objects"><h2>Related objects</h2><p>{SENTENCES[3]}</p></div>'
    links = '<div id="related-pages"><h3>Pages</h3><a href="/a">Previous</a> <a href="/b">Next</a></div>'
    settings = '<div class="section" id="s-cookie"><h2>Cookies</h2><a href="/c">COOKIE_AGE</a> <a href="/d">COOKIE_NAME</a></div>'
    body = f'<div id="hd"><h1>Queries</h1></div><div id="bd">{ARTICLE}{section}{settings}{links}</div>'
    text = html_page(body, head=head).text
    assert "COOKIE_AGE" in text
    assert "## Related objects" in text
    assert "Previous" not in text


def test_reference_targets_are_kept_in_a_manual_without_landmarks() -> None:
    head = '<link rel="stylesheet" href="../_static/basic.css">'
    target = f'<p id="lookup-similar">{SENTENCES[3]} Looked up.</p>'
    body = f'<div id="bd">{ARTICLE}{target}<p class="footer">All rights reserved</p></div>'
    text = html_page(body, head=head).text
    assert "Looked up." in text
    assert "All rights" not in text


def test_lines_of_code_are_kept_under_any_name() -> None:
    code = '<pre>before()\n<div class="block" id="get_signed_cookie">def get_signed_cookie():\n</div>after()</pre>'
    text = text_of(f'<main><h1>Source</h1>{ARTICLE}{code}<div id="cookie">OUT</div></main>')
    assert "def get_signed_cookie():" in text
    assert "OUT" not in text


def test_empty_cells_of_a_guided_table_keep_their_columns() -> None:
    rows = "".join(f"<tr><td>Boat number {n} of the harbour<td><p> </p><td>Berth {n}</tr>" for n in range(4))
    tree = parse(f"<body><div>{TEASERS}</div><table>{rows}</table><table><tr><td>Other</table></body>")
    body = tree.find("body")
    assert keep_guided(body, " ".join(f"Boat number {n} of the harbour Berth {n}" for n in range(4)))
    assert [len(row) for row in body.iter("tr")] == [3] * 4
    assert "Another story" not in body.text_content()


def test_ranks_and_buttons_around_posts_are_excluded() -> None:
    post = (
        '<div class="post"><dl class="postprofile"><dt>Ann</dt><dd class="profile-posts">Posts: 386</dd></dl>'
        '<p>{}</p><ul class="post-buttons"><li><a href="/q">Quote</a></ul><div class="signature">Sent by pigeon</div></div>'
    )
    text = text_of(f"<main><h1>Boats</h1>{''.join(post.format(sentence) for sentence in SENTENCES)}</main>")
    assert SENTENCES[7] in text
    assert "Ann" in text
    assert not any(word in text for word in ("Posts:", "Quote", "pigeon"))


def test_the_heading_right_before_a_kept_paragraph_is_kept() -> None:
    head = JSON_LD.format("NewsArticle")
    body = (
        f"<div>{TEASERS}</div><div><h2>Harbour</h2>{ARTICLE}<h2>Outlook</h2><p>{SENTENCES[1]} Again, later.</p></div>"
    )
    text = html_page(body, head=head).text
    assert "## Harbour" in text
    assert "## Outlook" in text
