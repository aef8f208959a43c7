"""Tests of search model, keys, privacy, updates, licenses and reports."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app import __version__
from app.corpus.records import ActivityRecord
from app.desktop.application import DesktopApp
from app.desktop.defects import impersonal, report_of
from app.desktop.pages.settings.about import LAST, UpdateRow
from app.desktop.pages.settings.page import SettingsPage
from app.embed.embedder import EmbedderCheck
from app.engine import EmbedderState
from app.engine.maintenance import Release, UpdateCheck
from app.errors import FetchTimeoutError, SearchKeyError
from app.events import EmbeddingProgress
from app.logs import DIAGNOSTICS
from app.secrets import SecretName
from app.text.sentence import sentence
from tests.desktop.conftest import Start
from tests.desktop.fake_engine import FakeEngine, FakeParts
from tests.desktop.fake_maintenance import FakeMaintenance
from tests.desktop.window import as_new


@pytest.fixture
def care(shared_desktop: DesktopApp) -> FakeMaintenance:
    return as_new(shared_desktop)


@pytest.fixture
def desktop(shared_desktop: DesktopApp, care: FakeMaintenance) -> DesktopApp:
    return shared_desktop


@pytest.fixture
def page(desktop: DesktopApp) -> SettingsPage:
    return desktop.window.settings


def test_the_embedder_is_described(page: SettingsPage, qtbot: QtBot) -> None:
    state = page.embedder.state
    qtbot.waitUntil(lambda: state.values()["Vectors"] == "384 dimensions each")
    assert state.badge.text() == "ready"
    assert state.values()["Runs"] == "on this computer, with 2 threads"
    assert state.values()["Status"] == "Semantic search ready"
    assert not state.again.isVisible()


def test_the_self_test_shows_its_result(page: SettingsPage, care: FakeMaintenance, qtbot: QtBot) -> None:
    test = page.embedder.test
    test.run.click()
    qtbot.waitUntil(lambda: test.badge.text() == "passed")
    assert test.text.text().startswith("4.2 ms per question, 95 passages per second.")
    assert "cosine 0.9912" in test.text.text()

    async def wrong() -> EmbedderCheck:
        return EmbedderCheck(4.0, 90.0, 0.41)

    care.check_embedder = wrong  # type: ignore[method-assign]
    test.run.click()
    qtbot.waitUntil(lambda: test.badge.text() == "failed")
    assert "Reinstall WebRAG" in test.problem.text()


def test_keyword_only_search_is_explained_with_a_solution(start: Start) -> None:
    parts = FakeParts(2)
    parts.embedder = EmbedderState("none", False, "There is no embedding model in /x.", 0)
    desktop = start(parts)
    desktop.window.go_to("settings")
    state = desktop.window.settings.embedder.state
    assert state.badge.text() == "keyword search only"
    assert "There is no embedding model in /x. Until this is fixed" in state.text.text()
    assert state.again.isVisible()


def test_a_model_change_is_estimated_before_it_takes_effect(
    desktop: DesktopApp, page: SettingsPage, qtbot: QtBot
) -> None:
    section = page.embedder
    section.test.run.click()
    qtbot.waitUntil(lambda: section.test.badge.text() == "passed")
    desktop.settings.save("embedding_model_name", "other-model")
    qtbot.waitUntil(lambda: section.change.isVisible())
    assert "re-embeds 24 stored passages" in section.change.text()
    assert "This takes about 1 s." in section.change.text()
    desktop.settings.save("embedding_model_name", "")
    qtbot.waitUntil(lambda: not section.change.isVisible())


def test_pending_passages_show_the_remaining_time(start: Start, qtbot: QtBot) -> None:
    parts = FakeParts(2)
    parts.embedder = EmbedderState("small model", True, "", 1_000, seconds_left=100.0)
    desktop = start(parts)
    state = desktop.window.settings.embedder.state
    desktop.bus.publish(EmbeddingProgress(1_000))
    state.show_state()
    phrase = "Embedding 1,000 passages, about 2 min"
    qtbot.waitUntil(lambda: desktop.context.status.summary() == phrase, timeout=60_000)
    assert state.values()["Status"] == phrase
    parts.engines[0].embedder = EmbedderState("small model", True, "", 1_000, sentence("on battery"))
    assert desktop.context.status.backlog_text() == "1,000 passages not embedded yet (on battery)"


def test_a_key_is_tested_only_on_request(
    desktop: DesktopApp, page: SettingsPage, care: FakeMaintenance, qtbot: QtBot
) -> None:
    row = page.secrets._made[SecretName.BRAVE_API_KEY]
    qtbot.waitUntil(lambda: row.badge.text() == "not set")
    assert not row.test.isEnabled() and row._set.text() == "Set…"
    row._run(lambda: desktop.context.secrets.set(SecretName.BRAVE_API_KEY, "bsa-12345"))
    qtbot.waitUntil(lambda: row.test.isEnabled() and row._set.text() == "Replace…")
    assert not any(isinstance(asked, tuple) and asked[0] == "key" for asked in care.asked)
    row.test.click()
    qtbot.waitUntil(lambda: row.text.text() == "The key works.")
    care.failure = SearchKeyError("Brave refused the key.", hint="Check it.")
    row.test.click()
    qtbot.waitUntil(lambda: row.problem.text() == "Brave refused the key. Check it.")
    assert "bsa-12345" not in row.text.text() + row.badge.text()


def test_an_unusable_keyring_is_reported(desktop: DesktopApp, page: SettingsPage, qtbot: QtBot) -> None:
    note = page.secrets
    qtbot.waitUntil(lambda: note._keyring_badge.text() == "not available")
    assert "this session only" in note._note.text.text()


def test_diagnostic_logging_turns_off_automatically(page: SettingsPage) -> None:
    row = page.privacy.diagnostics
    row.switch.click()
    try:
        assert DIAGNOSTICS.is_on
        assert row.badge.text() == "on for 60 min"
        DIAGNOSTICS.on(seconds=0)
        row.look()
        assert not row.switch.isChecked() and row.badge.text() == ""
    finally:
        DIAGNOSTICS.off()


def test_recorded_calls_are_erased(
    desktop: DesktopApp, page: SettingsPage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.desktop.pages.activity.page.is_agreed", lambda *_: True)
    engine = desktop.status.engine
    assert isinstance(engine, FakeEngine)
    engine.calls.append(ActivityRecord(1, time.time(), "cursor", "answer", 5.0, "ok", 10, 40, ()))
    erase = next(each for each in page.privacy.findChildren(QPushButton) if each.text() == "Erase…")
    with qtbot.waitSignal(desktop.window.activity.erased):
        erase.click()
    assert engine.calls == []


def test_deleting_requires_typing_a_word(page: SettingsPage) -> None:
    from app.desktop.dialogs.confirm import DeleteDialog

    dialog = DeleteDialog(page)
    assert not dialog.confirm.isEnabled()
    assert dialog.cancel.isDefault()
    dialog.line.setText(" Delete ")
    assert dialog.confirm.isEnabled()
    assert dialog.confirm.isDefault(), "Enter after the word confirms"
    for box in dialog.boxes.values():
        box.setChecked(False)
    assert not dialog.confirm.isEnabled()


def update_row(page: SettingsPage) -> UpdateRow:
    return page.about.update_row


def test_a_build_without_update_address_does_not_check(page: SettingsPage, care: FakeMaintenance) -> None:
    row = update_row(page)
    assert not row.check.isEnabled()
    assert row.text.text().startswith("This build has no update address.")
    row.check_if_due()
    assert not care.asked


def test_a_newer_version_is_announced_and_not_downloaded(
    desktop: DesktopApp, page: SettingsPage, care: FakeMaintenance, qtbot: QtBot
) -> None:
    desktop.settings.save("update_feed", "https://a.example/releases.json")
    row = update_row(page)
    row.check.click()
    qtbot.waitUntil(lambda: row.badge.text() == "up to date")
    care.update = UpdateCheck("0.1.0", Release("9.0", "https://a.example/9"), True)
    row.check.click()
    qtbot.waitUntil(lambda: row.badge.text() == "version 9.0 available")
    assert row.open.isVisible()
    care.failure = FetchTimeoutError("a.example did not answer.", hint="Try again later.")
    row.check.click()
    qtbot.waitUntil(lambda: row.problem.text() == "a.example did not answer. Try again later.")
    assert not row.open.isVisible() and row.check.isEnabled()
    assert row.last > 0
    assert desktop.settings.waiting == ()


def test_the_weekly_check_runs_once_a_week_if_turned_on(
    desktop: DesktopApp, page: SettingsPage, care: FakeMaintenance, qtbot: QtBot
) -> None:
    updates = update_row(page)
    updates._context.memory.remove(LAST)
    desktop.settings.save("update_feed", "https://a.example/releases.json")
    updates.check_if_due()
    assert not care.asked, "off by default"
    desktop.settings.save("update_check_weekly", True)
    with qtbot.waitSignal(updates.found):
        updates.check_if_due()
    assert not updates.is_due
    updates.check_if_due()
    assert len(care.asked) == 1
    updates._context.memory.set(LAST, time.time() + 365 * 86_400)
    assert updates.is_due, "from a clock that was a year ahead"


def test_a_failed_weekly_check_is_reported_only_to_a_user_who_waits_for_it(
    desktop: DesktopApp, page: SettingsPage, care: FakeMaintenance, qtbot: QtBot
) -> None:
    row = update_row(page)
    row.complain("")
    row._context.memory.remove(LAST)
    desktop.settings.save("update_feed", "https://a.example/releases.json")
    desktop.settings.save("update_check_weekly", True)
    care.failure = FetchTimeoutError("a.example did not answer.", hint="Try again later.")
    row.check_if_due()
    qtbot.waitUntil(lambda: len(care.asked) == 1 and not row._is_asking)
    assert row.problem.text() == "" and row.check.isEnabled()
    row.check_if_due()
    row.ask()
    qtbot.waitUntil(lambda: row.problem.text() == "a.example did not answer. Try again later.")
    assert len(care.asked) == 2
    assert row.check.isEnabled() and row.text.text().startswith("Last check: never.")


def test_licenses_of_all_packages_are_listed(page: SettingsPage, qtbot: QtBot) -> None:
    dialog = page.about.show_licences()
    qtbot.waitUntil(lambda: dialog.list.count() > 40, timeout=10_000)
    names = [dialog.list.item(place).data(0x0100) for place in range(dialog.list.count())]
    assert {"apsw", "Python", "PySide6_Essentials", "all-MiniLM-L6-v2", "webrag-desktop"} <= set(names)
    dialog.list.setCurrentRow(names.index("httpx"))
    assert "BSD" in dialog.text.toPlainText() and "Redistribution" in dialog.text.toPlainText()
    dialog.filter.setText("LGPL")
    assert next(names[n] for n in range(len(names)) if not dialog.list.item(n).isHidden()).startswith("PySide6")
    with qtbot.waitSignal(dialog.destroyed):
        dialog.accept()


def test_system_details_do_not_contain_personal_data(page: SettingsPage, own_home: Path) -> None:
    copied = page.about.details()
    assert f"WebRAG Desktop: {__version__}" in copied and "Search model: small model" in copied
    assert str(own_home) not in copied


def test_a_report_does_not_contain_personal_data_or_secrets(own_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "adalovelace")
    error = ValueError(
        f"{own_home}/notes/x.md and /home/carl/y and C:\\Users\\Carl\\z; https://a.example/p?q=mine&token=abc#part"
        " and https://me:pw@b.example/x; Authorization: Bearer s3cret; api_key=k3y; for adalovelace"
    )
    report = report_of(error)
    assert "~/notes/x.md" in report and "https://a.example/p?[removed]" in report
    for word in (str(own_home), "carl/", "Carl\\", "mine", "abc", "pw@", "s3cret", "k3y", "adalovelace"):
        assert word not in report, word
    assert "ValueError" in report


@pytest.mark.parametrize("text", ["", "plain words", "https://a.example/path", "10 ?"])
def test_impersonal_text_is_not_redacted(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "adalovelace")
    assert impersonal(text) == text
