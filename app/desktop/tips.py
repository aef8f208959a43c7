"""Words from pages, files and servers as tooltips: shown as they stand, whatever they look like."""

from __future__ import annotations

from html import escape

from PySide6.QtGui import Qt


def plain_tip(text: str) -> str:
    """A tooltip of these very characters; Qt guesses by the beginning whether a text is HTML, and would load images."""
    return f'<p style="white-space: pre-wrap">{escape(text)}</p>' if Qt.mightBeRichText(text) else text
