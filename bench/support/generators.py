"""Where documentation generators put the content of a page, and which elements around it are not content."""

from __future__ import annotations

from urllib.parse import urldefrag, urljoin

from lxml.html import HtmlElement

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


def has_class(*names: str) -> str:
    """Return a condition for elements with one of these classes."""
    return "(" + " or ".join(f"contains(concat(' ', @class, ' '), ' {name} ')" for name in names) + ")"


def part_of_name(*parts: str) -> str:
    """Return a condition for class attributes that contain one of these strings."""
    return "(" + " or ".join(f"contains(@class, '{part}')" for part in parts) + ")"


DOCBOOK = (
    "sect1", "section", "chapter", "appendix", "preface", "book", "part", "article", "index", "bibliography", "glossary",
    "colophon", "refentry",
)  # fmt: skip
CONTENT = (
    f"//div[{has_class('theme-doc-markdown')}]",
    f"//div[{has_class('vp-doc')}]",
    f"//article[{has_class('md-content__inner')}]",
    f"//div[{has_class('sl-markdown-content')}]",
    f"//article[{has_class('bd-article')}]",
    "//div[@id='page-content'][.//h1]",
    "//div[@id='apicontent']",
    "//div[@id='header'][h1] | //div[@id='content'][../div[@id='header']/h1]",
    f"//body/div[{has_class(*DOCBOOK)}]",
    "//*[@role='main'][.//h1 or .//p]",
    "//main",
    "//div[@id='yui-main']",
    "//body",
)
"""Selectors of the content. The first match counts."""

DROPPED = (
    "script[not(starts-with(@type, 'math/'))]",
    *("style", "nav", "template", "noscript", "button", "svg", "iframe", "select", "textarea", "form"),
    f"*[{part_of_name('headerlink', 'hash-link', 'header-anchor', 'anchorjs-link', 'permalink', 'copiable-anchor')}]",
    "a[@class='mark' or @class='anchor' or @class='viewcode-back']",
    "*[contains(translate(@style, ' ', ''), 'display:none') or (@hidden and not(@role='tabpanel'))]",
    f"*[{part_of_name('sr-only', 'visually-hidden', 'katex-html', 'MathJax_Preview')}]",
    f"*[{part_of_name('linenos', 'linenodiv', 'lineno', 'line-numbers-wrapper')} or {has_class('lnt', 'boring')}]",
    f"*[{part_of_name('prev-next', 'navheader', 'navfooter', 'docnav', 'sphx-glr-download-link-note', 'sphx-glr-signature')}]",
    f"*[{has_class('nosearch', 'toplang', 'bottomlang', 'up', 'top', 'copyright')}][not(self::h1 or self::div[h1])]",
    "*[@id='footer' or @id='comments_section' or @id='quickview' or @id='page-header' or @id='path']",
    "div[@class='header'][p/a[@accesskey]]",
    "div[contains(@class, 'language-')]/span[@class='lang']",
    f"pre[{has_class('vp-code-light')}][preceding-sibling::pre]",
    f"*[{has_class('gutter', 'ttc', 'hideme', 'md-source-file')} or @class='src rightside' or @role='tab']",
)
"""Elements that are never content."""

LOCAL_CONTENTS = (
    ".//*[@id='toc' or contains(concat(' ', translate(@class, '-_', '  '), ' '), ' toc ')"
    f" or {has_class('contents', 'Contents_element')}]"
)


def content(tree: HtmlElement) -> list[HtmlElement]:
    """Return the outermost elements with content."""
    for path in CONTENT:
        found: list[HtmlElement] = tree.xpath(path)
        if found:
            chosen = set(found)
            return [node for node in found if chosen.isdisjoint(node.iterancestors())]
    return [tree]


def clean(root: HtmlElement, url: str) -> None:
    """Remove elements that are not content. Headings keep the targets of removed permalinks, and drawn numbers that connect code with its
    explanation become text.
    """
    for link in root.xpath(".//*[self::h1 or self::h2 or self::h3 or self::h4 or self::h5 or self::h6]//a[@id]"):
        heading = next(link.iterancestors(*HEADINGS))
        heading.set("data-permalinks", f"{heading.get('data-permalinks', '')} {link.get('id')}")
    for image in root.xpath(".//img[@alt]"):
        number = image.get("alt")
        if number.isdigit() and len(number) < 3:
            image.tail = f"({number}){image.tail or ''}"
            image.drop_tree()
    doomed = [node for path in DROPPED for node in root.xpath(".//" + path)]
    page = urldefrag(url)[0]
    for contents in root.xpath(LOCAL_CONTENTS):
        targets = {urldefrag(urljoin(url, link.get("href")))[0] for link in contents.iter("a") if link.get("href")}
        if targets == {page}:
            doomed.append(contents)
    for node in doomed:
        if node.getparent() is not None and node is not root:
            node.drop_tree()
