"""A shared library: its pages in the Library, its settings, and how to join."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from pictures import assistants
from pictures.dialogs import grab_dialog
from pictures.filling import QUESTION
from pictures.loop import settle, wait

Scene = Callable[[Any], Any]
TEXT = """# {}

Who is on call answers within fifteen minutes, writes down what was done, and hands over at nine in the morning.

## Before the first night

Read the runbooks of the three services, try the pager, and know whom to wake.
"""
RULE = """# {}

A failed job is tried again at most five times. It waits a minute before the first try and twice as long before each \
further one. After that, the person on call handles it."""
PAGES = (
    ("On-call handbook", "https://wiki.tidewater.example/on-call", "handbook", "ann", TEXT, 0.31),
    ("How releases are made", "https://wiki.tidewater.example/releases", "handbook", "ben", TEXT, 0.24),
    (
        "Postmortem: the stalled queue",
        "https://wiki.tidewater.example/postmortems/queue",
        "incidents",
        "ann",
        RULE,
        0.97,
    ),
    ("Glossary", "https://wiki.tidewater.example/glossary", "handbook", "user:https://id.example|ada", TEXT, 0.18),
)


@contextmanager
def _joined(desktop: Any, *, is_owner: bool = False) -> Iterator[tuple[Any, Any]]:
    """Join a shared library on loopback and leave it afterwards. An owner also sees a hidden page."""
    from app.library.exchange import Collection
    from tests.support.shared_library import SharedLibrary, passage, running

    pages = tuple(
        replace(
            passage(number, text.format(title), relevance, url=url, title=title), collection=collection, added_by=by
        )
        for number, (title, url, collection, by, text, relevance) in enumerate(PAGES, 1)
    )
    with running(SharedLibrary(pages, token="t", name="Tidewater team library")) as node:
        if is_owner:
            node.hidden, node.roles = {3}, dict.fromkeys(("handbook", "incidents", "guides"), "owner")
            node.collections += (Collection("handbook", "owner", 3), Collection("incidents", "owner", 1))
        engine: list[Any] = []

        async def keep(running_engine: Any) -> None:
            engine.append(running_engine)

        desktop.window.settings.context.thread.submit(keep)
        wait(lambda: bool(engine))
        node.model = engine[0]._corpus.model
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
    """Return the Library with the selection of libraries, once it contains the shared one."""
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


def _hidden(desktop: Any) -> Any:
    with _joined(desktop, is_owner=True) as (window, node):
        page = _with_choice(window, node)
        page.side.picker.list.setCurrentRow(1)
        wait(lambda: page.shelf.model.total == len(PAGES) and bool(page.shelf.pane.reader.preview.toPlainText()))
        settle(400)
        picture = window.grab()
        page.side.picker.choose_private()
    return picture


def _signed_out(desktop: Any) -> Any:
    with _joined(desktop) as (window, node):
        node.token = "another"
        _asked(window)
        window.go_to("settings")
        settings = window.settings
        settings.complete()
        settings.show_section(settings.libraries)
        settings.libraries.reload()
        wait(lambda: any(each.signed_out for each in settings.libraries.joined.items or ()))
        settle(600)
        return window.grab()


def _asked(window: Any) -> Any:
    search = window.search
    window.go_to("search")
    search.query.setText(QUESTION)
    search.query.setCursorPosition(0)
    search.search()
    wait(lambda: not search.searching.is_running)
    return search


def _search(desktop: Any) -> Any:
    with _joined(desktop) as (window, _):
        search = _asked(window)
        places = [search.hits.index(row, 0) for row in range(search.hits.rowCount())]
        search.list.setCurrentIndex(next(place for place in places if search.hits.record_at(place).origin is not None))
        wait(lambda: not search.page.loading.is_running)
        settle(400)
        return window.grab()


def _search_away(desktop: Any) -> Any:
    with _joined(desktop) as (window, node):
        node.status = 503
        search = _asked(window)
        wait(lambda: bool(search.bar.away.text()) and not search.page.loading.is_running)
        settle(400)
        return window.grab()


def _ask(desktop: Any) -> Any:
    with _joined(desktop):
        return _asked_beside(desktop, lambda hits: any(hits.record_at(each).origin is not None for each in _rows(hits)))


def _ask_away(desktop: Any) -> Any:
    with _joined(desktop) as (_, node):
        node.status = 503
        # The note about the library disappears after some seconds, perhaps before the page is loaded.
        return _asked_beside(desktop, lambda hits: hits.rowCount() > 0)


def _rows(hits: Any) -> list[Any]:
    return [hits.index(row, 0) for row in range(hits.rowCount())]


def _asked_beside(desktop: Any, is_there: Callable[[Any], bool]) -> Any:
    """Return the ask window after the shared libraries have answered."""
    desktop.ask()
    asking = desktop.asking
    wait(lambda: asking._asks_others)
    asking.box.setText(QUESTION)
    asking._ask()
    wait(lambda: is_there(asking.hits) and not asking.searching.is_running and not asking.page.loading.is_running)
    settle(400)
    picture = asking.grab()
    asking.forget()
    asking.hide()
    return picture


def _clients(desktop: Any) -> Any:
    with _joined(desktop) as (window, _):
        page = assistants.client_page(desktop, wait, "cursor")
        wait(page.pane.libraries.isVisible)
        page.pane.ensureWidgetVisible(page.pane.libraries)
        settle(400)
        picture = window.grab()
        page.pane.verticalScrollBar().setValue(0)
    return picture


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
    """Return the scenes of a shared library."""
    return {
        "shared-list": _list,
        "shared-away": _away,
        "shared-hidden": _hidden,
        "shared-search": _search,
        "shared-ask": _ask,
        "shared-search-away": _search_away,
        "shared-ask-away": _ask_away,
        "shared-assistants": _clients,
        "shared-settings": _settings,
        "shared-signed-out": _signed_out,
        "shared-join": _join,
        "shared-choose": _join_choose,
    }
