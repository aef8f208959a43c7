"""All addresses that a page links to outside of its content: menus, footers, tables of contents."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from lxml.html import HtmlElement

from app import caps
from app.extract.addresses import is_web_address
from app.extract.page import Link
from app.extract.xpath import strings

_HREFS: Final = strings(
    "//*[self::a or self::area][not(contains(translate(@rel, 'NOFLW', 'noflw'), 'nofollow'))]/@href"
)
_NO_PAGES: Final = ("#", "javascript:", "mailto:", "data:", "tel:")


def link_targets(tree: HtmlElement) -> dict[str, None]:
    """What stands in the links of a whole tree, each once and in order; those marked `nofollow` are left out."""
    return dict.fromkeys(href for href in _HREFS(tree) if not href.startswith(_NO_PAGES))


def navigation(
    targets: Iterable[str], resolve: Callable[[str], str | None], links: Iterable[Link], url: str
) -> tuple[str, ...]:
    """The web addresses among `targets` that are neither the page itself nor one of its content links."""
    known = {link.url.partition("#")[0] for link in links}
    known.add(url.partition("#")[0])
    found: dict[str, None] = {}
    for target in targets:
        address = resolve(target)
        if address is None:
            continue
        address = address.partition("#")[0]
        if address not in known and is_web_address(address):
            found.setdefault(address)
            if len(found) == caps.MAX_NAVIGATION_LINKS:
                break
    return tuple(found)
