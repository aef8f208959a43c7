"""Checks that walk over a window by keyboard, screen reader, or with large type."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QRadioButton,
    QTabBar,
    QTextEdit,
    QWidget,
)

NAMED = (QAbstractItemView, QComboBox, QAbstractSpinBox, QLineEdit, QPlainTextEdit, QTextEdit)
TARGET = 24
"""Minimum target size in pixels by WCAG 2.2 (2.5.8)."""
ROUNDING = 2
MOST_STEPS, MOST_LINKS = 250, 30


def described(widget: QWidget) -> str:
    """Describe a widget well enough to find it in the sources."""
    words = getattr(widget, "text", lambda: "")() or widget.accessibleName()
    above = [type(widget).__name__]
    parent = widget.parentWidget()
    while parent is not None and len(above) < 4:
        if not type(parent).__module__.startswith("PySide6"):
            above.append(type(parent).__name__)
        parent = parent.parentWidget()
    return f"{' < '.join(above)} {str(words)[:50]!r}"


def is_inner(widget: QWidget) -> bool:
    """Whether Qt created the widget as part of a control. The control has the accessible name."""
    above = widget.parentWidget()
    while above is not None:
        if isinstance(above, (QComboBox, QAbstractSpinBox, QLineEdit, QHeaderView, QTabBar)):
            return True
        above = above.parentWidget()
    return widget.objectName().startswith("qt_") or type(widget).__name__ == "QTableCornerButton"


def shown(root: QWidget) -> list[QWidget]:
    """Return the visible widgets, including those that can be scrolled to."""
    return [widget for widget in root.findChildren(QWidget) if widget.isVisible() and not is_inner(widget)]


def unnamed(root: QWidget) -> Iterator[str]:
    """Yield controls without an accessible name, visible or not."""
    buddies = {label.buddy() for label in root.findChildren(QLabel) if label.buddy() is not None}
    for widget in root.findChildren(QWidget):
        if is_inner(widget) or widget.accessibleName() or widget in buddies or isinstance(widget, QHeaderView):
            continue
        if (isinstance(widget, QAbstractButton) and not widget.text()) or isinstance(widget, NAMED):
            yield described(widget)


def stops(root: QWidget) -> list[QWidget]:
    """Return the widgets that the Tab key should reach."""
    return [
        widget
        for widget in shown(root)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus.value
        and widget.isEnabled()
        and widget.focusProxy() is None
        and not (isinstance(widget, QAbstractScrollArea) and not isinstance(widget, NAMED))
        and not _is_unchecked_choice(widget)
    ]


def _is_unchecked_choice(widget: QWidget) -> bool:
    """Whether another button of an exclusive group is checked. Tab reaches that one, arrow keys the others."""
    if not isinstance(widget, QAbstractButton):
        return False
    group = widget.group()
    exclusive = (group is not None and group.exclusive()) or widget.autoExclusive()
    return exclusive and not widget.isChecked()


def held(order: list[QWidget]) -> bool:
    """Whether the last control keeps the focus after any key."""
    return len(order) > 1 and order[-1] is order[-2]


def tab_through(root: QWidget) -> list[QWidget]:
    """Press Tab until a widget is reached again. Return everything that had the focus in order."""
    first = QApplication.focusWidget()
    visited = [first] if first is not None else []
    for _ in range(MOST_STEPS):
        now = _next_stop(root)
        if now is None or now in visited:
            # A page has the focus initially but is not a tab stop.
            return visited[visited.index(now) :] if now is not None else visited
        visited.append(now)
    return visited


def _next_stop(root: QWidget) -> QWidget | None:
    """Return the next tab stop. A text moves through its links first."""
    before = QApplication.focusWidget()
    for _ in range(MOST_LINKS):
        QTest.keyClick(QApplication.focusWidget() or root, Qt.Key.Key_Tab)
        if QApplication.focusWidget() is not before:
            break
    return QApplication.focusWidget()


def is_held(order: list[QWidget], wanted: list[QWidget]) -> bool:
    """Whether the last control keeps the focus after any key."""
    return len(order) == 1 and len(wanted) > 1


def place(widget: QWidget) -> QRect:
    """Return the geometry of a widget in its window."""
    return QRect(widget.mapTo(widget.window(), QPoint(0, 0)), widget.size())


def jumps(order: list[QWidget]) -> list[str]:
    """Return tab steps that go up within a column. The step from the last to the first widget does not count."""
    found = []
    for one, other in pairwise([*order, *order[:1]]):
        here, there = place(one), place(other)
        if one.isAncestorOf(other):
            continue
        if there.bottom() < here.top() and there.left() < here.right():
            found.append(f"{described(one)} -> {described(other)}")
    return found if len(found) > 1 else []


def small(root: QWidget) -> Iterator[str]:
    """Yield controls that are too small to hit."""
    for widget in shown(root):
        is_target = isinstance(widget, (QAbstractButton, QLineEdit, QComboBox, QAbstractSpinBox))
        if is_target and min(widget.width(), widget.height()) < TARGET:
            yield f"{described(widget)} {widget.width()}x{widget.height()}"


def clipped(root: QWidget) -> Iterator[str]:
    """Yield texts that are cut off without an ellipsis."""
    for widget in shown(root):
        if isinstance(widget, QLabel) and widget.text() and widget.pixmap().isNull():
            lacking = _lacking_of_label(widget)
        elif isinstance(widget, (QAbstractButton, QCheckBox, QRadioButton)) and widget.text():
            needed = QSize(QFontMetrics(widget.font()).horizontalAdvance(widget.text().replace("&", "")), 0)
            lacking = needed.width() - widget.width()
        else:
            continue
        if lacking > ROUNDING:
            yield f"{described(widget)} lacks {lacking} px"


def _lacking_of_label(label: QLabel) -> int:
    if label.text().endswith("…"):
        return 0
    if label.wordWrap():
        return label.heightForWidth(label.width()) - label.height()
    hint = label.sizeHint()
    return max(hint.width() - label.width(), label.fontMetrics().height() - label.height())
