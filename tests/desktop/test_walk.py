"""The first page of the window, watched folders, progress of jobs, excerpts, and a slow keyring."""

from __future__ import annotations

import threading
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.corpus.records import Folder
from app.desktop import backend
from app.desktop.application import DesktopApp
from app.desktop.backend import Parts
from app.desktop.main_window import LAST_PAGE
from app.desktop.models.details import first_words
from app.desktop.pages.library.side import count_left_out, reasons
from app.desktop.panels import PageHeader
from app.desktop.status import Status
from app.desktop.wording import file_or_address
from app.engine import build_engine
from app.events import EmbeddingProgress, EventBus
from app.library.job_records import JobCounts, JobKind, JobState
from app.secrets import SecretStore
from app.settings import Settings
from tests.desktop.conftest import Start
from tests.desktop.fake_documents import summary
from tests.desktop.fake_engine import FakeParts
from tests.support.jobs import job

pytestmark = pytest.mark.shared_window

# --- First page of the window ---


@pytest.mark.own_window
def test_the_window_opens_on_the_page_where_it_was_closed(start: Start) -> None:
    first = start()
    assert first.window.current_page.name == "home"
    for name in ("scratch", "settings"):
        first.window.go_to(name)
        first.window.context.memory.close()
        assert start(ready=False).window.current_page.name == name


@pytest.mark.own_window
@pytest.mark.parametrize("stored", ["statistics", "", "7", "home\nlibrary"])
def test_a_removed_page_leads_to_home(desktop: DesktopApp, start: Start, stored: str) -> None:
    memory = desktop.window.context.memory
    memory.set(LAST_PAGE, stored)
    memory.close()
    assert start(ready=False).window.current_page.name == "home"


# --- Watched folders ---


def test_a_message_about_an_added_folder_leads_to_its_files(
    desktop: DesktopApp, parts: FakeParts, tmp_path: Path, qtbot: QtBot
) -> None:
    window, engine = desktop.window, parts.engines[0]
    window.go_to("library")
    window.add_page()
    assert window.adding is not None
    window.adding.folder_begun.emit(7, str(tmp_path / "notes"))
    window.adding.reject()
    assert window.toast._title.text().startswith("Reading ")
    assert window.current_page is window.library
    engine.jobs.put(job(7, JobState.DONE, kind=JobKind.FOLDER, counts=JobCounts(stored=3, failed=1)))
    qtbot.waitUntil(lambda: window.toast._title.text() == "Added 3 files, 1 could not be read")
    assert window.toast.action.text() == "Show"


def test_a_message_about_a_folder_without_readable_files_leads_to_its_job(
    desktop: DesktopApp, parts: FakeParts, qtbot: QtBot
) -> None:
    window = desktop.window
    window._folder_news.follow(7, "/srv/empty")
    parts.engines[0].jobs.put(job(7, JobState.FAILED, kind=JobKind.FOLDER, counts=JobCounts(failed=2)))
    qtbot.waitUntil(lambda: window.toast._title.text() == "/srv/empty could not be read")
    window.toast.action.click()
    assert window.current_page is window.activity


def test_the_library_shows_the_files_of_a_folder(start: Start, tmp_path: Path, qtbot: QtBot) -> None:
    parts = FakeParts(3)
    for number, name in ((11, "a.md"), (12, "b.md")):
        parts.documents[number] = summary(number, title=name, url=(tmp_path / "notes" / name).as_uri())
    window = start(parts).window
    qtbot.waitUntil(lambda: window.library.model.total == 5)
    window._show_folder(str(tmp_path / "notes"))
    qtbot.waitUntil(lambda: sorted(row.title for row in window.library.model.records) == ["a.md", "b.md"])


def test_paths_start_with_a_tilde_for_the_home_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert file_or_address((tmp_path / "notes" / "a.md").as_uri()) == "~/notes/a.md"
    assert file_or_address(str(tmp_path / "notes")) == "~/notes"
    assert file_or_address(f"{tmp_path}s/a") == f"{tmp_path}s/a"
    assert file_or_address("https://a.example/b/") == "a.example/b"


# --- Progress ---


def test_progress_is_that_of_jobs_or_otherwise_of_embedding() -> None:
    status = Status()
    assert status.share is None
    status.on_events([EmbeddingProgress(60)])
    status.on_events([EmbeddingProgress(45)])
    assert status.share == 0.25
    status.set_jobs(1, 11 / 60)
    assert status.share == 11 / 60
    status.set_jobs(2, None)
    assert status.share is None, "unknown progress is not invented"
    status.set_jobs(0)
    status.on_events([EmbeddingProgress(0)])
    assert status.share is None


def test_the_status_bar_shows_the_percentage_of_the_jobs(desktop: DesktopApp, parts: FakeParts, qtbot: QtBot) -> None:
    line = desktop.window._status_line
    assert line._bar.isHidden() and line._percent.isHidden()
    parts.engines[0].jobs.put(job(7, JobState.RUNNING, counts=JobCounts(waiting=49, stored=11)))
    qtbot.waitUntil(lambda: not line._bar.isHidden())
    assert (line._bar.minimum(), line._bar.maximum(), line._bar.value()) == (0, 100, 18)
    assert line._percent.text().startswith("18%")
    needed = line._holder.sizeHint().width()
    line.resize(needed - 10, line.height())
    assert line._clients.isHidden(), "a narrow window leaves out the assistants"
    line.resize(needed + 10, line.height())
    assert not line._clients.isHidden()


