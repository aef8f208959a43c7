"""Tests of Settings > Storage: sizes, backup, check, compact, export and restore; canceled work leaves nothing incomplete."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from app.corpus import Corpus
from app.corpus.records import Problem, Restored, Salvaged
from app.corpus.restore import back_up_if_due
from app.desktop.application import DesktopApp
from app.desktop.dialogs.confirm import RestoreDialog
from app.desktop.pages.parts import shares
from app.desktop.pages.settings.storage import StorageSection, _with_suffix
from app.errors import CorpusError, FileAccessError
from app.settings import load_settings
from tests.corpus.builders import document
from tests.desktop.conftest import Start
from tests.desktop.fake_engine import FakeParts
from tests.desktop.fake_maintenance import FakeMaintenance
from tests.desktop.window import take_away

pytestmark = pytest.mark.shared_window


@pytest.fixture
def section(desktop: DesktopApp, qtbot: QtBot) -> StorageSection:
    desktop.window.go_to("settings")
    made = desktop.window.settings.storage
    qtbot.waitUntil(lambda: made.totals is not None)
    return made


@pytest.fixture
def care(section: StorageSection, parts: FakeParts) -> FakeMaintenance:
    return parts.engines[0].maintenance


def test_sizes_are_shown_as_text_and_bar(section: StorageSection) -> None:
    assert section.use.text.text() == "120 pages with 1,400 passages, 90.0 MB in total. 500.0 GB free on the disk."
    assert [shown.text() for shown in section.use.sizes][:3] == ["40.0 MB", "25.0 MB", "12.0 MB"]
    assert "Texts 40.0 MB" in section.use.bar.accessibleDescription()


def test_parts_fill_the_bar_and_small_ones_are_visible() -> None:
    drawn = shares([10**9, 1, 0], 400)
    assert sum(drawn) == pytest.approx(400)
    assert drawn[1] > 2
    assert drawn[2] == 0
    assert shares([0], 400) == [0]


def test_a_button_that_is_disabled_leaves_its_focus_in_the_row(section: StorageSection) -> None:
    section.verify.button.setFocus()
    section.verify.button.setEnabled(False)
    assert section.window().focusWidget() is section.verify, "the page would scroll to the next enabled button"
    section.verify.button.setEnabled(True)


def test_an_intact_library_passes_the_check(section: StorageSection, qtbot: QtBot) -> None:
    section.run_verify()
    qtbot.waitUntil(lambda: section.verify.badge.text() == "intact")
    assert section.verify.text.text().startswith("No problems found. The check took")
    assert not section.problems.isVisible()


def test_problems_found_by_the_check_can_be_copied(
    section: StorageSection, care: FakeMaintenance, qtbot: QtBot
) -> None:
    care.problems = [Problem("texts", "chunk 3 is not the text"), Problem("vectors", "no unit length")]
    section.run_verify()
    qtbot.waitUntil(lambda: section.verify.badge.text() == "damaged")
    assert section.verify.text.text().startswith("2 problems found.")
    section.copy.click()
    assert QGuiApplication.clipboard().text() == "texts: chunk 3 is not the text\nvectors: no unit length"


def test_running_work_can_be_canceled_before_other_work_starts(
    section: StorageSection, care: FakeMaintenance, qtbot: QtBot, tmp_path: Path
) -> None:
    care.holds = True
    section.run_backup(tmp_path / "b.db")
    qtbot.waitUntil(lambda: section.backup.bar.value() == 500)
    assert section.backup.button.text() == "Cancel"
    assert not section.verify.button.isEnabled()
    section.backup.button.click()
    qtbot.waitUntil(lambda: not section.work.is_running)
    assert section.backup.text.text() == "Canceled. Nothing was changed."
    assert section.backup.button.text() == "Back up…"
    assert section.verify.button.isEnabled()
    assert section.backup.problem.text() == ""


def test_compacting_is_suggested_with_its_gain_and_starts_with_one_click(
    desktop: DesktopApp, section: StorageSection, care: FakeMaintenance, parts: FakeParts, qtbot: QtBot
) -> None:
    care.reclaimable = 22_000_000
    section.reload()
    qtbot.waitUntil(lambda: section.compact.text.text().startswith("Frees about 22.0 MB of 88.0 MB. Frees the"))
    parts.engines[0].reclaimable = 22_000_000
    desktop.status.changed.emit()
    (notice,) = desktop.window.home.problems.notices
    assert notice.text.startswith("Compacting it frees about 22.0 MB.") and notice.run is not None
    desktop.window.go_to("home")
    notice.run()
    qtbot.waitUntil(lambda: section.compact.badge.text() == "done")
    assert not section.compact.visibleRegion().isEmpty(), "the row with the progress is in view"
    parts.engines[0].reclaimable = care.reclaimable = 0
    desktop.status.changed.emit()
    assert not desktop.window.home.problems.notices


def test_a_failure_shows_its_hint(section: StorageSection, care: FakeMaintenance, qtbot: QtBot) -> None:
    care.failure = CorpusError("The disk is full.", hint="Free some space.")
    section.run_compact()
    qtbot.waitUntil(lambda: section.compact.badge.text() == "failed")
    assert section.compact.problem.text() == "The disk is full. Free some space."
    care.failure = None
    section.run_compact()
    qtbot.waitUntil(lambda: section.compact.badge.text() == "done")
    assert section.compact.text.text() == "Freed 9.0 MB. The library now uses 79.0 MB."
    assert section.compact.problem.text() == ""


def test_a_failure_is_cleared_when_the_next_attempt_is_canceled(
    section: StorageSection, care: FakeMaintenance, qtbot: QtBot, tmp_path: Path
) -> None:
    backup = backup_of(tmp_path / "b.db", "one")
    care.failure = CorpusError("The disk is full.")
    section.run_restore(backup)
    qtbot.waitUntil(lambda: section.restore.badge.text() == "failed")
    section.look_into(backup)
    qtbot.waitUntil(lambda: bool(section.window().findChildren(RestoreDialog)))
    section.dialog.reject()
    assert (section.restore.badge.text(), section.restore.problem.text()) == ("", "")
    assert section.restore.text.text().startswith("Replaces your library")


def backup_of(path: Path, *names: str) -> Path:
    corpus = Corpus.open(path, dimension=384, model="m")
    for name in names:
        corpus.documents.store(document(f"https://docs.example.org/{name}", [f"About {name}."]))
    corpus.close()
    return path


def test_an_invalid_backup_is_rejected_before_the_confirmation(
    section: StorageSection, qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "notes.db").write_text("notes")
    section.look_into(tmp_path / "notes.db")
    qtbot.waitUntil(lambda: "is not a WebRAG backup" in section.restore.problem.text())
    assert not section.window().findChildren(RestoreDialog)


@pytest.fixture
def real(qtbot: QtBot, tmp_path: Path) -> DesktopApp:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    desktop = DesktopApp(application, load_settings({"mcp_port": 0}, data_dir=tmp_path / "data"))
    desktop.start()
    qtbot.waitUntil(lambda: bool(desktop.status.url), timeout=30_000)
    yield desktop
    take_away(desktop)


def addresses(desktop: DesktopApp) -> list[str]:
    engine = desktop.status.engine
    assert engine is not None
    return sorted(row.url for row in engine._corpus.documents.summaries(limit=50))


def test_backup_restore_check_and_export_of_a_real_library(real: DesktopApp, qtbot: QtBot, tmp_path: Path) -> None:
    real.window.go_to("settings")
    section = real.window.settings.storage
    qtbot.waitUntil(lambda: section.totals is not None, timeout=15_000)
    guide, engine = addresses(real), real.status.engine
    mine = tmp_path / "mine.db"
    section.run_backup(mine)
    qtbot.waitUntil(lambda: section.backup.badge.text() == "done", timeout=15_000)
    section.run_export(tmp_path / "pages")
    qtbot.waitUntil(lambda: section.export.badge.text() == "done", timeout=15_000)
    assert len(list((tmp_path / "pages").rglob("*.md"))) == len(guide)

    other = backup_of(tmp_path / "other.db", "new", "newer")
    section.look_into(other)
    qtbot.waitUntil(lambda: bool(section.window().findChildren(RestoreDialog)))
    section.window().findChildren(RestoreDialog)[-1].restore.click()
    qtbot.waitUntil(lambda: section.restore.badge.text() == "done", timeout=20_000)
    qtbot.waitUntil(lambda: bool(real.status.url) and real.status.engine is not engine, timeout=20_000)
    restored = addresses(real)
    assert {"https://docs.example.org/new", "https://docs.example.org/newer"} <= set(restored)
    (kept,) = (tmp_path / "data").glob("corpus-before-*.db")
    assert str(kept) in section.restore.text.text()
    assert not list((tmp_path / "data").glob(".restore*"))
    section.run_verify()
    qtbot.waitUntil(lambda: section.verify.badge.text() == "intact", timeout=15_000)


def test_a_deleted_library_starts_empty(start: Start, parts: FakeParts, qtbot: QtBot, own_home: Path) -> None:
    from app.engine.erasing import Kept

    desktop = start(parts)
    data = desktop.settings.running.data_dir
    for name in (
        "corpus.db",
        "corpus.db-wal",
        "corpus-before-20250101-101010.db",
        "corpus.db.v1.backup",
        "questions.db",
        "notes.db",
    ):
        (data / name).write_bytes(b"x")
    desktop.settings.save("concurrency", 5)
    search = desktop.window.search
    search.query.setText("anything")
    search.search()
    qtbot.waitUntil(lambda: not search.searching.is_running)
    desktop.window.settings.privacy.delete(frozenset((Kept.LIBRARY, Kept.SETTINGS)))
    qtbot.waitUntil(lambda: len(parts.engines) == 2 and bool(desktop.status.url))
    assert parts.engines[0].stopped
    assert [path.name for path in data.glob("*.db*")] == ["notes.db"]
    assert not (own_home / "config.toml").exists()
    assert desktop.settings.value("concurrency") == 2
    qtbot.waitUntil(lambda: not search.bar.history and not search.query.text())


def test_the_engine_restarts_even_if_the_settings_cannot_be_read(
    start: Start, parts: FakeParts, qtbot: QtBot, own_home: Path
) -> None:
    desktop = start(parts)
    (own_home / "config.toml").write_text("[server\n")
    privacy = desktop.window.settings.privacy
    privacy.delete(frozenset())
    qtbot.waitUntil(lambda: len(parts.engines) == 2 and bool(desktop.status.url))
    assert "config.toml" in privacy.everything.problem.text()


def test_a_backup_gets_the_suffix_of_backups(tmp_path: Path) -> None:
    assert _with_suffix(tmp_path / "mine") == tmp_path / "mine.db"
    assert _with_suffix(tmp_path / "mine.backup") == tmp_path / "mine.backup"
    (tmp_path / "old.db").touch()
    assert _with_suffix(tmp_path / "old") == tmp_path / "old", "nothing is replaced without confirmation"


@pytest.mark.parametrize(
    ("lost", "words"),
    [
        (1, "The text of 1 page could not be read: https://a.example/0"),
        (2, "The text of 2 pages could not be read: https://a.example/0, https://a.example/1"),
    ],
)
def test_pages_that_a_repair_lost_are_named(section: StorageSection, lost: int, words: str) -> None:
    saved = Salvaged(9, 0, 0, 0, lost, tuple(f"https://a.example/{number}" for number in range(lost)), 0)
    assert section._lost_text(Restored(9, 90, "", salvaged=saved)) == words


def is_shown(button: QPushButton) -> bool:
    return button.isVisible() and button.isEnabled()


@pytest.mark.real
def test_a_damaged_library_is_repaired_through_the_window(
    real: DesktopApp, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the banner: restore the latest backup, repair the library, delete the backups. All questions are confirmed."""
    asked: list[str] = []

    def agree(_parent: object, _title: str, question: str, *_: object) -> QMessageBox.StandardButton:
        asked.append(question)
        return QMessageBox.StandardButton.Yes

    monkeypatch.setattr("app.desktop.dialogs.confirm.ask", agree)
    monkeypatch.setattr("app.corpus.restore.ROOM_BESIDE_BACKUPS", 0)
    pages, engine = addresses(real), real.status.engine
    assert engine is not None
    made = back_up_if_due(engine._corpus)
    assert made is not None
    engine._corpus._database.note_damage("page 7 cannot be read")
    banners = real.window.banners
    qtbot.waitUntil(lambda: "damage" in [notice.key for notice in banners.notices])
    (newest,) = [each for each in banners.findChildren(QPushButton) if each.text() == "Restore latest backup…"]
    real.window.show_settings("storage")
    section = real.window.settings.storage
    qtbot.waitUntil(lambda: is_shown(section.automatic.button))
    assert section.automatic.text.text().startswith("1 backup from ")
    assert banners.isVisible()

    newest.click()
    newest.click()
    qtbot.waitUntil(lambda: section.automatic.badge.text() == "done")
    qtbot.waitUntil(lambda: bool(real.status.url) and real.status.engine is not engine)
    qtbot.waitUntil(lambda: "damage" not in [notice.key for notice in banners.notices])
    assert addresses(real) == pages
    assert len(list(made.parent.parent.glob("corpus-before-*.db"))) == 1

    engine = real.status.engine
    qtbot.waitUntil(lambda: is_shown(section.repair.button))
    section.repair.button.click()
    qtbot.waitUntil(lambda: section.repair.badge.text() == "done")
    qtbot.waitUntil(lambda: bool(real.status.url) and real.status.engine is not engine)
    assert addresses(real) == pages
    assert section.repair.problem.text() == ""

    qtbot.waitUntil(lambda: is_shown(section.automatic.forget_button))
    section.automatic.forget_button.click()
    qtbot.waitUntil(lambda: not made.exists())
    qtbot.waitUntil(
        lambda: not section.automatic.button.isEnabled() and not section.automatic.forget_button.isEnabled()
    )
    assert len(asked) == 3


def test_the_folders_of_a_backup_are_listed_before_restoring_it(
    section: StorageSection, qtbot: QtBot, tmp_path: Path
) -> None:
    backup = backup_of(tmp_path / "b.db", "one")
    corpus = Corpus.open(backup, dimension=384, model="m")
    for number in range(8):
        corpus.folders.add(f"/home/somebody/folder\n{number}")
    corpus.close()
    section.look_into(backup)
    qtbot.waitUntil(lambda: bool(section.window().findChildren(RestoreDialog)))
    shown = [each.text() for each in section.dialog.findChildren(QLabel)]
    assert "WebRAG will index the files in these folders:" in shown
    assert [text for text in shown if "folder 5" in text], "line breaks in a path do not add lines"
    assert "and 2 more" in shown
    section.dialog.reject()


def test_inaccessible_backups_are_reported_in_their_row(
    section: StorageSection, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(_corpus: Path) -> list[Path]:
        raise FileAccessError("The folder cannot be read.", hint="Check its permissions.")

    monkeypatch.setattr("app.engine.maintenance.automatic_backups", refused)
    section.reload()
    qtbot.waitUntil(lambda: section.automatic.problem.text() == "The folder cannot be read. Check its permissions.")
