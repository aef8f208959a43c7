"""The addresses of pages and pictures: `webrag://page/12` in the private library, `webrag://lib/NAME/page/12` in any.

Ids of documents are those of one library; an address without a name means the private one.
"""

from __future__ import annotations

import re
from typing import Final

SCHEME: Final = "webrag"
PAGE_TEMPLATE: Final = f"{SCHEME}://page/{{page_id}}"
LIBRARY_PAGE_TEMPLATE: Final = f"{SCHEME}://lib/{{library}}/page/{{page_id}}"
SHARED: Final = f"{SCHEME}://lib/"
"""What addresses of pages begin with that name their library."""
PICTURE_PART: Final = "/picture/{number}"
PICTURE_TEMPLATE: Final = PAGE_TEMPLATE + PICTURE_PART

_PAGE: Final = rf"{SCHEME}://(?:lib/(?P<library>[a-z0-9][a-z0-9-]{{0,62}})/)?page/(?P<id>[1-9][0-9]{{0,17}})"
PAGE_ADDRESS: Final = re.compile(_PAGE)
"""Of a page; `library` is None for the private one."""
PICTURE_ADDRESS: Final = re.compile(rf"{_PAGE}/picture/(?P<number>[1-9][0-9]{{0,2}})")
"""Of a picture of a page, by its number in the page from 1."""


def library_of(uri: str) -> str:
    """The name of the library that an address of ours names; empty for the private one and for what is no such address."""
    match = PAGE_ADDRESS.match(uri)
    return (match["library"] or "") if match is not None else ""
