"""Settings: written at once, checked, honest about restarts and about the environment; secrets and token."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QLineEdit, QSpinBox
from pytestqt.qtbot import QtBot

from app.desktop.application import DesktopApp
from app.desktop.pages.settings.rows import SettingRow
from app.desktop.theme import theme
from app.secrets import SecretName, SecretSource
from tests.desktop.conftest import Start
from tests.desktop.fake_engine import FakeParts


def row(desktop: DesktopApp, name: str) -> SettingRow:
    return next(made for made in desktop.window.settings.findChildren(SettingRow) if made._name == name)


def saved(own_home: Path) -> dict[str, dict[str, object]]:
    return tomllib.loads((own_home / "config.toml").read_text())


def test_changed_number_is_written_and_offers_a_restart(
    desktop: DesktopApp, parts: FakeParts, own_home: Path, qtbot: QtBot
) -> None:
    control = row(desktop, "request_timeout_ms").control
    assert isinstance(control, QDoubleSpinBox)
    assert control.value() == 20
    control.setValue(7)
    assert saved(own_home)["crawling"]["request_timeout_ms"] == 7_000
    banners = desktop.window.settings.banners
    assert [notice.key for notice in banners.notices] == ["restart"]
    desktop.restart()
    qtbot.waitUntil(lambda: len(parts.engines) == 2 and bool(desktop.status.url))
    assert parts.engines[1].settings.request_timeout_ms == 7_000
    assert banners.notices == ()


def test_change_taken_back_needs_no_restart(desktop: DesktopApp) -> None:
    control = row(desktop, "concurrency").control
    assert isinstance(control, QSpinBox)
    control.setValue(5)
    control.setValue(2)
    assert desktop.window.settings.banners.notices == ()


def test_unusable_value_is_explained_and_not_written(desktop: DesktopApp, own_home: Path, qtbot: QtBot) -> None:
    made = row(desktop, "allow_networks")
    assert isinstance(made.control, QLineEdit)
    made.control.setText("10.0.0.0/8, nonsense")
    made.control.editingFinished.emit()
    assert "nonsense" in made.problem.text()
    assert not (own_home / "config.toml").exists()
    made.control.setText("10.0.0.0/8")
    made.control.editingFinished.emit()
    assert made.problem.text() == ""
    assert saved(own_home)["crawling"]["allow_networks"] == ["10.0.0.0/8"]


def test_setting_of_the_environment_cannot_be_changed_here(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROBOTS_POLICY", "always")
    made = row(start(FakeParts()), "robots_policy")
    assert not made.control.isEnabled()
    assert "ROBOTS_POLICY" in made.text.text()


def test_appearance_changes_the_open_window_at_once(desktop: DesktopApp, own_home: Path) -> None:
    control = row(desktop, "appearance").control
    assert isinstance(control, QComboBox)
    control.setCurrentIndex(control.findData("dark"))
    assert theme().is_dark
    dark = desktop.window.grab().toImage().pixelColor(600, 300).lightness()
    control.setCurrentIndex(control.findData("light"))
    light = desktop.window.grab().toImage().pixelColor(600, 300).lightness()
    assert dark < 60 < 200 < light
    assert saved(own_home)["window"]["appearance"] == "light"
    assert desktop.window.settings.banners.notices == ()


def test_secret_without_keyring_lasts_for_the_session_and_says_so(desktop: DesktopApp, qtbot: QtBot) -> None:
    section = desktop.window.settings.secrets
    desktop.window.go_to("settings")
    made = section._made[SecretName.EMBEDDING_SERVER_API_KEY]
    qtbot.waitUntil(lambda: made.badge.text() == "not set")
    made._run(lambda: desktop.context.secrets.set(SecretName.EMBEDDING_SERVER_API_KEY, "sk-1"))
    qtbot.waitUntil(lambda: made.badge.text() == "this session only")
    assert "this session only" in section._note.text.text()
    made._forget()
    qtbot.waitUntil(lambda: made.badge.text() == "not set")


def test_secret_of_the_environment_is_read_only(start: Start, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMBEDDING_SERVER_API_KEY", "sk-env")
    desktop = start(FakeParts())
    desktop.window.go_to("settings")
    made = desktop.window.settings.secrets._made[SecretName.EMBEDDING_SERVER_API_KEY]
    qtbot.waitUntil(lambda: made.badge.text() == "environment")
    assert not made._set.isEnabled()
    assert "sk-env" not in made.badge.text() + made.text.text()


def test_token_of_the_environment_cannot_be_replaced(
    start: Start, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MCP_AUTH_TOKEN", "given")
    desktop = start(FakeParts())
    token = desktop.window.settings.token
    desktop.window.go_to("settings")
    qtbot.waitUntil(lambda: token.badge.text() == "environment")
    assert not token._rotate.isEnabled()


def test_replaced_token_is_stored_and_the_endpoint_opened_anew(
    desktop: DesktopApp, parts: FakeParts, qtbot: QtBot
) -> None:
    from app.desktop.pages.settings.secrets import TokenRow

    old = desktop.context.secrets.server_token()
    served = parts.served
    desktop.window.settings.findChild(TokenRow).rotate()
    qtbot.waitUntil(lambda: parts.served is not served)
    assert desktop.context.secrets.server_token() != old
    assert desktop.context.secrets.get(SecretName.MCP_AUTH_TOKEN).source is SecretSource.SESSION
