"""A joined library: its list in the Library, its section of the settings, and how one is joined."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from pictures.dialogs import grab_dialog
from pictures.loop import settle, wait

Scene = Callable[[Any], Any]
PAGES = (
    ("On-call handbook", "https://wiki.tidewater.example/on-call", "handbook", "ann"),
    ("How releases are made", "https://wiki.tidewater.example/releases", "handbook", "ben"),
    ("Postmortem: the queue that stood still", "https://wiki.tidewater.example/postmortems/queue", "incidents", "ann"),
    ("Glossary", "https://wiki.tidewater.example/glossary", "handbook", "user:https://id.example|ada"),
)
TEXT = """# {}

Who is on call answers within fifteen minutes, writes down what was done, and hands over at nine in the morning.

## Before the first night

Read the runbooks of the three services, try the pager, and know whom to wake.
"""


@contextmanager
def _joined(desktop: Any) -> Iterator[tuple[Any, Any]]:
    """The application with a library on loopback that it joined, left again afterwards."""
    from tests.support.shared_library import SharedLibrary, passage, running

    pages = tuple(
        replace(passage(number, TEXT.format(title), 0.9, url=url, title=title), collection=collection, added_by=by)
        for number, (title, url, collection, by) in enumerate(PAGES, 1)
    )
    with running(SharedLibrary(pages, token="t", name="Tidewater team library")) as node:
        engine: list[Any] = []

        async def keep(running_engine: Any) -> None:
            engine.append(running_engine)

        desktop.window.settings.context.thread.submit(keep)
        wait(lambda: bool(engine))
        libraries = engine[0].libraries
        joining = libraries.join(node.address, print, token="t")
        libraries.keep(joining, "inbox")
        library = joining.library.name
        try:
            yield desktop.window, node
        finally:
            libraries.leave(library)
            settle()


def _with_choice(window: Any, node: Any) -> Any:
    """The Library with the choice of library, once it names this one."""
    window.go_to("library")
    picker = window.library.side.picker
    picker.look()
    wait(lambda: [each.library.address for each in picker.states] == [node.address])
    return window.library


def _list(desktop: Any) -> Any:
    with _joined(desktop) as (window, node):
        page = _with_choice(window, node)
        page.side.picker.list.setCurrentRow(1)
        wait(lambda: page.shelf.model.total == len(PAGES) and bool(page.shelf.pane.reader.preview.toPlainText()))
        settle(400)
        picture = window.grab()
        page.side.picker.choose_private()
    return picture


def _away(desktop: Any) -> Any:
    with _joined(desktop) as (window, node):
        page = _with_choice(window, node)
        node.status = 503
        page.side.picker.list.setCurrentRow(1)
        wait(lambda: "\n" in page.side.picker.list.item(1).text())
        settle(400)
        picture = window.grab()
        page.side.picker.choose_private()
    return picture


def _settings(desktop: Any) -> Any:
    with _joined(desktop) as (window, _):
        window.go_to("settings")
        settings = window.settings
        settings.complete()
        settings.show_section(settings.libraries)
        settings.libraries.reload()
        wait(lambda: settings.libraries.joined._column.count() == 1)
        settle(600)
        return window.grab()


def _join(desktop: Any) -> Any:
    from app.desktop.dialogs.join_library import JoinLibraryDialog

    dialog = JoinLibraryDialog(desktop.window.settings.context, "https://library.example.org", desktop.window)
    dialog.open()
    return grab_dialog(desktop, dialog)


def _join_choose(desktop: Any) -> Any:
    from app.desktop.dialogs.join_library import JoinLibraryDialog
    from tests.support.shared_library import SharedLibrary, running

    with running(SharedLibrary(token="t", name="Tidewater team library")) as node:
        dialog = JoinLibraryDialog(desktop.window.settings.context, node.address, desktop.window)
        dialog.open()
        dialog.go_on.click()
        wait(dialog.token.isVisible)
        dialog.token.setText("t")
        dialog.go_on.click()
        wait(dialog.collection.isVisible)
        return grab_dialog(desktop, dialog)


def scenes() -> dict[str, Scene]:
    """What a joined library adds to the window."""
    return {
        "shared-list": _list,
        "shared-away": _away,
        "shared-settings": _settings,
        "shared-join": _join,
        "shared-choose": _join_choose,
    }
