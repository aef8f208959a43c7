"""The bundled guide as help: it is part of the corpus, so it is read in the Library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.desktop.context import Context
from app.desktop.language import translator
from app.errors import WebRAGError

if TYPE_CHECKING:
    from app.engine import Engine

_tr = translator("Guide")

FIRST_PAGE = "01-welcome.md"


def show_guide(context: Context, owner: QObject, page: str = FIRST_PAGE) -> None:
    """Open a page of the guide in the Library; `page` is the name of its file."""
    context.thread.submit(
        lambda engine: _document_of(engine, page), context.show_document, context.notifier.complain, owner=owner
    )


async def _document_of(engine: Engine, page: str) -> int:
    # Here because it imports what reads pages.
    from app.ingest.guide import guide_url

    stored = (await engine.status(guide_url(page), limit=1)).documents
    if not stored:
        raise WebRAGError(
            _tr("The guide is not in the library any more."), hint=_tr("It comes back when WebRAG is started again.")
        )
    return stored[0].id
