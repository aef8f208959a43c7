"""Tests of the whole Settings page: rows for all settings, search, marks and reset."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QComboBox, QDoubleSpinBox, QLineEdit, QSpinBox, QWidget
from pytestqt.qtbot import QtBot

from app.desktop.application import DesktopApp
from app.desktop.pages.settings.page import SettingsPage
from app.desktop.pages.settings.rows import SettingRow, address_problem, host_problem
from app.settings import SETTINGS
from tests.desktop.conftest import Start
from tests.desktop.fake_engine import FakeParts
from tests.desktop.window import as_new

pytestmark = pytest.mark.shared_window

TECHNICAL = "for those who run a server; a wrong value keeps assistants out"
PROTOCOL = "the form of the protocol, which assistants' profiles choose"
LEFT_OUT = {
    "mcp_transport": "chosen when starting the program",
    "mcp_host": TECHNICAL,
    "mcp_allowed_origins": TECHNICAL,
    "mcp_allowed_hosts": TECHNICAL,
    "mcp_rate_limit_requests": TECHNICAL,
    "mcp_rate_limit_window": TECHNICAL,
    "mcp_tool_name_style": PROTOCOL,
    "mcp_client_name_style": PROTOCOL,
    "mcp_client_library": "chosen for each assistant on the Assistants page",
    "mcp_result_mode": PROTOCOL,
    "mcp_client_result_mode": PROTOCOL,
    "mcp_structured_output_enabled": PROTOCOL,
    "mcp_kb_v2_enabled": PROTOCOL,
    "mcp_http_legacy_rest_enabled": "for older clients",
    "mcp_legacy_tools_enabled": "for older clients",
    "project_id": "assistants send this name back; changing it breaks their stored references",
    "mcp_snippet_length": "a detail of one group of tools",
    "embedding_model_folder": "the row with the models changes it",
    "reranker_model": "the row with the rerankers changes it",
    "embedding_model_mirror": TECHNICAL,
    "embedding_query_prefix": "depends on the hosted model and changes every passage",
    "embedding_passage_prefix": "depends on the hosted model and changes every passage",
    "embedding_tokens_size": "depends on the hosted model and changes every passage",
    "similarity_threshold": "comes from the model's card",
    "diagnostic_logging": "the switch in Privacy applies to this run and turns off automatically",
    "debug": "for developers",
}


@pytest.fixture
def desktop(shared_desktop: DesktopApp) -> DesktopApp:
    as_new(shared_desktop)
    return shared_desktop


@pytest.fixture
def page(desktop: DesktopApp) -> SettingsPage:
    return desktop.window.settings


def setting_rows(page: QWidget) -> dict[str, SettingRow]:
    return {made.setting: made for made in page.findChildren(SettingRow)}


def marks_of(row: SettingRow) -> tuple[bool, str]:
    """Return whether the row is marked as changed, and its pending mark."""
    if row.marks is None:
        return (False, "")
    return (not row.marks.undo.isHidden(), row.marks.waits.text())


def shown(page: SettingsPage) -> list[str]:
    return [row.setting for row in page.findChildren(SettingRow) if row.isVisible()]


def test_every_setting_has_a_row_or_a_reason(page: SettingsPage) -> None:
    rows = set(setting_rows(page))
    assert rows | set(LEFT_OUT) == set(SETTINGS)
    assert not rows & set(LEFT_OUT)


def test_every_row_has_an_explanation_and_a_named_control(page: SettingsPage) -> None:
    for name, row in setting_rows(page).items():
        assert row.text.text(), name
        assert row.control.accessibleName(), name


def test_the_search_shows_matching_rows_and_their_sections(page: SettingsPage, qtbot: QtBot) -> None:
    page.focus_filter()
    page.filter.setText("allowed private networks")
    assert shown(page) == ["allow_hosts", "allow_networks"]
    assert [section.title for section in page.sections if section.isVisible()] == ["Crawling"]
    assert [place for place in range(page.list.count()) if not page.list.item(place).isHidden()] == [4]
    page.filter.setText("SearXNG")
    assert set(shown(page)) == {"search_provider", "searxng_url"}
    page.filter.setText("storage")
    assert page.storage.isVisible() and page.storage.backup.isVisible(), "a matching heading shows all its rows"
    page.filter.setText("xyzzy")
    assert page.nothing.isVisible()
    assert shown(page) == []
    qtbot.keyClick(page.filter, Qt.Key.Key_Escape)
    assert not page.nothing.isVisible()
    assert len(shown(page)) == len(setting_rows(page))


def test_a_section_is_shown_even_during_a_search(page: SettingsPage, qtbot: QtBot) -> None:
    page.filter.setText("robots")
    page.show_section(page.privacy)
    assert page.filter.text() == ""
    qtbot.waitUntil(lambda: page.list.currentRow() == page.sections.index(page.privacy))
    qtbot.waitUntil(lambda: page.privacy.mapTo(page.area.viewport(), QPoint(0, 0)).y() < page.area.viewport().height())


def test_a_shown_section_stays_in_place_while_rows_above_grow(page: SettingsPage, qtbot: QtBot) -> None:
    bar = page.area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 1_000)
    crawling = page.sections[4]
    page.show_section(crawling)
    qtbot.waitUntil(lambda: bar.value() == crawling.y())
    before = bar.value()
    page.general.setMinimumHeight(page.general.height() + 60)
    qtbot.waitUntil(lambda: bar.value() == crawling.y() == before + 60)
    bar.setValue(100)
    page.general.setMinimumHeight(page.general.height() + 60)
    qtbot.waitUntil(lambda: crawling.y() == before + 120)
    qtbot.wait(50)
    assert bar.value() == 100, "the position stays after the user scrolls"


def test_scrolling_selects_the_visible_section(page: SettingsPage, qtbot: QtBot) -> None:
    bar = page.area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 1_000)
    crawling = page.sections[4]
    assert crawling.height() > page.area.viewport().height()
    bar.setValue(crawling.y() + 5)
    assert page.list.currentRow() == 4
    bar.setValue(0)
    assert page.list.currentRow() == 0
    bar.setValue(page.sections[1].y() - 150)
    assert page.list.currentRow() == 1, "the previous section ends at the top and does not fill the view"


@pytest.mark.parametrize("words", ["hosted", "port number", "private networks", "days", "tray icon"])
def test_few_results_keep_their_height(page: SettingsPage, qtbot: QtBot, words: str) -> None:
    page.window().resize(1_400, 1_000)
    qtbot.keyClicks(page.filter, words)
    hits = [row for section in page.sections for row in section.rows if row.isVisible()]
    assert 1 <= len(hits) <= 6
    sections = [section for section in page.sections if section.isVisible()]
    room = page.area.viewport().height()
    qtbot.waitUntil(lambda: max(section.y() + section.height() for section in sections) < room)
    for row in hits:
        qtbot.waitUntil(lambda row=row: row.height() <= max(row.sizeHint().height(), row.heightForWidth(row.width())))
    page.filter.clear()
    page.window().resize(1_100, 720)


def test_changed_rows_are_marked_and_can_be_reset(desktop: DesktopApp, page: SettingsPage, own_home: Path) -> None:
    row = setting_rows(page)["concurrency"]
    control = row.control
    assert isinstance(control, QSpinBox)
    assert marks_of(row) == (False, "")
    control.setValue(4)
    assert marks_of(row) == (True, "after restart")
    assert row.marks is not None
    assert row.marks.undo.toolTip() == "Reset to default: 2"
    row.marks.undo.click()
    assert control.value() == 2
    assert marks_of(row) == (False, "")
    assert "concurrency" not in tomllib.loads((own_home / "config.toml").read_text()).get("crawling", {})
    assert desktop.settings.waiting == ()


def test_every_row_can_be_reset(desktop: DesktopApp, page: SettingsPage) -> None:
    others = {"search_provider": "brave", "deny_hosts": ("a.example",), "stale_after_days": 2.5, "rerank": False}
    rows = setting_rows(page)
    for name, value in others.items():
        desktop.settings.save(name, value)  # type: ignore[arg-type]
    texts = {name: _shown(rows[name].control) for name in others}
    assert texts == {
        "search_provider": "Brave",
        "deny_hosts": "a.example",
        "stale_after_days": "2.5 days",
        "rerank": "",
    }
    for name in others:
        rows[name].reset()
        assert desktop.settings.value(name) == desktop.settings.default(name)
    assert _shown(rows["stale_after_days"].control) == "7 days"
    assert _shown(rows["deny_hosts"].control) == ""


def _shown(control: QWidget) -> str:
    match control:
        case QComboBox():
            return control.currentText()
        case QLineEdit() | QSpinBox() | QDoubleSpinBox():
            return control.text()
        case _:
            return ""


def test_a_decimal_value_is_shown_and_kept(start: Start, own_home: Path) -> None:
    (own_home / "config.toml").write_text("[crawling]\nrequest_timeout_ms = 1500\nstale_after_days = 0.5\n")
    desktop = start(FakeParts())
    rows = setting_rows(desktop.window.settings)
    assert _shown(rows["request_timeout_ms"].control) == "1.5 s"
    assert _shown(rows["stale_after_days"].control) == "0.5 days"


def test_invalid_input_stays_in_its_field_with_an_error_below(desktop: DesktopApp, page: SettingsPage) -> None:
    rows = setting_rows(page)
    for name, typed, words in (
        ("deny_hosts", "https://a.example/x", "is a full address. Enter only the site name"),
        ("searxng_url", "search.example", "is not a web address"),
        ("site_stale_after", "docs.example", "must be SITE=DAYS"),
        ("allow_networks", "10.0.0.0/99", "10.0.0.0/99"),
    ):
        row = rows[name]
        assert isinstance(row.control, QLineEdit)
        row.control.setText(typed)
        row.control.editingFinished.emit()
        assert words in row.problem.text(), name
        assert name not in row.problem.text(), "users do not know the name in the file"
        desktop.settings.save("concurrency", 3)
        desktop.settings.save("concurrency", 2)
        assert row.control.text() == typed, "another change keeps the typed text"
        assert desktop.settings.value(name) == desktop.settings.default(name)


@pytest.mark.parametrize("good", [(), ("example.com",), ("*.example.com", "10.0.0.1"), ("bücher.example",), ("::1",)])
def test_site_names_are_accepted(good: tuple[str, ...]) -> None:
    assert host_problem(good) == ""


@pytest.mark.parametrize("bad", ["a b.example", "-x.example", "a.example/x", "http://a.example"])
def test_an_invalid_site_name_is_quoted(bad: str) -> None:
    assert bad in host_problem(("fine.example", bad))


def test_server_addresses_are_validated() -> None:
    assert address_problem("") == address_problem("https://a.example/v1") == ""
    assert address_problem("http://[::1") and address_problem("ftp://a.example") and address_problem("https://")


def test_allowed_networks_show_a_warning(desktop: DesktopApp, page: SettingsPage) -> None:
    row = setting_rows(page)["allow_networks"]
    warnings = [made for made in row.children() if getattr(made, "text", str)() and "router" in str(made.text())]
    assert len(warnings) == 1 and not warnings[0].isVisible()
    desktop.settings.save("allow_networks", ("10.0.0.0/8",))
    assert warnings[0].isVisible()


def test_the_mouse_wheel_does_not_change_values(page: SettingsPage) -> None:
    for name in ("robots_policy", "concurrency", "request_timeout_ms"):
        control = setting_rows(page)[name].control
        before = _shown(control)
        control.clearFocus()
        turn = QWheelEvent(
            QPointF(5, 5),
            QPointF(5, 5),
            QPoint(0, -120),
            QPoint(0, -120),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(control, turn)
        assert _shown(control) == before


@pytest.mark.own_window
def test_a_setting_from_the_environment_does_not_offer_a_reset(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONCURRENCY", "7")
    desktop = start(FakeParts(), concurrency=7)
    desktop.window.go_to("settings")
    row = setting_rows(desktop.window.settings)["concurrency"]
    assert not row.control.isEnabled() and marks_of(row) == (False, "")
    assert "CONCURRENCY" in row.text.text()


def test_nothing_is_wider_than_the_smallest_window(desktop: DesktopApp, page: SettingsPage, qtbot: QtBot) -> None:
    desktop.window.resize(desktop.window.minimumSize())
    viewport = page.area.viewport()

    def beyond() -> list[str]:
        rows = setting_rows(page)
        ends = {name: row.control.mapTo(viewport, QPoint(row.control.width(), 0)).x() for name, row in rows.items()}
        return [name for name, end in ends.items() if end > viewport.width()]

    qtbot.waitUntil(lambda: page.area.widget().width() <= viewport.width() and not beyond())
