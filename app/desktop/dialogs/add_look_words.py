"""What was understood of a page, in words."""

from __future__ import annotations

import re
from typing import Final

from PySide6.QtCore import QLocale

from app.desktop.language import spoken, translator
from app.desktop.wording import ago, counted
from app.engine.page_preview import PageLook

_tr = translator("PageLook")

_MARKS: Final = re.compile(r"^#{1,6}\s+|^\s*```\w*$|\*\*|`", re.MULTILINE)


def language_name(code: str) -> str:
    """`English` for `en-GB`; a code without a name stays."""
    locale = QLocale(code.replace("-", "_"))
    if not code or locale.language() is QLocale.Language.C:
        return code
    return QLocale.languageToString(locale.language())


def tokens_text(tokens: int) -> str:
    return counted(tokens, _tr("1 token"), _tr("{} tokens"))


def plain_text(markdown: str) -> str:
    """The text without the marks of headings, emphasis and code, for a few lines of it."""
    return _MARKS.sub("", markdown)


def facts_of(look: PageLook) -> str:
    """Language and sizes in one line."""
    facts = [
        language_name(look.language),
        tokens_text(look.tokens),
        counted(look.chunks, _tr("1 chunk"), _tr("{} chunks")),
        counted(look.links, _tr("1 link"), _tr("{} links")),
    ]
    return "  ·  ".join(fact for fact in facts if fact)


def warnings_of(look: PageLook, asked: str) -> list[tuple[str, str]]:
    """What a person should know before storing, each with its kind: info or warning."""
    told: list[tuple[str, str]] = []
    if look.stored is not None:
        told.append(("info", _tr("In the library already, read {}. Adding replaces that copy.").format(_age(look))))
    if look.note:
        told.append(("warning", spoken(look.note)))
    if look.flags:
        told.append(
            ("warning", _tr("The text speaks to the assistant: {}.").format(", ".join(map(spoken, look.flags))))
        )
    if not look.is_welcome:
        told.append(
            ("info", _tr("The site asks programs not to read this page by themselves. You named it, so it is read."))
        )
    if _is_moved(look.url, asked):
        told.append(("info", _tr("The address you gave leads here.")))
    return told


def _age(look: PageLook) -> str:
    return ago(look.stored.last_crawled) if look.stored is not None else ""


def _is_moved(url: str, asked: str) -> bool:
    return url.split("://")[-1].rstrip("/") != asked.partition("#")[0].split("://")[-1].rstrip("/")
