"""The one thing to do about an error of adding."""

from __future__ import annotations

from enum import StrEnum

from app.desktop.language import translator
from app.errors import (
    AddressDeniedError,
    ContentProtectedError,
    EmptyPageError,
    FetchError,
    HTTPStatusError,
    InvalidURLError,
    RobotsDeniedError,
    SkeletonPageError,
    UnsupportedContentError,
    WebRAGError,
)

_tr = translator("Remedy")

BUSY_STATUS = 429


class Remedy(StrEnum):
    """What a button beside an error does."""

    SETTING = "setting"
    BROWSER = "browser"
    AGAIN = "again"
    NONE = ""


def remedy_of(error: WebRAGError) -> Remedy:
    """What helps: a setting that forbids or enables, the browser for what only that can show, or another try."""
    if isinstance(error, InvalidURLError) or not isinstance(error, FetchError):
        return Remedy.NONE
    if isinstance(error, AddressDeniedError | RobotsDeniedError | SkeletonPageError):
        return Remedy.SETTING
    if isinstance(error, ContentProtectedError | EmptyPageError | UnsupportedContentError):
        return Remedy.BROWSER
    if isinstance(error, HTTPStatusError) and error.status < 500 and error.status != BUSY_STATUS:
        return Remedy.BROWSER
    return Remedy.AGAIN


def remedy_words(remedy: Remedy) -> str:
    """The words of the button; empty for none."""
    return {
        Remedy.SETTING: _tr("Open the setting"),
        Remedy.BROWSER: _tr("Open in browser"),
        Remedy.AGAIN: _tr("Try again"),
    }.get(remedy, "")
