"""Valid inputs of every fuzzed format, and words of these formats."""

from __future__ import annotations

from typing import Final

HTML: Final = (
    b"""<!doctype html><html lang=en><head><meta charset=utf-8><title>Hives</title><base href="/guide/">
<link rel=canonical href="/guide/hives"><meta name=description content="Of hives"><meta property="og:title" content="Hives">
<script type="application/ld+json">{"@type":"Article","datePublished":"2024-01-02","articleBody":"Of hives"}</script></head>
<body><nav><a href="/">Home</a></nav><main><h1 id=top>Hives <a class=headerlink href="#top">\xc2\xb6</a></h1>
<p>A hive of <b>cork</b> keeps <a href="winter.html#w">a colony</a> warm.<br>See <code>hive.warm()</code>.</p>
<ul><li>one<li>two<ol start=3><li>three</ol></ul><pre><code class=language-py>def warm(): pass</code></pre>
<table><tr><th>Name<th colspan=2>Size</tr><tr><td rowspan=2>a<td>1<td>2</tr></table>
<dl><dt id=t>Term<dd>Its meaning</dl><blockquote>Quote</blockquote><figure><img src=/i.png alt=Hive><figcaption>One</figcaption></figure>
<details><summary>More</summary><p>Inside.</p></details><div class="admonition note"><p class=title>Note</p><p>Mind.</p></div>
<math><mfrac><mi>a</mi><mn>2</mn></mfrac></math><p hidden>Gone</p></main><footer>2024</footer></body></html>""",
    b"""<html><body><article><h2>Winter</h2><p>Feed early. <q>Never</q> later, <del>old</del> H<sub>2</sub>O.</p><hr>
<div role=tablist><button role=tab aria-controls=p1>A</button></div><div id=p1 role=tabpanel hidden>Panel words</div>
<table><caption>C</caption><tr><td><p>a</p><ul><li>b</ul></td></tr></table><noscript>Needs scripts</noscript></article></body></html>""",
)
STYLED: Final = (
    b"""<html><head><style>@layer base{.x{display:none}} .x.y:not(#z){display:block} @media (min-width:1px){#a > .b ~ p{color:#fff}}
:root{--gone:none} .c{display:var(--gone)} :is(.d, [data-e^="f"]) :first-child{visibility:hidden!important}</style>
<style media=screen>.g{& .h{font-size:0} @supports (display:grid){opacity:0}} @import url(x.css); .i:nth-child(2n+1){left:-9999px}
</style></head><body><main><h1>Styles</h1><div id=a class="x y"><p class=b>One</p><p data-e=fgh>Two <i>three</i></p></div><div class="g c">
<p class=h style="color:#fff;background:rgb(255 255 255 / 90%)">Four</p></div><p class="d i">Five words more.</p></main></body></html>""",
)
MARKDOWN: Final = (
    b"""---
title: Hives
tags: [a, b]
---
# Hives {#hives}

A *hive* of **cork**, `code`, [link](winter.md "title") and <https://example.com/a?b=c>. $a^2$ ![img](i.png)

- one
  1. two

     text
- [x] three

| a | b |
|---|:-:|
| 1 | `x|y` |

```py title="x"
def f(): pass
```

> [!NOTE]
> quote

$$
x = 1
$$

Term
: meaning

[ref]: https://example.com/ "t"
See [ref] and footnote[^1].

[^1]: The note.
""",
    b"""import Tabs from '@theme/Tabs'

export const x = {a: 1}

# Title

<Tabs items={['a']}><Tab value="b">

Text {props.name} here.

</Tab></Tabs>

:::note[Title]
Inside
:::

```mdx
<Code/>
```
""",
)
PLAIN: Final = (
    b"One line\n\nAnother   line\r\n\tcode\n* item\n",
    "\ufeffZeile mit Ümlaut\n".encode("utf-16"),
    "日本語のテキスト".encode("shift_jis"),
)
FEEDS: Final = (
    b"""<?xml version="1.0" encoding="utf-8"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>
<title>News &amp; views</title><link>https://docs.example/</link><description>d</description><item><title>One &#38; two</title>
<link>https://docs.example/1</link><guid isPermaLink="true">https://docs.example/1</guid><pubDate>Tue, 02 Jan 2024 10:00:00 GMT</pubDate>
<content:encoded><![CDATA[<p>Words <b>of</b> it</p>]]></content:encoded></item></channel></rss>""",
    b"""<feed xmlns="http://www.w3.org/2005/Atom"><title type="html">&lt;b&gt;T&lt;/b&gt;</title><link rel="alternate" href="/a"/>
<entry><title>E</title><link href="https://docs.example/e"/><updated>2024-01-02T10:00:00Z</updated><summary>S</summary></entry></feed>""",
    b"""<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel><title>R</title></channel>
<item rdf:about="https://docs.example/r"><title>I</title><link>https://docs.example/r</link><description>D</description></item></rdf:RDF>""",
)
LISTS: Final = (
    b"""<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://docs.example/a</loc>
<lastmod>2024-01-02</lastmod></url></urlset>""",
    b"# Docs\n\n> of hives\n\n## List\n- [A](https://docs.example/a.md): text\n- https://docs.example/b.\n",
    b"""<!DOCTYPE NETSCAPE-Bookmark-file-1><TITLE>Bookmarks</TITLE><H1>B</H1><DL><p><DT><H3>Folder</H3><DL><p>
<DT><A HREF="https://docs.example/" ADD_DATE="1">Docs</A></DL><p></DL>""",
    FEEDS[0],
)
ARCHIVES: Final = (
    (
        b"From: <Saved by Blink>\r\nSnapshot-Content-Location: https://docs.example/a\r\nSubject: =?utf-8?Q?H=C3=AFves?=\r\n"
        b'MIME-Version: 1.0\r\nContent-Type: multipart/related; type="text/html"; boundary="B"\r\n\r\n\r\n--B\r\n'
        b"Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n"
        b"Content-Location: https://docs.example/a\r\n\r\n<html><body><main><h1>H=C3=AFves</h1><p>Words of it=\r\n here</p></body></html>"
        b"\r\n--B\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\nAAAA\r\n--B--\r\n"
    ),
)
PICTURE_WORDS: Final = (
    *(b"\x89PNG\r\n\x1a\n", b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND", b"iCCP", b"zTXt", b"eXIf", b"acTL", b"fdAT"),
    *(
        b"\xff\xd8\xff",
        b"\xff\xe1Exif\0\0",
        b"\xff\xc0",
        b"\xff\xc2",
        b"\xff\xda",
        b"\xff\xd9",
        b"GIF89a",
        b"\x21\xf9\x04",
        b"\x2c",
    ),
    *(
        b"RIFF",
        b"WEBP",
        b"VP8 ",
        b"VP8L",
        b"VP8X",
        b"ANIM",
        b"ALPH",
        b"II*\0",
        b"<svg",
        b"\xff\xff\xff\xff",
        b"\x7f\xff\xff\xff",
    ),
)
PDF: Final = (
    b"""%PDF-1.4
1 0 obj
<< /Type /Catalog /Pages 2 0 R /Outlines 7 0 R >>
endobj
2 0 obj
<< /Type /Pages /Count 1 /Kids [3 0 R] >>
endobj
3 0 obj
<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R /Annots [6 0 R] /Resources << /Font << /F1 4 0 R >> >> >>
endobj
4 0 obj
<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>
endobj
5 0 obj
<< /Length 148 >>
stream
BT /F1 20 Tf 72 700 Td (Hives of cork) Tj ET
BT /F1 10 Tf 72 670 Td (A hive of cork keeps a colony warm.) Tj ET
BT /F1 10 Tf 72 658 Td (See winter.) Tj ET
endstream
endobj
6 0 obj
<< /Type /Annot /Subtype /Link /Rect [72 650 200 668] /A << /S /URI /URI (https://docs.example/winter) >> >>
endobj
7 0 obj
<< /Type /Outlines /First 8 0 R /Last 8 0 R /Count 1 >>
endobj
8 0 obj
<< /Title (Hives of cork) /Parent 7 0 R /Dest [3 0 R /Fit] >>
endobj
9 0 obj
<< /Title (Hives) /CreationDate (D:20240102100000Z) >>
endobj
trailer
<< /Root 1 0 R /Info 9 0 R /Size 10 >>
%%EOF
""",
)
JSON: Final = (
    b'{\n  "mcpServers": {\n    "other": {"command": "x", "args": ["a"], "n": 1.5e3}\n  },\n  "theme": "dark"\n}\n',
    b'// settings\n{"mcpServers": {\r\n\t/* one */ "webrag": {"command": "old"}, // two\r\n},\r\n"a": [1, {"b": null}],}\r\n',
    b"{}",
)
TOML: Final = (
    (
        b'model = "x"\n# note\n[mcp_servers.other]\ncommand = "x"\nargs = ["a", "b"]\n\n[mcp_servers.webrag]\ncommand = "old"\n'
        b'[mcp_servers.webrag.env]\nA = "1"\n[[list]]\nn = 1\ndate = 2024-01-02T10:00:00Z\n'
    ),
    b'a.b.c = 1\nmcp_servers = { other = { command = "x" } }\ntext = """\nmany\nlines"""\n',
)
YAML: Final = (
    b"# note\nextensions:\n  other:\n    cmd: x\n    args: [a, 'b']\n  webrag:\n    cmd: old\n    enabled: true\ntheme: dark\n",
    b"base: &b\n  a: 1\nextensions:\n  one: *b\n  two: {<<: *b, c: |\n    }\nlast: >-\n  folded\n  text\n",
    b"base: &b\n  a: 1\nextensions:\n  two: {<<: *b}\n  one: *b\n",
    b"%YAML 1.1\n---\nextensions: {one: {cmd: x}, two: [1, 2]}\n...\n",
)
MESSAGES: Final = (
    (
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"a"},"_meta":{"progressToken":1,'
        b'"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"a","version":"1"}}}}\n'
    ),
    (
        b'[{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"2025-06-18","clientInfo":{"name":"x"}}},'
        b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}]'
    ),
    (
        b'{"jsonrpc":"2.0","id":2,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true,'
        b'"resourceSubscriptions":["webrag://a"]}}}'
    ),
    b'event: message\ndata: {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}\n\n: ping\n\ndata: {}\r\n\r\n',
)
ADDRESSES: Final = (
    b"https://docs.example:8443/a/../b/./c%7e%2f?q=1&r=%e9#part",
    b"http://d\xc3\xbccs.example/\xe2\x82\xac ../x.html",
    b"http://0x7f.1/",
    b"http://[2001:db8::1]:80/ //other.example/x",
    b"file:///home/anna/a.html b.html",
    b"HTTP://user:pw@docs.example/",
)
QUESTIONS: Final = (
    b'How does `hive.warm()` differ from "a cold hive" in 2024, and which is better for winter?',
    "Wie hält ein Bienenstock 2.5 warm? 蜂の冬 mcp-server v1.2.3 it's".encode(),
)

