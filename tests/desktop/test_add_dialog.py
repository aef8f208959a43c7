"""Add dialog: a page, several pages, a site, files, and a folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from app import caps
from app.corpus.records import Folder
from app.desktop.application import DesktopApp
from app.desktop.dialogs.add.dialog import FILES, SITE, AddPageDialog
from app.desktop.notices import Banner
from app.desktop.offer import Starter, starters
from app.errors import AddressDeniedError, FetchTimeoutError, FileAccessError, RobotsDeniedError
from app.ingest.crawling.options import CrawlOptions, CrawlScope
from tests.desktop.fake_engine import FakeParts
from tests.support.jobs import NOW, FakeJobs
from tests.support.jobs import SITE as ADDRESS

pytestmark = pytest.mark.shared_window

HIGHEST = 560
"""Height that fits the smallest window."""


@pytest.fixture
def dialog(desktop: DesktopApp) -> AddPageDialog:
    desktop.window.add_page(ADDRESS)
    return desktop.window.findChildren(AddPageDialog)[-1]


@pytest.fixture
def jobs(parts: FakeParts, desktop: DesktopApp) -> FakeJobs:
    return parts.engines[0].jobs


def problem(dialog: AddPageDialog) -> str:
    banners = [banner for banner in dialog.findChildren(Banner) if not banner.isHidden()]
    return banners[-1].notice.text if banners else ""


def test_another_address_joins_those_in_the_open_dialog(dialog: AddPageDialog, desktop: DesktopApp) -> None:
    other = "https://other.example/"
    for address in (other, other, ""):
        desktop.window.add_page(address)
    assert [each for each in desktop.window.findChildren(AddPageDialog) if each.isVisible()] == [dialog]
    assert dialog.pages.urls == (ADDRESS, other)


def test_several_addresses_become_a_job(
    dialog: AddPageDialog, desktop: DesktopApp, jobs: FakeJobs, qtbot: QtBot
) -> None:
    dialog.pages.address.setText("a.example/x\nhttps://b.example/y")
    dialog.panel.start()
    qtbot.waitUntil(lambda: not dialog.isVisible())
    name, urls, target = jobs.asked[0]
    assert (name, urls) == ("read_pages", ("https://a.example/x", "https://b.example/y"))
    assert target == "2 pages from https://a.example/x"
    assert desktop.window.current_page is desktop.window.activity
    pane = desktop.window.activity.jobs
    assert desktop.window.activity.view.value == "jobs"
    qtbot.waitUntil(lambda: pane._shown is not None and pane._shown.id == 7)


def test_commas_can_separate_typed_addresses(dialog: AddPageDialog) -> None:
    dialog.pages.address.setText("a.example/x, b.example;\nhttps://c.example/?q=1,2, and a.example/x")
    assert dialog.pages.urls == ("https://a.example/x", "https://b.example", "https://c.example/?q=1,2")


def test_a_site_is_added_with_the_chosen_options(dialog: AddPageDialog, jobs: FakeJobs, qtbot: QtBot) -> None:
    dialog.show_way(SITE)
    assert dialog.site.address.text() == ADDRESS
    dialog.site.scopes["host"].setChecked(True)
    dialog.site.pages.setValue(30)
    dialog.site.levels.setValue(2)
    dialog.panel.start()
    qtbot.waitUntil(lambda: not dialog.isVisible())
    assert jobs.asked == [("crawl", ADDRESS, CrawlOptions(CrawlScope.HOST, 30, 2))]


def test_documents_of_a_job_are_added_to_the_chosen_collection(
    dialog: AddPageDialog, parts: FakeParts, jobs: FakeJobs, qtbot: QtBot
) -> None:
    parts.engines[0].documents.collections += ["Thesis", "Garden"]
    dialog._load_collections()
    qtbot.waitUntil(lambda: dialog.collection.findText("Thesis") >= 0, timeout=60_000)
    assert dialog.collection.name == "", "no collection is selected by default"
    dialog.show_way(SITE)
    dialog.collection.setEditText("  Field  notes ")
    dialog.panel.start()
    qtbot.waitUntil(lambda: ("collect", 7, "Field notes") in jobs.asked, timeout=60_000)


def test_a_page_is_added_to_the_chosen_collection(dialog: AddPageDialog, parts: FakeParts, qtbot: QtBot) -> None:
    dialog.collection.setEditText("Thesis")
    with qtbot.waitSignal(dialog.added, timeout=60_000) as added:
        dialog.panel.start()
    name = ("add_label", ("collection", "Thesis", *added.args))
    qtbot.waitUntil(lambda: name in parts.engines[0].asked, timeout=60_000)


def test_every_file_and_folder_is_added_to_the_chosen_collection(
    dialog: AddPageDialog, parts: FakeParts, jobs: FakeJobs, tmp_path: Path, qtbot: QtBot
) -> None:
    files, folders = [tmp_path / "a.md", tmp_path / "b.md"], [tmp_path / "c", tmp_path / "d"]
    for file in files:
        file.write_text("# Text")
    for folder in folders:
        folder.mkdir()
    dialog.show_way(FILES)
    dialog.files.path.setText("; ".join(map(str, (*files, *folders))))
    dialog.collection.setEditText("Thesis")
    dialog.panel.start()
    qtbot.waitUntil(lambda: not dialog.isVisible(), timeout=60_000)
    begun = {("collect", job_id, "Thesis") for job_id in (7, 8)}
    qtbot.waitUntil(lambda: begun <= {*jobs.asked}, timeout=60_000)
    added = [row.id for row in parts.engines[0].stored.values() if row.kind == "file"]
    assert len(added) == len(files)
    assert ("add_label", ("collection", "Thesis", *added)) in parts.engines[0].asked


def test_a_suggested_site_blocked_by_robots_txt_is_reported(
    dialog: AddPageDialog, jobs: FakeJobs, qtbot: QtBot
) -> None:
    suggested = starters()[0].address
    jobs.failure = RobotsDeniedError(f"The robots.txt of the site closes {suggested} to programs.")
    dialog.show_way(SITE)
    dialog.site.suggestions.menu().actions()[0].trigger()
    qtbot.waitUntil(lambda: suggested in problem(dialog), timeout=60_000)
    assert jobs.asked == [("preview", suggested, CrawlOptions())] and dialog.isVisible()


def test_a_preview_shows_pages_time_and_size_of_a_crawl(dialog: AddPageDialog, jobs: FakeJobs, qtbot: QtBot) -> None:
    dialog.show_way(SITE)
    qtbot.keyClick(dialog.site.address, Qt.Key.Key_Return)  # type: ignore[no-untyped-call]
    assert dialog.site.address.isEnabled(), "typing is possible during the preview"
    card = dialog.site.card
    qtbot.waitUntil(lambda: card.found.full_text == "41 pages – Field guide")
    facts = card.facts.full_text
    assert facts == "About 41 s and 1.6 MB for 41 pages  ·  3 blocked by robots.txt  ·  found through sitemap, links"
    names = [item.text(0) for item in card.tree.rows()]
    assert names[:4] == ["archive/", "2019/", "news/", "page0.html"]
    assert names[-1] == "… and 11 more"
    assert dialog.isVisible()
    assert jobs.asked == [("preview", ADDRESS, CrawlOptions())], "the first Enter only shows the preview"
    qtbot.keyClick(dialog.site.address, Qt.Key.Key_Return)  # type: ignore[no-untyped-call]
    qtbot.waitUntil(lambda: not dialog.isVisible(), timeout=60_000)
    assert jobs.asked[1][0] == "crawl"


def test_deselected_folders_are_skipped_by_the_crawl(dialog: AddPageDialog, jobs: FakeJobs, qtbot: QtBot) -> None:
    dialog.show_way(SITE)
    dialog.site.preview()
    card = dialog.site.card
    qtbot.waitUntil(lambda: card.tree.topLevelItemCount() > 0)
    archive = next(card.tree.rows())
    assert archive.text(1) == "9 pages"
    card.tree.untick(archive)
    assert card.facts.full_text.startswith("About 32 s and 1.3 MB for 32 pages  ·  9 skipped by you")
    dialog.site.pages.setValue(10)
    assert card.facts.full_text.startswith("About 10 s and 400.0 kB for 10 pages")
    dialog.panel.start()
    qtbot.waitUntil(lambda: not dialog.isVisible())
    assert jobs.asked[-1] == ("crawl", ADDRESS, CrawlOptions(max_pages=10, left_out=("/archive/",)))


def test_another_address_removes_the_preview(dialog: AddPageDialog, jobs: FakeJobs, qtbot: QtBot) -> None:
    dialog.show_way(SITE)
    dialog.site.preview()
    qtbot.waitUntil(lambda: dialog.site.card.found.full_text != "")
    dialog.site.card.tree.untick(next(dialog.site.card.tree.rows()))
    dialog.site.address.setText("https://docs.example.org/guide/start.html")
    assert dialog.site.card.left_out == ()
    assert dialog.site.scopes["subpages"].text() == "Pages below docs.example.org/guide/"
    assert dialog.site.scopes["host"].text() == "The whole site docs.example.org"


def test_a_forbidden_site_is_explained_in_the_dialog(dialog: AddPageDialog, jobs: FakeJobs, qtbot: QtBot) -> None:
    jobs.failure = AddressDeniedError("Private addresses are blocked.")
    dialog.show_way(SITE)
    for begin in (dialog.site.preview, dialog.panel.start):
        begin()
        qtbot.waitUntil(lambda: "Private addresses are blocked." in problem(dialog))
        assert dialog.isVisible()
        assert dialog._start.isEnabled() and dialog._start.text() == "Add anyway"
    dialog.show_way("pages")
    assert problem(dialog) == ""


def test_without_an_address_nothing_is_added(dialog: AddPageDialog, jobs: FakeJobs) -> None:
    for way in ("pages", SITE, FILES):
        dialog.show_way(way)
        dialog.pages.address.clear()
        dialog.site.address.clear()
        dialog.panel.start()
    dialog.site.preview()
    assert jobs.asked == []
    assert dialog.isVisible()


def test_the_limits_match_the_settings(dialog: AddPageDialog) -> None:
    assert (dialog.site.pages.maximum(), dialog.site.pages.value()) == (
        caps.MAX_CRAWL_PAGES,
        caps.DEFAULT_CRAWL_PAGES,
    )
    assert (dialog.site.levels.maximum(), dialog.site.levels.value()) == (
        caps.MAX_CRAWL_DEPTH,
        caps.DEFAULT_CRAWL_DEPTH,
    )


def test_a_folder_is_added_and_watched(
    dialog: AddPageDialog, jobs: FakeJobs, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    dialog.show_way(FILES)
    dialog.files._choose_folder()
    assert dialog.files.path.text() == str(tmp_path)
    dialog.panel.start()
    qtbot.waitUntil(lambda: not dialog.isVisible())
    assert jobs.asked == [("add_folder", tmp_path)]


def test_files_are_added_directly(
    dialog: AddPageDialog,
    desktop: DesktopApp,
    parts: FakeParts,
    tmp_path: Path,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chosen = [str(tmp_path / name) for name in ("a.md", "b.md")]
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: (chosen, ""))
    dialog.show_way(FILES)
    dialog.files._choose_files()
    dialog.panel.start()
    qtbot.waitUntil(lambda: not dialog.isVisible())
    assert [what for _, what in parts.engines[0].asked] == [Path(name) for name in chosen]
    assert desktop.window.toast._title.text() == "Added 2 files"
    library = desktop.window.library
    qtbot.waitUntil(lambda: {"a", "b"} <= {record.title for record in library.model.everything})
    library.model.set_filter(tmp_path.name)
    assert sorted(record.title for record in library.model.records) == ["a", "b"]
    assert str(library.model.index(0, 1).data()) == tmp_path.name


def test_the_name_of_a_chosen_file_can_contain_the_separator(
    dialog: AddPageDialog, parts: FakeParts, tmp_path: Path, qtbot: QtBot
) -> None:
    named = tmp_path / "Notes; draft.md"
    named.write_text("# Text")
    dialog.show_way(FILES)
    dialog.files.fill([named])
    dialog.panel.start()
    qtbot.waitUntil(lambda: not dialog.isVisible())
    assert parts.engines[0].asked == [("file", named)]
    dialog.files.path.setText("/a.md; /b.md")
    assert dialog.files.paths == [Path("/a.md"), Path("/b.md")]


def test_bookmarks_become_a_job(dialog: AddPageDialog, jobs: FakeJobs, tmp_path: Path, qtbot: QtBot) -> None:
    exported = tmp_path / "bookmarks.html"
    exported.write_text('<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF="https://a.example/">A</A></DL>')
    dialog.show_way(FILES)
    dialog.files.path.setText(str(exported))
    dialog.panel.start()
    qtbot.waitUntil(lambda: not dialog.isVisible())
    assert jobs.asked == [("read_pages", ("https://a.example/",), "bookmarks.html")]


def test_failed_files_can_be_added_anyway(dialog: AddPageDialog) -> None:
    dialog.show_way("files")
    dialog.files.path.setText("/nowhere/a.md")
    dialog.files.failed.emit(FileAccessError("It cannot be read."))
    assert dialog._start.text() == "Add anyway" and dialog._start.isEnabled()
    dialog.files.path.setText("/nowhere/b.md")
    assert dialog._start.text() == "Add"


def test_a_failed_file_is_explained_in_the_dialog(dialog: AddPageDialog, tmp_path: Path, qtbot: QtBot) -> None:
    dialog.show_way(FILES)
    dialog.files.path.setText(f"{tmp_path / 'a.md'}; {tmp_path / 'x.pdf'}")
    dialog.panel.start()
    qtbot.waitUntil(lambda: "Could not read 1 of 2 files. x.pdf is locked." in problem(dialog))
    assert dialog.isVisible()


def test_added_and_failed_files_are_both_reported(
    dialog: AddPageDialog, desktop: DesktopApp, jobs: FakeJobs, tmp_path: Path, qtbot: QtBot
) -> None:
    marks = tmp_path / "bookmarks.html"
    marks.write_text('<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF="https://a.example/">A</A></DL>')
    added, begun = [], []
    dialog.added.connect(added.append)
    dialog.job_begun.connect(begun.append)
    dialog.show_way(FILES)
    locked = tmp_path / "x.pdf"
    dialog.files.path.setText("; ".join(map(str, (tmp_path / "a.md", locked, marks))))
    dialog.panel.start()
    qtbot.waitUntil(lambda: "Could not read 1 of 3 files. x.pdf is locked." in problem(dialog))
    assert (len(added), begun) == (1, [7])
    assert desktop.window.toast._title.text().startswith("Added “")
    assert dialog.isVisible()
    assert dialog.files.path.text() == str(locked)


def test_a_site_can_be_limited_to_its_first_page(dialog: AddPageDialog, jobs: FakeJobs, qtbot: QtBot) -> None:
    dialog.show_way(SITE)
    dialog.site.levels.setValue(0)
    dialog.panel.start()
    qtbot.waitUntil(lambda: bool(jobs.asked))
    assert jobs.asked == [("crawl", ADDRESS, CrawlOptions(max_depth=0))]


def test_watched_folders_can_be_refreshed_and_removed(
    dialog: AddPageDialog, jobs: FakeJobs, tmp_path: Path, qtbot: QtBot
) -> None:
    jobs.shelves = [Folder(number, str(tmp_path / str(number)), NOW, 3) for number in range(6)]
    dialog.show_way(FILES)
    qtbot.waitUntil(lambda: not dialog.files.kept.isHidden())
    dialog.files.kept.removal_wanted.emit(jobs.shelves[0])
    qtbot.waitUntil(lambda: len(jobs.shelves) == 5)
    dialog.files.kept.refresh_wanted.emit(jobs.shelves[0])
    qtbot.waitUntil(lambda: not dialog.isVisible())
    assert jobs.asked == [("remove_folder", tmp_path / "0"), ("refresh_folder", tmp_path / "1")]


def test_the_layout_does_not_move_when_a_preview_arrives(dialog: AddPageDialog, jobs: FakeJobs, qtbot: QtBot) -> None:
    for way, look in (("pages", dialog.pages.look), (SITE, dialog.site.preview)):
        dialog.show_way(way)
        qtbot.wait(30)
        before = dialog.height()
        assert before <= 560
        look()
        card = dialog.pages.card if way == "pages" else dialog.site.card
        qtbot.waitUntil(lambda card=card: bool(card.facts.text()))
        qtbot.wait(30)
        assert dialog.height() == before


@pytest.mark.parametrize(
    ("typed", "understood"),
    [
        ("not an address", ()),
        ("etc. word: https:// .", ()),
        ("localhost wiki:8080", ("https://localhost", "https://wiki:8080")),
        ("example.com intranet/wiki", ("https://example.com", "https://intranet/wiki")),
        ("see http://a.example", ("http://a.example",)),
    ],
)
def test_plain_words_are_not_addresses(dialog: AddPageDialog, typed: str, understood: tuple[str, ...]) -> None:
    dialog.pages.address.setText(typed)
    assert dialog.pages.urls == understood


def test_invalid_input_is_answered_with_an_example_address(dialog: AddPageDialog, jobs: FakeJobs, qtbot: QtBot) -> None:
    dialog.pages.address.setText("not an address")
    assert "such as example.com" in dialog.pages.card._hint.text()
    for begin in (dialog.pages.look, dialog.panel.start):
        begin()
        assert dialog.pages.card.error is not None
        assert "such as example.com" in dialog.pages.card.error.hint
    dialog.pages.address.setText("a.example/x")
    assert dialog.pages.card.error is None
    dialog.show_way(SITE)
    dialog.site.address.setText("not an address")
    dialog.panel.start()
    qtbot.waitUntil(lambda: "such as example.com" in problem(dialog))
    assert jobs.asked == []


def test_the_dialog_keeps_its_size_in_every_state(dialog: AddPageDialog, qtbot: QtBot) -> None:
    size = dialog.size()
    failure = FetchTimeoutError("docs.example.org did not respond within 30 seconds, and neither did its mirror. " * 2)

    def check() -> None:
        QApplication.processEvents()
        assert dialog.size() == size
        assert dialog.height() <= HIGHEST

    for text in ("", "a.example/x\nb.example/y\nc.example\nd.example\ne.example", "not an address", "a.example/x"):
        dialog.pages.address.setText(text)
        check()
    for way in (SITE, FILES, "pages"):
        dialog.show_way(way)
        check()
        dialog._show_problem(failure)
        check()
    dialog.show_way(SITE)
    dialog.site.preview()
    qtbot.waitUntil(lambda: dialog.site.card.found.full_text != "")
    dialog._show_problem(failure)
    check()


def test_a_suggested_site_is_previewed_before_it_is_added(dialog: AddPageDialog, jobs: FakeJobs, qtbot: QtBot) -> None:
    dialog.show_way(SITE)
    offered = dialog.site.suggestions.menu().actions()
    assert any("docs.python.org" in action.text() for action in offered)
    assert jobs.asked == []
    offered[0].trigger()
    qtbot.waitUntil(lambda: dialog.site.card.is_previewed, timeout=60_000)
    assert [asked[:2] for asked in jobs.asked] == [("preview", "https://docs.python.org/3/tutorial/")]


def test_own_suggestions_come_first(tmp_path: Path) -> None:
    found = starters(("https://docs.example.org/a/", "ftp://files.example.org/"))
    assert found[0] == Starter("docs.example.org", "https://docs.example.org/a/")
    assert all(each.address.startswith("https://") for each in found)
    broken = tmp_path / "starters.toml"
    broken.write_text("[[site]]\ntitle = 1")
    with pytest.raises(FileAccessError, match=r"starters\.toml"):
        starters(file=broken)


@pytest.mark.parametrize(
    ("typed", "place"),
    [
        ("http://127.0.0.1:18177/sqlite/lang.html", "127.0.0.1:18177/sqlite/"),
        ("https://[::1]:8443/a/b", "[::1]:8443/a/"),
        ("localhost:8000/docs/", "localhost:8000/docs/"),
        ("https://a.example/x/y", "a.example/x/"),
        ("https://a.example:port/x", ""),
    ],
)
def test_the_scopes_of_a_site_include_its_port(dialog: AddPageDialog, typed: str, place: str) -> None:
    dialog.show_way("site")
    dialog.site.address.setText(typed)
    words = f"Pages below {place}" if place else "Pages below this address"
    assert dialog.site.scopes["subpages"].text() == words
    assert dialog.site.preview_button.isEnabled() == bool(place)
