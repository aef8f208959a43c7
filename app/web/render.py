"""What a page renderer is: a browser without a window that fills pages which only JavaScript fills."""

from __future__ import annotations

from typing import Final, Protocol

INSTALL_RENDERER: Final = (
    "Install the optional page renderer (webrag-desktop[render]) to read pages that are built by JavaScript."
)
SWITCH_ON_RENDERER: Final = (
    "Switch on the page renderer in Settings > Crawling to read pages that are built by JavaScript."
)


class PageRenderer(Protocol):
    """Loads a page as a browser does."""

    async def render(self, url: str) -> bytes:
        """The page as HTML in UTF-8 once its scripts have run. Raises RenderError."""
        ...
