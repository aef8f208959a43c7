"""The switch for data that logs otherwise never contain."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from app.logs import DIAGNOSTIC_SECONDS, DIAGNOSTICS, Diagnostics, redact
from app.server.calls.dispatch import MAX_DIAGNOSTIC_PARAMETER_CHARS, Dispatcher, section_sizes
from app.server.calls.limits import Caller
from app.server.control.methods import METHODS
from app.server.control.surface import DiagnosticState
from app.server.tools import build_registry
from app.settings import Settings
from tests.server import results
from tests.server.fake_engine import FakeEngine

SECRET = "the question nobody else may read"
ARGUMENTS = {"url": "https://anna:pass-word@example.org/?token=abc123", "query": SECRET}


@pytest.fixture(autouse=True)
def switched_off() -> object:
    DIAGNOSTICS.off()
    yield
    DIAGNOSTICS.off()


async def written(caplog: pytest.LogCaptureFixture, **settings: bool) -> str:
    caplog.set_level(logging.INFO)
    caplog.handler.setLevel(logging.NOTSET)  # like the program's own: the level of the log decides
    engine = FakeEngine(settings=Settings(data_dir=Path("unused"), **settings))  # type: ignore[arg-type]
    await Dispatcher(engine, build_registry(engine.settings)).call("answer", ARGUMENTS, Caller("claude-code"))
    return caplog.text


async def test_it_is_off_by_default(caplog: pytest.LogCaptureFixture) -> None:
    text = await written(caplog)
    assert SECRET not in text
    assert "example.org" not in text


@pytest.mark.parametrize("by_setting", [True, False])
async def test_if_on_the_log_has_arguments_budget_and_beginning_without_secrets(
    caplog: pytest.LogCaptureFixture, by_setting: bool
) -> None:
    if not by_setting:
        await METHODS["diagnostics"].call(FakeEngine(), {"state": "on"}, nobody)
    text = await written(caplog, diagnostic_logging=by_setting)
    assert SECRET in text
    assert "/20000 tokens, " in text
    assert "characters by section: sources " in text
    assert 'begins with [SOURCES] [1] "Choosing a hive"' in text
    assert not any(word in text for word in ("pass-word", "abc123"))
    assert len(max(text.splitlines(), key=len)) < MAX_DIAGNOSTIC_PARAMETER_CHARS + 200
    assert results.INSULATION.text[:30] not in text.split("begins with")[0]


async def nobody(*_: object) -> None:
    return None


async def test_the_control_endpoint_reads_and_changes_it() -> None:
    async def state(word: str) -> DiagnosticState:
        told: DiagnosticState = await METHODS["diagnostics"].call(FakeEngine(), {"state": word}, nobody)
        return told

    assert not (await state("status")).on
    on = await state("on")
    assert on.on
    assert on.seconds_left == pytest.approx(DIAGNOSTIC_SECONDS, abs=5)
    assert (await state("status")).on
    assert not (await state("off")).on


def test_it_ends_automatically() -> None:
    now = 100.0
    switch = Diagnostics(clock=lambda: now)
    switch.on()
    assert switch.is_on
    now += DIAGNOSTIC_SECONDS
    assert not switch.is_on


def test_credentials_of_an_address_are_redacted_everywhere() -> None:
    assert redact("GET https://anna:secret@example.org/a?x=1") == "GET https://[redacted]@example.org/a?x=1"


def test_sections_are_measured() -> None:
    assert section_sizes("[SOURCES]\nab\n[STATS]\nc") == [("SOURCES", 13), ("STATS", 9)]
    assert section_sizes("1. a line") == []
