"""Pairing of browsers: single-use codes that cannot be guessed, and revocable tokens that cannot be read from the file."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import stat
from pathlib import Path

import pytest

from app.browsers import (
    BROWSERS_FILE,
    CODE_ALPHABET,
    CODE_SECONDS,
    MAX_BROWSERS,
    MAX_BROWSERS_BYTES,
    MAX_CODE_TRIES,
    MAX_NONCE_CHARS,
    PairedBrowsers,
)
from app.errors import PairingError

ORIGIN = f"chrome-extension://{'a' * 32}"
FOX = "moz-extension://12345678-1234-1234-1234-123456789abc"


class Clock:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def browsers(tmp_path: Path, clock: Clock) -> PairedBrowsers:
    return PairedBrowsers(tmp_path, clock)


def test_a_code_works_once_in_any_spelling(browsers: PairedBrowsers) -> None:
    code = browsers.new_code()
    made = browsers.pair(f" {code.lower().replace('-', ' ')} ", ORIGIN, "Chromium on Linux")
    assert [(each.id, each.name) for each in browsers.all()] == [(made.id, "Chromium on Linux")]
    with pytest.raises(PairingError, match="no valid pairing code"):
        browsers.pair(code, FOX, "another")


def test_a_code_has_forty_bits_and_a_token_many_more(browsers: PairedBrowsers) -> None:
    code = browsers.new_code().replace("-", "")
    assert len(CODE_ALPHABET) ** len(code) > 2**38
    assert not set(code) - set(CODE_ALPHABET)
    assert len(browsers.pair(code, ORIGIN, "x").token) >= 43


def test_a_code_expires_after_some_wrong_attempts(browsers: PairedBrowsers) -> None:
    code = browsers.new_code()
    for _ in range(MAX_CODE_TRIES):
        with pytest.raises(PairingError, match="code is wrong"):
            browsers.pair("2222-2222", ORIGIN, "guesser")
    with pytest.raises(PairingError, match="no valid pairing code"):
        browsers.pair(code, ORIGIN, "guesser")


def test_attempts_are_counted_by_every_reader_of_the_folder(tmp_path: Path) -> None:
    PairedBrowsers(tmp_path).new_code()
    for _ in range(MAX_CODE_TRIES):
        with pytest.raises(PairingError, match="code is wrong"):
            PairedBrowsers(tmp_path).pair("2222-2222", ORIGIN, "guesser")
    with pytest.raises(PairingError, match="no valid pairing code"):
        PairedBrowsers(tmp_path).pair("2222-2222", ORIGIN, "guesser")


@pytest.mark.parametrize("passed", [CODE_SECONDS + 1, -3_600.0])
def test_a_code_expires_even_if_the_clock_is_set_back(browsers: PairedBrowsers, clock: Clock, passed: float) -> None:
    code = browsers.new_code()
    clock.now += passed
    with pytest.raises(PairingError, match="no valid pairing code"):
        browsers.pair(code, ORIGIN, "late")


def test_a_new_code_and_a_closed_dialog_invalidate_the_previous_code(browsers: PairedBrowsers) -> None:
    first = browsers.new_code()
    second = browsers.new_code()
    with pytest.raises(PairingError):
        browsers.pair(first, ORIGIN, "x")
    browsers.drop_code()
    with pytest.raises(PairingError):
        browsers.pair(second, ORIGIN, "x")


def test_the_file_grants_no_access_to_its_readers(browsers: PairedBrowsers, tmp_path: Path) -> None:
    code = browsers.new_code()
    waiting = (tmp_path / BROWSERS_FILE).read_text()
    made = browsers.pair(code, ORIGIN, "Chromium")
    paired = (tmp_path / BROWSERS_FILE).read_text()
    assert code.replace("-", "") not in waiting
    assert made.token not in paired
    key = json.loads(paired)["browsers"][0]["key"]
    assert browsers.holder_of(key, ORIGIN) is None
    if os.name == "posix":
        assert stat.S_IMODE((tmp_path / BROWSERS_FILE).stat().st_mode) == 0o600


def test_a_token_works_for_its_own_extension_until_it_is_revoked(browsers: PairedBrowsers, tmp_path: Path) -> None:
    made = browsers.pair(browsers.new_code(), ORIGIN, "Chromium")
    other = browsers.pair(browsers.new_code(), FOX, "Firefox")
    assert browsers.holder_of(made.token, ORIGIN) is not None
    assert browsers.holder_of(made.token, FOX) is None
    assert browsers.holder_of("", ORIGIN) is None
    PairedBrowsers(tmp_path).revoke(made.id)
    assert browsers.holder_of(made.token, ORIGIN) is None
    assert browsers.holder_of(other.token, FOX) is not None


def test_the_program_proves_to_the_browser_that_it_knows_its_token(browsers: PairedBrowsers) -> None:
    made = browsers.pair(browsers.new_code(), ORIGIN, "Chromium")
    key = hashlib.sha256(made.token.encode()).digest()
    expected = hmac.new(key, b"n0nce|8765", hashlib.sha256).hexdigest()
    assert browsers.proof(made.id, ORIGIN, "n0nce", 8765) == expected
    assert browsers.proof(made.id, ORIGIN, "n0nce", 8766) != expected
    assert browsers.proof(made.id, FOX, "n0nce", 8765) == ""
    assert browsers.proof("unknown", ORIGIN, "n0nce", 8765) == ""
    assert browsers.proof(made.id, ORIGIN, "n" * (MAX_NONCE_CHARS + 1), 8765) == ""


def test_a_browser_paired_again_replaces_itself_and_the_list_is_limited(browsers: PairedBrowsers) -> None:
    for _ in range(2):
        browsers.pair(browsers.new_code(), ORIGIN, "Chromium")
    assert len(browsers.all()) == 1
    for number in range(1, MAX_BROWSERS):
        browsers.pair(browsers.new_code(), FOX.replace("12345678", f"{number:08x}"), "Firefox")
    with pytest.raises(PairingError, match="already paired"):
        browsers.new_code()


def test_a_name_cannot_forge_lines_or_fill_the_window(browsers: PairedBrowsers) -> None:
    browsers.pair(browsers.new_code(), ORIGIN, "Good\n\x1b[31mBrowser\u202e" + "x" * 500)
    (only,) = browsers.all()
    assert only.name.startswith("Good [31mBrowser xxx")
    assert len(only.name) == 60


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"browsers": 7, "code": []}', '{"browsers": [{"id": 1}, 5, null]}', "[" * 100_000, "\x00"],
)
def test_a_damaged_file_grants_no_access(browsers: PairedBrowsers, tmp_path: Path, text: str) -> None:
    (tmp_path / BROWSERS_FILE).write_text(text)
    assert browsers.all() == ()
    assert browsers.pair(browsers.new_code(), ORIGIN, "x").token


def test_entries_for_pages_and_a_huge_file_are_ignored(browsers: PairedBrowsers, tmp_path: Path) -> None:
    made = browsers.pair(browsers.new_code(), ORIGIN, "Chromium")
    file = tmp_path / BROWSERS_FILE
    file.write_text(file.read_text().replace(ORIGIN, "https://evil.example"))
    assert browsers.holder_of(made.token, "https://evil.example") is None
    file.write_text(json.dumps({"browsers": [], "pad": "x" * MAX_BROWSERS_BYTES}))
    assert browsers.all() == ()


def test_a_temporarily_unreadable_file_loses_no_browser(browsers: PairedBrowsers, tmp_path: Path) -> None:
    made = browsers.pair(browsers.new_code(), ORIGIN, "Chromium")
    file, aside = tmp_path / BROWSERS_FILE, tmp_path / "aside"
    file.rename(aside)
    file.mkdir()
    for work in (browsers.new_code, lambda: browsers.proof(made.id, ORIGIN, "n0nce", 8765), browsers.all):
        with pytest.raises(PairingError, match="Cannot read"):
            work()
    file.rmdir()
    aside.rename(file)
    assert browsers.holder_of(made.token, ORIGIN) is not None


def test_an_unwritable_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(PairingError, match="Cannot save"):
        PairedBrowsers(tmp_path / "file").new_code()