MARKUP_WORDS: Final = (
    b"<", b">", b"</p>", b"<div>", b"</div>", b"<table>", b"<td rowspan=9 colspan=99999>", b"<pre>", b"<code>", b"<li>", b"<h2 id=a>",
    b"<math>", b"<!--", b"-->", b"]]>", b"<![CDATA[", b"<svg>", b"<title>", b"<script>", b"<style>", b"<br>", b"<template>", b"<?x",
    b" class=note", b' style="', b" hidden", b" href=", b"&amp;", b"&#8203;", b"<base href='//[x'>", b'<meta charset="utf-7">',
)  # fmt: skip
STYLE_WORDS: Final = (
    b"{", b"}", b";", b",", b"/*", b"*/", b":not(", b":is(", b":where(", b":has(> ", b":nth-child(", b"::before", b"@media ",
    b"@layer a,b;",
    b"@supports not (", b"@container (min-width:0)", b"@import 'x'", b"!important", b"&", b" > ", b" + ", b" ~ ", b"*", b"|",
    b"[class~=x]",
    b"display:none", b"display:block", b"var(--gone)", b"--gone:", b"\\31 ", b"color:transparent", b"font:0/0 a", b"filter:opacity(0)",
)  # fmt: skip
MARKDOWN_WORDS: Final = (
    b"# ", b"```", b"~~~", b"    ", b"- ", b"1. ", b"> ", b"|", b"|---|", b"**", b"*", b"_", b"`", b"[", b"](", b"![", b"$$", b"$",
    b"<div>",
    b"---\n", b":::", b"[^1]", b"{#a}", b"<!--", b"import x", b"{x}", b"\n\n", b"\\[", b'=== "A"', b"!!! note", b"<https://a>",
    b"\n===\n",
)  # fmt: skip
CONFIG_WORDS: Final = (
    b"[" * 1500, b"{a:" * 400, b"*b", b"&b [*b]",
    b'"', b"'", b"{", b"}", b"[", b"]", b",", b":", b"=", b"//", b"/*", b"*/", b"webrag", b"mcpServers", b"extensions", b"mcp_servers",
    b"&a ", b"*a", b"<<: *b", b"!!set ", b"!!binary ", b"|\n", b">-\n", b"- ", b"? ", b"---\n", b"...\n", b"\\u0000", b'"""', b"true",
    b"1_0",
    b"[[", b"]]", b"12:30:45", b"2024-13-45", b".inf", b"\n  ", b"\n    ", b"\t", b"~", b"{}", b"[]", b"0x1",
)  # fmt: skip
MESSAGE_WORDS: Final = (
    b'"id":', b'"method":', b'"params":', b'"jsonrpc":"2.0"', b"null", b"true", b"1.5", b"[]", b'"_meta":', b'"result":', b'"error":',
    b"data:", b"\r\n", b'"\\ud800"', b"[" * 2000, b'{"a":' * 1500, b"9" * 5000, b'"requestId":', b'"clientInfo":',
    b"-0",
)  # fmt: skip
PDF_WORDS: Final = (
    b"obj", b"endobj", b"stream", b"<<", b">>", b"/Kids", b"/Parent 3 0 R", b"1 0 R", b"/URI (hTtps:)", b"/Dest [", b"/Next 8 0 R", b"Tj",
    b"Td", b"Tf", b"\\376\\377\\330\\000", b"(", b")", b"-1", b"1e30", b"/Length 0", b"/Count 999999", b"/CreationDate (D:9999", b"%%EOF",
)  # fmt: skip
ARCHIVE_WORDS: Final = (
    b"Content-Type: ", b"boundary=", b"--B\r\n", b"\r\n\r\n", b"charset=none", b"base64", b"=?unknown?Q?=FF?=", b"Subject: ",
    b"text/html",
    b"multipart/related", b"Content-Location: ", b"cid:x", b"message/rfc822", b"; name*=utf-8''%FF",
)  # fmt: skip
ADDRESS_WORDS: Final = (b"/", b"..", b"%2e", b"xn--", b"[", b"]", b".", b"?", b"&", b" ", b"0x", b"::ffff:")
QUESTION_WORDS: Final = (b"?", b" vs ", b"`", b'"', b" and ", b"how do I ", b"not ", b"(", b"C++", b"v1.2")
