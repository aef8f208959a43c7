"""What a page renderer is: a browser without a window that fills pages which only JavaScript fills."""

from __future__ import annotations

from typing import Final, Protocol

from app.web.occasion import Occasion

INSTALL_RENDERER: Final = (
    "Install the optional page renderer (webrag-desktop[render]) to read pages that are built by JavaScript."
)
SWITCH_ON_RENDERER: Final = (
    "Switch on the page renderer in Settings > Crawling to read pages that are built by JavaScript."
)


class PageRenderer(Protocol):
    """Loads a page as a browser does: what the page needs is loaded at once, without the pace that crawling keeps."""

    async def render(self, url: str, occasion: Occasion = Occasion.NAMED) -> bytes:
        """The page as HTML in UTF-8 once its scripts have run; the `occasion` decides who goes first.

        Whether the address may be read at all was settled when the page itself was fetched. Raises RenderError.
        """
        ...
