"""Packages page: projects, their packages, adding documentation with and without downloads, its progress, and removing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from unittest.mock import AsyncMock

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from app.desktop.application import DesktopApp
from app.desktop.offer import Offer
from app.desktop.pages.packages import page as module
from app.desktop.pages.packages.adding import AddPackagesDialog
from app.desktop.pages.packages.page import PackagesPage
from app.errors import FileAccessError
from app.library.job_records import JobCounts, JobKind, JobState
from tests.desktop.fake_documents import summary
from tests.desktop.fake_engine import FakeParts
from tests.desktop.fake_packages import SHOP, FakePackages, project, stored, used
from tests.support.jobs import job

pytestmark = pytest.mark.shared_window

FLASK, HTTPX, INNER, CLICK = (
    used("flask", version="3.1.3"),
    used("httpx", here=False),
    used("inner", here=False, private=True),
    used("click", direct=False),
)
Show = Callable[..., PackagesPage]


@pytest.fixture
def fake(desktop: DesktopApp, parts: FakeParts) -> FakePackages:
    return parts.engines[0].packages


@pytest.fixture
def show(desktop: DesktopApp, fake: FakePackages, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Show:
    """Return a function that opens the page with a project of four packages."""
    monkeypatch.setattr(module, "RELOAD_MS", 20)

    def run(*packages: object, notes: tuple[str, ...] = ()) -> PackagesPage:
        page = desktop.window.packages
        fake.put(project(*(packages or (FLASK, HTTPX, INNER, CLICK)), notes=notes))  # type: ignore[arg-type]
        page.model.listing = None
        page.choose(SHOP)
        desktop.window.go_to("packages")
        qtbot.waitUntil(lambda: page.model.listing is not None and page.model.listing.project is not None)
        page.table.clearSelection()
        return page

    return run


def names(page: PackagesPage) -> list[str]:
    return [row.package.name for row in page.model.records]


def cells(page: PackagesPage, row: int) -> list[str]:
    return [str(page.model.index(row, column).data()) for column in range(page.model.columnCount())]


def dialog_of(page: PackagesPage) -> AddPackagesDialog:
    dialog = page.window().findChildren(AddPackagesDialog)[-1]
    assert isinstance(dialog, AddPackagesDialog)
    return dialog


def test_without_projects_the_page_offers_to_add_one(
    desktop: DesktopApp, fake: FakePackages, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = desktop.window.packages
    page.model.listing, page.model.root = None, ""
    desktop.window.go_to("packages")
    qtbot.waitUntil(lambda: page._stack.currentWidget() is page._empty)
    assert page.add_button.isHidden()
    fake.on_disk[SHOP] = project(FLASK)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: SHOP)
    page.choose_project()
    qtbot.waitUntil(lambda: names(page) == ["flask"])
    assert (fake.asked, page.projects.key) == ([("scan", Path(SHOP))], SHOP)


def test_direct_packages_are_listed_with_what_is_known(show: Show, fake: FakePackages, qtbot: QtBot) -> None:
    page = show()
    assert names(page) == ["flask", "httpx", "inner"]
    assert cells(page, 0) == [
        "flask",
        "3.1.3",
        "Locked and installed",
        "Yes",
        "Installed copy",
        "–",
        "2.0 MB",
        "Not added",
    ]
    assert cells(page, 1)[4:] == ["Only by download", "–", "–", "Not added"]
    assert cells(page, 2)[4] == "Private, not installed"
    page.kinds.chosen.emit(module.ALL)
    assert names(page) == ["click", "flask", "httpx", "inner"]
    page.kinds.chosen.emit(module.DIRECT_ONLY)
    fake.packages = [stored(FLASK.package), stored(replace(FLASK.package, version="2.2.5"), number=2, current=False)]
    page.model.reload()
    qtbot.waitUntil(lambda: cells(page, 0)[7] == "Added")
    page.table.selectRow(0)
    shown = page.pane.values()
    assert shown["Other added versions"] == "2.2.5"
    assert (
        shown["Contents"] == "8 pages of documentation, 30 pages of signatures, 2 pages of release notes, 120 symbols"
    )
    page.projects.choose("")
    qtbot.waitUntil(lambda: [row.id for row in page.model.records] == ["pypi/flask@2.2.5", "pypi/flask@3.1.3"])
    assert cells(page, 0)[7] == "Added, only if named"


def test_nothing_is_asked_of_a_registry_before_the_click(show: Show, fake: FakePackages, qtbot: QtBot) -> None:
    page = show()
    assert page.add_button.text() == "Add documentation of 2 packages…"
    page.add_button.click()
    dialog = dialog_of(page)
    words = dialog._here.text()
    assert "1 package from its copy on this computer: about 2.0 MB and 20 s." in words
    assert "1 package is not installed and needs a download. WebRAG does not use the network." in words
    assert not dialog.downloads.isChecked() and dialog.requests.isHidden() is False and fake.asked == []
    dialog.downloads.setChecked(True)
    qtbot.waitUntil(lambda: dialog.add.isEnabled())
    assert fake.asked == [("downloads", "pypi/flask@3.1.3", "pypi/httpx@1.0")]
    assert dialog.requests.toPlainText().splitlines()[1] == "https://registry.example/httpx/1.0  (1.5 MB)"
    assert dialog.sum.text() == "2 downloads: about 3.0 MB in about 10 s."
    dialog.downloads.setChecked(False)
    dialog.add.click()
    qtbot.waitUntil(lambda: fake.asked[-1] == ("begin", ("pypi/flask@3.1.3",), SHOP, False))


def test_downloads_are_added_on_request(show: Show, fake: FakePackages, qtbot: QtBot) -> None:
    page = show(HTTPX)
    page.add_button.click()
    dialog = dialog_of(page)
    assert not dialog.add.isEnabled()
    dialog.downloads.setChecked(True)
    qtbot.waitUntil(lambda: dialog.add.isEnabled())
    dialog.add.click()
    qtbot.waitUntil(lambda: fake.asked[-1] == ("begin", ("pypi/httpx@1.0",), SHOP, True))


def test_the_progress_is_shown_and_leads_to_the_job(
    show: Show, desktop: DesktopApp, fake: FakePackages, qtbot: QtBot
) -> None:
    page = show()
    page.add_documentation()
    dialog_of(page).add.click()
    qtbot.waitUntil(lambda: page.adding.isVisible())
    assert page.add_button.isHidden()
    running = job(7, JobState.RUNNING, kind=JobKind.PACKAGES, target=SHOP, counts=JobCounts(waiting=2, stored=1))
    fake.jobs.put(running)
    qtbot.waitUntil(lambda: page.adding.words.text() == "Adding documentation: 1 of 3 packages")
    page.adding.cancel()
    qtbot.waitUntil(lambda: ("cancel", 7) in fake.jobs.asked)
    fake.jobs.put(replace(running, state=JobState.RUNNING))
    page.adding.show_job.click()
    assert desktop.window.current_page is desktop.window.activity
    jobs = desktop.window.activity.jobs
    qtbot.waitUntil(lambda: jobs.model.row_of(7) >= 0)
    assert jobs.model.index(jobs.model.row_of(7), 1).data() == "Packages"
    desktop.window.go_to("packages")
    fake.packages = [stored(FLASK.package)]
    fake.jobs.put(replace(running, state=JobState.DONE, counts=JobCounts(stored=2, failed=1)))
    qtbot.waitUntil(lambda: page.adding.isHidden() and cells(page, 0)[7] == "Added")
    assert desktop.window.toast._title.text() == "Added 2 packages, 1 could not be read"


def test_a_project_that_is_gone_can_be_forgotten(
    show: Show, fake: FakePackages, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = show()
    del fake.on_disk[SHOP]
    page.model.reload()
    qtbot.waitUntil(lambda: page._views.currentWidget() is page._broken)
    assert "contains no lock file. Add the project again." in page._broken._text.text()
    monkeypatch.setattr(module, "is_agreed", lambda *_: True)
    page.forget.click()
    qtbot.waitUntil(lambda: page._stack.currentWidget() is page._empty)
    assert fake.projects == []


def test_a_dropped_folder_is_a_project_on_this_page_only(
    show: Show, desktop: DesktopApp, fake: FakePackages, qtbot: QtBot
) -> None:
    show()
    fake.on_disk["/srv/site"] = project(CLICK, root="/srv/site")
    desktop.window.add_offer(Offer(folders=(Path("/srv/site"),)))
    qtbot.waitUntil(lambda: desktop.window.packages.projects.key == "/srv/site")
    assert desktop.window.adding is None or not desktop.window.adding.isVisible()
    desktop.window.add_offer(Offer(folders=(Path("/srv/gone"),)))
    qtbot.waitUntil(lambda: "Add the project again." in desktop.window.toast._text.text())


def test_packages_are_removed_and_opened_and_copied(
    show: Show, desktop: DesktopApp, fake: FakePackages, parts: FakeParts, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake.packages = [stored(FLASK.package)]
    url = f"{FLASK.package.address}docs/quickstart"
    parts.documents[50] = replace(summary(50, url=url), doc_tag="flask@3.1.3/docs/quickstart")
    desktop.window.library.model.reload()
    page = show()
    page.table.selectRow(0)
    offered = {action.text(): action.isEnabled() for action in page.menu().actions() if action.text()}
    assert offered["Open in Library"] and not offered["Add documentation…"]
    page.copy_names()
    page.table.clearSelection()
    page.copy_names()
    assert QGuiApplication.clipboard().text() == "pypi/flask@3.1.3"
    page.table.selectRow(0)
    qtbot.waitUntil(lambda: desktop.window.library.model.find(50) is not None)
    page.open_pages()
    assert desktop.window.current_page is desktop.window.library
    qtbot.waitUntil(lambda: [row.url for row in desktop.window.library.model.records] == [url])
    desktop.window.go_to("packages")
    questions: list[str] = []
    monkeypatch.setattr(module, "is_agreed", lambda _parent, _title, question: not questions.append(question))
    page.table.selectRow(0)
    page.remove()
    qtbot.waitUntil(lambda: fake.packages == [])
    assert questions == ["Remove the documentation of flask 3.1.3? You can add it again."]


def test_the_question_names_the_package_that_is_removed(
    show: Show, fake: FakePackages, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake.packages = [stored(HTTPX.package)]
    page = show(FLASK, HTTPX)
    questions: list[str] = []
    monkeypatch.setattr(module, "is_agreed", lambda _parent, _title, question: questions.append(question))
    page.table.selectAll()
    assert [row.package.name for row in page.selected] == ["flask", "httpx"]
    page.remove()
    assert questions == ["Remove the documentation of httpx 1.0? You can add it again."]


def test_a_failure_leaves_the_choices_that_can_still_work(
    show: Show, fake: FakePackages, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = show(HTTPX)
    page.add_button.click()
    dialog = dialog_of(page)
    failed = AsyncMock(side_effect=FileAccessError("Cannot read uv.lock: damaged.", hint="Repair it."))
    with monkeypatch.context() as broken:
        broken.setattr(fake, "downloads", failed)
        dialog.downloads.setChecked(True)
        qtbot.waitUntil(lambda: dialog.problem.text() == "Cannot read uv.lock: damaged. Repair it.")
    assert dialog.sum.text() == "" and not dialog.add.isEnabled()
    dialog.downloads.setChecked(False)
    assert not dialog.add.isEnabled(), "httpx has no copy on this computer"
    dialog.downloads.setChecked(True)
    qtbot.waitUntil(lambda: dialog.add.isEnabled())
    with monkeypatch.context() as broken:
        broken.setattr(fake, "begin", failed)
        dialog.add.click()
        qtbot.waitUntil(lambda: dialog.problem.isVisible())
    assert dialog.add.isEnabled(), "the user can try again"


def test_several_selected_packages_are_added_alone_and_notes_are_shown(show: Show, fake: FakePackages) -> None:
    page = show(*(used(f"p{number}") for number in range(4)), notes=("uv.lock is damaged.",))
    assert page.notes.text() == "uv.lock is damaged."
    page.table.selectRow(0)
    assert len(page.addable) == 4
    page.table.selectAll()
    page.table.selectionModel().select(
        page.model.index(0, 0),
        page.table.selectionModel().SelectionFlag.Deselect | page.table.selectionModel().SelectionFlag.Rows,
    )
    assert page.add_button.text() == "Add documentation of 3 packages…"
    page.filter.setText("p9")
    page.model.set_filter("p9")
    assert names(page) == []