def test_header_buttons_show_only_icons_without_room_for_text(qtbot: QtBot) -> None:
    header = PageHeader("Library", "20 pages")
    qtbot.addWidget(header)
    buttons = [QPushButton(), QPushButton()]
    for made in buttons:
        header.add_folding(made)
    words = {buttons[0]: "Refresh 12 outdated pages", buttons[1]: "Remove 14 unused pages…"}
    header.name_folding(words)
    header.show()
    for width, count in ((1_200, 0), (370, 1), (220, 2), (1_200, 0)):
        header.resize(width, 60)
        assert [made.text() for made in buttons] == [""] * count + list(words.values())[count:]
        assert [made.accessibleName() for made in buttons] == list(words.values())


# --- Skipped files ---


def test_the_library_reports_skipped_files_and_the_reasons(start: Start, qtbot: QtBot, tmp_path: Path) -> None:
    parts = FakeParts(2)
    desktop = start(parts)
    page, jobs = desktop.window.library, parts.engines[0].jobs
    assert page.left_out.isHidden()
    jobs.shelves = [
        Folder(1, str(tmp_path), 1.0, 3, "notes", ("a.pdf took too long.",), "1,031 files skipped: 1,031 images."),
        Folder(2, "/srv/docs", 1.0, 3, "docs"),
    ]
    jobs.put(job(7, JobState.DONE, kind=JobKind.FOLDER, counts=JobCounts(stored=3)))
    qtbot.waitUntil(lambda: page.left_out.isVisibleTo(page._content))
    assert page.left_out.words.text() == "1,032 files in your folders were skipped."
    assert [count_left_out(folder) for folder in jobs.shelves] == [1_032, 0]
    said = reasons(jobs.shelves)
    assert "1,031 images" in said and "a.pdf took too long." in said and "/srv/docs" not in said
    page.left_out.set_away(True)
    assert page.left_out.isHidden()


# --- Beginning of a passage ---


@pytest.mark.parametrize(
    ("markdown", "words"),
    [
        ("- TEXT as a string\n- BLOB as bytes", "TEXT as a string BLOB as bytes"),
        ("> Version 3.37.0\n> added this", "Version 3.37.0 added this"),
        ("> > - **Note** that", "Note that"),
        ("> # Heading\n> Words", "Words"),
        ("  * [x] done", "done"),
        ("# Title\n\n**Bold** words", "Bold words"),
        ("a - b > c", "a - b > c"),
        ("-1 is a number", "-1 is a number"),
        ("", ""),
    ],
)
def test_excerpts_contain_no_list_or_quote_marks(markdown: str, words: str) -> None:
    assert first_words(markdown) == words


# --- Slow keyring ---


class SlowKeyring(KeyringBackend):
    """A keyring that responds only when allowed."""

    priority = -2  # type: ignore[assignment]  # So that no other test chooses it.

    def __init__(self) -> None:
        super().__init__()
        self.may_answer = threading.Event()
        self.kept = "stored-token-of-an-earlier-start"

    def get_password(self, service: str, username: str) -> str | None:
        self.may_answer.wait(20)
        return self.kept

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept = password

    def delete_password(self, service: str, username: str) -> None:
        self.kept = ""


@pytest.mark.parametrize("kept", ["stored-token-of-an-earlier-start", ""])
def test_assistants_are_served_before_a_slow_keyring_responds(
    kept: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, before = SlowKeyring(), keyring.get_keyring()
    slow.kept = kept
    monkeypatch.setattr(backend, "KEYRING_SECONDS", 0.05)
    monkeypatch.delenv("MCP_AUTH_TOKEN", raising=False)
    keyring.set_keyring(slow)
    try:
        parts, came = Parts(SecretStore()), threading.Event()
        parts.token_came = came.set
        engine = build_engine(Settings(data_dir=tmp_path), bus=EventBus())
        nothing = (lambda: None, lambda: None)
        parts.build_endpoint(engine, nothing)
        spare = parts.runtime_info("http://127.0.0.1:1/mcp").token
        assert len(spare) > 30 and spare != kept
        slow.may_answer.set()
        if kept:
            assert came.wait(5), "the token that assistants know is used"
            parts.build_endpoint(engine, nothing)
            assert parts.runtime_info("http://127.0.0.1:1/mcp").token == kept
        else:
            assert not came.wait(0.3) and slow.kept == spare, "the temporary token is kept if the keyring had none"
    finally:
        slow.may_answer.set()
        keyring.set_keyring(before)


# --- Add dialog ---


def test_the_button_shows_what_enter_does(desktop: DesktopApp, qtbot: QtBot) -> None:
    desktop.window.add_page("https://a.example/one")
    dialog = desktop.window.adding
    assert dialog is not None
    assert dialog._start.text() == "Preview" and dialog._start.isDefault()
    assert dialog.pages.look_button.isHidden(), "one button is enough"
    dialog._start.click()
    qtbot.waitUntil(lambda: dialog.pages.card.look is not None)
    assert dialog._start.text() == "Add page" and dialog.isVisible()
    qtbot.keyClick(dialog.pages.address, Qt.Key.Key_Return)  # type: ignore[no-untyped-call]
    qtbot.waitUntil(lambda: not dialog.isVisible())
