"""What is wrong now, each with why and one thing to do about it; what the banners of the other pages say."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.desktop.banners import Banner, Notice
from app.desktop.context import Context
from app.desktop.notices import notices_for
from app.desktop.tokens import S


class Problems(QWidget):
    """Takes no room while all is well. One that was dismissed on another page is still listed here."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.setAccessibleName(self.tr("Problems"))
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(S)
        self.notices: tuple[Notice, ...] = ()
        self.hide()
        context.status.changed.connect(self.refresh)
        context.settings.changed.connect(self.refresh)
        context.guarding.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Look again; the banners stay while they say the same."""
        notices = notices_for(self._context)
        if notices == self.notices:
            return
        self.notices = notices
        while (item := self._column.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for notice in notices:
            self._column.addWidget(Banner(notice))
        self.setVisible(bool(notices))
