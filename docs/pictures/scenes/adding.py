"""Pictures of adding pages, a site, files and bookmarks, and of dragging."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.text.sentence import sentence
from app.text.shield import SPEAKS

Scene = Callable[[Any], Any]


def adding_scenes(
    web: Any, wait: Callable[..., None], settle: Callable[..., None], grab: Callable[..., Any]
) -> dict[str, Scene]:
    """Return the scenes by picture name. `grab` draws the open dialog and closes it."""
    from pictures.site import BLOG, DOCS

    def opened(desktop: Any, url: str, way: str = "pages") -> Any:
        desktop.window.go_to("library")
        desktop.window.add_page(url)
        dialog = desktop.window.adding
        dialog.show_way(way)
        settle()
        return dialog

    def understood(desktop: Any) -> Any:
        dialog = opened(desktop, web.url(BLOG, "/choosing-a-queue"))
        dialog.pages.look()
        card = dialog.pages.card
        wait(lambda: card.look is not None)
        card.show_look(replace(card.look, stored=None), card.look.url)
        dialog.pages.rename(dialog.pages.tr("Add page"))
        return dialog

    def page(desktop: Any) -> Any:
        return grab(desktop, understood(desktop))

    def warned(desktop: Any) -> Any:
        dialog = opened(desktop, web.url(DOCS, "/guide/retries"))
        dialog.pages.look()
        card = dialog.pages.card
        wait(lambda: card.look is not None)
        note = sentence("The page redirects browsers to another address: {}.", web.url(DOCS, "/guide/jobs"))
        card.show_look(replace(card.look, flags=(SPEAKS,), note=note), card.look.url)
        return grab(desktop, dialog)

    def failed(desktop: Any) -> Any:
        dialog = opened(desktop, "http://192.168.4.20/wiki")
        dialog.pages.look()
        wait(lambda: dialog.pages.card.error is not None)
        return grab(desktop, dialog)

    def several(desktop: Any) -> Any:
        dialog = opened(desktop, web.url(DOCS, "/"))
        paths = ("/guide/retries", "/guide/schedules", "/guide/missing", "/guide/workers")
        dialog.pages.fill(tuple(web.url(DOCS, path) for path in paths))
        wait(lambda: all(item.text(1) not in ("", "fetching…") for item in dialog.pages.list.rows()))
        return grab(desktop, dialog)

    def site(desktop: Any) -> Any:
        dialog = opened(desktop, web.url(DOCS, "/"), "site")
        dialog.site.preview()
        wait(lambda: dialog.site.card.found.full_text != "")
        return grab(desktop, dialog)

    def files(desktop: Any) -> Any:
        dialog = opened(desktop, "", "files")
        dialog.files.fill([_folder()])
        wait(lambda: dialog.files.survey is not None)
        _hide_home(dialog)
        return grab(desktop, dialog)

    def bookmarks(desktop: Any) -> Any:
        dialog = opened(desktop, "", "files")
        dialog.files.fill([_bookmarks()])
        wait(lambda: dialog.files.survey is not None)
        rows = list(dialog.files.card.bookmarks.rows())
        dialog.files.card.bookmarks.untick(rows[-1])
        _hide_home(dialog)
        return grab(desktop, dialog)

    def dragged(desktop: Any) -> Any:
        from app.desktop.offer import Offer

        desktop.window.go_to("library")
        settle()
        desktop.window.intake.overlay.show_offer(Offer(("https://a.example", "https://b.example"), (), (_folder(),)))
        settle(50)
        picture = desktop.window.grab()
        desktop.window.intake.overlay.hide()
        return picture

    def refused(desktop: Any) -> Any:
        from app.desktop.offer import Offer

        desktop.window.go_to("library")
        desktop.window.intake.overlay.show_offer(Offer(refused=(Path("holiday.png"),)))
        settle(50)
        picture = desktop.window.grab()
        desktop.window.intake.overlay.hide()
        return picture

    return {
        "add-page": page,
        "add-page-warning": warned,
        "add-page-error": failed,
        "add-pages": several,
        "add-site": site,
        "add-files": files,
        "add-bookmarks": bookmarks,
        "drop": dragged,
        "drop-refused": refused,
    }


def _hide_home(dialog: Any) -> None:
    """Hide the temporary folder of this run."""
    from app.desktop.widgets import ElidedLabel

    line, home = dialog.files.path, os.environ["HOME"]
    line.blockSignals(True)
    line.setText(line.text().replace(home, "/home/ada"))
    line.blockSignals(False)
    for made in dialog.files.kept.findChildren(ElidedLabel):
        made.show_text(made.full_text.replace(home, "/home/ada"))


def _folder() -> Path:
    folder = Path(os.environ["HOME"]) / "handbook"
    if not folder.is_dir():
        (folder / "runbooks").mkdir(parents=True)
        for name in (
            "on-call.md",
            "queues.md",
            "runbooks/restore.md",
            "runbooks/rotate-keys.md",
            "contract.pdf",
            "list.txt",
        ):
            (folder / name).write_text(f"# {name}\n")
        for name in ("plan.png", "team.jpg", "budget.xlsx"):
            (folder / name).write_text("")
    return folder


def _bookmarks() -> Path:
    folders = {"Queues": 6, "PostgreSQL": 14, "Reading list": 23}
    lists = "".join(
        f"<DT><H3>{name}</H3><DL><p>"
        + "".join(
            f'<DT><A HREF="https://{name[:2].lower()}.example/{number}">Page {number}</A>' for number in range(count)
        )
        + "</DL><p>"
        for name, count in folders.items()
    )
    file = Path(os.environ["HOME"]) / "bookmarks.html"
    head = "<!DOCTYPE NETSCAPE-Bookmark-file-1><TITLE>Bookmarks</TITLE><H1>Bookmarks</H1>"
    file.write_text(f'{head}<DL><p><DT><A HREF="https://start.example/">Start</A>{lists}</DL><p>')
    return file
