"""What the first question would wait for, done while nobody waits."""

from __future__ import annotations

import logging

from app.errors import WebRAGError
from app.extract import extract
from app.web.exchange import tls_context

log = logging.getLogger(__name__)

PAGE = b"<html><head><title>A page</title></head><body><p>One paragraph of text.</p></body></html>"


def warm_up() -> None:
    """Load the trusted certificates and what reads pages: together a tenth of a second and 5 MB. Blocking."""
    tls_context()
    try:
        extract(PAGE, url="https://example.org/", content_type="text/html", charset=None)
    except WebRAGError as error:
        log.warning("pages cannot be read: %s", error)
